"""Filters of a query as conditions on the index of transcripts: `m` is a message there, and `t` its turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, assert_never

from memtool.core.records.speech import speaker_keys
from memtool.core.search.query import DateFilter, FieldFilter, QueryFilter
from memtool.core.text.globs import glob_regex
from memtool.index.database import decode_path, encode_path, valid_text

if TYPE_CHECKING:
    import apsw

ROLE = "turn"
"""The role whose files are searched here."""


class Conditions:
    """What a message must satisfy, as SQL with its values; `possible` is whether any can.

    `owners` are those in whose turns words are counted; empty for all turns.
    """

    def __init__(self, db: apsw.Connection, rules: Iterable[QueryFilter], masked: Sequence[int]) -> None:
        self._db = db
        self.clauses: list[str] = []
        self.values: list[Any] = []
        self.possible = True
        self.owners: tuple[str, ...] = ()
        for rule in rules:
            self._restrict(rule)
        if masked:
            self.clauses.append(f"t.id NOT IN ({', '.join(str(int(number)) for number in masked)})")

    def add(self, clause: str, *values: Any) -> None:
        """One more."""
        self.clauses.append(clause)
        self.values += values

    def count(self, match: str) -> int:
        """How many messages of the owners match."""
        if not self.owners:
            return int(self._db.execute("SELECT count(*) FROM fts WHERE fts MATCH ?", (match,)).get)
        sql = (
            "SELECT count(*) FROM fts JOIN message m ON m.id = fts.rowid JOIN turn t ON t.id = m.turn"  # noqa: S608
            f" WHERE fts MATCH ? AND t.owner IN ({marks(self.owners)})"
        )
        return int(self._db.execute(sql, (match, *self.owners)).get)

    def total(self) -> int:
        """How many messages of the owners there are."""
        if not self.owners:
            return int(self._db.execute("SELECT messages FROM total").get)
        sql = f"SELECT coalesce(sum(messages), 0) FROM turn WHERE owner IN ({marks(self.owners)})"  # noqa: S608
        return int(self._db.execute(sql, self.owners).get)

    def where(self, first: str = "") -> str:
        """All of them, behind another."""
        return " AND ".join([*([first] if first else []), *self.clauses]) or "1"

    def _restrict(self, rule: QueryFilter) -> None:
        match rule:
            case DateFilter(since, until):
                self.add("t.day BETWEEN ? AND ?", str(since or ""), str(until or "9999-12-31"))
            case FieldFilter("role", values):
                self.possible &= (ROLE in values) != rule.excludes
            case FieldFilter("tag"):
                self.possible &= rule.excludes
            case FieldFilter("path", values):
                patterns = [glob_regex(value) for value in values]

                def matches(*place: Any) -> bool:
                    return any(pattern.match("/".join(map(decode_path, place))) for pattern in patterns)

                name = f"path_{len(self.clauses)}"
                self._db.create_scalar_function(name, matches, 2, deterministic=True)
                self.add(f"{'NOT ' * rule.excludes}{name}(t.folder, t.name)")
            case FieldFilter("group", values):
                self.add(f"t.grp {'NOT ' * rule.excludes}IN ({marks(values)})", *map(encode_path, values))
            case FieldFilter("owner", values):
                self.owners = tuple(map(valid_text, values))
                self.add(f"t.owner IN ({marks(values)})", *self.owners)
            case FieldFilter("session", values):
                self.add(f"t.session {'NOT ' * rule.excludes}IN ({marks(values)})", *map(valid_text, values))
            case FieldFilter("chat", values):
                self.add(f"t.chat {'NOT ' * rule.excludes}IN ({marks(values)})", *map(valid_text, values))
            case FieldFilter(_, values):
                keys = [*map(valid_text, speaker_keys(values))]
                is_speaker = f"(m.speaker IN ({marks(keys)}) OR coalesce(m.name, '') IN ({marks(keys)}))"
                self.add(f"{'NOT ' * rule.excludes}{is_speaker}", *keys, *keys)
            case _:
                assert_never(rule)


def marks(values: Sequence[Any]) -> str:
    """So many question marks as there are values."""
    return ", ".join("?" * len(values))
