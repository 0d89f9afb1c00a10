"""What a sentence states, as it is compared with lines of memory: without what leads to it, in each order."""

from __future__ import annotations

import functools
import re

from memtool.core.capture.clauses import CHARACTERS
from memtool.core.capture.languages.correcting_forms import BARE_THING
from memtool.core.capture.languages.correction_signs import HABITUAL, LEADS, NOW, VERB_FIRST
from memtool.core.text.regex import regex

_MOST_BEFORE_VERB = 5
"""The most words of a German subject after its verb."""
_OWNED = ("my", "our", "the")
"""What may stand before a thing in memory that a sentence names alone: `standup is at 9:45 now`."""
_REASON = (
    r",? (?:because|since|who|which|so|sorry|thanks|please|and (?:he|she|it|they|i|we)|he|she|it|they|not"
    r"|near|next to|close to|across from|opposite|in der nähe|neben|gegenüber|cerca|al lado|junto|près|à côté"
    r"|weil|denn|nicht|porque|no|parce que|car|pas|não|потому что|а не|не|çünkü|chunki)\b"
)
"""What may follow a statement in its sentence without limiting it."""
_LIMITS = (
    r"(?:but|only|except|unless|if|when|whenever|while|until|till|during|for|in|on|at|by|as|not|or|maybe"
    r"|aber|nur|wenn|bis|für|im|am|bei|oder|pero|solo|sólo|si|cuando|hasta|para|en|mais|seulement|quand"
    r"|jusqu|pour|dans|mas|só|se|quando|até|no|na|но|только|если|когда|до|для|в|на)\b"
)
"""What after a comma may limit a statement to some cases: `in my novel`, `but only on Mondays`."""


@functools.lru_cache(16)
def stated_in(sentence: str) -> tuple[str, ...]:
    """What a sentence states, without the words before it, `now` and its reason, in each order of words."""
    lead = regex(LEADS, re.IGNORECASE).match(sentence)
    text = sentence[lead.end() :] if lead else sentence
    ended = regex(rf"{NOW}(?=, (?!{_LIMITS}))", re.IGNORECASE).search(text)
    first = text[: ended.start()].strip() if ended else ""
    text = regex(rf"\s*{NOW}\s*", re.IGNORECASE).sub(_gap, text).strip()
    text = regex(r"\s+(?=[,.;:!?])").sub("", text)
    reason = regex(_REASON, re.IGNORECASE).search(text)
    texts = [text] if reason is None else [text[: reason.start()], text]
    texts = [first, *texts] if first else texts  # "my GP is Novak now, Horvat retired"
    if lead and regex(VERB_FIRST, re.IGNORECASE).fullmatch(lead[0]):
        verb, *rest = texts[0].split(" ")
        for count in range(1, min(_MOST_BEFORE_VERB, len(rest))):
            subject = " ".join([*rest[:count], verb, *rest[count:]])
            texts.append(subject)
    if regex(rf"{BARE_THING} (?:is|are) ", re.IGNORECASE).match(texts[0]):
        texts += [f"{word} {texts[0]}" for word in _OWNED]
    return tuple(text for text in texts if text)


@functools.lru_cache(16)
def without_frequency(text: str) -> str:
    """A text without `always`, `usually` and the like."""
    return " ".join(regex(HABITUAL, re.IGNORECASE).sub(_gap, text).split())


def _gap(match: re.Match[str]) -> str:
    """What stands for adverbs between words: nothing in scripts without spaces."""
    around = match.string[max(0, match.start() - 1) : match.start()] + match.string[match.end() :][:1]
    return "" if len(around) < 2 or regex(rf"[{CHARACTERS}]").search(around) else " "
