"""Recalled text: text that memory itself put into a conversation, which is no evidence for a new memory."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache

from memtool.core.privacy.host_tags import NOT_THE_USERS, is_host_tag
from memtool.core.text.clean import clean
from memtool.core.text.regex import regex

OPENING, CLOSING = "<memory-context>", "</memory-context>"
"""The tags around text from memory in a prompt."""

_OPENING_TAG = rf"(?i)<(memory-context)\b[^>]{{0,200}}>|<(summary|{NOT_THE_USERS})>"
_HOOK_CONTEXT = r"<(hook_context|qwen:user-prompt-submit-context)>[^<>]*</\1>"
"""What Gemini CLI 0.61 and Qwen Code 0.24 make of the output of a hook: they escape its angle brackets."""
_LOOKS_ALIKE = dict(
    zip(
        "＜﹤‹〈⟨＞﹥›〉⟩／⁄∕аеорсухіјԁһѕкмтνοгуΜΕΟΥСОМЕТХ‐‑‒–—－",
        "<<<<<>>>>>///aeopcyxijdhskmtvoryMEOYCOMETX------",
        strict=True,
    )
)
_ESCAPED = r"(?:<|&(?:amp;){0,3}(?:lt|#0{0,6}60|#x0{0,6}3c);?|\\{1,4}(?:u003c|x3c)|%3c)"
_TAG_NAME = r"m\W?e\W?m\W?o\W?r\W?y[\W_]{0,3}c\W?o\W?n\W?t\W?e\W?x\W?t"
_TAG_START = rf"(?i)({_ESCAPED})\s{{0,4}}(\\{{0,2}}/?)\s{{0,4}}"
_MEMORY_TAG = rf"{_TAG_START}{_TAG_NAME}"
"""memtool's own tags however they are escaped or spelled, after `_LOOKS_ALIKE`."""
_NAMED_TAG = rf"{_TAG_START}(?:{_TAG_NAME}|([a-z]\w{{0,40}}(?:[:-]\w{{1,40}}){{0,6}}))"
"""Those, or another tag, with its name in the last group."""
_REPLAYED_TURN = (
    r"(?m)^--- turn \d+ · [^\n]*(?:\n(?:[^\s:]{1,40}(?: \([a-z]+\)| calls [^:\n]+| failed)?: | {4})[^\n]*)*"
)
_RECALLED_LINE = (
    r"(?m)^(?:\[\d+\] \((?:group|global)(?::[^)\n]*)?\) "  # a snippet of the context
    r"|(?:[-*] )?(?:\[\d+\] ?)?[^\s:]{1,300}\.(?:md|json)[:-]\d+(?:[:-]"
    r"|[:-]?(?= ))(?:\d+:?)? "  # a hit of a search
    r'|\{"(?:path|seq|title)": |\{"text": "<memory-context>'  # a record of memtool's --json output
    r"|[-*+] (?:\[\d{4}-[^\]\n]*\] )?(?:\[(?:user|session):[^\]\n]*\] )?\*\*[a-z_]+\*\*: "  # an entry, a fact
    r")[^\n]*$"
)
_MESSAGES_OF_A_DAY = r"(?m)^(?:\d{4}-\d\d-\d\d|undated), [^\s:][^:\n]{0,80}:[^\S\n]*(?:\n(?:- |  \S)[^\n]*)+"
_BRACKET_TAG = rf"(?i)\[\s{{0,4}}(/?)\s{{0,4}}{_TAG_NAME}[^\]>\n]{{0,200}}\]"
"""memtool's own tags in the square brackets of forums."""
_MEMORY_SECTION = (  # a heading of recalled text, and the paragraph under it
    r"(?mi)^[^\S\n]{0,3}(?:#{1,6} |\*\*|\[|<!-- ?|=+ |-+ )?(?:(?:the|your|my|some|these are|here are"
    r"|here is) )?"
    r"(?:(?:relevant|recalled|retrieved|related|stored|saved|long-term|previous|past|user|injected"
    r"|auto-?recalled) ){1,3}"
    r"(?:memor(?:y|ies)|context|facts|notes|recollections)(?: (?:context|entries|snippets|about (?:the"
    r"|this) user|from (?:past|previous|earlier) \w+))?"
    r"[^\w\n]{0,6}\n\n?(?:[^\n]+(?:\n|\Z))+"
)
_ROLE_NAMES = r"(?:user|assistant|human|agent)"
_MESSAGE_LINE = rf"(?mi)^(?:[^\S\n]{{0,8}}[-*+] {_ROLE_NAMES}|  assistant)(?: \([^)\n]{{1,40}}\))?: [^\n]*$"
"""A message of a prompt, or the reply to it, whose heading is missing."""
_RECALLED = (
    (("--- turn ",), _REPLAYED_TURN),
    ((": ", "- ", "] (", ".md", ".json"), _RECALLED_LINE),
    (("\n",), _MESSAGES_OF_A_DAY),
    (("\n",), _MEMORY_SECTION),
    ((": ",), _MESSAGE_LINE),
)
"""Lines that memory put into a prompt: what one of a text has, and the pattern."""


def fold_look_alikes(text: str) -> str:
    """The text with letters and signs that look like ones of ASCII replaced by them, at the same offsets."""
    if text.isascii():
        return text
    return text.translate({ord(char): _look_alike(char) for char in {*text} if not char.isascii()})


@cache
def _look_alike(char: str) -> str:
    from unicodedata import normalize

    plain = _LOOKS_ALIKE.get(char) or normalize("NFKC", char)
    return plain if len(plain) == 1 else char


def recalled_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of text that memory put into a prompt, also where its tags are escaped or imitated.

    A tag without its closing tag extends to the end of the text.
    """
    plain = fold_look_alikes(text)
    spans: list[tuple[int, int]] = []
    start = None
    if regex(_ESCAPED, re.IGNORECASE).search(plain):
        for tag in regex(_MEMORY_TAG).finditer(plain):
            if not tag[2] and start is None:
                start = tag.start()
            elif tag[2] and start is not None:
                bracket = plain.find(">", tag.end(), tag.end() + 40)
                spans.append((start, bracket + 1 if bracket >= 0 else tag.end()))
                start = None
        if start is not None:
            spans.append((start, len(text)))
    if "[" in plain:
        spans += _bracketed(plain)
    for signs, pattern in _RECALLED:
        if any(sign in text for sign in signs):
            spans += [match.span() for match in regex(pattern).finditer(text)]
    return tuple(spans)


def _bracketed(plain: str) -> Iterator[tuple[int, int]]:
    """The spans between tags of memory in square brackets; one that is not closed extends to the end."""
    start = None
    for tag in regex(_BRACKET_TAG).finditer(plain):
        if not tag[1] and start is None:
            start = tag.start()
        elif tag[1] and start is not None:
            yield start, tag.end()
            start = None
    if start is not None:
        yield start, len(plain)


def tag_recalled(text: str) -> str:
    """Wrap text from memory in its tags.

    No text inside is read as one of them, however it is spelled, or as a tag of the agent's program, which
    may have tags of its own around all that a hook prints.
    """
    inside = _without_tags(clean(text), of_host=True)
    return f"{OPENING}\n{inside.rstrip(chr(10))}\n{CLOSING}\n"


def text_for_model(text: str) -> str:
    """Text from memory as a model, a terminal or a page may be given it: nothing in it acts unseen.

    Control, invisible and bidirectional characters are removed, except those that scripts and emoji need
    (see `clean`), and whatever is read as a tag of memory, however it is spelled, begins with a square
    bracket. Every reader's text passes here.
    """
    return _without_tags(clean(text))


def lines_for_model(text: str) -> str:
    """The text as `text_for_model` makes it, but with the same lines, for a model that edits it by them."""
    rows = text.split("\n")
    return _without_tags(
        "\n".join(_clean_line(row[:-1]) + "\r" if row[-1:] == "\r" else _clean_line(row) for row in rows)
    )


def _clean_line(row: str) -> str:
    """A line without hidden characters, and with blanks for those that would end it."""
    return clean(row).replace("\n", " ")


def _without_tags(cleaned: str, *, of_host: bool = False) -> str:
    """The text with a square bracket in place of the first sign of each tag of memory, or of a host, too."""
    if cleaned.isascii() and regex(_ESCAPED, re.IGNORECASE).search(cleaned) is None:
        return cleaned
    found = regex(_NAMED_TAG if of_host else _MEMORY_TAG).finditer(fold_look_alikes(cleaned))
    tags = [tag.span(1) for tag in found if not of_host or tag[3] is None or is_host_tag(tag[3])]
    if not tags:
        return cleaned
    parts, last = [], 0
    for start, end in tags:
        parts += [cleaned[last:start], "["]
        last = end
    return "".join(parts) + cleaned[last:]


def without_hook_context(text: str) -> str:
    """A message without what Gemini CLI or Qwen Code put into it for a hook, at its beginning or its end."""
    if "<hook_context>" not in text and "<qwen:user-prompt-submit-context>" not in text:
        return text
    before = regex(rf"\A(?:\s*{_HOOK_CONTEXT}\s*)+").sub("", text)
    return regex(rf"(?:\s*{_HOOK_CONTEXT}\s*)+\Z").sub("", before)


def without_recalled_blocks(text: str) -> str:
    """The text without the tagged blocks of memory, summaries and system reminders.

    Lines in memtool's formats are left, since a tool result may quote lines of files. An unclosed
    `<memory-context>` extends to the end of the text. Takes linear time, also with unclosed tags.
    """
    if "<" not in text:
        return text
    parts: list[str] = []
    copied_to = 0
    ends: dict[str, list[tuple[int, int]]] = {}
    for opening in regex(_OPENING_TAG).finditer(text):
        if opening.start() < copied_to:
            continue
        tag = (opening[1] or opening[2]).lower()
        if tag not in ends:
            ends[tag] = [match.span() for match in regex(rf"(?i)</{tag}>").finditer(text)]
        index = bisect_left(ends[tag], (opening.end(), 0))
        if index < len(ends[tag]):
            end = ends[tag][index][1]
        elif opening[1]:
            end = len(text)
        else:
            continue
        parts.append(text[copied_to : opening.start()])
        copied_to = end
    return "".join(parts) + text[copied_to:]


def without_recalled(text: str) -> str:
    """The text without anything that memory, a summary or the agent's host put into it."""
    text = without_recalled_blocks(text)
    if "--- turn " in text:
        text = regex(_REPLAYED_TURN).sub("", text)
    if ":\n- " in text:
        text = regex(_MESSAGES_OF_A_DAY).sub("", text)
    return regex(_RECALLED_LINE).sub("", text) if ": " in text or "] (" in text else text
