"""Corrections and decisions that name nothing: "let's do it", "go with this approach", "no, that's wrong".

A decision says what was decided, a correction what is wrong or what replaces it. Otherwise the entry is of
no use to a reader who does not have the messages before it.
"""

from __future__ import annotations

from memtool.core.capture.languages.vague_words import VAGUE_CONTINUOUS, VAGUE_WORDS
from memtool.core.text.folding import is_continuous
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CODE_MASK, URL_MASK

_READ = 300
"""Characters of a sentence before and after a match that are read, so that time is linear."""
_SETTLED = (
    "settled|decided(?! (?:on|to|that|against))|beschlossen|abgemacht|decid[ie]d?o?$|tranche|regle|fech"
    "|combinado|trato|решен|карар|karar|qaror|定|決|决"
)
_PRONOUN = "(?:it|them|this|that|these|those)"
_OF_PRONOUN = rf"(?: to)? [^\W\d_]+ {_PRONOUN}(?: |$)| {_PRONOUN} to "
_NUMBER = r"(?<![\w.,:/-])\d{1,2}(?![\w:/%-]|[.,]\d)"
"""A number that points at an item of a list: "let's do 1", "go with option 2"."""
_CLAUSE_END = r"[,;:.!?…](?=\s|$)|[，、。；：！？\n]|\s[-–—]\s"


def decides_nothing(sentence: str, start: int, end: int) -> bool:
    """Whether a decision, matched at `start:end` of a folded sentence, does not say what was decided.

    Its object follows it in its clause: "let's go with larch". In languages whose verb stands last, and where
    it says that something is settled, the object is elsewhere in the sentence.
    """
    clause_end = regex(_CLAUSE_END).search(sentence, end)
    object_ = sentence[end : clause_end.start() if clause_end else len(sentence)][:_READ]
    if regex(_OF_PRONOUN).match(object_) is not None:
        return True
    if any(map(str.isalnum, object_)) and regex(_SETTLED).search(sentence, start, end) is None:
        return not names_something(regex(_NUMBER).sub("", object_))
    around = f"{sentence[max(0, start - _READ) : start]} ; {sentence[end : end + _READ]}"
    return not names_something(around)


def names_something(text: str) -> bool:
    """Whether a folded text has a word that names something."""
    if CODE_MASK in text or URL_MASK in text:
        return True
    words = regex(r"[^\W_]+(?:['’-][^\W_]+)*").findall(text)
    for word in words:
        if is_continuous(word[0]):
            if any(map(str.isalnum, regex(VAGUE_CONTINUOUS).sub("", word))):
                return True
        elif word not in VAGUE_WORDS:
            return True
    return False
