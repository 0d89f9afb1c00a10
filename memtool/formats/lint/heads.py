"""Frontmatter that does not read, or whose keys are not what their format makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memtool.core.lint.moment import compact, is_iso, is_real
from memtool.core.lint.problem import Mark
from memtool.core.lint.sheet import Sheet
from memtool.core.lint.subject import Faults, Subject
from memtool.core.secrets.redact import redact
from memtool.core.text.pattern import compiled
from memtool.formats.syntax.frontmatter import forgiven, split, yaml_of

if TYPE_CHECKING:
    from memtool.formats.syntax.yaml_text import Json

_TEMPLATE = r"<%|\{\{|\{%"
_OPENED = r"\ufeff?---[ \t]*\r?\n(?=(?:[A-Za-z_][\w -]{0,40}:(?:[ \t][^\n]*|\r?)\n){2})"
_MANY = 20_000
"""Characters in which an open frontmatter would have to close."""


def read(
    sheet: Sheet, subject: Subject, faults: Faults, known: Mapping[str, Json] | None = None
) -> tuple[Mapping[str, Json], list[Mark]]:
    """The keys of a text's frontmatter, none where it does not read, and what is wrong with it.

    `known` is what somebody has read of it, who could not tell what does not read from what is empty.
    Where it is a template (`<% … %>`, `{{ … }}`) it is not for reading yet, and nothing is.
    """
    meta, _, _ = split(sheet.text)
    if not meta:
        return {}, list(_unclosed(sheet))
    from memtool.formats.syntax.yaml_text import Broken, load

    source, start = yaml_of(meta)
    found = known or load(source, first_line=2)
    is_template = subject.format != "core-file" and compiled(_TEMPLATE).search(source) is not None
    if isinstance(found, Broken):
        foreign = compiled("[\udc80-\udcff]").search(source)
        if is_template or foreign:
            return {}, []
        if subject.forgives and (meant := forgiven(meta)):
            return meant, []
        at = sheet.start(found.line)
        said = _plain(found.message, sheet.line(found.line))
        return {}, [Mark(at, "M203", f"the frontmatter does not read: {said}")]
    keyed = {key: value for key, value in found.items() if not (is_template and is_filled_in_later(value))}
    check = _BY_FORMAT.get(subject.format)
    rows = [*check(keyed, faults), *_comments(source, keyed)] if check else []
    return found, [Mark(start + _place(source, key), code, said) for key, code, said in rows]


def _plain(message: str, line: str) -> str:
    """What YAML says of the commonest faults, in words that tell what to do."""
    if "mapping values are not allowed" in message and line.count(":") > 1:
        return "a value with a colon in it needs quotes"
    if "cannot start any token" in message:
        if line.lstrip(" ").startswith("\t"):
            return "a tab stands where only spaces may"
        if found := compiled(r":[ \t]+([@`%])").search(line):
            return f"a value that begins with {found[1]} needs quotes"
    return message


def is_filled_in_later(value: Json) -> bool:
    """Whether a value is a template's, which says nothing yet: `{{date}}`, `<% tp.file.title %>`."""
    return compiled(_TEMPLATE).search(str(value)) is not None


def _unclosed(sheet: Sheet) -> Iterator[Mark]:
    if sheet.text.startswith(("---", "\ufeff---")) and compiled(_OPENED).match(sheet.text):
        rest = sheet.text[sheet.end(1) : _MANY]
        if not compiled(r"(?m)^---[ \t]*\r?$").search(rest):
            yield Mark(0, "M203", "nothing closes the frontmatter that begins here; a line --- should")


def _place(source: str, key: str) -> int:
    """Where a key stands in the YAML; the beginning where it is not found."""
    found = compiled(rf"(?m)^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*:").search(source)
    return found.start() if found else 0


_Row = tuple[str, str, str]
"""A key, the code of what is wrong with it, and what is."""


def _comments(source: str, keyed: dict[str, Json]) -> Iterator[_Row]:
    """Keys without a value, for YAML takes what stands there for a comment: `tags: #kiln #glaze`."""
    if ": #" in source:
        for found in compiled(r"(?m)^([A-Za-z_][\w-]*):[ \t]+#(?=[^\s#])").finditer(source):
            if found[1] in keyed and keyed[found[1]] is None:
                said = f"`{found[1]}` reads as nothing: what begins with # is a comment; write it in quotes"
                yield found[1], "M204", said


def _note(keyed: dict[str, Json], _: Faults) -> Iterator[_Row]:
    for key in ("id", "title"):
        value = keyed.get(key)
        if isinstance(value, list | dict):
            yield key, "M204", f"`{key}` is {_kind(value)}, and should be a text"
        elif key == "id" and isinstance(value, float | bool):
            yield key, "M204", f"`id` reads as {_kind(value)}; write it in quotes"
    for key in ("tags", "aliases"):
        value = keyed.get(key)
        if isinstance(value, dict):
            yield key, "M204", f"`{key}` is {_kind(value)}, and should be a list, or a text with commas"
        elif (
            isinstance(value, list)
            and (inner := next((one for one in value if _is_deep(one)), None)) is not None
        ):
            yield key, "M204", f"`{key}` holds {_kind(inner)}; each of them should be a text"
    yield from _moment("created", keyed.get("created"))


def _core(keyed: dict[str, Json], _: Faults) -> Iterator[_Row]:
    described, limit = keyed.get("description"), keyed.get("limit")
    if described is not None and not isinstance(described, str):
        yield "description", "M204", f"`description` is {_kind(described)}, and should be a text"
    if limit is not None and (type(limit) is not int or limit < 1):
        yield "limit", "M204", f"`limit` is {_shown(limit)}, and should be a whole number of characters"


def _episode(keyed: dict[str, Json], faults: Faults) -> Iterator[_Row]:
    meta = {key: value for key, value in keyed.items() if value not in (None, "")}
    for key in ("started_at", "ended_at"):
        yield from _moment(key, meta.pop(key, None))
    done: set[str] = set()
    for place, said in faults("episode", {"meta": meta, "summary": ""}):
        steps = place.split("/")
        key = steps[1] if len(steps) > 1 else ""
        if key not in done:
            done.add(key)
            yield key, "M204", f"`{'.'.join(steps[1:])}` breaks the schema of an episode: {_clipped(said)}"


def _moment(key: str, value: Json) -> Iterator[_Row]:
    """What is wrong with a value that should be a day or a time."""
    match value:
        case None | "":
            return
        case [[str(linked)]]:
            yield key, "M207", f"`{key}` is a link, [[{_clipped(linked)}]], and not a day such as 2025-01-15"
        case bool() | float() | list() | dict():
            yield key, "M204", f"`{key}` is {_kind(value)}, and should be a day such as 2025-01-15"
        case _:
            said = str(value).strip()
            digits = compact(said)
            if digits is False or (is_iso(said) and not is_real(said)):
                yield key, "M206", f"`{key}` is {_shown(value)}, a day or time that there is not"
            elif digits is None and not is_iso(said):
                yield key, "M207", f"`{key}` is {_shown(value)}, and not a day such as 2025-01-15"


_BY_FORMAT: dict[str, Any] = {"note": _note, "core-file": _core, "episode": _episode}


def _is_deep(value: Json) -> bool:
    return isinstance(value, list | dict)


def _kind(value: Json) -> str:
    match value:
        case bool():
            return "yes or no"
        case list():
            return "a list"
        case dict():
            return "a mapping"
        case int() | float():
            return f"the number {value}"
        case _:
            return _shown(value)


def _shown(value: Json) -> str:
    return _clipped(repr(value))


def _clipped(said: str) -> str:
    plain = " ".join(redact(said).split())
    return plain if len(plain) <= 80 else f"{plain[:79]}…"
