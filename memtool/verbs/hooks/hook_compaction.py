"""Hook events of a compaction: flush facts before it, store the agent's summary after it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from memtool.core.compaction.compact import compaction_id
from memtool.core.compaction.recover import newest_lines
from memtool.core.compaction.summary import storable_summary, summarize
from memtool.core.hooks.hook_event import CODEX, READS_COMPACTION_INSTRUCTIONS
from memtool.core.privacy.private_requests import without_private_turns
from memtool.core.records.turn import Message
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.verbs.capture.scan import load_triggers
from memtool.verbs.compaction.compact import store_condensed
from memtool.verbs.compaction.condense import CondenseCommands, CondensedMessages, extract_facts
from memtool.verbs.context.visible import visible_text
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.hooks.hook_call import HookCall, HookOutcome
from memtool.verbs.hooks.hook_turns import last_messages, open_transcript
from memtool.verbs.memory_files.forgotten import load_forgotten, without_forgotten

_READ_CHARS = 400_000
"""Characters from the end of a conversation from which facts are extracted."""
_EXTRACTOR_SECONDS = 12.0
"""Time limit of the user's extractor command; the agent waits for it."""
_INSTRUCTIONS = """\
In the summary, keep the exact wording of what the user asked for and how it should be done. Also keep the
exact wording of decisions and their reasons, of names, numbers, dates, paths, commands and errors, and of
everything that is still open.
"""


def flush_before_compaction(call: HookCall, reply: HookOutcome) -> None:
    """Flush the conversation's facts, and return instructions on what the summary must keep."""
    messages: Sequence[Message] = ()
    with reply.step(
        "transcript", "no facts were extracted; to extract them, import the transcript (memtool help import)"
    ):
        messages = last_messages(call, _READ_CHARS)
    with reply.step("flush", "the facts remain only in the transcript", records=True):
        helpers = CondenseCommands(extractor=_extractor(call))
        triggers = load_triggers(call.workspace.settings)
        said = without_private_turns(messages)
        if forgotten := load_forgotten(call.workspace):
            said = without_forgotten(forgotten, said, call.owner)
        facts = extract_facts(said, call.now, call.owner, triggers, helpers)
        reply.errors += facts.notices
        plan, _ = store_condensed(
            call.workspace,
            facts,
            None,
            0,
            reply.errors,
            now=call.now,
            today=call.today,
            owner=call.owner,
            group=call.group,
        )
        reply.plans.append(plan)
    if call.event.agent in READS_COMPACTION_INSTRUCTIONS and not call.was_queued:
        with reply.step("what to keep", "the agent gets no instructions for its summary"):
            reply.text = _instructions(call, messages)


def store_agent_summary(call: HookCall, reply: HookOutcome, text: str) -> None:
    """Store an agent's summary where memtool's own compactions store theirs, once."""
    with reply.step("summary", "the summary remains only in the transcript", records=True):
        summary_text = storable_summary(text or _summary_in_transcript(call))
        if not summary_text:
            return
        request = compaction_id([call.event.agent, call.event.session, summary_text])
        condensed = CondensedMessages((), call.event.agent, summary_text, call.event.agent)
        plan, _ = store_condensed(
            call.workspace,
            condensed,
            request,
            call.event.agent,
            reply.errors,
            now=call.now,
            today=call.today,
            owner=call.owner,
            group=call.group,
        )
        reply.plans.append(plan)


def _extractor(call: HookCall) -> Delegate | None:
    command = call.extractor()
    return None if command is None else replace(command, seconds=min(command.seconds, _EXTRACTOR_SECONDS))


def _summary_in_transcript(call: HookCall) -> str:
    """The newest summary in a transcript of Codex, whose event does not include it."""
    source = open_transcript(call) if call.event.agent == CODEX else None
    if source is None:
        return ""
    from memtool.transcripts.codex import newest_summary

    return newest_summary(source)


def _instructions(call: HookCall, messages: Sequence[Message]) -> str:
    """The instructions for a compaction: a sentence, the session's log entries, key points."""
    quarter = call.budget // 4
    entries = newest_lines("\n".join(_entries(call)), quarter)
    points = summarize(messages, quarter) if messages else ""
    parts = [_INSTRUCTIONS]
    parts += [f"Already in memory:\n{entries}\n"] if entries else []
    parts += [f"Key points of this conversation:\n{points}\n"] if points else []
    return redact(clean("\n".join(parts)))


def _entries(call: HookCall) -> list[str]:
    """The session-state entries that the conversation's user may see."""
    if not call.workspace.has("session-state"):
        return []
    document = call.workspace.seen_by(call.scope.owners).read(
        call.workspace.layout.path("session-state", group=call.group)
    )
    text = visible_text(document.text, "session-state", call.scope.owners) if document else ""
    return [row for row in text.split("\n") if row.startswith("- ")]
