"""What a line of memory says, by the role of its file: its id, its texts, and whether it holds."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from memtool.core.facts.identity import record_id
from memtool.core.records.entries import Owner
from memtool.core.records.semantic import FactTriple
from memtool.core.text.folding import fold
from memtool.core.text.tokenizer import word_list
from memtool.formats import learnings, long_term, rules, semantic, session_state
from memtool.verbs.journal.changed_statements import marker_length

_LEAST_CHARS = 8


class LineIdentity(Struct, frozen=True):
    """The id, time and owner of a line, if it has them, and the texts of it to search for elsewhere."""

    id: str | None
    texts: tuple[str, ...]
    at: datetime | None = None
    owner: Owner | None = None


def identify_line(role: str, text: str, number: int) -> LineIdentity:
    """Return the identity of line `number` in a file of this role."""
    lines = text.split("\n")
    line_text = lines[number - 1].rstrip("\r")
    match role:
        case "semantic":
            if (record := semantic.SemanticLine(line_text).record) is not None:
                statement = record.fact
                detail = (
                    (statement.quote or statement.object)
                    if isinstance(statement, FactTriple)
                    else statement.detail
                )
                return LineIdentity(record_id(record), (detail,), owner=statement.owner)
        case "rules" | "rules-archive":
            for rule in rules.rules(rules.parse(line_text)):
                return LineIdentity(rule.id, (rule.text,), rule.at, rule.owner)
        case "long-term":
            for item in long_term.items(long_term.parse(text)):
                if item.line == number:
                    return LineIdentity(None, (item.fact.detail,), owner=item.fact.owner)
        case "learnings":
            if (learning := learnings.parse_entry(line_text)) is not None:
                return LineIdentity(None, (learning.detail,), owner=learning.owner)
        case "session-state" | "session-state-archive":
            for entry in session_state.entries(session_state.parse(line_text)):
                return LineIdentity(None, (entry.detail,), owner=entry.owner)
    return LineIdentity(None, (line_text[marker_length(line_text) :].strip(),))


def current_lines(role: str, text: str) -> list[int]:
    """The numbers of the lines of a text of this role that state a current fact, rule, item or learning.

    Of the session state and its archive, those of their entries.
    """
    match role:
        case "semantic":
            records = (
                (number, semantic.SemanticLine(line.rstrip("\r")).record)
                for number, line in enumerate(text.split("\n"), 1)
            )
            return [number for number, record in records if record is not None and record.superseded is None]
        case "rules":
            return [
                number
                for number, line in enumerate(text.split("\n"), 1)
                if any(rules.rules(rules.parse(line.rstrip("\r"))))
            ]
        case "long-term":
            items = long_term.items(long_term.parse(text))
            return [item.line for item in items if not long_term.is_superseded(item)]
        case "learnings":
            rows = enumerate(text.split("\n"), 1)
            return [number for number, line in rows if learnings.parse_entry(line.rstrip("\r")) is not None]
        case "session-state" | "session-state-archive":
            rows = enumerate(text.split("\n"), 1)
            return [number for number, line in rows if any(session_state.entries(session_state.parse(line)))]
    return []


def is_searchable(text: str) -> bool:
    """Whether a text is long enough to be searched for."""
    folded = fold(text)
    return len(folded) > _LEAST_CHARS or len(word_list(folded)) > 1
