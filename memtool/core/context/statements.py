"""Statements of a text, by which a conversation's record says what it has, however it is written.

The same statement is a line of the session state with a time and a category, a line of long-term memory, a
sentence of a message, of an exchange in a daily note or of an episode. A statement is compared by its words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from msgspec import Struct

from memtool.core.context.section import heading_level
from memtool.core.digest import blake2b
from memtool.core.text.discourse import without_opening
from memtool.core.text.regex import regex
from memtool.core.text.sentences import NOT_ABBREVIATED

_LABEL = (
    r"\s*(?:(?:[-*+>]|\d{1,3}[.)]|#{1,6})[ \t]+|\[[^\]\n]{1,60}\][ \t]*|\*\*[\w -]{1,30}(?:\*\*:|:\*\*)"
    r"|(?:user|agent|assistant|human):)+\s*"
)
"""The prefix of a statement: list and heading marks, times and owners, categories, speakers."""
_TAIL = r"(?:\s+(?:\^[\w-]+|\(pinned\)|\(said on [\d-]{10}\)|<!--[^\n]*-->))+\s*\Z"
"""The suffix of a fact or a rule: its id, the day on which it was said, and notes of memtool."""
_TAIL_CHARS = 500
"""Characters at the end of a row in which its tail is searched: the pattern takes time quadratic in them."""
_QUOTE = r' — "([^\n]{1,400})"\s*\Z'
"""The user's words at the end of a fact: the same statement in other words."""
_SENTENCE = rf"(?i)(?<=[.!?…]){NOT_ABBREVIATED}\s+|(?<=[。！？])|\n"
_MARKS = ".,;:!?\"'`*_()[]<>«»“”‘’„…—–。，！？、；：（）「」"
_LEAST_WORDS, _LEAST_CHARS = 3, 12
"""A shorter statement in letters of ASCII ("Yes, do.") says nothing without its question; a number does."""
_INTRODUCTION = 7
"""The level of a line that introduces others, below those of all headings."""
_CACHED, _CACHE_SIZE = 8_000, 2_048
"""Characters of a text whose statements are cached, and how many such texts are: a watcher compares the same
messages for one prompt after another.
"""


def statements(text: str) -> frozenset[str]:
    """The digests of a text's statements, those of a fact's quotation too."""
    return frozenset(digest for found in _statements(text) for digest in found.own)


def is_known(text: str, known: Collection[str]) -> bool:
    """Whether a text has statements, and all of them are known, with or without a title before a colon."""
    found = _statements(text)
    return bool(found) and all(
        any(digest in known for digest in (*statement.own, *statement.untitled)) for statement in found
    )


def without_known(text: str, known: Collection[str]) -> str:
    """The text without lines whose statements are all known, and headings under which nothing is left.

    A line that ends with a colon, such as `Requests:`, is a heading, too. "" where nothing else is left.
    """
    if not known:
        return text
    lines = text.split("\n")
    kept: list[str] = []
    is_after_known = False  # a short reply says nothing without what it replies to
    for line in lines:
        if heading_level(line) or not line.strip():
            is_after_known = False
        elif is_known(line, known) or (is_after_known and not (_level(line) or _statements(line))):
            is_after_known = True
            continue
        kept.append(line)
    if len(kept) == len(lines):
        return text
    left: list[str] = []
    following = 1  # the level of the heading that follows; 0: a line of text; the end counts as a title
    for line in reversed(kept):
        level = _level(line)
        if 0 < following <= level:
            continue
        following = level if line.strip() else following
        left.append(line)
    rest = "\n".join(reversed(left))
    return rest if any(line.strip() and not _level(line) for line in left) else ""


def _level(line: str) -> int:
    """The level of a heading, the lowest one of a line that introduces others; 0 for any other line."""
    return heading_level(line) or _INTRODUCTION * line.rstrip().endswith((":", "："))


def unknown_sentences(text: str, known: Collection[str]) -> str:
    """A message without the sentences that are known; "" where no statement is left."""
    found = _statements(text) if known else ()
    if not any(digest in known for statement in found for digest in (*statement.own, *statement.untitled)):
        return text
    pieces: list[str] = []
    start = 0
    for end in (*(match.end() for match in regex(_SENTENCE).finditer(text)), len(text)):
        piece = text[start:end]
        start = end
        if not is_known(piece, known):
            pieces.append(piece)
    rest = "".join(pieces).strip()
    return rest if _statements(rest) else ""


def known_with_rest(text: str, known: Collection[str]) -> str:
    """The lines of which a part is known, and known lines with the lines that continue them.

    A line continues the one above it in the same paragraph or item, as `It is on 5 May.` does; a new item
    of the same level does not.
    """
    shown: list[str] = []
    start = ""  # the known line that the next line may continue
    for row in text.split("\n"):
        rest = unknown_sentences(row, known)
        if start and _continues(start, row) and rest:
            shown += [row] if shown and shown[-1] == start else [start, row]
            start = row
        elif is_known(row, known):
            start = row
        else:
            start = row if rest not in {"", row} else ""
            shown += [row] if start else []
    return "\n".join(shown)


def _continues(before: str, row: str) -> bool:
    if not row.strip() or heading_level(row):
        return False
    return _indent(row) > _indent(before) or not regex(_LABEL).match(row)


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


def shown_statements(source: str, passage: str) -> frozenset[str]:
    """The digests of the statements of a source that a passage of it shows, whole or in part.

    The source may begin with a title and a colon.
    """
    if "…" not in passage:
        untitled = source.partition(": ")[2]
        return statements(passage) | (statements(untitled) & _untitled(passage))
    fragments = [folded for part in passage.split("…") if len(folded := _folded(part)) >= _LEAST_CHARS]
    sentences = _source_sentences if len(source) <= _CACHED else _find_source_sentences
    return frozenset(
        _digest(folded)
        for folded in sentences(source)
        if any(fragment in folded or folded in fragment for fragment in fragments)
    )


class _Statement(Struct, frozen=True):
    """The digests of a statement and of its quotation; and of what follows its first colon."""

    own: tuple[str, ...]
    untitled: tuple[str, ...] = ()


def _statements(text: str) -> tuple[_Statement, ...]:
    return _cached(text) if len(text) <= _CACHED else _find(text)


@lru_cache(_CACHE_SIZE)
def _cached(text: str) -> tuple[_Statement, ...]:
    return _find(text)


def _find(text: str) -> tuple[_Statement, ...]:
    found: list[_Statement] = []
    for row in text.split("\n"):
        tail = regex(_TAIL).search(row, max(0, len(row) - _TAIL_CHARS))
        line = row if tail is None else row[: tail.start()]
        quote = regex(_QUOTE).search(line)
        folds = [*_sentences(line if quote is None else line[: quote.start()])]
        quoted = [] if quote is None else [*_sentences(quote[1])]
        if len(folds) == len(quoted) == 1:
            found.append(_Statement((_digest(folds[0]), _digest(quoted[0]))))
            continue
        if quoted and (len(folds) == 1 or all(words in " ".join(folds) for words in quoted)):
            found.extend(_Statement((_digest(words),)) for words in quoted)  # as other records repeat them
            continue
        after = [*_sentences(line.partition(": ")[2])][:1] if folds and ": " in line else []
        for number, folded in enumerate(folds):
            is_titled = number == 0 and after and folded != after[0] and folded.endswith(after[0])
            found.append(_Statement((_digest(folded),), (_digest(after[0]),) if is_titled else ()))
    return tuple(found)


def _find_source_sentences(source: str) -> tuple[str, ...]:
    """The folded sentences of a source, and those of what follows its first colon."""
    return tuple(dict.fromkeys((*_sentences(source), *_sentences(source.partition(": ")[2]))))


@lru_cache(_CACHE_SIZE)
def _source_sentences(source: str) -> tuple[str, ...]:
    return _find_source_sentences(source)


def _untitled(text: str) -> frozenset[str]:
    return frozenset(digest for found in _statements(text) for digest in found.untitled)


def _sentences(text: str) -> Iterator[str]:
    """The sentences that say something, folded, without "Actually, " and the like at their beginning."""
    for line in text.split("\n"):
        if heading_level(line):
            continue
        label = regex(_LABEL).match(line)
        for sentence in regex(_SENTENCE).split(line[label.end() :] if label else line):
            folded = _folded(without_opening(sentence))
            is_short = len(folded.split(" ")) < _LEAST_WORDS and len(folded) < _LEAST_CHARS
            if folded and not (is_short and folded.isascii() and not any(map(str.isdigit, folded))):
                yield folded


def _folded(text: str) -> str:
    """The words of a text in lower case, without the marks around them."""
    words = (word.strip(_MARKS) for word in text.casefold().split())
    return " ".join(word for word in words if word)


def _digest(folded: str) -> str:
    return blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
