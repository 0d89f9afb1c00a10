"""Search terms: which pieces of a text can be found, and in what spelling.

Words, compounds (`deploy_script.py`, `ABC-123`, `yo'q`: findable whole and by their parts) and runs of a
script that is written without spaces (findable by every character and every pair of neighbours). Emoji are
runs too.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator

from msgspec import Struct

from memtool.core.text.text import fold, is_continuous, words

_CONNECTORS = frozenset("'_.-/\\:@+#~=&?%")
_GLUE = re.escape("".join(sorted(_CONNECTORS - {"_"})))
_LONGEST_CONNECTION = 3  # as in `https://`
_LONGEST_COMPOUND = 128  # characters; longer ones are found by their parts
_DROPPED = {0x00AD: None, 0x2060: None, 0xFEFF: None, 0x0640: None}  # soft hyphen, word joiner, BOM, tatweel
_ALIKE = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ŧ": "t"}
    | dict.fromkeys("‛ꞌꞋ՚׳", "'")
    | {"\u0629": "\u0647", "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643"}
)


class Word(Struct, frozen=True):
    """One word, folded."""

    text: str


class Compound(Struct, frozen=True):
    """Words joined by connecting characters. `text` is the whole without apostrophes, `parts` its words."""

    text: str
    parts: tuple[str, ...]

    @property
    def is_word(self) -> bool:
        """Whether only apostrophes joined it, as in `don't`: it is read as one word."""
        return not any(character in _CONNECTORS for character in self.text)


class Run(Struct, frozen=True):
    """Neighbouring characters of a script without spaces between words, or neighbouring emoji."""

    text: str

    @property
    def pairs(self) -> tuple[str, ...]:
        """Every two neighbours, in order; a single character alone has none."""
        return tuple(self.text[i : i + 2] for i in range(len(self.text) - 1))


Piece = Word | Compound | Run


def search_fold(text: str) -> str:
    """One spelling for what a searcher takes for the same: `fold`, and letters without their accents.

    Marks on Latin, Cyrillic and Greek letters go (`é`, `ё`, `ά`), the vowel signs and hamzas of Arabic and
    the points of Hebrew, which may be written or not, and soft hyphens; of Arabic letters that keyboards
    mix up (teh marbuta, yeh, kaf) one is left. Folding twice changes nothing, and composed and decomposed
    text fold alike.
    """
    text = fold(text)
    if text.isascii():
        return text
    bare = _accents().sub("", unicodedata.normalize("NFD", text.translate(_ALIKE).translate(_DROPPED)))
    return unicodedata.normalize("NFC", bare)


def pieces(folded: str) -> Iterator[tuple[Piece, int, int]]:
    """Each piece of a text that `search_fold` made, with where it starts and ends."""
    return _ascii_pieces(folded) if folded.isascii() and not _signed().search(folded) else any_pieces(folded)


def any_pieces(folded: str) -> Iterator[tuple[Piece, int, int]]:
    """`pieces` of any text; plain ASCII, which is most of it, has a faster way to the same."""
    group: list[tuple[str, int, int]] = []
    group_is_run = False
    for token, start, end in _tokens(folded):
        is_run = not token.isascii() and len(token) == 1 and (is_continuous(token) or not token.isalnum())
        if group and is_run == group_is_run and _connects(folded[group[-1][2] : start], is_run):
            group.append((token, start, end))
            continue
        if group:
            yield from _close(folded, group, group_is_run)
        group, group_is_run = [(token, start, end)], is_run
    if group:
        yield from _close(folded, group, group_is_run)


def atoms(folded: str) -> list[str]:
    """The smallest words of a folded text in order: parts of compounds, characters of runs."""
    found: list[str] = []
    for piece, _, _ in pieces(folded):
        match piece:
            case Word(text):
                found.append(text)
            case Compound(_, parts):
                found.extend(parts)
            case Run(text):
                found.extend(text)
    return found


def wholes(compound: Compound) -> Iterator[str]:
    """A compound and the smaller compounds inside it: `a/b-c.md` holds `b-c.md` and `b-c`.

    It is cut at slashes first, then at colons and `@`, then at dots, and so on: one level inside the other.
    """
    seen = set()
    level = [compound.text]
    for cutter in ("/\\", ":@=&?#", ".", "+~%", "-"):
        for text in level:
            if text not in seen and 1 < len(text) <= _LONGEST_COMPOUND and _CONNECTORS.intersection(text):
                seen.add(text)
                yield text
        level = [part.strip("".join(_CONNECTORS)) for text in level for part in _cut(text, cutter)]
    if compound.is_word:
        yield compound.text


def within(left: str, right: str, distance: int) -> bool:
    """Whether at most `distance` letters differ: put in, left out, replaced, or two neighbours exchanged."""
    if abs(len(left) - len(right)) > distance:
        return False
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        following = [i]
        for j, other in enumerate(right, 1):
            cost = min(row[j] + 1, following[j - 1] + 1, row[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            following.append(cost)
        if min(following) > distance:
            return False
        before, row = row, following
    return row[-1] <= distance


def _ascii_pieces(folded: str) -> Iterator[tuple[Piece, int, int]]:
    for match in _ascii().finditer(folded):
        token = match.group()
        if token.isalnum():
            yield Word(token), match.start(), match.end()
            continue
        parts = tuple(_part().findall(token))
        if len(parts) == 1:  # `_emphasis_`
            yield Word(parts[0]), match.start(), match.end()
        elif parts:
            yield Compound(token.strip("_").replace("'", ""), parts), match.start(), match.end()


def _tokens(folded: str) -> Iterable[tuple[str, int, int]]:
    emoji = [(match.group(), match.start(), match.end()) for match in _emoji().finditer(folded)]
    tokens = _with_symbols(folded)
    return sorted([*tokens, *emoji], key=lambda token: token[1]) if emoji else tokens


def _with_symbols(folded: str) -> Iterator[tuple[str, int, int]]:
    """The words, where `c++` and `c#` keep their signs."""
    signs = _signs()
    for token, start, end in words(folded):
        sign = signs.match(folded, end) if len(token) == 1 and token.isascii() and token.isalpha() else None
        yield (token + sign.group(), start, sign.end()) if sign else (token, start, end)


def _connects(gap: str, is_run: bool) -> bool:
    if is_run:
        return all(character == "\n" or unicodedata.category(character)[0] == "M" for character in gap)
    return 0 < len(gap) <= _LONGEST_CONNECTION and _CONNECTORS.issuperset(gap)


def _close(folded: str, group: list[tuple[str, int, int]], is_run: bool) -> Iterator[tuple[Piece, int, int]]:
    start, end = group[0][1], group[-1][2]
    if is_run:
        yield Run("".join(token for token, _, _ in group)), start, end
        return
    if len(group) == 1 and "_" not in group[0][0]:
        yield Word(group[0][0]), start, end
        return
    parts = tuple(part for token, _, _ in group for part in token.split("_") if part)
    if len(parts) == 1:  # `_emphasis_`
        yield Word(parts[0]), start, end
    elif parts:
        yield Compound(folded[start:end].strip("_").replace("'", ""), parts), start, end


def _cut(text: str, cutters: str) -> list[str]:
    for cutter in cutters[1:]:
        text = text.replace(cutter, cutters[0])
    return text.split(cutters[0])


@functools.cache
def _ascii() -> re.Pattern[str]:
    return re.compile(rf"\w+(?:[{_GLUE}]{{1,{_LONGEST_CONNECTION}}}\w+)*", re.ASCII)


@functools.cache
def _part() -> re.Pattern[str]:
    return re.compile("[a-z0-9]+")


@functools.cache
def _signs() -> re.Pattern[str]:
    return re.compile(r"(?:\+\+|#)(?![\w+#])")


@functools.cache
def _signed() -> re.Pattern[str]:
    return re.compile(r"(?<!\w)[a-z](?:\+\+|#)(?![\w+#])", re.ASCII)


@functools.cache
def _accents() -> re.Pattern[str]:
    return re.compile(
        "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
        "\u0610-\u061a\u064b-\u0657\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]+"
    )


@functools.cache
def _emoji() -> re.Pattern[str]:
    # symbols and pictographs, but no numbers in circles, which are words; skin tones, variation selectors
    # and joiners do not make another emoji
    return re.compile(r"(?!\w)[\u2190-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff]")
