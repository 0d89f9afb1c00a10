"""Checks of frontmatter: invalid YAML, and values of the wrong kind for the format."""

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
"""Characters within which frontmatter must be closed."""


def read(
    source: Sheet, target: Subject, validate: Faults, known: Mapping[str, Json] | None = None
) -> tuple[Mapping[str, Json], list[Mark]]:
    """The keys of a text's frontmatter, empty if it is invalid, and its problems.

    `known` are the keys if they were parsed before; they may be empty for invalid frontmatter. Values with
    template expressions (`<% … %>`, `{{ … }}`) are not checked.
    """
    meta, _, _ = split(source.text)
    if not meta:
        return {}, list(_unclosed(source))
    from memtool.formats.syntax.yaml_text import Broken, load

    yaml, start = yaml_of(meta)
    loaded = known or load(yaml, first_line=2)
    is_template = target.format != "core-file" and compiled(_TEMPLATE).search(yaml) is not None
    if isinstance(loaded, Broken):
        has_invalid_bytes = compiled("[\udc80-\udcff]").search(yaml)
        if is_template or has_invalid_bytes:
            return {}, []
        if target.forgives and (repaired := forgiven(meta)):
            return repaired, []
        at = source.start(loaded.line)
        message = _plain(loaded.message, source.line(loaded.line))
        return {}, [Mark(at, "M203", f"the frontmatter does not read: {message}")]
    checked_keys = {
        key: value for key, value in loaded.items() if not (is_template and is_filled_in_later(value))
    }
    check = _BY_FORMAT.get(target.format)
    findings = [*check(checked_keys, validate), *_comments(yaml, checked_keys)] if check else []
    return loaded, [Mark(start + _place(yaml, key), code, message) for key, code, message in findings]


def _plain(message: str, line: str) -> str:
    """The YAML parser's message, with the most common ones replaced by what to do."""
    if "mapping values are not allowed" in message and line.count(":") > 1:
        return "a value with a colon in it needs quotes"
    if "cannot start any token" in message:
        if line.lstrip(" ").startswith("\t"):
            return "a tab stands where only spaces may"
        if match := compiled(r":[ \t]+([@`%])").search(line):
            return f"a value that begins with {match[1]} needs quotes"
    return message


def is_filled_in_later(value: Json) -> bool:
    """Whether a value has a template expression: `{{date}}`, `<% tp.file.title %>`."""
    return compiled(_TEMPLATE).search(str(value)) is not None


def _unclosed(source: Sheet) -> Iterator[Mark]:
    if source.text.startswith(("---", "\ufeff---")) and compiled(_OPENED).match(source.text):
        rest = source.text[source.end(1) : _MANY]
        if not compiled(r"(?m)^---[ \t]*\r?$").search(rest):
            yield Mark(0, "M203", "nothing closes the frontmatter that begins here; a line --- should")


def _place(yaml: str, key: str) -> int:
    """The offset of a key in the YAML; 0 if it is not found."""
    match = compiled(rf"(?m)^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*:").search(yaml)
    return match.start() if match else 0


_Row = tuple[str, str, str]
"""A key, and the code and message of its problem."""


def _comments(yaml: str, keyed: dict[str, Json]) -> Iterator[_Row]:
    """Problems of keys whose value YAML parses as a comment: `tags: #kiln #glaze`."""
    if ": #" in yaml:
        for match in compiled(r"(?m)^([A-Za-z_][\w-]*):[ \t]+#(?=[^\s#])").finditer(yaml):
            if match[1] in keyed and keyed[match[1]] is None:
                message = (
                    f"`{match[1]}` reads as nothing: what begins with # is a comment; write it in quotes"
                )
                yield match[1], "M204", message


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
            and (inner := next((item for item in value if _is_deep(item)), None)) is not None
        ):
            yield key, "M204", f"`{key}` holds {_kind(inner)}; each of them should be a text"
    yield from _moment("created", keyed.get("created"))


def _core(keyed: dict[str, Json], _: Faults) -> Iterator[_Row]:
    described, limit = keyed.get("description"), keyed.get("limit")
    if described is not None and not isinstance(described, str):
        yield "description", "M204", f"`description` is {_kind(described)}, and should be a text"
    if limit is not None and (type(limit) is not int or limit < 1):
        yield "limit", "M204", f"`limit` is {_shown(limit)}, and should be a whole number of characters"


def _episode(keyed: dict[str, Json], validate: Faults) -> Iterator[_Row]:
    meta = {key: value for key, value in keyed.items() if value not in (None, "")}
    for key in ("started_at", "ended_at"):
        yield from _moment(key, meta.pop(key, None))
    reported: set[str] = set()
    for schema_path, message in validate("episode", {"meta": meta, "summary": ""}):
        steps = schema_path.split("/")
        key = steps[1] if len(steps) > 1 else ""
        if key not in reported:
            reported.add(key)
            yield key, "M204", f"`{'.'.join(steps[1:])}` breaks the schema of an episode: {_clipped(message)}"


def _moment(key: str, value: Json) -> Iterator[_Row]:
    """Problems of a value that should be a day or a time."""
    match value:
        case None | "":
            return
        case [[str(linked)]]:
            yield key, "M207", f"`{key}` is a link, [[{_clipped(linked)}]], and not a day such as 2025-01-15"
        case bool() | float() | list() | dict():
            yield key, "M204", f"`{key}` is {_kind(value)}, and should be a day such as 2025-01-15"
        case _:
            text = str(value).strip()
            digits = compact(text)
            if digits is False or (is_iso(text) and not is_real(text)):
                yield key, "M206", f"`{key}` is {_shown(value)}, a day or time that there is not"
            elif digits is None and not is_iso(text):
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


def _clipped(text: str) -> str:
    plain = " ".join(redact(text).split())
    return plain if len(plain) <= 80 else f"{plain[:79]}…"
