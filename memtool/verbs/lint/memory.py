"""The cache of lint: the authenticated results of each file's check and of the checks between files.

A file with an unchanged stamp is not read again. A file that changed within two seconds of the check is read
and compared by content, because its stamp may hide another change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Any

from msgspec import Struct, field

from memtool import __version__
from memtool.core.lint.excuse import Excuses
from memtool.core.lint.problem import Problem
from memtool.core.lint.seen import RULES, Checked, Seen
from memtool.core.lint.ties import Ties
from memtool.index.engine import Stamp
from memtool.store.files import derived
from memtool.store.workspace import Workspace

_FILE = "lint/kept"
"""The file in the private folder."""


class Known(Struct, frozen=True):
    """The stamp of a file and the result of its check, decoded from JSON values on access.

    `found` is None for a file that is read for its links only.
    """

    stamp: Stamp
    found: Any = None

    @property
    def problems(self) -> Iterator[Problem]:
        """The problems of the file."""
        return (Problem(*row) for row in self.found[0])

    @property
    def seen(self) -> Seen:
        """The facts and numbers of the file that are compared with other files."""
        return Seen.of(self.found[1])

    @property
    def excuses(self) -> Excuses:
        """The excuses in comments of the file."""
        _, _, lines, file = self.found
        return Excuses({int(line): tuple(codes) for line, codes in lines.items()}, tuple(file))

    @property
    def is_silent(self) -> bool:
        """Whether the file was read for its links only."""
        return self.found is None


class Memory(Struct, dict=True):
    """The cached checks, and the problems between files with the hash of the files they were found in.

    The link data is large, and decoded only when a file has changed.
    """

    known: Mapping[str, Known] = field(default_factory=dict)
    faults: Any = None
    state: str = ""
    raw_ties: bytes = b"{}"

    @cached_property
    def ties(self) -> dict[str, Any]:
        """The link data of each file that has any, as JSON values."""
        link_data = json.loads(self.raw_ties)
        return link_data if isinstance(link_data, dict) else {}


def of(stamp: Stamp, checked: Checked) -> Known:
    """Return the cache record of a check, without its link data."""
    rows = [
        [problem.path, problem.line, problem.col, problem.code, problem.message, problem.about]
        for problem in checked.problems
    ]
    lines = {str(line): list(codes) for line, codes in checked.excuses.lines.items()}
    return Known(stamp, [rows, checked.seen.record(), lines, list(checked.excuses.file)])


def state(files: Mapping[str, Known], names: Iterable[str]) -> str:
    """Return a hash of the contents of all files, of which are ignored, and of the names of link targets."""
    rows = [f"{path}\0{check.stamp.etag}\0{check.is_silent:d}" for path, check in sorted(files.items())]
    summary = "\n".join([*rows, "", *sorted(names)])
    return blake2b(summary.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def load(workspace: Workspace, key: bytes | None) -> Memory:
    """Load the cache; it is empty if rules or settings differ or its integrity cannot be proven."""
    content = derived.load(workspace.root, _FILE, key) if key else None
    if content is None:
        return Memory()
    try:
        header_line, _, ties = content.partition(b"\n")
        header = json.loads(header_line)
        if header["version"] != _version(workspace):
            return Memory()
        checks = {
            path: Known(Stamp._make(stamp), record) for path, (stamp, record) in header["files"].items()
        }
        return Memory(checks, header["faults"], header["state"], ties)
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
    """Save the cache, unless the workspace is not written."""
    if not key or not workspace.writes:
        return
    file_rows = {path: [check.stamp, check.found] for path, check in files.items()}
    header = {"version": _version(workspace), "files": file_rows, "faults": faults, "state": now}
    links_record = {path: link_data.record() for path, link_data in ties.items()}
    text = "\n".join(json.dumps(part, separators=(",", ":")) for part in (header, links_record))
    derived.save(workspace.root, _FILE, text.encode(), key)


def _version(workspace: Workspace) -> str:
    """A hash of memtool's version, the rules, the layout and the settings."""
    settings = sorted((name, repr(value)) for name, value in workspace.settings.values.items())
    summary = repr((__version__, RULES, workspace.layout.name, settings))
    return blake2b(summary.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
