"""Secrets that follow a name: `password: x`, `API_KEY=x`, `my password is x`, `//me:x@host`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from memtool.core.text.regex import regex

_SIGNS = ("pass", "pw", "secret", "token", "key", "credential", "psk")

_NAME = (
    r"(?P<password>(?P<vault>(?<=\b1)password)|pass(?:word|wd|phrase|code)|pwd|(?P<short>(?<![A-Za-z])(?:pw|psk)))"
    r"|(?P<token>(?:auth|access|refresh|bearer|bot|session|id|api|service)[ _-]?token)"
    r"|(?P<key>(?:api|app|access|secret|private|sign(?:ing)?|encrypt(?:ion)?|account|master|auth|service(?:[ _-]role)?|client|shared"
    r"|softlayer|cloudant|ibm|iam|cos|admin|license|webhook|session|cookie|crypto?|hmac|jwt|aes|deploy|ingest(?:ion)?|integration"
    r"|subscription|consumer|functions?|host|storage|management|project|bot|user|site|server|write|dd|aws|gpg|pgp)[ _-]?(?:access[ _-]?|api[ _-]?)?(?:key|secret))"
    r"|(?P<weak>token|secret|credential)"
    r"|(?P<vague>(?<![A-Za-z])(?:(?:sl|cl|clou)[_-]?)?(?:api)?(?:key|pass))"
)
_GAP = r"[^\S\n]{0,4}"
_FOR = r"(?: (?:for|to|of|on|at|in|from)(?: [^\s:=]{1,30}){1,4}?)?"
_LINK = (
    rf"(?P<sign>{_FOR}{_GAP}(?:=>|->|→|:=|={{1,2}}|:{{1,2}}|\|)[*_]{{0,2}}{_GAP}(?:\n[^\S\n]{{0,8}})?)"
    rf"|(?P<prose>(?:['’]s)?{_FOR}(?: is| was| will be| equals|['’]s)(?: now| set to)?:? )"
    r"|(?P<bare> )"
)
_MAX_VALUE = 512
_VALUE = (
    r"[*_]{0,2}(?:\"(?P<double>[^\"\n]{1,512})\"|'(?P<single>[^'\n]{1,512})'|`(?P<tick>[^`\n]{1,512})`"
    r"|(?P<plain>[^\s\"`]\S{0,511}))"
)
_BEFORE = 24
"""The most characters of a name before its sign: `--softlayer-access-` has 19."""
_SUFFIX = (
    r"(?:s|[_-]?(?:base|prod(?:uction)?|dev(?:elopment)?|test|live|stag(?:e|ing)|qa|uat|old|new|current|main|default|primary"
    r"|secondary|value|raw|text|string|plain|b64|base64|data|env|[a-z]?\d{1,4}))?"
)
"""What may follow a name in the names of variables: `SECRET_KEY_BASE`, `password_2`, `API_KEY_PROD`."""
_ASSIGNMENT = (
    rf"(?i)(?P<flag>--)?(?:{_NAME}){_SUFFIX}(?:\\{{0,3}}[\"'’*_)\]]){{0,4}}(?:{_LINK})\\{{0,3}}{_VALUE}"
)
_ADDRESS = (  # RFC 3986 user information up to the last @; / ? # and @ in it are often not escaped
    r"(?<=[A-Za-z0-9+.-])://[^\s/?#@:\"'<>]{0,256}:(?!\d{1,5}[/?#])"
    r"([^\s/\"'<>]{1,256}(?=@)|[^\s@\"'<>]{1,256}(?=@))"
)
_PARAMETER = r"&[\w.-]{1,40}=|\]\((?=https?:|mailto:|[#./<])"
_NUMBER = r"-?\d{1,20}(?:\.\d{1,20})?(?=,\s?[\"'{\[])"
_RUN = r"\S*+"
_END = r"[^\S\n]*(?:[.!?…,;)}\]|]|\n|$)"


_TAIL = (
    r"(?:(?P<word>pass(?:word|wd|phrase|code)?|pwd?|psk)|token|secret|key|credential)"
    rf"{_SUFFIX}(?:\\{{0,3}}[\"'’*_)\]]){{0,4}}(?:{_LINK})"
)
"""The end of a name and its link; a link that is a blank is one only after the word password, or an option."""
_TRANSLATED_SIGNS = (
    *(
        "passwort",
        "kennwort",
        "contrase",
        "clave",
        "mot de passe",
        "mdp",
        "senha",
        "palavra",
        "парол",
        "şifre",
        "sifre",
    ),
    *("parol", "maxfiy", "密码", "密碼", "口令", "パスワード", "暗証番号"),
)
_TRANSLATED = (
    r"(?:(?:passwort|kennwort|contrase[nñ]a|clave(?: de acceso)?|mots? de passe|mdp|senha|palavra[- ]passe"
    r"|пароль|пароля|паролем|[şs]ifre|parola|parol|maxfiy so['ʻ’‘`]z)[a-zıığşöüçи]{0,8}"
    r"|密[码碼]|口令|パスワード|暗証番号)"
)
_TRANSLATED_LINK = (
    r"[\"'’*_)」』]{0,3}(?:[^\S\n]{1,3}[^\s:：=]{1,30}){0,4}?[^\S\n]{0,3}"
    r"(?:(?P<sign>[:：=]|=>)|(?P<verb>(?<!\w)(?:ist|lautet|es|est|é|это|[—–-])(?=\s)|是|为|為|は|(?<=\s)))[^\S\n]{0,3}"
)
_TRANSLATED_VALUE = r"(?:[\"'`«„“「『](?P<quoted>[^\"'`»”“」』\n]{3,256})|(?P<plain>[!-~]{4,256}))"
_LETTERS_AND_DIGIT = 6
"""The fewest characters of a password after a verb in prose."""


def find_assigned(text: str, lowered: str, signs: Container[str]) -> Iterator[tuple[str, int, int]]:
    """Each secret with its kind, start and end.

    `lowered` is the text in lower case, see `lower`, and `signs` says what it contains.
    """
    if any([sign in signs for sign in _SIGNS]):  # noqa: C419 - a list is faster than a generator
        yield from _find_named(text, lowered)
    if any([sign in signs for sign in _TRANSLATED_SIGNS]):  # noqa: C419
        yield from _find_translated(text, lowered)
    if "://" in signs:
        from memtool.core.secrets import secret_values

        for match in regex(_ADDRESS).finditer(text):
            if not (secret_values.is_template(match[1]) or secret_values.is_ordinary(match[1])):
                yield "password", *match.span(1)


def lower(text: str) -> str:
    """The text in lower case at the same offsets, for all letters that `re` matches in either case."""
    if text.isascii():
        return text.lower()
    return text.replace("İ", "i").replace("ı", "i").replace("ſ", "s").lower()


def _find_named(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    position, pattern, signs = 0, regex(_ASSIGNMENT), _sign_offsets(folded)
    while named := _next_match(pattern, text, folded, position, signs):
        group = next(name for name in ("double", "single", "tick", "plain") if named[name] is not None)
        position, end = named.span(group)
        long = group == "plain" and end == position + _MAX_VALUE
        if group == "plain":
            end = _value_end(text, position, end)
        if _is_kind(text, named.start()) or not _is_secret(named, text[position:end], group, end):
            continue
        if long and (run := regex(_RUN).match(text, end)):
            end = _value_end(text, position, run.end())
        end = _with_marks(text, end) if group == "plain" and named["password"] else end
        yield "password" if named["password"] else "api-key" if named["key"] else "token", position, end
        position = end


def _find_translated(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Passwords after the word for them in German, Spanish, French, Portuguese, Russian, Turkish, Uzbek, Chinese, Japanese.

    A word without a digit or sign in it is a password only in quotes, since it may say that one is needed.
    """
    from memtool.core.secrets import secret_values

    for match in regex(_TRANSLATED + _TRANSLATED_LINK + _TRANSLATED_VALUE).finditer(lowered):
        group = "quoted" if match["quoted"] is not None else "plain"
        start, end = match.span(group)
        if group == "plain":
            end = _value_end(text, start, end)
        value = text[start:end]
        if secret_values.is_placeholder(value) or secret_values.is_ordinary(value):
            continue
        is_mixed = secret_values.has_letters_and_digits(value)
        is_number = value.isdigit() and len(value) >= 4
        has_sign = any(not char.isalnum() for char in value) and any(map(str.isalpha, value))
        if match["sign"]:
            is_secret = is_mixed or is_number or group == "quoted" or (has_sign and value.isascii())
        else:
            is_secret = len(value) >= _LETTERS_AND_DIGIT and is_mixed
        if (is_secret and not secret_values.is_technical(value)) or (is_number and match["sign"]):
            yield "password", start, _with_marks(text, end) if group == "plain" else end


def _sign_offsets(folded: str) -> list[int]:
    """The offsets of all signs, the last first."""
    offsets: set[int] = set()
    for sign in _SIGNS:
        offset = folded.find(sign)
        while offset >= 0:
            offsets.add(offset)
            offset = folded.find(sign, offset + 1)
    return sorted(offsets, reverse=True)


def _next_match(
    pattern: re.Pattern[str], text: str, folded: str, start: int, signs: list[int]
) -> re.Match[str] | None:
    """`pattern.search(text, start)`, tried only shortly before signs; removes the signs that it passes."""
    tail = regex(_TAIL)
    while signs:
        if (ending := tail.match(folded, signs[-1])) is None or (
            ending["bare"]
            and not ending["word"]
            and "--" not in folded[max(0, signs[-1] - _BEFORE) : signs[-1]]
        ):
            signs.pop()
            continue
        for offset in range(max(start, signs[-1] - _BEFORE), signs[-1] + 1):
            if hit := pattern.match(text, offset):
                return hit
        start = max(start, signs.pop() + 1)
    return None


def _is_secret(named: re.Match[str], value: str, group: str, end: int) -> bool:
    from memtool.core.secrets import secret_values  # late for start-up: most messages name no secret

    password, quoted = named["password"] is not None, group != "plain"
    is_given = password and named["sign"] is not None and secret_values.has_letters_and_digits(value)
    if not is_given and secret_values.names_location(
        value, code=group == "tick", beside=named["bare"] is not None
    ):
        return False
    tight = named["sign"] in {"=", None} and named["prose"] is None
    if named["vault"] and not (quoted or tight or secret_values.is_adjacent_password(value)):
        return False
    if named["vague"]:
        return named["sign"] is not None and secret_values.is_vague_secret(value, quoted)
    if named["prose"]:
        return secret_values.is_stated_secret(value, password, quoted, code=group == "tick")
    if named["bare"] and not named["flag"]:
        return password and named["vault"] is None and secret_values.is_adjacent_password(value)
    if password:
        return secret_values.is_assigned_password(
            value,
            quoted,
            tight and named["short"] is None,
            named["short"] is None and regex(_END).match(named.string, end) is not None,
        )
    return secret_values.is_assigned_token(value, quoted, tight)


def _value_end(text: str, start: int, end: int) -> int:
    """The end of an unquoted value.

    It ends before the next parameter of a URL or the target of a link, after a JSON number, and before
    closing punctuation.
    """
    if parameter := regex(_PARAMETER).search(text, start, end):
        end = parameter.start()
    elif number := regex(_NUMBER).match(text, start):
        end = number.end()
    while end > start and text[end - 1] in ".,;:!?)]}>\"'`*|…":
        end -= 1
    return end


def _with_marks(text: str, end: int) -> int:
    """The end of a password with the marks after it that may be its last characters."""
    while text[end : end + 1] in {"!", "?"}:
        end += 1
    return end


def _is_kind(text: str, name: int) -> bool:
    """Whether the name at this offset is the kind in `[REDACTED:<kind>]`."""
    bracket = text.rfind("[REDACTED:", max(0, name - 40), name)
    return bracket >= 0 and "]" not in text[bracket:name]
