"""Told news: the change that a sentence tells of something, and which stored texts that may make wrong."""

from __future__ import annotations

import re

from msgspec import Struct

from memtool.core.capture.clauses import line_words
from memtool.core.capture.fragments import corrects_value
from memtool.core.capture.languages.compared_words import FIRST_PERSON
from memtool.core.capture.languages.correction_signs import LEADS, NEWS_SIGNS
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
from memtool.core.capture.near_memory import telling_stems
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

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
_OF_WHAT = r"(?i)\d \w+ (?:of|von|de) (?P<thing>[\w-]+)"
"""What an amount is of: `30 mg of ramipril`."""
_LONGEST = 400
"""Characters of a sentence that is read: the patterns take time quadratic in it."""
_LEAST_PART = 5
"""Letters of a part of a German compound."""
_WHEN = ("day", "time")
"""Kinds of values whose numbers count nothing."""


class ToldNews(Struct, frozen=True):
    """A change that a sentence tells: the stems of what changes, and the text that says to what.

    `is_replaced` says that the thing itself is the old value: `I swapped the Golf for a Skoda`. Without a
    thing, a text that it may make wrong matches `said_as`.
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
    verb: str = ""
    """The verb that tells the change; empty where a row of `NEWS_FORMS` does."""


def told_news(sentence: str) -> ToldNews | None:
    """The change that a sentence tells of something that it names; None if it tells none.

    In English, German, Spanish and French.
    """
    lowered = sentence.lower()
    if len(sentence) > _LONGEST:
        return None
    if not any(map(lowered.__contains__, NEWS_SIGNS)) and not corrects_value(sentence):
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
        ToldNews(stems, value, is_replaced, verb in MOVING, verb in OF_AMOUNTS, verb=verb)
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
        of_what = regex(_OF_WHAT).search(news.new)
        is_of_it = of_what is None or content_stems(of_what["thing"]) <= terms
        return is_of_it and regex(news.said_as).match(text) is not None and not (value and value <= terms)
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
