"""Checks of frontmatter: invalid YAML, and values of the wrong kind for the format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from memtool.core.lint.lint_target import LintTarget, SchemaValidator, SourceText
from memtool.core.lint.problem import TextProblem
from memtool.core.lint.timestamps import has_iso_form, is_valid_compact, is_valid_iso
from memtool.core.secrets.redact import redact_line
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.core.text.regex import regex
from memtool.errors import UnreadableFile
from memtool.formats.lint.tag_checks import check_parsed_tags, check_tags, has_all_tags, is_prose
from memtool.formats.note import ALIAS_KEYS, TAG_KEYS
from memtool.formats.required_keys import missing_keys, with_required_keys
from memtool.formats.syntax.frontmatter import keys_or_empty, lenient_keys, load_keys, split, yaml_source

if TYPE_CHECKING:
    from memtool.formats.syntax.yaml_text import Json

_TEMPLATE = r"<%|\{\{|\{%"
_KEY_LINE = r"[A-Za-z_][\w -]{0,40}:(?:[ \t][^\n]*|\r?)(?:\n|\Z)"
_KEY_LINES = rf"{_KEY_LINE}(?:{_KEY_LINE}|[ \t]*-[ \t][^\n]*(?:\n|\Z)|[ \t]+[^\s-][^\n]*(?:\n|\Z))*"
"""Lines of keys and of the items and values below them."""
_UNCLOSED = rf"\ufeff?---[ \t]*\r?\n({_KEY_LINES})"
_TWO_KEYS = rf"(?:{_KEY_LINE}){{2}}"
_KNOWN_KEY = r"(?im)^(?:title|tags?|alias(?:es)?|id|created|updated)[ \t]*:"
"""Keys that a note's first lines have as frontmatter, and not as sentences under a horizontal rule."""
_INDENTED = r"(?m)^(?: {4}|\t)[ \t]*[^\s-]"
"""A line that may be an indented code block."""
_OTHER_CLOSING = r"(?m)(?:[ \t]*\r?\n)*+(\.{3}|-{4,}|\u2014)[ \t]*\r?$"
_LIST_WITH_COMMENT = r"(?m)^([\w-]+):[ \t]+\[(?:(?:[^\]\n#\"']|\"[^\"\n]*\"|'[^'\n]*')*+(?<=[\s,]))?#[^\n]*\]"
_CLOSING = r"(?m)^---[ \t]*\r?$"
_KEYS_AND_HEADING = rf"({_KEY_LINES})(?:[ \t]*\r?\n)+#{{1,6}}[ \t]"
_TOP_KEY = r"(?m)^([\"']?)([^\s\"'#:\[\]{},-][^\n:\"']{0,80}?)\1[ \t]*:(?=[ \t\r\n])"
_MAX_FRONTMATTER = 20_000
"""Characters within which frontmatter must be closed."""


def check_frontmatter(
    source: SourceText,
    target: LintTarget,
    validate: SchemaValidator,
    parsed_keys: Mapping[str, Json] | None = None,
) -> tuple[Mapping[str, Json], list[TextProblem]]:
    """The keys of a text's frontmatter, empty if it is invalid, and its problems.

    `parsed_keys` are the keys if they were parsed before; they may be empty for invalid frontmatter. Values
    with template expressions (`<% … %>`, `{{ … }}`) are not checked.
    """
    meta, _, _ = split(source.text)
    if not meta:
        return {}, list(_check_unclosed(source))
    from memtool.formats.syntax.yaml_text import InvalidYaml

    yaml, start = yaml_source(meta)
    loaded = parsed_keys or load_keys(meta)
    is_template = target.format != "core-file" and regex(_TEMPLATE).search(yaml) is not None
    has_tags = not (target.format == "core-file" or is_template)
    tag_marks = [*check_tags(yaml, start)] if has_tags else []
    is_repaired = False
    if edits := [edit for mark in tag_marks for edit in mark.edits]:
        fixed = load_keys(apply_edits(meta, edits).text)
        before = {} if isinstance(loaded, InvalidYaml) else loaded
        if isinstance(fixed, InvalidYaml) or not has_all_tags(fixed, before):
            tag_marks = [mark._replace(edits=()) for mark in tag_marks]
        elif isinstance(loaded, InvalidYaml):
            loaded, is_repaired = fixed, True
    if isinstance(loaded, InvalidYaml):
        has_invalid_bytes = regex("[\udc80-\udcff]").search(yaml)
        if is_template or has_invalid_bytes:
            return {}, []
        if target.is_lenient and (repaired := lenient_keys(meta)):
            return repaired, []
        at = source.line_start(loaded.line) + loaded.column - 1
        message = _list_with_comment(yaml) or _explain(loaded.message, source.line(loaded.line))
        message += _missing_end(yaml)
        return {}, [*tag_marks, TextProblem(at, "M203", f"invalid frontmatter: {message}")]
    checked_keys = {
        key: value for key, value in loaded.items() if not (is_template and is_template_value(value))
    }
    check = _BY_FORMAT.get(target.format)
    findings = [*check(checked_keys), *_check_comments(yaml, checked_keys, tag_marks)] if check else []
    if check:
        known = {key for key, _, _ in findings}
        violations = _schema_findings(target.format, checked_keys, validate)
        findings += [finding for finding in violations if finding[0] not in known]
    if has_tags and not is_repaired:
        known_at = {mark.offset for mark in tag_marks}
        parsed = check_parsed_tags(yaml, start, loaded, is_plain=target.plain_tags)
        tag_marks += [mark for mark in parsed if known_at.isdisjoint((mark.offset, mark.offset - 1))]
    return loaded, [
        *tag_marks,
        *(TextProblem(start + _key_offset(yaml, key), code, message) for key, code, message in findings),
        *_check_duplicates(yaml, start, loaded),
    ]


def _check_duplicates(yaml: str, start: int, keys: Mapping[str, Json]) -> Iterator[TextProblem]:
    """The top-level keys that a frontmatter has more than once; of a YAML mapping, the last one counts."""
    seen: set[str] = set()
    for match in regex(_TOP_KEY).finditer(yaml):
        key = match[2]
        if key in keys and key in seen:
            name = redact_line(key, 80)
            message = f"duplicate key `{name}` in the frontmatter: only its last value is read"
            yield TextProblem(start + match.start(), "M221", message)
        seen.add(key)


def check_required_keys(source: SourceText, target: LintTarget) -> Iterator[TextProblem]:
    """The problem that frontmatter lacks keys which the layout requires, with its fix."""
    missing = missing_keys(source.text, target.required)
    if not missing:
        return
    names = " and ".join(f"`{key}`" for key, _ in missing)
    try:
        fixed = with_required_keys(
            source.text, PurePosixPath(target.path), missing, titled_by_heading=target.titled_by_heading
        )
    except UnreadableFile:
        return
    body = split(source.text)[1]
    edit = TextEdit(0, len(source.text) - len(body), fixed[: len(fixed) - len(body)])
    yield TextProblem(0, "M220", f"the frontmatter lacks {names}, which the layout requires", (edit,))


def _explain(message: str, line: str) -> str:
    """The YAML parser's message, with the most common ones replaced by what to do."""
    if "mapping values are not allowed" in message and line.count(":") > 1:
        return "a value that contains a colon needs quotes"
    if "node content" in message and regex(r"[\[,][ \t]*,").search(line):
        return "a comma with no value before it"
    if "cannot start any token" in message:
        if line.lstrip(" ").startswith("\t"):
            return "indentation with a tab; use spaces"
        if match := regex(r":[ \t]+([@`%])").search(line):
            return f"a value that begins with {match[1]} needs quotes"
    return message


def is_template_value(value: Json) -> bool:
    """Whether a value has a template expression: `{{date}}`, `<% tp.file.title %>`."""
    return regex(_TEMPLATE).search(str(value)) is not None


def _check_unclosed(source: SourceText) -> Iterator[TextProblem]:
    """The problem that frontmatter lacks its last line; fixed where its keys are those of notes."""
    text = source.text
    if not text.startswith(("---", "\ufeff---")) or not (block := regex(_UNCLOSED).match(text)):
        return
    if regex(_CLOSING).search(text[source.line_end(1) : _MAX_FRONTMATTER]):
        return
    is_known = regex(_KNOWN_KEY).search(block[1]) is not None
    if not is_known and regex(_TWO_KEYS).match(block[1]) is None:
        return
    last = text.count("\n", 0, block.end(1))
    line_end = "\r\n" if block[0].rstrip(" \t").endswith("\r\n") else "\n"
    before = "" if block[1].endswith("\n") else line_end
    closing = TextEdit(block.end(1), block.end(1), f"{before}---{line_end}")
    if other := regex(_OTHER_CLOSING).match(text, block.end(1)):
        closing = TextEdit(*other.span(1), "---")
    is_sure = is_known and regex(_INDENTED).search(block[1]) is None
    edits = (closing,) if is_sure and keys_or_empty(f"{block[0]}{before}---\n") else ()
    last += bool(before)
    yield TextProblem(0, "M223", f"unclosed frontmatter: no --- line after line {last}", edits)


def _list_with_comment(yaml: str) -> str:
    """What is wrong with a list that a `#` leaves open; "" if there is none."""
    match = regex(_LIST_WITH_COMMENT).search(yaml)
    if match is None:
        return ""
    advice = "write tags without #" if match[1].lower() in TAG_KEYS else "quote items that contain #"
    shown = redact_line(match[1], 80)
    return f"the list `{shown}` is not closed, because text after # is a comment; {advice}"


def _missing_end(yaml: str) -> str:
    """What to add to the message of invalid YAML whose keys are followed by a blank line and a heading."""
    match = regex(_KEYS_AND_HEADING).match(yaml)
    if match is None:
        return ""
    line = match[1].count("\n") + 1
    return f"; perhaps the --- line that ends the frontmatter is missing after line {line}"


def alias_offset(meta: str) -> int:
    """The offset of the key of aliases in a text's frontmatter; 0 if it has none."""
    match = re.search(rf"(?im)^[\"']?(?:{'|'.join(ALIAS_KEYS)})[\"']?[ \t]*:", meta)
    return match.start() if match else 0


def _key_offset(yaml: str, key: str) -> int:
    """The offset of a key in the YAML; 0 if it is not found."""
    match = re.search(rf"(?m)^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*:", yaml)
    return match.start() if match else 0


_Finding = tuple[str, str, str]
"""A key, and the code and message of its problem."""


def _check_comments(yaml: str, keys: dict[str, Json], tag_marks: Sequence[TextProblem]) -> Iterator[_Finding]:
    """Problems of keys whose value YAML parses as a comment, `status: #done`, without those of tags."""
    if ": #" in yaml:
        for match in regex(r"(?m)^([A-Za-z_][\w-]*):[ \t]+(#[^\s#][^\n]*)").finditer(yaml):
            is_tags = match[1].lower() in TAG_KEYS
            is_fine = is_tags and (bool(tag_marks) or is_prose(match[2]))
            if match[1] in keys and keys[match[1]] is None and not is_fine:
                advice = "write tags without #" if is_tags else "put the value in quotes"
                message = f"`{match[1]}` is empty: text after # is a comment; {advice}"
                yield match[1], "M204", message


def _check_note(keys: dict[str, Json]) -> Iterator[_Finding]:
    for key in ("id", "title"):
        value = keys.get(key)
        if isinstance(value, list | dict):
            yield key, "M204", f"`{key}` is {_describe_kind(value)}; it must be text"
        elif key == "id" and isinstance(value, float | bool):
            yield key, "M204", f"YAML reads `id` as {_describe_kind(value)}; put the value in quotes"
    for key in ("tags", "aliases"):
        value = keys.get(key)
        if isinstance(value, dict):
            yield (
                key,
                "M204",
                f"`{key}` is {_describe_kind(value)}; it must be a list or comma-separated text",
            )
        elif (
            isinstance(value, list)
            and (inner := next((item for item in value if _is_container(item)), None)) is not None
        ):
            yield key, "M204", f"`{key}` contains {_describe_kind(inner)}; each item must be text"
    yield from _check_time("created", keys.get("created"))
    for key in _NOTE_DATES:
        text = str(keys.get(key)).strip()
        if has_iso_form(text) and not is_valid_iso(text):
            yield key, "M206", f"`{key}` has an invalid date or time: {_quote(keys[key])}"


def _check_core_file(keys: dict[str, Json]) -> Iterator[_Finding]:
    described, limit = keys.get("description"), keys.get("limit")
    if described is not None and not isinstance(described, str):
        yield "description", "M204", f"`description` is {_describe_kind(described)}; it must be text"
    if limit is not None and (type(limit) is not int or limit < 1):
        yield "limit", "M204", f"`limit` is {_quote(limit)}; it must be a positive whole number of characters"


def _check_episode(keys: dict[str, Json]) -> Iterator[_Finding]:
    for key in _EPISODE_TIMES:
        yield from _check_time(key, keys.get(key))


def _schema_findings(format_: str, keys: Mapping[str, Json], validate: SchemaValidator) -> Iterator[_Finding]:
    """Keys whose values break the schema of the format, each once."""
    apart = _EPISODE_TIMES if format_ == "episode" else ()
    meta = {key: value for key, value in keys.items() if value not in (None, "") and key not in apart}
    reported: set[str] = set()
    for schema_path, message in validate(format_, {"meta": meta}):
        base, key, *inner = [*schema_path.split("/"), ""]
        if base == "meta" and key and key not in reported:
            reported.add(key)
            place = ".".join([key, *inner]).rstrip(".")
            yield (
                key,
                "M204",
                f"`{place}` violates the schema for {_KINDS[format_]}: {redact_line(message, 80)}",
            )


def _check_time(key: str, value: Json) -> Iterator[_Finding]:
    """Problems of a value that should be a day or a time."""
    match value:
        case None | "":
            return
        case [[str(linked)]]:
            yield (
                key,
                "M207",
                f"`{key}` is a link, [[{redact_line(linked, 80)}]]; it must be a date such as 2025-01-15",
            )
        case bool() | float() | list() | dict():
            yield key, "M204", f"`{key}` is {_describe_kind(value)}; it must be a date such as 2025-01-15"
        case _:
            text = str(value).strip()
            digits = is_valid_compact(text)
            if digits is False or (has_iso_form(text) and not is_valid_iso(text)):
                yield key, "M206", f"`{key}` has an invalid date or time: {_quote(value)}"
            elif digits is None and not has_iso_form(text):
                yield key, "M207", f"`{key}` is {_quote(value)}; it must be a date such as 2025-01-15"


_NOTE_DATES = ("date", "updated", "modified", "due", "scheduled", "start", "end", "deadline", "published")
"""Keys of notes, besides `created`, that hold a date if the value looks like one."""
_EPISODE_TIMES = ("started_at", "ended_at")
"""Times of an episode: dates of any agent's form count."""
_KINDS = {"note": "a note", "core-file": "a core file", "episode": "an episode"}
_BY_FORMAT: dict[str, Any] = {"note": _check_note, "core-file": _check_core_file, "episode": _check_episode}


def _is_container(value: Json) -> bool:
    return isinstance(value, list | dict)


def _describe_kind(value: Json) -> str:
    match value:
        case bool():
            return "a boolean"
        case list():
            return "a list"
        case dict():
            return "a mapping"
        case int() | float():
            return f"the number {value}"
        case _:
            return _quote(value)


def _quote(value: Json) -> str:
    return redact_line(repr(value), 80)
