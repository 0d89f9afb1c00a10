"""Session summary: what a session was about, for its episode, and its themes, without a model.

The sentences are the session's own: what the user wanted, what was decided, what is open, and then what else
the user said and which problems there were. What an agent says beside that is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from memtool.core.compaction.episode_titles import EPISODE_TITLES
from memtool.core.compaction.key_terms import is_day
from memtool.core.compaction.scored_sentences import ScoredSentence, scored_sentences
from memtool.core.compaction.summary import choose_sentences
from memtool.core.records.turn import Message
from memtool.core.text.folding import is_continuous, search_fold
from memtool.core.text.function_words import LATIN_LANGUAGES, is_common_word, latin_words
from memtool.core.text.regex import regex

_SHARES = {"wanted": 0.45, "decision": 0.35, "open": 0.5}
"""The share that the sentences of each kind have, in this order, of the room that is left."""
_WISH = (  # folded
    r"\b(?:i (?:need|want|would like|am trying|plan|have) to\b|i (?:need|want) (?:a|an|some|your|you)\b"
    r"|i'd like|help me|can you|could you|please|how (?:do|can) i"
    r"|bitte|ich (?:brauche|mochte|will|wurde gern\w*)|hilf mir|kannst du|konnen sie"
    r"|j'ai besoin|je (?:veux|voudrais)|j'aimerais|aide[zs]?-moi|peux-tu|pouvez-vous|s'il (?:te|vous) plait"
    r"|quiero|necesito|me gustaria|ayudame|puedes|podrias|por favor"
    r"|quero|preciso|gostaria|me ajud\w+|voce pode|podes"
    r"|мне (?:нужн\w+|надо)|я хочу|хочу|хотел\w* бы|помоги\w*|можешь|пожалуйста"
    r"|istiyorum|lutfen|yardim et|bana \w+ (?:yaz|ver|goster)\w*|kerak|iltimos|xohlayman|yordam ber\w*)\b"
    r"|帮我|幫我|请|請|我想|我要|我需要|お願い|ください|てほしい|たいです|たい[。.]?$"
)
"""Words of a wish or a request to the agent, in ten languages."""
_LEAD = r"(?:\W|\b(?:now|then|and|also|next|first|so|ok|okay|und|dann|et|y|e|а|и|ve|va)\b){0,8}"
_IMPERATIVE = (  # at the start of a sentence, folded; a clitic pronoun may end it ("escribeme")
    rf"^{_LEAD}(?:(?:let me know|add|analy[sz]e|answer|book|build|calculate|change|check|clean|collect"
    r"|compare|compute|convert|create|delete"
    r"|deploy|describe|design|draft|estimate|explain|extract|find|fix|format|generate|give|implement|improve|install"
    r"|list|look|make|merge|migrate|move|organi[sz]e|outline|plan|prepare|proofread|recommend|refactor|remove|rename"
    r"|replace|review|rewrite|run|schedule|send|set|show|shorten|sort|split|suggest|summari[sz]e|tell|test|translate"
    r"|try|update|upgrade|verify|write"
    r"|schreib\w*|mach\w*|zeig\w*|erklar\w*|gib|finde?|such\w*|erstell\w*|pruf\w*|ubersetz\w*|nenn\w*|andere?|fass\w*"
    r"|ecri(?:s|vez)|fai(?:s|tes)|montre[zr]?|explique[zr]?|donne[zr]?|trouve[zr]?"
    r"|cree[zr]?|verifie[zr]?|tradui\w+|corrige[zr]?)\b"
    r"|(?:escrib[ea]|haz|hace|muestra|explica|dame|da|busca|encuentra|crea|revisa|traduc[ei]|corrige|compara|calcula"
    r"|escrev[ea]|fa[cz]a?|mostr[ea]|expli(?:ca|que)|me de|procur[ea]|encontr[ea]|cri[ea]"
    r"|verifi(?:ca|que)|traduz\w*|corrij\w*)"
    r"(?:me|nos|lo|la|los|las)?\b"
    r"|(?:напиши|сделай|покажи|объясни|найди|дай|создай|проверь|переведи|исправь|сравни|посчитай|составь|добавь)(?:те)?\b)"
    r"|\b(?:yaz|yap|goster|acikla|bul|olustur|kontrol et|cevir|duzelt|karsilastir|hesapla|hazirla|ekle)\W*$"
    r"|\b(?:yoz|qil|ko'rsat|tushuntir|top|yarat|tekshir|tarjima qil|tuzat|solishtir|hisobla|tayyorla)"
    r"(?:ib ber)?(?:ing)?\W*$"
    r"|^(?:写|做|给我|告诉我|解释|找|查|翻译|总结|列出|比较|修改)|(?:書いて|教えて|作って|見せて|調べて|訳して|まとめて|直して)[。.]?$"
)
"""A request in the imperative, in ten languages."""
_NOUN_OPENERS = """
    the a an my our your this that these those of for in on with about from per each der die das den dem ein
    eine einen einem meine mein unser unsere le la les un une des du de mon ma mes el los las del mi mis una o
    os as um uma do da dos das meu minha в на для о об с из мой моя bir bu
"""
_NOUN_AFTER = frozenset(_NOUN_OPENERS.split())
"""Words after which a noun, or an adjective with its noun, follows."""
_WANTED, _FIRST_WANTED = 2.0, 3.5
"""The weight of a request, and of one in the user's first two messages with a request."""
_FIRST_MESSAGES = 2
_ANSWERED = 0.4
"""The share of a question's words that others repeat afterwards, from which it was answered."""
_MAX_THEMES, _THEME_CHARS, _MIN_THEME_CHARS, _MIN_NAME_CHARS = 3, 40, 4, 3
_LEAST_MENTIONS = 2
"""Mentions of a noun that is a theme; one is enough for a name."""


def summarize_session(messages: Sequence[Message], most: int) -> str:
    """Summarize a session in lines under a few titles, within `most` characters; empty if nothing matters."""
    chosen = choose_sentences(_classified(scored_sentences(messages)), most, EPISODE_TITLES, _SHARES)
    parts: list[str] = []
    for kind, title in EPISODE_TITLES.items():
        rows = [f"- {sentence.line}" for sentence in chosen if sentence.kind == kind]
        parts += [title, *rows] if rows else []
    return "\n".join(parts)


def session_themes(messages: Sequence[Message]) -> list[str]:
    """What a session was about in up to three names, terms or noun phrases, the most mentioned first."""
    sentences = [sentence for sentence in scored_sentences(messages) if sentence.speaker == "user"]
    mentions: Counter[str] = Counter()
    names: set[str] = set()
    for sentence in _classified(sentences):
        for term in sentence.terms:
            is_name = term.kind in {"name", "code", "path"} and not any(map(is_day, term.text.split()))
            if is_name and _MIN_NAME_CHARS <= len(term.text) <= _THEME_CHARS:
                names.add(term.text)
                mentions[term.text] += 1 + (sentence.kind == "wanted")
        mentions.update({*_nouns(sentence.own_text)})
    themes: list[str] = []
    for text in sorted(mentions, key=lambda text: (-mentions[text] * (2 if " " in text else 1), text)):
        words = {*search_fold(text).split()}
        is_known = any(words & {*search_fold(theme).split()} for theme in themes)
        if not is_known and (mentions[text] >= _LEAST_MENTIONS or text in names):
            themes.append(text)
    return themes[:_MAX_THEMES]


def _nouns(text: str) -> Iterator[str]:
    """The words that follow an article, a possessive or a preposition, alone and with the word after them."""
    words = regex(r"[^\W\d_]+(?:['’-][^\W\d_]+)*").findall(text)
    for before, word, after in zip(words, words[1:], [*words[2:], ""], strict=False):
        if before.lower() in _NOUN_AFTER and _is_content(word):
            yield word
            if _is_content(after) or after.isupper():
                yield f"{word} {after}"


def _classified(sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The sentences that can be part of a session's summary, with their kinds."""
    classified: list[ScoredSentence] = []
    asked_in: dict[int, None] = {}
    is_open = _open_questions(sentences)
    for number, sentence in enumerate(sentences):
        is_answered = sentence.asked_by == "user"
        if is_answered or (sentence.speaker == "user" and not sentence.asked_by and _is_request(sentence)):
            is_first = len(asked_in) < _FIRST_MESSAGES or sentence.message in asked_in
            if is_first or number not in is_open:
                asked_in[sentence.message] = None
                weight = (_FIRST_WANTED if is_first else _WANTED) if len(sentence.words) > 1 else 0.0
                classified.append(replace(sentence, kind="wanted", weight=weight))
                continue
        if number in is_open:
            classified.append(replace(sentence, kind="open"))
        elif sentence.kind == "decision":
            classified.append(sentence)
        elif len(sentence.words) > 1 and (sentence.speaker == "user" or sentence.kind in {"problem", "todo"}):
            classified.append(replace(sentence, kind="also"))
    return classified


def _open_questions(sentences: Sequence[ScoredSentence]) -> frozenset[int]:
    """The numbers of the questions that no other speaker replies to, or has no answer to."""
    later: dict[str, set[str]] = {}
    numbers: set[int] = set()
    for number in range(len(sentences) - 1, -1, -1):
        sentence = sentences[number]
        if sentence.is_question and len(sentence.words) > 1:
            said = set().union(*(words for speaker, words in later.items() if speaker != sentence.speaker))
            is_left = sentence.asked_by or len(sentence.words & said) < _ANSWERED * len(sentence.words)
            has_subject = any(term.kind != "start" for term in sentence.terms)
            if is_left and (sentence.speaker == "user" or sentence.asked_by or has_subject):
                numbers.add(number)
        later.setdefault(sentence.speaker, set()).update(sentence.words)
    return frozenset(numbers)


def _is_request(sentence: ScoredSentence) -> bool:
    """Whether the user asks for something: a question, a wish, or an imperative."""
    folded = search_fold(sentence.own_text)
    return sentence.is_question or any(
        regex(pattern).search(folded) is not None for pattern in (_WISH, _IMPERATIVE)
    )


def _is_content(word: str) -> bool:
    """Whether a word says what a text is about."""
    folded = search_fold(word)
    return (
        len(word) >= _MIN_THEME_CHARS
        and not is_continuous(word[0])
        and not is_common_word(folded)
        and not any(folded in latin_words(language) for language in LATIN_LANGUAGES)
        and not is_day(word)
    )
