"""Tokens recognised by their shape: a short prefix and random characters, whoever issues them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memtool.core.secrets.secret_values import is_random
from memtool.core.text.regex import regex

_PREFIXED = (
    r"(?P<prefix>[A-Za-z](?<![A-Za-z0-9_.+%$-].)(?:(?<=[a-z])[a-z]{1,9}|[A-Z]{1,9}))[_-]"
    r"(?P<middle>(?:[A-Za-z0-9]{1,10}[_-]){0,3})(?P<body>[A-Za-z0-9_-]{16,}+)"
)
MIN_TOKEN_LENGTH = 20
"""The fewest characters after a prefix; more are wanted where they are of two classes only."""
_MIN_PLAIN = 24
_MIN_LONG = 40
_MIN_DIGITS = 2
_HEX = r"(?i)[0-9a-f]+\Z"
"""A hash or the id of a build, unless the prefix is that of a token."""
_ISSUED_WORDS = (
    "sk rk ak key api apikey tok token secret pat pw auth access refresh oat sat aat sec priv private cred pass bearer "
    "personal admin svc"
)
_ISSUED = frozenset(_ISSUED_WORDS.split())
"""Parts of a prefix that say that a secret follows, so that its letters may be of one case."""
_IDENTIFIERS_WORDS = (
    "msg toolu tooluse srvtoolu call fc rs ws resp req run step thread asst file item evt event conv chatcmpl cmpl gen batch "
    "msgbatch container cus pi pm ch in sub price prod txn acct seti si ii il cs ctoks py pyr po re tr src card ba org proj prj "
    "project user usr session sess trace span obj id ref doc img image video vs ft ftjob wrkspc workspace team skill job "
    "task node page block chunk hash commit build bld dpl deployment view list playlist channel room tool cache pk pub public "
    "css class style font icon main index app vendor assets"
)
_IDENTIFIERS = frozenset(_IDENTIFIERS_WORDS.split())
"""Prefixes of identifiers that are not secrets (of Anthropic's, OpenAI's, Stripe's and Vercel's objects, public
keys among them), and of the names of built files."""
_SHAPES = (
    ("okta-token", "00", r"00(?<![\w.+/%~-]..)[\w-]{40}(?![\w=/+-]|\.\w)"),
    ("azure-devops-token", "", r"[a-z2-7](?<![\w.+/%~-].)(?<!256:.)[a-z2-7]{51}(?![\w=/+-]|\.\w)"),
    ("vault-token", "s.", r"s\.(?<![\w./@:-]..)[A-Za-z0-9]{24}(?![\w(=-]|\.\w)"),
    ("wallet-key", "", r"[5KL](?<![\w.+/%~-].)[1-9A-HJ-NP-Za-km-z]{50,51}(?![\w=/+-]|\.\w)"),
)
"""Kinds with their sign and pattern. An Azure DevOps token has letters of one case, the others are random."""


def find_shaped(text: str, words: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Each token with its kind, start and end. `words` are the long words of the text."""
    long = [word for word in words if len(word) > MIN_TOKEN_LENGTH + 2]
    if not long:
        return
    dense = "\n".join(long)
    if ("_" in dense or "-" in dense) and any(_tokens(dense)):
        yield from _tokens(text)
    for kind, sign, pattern in _SHAPES:
        if sign in dense and regex(pattern).search(dense):
            for match in regex(pattern).finditer(text):
                if is_random(match[0]) or (
                    not sign and match[0].islower() and _digits(match[0]) > _MIN_DIGITS
                ):
                    yield kind, *match.span()


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    for match in regex(_PREFIXED).finditer(text):
        if _is_token(match["prefix"].lower(), match["middle"], match["body"]):
            yield "token", *match.span()


def _is_token(prefix: str, middle: str, body: str) -> bool:
    if prefix in _IDENTIFIERS:
        return False
    parts = {prefix, *middle.lower().replace("-", "_").split("_")}
    random = body.replace("-", "").replace("_", "")
    longest = max(map(len, body.replace("-", "_").split("_")))
    if len(random) >= MIN_TOKEN_LENGTH and longest >= MIN_TOKEN_LENGTH // 2 and is_random(random):
        return True
    if longest < len(body) or len(body) < _MIN_PLAIN or not is_random(body, mixed=False):
        return False
    return not parts.isdisjoint(_ISSUED) or (len(body) >= _MIN_LONG and regex(_HEX).match(body) is None)


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))
