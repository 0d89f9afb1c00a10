"""Chat logs: the marks that the host of a chat puts around each message, before an agent is given it.

`[2025-01-15T10:30:00Z] Ann: text`, as nano writes a prompt, and, as its XML form has it, also between
`<messages>` tags, `<message sender="Ann" time="...">text</message>`. A text is one that a host wrote only
where it begins with such a mark: what a user pastes comes after words about it. A time without a day is that
of a pasted chat.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from memtool.core.text.edits import TextEdit, apply_edits
from memtool.core.text.regex import regex

_DAY = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:\s?[AaPp][Mm])?(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?"
_TIME = rf"{_DAY}(?:T|,? ){_CLOCK}"
_BRACKETED = rf"(?m)^[^\S\n]{{0,8}}\[{_TIME}\][^\S\n]?(?P<who>[^:\n\[\]<>]{{1,80}}):[^\S\n]?"
_TAG = r"(?i)<message(?P<about>\s[^<>\n]{1,300})>|(?P<end></message\s{0,4}>)"
_WRAPPER = r"(?i)</?messages(?:\s[^<>\n]{0,100})?>"
_SENDER = r"(?i)\b(?:sender|sender_name|from|name|author|user)\s{0,4}=\s{0,4}[\"']([^\"'\n]{1,80})"
_SENT_AT = r"(?i)\btime\s{0,4}=\s{0,4}[\"']"
"""A tag of a message may name its time alone; the sender is unknown then."""
_OF_LOG = r"(?i)\s*(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)\b"
"""A level in place of the sender: a line of a program's log."""
_ENTITIES = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&apos;": "'",
    "&#39;": "'",
    "&#x27;": "'",
    "&amp;": "&",
}
_ENTITY = r"&(?:lt|gt|quot|apos|amp|#39|#x27);"


class LoggedMessage(Struct, frozen=True):
    """A message in a chat's log: its sender, if it is known, and the spans of its marks and of its text."""

    sender: str
    start: int
    text_start: int
    text_end: int
    end: int
    is_tagged: bool


def logged_messages(text: str) -> list[LoggedMessage]:
    """The messages of a text that the host of a chat wrote; none where it does not begin as such."""
    beginning = text.lstrip()[:1]
    if beginning == "[":
        return _bracketed(text)
    return _tagged(text) if beginning == "<" else []


def chat_log_edits(text: str, *, last_sender_only: bool = False) -> Iterator[TextEdit]:
    """The edits that remove the marks, in order; line feeds stay, so that lines keep their numbers.

    With `last_sender_only` messages of other senders are removed as well: the agent answers the last.
    """
    messages = logged_messages(text)
    edits: list[TextEdit] = []
    for message in messages:
        edits.append(_removed(text, message.start, message.text_start))
        if last_sender_only and message.sender != messages[-1].sender:
            edits.append(_removed(text, message.text_start, message.text_end))
        elif message.is_tagged:
            entities = regex(_ENTITY).finditer(text, message.text_start, message.text_end)
            edits += (TextEdit(*match.span(), _ENTITIES[match[0]]) for match in entities)
        edits.append(_removed(text, message.text_end, message.end))
    if messages and messages[0].is_tagged:
        edits += (TextEdit(*match.span(), "") for match in regex(_WRAPPER).finditer(text))
        edits.sort()
    yield from (edit for edit in edits if text[edit.start : edit.end] != edit.new)


def without_chat_marks(text: str) -> str:
    """The text without the marks of a chat's log, and with as many lines."""
    edits = [*chat_log_edits(text)]
    return apply_edits(text, edits).text if edits else text


def only_sender(text: str) -> str:
    """The sender of all messages of a chat's log; empty for several, and for any other text."""
    senders = {message.sender for message in logged_messages(text)}
    return senders.pop() if len(senders) == 1 else ""


def _bracketed(text: str) -> list[LoggedMessage]:
    marks = [*regex(_BRACKETED).finditer(text)]
    if not marks or text[: marks[0].start()].strip() or regex(_OF_LOG).match(marks[0]["who"]):
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [
        LoggedMessage(mark["who"].strip(), mark.start(), mark.end(), end, end, is_tagged=False)
        for mark, end in zip(marks, ends, strict=True)
    ]


def _tagged(text: str) -> list[LoggedMessage]:
    marks = [*regex(_TAG).finditer(text)]
    if not marks or marks[0]["end"] or regex(_WRAPPER).sub("", text[: marks[0].start()]).strip():
        return []
    messages: list[LoggedMessage] = []
    for number, mark in enumerate(marks):
        about = mark["about"] or ""
        sender = _sender(about)
        if mark["end"] or not (sender or regex(_SENT_AT).search(about)):
            continue
        after = marks[number + 1] if number + 1 < len(marks) else None
        text_end = after.start() if after else len(text)
        end = after.end() if after and after["end"] else text_end
        messages.append(LoggedMessage(sender, mark.start(), mark.end(), text_end, end, is_tagged=True))
    return messages


def _sender(about: str) -> str:
    """The sender that a tag names: by an attribute, or in front of the time (`<message Ann 10:30>`)."""
    if match := regex(_SENDER).search(about):
        return match[1].strip()
    match = regex(rf"\s+(?P<who>[^=\"']{{1,80}}?)\s+\[?(?:{_TIME}|{_CLOCK})\]?\s*").fullmatch(about)
    return match["who"].strip() if match else ""


def _removed(text: str, start: int, end: int) -> TextEdit:
    return TextEdit(start, end, "\n" * text.count("\n", start, end))
