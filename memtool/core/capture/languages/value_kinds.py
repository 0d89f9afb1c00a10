"""Kinds of values of which a line about one thing has one: dates, weekdays, times of day, amounts."""

from __future__ import annotations

_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|ene|abr|ago|dic|janv|févr|fév|avr|juin|juil"
    r"|août|déc|fev|set|out|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)[^\W\d_]*\.?"
)
_DATE = (
    rf"\d{{1,2}}(?:st|nd|rd|th|\.|º)?(?: (?:of|de))? {_MONTH}(?:,? (?:de )?\d{{4}})?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d{2,4})?|\d{1,2}月\d{1,2}[日号]"
)
_DAY = (
    r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch"
    r"|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|(?:segunda|terça|quarta|quinta|sexta)-feira"
    r"|понедельник\w*|вторник\w*|сред[ауы]|четверг\w*|пятниц\w|суббот\w|воскресень\w"
)
_TIME = r"\d{1,2}[:.h]\d\d ?(?:am|pm|uhr)?|\d{1,2} ?(?:am|pm|uhr|o'clock)"
_AMOUNT = r"[$€£¥] ?\d[\d.,]*|\d[\d.,]* ?(?:[$€£¥%]|euros?|dollars?|pounds?|percent)"
VALUE_KINDS = (_DATE, _DAY, _TIME, _AMOUNT)
