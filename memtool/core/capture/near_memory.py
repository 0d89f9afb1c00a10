"""Near memory: which stored texts a correction may be about that superseded none of them."""

from __future__ import annotations

import re

from msgspec import Struct

from memtool.core.capture.clauses import clauses, line_words
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.fragments import corrects_value
from memtool.core.capture.languages.compared_words import AGE_WORDS, COPULAS, FIRST_PERSON, TEMPORARY
from memtool.core.capture.languages.correction_signs import LEADS, NEWS_SIGNS, NOW
from memtool.core.capture.languages.english_changes import (
    MOVING,
    NEWS,
    OBJECT,
    OF_AMOUNTS,
    RENEWED_THING,
    REPLACING,
    SAID_AS,
    SINCE_LATELY,
    UNTELLING,
)
from memtool.core.capture.languages.news_forms import (
    DENYING,
    HOLDS_ROLE,
    KIN_ROLE,
    LANGUAGE_WORDS,
    NEWS_FORMS,
    OF_SOMEBODY_ELSE,
    UNTELLING_WORDS,
)
from memtool.core.capture.languages.value_kinds import VALUE_KINDS
from memtool.core.capture.particles import begin_alike
from memtool.core.capture.restated_numbers import is_count
from memtool.core.capture.stated_in import without_frequency
from memtool.core.facts.duplicates import comparison_key
from memtool.core.text.folding import search_fold
from memtool.core.text.health_words import may_affect_advice
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_WELL = (
    r"(?i)(?:(?:all|much|totally|completely|perfectly|feeling|working|back to) )*"
    r"(?:fine|ok|okay|good|well|better|healthy|healed|normal|fixed|repaired|working|back|alright|all right)\b"
)
_TROUBLE = (
    r"(?i)\b(?:hurts?|hurting|aches?|aching|pain\w*|sore|swollen|injur\w+|sprain\w*|broke\w*|ill|sick|leak\w*"
    r"|down|(?:at|in) the (?:shop|garage|vet|hospital|repair\w*)|out of order|(?:doesn|isn|won|can)['’]t"
    r"|not work\w*)\b"
)
_PERMISSION = (
    r"(?i)\b(?:is|are) (?:\w+ )?(?:fine|ok|okay|good|welcome|allowed|all right|alright|acceptable)\b"
    r"|\b(?:ist|sind) (?:\w+ )?(?:in ordnung|okay|ok|gut|erlaubt|erwünscht|willkommen)\b"
    r"|\best[áa]n? bien\b|\bconviennent\b|\b(?:sont|est) bienvenue?s?\b|\bme vont\b|\bc'est bon\b"
)
_USING = (
    r"(?i:\W*(?:user states )?(?:i|we)(?:'m|'re|'ve| am| are| have)?(?: currently| still| mostly)?"
    r" (?:us|driv|rid|own|run|play|work|tak|drink|read|bank|shop)(?:e|ing|s)?(?: with| in| at| on)?)"
    r" (?P<thing>.+)"
)
_OF_ONE = frozenset(["live", "work", "study", "drive", "ride", "rent", "earn", "pay", "weigh", "commute"])
"""Verbs of what somebody mostly has one value of: `I drive`."""
_GENERAL = content_stems(
    "like love hate enjoy prefer want need know think believe feel mean get really lot thing"
)
"""Words that do not tell what a statement about the user is about."""
_NAMED = r"(?:an? |the )?[A-ZÀ-Þ]"
_MOST_TO_SUBJECT = 3
"""The words of a clause among which its subject is, if that is the user."""
_NO_THING = (
    r"(?i)(?:\W|\b(?:i|we|they|it|he|she|you|this|that|there|who|what|all|everything|and|so)(?:['’]\w+)?\b)*"
)
"""Subjects that do not say what changed."""
_THEIRS = r"(?i)(?:his|her|their|its)\b"
_MOST_BEFORE = 4
"""The words at the start of a text in which it says what it is about."""
_NUMBER = (
    r"(?:\d[\d.,]*|(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third"
    r"|fourth|fifth|sixth|seventh|eighth|ninth|tenth))(?!\w)"
)
_HOUR = (
    rf"(?:(?:half|quarter) (?:past |to )?)?(?!\d\d[\d.,]*\d){_NUMBER}"
    r"(?! (?:euro|pound|dollar|percent|mg|kilo|an? ))|noon|midnight"
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)(?! I| we)\b"
)
_VALUES = (
    (
        "day",
        rf"(?i)(?<!\w)(?:{VALUE_KINDS[0]}|{VALUE_KINDS[1]}|the \d{{1,2}}(?:st|nd|rd|th)\b|(?-i:{_MONTH}))",
    ),
    (
        "time",
        rf"(?i)(?<!\w)(?:{VALUE_KINDS[2]}|\d{{1,2}} ?h\b)|\b(?:at|until|las?(?= \d)) (?P<value>{_HOUR})",
    ),
    ("hour", rf"(?i)\b(?:to|from) (?P<value>{_HOUR})"),
    ("number", _NUMBER),
    ("place", r"\b(?:in|near|from|to) (?P<value>[A-ZÀ-Þ][\w'’-]+)"),
    ("name", r"(?<=[\w,] )(?P<value>[A-ZÀ-Þ][\w'’-]+)"),
)
"""Kinds of values of which one thing has one, each with its pattern."""
_OWNERS = r"([\w-]+)(?:['’]s|(?<=s)['’]) [\w-]"
"""Whose the thing is that follows."""
_PLACE_OF = r"\b(?:at|to|from|near|with|by) ([\w-]+)['’]s\b"
_VISIT = (
    r"(?i)\bfor (?:(?:the|an?|one|two|three|\d+|some|her|his|their|our|my) )?(?:few |long )?(?:weekend|days?"
    r"|nights?|weeks?|holidays?|vacation|trip|lunch|dinner|wedding|party|christmas|easter|funeral|visit|meeting"
    r"|conference|birthday)\b"
)
"""Where somebody goes for a time only."""
_LEAST_PART = 5
"""Letters of a part of a German compound."""
_WHEN = ("day", "time")
"""Kinds of values whose numbers count nothing."""
_LEAST_SHARED = 2
"""Content words that a near text shares with a correction, unless one is its whole subject."""


def nearness(correction: str, text: str) -> int:
    """How many content words a stored text shares with a correction; 0 if it is not near.

    A near text shares two that are not both names, or what the correction is about with the verb: `my dog
    is`. A shared name alone, as in `Rex sleeps` and `Rex is allergic`, does not make two texts about the same
    thing. One that has the correction's own words is what it was recorded as.
    """
    statement = _without_signs(correction)
    if comparison_key(statement) in comparison_key(text):
        return 0
    terms, others = content_stems(without_frequency(statement)), content_stems(text)
    shared = terms & others
    if terms <= others:
        return 0
    names = content_stems(" ".join(_names(statement) + _names(text)))
    is_near = (len(shared) >= _LEAST_SHARED and shared - names) or (shared and _is_of_same(statement, text))
    return len(shared) if is_near else 0


def telling_stems(text: str) -> frozenset[str]:
    """The stems of the content words of a text that say what it is about: no numbers, nor words of time."""
    words = (word.text for word in line_words(text))
    return content_stems(
        " ".join(word for word in words if not (word in TEMPORARY or word in AGE_WORDS or is_count(word)))
    )


def permits(sentence: str) -> bool:
    """Whether a sentence says that something is fine, as one does that takes a rule back."""
    return regex(_PERMISSION).search(sentence) is not None


def shared_by_user(correction: str, text: str) -> int:
    """How many telling words a sentence in the first person shares with what a text says of the user.

    0 if one of them is not about the user: `Actually, I take the tram to work` may be about `I cycle to
    work`, but not about `My sister works in Ghent`.
    """
    statement = _without_signs(correction)
    if not _is_of_user(statement):
        return 0
    terms = content_stems(without_frequency(statement)) - _GENERAL
    own = (text[start:end] for start, end in clauses(text) if _is_of_user(text[start:end]))
    return max((len(terms & content_stems(clause)) for clause in own), default=0)


def _is_of_user(clause: str) -> bool:
    """Whether the user is the subject of a clause: its first word, or next to its verb."""
    words = [word.text for word in line_words(clause)[:_MOST_TO_SUBJECT]]
    return any(word in FIRST_PERSON or word.startswith("j'") for word in words)


def may_revise(correction: Correction, text: str) -> int:
    """How surely a sentence that says only what a value is now is about a stored text; 0 if it is not.

    The text has all words of what the sentence names, and the value is a date, a time, an amount or a name,
    or says that something the text is about is well again. `We switched to a Duster` may be about a text on
    what the user has.
    """
    if not correction.is_shift:
        return 0
    if correction.subject:
        is_about = correction.subject <= content_stems(text) and (
            any(regex(f"(?i)(?:{kind})").search(correction.new) for kind in VALUE_KINDS)
            or (
                not correction.is_renewal
                and correction.new[:1].isupper()
                and regex(_VISIT).search(correction.new) is None
                and not correction.subject & content_stems(" ".join(regex(_PLACE_OF).findall(text)))
            )
            or (regex(_WELL).match(correction.new) is not None and _is_trouble(text))
        )
        return len(correction.subject) if is_about else 0
    if (using := regex(_USING).match(text)) is None:
        return 0
    both = correction.new, using["thing"]
    return int(begin_alike(*both) and all(regex(_NAMED).match(said) for said in both))


def _is_trouble(text: str) -> bool:
    return regex(_TROUBLE).search(text) is not None or may_affect_advice(text)


def _is_of_same(statement: str, text: str) -> bool:
    """Whether a text says what the subject of a statement is, in the words of the statement.

    What concerns health is replaced only by what does: `Rex is in the kitchen` leaves `Rex is allergic`.
    """
    if may_affect_advice(text) and not may_affect_advice(statement):
        return False
    words, others = ([word.text for word in line_words(each)] for each in (statement, text))
    verb = next((number for number, word in enumerate(words) if number and word in COPULAS), 0)
    if words[:1] in (["i"], ["we"]) and {*words[1:2]} <= _OF_ONE:
        verb = 1
    beginning = " ".join(words[: verb + 1])
    is_named = verb > 0 and bool(content_stems(beginning))
    return is_named and f" {beginning} " in f" {' '.join(others)} "


def _names(text: str) -> list[str]:
    """The words of a text with a capital, the first one only if another follows it: `Lena Holm`."""
    return regex(r"(?:(?<=\s)|^(?=\S+ [A-ZА-ЯÀ-Þ]))[A-ZА-ЯÀ-Þ][\w'’-]+").findall(text)


def _without_signs(correction: str) -> str:
    """A correction without "Actually", "now" and the like."""
    lead = regex(LEADS, re.IGNORECASE).match(correction)
    statement = correction[lead.end() :] if lead else correction
    return " ".join(regex(NOW, re.IGNORECASE).sub(" ", statement).split())


class ToldNews(Struct, frozen=True):
    """A change that a sentence tells: the stems of what changes, and the text that says to what.

    `is_replaced` says that the thing itself is the old value: `I swapped the Golf for a Skoda`. Without a
    thing, a text that it may make wrong matches `said_as`. `form` has the fields of `NewsForm`.
    """

    thing: frozenset[str]
    new: str
    is_replaced: bool = False
    is_moved: bool = False
    is_of_amount: bool = False
    """Whether the verb tells a change of a time or an amount alone: `went up`."""
    said_as: str = ""
    ends: bool = False
    denied: bool = False
    language: str = "en"


def told_news(sentence: str) -> ToldNews | None:
    """The change that a sentence tells of something that it names; None if it tells none.

    In English, German, Spanish and French.
    """
    lowered = sentence.lower()
    if not any(sign in lowered for sign in NEWS_SIGNS) and not corrects_value(sentence):
        return None
    lead = regex(LEADS, re.IGNORECASE).match(sentence)
    text = sentence[lead.end() if lead else 0 :].strip(" .!")
    if (news := _news_of_form(text)) is not None:
        return news
    found = regex(NEWS, re.IGNORECASE).match(text)
    parts = regex(OBJECT, re.IGNORECASE).fullmatch(found["rest"]) if found else None
    if found is None or parts is None:
        return _renewed_thing(text) if regex(SINCE_LATELY, re.IGNORECASE).search(text) else None
    verb, thing = found["verb"].lower(), parts["object"].strip()
    if not telling_stems(thing) - content_stems(UNTELLING):
        thing = ""  # "moved back an hour"
    value = f"{parts['value'] or ''} {parts['after'] or ''}"
    if not thing:
        thing = "" if regex(_NO_THING).fullmatch(found["subject"]) else found["subject"]
    elif regex(_THEIRS).match(thing):
        thing = f"{found['subject']} {thing}"
    if (
        named := regex(r"(?<=[a-z]) (?P<name>[A-ZÀ-Þ][\w'’ -]*)$").search(thing)
        if verb == "renamed"
        else None
    ):
        thing, value = thing[: named.start()], f" to{named[0]}"
    by = (parts["value"] or "").split()[:1]
    is_replaced = bool(by) and by[0].lower() in REPLACING.get(verb, "").split()
    is_of_time = by[:1] == ["to"] and bool(_kinds(value, ToldNews(frozenset(), "")).keys() & {*_WHEN})
    if verb in REPLACING and not (is_replaced or is_of_time) and parts["object"].strip():
        return None  # "I swapped shifts with Ben"
    stems = _telling(thing)
    is_own_move = not stems and bool(value.strip()) and verb not in MOVING
    return (
        ToldNews(stems, value, is_replaced, verb in MOVING, verb in OF_AMOUNTS)
        if stems or is_own_move
        else None
    )


def _news_of_form(text: str) -> ToldNews | None:
    """The change that a row of `NEWS_FORMS` tells."""
    words = frozenset(text.lower().replace("’", " ").replace("'", " ").split())
    for form in NEWS_FORMS:
        if form.language in LANGUAGE_WORDS and not words & LANGUAGE_WORDS[form.language]:
            continue
        if (found := regex(form.pattern, re.IGNORECASE).match(text)) is None:
            continue
        parts = {name: part or "" for name, part in found.groupdict().items()}
        value = f", {(parts.get('value') or parts.get('since', '')).strip()}"
        if form.said_as:
            said_as = form.said_as.replace("{unit}", re.escape(parts.get("unit", "")).rstrip("s") + "s?")
            return ToldNews(frozenset(), value, said_as=said_as, language=form.language)
        named = (_telling_in(parts[name], form.language) for name in ("thing", "other") if parts.get(name))
        if stems := next(filter(None, named), None):
            return ToldNews(stems, value, ends=form.ends, denied=form.denied, language=form.language)
    return None


def _telling_in(thing: str, language: str) -> frozenset[str]:
    """The stems of a thing that tell which one it is, in a language."""
    words = thing.replace("’", "'").replace("l'", " ").replace("L'", " ")
    ignored = UNTELLING_WORDS[language] or UNTELLING
    stems = telling_stems(words) - content_stems(ignored)
    if language == "en":
        return stems
    from memtool.core.text.function_words import is_function_word  # only for some languages

    return frozenset(stem for stem in stems if not is_function_word(stem, language))


def _renewed_thing(text: str) -> ToldNews | None:
    found = regex(RENEWED_THING, re.IGNORECASE).match(text)
    if found is None or regex(_NO_THING).fullmatch(found["subject"]):
        return None
    stems = _telling(found["subject"])
    return ToldNews(stems, found["value"]) if stems else None


def _telling(thing: str) -> frozenset[str]:
    """The stems of a thing that tell which one it is."""
    stems = telling_stems(thing)
    return stems - content_stems(UNTELLING) or stems


def outdates(news: ToldNews, text: str) -> bool:
    """Whether a text says another value of the same kind of what a sentence tells news of.

    The text has all words of the thing, begins with one of them or with the user, and tells of nobody else.
    """
    terms, words = content_stems(text), [word.text for word in line_words(text)]
    if news.said_as:
        value = content_stems(news.new)
        return regex(news.said_as).match(text) is not None and not (value and value <= terms)
    is_of_user = any(word in FIRST_PERSON or word.startswith("j'") for word in words[:1])
    names = (verb for name, verb in SAID_AS.items() if content_stems(name) == news.thing)
    alias = content_stems(" ".join(names))
    if not news.thing:
        last = content_stems(" ".join(news.new.split()[-1:]))
        return is_of_user and bool(last & terms) and not content_stems(news.new) <= terms
    named = frozenset(stem for stem in news.thing if _has_stem(terms, stem, news.language))
    if not (news.thing == named or (is_of_user and alias & terms)):
        return False
    if news.denied:
        return is_of_user and regex(DENYING).search(text) is not None
    most = _MOST_BEFORE + 2 * (news.language != "en")  # more of them are articles and prepositions
    first = content_stems(" ".join(words[:most]))
    if news.is_replaced or news.ends:
        is_held = regex(HOLDS_ROLE).match(text) is not None and not regex(KIN_ROLE).search(text)
        return is_held and (news.ends or not news.thing & content_stems(" ".join(words[:1])))
    if not is_of_user and not any(_has_stem(first, stem, news.language) for stem in news.thing):
        return False
    owned = [match["owner"] for match in regex(OF_SOMEBODY_ELSE).finditer(text)]
    owned += regex(_OWNERS).findall(text)
    if not content_stems(" ".join(owned)) <= news.thing:
        return False
    said, known = _kinds(news.new, news), _kinds(text, news)
    return bool(said.keys() & known.keys()) and not all(
        said[kind] <= known[kind] for kind in said.keys() & known.keys()
    )


def _has_stem(terms: frozenset[str], stem: str, language: str) -> bool:
    """Whether a text with these stems has one, in German also as a part of a compound: `Zahnarzttermin`."""
    if stem in terms or language != "de" or len(stem) < _LEAST_PART:
        return stem in terms
    return any(term.startswith(stem) or term.endswith(stem) for term in terms)


def _kinds(text: str, news: ToldNews) -> dict[str, frozenset[str]]:
    """The values of a text that are no name of the thing, folded, by their kind."""
    found: dict[str, set[str]] = {}
    rest = text
    for kind, pattern in _VALUES:
        for match in regex(pattern).finditer(rest):
            value = match.groupdict().get("value") or match[0]
            if content_stems(value) & news.thing:
                continue
            found.setdefault("time" if kind == "hour" else kind, set()).add(search_fold(value))
        if kind in _WHEN:
            rest = regex(pattern).sub(" ", rest)
    is_of_noun = news.language == "de"  # nouns have a capital there
    for other in ("name", "place")[: news.is_moved + 2 * (news.is_of_amount or is_of_noun)]:
        found.pop(other, None)
    return {kind: frozenset(values) for kind, values in found.items()}
