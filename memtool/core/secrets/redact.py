"""Secrets in a text, and the text without them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from memtool.core.secrets.account_numbers import find_account_numbers, may_have_number
from memtool.core.secrets.assignments import find_assigned, lower
from memtool.core.secrets.commands import find_in_commands
from memtool.core.secrets.credentials import CREDENTIALS, MIN_DENSE_LENGTH, SPREAD_KINDS
from memtool.core.secrets.token_shapes import find_shaped
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.core.text.regex import regex
from memtool.errors import BadUsage

_HEADER_SIGNS = ("authorization", "bearer", "basic", "cookie", "x-", "\ttrue\t", "\tfalse\t")
"""Texts in lower case of which one is in every text with a secret that `headers` finds."""


class Secret(Struct, frozen=True):
    """A secret of some kind (`github-token`, `password`, ...) at `text[start:end]`."""

    kind: str
    start: int
    end: int


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets of a text, in order, without overlaps. Time is linear in the length of the text."""
    lowered = lower(text)
    words = _long_words(text)
    return _without_overlaps(_find_all(text, lowered, lowered, words))


class SecretFinder:
    """Finds the secrets of a document that is searched again after each change, as `find_secrets` does.

    A pattern is tried only if the text contains a sign of it. What an earlier version did not contain, and
    what replaced a part of it does not, is not looked for in the whole text again; and what is decided by a
    line alone is decided once, as long as the text has that line.
    """

    def __init__(self) -> None:
        from memtool.core.secrets.known_signs import KnownSigns  # only editors ask again

        self._signs = KnownSigns("")
        self._lines: dict[str, tuple[tuple[str, ...], bool]] = {}
        """The long words of each line, and whether it may have an account number."""

    def find(self, text: str) -> tuple[Secret, ...]:
        """The secrets of the text, in order, without overlaps."""
        lowered, lines, known = lower(text), text.split("\n"), self._lines
        self._signs = self._signs.of_changed_text(lowered)
        self._lines = {line: known.get(line) or (_long_words(line), may_have_number(line)) for line in lines}
        words = [word for line in lines for word in self._lines[line][0]]
        may_have_numbers = any(may_have for _, may_have in self._lines.values())
        return _without_overlaps(
            _find_all(text, lowered, self._signs, words, may_have_numbers=may_have_numbers)
        )


def _without_overlaps(secrets: Iterable[Secret]) -> tuple[Secret, ...]:
    ordered = sorted(secrets, key=lambda secret: (secret.start, -secret.end))
    merged: list[Secret] = []
    for secret in ordered:
        if merged and secret.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Secret(last.kind, last.start, max(last.end, secret.end))
        else:
            merged.append(secret)
    return tuple(merged)


def _find_all(
    text: str,
    lowered: str,
    signs: Container[str],
    words: Sequence[str],
    *,
    may_have_numbers: bool = True,
) -> Iterator[Secret]:
    """The secrets in any order; `signs` says what the text contains in lower case, `words` are the long ones."""
    dense = "\n".join(words)
    spread, within_words = _signs()
    # plain loops: this runs for every sentence that is written and every file that is checked
    rows = dict.fromkeys([row for sign, row in spread if sign in signs])
    if dense:
        lowered_dense = dense.lower()
        rows |= dict.fromkeys(
            [
                row
                for sign, row in within_words
                if sign in signs and sign in lowered_dense and regex(CREDENTIALS[row][2]).search(dense)
            ]
        )
    for row in sorted(rows):
        kind, _, pattern = CREDENTIALS[row]
        for match in regex(pattern).finditer(text):
            yield Secret(kind, *match.span(match.re.groups and 1))
    for found in (
        find_shaped(text, words),
        find_assigned(text, lowered, signs),
        _find_in_headers(text, lowered, signs),
        find_in_commands(text, lowered, signs),
        find_account_numbers(text, signs, may_have_numbers=may_have_numbers),
    ):
        for kind, start, end in found:
            yield Secret(kind, start, end)


def _find_in_headers(text: str, lowered: str, signs: Container[str]) -> Iterable[tuple[str, int, int]]:
    if not any(sign in signs for sign in _HEADER_SIGNS):
        return ()
    from memtool.core.secrets.headers import find_in_headers  # most texts have no header

    return find_in_headers(text, lowered, signs)


def _long_words(text: str) -> tuple[str, ...]:
    return tuple([word for word in text.split() if len(word) >= MIN_DENSE_LENGTH])


@cache
def _signs() -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
    """The signs with the numbers of their rows: those to find anywhere, and those to find in long words."""
    rows = [
        (kind in SPREAD_KINDS, sign, row)
        for row, (kind, signs, _) in enumerate(CREDENTIALS)
        for sign in signs
    ]
    return (
        tuple((sign, row) for everywhere, sign, row in rows if everywhere),
        tuple((sign, row) for everywhere, sign, row in rows if not everywhere),
    )


def redaction_edits(text: str) -> Iterator[TextEdit]:
    """The edits of one round of `redact`, in order."""
    for secret in find_secrets(text):
        yield TextEdit(secret.start, secret.end, f"[REDACTED:{secret.kind}]")


def redact(text: str) -> str:
    """Replace every secret by `[REDACTED:<kind>]`; redacted text does not change."""
    while (redacted := apply_edits(text, redaction_edits(text)).text) != text:
        text = redacted
    return text


def check_identifier(text: str, name: str) -> None:
    """Raise BadUsage if an identifier is a secret: it cannot be redacted, since it would name another thing.

    Plain numbers pass, because many services count their users.
    """
    if not text.isdigit() and (secrets := find_secrets(text)):
        kind = secrets[0].kind.replace("-", " ")
        raise BadUsage(
            f"{name} looks like a secret ({kind}) and would be stored in plain text; choose another value"
        )


def redact_line(text: str, limit: int) -> str:
    """The redacted text on one line, of at most `limit` characters."""
    line = " ".join(redact(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
