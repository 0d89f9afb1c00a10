"""The daily notes of the turns that a hook imports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from memtool.core.capture import exchange
from memtool.core.hooks.hook_event import BootstrapFilesCollected, SessionEnded, TurnEnded
from memtool.core.privacy.private_requests import NOT_KEPT, is_private_request
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.plan import Append, Create, Plan
from memtool.core.records.turn import Message, TextPart
from memtool.errors import BadUsage
from memtool.formats import daily_note
from memtool.layouts.seeds import seed_text
from memtool.transcripts.transcript import ImportedTurn
from memtool.verbs.hooks.hook_call import HookCall
from memtool.verbs.memory_files.forgotten import is_forgotten

NOTE_AGE = timedelta(days=1)
"""Exchanges older than this are from before the hook was installed: they get no note and are not scanned."""
SIDE_CHARS = 20_000
"""Characters of a side of an exchange that are processed for its note."""


class DailyNotes:
    """The blocks that new turns add to the daily notes."""

    def __init__(self, call: HookCall, kind: TurnEnded | SessionEnded | BootstrapFilesCollected) -> None:
        self._hook_call = call
        self._answer = kind.answer if isinstance(kind, TurnEnded) else ""
        self.is_aside = isinstance(kind, TurnEnded) and kind.is_subagent
        self.texts = [self._answer]
        """What was said in the turns that are new."""

    def leave_out_answer(self) -> None:
        """Have no answer but those in the turns."""
        self._answer, self.texts[0] = "", ""

    def plan(self, turns: Sequence[ImportedTurn]) -> Plan:
        """The plan that appends these turns to their notes, except subagents' turns and old ones."""
        said = (message for turn in turns for message in turn.messages if message.role != "tool")
        self.texts += [text[:SIDE_CHARS] for text in message_texts(said)]
        hook_call, workspace = self._hook_call, self._hook_call.workspace
        texts: dict[date, str] = {}
        for number, turn in enumerate(turns, 1):
            at = (turn.at or hook_call.now).astimezone(hook_call.zone)
            if not self.is_aside and abs(hook_call.now - at) <= NOTE_AGE:
                block = self._block(turn, at, is_last=number == len(turns))
                texts[at.date()] = texts.get(at.date(), "") + block
        plan: Plan = ()
        for day, text in texts.items():
            path = workspace.layout.path("daily-note", group=hook_call.group, day=day)
            if not text:
                continue
            if workspace.disk.stat(path) is None:
                plan += (Create(path, seed_text(workspace.layout, "daily-note", day=day) + text),)
            else:
                plan += (Append(path, text),)
        return plan

    def recent_messages(self, turns: Sequence[ImportedTurn]) -> list[tuple[Message, ...]]:
        """The messages of each turn that is not older than a note may be."""
        now = self._hook_call.now
        return [turn.messages for turn in turns if abs(now - (turn.at or now)) <= NOTE_AGE]

    def _block(self, turn: ImportedTurn, at: datetime, *, is_last: bool) -> str:
        """The block of one exchange: the user's text and the agent's last; empty where both are."""
        user = "\n\n".join(message_texts(message for message in turn.messages if message.role == "user"))
        replies = message_texts(message for message in turn.messages if message.role == "assistant")
        agent = replies[-1] if replies else ""
        is_private = NOT_KEPT in user or is_private_request(user)  # the reply of the turn is cut, too
        if is_last and self._answer.strip() and not is_private:
            agent = "" if self._is_forgotten(self._answer) else self._answer
        clip = self._hook_call.workspace.settings["daily.clip"]
        limit = max(SIDE_CHARS, 2 * clip)  # text that is clipped anyway need not be processed
        try:
            entry = exchange.build_exchange(
                without_recalled(user[:limit]),
                without_recalled(agent[:limit]),
                at.time().replace(microsecond=0),
                self._hook_call.owner,
                limit=clip,
            )
        except BadUsage:
            return ""
        return daily_note.render_block(entry)

    def _is_forgotten(self, answer: str) -> bool:
        return is_forgotten(self._hook_call.workspace, answer, self._hook_call.owner)


def message_texts(messages: Iterable[Message]) -> list[str]:
    """The texts of these messages."""
    return [part.text for message in messages for part in message.parts if isinstance(part, TextPart)]
