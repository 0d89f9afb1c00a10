"""hook compact: facts are flushed before an agent compacts its conversation, its summary is kept after."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from memtool.core.compaction.compact import request_id
from memtool.core.compaction.recover import newest_lines
from memtool.core.compaction.summary import safe, summary
from memtool.core.hooks.hook import CLAUDE, CODEX
from memtool.core.privacy.private import kept
from memtool.core.records.turn import Message
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.verbs.capture.scan import triggers_of
from memtool.verbs.compaction.compact import store
from memtool.verbs.compaction.condense import Condensed, Helpers, facts_of
from memtool.verbs.context.visible import visible
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.hooks.desk import Desk, Reply
from memtool.verbs.hooks.hook_turns import messages_of, source_of

_READ = 400_000
"""Characters of a conversation, from its end, that facts are looked for in."""
_SECONDS = 12.0
"""Seconds that the user's own extractor may take: the agent waits."""
_KEEP = """\
Keep in the summary, in their exact words: what the user asked for and how it should be done, decisions and
why, names, numbers, dates, paths, commands and errors, and what is still open.
"""


def compacting(desk: Desk, reply: Reply) -> None:
    """Flush the facts of what the user said, and say what of the conversation must survive."""
    messages: Sequence[Message] = ()
    with reply.doing("transcript", "its facts are looked for when it is imported"):
        messages = messages_of(desk, _READ)
    with reply.doing("flush", "the facts stay in the transcript"):
        helpers = Helpers(extractor=_extractor(desk))
        triggers = triggers_of(desk.workspace.settings)
        facts = facts_of(kept(messages), desk.now, desk.owner, triggers, helpers)
        reply.faults += facts.notices
        plan, _ = store(
            desk.workspace,
            facts,
            None,
            0,
            reply.faults,
            now=desk.now,
            today=desk.today,
            group=desk.group,
        )
        reply.plans.append(plan)
    if desk.told.agent == CLAUDE:
        with reply.doing("what to keep", "the compaction goes by its own instructions"):
            reply.text = _to_keep(desk, messages)


def compacted(desk: Desk, reply: Reply, text: str) -> None:
    """Keep the summary that an agent made, where compactions of memtool's own keep theirs; each once."""
    with reply.doing("summary", "it stays in the transcript"):
        said = safe(text or _in_transcript(desk))
        if not said:
            return
        request = request_id([desk.told.agent, desk.told.session, said])
        told = Condensed((), desk.told.agent, said, desk.told.agent)
        plan, _ = store(
            desk.workspace,
            told,
            request,
            desk.told.agent,
            reply.faults,
            now=desk.now,
            today=desk.today,
            group=desk.group,
        )
        reply.plans.append(plan)


def _extractor(desk: Desk) -> Delegate | None:
    found = desk.extractor()
    return None if found is None else replace(found, seconds=min(found.seconds, _SECONDS))


def _in_transcript(desk: Desk) -> str:
    """The newest summary in a transcript of Codex's, which does not hand it over."""
    source = source_of(desk) if desk.told.agent == CODEX else None
    if source is None:
        return ""
    from memtool.transcripts.codex import compacted_as

    return compacted_as(source)


def _to_keep(desk: Desk, messages: Sequence[Message]) -> str:
    """What is added to the instructions of a compaction: a sentence, the log of the session, key points."""
    quarter = desk.budget // 4
    entries = newest_lines("\n".join(_entries(desk)), quarter)
    points = summary(messages, quarter) if messages else ""
    parts = [_KEEP]
    parts += [f"On record in memory:\n{entries}\n"] if entries else []
    parts += [f"Said in this conversation:\n{points}\n"] if points else []
    return redact(clean("\n".join(parts)))


def _entries(desk: Desk) -> list[str]:
    """The entries of the session state that are for whom the conversation is with."""
    if not desk.workspace.has("session-state"):
        return []
    document = desk.workspace.read(desk.workspace.layout.path("session-state", group=desk.group))
    text = visible(document.text, "session-state", desk.mine) if document else ""
    return [row for row in text.split("\n") if row.startswith("- ")]
