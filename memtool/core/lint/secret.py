"""Secrets of a text as problems: which kind stands where, and never the secret itself."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import Mark
from memtool.core.redact import secrets

_TOLD_BY_NAME = frozenset({"password", "token", "api-key"})
"""Kinds that only the words before them give away; the others have the form that their vendors gave them."""


def marks(text: str) -> Iterator[Mark]:
    """The secrets of a text."""
    for secret in secrets(text):
        by_name = secret.kind in _TOLD_BY_NAME
        said = (
            f"what looks like {_article(secret.kind)} stands here in clear"
            if by_name
            else (f"{_article(secret.kind)} stands here in clear")
        )
        yield Mark(secret.start, "M502" if by_name else "M501", said)


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind.replace('-', ' ')}"
