"""The result of checking one file, and what it states that must be compared with other files."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from memtool.core.digest import blake2b
from memtool.core.lint.file_links import FileLinks
from memtool.core.lint.problem import Problem
from memtool.core.lint.suppression import Suppressions
from memtool.core.records.entries import Owner
from memtool.core.records.semantic import ExclusiveClaim
from memtool.core.text.folding import fold

CHECKS_VERSION = 19
"""Version of the checks. Increase it when findings, messages or the cache change, to discard old results."""


class CrossFileData(Struct, frozen=True):
    """The data of one file that is checked across files, small enough to cache for every file of a tree.

    `facts` are (line, id or "", `statement_hash` of an active fact, else ""), `claims` are those of active
    facts with their lines. `id` is the id of a note, `seq`
    the number of a turn, `last_seq` the number in a head, and `line` the line of a note's id or a head's
    number. `aliases` are (line, alias) of a note. `size` is how many characters of the file are in the
    agent's prompt.
    """

    facts: tuple[tuple[int, str, str], ...] = ()
    claims: tuple[tuple[int, ExclusiveClaim], ...] = ()
    id: str = ""
    line: int = 1
    seq: int | None = None
    last_seq: int | None = None
    size: int = 0
    aliases: tuple[tuple[int, str], ...] = ()

    def to_record(self) -> dict[str, Any]:
        """The JSON record of the data, without empty fields."""
        values: dict[str, Any] = {}
        for name in ("facts", "claims", "id", "line", "seq", "last_seq", "size", "aliases"):
            value = getattr(self, name)
            if value != _DEFAULTS[name]:
                values[name] = value
        return values

    @staticmethod
    def from_record(record: dict[str, Any]) -> CrossFileData:
        """Parse a record; the inverse of `to_record`. Raises TypeError and ValueError if it is none."""
        facts = tuple((int(line), str(name), str(digest)) for line, name, digest in record.get("facts", ()))
        claims = tuple((int(line), ExclusiveClaim(*claim)) for line, claim in record.get("claims", ()))
        aliases = tuple((int(line), str(alias)) for line, alias in record.get("aliases", ()))
        if not record:
            return CrossFileData()
        return CrossFileData(**{**record, "facts": facts, "claims": claims, "aliases": aliases})


_DEFAULTS: dict[str, Any] = {
    "facts": (),
    "claims": (),
    "id": "",
    "line": 1,
    "seq": None,
    "last_seq": None,
    "size": 0,
    "aliases": (),
}


def statement_hash(statement: str, owner: Owner | None) -> str:
    """A hash of a statement of one owner, which ignores case, spacing and a final full stop."""
    normalized = " ".join(fold(statement).split()).rstrip(" .!…;,")
    owned = f"{owner or ''}\0{normalized}".encode("utf-8", "surrogatepass")
    return blake2b(owned, digest_size=8).hexdigest()


class FileCheck(Struct, frozen=True):
    """The problems of one file, its data for checks across files, its suppressions and its links.

    `links` is None for a file that is not part of the link graph.
    """

    problems: tuple[Problem, ...]
    cross_file: CrossFileData
    suppressions: Suppressions
    links: FileLinks | None = None
