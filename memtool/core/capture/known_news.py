"""Known news: sentences that tell another value of what memory knows, or that it changed or ended.

"They pushed the exam back a week" may be about anybody's exam; of one that the user has told about, it is
worth keeping.
"""

from __future__ import annotations

from collections.abc import Iterable

from memtool.core.capture.clauses import line_words
from memtool.core.capture.languages.compared_words import FIRST_PERSON
from memtool.core.capture.languages.english_changes import CHANGED_OR_ENDED, SAID_AS
from memtool.core.capture.languages.value_kinds import VALUE_KINDS
from memtool.core.capture.near_memory import telling_stems
from memtool.core.capture.told_news import outdates, told_news
from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_common_word
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_LEAST_VALUE = -1.7
"""The log odds from which a sentence with another value of what memory knows is a statement."""
_LEAST_TIME = -0.8
"""The same for another day or time without a verb of change: much happens at some time."""
_MOST_BEFORE = 5
"""The words at the start of a sentence in which it says what it is about."""
_TIMES = ("|".join(VALUE_KINDS[:2]), VALUE_KINDS[2])
_COUNT = (
    r"(?<![\w.,:])[$€£¥]? ?(?P<value>\d(?:[\d.,]*\d)?)(?![\w:])(?: ?[$€£¥%])?(?: (?P<unit>[^\W\d_]{3,}))?"
)
_CHANGED_TO = (
    r"(?i)\b(?:to|auf|a|à) (?:only |just |about )?[$€£¥]?\d[^;:!?\n]*"
    r"|[$€£¥]?\d[\d.,]*\d? ?[$€£¥%]?(?: [^\W\d_]+)? now\b"
)
"""A number to which something changed, with what follows."""
_LONGEST = 400
"""Characters of a sentence that is read: the patterns take time quadratic in it."""
_BEGINNING = 3
"""First letters that words with the same stem share."""
_WORDS_BEFORE_VERB = 1
"""The words of a text about the user before its verb."""


def may_tell_news(sentence: str, odds: float) -> bool:
    """Whether a sentence of these log odds is a statement if memory knows what it is about."""
    if len(sentence) > _LONGEST:
        return False
    if regex(CHANGED_OR_ENDED).search(sentence) is not None:
        return True
    if odds < _LEAST_VALUE:
        return False
    return (
        regex(_CHANGED_TO).search(sentence) is not None
        or any(_times(sentence))
        or told_news(sentence) is not None
    )


def texts_to_compare(sentence: str, texts: Iterable[str]) -> list[str]:
    """The texts that have the beginning of a word of a sentence, or of one that says the same otherwise."""
    folded = search_fold(sentence)
    words = [word.text for word in line_words(sentence) if not is_common_word(word.text)]
    words += [other for name, others in SAID_AS.items() if name in folded for other in others.split()]
    beginnings = {word[:_BEGINNING] for word in words if len(word) > 1}
    return [text for text in texts if any(map(search_fold(text).__contains__, beginnings))]


def tells_news_of(sentence: str, odds: float, text: str) -> bool:
    """Whether a sentence of these log odds tells news of what a text of memory is about."""
    known = _stems(text)
    for found in regex(CHANGED_OR_ENDED).finditer(sentence):
        if _stems(found["thing"] or found["ended"]) & known:
            return True
    if odds < _LEAST_VALUE:
        return False
    if (news := told_news(sentence)) is not None and outdates(news, text):
        return True
    is_of_user = any(word.text in FIRST_PERSON for word in line_words(text)[:_WORDS_BEFORE_VERB])
    if not _stems(sentence, _MOST_BEFORE) & (
        known if is_of_user else _stems(text, _MOST_BEFORE) | _units(text)
    ):
        return False
    return _has_other_count(sentence, text) or (odds >= _LEAST_TIME and _has_other_time(sentence, text))


def _stems(text: str, most: int | None = None) -> frozenset[str]:
    """The stems of the words, among the first ones, that say what a text is about."""
    words = (word.text for word in line_words(text)[:most])
    return telling_stems(" ".join(word for word in words if not is_common_word(word)))


def _counts(text: str) -> dict[str, frozenset[str]]:
    """The numbers of a text that are no times, with the stem of the word after each."""
    text = regex(f"(?i){'|'.join(_TIMES)}").sub(" ", text) if ":" in text else text
    return {found["value"]: content_stems(found["unit"] or "") for found in regex(_COUNT).finditer(text)}


def _units(text: str) -> frozenset[str]:
    return frozenset().union(*_counts(text).values())


def _has_other_count(sentence: str, text: str) -> bool:
    """Whether a sentence says to what a number of a text changed, with the same unit or none."""
    known = _counts(text)
    changed = regex(_CHANGED_TO).findall(sentence)
    return bool(known) and any(
        value not in known and unit <= _units(text) for value, unit in _counts(" ".join(changed)).items()
    )


def _times(text: str) -> list[frozenset[str]]:
    """The days and the times of a text, folded."""
    return [
        frozenset(search_fold(found[0]) for found in regex(rf"(?i)(?<!\w)(?:{kind})").finditer(text))
        for kind in _TIMES
    ]


def _has_other_time(sentence: str, text: str) -> bool:
    both = zip(_times(sentence), _times(text), strict=True)
    return any(known and told - known for told, known in both)
