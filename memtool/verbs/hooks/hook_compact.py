"""Hook events of a compaction: flush facts before it, store the agent's summary after it."""

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

_READ_CHARS = 400_000
"""Characters from the end of a conversation from which facts are extracted."""
_EXTRACTOR_SECONDS = 12.0
"""Time limit of the user's extractor command; the agent waits for it."""
_INSTRUCTIONS = """\
Keep in the summary, in their exact words: what the user asked for and how it should be done, decisions and
why, names, numbers, dates, paths, commands and errors, and what is still open.
"""


def compacting(desk: Desk, reply: Reply) -> None:
    """Flush the conversation's facts, and return instructions on what the summary must keep."""
    messages: Sequence[Message] = ()
    with reply.doing("transcript", "its facts are looked for when it is imported"):
        messages = messages_of(desk, _READ_CHARS)
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
            reply.text = _instructions(desk, messages)


def compacted(desk: Desk, reply: Reply, text: str) -> None:
    """Store an agent's summary where memtool's own compactions store theirs, once."""
    with reply.doing("summary", "it stays in the transcript"):
        summary_text = safe(text or _summary_in_transcript(desk))
        if not summary_text:
            return
        request = request_id([desk.told.agent, desk.told.session, summary_text])
        condensed = Condensed((), desk.told.agent, summary_text, desk.told.agent)
        plan, _ = store(
            desk.workspace,
            condensed,
            request,
            desk.told.agent,
            reply.faults,
            now=desk.now,
            today=desk.today,
            group=desk.group,
        )
        reply.plans.append(plan)


def _extractor(desk: Desk) -> Delegate | None:
    command = desk.extractor()
    return None if command is None else replace(command, seconds=min(command.seconds, _EXTRACTOR_SECONDS))


def _summary_in_transcript(desk: Desk) -> str:
    """The newest summary in a transcript of Codex, whose event does not include it."""
    source = source_of(desk) if desk.told.agent == CODEX else None
    if source is None:
        return ""
    from memtool.transcripts.codex import compacted_as

    return compacted_as(source)


def _instructions(desk: Desk, messages: Sequence[Message]) -> str:
    """The instructions for a compaction: a sentence, the session's log entries, key points."""
    quarter = desk.budget // 4
    entries = newest_lines("\n".join(_entries(desk)), quarter)
    points = summary(messages, quarter) if messages else ""
    parts = [_INSTRUCTIONS]
    parts += [f"On record in memory:\n{entries}\n"] if entries else []
    parts += [f"Said in this conversation:\n{points}\n"] if points else []
    return redact(clean("\n".join(parts)))


def _entries(desk: Desk) -> list[str]:
    """The session-state entries that the conversation's user may see."""
    if not desk.workspace.has("session-state"):
        return []
    document = desk.workspace.read(desk.workspace.layout.path("session-state", group=desk.group))
    text = visible(document.text, "session-state", desk.scope.owners) if document else ""
    return [row for row in text.split("\n") if row.startswith("- ")]
