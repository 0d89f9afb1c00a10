"""The tokenizer: every way in which memtool splits text into words.

All variants below the first build on `words`, save those that are patterns for text that is not folded.

| variant | tokens | used for |
| --- | --- | --- |
| `words` | runs of word characters, each character of a script without spaces | the base |
| `word_set` | the set of them, from text that is not folded | candidate lines of large files |
| `pieces`, `atoms`, `piece_tokens` | words, compounds and runs of text that `search_fold` made | search |
| `comparison_tokens` | words with their numbers, signs and contractions whole | duplicates and keys |
| `topic_words` | words of text that is not folded, without stop words | snippets for a prompt |
| `content_terms` | words that say something, of text that is not folded | evidence for a fact |
| `cue_words` | lower-case words with their apostrophes, as written | cues in a conversation |
| `ASCII_WORD`, `CONTRACTION`, `NAME_WORD`, `POSSESSIVE_WORD` | patterns of one word | slugs, stems, names |

Tokens of scripts that are written without spaces between words (CJK, Thai) are single characters. Where their
order matters, variants join neighbours in pairs (`pairs`).
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from memtool.core.text.folding import CONTINUOUS_SCRIPTS, fold, is_continuous
from memtool.core.text.regex import regex
from memtool.core.text.stopwords import GRAMMAR_WORDS, is_stop_word

ASCII_WORD = "[a-z0-9]+"
"""A word of a slug or a key."""
CONTRACTION = "[a-z0-9]+(?:'[a-z]+)*"
"""A word of lower-case ASCII text, with what follows its apostrophes."""
NAME_WORD = r"[^\W\d_][\w'’-]*"
"""A word that may be a name: it begins with a letter and keeps its apostrophes and hyphens."""
POSSESSIVE_WORD = r"([\w\u0300-\u036f]+)(['’]s(?!\w))?"
"""A word and, as a group of its own, its possessive ending."""
_CUE_WORD = r"[\w']+"

_MARK = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"
    "\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57"
    "\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0dca-\u0df3"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f\u200c\u200d"
)
_UNMARKED = r"[\x00-\u02ff\u0370-\u0482\u048a-\u058f\u1e00-\u1fff\u2010-\u205e]*"
"""Text without marks and continuous scripts, as most Latin, Greek and Cyrillic text is."""
_RUN = rf"[{CONTINUOUS_SCRIPTS}]|[^\W{CONTINUOUS_SCRIPTS}](?:[^\W{CONTINUOUS_SCRIPTS}]|[{_MARK}])*"
_COMBINING = r"[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3]"
CONNECTORS = frozenset("'_.-/\\:@+#~=&?%")
"""Characters that join words to a compound."""
_GLUE = re.escape("".join(sorted(CONNECTORS - {"_"})))
LONGEST_CONNECTION = 3  # as in `https://`
_COMPOUND = rf"\w+(?:[{_GLUE}]{{1,{LONGEST_CONNECTION}}}\w+)*"
_SIGNS = r"(?:\+\+|#)(?![\w+#])"
SIGNED_LETTER = rf"(?<!\w)[a-z]{_SIGNS}"
"""A letter with the signs that belong to it: `c++`, `c#`; `re` finds it faster from the sign on."""
_SHARP, _PLUS = r"#(?<=\b[a-z]#)(?![\w+#])", r"\+\+(?<=\b[a-z]\+\+)(?![\w+#])"
_EMOJI = r"(?!\w)[\u2190-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff]"
"""Symbols and pictographs: no circled numbers, which are words, and no skin tones, selectors or joiners."""
_PUNCTUATION = (
    r"[\s!-#%-*,-/:;?@\[-`{}~\u00a1\u00a7\u00ab\u00b6\u00b7\u00b8\u00bb\u00bf\u2010-\u205e\u3001-\u303f]"
)
_SUFFIX = r"(?:\+\+?|#)(?!\w)"
_ENGLISH_ENDINGS = frozenset({"s", "m", "d", "t", "re", "ve", "ll"})
"""What follows an apostrophe in English; it does not belong to the word before."""

Token = tuple[str, int, int]
"""A token with its start and end in the text."""


class Word(Struct, frozen=True):
    """One word, folded."""

    text: str


class CompoundWord(Struct, frozen=True):
    """Words joined by connecting characters: `text` without apostrophes, `parts` its words."""

    text: str
    parts: tuple[str, ...]

    @property
    def is_word(self) -> bool:
        """Whether only apostrophes join it, as in `don't`, so that it reads as one word."""
        return CONNECTORS.isdisjoint(self.text)


class CharacterRun(Struct, frozen=True):
    """Neighbouring characters of a continuous script, or neighbouring emoji."""

    text: str

    @property
    def pairs(self) -> tuple[str, ...]:
        """Every two neighbours in order; none for a single character."""
        return tuple(self.text[i : i + 2] for i in range(len(self.text) - 1))


Piece = Word | CompoundWord | CharacterRun
PieceToken = tuple[Piece, int, int]
"""A piece with its start and end in the text."""


def words(folded: str) -> Iterator[Token]:
    """Each word of folded text with its span; a character of a continuous script is a word.

    The rules are those of the CoALA memory's Unicode tokenizer, with marks kept in their word.
    """
    if folded.isascii() or regex(_UNMARKED).fullmatch(folded):  # the large pattern gives the same there
        for match in regex(r"\w+").finditer(folded):
            yield match.group(), match.start(), match.end()
        return
    for match in regex(_RUN).finditer(folded):
        token = match.group()
        if not regex(_COMBINING).fullmatch(token):
            yield token, match.start(), match.end()


def word_list(folded: str) -> list[str]:
    """The words of folded text in order."""
    return [word for word, _, _ in words(folded)]


def word_set(text: str) -> frozenset[str]:
    """The set of words of a text, stop words included."""
    return frozenset(word_list(fold(text)))


def pairs(run: Sequence[str]) -> list[str]:
    """Every two neighbours of a run of characters, joined; a single character alone."""
    return [left + right for left, right in itertools.pairwise(run)] or list(run)


def pieces(folded: str) -> Iterator[PieceToken]:
    """Each piece of text that `search_fold` returned, with its span."""
    return _ascii_pieces(folded) if is_plain(folded) else unicode_pieces(folded)


def is_plain(folded: str) -> bool:
    """Whether no piece of the text holds a blank, or a character that is not ASCII."""
    has_sharp = "#" in folded and regex(_SHARP).search(folded)
    return folded.isascii() and not has_sharp and not ("+" in folded and regex(_PLUS).search(folded))


def unicode_pieces(folded: str) -> Iterator[PieceToken]:
    """`pieces` of any text; plain ASCII, the usual case, has a faster implementation."""
    group: list[Token] = []
    group_is_run = False
    for token, start, end in _tokens(folded):
        is_run = not token.isascii() and len(token) == 1 and (is_continuous(token) or not token.isalnum())
        if group and is_run == group_is_run and _connects(folded[group[-1][2] : start], is_run):
            group.append((token, start, end))
            continue
        if group:
            yield from _piece(folded, group, group_is_run)
        group, group_is_run = [(token, start, end)], is_run
    if group:
        yield from _piece(folded, group, group_is_run)


def atoms(folded: str) -> list[str]:
    """The smallest words of a folded text in order: parts of compounds, characters of runs."""
    return [*atoms_of(piece for piece, _, _ in pieces(folded))]


def atoms_of(pieces: Iterable[Piece]) -> Iterator[str]:
    """The smallest words of pieces in order."""
    for piece in pieces:
        match piece:
            case Word(text):
                yield text
            case CompoundWord(_, parts):
                yield from parts
            case CharacterRun(text):
                yield from text


def piece_tokens(folded: str) -> Iterator[Token]:
    """Every token of a folded text that a query can match: pieces, and the parts of compounds after each."""
    if is_plain(folded):
        for match in regex(_COMPOUND, re.ASCII).finditer(folded):
            token = match.group()
            if token.isalnum():  # nearly always
                yield token, match.start(), match.end()
            elif piece := _joined_piece(token):
                yield from _located_tokens(folded, piece, match.start(), match.end())
        return
    for piece, start, end in unicode_pieces(folded):
        yield from _located_tokens(folded, piece, start, end)


def _located_tokens(folded: str, piece: Piece, start: int, end: int) -> Iterator[Token]:
    """A piece and its parts, each at its offset; a run of characters is its parts alone."""
    parts: Iterable[str] = piece.parts if isinstance(piece, CompoundWord) else ()
    if isinstance(piece, CharacterRun):
        parts = piece.text
    else:
        yield piece.text, start, end
    for part in parts:
        start = folded.index(part, start)
        yield part, start, start + len(part)
        start += len(part)


def topic_words(text: str) -> frozenset[str]:
    """The words of a text without stop words and single letters; characters of continuous scripts count."""
    return frozenset(
        word
        for word in word_list(fold(text))
        if (len(word) > 1 or is_continuous(word)) and not is_stop_word(word)
    )


def comparison_tokens(folded: str) -> Iterator[str]:
    """Words and signs with meaning: `v2.0.4`, `2025-06-15`, `don't`, `c++`, `-5` and `🍎` are one each."""
    pending, last = "", 0
    for word, start, end in words(folded):
        gap = folded[last:start]
        if pending and _continues(pending, gap, word):
            pending += gap + word
        else:
            if pending:
                yield pending
            yield from strip_punctuation(gap)
            is_negative = gap.endswith("-") and word[0].isdigit() and (len(gap) == 1 or gap[-2].isspace())
            pending = "-" + word if is_negative else word
        last = end
        if folded[end : end + 1] in {"+", "#"} and (suffix := regex(_SUFFIX).match(folded, end)):
            pending += suffix.group()
            last = suffix.end()
    if pending:
        yield pending
    yield from strip_punctuation(folded[last:])


def comparison_set(folded: str) -> frozenset[str]:
    """The set of comparison tokens; neighbours of a continuous script in pairs, because order matters."""
    distinct: set[str] = set()
    for is_run, run in itertools.groupby(comparison_tokens(folded), lambda token: is_continuous(token[0])):
        group = [*run]
        distinct.update(pairs(group) if is_run else group)
    return frozenset(distinct)


def strip_punctuation(text: str) -> str:
    """The text without blanks and punctuation; other signs, such as emoji, stay."""
    return "" if text.isspace() else regex(_PUNCTUATION).sub("", text)


def content_terms(text: str) -> frozenset[str]:
    """The words of a text that say something: no grammar words, no single letters.

    Characters of a continuous script count in pairs; one of them is a term only where it stands alone, and
    two of hiragana are none. A word with the Uzbek letters `o'` or `g'` is one word.
    """
    terms: set[str] = set()
    folded = fold(text)
    run: list[str] = []  # neighbouring characters of a continuous script, each with its marks
    run_end = -1
    for token, start, end in _uzbek_words(folded):
        if run and start != run_end:
            terms.update(_content_pairs(run))
            run = []
        if is_continuous(token[0]):
            run_end = _end_of_marks(folded, end)
            run.append(folded[start:run_end])
        elif len(token) > 1 and token not in GRAMMAR_WORDS:
            terms.add(token)
    terms.update(_content_pairs(run))
    return frozenset(terms)


def cue_words(text: str) -> list[str]:
    """The lower-case words of a text in order, as written; characters of a continuous script in pairs."""
    lowered = text.lower()
    if text.isascii():
        return regex(_CUE_WORD).findall(lowered)
    cues: list[str] = []
    for run in regex(_CUE_WORD).findall(lowered.replace("’", "'")):
        cues += pairs(run) if is_continuous(run[0]) else [run]
    return cues


def _continues(pending: str, gap: str, word: str) -> bool:
    """Whether a word continues a pending token: a contraction, or a number with its separators."""
    if gap == "'":
        return pending[-1].isalpha() and word[0].isalpha()
    return len(gap) == 1 and gap in ".,:/-" and pending[-1].isdigit() and word[0].isdigit()


def _uzbek_words(folded: str) -> Iterator[Token]:
    """The words of folded text; a word with the Uzbek letters `o'` or `g'` is one."""
    before: Token | None = None
    for token, start, end in words(folded):
        is_letter = before is not None and before[0][-1] in "og" and folded[before[2] : start] == "'"
        if before is not None and is_letter and token not in _ENGLISH_ENDINGS:
            before = (f"{before[0]}'{token}", before[1], end)
            continue
        if before is not None:
            yield before
        before = (token, start, end)
    if before is not None:
        yield before


def _content_pairs(run: Sequence[str]) -> Iterator[str]:
    """The pairs of a run, or its one character; two of hiragana alone are not a word."""
    for pair in pairs(run):
        if len(run) == 1 or not all("\u3041" <= character <= "\u309f" for character in pair):
            yield pair


def _end_of_marks(folded: str, end: int) -> int:
    """The end of the marks that belong to the character before `end`."""
    while end < len(folded) and unicodedata.category(folded[end])[0] == "M":
        end += 1
    return end


def _ascii_pieces(folded: str) -> Iterator[PieceToken]:
    for match in regex(_COMPOUND, re.ASCII).finditer(folded):
        token = match.group()
        if token.isalnum():
            yield Word(token), match.start(), match.end()
        elif piece := _joined_piece(token):
            yield piece, match.start(), match.end()


def _joined_piece(token: str) -> Piece | None:
    """The piece of ASCII characters of which some are not letters or digits, if there is one."""
    parts = tuple(regex(ASCII_WORD).findall(token))
    if len(parts) == 1:  # `_emphasis_`
        return Word(parts[0])
    return CompoundWord(token.strip("_").replace("'", ""), parts) if parts else None


def _tokens(folded: str) -> Iterable[Token]:
    emoji = [(match.group(), match.start(), match.end()) for match in regex(_EMOJI).finditer(folded)]
    tokens = _with_symbols(folded)
    return sorted([*tokens, *emoji], key=lambda token: token[1]) if emoji else tokens


def _with_symbols(folded: str) -> Iterator[Token]:
    """The words; `c++` and `c#` keep their signs."""
    for token, start, end in words(folded):
        is_letter = len(token) == 1 and token.isascii() and token.isalpha()
        sign = regex(_SIGNS).match(folded, end) if is_letter else None
        yield (token + sign.group(), start, sign.end()) if sign else (token, start, end)


def _connects(gap: str, is_run: bool) -> bool:
    """Whether the text between two tokens joins them in a run or a compound."""
    if is_run:
        return all(character == "\n" or unicodedata.category(character)[0] == "M" for character in gap)
    return 0 < len(gap) <= LONGEST_CONNECTION and CONNECTORS.issuperset(gap)


def _piece(folded: str, tokens: list[Token], is_run: bool) -> Iterator[PieceToken]:
    start, end = tokens[0][1], tokens[-1][2]
    if is_run:
        yield CharacterRun("".join(token for token, _, _ in tokens)), start, end
        return
    if len(tokens) == 1 and "_" not in tokens[0][0]:
        yield Word(tokens[0][0]), start, end
        return
    parts = tuple(part for token, _, _ in tokens for part in token.split("_") if part)
    if len(parts) == 1:  # `_emphasis_`
        yield Word(parts[0]), start, end
    elif parts:
        yield CompoundWord(folded[start:end].strip("_").replace("'", ""), parts), start, end
