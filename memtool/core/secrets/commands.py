"""Secrets in command lines and configuration: `curl -u me:x`, `sshpass -p x`, Docker's `"auth"`, `.pgpass`."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import pairwise

from memtool.core.secrets import secret_values
from memtool.core.text.regex import regex

_REST = r"(?:[^\n]|\\\n){0,400}?"
"""The rest of a command, with its continued lines."""
_WORD = r"[\"']?([^\s\"'|]{3,256})"

_COMMANDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        (" -u", "--user", "--proxy-user", "--auth"),
        (
            rf"\b(?:curl|wget|https?|xh)\b{_REST}\s(?:-u|--user|--proxy-user|-a|--auth)(?:[= ]\s*)?"
            r"[\"']?[^\s\"':$<]{1,100}:([^\s\"'|]{3,256})"
        ),
    ),
    (
        ("sshpass",),
        r"\bsshpass\s+(?:-[ve]\s+)*-p\s*(?:\"([^\"\n]{1,256})|'([^'\n]{1,256})|([^\s\"']{1,256}))",
    ),
    (
        ("mysql", "mariadb"),
        rf"\b(?:mysql|mariadb)(?:dump|admin|import|check|show|slap)?\b{_REST}[ \t]-p(?=[a-z]{{0,80}}[^\sa-z=]){_WORD}",
    ),
    (("redis-cli",), rf"\bredis-cli\b{_REST}\s-a\s+{_WORD}"),
    (("login ",), rf"login\b{_REST}\s-p(?:[= ]\s*){_WORD}"),
    (
        (" -u",),
        r"\s-u[= ]?\s?[^\s-]\S{0,80}\s+-p[= ]?\s?[\"']?(?=[^\s\"']{0,80}\d)(?=[^\s\"']{0,80}[a-z])([^\s\"'|]{5,256})",
    ),
    (("ldap",), rf"ldap\w+\b{_REST}\s-w\s+{_WORD}"),
    (
        ("smb", "rpcclient", "net "),
        rf"\b(?:smb\w+|rpcclient|net)\b{_REST}\s-u\s*[\"']?[^\s\"'%]{{1,80}}%{_WORD}",
    ),
    (("openssl",), rf"\bopenssl\b{_REST}\s-k\s+{_WORD}"),
    (("-pass",), r"-pass(?:in|out)?\s+[\"']?pass:([^\s\"']{3,256})"),
    (("-storepass", "-keypass"), rf"-(?:store|key)pass(?::\w+)?\s+{_WORD}"),
    (
        ("sudo -s", "-stdin"),
        r"\becho\s+(?:-n\s+)?(?:\"([^\"\n]{3,256})\"|'([^'\n]{3,256})'|([^\s\"'|]{3,256}))\s*\|\s*(?:sudo\s+-s|[^\n|]{0,200}?-stdin)",
    ),
    (
        ("chpasswd",),
        r"\becho\s+(?:-n\s+)?[\"']?[\w.-]{1,64}:([^\s\"'|]{3,256})[\"']?\s*\|\s*(?:sudo\s+)?chpasswd",
    ),
    (("htpasswd",), rf"\bhtpasswd\s+-\w*b\w*\s+\S{{1,200}}\s+\S{{1,80}}\s+{_WORD}"),
    (
        ("net use",),
        rf"\bnet use\s+\S{{1,200}}\s+(?:\S{{1,200}}\s+)?(?!/){_WORD}\s+/user:|/user:\S{{1,80}}\s+(?!/){_WORD}",
    ),
    (("securestring",), r"convertto-securestring\s+(?:-string\s+)?[\"']([^\"'\n]{3,256})[\"']"),
    (("identified",), r"identified\s+(?:with\s+\w+\s+)?by\s+[\"'`]([^\"'`\n]{3,256})[\"'`]"),
    (("auth",), r"\bauth\s?=\s?\(\s?[\"'][^\"'\n]{1,100}[\"'],\s?[\"']([^\"'\n]{3,256})[\"']"),
    (("zip",), rf"\b(?:un)?zip\b{_REST}\s-p\s+{_WORD}"),
    (("7z",), rf"\b7za?\b{_REST}\s-p{_WORD}"),
    (("snmp",), rf"\bsnmp\w+\b{_REST}\s-[ax]\s+{_WORD}"),
    (
        ("sqlplus", "expdp", "impdp", "sqlldr", "thin:"),
        r"(?:\b(?:sqlplus|expdp|impdp|sqlldr)\s+(?:-\w+\s+)?|thin:)[\w$#]{1,60}/([^\s@\"']{3,256})@",
    ),
    (("wifi:",), r"wifi:(?:[tsh]:[^;\n]{0,100};){1,4}p:([^;\n]{4,100})"),
    (("psk",), r"psk\s?=\s?[\"']?([^\"'\n]{8,64})"),
    ((":5432:", ":*:"), r"(?m)(?<!\S)[\w.*-]{1,253}:(?:\d{4,5}|\*):[\w*-]{1,63}:[\w.@-]{1,63}:(\S{3,256})$"),
    (
        ("cred", "login"),
        (
            r"(?:cred|log-?in)(?:entials?|s)?\b[\"'*]{0,2}(?:\s+(?:for|to|of)\s\S{1,40}){0,2}\s{0,2}(?:[:=]|\s(?:is|are)\b)\s{0,2}"
            r"[\"'`]?[\w.@+-]{2,64}\s?[:/]\s?(?=[^\s\"'`]{0,60}\d)(?=[^\s\"'`]{0,60}[a-z])([^\s\"'`/]{6,256})"
        ),
    ),
    (
        ("value",),
        (
            r"name[\"'\\]{0,3}\s{0,3}[:=]\s{0,3}[\"'\\]{0,3}[\w.-]{0,60}(?:key|token|secret|password|passwd|pwd)"
            r"[\"'\\]{0,3}\s{0,8},?\s{0,40}[\"'\\]{0,3}value[\"'\\]{0,3}\s{0,3}[:=]\s{0,3}[\"'\\]{0,3}([^\s\"',}<\\]{6,512})"
        ),
    ),
    (
        ("env ", "setx "),
        r"(?:env|setx)(?<!\w....)[ ]\w{0,60}(?:key|token|secret|pass(?:word|wd)?|pwd)[ ][\"']?(?=\D{0,80}\d)([^\s\"'=]{6,512})(?![=\w])",
    ),
    (
        ("</",),
        (
            r"<(?:[\w.-]{1,40}:)?[\w.-]{0,40}(?:password|passwd|passphrase|secret|token|api-?key|privatekey|secretkey|accesskey)"
            r"(?:\s[^<>\n]{0,100})?>([^<>\s]{6,512})</"
        ),
    ),
)
"""Signs, one of which a text has, and the pattern, both for text in lower case; the secret is its last group."""

_AUTH = r"auth(?<=[\"'_]auth)[\"']?\s{0,4}[:=]\s{0,4}[\"']?([A-Za-z0-9+/]{8,}+={0,2})"
_USERINFO = r"(?<=[A-Za-z0-9+.-])://([\w.~-]{16,256})@"
_JWK = r"\"(?:d|p|q|dp|dq|qi|k)\"\s{0,4}:\s{0,4}\"([\w-]{16,2048})\""
_MANIFEST_KIND = r"(?m)^kind:\s*[\"']?Secret\b"
_MANIFEST_VALUE = r"(?m)^[ \t]{1,8}[\w.-]{1,100}:[ \t]+[\"']?([A-Za-z0-9+/]{8,}+={0,2})[\"']?[ \t]*$"
_PARAMETER = (
    r"[?&;](?:key|sig|signature|hmac|sid|auth|jwt|x-amz-signature|x-goog-signature|subscription-key|code)="
    r"([a-z0-9_%.~+/-]{20,1024})"
)
_MANIFEST_CHARS = 20_000
_PORT_DIGITS = 5


def find_in_commands(text: str, lowered: str, signs: Container[str]) -> Iterator[tuple[str, int, int]]:
    """Each secret with its kind, start and end.

    `lowered` is the text in lower case, at the same offsets, and `signs` says what it contains.
    """
    for names, pattern in _COMMANDS:
        for name in names:
            if name in signs:
                for match in regex(pattern).finditer(lowered):
                    start, end = match.span(match.lastindex or 0)
                    if _is_value(text[start:end]):
                        yield "password", start, end
                break
    if "auth" in signs:
        from memtool.core.secrets.headers import is_encoded_pair  # most texts have no header

        for match in regex(_AUTH).finditer(text):
            if is_encoded_pair(match[1]):
                yield "password", *match.span(1)
    if "://" in signs and "@" in signs:
        for match in regex(_USERINFO).finditer(text):
            if secret_values.is_random(match[1], mixed=False):
                yield "token", *match.span(1)
    if '"kty"' in signs and '"kty"' in text:
        for match in regex(_JWK).finditer(text):
            yield "private-key", *match.span(1)
    if "secret" in signs and "kind:" in signs:
        starts = [match.end() for match in regex(_MANIFEST_KIND).finditer(text)]
        for start, following in pairwise((*starts, len(text))):
            for match in regex(_MANIFEST_VALUE).finditer(
                text, start, min(following, start + _MANIFEST_CHARS)
            ):
                if len(match[1]) % 4 == 0:
                    yield "token", *match.span(1)
    if "=" in signs and ("?" in signs or "&" in signs):
        for match in regex(_PARAMETER).finditer(lowered):
            if secret_values.is_random(match[1], mixed=False):
                yield "token", *match.span(1)


def _is_value(value: str) -> bool:
    is_port = value.isdigit() and len(value) <= _PORT_DIGITS
    return not (is_port or secret_values.is_placeholder(value) or secret_values.is_ordinary(value))
