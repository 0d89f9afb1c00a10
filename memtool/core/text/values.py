"""Values: one spelling for dates, times of day, numbers and quantities that are written in several ways.

`12 May 1990`, `May 12, 1990` and `1990-05-12` are one date, `7 pm` and `19:00` one time, and `5 km` and
`5 kilometres` one quantity. What a value leaves open stays open: `12 May` has no year, `7:00` may be in the
morning or in the evening, and `5/6/2024` is a day of May or of June.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from memtool.core.text.dates import MONTHS
from memtool.core.text.folding import search_fold
from memtool.core.text.number_words import NUMBER_WORDS
from memtool.core.text.regex import regex

_MONTHS = (
    "\n".join(MONTHS.values())
    + """
jan feb mar apr may jun jul aug sep oct nov dec
- - - - - - - - sept - - -
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
"""
)
"""The names of months, a language a line, with English abbreviations and Russian genitives. Chinese and
Japanese count their months."""
_UNITS = """
m 1 m metre metres meter meters
m 1000 km kms kilometre kilometres kilometer kilometers
m 0.01 cm centimetre centimetres centimeter centimeters
m 0.001 mm millimetre millimetres millimeter millimeters
inch 1 inch inches
inch 12 ft foot feet
inch 36 yd yard yards
inch 63360 mile miles mi
g 1 g gram grams gramme grammes
g 1000 kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes
oz 1 oz ounce ounces
oz 16 lb lbs pound pounds
oz 224 stone
s 1 s sec secs second seconds
s 60 min mins minute minutes
s 3600 h hr hrs hour hours
s 86400 day days
s 604800 week weeks wk wks
month 1 month months
month 12 year years yr yrs
l 1 l litre litres liter liters
l 0.001 ml millilitre millilitres milliliter milliliters
kmh 1 kmh km/h kph
mph 1 mph
celsius 1 celsius °c
fahrenheit 1 fahrenheit °f
percent 1 percent %
usd 1 usd $ dollar dollars
eur 1 eur € euro euros
gbp 1 gbp £
kb 1 kb kilobyte kilobytes
kb 1000 mb megabyte megabytes
kb 1000000 gb gigabyte gigabytes
kb 1000000000 tb terabyte terabytes
"""
"""A base, how much of it the unit is, and the unit's folded names, its token first.

Units that do not convert into each other exactly have different bases.
"""

_TIMES = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}
_YEAR = r"(?:1[5-9]|20)\d\d"
_START, _STOP = r"(?<![\w.,:/'-])", r"(?![\w'])(?![.,:/-]\d)"
_DATE = r"(\d{4})-(\d\d)(?:-(\d\d))?"
_AMBIGUOUS_DATE = rf"(\d\d)/(\d\d)/({_YEAR})"
_TIME = r"(\d{1,2}):(\d\d)"
_QUANTITY = r"(-?\d+(?:\.\d+)?)([a-z]+)"
_OPEN_YEAR = "0000"
_LEAP_YEAR = 2000
_NOON = 12
_DIGITS = 9
"""Decimal places of a converted quantity."""


@functools.lru_cache(2048)
def spell_values(text: str) -> str:
    """The text, folded without accents, with each date, time of day and quantity as one token.

    A date becomes `1990-05-12`, with the year `0000` if it has none, or `1990-05`; a time of day `19:00`, or
    `7:00` where it may be in either half of the day; a quantity its number and unit, such as `5km`.
    """
    folded = search_fold(text)
    if regex(rf"\d|\b(?:{'|'.join((*NUMBER_WORDS, *_TIMES))})\b").search(folded) is None:
        return folded  # most texts
    folded = regex(rf"^one\b(?= \w)|\bone(?= (?:{_unit_names()})\b)").sub("1", folded)
    folded = regex(rf"\b(?:{'|'.join(NUMBER_WORDS[1:])})\b").sub(_spell_number, folded)
    for pattern, spell in _spellings():
        folded = regex(pattern).sub(spell, folded)
    return folded


def _is_date(token: str) -> bool:
    """Whether a token of a text that `spell_values` returned is a date, with or without a year or a day."""
    return any(regex(pattern, re.ASCII).fullmatch(token) for pattern in (_DATE, _AMBIGUOUS_DATE))


def quantity_of(token: str) -> tuple[float, str] | None:
    """The number and the unit of a token that is a quantity, both of the unit's base; None for others."""
    match = regex(_QUANTITY, re.ASCII).fullmatch(token)
    unit = _units().get(match[2]) if match is not None else None
    if match is None or unit is None or unit[0] != match[2]:
        return None
    return round(float(match[1]) * unit[2], _DIGITS), unit[1]


def canonical_token(token: str) -> str:
    """A text that is equal for equal quantities, such as `180cm` and `1.8m`; other tokens as they are."""
    quantity = quantity_of(token)
    return token if quantity is None else f"{number_text(quantity[0])}{quantity[1]}"


def number_text(number: float) -> str:
    """A number in as many digits as tell amounts from each other: `1234567`, `0.3`."""
    return f"{number:.12g}"


def says_all_of(token: str, other: str) -> bool:
    """Whether a token says all that another one says: the same value, or more of it.

    A date says all of its month and its year, a time of day all of one that leaves the half of the day open,
    and a quantity all of its number.
    """
    if canonical_token(token) == canonical_token(other):
        return True
    if _is_date(token):
        return any(
            all(asked in {"", known} for known, asked in zip(parts, asked_parts, strict=True))
            for parts in _readings(token)
            for asked_parts in _readings(other)
        )
    if (time := regex(_TIME, re.ASCII).fullmatch(token)) is not None:
        return _is_left_open(time, other)
    quantity = regex(_QUANTITY, re.ASCII).fullmatch(token)
    return quantity is not None and quantity_of(token) is not None and quantity[1] == other


def _readings(token: str) -> Sequence[tuple[str, str, str]]:
    """What a token may say as a date: year, month and day, each empty if it is open; or a year alone."""
    if match := regex(_DATE, re.ASCII).fullmatch(token):
        return [("" if match[1] == _OPEN_YEAR else match[1], match[2], match[3] or "")]
    if match := regex(_AMBIGUOUS_DATE, re.ASCII).fullmatch(token):
        return [(match[3], match[1], match[2]), (match[3], match[2], match[1])]
    return [(token, "", "")] if regex(_YEAR, re.ASCII).fullmatch(token) else []


def _is_left_open(time: re.Match[str], other: str) -> bool:
    """Whether another time of day, or a number of hours, is this one with its half of the day left open."""
    asked = regex(_TIME, re.ASCII).fullmatch(other) or regex(r"(\d{1,2})", re.ASCII).fullmatch(other)
    if asked is None or int(time[2]) != (int(asked[2]) if len(asked.groups()) > 1 else 0):
        return False
    if not _has_open_half(asked[1]):
        return not _has_open_half(time[1]) and int(time[1]) == int(asked[1])
    return int(time[1]) % _NOON == int(asked[1]) % _NOON


def _has_open_half(hour: str) -> bool:
    """Whether an hour may be one before noon or one after it: `7`, but not `07` or `19`."""
    return not hour.startswith("0") and 1 <= int(hour) <= _NOON


@functools.cache
def _months() -> Mapping[str, int]:
    rows = (line.split() for line in search_fold(_MONTHS).split("\n"))
    return {name: number for row in rows for number, name in enumerate(row, 1) if name != "-"}


@functools.cache
def _units() -> Mapping[str, tuple[str, str, float]]:
    """The token, the base and the factor of each name of a unit."""
    rows = (line.split() for line in _UNITS.strip().split("\n"))
    return {name: (names[0], base, float(factor)) for base, factor, *names in rows for name in names}


@functools.cache
def _unit_names() -> str:
    return "|".join(map(re.escape, sorted(_units(), key=len, reverse=True)))


@functools.cache
def _spellings() -> Sequence[tuple[str, Callable[[re.Match[str]], str]]]:
    """Patterns of folded text with what they are replaced by, in order."""
    month = "|".join(sorted(_months(), key=len, reverse=True))
    nth = r"(\d{1,2})(?:st|nd|rd|th|er|[.oº])?"
    number = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    half = r"(?: ?([ap])\.? ?m\b\.?| in the (?:(morning)|afternoon|evening)\b)"
    units, stop = _unit_names(), _STOP
    return (
        (rf"{_START}({_YEAR})([-./])(\d{{1,2}})\2(\d{{1,2}}){stop}", lambda m: _date(m, m[1], m[3], m[4])),
        (rf"({_YEAR}) ?年 ?(\d{{1,2}}) ?月(?: ?(\d{{1,2}}) ?日)?", lambda m: _date(m, m[1], m[2], m[3])),
        (rf"{_START}(\d{{1,2}})([-./]) ?(\d{{1,2}})\2 ?({_YEAR}){stop}", _day_or_month_first),
        (
            rf"{_START}{nth}[ -](?:(?:of|de|do) )?({month})\b\.?(?:,?[ -](?:de )?({_YEAR}){stop})?",
            lambda m: _date(m, m[3], str(_months()[m[2]]), m[1]),
        ),
        (
            rf"\b({month})\b\.? {nth}(?![\w:])(?:,? ({_YEAR}){stop})?",
            lambda m: _date(m, m[3], str(_months()[m[1]]), m[2]),
        ),
        (
            rf"\b({month})\b\.?,? (?:de )?({_YEAR}){stop}",
            lambda m: _date(m, m[2], str(_months()[m[1]]), None),
        ),
        (rf"\b(?:{'|'.join(_TIMES)})\b", lambda m: _TIMES[m[0]]),
        (rf"{_START}(\d{{1,2}})(?:[:.](\d\d))?(?::\d\d)?{half}", _time_of_half),
        (rf"{_START}(\d{{1,2}})(?:[:.](\d\d))? ?(?:o'?clock|uhr)\b", lambda m: f"{m[1]}:{m[2] or '00'}"),
        (rf"{_START}(\d{{1,2}}:\d\d):\d\d{stop}", lambda m: m[1]),
        (
            r"\b(?:utc|gmt) ?([+-]) ?(\d{1,2})(?::?(\d\d))?\b",
            lambda m: f"utc {m[1]}{int(m[2]):02}:{m[3] or '00'}",
        ),
        (
            rf"{_START}(\d) ?(?:'|ft|foot|feet) ?(\d{{1,2}}) ?(?:\"|''|in|inch|inches)?{stop}",
            lambda m: f"{int(m[1]) * 12 + int(m[2])}inch",
        ),
        (rf"{_START}([$€£]) ?{number}{stop}", lambda m: _quantity(m[2], m[1])),
        (rf"(?<![\w.,:/']){number}[ -]?({units})(?:[ -]old)?(?!\w)", lambda m: _quantity(m[1], m[2])),
        (rf"{_START}\d{{1,3}}(?:,\d{{3}})+{stop}", lambda m: m[0].replace(",", "")),
    )


def _spell_number(match: re.Match[str]) -> str:
    return str(NUMBER_WORDS.index(match[0]) + 1)


def _date(match: re.Match[str], year: str | None, month: str, day: str | None) -> str:
    """The date as a token; the text as it is if the calendar has no such day."""
    try:
        date(int(year or _LEAP_YEAR), int(month), int(day or 1))
    except ValueError:
        return match[0]
    return f"{int(year or 0):04}-{int(month):02}" + (f"-{int(day):02}" if day else "")


def _day_or_month_first(match: re.Match[str]) -> str:
    """A date that ends with the year; a point is written after the day, and other signs after either."""
    first, second, year = match[1], match[3], match[4]
    if match[2] == "." or int(first) > _NOON or first == second:
        return _date(match, year, second, first)
    if int(second) > _NOON:
        return _date(match, year, first, second)
    return f"{int(first):02}/{int(second):02}/{int(year)}"


def _time_of_half(match: re.Match[str]) -> str:
    """The time of a day of 24 hours for one of 12; the text as it is if there is no such hour."""
    hour = int(match[1])
    if not 1 <= hour <= _NOON:
        return match[0]
    is_morning = match[3] == "a" or match[4] is not None
    return f"{hour % _NOON + (0 if is_morning else _NOON):02}:{match[2] or '00'}"


def _quantity(number: str, unit: str) -> str:
    """A quantity as a token; a comma before three digits separates thousands, another one is a point."""
    if regex(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", re.ASCII).fullmatch(number):
        number = number.replace(",", "")
    number = number.replace(",", ".")
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return f"{number}{_units()[unit][0]}"
