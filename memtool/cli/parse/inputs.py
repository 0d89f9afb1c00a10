"""Text from an option, a file or stdin: as a whole, by lines, or as JSON Lines."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from msgspec import Struct, field

from memtool.cli import output
from memtool.core.records.entries import Owner
from memtool.errors import BadUsage

_MOST_NAMED = 10
"""The most skipped lines that a message names."""
_MOST_INVALID = 0.3
"""Share of invalid characters above which input is no text. European sentences of tests/training have
2 % on average in Latin-1, and 16 % at most."""
_OTHER_ENCODING = "if the input is text in another encoding, convert it first, for example with iconv -f"


class InputLine(Struct, frozen=True):
    """One line of input: its fields, or the problem that makes it invalid, as a sentence."""

    number: int
    fields: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def message_prefix(self) -> str:
        """A prefix for messages about this line; empty for the first line."""
        return f"line {self.number}: " if self.number > 1 else ""

    @property
    def owner(self) -> Owner | None:
        """The owner that the line itself names, if any. Raises BadUsage."""
        from memtool.core.secrets.redact import check_identifier

        for kind in ("user", "session"):
            if self.fields.get(kind):
                check_identifier(self.fields[kind], f"the {kind} id")
                return Owner(kind, self.fields[kind])
        return None


def whole_text(source: BinaryIO | None, message: str | None) -> str:
    """The whole input; bytes that are not UTF-8 are replaced.

    Raises BadUsage for binary input, or if stdin is a terminal.
    """
    return _decode(_stream(source, message).read())


def no_file_with_texts(source: BinaryIO | None) -> None:
    """Raises BadUsage for a file given beside the texts of an exchange."""
    if source is not None:
        raise BadUsage(
            "a file cannot be combined with --user-text or --agent-text; give either the file or these "
            "options"
        )


def text_of_words(words: Sequence[str], command: str) -> str:
    """The text of a command's arguments; stdin where there are none, or only `-`.

    Raises BadUsage if the text is empty, or as `whole_text`.
    """
    text = " ".join(words) if words and tuple(words) != ("-",) else whole_text(None, None)
    if not text.strip():
        raise BadUsage(
            f"the text is empty; nothing was written; run memtool {command} TEXT, or pipe the text to the "
            "command"
        )
    return text


def exact_text(source: BinaryIO | None) -> str:
    """The whole input, unchanged. Raises BadUsage if it is not UTF-8, or if stdin is a terminal."""
    content = _stream(source, None).read()
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise BadUsage(
            f"the input is not UTF-8 text (byte {error.start + 1}); nothing was written; "
            f"{_OTHER_ENCODING} WINDOWS-1251"
        ) from error


def plain_lines(source: BinaryIO | None, message: str | None) -> Iterator[InputLine]:
    """Each line that is not blank, as soon as it is read."""
    for number, raw in enumerate(_stream(source, message), 1):
        try:
            text = _decode(raw, "")
        except BadUsage as error:
            yield InputLine(number, problem=f"line {number} skipped: {error}")
            continue
        if text.strip():
            yield InputLine(number, {"text": text})


def json_lines(
    source: BinaryIO | None, message: str | None, required: Sequence[str], optional: Sequence[str]
) -> Iterator[InputLine]:
    """Each line as a JSON object whose named fields are texts; an invalid line carries its problem."""
    for number, raw in enumerate(_stream(source, message), 1):
        if raw.strip():
            yield _record(number, raw, required, optional)


def json_messages(source: BinaryIO | None, message: str | None) -> Iterator[InputLine]:
    """Each user message of JSON Lines: with "text", or as `memtool replay --json` prints messages.

    Of the latter, only messages of the user are returned; they have the fields "seq" and "turn_session".
    """
    for number, raw in enumerate(_stream(source, message), 1):
        line = _user_message(raw) if b'"parts"' in raw else raw
        if line.strip():
            yield _record(number, line, ("text",), ("user", "session", "at", "seq", "turn_session"))


def _user_message(raw: bytes) -> bytes:
    """A message of a turn as a line with its text; b"" for one that is not the user's."""
    import json

    try:
        value = json.loads(raw)
        parts, at = value["parts"], value.get("at") or value["created_at"]
        texts = [part["text"] for part in parts if part["type"] == "text"]
        text = "\n".join(texts)
        is_of_user = value["role"] == "user"
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return raw  # the code that reads the line reports what is wrong
    session = value["session"] if isinstance(value.get("session"), str) else None
    line = {"text": text, "at": at, "seq": str(value.get("seq")), "turn_session": session}
    return json.dumps(line).encode() if is_of_user else b""


def how_to_continue(skipped: Sequence[int], *, done: str) -> str:
    """What to do where some lines were skipped and the others are done (`recorded`, `appended`)."""
    if len(skipped) == 1:
        return f"all other lines were {done}; fix line {skipped[0]} and send only that line"
    shown = ", ".join(map(str, skipped[:_MOST_NAMED]))
    more = f" and {len(skipped) - _MOST_NAMED} more" if len(skipped) > _MOST_NAMED else ""
    return f"all other lines were {done}; fix the following lines and send only those: {shown}{more}"


def _record(number: int, raw: bytes, required: Sequence[str], optional: Sequence[str]) -> InputLine:
    import json

    try:
        value = json.loads(_decode(raw, ""))
    except BadUsage as error:
        return InputLine(number, problem=f"line {number} skipped: {error}")
    except (ValueError, RecursionError) as error:
        from memtool.core.text.json_fault import json_fault

        return InputLine(number, problem=f"line {number} skipped: it {json_fault(error)}")
    if not isinstance(value, dict):
        return InputLine(number, problem=f"line {number} skipped: it is not a JSON object")
    fields = {name: value[name] for name in (*required, *optional) if value.get(name) is not None}
    for name in required:
        if name not in fields:
            return InputLine(
                number, problem=f"line {number} skipped: it has no {name!r}; {_example(required)}"
            )
    for name, given in fields.items():
        if not isinstance(given, str):
            return InputLine(number, problem=f"line {number} skipped: {name!r} is not a string")
    return InputLine(number, fields)


def _example(required: Sequence[str]) -> str:
    return "a valid line looks like {" + ", ".join(f'"{name}": "…"' for name in required) + "}"


def _stream(source: BinaryIO | None, message: str | None) -> BinaryIO:
    if message is not None:
        if source is not None:
            raise BadUsage("give the text with --message or as a file, not both")
        return io.BytesIO(message.encode("utf-8", "surrogateescape"))
    if source is not None:
        return source
    if sys.stdin is None or sys.stdin.isatty():
        from memtool.cli.misplaced_words import ways_to_give_text

        raise BadUsage(f"no text given; {ways_to_give_text()}")
    return sys.stdin.buffer


def _decode(raw: bytes, outcome: str = "; nothing was written") -> str:
    """The text of some input; invalid bytes are replaced.

    Raises BadUsage, with the outcome, for input that is no text.
    """
    content = raw.removeprefix(b"\xef\xbb\xbf")
    if (place := content.find(0)) >= 0:
        raise BadUsage(
            f"the input does not look like text (byte {place + 1} is NUL){outcome}; {_OTHER_ENCODING} UTF-16"
        )
    try:
        return content.decode()
    except UnicodeDecodeError:
        text = content.decode("utf-8", "replace")
        if text.count("\ufffd") > len(text) * _MOST_INVALID:
            raise BadUsage(f"the input is not UTF-8 text{outcome}; {_OTHER_ENCODING} WINDOWS-1251") from None
        output.print_message("the input is not UTF-8 text; invalid bytes were replaced with U+FFFD")
        return text
