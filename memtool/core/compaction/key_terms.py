"""Key terms: the names, numbers, paths, URLs and identifiers in a sentence that a summary should keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memtool.core.text.dates import CALENDAR_NAMES
from memtool.core.text.folding import is_continuous
from memtool.core.text.regex import regex

TERM_WEIGHTS = {"path": 1.8, "url": 1.5, "name": 1.2, "code": 1.0, "number": 1.0, "digit": 0.4, "start": 0.0}
"""The weight of a term of each kind, counted once a summary."""

_EDGE_PUNCTUATION = "\"'“”‘’«»()[]{}<>*_.,;:!?…—–"
_SUFFIXES_WORDS = (
    "py pyi md mdx rst txt js mjs ts tsx jsx json jsonl toml yaml yml sql sh go rs java kt c h cc cpp "
    "hpp css scss html csv tsv log cfg conf ini lock xml ipynb rb php swift env pdf png jpg jpeg svg "
    "doc docx xls xlsx ppt pptx zip gz db sqlite tf proto service vue svelte lua pl ps1 bat patch diff "
    "bib tex"
)
_SUFFIXES = frozenset(_SUFFIXES_WORDS.split())
_DAYS = (CALENDAR_NAMES | {"tomorrow", "tonight"}) - {"may"}
_NOT_NAMES_WORDS = "I I'm I'll I'd I've OK Ok Okay Yes No Hi Hello Thanks Thank The A An And But So If"
_NOT_NAMES = frozenset(_NOT_NAMES_WORDS.split())
_HAS_TERM = rf"[A-Z0-9/_`]|\.\w|[^\x00-\x7f]|\b(?:{'|'.join(sorted(_DAYS))})\b"
"""A pattern that matches after the first letter of every sentence that contains a term."""
_CODE = r"`([^`\n]{1,80})`"
_IDENTIFIER = r"\w+_\w+|[a-z]+[A-Z]\w+|[A-Z]{2,}[A-Z0-9]*-\d+|--[a-z][\w-]+|[A-Z][a-z]+(?:[A-Z][a-z]+)+"
_INSIDE = r"\d[\d.,:/-]*\d|\d|[A-Za-z][A-Za-z0-9_.+#-]+"


class KeyTerm(NamedTuple):
    """A term of a sentence: its kind, a key of `TERM_WEIGHTS`, and its text."""

    kind: str
    text: str


def key_terms(sentence: str) -> Iterator[KeyTerm]:
    """The terms of a sentence, in order; adjacent capitalised words form one name.

    A single capitalised word at the start has the kind `start`: other sentences show whether it is a name.
    """
    if not regex(_HAS_TERM).search(sentence, 1):
        first = sentence.partition(" ")[0].strip(_EDGE_PUNCTUATION)
        if first[:1].isupper() and first.isalpha() and first not in _NOT_NAMES:
            yield KeyTerm("start", first)
        return
    if "`" in sentence:
        for match in regex(_CODE).finditer(sentence):
            inner_term = next(_word_terms(match[1]), None) if " " not in match[1] else None
            yield inner_term if inner_term and inner_term.kind == "path" else KeyTerm("code", match[1])
    name_words: list[str] = []
    is_past_start = False
    for raw in sentence.split():
        if raw.isascii() and raw.isalpha() and raw.islower():
            if name_words:
                yield _name_term(name_words, is_past_start)
                name_words = []
            is_past_start = True
            if raw in _DAYS:
                yield KeyTerm("name", raw)
            continue
        word = raw.strip(_EDGE_PUNCTUATION).removesuffix("'s").removesuffix("’s")
        if word[:1].isupper() and word.replace("-", "").replace("'", "").isalpha() and word not in _NOT_NAMES:
            name_words.append(word)
            if raw[-1:] not in '.,;:!?)"”':
                continue
            word = ""
        if name_words:
            yield _name_term(name_words, is_past_start)
            name_words = []
        is_past_start = True
        if word and "`" not in word:
            yield from _word_terms(word)
    if name_words:
        yield _name_term(name_words, is_past_start)


def is_day(word: str) -> bool:
    """Whether a word is a weekday or a month."""
    return word.lower() in _DAYS or word == "May"


def is_file_path(path: str) -> bool:
    """Whether a term is certainly a file path: it begins like one, or has a known file extension."""
    has_extension = "." in path and path.rpartition(".")[2].lower() in _SUFFIXES
    return path[0] != "-" and (has_extension or path.startswith(("/", "./", "../", "~/")))


def _name_term(words: list[str], is_past_start: bool) -> KeyTerm:
    return KeyTerm("name" if is_past_start or len(words) > 1 else "start", " ".join(words))


def _word_terms(word: str) -> Iterator[KeyTerm]:
    """The term that a word is; in a script without spaces, the terms that it contains."""
    if word.startswith(("http://", "https://")):
        yield KeyTerm("url", word)
    elif ("/" in word and any(map(str.isalpha, word)) and not word.startswith("//")) or (
        "." in word and word.rpartition(".")[2].lower() in _SUFFIXES and len(word) > 3
    ):
        yield KeyTerm("path", word)
    elif word.isascii():
        if regex(_IDENTIFIER).fullmatch(word):
            yield KeyTerm("code", word)
        elif any(map(str.isdigit, word)):
            yield KeyTerm("digit" if len(word) == 1 else "number", word)
    elif not any(map(is_continuous, word)):
        if any(map(str.isdigit, word)):
            yield KeyTerm("number", word)
    else:
        for match in regex(_INSIDE).finditer(word):
            text = match.group()
            if text[0].isdigit():
                yield KeyTerm("number" if len(text) > 1 else "digit", text)
            elif not word.isalpha() or len(text) < len(word):
                yield KeyTerm("code", text)
