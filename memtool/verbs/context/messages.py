"""The messages of past sessions that answer a prompt, as their files are now."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from memtool.core.context.messages import MOST_MESSAGES, PastMessage, has_item
from memtool.core.history.upgrade import UpgradedTurn
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.request import ContextRequest
from memtool.core.records.turn import ASSISTANT, USER, Message, Turn
from memtool.core.search.query import FieldFilter, Query, QueryFilter
from memtool.core.text.courtesies import is_courtesy
from memtool.index.transcripts.transcript_hits import TranscriptHit
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.turns import TurnSync, TurnView
from memtool.verbs.search.search_turns import current_contents, line_in_file
from memtool.verbs.turns.turn_file import CurrentTurn, TurnFileContent, read_turn

_SPOKEN = frozenset({USER, ASSISTANT})
"""Roles whose messages may go into a prompt: what a tool returned is not memory of a conversation."""

_CACHED, _CACHE_SIZE = 16_000, 2_048
"""Bytes of a file that is cached as it was read, and how many such files are: a watcher, which runs for
months, answers one prompt after another with the same turns. They are cached by their bytes.
"""


def find_messages(
    workspace: Workspace,
    request: ContextRequest,
    query: Query,
    index: TurnSync,
    last: TurnView | None,
    notices: list[str],
    missed: list[str],
) -> tuple[TurnView, list[PastMessage]]:
    """The messages that answer, best first, one for each exchange; none of the running session; their view.

    `last` is the view of the query just before of the same prompt; the caller ends its reading. What cannot
    be read is named in `missed`.
    """

    def ask(view: TurnView) -> tuple[list[PastMessage], list[str]]:
        filters = _filters(workspace, request, query)
        hits = view.query(query, MOST_MESSAGES, filters, request.today, with_replies=True)
        unread.clear()
        unread.update(dict.fromkeys(hit.path for hit in hits if not hit.speaker))
        exchanges = _exchanges([hit for hit in hits if hit.speaker in _SPOKEN])
        read = [hit for exchange in exchanges for hit in (exchange, exchange.reply) if hit is not None]
        contents = current_contents(workspace.seen_by(request.scope.owners), read)
        turns = {path: _turn(content) for path, content in contents.items()}
        found = (_message(hit, turns, contents) for hit in exchanges)
        messages = [message for message in found if message is not None and _says_something(message, query)]
        return messages, [hit.path for hit in exchanges if hit.path not in contents]

    unread: dict[str, None] = {}  # files that are no turns, or turns of a newer version
    view, messages, stale = index.search(ask, last)
    missed += [f"{path} was skipped, because it is not a readable turn" for path in unread]
    left_out = [f"{path} was skipped, because it kept changing while it was being read" for path in stale]
    view_notices = view.notices if view is not last else ()
    (missed if view.unread or stale else notices).extend((*view_notices, *left_out))
    return view, messages


def _filters(workspace: Workspace, request: ContextRequest, query: Query) -> list[QueryFilter]:
    filters: list[QueryFilter] = [FieldFilter("speaker", (USER,))] if query.part == "possession" else []
    if request.session:
        filters.append(FieldFilter("session", (request.session,), excludes=True))
    if workspace.layout.groups is not None and request.scope.groups is not None:
        filters.append(FieldFilter("group", request.scope.groups))
    if request.scope.owners:
        filters.append(FieldFilter("owner", request.scope.owner_values))
    return filters


def _exchanges(hits: Sequence[TranscriptHit]) -> list[TranscriptHit]:
    """The hits without the replies that are shown below the messages that they reply to."""
    replies = {(hit.reply.path, hit.reply.number) for hit in hits if hit.reply is not None}
    return [hit for hit in hits if (hit.path, hit.number) not in replies]


def _turn(content: bytes) -> Turn | None:
    """The turn of a file; None for what is no turn."""
    match _read(content) if len(content) <= _CACHED else read_turn(content):
        case CurrentTurn(turn) | UpgradedTurn(turn):
            return turn
        case _:
            return None


@functools.lru_cache(_CACHE_SIZE)
def _read(content: bytes) -> TurnFileContent:
    return read_turn(content)


def _message(
    hit: TranscriptHit, turns: Mapping[str, Turn | None], contents: Mapping[str, bytes]
) -> PastMessage | None:
    """The message of a hit; None where it says nothing of its own."""
    message = _message_at(hit, turns)
    if message is None or not (text := without_recalled(message.text).strip()):
        return None
    reply = None if hit.reply is None else _message_at(hit.reply, turns)
    return PastMessage(
        hit.path,
        _line(contents[hit.path], message, hit.number),
        hit.day,
        _name_of(message),
        text,
        (hit.created_at, hit.seq or 0, hit.number),
        hit.score,
        reply="" if reply is None else without_recalled(reply.text).strip(),
        reply_name="" if reply is None else _name_of(reply),
        has_term=hit.has_term,
    )


def _says_something(message: PastMessage, query: Query) -> bool:
    """Whether a message is more than a courtesy, or its reply has a word of the query."""
    return not is_courtesy(message.text) or has_item(message.reply, query)


def _line(content: bytes, message: Message, number: int) -> int:
    """The line of a turn's file with message `number`."""
    if len(content) <= _CACHED:
        return _line_of_read(content, number)
    return line_in_file(content.decode("utf-8", "replace"), message, number, 0)


@functools.lru_cache(_CACHE_SIZE)
def _line_of_read(content: bytes, number: int) -> int:
    match _read(content):
        case CurrentTurn(turn) | UpgradedTurn(turn):
            return line_in_file(content.decode("utf-8", "replace"), turn.messages[number], number, 0)
        case _:
            return 1


def _message_at(hit: TranscriptHit, turns: Mapping[str, Turn | None]) -> Message | None:
    turn = turns.get(hit.path)
    return turn.messages[hit.number] if turn is not None and hit.number < len(turn.messages) else None


def _name_of(message: Message) -> str:
    name = message.more.get("name")
    return " ".join(name.split())[:40] if isinstance(name, str) and name.strip() else message.role
