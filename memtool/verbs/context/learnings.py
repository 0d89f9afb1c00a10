"""The entries of learnings in the prompt: of each file the newest, corrections before errors, wins last."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.context.fair_share import fair_order
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import clip
from memtool.layouts.layout import Place
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.place_files import place_paths, read_visible

_ITEM = r"[-*+][ \t]"
_CORRECTIONS, _WINS = "corrections", "wins"
_DATED = r"\s*(?:[-*+][ \t]+|#{1,6}[ \t]+)?\[(\d{4}-\d\d-\d\d[^\]]{0,30})\]"


class LearningEntry(Struct, frozen=True):
    """An entry of a learnings file, and the text of it in every prompt; empty where there is no room."""

    path: PurePosixPath
    line: int
    text: str


def learning_entries(
    workspace: Workspace,
    place: Place,
    group: str | None,
    missed: list[str],
    owners: Collection[str] = (),
) -> list[LearningEntry]:
    """The entries of all learnings: those that fit into their limit, then the rest.

    The files divide the limit, of each the newest entries first, and corrections before errors; what one file
    leaves another uses. Wins come after all errors and corrections, which are never left out for them, as in
    OpenLegion. With `owners`, without those of other users; `line` then counts the lines that are left.
    """
    room = int(workspace.layout.limits["learnings"])
    files: list[list[LearningEntry]] = []
    for path in sorted(
        place_paths(workspace, place, group, missed), key=lambda path: path.stem != _CORRECTIONS
    ):
        document = read_visible(workspace, path, missed, owners)
        entries = list(enumerate(_entries(document.text))) if document else []
        entries.sort(key=lambda entry: (_moment(entry[1][1]), entry[0]), reverse=True)
        if entries:
            files.append(
                [LearningEntry(path, line, f"{entry} ({path.stem})") for _, (line, entry) in entries]
            )
    wins = [entries for entries in files if entries[0].path.stem == _WINS and len(files) > 1]
    others = [entries for entries in files if entries not in wins]
    shown = _within(others, room)
    if len(shown) == sum(map(len, others)):
        shown += _within(wins, room - sum(len(entry.text) + 1 for entry in shown))
    known = {(entry.path, entry.line) for entry in shown}
    rest = (entry for entries in (*others, *wins) for entry in entries)
    return [*shown, *(replace(entry, text="") for entry in rest if (entry.path, entry.line) not in known)]


def _within(files: Sequence[Sequence[LearningEntry]], room: int) -> list[LearningEntry]:
    """The entries of these files that fit; a newest one longer than all the room of its file is clipped."""
    sizes = [[len(entry.text) + 1 for entry in entries] for entries in files]
    needed = sum(map(sum, sizes))
    for own in sizes:
        own[0] = min(own[0], max(room // len(sizes), room - needed + sum(own)))
    order = fair_order(sizes, room)
    return [
        replace(files[file][place], text=clip(files[file][place].text, sizes[file][place] - 1))
        for file, place in order
    ]


def _entries(text: str) -> list[tuple[int, str]]:
    """The entries of a learnings file with their lines: list items, and paragraphs outside lists."""
    entries: list[tuple[int, str]] = []
    in_entry = False
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        bare = line.rstrip("\r")
        if not bare.strip() or bare.startswith("#"):
            in_entry = False
        elif in_entry and not regex(_ITEM).match(bare):
            entries[-1] = (entries[-1][0], f"{entries[-1][1]}\n{bare}")
        else:
            entries.append((number, bare))
            in_entry = True
    return entries


def _moment(entry: str) -> float:
    """The time of an entry, in seconds; entries without a valid time are the oldest."""
    match = regex(_DATED).match(entry)
    with contextlib.suppress(ValueError, OverflowError):
        if match is not None:
            moment = datetime.fromisoformat(match[1])
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return float("-inf")
