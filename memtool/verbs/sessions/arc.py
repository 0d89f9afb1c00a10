"""Arcs: what a session was about, put down as an episode, and what those of earlier sessions say (CoALA)."""

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
"""User turns that say something, from which a session has an arc."""
_ARCS = 100
_SUMMARY = 600
_THEMES = 3
_THEME = 40
_SENTENCE = 3
"""Words of a sentence that is not said twice by chance."""
_SAID = "user: "


def earlier_arcs(workspace: Workspace, owner: Owner | None, session: str) -> list[tuple[str, str]]:
    """What other sessions were about, each with its session, the newest first.

    An owner's arcs bear nobody else's words out; those of no owner bear out everybody's. Of an arc that was
    made of a session's sentences only the user's count.
    """
    found = []
    for one in islice(episodes(workspace, []), _ARCS):
        if one.arc.session != session and one.arc.owner in {"", str(owner)}:
            said = [row.removeprefix(_SAID) for row in one.text.split("\n") if row.startswith(_SAID)]
            found.append((one.arc.session, "\n".join(said) if one.arc.extractive else one.text))
    return found


class Told(Struct, frozen=True):
    """What a session was about: its text, and whether it is the session's own sentences."""

    text: str = ""
    extractive: bool = True

    def own_words(self, turns: Sequence[str]) -> str:
        """What it says in words of its own: no sentence that holds one of the user's, or is held by one."""
        if self.extractive:
            return ""
        heard = [Spoken(text) for text in turns]
        said = [one for text in turns for one in _sentences(text) if len(one.split()) >= _SENTENCE]
        kept = []
        for one in _sentences(self.text):
            whole = Spoken(one)
            if not any(each.holds(one) for each in heard) and not any(whole.holds(each) for each in said):
                kept.append(one)
        return "\n".join(kept)


class Session(Struct, frozen=True):
    """A session as its arc needs it: its name, its owner (`kind:id`), and all that was said."""

    name: str
    owner: str
    messages: Sequence[Message]

    @property
    def transcript(self) -> str:
        """The same for the same messages, and for no others."""
        said = [
            (one.role, [part.text for part in one.parts if isinstance(part, Text)]) for one in self.messages
        ]
        return blake2b(repr(said).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def arc_in(self, workspace: Workspace) -> Episode | None:
        """Its arc, if it has one."""
        named = (self.name, self.owner, self.transcript)
        found = episodes(workspace, [], of=_slug(self.name))
        return next((one for one in found if one.arc.of == named), None)


def tell(workspace: Workspace, of: Session, summarizer: Delegate | None, notices: list[str]) -> Told:
    """What a session of substance was about, by the user's command or in its own sentences.

    A session that has its arc, though its end was stopped, is not told again. What the command could not do
    is said in `notices`.
    """
    if (known := of.arc_in(workspace)) is not None:
        return Told(known.text, known.arc.extractive)
    text, who, said = summarised(of.messages, Helpers(summarizer), most=_SUMMARY)
    notices += said
    if who != BUILT_IN:
        return Told(clip(text, _SUMMARY), extractive=False)
    return Told("\n".join(line[2:] for line in text.split("\n") if line.startswith("- ")))


def arc(
    workspace: Workspace, of: Session, told: Told, now: datetime, today: date, reason: str
) -> tuple[PurePosixPath | None, Plan]:
    """The episode that a session leaves, unless it has one."""
    if (known := of.arc_in(workspace)) is not None:
        return known.path, ()
    head = {
        "session_id": of.name,
        "owner": of.owner,
        "ended_at": spell(now),
        "end": reason,
        "extractive": told.extractive,
        "turn_count": sum(one.role == "user" for one in of.messages),
        "primary_themes": _themes(of.messages),
        "transcript": of.transcript,
    }
    path = _free(workspace, of.name, today)
    return path, (Create(path, episode.render(episode.made(head, told.text))),)


def _free(workspace: Workspace, session: str, today: date) -> PurePosixPath:
    """A path for an arc that no other has: sessions of other days, owners or spellings may be named alike."""
    slug = _slug(session)
    paths = (
        workspace.layout.path("episode", day=today, slug=slug if number == 1 else f"{slug}-{number}")
        for number in count(1)
    )
    return next(path for path in paths if workspace.disk.stat(path) is None)


def _slug(session: str) -> str:
    """A session's name as it stands in the names of files."""
    return re.sub(r"[^\w-]+", "-", session).strip("-").lower() or "session"


def _sentences(text: str) -> list[str]:
    return [one.strip() for one in re.split(r"(?<=[.!?。！？])\s+|\n", text) if one.strip()]


def _themes(messages: Sequence[Message]) -> list[str]:
    """The names and terms that the user spoke of most."""
    counts: dict[str, int] = {}
    for one in remarks(messages):
        for term in one.terms if one.who == "user" else ():
            if term.kind in {"name", "code", "path"} and len(term.text) <= _THEME:
                counts[term.text] = counts.get(term.text, 0) + 1
    return sorted(counts, key=lambda one: (-counts[one], one))[:_THEMES]
