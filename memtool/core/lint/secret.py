"""Secrets of a text as problems: which kind stands where, and never the secret itself."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import Mark
from memtool.core.secrets.redact import secrets
from memtool.core.text.pattern import compiled

_TOLD_BY_NAME = frozenset({"password", "token", "api-key"})
"""Kinds that only the words before them give away; the others have the form that their vendors gave them."""

_ISSUED = _TOLD_BY_NAME - {"password"}
_SAMPLE = (
    r"(?i)x{4}|example|your[_-]|[_-]your|placeholder|change[_-]?(?:me|it)|dummy|insert[_-]|replace[_-]"
    r"|redacted|eyJzdWIiOiIxMjM0NTY3ODkw|ABC-DEF1234ghIkl|my[_-]?token|\.{3}|…|\*{3}|\$\{|(?<![a-z0-9])xxx(?![a-z0-9])"
)
"""What stands in the examples that vendors publish: `AKIAIOSFODNN7EXAMPLE`, `ghp_xxxx`, `xoxb-your-token`,
the subject 1234567890 of jwt.io, Telegram's bot; a random key has it once in a million. What is cut short
(`abc...`) or put together by a program (`Basic ${…}`) is no key either."""
_WORDY = r"(?:\d+:)?(?:[a-z]+\d{0,2}|\d{1,3})(?:[-_/.](?:[a-z]+\d{0,2}|\d{1,3}))+\Z|1234567890\Z"
"""A token that somebody made up: `mm-token-2`, `ollama-local`. Those that a service issues are random."""
_NOWHERE = r"@(?:[\w-]+\.)*(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)(?![\w.-])"
"""A host that is nobody's, or one's own (RFC 2606 and 6761), behind a password in an address."""
_NO_VALUE = (
    r"(?i)[<{(]|!\w+|[a-z_]\w*\(|op://|(?:vault|keychain|env|file|secret)s?:"
    r"|(?:pass(?:word|wd)?|pwd|secret)\Z"
)
"""How a value begins that is written to be filled in, is fetched from elsewhere, or is a type of a schema."""
_BADGE = ".svg?token="
"""A picture's address: its token shows a badge of a private repository to whoever reads the page."""
_REPEATED = r"(.)\1{5}"
_KEY = r"[A-Za-z0-9+/]{40}"
"""A line of a private key; where there is none, only the words around it stand there."""


def marks(text: str) -> Iterator[Mark]:
    """The secrets of a text, but for samples, which are redacted all the same where memtool writes them."""
    for secret in secrets(text):
        by_name = secret.kind in _TOLD_BY_NAME
        value = text[secret.start : secret.end]
        is_public = compiled(_NOWHERE).match(text, secret.end) or text.endswith(_BADGE, 0, secret.start)
        if is_public or _is_sample(value, secret.kind, by_name=by_name):
            continue
        said = (
            f"what looks like {_article(secret.kind)} stands here in clear"
            if by_name
            else (f"{_article(secret.kind)} stands here in clear")
        )
        yield Mark(secret.start, "M502" if by_name else "M501", said)


def _is_sample(value: str, kind: str, *, by_name: bool) -> bool:
    """Whether a secret is one that opens nothing: a sample, or a place to fill in."""
    if kind == "private-key":
        return value.startswith("-----") and compiled(_KEY).search(value) is None
    if compiled(_SAMPLE).search(value) is not None:
        return True
    if kind in _ISSUED and compiled(_WORDY).match(value) is not None:
        return True
    return (compiled(_NO_VALUE).match(value) if by_name else compiled(_REPEATED).search(value)) is not None


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind.replace('-', ' ')}"
