"""Cut a file: remove the records that a request selects, and leave every other line as it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.compaction.episode_titles import ALL_TITLES
from memtool.core.forgetting.selection import RecordFacts, Selection
from memtool.core.forgetting.statements import plain_lines, statements
from memtool.core.records.document import Document
from memtool.core.records.plan import Change, Remove, Replace
from memtool.core.text.folding import fold
from memtool.errors import MemtoolError
from memtool.formats import episode, json_records, quarantine_record, text_records
from memtool.formats.json_records import JsonRecord
from memtool.formats.ownership import line_owners
from memtool.formats.syntax import frontmatter, json_text
from memtool.formats.syntax.frontmatter_edit import set_key
from memtool.formats.syntax.json_text import InvalidJson
from memtool.layouts.layout import LocatedFile
from memtool.layouts.seeds import place_seed_text
from memtool.store.workspace import Workspace
from memtool.verbs.forgetting.file_facts import day_of, file_facts, turn_facts

_EPISODE = "episode"
_BLOCK_FORMATS = frozenset({"daily-note", "working-buffer"})
_SECTION_HEADINGS = frozenset({"## Auto-captured"})
_LEAST_WORDS = 2
"""Words of the shortest line of a JSON record that is not taken for an id or a name of its kind."""


class ForgottenLine(Struct, frozen=True):
    """A line that goes: its number (from 1), its text, and why."""

    number: int
    text: str
    reason: str


class FileCut(Struct, frozen=True):
    """What a file becomes: its new text, None where it goes; the lines that go; and what they said.

    `said` are the texts of the records that go, `own` those of the user or source among them; `turn` is the
    origin of an imported turn that goes. `matching` is the number of lines that contain the phrase to forget
    where the whole of a text goes although others of its `text_lines` do not contain it; None elsewhere.
    Frontmatter, headings and blank lines do not count. `beside` is the number of lines without it that go
    because they belong to a record with it: of a text that stays, and of messages and other JSON records.
    """

    document: Document
    role: str
    text: str | None
    lines: tuple[ForgottenLine, ...]
    said: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    turn: str = ""
    matching: int | None = None
    text_lines: int = 0
    beside: int = 0


class FileCutter:
    """Cuts the files of a workspace by one selection."""

    def __init__(self, workspace: Workspace, selection: Selection) -> None:
        self._workspace = workspace
        self._selection = selection
        self._said: list[str] = []
        self._own: list[str] = []
        self._lines: dict[int, ForgottenLine] = {}
        self._owner = ""
        self._beside: int | None = None
        """Lines without the phrase that go with JSON records; None if no such records were looked at."""

    def cut(self, document: Document, located: LocatedFile, name: str = "") -> FileCut | None:
        """The cut of a file; None where nothing of it goes. `name` is the path that names its format."""
        self._said, self._own, self._lines, self._beside = [], [], {}, None
        path, text = str(document.path), document.text
        name = name or path
        facts = file_facts(document, located, PurePosixPath(name))
        value: Any = None
        is_json = located.place.format in {
            "turn",
            "json",
            "salience",
            "head",
            "quarantine-record",
        } or name.endswith((".json", ".canvas"))
        if is_json and not name.endswith(".jsonl"):
            try:
                value = json_records.parse_json(text)
            except InvalidJson:
                value = None
        is_turn = isinstance(value, dict) and isinstance(value.get("messages", value.get("Messages")), list)
        if is_turn:
            facts = turn_facts(facts, value)
        elif not located.place.seed:
            own = tuple(line for line in text.split("\n") if line.strip())
            facts = replace(facts, lines=own)
        self._owner = facts.owner or (json_records.described(value, (), 0).owner if is_json else "")
        if reason := self._selection.reason(facts):
            self._remove_file(document, facts, reason, name, value if is_turn else None)
            return self._result(document, located, None, facts.turn if is_turn else "")
        new: str | None
        if name.endswith(".jsonl"):
            new = self._cut_lines(text, path, is_evidence=located.role == "evidence")
        elif is_turn:
            new = self._cut_turn(text, path, value)
        elif value is not None:
            new = self._cut_json(text, path, value)
        elif is_json:
            new = self._cut_lines(text, path) or None
        else:
            new = self._cut_markdown(text, path, located)
        return self._result(document, located, new) if new != text else None

    def _result(self, document: Document, located: LocatedFile, new: str | None, turn: str = "") -> FileCut:
        rows = tuple(self._lines[number] for number in sorted(self._lines))
        said, users = tuple(dict.fromkeys(self._said)), tuple(dict.fromkeys(self._own))
        cut = FileCut(document, located.role, new, rows, said, users, turn)
        if not self._selection.request.match:
            return cut
        if self._beside is not None:
            return replace(cut, beside=self._beside)
        matching = sum(self._selection.matches(row.text) for row in rows)
        if matching == len(rows):
            return cut
        if new is not None:
            return replace(cut, beside=len(rows) - matching)
        first = frontmatter.split(document.text)[2]
        own = [row.text for row in rows if row.number >= first and not row.text.lstrip().startswith("#")]
        matching = sum(map(self._selection.matches, own))
        is_all = bool(own) and matching == len(own)
        return cut if is_all else replace(cut, matching=matching, text_lines=len(own))

    def _remove_file(self, document: Document, facts: RecordFacts, reason: str, name: str, turn: Any) -> None:
        """Note that a whole file goes; of a turn, the user's messages are the user's words."""
        for number, line in enumerate(document.text.split("\n"), 1):
            if line.strip():
                self._lines[number] = ForgottenLine(number, line, reason)
        self._selection.remove(facts, reason)
        if turn is None:
            rows = json_records.line_records(document.text) if name.endswith(".jsonl") else ()
            for record in rows or [JsonRecord((), 0, document.text)]:
                self._note(facts.path, record, reason)
            return
        for record in json_records.message_records(document.text, turn):
            message = json_records.value_at(turn, record.path)
            said = json_records.message_text(message)
            self._note(facts.path, JsonRecord(record.path, 0, said), reason, is_said=record.is_user)

    def _note(self, path: str, record: JsonRecord, reason: str, *, is_said: bool = True) -> None:
        said = statements(record.text)
        self._said += said
        self._own += said if is_said and reason in {"owned", "source"} else []
        facts = RecordFacts(record.text, path, ids=record.ids)
        self._selection.remove(facts, reason, is_said=is_said)

    def _count_beside(self, text: str, shortest: int = 1) -> None:
        """Count the lines of a JSON record, with at least so many words, that lack the phrase to forget."""
        lines = (line for line in plain_lines(text) if len(line.split()) >= shortest)
        lost = sum(not self._selection.matches(line) for line in lines)
        self._beside = (self._beside or 0) + lost

    def _reason(self, record: JsonRecord, path: str, lines: Iterable[str] = ()) -> str:
        return self._selection.reason(
            RecordFacts(
                record.text,
                path,
                record.owner or self._owner,
                record.session,
                record.day,
                record.ids,
                lines=tuple(lines),
            )
        )

    def _cut_lines(self, text: str, path: str, *, is_evidence: bool = False) -> str:
        """JSON Lines without the lines that go; a fact whose evidence goes may have other evidence."""
        lines = text.split("\n")
        removed: set[int] = set()
        for record in json_records.line_records(text):
            raw = lines[record.line - 1]
            if reason := self._reason(record, path, [raw]):
                removed.add(record.line - 1)
                self._lines[record.line] = ForgottenLine(record.line, raw, reason)
                self._count_beside(record.text, _LEAST_WORDS)
                self._note(path, replace(record, ids=record.ids[1:]) if is_evidence else record, reason)
        return "\n".join(line for number, line in enumerate(lines) if number not in removed)

    def _cut_turn(self, text: str, path: str, value: dict[str, Any]) -> str | None:
        """A turn without the messages that go, whole, and what they leave unpaired."""
        removed = []
        for record in json_records.message_records(text, value):
            if reason := self._reason(record, path):
                removed.append(record.path)
                member = json_records.value_at(value, record.path)
                said = json_records.message_text(member) or record.text
                self._count_beside(said)
                self._note(path, JsonRecord(record.path, 0, said), reason, is_said=record.is_user)
        if not removed:
            return text
        new = json_records.without_messages(text, value, removed)
        reason = self._selection.request.by if new is None else ""
        self._list_difference(text, new or "", reason)
        return new

    def _cut_json(self, text: str, path: str, value: Any) -> str | None:
        """A JSON file without the smallest records that go."""
        removed = json_records.matching_values(value, lambda record: bool(self._reason(record, path)))
        if not removed:
            return text
        for place in removed:
            record = json_records.described(json_records.value_at(value, place), place, 0)
            self._count_beside(record.text, _LEAST_WORDS)
            self._note(path, record, "derived")
        try:
            new = json_records.without_values(text, {*removed})
        except InvalidJson:
            return None
        self._list_difference(text, new, "")
        return new

    def _list_difference(self, old: str, new: str, reason: str) -> None:
        """List the lines that a new text lacks; a comma that moved is no difference."""
        left = [line.rstrip().rstrip(",") for line in new.split("\n")]
        at = 0
        for number, line in enumerate(old.split("\n"), 1):
            plain = line.rstrip().rstrip(",")
            if at < len(left) and left[at] == plain:
                at += 1
            elif plain.strip():
                self._lines[number] = ForgottenLine(number, line, reason or self._selection.request.by)

    def _cut_markdown(self, text: str, path: str, located: LocatedFile) -> str | None:
        """A Markdown file without the records and frontmatter values that go; None where nothing is left."""
        lines = text.split("\n")
        is_structure = self.structure_of(located)
        is_log = located.place.format in _BLOCK_FORMATS
        is_extracted = located.place.format == _EPISODE and episode.metadata(episode.parse(text)).extractive
        removed: set[int] = set()
        owners = line_owners(text, located.role)
        for record in text_records.text_records(
            text, blocks=is_log, single_lines=is_extracted, is_structure=is_structure
        ):
            if record.first in removed:
                continue
            span = range(record.first, record.end)
            own = tuple(lines[number] for number in span)
            facts = RecordFacts(
                record.text,
                path,
                record.owner or (owners[record.first] if owners else self._owner),
                "",
                record.day or day_of(located),
                (record.id,) if record.id else (),
                lines=() if own[0].startswith("# ") else own,  # a file's title is nobody's own
            )
            if reason := self._selection.reason(facts):
                removed |= {*span}
                whole = "\n".join(own)
                self._note(path, JsonRecord((), 0, whole, ids=facts.ids), reason)
                for number in span:
                    if lines[number].strip():
                        self._lines[number + 1] = ForgottenLine(number + 1, lines[number], reason)
        if removed and is_extracted:
            removed |= _titles_without_lines(lines, removed)
        new = text_records.without_lines(text, removed) if removed else text
        lost = [lines[number] for number in removed] if is_extracted else []
        new = self._cut_frontmatter(new, text, path, lost)
        if new == text:
            return text
        is_standing = located.place.seed or path in dict(self._workspace.layout.initial)
        if new.strip() and (is_standing or not text_records.says_nothing(new, is_structure)):
            return new
        for number, line in enumerate(lines, 1):
            if line.strip() and number not in self._lines:
                self._lines[number] = ForgottenLine(number, line, self._selection.request.by)
        return None

    def _cut_frontmatter(self, text: str, original: str, path: str, lost: Sequence[str]) -> str:
        """A file whose frontmatter lacks the values that go, and themes that only `lost` lines said."""
        meta, body, _ = frontmatter.split(text)
        if not meta:
            return text
        keys = frontmatter.load_keys(text)
        if not isinstance(keys, dict):
            kept = [line for line in meta.split("\n") if not self._says(line, path)]
            new = "\n".join(kept) + body
        else:
            new = text
            for key, value in keys.items():
                if not self._says(json_text.dump({key: value}), path):
                    continue
                left = (
                    [item for item in value if not self._says(str(item), path)]
                    if isinstance(value, list)
                    else []
                )
                new = _set_or_drop(new, key, left)
            new = _without_lost_themes(new, lost) if lost else new
        if new != text:
            remaining = frontmatter.split(new)[0].split("\n")
            for number, line in enumerate(frontmatter.split(original)[0].split("\n"), 1):
                if line.strip() and line not in remaining:
                    self._lines[number] = ForgottenLine(number, line, self._selection.request.by)
        return new

    def _says(self, text: str, path: str) -> bool:
        return bool(self._selection.reason(RecordFacts(text, path, self._owner)))

    def structure_of(self, located: LocatedFile) -> Callable[[str], bool]:
        """Which lines of a file are its form: those of its seed, and the section that tools write to."""
        seed = place_seed_text(self._workspace.layout, located.place, day=located.day)
        form = {line.strip() for line in seed.split("\n") if line.strip()} | _SECTION_HEADINGS
        form |= ALL_TITLES if located.place.format == _EPISODE else set()
        return lambda line: line.strip("\ufeff \t\r") in form


def _without_lost_themes(text: str, removed: Sequence[str]) -> str:
    """An extracted episode without the themes that only its removed lines say."""
    page = episode.parse(text)
    themes = episode.metadata(page).themes
    left = [
        theme
        for theme in themes
        if fold(theme) in fold(page.body) or fold(theme) not in fold("\n".join(removed))
    ]
    return text if len(left) == len(themes) else _set_or_drop(text, "primary_themes", left)


def _titles_without_lines(lines: Sequence[str], removed: Collection[int]) -> set[int]:
    """The titles in an extracted episode under which nothing is left."""
    empty: set[int] = set()
    has_line = False
    for number in range(len(lines) - 1, -1, -1):
        if lines[number].strip() in ALL_TITLES:
            empty |= set() if has_line else {number}
            has_line = False
        elif lines[number].strip() and number not in removed:
            has_line = True
    return empty


def _set_or_drop(text: str, key: str, left: list[Any]) -> str:
    """The text with a list of a key's values, or without the key where none is left."""
    if left:
        try:
            return set_key(text, key, left)
        except MemtoolError:
            pass
    meta, body, _ = frontmatter.split(text)
    lines = meta.split("\n")
    kept: list[str] = []
    is_dropped = False
    for line in lines:
        if line[:1] not in {" ", "\t", "-", "", "\r", "#"}:
            is_dropped = line.partition(":")[0].strip(" \"'") == key
        elif line.rstrip() == "---":
            is_dropped = False
        if not is_dropped:
            kept.append(line)
    return "\n".join(kept) + body


def cut_changes(workspace: Workspace, cut: FileCut) -> Iterator[Change]:
    """The changes of one file; the record beside a file in quarantine follows it."""
    document = cut.document
    if cut.text is None:
        yield Remove(document.path, document.etag)
    else:
        yield Replace(document.path, cut.text, document.etag)
    if cut.role == "quarantine":
        path = document.path.with_name(document.path.name + quarantine_record.SUFFIX)
        beside = workspace.read(path)
        if beside is None:
            return
        if cut.text is None:
            yield Remove(path, beside.etag)
        else:
            content = cut.text.encode("utf-8", "surrogateescape")
            yield Replace(path, quarantine_record.with_content(beside.text, content), beside.etag)
