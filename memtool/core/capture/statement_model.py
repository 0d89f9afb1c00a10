"""A linear model of sentences: lasting statements about the user, standing instructions, and all else.

The grammars of statements and triggers name the predicate of what they match, and miss what nobody wrote a
row for: dropped subjects, things as subjects, nouns and verbs of any subject. The model has no rows: its
features are the sentence's words, pairs of words and parts of words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from msgspec import Struct

from memtool.core.capture.languages.correction_signs import OPENINGS
from memtool.core.capture.languages.suppositions import asks
from memtool.core.text.folding import fold, fold_in_place
from memtool.core.text.linear_model import LinearModel, hashed, model_words, read_model
from memtool.core.text.phrases import PhraseLists, plain_text
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CODE_MASK, URL_MASK, SentenceText

BUCKETS = 1 << 18
"""Weights of a class. A feature has the weight at its hash, modulo this number."""
FACT, RULE = "fact", "rule"
CLASSES = (FACT, RULE)
"""What a sentence may be besides nothing of both."""
SHORTEST, LONGEST = 8, 300
"""Characters of a sentence that is classified; longer ones are several."""
_LEAST_FACT, _LEAST_RULE = 0.0, 1.5
"""The log odds from which a sentence is of a class; `tests.training.train --check` shows what they cost."""
_LEAST_RULE_OF_TASK = 2.2
"""The same for an instruction beside a sentence of no class: most are about the task that it names; and for
one that begins with a contradiction, "No, …": most correct an answer."""
_LONGEST_REMARK = 15
"""Characters of a sentence that names no task: "Thanks, perfect." """
_LEAST_CORRECTION = -0.4
"""The same for a statement that corrects something: its signs are those of corrections of a task, too."""
_LEAST_NEAR = -1.3
"""The same for one with a name, or two content words, of what memory has of the user."""
_LEAST_FLEETING, _LEAST_NEWS_OF_TODAY = 1.9, 0.8
"""The same for a statement with a word such as "yesterday" that lasts all the same, and for a sentence that
tells with it what happened: "we sold the house yesterday", not "I'm at home today"."""
_NO_NEWS = (
    r"\b(?:am|is|are|nearly|almost)\b|\b(?:i|we|they|he|she|it)['’](?:m|re|s)\b"
    r"|\b(?:bin|ist|sind|soy|es|somos|son|estoy|está|estamos|están|suis|est|sommes|sont|sou|estou|são)\b"
)
"""Words of what is so at present, or nearly happened, in a clause that may tell news."""
_LEAST_TOLD, _LEAST_WITH_QUESTION = 0.5, -0.2
"""The same for the clauses before a question, as the mean of their own log odds and of the whole sentence's,
and for the whole alone: "I can't drink coffee after noon, so what should I have?" """
_LEAST_ASKED = 1.1
"""The same for an instruction that is put as a question."""
LEAST_NEWS = -0.8
"""The log odds from which a sentence that names somebody memory knows is a statement."""
LEAST_GOING_ON = -1.2
"""The same for a sentence that goes on about what the one before it names."""
_LEAST_NEARLY = -2.5
"""The same for one that tells that something memory knows changed or ended."""
LEAST_BESIDE = -0.6
"""The same for a sentence beside one that is a statement."""
_CLAUSE = r"[,;:(—–][\s)]+| - |[、，；：]"
_CLAUSE_PENALTY = 0.5
_ASKING_END = "?？!. \n"
_NO_PROSE = (
    rf"[{CODE_MASK}{URL_MASK}{{}}<>=|\\]|\(\)|::|^\W*(?:[A-Z]{{2,}}\W+){{2}}|\b[lg]t;"
    r"|^\W*[a-zA-Z]+\W+[\w']+\W*$"
)
"""What is code, an address or a log rather than a sentence, or has two words."""
_MOST = 20
"""Sentences at the beginning and at the end of a text that are classified."""
_PARTS = (4, 5)
"""Characters of the parts of a word, with a mark at either end of it."""
_OPENING = 3
"""Words at the beginning of a sentence that count by their place, too."""


@cache
def statement_model() -> LinearModel:
    """The model of this package, with the classes in the order of CLASSES."""
    return read_model(__spec__, features)


class SentenceClasses(Struct, frozen=True):
    """The class of each sentence of a text that is of one, by its number, and the sentences that are nearly
    statements, with their log odds: what is beside them, or in memory, decides.
    """

    found: dict[int, str]
    nearly_facts: Mapping[int, float] = {}
    ends: Mapping[int, int] = {}
    """Where the statement of a sentence that goes on with a question ends."""


def classify(text: SentenceText) -> SentenceClasses:
    """The classes of the sentences of a split text.

    Of a question only the clauses before it may be a statement, and all of it an instruction: "could you
    always show the code first?" No sentence with code or an address is classified, and of a long text only
    the first and the last ones are: it is pasted more often than typed.
    """
    found: dict[int, str] = {}
    nearly: dict[int, float] = {}
    ends: dict[int, int] = {}
    doubtful: list[int] = []
    count = len(text.sentences)
    model = statement_model() if count else None
    for number, (start, end, is_question) in enumerate(text.sentences):
        sentence = text.masked[start:end].strip()
        if model is None or _MOST <= number < count - _MOST or not _is_prose(sentence):
            continue
        if is_question:
            mark = "？" if text.text[start:end].rstrip().endswith("？") else "?"  # which is masked
            asked = text.masked[start:end].rstrip() + mark
            told, odds = _told_before_question(model, asked)
            if told:
                ends[number] = start + told
            if told and odds >= _LEAST_TOLD:
                found[number] = FACT
            elif model.scores(asked.strip())[1] >= _LEAST_ASKED:
                found[number] = RULE
            elif told and odds >= _LEAST_NEARLY:
                nearly[number] = odds
            continue
        odds, name = max(_odds(model, sentence))
        if odds >= 0:
            found[number] = name
            if name == RULE and odds < _LEAST_RULE_OF_TASK - _LEAST_RULE:
                if regex(OPENINGS, re.IGNORECASE).match(sentence):
                    del found[number]
                else:
                    doubtful.append(number)
        elif name == FACT and odds >= _LEAST_NEARLY - _LEAST_FACT:
            nearly[number] = odds + _LEAST_FACT
    if doubtful and any(
        number not in found and end - start > _LONGEST_REMARK
        for number, (start, end, _) in enumerate(text.sentences)
    ):
        found = {number: name for number, name in found.items() if number not in doubtful}
    return SentenceClasses(found, nearly, ends)


def is_correcting_statement(sentence: str, *, is_near: bool = False) -> bool:
    """Whether a sentence that corrects something states something about the user rather than about a task.

    One that `is_near` what memory has of the user does with less odds.
    """
    if not _is_prose(sentence):
        return False
    odds = {name: odds for odds, name in _odds(statement_model(), sentence)}
    least = _LEAST_NEAR if is_near else _LEAST_CORRECTION
    return odds[FACT] + _LEAST_FACT >= least and odds[RULE] < 0


def lasting_odds(sentence: str) -> float:
    """The log odds that a sentence is a lasting statement about the user."""
    return statement_model().scores(sentence)[0]


def states_what_lasts(sentence: str, phrases: PhraseLists, about: str = "") -> bool:
    """Whether a clause, one in which `about` begins, is a statement despite a word such as "yesterday".

    The model knows "we got a puppy yesterday" from "I'm at home today"; with such a word it must be surer,
    and surest of what is so at present, and of a clause `about` a value, which may supersede another one.
    """
    opening = regex(_CLAUSE).split(about)[0]

    def least(clause: str) -> float:
        if phrases.find("fleeting", plain_text(clause)) is None:
            return _LEAST_FACT
        is_news = not about and regex(_NO_NEWS, re.IGNORECASE).search(clause) is None
        return _LEAST_NEWS_OF_TODAY if is_news else _LEAST_FLEETING

    return any(
        statement_model().scores(clause)[0] >= least(clause)
        for clause in (sentence, *_clauses(sentence))
        if opening in clause
    )


def _is_prose(sentence: str) -> bool:
    return SHORTEST <= len(sentence) <= LONGEST and regex(_NO_PROSE).search(sentence) is None


def _clauses(sentence: str) -> list[str]:
    return [clause for clause in regex(_CLAUSE).split(sentence) if len(clause) >= SHORTEST]


def _told_before_question(model: LinearModel, sentence: str) -> tuple[int, float]:
    """The length of the clauses before the one that asks, 0 if there are none, and their log odds."""
    folded = fold_in_place(sentence)
    breaks = [*regex(_CLAUSE).finditer(sentence.rstrip(_ASKING_END))]
    asking = next((found for found in breaks if asks(folded, found.end())), breaks[-1] if breaks else None)
    told = sentence[: asking.start()] if asking else ""
    if len(told.strip()) < SHORTEST:
        return 0, 0.0
    whole = model.scores(sentence.strip())[0]
    odds = (model.scores(told.strip())[0] + whole) / 2
    return len(told), odds if whole >= _LEAST_WITH_QUESTION else min(odds, whole)


def _odds(model: LinearModel, sentence: str) -> Iterator[tuple[float, str]]:
    """How far the odds of each class exceed what it takes; of a statement also those of the clauses.

    A clause counts for less, because its sentence may be a supposition or a report.
    """
    fact, rule = model.scores(sentence)
    clauses = _clauses(sentence)
    if len(clauses) > 1:
        fact = max(fact, *(model.scores(clause)[0] - _CLAUSE_PENALTY for clause in clauses))
    yield fact - _LEAST_FACT, FACT
    yield rule - _LEAST_RULE, RULE


def features(sentence: str) -> list[int]:
    """The features of a sentence as numbers of buckets, each once, in ascending order."""
    return hashed(_named(sentence), BUCKETS)


def _named(sentence: str) -> Iterator[str]:
    words = [*model_words(fold(sentence))]
    yield from words
    yield from (f"{place}^{word}" for place, word in enumerate(words[:_OPENING]))
    yield from (f"{first} {second}" for first, second in pairwise(["^", *words, "$"]))
    yield f"^ {' '.join(words[:_OPENING])}"
    yield f"{min(len(words) // 4, 6)} words"
    for word in words:
        marked = f"<{word}>"
        for length in _PARTS:
            if len(word) > length:
                yield from (f"#{marked[start : start + length]}" for start in range(len(marked) - length + 1))
