"""context: what goes into the next prompt: the sections of every prompt, then snippets on its subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.context.budget import fit_budget, fit_sections
from memtool.core.context.context import (
    CHARACTERS,
    PromptSnippet,
    query_of,
    select_snippets,
)
from memtool.core.context.ranking import rank_snippets
from memtool.core.context.section import PromptSection
from memtool.core.records.request import ContextRequest
from memtool.core.search.query import prompt_query
from memtool.core.text.regex import regex
from memtool.errors import BadUsage
from memtool.store.workspace import Workspace
from memtool.verbs.access.scope import visible_notices
from memtool.verbs.context.sections import standing_sections
from memtool.verbs.context.snippets import SnippetSource
from memtool.verbs.indexing.documents import DocumentSync, DocumentView, read_indexed

_WORDS, _LEXICAL = "words", "lexical"
_DEPTHS = (200, 2_000, 20_000)
_ENOUGH = 50
"""Chunks that the index is asked for, at each attempt, until so many of them may be selected."""


class ContextResponse(Struct, frozen=True):
    """The text for the prompt, and what it is made of.

    `is_incomplete` says that something which may belong there could not be read.
    """

    text: str
    query: str
    sections: tuple[PromptSection, ...]
    snippets: tuple[PromptSnippet, ...]
    notices: tuple[str, ...] = ()
    is_incomplete: bool = False


def with_settings(workspace: Workspace, request: ContextRequest) -> ContextRequest:
    """The request with the workspace's settings for what it leaves open. Raises BadUsage."""
    retrieval = workspace.settings["retrieval"] or workspace.layout.retrieval
    mode = request.mode or workspace.settings["context.mode"]
    if retrieval not in {"on", "off"}:
        raise BadUsage(f"the setting retrieval is on or off, not {retrieval!r}")
    if mode not in {_WORDS, _LEXICAL}:
        raise BadUsage(f"context.mode is {_WORDS} or {_LEXICAL}, not {mode!r}")
    return replace(request, mode=mode, retrieval=request.retrieval and retrieval == "on")


def context(
    workspace: Workspace, request: ContextRequest, open_index: Callable[[], DocumentSync]
) -> ContextResponse:
    """What goes into the prompt, within its budget. Raises BadUsage for an invalid setting, IndexBehind."""
    request = with_settings(workspace, request)
    notices: list[str] = []
    missed: list[str] = []
    budget, cost = request.budget, request.cost
    sections = select_sections(workspace, request, notices, missed) if request.standing else []
    index = open_index() if request.retrieval else None
    standing_text = _text_of(sections)
    for is_last in (budget is None, True):
        snippets = find_snippets(workspace, request, index, notices, missed, standing_text) if index else []
        fitted = fit_budget(sections, snippets, budget, cost)
        left_out = {section.path: section.left_out for section in fitted.sections}
        cut = [section.path for section in sections if left_out.get(section.path) != section.left_out]
        if not cut or is_last or budget is None or index is None:
            break
        # A fact that is cut off does not stand in the prompt: only what does whatever the snippets take.
        standing_text = _text_of(fit_sections(sections, budget, cost).sections)
    if cut:
        notices.append(f"the budget leaves no room for all of {', '.join(cut)}")
    return ContextResponse(
        fitted.text,
        query_of(request.prompt, workspace.settings["agent_name"]),
        fitted.sections,
        fitted.snippets,
        tuple(dict.fromkeys((*missed, *notices))),
        bool(missed),
    )


def select_sections(
    workspace: Workspace, request: ContextRequest, notices: list[str], missed: list[str]
) -> list[PromptSection]:
    """The sections of every prompt, without lines of other owners; `missed` names what could not be read."""
    return standing_sections(
        workspace,
        workspace.settings["agent_name"],
        notices,
        missed,
        group=request.scope.group,
        latest_episode=request.latest_episode,
        owners=request.scope.owners,
    )


def find_snippets(
    workspace: Workspace,
    request: ContextRequest,
    index: DocumentSync,
    notices: list[str],
    missed: list[str],
    standing_text: str = "",
) -> list[PromptSnippet]:
    """The snippets for the prompt, each as its file is now. Raises IndexBehind.

    A fact that stands in the prompt already, in `standing_text`, is left out.
    """
    query = query_of(request.prompt, workspace.settings["agent_name"])
    budget = workspace.settings["context.characters"] or CHARACTERS

    def ask(view: DocumentView) -> tuple[list[PromptSnippet], list[str]]:
        ranked = _rank(workspace, request, query, view)
        new = [snippet for snippet in ranked if not _is_stated(snippet, standing_text)]
        selected = select_snippets(new, budget)
        paths = dict.fromkeys(snippet.path for snippet in selected)
        return selected, [path for path in paths if read_indexed(workspace, view, path) is None]

    view, snippets, stale = index.search(ask)
    view_notices = visible_notices(workspace, request.scope, view.notices)
    left_out = [f"{path} changes faster than it can be read; left out" for path in stale]
    (missed if view.unread or stale else notices).extend((*view_notices, *left_out))
    return [snippet for snippet in snippets if snippet.path not in stale]


def _rank(
    workspace: Workspace, request: ContextRequest, query: str, view: DocumentView
) -> list[PromptSnippet]:
    """Every chunk that may be selected, best first."""
    source = SnippetSource(workspace, request)
    # a chunk that holds only a part of a word has no score in nano's formula
    plain = replace(prompt_query(query), as_spelled=request.mode == _WORDS)
    snippets: list[PromptSnippet] = []
    for depth in _DEPTHS if plain.words else ():  # many chunks may be in every prompt already
        hits = view.index.query(plain, depth, filters=source.filters())
        snippets = source.snippets(hits)
        if len(snippets) >= _ENOUGH or len(hits) < depth:
            break
    if request.mode == _LEXICAL:
        return snippets
    ranked = rank_snippets(query, snippets)
    if ranked and ranked[0].score > 0:
        return ranked
    return [] if request.shown is not None else rank_snippets("", source.first_snippets(view.stamps))


def _text_of(sections: Iterable[PromptSection]) -> str:
    return "\n".join(section.text for section in sections)


def _is_stated(snippet: PromptSnippet, text: str) -> bool:
    """Whether the fact that a snippet consists of is a line of long-term memory in the text."""
    fact = regex(r"- \[\w+\] ([^\n]+)\Z").search(snippet.text) if snippet.role == "semantic" else None
    return fact is not None and f"**: {fact[1].strip()}\n" in f"{text}\n"
