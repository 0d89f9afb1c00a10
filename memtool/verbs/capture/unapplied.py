"""What a message did not apply: which facts and lines a correction may be about."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from functools import partial

from memtool.core.capture.circumstances import CorrectingSentence, read_circumstances
from memtool.core.capture.clauses import line_words
from memtool.core.capture.corrected_lines import corrected_text, says_value
from memtool.core.capture.correction_value import Correction, may_correct
from memtool.core.capture.endings import endings
from memtool.core.capture.exclusive_values import ValueCue, cue_of
from memtool.core.capture.near_memory import (
    ended_words,
    labelled_alike,
    may_revise,
    nearness,
    permits,
    shared_by_user,
    telling_stems,
)
from memtool.core.capture.restated_numbers import is_count
from memtool.core.capture.said_again import restates, says_besides
from memtool.core.capture.same_frame import is_in_frame, says_day
from memtool.core.capture.statement_model import is_correcting_statement
from memtool.core.capture.told_news import outdates, told_news
from memtool.core.facts.duplicates import comparison_key
from memtool.core.facts.rules import ConductRule
from memtool.core.records.candidate import SENTENCE
from memtool.core.records.entries import Owner, RecordedEntry, is_same_user
from memtool.core.records.scope import sees
from memtool.core.records.semantic import FactTriple
from memtool.core.text.dates import is_calendar_word
from memtool.core.text.discourse import without_opening
from memtool.core.text.sanitise import one_line
from memtool.core.text.stems import content_stems
from memtool.store.workspace import Workspace
from memtool.verbs.capture.correcting_sentences import overlap
from memtool.verbs.capture.current_memory import CurrentStatement, current_statements
from memtool.verbs.capture.handwritten_lines import owner_option
from memtool.verbs.capture.handwritten_statements import handwritten_statements
from memtool.verbs.facts.memory_lines import memory_lines
from memtool.verbs.facts.rules import active_rules
from memtool.verbs.memory_files.evidence import evidence_quotes, last_said
from memtool.verbs.memory_files.semantic_files import StoredFact, all_facts

MOST_NAMED = 3
"""The most places that are named."""
SHOWN = 60
"""Characters of a statement that are shown."""


def unapplied_notices(
    workspace: Workspace,
    unapplied: Sequence[CorrectingSentence],
    owner: Owner | None,
    group: str | None,
    named: Collection[str] = (),
    fresh: Collection[tuple[int, int]] = (),
    explicit: Collection[tuple[int, int]] = (),
) -> list[str]:
    """What is said of corrections and endings that superseded nothing.

    Nothing of one where nothing stored or written by hand is near it, unless it says an old value that memory
    has nowhere, or it is new in memory, where the `fresh` spans are, and `explicit`, the spans of
    corrections. The `named` contradict a hand-written line that is named already: nothing is said of other
    such lines for them, nor that no fact has their old value. Nor is anything said of these lines for an old
    value or an ending, which tell by themselves which ones they contradict.
    Files of facts that cannot be read have none. Raises UnreadableFile for long-term memory.
    """
    visible = visible_statements(workspace, owner, group)
    by_hand = handwritten_statements(workspace, owner, group) if unapplied else []
    notices = []
    for found in unapplied:
        is_open = not (found.correction.old or found.endings or found.sentence in named)
        nearby = [*visible, *by_hand] if is_open else visible
        near = _near(found, nearby, owner) or _near_statement(found, nearby, owner)
        near = near or _outdated(found, nearby, owner)
        is_new = any(overlap(found.span, span) for span in fresh)
        others = [each for each in visible if not is_new or _key(each.own_words) != _key(found.sentence)]
        is_known = any(says_value(found.correction.new, known.text) for known in others)
        rule = None if near or found.endings else _nearest_rule(workspace, found, owner)
        if rule is not None:
            command = f'run {workspace.program()} {owner_option(rule.owner)}rules edit {rule.id} "TEXT"'
            shown = one_line(rule.text, SHOWN)
            rest = f"; if it corrects rule {rule.id} ({shown!r}), {command}"
        elif near or (found.correction.old and not is_known and found.sentence not in named):
            rest = _what_it_may_correct(workspace.program(), found, near, owner, group)
            if not near and any(says_value(found.correction.old, known.text) for known in others):
                rest = rest.replace("no stored fact", "no stored fact about the same thing", 1)
        elif is_new and any(overlap(found.span, span) for span in explicit) and found.sentence not in named:
            rest = f" (see {workspace.program()} facts list)"
        else:
            continue
        notices.append(_did_not_replace(workspace, found, visible) + rest)
    return notices


def news_notices(
    workspace: Workspace, entries: Sequence[RecordedEntry], owner: Owner | None, group: str | None
) -> list[str]:
    """What is said of statements that tell a change of what memory has, and superseded nothing.

    Raises UnreadableFile for long-term memory.
    """
    telling = [
        CorrectingSentence(each.entry.detail, Correction("", "", frozenset()), each.span)
        for each in entries
        if each.durable and not each.duplicate and told_news(each.entry.detail) is not None
    ]
    if not telling:
        return []
    visible = [
        *visible_statements(workspace, owner, group),
        *handwritten_statements(workspace, owner, group),
    ]
    notices = []
    for found in {each.sentence: each for each in telling}.values():
        if near := _outdated(found, visible, owner):
            rest = _what_it_may_correct(workspace.program(), found, near, owner, group)
            notices.append(_did_not_replace(workspace, found, visible) + rest)
    return notices


def settled_by_edit(workspace: Workspace, edited: StoredFact, text: str) -> set[str]:
    """The ids of stored sentences that only corrected a fact, and that an edit of the fact to `text` settles.

    They are sentences of its owner that were said later and superseded nothing. Each is about this fact and
    says nothing that the new text does not say, or is a whole sentence that is near no other statement and
    has no clause about something else.
    Raises UnreadableFile.
    """
    visible = visible_statements(workspace, edited.owner, None)
    stored = [known for known in visible if is_same_user(known.fact.owner, edited.owner)]
    quotes = evidence_quotes(workspace)
    said_as = {known.place: _as_said(known, quotes.get(known.place, ())) for known in stored if known.is_fact}
    correcting = {
        known.place: known
        for known in stored
        if known.is_fact
        and known.place != edited.name
        and (_is_correction(known, said_as[known.place]) or _is_restated(known, said_as[known.place], text))
    }
    if not correcting:
        return set()
    past = [record for fact in all_facts(workspace, []) if (record := fact.record).superseded]
    for successor in {record.superseded.by for record in past if record.superseded}:
        correcting.pop(successor or "", None)
    said = last_said(workspace, {edited.name, *correcting})
    others = [known for known in visible if known.place not in correcting]
    old_lines = [line.text for line in memory_lines(workspace) if line.is_superseded]

    def settles(known: CurrentStatement) -> bool:
        is_later = known.place in said and said[known.place] >= said.get(edited.name, said[known.place])
        if not is_later:
            return False
        if _is_restated(known, said_as[known.place], text):
            return bool(telling_stems(known.own_words) & telling_stems(edited.text))
        if says_besides(said_as[known.place], edited.text):
            return False
        if any(nearness(known.own_words, line) for line in old_lines):
            return False
        read = _read(said_as[known.place])
        near = [[near.place for near in _near(found, others, edited.owner)] for found in read]
        return bool(near) and all(places == [edited.name] for places in near)

    return {place for place, known in correcting.items() if settles(known)}


def _as_said(known: CurrentStatement, quotes: Sequence[str]) -> str:
    """A stored sentence as the user said it, perhaps with "Actually," before it."""
    key = _key(known.own_words)
    return next((quote for quote in quotes if _key(quote) == key), known.own_words)


def _is_correction(known: CurrentStatement, said: str) -> bool:
    """Whether a fact is a whole sentence that was said with a sign of a correction."""
    is_sentence = isinstance(known.fact, FactTriple) and known.fact.predicate == SENTENCE
    return is_sentence and (may_correct(said) or bool(_read(said)))


def _is_restated(known: CurrentStatement, said: str, text: str) -> bool:
    """Whether a fact was said as a correction or as news, and a text says all of it."""
    news = told_news(said)
    is_sign = known.is_fact and (may_correct(said) or news is not None)
    return is_sign and restates(text, said, news.verb if news else "")


def _read(said: str) -> tuple[CorrectingSentence, ...]:
    read = read_circumstances(said)
    return (*read.corrections, *read.endings)


def visible_statements(
    workspace: Workspace, owner: Owner | None, group: str | None
) -> list[CurrentStatement]:
    """The active facts and lines that an owner sees."""
    tags = [str(owner)] if owner is not None and owner.kind == "user" else []
    known = current_statements(workspace, group)
    return [each for each in known if sees(tags, str(each.fact.owner or ""))]


def _near(
    found: CorrectingSentence, visible: Sequence[CurrentStatement], owner: Owner | None
) -> list[CurrentStatement]:
    """The statements nearest to a correction, at most three: with its old value first, then the owner's own.

    None that shares fewer words with it than the nearest one, unless it has the old value.
    """
    rated = [
        (rating, is_same_user(known.fact.owner, owner), known)
        for known in visible
        if (rating := _rating(found, known))
    ]
    rated.sort(key=lambda row: row[:2], reverse=True)
    return [known for rating, _, known in rated[:MOST_NAMED] if rating >= rated[0][0] or rating[0]]


def _near_statement(
    found: CorrectingSentence, visible: Sequence[CurrentStatement], owner: Owner | None
) -> list[CurrentStatement]:
    """The owner's statements with most words of a correction that states something about the user.

    None for one with an old value, for what only holds since lately, and for one that is about the current
    task and not stored: `No, I want the header in blue`.
    """
    sentence, key = found.sentence, _key(found.sentence)
    if found.endings or found.correction.old or cue_of(sentence) is ValueCue.NOW:
        return []
    own = [known for known in visible if is_same_user(known.fact.owner, owner)]
    others = [known for known in own if _key(known.own_words) != key]
    if len(others) == len(own) and not is_correcting_statement(sentence, is_near=False):
        return []
    shared = [shared_by_user(sentence, known.own_words) for known in others]
    most = max(shared, default=0)
    return [known for known, count in zip(others, shared, strict=True) if count and count == most][
        -MOST_NAMED:
    ]


def _outdated(
    found: CorrectingSentence, visible: Sequence[CurrentStatement], owner: Owner | None
) -> list[CurrentStatement]:
    """The owner's statements with a value that a sentence tells a change of, at most three."""
    news, key = told_news(found.sentence), _key(found.sentence)
    return [
        known
        for known in visible
        if news is not None
        and is_same_user(known.fact.owner, owner)
        and _key(known.own_words) != key
        and outdates(news, known.own_words)
    ][-MOST_NAMED:]


def _key(text: str) -> str:
    """A key that is equal for a sentence and what is stored of it, without "Actually," before it."""
    return comparison_key(without_opening(text))


def _rating(found: CorrectingSentence, known: CurrentStatement) -> tuple[bool, int] | None:
    """Whether a statement says the old value, and how many words it shares; None if it is not near."""
    correction = found.correction
    if _key(known.own_words) == _key(found.sentence):
        return None  # the sentence itself, as it was stored
    if found.endings:
        if endings(known.own_words):
            return None  # it says itself that something ended, and is what holds now
        shared = max(ended_words(ending, known.own_words) for ending in found.endings)
    else:
        shared = nearness(correction.statement or found.sentence, known.text)
        shared = shared or may_revise(correction, known.own_words)
        if not shared and not known.is_fact and not known.fact.category:
            shared = labelled_alike(correction.statement or found.sentence, known.text)
    if is_in_frame(correction.statement or found.sentence, known.own_words):
        return True, max(1, shared)
    has_old = bool(correction.old) and (
        says_value(correction.old, known.text) or says_day(correction.old, known.text)
    )
    if not has_old and correction.new and says_value(correction.new, known.text):
        return None  # it says the new value already
    if has_old and not shared and correction.subject and not correction.subject & content_stems(known.text):
        return None  # another thing with the same value
    return (has_old, shared) if has_old or shared else None


def _what_it_may_correct(
    program: str,
    found: CorrectingSentence,
    near: Sequence[CurrentStatement],
    owner: Owner | None,
    group: str | None,
) -> str:
    """The end of a notice: the statements that a correction may be about, and what to do."""
    if not near:
        return f": no stored fact contains {found.correction.old!r} (see {program} facts list)"
    places = ", ".join(shown_place(known, owner) for known in near)
    commands = []
    if named := [known for known in near if has_command(known, group)]:
        option, name = option_of(named), name_of(named)
        new = corrected_text(found.correction, named[0].own_words) if len(named) == 1 else ""
        text = shlex.quote(new) if new and _says_values(found, new) else '"TEXT"'
        commands.append(f"run {program} {option}facts edit {name} {text}")
        if found.endings and all(map(partial(_says_ended, found), named)):
            commands.append(f"{program} {option}facts forget {name} (if nothing in the fact is still true)")
    if len(named) < len(near):
        commands.append("edit the line by hand")
    return f"; if it corrects {places}, {' or '.join(commands)}"


def _says_values(found: CorrectingSentence, text: str) -> bool:
    """Whether a text says all numbers and days of a correction but the old ones."""
    said = [word.text for word in line_words(found.sentence)]
    values = {word.rstrip("s") for word in said if is_count(word) or is_calendar_word(word)}
    old = {word.text.rstrip("s") for word in line_words(found.correction.old)}
    return values - old <= {word.text.rstrip("s") for word in line_words(text)}


def _says_ended(found: CorrectingSentence, known: CurrentStatement) -> bool:
    """Whether a statement has all telling words of what a sentence says has ended."""
    return any(
        ended_words(ending, known.own_words) >= max(1, ending.shared("".join(ending.affirmed[:1])))
        for ending in found.endings
    )


def _did_not_replace(
    workspace: Workspace, found: CorrectingSentence, visible: Sequence[CurrentStatement]
) -> str:
    """The beginning of a notice: what became of a sentence; in a dry run only what it would not do."""
    sentence = f"the sentence {found.sentence!r}"
    if not workspace.writes:
        return f"{sentence} would not replace any statement in memory"
    rules = active_rules(workspace) if workspace.has("rules") else ()
    stored = (*(known.own_words for known in visible), *(rule.text for rule in rules))
    if _key(found.sentence) in map(_key, stored):
        return f"{sentence} was stored, but did not replace any statement in memory"
    return f"{sentence} was not stored as a fact and did not replace any statement in memory"


def _nearest_rule(workspace: Workspace, found: CorrectingSentence, owner: Owner | None) -> ConductRule | None:
    """The rule of an owner with the old value of a correction, or else with most of its words; None if none
    is near."""
    if not workspace.has("rules"):
        return None
    said, old = found.correction.statement or found.sentence, found.correction.old
    permitted = telling_stems(said) if permits(said) else frozenset()

    def rating(rule: ConductRule) -> tuple[bool, int]:
        near = nearness(said, rule.text) or len(permitted & telling_stems(rule.text))
        return bool(old) and says_value(old, rule.text), near

    own = [rule for rule in active_rules(workspace) if is_same_user(rule.owner, owner)]
    best = max(own, key=rating, default=None)
    return best if best is not None and any(rating(best)) else None


def has_command(known: CurrentStatement, group: str | None) -> bool:
    """Whether a command can change a statement of a group's memory, or else of the agent's."""
    return known.is_fact or (group is None and not known.has_no_command)


def option_of(named: Sequence[CurrentStatement]) -> str:
    """The option for the owner of statements, with a space after it; empty if they have several or none."""
    owners = {known.fact.owner for known in named}
    return owner_option(*owners) if len(owners) == 1 else ""


def name_of(named: Sequence[CurrentStatement]) -> str:
    """What a command takes for statements: the place of the only one, or a word for the chosen one's."""
    return named[0].place if len(named) == 1 else "ID"


def shown_place(known: CurrentStatement, owner: Owner | None) -> str:
    other = None if is_same_user(known.fact.owner, owner) else known.fact.owner
    of_other = f" of {other.kind} {other.id}" if other else ""
    return f"{known.place}{of_other} ({one_line(known.own_words, SHOWN)!r})"
