"""Restated numbers: where two sentences are the same but for numbers, ordinals, days and months.

`I take my tea with one sugar` and `I take my tea with two sugars` differ so, and `My appointment is on the
second Tuesday of the month at 11` and `My appointment is on the first Tuesday of the month at 10`.
"""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.capture.clauses import LineWord
from memtool.core.capture.languages.compared_words import (
    ARTICLES,
    COPULAS,
    INDEFINITE,
    JOINING,
    PLACING,
    SEVERAL,
)
from memtool.core.facts.circumstance import is_of_other_number
from memtool.core.text.dates import MONTHS, WEEKDAYS, is_calendar_word
from memtool.core.text.folding import search_fold
from memtool.core.text.number_words import NUMBER_WORDS, OTHER_NUMBERS, TENS
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_LEAST_BEFORE = 2
"""Words before the first number that two sentences share: who it is about, and the verb."""
_TENS = "|".join(sorted(TENS))
_NUMERAL = (
    rf"[$€£¥]?\d[\d.,:]*(?:am|pm|h|%|€|\$|£)?|(?:{_TENS})(?:-[a-z]+)?|[a-z]+und(?:{_TENS})"
    "|hundred|hundert|cien|cent|veinti[a-z]+"
)
_ORDINAL = (
    r"\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|last|letzte[nrms]?"
    r"|(?:erst|zweit|dritt|viert|funft)e[nrms]?|primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|ultim[oa]"
    r"|premiere?|deuxieme|seconde?|troisieme|quatrieme|derniere?"
)
_YEAR = r"(?:19|20)\d\d"
_BETWEEN_DATES = frozenset(
    ["of", "de", "del", "du", "le", "for", "um", "bis", "a", "al", "à", "h", "uhr", "am", "pm"]
)
"""What may stand between the numbers of one date or time, besides prepositions of time and articles."""
_CALENDAR_UNITS = frozenset(
    ["day", "week", "month", "year", "monat", "monats", "woche", "mes", "semana", "mois", "semaine"]
)
_CALENDAR = frozenset(
    search_fold(" ".join(table[language] for table in (MONTHS, WEEKDAYS) for language in WEEKDAYS)).split()
)


def is_count(word: str) -> bool:
    """Whether a folded word is a number, in digits or in words of English, German, Spanish or French."""
    return (
        word in NUMBER_WORDS
        or word in OTHER_NUMBERS
        or regex(f"(?:{_NUMERAL})").fullmatch(search_fold(word)) is not None
    )


def frame_words(words: Sequence[str]) -> tuple[str, ...]:
    """The first words that a sentence shares with one that says other numbers; empty for one without any."""
    first = next((place for place, word in enumerate(words) if _kind(word)), 0)
    return tuple(words[: min(first, _LEAST_BEFORE)])


def restated_numbers(
    said: Sequence[LineWord], known: Sequence[LineWord]
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The spans of what two sentences say differently if these are numbers alone; else None.

    The spans reach from the first to the last number that differs, with a noun that is singular in one of the
    sentences. Both begin with the same two words. An ordinal tells a value where it says when or where
    something is; `my second exam` is another one than `my first exam`, and `room 5` than `room 4`
    before the verb. A day, month or year that differs as
    well as another number tells another event, unless both are when something is: `on Tuesday at 3`.
    """
    if len(said) != len(known):
        return None
    places: list[int] = []
    has_number = False
    for place, (word, other) in enumerate(zip(said, known, strict=True)):
        if word.text == other.text:
            continue
        if places and content_stems(word.text) == content_stems(other.text) != frozenset():
            places.append(place)
            continue
        kinds = {_kind_at(said, place), _kind_at(known, place)}
        if len(kinds) != 1 or "" in kinds or (_is_one(word.text) and _is_one(other.text)):
            return None
        places.append(place)
        has_number |= "calendar" not in kinds
    if not has_number or places[0] < (1 if _has_own_subject(said[0].text) else _LEAST_BEFORE):
        return None
    if _names_another_event(said, places) or _names_another_event(known, places):
        return None
    if is_of_other_number(*(" ".join(word.text for word in words) for words in (said, known))):
        return None
    shared = " ".join(word.text for place, word in enumerate(said) if not _kind_at(said, place))
    if not content_stems(shared):
        return None
    first, last = places[0], places[-1]
    return (said[first].start, said[last].end), (known[first].start, known[last].end)


def _names_another_event(words: Sequence[LineWord], places: Sequence[int]) -> bool:
    """Whether one of the numbers at these places is a date that tells an event, of which others tell more.

    A date tells one where it is not the first of them (`6 on Monday`), or where anything but a time follows
    it up to the last of them (`on Monday is 5 mg`) or thereafter (`2018 two weeks`).
    """
    texts = [word.text for word in words]
    first, last = places[0], places[-1]
    dated = [place for place in places if _is_date(texts, place) or _kind_at(words, place) == "ordinal"]
    following = texts[last + 1] if last + 1 < len(texts) else ""
    is_counted = not _is_date([texts[last]], 0) and bool(content_stems(following))
    is_named = not all(map(_is_of_time, texts[first : last + 1]))
    has_more = len(places) > len(dated) and (first not in dated or following in COPULAS)
    return bool(dated) and (is_named or has_more or (is_counted and not _is_of_time(following)))


def _is_date(texts: Sequence[str], place: int) -> bool:
    """Whether a word is a day, a month, a year, or the number of a day before its month."""
    if _kind(texts[place]) == "calendar" or regex(_YEAR).fullmatch(texts[place]):
        return True
    after = [word for word in texts[place + 1 : place + 3] if word not in _BETWEEN_DATES]
    before = texts[place - 1] if place else ""
    return any(_kind(word) == "calendar" for word in (*after[:1], before))


def _is_of_time(word: str) -> bool:
    """Whether a word is a part of when something is."""
    return (
        bool(_kind(word))
        or word in PLACING
        or word in ARTICLES
        or word in _BETWEEN_DATES
        or word in _CALENDAR_UNITS
        or word in JOINING
    )


def _has_own_subject(verb: str) -> bool:
    """Whether a verb has its subject in it: `tengo`, `j'ai`."""
    return verb.startswith("j'") or verb in SEVERAL


def _kind_at(words: Sequence[LineWord], place: int) -> str:
    """The kind of value that a word of a sentence is; empty if it is none."""
    kind = _kind(words[place].text)
    if kind == "ordinal":
        before = next((word.text for word in reversed(words[:place]) if word.text not in ARTICLES), "")
        return kind if before in PLACING or before in COPULAS else ""
    return kind


def _kind(word: str) -> str:
    if is_calendar_word(word) or word in _CALENDAR:
        return "calendar"
    if regex(f"(?:{_ORDINAL})").fullmatch(word):
        return "ordinal"
    return "count" if _is_one(word) or is_count(word) else ""


def _is_one(word: str) -> bool:
    return word in INDEFINITE or word in {"one", "1"}
