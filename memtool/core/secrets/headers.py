"""Secrets in HTTP headers: Authorization with any scheme, Cookie and Set-Cookie, `X-...-Token`."""

from __future__ import annotations

from binascii import Error, a2b_base64
from collections.abc import Container, Iterator

from memtool.core.secrets import secret_values
from memtool.core.text.regex import regex

_QUOTES = r"[\"'*`\\]{0,4}"
_AUTHORIZATION = (
    rf"(?i)authorization{_QUOTES}\s{{0,3}}[:=,]\s{{0,3}}{_QUOTES}(?:([a-z][\w-]{{1,40}})[ \t]+)?"
    r"(?!\[REDACTED|[<$*{])([^\s\"'`,;\\]{8,}+)([^\n]{0,2000})"
)
_KNOWN_SCHEMES_WORDS = (
    "bearer basic token digest apikey api-key bot ssws genie geniekey key oauth negotiate ntlm hawk splunk"
)
_KNOWN_SCHEMES = frozenset(_KNOWN_SCHEMES_WORDS.split())
_SIGNED = (
    r"(?i)(?:response|signature|mac|token|oauth_token|oauth_signature|credential|key|cnonce)=[\"']?"
    r"([^\s\"',;]{8,512})"
)
_BEARER = r"bearer(?<!\w.{6})\s+(?=[\w.~+/-]{0,60}\d)([\w.~+/-]{16,}+=*)"
_BASIC = r"basic(?<!\w.{5})\s+([a-z0-9+/]{8,}+={0,2})"
_COOKIE = rf"(?i)(?<![\w-])(?:set-)?cookie{_QUOTES}\s{{0,2}}[:=,]([^\n]{{1,8000}})"
_PAIR = r"([\w.!#$%&*+^|~-]{1,80})=\"?([^;,\s\"'\\]{6,4096})"
_COOKIE_ATTRIBUTES_WORDS = "path domain expires max-age samesite version comment"
_COOKIE_ATTRIBUTES = frozenset(_COOKIE_ATTRIBUTES_WORDS.split())
_SESSION_NAME = (
    r"(?i)sess|sid|auth|token|jwt|csrf|xsrf|login|remember|secret|key|user|ticket|pass|account|identity|id$"
)
_TRACKING = r"(?:GA|fb)\d?\.\d"
"""Cookies of analytics name a browser and open nothing."""
_MIN_SESSION = 20
"""Characters from which any random value of a cookie is taken for that of a session."""
_NAMED = (
    r"x-(?<![\w-]..)(?=[\w-]{0,60}(?:auth|key|token|secret|signature|session|csrf|xsrf|pass))[\w-]{2,60}"
    rf"{_QUOTES}\s{{0,2}}[:=,]\s{{0,2}}{_QUOTES}([^\s\"'`,;\\]{{10,512}})"
)
_NETSCAPE = r"(?m)(?<!\S)\S{1,253}\t(?:TRUE|FALSE)\t\S{1,255}\t(?:TRUE|FALSE)\t\d{1,20}\t[^\t\n]{1,200}\t([^\s]{6,4096})$"


def find_in_headers(text: str, lowered: str, signs: Container[str]) -> Iterator[tuple[str, int, int]]:
    """Each secret with its kind, start and end.

    `lowered` is the text in lower case, at the same offsets, and `signs` says what it contains.
    """
    if "authorization" in signs:
        for match in regex(_AUTHORIZATION).finditer(text):
            if _is_authorization(match[1] or "", match[2]):
                yield "token", *match.span(2)
            if "=" in match[2] or "=" in match[3]:
                for part in regex(_SIGNED).finditer(text, match.start(2), match.end(3)):
                    if not secret_values.is_placeholder(part[1]):
                        yield "token", *part.span(1)
    if "bearer" in signs:
        for match in regex(_BEARER).finditer(lowered):
            yield "token", *match.span(1)
    if "basic" in signs:
        for match in regex(_BASIC).finditer(lowered):
            start, end = match.span(1)
            if is_encoded_pair(text[start:end]):
                yield "password", start, end
    if "cookie" in signs:
        for match in regex(_COOKIE).finditer(text):
            for pair in regex(_PAIR).finditer(text, *match.span(1)):
                if _is_session(pair[1], pair[2]):
                    yield "cookie", *pair.span(2)
    if "x-" in signs:
        for match in regex(_NAMED).finditer(lowered):
            if _is_header_value(match[1]):
                yield "token", *match.span(1)
    if "\ttrue\t" in signs or "\tfalse\t" in signs:
        for match in regex(_NETSCAPE).finditer(text):
            if secret_values.has_letters_and_digits(match[1]):
                yield "cookie", *match.span(1)


def is_encoded_pair(value: str) -> bool:
    """Whether a text is the base64 of `user:password`, as in the scheme Basic (RFC 7617)."""
    try:
        pair = a2b_base64(value + "=" * (-len(value) % 4), strict_mode=True).decode()
    except (Error, ValueError):
        return False
    return pair.isprintable() and ":" in pair[1:] and not pair.endswith(":")


def _is_authorization(scheme: str, value: str) -> bool:
    if secret_values.is_placeholder(value):
        return False
    if not scheme or scheme.lower() in _KNOWN_SCHEMES:
        return any(map(str.isdigit, value)) or (scheme != "" and value.lower() != value)
    return _is_header_value(value)


def _is_session(name: str, value: str) -> bool:
    if name.lower() in _COOKIE_ATTRIBUTES or secret_values.is_placeholder(value):
        return False
    if regex(_TRACKING).match(value) or not secret_values.has_letters_and_digits(value):
        return False
    return regex(_SESSION_NAME).search(name) is not None or len(value) >= _MIN_SESSION


def _is_header_value(value: str) -> bool:
    return (
        len(value) >= _MIN_SESSION // 2
        and secret_values.has_letters_and_digits(value)
        and not secret_values.is_placeholder(value)
        and not secret_values.is_technical(value)
    )
