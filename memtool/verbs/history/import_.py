"""import: foreign transcripts become turns; what was imported before is not imported again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from types import ModuleType

from msgspec import Struct, field

from memtool.core.records.entry import Fact, Owner
from memtool.core.records.plan import Change, Plan, Replace
from memtool.core.records.turn import Message, Turn
from memtool.core.secrets import redact as secrets
from memtool.formats import turn as turn_format
from memtool.store.external.foreign import Opened
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.transcripts import anthropic, chatgpt, claude_ai, claude_code, codex, openai, openclaw
from memtool.transcripts.foreign import Fact as ForeignFact
from memtool.transcripts.foreign import Imported, Item, Skipped
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.memory.remember import remember
from memtool.verbs.turns.append_turn import Draft, plan_turns, redacted
from memtool.verbs.turns.history import raised, seq_of
from memtool.verbs.turns.turn_file import Current, read_turn

FORMATS: dict[str, ModuleType] = {
    module.NAME: module for module in (claude_code, codex, openclaw, chatgpt, claude_ai, anthropic, openai)
}
"""Every agent's format; a file is taken for the first that recognises it."""
_BATCH = 200
"""Turns written under one lock."""
_FACT = "remember"


class Sum(Struct):
    """What came of one file: turns that are new, had grown, were known; facts put down; lines skipped."""

    name: str
    agent: str
    imported: int = 0
    grown: int = 0
    known: int = 0
    facts: int = 0
    skipped: int = 0
    plans: list[Plan] = field(default_factory=list)

    @property
    def found(self) -> int:
        """How many turns and facts the file holds."""
        return self.imported + self.grown + self.known + self.facts


def recognise(source: Opened) -> str | None:
    """The agent whose transcript a file is; None for none that we know."""
    return next((name for name, module in FORMATS.items() if module.recognises(source)), None)


class Importer:
    """One run over any number of files. `more` are further keys of each turn's record.

    `skipped` is told of each line that was passed by: the file, its number or 0, and why. `redact` replaces
    secrets on the way in. `beside` says what is written with turns that are new, before them.
    """

    def __init__(
        self,
        workspace: Workspace,
        shelf: TurnSync,
        now: datetime,
        *,
        group: str | None = None,
        owner: Owner | None = None,
        more: Mapping[str, str] | None = None,
        redact: bool = False,
        skipped: Callable[[str, int, str], None],
        beside: Callable[[Sequence[Imported]], Plan] = lambda _: (),
    ) -> None:
        self._workspace = workspace
        self._shelf = shelf
        self._now = now
        self._group = group
        self._owner = owner
        self._more = more or {}
        self._redact = redact
        self._skipped = skipped
        self._beside = beside
        self._seen: set[str] = set()
        self._written = 0

    def read(self, source: Opened, agent: str) -> Sum:
        """Import one file: batch by batch, each under the lock and written whole.

        A turn that was imported before is known by its origin; the last one of a conversation that has grown
        since is made whole. Raises Locked, Unreadable, Unwritable.
        """
        return self.take(FORMATS[agent].read(source), source.name, agent)

    def take(self, items: Iterator[Item], name: str, agent: str) -> Sum:
        """Import what was read of a file of that name, in the same way."""
        done = Sum(name, agent)
        facts: list[Fact] = []
        self._shelf.freshen()  # a first index takes its time; under the lock nobody shall wait for it
        self._shelf.rest()
        turns = self._turns(items, done, facts)
        while batch := [*itertools.islice(turns, _BATCH)]:
            self._write(batch, done)
        if facts:
            with self._workspace.lock():
                plan, said = remember(self._workspace, facts)
                self._workspace.commit(plan)
            done.facts = said.count(False)
            done.known += said.count(True)
            done.plans.append(plan)
        return done

    def _turns(self, items: Iterator[Item], done: Sum, facts: list[Fact]) -> Iterator[Imported]:
        for item in items:
            match item:
                case Skipped():
                    done.skipped += 1
                    self._skipped(done.name, item.line, item.why)
                case ForeignFact(text):
                    facts.append(Fact(_FACT, secrets.redact(text), self._owner))
                case Imported() if not self._workspace.writes:  # nothing will be found in the history
                    if item.origin.key not in self._seen:
                        self._seen.add(item.origin.key)
                        yield item
                case Imported():
                    yield item

    def _write(self, batch: Sequence[Imported], done: Sum) -> None:
        workspace = self._workspace
        with workspace.lock():
            known = self._shelf.origins([one.origin.key for one in batch])
            fresh: dict[str, Imported] = {}
            for one in batch:  # of the same turn twice, the one that says more
                if one.origin.key not in known and len(one.messages) >= len(
                    _messages(fresh.get(one.origin.key))
                ):
                    fresh[one.origin.key] = one
            new = [*fresh.values()]
            ending = {one.origin.session: one for one in batch if one.origin.key in known}
            grown = [
                change
                for one in ending.values()
                if (change := self._grown(PurePosixPath(known[one.origin.key]), self._messages(one)))
            ]
            drafts = [Draft(one.at or self._now, self._messages(one), self._about(one)) for one in new]
            _, plan = plan_turns(workspace, drafts, self._now, group=self._group, after=self._written)
            if known and not plan:  # a run before this one may have stopped between the turns and the head
                highest = max(seq_of(PurePosixPath(path).name) or 0 for path in known.values())
                plan = raised(workspace, self._group, highest, self._now)
            plan = (*grown, *self._beside(new), *plan)
            workspace.commit(plan)
        if not workspace.writes:
            self._written += len(drafts)  # so that a dry run counts on
        done.imported += len(new)
        done.grown += len(grown)
        done.known += len(batch) - len(new) - len(grown)
        done.plans = [plan] if workspace.writes else [*done.plans, plan]

    def _messages(self, one: Imported) -> tuple[Message, ...]:
        return redacted(one.messages) if self._redact else one.messages

    def _about(self, one: Imported) -> dict[str, object]:
        origin = one.origin
        return {**self._more, "source": {"agent": origin.agent, "session": origin.session, "id": origin.id}}

    def _grown(self, path: PurePosixPath, messages: tuple[Message, ...]) -> Change | None:
        """The change that makes a turn whole, if what is there is its beginning."""
        content = self._workspace.disk.read_bytes(path)
        match read_turn(content) if content else None:
            case Current(turn) if len(turn.messages) <= len(messages) and _begins(turn.messages, messages):
                if turn.messages == messages:
                    return None
                whole = Turn(turn.id, turn.seq, turn.created_at, messages, turn.more)
                return Replace(path, turn_format.render(whole), etag_of(content or b""))
            case _:
                return None


def _messages(one: Imported | None) -> tuple[Message, ...]:
    return one.messages if one else ()


def _begins(there: tuple[Message, ...], now: tuple[Message, ...]) -> bool:
    """Whether messages are the beginning of others; the last of them may itself have had more to say."""
    if not there:
        return True
    *whole, last = there
    same = all(a == b for a, b in zip(whole, now, strict=False))
    following = now[len(whole)]
    return same and last.role == following.role and following.parts[: len(last.parts)] == last.parts
