"""Snippets: the line of a chunk that matches a query best, and its matching spans."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from msgspec import Struct

from memtool.core.search.query import FuzzyTerm, PhraseTerm, PrefixTerm, Query, QueryItem, is_within_distance
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.tokenizer import CharacterRun, CompoundWord, Token, Word, piece_tokens

SNIPPET_WIDTH = 180
"""The most characters of a snippet, ellipses included."""
_ELLIPSIS = "…"
_EXAMINED_CHARS = 20_000
"""Characters of a text that are examined; of a longer one, those where most of the words are."""
_MAX_OCCURRENCES = 100
_MIN_HALF = 3  # letters
_ASCII_RUN = r"[\x00-\x7f]+(?=[\x00-\x7f]|\Z)"
"""Characters that stand alone; the last before one that is not ASCII may have that as a mark."""
_BEFORE = 40  # characters shown before the first match of a line that is too long

CharacterSpan = tuple[int, int]


class LineSnippet(Struct, frozen=True):
    """One line of a chunk: `offset` lines after its first, as `text`, with the `spans` of it that match."""

    offset: int
    text: str
    spans: tuple[CharacterSpan, ...] = ()


def best_snippet(
    text: str, query: Query, stem: Callable[[str], str] = str, width: int = SNIPPET_WIDTH
) -> LineSnippet:
    """The line of a chunk's text that matches most of the query; of equals, the first.

    If no line has a word of it, the line that has one inside another word, or its two parts; else the first
    line that is not blank. Spans are in order and do not overlap. The snippet has no control characters and
    at most `width` characters of the line, around the most matches. `stem` makes a word match its other
    forms: the engine's stemmer, or none.
    """
    start = 0 if len(text) <= _EXAMINED_CHARS else _examined_start(text, query)
    skipped = text.count("\n", 0, start)
    text = text[start : start + _EXAMINED_CHARS]
    best, best_spans, most = 0, list[CharacterSpan](), (0, 0)
    lines = text.split("\n")
    roots = {item.text: stem(item.text) for item in query.positive_items if isinstance(item, Word)}
    for matches in (partial(_matches, query, roots, stem), partial(_matches_inside, roots)):
        for i, line in enumerate(lines):
            matching = matches(line)
            found = [*filter(None, matching)]
            count = len(found), sum(map(len, found))
            if count > most:
                best, best_spans, most = i, _merge_spans(matching), count
        if best_spans:
            break
    else:
        best = next((i for i, line in enumerate(lines) if line.strip()), 0)
    return _cut_line(best + skipped, lines[best], best_spans, width)


def item_spans(
    text: str, query: Query, stem: Callable[[str], str] = str
) -> tuple[tuple[CharacterSpan, ...], ...]:
    """The spans of a text that match, for each positive item of the query, in the order of the items."""
    roots = {item.text: stem(item.text) for item in query.positive_items if isinstance(item, Word)}
    return tuple(tuple(spans) for spans in _matches(query, roots, stem, text))


def _examined_start(text: str, query: Query) -> int:
    """The start of the part of a very long text that has most of the words; 0 if none occurs.

    Words are matched by their first letters, as written.
    """
    places: dict[int, set[str]] = {}
    counts: dict[str, int] = {}
    for beginning in _beginnings(query):
        for match in islice(re.finditer("(?i)" + re.escape(beginning), text), _MAX_OCCURRENCES):
            places.setdefault(match.start() * 4 // _EXAMINED_CHARS, set()).add(beginning)
            counts[beginning] = counts.get(beginning, 0) + 1
    if not places:
        return 0

    def worth(place: int) -> tuple[float, int]:
        near = places[place] | places.get(place + 1, set())
        return sum(1 / counts[word] for word in near), -place  # a rare word counts more

    return max(0, max(places, key=worth) * _EXAMINED_CHARS // 4 - _BEFORE)


def _beginnings(query: Query) -> Iterator[str]:
    """The letters with which each word of a query begins in all its forms."""
    for item in query.positive_items:
        match item:
            case Word(word) | FuzzyTerm(word):
                yield word if len(word) < 5 else word[: max(4, len(word) - 3)]
            case PrefixTerm(beginning):
                yield beginning
            case CompoundWord(_, parts) | PhraseTerm(parts):
                yield from parts
            case CharacterRun(run):
                yield from item.pairs or (run,)


def _matches(
    query: Query, roots: Mapping[str, str], stem: Callable[[str], str], line: str
) -> list[list[CharacterSpan]]:
    """The matching spans of a line for each item of the query; `roots` are the stems of its words."""
    folded, origin = _fold_line(line)
    tokens = list(piece_tokens(folded))
    forms: dict[str, list[CharacterSpan]] = {root: [] for root in roots.values()}
    if forms:
        for text, start, end in tokens:
            spans = forms.get(stem(text))
            if spans is not None:
                spans.append((start, end))
    matching = [
        forms[roots[item.text]] if isinstance(item, Word) else [*_spans(item, folded, tokens)]
        for item in query.positive_items
    ]
    return [_unfold(origin, spans) for spans in matching]


def _matches_inside(roots: Mapping[str, str], line: str) -> list[list[CharacterSpan]]:
    """The spans that match inside the line's words, for each word of the query."""
    folded, origin = _fold_line(line)
    return [_unfold(origin, _inside_spans(folded, root, word)) for word, root in roots.items()]


def _unfold(origin: Sequence[CharacterSpan] | None, spans: list[CharacterSpan]) -> list[CharacterSpan]:
    """Spans of a folded line as spans of the original line."""
    return spans if origin is None else [(origin[start][0], origin[end - 1][1]) for start, end in spans]


def _inside_spans(folded: str, root: str, word: str) -> list[CharacterSpan]:
    """The spans of a word inside others, else those of the two parts that it is made of."""
    if root in folded:
        return list(_occurrences(folded, root))
    for half in range(len(word) - _MIN_HALF, _MIN_HALF - 1, -1):
        if word[:half] in folded and word[half:] in folded:
            return sorted([*_occurrences(folded, word[:half]), *_occurrences(folded, word[half:])])
    return []


def _spans(item: QueryItem, folded: str, tokens: list[Token]) -> Iterator[CharacterSpan]:
    """The spans of an item other than a plain word in a folded line."""
    match item:
        case PrefixTerm(beginning):
            yield from ((start, end) for text, start, end in tokens if text.startswith(beginning))
        case FuzzyTerm(word, distance):
            yield from (
                (start, end) for text, start, end in tokens if is_within_distance(word, text, distance)
            )
        case CompoundWord(whole, parts):
            spans = [(start, end) for text, start, end in tokens if text == whole]
            yield from spans or _adjacent_spans(parts, tokens) or _part_spans(parts, tokens)
        case PhraseTerm(atoms):
            yield from _adjacent_spans(atoms, tokens)
        case CharacterRun(run):
            for term in (run, *item.pairs):
                spans = list(_occurrences(folded, term))
                yield from spans
                if spans and term == run:
                    return


def _adjacent_spans(atoms: tuple[str, ...], tokens: list[Token]) -> list[CharacterSpan]:
    small = [token for i, token in enumerate(tokens) if i + 1 == len(tokens) or tokens[i + 1][1] >= token[2]]
    words = [text for text, _, _ in small]
    size = len(atoms)
    return [
        (small[i][1], small[i + size - 1][2])
        for i in range(len(words) - size + 1)
        if words[i] == atoms[0] and tuple(words[i : i + size]) == atoms
    ]


def _part_spans(parts: tuple[str, ...], tokens: list[Token]) -> list[CharacterSpan]:
    return [(start, end) for text, start, end in tokens if text in parts and len(text) > 1]


def _occurrences(folded: str, term: str) -> Iterator[CharacterSpan]:
    start = folded.find(term)
    while start >= 0:
        yield start, start + len(term)
        start = folded.find(term, start + len(term))


def _fold_line(line: str) -> tuple[str, list[CharacterSpan] | None]:
    """The folded line, and the original span of each of its characters; None if they are the same."""
    if line.isascii():
        return search_fold(line), None
    out: list[str] = []
    origin: list[CharacterSpan] = []
    position = 0
    for run in regex(_ASCII_RUN).finditer(line):
        _add_clusters(line, position, run.start(), out, origin)
        start, position = run.span()
        out.append(search_fold(line[start:position]))
        origin += zip(range(start, position), range(start + 1, position + 1), strict=True)
    _add_clusters(line, position, len(line), out, origin)
    return "".join(out), origin


def _add_clusters(line: str, first: int, last: int, out: list[str], origin: list[CharacterSpan]) -> None:
    for start, cluster in _clusters(line[first:last]):
        folded = search_fold(cluster)
        out.append(folded)
        origin.extend([(first + start, first + start + len(cluster))] * len(folded))


def _clusters(line: str) -> Iterator[tuple[int, str]]:
    """Each letter with its marks, as folding sees it; a syllable of Hangul letters is one."""
    start = 0
    for i in range(1, len(line) + 1):
        if i < len(line) and (unicodedata.combining(line[i]) or "\u1160" <= line[i] <= "\u11ff"):
            continue
        yield start, line[start:i]
        start = i


def _merge_spans(by_item: list[list[CharacterSpan]]) -> list[CharacterSpan]:
    """All spans in order; overlapping ones are merged."""
    merged: list[CharacterSpan] = []
    for start, end in sorted(span for spans in by_item for span in spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _cut_line(offset: int, line: str, spans: list[CharacterSpan], width: int) -> LineSnippet:
    """The line, cut to its width around the window with the most spans, without blanks at its ends."""
    clean = line
    if not line.isprintable():
        clean = "".join(character if character.isprintable() else " " for character in line)
    left = len(clean) - len(clean.lstrip())
    right = len(clean.rstrip())
    start, end = left, right
    if right - left > width:
        room = width - 2 * len(_ELLIPSIS)
        starts = [max(left, min(span[0] - min(_BEFORE, room // 2), right - room)) for span in spans] or [left]
        start = max(starts, key=lambda first: sum(first <= a and b <= first + room for a, b in spans))
        end = min(right, start + room)
        if start > left and (space := clean.find(" ", start, start + 12)) >= 0:
            start = space + 1
        if end < right and (space := clean.rfind(" ", end - 12, end)) > start:
            end = space
    before = _ELLIPSIS if start > left else ""
    shift = len(before) - start
    kept = tuple(
        (max(a, start) + shift, min(b, end) + shift) for a, b in spans if max(a, start) < min(b, end)
    )
    return LineSnippet(offset, before + clean[start:end] + (_ELLIPSIS if end < right else ""), kept)
