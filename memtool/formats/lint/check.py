"""Check one file: its bytes, its text as a file of its format, and the limits of what an agent sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from memtool.core.lint import encoding, limit, secret, unseen
from memtool.core.lint.excuse import excuses
from memtool.core.lint.problem import Mark, problems
from memtool.core.lint.seen import Checked, Seen
from memtool.core.lint.sheet import Sheet
from memtool.core.lint.subject import Faults, Subject
from memtool.core.lint.ties import Ties
from memtool.core.secrets.redact import redact
from memtool.formats import core_file, note
from memtool.formats.lint import facts, heads, logs, records
from memtool.formats.lint.ties import ties
from memtool.formats.note import Head
from memtool.formats.syntax.frontmatter import split
from memtool.formats.syntax.json_text import line_of

_RECORDS = frozenset({"turn", "head", "salience", "quarantine-record", "candidates", "json"})
_HEADED = frozenset(
    {"core-file", "note", "episode", "markdown", "long-term", "daily-note", "semantic", "rules"}
)
_SET_ASIDE = frozenset({"quarantine"})
"""Roles whose files are known to be invalid: they are only checked for secrets."""
_LINKED = (".md", ".markdown")
_SECRETS = frozenset({"M501", "M502"})


def check(content: bytes, target: Subject, validate: Faults) -> Checked:
    """Check a file's bytes; a file without a role is checked as text alone. Never raises."""
    text, is_utf_8 = encoding.decoded(content)
    source = Sheet(text)
    cross_file = [Seen()]
    metadata = note.head(note.parse(text), "") if _is_linked(source, target) else None
    marks = list(_marks(source, target, validate, cross_file, metadata, is_utf_8=is_utf_8))
    problems_found = tuple(problems(target.path, source, marks))
    return Checked(problems_found, cross_file[0], excuses(source), _ties(source, target, metadata, marks))


def linked(content: bytes, target: Subject) -> Ties | None:
    """The links of a file, without checking it; None if it cannot have links. Never raises."""
    source = Sheet(encoding.decoded(content)[0])
    if not _is_linked(source, target):
        return None
    return _ties(source, target, note.head(note.parse(source.text), ""), list(secret.marks(source.text)))


def _is_linked(source: Sheet, target: Subject) -> bool:
    """Whether a file takes part in the link graph."""
    is_checked = target.role and target.role not in _SET_ASIDE and target.format not in _RECORDS
    return bool(is_checked) and target.path.lower().endswith(_LINKED) and encoding.is_text(source.text)


def _ties(source: Sheet, target: Subject, metadata: Head | None, marks: list[Mark]) -> Ties | None:
    if metadata is None:
        return None
    has_secret = any(mark.code in _SECRETS for mark in marks)
    return ties(source, target.path, metadata, len(split(source.text)[0]), has_secret=has_secret)


def _marks(
    source: Sheet,
    target: Subject,
    validate: Faults,
    cross_file: list[Seen],
    metadata: Head | None,
    *,
    is_utf_8: bool,
) -> Iterator[Mark]:
    if target.role not in _SET_ASIDE:
        yield from encoding.marks(source.text, is_utf_8=is_utf_8)
        if not encoding.is_text(source.text):
            return
        if target.format in _RECORDS:
            yield from _record(source, target, validate, cross_file)
        else:
            yield from unseen.marks(source)
            yield from _text(source, target, validate, cross_file, metadata)
    yield from secret.marks(source.text)


def _record(source: Sheet, target: Subject, validate: Faults, cross_file: list[Seen]) -> Iterator[Mark]:
    match target.format:
        case "turn":
            seq, marks = records.turn(source, target, validate)
            cross_file[0] = Seen(seq=seq)
            yield from marks
        case "candidates":
            yield from records.candidates(source, validate)
        case "json":
            yield from records.plain(source, target)
        case _:
            value, marks = records.record(source, target, validate)
            if target.format == "head" and value is not None:
                line = line_of(source.text, ["last_seq"])
                cross_file[0] = Seen(last_seq=int(value["last_seq"]), line=line)
            yield from marks


def _text(
    source: Sheet, target: Subject, validate: Faults, cross_file: list[Seen], metadata: Head | None
) -> Iterator[Mark]:
    keys: Mapping[str, Any] = {}
    if target.format in _HEADED and source.text.startswith(("---", "\ufeff---")):
        keys, marks = heads.read(
            source, target, validate, metadata.meta if metadata and metadata.reads else None
        )
        yield from marks
    match target.format:
        case "session-state":
            yield from logs.session(source, target)
        case "daily-note":
            yield from logs.daily(source, target)
        case "working-buffer":
            yield from logs.buffer(source, target)
        case "semantic":
            statements: list[tuple[int, str, str]] = []
            yield from facts.semantic(source, target, statements)
            cross_file[0] = Seen(facts=tuple(statements))
        case "rules":
            yield from facts.rules(source, target)
        case "long-term":
            yield from facts.long_term_facts(source, target)
        case "note":
            cross_file[0] = _note(source, keys)
        case "markdown" if target.role == "learnings":
            yield from logs.learnings(source, target)
        case _:
            pass
    yield from _limits(source, target, cross_file)


def _note(source: Sheet, keys: Mapping[str, Any]) -> Seen:
    """A note's id, and its line."""
    identifier = keys.get("id")
    if not isinstance(identifier, str | int) or isinstance(identifier, bool) or not str(identifier).strip():
        return Seen()
    if heads.is_filled_in_later(identifier):
        return Seen()
    line = next((n for n in range(2, 200) if source.line(n).lstrip("\"' ").startswith("id")), 1)
    return Seen(id=redact(str(identifier).strip()), line=line)


def _limits(source: Sheet, target: Subject, cross_file: list[Seen]) -> Iterator[Mark]:
    """Problems with files that are longer than what the agent is given of them."""
    limits, text = target.limits, source.text
    if target.format == "core-file":
        page = core_file.parse(text)
        own_limit = core_file.limit(page)
        if own_limit is not None:
            yield from _core(text, target, own_limit)
    if limits.working_memory is not None:
        yield from limit.beyond(text, limits.working_memory, "M302", "longer than its bound")
    if limits.lines is not None and limits.size is not None:
        yield from limit.beyond_index(text, limits.lines, limits.size)
    if limits.place is not None:
        cross_file[0] = replace(cross_file[0], size=min(len(text.rstrip()), limits.place))
        message = "longer than what the agent is given of it,"
        yield from limit.beyond(text, limits.place, "M304", message, head=limits.head)


def _core(text: str, target: Subject, max_chars: int) -> Iterator[Mark]:
    """Problems with a core file that is too long once the agent's name is substituted."""
    meta, body, _ = split(text)
    page = core_file.parse(text)
    injected = core_file.inject(page, target.agent)
    if injected == body.removeprefix("\ufeff"):
        yield from limit.beyond(text, max_chars, "M301", "longer than its own limit", start=len(meta))
        return
    for mark in limit.beyond(injected, max_chars, "M301", "longer than its own limit"):
        line = injected.count("\n", 0, mark.at)
        at = Sheet(text).start(meta.count("\n") + line + 1)
        message = mark.message.replace(f"line {line + 1} ", f"line {meta.count(chr(10)) + line + 1} ")
        yield Mark(at, mark.code, message)
