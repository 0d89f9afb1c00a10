"""Recalled text: what memory itself put into a conversation, which is no evidence for a new memory."""

from __future__ import annotations

from bisect import bisect_left

from memtool.core.text.pattern import compiled

OPENING, CLOSING = "<memory-context>", "</memory-context>"
"""What stands around memory that was put into a prompt."""

_OPENS = r"(?i)<(memory-context)\b[^>]{0,200}>|<(summary|system-reminder)>"
_REPLAYED = (
    r"(?m)^--- turn \d+ · [^\n]*(?:\n(?:[^\s:]{1,40}(?: \([a-z]+\)| calls [^:\n]+| failed)?: | {4})[^\n]*)*"
)
_LINES = (
    r"(?m)^(?:\[\d+\] \((?:group|global)(?::[^)\n]*)?\) "  # a snippet of the context
    r"|[^\s:]{1,300}\.(?:md|json)[:-]\d+[:-] "  # a hit of a search
    r'|\{"(?:path|seq|title)": |\{"text": "<memory-context>'  # a record of memtool's, with --json
    r"|[-*+] (?:\[\d{4}-[^\]\n]*\] )?(?:\[(?:user|session):[^\]\n]*\] )?\*\*[a-z_]+\*\*: "  # an entry, a fact
    r")[^\n]*$"
)


def recalled(text: str) -> str:
    """A text of memory's between its tags; nothing in it can close them."""
    body = compiled(rf"(?i){CLOSING[:-1]}").sub(lambda tag: tag[0].replace("/", "\\/"), text)
    return f"{OPENING}\n{body.rstrip(chr(10))}\n{CLOSING}\n"


def without_blocks(text: str) -> str:
    """The text without what stands between tags, and no line else: a tool's result holds lines of files.

    Memory's own tags need no end. Linear, whatever stays open.
    """
    if "<" not in text:
        return text
    kept: list[str] = []
    done = 0
    ends: dict[str, list[tuple[int, int]]] = {}
    for opened in compiled(_OPENS).finditer(text):
        if opened.start() < done:
            continue
        tag = (opened[1] or opened[2]).lower()
        if tag not in ends:
            ends[tag] = [match.span() for match in compiled(rf"(?i)</{tag}>").finditer(text)]
        at = bisect_left(ends[tag], (opened.end(), 0))
        if at < len(ends[tag]):
            end = ends[tag][at][1]
        elif opened[1]:
            end = len(text)
        else:
            continue
        kept.append(text[done : opened.start()])
        done = end
    return "".join(kept) + text[done:]


def without_recalled(text: str) -> str:
    """The text without what memory, a summary or a host put into it, as memtool itself prints that."""
    text = without_blocks(text)
    if "--- turn " in text:
        text = compiled(_REPLAYED).sub("", text)
    return compiled(_LINES).sub("", text) if ": " in text or "] (" in text else text
