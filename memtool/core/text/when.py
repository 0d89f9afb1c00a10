"""When: the days that a question names, so that what was said about then comes first."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from datetime import date, timedelta

_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = _MONTH_NAMES.split()
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
AFTERWARDS = 14
"""Days in which something that happened is still talked about."""

_YEARS = 10
"""Years back in which a month or day without a year may be meant."""

Span = tuple[date, date]
"""The first and the last of some days."""


def spans(text: str, today: date) -> tuple[Span, ...]:
    """The days that a text names, with the time after each in which one would speak of them.

    Years, months and days by name or as 2025-01-15, and days told from `today`: yesterday, last week, three
    months ago, on Friday. English alone; a text without any has none.
    """
    return tuple(_later(span, slack) for span, slack in _named(text, today))


def _later(span: Span, slack: int) -> Span:
    first, last = span
    try:
        return first, last + timedelta(days=slack)
    except OverflowError:
        return span


def _named(text: str, today: date) -> Iterator[tuple[Span, int]]:
    found = [*_iso(text), *_by_name(text, today)]
    if not found:
        years = (int(year[0]) for year in _pattern("year").finditer(text))
        found = [((date(year, 1, 1), date(year, 12, 31)), 0) for year in years]
    yield from found
    yield from _relative(text.lower(), today)


def _iso(text: str) -> Iterator[tuple[Span, int]]:
    for year, month, day in _pattern("iso").findall(text):
        try:
            first = date(int(year), int(month), int(day or 1))
        except ValueError:
            continue
        yield ((first, first), AFTERWARDS) if day else ((first, _end_of_month(first)), AFTERWARDS // 2)


def _by_name(text: str, today: date) -> Iterator[tuple[Span, int]]:
    for before, name, behind, year in _pattern("month").findall(text):
        if name == "may":  # a verb, unless it is written as a name
            continue
        month, day = _month(name.lower()), int(before or behind or 0)
        for known in [int(year)] if year else range(today.year, today.year - _YEARS, -1):
            try:
                first = date(known, month, day or 1)
            except ValueError:
                continue
            yield ((first, first), AFTERWARDS) if day else ((first, _end_of_month(first)), AFTERWARDS // 2)


def _relative(text: str, today: date) -> Iterator[tuple[Span, int]]:
    for match in _pattern("relative").finditer(text):
        try:
            yield _told(match, today), 0
        except (OverflowError, ValueError):
            continue


def _told(match: re.Match[str], today: date) -> Span:
    if word := match["day"]:
        return (today, today) if word == "today" else (today - timedelta(1), today - timedelta(1))
    if word := match["weekday"]:
        back = (today.weekday() - _DAYS.index(word)) % 7 or 7
        return today - timedelta(back), today - timedelta(back)
    said = match["count"] or "1"
    count = NUMBERS.index(said) + 1 if said in NUMBERS else 1 if said[0] == "a" else int(said)
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[match["unit"] or match["last"]]
    if match["unit"]:  # three weeks ago: give or take one
        middle = today - timedelta(days * count)
        return middle - timedelta(days // 2), middle + timedelta(days // 2)
    if match["which"] == "this":
        return today - timedelta(days), today
    return today - timedelta(2 * days), today - timedelta(min(days, 7) // 7)


def _month(name: str) -> int:
    return next(number for number, one in enumerate(_MONTHS, 1) if one.startswith(name[:3]))


def _end_of_month(first: date) -> date:
    return (first.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)


@functools.cache
def _pattern(name: str) -> re.Pattern[str]:
    months = "|".join([*_MONTHS, *(one[:3] for one in _MONTHS if one != "may"), "sept"])
    number = rf"\d{{1,3}}|an?|{'|'.join(NUMBERS)}"
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
    return re.compile(patterns[name])
