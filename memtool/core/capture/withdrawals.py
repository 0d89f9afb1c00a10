"""Withdrawals: what a sentence takes back of earlier instructions: "forget what I said about emojis".

A permission that only lifts a prohibition ("bullet points are fine now") is one, too. Which rule of
conduct is meant is decided in `withdrawn_rules.py`.
"""

from __future__ import annotations

from msgspec import Struct

from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.capture.languages.suppositions import (
    is_doubtful,
    is_reported,
    is_supposed,
    is_unmarked_question,
)
from memtool.core.capture.languages.withdrawing_forms import AGAIN, FORMS, WithdrawnKind
from memtool.core.capture.message_sentences import MessageSentences
from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import one_line

_MAX_SENTENCE = 200
"""Characters of a sentence that may be a withdrawal."""
_POLITE = (
    r"(?i)(?:(?:you know what|actually|also|so|and|but|please|hey|ok|okay|bitte|por favor"
    r"|s'il (?:te|vous) pla[iî]t|пожалуйста|lütfen|iltimos)(?!\w)[\s,.!:]*)+|请|請"
)
_THANKS = (
    r"(?:,? (?:please|thanks|thank you|bitte|danke|por favor|merci|obrigad[oa]|пожалуйста|lutfen|rahmat))+$"
)


class Withdrawal(Struct, frozen=True):
    """A sentence that takes instructions back, what they were about, of which kind, and its span.

    `is_lift` is true if it says nothing else: a permission from now on may be an instruction itself.
    """

    sentence: str
    language: str
    topic: str
    kind: WithdrawnKind
    span: tuple[int, int]
    is_lift: bool


def withdrawals(split: MessageSentences) -> tuple[Withdrawal, ...]:
    """The sentences of a message that take instructions back; no question, supposition or report is one."""
    text = split.text
    found = []
    folded = fold_in_place(text.masked)
    for start, end, is_question in text.sentences:
        sentence = text.masked[start:end]
        if (
            is_question
            or len(sentence) > _MAX_SENTENCE
            or is_doubtful(sentence)
            or is_supposed(folded, start, start)
            or is_reported(folded, start, end)
            or is_unmarked_question(folded, (start, end), (start, start), "")
        ):
            continue
        read = _withdrawal(sentence)
        if read is not None:
            language, topic, kind, is_lift = read
            said = one_line(text.text[start:end])
            found.append(Withdrawal(said, language, topic, kind, split.span(start, end), is_lift))
    return tuple(found)


def _withdrawal(sentence: str) -> tuple[str, str, WithdrawnKind, bool] | None:
    """The language, topic and kind of a sentence, and whether it only lifts."""
    texts = [sentence.strip()]
    for pattern in (rf"(?i){LEADS}", _POLITE):
        lead = regex(pattern).match(texts[-1])
        texts += [texts[-1][lead.end() :]] if lead else []
    bare = [regex(_THANKS).sub("", fold_in_place(text).strip(" .!。！\n")) for text in reversed(texts)]
    for language, kind, pattern in FORMS:
        for text in bare:
            match = regex(pattern).fullmatch(text)
            if match is not None:
                is_lift = kind != "ban" or not match.start("topic") or bool(regex(AGAIN).search(text))
                return language, match["topic"].strip(" ,\"'"), kind, is_lift
    return None
