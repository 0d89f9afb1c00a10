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
_PASSAGES_KEY = ""
"""The key of a conversation's passages among the paths of its texts: no path is empty."""
_PASSAGES = 600
"""Passages of a conversation in the file, the newest."""
_SESSIONS = 64
"""Conversations in the file, the newest."""


class SessionInjections:
    """The texts that one conversation has been given. Nothing is recorded for one without a name."""

    def __init__(self, workspace: Workspace, session: str, group: str | None) -> None:
        self._workspace = workspace
        name = f"{group or ''}\n{session}".encode("utf-8", "surrogatepass")
        self._name = blake2b(name, digest_size=12).hexdigest() if session else ""
        row = _load(workspace).get(self._name)
        self.texts: Mapping[str, InjectedText] = _texts(row)
        self.passages: tuple[str, ...] = _passages(row)

    @property
    def whole_paths(self) -> frozenset[str]:
        """The paths whose whole text was injected."""
        return frozenset(path for path, text in self.texts.items() if text.is_whole)

    def forget(self) -> None:
        """Start over: earlier injections are not in the conversation any more."""
        self.texts = {}
        self.passages = ()

    def record(
        self, sections: Iterable[PromptSection], whole: Collection[str], passages: Iterable[str] = ()
    ) -> None:
        """Record that sections are injected; of those in `whole` the conversation has the whole text.

        `passages` are the digests of the passages that were injected. What cannot be written down is injected
        again, and nothing else happens.
        """
        rows = {
            section.path: injected_text(section.text, is_whole=section.path in whole) for section in sections
        }
        texts = {**self.texts, **rows}
        digests = tuple(dict.fromkeys((*self.passages, *passages)))[-_PASSAGES:]
        if not (self._name and self._workspace.writes) or (texts, digests) == (self.texts, self.passages):
            return
        sessions = _load(self._workspace)
        sessions.pop(self._name, None)
        rows_of_texts: dict[str, list[Any]] = {path: list(text) for path, text in texts.items()}
        sessions[self._name] = {**rows_of_texts, **({_PASSAGES_KEY: [*digests]} if digests else {})}
        newest = dict([*sessions.items()][-_SESSIONS:])
        with contextlib.suppress(MemtoolError):
            derived.write(self._workspace.root, NAME, json.dumps({"sessions": newest}).encode())
        self.texts, self.passages = texts, digests


def _load(workspace: Workspace) -> dict[str, Any]:
    content = derived.read(workspace.root, NAME)
    try:
        sessions = json.loads(content or b"{}").get("sessions")
    except (ValueError, RecursionError, AttributeError):
        return {}
    return sessions if isinstance(sessions, dict) else {}


def _passages(row: Any) -> tuple[str, ...]:
    digests = row.get(_PASSAGES_KEY) if isinstance(row, dict) else None
    return tuple(digest for digest in digests if isinstance(digest, str)) if isinstance(digests, list) else ()


def _texts(rows: Any) -> dict[str, InjectedText]:
    texts: dict[str, InjectedText] = {}
    for path, row in rows.items() if isinstance(rows, dict) else ():
        match row:
            case [int(size), str(digest), bool(is_whole)] if size >= 0:
                texts[path] = InjectedText(size, digest, is_whole)
    return texts
