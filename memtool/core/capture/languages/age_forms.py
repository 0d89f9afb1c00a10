"""How sentences say how old somebody is or has turned, in English, German, Spanish and French."""

from __future__ import annotations

import functools

from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.text.folding import search_fold
from memtool.core.text.number_words import NUMERALS

_JOINED = {"en": "{ten}-{one}", "de": "{one}und{ten}", "es": "{ten}-y-{one}", "fr": "{ten}-{one}"}
"""How a ten and a number are joined in a language."""
_SPANISH_TWENTIES = ["uno", "dós", "trés", "cuatro", "cinco", "séis", "siete", "ocho", "nueve"]
_ALSO = {"eins": 1, "soixante-et-onze": 71, "veintiún": 21, "quatre-vingts": 80}
_UNACCENTED = "funf zwolf funfzehn dreissig funfzig dieciseis veintiun veintidos veintitres veintiseis"


@functools.cache
def age_numbers() -> dict[str, int]:
    """The numbers from 1 to 99 by their words, folded and with hyphens between them."""
    found = {**_ALSO, **{f"veinti{one}": 20 + number for number, one in enumerate(_SPANISH_TWENTIES, 1)}}
    for language, form in _JOINED.items():
        ones, tens = NUMERALS[language]
        units = {one: number for number, one in enumerate(ones.split(), 1)}
        found |= units
        for number, ten in ((number, ten) for number, ten in enumerate(tens.split(), 2) if ten != "-"):
            found[ten] = 10 * number
            found |= {form.format(ten=ten, one=one): 10 * number + units[one] for one in units}
            found |= {f"{ten}-y-un": 10 * number + 1, f"{ten}-et-un": 10 * number + 1}
    return {search_fold(words): number for words, number in found.items()}


def _words_of_numbers() -> str:
    """A pattern of the words of which numbers consist."""
    single = {one for language in _JOINED for one in " ".join(NUMERALS[language]).split() if one != "-"}
    single |= {*_ALSO, *(f"veinti{one}" for one in _SPANISH_TWENTIES), *_UNACCENTED.split()}
    german = "|".join(NUMERALS["de"][1].split())
    words = sorted(single, reverse=True)  # of two with one beginning, the longer first
    return rf"(?:[a-zäöü]+und(?:{german})|{'|'.join(words)})"


_WORD = _words_of_numbers()
AGE = (
    rf"(?P<age>\d{{1,3}}|{_WORD}(?:[ -](?:(?:y|et)[ -])?{_WORD})*)"
    r"(?P<half>(?:½| and a half|einhalb| y medio| et demie?)?)"
)
_OLD = r"(?P<unit>(?: (?:years?|months?|weeks?) old| years| months| weeks|[ -]year[ -]old| y/?o)?)"
_ALT = r"(?P<unit>(?: (?:jahre?|monate?|wochen?)(?: alt)?)?)"
_ANOS = r"(?P<unit> (?:años?|añitos|meses|semanas))"
_ANS = r"(?P<unit> (?:ans?|mois|semaines))"
MONTHS = (
    ("month", 1.0),
    ("monat", 1.0),
    ("mes", 1.0),
    ("mois", 1.0),
    ("we", 0.25),
    ("wo", 0.25),
    ("sem", 0.25),
)
"""How the folded units of an age other than a year begin, and how many months each of them has."""

_SOMEBODY = (
    r"(?P<subject>(?!(?:(?:one|two) of|eine?[rs]?|zwei|un[ao]? de|une de|l['’]une? de|deux de) )"
    r"(?:(?:my|our|meine?|unsere?|mi|nuestr[oa]|mon|ma|notre) )?"
    r"(?:(?!(?:\w+day|\w+tag|s[áa]bado|domingo|night|morning|evening|weekend|week|month|woche)\b)[\w-]+ ){0,2}"
    r"(?-i:[A-ZÀ-Þ])[\w-]+(?:['’](?!s\b)\w+)?"
    r"|(?:my|our) (?:wife|husband|spouse|partner|girlfriend|boyfriend|mother|mum|mom|father|dad)"
    r"|(?:meine?|unsere?) (?:mann|frau|mutter|vater|partner(?:in)?)|(?:mi|nuestr[oa]) (?:marido|mujer|madre|padre)"
    r"|(?:mon|ma|notre) (?:mari|femme|mère|père)"
    r")"
)
"""Whom a name tells from others, or of whom one has one: not `eine meiner Töchter`, nor `ein Sohn`."""
_YEARS_AGO = (
    r"(?!.*(?:\b\d{4}\b|\byears? (?:ago|before)|last year|jahr\b|jahren\b|año pasado|hace \w+ años"
    r"|année|an dernier|il y a \w+ ans|\bwhen\b|\bals\b|\bcuando\b|\bquand\b))"
)
_WHEN = (
    rf"(?:{_YEARS_AGO}(?:(?:just )?(?:yesterday|today|tonight|recently|already|now)|(?:vor)?gestern|heute|jetzt"
    r"|gerade|eben|nun|schon|kürzlich|neulich|endlich|(?:ante)?ayer|hoy|ya|ahora|(?:avant-)?hier|aujourd'hui"
    r"|récemment|déjà|(?:on|last|this|in|over|earlier|back|am|im|an|diesen?|letzten?|vorigen?|este|esta|el|la"
    r"|en|ce|cette|le)(?: [\w.'-]+){1,4}?|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|lundi|mardi|mercredi|jeudi|vendredi|samedi"
    r"|dimanche)(?: [\w.'-]+)?|(?:\w+|a few|a couple of) (?:days|weeks) ago|vor \w+ (?:tagen|wochen)"
    r"|hace \w+ (?:días|semanas)|il y a \w+ (?:jours|semaines)))"
)
"""When somebody turned an age that still holds."""
_LEAD = rf"(?:{LEADS})?"
_FIRST = rf"{_LEAD}(?:{_WHEN},? )?{_SOMEBODY}"
_END = r"[\s.!]*$"
_LATER = rf"(?: {_WHEN})?{_END}"
_NOW = r"(?: (?:now|already|yet|jetzt|schon|nun|ya|ahora|maintenant|déjà))*"
_IS = (
    rf" (?:is|ist)(?: (?:now|already|only|just|finally|jetzt|schon|nun|erst|bereits|inzwischen))* {AGE}",
    rf"(?: ya| ahora| solo)* tiene(?: ya| ahora| solo)* {AGE}{_ANOS}",
    rf" (?:a|n'a que)(?: maintenant| déjà)* {AGE}{_ANS}",
)
_STATES = (f"{_IS[0]}{_OLD}", f"{_IS[0]}{_ALT}", *_IS[1:])
_HAS_TURNED = (
    rf"(?:'s| has)?(?: just| finally| now| already| recently)* turned {AGE}{_OLD}",
    rf" ist(?: {_WHEN})? {AGE}{_ALT} geworden",
    rf" wurde(?: {_WHEN})? {AGE}{_ALT}",
    rf"(?: {_WHEN})? (?:cumplió|ha cumplido|acaba de cumplir)(?: ya)?(?: los)? {AGE}(?P<unit>(?: años?| añitos| meses)?)",
    rf" (?:(?:a|vient d')(?: {_WHEN})?(?: eu| ?avoir)|(?:a|vient de) (?:fêté|fêter) ses) {AGE}{_ANS}",
)
_INVERTED = (
    rf"{_LEAD}{_WHEN} ist {_SOMEBODY} {AGE}{_ALT} geworden",
    rf"{_LEAD}{_WHEN} wurde {_SOMEBODY} {AGE}{_ALT}",
)
_ENGLISH_STARTS = [
    "one",
    "two",
    "thr",
    "fou",
    "fiv",
    "six",
    "sev",
    "eig",
    "nin",
    "ten",
    "ele",
    "twe",
    "thi",
    "for",
    "fif",
]
_GERMAN_STARTS = ["zwe", "dre", "vie", "fün", "sec", "sie", "ach", "neu", "zeh", "elf", "zwö", "zwa", "ein"]
_IS_SIGNS = (
    *[f" is {start}" for start in (*"123456789", *_ENGLISH_STARTS, "now ", "already ", "only ")],
    *[
        f" ist {start}"
        for start in (*"123456789", *_GERMAN_STARTS, "jetzt ", "schon ", "nun ", "erst ", "bereits ")
    ],
    *(" años", " añitos", " meses", " ans", " mois"),
)
_TURNED_SIGNS = (" turned ", " geworden", " wurde ", "wurde ", " cumpli", " eu ", " d'avoir ", " fêt")
AGES: tuple[tuple[tuple[str, ...], str], ...] = (
    *[(_IS_SIGNS, f"{_FIRST}{form}{_NOW}{_END}") for form in _STATES],
    *[(_TURNED_SIGNS, f"{_FIRST}{form}{_LATER}") for form in _HAS_TURNED],
    *[(_TURNED_SIGNS, f"{form}{_LATER}") for form in _INVERTED],
)
"""Signs, and the pattern of a sentence that says only how old somebody is, or lately turned."""
KNOWN_AGES = [
    rf"(?:{LEADS})?(?P<subject>[^,;:!?]{{1,60}}?){form}{_NOW}(?=[\s.!]*$|[,;:)—–]| (?:and|but|und|aber|y|pero|et|mais) )"
    for form in _STATES
]
"""The patterns of a clause that says how old somebody is."""
TURNED_AGES = [rf"{_FIRST}{form}{_LATER}" for form in _HAS_TURNED]
"""The patterns of a text that says only which age somebody lately turned."""
