"""Secret check: reports the kind and place of each secret in a text, never the secret itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from memtool.core.lint.problem import TextProblem
from memtool.core.secrets.redact import Secret, find_secrets
from memtool.core.text.regex import regex

_KEYWORD_KINDS = frozenset({"password", "token", "api-key"})
"""Kinds that are recognised only by a keyword before them; the others have a format of their vendor."""

_ISSUED = _KEYWORD_KINDS - {"password"}
_SAMPLE = (
    r"(?i)x{4}|example|your[_-]|[_-]your|placeholder|change[_-]?(?:me|it)|dummy|insert[_-]|replace[_-]"
    r"|redacted|eyJzdWIiOiIxMjM0NTY3ODkw|ABC-DEF1234ghIkl|my[_-]?token|\.{3}|…|\*{3}|\$\{|(?<![a-z0-9])xxx(?![a-z0-9])"
)
"""Marks of the examples that vendors publish: `AKIAIOSFODNN7EXAMPLE`, `ghp_xxxx`, `xoxb-your-token`, the
subject 1234567890 of jwt.io, Telegram's bot; one random key in a million contains one. A truncated value
(`abc...`) and an interpolated one (`Basic ${…}`) are no keys either."""
_MADE_UP = r"(?:\d+:)?(?:[a-z]+\d{0,2}|\d{1,3})(?:[-_/.](?:[a-z]+\d{0,2}|\d{1,3}))+\Z|1234567890\Z"
"""A made-up token such as `mm-token-2` or `ollama-local`; tokens issued by a service are random."""
_RESERVED_HOST = r"@(?:[\w-]+\.)*(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)(?![\w.-])"
"""A reserved or local host (RFC 2606 and 6761) after a password in a URL."""
_PLACEHOLDER = (
    r"(?i)[<{(]|!\w+|[a-z_]\w*\(|op://|(?:vault|keychain|env|file|secret)s?:"
    r"|(?:pass(?:word|wd)?|pwd|secret)\Z"
)
"""The beginning of a value that is a placeholder, a reference to a secret store, or a type of a schema."""
_BADGE = ".svg?token="
"""The URL of a badge of a private repository, whose token is public by design."""
_REPEATED = r"(.)\1{5}"
_KEY_LINE = r"[A-Za-z0-9+/]{40}"
"""A line of a private key; without one, only its header and footer are there."""


def secret_problems(
    text: str, find: Callable[[str], Sequence[Secret]] = find_secrets
) -> Iterator[TextProblem]:
    """The secrets in a text, except samples; memtool redacts samples too when it writes them."""
    for secret in find(text):
        is_by_keyword = secret.kind in _KEYWORD_KINDS
        value = text[secret.start : secret.end]
        is_public = regex(_RESERVED_HOST).match(text, secret.end) or text.endswith(_BADGE, 0, secret.start)
        if is_public or _is_sample(value, secret.kind, is_by_keyword=is_by_keyword):
            continue
        message = f"{'possible ' if is_by_keyword else ''}{secret.kind.replace('-', ' ')} in plain text"
        yield TextProblem(secret.start, "M502" if is_by_keyword else "M501", message)


def _is_sample(value: str, kind: str, *, is_by_keyword: bool) -> bool:
    """Whether a secret is a sample or a placeholder."""
    if kind == "private-key":
        return value.startswith("-----") and regex(_KEY_LINE).search(value) is None
    if regex(_SAMPLE).search(value) is not None:
        return True
    if kind in _ISSUED and regex(_MADE_UP).match(value) is not None:
        return True
    return (regex(_PLACEHOLDER).match(value) if is_by_keyword else regex(_REPEATED).search(value)) is not None
