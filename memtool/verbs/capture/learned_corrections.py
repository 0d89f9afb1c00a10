"""Learned corrections: what a message corrects of the agent's conduct, for the learnings."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.capture.behaviour import behaviour_corrections
from memtool.core.capture.detail import MAX_DETAIL
from memtool.core.capture.scan import CapturedEntry
from memtool.core.facts.duplicates import comparison_key
from memtool.core.records.plan import Plan
from memtool.core.text.sanitise import one_line
from memtool.store.workspace import Workspace
from memtool.verbs.capture.message_source import MessageSource


def learned_plan(workspace: Workspace, source: MessageSource, hits: Sequence[CapturedEntry]) -> Plan:
    """The plan that records corrections of what the agent does."""
    if source.group is not None or not workspace.has("learnings"):
        return ()
    corrections, instructions = (
        [hit.entry.detail for hit in hits if hit.entry.category == category]
        for category in ("correction", "instruction")
    )
    said = [
        *behaviour_corrections(source.message),
        *(each for each in corrections if each in instructions),
    ]
    details = {comparison_key(each): one_line(each, MAX_DETAIL) for each in reversed(said)}
    text = " ".join(reversed(details.values()))
    if not text:
        return ()
    from memtool.verbs.facts.learn import learn_plan  # most messages correct no conduct
    from memtool.verbs.memory_files.forgotten import is_forgotten

    if is_forgotten(workspace, text, source.owner):
        return ()
    return learn_plan(workspace, "correction", text, source.at, source.owner).plan
