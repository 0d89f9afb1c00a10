"""Contrary instructions: corrections and decisions that no rule of conduct can be followed together with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from memtool.core.capture.triggers import EntryDestination
from memtool.verbs.capture.correcting_sentences import overlap

if TYPE_CHECKING:
    from memtool.core.capture.scan import CapturedEntry
    from memtool.store.workspace import Workspace
    from memtool.verbs.capture.message_source import MessageSource

_CATEGORIES = frozenset({"correction", "decision"})


def with_contrary_instructions(
    workspace: Workspace, source: MessageSource, hits: Sequence[CapturedEntry]
) -> Sequence[CapturedEntry]:
    """The entries, where a correction or decision that contradicts a rule of its owner is an instruction.

    `Use 12-hour times` is a decision, and an instruction where a rule says `use 24-hour times`: left beside
    the rule, both would be in every prompt.
    """
    spans = [hit.span for hit in hits if hit.destination is EntryDestination.RULE]
    may_be = [
        hit
        for hit in hits
        if hit.entry.category in _CATEGORIES and not any(overlap(hit.span, span) for span in spans)
    ]
    if not may_be or source.group is not None or not workspace.has("rules") or source.said_times is not None:
        return hits
    from memtool.verbs.facts.rules import active_rules  # few messages correct or decide anything

    own = [rule.text for rule in active_rules(workspace) if rule.owner == source.owner]
    if not own:
        return hits
    from memtool.core.facts.contrary import is_contrary
    from memtool.verbs.facts.write_policy import load_policy

    phrases = load_policy(workspace.settings).phrases
    contrary = [hit for hit in may_be if any(is_contrary(text, hit.entry.detail, phrases) for text in own)]
    return [
        replace(
            hit,
            entry=replace(hit.entry, category="instruction"),
            destination=EntryDestination.RULE,
        )
        if any(hit is other for other in contrary)
        else hit
        for hit in hits
    ]
