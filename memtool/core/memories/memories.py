"""The memory tool of Anthropic's API (`memory_20250818`): its commands, and its edits from text to text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.memories.memory_replies import Refused

if TYPE_CHECKING:
    from memtool.core.secrets.redact import Secret

ROOT = "/memories"
"""What every path of the tool begins with."""
MOST_LINES = 999_999
"""Lines of a file that is shown; their numbers are six characters wide."""
_AROUND = 2
"""Lines shown before and after the first line that a replacement changed."""

_ENCODED = re.compile(r"%(?:25)*(?:2e|2f|5c|00)", re.IGNORECASE)
_BROKEN = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class View(Struct, frozen=True):
    """Show a file with line numbers (all, or `view_range`), or list a folder two levels deep."""

    path: str
    view_range: tuple[int, int] | None = None


class Create(Struct, frozen=True):
    """Make a new file; nothing is ever overwritten."""

    path: str
    file_text: str


class StrReplace(Struct, frozen=True):
    """Put `new_str` for the one place where `old_str` stands."""

    path: str
    old_str: str
    new_str: str


class Insert(Struct, frozen=True):
    """Put lines behind line `insert_line`; 0 is the top."""

    path: str
    insert_line: int
    insert_text: str


class Delete(Struct, frozen=True):
    """Take away a file, or a folder with all it holds."""

    path: str


class Rename(Struct, frozen=True):
    """Give a file or a folder another path; never onto something."""

    old_path: str
    new_path: str


Command = View | Create | StrReplace | Insert | Delete | Rename
_COMMANDS: Mapping[str, tuple[Callable[..., Command], Mapping[str, type]]] = {
    "view": (View, {"path": str}),
    "create": (Create, {"path": str, "file_text": str}),
    "str_replace": (StrReplace, {"path": str, "old_str": str, "new_str": str}),
    "insert": (Insert, {"path": str, "insert_line": int, "insert_text": str}),
    "delete": (Delete, {"path": str}),
    "rename": (Rename, {"old_path": str, "new_path": str}),
}
COMMANDS = tuple(_COMMANDS)
"""The names of the commands, as they stand in `command`."""
_KINDS = {str: "a string", int: "an integer"}
_WRITTEN = {"file_text", "new_str", "insert_text"}


def parse(record: object) -> Command:
    """The command of a JSON object; fields that no command has are passed by. Raises Refused."""
    if not isinstance(record, Mapping):
        raise Refused("object")
    name = record.get("command")
    if name is None:
        raise Refused("required", name="command", command="memory")
    if not isinstance(name, str) or name not in _COMMANDS:
        raise Refused("command", name=name)
    make, fields = _COMMANDS[name]
    values = {field: _value(record.get(field), field, kind, name) for field, kind in fields.items()}
    if name == "view":
        values["view_range"] = _range(record.get("view_range"))
    return make(**values)


def _value(given: object, field: str, kind: type, command: str) -> Any:
    if given is None:
        raise Refused("required", name=field, command=command)
    if not isinstance(given, kind) or isinstance(given, bool):
        raise Refused("type", name=field, command=command, kind=_KINDS[kind])
    if field in _WRITTEN and _SURROGATE.search(str(given)):
        raise Refused("unicode", name=field)
    return given


def _range(given: object) -> tuple[int, int] | None:
    """A pair of line numbers; a list of another length is no range, as the SDK has it."""
    if given is None:
        return None
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise Refused("type", name="view_range", command="view", kind="a list of two integers")
    if any(not isinstance(one, int) or isinstance(one, bool) for one in given):
        raise Refused("type", name="view_range", command="view", kind="a list of two integers")
    return (given[0], given[1]) if len(given) == 2 else None


def steps(path: str, *, strict: bool = False) -> tuple[str, ...]:
    """The steps of a path below `/memories`; a `..` among them is left to whoever knows the links.

    Refuses what is not below `/memories`, encoded or backslashed ways out of it, and names that no file can
    have or that would break the lines of a listing; `strict` refuses every `..`. Raises Refused.
    """
    if path != ROOT and not path.startswith(ROOT + "/"):
        raise Refused("prefix", path=path)
    if "\0" in path or "\n" in path or "\r" in path:
        raise Refused("name", path=repr(path), reason="it holds a NUL or a line break")
    if _BROKEN.search(path):
        raise Refused("name", path=path, reason="it holds half of a surrogate pair")
    if len(path) > 1000 and len(path.encode("utf-8", "surrogateescape")) > 4000:
        raise Refused("name", path=path[:60] + "…", reason="it is longer than a path can be")
    found = tuple(step for step in path.removeprefix(ROOT).split("/") if step not in {"", "."})
    if _ENCODED.search(path) or any(".." in step.split("\\") for step in found if "\\" in step):
        raise Refused("escapes", path=path)
    if any(len(step.encode("utf-8", "surrogateescape")) > 255 for step in found):
        raise Refused("name", path=path[:60] + "…", reason="a part of it is longer than a name can be")
    if strict and ".." in found:
        raise Refused("escapes", path=path)
    return found


def lines(text: str, path: str) -> list[str]:
    """The lines of a file, which end at LF alone; after a last LF comes an empty one. Raises Refused."""
    rows = text.split("\n")
    if len(rows) > MOST_LINES:
        raise Refused("lines", path=path)
    return rows


def numbered(rows: Sequence[str], view_range: tuple[int, int] | None = None) -> str:
    """The lines with their numbers, or those of a range: a slice as Python's, with -1 for the end."""
    first, last = view_range or (1, -1)
    start = max(1, first) - 1
    chosen = rows[start : len(rows) if last == -1 else last]
    return "\n".join(f"{number:>6}\t{row}" for number, row in enumerate(chosen, start + 1))


class Edited(Struct, frozen=True):
    """A file's new text, and the span of it that the command put in."""

    text: str
    start: int
    end: int


def replaced(text: str, command: StrReplace) -> Edited:
    """The text with its one `old_str` replaced. Raises Refused, with the line of every match."""
    old, path = command.old_str, command.path
    if not old:
        raise Refused("empty", path=path)
    start = text.find(old)
    if start < 0:
        raise _absent(text, old, path)
    if text.find(old, start + len(old)) >= 0:
        raise Refused("several", old_str=old, lines=", ".join(map(str, _matches(text, old))))
    new = command.new_str
    return Edited(text[:start] + new + text[start + len(old) :], start, start + len(new))


def _absent(text: str, old: str, path: str) -> Refused:
    """That a text is not there; with the reason, where it holds a secret that was not stored."""
    from memtool.core.secrets.redact import redact, secrets

    found = secrets(old)
    if not found or redact(old) not in text:
        return Refused("absent", old_str=old, path=path)
    return Refused("absent secret", old_str=old, path=path, kinds=_marks(found))


def _marks(found: Iterable[Secret]) -> str:
    return ", ".join(dict.fromkeys(f"[REDACTED:{one.kind}]" for one in found))


def _matches(text: str, old: str) -> list[int]:
    """The line that each match begins on, matches that overlap included."""
    found: list[int] = []
    line, done, at = 1, 0, text.find(old)
    while at >= 0:
        line += text.count("\n", done, at)
        done = at
        found.append(line)
        at = text.find(old, at + 1)
    return found


def snippet(edited: Edited) -> str:
    """The first line that changed, numbered, with two before and two after it."""
    rows = edited.text.split("\n")
    changed = edited.text.count("\n", 0, edited.start)
    return numbered(rows, (max(0, changed - _AROUND) + 1, min(len(rows), changed + _AROUND + 1)))


def inserted(text: str, command: Insert) -> Edited:
    """The text with lines put in; it ends with LF whatever it did before. Raises Refused.

    All LFs at the end of what is put in are one. A CR stays where it is.
    """
    rows = text.split("\n")
    if rows[-1] == "":
        rows.pop()
    if not 0 <= command.insert_line <= len(rows):
        raise Refused("range", line=command.insert_line, most=len(rows))
    put = command.insert_text.rstrip("\n")
    before = "".join(f"{row}\n" for row in rows[: command.insert_line])
    after = "".join(f"\n{row}" for row in rows[command.insert_line :])
    whole = before + put + after
    whole += "" if whole.endswith("\n") else "\n"
    return Edited(whole, len(before), len(before) + len(put))


def redacted(old: str, edited: Edited) -> tuple[Edited, str]:
    """The text without the secrets that the command put in or made, and what stands in their place, if any.

    A secret that stood in the old text and was not touched stays: it is not this command's.
    """
    from memtool.core.secrets.redact import secrets

    gone: list[Secret] = []
    before: set[str] | None = None
    while True:
        text, start, end = edited.text, edited.start, edited.end
        found = []
        for one in secrets(text):
            if not (one.start < end and one.end > start):
                before = {old[was.start : was.end] for was in secrets(old)} if before is None else before
                if text[one.start : one.end] in before:
                    continue
            found.append(one)
        if not found:
            return edited, _marks(gone)
        pieces, done = [], 0
        for one in found:
            pieces += [text[done : one.start], f"[REDACTED:{one.kind}]"]
            done = one.end
        gone += found
        whole = "".join([*pieces, text[done:]])
        edited = Edited(whole, min(start, found[0].start), max(end, done) + len(whole) - len(text))


def size(count: int) -> str:
    """Bytes as a listing shows them: `0B`, `1023B`, `1K`, `1.5K`, `3.2M`; G is the last unit."""
    if count == 0:
        return "0B"
    power = min((count.bit_length() - 1) // 10, 3)
    scaled = count / 1024**power
    return f"{int(scaled)}{'BKMG'[power]}" if scaled == int(scaled) else f"{scaled:.1f}{'BKMG'[power]}"
