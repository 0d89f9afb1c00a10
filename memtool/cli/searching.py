"""Answer a search: by the watcher of the workspace if one runs, else in this process."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from memtool.cli.session import Session
from memtool.errors import BadUsage, error_place

if TYPE_CHECKING:
    from memtool.core.records.request import SearchMode, SearchRequest
    from memtool.core.records.search import SearchArguments, SearchResponse
    from memtool.serve.watch.protocol import HookMessage, HookReply, SearchMessage
    from memtool.verbs.indexing.indexes import SearchIndexes


_INDEXED_BYTES = 4_000_000
"""Bytes of changed files that a search indexes, in about a second, before it answers."""


def search(session: Session, arguments: SearchArguments) -> SearchResponse:
    """The response of the watcher, or of this process.

    A watcher is not asked in incognito (it may write its index for the answer), under another layout than its
    own, for an exact search, for one of the fleet, or where a command makes vectors.
    """
    is_local = session.incognito or "layout" in session.given or arguments.exact
    is_local = is_local or arguments.fleet or bool(arguments.embedder)
    if not is_local:
        from memtool.serve.watch.client import search as search_by_watcher

        environment = {k: v for k, v in session.environment.items() if k.startswith("MEMTOOL_")}
        environment |= {f"MEMTOOL_{kind.upper()}": name for kind, name in session.owner_ids.items()}
        response = search_by_watcher(session.root, arguments, environment)
        if response is not None:
            session.detail("the search was answered by the watcher")
            return response
    with quick_indexes(session, arguments.text) as open_indexes:
        return search_here(session, open_indexes, arguments)


@contextlib.contextmanager
def quick_indexes(session: Session, text: str) -> Iterator[Callable[[], SearchIndexes]]:
    """Opens the indexes to answer a question without delay.

    If much has changed, only some of the changed files, those with words of the question, are searched, and a
    process in the background indexes all of them afterwards.
    """
    opened: list[SearchIndexes] = []

    def open_indexes() -> SearchIndexes:
        from memtool.core.text.tokenizer import topic_words

        indexes = session.search_indexes()
        if session.workspace.writes:
            indexes.documents.most, indexes.documents.words = _INDEXED_BYTES, topic_words(text)
            opened.append(indexes)
        return indexes

    yield open_indexes
    if any(indexes.documents.is_behind for indexes in opened):
        from memtool.cli.hooks.runner import run_in_background, update_index

        try:
            run_in_background([lambda: update_index(session)], 0)
        except OSError as error:
            session.notice(f"changed files were not indexed: {error_place(error)}; run memtool reindex")


def search_here(
    session: Session, open_indexes: Callable[[], SearchIndexes], arguments: SearchArguments
) -> SearchResponse:
    """The response of this process; the indexes are opened unless the search is exact."""
    request = _read_arguments(session, arguments)
    workspace = session.workspace
    if arguments.exact:
        from memtool.verbs.search.exact import search_exact

        response = search_exact(workspace, request)
    elif arguments.fleet:
        from memtool.verbs.fleet.push import own_key
        from memtool.verbs.fleet.search import search_with_fleet

        response = search_with_fleet(
            workspace, own_key(workspace, session.environment), request, open_indexes()
        )
    else:
        from memtool.verbs.search.search import is_asked_for
        from memtool.verbs.search.search import search as search_indexes

        embedder = None if request.mode == "lexical" else session.embedder(arguments.embedder)
        indexes = open_indexes()
        if indexes.documents.most is not None:
            indexes.documents.is_asked_for = partial(is_asked_for, workspace, request)
        response = search_indexes(workspace, request, indexes, embedder)
    if response.hits or not request.path or request.scope.groups is not None:
        return response
    from memtool.verbs.search.unmatched import unmatched_path

    notice = unmatched_path(workspace.seen_by(request.scope.owners), request.path)
    return response._replace(notices=(*response.notices, notice)) if notice else response


def watcher_answers(
    session: Session, indexes: SearchIndexes
) -> Callable[[SearchMessage | HookMessage], SearchResponse | HookReply]:
    """What the watcher calls for each message: the same search, or hook, on its open indexes."""

    def answer(message: SearchMessage | HookMessage) -> SearchResponse | HookReply:
        caller = Session()
        caller.schedule = session.schedule
        own = {k: v for k, v in session.environment.items() if not k.startswith("MEMTOOL_")}
        caller.environment = {**own, **message.environment}
        caller.adopt_workspace(session.workspace.with_current_settings(caller.environment))
        from memtool.serve.watch.protocol import HookMessage

        if isinstance(message, HookMessage):
            from memtool.cli.hooks.runner import answer_message as answer_hook

            return answer_hook(caller, indexes, message)
        return search_here(caller, lambda: indexes, message.arguments)

    return answer


def _read_arguments(session: Session, arguments: SearchArguments) -> SearchRequest:
    """The request that arguments make in the workspace of the session. Raises BadUsage, OutsideWorkspace."""
    from memtool.cli.times import parse_day
    from memtool.core.records.request import SearchRequest

    scope = session.decide_scope(arguments.group)
    today = session.now.astimezone(session.zone).date()
    since = parse_day(arguments.since, today, "--since") if arguments.since else None
    until = parse_day(arguments.until, today, "--until") if arguments.until else None
    if since and until and since > until:
        raise BadUsage(f"--since {arguments.since!r} is after --until {arguments.until!r}")
    mode = _read_mode(session, arguments)
    if arguments.embedder and mode == "lexical":
        raise BadUsage("--embedder requires --mode semantic or --mode hybrid")
    return SearchRequest(
        arguments.text,
        scope,
        today,
        mode=mode,
        roles=arguments.roles,
        path=arguments.path and arguments.path.removeprefix("./"),
        since=since,
        until=until,
        limit=arguments.limit,
        context=arguments.context,
        sessions=arguments.sessions,
        speakers=arguments.speakers,
        chats=arguments.chats,
        lists_files=arguments.lists_files,
    )


def _read_mode(session: Session, arguments: SearchArguments) -> SearchMode:
    """The mode of the arguments, else of the settings; an exact search ranks nothing and reads neither."""
    from memtool.core.records.request import SEARCH_MODES

    if arguments.exact:
        return "lexical"
    name = arguments.mode or session.workspace.settings["search.mode"]
    for mode in SEARCH_MODES:
        if mode == name:
            return mode
    raise BadUsage(f"search.mode must be lexical, semantic or hybrid, not {name!r}")
