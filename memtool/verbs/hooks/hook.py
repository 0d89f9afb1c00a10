"""hook: handle each event of an agent's session: inject context, record turns, flush facts."""

from __future__ import annotations

import contextlib
import time
from typing import assert_never

from memtool.core.hooks.hook_event import (
    CODEX,
    GEMINI,
    OPENCLAW,
    QWEN,
    BootstrapFilesCollected,
    CompactionFinished,
    CompactionStarting,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    ToolFailed,
    TurnEnded,
)
from memtool.errors import DeadlineExceeded
from memtool.verbs.hooks.hook_call import HookCall, HookOutcome, is_timeout

SCANNED_CHARS = 100_000
"""Characters that are scanned at each end of a prompt; what lies between in a longer one was pasted."""
_UPGRADE_SECONDS = 2.0
"""Seconds that the start of a session may spend on old turns."""
_QUERY_CHARS = 20_000
"""Characters at the end of a prompt that serve as the search query."""


def handle_event(
    call: HookCall, reply: HookOutcome, limit: contextlib.AbstractContextManager[None] | None = None
) -> None:
    """Handle the event step by step within a time limit, and put the answer into `reply`. Never raises.

    An event that is not recorded, because another writer has the lock, changes what is read, or for want of
    time, is queued for the next writer. The limit does not hold for that: under load it would end it, too.
    """
    try:
        with limit or contextlib.nullcontext():
            _handle_steps(call, reply)
    except (RuntimeError, DeadlineExceeded) as error:  # between two steps
        if not is_timeout(error):
            raise
        reply.missed = reply.missed or ("out of time", "nothing from the hook event is recorded")
    if reply.missed is not None:
        from memtool.verbs.hooks.hook_queue import queue_event

        queue_event(call, reply, *reply.missed)


def _handle_steps(call: HookCall, reply: HookOutcome) -> None:
    """Handle the event; where it is not recorded, `reply` says that it is missed. Raises DeadlineExceeded."""
    match call.event.kind:
        case PromptSubmitted(text) if text.strip() or call.event.agent != QWEN:  # else results of tools
            _inject(call, reply, text)
            reply.is_late = time.monotonic() > call.until
            if not reply.is_late:
                record_prompt(call, reply, text)
        case SessionStarted(source):
            from memtool.verbs.hooks.hook_context import inject_at_start

            with reply.step("context", "no memory is added at the start of this session"):
                inject_at_start(call, reply, source)
            upgrade_turns(call, reply)
        case BootstrapFilesCollected(paths):
            from memtool.verbs.hooks.hook_context import inject_beside_files

            with reply.step("context", "no memory is added to this conversation"):
                inject_beside_files(call, reply, paths)
            reply.deferred.append(lambda: _catch_up(call, reply))
        case PromptSubmitted():
            pass
        case CompactionStarting():
            from memtool.verbs.hooks.hook_compaction import flush_before_compaction

            flush_before_compaction(call, reply)
        case CompactionFinished(summary):
            from memtool.verbs.hooks.hook_compaction import store_agent_summary

            store_agent_summary(call, reply, summary)
            if call.event.agent == CODEX:  # Claude Code starts the session again
                from memtool.verbs.hooks.hook_context import forget_injections

                forget_injections(call)
        case ToolFailed() as failed:
            from memtool.verbs.hooks.hook_failures import record_failure

            record_failure(call, reply, failed)
        case TurnEnded() | SessionEnded() as kind:
            from memtool.verbs.hooks.hook_turns import end_session, import_turns

            import_turns(call, reply, kind)
            if call.event.agent == GEMINI and not call.was_queued:
                from memtool.verbs.hooks.hook_context import note_compression

                with reply.step(
                    "compression",
                    "if the conversation was compressed, later prompts may lack the removed memory",
                ):
                    note_compression(call)
            if isinstance(kind, SessionEnded) and reply.missed is None:
                end_session(call, reply)
        case _:
            assert_never(call.event.kind)


def upgrade_turns(call: HookCall, reply: HookOutcome) -> None:
    """Bring old turns up to date, for as long as a start may take; the next start continues."""
    from memtool.verbs.history.eager_upgrade import upgrade_outdated

    with reply.step("upgrade", "turns in an old format were not upgraded"):
        groups = [call.group] if call.acts_for_group else None
        upgrade_outdated(call.workspace, call.now, seconds=_UPGRADE_SECONDS, groups=groups)


def _catch_up(call: HookCall, reply: HookOutcome) -> None:
    """Import the turns before a prompt of OpenClaw, and scan what the user said in them.

    No hook gets the prompts of `openclaw agent`; of those from a chat, `message:received` gets each before.
    """
    from memtool.verbs.hooks.hook_turns import import_turns

    import_turns(call, reply, BootstrapFilesCollected(()))
    if reply.missed is not None:
        from memtool.verbs.hooks.hook_queue import queue_event

        queue_event(call, reply, *reply.missed)


def _inject(call: HookCall, reply: HookOutcome, prompt: str) -> None:
    """Inject context for the prompt, before it is scanned: the context does not repeat what it says.

    What the scan then supersedes is replaced or marked by `update_superseded`.
    """
    from memtool.verbs.hooks.hook_context import inject_for_prompt

    if call.event.agent != OPENCLAW:
        with reply.step("context", "no memory is added to this prompt"):
            inject_for_prompt(call, reply, prompt[-_QUERY_CHARS:])


def scanned_part(prompt: str) -> str:
    """The part of a prompt that is scanned: all of it, or its first and its last `SCANNED_CHARS`."""
    if len(prompt) <= 2 * SCANNED_CHARS:
        return prompt
    return f"{prompt[:SCANNED_CHARS]}\n\n{prompt[-SCANNED_CHARS:]}"


def storable_prompt(text: str) -> tuple[str, bool]:
    """The user's own words in a prompt, redacted, without sentences that the user asks not to keep.

    And whether the user asks not to keep something in it.
    """
    from memtool.core.capture.message_sentences import split_message
    from memtool.core.privacy.private_requests import is_private_request
    from memtool.core.privacy.recalled import without_recalled
    from memtool.core.secrets.redact import redact

    split = split_message(without_recalled(scanned_part(text)))
    letters = split.text.text
    for number in sorted(split.private, reverse=True):
        start, end, _ = split.text.sentences[number]
        letters = letters[:start] + " " * (end - start) + letters[end:]
    is_private = bool(split.private) or is_private_request(split.message)
    return redact(letters).strip(), is_private


def _keep_prompt(call: HookCall, prompt: str) -> None:
    """Keep a prompt for the end of its turn, where the transcript may not be readable."""
    from memtool.verbs.hooks.pending_prompts import PendingPrompts

    if session := call.record_owners.get("session"):
        storable, is_private = storable_prompt(prompt)
        PendingPrompts(call.workspace, session, call.now).add(prompt, storable, is_private=is_private)


def record_prompt(call: HookCall, reply: HookOutcome, prompt: str) -> None:
    """Scan the prompt, and record what it says unless another process has done so for the same event."""
    from memtool.core.privacy.recalled import without_recalled
    from memtool.store.files.recorded_events import AlreadyRecorded
    from memtool.verbs.capture.scan import load_triggers, scan
    from memtool.verbs.sessions.running import record_running

    with reply.step(
        "scan",
        "the prompt is not scanned for facts, preferences or instructions, and is stored only as part of "
        "its turn",
        records=True,
    ):
        if session := call.record_owners.get("session"):
            record_running(call.workspace, session, call.owner, call.session_source, call.now)
        triggers = load_triggers(call.workspace.settings)
        message = without_recalled(scanned_part(prompt))
        call.workspace.event_id = call.event_id
        if not call.was_queued:
            reply.deferred.append(lambda: _keep_prompt(call, prompt))
        try:
            result = scan(
                call.workspace,
                message,
                now=call.now,
                owner=call.owner,
                triggers=triggers,
                group=call.group,
                session=call.record_owners.get("session"),
            )
        except AlreadyRecorded:
            return
        finally:
            call.workspace.event_id = ""
        reply.plans.append(result.plan)
        if result.plan and not call.was_queued:
            from memtool.verbs.hooks.hook_context import mark_as_injected

            details = [recorded.entry.detail for recorded in result.entries]
            reply.deferred.append(lambda: mark_as_injected(call, result.plan, message, details))
        if result.supersedes and not call.was_queued:
            from memtool.verbs.hooks.hook_context import update_superseded

            update_superseded(call, reply, message, result.superseded)
        if not call.was_queued and call.event.agent != OPENCLAW:
            from memtool.verbs.capture.scan_notices import scan_notices

            if notices := scan_notices(call.workspace, result, call.owner, call.group):
                from memtool.verbs.hooks.hook_context import add_notices

                add_notices(call, reply, notices)
