"""Remainders: what a superseded statement says besides the value that a newer one replaces.

`My landlord is Mrs. Boateng` replaces who the landlord is in `My landlord is Mr. Osei and the rent is due on
the 1st`; when the rent is due still holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from memtool.core.capture.clauses import REQUEST, clauses, line_words, spans_of
from memtool.core.capture.corrected_lines import corrected_text, without_replaced
from memtool.core.capture.corrections import corrections
from memtool.core.capture.household import household_of
from memtool.core.capture.languages.compared_words import ARTICLES, INDEFINITE, JOINING
from memtool.core.capture.other_value import has_negation, other_value
from memtool.core.capture.replaced_person import without_replaced_person
from memtool.core.capture.restated_numbers import is_count
from memtool.core.capture.shared_subjects import (
    is_home_verb,
    is_shared_with_others,
    part_of_others,
    with_shared_subjects,
)
from memtool.core.capture.statement_model import lasting_odds
from memtool.core.facts.denied import object_after_denial
from memtool.core.facts.identity import comparison_text
from memtool.core.facts.successors import stated_successor
from memtool.core.records.candidate import Claim, entity_name
from memtool.core.records.entries import Fact
from memtool.core.records.semantic import FactTriple
from memtool.core.text.function_words import LATIN_LANGUAGES, latin_words
from memtool.core.text.number_words import NUMBER_WORDS
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_OWN_SUBJECT = (
    r"(?i)\W*(?:i|i'm|i've|we|we're|we've|my|our|the|ich|wir|mein\w*|unser\w*|der|die|das|je|j'\w+|nous|mon|ma"
    r"|mes|notre|yo|mi|mis|nuestr\w+|el|la|eu|meu|minha|o|я|мы|мой|моя|моё|наш\w*|у|ben|benim|biz|men|mening"
    r"|please|pls|always|never|don't|do not|bitte|immer|nie|por favor|siempre|nunca|sempre|toujours|ne"
    r"|s'il (?:te|vous) pla[iî]t|пожалуйста|всегда|никогда|l[uü]tfen|iltimos"
    r"|(?-i:[A-ZÀ-ÞА-ЯЁ])[\w'’-]+)(?!\w)"
)
"""How a clause begins that is a sentence without the one before it."""
_LEAST = 2
"""The words of a clause that states something."""
_LEAST_ODDS = -1.2
"""The log odds from which such a clause says more than "in case you make a poster"."""
_COUNTING = INDEFINITE | {*NUMBER_WORDS}
"""How a thing begins that a list counts."""
_LISTING = r"(?i)\b(?:n?or|as well as|oder|sowie|o|ou|или|veya|yoki)\b"
"""What stands in a clause between things of which one can end."""
_PREPOSITIONS = frozenset(
    ["in", "at", "to", "near", "for", "as", "bei", "als", "en", "à", "chez", "como", "em", "para"]
)
_BETWEEN = JOINING | frozenset(["but", "aber", "pero", "mais", "mas", "а", "но", "ama"])
"""What stands between two clauses."""
_HOME = "LIVES_IN"
_AGES = frozenset(["HAS_AGE", "OF_AGE"])
_DEPENDENT = (
    r",? (?:because|so that|weil|porque|ya que|parce que|puisque|потому что|çünkü|chunki)(?!\w)"
    r"|,? since (?=(?:i|we|he|she|it|they|there|my|our|his|her|the)\b)|, (?:since|denn|car) "
    r"|,(?: and| but)? (?:it|he|she|they|that)(?:['’]\w+| (?:is|are|was|were|has|have))(?!\w)"
    r"|, (?:which|who|whose|where) "
)
"""How a part of a sentence begins that is none alone."""
_OF_THING = (
    r"(?i)[,\w ]*?\b(?:it|he|she|they|that|which|who|whose|where|es|er|sie|il|elle|ils|elles)(?:['’]\w+)?\b"
)
"""How such a part begins that is about what stands before it: `because they are sweet`."""
_NEAR_WORDS = 2
_LEAST_CLAUSES = 2
"""The clauses of a text of which something can be left."""


def remaining_fact(
    old: FactTriple | Fact,
    said: str,
    active: Iterable[FactTriple | Fact],
    new: FactTriple | Fact | None = None,
    message: str = "",
) -> FactTriple | Fact | None:
    """What a fact says besides what a sentence supersedes, as a fact; None where active facts say it.

    Nothing where the `new` fact in its place is the old one with a clause put right. With whom the user lives
    and moves is kept, unless the sentence or the rest of its `message` is about that.
    """
    whole = _said(old)
    value = "" if isinstance(old, Fact) else _replaced_value(entity_name(old.object), whole, said)
    is_home = isinstance(old, FactTriple) and old.predicate == _HOME
    household = household_of(whole, value, f"{said}\n{message}") if is_home else None
    is_shared = is_shared_with_others(whole, said)
    if household is None and not is_shared and len(_clauses(whole)) < _LEAST_CLAUSES:
        return None  # most facts; the stems of all active ones take long
    if new is not None and not is_shared and _differ_in_one_clause(whole, _said(new)):
        return None
    active = [*active]
    known = [content_stems(comparison_text(fact)) for fact in active]
    if is_shared:
        text = part_of_others(whole)
        text = "" if any(content_stems(text) <= stems for stems in known) else text
    elif household is not None:
        text = remainder(without_replaced(household.rest), household.town, said, known)
    else:
        text = remainder(without_replaced(without_replaced_person(whole, said)), value, said, known)
    if (
        household
        and household.people
        and not any(content_stems(household.people) <= stems for stems in known)
    ):
        uncapitalised = text[:1].lower() + text[1:]
        rest = uncapitalised if uncapitalised in whole else text
        text = f"{household.sentence}; {rest}" if rest else household.sentence
    if not text or text == whole:
        text = _with_new_age(old, active, known) or text
    if not text or (new is not None and text.rstrip(" .") == _said(new).rstrip(" .")):
        return None
    kept = stated_successor(old, text)
    return replace(kept, subject="User") if isinstance(kept, FactTriple) else kept


def _replaced_value(value: str, whole: str, said: str) -> str:
    """The value of a fact; empty if a sentence is about clauses of the fact that do not state the value."""
    parts, new, named = _clauses(whole), _topics(said), content_stems(value)
    stating = [part for part in parts if named & content_stems(part)]
    others = [part for part in parts if part not in stating]
    is_about = [any(_topics(part) & new for part in some) for some in (stating, others)]
    return value if is_about != [False, True] else ""


def _with_new_age(
    old: FactTriple | Fact, active: Iterable[FactTriple | Fact], known: Iterable[frozenset[str]]
) -> str:
    """What a fact says with the age that an active fact gives instead: `My son is 10 and diabetic`.

    Empty for other facts, and where the rest is known or has the new age: `9 and turning 10 in May`.
    """
    if isinstance(old, Fact) or old.predicate not in _AGES:
        return ""
    text, about = _said(old), (old.subject, old.predicate)
    newer = [
        fact for fact in active if isinstance(fact, FactTriple) and (fact.subject, fact.predicate) == about
    ]
    spans = spans_of(old.object, text)
    if len(newer) != 1 or not spans or spans_of(newer[0].object, text):
        return ""
    start, end = spans[0]
    rest = content_stems(text) | {word for word in _words(text) if word.isdigit()}
    rest -= content_stems(old.object) | _words(old.object)
    return "" if any(rest <= stems for stems in known) else text[:start] + newer[0].object + text[end:]


def _differ_in_one_clause(old: str, new: str) -> bool:
    """Whether a text is another one with a clause of it put right, so that it says all the rest."""
    known, said = (_clauses(without_replaced(text)) for text in (old, new))
    equal = [part == other for part, other in zip(known, said, strict=False)]
    return len(known) == len(said) == sum(equal) + 1


def cannot_be_cut(old: FactTriple | Fact, said: str) -> bool:
    """Whether what a fact says besides what a sentence supersedes is the whole fact, or no sentence alone.

    `Coffee` is none, of `I like tea and coffee`.
    """
    kept = remaining_fact(old, said, ())
    whole, rest = (_without_request(without_replaced(_said(fact))) if fact else "" for fact in (old, kept))
    stems = content_stems(said)
    parts = {part: content_stems(part) for part in _clauses(whole)}
    left = [part for part in parts if not parts[part] <= stems]
    if parts and len(left) == len(parts):
        replaced = max(parts, key=lambda part: len(parts[part] & stems))
        if regex(_LISTING).search(replaced) is None:
            left.remove(replaced)
    is_whole = kept is not None and rest == whole
    return is_whole or any(not parts[part] <= stems | content_stems(rest) for part in left)


def without_same_subject(text: str, old: str, new: str) -> str:
    """What a text keeps of an old one without clauses of that about what the new one says; may be empty.

    `I hate calls before ten` is about the same as `I don't mind calls after eight`. What is left of the text
    is empty where it is no sentence alone.
    """
    said, known = _topics(new), {*_clauses(old)}
    parts = _clauses(text)
    rest = [part for part in parts if part not in known or not _is_about(_topics(part), said)]
    return text if len(rest) == len(parts) else _sentences_of(rest, text)


def dependent_part(old: str, new: str, known: Iterable[str] = ()) -> str:
    """The end of a text that is no sentence alone, such as `, because it is near`, and that a new one lacks.

    Empty unless the new text is about what stands before it and says nothing of it; empty also if a `known`
    text says it, if the new one denies something, or if the part is about a thing that the new one replaces.
    """
    start = regex(_DEPENDENT, re.IGNORECASE).search(old)
    if start is None or has_negation([word.text for word in line_words(new)]):
        return ""
    before, part = old[: start.start()], old[start.start() :].rstrip(" .!")
    said, stems = content_stems(new), _topics(part)
    if not stems or stems & said or not _topics(before) & said:
        return ""
    first = " ".join(part.split()[:_NEAR_WORDS])
    if regex(_OF_THING).match(first) and not content_stems(" ".join(before.split()[-_NEAR_WORDS:])) <= said:
        return ""
    return "" if any(stems <= content_stems(text) for text in known) else part


def _is_about(topics: frozenset[str], said: frozenset[str]) -> bool:
    """Whether half of the topics of a clause, or two of them, are in a text."""
    shared = len(topics & said)
    return shared >= min(2, len(topics) / 2) > 0


def _topics(text: str) -> frozenset[str]:
    """The stems of the words of a text that are no function words in any language, and no numbers."""
    numbers = " ".join(word.text for word in line_words(text) if is_count(word.text))
    return content_stems(text).difference(content_stems(numbers), *map(latin_words, LATIN_LANGUAGES))


def object_left(fact: FactTriple, denied: Claim, said: str) -> str | None:
    """What a denial leaves of the object of a fact; None if that cannot be cut, or says something else."""
    left = object_after_denial(fact, denied, said)
    return None if left is None or (not left and cannot_be_cut(fact, said)) else left


def _said(fact: FactTriple | Fact) -> str:
    return fact.detail if isinstance(fact, Fact) else fact.quote or ""


def _without_request(text: str) -> str:
    request = regex(REQUEST).match(text)
    return text[request.end() :] if request else text


def remainder(text: str, value: str, new: str, known: Sequence[frozenset[str]] = ()) -> str:
    """The sentence that keeps what a text says besides a value; empty if there is nothing.

    Where no clause has the value, the one with most words of the new sentence is replaced. What is left are
    the other clauses without those that a `known` text says, given by its stems; where they are no sentences
    alone, the text with the new value, or without the old one, or else all of it, unless these clauses state
    nothing that lasts, or the text has a value that the new sentence denies.
    """
    text = _without_request(text)
    parts = _clauses(text)
    if len(parts) < _LEAST_CLAUSES:
        return ""
    said = content_stems(new)
    left = [part for part in parts if not any(content_stems(part) <= stems for stems in (*known, said))]
    replaced = _words(value)
    if not replaced or not any(replaced <= _words(part) for part in parts):
        if any(_states(part) and content_stems(part) <= said for part in parts):
            replaced = frozenset()  # the new sentence is about a whole clause: "I don't like tea any more"
        elif len(left) < 2:
            return ""
        else:
            replaced = max((_words(part) & _words(new) for part in parts), key=len)
    gone = [part for part in parts if replaced and replaced <= _words(part)]
    gone = [part for part in gone if content_stems(part) - content_stems(value) <= said] or gone
    rest = [part for part in left if part not in gone and _states(part)]
    rest = [part for part in rest if all(other_value(clause, part) is None for clause in _clauses(new))]
    stated = corrections(new)
    denied = [correction.old for correction in stated if correction.old]
    rest = [
        part
        for part in rest
        if not any(spans_of(old, part) and content_stems(part) - content_stems(old) <= said for old in denied)
    ]
    if not rest:
        return ""
    if listed := _without_listed(text, value, rest[0]):
        return listed
    if kept := _sentences_of(rest, text):
        return kept[:1].upper() + kept[1:]
    if other := other_value(new, text, is_recent=True):
        is_told = spans_of(other.new, text) or not content_stems(other.line) - said
        return "" if is_told else other.line
    put_right = (corrected_text(correction, text) for correction in stated)
    states = any(lasting_odds(part) >= _LEAST_ODDS for part in rest)
    whole = "" if any(spans_of(old, text) for old in denied) else text
    return next(filter(None, put_right), (_without_place(text, value) or whole) if states else "")


def _sentences_of(rest: Sequence[str], text: str) -> str:
    """These clauses of a text, joined; empty if one is neither a sentence alone nor follows another of them.

    `three hives` stays where it is in "I keep bees, three hives, and I harvest in July".
    """
    kept, end = "", 0
    for start, stop in with_shared_subjects(text, clauses(text)):
        part = text[start:stop].strip()
        if part not in rest:
            continue
        is_sentence = regex(_OWN_SUBJECT).match(part) is not None and len(_words(part)) >= _LEAST
        is_next = bool(kept) and _words(text[end:start]) <= _BETWEEN
        if is_sentence:
            kept += f", {part.strip(' .')}" if kept else part.strip(" .")
        elif is_next:
            kept += text[end:stop].rstrip(" .")  # with what joins it to the one before
        else:
            return ""
        end = start + len(text[start:stop].rstrip(" ."))
    return kept


def _without_place(text: str, value: str) -> str:
    """A text without a value after a preposition: `I live above a shop`, of "I live in Ghent, above a shop".

    Without the verb, too, where the next one follows: `I have two kids`, of "I live in Ghent and have …".
    Empty where no preposition is before the value, or nothing before that or after the value.
    """
    before, _, after = text.partition(value) if value else ("", "", "")
    start, _, preposition = before.rstrip().rpartition(" ")
    if preposition.lower() not in _PREPOSITIONS or len(start.split()) < _LEAST or not after.strip(" ,."):
        return ""
    subject, _, verb = start.rpartition(" ")
    joined, _, rest = after.strip(" ,").partition(" ")
    if joined in _BETWEEN and is_home_verb(verb):
        return "" if rest.startswith("so ") else f"{subject} {rest}"
    return f"{start} {after.lstrip(' ,')}"


def _without_listed(text: str, value: str, next_part: str) -> str:
    """A text without the first of the things that it lists: `We have a dog`, of two cats and a dog.

    Empty where the value and what is left do not begin with a number or `a`.
    """
    start = text.find(value) if value else -1
    after = text.find(next_part, start + len(value))
    firsts = (value.partition(" ")[0].lower(), next_part.partition(" ")[0].lower())
    if start < 0 or after < 0 or not all(word in _COUNTING or word.isdigit() for word in firsts):
        return ""
    joined = text[start + len(value) : after].strip(" ,").lower()
    return text[:start] + text[after:] if joined in {*JOINING, ""} else ""


def _clauses(text: str) -> list[str]:
    """The clauses of a text that have words, without the request to remember it."""
    text = _without_request(text)
    parts = (text[start:end].strip() for start, end in with_shared_subjects(text, clauses(text)))
    return [part for part in parts if any(map(str.isalnum, part))]


def _words(text: str) -> frozenset[str]:
    return frozenset(word.text for word in line_words(text)) - ARTICLES


def _states(clause: str) -> bool:
    return bool(content_stems(clause)) and len(line_words(clause)) >= _LEAST
