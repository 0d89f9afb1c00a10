"""The summary of a session, the plan of its episode, and the summaries of earlier sessions (CoALA)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from hashlib import blake2b
from itertools import count, islice
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.compaction.remark import remarks
from memtool.core.facts.support import Spoken
from memtool.core.records.entry import Owner
from memtool.core.records.plan import Create, Plan
from memtool.core.records.turn import Message, Text, spell
from memtool.core.text.quote import clip
from memtool.formats import episode
from memtool.store.workspace import Workspace
from memtool.verbs.compaction.condense import BUILT_IN, Helpers, summarised
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.sessions.episodes import Episode, episodes

SUBSTANTIVE = 3
"""User turns besides small talk from which a session gets an episode."""
_MAX_EPISODES = 100
"""Episodes, from the newest, that can support a candidate."""
_SUMMARY_CHARS = 600
_MAX_THEMES = 3
_THEME_CHARS = 40
_MIN_SENTENCE_WORDS = 3
"""Words of a sentence that is not repeated by chance."""
_USER_PREFIX = "user: "


def earlier_arcs(workspace: Workspace, owner: Owner | None, session: str) -> list[tuple[str, str]]:
    """The summaries of other sessions, each with its session's name, newest first.

    Only those of this owner, or of no owner. Of an extractive summary only the user's sentences are returned.
    """
    summaries = []
    for stored in islice(episodes(workspace, []), _MAX_EPISODES):
        if stored.arc.session != session and stored.arc.owner in {"", str(owner)}:
            rows = stored.text.split("\n")
            quotes = [row.removeprefix(_USER_PREFIX) for row in rows if row.startswith(_USER_PREFIX)]
            summaries.append(
                (stored.arc.session, "\n".join(quotes) if stored.arc.extractive else stored.text)
            )
    return summaries


class Told(Struct, frozen=True):
    """The summary of a session; `extractive` says that it consists of the session's own sentences."""

    text: str = ""
    extractive: bool = True

    def own_words(self, turns: Sequence[str]) -> str:
        """The sentences that neither contain one of the user's nor are contained in one."""
        if self.extractive:
            return ""
        texts = [Spoken(text) for text in turns]
        quotes = [
            quote for text in turns for quote in _sentences(text) if len(quote.split()) >= _MIN_SENTENCE_WORDS
        ]
        own = []
        for sentence in _sentences(self.text):
            spoken = Spoken(sentence)
            is_quoted = any(text.holds(sentence) for text in texts)
            if not is_quoted and not any(spoken.holds(quote) for quote in quotes):
                own.append(sentence)
        return "\n".join(own)


class Session(Struct, frozen=True):
    """A session to be summarized: its name, its owner (`kind:id`), and its messages."""

    name: str
    owner: str
    messages: Sequence[Message]

    @property
    def transcript(self) -> str:
        """A digest of the messages' texts."""
        texts = [
            (message.role, [part.text for part in message.parts if isinstance(part, Text)])
            for message in self.messages
        ]
        return blake2b(repr(texts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def arc_in(self, workspace: Workspace) -> Episode | None:
        """The session's episode, if it has one already."""
        identity = (self.name, self.owner, self.transcript)
        candidates = episodes(workspace, [], of=_slug(self.name))
        return next((stored for stored in candidates if stored.arc.of == identity), None)


def tell(workspace: Workspace, of: Session, summarizer: Delegate | None, notices: list[str]) -> Told:
    """Summarize a session by the user's command, or by its own sentences.

    Where an interrupted end has written the episode already, its summary is returned. A failure of the
    command is named in `notices`.
    """
    if (stored := of.arc_in(workspace)) is not None:
        return Told(stored.text, stored.arc.extractive)
    text, author, problems = summarised(of.messages, Helpers(summarizer), most=_SUMMARY_CHARS)
    notices += problems
    if author != BUILT_IN:
        return Told(clip(text, _SUMMARY_CHARS), extractive=False)
    return Told("\n".join(line[2:] for line in text.split("\n") if line.startswith("- ")))


def arc(
    workspace: Workspace, of: Session, told: Told, now: datetime, today: date, reason: str
) -> tuple[PurePosixPath | None, Plan]:
    """The path of a session's episode, and the plan that writes it unless it exists."""
    if (stored := of.arc_in(workspace)) is not None:
        return stored.path, ()
    head = {
        "session_id": of.name,
        "owner": of.owner,
        "ended_at": spell(now),
        "end": reason,
        "extractive": told.extractive,
        "turn_count": sum(message.role == "user" for message in of.messages),
        "primary_themes": _themes(of.messages),
        "transcript": of.transcript,
    }
    path = _unused_path(workspace, of.name, today)
    return path, (Create(path, episode.render(episode.made(head, told.text))),)


def _unused_path(workspace: Workspace, session: str, today: date) -> PurePosixPath:
    """A path that no episode has: sessions of other owners or spellings may get the same slug."""
    slug = _slug(session)
    paths = (
        workspace.layout.path("episode", day=today, slug=slug if number == 1 else f"{slug}-{number}")
        for number in count(1)
    )
    return next(path for path in paths if workspace.disk.stat(path) is None)


def _slug(session: str) -> str:
    """A session's name as it is spelled in file names."""
    return re.sub(r"[^\w-]+", "-", session).strip("-").lower() or "session"


def _sentences(text: str) -> list[str]:
    parts = re.split(r"(?<=[.!?。！？])\s+|\n", text)
    return [part.strip() for part in parts if part.strip()]


def _themes(messages: Sequence[Message]) -> list[str]:
    """The names and terms that the user mentioned most often."""
    counts: dict[str, int] = {}
    for remark in remarks(messages):
        for term in remark.terms if remark.who == "user" else ():
            if term.kind in {"name", "code", "path"} and len(term.text) <= _THEME_CHARS:
                counts[term.text] = counts.get(term.text, 0) + 1
    return sorted(counts, key=lambda text: (-counts[text], text))[:_MAX_THEMES]
