"""The summary of a session, the plan of its episode, and the summaries of earlier sessions (CoALA)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from itertools import count, islice
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.compaction.compact import compaction_marker
from memtool.core.compaction.episode_titles import ALL_TITLES
from memtool.core.compaction.scored_sentences import spoken_in
from memtool.core.compaction.session_summary import session_themes
from memtool.core.compaction.session_summary import summarize_session as extractive_summary
from memtool.core.digest import blake2b
from memtool.core.facts.support import EvidenceText, SupportCriteria
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Create, Plan, Remove, Replace
from memtool.core.records.turn import Message, TextPart, format_moment
from memtool.core.text.sanitise import clip
from memtool.core.text.tokenizer import content_terms
from memtool.formats import episode
from memtool.store.workspace import Workspace
from memtool.verbs.compaction.condense import BUILT_IN, CondenseCommands, request_summary
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.sessions.episodes import StoredEpisode, list_episodes

MIN_SUBSTANTIVE_TURNS = 3
"""User turns besides small talk from which a session gets an episode."""
_MAX_EPISODES = 100
"""Episodes, from the newest, that can support a candidate."""
_SUMMARY_CHARS = 600
_MAX_EARLIER = 50
"""Earlier transcripts of a session that are recognised when they come again."""
_MIN_SENTENCE_WORDS = 3
"""Words of a sentence that is not repeated by chance."""


def earlier_summaries(workspace: Workspace, owner: Owner | None, session: str) -> list[tuple[str, str]]:
    """The summaries of other sessions, each with its session's name, newest first.

    Only those of this owner, or of no owner. Of an extractive summary only the user's sentences are returned.
    """
    summaries = []
    for stored in islice(list_episodes(workspace, []), _MAX_EPISODES):
        if stored.header.session != session and stored.header.owner in {"", str(owner)}:
            spoken = [said for row in stored.text.split("\n") for said in spoken_in(row)]
            quotes = [text for speaker, text in spoken if speaker == "user"]
            summaries.append(
                (stored.header.session, "\n".join(quotes) if stored.header.extractive else stored.text)
            )
    return summaries


class SessionSummary(Struct, frozen=True):
    """The summary of a session; `is_extractive` says that it consists of the session's own sentences."""

    text: str = ""
    is_extractive: bool = True

    def own_words(self, turns: Sequence[str]) -> str:
        """The sentences that neither contain one of the user's nor are contained in one."""
        if self.is_extractive:
            return ""
        texts = [EvidenceText(text) for text in turns]
        quotes = [
            quote for text in turns for quote in _sentences(text) if len(quote.split()) >= _MIN_SENTENCE_WORDS
        ]
        own = []
        for sentence in _sentences(self.text):
            spoken = EvidenceText(sentence)
            is_quoted = any(text.contains_quote(sentence) for text in texts)
            if not is_quoted and not any(spoken.contains_quote(quote) for quote in quotes):
                own.append(sentence)
        return "\n".join(own)


class SessionTranscript(Struct, frozen=True):
    """A session to be summarised: its name, its owner (`kind:id`), and the messages that may be kept.

    `private` are the texts of the others; `is_all_private` says that the user asked to keep nothing of what
    was said up to some turn, so that no earlier summary may be used.
    """

    name: str
    owner: str
    messages: Sequence[Message]
    private: Sequence[str] = ()
    is_all_private: bool = False

    @property
    def turns(self) -> int:
        """How often the user spoke."""
        return sum(message.role == "user" for message in self.messages)

    @property
    def digest(self) -> str:
        """A digest of the messages' texts."""
        return _digest(self.messages)

    def stored_episodes(self, workspace: Workspace) -> list[StoredEpisode]:
        """The session's episode, if it has one already; several where an earlier version wrote them."""
        candidates = list_episodes(workspace, [], name_part=_slug(self.name))
        identity = (self.name, self.owner)
        return [stored for stored in candidates if stored.header.identity == identity]

    def is_covered_by(self, stored: StoredEpisode) -> bool:
        """Whether an episode covers this session; one that had private turns has them no longer."""
        return self.digest == stored.header.transcript if self.private else stored.header.covers(self.digest)

    def carried_rows(self, stored: StoredEpisode) -> list[str]:
        """The rows of an earlier episode that say nothing of what was said in private turns."""
        if not self.private or self.new_messages(stored) is not None:
            return stored.text.split("\n")
        if self.is_all_private:
            return []
        texts = [EvidenceText(text) for text in self.private]
        criteria = [
            SupportCriteria("", content_terms(sentence))
            for text in self.private
            for sentence in _sentences(text)
        ]
        rows = []
        for row in stored.text.split("\n"):
            spoken = [said for _, said in spoken_in(row)] or [row]
            evidence = EvidenceText(row)
            is_quoted = any(private.contains_quote(said) for private in texts for said in spoken)
            if not is_quoted and not any(private.is_supported_by(evidence) for private in criteria):
                rows.append(row)
        return rows

    def new_messages(self, stored: StoredEpisode) -> Sequence[Message] | None:
        """The messages after those of an episode; None where it is not of the beginning of this session."""
        turns = 0
        for number, message in enumerate(self.messages):
            turns += message.role == "user"
            if turns > stored.header.turns:
                is_beginning = _digest(self.messages[:number]) == stored.header.transcript
                return self.messages[number:] if is_beginning else None
        return None


def summarize_session(
    workspace: Workspace, session: SessionTranscript, summarizer: Delegate | None, notices: list[str]
) -> SessionSummary:
    """Summarize a session by the user's command, or by its own sentences.

    The summary of a session that was resumed covers what its episode covers: where the messages do not begin
    with those, what the episode says of them is kept. A summary that no sentences of the session made stays,
    and what is new comes after it. Nothing is carried over that private turns say. A failure of the command
    is named in `notices`.
    """
    stored = session.stored_episodes(workspace)
    if any(session.is_covered_by(episode) for episode in stored):
        return SessionSummary(stored[0].text, stored[0].header.extractive)
    new = next((new for episode in stored if (new := session.new_messages(episode)) is not None), None)
    rows = [row for episode in stored for row in session.carried_rows(episode)]
    written = ""
    if summarizer is None and not all(episode.header.extractive for episode in stored):
        written = "\n".join(row for row in rows if not spoken_in(row) and row not in ALL_TITLES)
    messages = session.messages if new is None or not written else new
    if rows and (new is None or written):
        earlier = "\n".join([compaction_marker(0, ()), *(f"- {row}" for row in rows if spoken_in(row))])
        messages = (Message("user", (TextPart(earlier),)), *messages)
    text, author, problems = request_summary(
        messages, CondenseCommands(summarizer), max_chars=_SUMMARY_CHARS, built_in=extractive_summary
    )
    notices += problems
    if author != BUILT_IN:
        return SessionSummary(clip(text, _SUMMARY_CHARS), is_extractive=False)
    extracted = "\n".join(line.removeprefix("- ") for line in text.split("\n"))
    return SessionSummary(f"{written}\n{extracted}" if written else extracted, is_extractive=not written)


def plan_episode(
    workspace: Workspace,
    session: SessionTranscript,
    summary: SessionSummary,
    now: datetime,
    today: date,
    reason: str,
) -> tuple[PurePosixPath | None, Plan]:
    """The path of a session's episode, and the plan that writes it, or replaces it where the session grew.

    A replaced episode keeps its path, and the keys of its frontmatter that are not of the summary. Others of
    the same session, from earlier versions, are removed; and all, where private turns leave no summary.
    """
    stored = session.stored_episodes(workspace)
    current = next((one for one in stored if session.is_covered_by(one)), None)
    if current is not None:
        return current.path, ()
    if session.private and not summary.text:
        return None, tuple(Remove(one.path, one.etag) for one in stored)
    head = {
        "session_id": session.name,
        "owner": session.owner,
        "ended_at": format_moment(now),
        "end": reason,
        "extractive": summary.is_extractive,
        "turn_count": session.turns,
        "primary_themes": session_themes(session.messages),
        "transcript": session.digest,
    }
    if stored:
        first = min(stored, key=lambda one: (one.day or date.min, len(one.path.name), one.path.name))
        earlier = [digest for one in stored for digest in (*one.header.earlier, one.header.transcript)]
        head["earlier"] = [*dict.fromkeys(filter(None, earlier))][-_MAX_EARLIER:]
        text = episode.render(episode.replaced(first.file, head, summary.text))
        others = (Remove(one.path, one.etag) for one in stored if one is not first)
        return first.path, (Replace(first.path, text, first.etag), *others)
    path = _unused_path(workspace, session.name, today)
    return path, (Create(path, episode.render(episode.create(head, summary.text))),)


def _digest(messages: Sequence[Message]) -> str:
    texts = [
        (message.role, [part.text for part in message.parts if isinstance(part, TextPart)])
        for message in messages
    ]
    return blake2b(repr(texts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


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
