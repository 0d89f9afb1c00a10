"""Lines of memory that a correction makes wrong, and how they read with the new value.

A line is only replaced where the correction is surely about it: memory that stays beside a newer line does
less harm than memory that is lost.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from msgspec import Struct

from memtool.core.capture.corrections import Correction, is_particle
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CLAUSE_STOP
from memtool.core.text.stems import content_stems

_CHARACTERS = "\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f"
"""The letters of scripts without spaces between words."""
_WORD = rf"[{_CHARACTERS}]|[^\s{_CHARACTERS}]+"
"""A word with its signs (`$12,500`, `C++`); in scripts without spaces between words, a character."""
_SIGNS_AROUND = (
    r"^[\"'“”‘’«»()\[\]{}*_`]+",
    r"(?:['’]s)?[\"'“”‘’«»()\[\]{}*_`.,;:!?…。，；：！？、]+$|['’]s$",
)
"""What is no part of a word: quotes and brackets around it, and what ends a clause or marks an owner."""
_CLAUSE_END = (
    rf"[,;:!?—–]+(?=\s|$)|{CLAUSE_STOP}|[。，；！？、]|(?<=\s)(?:and|but|und|aber|y|pero|et|mais|e|mas|и|а|но|ve"
    r"|ama|va)(?=\s)"
)
_REQUEST = r"(?i)\W*(?:please )?(?:remember|note|keep in mind|don't forget)(?: that)?\b\W*"
"""What a line may begin with besides its statement."""
_MOST_BEFORE = 5
"""The most words before a statement, such as "Actually" or "Correction"."""
_LEAST_SHARED = 3
"""Words that a statement and a line begin with together: who or what it is about, and the verb."""
_LONGEST = 4
"""The most words of a value that a statement without an old value replaces."""
_SEVERAL_WORDS = """
    has have had own owns like likes love loves hate hates know knows need needs want wants enjoy enjoys speak
    speaks play plays eat eats include includes contain contains take takes visit visits read reads
"""
_SEVERAL = frozenset(_SEVERAL_WORDS.split())
"""Verbs after which several values can be true."""
_JOINING = frozenset(
    ["and", "or", "with", "also", "too", "und", "oder", "auch", "y", "o", "et", "ou", "и", "или"]
)
"""Words that add a value to another, or leave open which one is true."""
_COPULAS = frozenset(
    ["is", "are", "was", "were", "'s", "ist", "sind", "es", "son", "est", "sont", "é", "são"]
)
_AUXILIARIES = _COPULAS | frozenset(["has", "have", "had", "will", "costs", "runs", "does", "did"])
_NEGATION_WORDS = """
    not no never isn't aren't wasn't weren't don't doesn't didn't won't can't cannot without nicht kein keine
    nie ne pas jamais nunca não nao не нет никогда değil degil emas
"""
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
_FIRST_PERSON = frozenset(["i", "i'm", "i've", "i'd", "me", "we", "we're", "we've", "us", "our", "user"])
_PRESENT_WORDS = """
    is are am i'm we're live lives living based reside resides home stay stays work works use uses using run
    runs
"""
_PRESENT = frozenset(_PRESENT_WORDS.split())
"""Words of a line about now: a move does not change where somebody was born."""

_DOUBT = (
    r"^\W*(?:(?:actually|no|and|so|but|well|ok|okay|hmm),? )?(?:if|when|unless|in case|suppose|imagine|wenn"
    r"|falls|si|se|если|eğer|agar)\b|如果|要是|もし"
    r"|\b(?:maybe|perhaps|possibly|probably|supposedly|allegedly|might|may be|could be|i wonder|i guess"
    r"|i think|not sure|unsure|whether|(?:not|isn't) true|vielleicht|möglicherweise|quizás?|tal vez"
    r"|a lo mejor|peut-être|talvez|возможно|может быть|наверное|belki|balki)\b|也许|可能|大概|たぶん|かもしれ"
    r"|\b(?!i\b|we\b)[\w'’]+ (?:said|says|told (?:me|us)|claims?|claimed|thinks|thought|believes|asserts?"
    r"|suggests?|wrote|writes) "
)
"""What leaves open whether a sentence is true, or says that somebody else says it."""


class _Word(Struct, frozen=True):
    """A word of a text, folded, and its span without the signs around it."""

    text: str
    start: int
    end: int


def is_corrected(correction: Correction, text: str, *, is_recent: bool) -> bool:
    """Whether a line of memory says the old value of what the correction is about.

    The old value stands once in one clause of the line, the new one nowhere; that clause is not negated and
    has every word that the correction says before its value; and the line can be put right, or says nothing
    else. A correction without such words (`it isn't X, it's Y`) is about a line that ends with the value, if
    that line is recent or the value is a name. One without an old value is about a line that differs from
    it in one value.
    """
    if not correction.old:
        return bool(_with_other_value(correction.statement, text))
    if _spans(correction.new, text) and not _spans(correction.new, correction.old):
        return False
    if not _clauses_about(correction, text, is_recent=is_recent):
        return False
    if corrected_text(correction, text):
        return True
    known = content_stems(f"{correction.old} {correction.statement or correction.new}") | correction.subject
    return content_stems(regex(_REQUEST).sub("", text, count=1)) - {"user"} <= known


def corrected_text(correction: Correction, text: str) -> str:
    """A text that a correction makes wrong, with the new value in place of the old one.

    Only the clause that the correction is about is put right, where there are several. Empty where that would
    be no sentence: the value is not there or more than once, it is of another kind (`upstairs`, `in the
    cellar`), or the clause already says a part of the new one.
    """
    if not correction.old:
        return _with_other_value(correction.statement, text)
    first, last = (*_clauses_about(correction, text, is_recent=True), (0, len(text)))[0]
    clause = text[first:last]
    for old, said in (correction.raw, (correction.old, correction.new)):
        spans = _spans(old, clause)
        if len(spans) > 1:
            return ""
        for start, end in spans:
            new = _without_particle(said, clause[:start])
            if not _begins_alike(old, new) or len(old.split()) > len(new.split()) + 2:
                return ""
            rest = clause[end + _repeated_end(new, clause[end:]) :]
            added = content_stems(new) - content_stems(old)
            if added & content_stems(f"{clause[:start]} {rest}"):
                return ""
            return text[: first + start] + new + rest + text[last:]
    return ""


def _without_particle(value: str, before: str) -> str:
    """A value without the preposition that stands before its place already: `on Tuesdays`, after `on`."""
    first, _, rest = value.partition(" ")
    stands_before = is_particle(first) and f" {before}".lower().endswith(f" {first} ".lower())
    return rest if rest and stands_before else value


def _repeated_end(value: str, rest: str) -> int:
    """How many characters of what follows the old value say the end of the new one: `12 hours`, not `10`."""
    words = value.split(" ")
    ends = (" " + " ".join(words[first:]) for first in range(1, len(words)))
    return next((len(end) for end in ends if f"{rest} ".startswith(f"{end} ")), 0)


def _clauses_about(correction: Correction, text: str, *, is_recent: bool) -> list[tuple[int, int]]:
    """The clauses of a line that say the old value of what the correction is about."""
    return [
        clause
        for clause in _clauses(text)
        if _spans(correction.old, text[slice(*clause)])
        and _is_about(correction, text, clause, is_recent=is_recent)
    ]


def _is_about(correction: Correction, text: str, clause: tuple[int, int], *, is_recent: bool) -> bool:
    """Whether the clause of a line is what the correction is about, given that it has the old value."""
    said = text[slice(*clause)]
    words = {word.text for word in _words(said)}
    if words & _NEGATIONS or (correction.is_move and not words & _PRESENT):
        return False
    if correction.is_first_person and not words & _FIRST_PERSON:
        return False
    if not correction.subject:
        if correction.is_move and correction.is_first_person:
            return True
        is_last = any(
            text[clause[0] + end :].strip(" .!?\"'") == "" for _, end in _spans(correction.old, said)
        )
        return is_last and (is_recent or correction.old[:1].isupper() or correction.is_first_person)
    if not correction.head:
        return bool(correction.subject & (content_stems(said) - content_stems(correction.old)))
    return correction.head <= content_stems(said) | words and not _is_of_other_owner(correction.head, said)


def _is_of_other_owner(head: frozenset[str], clause: str) -> bool:
    """Whether a clause is about what somebody of the head has: `Anna's sister`, where the head is `Anna`."""
    for match in regex(r"([\w-]+)['’]s ([\w-]+)").finditer(clause):
        if content_stems(match[1]) <= head and not content_stems(match[2]) <= head:
            return True
    return False


def _begins_alike(old: str, new: str) -> bool:
    """Whether both values begin with a preposition or an article, or neither does."""
    first_words = old.split(" ", 1)[0], new.split(" ", 1)[0]
    has_particle = [word[:1].islower() and is_particle(word) for word in first_words]  # unlike May, the month
    return has_particle[0] == has_particle[1]


def _clauses(text: str) -> list[tuple[int, int]]:
    """The spans of a text's clauses."""
    ends = [(match.start(), match.end()) for match in regex(_CLAUSE_END, re.IGNORECASE).finditer(text)]
    starts = [0, *(end for _, end in ends)]
    return [*zip(starts, [*(start for start, _ in ends), len(text)], strict=True)]


def _spans(phrase: str, text: str) -> list[tuple[int, int]]:
    """Where a text has a phrase as whole words."""
    wanted, words = [word.text for word in _words(phrase)], _words(text)
    size = len(wanted)
    return [
        (words[first].start, words[first + size - 1].end)
        for first in range(len(words) - size + 1 if size else 0)
        if words[first].text == wanted[0] and [word.text for word in words[first : first + size]] == wanted
    ]


@functools.lru_cache(16)
def _words(text: str) -> tuple[_Word, ...]:
    """The words of a text."""
    opening, closing = map(regex, _SIGNS_AROUND)
    found = []
    for match in regex(_WORD).finditer(text):
        without_opening = opening.sub("", match[0])
        bare = closing.sub("", without_opening)
        start = match.end() - len(without_opening)
        if bare:
            found.append(_Word(search_fold(bare), start, start + len(bare)))
    return tuple(found)


def _with_other_value(statement: str, line: str) -> str:
    """A line with a statement in place of the sentence that differs from it in one value; else empty.

    Before the statement may be some words, such as "Actually". Both begin with the same words, and end so;
    what differs is short, has no word in common, and is the end of the sentence, or a number, or follows
    `is`. What can have several values (`has a dog`) is no contradiction.
    """
    said = _words(statement)
    request = regex(_REQUEST).match(line)
    begin = request.end() if request else 0
    first_letters = {word.text[:1] for word in said[: _MOST_BEFORE + 1]}
    if search_fold(line[begin : begin + 1]) not in first_letters:
        return ""  # most lines: `statement` is compared with all of memory
    end = next((stop for _, stop in _clauses(line) if stop > begin), len(line))
    known = [word for word in _words(line) if begin <= word.start < end]
    for first in range(min(_MOST_BEFORE, len(said)) + 1):
        new, old = [word.text for word in said[first:]], [word.text for word in known]
        start = _shared(new, old)
        tail = _shared(new[start:][::-1], old[start:][::-1])
        values = new[start : len(new) - tail], old[start : len(old) - tail]
        if _is_other_value(values, new[:start], new[len(new) - tail :]) and _are_alike(
            statement[said[first + start].start : said[-1].end], line[known[start].start : known[-1].end]
        ):
            sentence = statement[said[first].start : said[-1].end]
            capital = sentence[:1].upper() if line[known[0].start].isupper() else sentence[:1]
            return line[: known[0].start] + capital + sentence[1:] + line[known[-1].end :]
    return ""


def _is_other_value(values: tuple[list[str], list[str]], before: list[str], after: list[str]) -> bool:
    """Whether two values between the same words cannot both be true."""
    new, old = values
    if not (0 < len(new) <= _LONGEST and 0 < len(old) <= _LONGEST) or {*new} & {*old}:
        return False
    is_continuous = regex(rf"[{_CHARACTERS}]").match(before[0]) is not None if before else False
    if len(before) < _LEAST_SHARED or not (is_continuous or content_stems(" ".join(before))):
        return False
    if _SEVERAL & {*before} or (_NEGATIONS | _JOINING) & {*new, *old, *before[-1:]} or "also" in before:
        return False
    have_digits = [any(map(str.isdigit, "".join(value))) for value in values]
    if have_digits[0] != have_digits[1]:
        return False
    if not after:
        return True
    follows_copula = bool(_COPULAS & {*before[-2:]})
    return (all(have_digits) or follows_copula) and not (_AUXILIARIES | _JOINING) & {*after}


def _are_alike(value: str, other: str) -> bool:
    """Whether two values are both names, or neither is: `Berlin` and `a small flat` can both be true."""
    return _begins_alike(value, other) and value[:1].isupper() == other[:1].isupper()


def _shared(words: Sequence[str], others: Sequence[str]) -> int:
    """How many words two texts begin with together."""
    pairs = enumerate(zip(words, others, strict=False))
    return next((number for number, (word, other) in pairs if word != other), min(len(words), len(others)))


def is_doubtful(sentence: str) -> bool:
    """Whether a sentence leaves open whether it is true, or says what somebody else says."""
    return regex(_DOUBT, re.IGNORECASE).search(sentence) is not None
