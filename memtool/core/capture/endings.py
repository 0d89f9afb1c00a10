"""Endings: what a sentence says holds no more, and which stored statement says that very thing.

`I no longer play badminton` ends `I play badminton on Thursdays`: where the shorter statement is false, the
longer one is, too. It does not end `I play golf`, nor is the statement that it ends part of a longer line.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.clauses import REQUEST, clauses
from memtool.core.capture.ending_value import REPORT, Ending
from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.capture.languages.ending_signs import (
    ADJECTIVES_AFTER,
    AGAIN,
    AT_WORK,
    BE,
    CANCELLED,
    COUNTS,
    DROPPED,
    EMPLOYED_AS,
    FREQUENCY,
    GOODS,
    HAVE,
    IN_YOUTH,
    JOB_LOST,
    LEFT_AGAIN,
    LEFT_WORK,
    NAMING,
    NEGATED,
    PLANNED,
    PREPOSITIONS,
    SEPARATED,
    STAYS,
    SUBJECTS,
    TIED,
    TIMES,
    UNITS,
    VERBS,
    WORKS_FOR,
)
from memtool.core.capture.languages.value_kinds import VALUE_KINDS
from memtool.core.capture.other_value import has_negation
from memtool.core.capture.statements import statements
from memtool.core.records.candidate import SENTENCE, Claim, entity_kind, entity_name
from memtool.core.records.semantic import FactTriple
from memtool.core.text.folding import fold_in_place, search_fold
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex
from memtool.core.text.sentences import split_sentences
from memtool.core.text.stems import content_stems, stem

_WORD = r"'(?:m|re|ve)\b|—|\d[\d.,:/]*\d|[^\W_](?:[^\W_]|[-](?=[^\W_]))*"
_ELISION = r"\b(j|l|d|n|m|s|t|qu)'(?=\w)"
_EMPLOYED = ("I work at", "I work for")
_STATE, _PROFESSION = "HAS_TRAIT", "WORKS_AS"
"""Predicates of which only statements in certain words end."""
_OWN_WORK = frozenset({("User", "WORKS_AT"), ("User", _PROFESSION)})
_SOMEBODY = r"(?:[Mm]y \w+|[A-ZÀ-Þ][\w'’-]*)"
_SOME_ONE = r"(?i) (?:the|my|our) (?:\w+ )?ones?$"
_OF_USER = r"(?i)(?:i|we)(?:['’]ve|['’]m|['’]re)? "
_WITHOUT_PRONOUNS = frozenset({"es", "pt", "ru"})
"""Languages that leave out the pronoun before a verb."""
_PRONOUNS = frozenset(
    ["i", "we", "he", "she", "they", "it", "you", "this", "that", "nobody", "somebody", "everyone"]
)
_MOST_MODIFIERS = 3
"""The most words between an article and its noun."""


class _Word(Struct, frozen=True):
    """A word for comparison, and how it is written.

    `is_first` is true for the first word after an article, a possessive or a numeral, thus of a noun phrase.
    """

    text: str
    written: str
    is_first: bool = False


def endings(sentence: str) -> tuple[Ending, ...]:
    """What a sentence says holds no more; nothing where somebody else says so."""
    text = " ".join(sentence.replace("’", "'").split())
    if regex(REPORT).search(search_fold(text)) is not None or is_of_youth(text):
        return ()
    text = without_lead(text)
    parts = [text[start:end].strip(" .!\"'") for start, end in _with_couples(text, clauses(text))]
    if regex(_OF_USER).match(text) is not None and len(parts) > 1:
        from memtool.core.capture.changes import with_subject  # few sentences end anything

        parts = [with_subject(part) for part in parts]
    found = [
        _ending(part)
        for part, following in zip(parts, (*parts[1:], ""), strict=True)
        if not _is_name(following)  # in Paris, Texas
    ]
    return tuple(ending for ending in found if ending is not None)


def _with_couples(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans of clauses, of which `Tom` and `I got divorced` are one."""
    starts: list[int] = []
    for start, end in spans:
        starts.append(start)
        if regex(_SOMEBODY).fullmatch(text[start:end].strip()) and text[end:].startswith("and I "):
            continue
        yield starts[0], end
        starts.clear()


def is_of_youth(sentence: str) -> bool:
    """Whether a sentence tells of a time in the life of somebody who is older now: `at ten`, `as a child`."""
    return regex(IN_YOUTH).search(fold_in_place(sentence).replace("’", "'")) is not None


def without_again(text: str) -> str:
    """A text without the adverbs that say that something holds again; empty if it has none."""
    folded = fold_in_place(text)
    for pattern in AGAIN if len(folded) == len(text) else ():
        if spans := [match.span() for match in regex(pattern).finditer(folded)]:
            edges = [0, *(edge for span in spans for edge in span), len(text)]
            parts = (text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
            return " ".join("".join(parts).split())
    return ""


def _has_ended(renewed: Claim, fact: FactTriple | str) -> bool:
    """Whether a statement says that what is claimed has ended, or is not so: `I don't drink coffee`."""
    if not isinstance(fact, str) and fact.predicate == "EATS_NO":
        return plain_text(fact.object) == plain_text(renewed.object)
    text = fact if isinstance(fact, str) else fact.quote or fact.object
    ended = [ending for ending in endings(text) if not ending.leaver]
    if (renewed.subject, renewed.predicate) in _OWN_WORK and any(
        predicate == renewed.predicate for ending in ended for predicate, _ in ending.claims
    ):
        return True  # whoever has a job now is not without one, since they `got fired`
    said = [said for said in statements(split_sentences(text)) if said.is_denied]
    said += [said for end in ended for each in end.affirmed for said in statements(split_sentences(each))]
    return _claimed(renewed) in {_claimed(each.claim) for each in said}


def _claimed(claim: Claim) -> tuple[str, str, str]:
    from memtool.core.facts.one_value import value_key  # few statements hold again

    return plain_text(claim.subject), claim.predicate, value_key(claim.object)


def without_lead(sentence: str) -> str:
    """A sentence without "Actually", "No" and the like before it, and without the mark at its end."""
    lead = regex(f"(?i){LEADS}").match(sentence)
    text = (sentence[lead.end() :] if lead else sentence).strip(" .!\n")
    return text[:1].upper() + text[1:]


def says_ended(ending: Ending, fact: FactTriple | str) -> bool:
    """Whether a statement that may say so says what has ended, as `ending_value.is_ended` promises."""
    if ending.renewed is not None:
        return _has_ended(ending.renewed, fact)
    if isinstance(fact, str):
        text, object_ = fact, None
    else:
        text = fact.quote or f"{fact.subject} {fact.predicate} {fact.object}"
        object_ = None if fact.predicate == SENTENCE else content_stems(fact.object)
        if ending.claims and object_ is not None:
            return _is_claimed(ending, fact)
    if ending.leaver:
        return _is_of_leaver(ending.leaver, text, is_stay=ending.is_stay)
    request = regex(REQUEST).match(text)
    text = text[request.end() :] if request else text
    text = without_lead(text).replace("’", "'")
    parts = [text[start:end] for start, end in clauses(text) if any(map(str.isalnum, text[start:end]))]
    if object_ is None and len(parts) != 1:
        return False
    if ending.cancelled:
        return any(_is_planned(ending.cancelled, part) for part in parts)
    return any(
        _says(part, affirmed, ending.language)
        for part in parts
        for affirmed in ending.affirmed
        if object_ is None or object_ & content_stems(affirmed) & content_stems(part)
    )


def _is_claimed(ending: Ending, fact: FactTriple) -> bool:
    """Whether a fact of the user is one that ended; one about a person only if it says only who that is."""
    object_ = search_fold(entity_name(fact.object))
    if entity_kind(fact.object) == "Person":
        words = search_fold(fact.quote or "").strip(" .!")
        who, name = object_.rpartition(" ")[::2]
        is_who = rf"{re.escape(who)}(?:'s name)?,?(?: is)?(?: called| named)?,? {re.escape(name)}"
        if re.fullmatch(is_who, words) is None:
            return False
    if fact.predicate == _STATE:
        object_ = search_fold(fact.quote or "").strip(" .!")
    if fact.predicate == _PROFESSION and without_employer(fact) is None:
        return False
    return fact.subject == "User" and any(
        fact.predicate == predicate and re.fullmatch(pattern, object_) is not None
        for predicate, pattern in ending.claims
    )


def without_employer(fact: FactTriple) -> FactTriple | None:
    """The profession of a fact that says where the user has it, too: `I'm a nurse`; None for other facts."""
    quote = regex(EMPLOYED_AS).sub("", fact.quote or "")
    if (
        fact.predicate != _PROFESSION
        or quote == fact.quote
        or len(clauses((fact.quote or "").strip(" .!"))) > 1
    ):
        return None
    return replace(fact, object=regex(EMPLOYED_AS).sub("", fact.object), quote=quote)


def _is_planned(thing: str, clause: str) -> bool:
    """Whether a clause says that a thing takes place once: on a day, on a date or at a time."""
    match = re.fullmatch(PLANNED.format(thing=re.escape(thing)), search_fold(clause).strip(" .!"))
    if match is None or regex(r"\b(?:every|each|daily|weekly|\w+days)\b").search(match["when"]):
        return False
    return any(regex(rf"(?i)(?<!\w)(?:{kind})(?!\w)").match(match["when"]) for kind in VALUE_KINDS[:3])


def _is_of_leaver(name: str, text: str, *, is_stay: bool) -> bool:
    """Whether a statement says only what somebody who left did at work: `my apprentice Jamie starts at 7`.

    Or, after a stay, only that somebody stays: `my sister Lea is visiting`.
    """
    said = search_fold(" ".join(text.replace("’", "'").split())).strip(" .!")
    name = re.escape(search_fold(name))
    if is_stay:
        stays = re.fullmatch(rf"(?:(?:my|our) (?:\w+ )?\w+,? )?{name},? (?P<stays>{STAYS})", said)
        return stays is not None and len(clauses(stays["stays"])) == 1
    who = rf"{WORKS_FOR},? {name},?|{name},? {WORKS_FOR},?"
    return (
        len(clauses(said)) == 1
        and re.fullmatch(
            rf"(?:{who}) {AT_WORK}.*|{name} is {WORKS_FOR}|{WORKS_FOR} is (?:called |named )?{name}", said
        )
        is not None
    )


def _is_name(part: str) -> bool:
    """Whether all words of a part of a sentence have a capital."""
    return bool(part) and all(word[:1].isupper() for word in part.split())


def _ending(clause: str) -> Ending | None:
    """What a clause says has ended."""
    folded = fold_in_place(clause)
    if len(folded) != len(clause):
        return None
    times = regex(TIMES).search(folded)
    if times is not None:
        clause, folded = clause[: times.start()], folded[: times.start()]
    for pattern, is_stay in ((LEFT_WORK, False), (LEFT_AGAIN, True)):
        left = regex(pattern).fullmatch(folded)
        if left is not None and clause[:1].isupper() and left["name"] not in _PRONOUNS:
            return Ending("en", (clause,), clause[: left.end("name")], is_stay=is_stay)
    if (found := _life_ending(clause, folded)) is not None:
        return found
    for language, pattern in NEGATED:
        match = regex(pattern).fullmatch(folded)
        if match is not None:
            parts = (clause[slice(*match.span(name))] for name in match.groupdict())
            return _checked(language, [" ".join(parts)])
    for language, pattern, beginnings in VERBS:
        match = regex(pattern).fullmatch(folded)
        if match is not None:
            rest = clause[slice(*match.span(match.lastgroup or "x"))]
            return _checked(language, [f"{beginning} {rest}" for beginning in beginnings])
    return None


def _life_ending(clause: str, folded: str) -> Ending | None:
    """What ended that a clause does not name in the words of a statement: a job, a couple, a plan."""
    if any(regex(pattern).fullmatch(folded) for pattern in JOB_LOST):
        return Ending("en", _EMPLOYED, claims=(("WORKS_AT", ".*"), (_PROFESSION, ".*")))
    for pattern, roles, states in SEPARATED:
        if match := regex(pattern).fullmatch(folded):
            role, name = match["role"], match["name"]
            if role and re.fullmatch(roles, role) is None:
                return None
            who = rf"my (?:\w+ )?{role or roles} {re.escape(name) if name else '.*'}(?: .*)?"
            affirmed = f"I'm married to {clause[slice(*match.span('name'))]}" if name else clause
            whom = re.escape(name) if name else r"[\w'-]+(?: [\w'-]+)?"
            tied = TIED.format(states=states, name=whom)
            return Ending("en", (affirmed,), claims=(("KNOWS", who), (_STATE, tied)))
    for pattern in CANCELLED:
        if match := regex(pattern).fullmatch(folded):
            return Ending("en", (clause,), cancelled=match["thing"])
    return None


def _checked(language: str, affirmed: Sequence[str]) -> Ending | None:
    """An ending that names something, unlike `sold the old one`, and denies it once."""
    if regex(_SOME_ONE).search(affirmed[0]):
        return None
    words = _words(affirmed[0], language)
    says = [word for word in words if word.text not in {"be", "have"} | PREPOSITIONS[language]]
    if not says or _has_negation([word for word in words if word.text != "have"]):
        return None
    return Ending(language, tuple(affirmed))


def _says(clause: str, affirmed: str, language: str) -> bool:
    """Whether a clause says what has ended, perhaps of a part of it: `a blue Volvo`, where any Volvo has.

    Both begin with the same words; the clause may have numerals and adjectives more, and go on with a
    preposition or a name, or after a name with what is called by its make: `a Volvo estate`.
    """
    said, known = _words(affirmed, language), _words(clause, language)
    if not said or not known or _has_negation(known) or not _is_of_same_person(affirmed, clause, language):
        return False
    position = 0
    for number, word in enumerate(said):
        found = next(_places(known, position, word, is_opening=number == 0), None)
        if found is None:
            return False
        position = found + 1
    rest = known[position : position + 1]
    return not rest or any(
        word.text in PREPOSITIONS[language]
        or search_fold(word.written) in FREQUENCY
        or search_fold(word.written) in NAMING
        or word.written[:1].isupper()
        or (said[-1].written[:1].isupper() and search_fold(word.written) in GOODS)
        or language in ADJECTIVES_AFTER
        for word in rest
    )


def _is_of_same_person(affirmed: str, clause: str, language: str) -> bool:
    """Whether both are in the first person, or begin alike: with a name, or a verb that needs no pronoun."""
    from memtool.core.text.first_person import has_first_person  # few statements end others

    persons = has_first_person(affirmed), has_first_person(clause)
    if all(persons):
        return True
    said, known = _words(affirmed, language)[0], _words(clause, language)[0]
    is_named = said.written[:1].isupper() and not persons[0]
    is_same = search_fold(said.written) == search_fold(known.written)
    return is_named if any(persons) and language not in _WITHOUT_PRONOUNS else is_named or is_same


def _has_negation(words: Sequence[_Word]) -> bool:
    return has_negation([search_fold(word.written) for word in words])


def _places(known: Sequence[_Word], start: int, word: _Word, *, is_opening: bool) -> Iterator[int]:
    """Where a word may stand from a place on: there, or behind the modifiers of its noun phrase."""
    if start < len(known) and known[start].text == word.text:
        yield start
    if start >= len(known) or not known[start].is_first or word.text in _ALL_PREPOSITIONS:
        return
    if is_opening and not word.written[:1].isupper():
        return  # my brother Owen
    for place in range(start + 1, min(start + 1 + _MOST_MODIFIERS, len(known))):
        if known[place].is_first or known[place - 1].text in _ALL_PREPOSITIONS:
            return
        if known[place].text == word.text:
            yield place


@functools.lru_cache(4096)  # each statement of memory is compared several times
def _words(text: str, language: str) -> tuple[_Word, ...]:
    """The words of a clause that say what holds; contracted ones apart, forms of `be` and `have` as one."""
    plain = text.replace("n't", " not")
    if language == "fr":
        plain = regex(_ELISION).sub(r"\1 ", plain)
    found: list[_Word] = []
    is_first = False
    for match in regex(_WORD).finditer(plain):
        word = search_fold(match[0])
        if word in DROPPED[language] or word in COUNTS or word.replace(".", "").replace(",", "").isdigit():
            is_first = True
        elif (word in UNITS and is_first) or word in SUBJECTS:
            continue
        elif word in HAVE[language]:
            if not (found and found[-1].text == "have"):
                found.append(_Word("have", match[0]))
        elif word in BE[language]:
            found.append(_Word("be", match[0]))
        else:
            found.append(_Word(stem(word), match[0], is_first))
            is_first = False
    return tuple(found)


_ALL_PREPOSITIONS = frozenset().union(*PREPOSITIONS.values())
