"""Lines of long-term memory, and of what is written about the user, that answer a question as facts do.

Also who the user is, by name and by the facts of the profile.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from memtool.core.capture.stated_name import introduced_name, stated_name
from memtool.core.context.filled import filled_text
from memtool.core.context.profile import profile_statements
from memtool.core.facts.identity import shown_sentence
from memtool.core.facts.own_relations import own_relations
from memtool.core.facts.question_subject import asks_name, is_of_another_person, question_subject
from memtool.core.facts.relation_names import NAME_WORDS, asked_words, line_names
from memtool.core.records.document import Document
from memtool.core.records.entries import Fact
from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import sees
from memtool.core.records.semantic import FactTriple
from memtool.core.text.discourse import without_opening
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.tokenizer import word_list
from memtool.errors import MemtoolError
from memtool.formats import long_term
from memtool.formats.ownership import visible_lines
from memtool.formats.syntax import frontmatter
from memtool.index.engine import FileStamp
from memtool.index.facts.fact_search import FactHit, FactQuery
from memtool.index.facts.facts import FactFile, FactRow, Facts, stems
from memtool.index.facts.newer_facts import recall_newest
from memtool.layouts.seeds import unfilled_text
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.place_files import place_documents
from memtool.verbs.memory_files.semantic_files import all_facts
from memtool.verbs.memory_files.superseded import folded_statement, superseded_in

_ABOUT_USER = "user"
"""The name of the core file that is about the user, in any case."""
_NAME_QUESTION = "What is my name?"
_OTHER_QUESTIONS = ("What is my job?", "Where do I live?")
_LIST_MARK = r"\A(?:[-*+]|\d{1,9}[.)])[ \t]+"
_BETTER = 0.3
"""How much more of a question a line holds than any fact found, so that it is an answer, too."""
_IDENTIFYING = frozenset(
    {"WORKS_AS", "WORKS_AT", "LIVES_IN", "HAS_AGE", "COMES_FROM", "STUDIES", "STUDIES_AT"}
)
"""Predicates of what people say first who are asked who they are."""
_NAME_OF_OTHER = (
    r"(?<!\bi['’]m )(?<!\bi am )(?<!user is )(?<!^)\b(?:named|called) \w"
    r"|(?<!user)['’]s (?:\w+ )?name\b|\bname of\b"
    r"|\b(?!(?:my|s|user|users|the|a|full|first|last|own|given|real|middle)\b)\w+ name\b"
)
"""Somebody else's name, or that of a thing."""
_GIVES_NAME = (
    r"(?:\b(?:called|named|hei(?:ß|ss)t|namens|se llama|s['’]appelle|se chama|зовут)"
    r"|\bname(?:['’]s| is| ist)) NAME(?!\w|['’]s\b|[ -](?-i:[A-ZÀ-ÞА-Я]))"
    r"|^\W*NAME (?:is|ist|es|est|é) (?:my|our|mein\w*|unser\w*|mi|nuestr[oa]|mon|ma|notre"
    r"|(?:[oa] )?(?:meu|minha|noss[oa]))\b(?! \w+['’]s\b)"
)
"""A line that gives this name to somebody or something, or that says whose the bearer is."""


def as_user_asks(workspace: Workspace, request: RecallRequest, notices: list[str]) -> RecallRequest:
    """The request as the user would put it, who asks for their name or is named in the question.

    All questions for nothing but the name are one, and one about Ada is about the user if memory has that the
    user is called Ada.
    """
    if asks_name(request.text):
        return replace(request, text=_NAME_QUESTION)
    names = question_subject(request.text).names
    if not names:
        return request
    lines = recall_lines(workspace, replace(request, text=_NAME_QUESTION), None, notices)
    own = {name for line in lines for name in _given_names(line.text) if name in map(search_fold, names)}
    for name in names:
        if search_fold(name) in own:
            text = regex(rf"\b{re.escape(name)}(?P<owner>['’]s)?(?!\w)").sub(
                lambda match: "my" if match["owner"] else "I", request.text
            )
            return replace(request, text=text)
    return request


def _given_names(line: str) -> list[str]:
    """The words of the name that a line gives the user, folded."""
    label, colon, value = line.partition(":")
    is_labelled = bool(colon) and search_fold(label).strip() in NAME_WORDS.split()
    name = value if is_labelled else introduced_name(line) or stated_name(line) or ""
    return word_list(search_fold(name))


def with_lines(
    workspace: Workspace,
    request: RecallRequest,
    category: str | None,
    hits: Sequence[FactHit],
    notices: list[str],
) -> list[FactHit]:
    """The facts found, after the lines that hold clearly more of the question; all lines if there is no fact.

    The user's name is not that of anybody else whom facts name, so that lines count first for it. A name
    alone is also answered by the lines that say whose it is: "My Labrador is called Biscuit" for "Biscuit".
    """
    if asks_name(request.text):
        own = [hit for hit in hits if not names_other(hit.text)]
        return [*recall_lines(workspace, request, category, notices), *own][: request.limit]
    most = max((hit.words for hit in hits), default=-1.0)
    if most >= 1 - _BETTER and " " in request.text.strip():
        return [*hits]
    lines = recall_lines(workspace, request, category, notices)
    if most >= 1 - _BETTER:
        stated = " ".join(folded_statement(hit.text) for hit in hits)
        is_told = any(_gives_name(hit.text, request.text) for hit in hits)
        naming = [line for line in lines if not is_told and _gives_name(line.text, request.text)]
        naming = [line for line in naming if folded_statement(line.text) not in stated]
        return [*naming, *hits][: request.limit]
    better = [line for line in lines if line.words >= most + _BETTER] if hits else lines
    return [*better, *hits][: request.limit]


def about_user(workspace: Workspace, request: RecallRequest, notices: list[str]) -> list[FactHit]:
    """Who the user is: the name, then the other facts of the profile, work and home first.

    Lines of files come before the facts, without those that say what a fact says or had said before.
    """
    named = [
        line
        for question in (_NAME_QUESTION, *_OTHER_QUESTIONS)
        for line in recall_lines(workspace, replace(request, text=question), None, notices)
        if question == _NAME_QUESTION or own_relations(line.text)
    ]
    named = [*{line.name: line for line in named}.values()]
    facts = [
        fact
        for fact in all_facts(workspace, notices)
        if fact.record.superseded is None and sees(request.scope.owners, str(fact.owner or ""))
    ]
    profile = profile_statements([fact.record for fact in facts])
    ids = [profile.newest_first[statement] for statement in profile.shown]
    places = {name: place for place, name in enumerate(ids)}
    known = sorted((fact for fact in facts if fact.record.id in places), key=lambda fact: places[fact.name])
    known = [fact for fact in known if not is_of_another_person(fact.text)] or known
    known.sort(key=lambda fact: not _identifies(fact.record.fact))
    known.sort(key=lambda fact: not _names_user(without_opening(shown_sentence(fact.record.fact))))
    hits = [
        FactHit(
            0, str(fact.path), fact.line, fact.name, fact.category, str(fact.owner or ""), fact.text, 0.0, 1.0
        )
        for fact in known
    ]
    said = [without_opening(shown_sentence(fact.record.fact)) for fact in known]
    stated = {folded_statement(text) for text in said}
    lines = [line for line in named if folded_statement(without_opening(line.text)) not in stated]
    if any(map(_names_user, said)):
        lines = [line for line in lines if not superseded_in([line.text], workspace, None)]
    return [*lines, *hits][: request.limit]


def _identifies(fact: Fact | FactTriple) -> bool:
    """Whether a fact is what people say first who are asked who they are, such as their work and home."""
    predicate = "" if isinstance(fact, Fact) else fact.predicate
    return predicate in _IDENTIFYING or bool(own_relations(shown_sentence(fact)))


def _names_user(text: str) -> bool:
    """Whether a statement gives the user's name."""
    return bool(introduced_name(text) or stated_name(text))


def _gives_name(line: str, name: str) -> bool:
    """Whether a line says who or what has a name, or who that is to the user, and not only mentions it."""
    named = re.escape(name.strip())
    return regex(_GIVES_NAME.replace("NAME", named), re.IGNORECASE).search(line) is not None


def names_other(text: str) -> bool:
    """Whether a text gives the name of somebody else, or of a thing."""
    return regex(_NAME_OF_OTHER).search(search_fold(text)) is not None


def recall_lines(
    workspace: Workspace, request: RecallRequest, category: str | None, notices: list[str]
) -> list[FactHit]:
    """The lines that answer a question by words, best first; the id of each is its `path:line`.

    A file that cannot be read is named in `notices`. Raises BrokenIndex.
    """
    files: list[FactFile] = []
    for place in workspace.layout.places:
        if place.role not in {"long-term", "core"}:
            continue
        with contextlib.suppress(MemtoolError):  # the workspace has no such folder
            for document in place_documents(workspace, place, None):
                if not isinstance(document, Document):
                    notices.append(str(document))
                    continue
                is_long_term = place.role == "long-term"
                rows = _long_term_rows if is_long_term else functools.partial(_core_rows, workspace)
                if facts := tuple(rows(document, request)):
                    files.append(FactFile(str(document.path), FileStamp(0, 0, 0, 0, 0, ""), facts))
    if not files:
        return []
    query = FactQuery(
        tuple(stems(asked_words(request.text))), request.limit, category=category, text=request.text
    )
    memory = Facts.in_memory()
    try:
        memory.write(files)
        return recall_newest(memory, None, query)
    finally:
        memory.close()


def _long_term_rows(document: Document, request: RecallRequest) -> Iterator[FactRow]:
    for item in long_term.items(long_term.parse(document.text)):
        owner = str(item.fact.owner or "")
        if item.superseded is None and sees(request.scope.owners, owner):
            yield from _rows(document, item.line, item.fact.detail, item.fact.category, owner, request)


def _core_rows(workspace: Workspace, document: Document, request: RecallRequest) -> Iterator[FactRow]:
    for number, text in lines_about_user(workspace, document, request.scope.owners):
        yield from _rows(document, number, text, "", "", request)


def lines_about_user(
    workspace: Workspace, document: Document, owners: Collection[str]
) -> Iterator[tuple[int, str]]:
    """The lines that owners see of a core file, if it is about the user, each with its number from 1.

    Without list marks, headings, and the lines that a new file has.
    """
    if document.path.stem.lower() != _ABOUT_USER:
        return
    seed = unfilled_text(workspace.layout, document.path, "core")
    body = frontmatter.parse(document.text).body
    filled = {*filled_text(body, seed).split("\n")}
    first = frontmatter.split(document.text)[2]
    for number, (line, is_shown) in enumerate(visible_lines(document.text, "core", owners), 1):
        if is_shown and number >= first and line.strip() and line in filled and not line.startswith("#"):
            yield number, regex(_LIST_MARK).sub("", line.strip())


def _rows(
    document: Document, line: int, text: str, category: str, owner: str, request: RecallRequest
) -> Iterator[FactRow]:
    text = text.replace("**", "").strip()
    is_name_asked = asks_name(request.text)
    if text and not (is_name_asked and names_other(text)):
        name = f"{document.path}:{line}"
        names = line_names(text)
        if is_name_asked and (introduced_name(text) or stated_name(text)):
            names = f"{names} {NAME_WORDS}".strip()
        yield FactRow(line, name, category or "context", owner, text, text, "", names)
