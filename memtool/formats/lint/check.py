"""Check one file: its bytes, its text as a file of its format, and the limits of what an agent sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from memtool.core.lint import encoding_check, hidden_characters, length_limits, secret_check
from memtool.core.lint.check_result import CrossFileData, FileCheck
from memtool.core.lint.conflict_markers import conflict_problems, version_problems
from memtool.core.lint.file_links import FileLinks
from memtool.core.lint.lint_target import LintTarget, SchemaValidator, SourceText
from memtool.core.lint.problem import TextProblem, locate_problems
from memtool.core.lint.suppression import parse_suppressions
from memtool.core.records.compiled import compiled_excerpt, head_limit, parse_compiled
from memtool.core.secrets.redact import Secret, find_secrets, redact
from memtool.formats import core_file, note
from memtool.formats.lint import fact_checks, frontmatter_checks, json_checks, log_checks, schema_checks
from memtool.formats.lint.link_targets import collect_links
from memtool.formats.note import NoteMetadata
from memtool.formats.syntax.frontmatter import split
from memtool.formats.syntax.json_text import line_of

_JSON_LINES = frozenset({"candidates", "feedback", "crisis", "forgotten"})
_JSON_FORMATS = frozenset({"turn", "head", "salience", "quarantine-record", "json"}) | _JSON_LINES
_FRONTMATTER_FORMATS = frozenset(
    {"core-file", "note", "episode", "markdown", "long-term", "daily-note", "semantic", "rules"}
)
_INVALID_ROLES = frozenset({"quarantine", "group-file"})
"""Roles whose files are invalid or in the format of another role: they are only checked for secrets."""
_LINKING_SUFFIXES = (".md", ".markdown")
_SECRET_CODES = frozenset({"M501", "M502"})


def check_file(
    content: bytes,
    target: LintTarget,
    validate: SchemaValidator,
    find: Callable[[str], Sequence[Secret]] = find_secrets,
) -> FileCheck:
    """Check a file's bytes; a file without a role is checked as text alone. Never raises.

    `find` finds secrets, as `find_secrets` does.
    """
    text, is_utf_8 = encoding_check.decode(content)
    source = SourceText(text)
    cross_file = [CrossFileData()]
    metadata = _metadata(source, target) if _can_have_links(source, target) else None
    marks = list(_check_all(source, target, validate, cross_file, metadata, find, is_utf_8=is_utf_8))
    problems_found = tuple(locate_problems(target.path, source, marks))
    links = _file_links(source, target, metadata, marks)
    if links is not None and links.is_template:
        cross_file[0] = replace(cross_file[0], aliases=())
    return FileCheck(problems_found, cross_file[0], parse_suppressions(source), links)


def links_of_file(content: bytes, target: LintTarget) -> FileLinks | None:
    """The links of a file, without checking it; None if it cannot have links. Never raises."""
    source = SourceText(encoding_check.decode(content)[0])
    if not _can_have_links(source, target):
        return None
    return _file_links(
        source,
        target,
        _metadata(source, target),
        list(secret_check.secret_problems(source.text)),
    )


def _metadata(source: SourceText, target: LintTarget) -> NoteMetadata:
    return note.metadata(note.parse(source.text), "", titled_by_heading=target.titled_by_heading)


def _can_have_links(source: SourceText, target: LintTarget) -> bool:
    """Whether a file takes part in the link graph."""
    is_checked = target.role and target.role not in _INVALID_ROLES and target.format not in _JSON_FORMATS
    return (
        bool(is_checked)
        and target.path.lower().endswith(_LINKING_SUFFIXES)
        and encoding_check.is_text(source.text)
    )


def _file_links(
    source: SourceText, target: LintTarget, metadata: NoteMetadata | None, marks: list[TextProblem]
) -> FileLinks | None:
    if metadata is None:
        return None
    has_secret = any(mark.code in _SECRET_CODES for mark in marks)
    return collect_links(source, target.path, metadata, len(split(source.text)[0]), has_secret=has_secret)


def _check_all(
    source: SourceText,
    target: LintTarget,
    validate: SchemaValidator,
    cross_file: list[CrossFileData],
    metadata: NoteMetadata | None,
    find: Callable[[str], Sequence[Secret]],
    *,
    is_utf_8: bool,
) -> Iterator[TextProblem]:
    if target.role not in _INVALID_ROLES:
        yield from encoding_check.encoding_problems(source.text, is_utf_8=is_utf_8)
        if not encoding_check.is_text(source.text):
            return
        is_markdown = target.path.lower().endswith(_LINKING_SUFFIXES)
        yield from conflict_problems(source.text, target.path, target.format, is_markdown=is_markdown)
        yield from version_problems(source.text, is_markdown=is_markdown)
        if target.format in _JSON_FORMATS:
            yield from _check_record(source, target, validate, cross_file)
        else:
            yield from hidden_characters.hidden_character_problems(source)
            marks = [*_check_text(source, target, validate, cross_file, metadata)]
            yield from marks
            yield from schema_checks.check_text_record(source, target.format, marks, validate)
    yield from secret_check.secret_problems(source.text, find)


def _check_record(
    source: SourceText, target: LintTarget, validate: SchemaValidator, cross_file: list[CrossFileData]
) -> Iterator[TextProblem]:
    match target.format:
        case "turn":
            seq, marks = json_checks.check_turn(source, target, validate)
            cross_file[0] = CrossFileData(seq=seq)
            yield from marks
        case name if name in _JSON_LINES:
            yield from json_checks.check_line_records(source, name, validate)
        case "json":
            yield from json_checks.check_plain_json(source, target)
        case _:
            value, marks = json_checks.check_record(source, target, validate)
            if target.format == "head" and value is not None:
                line = line_of(source.text, ["last_seq"])
                cross_file[0] = CrossFileData(last_seq=int(value["last_seq"]), line=line)
            yield from marks


def _check_text(
    source: SourceText,
    target: LintTarget,
    validate: SchemaValidator,
    cross_file: list[CrossFileData],
    metadata: NoteMetadata | None,
) -> Iterator[TextProblem]:
    keys: Mapping[str, Any] = {}
    if target.format in _FRONTMATTER_FORMATS and source.text.startswith(("---", "\ufeff---")):
        keys, marks = frontmatter_checks.check_frontmatter(
            source, target, validate, metadata.meta if metadata and metadata.is_valid_yaml else None
        )
        yield from marks
    if target.required:
        yield from frontmatter_checks.check_required_keys(source, target)
    match target.format:
        case "session-state":
            yield from log_checks.check_session_state(source, target)
        case "daily-note":
            yield from log_checks.check_daily_note(source, target)
        case "working-buffer":
            yield from log_checks.check_working_buffer(source, target)
        case "semantic":
            yield from fact_checks.check_semantic(source, target, cross_file)
        case "rules":
            yield from fact_checks.check_rules(source, target)
        case "long-term":
            yield from fact_checks.check_long_term(source, target)
        case "note":
            cross_file[0] = replace(_note_data(source, keys), aliases=_alias_lines(source, metadata))
        case "markdown" if target.role == "learnings":
            yield from log_checks.check_learnings(source, target)
        case _:
            pass
    yield from _check_limits(source, target, cross_file)


def _note_data(source: SourceText, keys: Mapping[str, Any]) -> CrossFileData:
    """A note's id, and its line."""
    identifier = keys.get("id")
    if not isinstance(identifier, str | int) or isinstance(identifier, bool) or not str(identifier).strip():
        return CrossFileData()
    if frontmatter_checks.is_template_value(identifier):
        return CrossFileData()
    line = next((n for n in range(2, 200) if source.line(n).lstrip("\"' ").startswith("id")), 1)
    return CrossFileData(id=redact(str(identifier).strip()), line=line)


def _alias_lines(source: SourceText, metadata: NoteMetadata | None) -> tuple[tuple[int, str], ...]:
    """The aliases of a note, each with the line on which it first stands in the frontmatter."""
    if metadata is None or not metadata.aliases:
        return ()
    meta = split(source.text)[0]
    start = frontmatter_checks.alias_offset(meta)
    return tuple(
        (source.position(max(meta.find(alias, start), start))[0], redact(alias))
        for alias in metadata.aliases
        if not frontmatter_checks.is_template_value(alias)
    )


def _check_limits(
    source: SourceText, target: LintTarget, cross_file: list[CrossFileData]
) -> Iterator[TextProblem]:
    """Problems with files that are longer than what the agent is given of them."""
    limits, text = target.limits, source.text
    if target.format == "core-file":
        page = core_file.parse(text)
        own_limit = core_file.limit(page)
        if own_limit is not None:
            yield from _check_core_file(text, target, own_limit)
    if limits.working_memory is not None:
        yield from length_limits.over_limit(text, limits.working_memory, "M302")
    if limits.lines is not None and limits.size is not None:
        yield from length_limits.over_index_limit(text, limits.lines, limits.size)
    if limits.codex is not None:
        yield from length_limits.over_bytes(text, limits.codex, "M316", "Codex")
    if limits.host is not None:
        agent = limits.host_name
        form = limits.compiled
        if form is not None and (memory := parse_compiled(text, form)) is not None:
            size = len(compiled_excerpt(memory, form, limits.host))
            cross_file[0] = replace(cross_file[0], size=min(size, limits.host))
            start = text.index(memory.head, text.index(form.begin) + len(form.begin))
            head, room = text[: text.index(form.end)], head_limit(memory, form, limits.host)
            yield from length_limits.over_limit(head, room, "M304", agent, start=start)
            return
        cross_file[0] = replace(cross_file[0], size=min(len(text.rstrip()), limits.host))
        yield from length_limits.over_limit(text, limits.host, "M304", agent, head=limits.head)


def _check_core_file(text: str, target: LintTarget, max_chars: int) -> Iterator[TextProblem]:
    """Problems with a core file that is too long once the agent's name is substituted."""
    meta, body, _ = split(text)
    page = core_file.parse(text)
    injected = core_file.inject(page, target.agent)
    if injected == body.removeprefix("\ufeff"):
        yield from length_limits.over_limit(text, max_chars, "M301", start=len(meta))
        return
    for mark in length_limits.over_limit(injected, max_chars, "M301"):
        line = injected.count("\n", 0, mark.offset)
        at = SourceText(text).line_start(meta.count("\n") + line + 1)
        message = mark.message.replace(f"line {line + 1} ", f"line {meta.count(chr(10)) + line + 1} ")
        yield TextProblem(at, mark.code, message)
