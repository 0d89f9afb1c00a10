"""JSON records: the parts of a JSON file or of JSON Lines that are kept or removed as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.forgetting.messages import PartLink, unpaired_parts
from memtool.formats.syntax import json_edit, json_text
from memtool.formats.syntax.json_text import JsonStep

_NAMES = frozenset(
    {
        "owner",
        "user",
        "session",
        "source",
        "at",
        "created_at",
        "until",
        "policy",
        "action",
        "type",
        "role",
        "disposition",
        "is_error",
    }
)
"""Keys whose values tell whose a record is, or what it is, and not what it says."""


class JsonRecord(Struct, frozen=True):
    """The value at `path`, which begins on a line (from 1); `text` is all that it says.

    `owner` is a tag (`user:ann`), `day` a date as YYYY-MM-DD, each empty where it has none. `ids` are those
    by which other records refer to it.
    """

    path: tuple[JsonStep, ...]
    line: int
    text: str
    owner: str = ""
    session: str = ""
    day: str = ""
    ids: tuple[str, ...] = ()
    is_user: bool = False
    """Whether a user said it: a message of that role."""


def described(value: Any, path: tuple[JsonStep, ...], line: int) -> JsonRecord:
    """The record of a value, with what its keys tell of it."""
    keys = value if isinstance(value, dict) else {}
    user = keys.get("user")
    owner = keys.get("owner") or (f"user:{user}" if isinstance(user, str) and user else "")
    ids = [keys[key] for key in ("id", "candidate") if isinstance(keys.get(key), str)]
    moment = keys.get("at") or keys.get("created_at") or keys.get("ended_at")
    return JsonRecord(
        path,
        line,
        "\n".join(strings_of(value)),
        owner if isinstance(owner, str) else "",
        keys["session"] if isinstance(keys.get("session"), str) else "",
        moment[:10] if isinstance(moment, str) else "",
        tuple(ids),
        keys.get("role") == "user",
    )


def strings_of(value: Any, key: str = "") -> Iterator[str]:
    """All strings in a value, except those that tell whose or what it is; JSON in a string is read, too."""
    if isinstance(value, str):
        if key not in _NAMES:
            yield value
            if value.startswith(("{", "[")) and "\\" in value:
                try:
                    yield from strings_of(json_text.loads(value)[0])
                except json_text.InvalidJson:
                    return
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from strings_of(item, name)


def message_text(message: Any) -> str:
    """What a message says: its text parts, each on lines of its own; empty for anything else."""
    if not isinstance(message, dict):
        return ""
    parts = message.get("parts")
    said = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    said += [message.get("content"), message.get("Content")]
    return "\n".join(text for text in said if isinstance(text, str))


def parse_json(text: str) -> Any:
    """The value of a text. Raises InvalidJson."""
    return json_text.loads(text.removeprefix("\ufeff"))[0]


def line_records(text: str) -> Iterator[JsonRecord]:
    """A record a line of JSON Lines; a line that does not read is a record of its own words."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield described(json_text.loads(line)[0], (), number)
            except json_text.InvalidJson:
                yield JsonRecord((), number, line)


def message_records(text: str, value: Any) -> list[JsonRecord]:
    """The messages of a turn or a conversation, and the other members of its object."""
    records: list[JsonRecord] = []
    for key, member in value.items():
        if key in {"messages", "Messages"} and isinstance(member, list):
            for number, message in enumerate(member):
                path: tuple[JsonStep, ...] = (key, number)
                found = described(message, path, json_text.line_of(text, path))
                role = (
                    str(message.get("role") or message.get("Role") or "") if isinstance(message, dict) else ""
                )
                records.append(_with_role(found, role))
        elif key not in {"id", "seq", "schema_version", "created_at", "user", "session"}:
            path = (key,)
            said = "\n".join(item for item in strings_of(member) if item)
            records.append(JsonRecord(path, json_text.line_of(text, path), said))
    return records


def _with_role(record: JsonRecord, role: str) -> JsonRecord:
    return JsonRecord(record.path, record.line, record.text, is_user=role.casefold() == "user")


def without_messages(text: str, value: Any, removed: Sequence[tuple[JsonStep, ...]]) -> str | None:
    """The text without these messages and members, and without parts that lost their call or result.

    None where no message is left. Raises InvalidJson where the text cannot be edited.
    """
    key = "messages" if isinstance(value.get("messages"), list) else "Messages"
    messages = value.get(key)
    messages = messages if isinstance(messages, list) else []
    gone = {path[1] for path in removed if len(path) == 2 and path[0] == key and isinstance(path[1], int)}
    paths: set[tuple[JsonStep, ...]] = {*removed}
    links = [list(_links(message)) for message in messages]
    lost: dict[int, set[int]] = {}
    for number, index in unpaired_parts([[link for link, _ in row] for row in links], gone):
        lost.setdefault(number, set()).add(index)
    for number, indexes in lost.items():
        if len(indexes) == len(links[number]) or any(not links[number][index][1] for index in indexes):
            gone.add(number)
            paths.add((key, number))
        else:
            paths |= {(key, number, *links[number][index][1]) for index in indexes}
    if messages and len(gone) == len(messages):
        return None
    return without_values(text, paths)


def _links(message: Any) -> Iterator[tuple[PartLink, tuple[JsonStep, ...]]]:
    """The parts of a message in the current shape or in that of version 1, with their paths in it."""
    if not isinstance(message, dict):
        return
    parts = message.get("parts")
    for number, part in enumerate(parts if isinstance(parts, list) else ()):
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "tool_call":
            yield PartLink("call", str(part.get("id"))), ("parts", number)
        elif kind == "tool_result":
            yield PartLink("result", str(part.get("tool_call_id"))), ("parts", number)
        else:
            yield PartLink(), ("parts", number)
    for name in ("tool_calls", "ToolCalls"):
        calls = message.get(name)
        for number, call in enumerate(calls if isinstance(calls, list) else ()):
            if isinstance(call, dict):
                yield PartLink("call", str(call.get("id") or call.get("ID"))), (name, number)
    for name in ("content", "Content"):
        if message.get(name):
            yield PartLink(), (name,)
    if answered := message.get("tool_call_id") or message.get("ToolCallID"):
        yield PartLink("result", str(answered)), ()


def matching_values(value: Any, chooses: Callable[[JsonRecord], bool]) -> list[tuple[JsonStep, ...]]:
    """The paths of the smallest records that are chosen: items of lists, else members of objects.

    An object in a list goes whole if one of its own strings, or its key, is chosen. What refers to the `id`
    of a record that goes, as an edge of a canvas does to its nodes, goes with it.
    """
    found = [*_matching(value, (), chooses)]
    gone = [item for path in found if isinstance(item := value_at(value, path), dict)]
    names = {item["id"] for item in gone if isinstance(item.get("id"), str)}
    if names:
        edges = value.get("edges") if isinstance(value, dict) else None
        for number, edge in enumerate(edges if isinstance(edges, list) else ()):
            if isinstance(edge, dict) and names & {edge.get("fromNode"), edge.get("toNode")}:
                found.append(("edges", number))
    return [*dict.fromkeys(found)]


def value_at(value: Any, path: Sequence[JsonStep]) -> Any:
    """The value at a path."""
    for step in path:
        value = value[step]
    return value


def without_values(text: str, paths: set[tuple[JsonStep, ...]]) -> str:
    """The text without the values at these paths; all other lines stay. Raises InvalidJson."""
    outermost = [path for path in paths if not any(path[:size] in paths for size in range(len(path)))]
    for path in sorted(
        outermost, key=lambda path: [(isinstance(step, str), str(step).zfill(9)) for step in path]
    )[::-1]:
        text = json_edit.remove_value(text, path)
    return text


def _matching(
    value: Any, path: tuple[JsonStep, ...], chooses: Callable[[JsonRecord], bool]
) -> Iterator[tuple[JsonStep, ...]]:
    members: list[tuple[JsonStep, Any]] = []
    if isinstance(value, dict):
        members = [*value.items()]
    elif isinstance(value, list):
        members = [*enumerate(value)]
    for step, member in members:
        here = (*path, step)
        key = step if isinstance(step, str) else ""
        if key and chooses(JsonRecord(here, 0, key, ids=(key,))):
            yield here
        elif isinstance(member, str):
            if chooses(JsonRecord(here, 0, "\n".join(strings_of(member, key)))):
                yield here
        elif isinstance(member, dict | list):
            found = described(member, here, 0)
            if chooses(replace(found, text="")):
                yield here
            elif chooses(found):
                inner = [*_matching(member, here, chooses)]
                says_itself = (
                    isinstance(member, dict) and not key and any(len(p) == len(here) + 1 for p in inner)
                )
                yield from [here] if says_itself or not inner else inner
