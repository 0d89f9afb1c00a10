"""Lines of memory that a correction makes wrong, and how they read with the new value."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from memtool.core.capture.corrections import Correction, is_particle
from memtool.core.text.folding import is_continuous, search_fold
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_WORD = r"[^\W\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+(?:[-'’.:/][^\W_]+)*|\w"
"""A word; in scripts without spaces between words, a character."""
_REQUEST = r"(?i)\W*(?:please )?(?:remember|note|keep in mind|don't forget)(?: that)?\b\W*"
"""What a line may begin with besides its statement."""
_MOST_BEFORE = 5
_LEAST_SHARED = 2
_LONGEST = 4
_SEVERAL_WORDS = """
    has have had own owns like likes love loves hate hates know knows need needs want wants enjoy enjoys speak
    speaks play plays eat eats include includes contain contains and or with also
"""
_SEVERAL = frozenset(_SEVERAL_WORDS.split())
"""Words after which several values can be true."""
_NEGATIONS = frozenset(["not", "no", "never", "isn't", "don't", "doesn't"])


def is_corrected(correction: Correction, text: str, *, is_recent: bool) -> bool:
    """Whether a line of memory says the old value of what the correction is about.

    The line has the old value as whole words and not the new one, and shares another content word with the
    correction. A correction without other words (`it isn't X, it's Y`) is about a line that ends with the
    value, if that line is recent or the value is a name. One without an old value is about a line that
    differs from it in one value.
    """
    if not correction.old:
        return bool(_with_other_value(correction.statement, text))
    plain, old, new = plain_text(text), plain_text(correction.old), plain_text(correction.new)
    if not _has_words(plain, old) or (_has_words(plain, new) and not _has_words(old, new)):
        return False
    if correction.subject:
        return bool(correction.subject & (content_stems(text) - content_stems(correction.old)))
    ends = plain.rstrip(" .!?\"'").endswith(old)
    return ends and (is_recent or correction.old[:1].isupper())


def corrected_text(correction: Correction, text: str) -> str:
    """A text that a correction makes wrong, with the new value in place of the old one.

    Empty where that would be no sentence: the value is not there, it is of another kind (`upstairs`, `in the
    cellar`), or the text already says a part of the new one.
    """
    if not correction.old:
        return _with_other_value(correction.statement, text)
    pairs = correction.raw, (correction.old, correction.new)
    if not all(_begins_alike(*pair) for pair in pairs):
        return ""
    for old, new in pairs:
        around = _words(old).split(text)
        if len(around) > 1:
            added = content_stems(new) - content_stems(old)
            return "" if added & content_stems(" ".join(around)) else new.join(around)
    return ""


def _begins_alike(old: str, new: str) -> bool:
    """Whether both values begin with a preposition or an article, or neither does."""
    return is_particle(old.split(" ", 1)[0]) == is_particle(new.split(" ", 1)[0])


def _has_words(text: str, phrase: str) -> bool:
    """Whether a text has a phrase as whole words."""
    return bool(phrase) and _words(phrase).search(text) is not None


def _words(phrase: str) -> re.Pattern[str]:
    """The pattern of a phrase as whole words; those of continuous scripts have no ends."""
    before = "" if is_continuous(phrase[0]) else r"(?<!\w)"
    after = "" if is_continuous(phrase[-1]) else r"(?!\w)"
    return re.compile(f"{before}{re.escape(phrase)}{after}", re.IGNORECASE)


def _with_other_value(statement: str, line: str) -> str:
    """A line with the value in which a statement differs from it; empty where they differ in more.

    Before the statement may be some words, such as "Actually". Both begin with the same words, share as many
    as they differ in, and some that say something; the values are short, and both or neither have digits.
    What can have several values (`has a dog`) is no contradiction.
    """
    said, new = _words_of(statement)
    request = regex(_REQUEST).match(line)
    begin = request.end() if request else 0
    if search_fold(line[begin : begin + 1]) not in {word[:1] for word in new[: _MOST_BEFORE + 1]}:
        return ""  # most lines: `statement` is compared with all of memory
    known = [*regex(_WORD).finditer(line, begin)]
    old = [search_fold(word[0]) for word in known]
    for first in range(min(_MOST_BEFORE, len(new)) + 1):
        start = _shared(new[first:], old)
        if start < _LEAST_SHARED:
            continue
        end = _shared(new[first + start :][::-1], old[start:][::-1])
        count = len(new) - end - first - start
        last = len(old) - end
        if (
            not end
            and count < last - start
            and regex(r"[^\w\s]").search(line, known[start + count - 1].end(), known[start + count].start())
        ):
            last = start + count  # the rest of the line is another clause
        values = new[first + start : first + start + count], old[start:last]
        if count > 0 and _is_other_value(values, old[:start] + old[last:], is_last=not end):
            value = statement[said[first + start].start() : said[first + start + count - 1].end()]
            return line[: known[start].start()] + value + line[known[last - 1].end() :]
    return ""


@functools.lru_cache(4)
def _words_of(statement: str) -> tuple[list[re.Match[str]], list[str]]:
    """The words of a statement, and these folded."""
    words = [*regex(_WORD).finditer(statement)]
    return words, [search_fold(word[0]) for word in words]


def _is_other_value(values: tuple[list[str], list[str]], shared: list[str], *, is_last: bool) -> bool:
    """Whether of two texts with shared words, the values cannot both be true."""
    has_digits = {any(map(str.isdigit, "".join(value))) for value in values}
    return (
        all(0 < len(value) <= _LONGEST for value in values)
        and len(shared) >= len(values[1])
        and len(content_stems(" ".join(shared))) >= (1 if has_digits == {True} else 2)
        and len(has_digits) == 1
        and not (is_last and _SEVERAL.intersection(shared))
        and _NEGATIONS.isdisjoint(values[0] + values[1])
    )


def _shared(words: Sequence[str], others: Sequence[str]) -> int:
    """How many words two texts begin with together."""
    pairs = enumerate(zip(words, others, strict=False))
    return next((number for number, (word, other) in pairs if word != other), min(len(words), len(others)))
