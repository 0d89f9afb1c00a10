"""Households: with whom a statement of a home says that the user lives, who come along to the next one.

Partners, children and pets do; parents, flatmates and colleagues stay where they are.
"""

from __future__ import annotations

import itertools

from msgspec import Struct

from memtool.core.facts.relatives import is_household
from memtool.core.text.dates import MONTHS
from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_WITH = r",? (?:with|mit|con|avec|com) (?=\S)"
_PREPOSITION = r"(?i)\s(?:in|at|near|on|bei|en|à|au|em|no|na|nahe)(?: the| der| dem)?$"
"""What stands before the place."""
_JOINED = r"(?:,| (?:and|&|und|y|e|et))\s+(?:(?:and|und|y|e|et)\s+)?"
_END = (
    r"(?i)[;:.!?(—–]|\s(?:in|on|at|near|above|since|for|from|but|while|because|who|which|where|auf|im|am|bei|seit"
    r"|über|aber|weil|en|desde|pero|porque|dans|depuis|mais|em|no|na|há|mas)\b"
)
_NAMES = r"(?:[A-ZÀ-Þ][\w'’-]*(?: |$))+"
_OWNED = (
    r"(?i)(?:an?|the|my|our|his|her|their|two|three|\d+|mein\w*|unser\w*|zwei|drei|mis?|nuestr\w+|dos|tres|ma|mon|mes"
    r"|nos|notre|deux|trois|meus?|minhas?|nosso|nossa|dois|duas)\s"
)
_MOST_WORDS = 4
"""The most words of a phrase about people, which a clause has more of."""
_OF_COMPANY = (
    r"\b(?:with(?:out)?|alone|(?:on|by) (?:my|our) ?(?:own|sel(?:f|ves))|divorc\w*|separat\w*|split"
    r"|broke|died|death|left me|single|she|he|they|her|him|them|sie|er|ihn|ihr|ella|el|ellos|elle|ils?|elles"
    r"|ela|ele|mit|ohne|allein\w*|getrennt|scheidung|geschieden|gestorben|con|sin|sol[oa]"
    r"|murio|avec|sans|seule?|morte?|com|sem|sozinh[oa]|morreu|faleceu)\b"
)
"""Words of a sentence, folded, that itself says with whom somebody lives now, or that a couple is none."""


_TO = frozenset(
    ["to", "in", "at", "near", "from", "nach", "bei", "aus", "a", "à", "en", "au", "para", "em", "no", "na"]
)
"""What stands before a place."""
_DAY = rf"(?:\w+day|{MONTHS['en'].title().replace(' ', '|')})\b"


class Household(Struct, frozen=True):
    """With whom a text says that the user lives, and the rest of the text, with the town alone as the place.

    `sentence` says so without the place: `I live with my two cats`. It and `people` are empty where somebody
    of them does not come along.
    """

    rest: str
    town: str
    sentence: str = ""
    people: str = ""


def household_of(text: str, place: str, said: str) -> Household | None:
    """Those with whom a text says that the user lives in a place.

    None where it names nobody. Nobody of them comes along where what is `said` instead is about such people.
    """
    place = regex(f"(?i){_WITH}").split(place)[0]
    start = text.find(place)
    company = regex(f"(?i){_WITH}").match(text, start + len(place)) if start > 0 else None
    before = text[:start].rstrip()
    verb = regex(_PREPOSITION).sub("", before)
    if company is None or verb == before:
        return None
    end, do_all_come = _end_of_people(text, company.end())
    people, town = text[company.end() : end], place.partition(",")[0]
    rest = text[:start] + town + text[end:]
    is_of_company = regex(_OF_COMPANY).search(fold_in_place(said)) or _names_somebody(said)
    if not do_all_come or is_of_company or content_stems(people) & content_stems(said):
        return Household(rest, town)
    return Household(rest, town, f"{verb}{company[0].lstrip(',')}{people}", people)


def _names_somebody(said: str) -> bool:
    """Whether there is a name in the middle of a sentence that is not of a place or a day."""
    return any(
        word[:1].isupper()
        and word[1:2].isalpha()
        and before.lower() not in _TO
        and not before[:1].isupper()
        and before[-1:].isalpha()
        and not regex(_DAY).match(word)
        for line in said.splitlines()
        for before, word in itertools.pairwise(line.split())
    )


def _end_of_people(text: str, start: int) -> tuple[int, bool]:
    """Where the phrase about people at `start` ends, and whether all of them come along."""
    stop = regex(_END).search(text, start)
    last = stop.start() if stop else len(text)
    edges = [
        (start, start),
        *(match.span() for match in regex(_JOINED).finditer(text, start, last)),
        (last, last),
    ]
    end, do_all_come = start, True
    for (_, begin), (after, _) in itertools.pairwise(edges):
        part = text[begin:after].rstrip(" ,")
        is_first, is_named = begin == start, regex(_NAMES).fullmatch(part) is not None
        if is_household(part) or (is_named and not is_first):
            end = begin + len(part)
        elif is_first or (regex(_OWNED).match(part) and len(part.split()) <= _MOST_WORDS):
            end, do_all_come = begin + len(part), False
        else:
            break  # a clause of its own
    return end, do_all_come
