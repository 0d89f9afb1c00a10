"""roff: text for man pages, escaped so that none of it is an instruction to who sets the page (man(7)).

Only ASCII comes out. What a shell would read literally stays what it is when it is copied from the page:
hyphens, quotes, backticks and tildes are written by their names, for troff prints typographic ones else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap

_WIDTH = 78
"""Characters of a line in the page's source; the page's own width is another matter."""
_NAMES = {"\\": r"\(rs", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}
_UNSAFE = re.compile(r"[\\\-'`^~\x00-\x1f]|[^\x00-\x7e]")
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z(])")
_CODE = re.compile(
    r"`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s\n]+)\*(?![\w*])"  # code, strong, emphasis
    r"|\[([^\]\n]+)\]\([^)\s]+\)|\\([\\`*_\[\]|])"  # a link, an escape
)


def plain(text: str) -> str:
    """A text on one line, as it is."""
    return _UNSAFE.sub(_named, text)


def bold(text: str) -> str:
    """A text on one line, to be typed as it stands."""
    return f"\\fB{plain(text)}\\fR"


def italic(text: str) -> str:
    """A text on one line, for which something else is to be put."""
    return f"\\fI{plain(text)}\\fR"


def marked(text: str) -> str:
    """A line of Markdown: code and emphasis in bold, links as their texts."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    done = 0
    for match in _CODE.finditer(text):
        yield plain(text[done : match.start()])
        if strong := match[1] or match[2]:
            yield bold(strong)
        else:
            yield italic(match[3]) if match[3] else plain(match[4] or match[5])
        done = match.end()
    yield plain(text[done:])


def _named(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    if char in _NAMES:
        return _NAMES[char]
    if code < 0xA0:
        return " "
    return "?" if 0xD800 <= code <= 0xDFFF else f"\\[u{code:04X}]"


def safe(line: str) -> str:
    """A line of the page that begins with text: a dot there would make it an instruction."""
    return f"\\&{line}" if line[:1] in {".", "'"} else line


def title(name: str, section: int, version: str) -> str:
    """The first line of a page."""
    return f'.TH "{plain(name.upper())}" "{section}" "" "memtool {plain(version)}" "memtool"'


def heading(text: str, level: int = 1) -> str:
    """A heading: of a section, or of a part of one."""
    return f'{".SH" if level == 1 else ".SS"} "{plain(text).replace(chr(34), chr(92) + "(dq")}"'


def paragraph(text: str) -> Iterator[str]:
    """A text in the width of the page, one sentence a line; it may be marked up as Markdown."""
    yield ".PP"
    yield from sentences(text)


def sentences(text: str) -> Iterator[str]:
    """The lines of a paragraph, without its beginning."""
    for sentence in _SENTENCE.split(" ".join(text.split())):
        yield from map(safe, wrap(marked(sentence), _WIDTH, break_long_words=False, break_on_hyphens=False))


def item(term: str, text: Iterable[str]) -> Iterator[str]:
    """A term, already set, and what it means."""
    yield ".TP"
    yield safe(term)
    yield from text


def literal(lines: Iterable[str]) -> Iterator[str]:
    """Lines as they are, in a type of one width."""
    yield ".PP"
    yield ".RS 4"
    yield ".EX"
    yield from (safe(plain(line)) for line in lines)
    yield ".EE"
    yield ".RE"


def option(names: str) -> str:
    """An option as its help has it: what is typed in bold, what it takes in italics."""
    spaced = re.split(r"(,? +/? *)", names)
    return "".join(
        bold(word) if word.startswith("-") else plain(word) if number % 2 else italic(word)
        for number, word in enumerate(spaced)
        if word
    )
