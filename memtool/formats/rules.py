"""Rules file: rules of conduct, a dated line each with an id, for people to read and edit (CoALA)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from memtool.core.facts.rule import Retired, Rule
from memtool.formats.syntax import lines as text_lines
from memtool.formats.syntax.tag import shield, tag, untag

_LINE = (
    r"(?a)\ufeff?[-*+] \[(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)\] "
    r"(\S[^\n]*?)(?: \(pinned\))?(?: \((archived [^()\n]*)\))?(?:[ \t]\^([A-Za-z0-9][A-Za-z0-9-]{0,63}))?"
)
_STATE = r"\((pinned|archived [^()\n]*)\)"
_PINNED = r" \(pinned\)(?= \(archived|[ \t]\^|[ \t\r]*$)"


class Line(Struct, frozen=True, dict=True):
    """One line as it stands, without its LF, and the rule that it reads as: None where it is not ours."""

    raw: str

    @cached_property
    def rule(self) -> Rule | None:
        """What the text reads as; None where it does not."""
        return _read(self.raw)


class RulesFile(Struct, frozen=True):
    """A file of rules: all its lines in their order, the ones that are no rules included."""

    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        text_lines.check(tuple(line.raw for line in self.lines))


def parse(text: str) -> RulesFile:
    """Read any text; `render(parse(text)) == text`."""
    return RulesFile(tuple(Line(raw) for raw in text_lines.split(text)))


def render(file: RulesFile) -> str:
    """The file's text; `parse(render(file)) == file`."""
    return text_lines.join(tuple(line.raw for line in file.lines))


def rules(file: RulesFile) -> tuple[Rule, ...]:
    """The rules, in the order of the file; one written without an id gets one of its text."""
    return tuple(line.rule for line in file.lines if line.rule)


def line(rule: Rule) -> str:
    """The line that states a rule, without a newline; its text is made one line.

    Words in it that would pass for a rule's state, `(pinned)` or `(archived …)`, stand in square brackets.
    """
    at = rule.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds")
    pinned = " (pinned)" if rule.pinned else ""
    text = re.sub(_STATE, r"[\1]", shield(text_lines.one_line(rule.text)))
    return f"- [{at}Z] {tag(rule.owner)}{text}{pinned} ^{rule.id}"


def archived(retired: Retired, on: str) -> str:
    """The line, newline included, that an archive keeps of a rule that does not hold since the day `on`."""
    said = line(retired.rule)
    before, _, name = said.rpartition(" ^")
    return f"{before} (archived {on}: {retired.why}) ^{name}\n"


def update(text: str, active: Sequence[Rule]) -> str:
    """The text with just these rules: lines of others go, new ones follow the last, all else stays."""
    keep = {rule.id for rule in active}
    there: set[str] = set()
    kept: list[str] = []
    for one in parse(text).lines:
        if one.rule is None or one.rule.id in keep:
            kept.append(one.raw)
            there |= {one.rule.id} if one.rule else set()
    new = [line(rule) for rule in active if rule.id not in there]
    if not new:
        return text_lines.join(tuple(kept)) if kept else ""
    rows = tuple(kept) or ("",)
    at = text_lines.behind(rows, 0, len(rows))
    gap = [""] if at and _read(rows[at - 1]) is None else []
    return text_lines.insert(rows, at, [*gap, *new])


def record(file: RulesFile) -> dict[str, Any]:
    """What `rules.schema.json` describes: the rules with their lines."""
    return {
        "rules": [
            {
                "line": number,
                "at": one.rule.at.isoformat(),
                "text": one.rule.text,
                "id": one.rule.id,
                "pinned": one.rule.pinned,
                "owner": str(one.rule.owner) if one.rule.owner else None,
            }
            for number, one in enumerate(file.lines, 1)
            if one.rule
        ]
    }


def _read(raw: str) -> Rule | None:
    raw = raw.rstrip(" \t\r")
    match = re.fullmatch(_LINE, raw) if raw[:1] in {"-", "*", "+", "\ufeff"} else None
    if match is None:
        return None
    try:
        at = datetime.fromisoformat(match[1].replace("Z", "+00:00"))
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        at = at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    pinned = re.search(_PINNED, raw) is not None
    owner, said = untag(match[2].rstrip())
    return Rule(at, said, match[4] or _id_of(match[2]), pinned, owner) if said else None


def _id_of(text: str) -> str:
    """The id of a rule that a person wrote without one: the same text has the same."""

    return f"r-{blake2b(text.strip().encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"
