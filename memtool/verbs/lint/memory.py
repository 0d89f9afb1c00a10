"""Memory of lint: what it found in each file and between them, kept under a seal for the next time.

A file that looks as it did is not read again. One that changed within two seconds of being looked at is, for
its stamp may hide another change; then its bytes decide.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Any

from msgspec import Struct, field

from memtool import __version__
from memtool.core.lint.checked import RULES, Checked
from memtool.core.lint.excuse import Excuses
from memtool.core.lint.problem import Problem
from memtool.core.lint.seen import Seen
from memtool.core.lint.ties import Ties
from memtool.index.engine import Stamp
from memtool.store.files import derived
from memtool.store.workspace import Workspace

_FILE = "lint/kept"
"""The file in the private folder."""


class Known(Struct, frozen=True):
    """A file's stamp, and what its check found, as JSON values until somebody asks.

    It is None of a file of which only the ties are asked for.
    """

    stamp: Stamp
    found: Any = None

    @property
    def problems(self) -> Iterator[Problem]:
        """What is wrong with the file."""
        return (Problem(*row) for row in self.found[0])

    @property
    def seen(self) -> Seen:
        """What the file says that others may say."""
        return Seen.of(self.found[1])

    @property
    def excuses(self) -> Excuses:
        """What a person excused in the file."""
        _, _, lines, file = self.found
        return Excuses({int(line): tuple(codes) for line, codes in lines.items()}, tuple(file))

    @property
    def is_silent(self) -> bool:
        """Whether the file was read for its ties alone."""
        return self.found is None


class Memory(Struct, dict=True):
    """What is known of each file, and the faults between them, with the state of all files that they are of.

    The ties of the files are many, and not looked at until something has changed.
    """

    known: Mapping[str, Known] = field(default_factory=dict)
    faults: Any = None
    state: str = ""
    raw_ties: bytes = b"{}"

    @cached_property
    def ties(self) -> dict[str, Any]:
        """The ties of each file that has any, as JSON values."""
        found = json.loads(self.raw_ties)
        return found if isinstance(found, dict) else {}


def of(stamp: Stamp, checked: Checked) -> Known:
    """What is kept of a check, its ties aside."""
    rows = [[one.path, one.line, one.col, one.code, one.message, one.about] for one in checked.problems]
    lines = {str(line): list(codes) for line, codes in checked.excuses.lines.items()}
    return Known(stamp, [rows, checked.seen.record(), lines, list(checked.excuses.file)])


def state(files: Mapping[str, Known], names: Iterable[str]) -> str:
    """The same for the same contents of all files, the same ones passed over, among the same names."""
    rows = [f"{path}\0{one.stamp.etag}\0{one.is_silent:d}" for path, one in sorted(files.items())]
    said = "\n".join([*rows, "", *sorted(names)])
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def load(workspace: Workspace, key: bytes | None) -> Memory:
    """What is known; nothing where it is of other rules or settings, or cannot be trusted."""
    content = derived.load(workspace.root, _FILE, key) if key else None
    if content is None:
        return Memory()
    try:
        first, _, ties = content.partition(b"\n")
        found = json.loads(first)
        if found["version"] != _version(workspace):
            return Memory()
        known = {path: Known(Stamp._make(stamp), held) for path, (stamp, held) in found["files"].items()}
        return Memory(known, found["faults"], found["state"], ties)
    except (ValueError, KeyError, TypeError, AttributeError):
        return Memory()


def save(
    workspace: Workspace,
    key: bytes | None,
    files: Mapping[str, Known],
    ties: Mapping[str, Ties],
    faults: Any,
    now: str,
) -> None:
    """Keep what is known for the next time, if anything may be written."""
    if not key or not workspace.writes:
        return
    rows = {path: [one.stamp, one.found] for path, one in files.items()}
    first = {"version": _version(workspace), "files": rows, "faults": faults, "state": now}
    second = {path: one.record() for path, one in ties.items()}
    text = "\n".join(json.dumps(one, separators=(",", ":")) for one in (first, second))
    derived.save(workspace.root, _FILE, text.encode(), key)


def _version(workspace: Workspace) -> str:
    """The same for the same checks under the same settings, in the same layout."""
    settings = sorted((name, repr(value)) for name, value in workspace.settings.values.items())
    said = repr((__version__, RULES, workspace.layout.name, settings))
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
