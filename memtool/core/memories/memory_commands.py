"""The commands of the memory tool of Anthropic's API (`memory_20250818`), and the edits they make."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.memories.memory_replies import CommandRefused

if TYPE_CHECKING:
    from memtool.core.secrets.redact import Secret

ROOT = "/memories"
"""The beginning of every path of the tool."""
MAX_LINES = 999_999
"""The most lines of a file that can be shown; line numbers are six characters wide."""
_SNIPPET_CONTEXT = 2
"""Context lines before and after the first changed line in a snippet."""

_ENCODED = re.compile(r"%(?:25)*(?:2e|2f|5c|00)", re.IGNORECASE)
_INVALID_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class ViewCommand(Struct, frozen=True):
    """Show a file with line numbers (all, or `view_range`), or list a folder two levels deep."""

    path: str
    view_range: tuple[int, int] | None = None


class CreateCommand(Struct, frozen=True):
    """Create a new file; an existing file is never overwritten."""

    path: str
    file_text: str


class StrReplaceCommand(Struct, frozen=True):
    """Replace the only occurrence of `old_str` by `new_str`."""

    path: str
    old_str: str
    new_str: str


class InsertCommand(Struct, frozen=True):
    """Insert lines after line `insert_line`; 0 inserts at the top."""

    path: str
    insert_line: int
    insert_text: str


class DeleteCommand(Struct, frozen=True):
    """Delete a file, or a folder with everything in it."""

    path: str


class RenameCommand(Struct, frozen=True):
    """Move a file or a folder to a new path, which must not exist."""

    old_path: str
    new_path: str


MemoryCommand = (
    ViewCommand | CreateCommand | StrReplaceCommand | InsertCommand | DeleteCommand | RenameCommand
)
_COMMANDS: Mapping[str, tuple[Callable[..., MemoryCommand], Mapping[str, type]]] = {
    "view": (ViewCommand, {"path": str}),
    "create": (CreateCommand, {"path": str, "file_text": str}),
    "str_replace": (StrReplaceCommand, {"path": str, "old_str": str, "new_str": str}),
    "insert": (InsertCommand, {"path": str, "insert_line": int, "insert_text": str}),
    "delete": (DeleteCommand, {"path": str}),
    "rename": (RenameCommand, {"old_path": str, "new_path": str}),
}
COMMANDS = tuple(_COMMANDS)
"""The names of the commands, the values of the field `command`."""
_KINDS = {str: "a string", int: "an integer"}
_TEXT_FIELDS = {"file_text", "new_str", "insert_text"}


def parse_command(record: object) -> MemoryCommand:
    """Parse a JSON value as a command; unknown fields are ignored. Raises CommandRefused."""
    if not isinstance(record, Mapping):
        raise CommandRefused("object")
    name = record.get("command")
    if name is None:
        raise CommandRefused("required", name="command", command="memory")
    if not isinstance(name, str) or name not in _COMMANDS:
        raise CommandRefused("command", name=name)
    make, fields = _COMMANDS[name]
    values = {field: _value(record.get(field), field, kind, name) for field, kind in fields.items()}
    if name == "view":
        values["view_range"] = _range(record.get("view_range"))
    return make(**values)


def _value(value: object, field: str, kind: type, command: str) -> Any:
    if value is None:
        raise CommandRefused("required", name=field, command=command)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise CommandRefused("type", name=field, command=command, kind=_KINDS[kind])
    if field in _TEXT_FIELDS and _SURROGATE.search(str(value)):
        raise CommandRefused("unicode", name=field)
    return value


def _range(value: object) -> tuple[int, int] | None:
    """A pair of line numbers; a list of another length is not a range, as in the SDK."""
    if value is None:
        return None
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise CommandRefused("type", name="view_range", command="view", kind="a list of two integers")
    if any(not isinstance(number, int) or isinstance(number, bool) for number in value):
        raise CommandRefused("type", name="view_range", command="view", kind="a list of two integers")
    return (value[0], value[1]) if len(value) == 2 else None


def path_components(path: str, *, strict: bool = False) -> tuple[str, ...]:
    """The components of a path below `/memories`; the caller resolves `..`, which depends on symbolic links.

    Raises CommandRefused for a path that is not below `/memories`, for `..` that is percent-encoded or behind
    backslashes, and for a name that no file can have or that contains a line break. With `strict` every `..`
    is refused.
    """
    if path != ROOT and not path.startswith(ROOT + "/"):
        raise CommandRefused("prefix", path=path)
    if "\0" in path or "\n" in path or "\r" in path:
        raise CommandRefused(
            "name", path=repr(path), reason="the path contains a NUL character or a line break"
        )
    if _INVALID_SURROGATE.search(path):
        raise CommandRefused("name", path=path, reason="the path contains an unpaired surrogate")
    if len(path) > 1000 and len(path.encode("utf-8", "surrogateescape")) > 4000:
        raise CommandRefused("name", path=path[:60] + "…", reason="the path is longer than 4000 bytes")
    components = tuple(step for step in path.removeprefix(ROOT).split("/") if step not in {"", "."})
    if _ENCODED.search(path) or any(".." in step.split("\\") for step in components if "\\" in step):
        raise CommandRefused("escapes", path=path)
    if any(len(step.encode("utf-8", "surrogateescape")) > 255 for step in components):
        raise CommandRefused(
            "name", path=path[:60] + "…", reason="the path contains a name that is longer than 255 bytes"
        )
    if strict and ".." in components:
        raise CommandRefused("escapes", path=path)
    return components


def split_lines(text: str, path: str) -> list[str]:
    """The lines of a file, split at LF only; after a final LF comes an empty one. Raises CommandRefused."""
    rows = text.split("\n")
    if len(rows) > MAX_LINES:
        raise CommandRefused("lines", path=path)
    return rows


def number_lines(rows: Sequence[str], view_range: tuple[int, int] | None = None) -> str:
    """The lines with their numbers; of a range, those of the Python slice, with -1 for the end."""
    first, last = view_range or (1, -1)
    start = max(1, first) - 1
    chosen = rows[start : len(rows) if last == -1 else last]
    return "\n".join(f"{number:>6}\t{row}" for number, row in enumerate(chosen, start + 1))


class EditedMemory(Struct, frozen=True):
    """The new text of a file, and the span that the command inserted."""

    text: str
    start: int
    end: int


def replace_text(text: str, command: StrReplaceCommand) -> EditedMemory:
    """The text with `old_str` replaced. Raises CommandRefused if it does not occur exactly once."""
    old, path = command.old_str, command.path
    if not old:
        raise CommandRefused("empty", path=path)
    start = text.find(old)
    if start < 0:
        raise _absent_refusal(text, old, path)
    if text.find(old, start + len(old)) >= 0:
        raise CommandRefused("several", old_str=old, lines=", ".join(map(str, _match_lines(text, old))))
    new = command.new_str
    return EditedMemory(text[:start] + new + text[start + len(old) :], start, start + len(new))


def _absent_refusal(text: str, old: str, path: str) -> CommandRefused:
    """The refusal for a text that does not occur; with a hint if it occurs with its secrets redacted."""
    from memtool.core.secrets.redact import find_secrets, redact

    old_secrets = find_secrets(old)
    if not old_secrets or redact(old) not in text:
        return CommandRefused("absent", old_str=old, path=path)
    return CommandRefused("absent secret", old_str=old, path=path, kinds=_placeholders(old_secrets))


def _placeholders(redacted: Iterable[Secret]) -> str:
    """The kinds of redacted secrets, as a reply lists them."""
    return ", ".join(dict.fromkeys(f"[REDACTED:{secret.kind}]" for secret in redacted))


def _match_lines(text: str, old: str) -> list[int]:
    """The lines on which the matches begin, including overlapping matches."""
    line_numbers: list[int] = []
    line, counted_to, offset = 1, 0, text.find(old)
    while offset >= 0:
        line += text.count("\n", counted_to, offset)
        counted_to = offset
        line_numbers.append(line)
        offset = text.find(old, offset + 1)
    return line_numbers


def edit_snippet(edited: EditedMemory) -> str:
    """The first changed line, numbered, with two lines before and after it."""
    rows = edited.text.split("\n")
    changed = edited.text.count("\n", 0, edited.start)
    return number_lines(
        rows, (max(0, changed - _SNIPPET_CONTEXT) + 1, min(len(rows), changed + _SNIPPET_CONTEXT + 1))
    )


def insert_lines(text: str, command: InsertCommand) -> EditedMemory:
    """The text with lines inserted; it always ends with LF. Raises CommandRefused for an invalid line.

    LFs at the end of the inserted text count as one. CR is preserved.
    """
    rows = text.split("\n")
    if rows[-1] == "":
        rows.pop()
    if not 0 <= command.insert_line <= len(rows):
        raise CommandRefused("range", line=command.insert_line, most=len(rows))
    inserted_text = command.insert_text.rstrip("\n")
    before = "".join(f"{row}\n" for row in rows[: command.insert_line])
    after = "".join(f"\n{row}" for row in rows[command.insert_line :])
    new_text = before + inserted_text + after
    new_text += "" if new_text.endswith("\n") else "\n"
    return EditedMemory(new_text, len(before), len(before) + len(inserted_text))


def refuse_secret_name(path: str) -> None:
    """Raise CommandRefused if a path holds a secret; the reply names its kind alone."""
    from memtool.core.secrets.redact import find_secrets, redact

    if secrets := find_secrets(path):
        raise CommandRefused("secret name", path=redact(path), kinds=_placeholders(secrets))


def redact_new_secrets(old: str, edited: EditedMemory) -> tuple[EditedMemory, str]:
    """The text with the secrets that the command added redacted, and the list of their placeholders or "".

    A secret of the old text that the command did not change is left as it is.
    """
    from memtool.core.secrets.redact import find_secrets

    removed: list[Secret] = []
    before: set[str] | None = None
    while True:
        text, start, end = edited.text, edited.start, edited.end
        new_secrets = []
        for secret in find_secrets(text):
            if not (secret.start < end and secret.end > start):
                if before is None:
                    before = {old[earlier.start : earlier.end] for earlier in find_secrets(old)}
                if text[secret.start : secret.end] in before:
                    continue
            new_secrets.append(secret)
        if not new_secrets:
            return edited, _placeholders(removed)
        pieces, copied_to = [], 0
        for secret in new_secrets:
            pieces += [text[copied_to : secret.start], f"[REDACTED:{secret.kind}]"]
            copied_to = secret.end
        removed += new_secrets
        new_text = "".join([*pieces, text[copied_to:]])
        new_end = max(end, copied_to) + len(new_text) - len(text)
        edited = EditedMemory(new_text, min(start, new_secrets[0].start), new_end)


def display_size(count: int) -> str:
    """Bytes as a listing shows them: `0B`, `1023B`, `1K`, `1.5K`, `3.2M`; G is the last unit."""
    if count == 0:
        return "0B"
    power = min((count.bit_length() - 1) // 10, 3)
    scaled = count / 1024**power
    return f"{int(scaled)}{'BKMG'[power]}" if scaled == int(scaled) else f"{scaled:.1f}{'BKMG'[power]}"
