"""The result of checking one file, and what it states that must be compared with other files."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from msgspec import Struct

from memtool.core.lint.excuse import Excuses
from memtool.core.lint.problem import Problem
from memtool.core.lint.ties import Ties
from memtool.core.records.entry import Owner
from memtool.core.text.text import fold

RULES = 6
"""Version of the checks. Increase it with every change of what they find: it invalidates cached results."""


class Seen(Struct, frozen=True):
    """What a file's check found besides its problems.

    `facts` are a line, an id (or nothing), and `told` of what an active fact says, nothing of another. `id`
    is that of a note. `seq` is the number of a turn, `last_seq` what a head says, and `line` where a note or
    head says it. `size` is how many characters the agent is given of the file.
    """

    facts: tuple[tuple[int, str, str], ...] = ()
    id: str = ""
    line: int = 1
    seq: int | None = None
    last_seq: int | None = None
    size: int = 0

    def record(self) -> dict[str, Any]:
        """The same as JSON values; what is empty is left out."""
        found: dict[str, Any] = {}
        for name in ("facts", "id", "line", "seq", "last_seq", "size"):
            value = getattr(self, name)
            if value != _EMPTY[name]:
                found[name] = value
        return found

    @staticmethod
    def of(record: dict[str, Any]) -> Seen:
        """What a record says; the inverse of `record`. Raises TypeError and ValueError for what is none."""
        facts = tuple((int(line), str(name), str(told)) for line, name, told in record.get("facts", ()))
        return Seen(**{**record, "facts": facts}) if record else Seen()


class Checked(Struct, frozen=True):
    """The problems of one file, its data for checks across files, its suppressions and its links.

    `ties` is None for a file that is no node of the link graph.
    """

    problems: tuple[Problem, ...]
    seen: Seen
    excuses: Excuses
    ties: Ties | None = None


_EMPTY: dict[str, Any] = {"facts": (), "id": "", "line": 1, "seq": None, "last_seq": None, "size": 0}


def told(words: str, owner: Owner | None) -> str:
    """A hash that is the same for what one owner says in the same words: case, spacing, a last stop aside."""
    plain = " ".join(fold(words).split()).rstrip(" .!…;,")
    said = f"{owner or ''}\0{plain}".encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=8).hexdigest()
