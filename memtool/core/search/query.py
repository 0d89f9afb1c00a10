"""Parsed queries. No text is a syntax error."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct

from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import CHINESE_QUESTION_WORDS, is_function_word, query_language
from memtool.core.text.regex import regex
from memtool.core.text.tokenizer import CharacterRun, CompoundWord, Piece, Word, atoms_of, pieces

MAX_ITEMS = 64
"""The most items of a query: of a pasted page only the first words are searched, in bounded time."""


class PrefixTerm(Struct, frozen=True):
    """Words with this prefix: `deploy*`. The text is folded."""

    text: str


class FuzzyTerm(Struct, frozen=True):
    """Words at most `distance` edits away: `recieve~1`. The text is folded."""

    text: str
    distance: int


class PhraseTerm(Struct, frozen=True):
    """Adjacent words in this order, not stemmed: `"dark mode"`. `atoms` are folded."""

    atoms: tuple[str, ...]


QueryItem = Word | CompoundWord | CharacterRun | PrefixTerm | FuzzyTerm | PhraseTerm


QueryPart = Literal["whole", "possession", "names"]


class FieldFilter(Struct, frozen=True):
    """Only chunks whose `field` is one of `values`; with `excludes`, only the others."""

    field: Literal["role", "tag", "path", "group", "speaker", "session", "chat", "owner"]
    values: tuple[str, ...]
    excludes: bool = False


class DateFilter(Struct, frozen=True):
    """Only chunks dated from `since` to `until`, both included; chunks without a date do not match."""

    since: date | None = None
    until: date | None = None


QueryFilter = FieldFilter | DateFilter


class Query(Struct, frozen=True):
    """A parsed query: a hit contains every `required` and none of `excluded`, and passes every filter.

    It ranks by how many of `words` and `required` it contains. Stop words are in `words` only if there is
    nothing else.
    """

    text: str
    words: tuple[QueryItem, ...] = ()
    required: tuple[QueryItem, ...] = ()
    excluded: tuple[QueryItem, ...] = ()
    filters: tuple[QueryFilter, ...] = ()
    is_prompt: bool = False
    """Whether it is a prompt and not a question; then a small share of its words is enough."""
    part: QueryPart = "whole"
    """Which words of a prompt it has: all, what the prompt says the user has ("my sister"), or names."""
    as_spelled: bool = False
    """Whether a word that no item contains is not searched as a part of other words."""
    invalid_dates: tuple[str, ...] = ()
    """Values of `date:` that are no date; those of digits match nothing, others are searched as words."""
    has_open_quote: bool = False
    """Whether a quotation mark before a word is never closed; the words after it are searched as words."""
    language: str = ""
    """The language that its function words tell; empty if they do not, and in scripts other than Latin."""

    @property
    def positive_items(self) -> tuple[QueryItem, ...]:
        """Everything that counts for a hit."""
        return self.required + self.words


_NO_DAY = DateFilter(date.max, date.min)
"""Matches nothing."""


def parse_query(text: str) -> Query:
    """Parse a query. It never fails: an invalid operator is plain words.

    A quoted phrase and `+word` are required; the other words are alternatives. `-word` excludes chunks, but
    is a minus before a digit. The same filter twice admits either value; `date:` takes a year, a month, a
    day, or two of them with `..` between; digits that are no date, as in `date:2025-13`, match nothing.
    """
    words: list[QueryItem] = []
    must: list[QueryItem] = []
    without: list[QueryItem] = []
    only: dict[tuple[str, bool], list[str]] = {}
    filters: list[QueryFilter] = []
    invalid_dates: list[str] = []
    for sign, field, quoted, bare in _clauses(text):
        value = bare if quoted is None else quoted
        if field == "date" and sign != "-" and (days := _date_filter(value)):
            filters.append(days)
        elif field and field != "date" and value:
            only.setdefault((field, sign == "-"), []).append(value)
        elif field:
            if sign != "-":
                invalid_dates.append(value)
                if is_numeric_date(value):
                    filters.append(_NO_DAY)
                    continue
            words.extend(_pieces(f"{field} {value}"))
        else:
            target = {"": words, "+": must, "-": without}[sign]
            if quoted is None:
                target.extend(_operator(bare) or _pieces(bare))
            elif phrase := _phrase(quoted):
                (without if sign == "-" else must).append(phrase)
    filters.extend(FieldFilter(field, tuple(values), excludes=out) for (field, out), values in only.items())  # type: ignore[arg-type]
    if not (words or must or filters):
        words, without = without, []
    language = _language(text, words)
    return Query(
        text,
        _unique(_without_function_words(words, language, alone=not must) if words else words),
        _unique(must),
        _unique(without),
        tuple(filters),
        invalid_dates=tuple(invalid_dates),
        has_open_quote=_has_open_quote(text),
        language=language,
    )


def prompt_query(text: str) -> Query:
    """The query of a text without operators: its words as alternatives; none where all are stop words."""
    words: list[QueryItem] = list(_pieces(text))
    language = _language(text, words)
    kept = _without_function_words(words, language, alone=False)
    return Query(text, words=_unique(kept), is_prompt=True, language=language)


def is_within_distance(left: str, right: str, distance: int) -> bool:
    """Whether two words are at most so many edits apart (insert, delete, replace, transpose a letter)."""
    if abs(len(left) - len(right)) > distance:
        return False
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        following = [i]
        for j, other in enumerate(right, 1):
            cost = min(row[j] + 1, following[j - 1] + 1, row[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            following.append(cost)
        if min(following) > distance:
            return False
        before, row = row, following
    return row[-1] <= distance


def _clauses(text: str) -> Iterator[tuple[str, str, str | None, str]]:
    """Each clause: sign, field, quoted text or None, bare text."""
    for match in _clause().finditer(text.translate(_QUOTES)):
        sign, field, quoted, bare = match.groups(default=None)
        sign, field, bare = sign or "", field or "", bare or ""
        if sign and quoted is None and not field and not bare[0].isalpha():
            sign = ""
        yield sign, field, quoted, bare


def _has_open_quote(text: str) -> bool:
    """Whether the last of an odd number of quotation marks begins a word (after a number it means inches)."""
    plain = text.translate(_QUOTES)
    if plain.count('"') % 2 == 0:
        return False
    before, _, after = plain.rpartition('"')
    return f" {before}"[-1] in " +-:" and after[:1].isalnum()


_QUOTES = dict.fromkeys(map(ord, "“”„«»"), '"')


@functools.cache
def _clause() -> re.Pattern[str]:
    sign, field = (
        r"(?:(?<!\S)([+-]))?",
        r"(?:(?<![^\s+-])(role|tag|date|path|group|speaker|session|chat):(?=\S))?",
    )
    return re.compile(rf'{sign}{field}(?:"([^"]*)"|([^\s"]+))')


def _pieces(text: str) -> Iterator[Piece]:
    for piece, _, _ in pieces(search_fold(text)):
        yield piece


def _operator(bare: str) -> list[QueryItem]:
    """The prefix or fuzzy word that `bare` spells, or nothing."""
    if match := re.fullmatch(r"(.*\w)\*", bare, re.DOTALL):
        whole = _single_word(match[1])
        return [PrefixTerm(whole)] if whole else []
    if match := re.fullmatch(r"(.*\w)~([12]?)", bare, re.DOTALL):
        whole = _single_word(match[1])
        return [FuzzyTerm(whole, int(match[2] or 1))] if whole else []
    return []


def _single_word(text: str) -> str | None:
    parsed = list(_pieces(text))
    return parsed[0].text if len(parsed) == 1 and not isinstance(parsed[0], CharacterRun) else None


def _phrase(quoted: str) -> QueryItem | None:
    items = list(_pieces(quoted))
    if len(items) == 1 and isinstance(items[0], Word | CompoundWord):
        only = items[0]
        return PhraseTerm((only.text,) if isinstance(only, Word) else only.parts)
    return PhraseTerm(tuple(atoms_of(items))) if items else None


def _language(text: str, words: list[QueryItem]) -> str:
    return query_language(text, (item.text for item in words if isinstance(item, Word | CompoundWord)))


def _without_function_words(words: list[QueryItem], language: str, *, alone: bool) -> list[QueryItem]:
    kept: list[QueryItem] = []
    for item in words:
        if isinstance(item, CharacterRun):
            runs = regex(CHINESE_QUESTION_WORDS).split(item.text)
            kept.extend(CharacterRun(run) for run in runs if run)
        elif not (isinstance(item, Word | CompoundWord) and is_function_word(item.text, language)):
            kept.append(item)
    return kept or (words if alone else [])


def _unique(items: list[QueryItem]) -> tuple[QueryItem, ...]:
    return tuple(dict.fromkeys(items))[:MAX_ITEMS]


def is_numeric_date(value: str) -> bool:
    """Whether a value of `date:` consists of digits and their separators, so that a date must be meant."""
    return re.fullmatch(r"[\d./-]*\d[\d./-]*", value, re.ASCII) is not None


def _date_filter(value: str) -> DateFilter | None:
    start, _, end = value.partition("..")
    first, last = _first_or_last_day(start, last=False), _first_or_last_day(end or start, last=True)
    return DateFilter(first, last) if first and last and first <= last else None


def _first_or_last_day(value: str, *, last: bool) -> date | None:
    """The first or last day of a year, a month or a day; None for any other text."""
    match = re.fullmatch(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", value, re.ASCII)
    if not match:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        if not year or month is None:
            return date(year or 0, 12, 31) if last else date(year or 0, 1, 1)
        if day is None and last:
            day = 31 if month == 12 else (date(year, month + 1, 1) - timedelta(days=1)).day
        return date(year, month, 1 if day is None else day)
    except ValueError:
        return None
