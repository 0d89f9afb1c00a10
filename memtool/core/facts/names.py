"""Names in a fact: what it is about by name (its subject), and the names, codes and numbers that it mentions.

The subject is the key that a fact is stored under, and the names before a colon: "Redis, cache: used for
sessions" is about Redis. A name that is written within the sentence is only mentioned.
"""

from __future__ import annotations

from memtool.core.text.regex import regex

_KEY_PREFIX = "k-"
_OWNER_HASH = r"-[0-9a-f]{6}$"
_MAX_HEAD_CHARS = 120
_MAX_NAMES = 16
_MAX_NAME_WORDS = 4
_SEPARATORS = r"[,;/|()]|\bor\b"
_MENTION = r"[^\W_][\w.+#'’-]*[\w+#]|[^\W_]"
_SENTENCE_ENDS = ".!?:;—–。！？"
_MAX_GAP = 4
"""Blanks and marks that are looked at before a word."""


def subject_names(identifier: str, text: str) -> list[str]:
    """The names that a fact is about: its key in words, and the names before a colon at its beginning.

    A head is up to 16 names of up to four words each; anything longer is a clause and no list of names.
    """
    names: list[str] = []
    if identifier.startswith(_KEY_PREFIX):
        key = regex(_OWNER_HASH).sub("", identifier.removeprefix(_KEY_PREFIX))
        names.append(key.replace("-", " "))
    head, colon, rest = text[:_MAX_HEAD_CHARS].partition(":")
    if colon and rest[:1].isspace() and not any(mark in head for mark in ("\n", ". ", "! ", "? ")):
        parts = [part.strip() for part in regex(_SEPARATORS).split(head) if part.strip()]
        if len(parts) <= _MAX_NAMES and all(len(part.split()) <= _MAX_NAME_WORDS for part in parts):
            names += parts
    return names


def mentioned_names(text: str) -> list[str]:
    """The names, codes and numbers in a text: words with a capital letter or with digits.

    The first word of a sentence is a name only if it has a capital or a digit after its first letter: most
    sentences begin with a capital. A digit alone counts things and names nothing.
    """
    names: list[str] = []
    for match in regex(_MENTION).finditer(text):
        word = match[0]
        if word.isalpha() and word.islower():
            continue
        has_digit = len(word) > 1 and any(letter.isdigit() for letter in word)
        if (
            has_digit
            or any(letter.isupper() for letter in word[1:])
            or (word[0].isupper() and not _begins_sentence(text, match.start()))
        ):
            names.append(word)
    return names


def _begins_sentence(text: str, start: int) -> bool:
    """Whether the word that begins there is the first of a sentence or a clause after a colon or a dash."""
    before = text[max(0, start - _MAX_GAP) : start].rstrip()
    return not before or before[-1] in _SENTENCE_ENDS
