"""What each conversation has been given of the sections of every prompt, in the private folder."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from typing import Any

from memtool.core.context.injected import InjectedText, injected_text
from memtool.core.context.section import PromptSection
from memtool.errors import MemtoolError
from memtool.store.files import derived
from memtool.store.workspace import Workspace

NAME = "told.json"
"""The file in the private folder. Without it every section is injected once more."""
_SESSIONS = 64
"""Conversations in the file, the newest."""


class SessionInjections:
    """The texts that one conversation has been given. Nothing is recorded for one without a name."""

    def __init__(self, workspace: Workspace, session: str, group: str | None) -> None:
        self._workspace = workspace
        name = f"{group or ''}\n{session}".encode("utf-8", "surrogatepass")
        self._name = blake2b(name, digest_size=12).hexdigest() if session else ""
        self.texts: Mapping[str, InjectedText] = _texts(_load(workspace).get(self._name))

    @property
    def whole_paths(self) -> frozenset[str]:
        """The paths whose whole text was injected."""
        return frozenset(path for path, text in self.texts.items() if text.is_whole)

    def forget(self) -> None:
        """Start over: earlier injections are not in the conversation any more."""
        self.texts = {}

    def record(self, sections: Iterable[PromptSection], whole: Collection[str]) -> None:
        """Record that sections are injected; of those in `whole` the conversation has the whole text.

        Where that cannot be written they are injected again, and nothing else happens.
        """
        rows = {
            section.path: injected_text(section.text, is_whole=section.path in whole) for section in sections
        }
        texts = {**self.texts, **rows}
        if not (self._name and self._workspace.writes) or texts == self.texts:
            return
        sessions = _load(self._workspace)
        sessions.pop(self._name, None)
        sessions[self._name] = {path: list(text) for path, text in texts.items()}
        newest = dict([*sessions.items()][-_SESSIONS:])
        with contextlib.suppress(MemtoolError):
            derived.write(self._workspace.root, NAME, json.dumps({"sessions": newest}).encode())
        self.texts = texts


def _load(workspace: Workspace) -> dict[str, Any]:
    content = derived.read(workspace.root, NAME)
    try:
        sessions = json.loads(content or b"{}").get("sessions")
    except (ValueError, RecursionError, AttributeError):
        return {}
    return sessions if isinstance(sessions, dict) else {}


def _texts(rows: Any) -> dict[str, InjectedText]:
    texts: dict[str, InjectedText] = {}
    for path, row in rows.items() if isinstance(rows, dict) else ():
        match row:
            case [int(size), str(digest), bool(is_whole)] if size >= 0:
                texts[path] = InjectedText(size, digest, is_whole)
    return texts
