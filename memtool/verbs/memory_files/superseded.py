"""Statements that hold no more: superseded facts and lines of long-term memory, and archived rules."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from memtool.core.context.context import PromptSnippet
from memtool.core.context.messages import PastMessage
from memtool.core.records.document import Document
from memtool.core.text.discourse import without_opening
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.place_files import place_documents

_Message = TypeVar("_Message", PromptSnippet, PastMessage)
_MARK = "[superseded:"
SUPERSEDED = "[superseded]"
_SHORTEST = 8
"""Characters of a statement that is looked for in other texts."""
_MOST_CORRECTIONS = 30
"""The newest corrections of a log with which older entries are compared."""
_MEMORY = frozenset({"long-term", "semantic", "rules", "rules-archive"})
_END = ".!。！｡ "
_STARTS = rf"(?<!\w)(?<!{re.escape(SUPERSEDED)} )"
_JOINED = r"\s(?:and|but|so|because|since|while|though|with\s+(?:my|our))\b"
_ENDS = rf"(?=\s*(?:$|[;:!?)\]\"'»”’…—–\n。！？、，]|[.,](?!\w)|{_JOINED}))"
"""Where a statement ends, or its part of a sentence: `on 12 May` is another one than `on 12 May 2027`."""
_REPLY = r"\s*assistant:"
"""The label of what an agent replied, in an excerpt of a daily note."""
_REPLACED = r"\(archived [^()\n]*: (?:r[a-z]?-[^()\n]*|withdrawn)\)"
"""The state of an archived rule that was replaced or withdrawn; others had to make room, or went by hand."""


def folded_statement(text: str) -> str:
    """A statement as two are compared: in lower case, without the mark at its end."""
    return " ".join(text.lower().split()).rstrip(_END)


def superseded_statements(
    workspace: Workspace, group: str | None, said: Collection[str] = ()
) -> frozenset[str]:
    """The folded statements that something newer replaced, and none that stands elsewhere again.

    Among them are the sentences by which superseded facts came to be, such as `No, she comes on Friday`, and
    those in the texts `said` that facts stated before they were edited by hand.
    """
    read = [*_read_texts(workspace, group)]
    edited = _edited(workspace, read, said)
    texts = read if edited else _marked(read)
    gone, current = _statements(texts)
    gone, current = gone | edited, current - edited
    if gone:
        gone |= _superseded_evidence(workspace, texts)
    return frozenset(gone - current - {""})


def replaced_entries(details: Sequence[tuple[object, str]]) -> frozenset[int]:
    """The numbers of entries of a log, each an owner and a text, that a newer one of its owner corrects."""
    from memtool.core.capture.corrected_lines import is_corrected
    from memtool.core.capture.correction_value import may_correct
    from memtool.core.capture.corrections import corrections
    from memtool.core.capture.languages.suppositions import is_doubtful

    correcting = [
        (number, owner, found)
        for number, (owner, text) in enumerate(details)
        if may_correct(text) and not is_doubtful(text) and (found := corrections(text))
    ]
    stated = {number: found[0].statement for number, _, found in correcting}
    return frozenset(
        older
        for number, owner, found in correcting[-_MOST_CORRECTIONS:]
        for older, (other, text) in enumerate(details[:number])
        if other == owner
        and any(is_corrected(each, stated.get(older) or text, is_recent=False) for each in found)
    )


def _superseded_evidence(workspace: Workspace, texts: Sequence[tuple[str, str]]) -> set[str]:
    """The folded sentences that only superseded facts rest on; what is left of a fact rests on all of its."""
    if not any(role == "semantic" and _MARK in text for role, text in texts):
        return set()
    try:
        gone, current = _evidence(workspace, texts)
    except (UnreadableFile, OutsideWorkspace):  # other commands report it
        return set()
    return gone - current


def _evidence(workspace: Workspace, texts: Iterable[tuple[str, str]]) -> tuple[set[str], set[str]]:
    """The sentences that superseded facts rest on, and those of facts that hold."""
    from memtool.formats import semantic
    from memtool.verbs.memory_files.evidence import evidence_quotes

    states: dict[str, bool] = {}
    for role, text in texts:
        if role == "semantic":
            for record in semantic.records(semantic.parse(text)):
                states[record.id or ""] = record.superseded is None
    gone: set[str] = set()
    current: set[str] = set()
    for name, quotes in evidence_quotes(workspace).items():
        if name in states:
            (current if states[name] else gone).update(map(folded_statement, quotes))
    return gone, current


def superseded_in(
    texts: Collection[str], workspace: Workspace, group: str | None
) -> Mapping[str, Collection[str]]:
    """Those of `superseded_statements` that the texts may contain, with the current ones that hold each."""
    read = [*_read_texts(workspace, group)]
    edited = _edited(workspace, read, texts)
    if not edited and not _marked(read):
        return {}
    marked = ((role, text if role == "rules-archive" else _marked_rows(text)) for role, text in read)
    folded = [" ".join(text.lower().split()) for text in texts]
    may_be_gone = {
        statement
        for statement in _statements(marked)[0]
        if len(statement) >= _SHORTEST and any(statement in text for text in folded)
    }
    may_be_gone |= {statement for statement in edited if len(statement) >= _SHORTEST}
    quotes = _superseded_evidence(workspace, read)
    may_be_gone |= {
        quote for quote in quotes if len(quote) >= _SHORTEST and any(quote in text for text in folded)
    }
    if not may_be_gone:  # most prompts: the other rows are not parsed
        return {}
    gone, current = _statements(read)
    quotes = {quote for quote in quotes if not any(said in quote for said in gone if said)}  # which is marked
    gone, current = gone | edited | quotes, current - edited
    return {
        statement: [longer for longer in current if statement in longer]
        for statement in may_be_gone & gone - current
    }


def current_texts(workspace: Workspace, group: str | None) -> set[str]:
    """The folded statements that hold, and the folded sentences that facts that hold rest on."""
    read = [*_read_texts(workspace, group)]
    current = _statements(read)[1]
    with contextlib.suppress(UnreadableFile, OutsideWorkspace):
        current |= _evidence(workspace, read)[1]
    return current


def stated_in(texts: Iterable[tuple[str, str]]) -> set[str]:
    """The folded statements of rows of memory, each with the role of its file, whether they hold or not."""
    return set().union(*_statements(texts))


def mark_superseded(text: str, statements: Mapping[str, Collection[str]]) -> str:
    """A text with one mark before each of these folded statements, but not inside of the longer ones.

    It stands before them, because a long statement may be cut in the prompt. Others of them are longer, too.
    """
    for statement, current in sorted(statements.items(), key=lambda item: len(item[0])):
        longer = {*current, *(other for other in statements if statement in other and other != statement)}
        words = "|".join(map(_words, sorted(longer, key=len, reverse=True)))
        pattern = rf"{_STARTS}(?:(?P<current>{words or '(?!)'})|{_words(statement)}){_ENDS}"
        text = re.sub(
            pattern,
            lambda match: match[0] if match["current"] else f"{SUPERSEDED} {match[0]}",
            text,
            flags=re.IGNORECASE,
        )
    return text


def replace_superseded(text: str, successors: Mapping[str, str]) -> str:
    """A text with what took the place of old statements, if anything, in list items that say just these."""
    for old, new in successors.items():
        if new and folded_statement(old):
            said = rf"{_words(folded_statement(old))}[{re.escape(_END)}]*(?:\(said on [\d-]{{10}}\))?"
            item = rf"^(\s*[-*] (?:\*\*\w+\*\*: )?){said}$"
            stated = without_opening(new).replace("\\", r"\\")
            text = re.sub(item, rf"\g<1>{stated}", text, flags=re.IGNORECASE | re.MULTILINE)
    return text


def marked_messages(
    messages: Iterable[_Message], statements: Mapping[str, Collection[str]]
) -> list[_Message]:
    """Messages or snippets with these folded statements marked in their texts and replies."""
    return [
        replace(
            message,
            text=mark_superseded(message.text, statements),
            reply=mark_superseded(message.reply, statements),
        )
        for message in messages
    ]


def current_messages(messages: Iterable[_Message], statements: Collection[str]) -> list[_Message]:
    """Messages or snippets that say more than these folded statements, which something newer replaced.

    A reply says more if it names something, or has some words, that the message does not have.
    """
    from memtool.core.context.statements import statements as digests_of

    digests = frozenset(digest for statement in statements for digest in digests_of(statement))
    return [message for message in messages if not _says_only(message, digests)]


def _says_only(message: PromptSnippet | PastMessage, digests: frozenset[str]) -> bool:
    from memtool.core.context.repeated_questions import acknowledges  # few passages need it
    from memtool.core.context.statements import is_known
    from memtool.core.text.stems import content_stems

    rows = message.text.split("\n")
    said = "\n".join(row for row in rows if not re.match(_REPLY, row))
    if not is_known(said, digests):
        return False
    stems = content_stems(said)
    replies = " ".join((*(re.sub(_REPLY, "", row) for row in rows if re.match(_REPLY, row)), message.reply))
    words = (word if content_stems(word) - stems else re.sub(r"[^.!?]", "", word) for word in replies.split())
    return acknowledges(" ".join(filter(None, words)))


def _words(statement: str) -> str:
    return r"\s+".join(map(re.escape, statement.split()))


def _marked_rows(text: str) -> str:
    return "\n".join(row for row in text.split("\n") if _MARK in row)


def _statements(texts: Iterable[tuple[str, str]]) -> tuple[set[str], set[str]]:
    """The statements that something newer replaced, and those that hold."""
    from memtool.core.records.semantic import FactTriple  # late: a search where nothing is superseded
    from memtool.formats import long_term, rules, semantic

    gone: set[str] = set()
    current: set[str] = set()
    for role, text in texts:
        match role:
            case "long-term":
                for item in long_term.items(long_term.parse(text)):
                    (current if item.superseded is None else gone).add(folded_statement(item.fact.detail))
            case "semantic":
                for record in semantic.records(semantic.parse(text)):
                    fact = record.fact
                    statement = (fact.quote or "") if isinstance(fact, FactTriple) else fact.detail
                    (current if record.superseded is None else gone).add(folded_statement(statement))
            case "rules-archive":
                replaced = "\n".join(row for row in text.split("\n") if re.search(_REPLACED, row))
                gone |= {folded_statement(rule.text) for rule in rules.rules(rules.parse(replaced))}
            case _:
                current |= {folded_statement(rule.text) for rule in rules.rules(rules.parse(text))}
    return gone, current


def _marked(texts: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """The files that may hold such statements, or what holds again; none where none holds such a one."""
    return texts if any(_MARK in text or role == "rules-archive" for role, text in texts) else ()


def _edited(workspace: Workspace, read: Sequence[tuple[str, str]], said: Collection[str]) -> set[str]:
    """The folded sentences in texts that facts stated before they were edited by hand."""
    if not said or not (facts := [text for role, text in read if role == "semantic"]):
        return set()
    from memtool.verbs.memory_files.edited_quotes import edited_quotes  # few workspaces have no facts

    return edited_quotes(workspace, facts, said, folded_statement)


def _read_texts(workspace: Workspace, group: str | None) -> Iterator[tuple[str, str]]:
    """The roles and texts of the files of memory; files that cannot be read are left out."""
    for place in workspace.layout.places:
        if place.role not in _MEMORY or (group is not None and not place.grouped):
            continue
        with contextlib.suppress(UnreadableFile, OutsideWorkspace):  # the sections, or the search, report it
            for document in place_documents(workspace, place, group):
                if isinstance(document, Document) and document.text.strip():
                    yield place.role, document.text
