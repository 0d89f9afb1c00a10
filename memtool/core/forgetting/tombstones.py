"""Tombstones: keyed digests of what was forgotten, by which it is recognised when it comes back."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct

from memtool.core.forgetting.phrases import normal_text, words_of
from memtool.core.records.entries import Owner

_DIGEST_BYTES = 16
"""Bytes of a digest: HMAC-SHA256, truncated as RFC 2104 allows."""


class Tombstones(Struct, frozen=True):
    """The digests of one request, made with one key.

    `users` are ids of users; `sessions` those of conversations; `turns` the origins of imported turns;
    `user_texts` whole texts of that user, which others may say; `texts` whole texts, whoever says them;
    `phrases` phrases by their number of words, which nothing may contain. `owner` is the digest of the user
    whose texts alone these are, empty for everybody's.
    """

    users: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    user_texts: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    phrases: Mapping[int, tuple[str, ...]] = {}
    owner: str = ""


class ForgetReceipt(Struct, frozen=True):
    """What one request forgot: the lines that went, by role, and the tombstones. It has no words.

    `by` is user, match, source, before or fact; `key` names the key of the digests; `at` is RFC 3339. `names`
    counts lines that went because they named the user, which are not in `counts`; `left` those that stayed,
    because the name that they say may be somebody else's.
    """

    at: str
    by: str
    key: str
    counts: Mapping[str, int]
    tombstones: Tombstones = Tombstones()
    names: Mapping[str, int] = {}
    left: Mapping[str, int] = {}


def key_name(key: bytes) -> str:
    """The name of a key: the beginning of its hash."""
    return sha256(key).hexdigest()[:8]


class Digester:
    """Makes the digests of one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, kind: str, *parts: str) -> str:
        """The digest of an id, an origin or a text of a kind, as hexadecimal."""
        content = "\0".join((kind, *parts)).encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, content, "sha256")[:_DIGEST_BYTES].hex()

    def user(self, name: str) -> str:
        """The digest of a user's id."""
        return self.of("user", name)

    def session(self, name: str) -> str:
        """The digest of a conversation's id."""
        return self.of("session", name)

    def turn(self, origin: str) -> str:
        """The digest of an imported turn's origin, as `TurnOrigin.key` has it."""
        return self.of("turn", origin)

    def text(self, text: str) -> str:
        """The digest of a text; equal for texts that read the same."""
        return self.of("text", normal_text(text))

    def phrase(self, words: Sequence[str]) -> str:
        """The digest of a phrase."""
        return self.of("phrase", *words)


class Forgotten:
    """All tombstones of a tree, to be asked whether something was forgotten. False where there are none."""

    def __init__(self, receipts: Iterable[ForgetReceipt] = (), keys: Iterable[bytes] = ()) -> None:
        """A receipt whose key is missing recognises nothing."""
        by_name = {key_name(key): Digester(key) for key in keys}
        self._groups: list[tuple[Digester, _DigestSets]] = []
        for name, digester in by_name.items():
            tombstones = [receipt.tombstones for receipt in receipts if receipt.key == name]
            for owner in {row.owner for row in tombstones}:
                sets = _DigestSets([row for row in tombstones if row.owner == owner], owner)
                if sets:
                    self._groups.append((digester, sets))

    def __bool__(self) -> bool:
        return bool(self._groups)

    def has_user(self, owner: Owner | None) -> bool:
        """Whether a user was forgotten."""
        return (
            owner is not None
            and owner.kind == "user"
            and any(digester.user(owner.id) in sets.users for digester, sets in self._groups)
        )

    def has_turn(self, origin: str, session: str) -> bool:
        """Whether a turn of a transcript was forgotten, or the conversation that it is from."""
        return any(
            digester.turn(origin) in sets.turns or digester.session(session) in sets.sessions
            for digester, sets in self._groups
        )

    def has_text(self, text: str, owner: Owner | None) -> bool:
        """Whether a text was forgotten; what a forgotten user said is another user's to say."""
        if not self._groups:
            return False
        words = words_of(text)
        is_of_other = owner is not None and owner.kind == "user" and not self.has_user(owner)
        return any(
            _has_phrase(words, digester, sets.phrases)
            or (digest := digester.text(text)) in sets.texts
            or (not is_of_other and digest in sets.user_texts)
            for digester, sets in self._groups
            if not sets.owner or (owner is not None and _is_owner(owner, digester, sets))
        )


class _DigestSets:
    """The digests of several requests, by kind, for the texts of one owner or, where it is "", of all."""

    def __init__(self, tombstones: Sequence[Tombstones], owner: str) -> None:
        self.owner = owner
        self.users = {digest for row in tombstones for digest in row.users}
        self.sessions = {digest for row in tombstones for digest in row.sessions}
        self.turns = {digest for row in tombstones for digest in row.turns}
        self.user_texts = {digest for row in tombstones for digest in row.user_texts}
        self.texts = {digest for row in tombstones for digest in row.texts}
        self.phrases: dict[int, set[str]] = {}
        for row in tombstones:
            for length, digests in row.phrases.items():
                self.phrases.setdefault(length, set()).update(digests)

    def __bool__(self) -> bool:
        return any((self.users, self.sessions, self.turns, self.user_texts, self.texts, self.phrases))


def _is_owner(owner: Owner, digester: Digester, sets: _DigestSets) -> bool:
    return owner.kind == "user" and digester.user(owner.id) == sets.owner


def _has_phrase(words: Sequence[str], digester: Digester, phrases: Mapping[int, set[str]]) -> bool:
    return any(
        digester.phrase(words[start : start + length]) in digests
        for length, digests in phrases.items()
        for start in range(len(words) - length + 1)
    )
