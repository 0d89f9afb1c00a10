"""What twenty lines over SQLite FTS5 find: the baseline that stands beside every measure of memory."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence

from tests.bench.public_sets import ChatMessage

_STOP_TEXT = """
a an the of in on at to for with from by and or but if is are was were be been being have has had do does
did i me my mine you your yours we our us he she it they them their this that these those what which who
whom when where why how can could would should will shall may might must not no so as than then there here
about into over after before up down out just also any some all each more most other such only own same too
very
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())
PIECE = 200
"""Characters of a message that a context takes at most."""
STEM = 5
"""The first letters of a word that stand for its forms, where sentences are chosen."""
USER_WEIGHTS = {0: 1.0, 1: 0.3, -2: 0.2, 2: 0.2}
"""For users' messages: the weights of the scores of a message, its reply, and the users' before and after."""
SPEAKER_WEIGHTS = {0: 1.0, -1: 0.5, 1: 0.3}
"""For conversations between two people: the weights of the scores of a turn and its neighbours."""


class Fts5:
    """A conversation in a full-text index, with the tokenizer `porter unicode61`."""

    def __init__(self, messages: Sequence[ChatMessage]) -> None:
        self.messages = messages
        self.database = sqlite3.connect(":memory:")
        self.database.execute("create virtual table t using fts5(x, tokenize='porter unicode61')")
        rows = [(place, message.text) for place, message in enumerate(messages)]
        self.database.executemany("insert into t(rowid, x) values(?, ?)", rows)

    def ranked(self, question: str, limit: int = 40) -> list[str]:
        """The ids of the messages that match, best first."""
        sql = "select rowid from t where t match ? order by bm25(t) limit ?"
        found = self.database.execute(sql, (_query(question), limit))
        return [self.messages[place].id for (place,) in found]

    def user_places(self, question: str) -> list[int]:
        """The places of all users' messages, best first by `USER_WEIGHTS`."""
        places = [place for place, message in enumerate(self.messages) if message.role == "user"]
        return self._weighted(question, places, USER_WEIGHTS)

    def speaker_places(self, question: str) -> list[int]:
        """The places of all turns between two people, best first by `SPEAKER_WEIGHTS`."""
        return self._weighted(question, list(range(len(self.messages))), SPEAKER_WEIGHTS)

    def ranked_users(self, question: str, limit: int = 40) -> list[str]:
        """The ids of the users' messages, best first by `USER_WEIGHTS`."""
        return [self.messages[place].id for place in self.user_places(question)[:limit]]

    def ranked_speakers(self, question: str, limit: int = 40) -> list[str]:
        """The ids of turns between two people, best first by `SPEAKER_WEIGHTS`."""
        return [self.messages[place].id for place in self.speaker_places(question)[:limit]]

    def user_context(self, question: str, budget: int) -> str:
        """The best sentences of the users' messages, best message first, up to the budget in characters."""
        words = question_words(question)
        ranked = self.user_places(question)
        return _joined((best_sentences(self.messages[place].text, words, PIECE) for place in ranked), budget)

    def speaker_context(self, question: str, budget: int) -> str:
        """The first characters of the turns, best turn first by `SPEAKER_WEIGHTS`, up to the budget."""
        ranked = self.speaker_places(question)
        return _joined((self.messages[place].text[:PIECE] for place in ranked), budget)

    def _weighted(self, question: str, places: list[int], weights: dict[int, float]) -> list[int]:
        rows = self.database.execute("select rowid, bm25(t) from t where t match ?", (_query(question),))
        scores = {place: -score for place, score in rows}

        def score(place: int) -> float:
            return sum(weight * scores.get(place + step, 0) for step, weight in weights.items())

        return sorted(places, key=lambda place: -score(place))


def question_words(question: str) -> list[str]:
    """The words of a question that are no stop words; all of them where there is no other."""
    words = re.findall(r"\w+", question.lower())
    return [word for word in words if word not in STOP_WORDS] or words


def best_sentences(text: str, words: Sequence[str], limit: int) -> str:
    """The sentences of a text with most of the words, in their order, in so many characters."""
    sentences = [part.strip() for part in re.split(r"(?<=[.!?\n])\s+", text) if part.strip()]
    if not sentences:
        return text[:limit]
    stems = [word[:STEM] for word in words]
    tokens = [re.findall(r"\w+", sentence.lower()) for sentence in sentences]
    scores = [sum(any(token.startswith(stem) for token in row) for stem in stems) for row in tokens]
    chosen: list[int] = []
    length = 0
    for place in sorted(range(len(sentences)), key=lambda place: -scores[place]):
        if length + len(sentences[place]) > limit and chosen:
            continue
        chosen.append(place)
        length += len(sentences[place])
        if length >= limit:
            break
    return " ".join(sentences[place] for place in sorted(chosen))[:limit]


def _query(question: str) -> str:
    return " OR ".join(f'"{word}"' for word in question_words(question))


def _joined(pieces: Iterable[str], budget: int) -> str:
    context = ""
    for piece in pieces:
        if len(context) + len(piece) > budget:
            break
        context += " " + piece
    return context
