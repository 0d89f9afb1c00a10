"""Memory of lint: what it found in each file, kept under a seal for the next time.

A file that looks as it did is not read again. One that changed within two seconds of being looked at is, for
its stamp may hide another change; then its bytes decide.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memtool import __version__
from memtool.core.lint.checked import RULES, Checked
from memtool.core.lint.excuse import Excuses
from memtool.core.lint.problem import Problem
from memtool.core.lint.seen import Seen
from memtool.index.engine import Stamp
from memtool.store import kept
from memtool.store.workspace import Workspace

_FOLDER = "lint"


@dataclass(frozen=True, slots=True)
class Known:
    """A file's stamp, and what its check found, as JSON values until somebody asks."""

    stamp: Stamp
    found: Any = None

    @property
    def checked(self) -> Checked:
        """What its check found."""
        problems, seen, lines, file = self.found
        excuses = Excuses({int(line): tuple(codes) for line, codes in lines.items()}, tuple(file))
        return Checked(tuple(Problem(*row) for row in problems), Seen.of(seen), excuses)

    @property
    def is_plain(self) -> bool:
        """Whether nothing was found that anybody could ask for."""
        return bool(self.found == _NOTHING)


_NOTHING: list[Any] = [[], {}, {}, []]


def of(stamp: Stamp, checked: Checked) -> Known:
    """What is kept of a check."""
    rows = [[one.path, one.line, one.col, one.code, one.message, one.about] for one in checked.problems]
    lines = {str(line): list(codes) for line, codes in checked.excuses.lines.items()}
    return Known(stamp, [rows, checked.seen.record(), lines, list(checked.excuses.file)])


def load(workspace: Workspace, key: bytes | None) -> dict[str, Known]:
    """What is known of each file; nothing where it is of other rules or settings, or cannot be trusted."""
    content = kept.load(workspace.root, _FOLDER, key) if key else None
    if content is None:
        return {}
    try:
        found = json.loads(content)
        if found["version"] != _version(workspace):
            return {}
        return {path: Known(Stamp._make(stamp), held) for path, (stamp, held) in found["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def save(workspace: Workspace, key: bytes | None, files: Mapping[str, Known]) -> None:
    """Keep what is known for the next time, if anything may be written."""
    if not key or not workspace.writes:
        return
    rows = {path: [one.stamp, one.found] for path, one in files.items()}
    text = json.dumps({"version": _version(workspace), "files": rows}, separators=(",", ":"))
    kept.save(workspace.root, _FOLDER, text.encode(), key)


def _version(workspace: Workspace) -> str:
    """The same for the same checks under the same settings, in the same layout."""
    settings = sorted((name, repr(value)) for name, value in workspace.settings.values.items())
    said = repr((__version__, RULES, workspace.layout.name, settings))
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
