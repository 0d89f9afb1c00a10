"""Whether a value after the name of a secret is one: `hunter2`, but not "too short" or `${PASSWORD}`."""

from __future__ import annotations

import re
from itertools import pairwise

from memtool.core.text.regex import regex

_TEMPLATE = (
    r"\[REDACTED|(?:<[^>]*>?|\[[A-Za-z _-]+\]|\{\{?[^}]*\}?\}|\$\([^)]*\)?|\$\{[^}]*\}?|\$[A-Z_]+|\$[a-z_]+"
    r"|%[A-Z_a-z]+%|%\(?\w*\)?[sdr]|[xX*.•…_?-]+)$"
)
_PLACEHOLDER = (
    r"(?:(?:your|my|the|some|an?)[_ -].*|example.*|placeholder|null|none|nil|undefined|true|false|redacted"
    r"|changeit|process\.env.*|os\.\w+.*|[A-Za-z_][\w.]*\((?:[^)]*\)\S*|[\"'][^)]*|[A-Za-z_.]+)?|[A-Z][A-Za-z]+\[[\w., |\[\]\"']*)$"
)
# Words after "password" or "token" in prose about them: algorithms, lengths, dates, paths, plain words.
_TECHNICAL = (
    r"(?:(?:base|sha|md|utf|aes|rsa|argon|oauth|http|ipv|win|iso|rfc|tls|ssl|hmac|pbkdf|blake)[-_/]?\d{1,5}"
    r"[a-z]{0,3}(?:[-_/.]\w{1,12}){0,3}|(?:ed|x|v|es|rs|hs|s|ec)\d{1,5}(?:\.\d+)*|b?crypt\S*"
    r"|\d{1,4}[-–]?(?:(?:char|byte|bit|digit|day|hour|minute|min|month|year|letter|word|second|sec|week|time"
    r"|step|factor)[a-z-]{0,20}|fa|ms|kb|mb|k|h|d|s|m|st|nd|rd|th|x|am|pm)?"
    r"|\d{4}-\d{2}-\d{2}\S*|\d{1,2}:\d{2}\S*|\d+(?:\.\d+)+|https?://\S*|[~.]{0,2}/\S*/\S*"
    r"|\S+\.(?:md|py|txt|json|ya?ml|env)|[^\W\d_]+(?:[-'’/][^\W\d_]+)*|#\d+|\d+%)$"
)
_RANDOM = r"[\w+/.~-]+={0,2}$"
_IDENTIFIER = (
    r"(?=.*(?:pass|pwd|secret|token|key|config|setting|env|self|args|user|get|request))"
    r"[a-z_]\w*(?:[.\[][a-z_\"']\w*[\"'\]]*)*$"
)
_FILE = (
    r"[\w./~-]*\.(?:env|netrc|npmrc|pypirc|pgpass|htpasswd|json|ya?ml|toml|ini|conf|cfg|md|txt|py|[jt]sx?"
    r"|sh)$"
)
_ATTRIBUTE = r"[a-z][a-z_-]{0,20}=[\"']"
_TYPED = r"(?:type|kind|mode|format): \"[a-z0-9_-]{0,20}\"$"
_SETTING = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[a-z]\w*(?:\.[a-z]\w*)+$"
_CODE = r"[$@&*?]?[\w\s.:/\\(){}\[\]<>\"'=,;|-]*$"
_MAX_SETTING_DIGITS = 3
"""The most digits in the name of a setting; a value with more is random."""
_MAX_COUNT_DIGITS = 7
"""The most digits of a number about a token: its size, or its lifetime."""
_WORDS = (
    "required optional missing invalid incorrect wrong expired empty string str text unknown hidden masked "
    "encrypted hashed secret password token yes no ok okay correct valid changed reset removed deleted here "
    "below above tbd todo later same none null bytes varchar number integer int bool boolean object any "
    "field input prompt pass passwd passwort pwd user username mypassword protected sent saved stored rotated revoked unset disabled enabled securely safe"
)
_ORDINARY = frozenset(_WORDS.split())


def _matches(pattern: str, value: str) -> bool:
    return regex(pattern, re.IGNORECASE).match(value) is not None


def is_template(value: str) -> bool:
    """Whether a value is a template: `<password>`, `${TOKEN}`, `********`."""
    return _matches(_TEMPLATE, value)


def is_placeholder(value: str) -> bool:
    """Whether a value is a placeholder for a secret: a template, `your-key`, `undefined`, `getpass()`."""
    return is_template(value) or _matches(_PLACEHOLDER, value)


def is_technical(value: str) -> bool:
    """Whether a value is an algorithm, a length, a date, a path or a plain word."""
    return _matches(_TECHNICAL, value)


def is_ordinary(value: str) -> bool:
    """Whether a value is a word that stands for a password in documentation: `password`, `secret`."""
    return value.lower() in _ORDINARY


def has_letters_and_digits(value: str) -> bool:
    """Whether a value has letters and digits."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


_MIN_CHANGES = 0.34
"""Changes of the class of character (lower, upper, digit) per character; random text has 0.62, camel case 0.33."""
_MIN_PLAIN_CHANGES = 0.27
"""The same for letters of one case with digits; hexadecimal digits have 0.47, base 32 has 0.3."""


def is_random(value: str, mixed: bool = True) -> bool:
    """Whether letters and digits look random; `mixed` asks for letters of both cases and a digit."""
    classes = [0 if char.isdigit() else 1 if char.islower() else 2 for char in value if char.isalnum()]
    if len({*classes}) < (3 if mixed else 2) or 0 not in classes:
        return False
    changes = sum(before != after for before, after in pairwise(classes))
    return changes >= (_MIN_CHANGES if mixed else _MIN_PLAIN_CHANGES) * len(classes)


def names_location(value: str, code: bool, beside: bool) -> bool:
    """Whether a value names the location of a secret and is not one itself: `.env`.

    Directly `beside` a name it may also be an attribute: `type="string"`; as code the name of a setting or
    variable, or a type: `gateway.auth.password`, `DB_PASSWORD`, `type: "oauth2"`.
    """
    if _matches(_FILE, value) or (beside and regex(_ATTRIBUTE).match(value) is not None):
        return True
    if not code or regex(_TYPED).match(value) is not None:
        return code
    is_setting = _matches(_IDENTIFIER, value) and regex(_SETTING).match(value) is not None
    return is_setting and sum(map(str.isdigit, value)) <= _MAX_SETTING_DIGITS


def _is_code(value: str) -> bool:
    """Whether code after "the token is" may be a name, a call or a size."""
    return (
        not has_letters_and_digits(value)
        and sum(map(str.isdigit, value)) <= _MAX_COUNT_DIGITS
        and _matches(_CODE, value)
    )


def is_vague_secret(value: str, quoted: bool) -> bool:
    """Whether a value after a vague name such as `key` is a secret: only if it is clearly random."""
    is_mixed_case = value not in {value.lower(), value.upper()}
    is_long = len(value) >= (16 if quoted else 24)
    return (
        is_long
        and is_mixed_case
        and has_letters_and_digits(value)
        and _matches(_RANDOM, value)
        and not _matches(_TECHNICAL, value)
    )


def is_adjacent_password(value: str) -> bool:
    """Whether a value directly after the word password is a secret: `login sardor password hunter2`."""
    return (
        has_letters_and_digits(value)
        and len(value) >= 6
        and not is_placeholder(value)
        and not _matches(_TECHNICAL, value)
    )


def is_stated_secret(value: str, password: bool, quoted: bool, code: bool) -> bool:
    """Whether a value in prose after "is" is a secret, and not a word or a name in code."""
    if len(value) < 4 or is_placeholder(value) or (code and not password and _is_code(value)):
        return False
    if quoted:
        return " " not in value or not _matches(_TECHNICAL, value)
    if _matches(_TECHNICAL, value) and not (password and value.isdigit() and len(value) > 4):
        return False
    if has_letters_and_digits(value):
        return len(value) >= 6
    letters = any(map(str.isalpha, value))
    return password and (
        value.isdigit() or (letters and not value.replace("-", "").replace("'", "").isalnum())
    )


def is_assigned_password(value: str, quoted: bool, tight: bool, last: bool) -> bool:
    """Whether a value after `password:` is a secret; a plain word is if quoted, after `=`, or last."""
    if len(value) < 4 or is_placeholder(value) or value.startswith(("http://", "https://")):
        return False
    if not quoted and not any(map(str.isdigit, value)) and _matches(_IDENTIFIER, value):
        return False
    if value.isdigit() or not _matches(_TECHNICAL, value):
        return True
    return value.lower() not in _ORDINARY and value.isalpha() and (quoted or tight or last)


def is_assigned_token(value: str, quoted: bool, tight: bool) -> bool:
    """Whether a value after `token:` or `API_KEY=` is a secret: from 8 characters, a word only after `=`."""
    if len(value) < 8 or is_placeholder(value) or value.startswith(("http://", "https://")):
        return False
    if not any(map(str.isdigit, value)):
        return tight and not quoted and not _matches(_IDENTIFIER, value)
    return not _matches(_TECHNICAL, value) and (
        quoted or tight or has_letters_and_digits(value) or len(value) >= 16
    )
