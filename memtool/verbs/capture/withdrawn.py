"""Withdrawn instructions: the rules of conduct that a message takes back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.circumstances import MessageCircumstances
from memtool.core.capture.message_sentences import MessageSentences
from memtool.core.capture.scan import CapturedEntry
from memtool.core.capture.triggers import EntryDestination
from memtool.core.capture.withdrawals import Withdrawal, withdrawals
from memtool.core.capture.withdrawn_rules import withdrawn_rules
from memtool.core.facts.rules import ConductRule
from memtool.core.records.entries import Owner, is_same_user
from memtool.core.text.phrases import PhraseLists
from memtool.core.text.sanitise import one_line
from memtool.formats import rules
from memtool.store.workspace import Workspace
from memtool.verbs.capture.correcting_sentences import overlap
from memtool.verbs.capture.current_memory import CurrentStatement, current_statements
from memtool.verbs.capture.handwritten_lines import owner_option
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.memory_files.editable_file import open_role_file
from memtool.verbs.memory_files.said_times import SaidTimes

_NO_TIME = datetime.min.replace(tzinfo=UTC)
"""Of a statement that is compared like a rule; only its words matter."""
_SHOWN = 60
"""Characters of a rule that are shown."""


class WithdrawnInstruction(Struct, frozen=True):
    """A sentence that takes an instruction back, its span, and the rule; or the rules that it may mean.

    Where no rule has it, `statements` are the other statements of memory that it may mean.
    """

    sentence: str
    span: tuple[int, int]
    rule: ConductRule | None
    undecided: tuple[ConductRule, ...] = ()
    statements: tuple[CurrentStatement, ...] = ()


def withdrawn_instructions(
    workspace: Workspace,
    split: MessageSentences,
    hits: Sequence[CapturedEntry],
    owner: Owner | None,
    group: str | None,
    said_times: SaidTimes | None = None,
) -> tuple[WithdrawnInstruction, ...]:
    """What a message takes back of the rules of its owner. A group has no rules.

    A sentence that takes back what no rule says is one of them if it would become a rule, of these `hits`.
    `said_times` are those of memory, for a message of the past.
    """
    taken = withdrawals(split) if group is None and workspace.has("rules") else ()
    if not taken:
        return ()
    file = rules.rules(rules.parse(open_role_file(workspace, "rules").text))
    own = [
        rule
        for rule in file
        if is_same_user(rule.owner, owner) and not (said_times is not None and said_times.is_later_rule(rule))
    ]
    markers = load_policy(workspace.settings).phrases
    found = []
    for withdrawal in taken:
        meant = withdrawn_rules(withdrawal, own, markers)
        is_rule = any(
            hit.destination is EntryDestination.RULE and overlap(hit.span, withdrawal.span) for hit in hits
        )
        if meant.rule is not None or meant.undecided or (withdrawal.is_lift and is_rule):
            is_rules = meant.rule is not None or bool(meant.undecided)
            stated = () if is_rules else _stated(workspace, withdrawal, owner, markers)
            found.append(
                WithdrawnInstruction(
                    withdrawal.sentence, withdrawal.span, meant.rule, meant.undecided, stated
                )
            )
    return tuple(found)


def _stated(
    workspace: Workspace, withdrawal: Withdrawal, owner: Owner | None, markers: PhraseLists
) -> tuple[CurrentStatement, ...]:
    """The facts and lines of an owner, other than rules, that say what a withdrawal takes back."""
    own = {
        known.place: known
        for known in current_statements(workspace, None)
        if is_same_user(known.fact.owner, owner)
    }
    as_rules = [ConductRule(_NO_TIME, known.own_words, place) for place, known in own.items()]
    meant = withdrawn_rules(withdrawal, as_rules, markers)
    return tuple(own[rule.id] for rule in (*filter(None, (meant.rule,)), *meant.undecided))


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


def withdrawal_notices(
    withdrawn: Sequence[WithdrawnInstruction], owner: Owner | None, program: str
) -> list[str]:
    """What is said of each withdrawal: the archived rule, or why none was and what to do.

    `program` is how a command begins.
    """
    command = f"{program} {owner_option(owner)}rules"
    facts = f"{command.removesuffix('rules')}facts"
    notices = []
    for found in withdrawn:
        if found.rule is not None:
            notices.append(
                f"archived the rule {_named(found.rule)}, because the message withdraws it; to restore it, "
                f"run {command} restore {found.rule.id}"
            )
            continue
        said = f"no rule was archived in response to {found.sentence!r}"
        match found.undecided:
            case () if found.statements:
                places = ", ".join(
                    f"{known.place} ({one_line(known.own_words, _SHOWN)!r})" for known in found.statements
                )
                name = found.statements[0].place if len(found.statements) == 1 else "ID"
                notices.append(
                    f"{said}: no rule contains the instruction, but {places} still "
                    f"contain{'s' * (name != 'ID')} it; to withdraw it, run {facts} forget {name}"
                )
            case ():
                notices.append(
                    f"{said}: no rule contains the instruction that the sentence withdraws (see "
                    f"{command} list)"
                )
            case (rule,) if rule.pinned:
                notices.append(
                    f"{said}: {_named(rule)} is pinned; to archive it, run {command} archive {rule.id}"
                )
            case (rule,):
                notices.append(
                    f"{said}: {_named(rule)} also contains other instructions; to archive the whole rule, "
                    f"run {command} archive {rule.id}, and add the instructions that still apply with "
                    f"{command} add TEXT"
                )
            case several:
                notices.append(
                    f"{said}, which may refer to any of these rules: {', '.join(map(_named, several))}; to "
                    f"archive one of them, run {command} archive ID"
                )
    return notices


def _named(rule: ConductRule) -> str:
    return f"{rule.id} ({one_line(rule.text, _SHOWN)!r})"
