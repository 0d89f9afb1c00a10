"""Withdrawn instructions: the rules of conduct that a message takes back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.circumstances import MessageCircumstances
from memtool.core.capture.message_sentences import MessageSentences
from memtool.core.capture.scan import CapturedEntry
from memtool.core.capture.withdrawals import withdrawals
from memtool.core.capture.withdrawn_rules import withdrawn_rules
from memtool.core.facts.rules import ConductRule
from memtool.core.records.entries import Owner
from memtool.core.text.sanitise import one_line
from memtool.formats import rules
from memtool.store.workspace import Workspace
from memtool.verbs.capture.correcting_sentences import overlap
from memtool.verbs.facts.candidates import load_policy
from memtool.verbs.memory_files.editable_file import open_role_file
from memtool.verbs.memory_files.said_times import SaidTimes

_SHOWN = 60
"""Characters of a rule that are shown."""


class WithdrawnInstruction(Struct, frozen=True):
    """A sentence that takes an instruction back, its span, and the rule; or the rules that it may mean."""

    sentence: str
    span: tuple[int, int]
    rule: ConductRule | None
    undecided: tuple[ConductRule, ...] = ()


def withdrawn_instructions(
    workspace: Workspace,
    split: MessageSentences,
    owner: Owner | None,
    group: str | None,
    said_times: SaidTimes | None = None,
) -> tuple[WithdrawnInstruction, ...]:
    """What a message takes back of the rules of its owner. A group has no rules.

    `said_times` are those of memory, for a message of the past.
    """
    if group is not None or not workspace.has("rules"):
        return ()
    file = rules.rules(rules.parse(open_role_file(workspace, "rules").text))
    own = [
        rule
        for rule in file
        if rule.owner == owner and not (said_times is not None and said_times.is_later_rule(rule))
    ]
    if not own:
        return ()
    markers = load_policy(workspace.settings).phrases
    found = []
    for withdrawal in withdrawals(split):
        meant = withdrawn_rules(withdrawal, own, markers)
        if meant.rule is not None or meant.undecided:
            found.append(
                WithdrawnInstruction(withdrawal.sentence, withdrawal.span, meant.rule, meant.undecided)
            )
    return tuple(found)


def without_withdrawn(
    hits: Sequence[CapturedEntry],
    said: MessageCircumstances | None,
    withdrawn: Sequence[WithdrawnInstruction],
) -> tuple[tuple[CapturedEntry, ...], MessageCircumstances | None]:
    """The entries and circumstances of a message without those of sentences that take instructions back."""
    return without_spans(hits, said, [found.span for found in withdrawn])


def without_spans(
    hits: Sequence[CapturedEntry], said: MessageCircumstances | None, spans: Sequence[tuple[int, int]]
) -> tuple[tuple[CapturedEntry, ...], MessageCircumstances | None]:
    """The entries and circumstances of a message without those that overlap any of the spans."""

    def is_left(span: tuple[int, int]) -> bool:
        return not any(overlap(span, other) for other in spans)

    left = tuple(hit for hit in hits if is_left(hit.span))
    if said is None:
        return left, None
    return left, replace(
        said,
        statements=tuple(row for row in said.statements if is_left(row[1])),
        denials=tuple(row for row in said.denials if is_left(row[1])),
        corrections=tuple(row for row in said.corrections if is_left(row.span)),
        endings=tuple(row for row in said.endings if is_left(row.span)),
    )


def undecided_notices(withdrawn: Sequence[WithdrawnInstruction], owner: Owner | None) -> list[str]:
    """What is said of withdrawals that may mean several rules, or a part of one."""
    option = f"--{owner.kind} {owner.id} " if owner else ""
    notices = []
    for found in (each for each in withdrawn if each.undecided):
        named = ", ".join(f"{rule.id} ({one_line(rule.text, _SHOWN)!r})" for rule in found.undecided)
        name = found.undecided[0].id if len(found.undecided) == 1 else "ID"
        reason = "it may mean any of" if name == "ID" else "more is said, or pinned, by"
        notices.append(
            f"{found.sentence!r} withdrew no rule: {reason} {named}; to withdraw one, run "
            f"memtool {option}rules archive {name}"
        )
    return notices
