"""hook turns: what was said goes from an agent's transcript to the history and the day's note, each once."""

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

_WHOLE = 32_000_000
"""Bytes of a transcript that are read at every turn. Of a longer one of Claude Code's its end is, whose
messages have ids of their own; others are left to `memtool import`."""
_INDEXED = 12_000_000
"""Bytes that are indexed after a turn, so that the next prompt need not wait: some 20 seconds."""
_TODAY = timedelta(days=1)
"""Exchanges older than this are of a conversation that began before there was a hook: history, not news."""
_SIDE = 20_000
"""Characters of a side of an exchange that are looked at for its note."""
_LATER = "the next hook of this session, or memtool import, brings it"


def kept(desk: Desk, reply: Reply, moment: Answered | Ended) -> None:
    """Import what the transcript has to say that is new, its exchanges into the notes of their days."""
    with reply.doing("history", _LATER):
        agent, turns = _turns(desk, moment)
        if turns is None:
            if desk.told.transcript and isinstance(moment, Answered) and not moment.is_aside:
                reply.faults.append("the transcript that the agent names is not there; nothing was kept")
            return
        notes = _Notes(desk, moment)
        importer = Importer(
            desk.workspace,
            desk.turns(),
            desk.now,
            group=desk.group,
            owner=desk.owner,
            more={} if notes.is_aside else desk.owners,  # whom a helper serves says nothing about the user
            redact=True,
            skipped=lambda *_: None,
            beside=notes.plan,
        )
        done = importer.take(turns, desk.told.transcript, agent)
        reply.plans += done.plans
    if desk.workspace.writes and isinstance(moment, Answered):  # a session's end has no time for it
        with reply.doing("index", "the next prompt goes without snippets"):
            desk.shelf(_INDEXED, 0).freshen()


def ended(desk: Desk, reply: Reply) -> None:
    """End the session: what is held and borne out becomes memory, and its arc is put down."""
    session = desk.owners.get("session")
    if session is None or desk.group is not None or desk.acts_for_group:
        return  # candidates and arcs are the workspace's own
    with reply.doing("session-end", "memtool session-end ends it"):
        done = session_end(
            desk.workspace,
            turns_of(desk.workspace, session),
            policy(desk.workspace.settings),
            owner=desk.owner or Owner("session", session),
            session=session,
            now=desk.now,
            today=desk.today,
            is_whole=True,
        )
        reply.plans.append(done.plan)


def source_of(desk: Desk) -> foreign.FileSource | foreign.EventsSource | None:
    """The transcript that the agent names; None where there is none, or none that a hook reads whole.

    Raises Unreadable for what is no file.
    """
    told = desk.told
    if not told.transcript.startswith("/") or not foreign.is_there(told.transcript):
        return None
    if told.agent == OPENCLAW:
        return foreign.opened(told.transcript, session=told.session or None)
    source = foreign.opened(told.transcript, most=_WHOLE)
    if source.is_whole or told.agent == CLAUDE:
        return source
    raise Unreadable(f"{told.transcript} is larger than a hook reads")


def messages_of(desk: Desk, most: int) -> list[Message]:
    """The last messages of the transcript, with `most` characters of text together. Raises Unreadable."""
    source = source_of(desk)
    found: deque[Message] = deque()
    room = most
    items = _read(source, recognise(source) or desk.told.agent) if source is not None else iter(())
    for message in (one for item in items if isinstance(item, Imported) for one in item.messages):
        found.append(message)
        room -= sum(map(len, _texts([message])))
        while room < 0 and found:
            room += sum(map(len, _texts([found.popleft()])))
    return [*found]


def _turns(desk: Desk, moment: Answered | Ended) -> tuple[str, Iterator[Item] | None]:
    """The agent whose turns they are, and the turns; None where there is nothing to read."""
    told = desk.told
    source = source_of(desk)
    if source is not None:
        agent = recognise(source)
        if agent is None and not source.is_whole:
            agent = told.agent  # what tells formats apart may stand before the part that is read
        if agent is None:
            raise Unreadable(f"{told.transcript} is no transcript that memtool knows")
        return agent, _read(source, agent)
    if isinstance(moment, Answered) and moment.id and moment.prompts:
        return told.agent, iter([_notified(desk, moment)])
    return told.agent, None


def _read(source: foreign.FileSource | foreign.EventsSource, agent: str) -> Iterator[Item]:
    """The items of a transcript; of one that is not read from its beginning, the first turn may be cut."""
    items: Iterable[Item] = FORMATS[agent].read(source)
    is_sure = source.is_whole
    for one in items:
        if is_sure or not isinstance(one, Imported):
            yield one
        is_sure = is_sure or isinstance(one, Imported)


def _notified(desk: Desk, moment: Answered) -> Imported:
    """The turn that Codex's `notify` tells, whose transcript is nowhere to be found."""
    said = [Message("user", (Text(one),)) for one in moment.prompts if one.strip()]
    if moment.answer.strip():
        said.append(Message("assistant", (Text(moment.answer, "final"),)))
    return Imported(Origin(desk.told.agent, desk.told.session, moment.id), desk.now, tuple(said))


class _Notes:
    """The exchanges of turns that are new, as blocks of the notes of their days."""

    def __init__(self, desk: Desk, moment: Answered | Ended) -> None:
        self._desk = desk
        self._answer = moment.answer if isinstance(moment, Answered) else ""
        self.is_aside = isinstance(moment, Answered) and moment.is_aside

    def plan(self, turns: Sequence[Imported]) -> Plan:
        """What is appended for these turns; nothing for those of helpers and of long ago."""
        desk, workspace = self._desk, self._desk.workspace
        texts: dict[date, str] = {}
        for number, turn in enumerate(turns, 1):
            at = (turn.at or desk.now).astimezone(desk.zone)
            if not self.is_aside and abs(desk.now - at) <= _TODAY:
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
        """One exchange: what the user said, and the last that the agent did; empty where both are silent."""
        user = "\n\n".join(_texts(one for one in turn.messages if one.role == "user"))
        said = [text for one in turn.messages if one.role == "assistant" for text in _texts([one])]
        agent = self._answer if is_last and self._answer.strip() else (said[-1] if said else "")
        most = self._desk.workspace.settings["daily.clip"]
        far = max(_SIDE, 2 * most)  # what is clipped anyway is not gone through first
        try:
            entry = exchange.exchange(
                without_recalled(user[:far]),
                without_recalled(agent[:far]),
                at.time().replace(microsecond=0),
                self._desk.owner,
                limit=most,
            )
        except BadUsage:
            return ""
        return daily_note.block(entry)


def _texts(messages: Iterable[Message]) -> list[str]:
    return [part.text for one in messages for part in one.parts if isinstance(part, Text)]
