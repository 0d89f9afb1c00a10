"""Sections of every prompt, and how one that is too long is cut: between records, by what is needed most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.text.clean import path_line
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import clip

Keep = Literal["newest", "first", "facts", "beginning"]
"""What stays of a section that is too long: the last records (`newest`, of a log whose newest entry is last),
the `first` records, the newest `facts` beside the beginning of the prose, or the `beginning`, by lines."""

NOT_LISTED = 99
"""The `need` of sections whose role has no share of its own."""
_NAME, _PREFERENCE = "proper_noun", "preference"
_NAMES_PART, _PREFERENCES_PART = 0.25, 0.25
"""How much of the room names may fill before curated text, and preferences."""
_MATCHING_PART = 0.5
"""How much of the room records may fill that match the prompt, before all others."""
_SHORTEST = 40
"""Characters below which a part of a record is not worth reading."""
_ATTEMPTS = 4
_ORDER = " (newest last)"
_PLAIN_PATH = r"[\w./@+-]+"
_HEADING = r"(#{1,6})[ \t]"
_ITEM = r"(?:[-*+]|\d{1,9}[.)])[ \t]"
_ITEM_STATEMENT = (
    r"[-*+][ \t]+(?:\[[^\]\n]{0,80}\][ \t]*){0,2}(?:\*\*[^*\n]{1,64}\*\*:[ \t]+)?"
    r"(?:\[(?:user|session):[^\]\n]*\][ \t]*)?(.*)"
)
_FACT = r"[-*+] \*\*([a-z][a-z0-9_]{0,63})\*\*:[ \t]"


class SectionShare(Struct, frozen=True):
    """The part of a prompt's budget that the sections of one name share, in percent.

    `need` is the place among all shares, 0 for what is needed most. `head` is the share of a section's room
    that its first lines have where `keep` is `beginning`; its last lines have the rest.
    """

    name: str = "identity"
    percent: int = 20
    need: int = NOT_LISTED
    keep: Keep = "beginning"
    head: float = 1.0


UNDATED = "undated"
"""The day of statements of which nothing says when they were said."""


class SaidDay(NamedTuple):
    """The day on which a statement was said last, and that on which a part of it was corrected, if any."""

    day: str
    corrected: str = ""


class PromptSection(Struct, frozen=True):
    """The part of a file that is in every prompt: its text under its path.

    `first_unseen` is the first line (from 1) that is beyond the limit of the file's role. `left_out` is the
    number of records that were cut off, which `reading` says how to read. `matching` are records that match
    the prompt, best first: where the section is cut, they stay, after its last records, which are `pinned`.
    `days` has when a line was said, newest first: a section with days is printed by day.
    """

    path: str
    role: str
    text: str
    first_unseen: int | None = None
    share: SectionShare = SectionShare()
    reading: str = ""
    left_out: int = 0
    matching: tuple[str, ...] = ()
    pinned: int = 0
    days: Mapping[str, SaidDay] = {}

    def with_text(self, text: str) -> PromptSection:
        """The section with another text, in which each line stands for the line in its place."""
        lines = dict(zip(self.text.split("\n"), text.split("\n"), strict=False))
        days = {lines.get(line, line): said for line, said in self.days.items()}
        return replace(self, text=text, days=days)

    @property
    def title(self) -> str:
        """The line above the text; of several rules it says which one holds where two conflict, the last."""
        is_ordered = (
            self.role == "rules"
            and not self.pinned
            and sum(1 for row in self.text.split("\n") if regex(_ITEM).match(row)) > 1
        )
        return f"## {path_line(self.path)}{_ORDER if is_ordered else ''}"

    @property
    def lines(self) -> list[str]:
        """The section as it is printed, with its notice of what is left out, and a blank line at its end."""
        notice = [self._notice] if self.left_out else []
        rows = self.text.strip("\n").split("\n")
        return [self.title, "", *(_by_day(rows, self.days) if self.days else rows), *notice, ""]

    @property
    def printed(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines) + "\n"

    @property
    def _notice(self) -> str:
        match self.share.keep:
            case "beginning" | "facts":
                noun = "more line" if self.left_out == 1 else "more lines"
            case "first":
                noun = "more entry" if self.left_out == 1 else "more entries"
            case _:
                which = "more" if self.matching else "older"
                noun = f"{which} entry" if self.left_out == 1 else f"{which} entries"
        command = self.reading or read_command(self.path)
        return f"(for {self.left_out} {noun}, run {command})"


def _by_day(rows: Sequence[str], days: Mapping[str, SaidDay]) -> Iterator[str]:
    """The rows that have a day in the order of `days`, each day under its date, and then the others."""
    shown = {*rows}
    dated = [(row, said) for row, said in days.items() if row in shown]
    others = [(row, SaidDay(UNDATED)) for row in rows if row not in days]
    before = ""
    for row, said in (*dated, *others):
        if said.day != before:
            yield f"{said.day}:"
        yield f"{row} (corrected on {said.corrected})" if said.corrected else row
        before = said.day


def read_command(path: str, program: str = "memtool") -> str:
    """The command that prints a file, as a shell takes it; `program` is its beginning."""
    return f"{program} get {path_line(quoted_path(path))}"


def quoted_path(path: str) -> str:
    """A path as a shell takes it; `shlex` would quote letters beyond ASCII, too."""
    return path if regex(_PLAIN_PATH).fullmatch(path) else "'" + path.replace("'", "'\\''") + "'"


class _Phase(Struct, frozen=True):
    """Records in the order in which they are taken, until these alone fill `part` of the room.

    With `in_a_row` the first that does not fit ends the phase; else shorter ones after it may fit.
    """

    numbers: Sequence[int]
    part: float = 1.0
    in_a_row: bool = True


def cut_section(section: PromptSection, room: int, cost: Callable[[str], int]) -> PromptSection | None:
    """The section with as many of its records as cost at most `room` as printed; None where none fits.

    Where not even the first that would be taken fits, the beginning of it is.
    """
    if cost(section.printed) <= room:
        return section
    lines = section.text.strip("\n").split("\n")
    records = _parts(section.share, lines)
    phases = [*_first_phases(section, records), *_phases(section.share, records)]
    available = room - cost(replace(section, text="", left_out=section.left_out + len(records)).printed)
    for _ in range(_ATTEMPTS if available > 0 else 0):
        cut = _with_records(section, records, _take(records, phases, available, cost))
        if cut is None:
            cut = _clipped(section, records, phases, available, cost)
        if cut is None or (excess := cost(cut.printed) - room) <= 0:
            return cut
        available -= excess  # the cost of a whole may exceed that of its parts
    return None


def essential_cut(section: PromptSection) -> PromptSection | None:
    """The section with no more than every prompt needs of it: the newest rule, the user's newest name and
    preference; None where it has none.
    """
    lines = section.text.strip("\n").split("\n")
    records = _parts(section.share, lines)
    match section.role, section.share.keep:
        case "rules", "newest":
            numbers = [number for number in range(len(records)) if regex(_ITEM).match(records[number])][-1:]
        case "long-term", "facts":
            newest: dict[str, int] = {}
            for number, record in enumerate(records):
                if (fact := regex(_FACT).match(record)) is not None and fact[1] in {_NAME, _PREFERENCE}:
                    newest[fact[1]] = number
            numbers = sorted(newest.values())
        case _:
            return None
    return _with_records(section, records, numbers)


def split_records(lines: Sequence[str]) -> list[str]:
    """Lines of Markdown as records: headings, list items at the margin and paragraphs.

    Each has the indented and blank lines that follow it; joined by newlines they are the lines again.
    """
    records: list[list[str]] = []
    is_after_blank = is_after_heading = True
    for line in lines:
        is_blank, is_heading = not line.strip(), regex(_HEADING).match(line) is not None
        is_paragraph = (is_after_blank or is_after_heading) and not is_blank and line[0] not in " \t"
        if not records or is_heading or is_paragraph or regex(_ITEM).match(line):
            records.append([line])
        else:
            records[-1].append(line)
        is_after_blank, is_after_heading = is_blank, is_heading
    return ["\n".join(rows) for rows in records]


def item_statement(row: str) -> str:
    """What a list item states, without its mark, time, category and tags of owners; "" for any other line."""
    item = regex(_ITEM_STATEMENT).fullmatch(row)
    return item[1].strip() if item is not None else ""


def first_left_out(section: PromptSection, cut: PromptSection | None) -> int:
    """The index of the first line of a section's text that is not in the text that was cut from it."""
    shown = iter(cut.text.strip("\n").split("\n") if cut is not None else ())
    expected = next(shown, None)
    lines = section.text.strip("\n").split("\n")
    for index, line in enumerate(lines):
        if line == expected:
            expected = next(shown, None)
        elif _is_content(line):
            return index
    return len(lines)


def _parts(share: SectionShare, lines: Sequence[str]) -> list[str]:
    """What a text is cut between: prose by lines, all else by records."""
    match share.keep:
        case "newest" | "first":
            return split_records(lines)
        case "beginning":
            return [*lines]
        case "facts":
            is_fact = regex(_FACT).match
            parts = ([record] if is_fact(record) else record.split("\n") for record in split_records(lines))
            return [part for record in parts for part in record]


def _first_phases(section: PromptSection, records: Sequence[str]) -> Iterator[_Phase]:
    """The pinned records, and those that match the prompt, if any."""
    if section.pinned:
        yield _Phase(range(len(records))[: -section.pinned - 1 : -1], in_a_row=False)
    if section.matching:
        places = {record: number for number, record in enumerate(records)}
        numbers = [places[record] for record in section.matching if record in places]
        yield _Phase(numbers, _MATCHING_PART, in_a_row=False)


def _phases(share: SectionShare, records: Sequence[str]) -> list[_Phase]:
    """The order in which the records of a section that is too long are taken."""
    forward = range(len(records))
    match share.keep:
        case "newest":
            return [_Phase(forward[::-1])]
        case "first":
            return [_Phase(forward)]
        case "beginning":
            last_lines = [_Phase(forward[::-1])] if share.head < 1 else []
            return [_Phase(forward, share.head), *last_lines]
        case "facts":
            matches = [(number, regex(_FACT).match(records[number])) for number in reversed(forward)]
            facts = [(number, match[1]) for number, match in matches if match is not None]
            prose = [number for number, match in reversed(matches) if match is None]
            names = [number for number, category in facts if category == _NAME]
            preferences = [number for number, category in facts if category == _PREFERENCE]
            newest = [number for number, _ in facts]
            return [
                _Phase(newest[:1]),
                _Phase(names[:1]),
                _Phase(preferences[:1]),
                _Phase(names, _NAMES_PART, in_a_row=False),
                _Phase(preferences, _PREFERENCES_PART, in_a_row=False),
                _Phase(prose),
                _Phase([*names, *preferences, *newest], in_a_row=False),
            ]


def _take(
    records: Sequence[str], phases: Sequence[_Phase], room: int, cost: Callable[[str], int]
) -> list[int]:
    """The numbers of the records that fit, in the order of the text, without headings that are left bare."""
    taken: set[int] = set()
    used = 0
    for phase in phases:
        limit = min(room, used + room * phase.part)
        for number in phase.numbers:
            if number in taken:
                continue
            size = cost(records[number] + "\n")
            if used + size <= limit:
                taken.add(number)
                used += size
            elif phase.in_a_row:
                break
    numbers = sorted(taken)
    return numbers if len(numbers) == len(records) else [*_without_bare_headings(records, numbers)]


def _without_bare_headings(records: Sequence[str], numbers: Sequence[int]) -> Iterator[int]:
    """The numbers without those of headings that lost everything under them."""
    for place, number in enumerate(numbers):
        level = heading_level(records[number])
        if level and number + 1 < len(records) and not 0 < heading_level(records[number + 1]) <= level:
            following = heading_level(records[numbers[place + 1]]) if place + 1 < len(numbers) else 1
            if 0 < following <= level:
                continue
        yield number


def heading_level(record: str) -> int:
    """The level of a heading; 0 for any other record."""
    match = regex(_HEADING).match(record)
    return len(match[1]) if match is not None else 0


def _is_content(record: str) -> bool:
    return bool(record.strip()) and not heading_level(record)


def _with_records(
    section: PromptSection, records: Sequence[str], numbers: Sequence[int]
) -> PromptSection | None:
    """The section with these of its records alone; None where they say nothing."""
    taken = [records[number] for number in numbers]
    if not any(map(_is_content, taken)):
        return None
    lost = sum(map(_is_content, records)) - sum(map(_is_content, taken))
    return replace(section, text="\n".join(taken).strip("\n"), left_out=section.left_out + lost)


def _clipped(
    section: PromptSection,
    records: Sequence[str],
    phases: Sequence[_Phase],
    room: int,
    cost: Callable[[str], int],
) -> PromptSection | None:
    """The section with the beginning of the record that is needed most, if that is worth reading.

    It is not where it has fewer than twice the characters of the lines around it.
    """
    numbers = [number for phase in phases for number in phase.numbers if _is_content(records[number])]
    if not numbers:
        return None
    record = records[numbers[0]].rstrip()
    length = largest(len(record), lambda length: cost(clip(record, length) + "\n") <= room)
    lost = sum(map(_is_content, records))
    cut = replace(section, text=clip(record, length), left_out=section.left_out + lost)
    around = len(cut.printed) - len(cut.text)
    return cut if len(cut.text) >= max(_SHORTEST, 2 * around) else None


def largest(limit: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `limit` that fits, where each smaller one fits too; 0 where none does."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
