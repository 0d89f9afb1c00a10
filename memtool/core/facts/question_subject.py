"""Question subjects: whom a question is about: the user, somebody or an animal of theirs, or a name."""

from __future__ import annotations

import functools
import re

from msgspec import Struct

from memtool.core.facts.names import mentioned_names
from memtool.core.facts.relatives import called_alike
from memtool.core.text.first_person import has_first_person, possessives
from memtool.core.text.folding import search_fold
from memtool.core.text.person_nouns import person_nouns
from memtool.core.text.regex import regex

_ADJECTIVES = """
    new old own best big little small older younger elder eldest oldest youngest twin dear late ex former
    alte alter alten neue neuer neuen kleine kleiner grosse grosser beste bester altere alterer
    jungere jungerer mejor antiguo antigua nuevo nueva gran petit petite grand grande
    ancien ancienne nouveau nouvelle
"""
"""Words between `my` and who is the user's, folded."""
_AMBIGUOUS = frozenset(["assistant", "chat", "client", "kind", "mama", "ami"])
"""Nouns for people and animals that are other words, too: `my kind of music`, `our client library`."""
_COLLECTIVE = """
    puppies babies animals pets pet grandchildren grandchild grandkids grandkid
    enkelkinder enkel enkelin geschwister haustiere nietos nieto nieta mascotas
"""
"""Words for several people or animals, folded, that are none of the nouns for one with an `s`."""
_WORD = r"[^\W\d_]+(?:-[^\W\d_]+)*(?:['’]s\b|(?<=s)['’](?!\w))?"
_OWNER = r"(?:['’]s|['’])$"
_BOTH = r"\b(?:he|him|she|they|them|with|mit|bei|chez|avec|con|com)\b"
_FORMER = r"(?i)\b(?:ex|former)[ -]\w+(?:['’]s)?\b"
_OPENING = " \t\n¿¡\"'“«"
_THE_USER = r"(?i)\busers?\b"
_OF_PERSON = r"User(?: (?:KNOWS|HAS_FAMILY|(?P<states>STATES)) |'s (?P<noun>(?:(?![A-Z_]{2}).)+) [A-Z_]{2,} )"
"""The beginning of a fact about somebody of the user's."""
_OF_HAVING = (
    r"\W*(?:User STATES )?(?P<owner>(?:(?:[Mm]y|[Oo]ur) (?:[\w-]+ ){1,2}?)?(?:[A-ZÀ-Þ][\w-]+)?)"
    r" ?(?:has|owns|keeps|had) (?P<owned>(?:(?!\b(?:my|our|me|us)\b).)+)"
)
"""A fact that says only what somebody else has."""
_I = r"(?:\b(?:i|we|ich|wir|yo|je|nous|eu)\b|\bj['’])"
_ASKS_OF_USER = (
    r"\b(?:(?:do|did|am|are|was|were|have|had|can|could|should|will|would) (?:i|we)|ich|wir|je|nous|yo)\b"
)

_HAVING = frozenset(
    ["have", "got", "own", "keep", "habe", "haben", "tengo", "tenemos", "ai", "avons", "tenho", "temos"]
)
"""Words, folded, that ask whom the user has, which a fact about somebody of the user's answers."""
_ASKS_NAME = (
    r"\W*(?:(?:and|so|please|sorry|hey|hi)\W+)?"
    r"(?:(?:(?:do|can|could|would|will) you (?:please |still )?(?:know|remember|recall|tell me|say"
    r"|remind me of)"
    r"|(?:please )?(?:tell me|say|remind me of)) )?"
    r"(?:(?:what(?:['’]?s| is| was)? )?my (?:full |first |own )?name(?: is| was)?"
    r"|what (?:am i|i am|i['’]m) (?:called|named)|what (?:do|should|would) you call me)"
    r"(?:\W+(?:again|please|though|now|by the way|then))*\W*"
    r"|\W*wie (?:hei(?:ss|ß)e ich|(?:ist|war|lautet)(?: noch ?mal| doch)* mein name)"
    r"(?: (?:noch ?mal|noch|eigentlich|denn|bitte|gleich))*\W*"
    r"|\W*(?:como me llamo(?: yo)?|cual es mi nombre)(?: por favor)?\W*"
    r"|\W*(?:comment (?:est-ce que )?je m['’]appelle|comment m['’]appelle[- ]je|quel est mon nom"
    r"|c['’]est quoi mon nom)(?: deja)?\W*"
    r"|\W*(?:como (?:eu )?me chamo|qual e (?:o )?meu nome)\W*"
    r"|\W*как меня зовут\W*|\W*(?:benim )?adim ne\W*|\W*(?:mening )?ismim nima\W*|\W*我叫什么(?:名字)?\W*"
    r"|\W*私の名前は(?:何(?:ですか)?)?\W*"
)
_ASKS_WHO = (
    r"\W*(?:(?:do you (?:know|remember)|tell me) )?who (?:am i|i am)\W*|\W*what do you (?:know"
    r"|remember) about me\W*"
    r"|\W*wer bin ich\W*|\W*was wei(?:ss|ß)t du uber mich\W*|\W*quien soy(?: yo)?\W*|\W*que sabes (?:de"
    r"|sobre) mi\W*"
    r"|\W*qui suis[- ]je\W*|\W*que sais[- ]tu (?:de|sur) moi\W*|\W*quem (?:eu )?sou(?: eu)?\W*"
    r"|\W*кто я(?: такой| такая)?\W*"
    r"|\W*ben kimim\W*|\W*men kimman\W*|\W*我是[谁誰]\W*|\W*私は誰(?:ですか)?\W*"
)
"""Questions, folded, that ask for nothing but the user's name, and for who the user is."""


class QuestionSubject(Struct, frozen=True):
    """Whom a question is about.

    `relatives` are the nouns of who is the user's (`sister` in "my sister's job"), each as the words, folded,
    that facts may have for it (`mother` for "my parents"); `names` are the names in a question that is not
    about the user. `is_first_person` says whether it has a pronoun of that.
    """

    relatives: tuple[frozenset[str], ...] = ()
    names: tuple[str, ...] = ()
    is_first_person: bool = False
    is_former: bool = False
    """Whether it asks for somebody who is the user's no more, such as "my ex-wife"."""
    is_of_user: bool = False
    """Whether it asks what the user does or is, and names nobody."""


NO_SUBJECT = QuestionSubject()


def question_subject(question: str) -> QuestionSubject:
    """Whom a question is about, by its determiners, nouns and names, in five languages."""
    is_first_person = has_first_person(question)
    sentence = question.lstrip(_OPENING)
    mentioned = tuple(name for name in mentioned_names(sentence) if name.isalpha() and not name.isupper())
    if not is_first_person:
        return QuestionSubject(names=() if regex(_THE_USER).search(question) else mentioned)
    folded = search_fold(question)
    words = regex(_WORD).findall(folded)
    relatives = tuple(map(called_alike, _relatives(words)))
    asks_whether_any = not _HAVING.isdisjoint(words) and not _people().isdisjoint(words)
    is_of_user = (
        not relatives
        and not mentioned
        and not asks_whether_any
        and regex(_ASKS_OF_USER).search(folded) is not None
    )
    is_former = without_former(question) != question
    return QuestionSubject(relatives, (), is_first_person, is_former, is_of_user)


def asks_name(question: str) -> bool:
    """Whether a question asks for nothing but the user's name."""
    return regex(_ASKS_NAME).fullmatch(search_fold(question)) is not None


def asks_who(question: str) -> bool:
    """Whether a question asks who the user is."""
    return regex(_ASKS_WHO).fullmatch(search_fold(question)) is not None


def is_of_another_person(text: str) -> bool:
    """Whether a fact states something of somebody of the user's, and nothing of the user."""
    match = regex(_OF_PERSON).match(text)
    if match is None:
        return False
    folded = search_fold(text.partition(' — "')[2])
    if folded.split(" ", 1)[0] not in possessives() or regex(_I).search(folded):
        return False
    is_of_thing = match["states"] or match["noun"]  # other predicates are of people only
    return not is_of_thing or bool(_relatives(regex(_WORD).findall(folded)))


def is_owned_by_another(text: str, nouns: frozenset[str]) -> bool:
    """Whether a fact says that somebody else has whom these nouns name: "Leopold has two dogs"."""
    match = regex(_OF_HAVING).fullmatch(text)
    if match is None or not match["owner"].strip() or match["owner"].startswith("User"):
        return False
    named = {noun for noun in nouns for noun in (noun, f"{noun}s")}
    owner, owned = ({*regex(_WORD).findall(search_fold(part))} for part in (match["owner"], match["owned"]))
    return named.isdisjoint(owner) and not named.isdisjoint(owned)


def is_of_their_person(text: str, question: str, subject: QuestionSubject) -> bool:
    """Whether a fact is about somebody of the person whom a question is about: Peter's wife, not Peter.

    It names Peter only as the one whose wife she is, and the question asks for no wife. A fact with "him" or
    "with" may be about both.
    """
    persons = {search_fold(name) for name in subject.names}.union(*subject.relatives)
    folded = search_fold(text.partition(' — "')[2] or text)
    named = "|".join(map(re.escape, sorted(persons)))
    if not named or regex(_BOTH).search(folded):
        return False
    asked = regex(_WORD).findall(search_fold(question))
    people = "|".join(sorted(_people().difference(asked, {owner.removesuffix("s") for owner in asked})))
    owned = (
        rf"\b(?:{named})(?:['’]s|(?<=s)['’]|s) (?:(?:{'|'.join(_ADJECTIVES.split())}) )?(?:{people})\b"
        rf"|\b(?:{people}) (?:of |von |de |do |da |d['’])(?:(?:my|mein\w*|mi|mon|ma) )?(?:{named})\b"
    )
    others = regex(owned).sub("", folded)
    return others != folded and regex(rf"\b(?:{named})\b").search(others) is None


def without_former(text: str) -> str:
    """A text without former partners and others: "my ex-husband is called Karl" does not name a husband."""
    return regex(_FORMER).sub("", text)


def _relatives(words: list[str]) -> tuple[str, ...]:
    """The nouns after a determiner of the first person; of "my wife's sister" both."""
    for place, word in enumerate(words):
        if word not in possessives():
            continue
        found: list[str] = []
        for following in words[place + 1 :]:
            noun = regex(_OWNER).sub("", following)
            if noun.removesuffix("-in-law") in _people() and noun not in _AMBIGUOUS:
                found.append(noun)
                if noun == following:
                    break
            elif found or noun not in _ADJECTIVES.split():
                break
        if found:
            return tuple(found)
    return ()


@functools.cache
def _people() -> frozenset[str]:
    singular = person_nouns()
    return singular | {f"{noun}s" for noun in singular} | {*_COLLECTIVE.split()}
