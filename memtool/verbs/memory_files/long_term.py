"""Long-term memory: plans that add facts to it, each once, and mark those that they supersede."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.duplicates import DuplicateIndex
from memtool.core.records.entries import Fact, Owner, is_same_user
from memtool.core.records.plan import Plan
from memtool.formats import long_term
from memtool.formats.long_term import LongTermItem
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import open_role_file

Supersedes = Callable[[Fact, Fact], bool]
"""Whether a new fact (the second) supersedes an old one (the first) of the same owner."""


class LineCorrection(Struct, frozen=True):
    """A sentence that corrects lines of memory, its owner, which lines are wrong, and how one is put right.

    `corrected` returns an empty text where the sentence itself is the better line.
    """

    sentence: str
    owner: Owner | None
    is_wrong: Callable[[str], bool]
    corrected: Callable[[str], str]
    only_one: bool = False
    """Whether it corrects nothing where it could correct lines with several texts."""


class RevisedMemory(Struct, frozen=True):
    """The plan, for each fact whether it is a duplicate, and the corrections that added a line, as facts.

    `superseding` are the sentences and facts that made a line superseded. `outdated` are the facts that were
    said before what supersedes them. `superseded` are the superseded lines, each with what is in its place.
    """

    plan: Plan
    duplicates: list[bool]
    corrected: tuple[Fact, ...] = ()
    superseding: frozenset[str] = frozenset()
    outdated: tuple[Fact, ...] = ()
    superseded: Mapping[str, str] = {}


def revise_plan(
    workspace: Workspace,
    facts: Sequence[Fact],
    corrections: Sequence[LineCorrection],
    supersedes: Supersedes,
    today: date,
    *,
    group: str | None = None,
    is_outdated: Callable[[Fact, Fact | None], bool] = lambda _, __: False,
    repeats: Callable[[Fact], bool] | None = None,
    clause_of: Callable[[Fact], str] | None = None,
) -> RevisedMemory:
    """The plan that adds new facts and marks lines that they or corrections supersede, and those that repeat
    a superseded statement, also if they were written by hand, as long as no other line belongs to them.

    A correction of a line is added as a fact of the line's category: the line with the new value, so that
    what else it says is kept. `clause_of` returns the superseded statement that is one clause of a line, or
    an empty text; the other clauses are added as a line. `is_outdated` says whether a new fact was said
    before the line that it would supersede, or before others (None): then the new line is superseded. Call it
    under the lock. Raises UnreadableFile.
    """
    if not facts and not corrections and repeats is None and clause_of is None:
        return RevisedMemory((), [])
    file = open_role_file(workspace, "long-term", group=group)
    active = [item for item in long_term.items(long_term.parse(file.text)) if item.superseded is None]
    items = [item for item in active if item.fact.category]
    by_correction, corrected, in_full = _corrected_lines(items, corrections, facts)
    added = [line for _, line in corrected]
    by_fact = {
        item.line: fact.detail
        for item in items
        for fact in facts
        if is_same_user(item.fact.owner, fact.owner)
        and supersedes(item.fact, fact)
        and not is_outdated(fact, item.fact)
    }
    outdated = [
        fact
        for fact in facts
        if is_outdated(fact, None)
        or any(
            is_same_user(item.fact.owner, fact.owner)
            and supersedes(item.fact, fact)
            and is_outdated(fact, item.fact)
            for item in items
        )
    ]
    repeated = (item for item in active if repeats and repeats(item.fact))
    of_clauses = {
        item.line: clause
        for item in items
        if clause_of and item.line not in by_correction and (clause := clause_of(item.fact))
    }
    gone = {
        *by_correction,
        *by_fact,
        *of_clauses,
        *(item.line for item in repeated if item.fact.category or not item.goes_on),
    }
    text = long_term.supersede(file.text, gone, today) if gone else file.text
    stated = [replace(fact, detail=in_full.get(fact.detail, fact.detail)) for fact in facts]
    added += _remainders(items, {**of_clauses, **by_fact, **by_correction}, [*stated, *added])
    text, duplicates = add_new_facts(text, [*stated, *added])
    new_lines = [fact for fact, known in zip(facts, duplicates, strict=False) if not known]
    text = _mark_outdated(text, [fact for fact in outdated if fact in new_lines], today)
    rows = zip(corrected, duplicates[len(facts) :], strict=False)
    new = dict.fromkeys(said for (said, _), known in rows if not known)
    superseding = frozenset({*by_correction.values(), *by_fact.values()})
    put_right = {**{said.detail: line.detail for said, line in corrected}, **in_full}
    successors = {line: put_right.get(said, said) for line, said in {**by_fact, **by_correction}.items()}
    superseded = {item.fact.detail: successors[item.line] for item in items if item.line in successors}
    known = duplicates[: len(facts)]
    return RevisedMemory(file.rewrite_plan(text), known, tuple(new), superseding, tuple(outdated), superseded)


def _remainders(
    items: Sequence[LongTermItem], superseding: Mapping[int, str], new: Sequence[Fact]
) -> list[Fact]:
    """What superseded lines say besides, as facts, unless a new or an active line of the owner says it."""
    if not superseding:
        return []
    from memtool.core.capture.remainder import remaining_fact  # few lines are superseded

    active = [*new, *(item.fact for item in items if item.line not in superseding)]
    gone = (item for item in items if item.line in superseding)
    kept = (
        remaining_fact(
            item.fact,
            superseding[item.line],
            [fact for fact in active if is_same_user(fact.owner, item.fact.owner)],
        )
        for item in gone
    )
    return [fact for fact in kept if isinstance(fact, Fact)]


def _mark_outdated(text: str, outdated: Sequence[Fact], today: date) -> str:
    """The text with these new lines marked as superseded."""
    if not outdated:
        return text
    items = long_term.items(long_term.parse(text))
    lines = {item.line for item in items if item.superseded is None and item.fact in outdated}
    return long_term.supersede(text, lines, today)


def remember_plan(
    workspace: Workspace, facts: Sequence[Fact], *, group: str | None = None
) -> tuple[Plan, list[bool]]:
    """The plan that adds new facts to long-term memory, and for each fact whether it is a duplicate.

    Call it under the lock. Raises UnreadableFile.
    """
    if not facts:
        return (), []
    file = open_role_file(workspace, "long-term", group=group)
    text, duplicates = add_new_facts(file.text, facts)
    return file.rewrite_plan(text), duplicates


def _corrected_lines(
    items: Sequence[LongTermItem], corrections: Sequence[LineCorrection], facts: Sequence[Fact]
) -> tuple[dict[int, str], list[tuple[Fact, Fact]], dict[str, str]]:
    """The lines that corrections make wrong, each with a sentence that does; and the corrections, as facts,
    each with a line in its place.

    A correction that is one of `facts` adds no line. The third value has what such a fact says in full, with
    what else the wrong line says of the same: the town, where the street was wrong.
    """
    gone: dict[int, str] = {}
    in_full: dict[str, str] = {}
    corrected: list[tuple[Fact, Fact]] = []
    for correction in corrections:
        for number, (said, fact) in enumerate(corrected):  # of earlier corrections of the same message
            if is_same_user(fact.owner, correction.owner) and correction.is_wrong(fact.detail):
                text = correction.corrected(fact.detail) or correction.sentence
                corrected[number] = said, replace(fact, detail=text)
        wrong = [
            item
            for item in items
            if is_same_user(item.fact.owner, correction.owner) and correction.is_wrong(item.fact.detail)
        ]
        if correction.only_one and len({item.fact.detail for item in wrong}) > 1:
            continue
        for item in wrong:
            gone[item.line] = correction.sentence
            said = Fact(item.fact.category, correction.sentence, correction.owner)
            line = correction.corrected(item.fact.detail) or correction.sentence
            if not any(_is_same(said, known) for known in facts):
                corrected.append((said, replace(said, detail=line)))
            elif _is_in_full(line, correction.sentence, item.fact):
                in_full[correction.sentence] = line
    return gone, corrected, in_full


def _is_in_full(line: str, sentence: str, old: Fact) -> bool:
    """Whether a line put right says all that a sentence says, and all that is left of the old line."""
    from memtool.core.capture.remainder import remaining_fact  # few lines are superseded
    from memtool.core.text.stems import content_stems

    rest = remaining_fact(old, sentence, ())
    return content_stems(sentence) < content_stems(line) and (
        rest is None or rest == replace(old, detail=line)
    )


def _is_same(fact: Fact, other: Fact) -> bool:
    """Whether two facts of one message are the same sentence of one owner, in whichever category."""
    return (fact.detail, fact.owner) == (other.detail, other.owner)


def add_new_facts(text: str, facts: Sequence[Fact]) -> tuple[str, list[bool]]:
    """Long-term memory with the new facts added, and for each fact whether it is a duplicate."""
    index = DuplicateIndex(long_term.facts(long_term.parse(text)))
    new: list[Fact] = []
    duplicates: list[bool] = []
    for fact in facts:
        is_duplicate = index.contains(fact)
        duplicates.append(is_duplicate)
        if not is_duplicate:
            index.add(fact)
            new.append(fact)
    return long_term.add(text, new), duplicates
