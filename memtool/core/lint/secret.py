"""Secret check: reports the kind and place of each secret in a text, never the secret itself."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import Mark
from memtool.core.secrets.redact import secrets
from memtool.core.text.pattern import compiled

_TOLD_BY_NAME = frozenset({"password", "token", "api-key"})
"""Kinds that are recognised only by a keyword before them; the others have a format of their vendor."""

_ISSUED = _TOLD_BY_NAME - {"password"}
_SAMPLE = (
    r"(?i)x{4}|example|your[_-]|[_-]your|placeholder|change[_-]?(?:me|it)|dummy|insert[_-]|replace[_-]"
    r"|redacted|eyJzdWIiOiIxMjM0NTY3ODkw|ABC-DEF1234ghIkl|my[_-]?token|\.{3}|…|\*{3}|\$\{|(?<![a-z0-9])xxx(?![a-z0-9])"
)
"""Marks of the examples that vendors publish: `AKIAIOSFODNN7EXAMPLE`, `ghp_xxxx`, `xoxb-your-token`, the
subject 1234567890 of jwt.io, Telegram's bot; one random key in a million contains one. A truncated value
(`abc...`) and an interpolated one (`Basic ${…}`) are no keys either."""
_WORDY = r"(?:\d+:)?(?:[a-z]+\d{0,2}|\d{1,3})(?:[-_/.](?:[a-z]+\d{0,2}|\d{1,3}))+\Z|1234567890\Z"
"""A made-up token such as `mm-token-2` or `ollama-local`; tokens issued by a service are random."""
_NOWHERE = r"@(?:[\w-]+\.)*(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)(?![\w.-])"
"""A reserved or local host (RFC 2606 and 6761) after a password in a URL."""
_NO_VALUE = (
    r"(?i)[<{(]|!\w+|[a-z_]\w*\(|op://|(?:vault|keychain|env|file|secret)s?:"
    r"|(?:pass(?:word|wd)?|pwd|secret)\Z"
)
"""The beginning of a value that is a placeholder, a reference to a secret store, or a type of a schema."""
_BADGE = ".svg?token="
"""The URL of a badge of a private repository, whose token is public by design."""
_REPEATED = r"(.)\1{5}"
_KEY = r"[A-Za-z0-9+/]{40}"
"""A line of a private key; without one, only its header and footer are there."""


def marks(text: str) -> Iterator[Mark]:
    """The secrets in a text, except samples; memtool redacts samples too when it writes them."""
    for secret in secrets(text):
        is_by_keyword = secret.kind in _TOLD_BY_NAME
        value = text[secret.start : secret.end]
        is_public = compiled(_NOWHERE).match(text, secret.end) or text.endswith(_BADGE, 0, secret.start)
        if is_public or _is_sample(value, secret.kind, by_name=is_by_keyword):
            continue
        subject = f"what looks like {_article(secret.kind)}" if is_by_keyword else _article(secret.kind)
        message = f"{subject} stands here in clear"
        yield Mark(secret.start, "M502" if is_by_keyword else "M501", message)


def _is_sample(value: str, kind: str, *, by_name: bool) -> bool:
    """Whether a secret is a sample or a placeholder."""
    if kind == "private-key":
        return value.startswith("-----") and compiled(_KEY).search(value) is None
    if compiled(_SAMPLE).search(value) is not None:
        return True
    if kind in _ISSUED and compiled(_WORDY).match(value) is not None:
        return True
    return (compiled(_NO_VALUE).match(value) if by_name else compiled(_REPEATED).search(value)) is not None


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind.replace('-', ' ')}"
