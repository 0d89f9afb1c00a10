"""Checking one file: its bytes, then its text as a file of its format, then what an agent sees of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from memtool.core.lint import encoding, limit, secret, unseen
from memtool.core.lint.checked import Checked
from memtool.core.lint.excuse import excuses
from memtool.core.lint.problem import Mark, problems
from memtool.core.lint.seen import Seen
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
"""Roles whose files are known to be broken: only their secrets are looked for."""
_LINKED = (".md", ".markdown")
_SECRETS = frozenset({"M501", "M502"})


def check(content: bytes, subject: Subject, faults: Faults) -> Checked:
    """Check a file's bytes; a file without a role is checked as text alone. Never raises."""
    text, is_utf_8 = encoding.decoded(content)
    sheet = Sheet(text)
    seen = [Seen()]
    head = note.head(note.parse(text), "") if _is_linked(sheet, subject) else None
    marks = list(_marks(sheet, subject, faults, seen, head, is_utf_8=is_utf_8))
    found = tuple(problems(subject.path, sheet, marks))
    return Checked(found, seen[0], excuses(sheet), _ties(sheet, subject, head, marks))


def linked(content: bytes, subject: Subject) -> Ties | None:
    """The ties of a file alone, if it can have any. Never raises."""
    sheet = Sheet(encoding.decoded(content)[0])
    if not _is_linked(sheet, subject):
        return None
    return _ties(sheet, subject, note.head(note.parse(sheet.text), ""), list(secret.marks(sheet.text)))


def _is_linked(sheet: Sheet, subject: Subject) -> bool:
    """Whether links lead from a file and to it."""
    is_one = subject.role and subject.role not in _SET_ASIDE and subject.format not in _RECORDS
    return bool(is_one) and subject.path.lower().endswith(_LINKED) and encoding.is_text(sheet.text)


def _ties(sheet: Sheet, subject: Subject, head: Head | None, marks: list[Mark]) -> Ties | None:
    if head is None:
        return None
    has_secret = any(mark.code in _SECRETS for mark in marks)
    return ties(sheet, subject.path, head, len(split(sheet.text)[0]), has_secret=has_secret)


def _marks(
    sheet: Sheet, subject: Subject, faults: Faults, seen: list[Seen], head: Head | None, *, is_utf_8: bool
) -> Iterator[Mark]:
    if subject.role not in _SET_ASIDE:
        yield from encoding.marks(sheet.text, is_utf_8=is_utf_8)
        if not encoding.is_text(sheet.text):
            return
        if subject.format in _RECORDS:
            yield from _record(sheet, subject, faults, seen)
        else:
            yield from unseen.marks(sheet)
            yield from _text(sheet, subject, faults, seen, head)
    yield from secret.marks(sheet.text)


def _record(sheet: Sheet, subject: Subject, faults: Faults, seen: list[Seen]) -> Iterator[Mark]:
    match subject.format:
        case "turn":
            seq, found = records.turn(sheet, subject, faults)
            seen[0] = Seen(seq=seq)
            yield from found
        case "candidates":
            yield from records.candidates(sheet, faults)
        case "json":
            yield from records.plain(sheet, subject)
        case _:
            value, found = records.record(sheet, subject, faults)
            if subject.format == "head" and value is not None:
                line = line_of(sheet.text, ["last_seq"])
                seen[0] = Seen(last_seq=int(value["last_seq"]), line=line)
            yield from found


def _text(
    sheet: Sheet, subject: Subject, faults: Faults, seen: list[Seen], head: Head | None
) -> Iterator[Mark]:
    keys: Mapping[str, Any] = {}
    if subject.format in _HEADED and sheet.text.startswith(("---", "\ufeff---")):
        keys, found = heads.read(sheet, subject, faults, head.meta if head and head.reads else None)
        yield from found
    match subject.format:
        case "session-state":
            yield from logs.session(sheet, subject)
        case "daily-note":
            yield from logs.daily(sheet, subject)
        case "working-buffer":
            yield from logs.buffer(sheet, subject)
        case "semantic":
            told: list[tuple[int, str, str]] = []
            yield from facts.semantic(sheet, subject, told)
            seen[0] = Seen(facts=tuple(told))
        case "rules":
            yield from facts.rules(sheet, subject)
        case "long-term":
            yield from facts.long_term_facts(sheet, subject)
        case "note":
            seen[0] = _note(sheet, keys)
        case "markdown" if subject.role == "learnings":
            yield from logs.learnings(sheet, subject)
        case _:
            pass
    yield from _limits(sheet, subject, seen)


def _note(sheet: Sheet, keys: Mapping[str, Any]) -> Seen:
    """A note's id, and where it stands."""
    name = keys.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        return Seen()
    if heads.is_filled_in_later(name):
        return Seen()
    line = next((n for n in range(2, 200) if sheet.line(n).lstrip("\"' ").startswith("id")), 1)
    return Seen(id=redact(str(name).strip()), line=line)


def _limits(sheet: Sheet, subject: Subject, seen: list[Seen]) -> Iterator[Mark]:
    """What of the file its agent does not see."""
    limits, text = subject.limits, sheet.text
    if subject.format == "core-file":
        page = core_file.parse(text)
        own = core_file.limit(page)
        if own is not None:
            yield from _core(text, subject, own)
    if limits.working_memory is not None:
        yield from limit.beyond(text, limits.working_memory, "M302", "longer than its bound")
    if limits.lines is not None and limits.size is not None:
        yield from limit.beyond_index(text, limits.lines, limits.size)
    if limits.place is not None:
        seen[0] = replace(seen[0], size=min(len(text.rstrip()), limits.place))
        said = "longer than what the agent is given of it,"
        yield from limit.beyond(text, limits.place, "M304", said, head=limits.head)


def _core(text: str, subject: Subject, own: int) -> Iterator[Mark]:
    """A core file counts as it goes into a prompt, with the agent's name in it."""
    meta, body, _ = split(text)
    page = core_file.parse(text)
    injected = core_file.inject(page, subject.agent)
    if injected == body.removeprefix("\ufeff"):
        yield from limit.beyond(text, own, "M301", "longer than its own limit", start=len(meta))
        return
    for mark in limit.beyond(injected, own, "M301", "longer than its own limit"):
        line = injected.count("\n", 0, mark.at)
        at = Sheet(text).start(meta.count("\n") + line + 1)
        said = mark.message.replace(f"line {line + 1} ", f"line {meta.count(chr(10)) + line + 1} ")
        yield Mark(at, mark.code, said)
