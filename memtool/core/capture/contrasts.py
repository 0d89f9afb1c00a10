"""Contrasts: a clause that denies something, then one that says what holds instead.

`I don't drive the Fabia any more, I drive a Dacia now` denies one value and states another after the same
words. `It's not the early shift, I drive the late shift` denies a value alone, and states one that ends with
the same noun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from memtool.core.capture.clauses import LineWord, line_words
from memtool.core.capture.languages.compared_words import ARTICLES, COPULAS, NEGATIONS
from memtool.core.capture.languages.correction_signs import LEADS, NOW, PRONOUNS
from memtool.core.capture.other_value import has_negation
from memtool.core.text.folding import is_continuous, search_fold
from memtool.core.text.function_words import is_common_word
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CLAUSE_STOP
from memtool.core.text.stems import content_stems, stem

_BREAK = rf"\s*(?:[,;:—–，；]|{CLAUSE_STOP})+\s+| - |[，；]"
LIMITING = frozenset(
    search_fold(
        "only just merely simply always necessarily nur bloß solo sólo solamente seulement só apenas somente"
        " только лишь всегда sadece yalnızca faqat immer siempre toujours sempre"
    ).split()
)
"""Words after a negation that deny no value: `not only`."""
_NO_MORE = frozenset(search_fold("longer anymore mehr ya más plus больше уже já mais").split())
_AUXILIARIES = frozenset(["do", "does", "did", "don't", "doesn't", "didn't"])
_SUPPOSING = (
    r"(?i)\b(?:if|when|unless|whether|because|since|although|wenn|falls|weil|si|porque|parce|quando|quand"
    r"|если|когда|потому|eğer|agar)\b"
)
_BE = r"(?:'m|'re|'s| am| is| are| was| were)"
_BARE = rf"(?i)\W*(?:(?:{PRONOUNS}){_BE}?\s+|(?:i|we){_BE}\s+|es\s+|son\s+|это\s+)?"
"""What stands before a value that a clause denies alone: `it's`, `I'm`."""
CONTRAST_SIGNS = ("n't ", "not ", "no longer", "nicht ", "kein", "no ", " ne ", "n'", "não ", "не ")
"""A text in lower case without any of them has no contrast."""
_MOST_WORDS = 5
"""The most words of a value."""
_BEFORE_CLAUSE = 3
"""Words of a clause before those of a relative clause: `it's gluten I can't digest`."""


class Contrast(Struct, frozen=True):
    """The denied clause without its negation, and the other one.

    `old` and `new` are their values; `new` is empty where only the line that says `old` may tell it.
    `before` is what the denied clause says before its value.
    """

    denied: str
    stated: str
    old: str = ""
    new: str = ""
    before: str = ""


def contrast(sentence: str) -> Contrast | None:
    """The contrast that a sentence states; None for other sentences. Linear in its length."""
    lead = regex(f"(?i){LEADS}").match(sentence)
    start = lead.end() if lead else 0
    if lead and (denial := regex(r"(?i)(?<!\w)(?:no|não|nao|non|не) $").search(lead[0])):
        start = denial.start()  # "no trabajo", unlike "no, trabajo"
    text = sentence[start:]
    parts = [part for part in regex(f"(?i){_BREAK}").split(text.strip(" .!。！")) if part.strip()]
    if len(parts) != 2 or regex(_SUPPOSING).search(text):
        return None
    denied, stated = parts
    words = [word.text for word in line_words(denied)]
    others = [word.text for word in line_words(stated)]
    if not _is_negated(words) or _is_negated(others[:_BEFORE_CLAUSE]) or any(map(is_continuous, text)):
        return None
    if any(_denies(word) and following in LIMITING for word, following in _pairs(words)):
        return None
    affirmed = _without_negation(denied)
    stated = regex(rf"(?i)\s*{NOW}\s*").sub(" ", stated).strip()
    if not content_stems(affirmed) or len(line_words(stated)) < 2:
        return None
    old, new, before = _after_same_words(affirmed, stated)
    if not new:
        bare = regex(_BARE).match(affirmed)
        value = affirmed[bare.end() :].strip() if bare else affirmed
        has_subject = bare is not None and bare.end() > 0
        is_bare = has_subject or regex(r"(?i)\W*(?:not|nicht|no|pas|não|не)\b").match(denied)
        if is_bare and len(value.split()) <= _MOST_WORDS:
            old, new = value, _with_same_noun(value, stated)
    return Contrast(affirmed, stated, old, new, before)


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    return zip(words, (*words[1:], ""), strict=True)


def _denies(word: str) -> bool:
    return word in NEGATIONS or word.endswith("n't") or word.startswith("n'")


def _is_negated(words: Sequence[str]) -> bool:
    return has_negation(words) or any(word.startswith("n'") for word in words)


def _without_negation(clause: str) -> str:
    """A clause without the words that deny it."""
    kept = []
    words = clause.split()
    folded = [search_fold(word).strip(" .!?\"'") for word in words]
    for number, (word, bare) in enumerate(zip(words, folded, strict=True)):
        if bare in _AUXILIARIES or bare in _NO_MORE:
            continue
        if bare in NEGATIONS and not bare.endswith("n't"):
            continue
        if (bare == "any" and folded[number + 1 : number + 2] in (["more"], ["longer"])) or (
            bare in {"more", "longer"} and folded[number - 1 : number] == ["any"]
        ):
            continue
        plain = word.removesuffix("n't") if bare.endswith("n't") else word
        kept.append(plain[len("n'") :] if bare.startswith("n'") else plain)
    return " ".join(kept)


def _after_same_words(denied: str, stated: str) -> tuple[str, str, str]:
    """The values that two clauses have after the same words, and what is before the denied one.

    The subject of the second clause may be a pronoun or be left out.
    """
    known, said = line_words(denied), line_words(stated)
    for start in range(min(3, len(said) - 1)):
        if not all(is_common_word(word.text) or _is_pronoun(word.text) for word in said[:start]):
            break
        for place in range(len(known) - 1):
            size = _shared(said[start:], known[place:])
            size = min(size, len(said) - start - 1, len(known) - place - 1)
            if size and _says([word.text for word in known[place : place + size]]):
                last = -1
                if said[start + size].text.isdigit() and known[place + size].text.isdigit():
                    last = place + size if len(said) == start + size + 1 else -1
                old = denied[known[place + size].start : known[last].end]
                new = stated[said[start + size].start : said[-1].end]
                if max(len(old.split()), len(new.split())) <= _MOST_WORDS:
                    return old, new, denied[: known[place + size].start]
    return "", "", ""


def _is_pronoun(word: str) -> bool:
    return regex(rf"(?i)(?:{PRONOUNS}|i|we|ich|wir|je|nous|yo|eu|я|мы)").fullmatch(word) is not None


def _says(words: Sequence[str]) -> bool:
    """Whether words that two clauses share have a verb, or more than a preposition."""
    return any(
        word in COPULAS or (len(word) > 2 and not is_common_word(word) and not _is_pronoun(word))
        for word in words
    )


def _shared(words: Sequence[LineWord], others: Sequence[LineWord]) -> int:
    count = 0
    for word, other in zip(words, others, strict=False):
        if _bare(word.text) != _bare(other.text):
            break
        count += 1
    return count


def _bare(word: str) -> str:
    """The stem of a word without the pronoun that is written with it: `j'habite`."""
    return stem(regex(r"^(?:j|l|d|m|s|t|qu)'").sub("", word))


def _with_same_noun(value: str, stated: str) -> str:
    """What a clause ends with in place of a value that has the same last word: `the late shift`."""
    known, said = line_words(value), line_words(stated)
    first = next((place for place, word in enumerate(known) if word.text not in ARTICLES), 0)
    size = len(known) - first
    if size < 2 or len(said) <= size or known[-1].text != said[-1].text:
        return ""
    new = stated[said[-size].start :]
    return new if content_stems(new) != content_stems(value) else ""
