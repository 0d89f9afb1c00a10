"""Selection: which records a request to forget removes, and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date

from msgspec import Struct

from memtool.core.forgetting.phrases import Phrases, SaidTexts, is_unspaced, normal_text, words_of
from memtool.core.forgetting.statements import plain_lines, statements
from memtool.core.text.dates import CALENDAR_NAMES
from memtool.core.text.function_words import is_common_word

_LEAST_LETTERS = 3
"""Letters of the shortest name that identifies a person, or twice as many digits.

In a script without spaces a character is enough.
"""


class ForgetRequest(Struct, frozen=True):
    """What to forget: what belongs to a user, says a text, came from a source, or is older than a day.

    Exactly one of `user`, `match`, `sessions` with `turns`, and `before` is given. `turns` are origins as
    `TurnOrigin.key` has them, `paths` files of the tree. With `owned_only`, a record that only names the user
    stays. `caller` is the id of the user who asks, and reaches only memory of that user; empty for the
    workspace's keeper, who reaches all.
    """

    user: str = ""
    match: str = ""
    sessions: frozenset[str] = frozenset()
    turns: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()
    before: date | None = None
    owned_only: bool = False
    caller: str = ""

    @property
    def by(self) -> str:
        """Which of the four it is: user, match, source or before."""
        if self.user:
            return "user"
        if self.match:
            return "match"
        return "before" if self.before else "source"


class RecordFacts(Struct, frozen=True):
    """What is known of a record: its text, and each of the rest where it has it.

    `owner` is a tag (`user:ann`), `day` a date as YYYY-MM-DD, `ids` those by which other records refer to it,
    `turn` the origin of an imported turn. `lines` are its lines as they are in the file at `path`.
    """

    text: str
    path: str = ""
    owner: str = ""
    session: str = ""
    day: str = ""
    ids: tuple[str, ...] = ()
    turn: str = ""
    lines: tuple[str, ...] = ()


class Selection:
    """Decides on records one by one, and learns from those that go which others were derived from them.

    `authored` has the lines that commands of the user or session added, by path. Ask about every record
    again until `has_grown` is False.
    """

    def __init__(self, request: ForgetRequest, authored: Mapping[str, Collection[str]]) -> None:
        self.request = request
        self._authored = authored
        self._tag = f"user:{request.user}"
        self._caller_tag = f"user:{request.caller}" if request.caller else ""
        self._match = Phrases([request.match])
        self._names: set[str] = set()
        self._other_names: set[str] = set()
        self._name_phrases = Phrases([])
        self._ambiguous_names = Phrases([])
        self._said = SaidTexts()
        self.sessions = {*request.sessions}
        self.gone_ids: set[str] = set()
        self.has_grown = False
        if request.user:
            self.add_name(request.user)

    @property
    def names(self) -> Phrases:
        """The names of the user, or the phrase to forget: what no other file may say afterwards.

        Empty where lines of others that say it stay.
        """
        request = self.request
        if request.caller or request.owned_only:
            return Phrases([])
        return self._match if request.match else self._name_phrases

    def is_said_in(self, text: str) -> bool:
        """Whether a text without an owner says what no other file may say afterwards."""
        return self.names.are_in(text)

    def has_phrase_in(self, text: str) -> bool:
        """Whether a text of anybody contains the phrase to forget; never without one."""
        return self._match.are_in(text)

    def matches(self, line: str) -> bool:
        """Whether a line contains the phrase to forget; never without one."""
        return self._match.are_in("\n".join(plain_lines(line)))

    @property
    def ambiguous_names(self) -> Phrases:
        """The names of the user that may be somebody else's or no name at all; lines that say one stay."""
        return self._ambiguous_names

    def add_name(self, name: str) -> None:
        """Look for a name of the user, and for its parts."""
        folded = normal_text(name)
        if not folded or folded in self._names:
            return
        self._names.add(folded)
        self.has_grown = True
        self._update_names()

    def add_other_name(self, name: str) -> None:
        """Take another user's id or name, and its parts, for names that may be either's."""
        new = {*words_of(name), normal_text(name)} - self._other_names
        if new:
            self._other_names |= new
            self._update_names()

    def _update_names(self) -> None:
        """Sort the names of the user by whether they can only be that user's."""
        request = self.request
        if request.owned_only or request.caller:
            return
        parts = {part for name in self._names for part in name.split() if not is_common_word(part)}
        names = {*self._names, *(part for part in parts if len(part) >= _LEAST_LETTERS)}
        ambiguous = {name for name in names if self._is_ambiguous(name)}
        user = {request.user} if normal_text(request.user) not in ambiguous else set()
        self._name_phrases = Phrases({self._tag, *user, *(names - ambiguous)})
        self._ambiguous_names = Phrases(ambiguous)

    def _is_ambiguous(self, name: str) -> bool:
        words = name.split()
        length = sum(2 if character.isalpha() else 1 for character in "".join(words))
        is_short = length < 2 * _LEAST_LETTERS and not is_unspaced(name)
        is_of_other = name in self._other_names
        return (
            is_short or is_of_other or all(word in CALENDAR_NAMES or is_common_word(word) for word in words)
        )

    def reason(self, record: RecordFacts) -> str:
        """Why a record goes: owned, names, says, source, dated or derived; empty for one that stays."""
        request = self.request
        if request.caller and not self._is_callers(record):
            return "" if record.owner.startswith("user:") else self._derived(record, by_text=False)
        if request.before is not None:
            return "dated" if record.day and record.day < request.before.isoformat() else ""
        if request.match:
            says = self._match.are_in("\n".join(plain_lines(record.text)))
            return "says" if says else self._derived(record, by_text=False)
        is_source = record.session in self.sessions or record.owner.removeprefix("session:") in self.sessions
        if not request.user:
            is_source = is_source or record.path in request.paths or record.turn in request.turns
            if is_source or self._is_authored(record):
                return "source"
            return self._derived(record, by_text=True)
        if record.owner == self._tag:
            return "owned"
        is_of_other = record.owner.startswith("user:")
        if not is_of_other and (is_source or self._is_authored(record)):
            return "owned"
        if self._name_phrases.are_in(record.text):
            return "names"
        return "" if is_of_other else self._derived(record, by_text=True)

    def _is_callers(self, record: RecordFacts) -> bool:
        """Whether a record belongs to the caller; what the caller wrote counts for a request by user."""
        if record.owner == self._caller_tag:
            return True
        is_written = bool(self.request.user) and self._is_authored(record)
        return is_written and not record.owner.startswith("user:")

    def remove(self, record: RecordFacts, reason: str, *, is_said: bool = True) -> None:
        """Note that a record goes; `is_said` says that its words are those of the user or source."""
        new_ids = {*record.ids} - self.gone_ids
        if new_ids:
            self.gone_ids |= new_ids
            self.has_grown = True
        if is_said and reason in {"owned", "source"}:
            for said in statements(record.text):
                if self._said.add(said):
                    self.has_grown = True

    def _is_authored(self, record: RecordFacts) -> bool:
        added = self._authored.get(record.path)
        lines = [line for line in record.lines if line.strip()]
        return bool(added) and bool(lines) and all(line.rstrip("\r") in (added or ()) for line in lines)

    def _derived(self, record: RecordFacts, *, by_text: bool) -> str:
        if any(name in self.gone_ids for name in record.ids):
            return "derived"
        is_repeated = by_text and self._said.are_repeated_in("\n".join(plain_lines(record.text)))
        return "derived" if is_repeated else ""
