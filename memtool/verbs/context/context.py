"""context: what goes into the next prompt: the sections of every prompt, then snippets on its subject."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.context.budget import SNIPPETS_TITLE, fit_budget, fit_sections
from memtool.core.context.context import (
    CHARACTERS,
    EACH,
    TOP,
    PromptSnippet,
    query_of,
    select_snippets,
)
from memtool.core.context.messages import NO_ROOM, PastMessage
from memtool.core.context.passages import has_name, matching_records, says_of_speaker
from memtool.core.context.ranking import rank_snippets
from memtool.core.context.retrieved import LeftOutPiece, RetrievedMemory, SelectedMemory, query_stem
from memtool.core.context.section import PromptSection, split_records
from memtool.core.context.statements import without_known
from memtool.core.privacy.recalled import tag_recalled
from memtool.core.records.request import ContextRequest
from memtool.core.search.prompts import asks_about_former, asks_in_past_tense, prompt_queries
from memtool.core.search.query import Query
from memtool.store.workspace import Workspace
from memtool.verbs.access.scope import visible_notices
from memtool.verbs.context.cleaned import cleaned_sections, cleaned_snippets, select_cleaned
from memtool.verbs.context.messages import find_messages
from memtool.verbs.context.said_days import SaidDays
from memtool.verbs.context.sections import NEWEST_FIRST, standing_sections
from memtool.verbs.context.snippets import LEARNINGS, SnippetSource
from memtool.verbs.context.taken_back import without_taken_back
from memtool.verbs.indexing.document_diff import DocumentView, read_indexed
from memtool.verbs.indexing.documents import DocumentSync
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.indexing.turns import TurnSync, TurnView
from memtool.verbs.memory_files.superseded import current_messages, marked_messages, superseded_in

WORDS, LEXICAL = "words", "lexical"
"""How chunks of documents are ranked: by nano's formula, or as search does."""
_DEPTHS = (200, 2_000, 20_000)
_ATTEMPTS = 6
_SAMPLE = "what is my plan, and when did we say that it begins? " * 4
"""A text by whose cost characters are converted into the unit of a budget."""
_MOST_DOUBLED = 12
"""How often a budget into which nothing fits is doubled, to find one into which something does."""
_COPIES = 3
"""How many times as many chunks are read as may be shown: several files record the same statement."""
_ENOUGH = 50
"""Chunks that the index is asked for, at each attempt, until so many of them may be selected."""


class ContextResponse(Struct, frozen=True):
    """The text for the prompt, and what it is made of.

    `is_incomplete` says that something which may belong there could not be read. `least` is a budget that is
    enough for some of it, where nothing fits into the request's; else 0.
    """

    text: str
    query: str
    sections: tuple[PromptSection, ...]
    snippets: tuple[PromptSnippet, ...]
    left_out: tuple[LeftOutPiece, ...] = ()
    notices: tuple[str, ...] = ()
    is_incomplete: bool = False
    least: int = 0


def with_settings(workspace: Workspace, request: ContextRequest) -> ContextRequest:
    """The request with the workspace's settings for what it leaves open."""
    retrieval = workspace.settings["retrieval"] or workspace.layout.retrieval
    mode = request.mode or workspace.settings["context.mode"] or workspace.layout.snippets
    return replace(request, mode=mode, retrieval=request.retrieval and retrieval == "on")


def context(
    workspace: Workspace, request: ContextRequest, open_indexes: Callable[[], SearchIndexes]
) -> ContextResponse:
    """What goes into the prompt, within its budget. Raises BadUsage for an invalid setting."""
    request = with_settings(workspace, request)
    notices: list[str] = []
    missed: list[str] = []
    budget, cost = request.budget, request.cost
    sections: list[PromptSection] = []
    if request.standing:
        most = budget if cost is len else None
        sections = cleaned_sections(select_sections(workspace, request, notices, missed), most)
    selected, memory = SelectedMemory(), None
    if request.retrieval:
        indexes = open_indexes()
        whole = fit_sections(sections, budget, cost).whole_paths
        request = replace(request, shown=frozenset(map(searched_path, whole | rules_paths(sections))))
        memory = find_memory(workspace, request, indexes.documents, indexes.turns, notices, missed)
        sections = with_matching_rules(sections, memory.query)
        selected = select_memory(memory, sections, budget, cost)
    fitted = fit_budget(sections, selected.snippets, budget, cost)
    left_out = {section.path: section.left_out for section in fitted.sections}
    cut = [section.path for section in sections if left_out.get(section.path) != section.left_out]
    omitted = [
        LeftOutPiece(section.path, 0, section.role, 0.0, NO_ROOM)
        for section in sections
        if section.text.strip() and section.path not in left_out
    ]
    least = 0
    if not fitted.text and budget is not None:
        least = _least_budget(sections, memory, budget, cost)
    if cut:
        notices.append(f"not included in full, because the budget is too small: {', '.join(cut)}")
    return ContextResponse(
        fitted.text,
        query_of(request.prompt, workspace.settings["agent_name"]),
        fitted.sections,
        fitted.snippets,
        (*omitted, *selected.left_out),
        tuple(dict.fromkeys((*missed, *notices))),
        bool(missed),
        least,
    )


def _least_budget(
    sections: Sequence[PromptSection],
    memory: RetrievedMemory | None,
    budget: int,
    cost: Callable[[str], int],
) -> int:
    """A budget into which something fits, close to the least one above `budget`; 0 if there is nothing."""

    def text(room: int) -> str:
        snippets = select_memory(memory, sections, room, cost).snippets if memory is not None else ()
        return fit_budget(sections, snippets, room, cost).text

    least = next((budget << doubled for doubled in range(1, _MOST_DOUBLED) if text(budget << doubled)), 0)
    too_small = budget
    while least - too_small > 1:
        middle = (too_small + least) // 2
        if text(middle):
            least = middle
        else:
            too_small = middle
    return least


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


def find_memory(
    workspace: Workspace,
    request: ContextRequest,
    documents: DocumentSync,
    turns: TurnSync,
    notices: list[str],
    missed: list[str],
) -> RetrievedMemory:
    """What memory has for a prompt, in documents and in messages, each as its file is now.

    Nothing for a prompt that asks nothing or is a courtesy, or of which memory contains too little. If it
    contains too little of the whole prompt, the questions in it are asked one by one. A statement that
    something newer replaced is marked; a passage that says nothing else answers only a prompt about the past.
    """
    snippets: list[PromptSnippet] = []
    messages: list[PastMessage] = []
    view: DocumentView | None = None
    turn_view: TurnView | None = None
    prompt = query_of(request.prompt, workspace.settings["agent_name"])
    for asked in prompt_queries(prompt):
        query = replace(asked, as_spelled=request.mode == WORDS)
        if query.words:
            view, chunks = _find_snippets(workspace, request, query, documents, view, notices, missed)
            snippets = [
                snippet for snippet in cleaned_snippets(chunks) if without_known(snippet.text, request.known)
            ]
            if workspace.has("turn"):
                turn_view, messages = find_messages(
                    workspace, request, query, turns, turn_view, notices, missed
                )
        if query.part == "possession":
            snippets, messages = _of_user(snippets, messages, query)
        elif query.part == "names":
            snippets, messages = _naming(snippets, messages, query)
        if snippets or messages:
            break
    turns.end_read()
    if snippets or messages:
        spoken = (text for message in messages for text in (message.text, message.reply))
        texts = [*(snippet.text for snippet in snippets), *spoken]
        seen = workspace.seen_by(request.scope.owners or ())
        snippets = SaidDays(seen, request.scope.group).dated_snippets(snippets)
        if gone := superseded_in(texts, seen, request.scope.group):
            snippets, messages = _current(snippets, messages, gone, prompt)
            snippets, messages = marked_messages(snippets, gone), marked_messages(messages, gone)
        snippets, messages = without_taken_back(workspace, request.scope, snippets, messages)
    characters = workspace.settings["context.characters"] or (CHARACTERS if request.budget is None else 0)
    return RetrievedMemory(query, tuple(snippets), tuple(messages), request.known, characters)


def _current(
    snippets: list[PromptSnippet], messages: list[PastMessage], gone: Collection[str], prompt: str
) -> tuple[list[PromptSnippet], list[PastMessage]]:
    """Those that say more than the statements that are `gone`.

    All of them if the prompt asks about what held before, or in the past tense and nothing current answers.
    """
    if asks_about_former(prompt):
        return snippets, messages
    current = current_messages(snippets, gone), current_messages(messages, gone)
    return current if any(current) or not asks_in_past_tense(prompt) else (snippets, messages)


def select_memory(
    memory: RetrievedMemory,
    sections: Sequence[PromptSection],
    budget: int | None,
    cost: Callable[[str], int],
) -> SelectedMemory:
    """What of memory fits beside the sections of every prompt, each of which has at most its share.

    The cost of a text is not known before it is made: where it is too much, there are fewer snippets.
    """
    standing = fit_sections(sections, budget, cost)
    text = _text_of(standing.sections)
    if budget is None:
        return select_cleaned(memory, memory.characters, text)[1]
    room = budget - (standing.cost or cost(tag_recalled(""))) - cost(SNIPPETS_TITLE)
    unit = max(1.0, len(_SAMPLE) / max(1, cost(_SAMPLE)))
    for _ in range(_ATTEMPTS):
        memory, selected = select_cleaned(memory, int(room * unit), text)
        shown = fit_budget(sections, selected.snippets, budget, cost).snippets
        excess = selected.snippets[len(shown) :]
        if not excess:
            break
        room -= sum(cost(snippet.line(len(selected.snippets))) + 1 for snippet in excess)
    return selected


def rules_paths(sections: Iterable[PromptSection]) -> frozenset[str]:
    """The paths of sections of rules: the matching ones are in a prompt, and no excerpt repeats them."""
    return frozenset(section.path for section in sections if section.role == "rules")


def with_matching_rules(sections: Sequence[PromptSection], query: Query) -> list[PromptSection]:
    """The sections, those of rules with the rules that match the query: they stay where not all fit."""
    stem = query_stem(query)
    return [
        replace(section, matching=tuple(matching_records(split_records(lines), query, stem)))
        if section.role == "rules" and len(lines := section.text.strip("\n").split("\n")) > 1
        else section
        for section in sections
    ]


def _of_user(
    snippets: list[PromptSnippet], messages: list[PastMessage], query: Query
) -> tuple[list[PromptSnippet], list[PastMessage]]:
    """Those that say something of the user's own: "my sister" of a prompt is not every sister in memory."""
    stem = query_stem(query)
    return (
        [shown for shown in snippets if shown.role == "semantic" or says_of_speaker(shown.text, query, stem)],
        [message for message in messages if says_of_speaker(message.text, query, stem)],
    )


def _naming(
    snippets: list[PromptSnippet], messages: list[PastMessage], query: Query
) -> tuple[list[PromptSnippet], list[PastMessage]]:
    """Those that have a word of the query as a name."""
    stem = query_stem(query)
    return (
        [shown for shown in snippets if has_name(shown.text, query, stem)],
        [message for message in messages if has_name(message.text, query, stem)],
    )


def _find_snippets(
    workspace: Workspace,
    request: ContextRequest,
    query: Query,
    index: DocumentSync,
    last: DocumentView | None,
    notices: list[str],
    missed: list[str],
) -> tuple[DocumentView, list[PromptSnippet]]:
    """The chunks of documents that answer a prompt, best first, each as its file is now; and their view.

    `last` is the view of the query just before of the same prompt.
    """

    def ask(view: DocumentView) -> tuple[list[PromptSnippet], list[str]]:
        ranked = _rank(workspace, request, query, view)
        characters = workspace.settings["context.characters"] or CHARACTERS
        selected = select_snippets(ranked, _COPIES * characters, _COPIES * TOP, _COPIES * EACH)
        paths = dict.fromkeys(snippet.path for snippet in selected)
        return selected, [path for path in paths if read_indexed(workspace, view, path) is None]

    view, snippets, stale = index.search(ask, last)
    view_notices = visible_notices(workspace, request.scope, view.notices) if view is not last else ()
    left_out = [f"{path} was skipped, because it kept changing while it was being read" for path in stale]
    (missed if view.unread or stale else notices).extend((*view_notices, *left_out))
    return view, [snippet for snippet in snippets if snippet.path not in stale]


def _rank(
    workspace: Workspace, request: ContextRequest, query: Query, view: DocumentView
) -> list[PromptSnippet]:
    """Every chunk that may be selected, best first."""
    source = SnippetSource(workspace, request)
    snippets: list[PromptSnippet] = []
    for depth in _DEPTHS:  # many chunks may be in every prompt already
        hits = view.index.query(query, depth, filters=source.filters())
        snippets = source.snippets(hits)
        if len(snippets) >= _ENOUGH or len(hits) < depth:
            break
    if request.mode == LEXICAL:
        return sorted(snippets, key=lambda snippet: (-round(snippet.score, 6), -snippet.salience))
    return rank_snippets(query.text, snippets)


def searched_path(path: str) -> str:
    """A section's path as the search knows it: the section of learnings stands for several files."""
    return LEARNINGS if path.endswith(NEWEST_FIRST) else path


def _text_of(sections: Iterable[PromptSection]) -> str:
    return "\n".join(section.text for section in sections)
