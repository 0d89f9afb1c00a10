"""Rules file: rules of conduct, one dated line with an id each, for people to read and edit (CoALA)."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.digest import blake2b
from memtool.core.facts.rules import ConductRule, RetiredRule
from memtool.formats.syntax import text_lines
from memtool.formats.syntax.owner_tag import escape_tag, parse_tagged, render_tag

if TYPE_CHECKING:
    from memtool.core.text.record_merge import MergeRecord

_LINE = (
    r"(?a)\ufeff?[-*+] \[(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)\] "
    r"(\S[^\n]*?)(?: \(pinned\))?(?: \((archived [^()\n]*)\))?(?:[ \t]\^([A-Za-z0-9][A-Za-z0-9-]{0,63}))?"
)
_STATE = r"\((pinned|archived [^()\n]*)\)"
_ARCHIVED_ON = r"(?a) \(archived (\d{4}-\d\d-\d\d)\b(?:: )?([^()\n]*)\)(?=[ \t]\^|[ \t\r]*$)"
_PINNED = r" \(pinned\)(?= \(archived|[ \t]\^|[ \t\r]*$)"


class RuleLine(Struct, frozen=True, dict=True):
    """One line without its LF, and the rule that it parses to, if any."""

    raw: str

    @cached_property
    def rule(self) -> ConductRule | None:
        """The parsed rule; None if the line is not one."""
        return _parse_line(self.raw)


class RulesFile(Struct, frozen=True):
    """A file of rules: all its lines in order, including those that are not rules."""

    lines: tuple[RuleLine, ...]

    def __post_init__(self) -> None:
        text_lines.check(tuple(line.raw for line in self.lines))


def parse(text: str) -> RulesFile:
    """Read any text; `render(parse(text)) == text`."""
    return RulesFile(tuple(RuleLine(raw) for raw in text_lines.split(text)))


def render(file: RulesFile) -> str:
    """The file's text; `parse(render(file)) == file`."""
    return text_lines.join(tuple(line.raw for line in file.lines))


def rules(file: RulesFile) -> tuple[ConductRule, ...]:
    """The rules in the order of the file; a rule without an id gets one derived from its text."""
    return tuple(line.rule for line in file.lines if line.rule)


def render_line(rule: ConductRule) -> str:
    """A rule as a line, without a newline; its text is folded to one line.

    Text that would parse as a rule's state, `(pinned)` or `(archived …)`, is put in square brackets.
    """
    time = rule.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds")
    pinned = " (pinned)" if rule.pinned else ""
    text = re.sub(_STATE, r"[\1]", escape_tag(text_lines.fold_line_breaks(rule.text)))
    return f"- [{time}Z] {render_tag(rule.owner)}{text}{pinned} ^{rule.id}"


def render_archived_line(retired: RetiredRule, day: str) -> str:
    """The archive's line, with its newline, for a rule retired on the day `day`."""
    active = render_line(retired.rule)
    before, _, name = active.rpartition(" ^")
    return f"{before} (archived {day}: {retired.why}) ^{name}\n"


def archived_days(text: str) -> dict[str, date]:
    """The day on which each rule of an archive was archived, by id; the last one counts."""
    days: dict[str, date] = {}
    for row in parse(text).lines:
        state = re.search(_ARCHIVED_ON, row.raw)
        if row.rule is not None and state is not None:
            with contextlib.suppress(ValueError):
                days[row.rule.id] = date.fromisoformat(state[1])
    return days


def archive_reasons(text: str) -> dict[int, str]:
    """Why each rule of an archive is there, such as the id of its successor, by the number of its line."""
    rows = enumerate(parse(text).lines, 1)
    states = ((number, re.search(_ARCHIVED_ON, row.raw)) for number, row in rows if row.rule is not None)
    return {number: state[2] for number, state in states if state is not None}


def active_line(line: str) -> str:
    """The line of an archived rule without its state; the line of an active one as it is."""
    return re.sub(_ARCHIVED_ON, "", line)


def update(text: str, active: Sequence[ConductRule]) -> str:
    """The text with only these rules: other rules are removed, new ones appended, other lines unchanged."""
    keep = {rule.id for rule in active}
    present: set[str] = set()
    rows_kept: list[str] = []
    for row in parse(text).lines:
        if row.rule is None or row.rule.id in keep:
            rows_kept.append(row.raw)
            present |= {row.rule.id} if row.rule else set()
    new = [render_line(rule) for rule in active if rule.id not in present]
    if not new:
        return text_lines.join(tuple(rows_kept)) if rows_kept else ""
    lines = tuple(rows_kept) or ("",)
    at = text_lines.end_of_content(lines, 0, len(lines))
    gap = [""] if at and _parse_line(lines[at - 1]) is None else []
    return text_lines.insert(lines, at, [*gap, *new])


def record(file: RulesFile) -> dict[str, Any]:
    """The record of `rules.schema.json`: the rules with their line numbers."""
    return {
        "rules": [
            {
                "line": number,
                "at": row.rule.at.isoformat(),
                "text": row.rule.text,
                "id": row.rule.id,
                "pinned": row.rule.pinned,
                "owner": str(row.rule.owner) if row.rule.owner else None,
            }
            for number, row in enumerate(file.lines, 1)
            if row.rule
        ]
    }


def merge(base: str, ours: str, theirs: str) -> str:
    """The text with the rules of two versions of a base, new ones by time; pinned wins over not pinned.

    A rule whose id one side removed is removed; two changed texts of one id are both there.
    """
    from memtool.formats.syntax.record_tree import merge_tree  # few processes merge

    return merge_tree(base, ours, theirs, _describe)


def _describe(block: str) -> MergeRecord:
    from memtool.core.text.record_merge import MergeRecord

    rule = None if "\n" in block else _parse_line(block)
    if rule is None:
        return MergeRecord(block, block)
    unpinned = re.sub(_PINNED, "", block)
    order = (rule.at.timestamp(),)
    return MergeRecord(unpinned, block, rank=(rule.pinned,), order=order, id=rule.id)


def _parse_line(raw: str) -> ConductRule | None:
    raw = raw.rstrip(" \t\r")
    match = re.fullmatch(_LINE, raw) if raw[:1] in {"-", "*", "+", "\ufeff"} else None
    if match is None:
        return None
    try:
        time = datetime.fromisoformat(match[1].replace("Z", "+00:00"))
        time = time if time.tzinfo else time.replace(tzinfo=UTC)
        time = time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    pinned = re.search(_PINNED, raw) is not None
    owner, words = parse_tagged(match[2].rstrip())
    return ConductRule(time, words, match[4] or _id_of(match[2]), pinned, owner) if words else None


def _id_of(text: str) -> str:
    """The id of a rule written without one: a hash of its text."""
    return f"r-{blake2b(text.strip().encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"
