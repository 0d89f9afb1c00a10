"""Negations: the words that turn a statement into its opposite."""

from __future__ import annotations

_ROWS = {
    "en": "not no never cannot nor without non",
    "uz": "emas yo'q hech",
    "ru": "не нет ни никогда",
    "de": "nicht kein keine keinen keiner keinem nie",
    "fr": "ne pas jamais sans non ni",
    "es": "no ni nunca sin",
    "pt": "não sem nunca",
    "it": "non mai senza",
    "tr": "yok değil hiç",
}
NEGATIONS = {language: frozenset(words.split()) for language, words in _ROWS.items()}
"""The negations of each language, folded."""
_ANY = frozenset[str]().union(*NEGATIONS.values())


def is_negation(word: str) -> bool:
    """Whether a folded word is a negation in any of the languages, or ends with an English `n't`."""
    return word in _ANY or word.endswith("n't")
