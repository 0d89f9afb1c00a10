"""The prompts of a turn that has not ended, in the private folder: for an agent whose transcript is not read.

They are redacted, without what the user asks not to keep, and signed; the end of the turn removes them. Of a
turn that was recorded from them, a digest stays, so that a transcript that is read later does not repeat it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b

from memtool.core.secrets.redact import redact
from memtool.store.files import derived
from memtool.store.workspace import Workspace

_NAME = "prompts.json"
_SESSIONS, _PROMPTS = 16, 20
"""Sessions in the file, the newest, and prompts and digests of each."""


class PendingPrompts:
    """The prompts of one session, and the digests of those that were recorded without its transcript."""

    def __init__(self, workspace: Workspace, session: str) -> None:
        self._workspace, self._session = workspace, session
        self._key = workspace.key()
        row = self._load().get(session)
        prompts, recorded = row if isinstance(row, list) and len(row) == 2 else ([], [])
        self.prompts: list[str] = [text for text in _list(prompts) if isinstance(text, str)]
        self._recorded: list[str] = [text for text in _list(recorded) if isinstance(text, str)]

    def add(self, prompt: str) -> None:
        """Keep a prompt until its turn ends."""
        if prompt.strip():
            self._save([*self.prompts, prompt], self._recorded)

    def end_turn(self, *, recorded: Sequence[str] = ()) -> None:
        """Forget the prompts; those in `recorded` were recorded without a transcript."""
        if self.prompts or recorded:
            self._save([], [*self._recorded, *map(_digest, recorded)])

    def take_from(self, text: str) -> bool:
        """Forget the first prompt that a text holds; whether there was one."""
        said = " ".join(redact(text).split())
        for number, prompt in enumerate(self.prompts):
            if " ".join(prompt.split()) in said:
                self._save([*self.prompts[:number], *self.prompts[number + 1 :]], self._recorded)
                return True
        return False

    def is_recorded(self, prompt: str) -> bool:
        """Whether a prompt was recorded without a transcript."""
        return bool(self._recorded) and _digest(prompt) in self._recorded

    def _load(self) -> dict[str, object]:
        content = derived.load(self._workspace.root, _NAME, self._key) if self._key else None
        try:
            value = json.loads(content or b"{}")
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def _save(self, prompts: Sequence[str], recorded: Sequence[str]) -> None:
        self.prompts, self._recorded = [*prompts][-_PROMPTS:], [*recorded][-_PROMPTS:]
        if self._key is None or not self._session or not self._workspace.writes:
            return
        sessions = self._load()
        sessions.pop(self._session, None)
        newest = dict([*sessions.items()][1 - _SESSIONS :])
        row = [self.prompts, self._recorded]
        rows = {**newest, self._session: row} if any(row) else newest
        derived.save(self._workspace.root, _NAME, json.dumps(rows).encode(), self._key)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _digest(prompt: str) -> str:
    return blake2b(" ".join(prompt.split()).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
