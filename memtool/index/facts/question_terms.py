"""Terms of a question to the facts: which stems they stand for, and how strongly a fact holds each."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from memtool.core.facts.names import mentioned_names, subject_names
from memtool.core.facts.question_subject import (
    NO_SUBJECT,
    QuestionSubject,
    is_of_another_person,
    is_owned_by_another,
    without_former,
)
from memtool.core.facts.relation_names import ATTRIBUTE_WORDS
from memtool.core.facts.relatives import without_in_laws
from memtool.core.search.answers import CALLED, MENTION, MISSPELT, PLAIN, SUBJECT
from memtool.core.search.query import is_within_distance
from memtool.core.text.first_person import has_first_person
from memtool.core.text.folding import search_fold
from memtool.core.text.person_nouns import same_relative
from memtool.core.text.regex import regex
from memtool.core.text.stems import base_form
from memtool.core.text.stems import stem as stem_of
from memtool.core.text.tokenizer import word_list
from memtool.index.facts.facts import Facts, stems
from memtool.index.transcripts.transcript_terms import quoted

ADJACENT_SHARE = 0.3
"""Weight of two terms that are adjacent in question and fact, as a share of a term that is as rare."""
_MAX_CORRECTED = 8
"""Words of a question that are looked up as misspelt ones."""
_MAX_COMPARED = 8
"""Stems whose words are compared with one that may be misspelt."""
_MAX_BETWEEN = 4
"""Words after a verb among which its particle is: "I get the children up"."""
_MIN_LETTERS = 4
_MIN_REPLACED = 6
"""Letters of a word from which one of them may be replaced: `kite` and `kiln` are two words."""
_OF_ANOTHER = r"User's (?:(?![A-Z_]{2}).)+ (?!IS )[A-Z_]{2,}(?: |$)"
"""The beginning of a fact about somebody of the user's."""
_PHRASAL = (
    r"\b(?P<verb>get|gets|getting|got|go|goes|going|went|come|comes|coming|came|make|makes|made|take|takes|took"
    r"|put|puts|set|sets|turn|turns) (?P<particle>up|out|off|down|along)\b"
)
"""Common verbs with a particle, folded, which is a stop word: `get up` is not what `get` is."""
_PRESENT = r"\b(?:do|does) (?P<asked>\w+ .+)"
"""A question, folded, of what is so: its subject and its verb."""
_HAVE = frozenset(["have", "has", "had", "ve", "s", "i've", "we've", "be", "been", "am", "is", "are", "get"])
"""Words before a participle, which is no simple past."""
_SAME_LETTERS = 2
"""First letters that a word and its misspelling share."""


class RelationStems(NamedTuple):
    """The stems of the words of a fact that only name its relation, and of what a question may call it."""

    words: Sequence[str] = ()
    names: Sequence[str] = ()


class QuestionTerm(Struct, frozen=True):
    """A term: its stem, the stems of facts that it stands for, and the number of facts with one of these.

    `forms` differ from the stem where no fact has it, and some have a word that it may be a misspelling of.
    """

    stem: str
    forms: tuple[str, ...]
    held_by: int
    follows: tuple[int, ...] = ()
    """The numbers of the terms that precede it directly in the question."""
    is_name: bool = False
    """Whether the question spells it as a name of one word."""

    @property
    def is_misspelt(self) -> bool:
        """Whether the forms are other words."""
        return self.forms != (self.stem,)


def question_terms(index: Facts, sequence: Sequence[str], text: str) -> tuple[QuestionTerm, ...]:
    """The terms of a question, given its stems in order and its text. Raises BrokenIndex."""
    counts = index.documents_with(dict.fromkeys(sequence))
    numbers = {stem: number for number, stem in enumerate(counts)}
    follows: dict[str, dict[int, None]] = {stem: {} for stem in counts}
    for left, right in itertools.pairwise(sequence):
        follows[right][numbers[left]] = None
    names = {words[0] for words in map(stems, mentioned_names(text)) if len(words) == 1}
    unknown = [stem for stem, count in counts.items() if not count]
    corrections = {**_corrections(index, unknown, text), **_alike(index, unknown, text)} if unknown else {}
    terms: list[QuestionTerm] = []
    for stem, count in counts.items():
        found = corrections.get(stem)
        forms, held_by = (tuple(found), max(found.values())) if found else ((stem,), count)
        terms.append(QuestionTerm(stem, forms, held_by, tuple(follows[stem]), stem in names))
    return tuple(terms)


def asked_pairs(terms: Sequence[QuestionTerm]) -> frozenset[tuple[str, str]]:
    """The pairs of stems that are adjacent in the question."""
    return frozenset(
        pair
        for term in terms
        for before in term.follows
        for pair in itertools.product(terms[before].forms, term.forms)
    )


def held_terms(
    terms: Sequence[QuestionTerm],
    pairs: Collection[tuple[str, str]],
    name: str,
    text: str,
    fact_stems: Sequence[str],
    relation: RelationStems,
    *,
    subject: QuestionSubject = NO_SUBJECT,
) -> dict[int, float]:
    """The numbers of the terms that a fact holds, with their strengths; `pairs` are those of `asked_pairs`.

    A name of several words that the fact is about counts where the question holds all of them. One that it
    mentions, such as a date, must stand in the question as it is written: 2026-05-01 is not 2026-01-05.
    A term that is found only in the `relation` is no name, and counts only beside another one, or where such
    terms are the whole question: `User KNOWS Ann` is no answer to "do you know a restaurant". If the question
    is about the user, what the relation is called counts beside other words, too ("my current job"), and a
    question that only has such words is not about somebody else. A word for an attribute ("called") does not
    count where nothing else of a longer question is in the fact. What a relative does is not what the
    user does.
    """
    form_of = {
        number: next((form for form in term.forms if form in fact_stems), None)
        for number, term in enumerate(terms)
    }
    held = {number: form for number, form in form_of.items() if form is not None}
    in_relation = [*relation.words, *relation.names]
    is_about_user = subject.is_first_person
    says_nothing_of_user = text.startswith("User's ") or {*held.values()}.isdisjoint(in_relation)
    if subject.is_of_user and says_nothing_of_user and is_of_another_person(text):
        return {}
    is_whole = len(held) == len(terms)
    if not is_whole and _attributes().issuperset(held.values()):
        return {}
    is_of_relation = is_whole and {*in_relation}.issuperset(held.values())
    is_about_other = is_about_user and regex(_OF_ANOTHER).match(text) is not None
    if is_about_other and is_of_relation:
        return {}
    only_relation = {stem for stem in in_relation if fact_stems.count(stem) <= in_relation.count(stem)}
    if only_relation.issuperset(held.values()):
        is_called = not {*relation.names}.isdisjoint(held.values())
        is_asked = is_about_user and not is_about_other and is_called
        if is_asked and text.startswith("User STATES ") and not has_first_person(text):
            return {}
        if not (is_whole or is_asked):
            return {}
    asked = {*held.values()}
    subjects = {
        stem for words in map(stems, subject_names(name, text)) if asked.issuperset(words) for stem in words
    }
    mentions = {
        stem
        for words in map(stems, mentioned_names(text))
        if asked.issuperset(words) and all(pair in pairs for pair in itertools.pairwise(words))
        for stem in words
    }
    is_of_user = is_about_user and is_whole and text.startswith("User ")
    called = relation.names if is_of_user else ()
    strengths: dict[int, float] = {}
    for number, form in held.items():
        is_name = (form in mentions and form not in only_relation) or terms[number].is_name
        other = CALLED if form in called else PLAIN
        strength = SUBJECT if form in subjects else MENTION if is_name else other
        strengths[number] = strength * (MISSPELT if terms[number].is_misspelt else 1.0)
    return strengths


def phrasal_verbs(question: str) -> dict[str, str]:
    """The stems of common verbs in a question that have a particle, each with it: `get` with `up`."""
    found = regex(_PHRASAL).finditer(search_fold(question))
    return {stem: match["particle"] for match in found for stem in stems(match["verb"])}


def without_other_verbs(
    sequence: Sequence[str], phrasal: Mapping[str, str], text: str, called: Collection[str]
) -> Sequence[str]:
    """The stems of a fact without those of verbs that have a particle in the question, and not in the text.

    What the relation of the fact is called (`called`) has it.
    """
    words = word_list(search_fold(text))
    others = {
        verb
        for verb, particle in phrasal.items()
        if verb not in called and not _is_in_order(words, verb, particle)
    }
    return [stem for stem in sequence if stem not in others] if others else sequence


def without_other_uses(
    terms: Sequence[QuestionTerm], sequence: Sequence[str], question: str, text: str, called: Collection[str]
) -> Sequence[str]:
    """The stems of a fact without those of words that the question has in another use.

    It asks what is so ("What car do I drive?"), and the fact only tells what was ("I drove a tram"), or
    has an adjective ("working day"). A fact that has all other words of the question keeps them.
    """
    present = regex(_PRESENT).search(search_fold(question))
    if present is None or all({*term.forms} & {*sequence} for term in terms):
        return sequence
    words = word_list(search_fold(text))
    verbs = {stem_of(word) for word in word_list(present["asked"]) if base_form(word) == word} & {*sequence}
    others = {
        verb
        for verb in verbs.difference(called)
        if all(_is_other_use(words, place) for place, word in enumerate(words) if stem_of(word) == verb)
    }
    return [word for word in sequence if word not in others] if others else sequence


def _is_other_use(words: Sequence[str], place: int) -> bool:
    """Whether a form of a verb is a simple past, or an adjective."""
    word = words[place]
    if word.endswith("ing"):
        return words[place + 1 : place + 2] in (["day"], ["days"], ["hours"], ["week"], ["title"], ["memory"])
    is_past = base_form(word) != word or word.endswith("ed")
    return is_past and _HAVE.isdisjoint(words[max(0, place - 2) : place])


def _is_in_order(words: Sequence[str], verb: str, particle: str) -> bool:
    places = [place for place, word in enumerate(words) if verb in stems(word)]
    return any(particle in words[place + 1 : place + 1 + _MAX_BETWEEN] for place in places)


def is_about_another(subject: QuestionSubject, text: str, fact_stems: Sequence[str]) -> bool:
    """Whether a fact is about somebody else than a question is; `fact_stems` are all that find the fact.

    A question about the user's sister is answered by facts that are about her, by whatever they call her, and
    one about a person by name is not answered by a fact about the user without the name.
    """
    if subject.relatives:
        asks_in_law = any(noun.endswith("-in-law") for nouns in subject.relatives for noun in nouns)
        other = text if asks_in_law else without_in_laws(text)
        other = other if subject.is_former else without_former(other)
        known = fact_stems if other == text else stems(other)
        return any(
            {*stems(" ".join(nouns))}.isdisjoint(known) or is_owned_by_another(text, nouns)
            for nouns in subject.relatives
        )
    if subject.names and (text.startswith("User ") or has_first_person(text)):
        return {*stems(" ".join(subject.names))}.isdisjoint(fact_stems)
    return False


def shares_only_attribute(terms: Sequence[QuestionTerm], fact_stems: Collection[str]) -> bool:
    """Whether a fact has words of a question, but only those of an attribute: the price of another thing."""
    shared = [{*term.forms}.intersection(fact_stems) for term in terms]
    return any(shared) and not all(shared) and all(map(_attributes().issuperset, shared))


@functools.cache
def _attributes() -> frozenset[str]:
    return frozenset(stems(ATTRIBUTE_WORDS))


def asked_subjects(terms: Sequence[QuestionTerm], name: str, text: str) -> frozenset[frozenset[int]]:
    """The names that a fact is about and the question holds in full, each as the numbers of its terms."""
    numbers = {form: number for number, term in enumerate(terms) for form in term.forms}
    subjects = [words for words in map(stems, subject_names(name, text)) if words]
    return frozenset(
        frozenset(numbers[stem] for stem in words) for words in subjects if numbers.keys() >= {*words}
    )


def adjacent_terms(terms: Sequence[QuestionTerm], sequence: Sequence[str]) -> tuple[int, ...]:
    """The pairs of terms that are adjacent in the question and in a fact's stems, each by one number."""
    pairs = {*itertools.pairwise(sequence)}
    return tuple(
        before * len(terms) + number
        for number, term in enumerate(terms)
        for before in term.follows
        if any((left, right) in pairs for left in terms[before].forms for right in term.forms)
    )


def shared_wording(question: str, text: str) -> int:
    """The words, as they are spelled, and the adjacent pairs of them that a question shares with a text.

    It tells apart what stems and stop words do not: Marina from Marine, the service "he" from another.
    """
    asked, held = word_list(search_fold(question)), word_list(search_fold(text))
    pairs = {*itertools.pairwise(asked)} & {*itertools.pairwise(held)}
    return len({*asked} & {*held}) + len(pairs)


def _corrections(index: Facts, unknown: Sequence[str], text: str) -> dict[str, dict[str, int]]:
    """For stems that no fact has: the stems of words that they may be a misspelling of, with their counts."""
    spelled = _words_by_stem(text)
    corrections: dict[str, dict[str, int]] = {}
    for stem in unknown[:_MAX_CORRECTED]:
        if len(word := spelled.get(stem, "")) < _MIN_LETTERS or not word.isalpha():
            continue
        start = stem[:_SAME_LETTERS]
        rows: list[Any] = index.select(
            "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
            (start, start[:-1] + chr(ord(start[-1]) + 1), len(stem) - 1, len(stem) + 1),
        )
        near = [(int(count), term) for term, count in rows if is_within_distance(stem, term, 1)]
        found = {
            term: count
            for count, term in sorted(near, key=lambda row: (-row[0], row[1]))[:_MAX_COMPARED]
            if _is_misspelling(word, _spelling(index, term))
        }
        if found:
            corrections[stem] = found
    return corrections


def _alike(index: Facts, unknown: Sequence[str], text: str) -> dict[str, dict[str, int]]:
    """For nouns of relatives that no fact has: those that facts have for the same: `mother` for `mum`."""
    spelled = _words_by_stem(text)
    nouns = {stem: same_relative(spelled.get(stem, "")) for stem in unknown}
    counts = {
        stem: index.documents_with(stems(" ".join(alike))) for stem, alike in nouns.items() if len(alike) > 1
    }
    known = {stem: {form: count for form, count in found.items() if count} for stem, found in counts.items()}
    return {stem: found for stem, found in known.items() if found}


def _spelling(index: Facts, stem: str) -> str:
    """A word of a fact with a stem, as it is written there; empty if none is found."""
    phrase = quoted(stem)
    rows: list[Any] = index.select(
        "SELECT text, name FROM fts JOIN fact ON fact.id = fts.rowid WHERE fts MATCH ? LIMIT 1", (phrase,)
    )
    return _words_by_stem(f"{rows[0][0]} {rows[0][1]}").get(stem, "") if rows else ""


def _words_by_stem(text: str) -> dict[str, str]:
    """The words of a text by their stems; of several with one stem, the last."""
    return {stem: word for word in word_list(search_fold(text)) for stem in stems(word)}


def _is_misspelling(word: str, other: str) -> bool:
    """Whether two words are one edit apart; short ones not by another letter: `kite` is no typo of `kiln`."""
    if not is_within_distance(word, other, 1) or not other.isalpha():
        return False
    return len(word) >= _MIN_REPLACED or len(word) != len(other) or sorted(word) == sorted(other)
