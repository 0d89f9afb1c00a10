"""Passages: the sentences of a message or a chunk that answer a prompt, cut to a few characters."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from memtool.core.search.query import Query, QueryItem
from memtool.core.search.snippet import item_spans
from memtool.core.text.first_person import has_first_person
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.sentences import split_sentences
from memtool.core.text.stems import beginnings_of
from memtool.core.text.tokenizer import CharacterRun, CompoundWord, Word

_EXAMINED = 8_000
"""Characters of a text that are examined."""
_LEAST = 115
"""Characters to which a shorter passage is extended by the sentences around it, where there is room."""
_CLAUSE = r"(?<=[,;:—–，、；：。！？])\s*|(?<=[.!?])\s+"
"""The beginning of a clause or a sentence."""
_NO_ASCII_WORD = r"[^a-z0-9]+"
_MAX_CLAUSES = 200
_CACHE_SIZE = 2_048
"""Texts whose sentences are cached: a watcher cuts the same messages for one prompt after another."""
_ELLIPSIS = "…"

ItemWeights = Mapping[QueryItem, float]
"""The weight of each item of a query."""


def passage_of(text: str, query: Query, weights: ItemWeights, stem: Callable[[str], str], most: int) -> str:
    """The passage of a text with the most weight of the query, of at most `most` characters, on one line.

    It is the best sentence, with those after it (before it, at the text's end) while it is short. A longer
    one is cut at the beginning of a clause and the end of a word, with an ellipsis where it is cut; its end
    is shown with as many words before it as there is room for. Code and quoted lines are left out, unless
    the text has nothing else.
    """
    sentences = _sentences(text[:_EXAMINED])
    if not sentences:
        return ""
    best = _best_sentence(sentences, query, weights, stem) if len(sentences) > 1 else 0
    return _cut(_extended(sentences, best, most), query, weights, stem, most)


def matching_records(records: Sequence[str], query: Query, stem: Callable[[str], str]) -> list[str]:
    """The records with words of the query, best first, the last of equals; rare words count more."""
    found = {record: item_spans(record, query, stem) for record in reversed(records)}
    counts = [sum(map(bool, column)) for column in zip(*found.values(), strict=True)]
    weights = [math.log1p(len(found) / (count + 0.5)) for count in counts]

    def weight(record: str) -> float:
        return sum(weight for weight, spans in zip(weights, found[record], strict=True) if spans)

    return sorted((record for record in found if any(found[record])), key=weight, reverse=True)


def says_of_speaker(text: str, query: Query, stem: Callable[[str], str]) -> bool:
    """Whether a sentence of the text has a word of the query and a pronoun of the first person."""
    return any(
        has_first_person(sentence) and any(item_spans(sentence, query, stem))
        for sentence in _sentences(text[:_EXAMINED])
    )


def has_name(text: str, query: Query, stem: Callable[[str], str]) -> bool:
    """Whether the text has a word of the query as a name: with a capital that no sentence start explains.

    A word that has such a capital in the query may begin a sentence of the text.
    """
    sure = {search_fold(word) for word in query.text.split() if word[0].isupper()}
    for sentence in _sentences(text[:_EXAMINED]):
        for item, spans in zip(query.positive_items, item_spans(sentence, query, stem), strict=True):
            is_sure = isinstance(item, Word | CompoundWord) and item.text in sure
            for start, _ in spans:
                if sentence[start].isupper() and (is_sure or any(map(str.isalnum, sentence[:start]))):
                    return True
    return False


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a text that are examined, each on one line; its lines if it has no sentence."""
    return _sentences(text[:_EXAMINED])


def _best_sentence(
    sentences: tuple[str, ...], query: Query, weights: ItemWeights, stem: Callable[[str], str]
) -> int:
    """The number of the sentence with the most weight, the first of equals.

    The letters of a sentence tell the most weight that it may have; few sentences have to be read for more.
    """
    letters = [(weights.get(item, 0.0), _item_letters(item, stem)) for item in query.positive_items]
    limits = [_most_weight(folded, letters) for folded in _folded(sentences)]
    best, best_weight = 0, -1.0
    for number in sorted(range(len(sentences)), key=lambda number: (-limits[number], number)):
        if limits[number] < best_weight or (limits[number] == best_weight and number > best):
            break
        weight = _weight(sentences[number], query, weights, stem) if limits[number] else 0.0
        if weight > best_weight or (weight == best_weight and number < best):
            best, best_weight = number, weight
    return best


@lru_cache(_CACHE_SIZE)
def _folded(sentences: tuple[str, ...]) -> tuple[str, ...]:
    """What `_item_letters` are looked for in: each sentence folded as searched words are, the parts of words
    with an apostrophe joined; then its words of ASCII letters, each behind a space.
    """
    texts = []
    for sentence in sentences:
        folded = search_fold(sentence)
        joined = folded.replace("'", "")
        words = regex(_NO_ASCII_WORD).sub(" ", f"{folded} {joined}" if "'" in folded else folded)
        texts.append(f"{joined}\n {words}")
    return tuple(texts)


@lru_cache(_CACHE_SIZE)
def _sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, each on one line; its lines if it has no sentence."""
    split = split_sentences(text)
    sentences = [text[sentence.start : sentence.end] for sentence in split.sentences]
    lines = (" ".join(raw.split()) for raw in sentences or text.split("\n"))
    return tuple(line for line in lines if line)


def _item_letters(item: QueryItem, stem: Callable[[str], str]) -> Sequence[str]:
    """Letters of which what `_folded` returns for a text with the item contains some; none if not known."""
    match item:
        case Word(text):
            beginnings = beginnings_of(stem(text))
            return [f" {letters}" if letters.isalnum() else letters for letters in beginnings]
        case CompoundWord(_, parts):
            return parts
        case CharacterRun(text):
            return item.pairs or (text,)
        case _:
            return ()


def _most_weight(folded: str, letters: Sequence[tuple[float, Sequence[str]]]) -> float:
    """The most weight that a folded sentence may have."""
    return sum(
        [
            weight
            for weight, known in letters
            if not known or known[0] in folded or (known[1:] and any(part in folded for part in known[1:]))
        ]
    )


def _weight(text: str, query: Query, weights: ItemWeights, stem: Callable[[str], str]) -> float:
    spans = item_spans(text, query, stem)
    return sum(
        weights.get(item, 0.0) for item, found in zip(query.positive_items, spans, strict=True) if found
    )


def _extended(sentences: Sequence[str], best: int, most: int) -> str:
    first = last = best
    size = len(sentences[best])
    while size < min(_LEAST, most) and (first > 0 or last + 1 < len(sentences)):
        if last + 1 < len(sentences):
            last += 1
            size += 1 + len(sentences[last])
        else:
            first -= 1
            size += 1 + len(sentences[first])
    return " ".join(sentences[first : last + 1])


def _cut(text: str, query: Query, weights: ItemWeights, stem: Callable[[str], str], most: int) -> str:
    """The window of a text with the most weight, of at most `most` characters; the first of equals."""
    if len(text) <= most:
        return text
    places = [
        (weights.get(item, 0.0), [span[0] for span in spans], [span[1] for span in spans])
        for item, spans in zip(query.positive_items, item_spans(text, query, stem), strict=True)
        if spans
    ]
    room = most - len(_ELLIPSIS)
    last = text.find(" ", len(text) - most) + 1 or len(text) - room  # from there on, the rest is shown
    clauses = islice(regex(_CLAUSE).finditer(text), _MAX_CLAUSES)
    best, best_weight = 0, -1.0
    for start in (0, *(match.end() for match in clauses if match.end() < last), last):
        end = start + room - (len(_ELLIPSIS) if 0 < start < last else 0)
        weight = 0.0
        for value, firsts, lasts in places:
            number = bisect_left(firsts, start)
            weight += value if number < len(firsts) and lasts[number] <= end else 0.0
        if weight > best_weight:
            best, best_weight = start, weight
    if best == last:
        return _ELLIPSIS + text[last:]
    opening = _ELLIPSIS if best else ""
    end = best + room - len(opening)
    space = text.rfind(" ", best, end + 1)
    return opening + text[best : space if space > best + room // 2 else end].rstrip() + _ELLIPSIS
