"""Replaced people: what a line goes on to say of a person in whose place it names another one now.

`My boss is Annelies` leaves nothing of "and he wants the mix by Friday", which was said of Pieter.
"""

from __future__ import annotations

from memtool.core.capture.clauses import clauses
from memtool.core.capture.languages.compared_words import PLACING
from memtool.core.capture.respelling import is_respelling
from memtool.core.text.dates import is_calendar_word
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_TITLE = r"(?:Dr|Mr|Mrs|Ms|Mx|Prof)\.? $"
_OF_PERSON = r"(?P<before>(?:,? and|,? but|,|\.|;) )(?i:he|she|(?P<whose>his|her))(?=['’ ])"
"""How the next clause begins that is about a person: ` and she`."""
_NAMING = (
    r"(?i)(?:^|\s)(?:is|are|['’]s|ist|heißt|es|se llama|est|s['’]appelle|é|se chama|—)"
    r"(?: (?:now|still|actually|currently|called|named|jetzt|nun|ahora|maintenant|agora))*\s"
    r"(?:(?:el|la|der|die|o|a|le) )?(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof|Sr|Sra|Dra|Frau|Herr)\.? )?$"
)
"""What stands before the name of somebody in a role."""
_NAME = r"(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof|Sr|Sra|Dra)\.? )?[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*"
_ADDRESS = r",? (?P<word>[^\W\d_]+)(?: (?:the|der|dem))? (?P<name>[A-ZÀ-Þ][\w'’-]*)[^,.;!?]*"
_SURROUNDINGS = (
    r",? (?P<word>[^\W\d_]+)(?: to)? (?:the|an?|der|dem|einem|einer) [^,.;:!?A-ZÀ-Þ]*(?=$|[,.;:!?])"
)
_OF_ONE_LIFE = (
    r"(?i)\b(?:(?:(?:step|grand|half-)?(?:sister|brother|mother|mom|mum|father|dad|son|daughter|child|parent))s?"
    r"(?:-in-law)?|kids?|children|twins?|baby|aunt|uncle|niece|nephew|cousin|grandma|grandpa|dogs?|cats?|pupp(?:y|ies)"
    r"|kittens?|rabbits?|hamsters?|parrots?|horses?|pets?|tochter|sohn|schwester|bruder|mutter|vater|tante|onkel|kind"
    r"|hund|katze|kater|hij[oa]s?|herman[oa]s?|madre|padre|t[ií][oa]|perr[oa]|gat[oa]|fille|fils|sœur|soeur|frère|mère"
    r"|père|oncle|chien(?:ne)?|chat(?:te)?|filh[oa]s?|irmão|irmã|mãe|pai|cachorr[oa])\b"
)
"""Relatives and animals: another name is one that somebody had all the time."""
_PRONOUN = (
    r"(?i)\b(?:he|she|him|her|his|hers|himself|herself)\b|^\W*(?:who|whose|whom|er|sie|ihn|ihm|ihr|sein\w*|ihr\w*"
    r"|él|ella|su|il|elle|son|sa|ses|ele|ela|seu|sua|он|она|его|её)\b|\b(?:mit|bei|von|für) (?:ihm|ihr|ihn)\b"
    r"|\b(?:con|de|a) (?:él|ella)\b|\b(?:avec|pour|chez) (?:lui|elle)\b|\b(?:dele|dela)\b"
)
"""Words of a clause that stand for the person named before it."""
_OTHER_PERSON = (
    r"(?i:\b(?:my|our|mein\w*|unser\w*|mi|ma|mon|meu|minha) )[^\W\d_]"
    r"|^\W*(?!(?:The|It|I|We|They)\b)[A-ZÀ-Þ][\w'’-]+ [a-z]"
)
"""What a clause begins with that names somebody else, for whom a pronoun after it stands."""


def is_in_place(before: str, old: str, new: str) -> bool:
    """Whether a name takes the place of another one after `before`, so that it is of another person."""
    return (
        all(name[:1].isupper() for name in (old, new))
        and regex(_NAMING).search(before) is not None
        and not is_respelling(old, new)
        and regex(_OF_ONE_LIFE).search(before) is None
    )


def without_person(rest: str) -> str:
    """What a line says after a name, without the clauses in which a pronoun stands for that person."""
    kept, gap, previous, is_other = "", "", 0, False
    for start, end in clauses(rest):
        clause, gap = rest[start:end], gap + rest[previous:start]
        previous = end
        is_about = regex(_PRONOUN).search(clause) is not None
        if not clause.strip():
            gap += clause
            continue
        if is_about and not is_other:
            gap = ""
            continue
        is_other = is_other or regex(_OTHER_PERSON).search(clause) is not None
        kept, gap = kept + gap + clause, ""
    ending = rest[len(rest.rstrip(" .!")) :]
    return kept if not ending or kept.endswith(ending) else kept.rstrip(" .!") + ending


def without_replaced_person(text: str, said: str) -> str:
    """A text without what it says by pronouns of a person in a role for which a sentence names another."""
    for start, end in clauses(text):
        for name in regex(_NAME).finditer(text, start, end):
            before = text[start : name.start()]
            role = content_stems(before) - content_stems(name[0])
            if not role or not role <= content_stems(said):
                continue
            others = set(regex(_NAME).findall(said)) - {name[0]}
            if others and all(is_in_place(before, name[0], other) for other in others):
                return text[: name.end()] + without_person(text[name.end() :])
    return text


def with_title(before: str, name: str) -> str:
    """A name with the title before it."""
    title = regex(_TITLE).search(before)
    return (title[0] if title else "") + name


def without_address(rest: str) -> str:
    """What a line says after a name or a thing, without the place that follows: `, in Elm Street`."""
    place = regex(_ADDRESS).match(rest)
    is_place = (
        place is not None and place["word"] in PLACING and not is_calendar_word(search_fold(place["name"]))
    )
    return rest[place.end() :] if place and is_place else rest


def without_surroundings(rest: str) -> str:
    """What a line says after the town of a street, without what is near that street: `, by the park`."""
    match = regex(_SURROUNDINGS).match(rest)
    return rest[match.end() :] if match and match["word"] in PLACING | {"near", "next", "close"} else rest


def end_before_address(clause: str) -> int:
    """Where a clause that says who is in a role ends without the place after the name; else its end."""
    for name in regex(_NAME).finditer(clause):
        rest = clause[name.end() :]
        if (
            rest.strip()
            and regex(_NAMING).search(clause[: name.start()])
            and not without_address(rest).strip()
        ):
            return name.end()
    return len(clause)


def rest_of_other(rest: str, old: str, *, is_other: bool) -> str:
    """What a line says after a person's name, still of that one if `is_other`: another one took the place."""
    about = regex(_OF_PERSON).match(rest) if is_other else None
    if about is None or not old[:1].isupper():
        return rest
    owned = "'s" if about["whose"] else ""
    return f"{about['before']}{old}{owned}{rest[about.end() :]}"
