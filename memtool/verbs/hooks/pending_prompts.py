"""The prompts of a turn that has not ended, in the private folder: for an agent whose transcript is not read.

They are redacted, without what the user asks not to keep, and signed; the end of the turn removes them, that
of the session, or a day. Of a turn that was recorded from them, digests under the user's key stay, so that a
transcript that is read later does not repeat it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from memtool.core.digest import blake2b
from memtool.core.secrets.redact import redact
from memtool.core.text.chat_log import without_chat_marks
from memtool.core.text.regex import regex
from memtool.store.files import derived
from memtool.store.workspace import Workspace

_NAME = "prompts.json"
_SESSIONS, _PROMPTS, _RECORDED = 16, 20, 200
"""Sessions in the file, the newest, and prompts and digests of each."""
_AGE = timedelta(days=1)
"""Prompts older than this are of a turn whose end no hook has seen."""
_MODULUS = 1 << 63
_MARK_ENDS = ("]", ":", ">", "`")
"""The last characters of what a chat's host puts before a message: `[time]`, `sender:`, a tag, JSON."""
_MESSAGE_ID = r"\s*\[message_id:[^\]\n]*\]\s*$"
"""What OpenClaw puts after a message of a chat."""


class PendingPrompt(Struct, frozen=True, array_like=True):
    """A prompt as it may be stored, the digest of the whole, and the time in seconds since 1970.

    `is_private` says that the user asked not to keep something in it.
    """

    text: str
    digest: int
    is_private: bool
    at: float


class RecordedPrompt(Struct, frozen=True, array_like=True):
    """The digests of a prompt and its answer, 0 for none, and the key of its turn once it is found."""

    digest: int
    answer: int = 0
    origin: str = ""


class SessionPrompts(Struct, frozen=True, array_like=True):
    """The prompts of a session, those that were recorded, and whether the last turn was private."""

    prompts: tuple[PendingPrompt, ...] = ()
    recorded: tuple[RecordedPrompt, ...] = ()
    was_private: bool = False


class PendingPrompts:
    """The prompts of one session, and the digests of those that were recorded without its transcript."""

    def __init__(self, workspace: Workspace, session: str, now: datetime) -> None:
        self._workspace, self._session, self._now = workspace, session, now
        self._key = workspace.key()
        self._saved = self._load().get(session, SessionPrompts())
        self._row = self._without_old(self._saved)

    @property
    def prompts(self) -> tuple[PendingPrompt, ...]:
        """The prompts of the turn that has not ended."""
        return self._row.prompts

    @property
    def is_private(self) -> bool:
        """Whether the user asked not to keep something of the turn, or of the one before without a prompt."""
        return any(prompt.is_private for prompt in self.prompts) if self.prompts else self._row.was_private

    def add(self, prompt: str, storable: str, *, is_private: bool) -> None:
        """Keep a prompt until its turn ends: what is `storable` of it."""
        added = PendingPrompt(storable, self._digest(prompt), is_private, self._now.timestamp())
        is_kept = bool(storable.strip()) or is_private
        self._row = replace(
            self._row, prompts=(*self.prompts, added) if is_kept else self.prompts, was_private=False
        )
        self._save()

    def end_turn(self, *, is_recorded: bool = False, answer: str = "") -> None:
        """Forget the prompts; whether they were recorded, with this answer, without a transcript."""
        recorded = [RecordedPrompt(prompt.digest) for prompt in self.prompts if is_recorded]
        if recorded:  # the answer is to the last; those before may have been interrupted
            recorded[-1] = replace(recorded[-1], answer=self._digest(answer))
        self._row = SessionPrompts((), (*self._row.recorded, *recorded), self.is_private)
        self._save()

    def take_from(self, text: str) -> bool:
        """Forget the first prompt that a text is, apart from a chat's marks; whether there was one."""
        message = without_chat_marks(regex(_MESSAGE_ID).sub("", text))
        digest, said = self._digest(message), " ".join(redact(message).split())
        for number, prompt in enumerate(self.prompts):
            if prompt.digest == digest or _is_after_marks(" ".join(prompt.text.split()), said):
                rest = self.prompts[:number] + self.prompts[number + 1 :]
                self._row = replace(self._row, prompts=rest)
                self._save()
                return True
        return False

    def are_in(self, texts: Sequence[str]) -> bool:
        """Whether one of these texts of the user, or what they are together, is a prompt of the turn."""
        digests = {*map(self._digest, (*texts, "\n".join(texts)))}
        return any(prompt.digest in digests for prompt in self.prompts)

    def is_recorded(self, origin: str, prompt: str, answers: Sequence[str]) -> bool:
        """Whether a turn of a transcript was recorded without it: its key, prompt and texts of answers.

        Each recorded prompt stands for one turn, whose key `end_turn` saves. A turn may have several prompts,
        joined by line feeds.
        """
        recorded = self._row.recorded
        if any(known.origin == origin for known in recorded):
            return True
        if all(known.origin for known in recorded):
            return False
        digest, answer_digests = self._digest(prompt), {*map(self._digest, answers)}
        for start in range(len(recorded)):
            total = 0
            for end, known in enumerate(recorded[start:], start + 1):
                if known.origin:
                    break
                total = (total + known.digest) % _MODULUS
                is_answer = not (known.answer and answer_digests) or known.answer in answer_digests
                if total == digest and is_answer:
                    bound = (replace(known, origin=origin) for known in recorded[start:end])
                    self._row = replace(self._row, recorded=(*recorded[:start], *bound, *recorded[end:]))
                    return True
        return False

    def _load(self) -> dict[str, SessionPrompts]:
        content = derived.load(self._workspace.root, _NAME, self._key) if self._key else None
        try:
            return msgspec.json.decode(content or b"{}", type=dict[str, SessionPrompts])
        except msgspec.MsgspecError:
            return {}

    def _without_old(self, row: SessionPrompts) -> SessionPrompts:
        oldest = (self._now - _AGE).timestamp()
        return replace(row, prompts=tuple(prompt for prompt in row.prompts if prompt.at >= oldest))

    def _save(self) -> None:
        prompts, recorded = self._row.prompts[-_PROMPTS:], self._row.recorded[-_RECORDED:]
        self._row = SessionPrompts(prompts, recorded, self._row.was_private)
        is_saved = self._row == self._saved
        if is_saved or self._key is None or not self._session or not self._workspace.writes:
            return
        sessions = {session: self._without_old(row) for session, row in self._load().items()}
        sessions.pop(self._session, None)
        rows = {**dict([*sessions.items()][1 - _SESSIONS :]), self._session: self._row}
        used = {session: row for session, row in rows.items() if row != SessionPrompts()}
        derived.save(self._workspace.root, _NAME, msgspec.json.encode(used), self._key)
        self._saved = self._row

    def _digest(self, text: str) -> int:
        """The digest of a text: that of texts joined by line feeds is the sum of theirs."""
        return sum(_line_digests(text, self._key or b"")) % _MODULUS


def _line_digests(text: str, key: bytes) -> Iterable[int]:
    for line in text.splitlines():
        if words := " ".join(line.split()):
            digest = blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8, key=key[:64])
            yield int.from_bytes(digest.digest())


def _is_after_marks(prompt: str, said: str) -> bool:
    """Whether a text ends with a prompt, which begins it or follows the marks of a chat."""
    before = said.removesuffix(prompt).rstrip()
    return bool(prompt) and said.endswith(prompt) and (not before or before.endswith(_MARK_ENDS))
