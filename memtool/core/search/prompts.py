"""Prompts as queries: whether one is about the user, and what it asks of a conversation as a whole.

The words are data, by language. A prompt about the user ("where did I put ...") asks memory, so less of it
must be found there than of one that could ask anybody.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from memtool.core.search.lexical import (
    NAME_FLOOR,
    PERSONAL_FLOOR,
    POSSESSION_FLOOR,
    PROMPT_FLOOR,
    QUESTION_FLOOR,
    RelevanceFloor,
)
from memtool.core.search.query import Query, prompt_query
from memtool.core.text.courtesies import is_courtesy
from memtool.core.text.dates import is_calendar_word
from memtool.core.text.first_person import has_first_person, possessives
from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_function_word
from memtool.core.text.regex import regex
from memtool.core.text.sentences import split_sentences

_MOST_QUESTIONS = 2
"""Questions of a prompt that are asked by themselves."""
_BROUGHT = (
    "code script function class method program app website repo query regex test tests unit file files error",
    "bug essay paragraph sentence text draft email letter resume cv summary notes list table",
    "question questions answer idea problem issue task homework assignment options",
)
"""Words after "my" for what a prompt brings along; they ask nothing of memory; English."""
_UNNAMED = ("last next previous current new other own",)
"""Adjectives after "my" that name nothing; English."""
_SENTENCE_ENDS = frozenset(("", ".", "!", "?", ":", "\n"))
_GERMAN_ARTICLES = (
    "der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner im am zum zur",
    "vom beim ins ans dein deine deinen deinem deiner ihr ihre ihren ihrem ihrer sein seine seinen seinem",
    "dieser diese dieses diesen diesem jeder jede jedes jeden jedem",
)
_PHRASE_WORDS = 2
"""Words after a possessive that may name what is possessed: an adjective, and the noun."""
PromptBreadth = Literal["point", "reply", "order", "summary"]
"""What a prompt asks for: something said, what the assistant replied, the order in which things were said, or
a summary of it all.
"""

_INTERROGATIVES = (
    "what which who whom whose when where why how",
    "was welche welcher welches wer wen wem wann wo warum wie",
    "quoi quel quelle quels quelles qui quand ou pourquoi comment",
    "que cual cuales quien quienes cuando donde como",
    "qual quais quem quando onde",
    "что какой какая какое какие кто кого когда где почему как сколько",
    "ne hangi kim kimin zaman nerede neden nasil kac",
    "nima qaysi kim kimning qachon qayerda nega qanday qancha",
)
_SUMMARY = (
    r"\b(?:summar(?:y|i[sz])|overview|recap|zusammenfass|uberblick|resum(?:en|er|ez|ir|id|a|o)\b"
    r"|resume (?:de|du|des|le|la|les|tout|ce|nos|notre|moi)\b|apercu|panorama|vue d'ensemble|visao geral"
    r"|vision general|итог|обзор|резюм|подытож|кратко|ozet|genel bakis|xulosa|umumiy)"
    r"|总结|概述|回顾|概括|まとめ|要約|概要"
)
"""Requests for a summary. French "résumé" is folded to an English word, so it needs what it is of."""
_ORDER = (
    r"\b(?:chronolog|sequence|timeline|(?:in|the|what|which) order(?! (?:to|that|number)\b)|reihenfolge|ordre"
    r"|cronolog|orden\b|ordem|порядк|хронолог|последовательност|sirasi|sirayla|kronoloj|tartib|xronolog)"
    r"|顺序|先后|時系列|順番|順序"
)
"""Requests for the order of what was said."""
_REPLY = (
    r"\b(?:(?:did|have|had|what|how) you|you (?:recommend|suggest|advis|propos|explain|told|said|gave)"
    r"|your (?:advice|suggestion|recommendation|answer|explanation)|hast du|haben sie|as-tu|avez-vous"
    r"|m'as|m'avez|me (?:recomend|aconsej|suger|dij|diss|explic)|(?:ты|вы)\b|onerdin|soyledin"
    r"|tavsiya qil|aytgan)"
    r"|你(?:建议|推荐|说过|告诉)|あなた"
)
"""References to what the assistant said."""
_FORMER = (
    r"\b(?:before|antes|avant)\W*$"
    r"|\b(?:previous(?:ly)?|former(?:ly)?|earlier|originally|back then|used? to|(?:my|our) (?:old|last|ex)"
    r"|(?:my|our) first|vorher|fruher\w*|ehemalig\w*|damals|vorig\w*|bisherig\w*|mein\w* (?:alt|letzt)\w+"
    r"|anterior\w*|antigu[oa]s?|antig[oa]s?|solia\w*|costumava\w*|antiguamente|antigamente"
    r"|auparavant|autrefois|ancien(?:ne)?s?|precedent\w*|раньше|прежде|прежн\w*|бывш\w*|прошл\w*|eski\w*|onceki"
    r"|avval\w*|oldin\w*|ilgari)\b|以前|之前|原来|原來|前の|昔"
)
"""References to what held before something newer replaced it."""
_PAST = (
    r"\b(?:was|were|did|had|war|waren|hatte\w*|wohnte\w*|era|eran|eram|tenia\w*|fue|foi|vivia|tinha|etait|etais"
    r"|avait|avais|был[аио]?|было|жил[аи]?|edi\w*)\b|idi\w*\b"
)
"""Forms of verbs that ask about the past, or, like "what was his name again?", about the present."""


def asks_about_former(text: str) -> bool:
    """Whether a prompt asks about what held before something newer replaced it."""
    return regex(_FORMER).search(search_fold(text)) is not None


def asks_in_past_tense(text: str) -> bool:
    """Whether a prompt is in the past tense, or asks about what held before."""
    return asks_about_former(text) or regex(_PAST).search(search_fold(text)) is not None


def is_personal(text: str) -> bool:
    """Whether a prompt is about the user: it has a first-person pronoun, or is about what was replied."""
    return has_first_person(text) or regex(_REPLY).search(search_fold(text)) is not None


def is_question(text: str) -> bool:
    """Whether a prompt asks: it has a question mark, or begins with an interrogative of the languages."""
    if any(mark in text for mark in "?？؟"):
        return True
    first = regex(r"[^\W\d_]+").search(search_fold(text))
    return first is not None and first[0] in _words(_INTERROGATIVES)


def has_question_word(text: str) -> bool:
    """Whether a text has a question mark or an interrogative anywhere; without, no sentence of it asks."""
    if any(mark in text for mark in "?？؟"):
        return True
    return not _words(_INTERROGATIVES).isdisjoint(regex(r"[^\W\d_]+").findall(search_fold(text)))


def prompt_queries(text: str) -> Iterator[Query]:
    """The queries by which memory is asked in turn, until one is answered.

    First the whole prompt; then the questions in it from its end on, if it has several sentences; then what
    it says the user has: of "What can I bake for my sister?" memory may know the sister alone. At last its
    names: of "Write a card for Efua" memory may know Efua alone. A courtesy asks nothing: its query has no
    words.
    """
    if is_courtesy(text):
        yield Query(text, is_prompt=True)
        return
    yield (whole := prompt_query(text))
    sentences = split_sentences(text).sentences
    if len(sentences) > 1:
        parts = [text[sentence.start : sentence.end] for sentence in reversed(sentences)]
        yield from map(prompt_query, [part for part in parts if is_question(part)][:_MOST_QUESTIONS])
    if possessions := _possessions(text, whole.language):
        yield replace(prompt_query(possessions), language=whole.language, part="possession")
    if names := _names(text, whole.language):
        yield replace(prompt_query(names), text=names, language=whole.language, part="names")


def _possessions(text: str, language: str) -> str:
    """The words after each possessive of the first person, up to a function word or a mark."""
    found: list[str] = []
    left = 0
    for token in regex(r"[^\W_][\w'’-]*|[^\w\s]").findall(search_fold(text)):
        if token in possessives():
            left = _PHRASE_WORDS
        elif left and (not token[0].isalpha() or is_function_word(token, language)):
            left = 0
        elif left:
            if token in _words(_BROUGHT):
                left = 0
            elif token not in _words(_UNNAMED):
                found.append(token)
                left -= 1
    return " ".join(found)


def _names(text: str, language: str) -> str:
    """The words that may be names: with a capital, or all words of a prompt without any.

    Only the words that are names for sure keep their capital, those within a sentence. In German every noun
    has one, and a noun after an article or a possessive is no name.
    """
    is_lower = text == text.lower()
    no_name_after = _words(_GERMAN_ARTICLES) | possessives() if language in ("de", "") else frozenset()
    names: list[str] = []
    before = ""
    for token in regex(r"[^\W\d_][\w'’-]*|[.!?:\n]|[^\w\s]").findall(text):
        folded = search_fold(token)
        has_case = token[0].isalpha() and len(token) > 1 and (is_lower or token[0].isupper())
        if has_case and before not in no_name_after and not _says_nothing(folded, language):
            names.append(token.lower() if before in _SENTENCE_ENDS else token)
        before = folded
    return " ".join(names)


def _says_nothing(word: str, language: str) -> bool:
    return is_function_word(word, language) or is_calendar_word(word.removesuffix("'s"))


def breadth_of(text: str) -> PromptBreadth:
    """What a prompt asks for."""
    folded = search_fold(text)
    if regex(_SUMMARY).search(folded):
        return "summary"
    if regex(_ORDER).search(folded):
        return "order"
    return "reply" if regex(_REPLY).search(folded) else "point"


def floor_of(query: Query) -> RelevanceFloor | None:
    """What memory must contain of a prompt to answer it; None for a query that is not a prompt."""
    if not query.is_prompt:
        return None
    if query.part != "whole":
        return POSSESSION_FLOOR if query.part == "possession" else NAME_FLOOR
    if is_personal(query.text):
        return PERSONAL_FLOOR
    return QUESTION_FLOOR if is_question(query.text) else PROMPT_FLOOR


@functools.cache
def _words(rows: tuple[str, ...]) -> frozenset[str]:
    return frozenset(search_fold(" ".join(rows)).split())
