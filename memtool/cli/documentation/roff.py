"""roff source for man pages (man(7)), with all text escaped so that none of it is taken as a request.

The output is ASCII. Hyphens, quotes, backticks and tildes are written by their names, because troff would
print typographic ones, which a shell does not understand when they are copied from the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap

_WIDTH = 78
"""Characters of a line in the page's source, not of the page as it is displayed."""
_NAMES = {"\\": r"\(rs", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}
_UNSAFE = re.compile(r"[\\\-'`^~\x00-\x1f]|[^\x00-\x7e]")
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z(])")
_CODE = re.compile(
    r"`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s\n]+)\*(?![\w*])"  # code, strong, emphasis
    r"|\[([^\]\n]+)\]\([^)\s]+\)|\\([\\`*_\[\]|])"  # a link, an escape
)


def plain(text: str) -> str:
    """A text on one line, escaped."""
    return _UNSAFE.sub(_escape_char, text)


def bold(text: str) -> str:
    """A text on one line in bold: to be typed literally."""
    return f"\\fB{plain(text)}\\fR"


def italic(text: str) -> str:
    """A text on one line in italics: a placeholder."""
    return f"\\fI{plain(text)}\\fR"


def markdown_line(text: str) -> str:
    """A line of Markdown: code and emphasis in bold, links as their texts."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    last_end = 0
    for match in _CODE.finditer(text):
        yield plain(text[last_end : match.start()])
        if strong := match[1] or match[2]:
            yield bold(strong)
        else:
            yield italic(match[3]) if match[3] else plain(match[4] or match[5])
        last_end = match.end()
    yield plain(text[last_end:])


def _escape_char(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    if char in _NAMES:
        return _NAMES[char]
    if code < 0xA0:
        return " "
    return "?" if 0xD800 <= code <= 0xDFFF else f"\\[u{code:04X}]"


def protect_line(line: str) -> str:
    """A line that starts with text, protected because a dot or a quote there would start a request."""
    return f"\\&{line}" if line[:1] in {".", "'"} else line


def title(name: str, section: int, version: str) -> str:
    """The first line of a page."""
    return f'.TH "{plain(name.upper())}" "{section}" "" "memtool {plain(version)}" "memtool"'


def heading(text: str, level: int = 1) -> str:
    """The heading of a section (level 1) or a subsection (level 2)."""
    return f'{".SH" if level == 1 else ".SS"} "{plain(text).replace(chr(34), chr(92) + "(dq")}"'


def paragraph(text: str) -> Iterator[str]:
    """A paragraph, with each sentence on a new line of the source; the text may contain Markdown."""
    yield ".PP"
    yield from sentences(text)


def sentences(text: str) -> Iterator[str]:
    """The lines of a paragraph, without the request that starts it."""
    for sentence in _SENTENCE.split(" ".join(text.split())):
        yield from map(
            protect_line,
            wrap(markdown_line(sentence), _WIDTH, break_long_words=False, break_on_hyphens=False),
        )


def item(term: str, text: Iterable[str]) -> Iterator[str]:
    """A term, already in roff, and its description."""
    yield ".TP"
    yield protect_line(term)
    yield from text


def literal(lines: Iterable[str]) -> Iterator[str]:
    """Lines printed literally, in a fixed-width font."""
    yield ".PP"
    yield ".RS 4"
    yield ".EX"
    yield from (protect_line(plain(line)) for line in lines)
    yield ".EE"
    yield ".RE"


def option(names: str) -> str:
    """An option as in its help: its names in bold, its metavars in italics."""
    spaced = re.split(r"(,? +/? *)", names)
    return "".join(
        bold(word) if word.startswith("-") else plain(word) if number % 2 else italic(word)
        for number, word in enumerate(spaced)
        if word
    )
