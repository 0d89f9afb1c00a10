"""Secrets that follow a name: `password: x`, `API_KEY=x`, `my password is x`, `//me:x@host`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtool.core.text.regex import regex

_SIGNS = ("pass", "pwd", "parol", "парол", "secret", "token", "key", "credential")

_NAME = (
    r"(?P<password>(?P<vault>(?<=\b1)password)|pass(?:word|wd|phrase|code)|pwd|parol(?:im|i)?|парол[ьи]?)"
    r"|(?P<token>(?:auth|access|refresh|bearer|bot|session|id|api|service)[ _-]?token)"
    r"|(?P<key>(?:api|app|access|secret|private|signing|encryption|account|master|auth|service|client|shared"
    r"|softlayer|cloudant|ibm|iam|cos)[ _-]?(?:access[ _-]?|api[ _-]?)?(?:key|secret))"
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
_ASSIGNMENT = rf"(?i)(?P<flag>--)?(?:{_NAME})s?[\"'’*_)\]]{{0,4}}(?:{_LINK}){_VALUE}"
_HEADER = (
    r"(?i)authorization[\"'*]{0,3}\s{0,3}[:=]\s{0,3}[\"']?(?:(bearer|basic|token|digest|apikey|bot)\s+)?"
    r"(?!\[REDACTED|[<$*{])([^\s\"',;]{8,}+)"
)
_BEARER = r"(?i)\bbearer\s+(?=[\w.~+/-]{0,60}\d)([\w.~+/-]{16,}+=*)"
_ADDRESS = (  # RFC 3986 user information up to the last @; / ? # and @ in it are often not escaped
    r"(?<=[A-Za-z0-9+.-])://[^\s/?#@:\"'<>]{0,256}:(?!\d{1,5}[/?#])"
    r"([^\s/\"'<>]{1,256}(?=@)|[^\s@\"'<>]{1,256}(?=@))"
)
_PARAMETER = r"&[\w.-]{1,40}=|\]\((?=https?:|mailto:|[#./<])"
_NUMBER = r"-?\d{1,20}(?:\.\d{1,20})?(?=,\s?[\"'{\[])"
_RUN = r"\S*+"
_END = r"[^\S\n]*(?:[.!?…,;)}\]|]|\n|$)"


def find_assigned(text: str) -> Iterator[tuple[str, int, int]]:
    """Each secret with its kind, start and end; they may overlap those of vendors' formats."""
    lowered = _lower(text)
    if any([sign in lowered for sign in _SIGNS]):  # noqa: C419 - a list is faster than a generator
        yield from _find_named(text, lowered)
    if "authorization" in lowered:
        for match in regex(_HEADER).finditer(text):
            if any(map(str.isdigit, match[2])) or (match[1] and match[2].lower() != match[2]):
                yield "token", *match.span(2)
    if "bearer" in lowered:
        for match in regex(_BEARER).finditer(text):
            yield "token", *match.span(1)
    if "://" in text:
        from memtool.core.secrets import secret_values

        for match in regex(_ADDRESS).finditer(text):
            if not secret_values.is_template(match[1]):
                yield "password", *match.span(1)


def _lower(text: str) -> str:
    """The text in lower case at the same offsets, for all letters that `re` matches in either case."""
    return text.replace("İ", "i").replace("ı", "i").replace("ſ", "s").lower()


def _find_named(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    position, pattern, signs = 0, regex(_ASSIGNMENT), _sign_offsets(folded)
    while named := _next_match(pattern, text, position, signs):
        group = next(name for name in ("double", "single", "tick", "plain") if named[name] is not None)
        position, end = named.span(group)
        long = group == "plain" and end == position + _MAX_VALUE
        if group == "plain":
            end = _value_end(text, position, end)
        if _is_kind(text, named.start()) or not _is_secret(named, text[position:end], group, end):
            continue
        if long and (run := regex(_RUN).match(text, end)):
            end = _value_end(text, position, run.end())
        yield "password" if named["password"] else "api-key" if named["key"] else "token", position, end
        position = end


def _sign_offsets(folded: str) -> list[int]:
    """The offsets of all signs, the last first."""
    offsets: set[int] = set()
    for sign in _SIGNS:
        offset = folded.find(sign)
        while offset >= 0:
            offsets.add(offset)
            offset = folded.find(sign, offset + 1)
    return sorted(offsets, reverse=True)


def _next_match(pattern: re.Pattern[str], text: str, start: int, signs: list[int]) -> re.Match[str] | None:
    """`pattern.search(text, start)`, tried only shortly before signs; removes the signs that it passes."""
    while signs:
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
            value, quoted, tight, regex(_END).match(named.string, end) is not None
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


def _is_kind(text: str, name: int) -> bool:
    """Whether the name at this offset is the kind in `[REDACTED:<kind>]`."""
    bracket = text.rfind("[REDACTED:", max(0, name - 40), name)
    return bracket >= 0 and "]" not in text[bracket:name]
