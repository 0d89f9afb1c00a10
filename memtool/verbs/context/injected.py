"""What each conversation has of memory, in the private folder: sections of every prompt, and statements."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from memtool.core.context.injected import InjectedText, injected_text
from memtool.core.context.section import PromptSection
from memtool.core.digest import blake2b
from memtool.errors import MemtoolError
from memtool.store.files import derived
from memtool.store.workspace import Workspace

NAME = "told.json"
"""The file in the private folder. Without it every section is injected once more."""
_STATEMENTS_KEY = ""
"""The key of a conversation's statements among the paths of its texts: no path is empty."""
_STATEMENTS, _OTHER_STATEMENTS = 6_000, 500
"""The newest statements that are recorded of the conversation that was recorded last, and of the others."""
_MARKS_KEY = "//"
"""The key of a conversation's marks: no path begins with two slashes."""
_DIGEST = 8
"""Characters of a statement's digest."""
_SESSIONS = 64
"""Conversations in the file, the newest."""


class SessionInjections:
    """What one conversation has: texts that it was given, and statements that it was given or made itself.

    Nothing is recorded for a conversation without a name. `is_recorded` says that something was. `marks` are
    what else `record` writes down of it; `forget` leaves them.
    """

    def __init__(self, workspace: Workspace, session: str, group: str | None) -> None:
        self._workspace = workspace
        name = f"{group or ''}\n{session}".encode("utf-8", "surrogatepass")
        self._name = blake2b(name, digest_size=12).hexdigest() if session else ""
        row = _load(workspace).get(self._name)
        self.is_recorded = row is not None or not self._name
        self.texts: Mapping[str, InjectedText] = _texts(row)
        self._statements = _statements(row)
        self.marks = _marks(row)

    @property
    def whole_paths(self) -> frozenset[str]:
        """The paths whose whole text was injected."""
        return frozenset(path for path, text in self.texts.items() if text.is_whole)

    @property
    def statements(self) -> frozenset[str]:
        """The digests of the statements that the conversation has."""
        return frozenset(self._statements)

    def forget(self) -> None:
        """Start over: nothing that was said before is in the conversation any more."""
        self.texts = {}
        self._statements = {}
        self.is_recorded = True

    def add_statements(self, digests: Iterable[str]) -> None:
        """Add statements, which `record` writes down."""
        self._statements = {**self._statements, **dict.fromkeys(sorted(digests))}

    def record(
        self,
        sections: Iterable[PromptSection] = (),
        whole: Collection[str] = (),
        digests: Iterable[str] = (),
    ) -> None:
        """Record that sections are injected; of those in `whole` the conversation has the whole text.

        `digests` are those of further statements. What cannot be written down is injected again, and nothing
        else happens.
        """
        rows = {
            section.path: injected_text(section.text, is_whole=section.path in whole) for section in sections
        }
        self.texts = {**self.texts, **rows}
        self.add_statements(digests)
        if not (self._name and self._workspace.writes):
            return
        sessions = _load(self._workspace)
        texts: dict[str, Any] = {path: list(text) for path, text in self.texts.items()}
        row = {**texts, _STATEMENTS_KEY: "".join([*self._statements][-_STATEMENTS:])}
        row |= {_MARKS_KEY: self.marks} if self.marks else {}
        if sessions.get(self._name) == row:
            return
        sessions.pop(self._name, None)
        newest = {name: _shortened(other) for name, other in [*sessions.items()][1 - _SESSIONS :]}
        content = json.dumps({"sessions": {**newest, self._name: row}}).encode()
        with contextlib.suppress(MemtoolError):
            derived.write(self._workspace.root, NAME, content)
        self.is_recorded = True


def _load(workspace: Workspace) -> dict[str, Any]:
    content = derived.read(workspace.root, NAME)
    try:
        sessions = json.loads(content or b"{}").get("sessions")
    except (ValueError, RecursionError, AttributeError):
        return {}
    return sessions if isinstance(sessions, dict) else {}


def _shortened(row: Any) -> Any:
    """The record of a conversation with its newest statements alone."""
    kept = [*_statements(row)][-_OTHER_STATEMENTS:]
    return {**row, _STATEMENTS_KEY: "".join(kept)} if isinstance(row, dict) else {}


def _statements(row: Any) -> dict[str, None]:
    """The digests in a record, in their order."""
    joined = row.get(_STATEMENTS_KEY) if isinstance(row, dict) else None
    if not isinstance(joined, str):
        return {}
    return dict.fromkeys(joined[start : start + _DIGEST] for start in range(0, len(joined), _DIGEST))


def _marks(row: Any) -> dict[str, str]:
    marks = row.get(_MARKS_KEY) if isinstance(row, dict) else None
    return (
        {name: text for name, text in marks.items() if isinstance(text, str)}
        if isinstance(marks, dict)
        else {}
    )


def _texts(rows: Any) -> dict[str, InjectedText]:
    texts: dict[str, InjectedText] = {}
    for path, row in rows.items() if isinstance(rows, dict) else ():
        match row:
            case [int(size), str(digest), bool(is_whole)] if size >= 0:
                texts[path] = InjectedText(size, digest, is_whole)
    return texts
