"""Dates in text: the days that a question names, and the day in a file name."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from msgspec import Struct

from memtool.core.text.number_words import NUMBER_WORDS
from memtool.core.text.regex import regex

MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "ru": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "uz": "yanvar fevral mart aprel may iyun iyul avgust sentyabr oktyabr noyabr dekabr",
}
WEEKDAYS = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
}
SHORT_MONTHS = "jan feb mar apr jun jul aug sep sept oct nov dec"
_MONTHS, _DAYS = (table["en"].split() for table in (MONTHS, WEEKDAYS))
CALENDAR_NAMES = frozenset({*_MONTHS, *_DAYS})
"""The English names of months and weekdays, folded."""
DAYS_DISCUSSED = 14
"""Days after an event in which people still talk about it."""

_YEAR_FIRST = r"(?a)(\d{4})([-_. /]?)(\d{2})\2(\d{2})"
_YEAR_LAST = r"(?a)(\d{1,2})([-_. ])(\d{1,2})\2(\d{4})"
_CENTURIES = ("19", "20")
_RELATIVE_PARTS = ("day", "ago", "last", "this", "past")
_YEARS_BACK = 10
"""Years back that are searched for a month or day without a year."""

DateSpan = tuple[date, date]
"""A first and a last day."""


def is_calendar_word(word: str) -> bool:
    """Whether a folded word is the English name of a month or a day of the week."""
    return word in _MONTHS or word.removesuffix("s") in _DAYS


def date_spans(text: str, today: date) -> tuple[DateSpan, ...]:
    """The spans of days that a text names, each extended by the time in which people still talk about it.

    It reads years, months and days by name or as 2025-01-15, and days relative to `today`: yesterday, last
    week, three months ago, on Friday. English only.
    """
    return tuple(_extend(span, slack) for span, slack in _mentioned_spans(text, today))


def _extend(span: DateSpan, days: int) -> DateSpan:
    first, last = span
    try:
        return first, last + timedelta(days=days)
    except OverflowError:
        return span


def _mentioned_spans(text: str, today: date) -> Iterator[tuple[DateSpan, int]]:
    absolute = [*_iso_spans(text), *_month_spans(text, today)]
    if not absolute and _has_any(text, _CENTURIES):
        years = (int(year[0]) for year in _pattern("year").finditer(text))
        absolute = [((date(year, 1, 1), date(year, 12, 31)), 0) for year in years]
    yield from absolute
    yield from _relative_spans(text.lower(), today)


def _iso_spans(text: str) -> Iterator[tuple[DateSpan, int]]:
    if not _has_any(text, _CENTURIES):
        return
    for year, month, day in _pattern("iso").findall(text):
        try:
            first = date(int(year), int(month), int(day or 1))
        except ValueError:
            continue
        yield (
            ((first, first), DAYS_DISCUSSED) if day else ((first, _end_of_month(first)), DAYS_DISCUSSED // 2)
        )


def _month_spans(text: str, today: date) -> Iterator[tuple[DateSpan, int]]:
    if not _has_any(text.casefold(), [month[:3] for month in _MONTHS]):
        return
    for day_before, name, day_after, year in _pattern("month").findall(text):
        if name == "may":  # a verb, unless it is written as a name
            continue
        month, day = _month(name.lower()), int(day_before or day_after or 0)
        for candidate in [int(year)] if year else range(today.year, today.year - _YEARS_BACK, -1):
            try:
                first = date(candidate, month, day or 1)
            except ValueError:
                continue
            yield (
                ((first, first), DAYS_DISCUSSED)
                if day
                else ((first, _end_of_month(first)), DAYS_DISCUSSED // 2)
            )


def _relative_spans(text: str, today: date) -> Iterator[tuple[DateSpan, int]]:
    if not _has_any(text, _RELATIVE_PARTS):
        return
    for match in _pattern("relative").finditer(text):
        try:
            yield _relative_span(match, today), 0
        except (OverflowError, ValueError):
            continue


def _relative_span(match: re.Match[str], today: date) -> DateSpan:
    if word := match["day"]:
        return (today, today) if word == "today" else (today - timedelta(1), today - timedelta(1))
    if word := match["weekday"]:
        back = (today.weekday() - _DAYS.index(word)) % 7 or 7
        return today - timedelta(back), today - timedelta(back)
    word = match["count"] or "1"
    count = NUMBER_WORDS.index(word) + 1 if word in NUMBER_WORDS else 1 if word[0] == "a" else int(word)
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[match["unit"] or match["last"]]
    if match["unit"]:  # three weeks ago: give or take one
        middle = today - timedelta(days * count)
        return middle - timedelta(days // 2), middle + timedelta(days // 2)
    if match["which"] == "this":
        return today - timedelta(days), today
    return today - timedelta(2 * days), today - timedelta(min(days, 7) // 7)


def _has_any(text: str, parts: Iterable[str]) -> bool:
    """Whether a text may match a pattern that needs one of these parts; most texts name no date."""
    return any(part in text for part in parts)


def _month(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def _end_of_month(first: date) -> date:
    return (first.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)


@functools.cache
def _pattern(name: str) -> re.Pattern[str]:
    months = "|".join([*_MONTHS, *SHORT_MONTHS.split()])
    number = rf"\d{{1,3}}|an?|{'|'.join(NUMBER_WORDS)}"
    nth = r"(\d{1,2})(?:st|nd|rd|th)?"
    patterns = {
        "year": r"(?<![\d-])(?:19|20)\d\d(?![\d-])",
        "iso": r"(?<!\d)((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?(?!\d)",
        "month": (
            rf"(?i:\b(?:{nth}\s+(?:of\s+)?)?)\b((?i:{months})|May|MAY)\b\.?"
            rf"(?i:(?:\s+{nth}\b)?,?(?:\s+((?:19|20)\d\d))?)"
        ),
        "relative": (
            rf"\b(?:(?P<day>today|yesterday)|(?:on|last)\s+(?P<weekday>{'|'.join(_DAYS)})"
            rf"|(?P<count>{number})\s+(?P<unit>day|week|month|year)s?\s+ago"
            r"|(?P<which>this|last|past)\s+(?P<last>week|month|year))\b"
        ),
    }
    return regex(patterns[name])


class SpelledDay(Struct, frozen=True):
    """The day in a file name: one day, or two where day and month are ambiguous.

    `first` is what comes first in a name that ends with the year: `day`, `month`, or empty where it is
    ambiguous or the year comes first.
    """

    days: tuple[date, ...]
    first: str = ""


def parse_day_name(name: str) -> SpelledDay | None:
    """The day in a file name without its suffix (2025-01-15, 20250115, 15-01-2025); None if there is none."""
    if match := regex(_YEAR_FIRST).fullmatch(name):
        day = _date(match[1], match[3], match[4])
        return SpelledDay((day,)) if day else None
    if match := regex(_YEAR_LAST).fullmatch(name):
        by_day, by_month = _date(match[4], match[3], match[1]), _date(match[4], match[1], match[3])
        if by_day and by_month and by_day != by_month:
            return SpelledDay((by_day, by_month))
        if by_day or by_month:
            days = tuple(dict.fromkeys(day for day in (by_day, by_month) if day))
            both = by_day is not None and by_month is not None
            return SpelledDay(days, "" if both else "day" if by_day else "month")
    return None


def resolve_day(spelled: SpelledDay, firsts: set[str], stated: date | None) -> date | None:
    """The day that an ambiguous name most likely means: the one the note states, or as its neighbours spell.

    `firsts` holds the values of `first` of the unambiguous names beside it. None if it stays ambiguous.
    """
    if len(spelled.days) == 1:
        return spelled.days[0]
    if stated in spelled.days:
        return stated
    return spelled.days[0 if firsts == {"day"} else 1] if len(firsts) == 1 else None


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
