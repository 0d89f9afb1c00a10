"""search --exact: the lines that contain a text, read from the files themselves, without any index."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import accumulate
from pathlib import PurePosixPath

from memtool.core.history.upgrade import UpgradedTurn
from memtool.core.records.hit import Hit, divide_places, numbered_lines
from memtool.core.records.message_text import searchable_text
from memtool.core.records.request import SearchRequest
from memtool.core.records.search import SearchResponse
from memtool.core.records.turn import Turn
from memtool.core.text.folding import fold
from memtool.errors import UnreadableFile
from memtool.layouts.layout import LocatedFile
from memtool.store.files import queue
from memtool.store.workspace import Workspace
from memtool.verbs.search.search_turns import line_in_file
from memtool.verbs.search.shown_hits import shown_hits
from memtool.verbs.turns.history import history_groups, is_turn_name, walk_folders
from memtool.verbs.turns.turn_file import CurrentTurn, read_turn

DEFAULT_TIERS = ("long-term", "daily-note", "session-state")
"""The three tiers that an exact search reads unless roles are named (Qanot's memory_search)."""
_TURN_ROLE = "turn"
_MAX_HITS = 50
_SNIPPET = 240


def search_exact(workspace: Workspace, request: SearchRequest) -> SearchResponse:
    """Every line that contains the text, ignoring case; newest daily notes and turns first.

    At most 50 hits unless the limit is lower, shared fairly between the tiers; where files are listed, as
    many as the limit. Only daily notes with a date in their name count among the newest.
    """
    workspace = workspace.seen_by(request.scope.owners)
    for role in request.roles:
        if role != "all":
            workspace.layout.place(role)
    needle = fold(request.text).strip()
    if not needle:
        return SearchResponse(notices=("nothing to search for: the query is empty",))
    listing = workspace.document_listing()
    notices = [
        f"{path or 'the workspace root'} cannot be listed: {reason}" for path, reason in listing.unreadable
    ]
    tiers: dict[str, list[Hit]] = {}
    documents = () if request.is_of_messages else listing.files
    files, omitted = _select_files(workspace, request, documents)
    for path, content in workspace.disk.read_contents(map(PurePosixPath, files)):
        if isinstance(content, UnreadableFile):
            notices.append(str(content))
        elif _may_contain(content, needle):
            located = files[str(path)]
            text = content.decode("utf-8", "surrogateescape")
            hits = tiers.setdefault(located.role, [])
            hits.extend(_document_hits(str(path), located, text, needle, request.context))
    if waiting := queue.waiting_notice(workspace.root):
        notices.append(waiting)
    limit = request.limit or _MAX_HITS
    if not request.lists_files:
        limit = min(limit, _MAX_HITS)
    roles = {*request.roles} or ({_TURN_ROLE} if request.is_of_messages else set())
    if not roles.isdisjoint({_TURN_ROLE, "all"}):
        tiers[_TURN_ROLE] = _turn_hits(workspace, request, needle, limit, notices)
    is_incomplete = bool(notices)
    shares = divide_places({tier: len(hits) for tier, hits in tiers.items()}, limit)
    shown = tuple(hit for tier, hits in tiers.items() for hit in hits[: shares[tier]])
    if omitted and not shown:
        notices.append(f"older daily notes not searched: {omitted}; to search all files, use --role all")
    return SearchResponse(
        shown_hits(shown), tuple(notices), (f"files searched: {len(files)}",), is_incomplete
    )


def _select_files(
    workspace: Workspace, request: SearchRequest, paths: Iterable[str]
) -> tuple[dict[str, LocatedFile], int]:
    """The files to read by path, tier by tier and the newest note first, and how many notes were too old."""
    roles = request.roles or DEFAULT_TIERS
    rows: list[tuple[str, LocatedFile]] = []
    for path in paths:
        located = workspace.role_of(path)
        if located is None or not located.place.indexed:
            continue
        if not request.admits(path, located.group, located.day):
            continue
        if "all" in request.roles or located.role in roles:
            rows.append((path, located))
    order = {role: number for number, role in enumerate(roles)}
    rows.sort(key=lambda row: (order.get(row[1].role, len(order)), _newest_first(row[1]), row[0]))
    if request.roles:
        return dict(rows), 0
    count = workspace.settings["search.exact_notes"]
    notes = [row for row in rows if row[1].role == "daily-note" and row[1].day is not None]
    too_old = {path for path, _ in notes[count:]}
    return {path: located for path, located in rows if path not in too_old}, len(too_old)


def _newest_first(located: LocatedFile) -> int:
    return -(located.day or date.min).toordinal()


def _may_contain(content: bytes, needle: str) -> bool:
    """Whether a text could contain a folded needle; most that do not are recognised without decoding them."""
    if content.isascii():
        return needle.isascii() and needle.encode() in content.lower().replace(b"`", b"'")
    return needle in fold(content.decode("utf-8", "surrogateescape"))


def _document_hits(path: str, located: LocatedFile, text: str, needle: str, context: int) -> Iterator[Hit]:
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if needle in fold(line):
            snippet, spans = _snippet(line.strip(), needle)
            yield Hit(
                path=path,
                line=number,
                end_line=number,
                role=located.role,
                source="document",
                score=1.0,
                snippet=snippet,
                spans=spans,
                text=line.rstrip("\r"),
                date=located.day,
                group=located.group,
                before=numbered_lines(lines, number - context, number - 1) if context else (),
                after=numbered_lines(lines, number + 1, number + context) if context else (),
            )


def _turn_hits(
    workspace: Workspace, request: SearchRequest, needle: str, limit: int, notices: list[str]
) -> list[Hit]:
    """At most `limit` lines of messages that contain the needle, newest turns first.

    What cannot be read is named in `notices`.
    """
    place = workspace.layout.place(_TURN_ROLE)
    hits: list[Hit] = []
    for group in history_groups(workspace):
        for folder in reversed([*walk_folders(workspace, group, notices)]):
            names = [name for name in reversed(folder.files) if is_turn_name(name)]
            for name, _, content in workspace.disk.read_files(folder.path, names):
                path = str(folder.path / name)
                located = workspace.role_of(path) or LocatedFile(_TURN_ROLE, place, {}, group)
                if isinstance(content, UnreadableFile):
                    notices.append(str(content))
                elif request.admits(path, located.group, located.day):
                    hits += _hits_in_turn(path, located, content, needle, request)
                if len(hits) >= limit:
                    return hits[:limit]
    return hits


def _hits_in_turn(
    path: str, located: LocatedFile, content: bytes, needle: str, request: SearchRequest
) -> Iterator[Hit]:
    raw = content.decode("utf-8", "replace")
    lines, context = raw.split("\n"), request.context
    for line, number, turn, speaker in _matching_lines(content, raw, lines, needle, request):
        snippet, spans = _snippet(line.strip(), needle)
        yield Hit(
            path=path,
            line=number,
            end_line=number,
            role=_TURN_ROLE,
            source="transcript",
            score=1.0,
            snippet=snippet,
            spans=spans,
            text=line,
            date=turn.at.date() if turn else located.day,
            group=located.group,
            before=numbered_lines(lines, number - context, number - 1) if context else (),
            after=numbered_lines(lines, number + 1, number + context) if context else (),
            speaker=speaker,
            seq=turn.seq if turn else None,
            at=turn.created_at if turn else None,
        )


def _matching_lines(
    content: bytes, raw: str, lines: list[str], needle: str, request: SearchRequest
) -> Iterator[tuple[str, int, Turn | None, str | None]]:
    """Each line of a message with the needle, its line number in the file, its turn and its speaker.

    Of a file that is no turn, its lines.
    """
    match read_turn(content):
        case CurrentTurn(turn) | UpgradedTurn(turn) as turn_file:
            messages = turn.messages if request.admits_turn(turn) else ()
            for index, message in enumerate(messages):
                if not request.admits_message(message):
                    continue
                for offset, line in enumerate(searchable_text(message).split("\n")):
                    if needle in fold(line):
                        is_current = isinstance(
                            turn_file, CurrentTurn
                        )  # in an old shape parts stand elsewhere
                        number = line_in_file(raw, message, index, offset) if is_current else 1
                        yield line, number, turn, message.role
        case _ if not request.is_of_messages:
            for number, line in enumerate(lines, 1):
                if needle in fold(line):
                    yield line, number, None, None
        case _:
            pass


def _snippet(line: str, needle: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The part of a line around the match, and the span of the match in it."""
    shown = unicodedata.normalize("NFC", line)
    ends = list(accumulate(len(fold(letter)) for letter in shown))
    start = "".join(map(fold, shown)).find(needle)
    if start < 0:  # the match is one only when the letters are folded together
        return shown[:_SNIPPET], ()
    first, last = bisect_right(ends, start), bisect_right(ends, start + len(needle) - 1) + 1
    cut = max(0, first - _SNIPPET // 3) if len(shown) > _SNIPPET else 0
    return shown[cut : cut + _SNIPPET], ((first - cut, min(last - cut, _SNIPPET)),)
