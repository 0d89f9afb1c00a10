"""Hook events of failed tools, and failed tools in transcripts, as learnings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtool.core.capture.tool_failures import ToolFailure, describe_failure, find_failures
from memtool.core.hooks.hook_event import ToolFailed
from memtool.core.privacy.private_requests import without_private_turns
from memtool.core.records.plan import Plan
from memtool.core.records.turn import Message, ToolCall
from memtool.store.commit.retry import retry_when_stale
from memtool.store.files import recorded_events
from memtool.store.files.recorded_events import AlreadyRecorded
from memtool.verbs.facts.learn import failures_plan
from memtool.verbs.hooks.hook_call import HookCall, HookOutcome
from memtool.verbs.hooks.pending_prompts import PendingPrompts

_MOST = 20
"""Failures of a turn that are recorded, the last: an agent that tries without end says nothing new."""


def record_failure(call: HookCall, reply: HookOutcome, failed: ToolFailed) -> None:
    """Record a failed call once, however often its event comes; the end of the turn does not repeat it.

    Nothing of a turn is recorded whose prompt asks not to keep something.
    """
    if PendingPrompts(call.workspace, call.record_owners.get("session", ""), call.now).is_private:
        return
    with reply.step("learnings", "the failed tool call will be recorded when its turn ends"):
        failure = describe_failure(ToolCall(failed.id, failed.tool, failed.arguments), failed.output)
        if failure is None:
            return
        call.workspace.event_id = _event_id(failure)
        try:
            reply.plans.append(_record(call, [failure]))
        except AlreadyRecorded:
            return
        finally:
            call.workspace.event_id = ""


def learn_from_turns(call: HookCall, turns: Iterable[Sequence[Message]]) -> Plan:
    """The plan that records the failures in new turns, but those whose own event did. Under the lock.

    Those of turns that the user asks not to keep are left out.
    """
    failures = [*find_failures(without_private_turns([message for turn in turns for message in turn]))]
    if not failures:
        return ()
    known = recorded_events.recorded(call.workspace.root)
    return _plan(call, [failure for failure in failures if _event_id(failure) not in known])


@retry_when_stale
def _record(call: HookCall, failures: Sequence[ToolFailure]) -> Plan:
    with call.workspace.lock():
        plan = _plan(call, failures)
        call.workspace.commit(plan)
    return plan


def _plan(call: HookCall, failures: Sequence[ToolFailure]) -> Plan:
    """The plan that records failures; a group has no learnings."""
    if call.group is not None or not call.workspace.has("learnings"):
        return ()
    texts = [failure.text for failure in failures[-_MOST:]]
    return failures_plan(call.workspace, texts, call.now, call.owner)


def _event_id(failure: ToolFailure) -> str:
    return f"tool {failure.id}" if failure.id else ""
