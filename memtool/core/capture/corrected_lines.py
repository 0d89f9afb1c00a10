"""Lines of memory that a correction makes wrong, and how they read with the new value.

A line is only replaced where the correction is surely about it: memory that stays beside a newer line does
less harm than memory that is lost.
"""

from __future__ import annotations

import re
from collections.abc import Set

from msgspec.structs import replace

from memtool.core.capture.clause_subjects import HABIT, is_of_others, own_clause
from memtool.core.capture.clauses import REQUEST, clauses, clauses_around, line_words, spans_of
from memtool.core.capture.correction_value import Correction, may_correct
from memtool.core.capture.corrections import corrections
from memtool.core.capture.fitted_corrections import fitted
from memtool.core.capture.home_details import home_stated_anew, without_home_details
from memtool.core.capture.languages.compared_words import COPULAS
from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.capture.other_value import OtherValue, has_negation, other_value
from memtool.core.capture.particles import begin_alike, is_particle
from memtool.core.capture.replaced_person import is_in_place, without_address, without_person
from memtool.core.capture.respelling import is_respelling
from memtool.core.capture.stated_in import without_frequency
from memtool.core.records.candidate import SENTENCE
from memtool.core.records.semantic import FactTriple
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_FIRST_PERSON = frozenset(["i", "i'm", "i've", "i'd", "me", "we", "we're", "we've", "us", "our", "user"])
_PRESENT_WORDS = """
    is are am i'm we're live lives living based reside resides home stay stays work works use uses using run
    runs
"""
_PRESENT = frozenset(_PRESENT_WORDS.split())
"""Words of a line about now: a move does not change where somebody was born."""

_DENYING = "not|nicht|no|pas|não|а не|не"
_DENIES = rf"(?i) (?:{_DENYING}) "
_ACTS_NOW = (
    r"(?i)\W*(?:i|we)(?:'m|'re|'ve)? (?:(?:all|both|always|still|now|usually|mostly) )*"
    r"(?!(?:was|were|had|came|grew|went|did|got|took|made|met|left|bought|used to|began|gave|saw|knew|said"
    r"|wrote|\w+ed)\b)\w+"
)
"""A clause about what the user does now."""

_MOVES = frozenset(["move"])
_SENTENCE_END = r"(?<=[.!?]) "
"""What parts the triple of a fact from its quote, and a sentence from another one."""


def is_corrected(correction: Correction, text: str, *, is_recent: bool) -> bool:
    """Whether a line of memory says the old value of what the correction is about.

    The old value stands once in one clause of the line, the new one nowhere; that clause is not negated and
    has every word that the correction says before its value; and the line can be put right, or says nothing
    else. A correction without such words (`it isn't X, it's Y`) is about a line that ends with the value, if
    that line is recent or the value is a name. One without an old value is about a line that differs from
    it in one value.
    """
    if correction.is_of_clause and len(clauses(text.rstrip(" .!"))) > 1:
        return False
    text, correction = without_denied(correction.new, text), fitted(correction, text)
    if not correction.old:
        if correction.is_shift or correction.is_spelling:
            return False
        other = other_value(correction.statement, text, is_recent=is_recent)
        return other is not None and not _splits_other(correction, text, other)
    if not correction.new:
        return False
    if spans_of(correction.new, text) and not spans_of(correction.new, correction.old):
        return False
    if _goes_on(correction):
        return False
    if not _clauses_about(correction, text, is_recent=is_recent):
        return False
    if corrected_text(correction, text):
        return True
    if _says_twice(correction.old, text):
        return False
    known = content_stems(f"{correction.old} {correction.statement or correction.new}") | correction.subject
    return content_stems(regex(REQUEST).sub("", text, count=1)) - {"user"} <= known


def may_be_corrected(correction: Correction, text: str, *, is_recent: bool) -> bool:
    """Whether a correction with an old value may be about a line, so that it is if no other line may be.

    A clause of the line that is not negated says the old value, the new one stands nowhere, and the line has
    all words of the correction's subject. One that names none (`not X but Y`) may be about any such line; one
    about `it`, which may be something of the conversation, only if the line is recent or the value a name.
    """
    text, correction = without_denied(correction.new, text), fitted(correction, text)
    if not correction.old or not correction.new or correction.is_move or _goes_on(correction):
        return False
    if spans_of(correction.new, text) and not spans_of(correction.new, correction.old):
        return False
    words = {word.text for word in line_words(text)}
    if not any(
        not has_negation([word.text for word in line_words(text[slice(*clause)])])
        for clause in _clauses_with_value(correction, text)
    ):
        return False
    if _says_twice(correction.old, text) and not corrected_text(correction, text):
        return False
    if correction.is_first_person and not _is_of_user(words, text):
        return False
    said, subject = content_stems(text) | words, correction.head or correction.subject
    if not subject <= said or _is_of_other_owner(subject, text):
        return False
    has_moved = correction.verbs <= _MOVES and correction.is_first_person and not correction.head
    if not correction.verbs <= said and not (has_moved and words & _PRESENT):
        return False
    return bool(
        subject or correction.verbs or not correction.is_of_it or is_recent or correction.old[:1].isupper()
    )


def corrected_text(correction: Correction, text: str) -> str:
    """A text that a correction makes wrong, with the new value in place of the old one.

    Only the clause that the correction is about is put right, where there are several. Empty where that would
    be no sentence: the value is not there or more than once, it is of another kind (`upstairs`, `in the
    cellar`), or the clause already says a part of the new one.
    """
    text, correction = without_denied(correction.new, text), fitted(correction, text)
    if not correction.old:
        other = (
            None
            if correction.is_shift or correction.is_spelling
            else other_value(correction.statement, text, is_recent=True)
        )
        return other.line if other and not _splits_other(correction, text, other) else ""
    if not correction.new or _goes_on(correction):
        return ""
    about = _clauses_about(correction, text, is_recent=True)
    if not about and correction.said and not _clauses_with_value(correction, text):
        return ""
    first, last = (*about, (0, len(text)))[0]
    clause = text[first:last]
    for old, said in (correction.raw, (correction.old, correction.new)):
        spans = spans_of(old, clause)
        if len(spans) > 1:
            return ""
        for start, end in spans:
            new = _without_repeated_start(said, clause[:start])
            if not begin_alike(old, new) or len(old.split()) > len(new.split()) + 2:
                return ""
            rest = clause[end + _repeated_end(new, clause[end:]) :]
            if (
                old.split()[-1][:1].isupper()
                and regex(r" [A-ZÀ-ÞА-Я]").match(rest)
                and not is_respelling(correction.old, correction.new)
            ):
                return ""  # a part of a name: "Kia" of "Kia Niro"
            added = content_stems(new) - content_stems(old)
            others = text[:first] if len(spans_of(old, text)) > 1 else ""
            if added & content_stems(f"{others} {clause[:start]} {rest}"):
                return ""
            rest += text[last:]
            if _splits_range(correction, text, (first + start, first + end), new):
                return ""
            if anew := home_stated_anew(text, first + start, old, correction.statement):
                return anew
            if not is_respelling(old, new):
                rest = without_home_details(text[: first + end], rest)
            if is_in_place(clause[:start], *(value.split(". ")[-1] for value in (old, new))):
                rest = without_person(without_address(rest))
            return text[: first + start] + new + rest
    return ""


def _splits_range(correction: Correction, text: str, span: tuple[int, int], new: str) -> bool:
    """Whether a new value would stand at one end of a range of a text, and not in the one that was said."""
    from memtool.core.capture.ranges import splits_range  # few corrections replace anything

    said = correction.said or correction.statement
    return splits_range(text, *span, new, said, denies_old=bool(correction.said))


def _splits_other(correction: Correction, text: str, other: OtherValue) -> bool:
    spans = spans_of(other.old, text)
    return len(spans) == 1 and _splits_range(correction, text, spans[0], other.new)


def corrected_triple(correction: Correction, fact: FactTriple, quote: str) -> FactTriple | None:
    """A triple that a correction makes wrong, put right, with the correcting sentence as its `quote`.

    A sentence that has the values alone (`not Lisbon but Porto`) is no quote; the old one is put right. The
    old one is also put right where it says more than the correcting sentence, so that the rest is not lost;
    what it says instead of an earlier value, if it is a correction itself, is no such rest.
    Where its object does not say the old value, as that of `User KNOWS my sister Lena — "My sister Lena lives
    in Oslo"`, the quote that does is put right instead, or else replaced by the correcting sentence, so that
    the object is not lost. Where the object is wrong and cannot be put right, the quote with the new value is
    stated if it has several clauses, so that none is lost; else None.
    """
    said, correction = correction, fitted(correction, fact.quote or "")
    if correction.old:
        object_ = corrected_text(_with_fitted_value(correction, fact.quote or ""), fact.object)
        while (last := object_.rpartition(" ")[2]).islower() and is_particle(last):
            object_ = object_.rpartition(" ")[0]  # of an object that was cut short: `Oslo with`
    else:
        other = other_value(correction.statement, fact.quote or "", is_recent=True)
        spans = spans_of(other.old, fact.object) if other else []
        object_ = (
            f"{fact.object[: spans[0][0]]}{other.new}{fact.object[spans[0][1] :]}"
            if other and len(spans) == 1
            else ""
        )
    evidence = corrected_text(correction, without_replaced(fact.quote or ""))
    if object_:
        has_subject = not correction.old or said.statement or said.subject
        rest = regex(rf"(?i)^{LEADS}").sub("", evidence)
        says_more = bool(content_stems(without_frequency(rest)) - content_stems(quote))
        says_more |= bool(correction.old and spans_of(correction.old, rest))  # of another: "my bus is the 12"
        is_quote = has_subject and not says_more and not said.is_age  # what "turned ten" says ends in a year
        words = quote if is_quote or not evidence else evidence
        return replace(fact, object=words if fact.predicate == SENTENCE else object_, quote=words)
    is_object_wrong = bool(content_stems(correction.old) & content_stems(fact.object)) or (
        says_value(fact.object, fact.quote or "") and bool(evidence) and not says_value(fact.object, evidence)
    )
    if is_object_wrong and evidence and len(clauses(evidence.rstrip(" .!"))) > 1:
        return replace(fact, subject="User", predicate=SENTENCE, object=evidence, quote=evidence)
    stated = evidence or (quote if correction.old and correction.statement else "")
    return replace(fact, quote=stated) if stated and not is_object_wrong else None


def without_replaced(text: str) -> str:
    """A text that is a correction itself without the value that it replaced: `I live in Milan, not Rome`."""
    for said in corrections(text) if may_correct(text) else ():
        text = without_denied(said.old, text)
    return text


def without_denied(value: str, text: str) -> str:
    """A text without the new value where it denies it: `with Nomad, not Kubernetes`."""
    if not value or not regex(_DENIES).search(text):
        return text
    particle = "(?:(?:on|in|at|with|to|the|a|mit|en|con|com|à|в|на) )?"
    pattern = rf"(?i),? (?:and )?(?:{_DENYING}) {particle}{re.escape(value)}(?!\w)"
    return re.sub(pattern, "", text)


def _with_fitted_value(correction: Correction, text: str) -> Correction:
    """A correction whose new value fits the place of the old one in a text: `milk`, after `allergic to`."""
    spans = spans_of(correction.old, text)
    if len(spans) != 1:
        return correction
    before = text[: spans[0][0]]
    new, raw = (_without_repeated_start(value, before) for value in (correction.new, correction.raw[1]))
    return replace(correction, new=new, raw=(correction.raw[0], raw))


def _without_repeated_start(value: str, before: str) -> str:
    """A value without its first words that stand before its place already.

    These are a preposition (`on Tuesdays`, after `on`), or what the correction says again of the sentence:
    `allergic to walnuts` after `is allergic to`, and `moving on 21 March` after `are moving to Graz on`. The
    words stand there in the same order, and the last of them at the end.
    """
    words, said = value.split(" "), [word.text for word in line_words(before)]
    for size in range(len(words) - 1, 0, -1):
        start = [word.text for word in line_words(" ".join(words[:size]))]
        rest = iter(said)
        if start and said[-1:] == start[-1:] and all(word in rest for word in start):
            return " ".join(words[size:])
    return value


def _repeated_end(value: str, rest: str) -> int:
    """How many characters of what follows the old value say the end of the new one: `12 hours`, not `10`."""
    words = value.split(" ")
    ends = (" " + " ".join(words[first:]) for first in range(1, len(words)))
    return next((len(end) for end in ends if rest.startswith(end) and not rest[len(end) :][:1].isalnum()), 0)


def _clauses_about(correction: Correction, text: str, *, is_recent: bool) -> list[tuple[int, int]]:
    """The clauses of a line that say the old value of what the correction is about.

    Where a sentence says the value twice, the one about what the user has, if the correction is about that
    (`own_clause`), or else the one with most words that the correction says and fewest others, if one has.
    """
    found = _clauses_with_value(correction, text)
    if not correction.said or not _says_twice(correction.old, text):
        return [clause for clause in found if _is_about(correction, text, clause, is_recent=is_recent)]
    own = own_clause(correction.said, text, found)
    if own is not None and correction.head <= content_stems(text[slice(*own)]):
        return [own] if not has_negation([word.text for word in line_words(text[slice(*own)])]) else []
    said, old = _telling_words(correction.said), _telling_words(correction.old)
    scores = {}
    for clause in found:
        words = _telling_words(text[slice(*clause)]) - old
        if words & said:
            scores[clause] = len(words & said) - len(words - said)
    best = [clause for clause, score in scores.items() if score == max(scores.values())]
    # `coffee with milk`, of "I drink tea with milk and coffee with milk", has its verb from what is before
    return [
        clause
        for clause in best
        if len(best) == 1 and _is_about(correction, text, (0, clause[1]), is_recent=is_recent)
    ]


def _clauses_with_value(correction: Correction, text: str) -> list[tuple[int, int]]:
    """The clauses of a line that say the old value, without those of others than whom the user speaks of."""
    return [
        clause
        for clause in clauses_around(correction.old, text)
        if spans_of(correction.old, text[slice(*clause)]) and not is_of_others(correction.said, text, clause)
    ]


def _says_twice(value: str, text: str) -> bool:
    """Whether a sentence of a text says a value twice; a fact says it in its triple and in its quote."""
    return any(len(spans_of(value, sentence)) > 1 for sentence in regex(_SENTENCE_END).split(text))


def _telling_words(text: str) -> frozenset[str]:
    """The stems of a text's content words, and its numbers."""
    return content_stems(text) | {word.text for word in line_words(text) if word.text.isdigit()}


def _is_about(correction: Correction, text: str, clause: tuple[int, int], *, is_recent: bool) -> bool:
    """Whether the clause of a line is what the correction is about, given that it has the old value."""
    said = text[slice(*clause)]
    words = {word.text for word in line_words(said)}
    if has_negation([word.text for word in line_words(said)]) or (
        correction.is_move and not words & _PRESENT and regex(_ACTS_NOW).match(said) is None
    ):
        return False
    if correction.is_first_person and not _is_of_user(words, said):
        return False
    if correction.is_spelling:
        return True
    if not correction.subject:
        if correction.is_move and correction.is_first_person:
            return True
        is_last = any(
            _is_end(text[clause[0] + end :], correction) for _, end in spans_of(correction.old, said)
        )
        has_verb = correction.verbs <= words | content_stems(said)
        is_name = correction.old[:1].isupper() and has_verb  # "use Go, not C" is about no book on C
        return is_last and (is_recent or is_name or correction.is_first_person)
    if not correction.head:
        return bool(correction.subject & (content_stems(said) - content_stems(correction.old)))
    return correction.head <= content_stems(said) | words and not _is_of_other_owner(correction.head, said)


def _is_end(rest: str, correction: Correction) -> bool:
    """Whether nothing follows a value, or only the rest of a name that is spelled in another way."""
    if is_respelling(correction.old, correction.new):
        rest = regex(r"(?: [A-ZÀ-ÞА-ЯЁ][\w'’-]*)+").sub("", rest, count=1)
    return rest.strip(" .!?\"'") == ""


def _is_of_user(words: Set[str], text: str) -> bool:
    """Whether a text is about the user, or what the user has by habit: `my favourite tea is …`."""
    return bool(words & _FIRST_PERSON) or regex(HABIT).match(text) is not None


def _is_of_other_owner(head: frozenset[str], clause: str) -> bool:
    """Whether a clause has the head as an owner, or as what another one owns: `Anna's sister`, of `Anna`."""
    for match in regex(r"([\w-]+)['’]s ([\w-]+)").finditer(clause):
        if match[1] != "User" and (content_stems(match[1]) <= head) != (content_stems(match[2]) <= head):
            return True
    return False


def _goes_on(correction: Correction) -> bool:
    """Whether the new value is a clause, unlike the old one: `not Friday but Monday is a holiday`."""
    values = correction.new, correction.old
    new, old = ([word.text for word in line_words(value)[1:]] for value in values)
    return bool(COPULAS & {*new}) and not COPULAS & {*old}


def says_value(value: str, text: str) -> bool:
    """Whether a text has a value as whole words."""
    return bool(spans_of(value, text))
