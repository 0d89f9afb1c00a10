"""Hook events after a turn: import the transcript into the history and the daily notes; end the session."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.digest import blake2b
from memtool.core.hooks.hook_event import (
    CLAUDE,
    OPENCLAW,
    OPENCODE,
    QWEN,
    BootstrapFilesCollected,
    SessionEnded,
    TurnEnded,
)
from memtool.core.records.entries import Owner
from memtool.core.records.turn import Message, TextPart
from memtool.errors import UnreadableFile
from memtool.store.external import transcript_files
from memtool.transcripts.transcript import ImportedTurn, TranscriptItem, TurnOrigin
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.history.import_ import TRANSCRIPT_FORMATS, TranscriptImporter, recognise_transcript
from memtool.verbs.hooks.hook_call import HookCall, HookOutcome
from memtool.verbs.hooks.hook_context import record_new_standing, record_statements, standing_statements
from memtool.verbs.hooks.hook_failures import learn_from_turns
from memtool.verbs.hooks.pending_prompts import PendingPrompts
from memtool.verbs.hooks.read_positions import record_reading, resume_reading
from memtool.verbs.hooks.turn_notes import NOTE_AGE, DailyNotes, message_texts
from memtool.verbs.sessions.running import forget_running
from memtool.verbs.sessions.session_end import session_end
from memtool.verbs.sessions.session_rotation import rotate_session_state
from memtool.verbs.turns.replay import session_messages

_MAX_TRANSCRIPT_BYTES = 32_000_000
"""Bytes of a transcript that are read at every turn. Of a longer one of Claude Code or Qwen Code only the end
is read, because its messages have ids; other agents' longer transcripts are left to `memtool import`."""
_INDEXED_BYTES = 12_000_000
"""Bytes that are indexed after a turn, so that the next prompt need not wait: some 20 seconds."""
_RETRY = "the next hook of this session, or memtool import, will add the turn to the history"


EndOfTurns = TurnEnded | SessionEnded | BootstrapFilesCollected
"""The events after which turns are imported: of OpenClaw, the next prompt is the end of a turn."""


def import_turns(call: HookCall, reply: HookOutcome, kind: EndOfTurns) -> None:
    """Import the transcript's new turns, and append their exchanges to the daily notes.

    Where the transcript cannot be read, or lacks the turn because it is written late, the turn is what the
    hooks were given: the prompt and the answer. What the user said in turns of OpenClaw is scanned, unless it
    was when it was received.
    """
    pending = PendingPrompts(call.workspace, call.record_owners.get("session", ""), call.now)
    notes = DailyNotes(call, kind)
    with reply.step("history", _RETRY):
        try:
            transcript = _open_turns(call, kind)
        except UnreadableFile as error:
            transcript = _given_turn(call, kind, pending)
            if transcript is None:
                raise
            reply.errors.append(f"history: {error}; the turn is taken from the hook's input instead")
        if transcript is None:
            transcript = _given_turn(call, kind, pending)
        if transcript is None:
            _report_nothing(call, reply, kind)
            return
        if transcript.is_given and pending.is_private:
            notes.leave_out_answer()
        importer = TranscriptImporter(
            call.workspace,
            call.turn_index(),
            call.now,
            group=call.group,
            owner=call.owner,
            more={  # a subagent's turns are not of the user's session
                kind: name
                for kind, name in call.record_owners.items()
                if kind == "user" or not notes.is_aside
            },
            skipped=lambda *_: None,
            beside=lambda turns: (*notes.plan(turns), *learn_from_turns(call, notes.recent_messages(turns))),
        )
        turns = transcript.turns
        if not (transcript.is_given or notes.is_aside):
            turns = _without_recorded(turns, pending)
        if call.event.agent == OPENCLAW and not transcript.is_given:
            # before the import: what it stores is not new any more when a hook that was ended is repeated
            items = [*turns]
            _scan_turns(call, reply, importer.new_turns(items), pending)
            if reply.missed is not None:
                return
            turns = iter(items)
        last: list[ImportedTurn] = []
        imported = importer.import_items(
            _noting_last(turns, last),
            call.event.transcript,
            transcript.agent,
        )
        reply.plans += imported.plans
        has_none = transcript.source is not None and not any(imported.plans)
        late = _late_turn(call, kind, pending, last) if has_none else None
        is_given = transcript.is_given or late is not None
        if late is not None:
            if pending.is_private:
                notes.leave_out_answer()
            imported = importer.import_items(late.turns, call.event.transcript, late.agent)
            reply.plans += imported.plans
        if not any(imported.plans) and not is_given:
            reply.without_turn = "the transcript contains no new turn"
        if transcript.source is not None:
            record_reading(call.workspace, transcript.source, last[0].origin if last else None)
        if not notes.is_aside and (call.event.agent != OPENCLAW or isinstance(kind, SessionEnded)):
            answer = kind.answer if isinstance(kind, TurnEnded) else ""
            pending.end_turn(is_recorded=is_given, answer=answer)
    with reply.step("record", "later prompts may repeat text that the agent already has"):
        if not notes.is_aside:
            record_statements(call, notes.texts)
    has_time = isinstance(kind, TurnEnded) and not call.was_queued  # the hook of a session's end has none
    if call.workspace.writes and has_time:
        _update_index(call, reply)


def _update_index(call: HookCall, reply: HookOutcome) -> None:
    with reply.step("index", "the next prompt may get no search results"):
        documents = call.document_index(_INDEXED_BYTES, 0)
        documents.update()
        reply.is_behind = documents.is_behind


def _report_nothing(call: HookCall, reply: HookOutcome, kind: EndOfTurns) -> None:
    """Report that the end of a turn brought neither a transcript nor a message."""
    if not isinstance(kind, TurnEnded) or kind.is_subagent:
        return
    if call.event.transcript:
        reply.errors.append("the transcript file that the agent named does not exist; no turn was stored")
    else:
        reply.without_turn = "the input contains neither a transcript nor a message"


def end_session(call: HookCall, reply: HookOutcome) -> None:
    """End the session: promote supported candidates, write its episode, and archive its session state."""
    session = call.record_owners.get("session")
    if session is None:
        return
    forget_running(call.workspace, session, call.owner)
    if call.group is not None:  # groups have no candidates and episodes
        with reply.step("session-end", "this session's entries in the session state were not archived"):
            plan = rotate_session_state(call.workspace, call.owner, session, call.now, group=call.group)
            reply.plans.append(plan)
    if call.group is not None or call.acts_for_group:
        return
    remedy = f"end the session with memtool session-end --session {session}"
    with reply.step("session-end", remedy, records=True):
        before = standing_statements(call)
        result = session_end(
            call.workspace,
            session_messages(call.workspace, session, call.owner),
            load_policy(call.workspace.settings),
            owner=call.owner or Owner("session", session),
            session=session,
            now=call.now,
            today=call.today,
            is_whole=True,
        )
        reply.plans.append(result.plan)
        if result.plan:
            record_new_standing(call, before)  # for when the session goes on


def open_transcript(
    call: HookCall,
) -> transcript_files.OpenedTranscript | None:
    """The transcript that the agent names; None where there is none.

    Raises UnreadableFile for what is no file, and for a transcript that is too large for a hook.
    """
    event = call.event
    if not event.transcript.startswith("/") or not transcript_files.path_exists(event.transcript):
        return None
    if event.agent in {OPENCLAW, OPENCODE}:  # whose database has all sessions
        return transcript_files.open_transcript(event.transcript, session=event.session or None)
    source = transcript_files.open_transcript(event.transcript, max_bytes=_MAX_TRANSCRIPT_BYTES)
    if source.is_complete or event.agent in {CLAUDE, QWEN}:
        return source
    raise UnreadableFile(f"{event.transcript} is too large to be read by a hook")


def last_messages(call: HookCall, max_chars: int) -> list[Message]:
    """The last messages of the transcript, up to `max_chars` characters of text together.

    Raises UnreadableFile.
    """
    source = open_transcript(call)
    last: deque[Message] = deque()
    room = max_chars
    items = (
        _read(source, recognise_transcript(source) or call.event.agent) if source is not None else iter(())
    )
    for message in (message for item in items if isinstance(item, ImportedTurn) for message in item.messages):
        last.append(message)
        room -= sum(map(len, message_texts([message])))
        while room < 0 and last:
            room += sum(map(len, message_texts([last.popleft()])))
    return [*last]


class _Transcript(Struct, frozen=True):
    """The turns that a hook brings, with their agent; and the transcript that they are read from, if any."""

    agent: str
    turns: Iterator[TranscriptItem]
    source: transcript_files.OpenedTranscript | None = None
    is_given: bool = False
    """Whether the turn is what the hooks were given."""


def _open_turns(call: HookCall, kind: EndOfTurns) -> _Transcript | None:
    """The turns that are not known to be imported; None where there is nothing to read.

    Raises UnreadableFile.
    """
    event = call.event
    source = open_transcript(call)
    if source is not None:
        agent = recognise_transcript(source)
        if agent is None and not source.is_complete:
            agent = event.agent  # the lines that identify the format may precede the part that is read
        if agent is None and isinstance(kind, BootstrapFilesCollected):
            return None  # the first prompt of a session precedes its entries
        if agent is None:
            raise UnreadableFile(f"{event.transcript} is not in a known transcript format")
        resume_reading(call.workspace, source, agent)
        return _Transcript(agent, _read(source, agent), source)
    if isinstance(kind, TurnEnded) and kind.id and kind.prompts:
        return _Transcript(event.agent, iter([_notified_turn(call, kind)]))
    return None


def _read(source: transcript_files.OpenedTranscript, agent: str) -> Iterator[TranscriptItem]:
    """The items of a transcript, without the first turn if only the end is read: it may be cut."""
    items: Iterable[TranscriptItem] = TRANSCRIPT_FORMATS[agent].read(source)
    is_complete = source.is_complete
    for item in items:
        if is_complete or not isinstance(item, ImportedTurn):
            yield item
        is_complete = is_complete or isinstance(item, ImportedTurn)


def _given_turn(call: HookCall, kind: EndOfTurns, pending: PendingPrompts) -> _Transcript | None:
    """The turn of the prompts that the hooks were given and the answer; None where they were given none.

    Without the answer to what the user asks not to keep: it may repeat that.
    """
    answer = kind.answer if isinstance(kind, TurnEnded) and not kind.is_subagent else ""
    is_aside = isinstance(kind, TurnEnded) and kind.is_subagent
    is_begun = isinstance(kind, BootstrapFilesCollected)
    if is_aside or is_begun or not (pending.prompts or answer.strip()):
        return None
    prompts = tuple(prompt.text for prompt in pending.prompts)
    told = TurnEnded("" if pending.is_private else answer, prompts=prompts, id=call.event_id)
    turn = _notified_turn(call, told)
    return _Transcript(call.event.agent, iter([turn] if turn.messages else []), is_given=True)


def _late_turn(
    call: HookCall, kind: EndOfTurns, pending: PendingPrompts, last: Sequence[ImportedTurn]
) -> _Transcript | None:
    """The turn that the hooks were given, if the last turn of the transcript is not that one; else None."""
    is_whole = isinstance(kind, TurnEnded) and bool(kind.answer.strip()) and bool(pending.prompts)
    return _given_turn(call, kind, pending) if is_whole and not pending.are_in(_said(last)) else None


def _without_recorded(items: Iterable[TranscriptItem], pending: PendingPrompts) -> Iterator[TranscriptItem]:
    """The items of a transcript, without turns that were recorded before it could be read."""
    for item in items:
        if isinstance(item, ImportedTurn):
            said = _said([item])
            replies = [message_texts([message]) for message in item.messages if message.role == "assistant"]
            answers = [text for texts in replies for text in (*texts, "\n".join(texts)) if text.strip()]
            if said and pending.is_recorded(item.origin.key, "\n".join(said), answers):
                continue
        yield item


def _scan_turns(
    call: HookCall, reply: HookOutcome, turns: Sequence[ImportedTurn], pending: PendingPrompts
) -> None:
    """Scan what the user said in new turns, each as an event of its own; not what was scanned on its arrival.

    Of turns that are older than a note may be, only the last is scanned, which ended before this prompt.
    OpenClaw puts the time and the sender before what arrived.
    """
    from memtool.verbs.hooks.hook import record_prompt

    for number, turn in enumerate(turns, 1):
        at = (turn.at or call.now).astimezone(call.zone)
        if abs(call.now - at) > NOTE_AGE and number < len(turns):
            continue
        for text in message_texts(message for message in turn.messages if message.role == "user"):
            if not pending.take_from(text):
                key = f"{turn.origin.key}\n{text}".encode("utf-8", "surrogatepass")
                event_id = blake2b(key, digest_size=16).hexdigest()
                record_prompt(replace(call, event_id=event_id, now=at, was_queued=True), reply, text)


def _noting_last(items: Iterable[TranscriptItem], last: list[ImportedTurn]) -> Iterator[TranscriptItem]:
    """The items; the last turn among them is put into `last`."""
    for item in items:
        if isinstance(item, ImportedTurn):
            last[:] = [item]
        yield item


def _notified_turn(call: HookCall, kind: TurnEnded) -> ImportedTurn:
    """The turn in an event of Codex's `notify`, which names no transcript."""
    messages = [Message("user", (TextPart(prompt),)) for prompt in kind.prompts if prompt.strip()]
    if kind.answer.strip():
        messages.append(Message("assistant", (TextPart(kind.answer, "final"),)))
    return ImportedTurn(TurnOrigin(call.event.agent, call.event.session, kind.id), call.now, tuple(messages))


def _said(turns: Iterable[ImportedTurn]) -> list[str]:
    """The texts of the user in these turns."""
    return message_texts(message for turn in turns for message in turn.messages if message.role == "user")
