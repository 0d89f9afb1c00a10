"""Stated names: the name that a text gives the user, in ten languages."""

from __future__ import annotations

import re

from memtool.core.capture.languages.introductions import AFTER_CALLED
from memtool.core.capture.languages.statement_words import PERSON_NAME
from memtool.core.capture.names import is_followed_by_name
from memtool.core.text.discourse import GREETINGS, INTERJECTIONS
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex

_NAME = r"(?P<name>[^\s,;:.!?、。，！？]+(?: [^\s\d,;:.!?、。，！？]+){0,3}?)"
_LATIN_NAME = (
    rf"(?:my (?:full |real |first )?name(?:'s| is)(?: now| actually)?|mein name ist|ich hei(?:ß|ss)e|me"
    rf" llamo|mi nombre es"
    rf"|je m'appelle|mon nom est|(?:o )?meu nome é|(?:eu )?me chamo|chamo-me|меня зовут|мо[её] имя"
    rf"|(?:benim )?adım"
    rf"|(?:mening )?ismim) {_NAME}"
)
_CALLED_FORM = (
    r"(?:(?:please|pls|always|just|you can|you may|everyone can|from now on),? )*call me"
    rf" (?P<name>(?:(?:dr|mr|mrs|ms|mx|prof)\.? )?[^\W\d][\w'’-]*){AFTER_CALLED}"
)
_NAME_FORMS = (
    _LATIN_NAME,
    rf"(?:我叫|我的名字[是叫]|我的名字|(?:私の)?名前は){_NAME}(?:です|と申します)?",
)
_GREETING = (
    rf"(?:{GREETINGS}|yo|morning|afternoon|evening|actually|by the way)"
    r"(?: (?:there|all|everyone|everybody|team|folks|guys|again|zusammen|an alle|a todos|à tous))?"
)
_INTRODUCTION = (
    rf"(?:{_GREETING}[ ,.!:–—-]+){{0,2}}(?:i['’]m|i am|this is|it['’]s|ich bin|hier (?:ist|spricht)"
    r"|(?:yo )?soy|je suis|moi c['’]est|(?:eu )?sou(?: [oa])?|я|ben|men) "
    rf"(?P<introduced>{PERSON_NAME})"
    r"(?=\s*$|\s*[,.;:!)(—–]| -|(?: and| here| from| und| aus| y| de| et| e| i['’]m)\b)"
)
"""How a line begins in which the user says who they are."""
_BEFORE_NAME = rf"(?:(?:{INTERJECTIONS})\b[\s,.!]*){{0,3}}"
_AFTER_NAME = r"(?:,? not [^,;.!?]{1,60})?[\s.!。！]*"


def stated_name(text: str) -> str | None:
    """The name that a text gives the user, if it says nothing else; folded for comparison."""
    plain = plain_text(text)
    for form in _NAME_FORMS:
        if name := _name_in(form, plain):
            return name.removesuffix("と申します").removesuffix("です")
    return None


def called_name(text: str) -> str | None:
    """The name by which the user wants to be called, beside the name that they have; as `stated_name`."""
    return _name_in(_CALLED_FORM, plain_text(text))


def introduced_name(text: str) -> str:
    """The name by which a line of memory says who the user is: "Hi, I'm Marta Lindqvist, a baker"; or "".

    A line with one word in capitals that may be something else, such as "I'm German", has none.
    """
    match = regex(_INTRODUCTION, re.IGNORECASE).match(text)
    if match is None:
        return ""
    before = match.start("introduced") - 1
    return match["introduced"] if is_followed_by_name(text, before, before, sure=False) else ""


def _name_in(form: str, plain: str) -> str | None:
    match = regex(_BEFORE_NAME + form + _AFTER_NAME).fullmatch(plain)
    return match["name"] if match else None
