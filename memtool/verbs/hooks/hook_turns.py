"""Hook events after a turn: import the transcript into the history and the daily notes; end the session."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta

from memtool.core.capture import exchange
from memtool.core.hooks.hook import CLAUDE, OPENCLAW, Answered, Ended
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.entry import Owner
from memtool.core.records.plan import Append, Create, Plan
from memtool.core.records.turn import Message, Text
from memtool.errors import BadUsage, Unreadable
from memtool.formats import daily_note
from memtool.layouts.seeds import seed_text
from memtool.store.external import foreign
from memtool.transcripts.foreign import Imported, Item, Origin
from memtool.verbs.facts.candidates import policy
from memtool.verbs.history.import_ import FORMATS, Importer, recognise
from memtool.verbs.hooks.desk import Desk, Reply
from memtool.verbs.sessions.session_end import session_end
from memtool.verbs.turns.replay import turns_of

_MAX_TRANSCRIPT_BYTES = 32_000_000
"""Bytes of a transcript that are read at every turn. Of a longer one of Claude Code only the end is read,
because its messages have ids; other agents' longer transcripts are left to `memtool import`."""
_INDEXED_BYTES = 12_000_000
"""Bytes that are indexed after a turn, so that the next prompt need not wait: some 20 seconds."""
_NOTE_AGE = timedelta(days=1)
"""Exchanges older than this are from before the hook was installed and get no note."""
_SIDE_CHARS = 20_000
"""Characters of a side of an exchange that are processed for its note."""
_RETRY = "the next hook of this session, or memtool import, brings it"


def kept(desk: Desk, reply: Reply, moment: Answered | Ended) -> None:
    """Import the transcript's new turns, and append their exchanges to the daily notes."""
    with reply.doing("history", _RETRY):
        agent, turns = _turns(desk, moment)
        if turns is None:
            if desk.told.transcript and isinstance(moment, Answered) and not moment.is_aside:
                reply.faults.append("the transcript that the agent names is not there; nothing was kept")
            return
        notes = _DailyNotes(desk, moment)
        importer = Importer(
            desk.workspace,
            desk.turns(),
            desk.now,
            group=desk.group,
            owner=desk.owner,
            more={} if notes.is_aside else desk.owners,  # a subagent's turns are not the user's
            redact=True,
            skipped=lambda *_: None,
            beside=notes.plan,
        )
        imported = importer.take(turns, desk.told.transcript, agent)
        reply.plans += imported.plans
    if desk.workspace.writes and isinstance(moment, Answered):  # the hook of a session's end has no time
        with reply.doing("index", "the next prompt goes without snippets"):
            desk.shelf(_INDEXED_BYTES, 0).freshen()


def ended(desk: Desk, reply: Reply) -> None:
    """End the session: promote supported candidates and write its episode."""
    session = desk.owners.get("session")
    if session is None or desk.group is not None or desk.acts_for_group:
        return  # groups have no candidates and episodes
    with reply.doing("session-end", "memtool session-end ends it"):
        result = session_end(
            desk.workspace,
            turns_of(desk.workspace, session),
            policy(desk.workspace.settings),
            owner=desk.owner or Owner("session", session),
            session=session,
            now=desk.now,
            today=desk.today,
            is_whole=True,
        )
        reply.plans.append(result.plan)


def source_of(desk: Desk) -> foreign.FileSource | foreign.EventsSource | None:
    """The transcript that the agent names; None where there is none.

    Raises Unreadable for what is no file, and for a transcript that is too large for a hook.
    """
    event = desk.told
    if not event.transcript.startswith("/") or not foreign.is_there(event.transcript):
        return None
    if event.agent == OPENCLAW:
        return foreign.opened(event.transcript, session=event.session or None)
    source = foreign.opened(event.transcript, most=_MAX_TRANSCRIPT_BYTES)
    if source.is_whole or event.agent == CLAUDE:
        return source
    raise Unreadable(f"{event.transcript} is larger than a hook reads")


def messages_of(desk: Desk, most: int) -> list[Message]:
    """The last messages of the transcript, up to `most` characters of text together. Raises Unreadable."""
    source = source_of(desk)
    last: deque[Message] = deque()
    room = most
    items = _read(source, recognise(source) or desk.told.agent) if source is not None else iter(())
    for message in (message for item in items if isinstance(item, Imported) for message in item.messages):
        last.append(message)
        room -= sum(map(len, _texts([message])))
        while room < 0 and last:
            room += sum(map(len, _texts([last.popleft()])))
    return [*last]


def _turns(desk: Desk, moment: Answered | Ended) -> tuple[str, Iterator[Item] | None]:
    """The agent of the transcript, and its turns; None where there is nothing to read."""
    event = desk.told
    source = source_of(desk)
    if source is not None:
        agent = recognise(source)
        if agent is None and not source.is_whole:
            agent = event.agent  # the lines that identify the format may precede the part that is read
        if agent is None:
            raise Unreadable(f"{event.transcript} is no transcript that memtool knows")
        return agent, _read(source, agent)
    if isinstance(moment, Answered) and moment.id and moment.prompts:
        return event.agent, iter([_notified_turn(desk, moment)])
    return event.agent, None


def _read(source: foreign.FileSource | foreign.EventsSource, agent: str) -> Iterator[Item]:
    """The items of a transcript, without the first turn if only the end is read: it may be cut."""
    items: Iterable[Item] = FORMATS[agent].read(source)
    is_complete = source.is_whole
    for item in items:
        if is_complete or not isinstance(item, Imported):
            yield item
        is_complete = is_complete or isinstance(item, Imported)


def _notified_turn(desk: Desk, moment: Answered) -> Imported:
    """The turn in an event of Codex's `notify`, which names no transcript."""
    messages = [Message("user", (Text(prompt),)) for prompt in moment.prompts if prompt.strip()]
    if moment.answer.strip():
        messages.append(Message("assistant", (Text(moment.answer, "final"),)))
    return Imported(Origin(desk.told.agent, desk.told.session, moment.id), desk.now, tuple(messages))


class _DailyNotes:
    """The blocks that new turns add to the daily notes."""

    def __init__(self, desk: Desk, moment: Answered | Ended) -> None:
        self._desk = desk
        self._answer = moment.answer if isinstance(moment, Answered) else ""
        self.is_aside = isinstance(moment, Answered) and moment.is_aside

    def plan(self, turns: Sequence[Imported]) -> Plan:
        """The plan that appends these turns to their notes, except subagents' turns and old ones."""
        desk, workspace = self._desk, self._desk.workspace
        texts: dict[date, str] = {}
        for number, turn in enumerate(turns, 1):
            at = (turn.at or desk.now).astimezone(desk.zone)
            if not self.is_aside and abs(desk.now - at) <= _NOTE_AGE:
                block = self._block(turn, at, is_last=number == len(turns))
                texts[at.date()] = texts.get(at.date(), "") + block
        plan: Plan = ()
        for day, text in texts.items():
            path = workspace.layout.path("daily-note", group=desk.group, day=day)
            if not text:
                continue
            if workspace.disk.stat(path) is None:
                plan += (Create(path, seed_text(workspace.layout, "daily-note", day=day) + text),)
            else:
                plan += (Append(path, text),)
        return plan

    def _block(self, turn: Imported, at: datetime, *, is_last: bool) -> str:
        """The block of one exchange: the user's text and the agent's last; empty where both are."""
        user = "\n\n".join(_texts(message for message in turn.messages if message.role == "user"))
        replies = _texts(message for message in turn.messages if message.role == "assistant")
        agent = self._answer if is_last and self._answer.strip() else (replies[-1] if replies else "")
        clip = self._desk.workspace.settings["daily.clip"]
        limit = max(_SIDE_CHARS, 2 * clip)  # text that is clipped anyway need not be processed
        try:
            entry = exchange.exchange(
                without_recalled(user[:limit]),
                without_recalled(agent[:limit]),
                at.time().replace(microsecond=0),
                self._desk.owner,
                limit=clip,
            )
        except BadUsage:
            return ""
        return daily_note.block(entry)


def _texts(messages: Iterable[Message]) -> list[str]:
    return [part.text for message in messages for part in message.parts if isinstance(part, Text)]
