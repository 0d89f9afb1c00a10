"""What was retrieved for a prompt: chunks of documents and messages, and which of them are shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.context.context import CHARACTERS, EACH, SHORTEST, TOP, PromptSnippet
from memtool.core.context.messages import (
    KNOWN,
    NO_ROOM,
    ROLE,
    STATED,
    PastMessage,
    has_item,
    select_messages,
)
from memtool.core.context.passages import passage_of
from memtool.core.context.repeated_questions import (
    names_something,
    only_repeats_question,
    repeats_question,
    says_more,
)
from memtool.core.context.statements import (
    is_known,
    known_with_rest,
    shown_statements,
    statements,
    unknown_sentences,
    without_known,
)
from memtool.core.search.prompts import PromptBreadth, breadth_of
from memtool.core.search.query import Query
from memtool.core.search.snippet import item_spans
from memtool.core.text.courtesies import is_courtesy
from memtool.core.text.regex import regex
from memtool.core.text.stems import stem, stem_like
from memtool.core.text.tokenizer import Word

_LOG_ROLES = frozenset({"session-state", "session-state-archive", "daily-note"})
"""Roles that log the same messages as the turns: they are shown where the messages leave room."""
_DOCUMENTS_PERCENT: Mapping[PromptBreadth, int] = {"point": 40, "reply": 40, "order": 10, "summary": 10}
"""The part of the room that chunks of documents may have where messages answer, too."""
_PASSAGE = 180
"""Characters of a chunk that are shown; chunks ranked by nano's formula are shown whole."""
_ASKED = "only asks what the prompt asks"
_TITLE = r"\A#{1,6}[ \t]+([^\n]+?)[ \t]*\n\s*"
"""The heading that a chunk begins with; it is shown before the passage, like the headings of other chunks."""
_SAID = r" \(said on [\d-]{10}\)\Z"
_SHORTEST_HEAD = 80
"""Characters of a clipped line by which a passage is recognised that is clipped, too."""
_FACTS = "semantic"
_SHORTEST_KNOWN = 20
"""Characters of a passage from which it is recognised in the rest of the prompt."""


class LeftOutPiece(Struct, frozen=True):
    """A chunk or message that answers a prompt and is not shown, and why.

    Also a file of every prompt of which nothing is shown; its line is 0, as is its score.
    """

    path: str
    line: int
    role: str
    score: float
    reason: str


class SelectedMemory(Struct, frozen=True):
    """The snippets that are shown, documents before messages, and what is left out."""

    snippets: tuple[PromptSnippet, ...] = ()
    left_out: tuple[LeftOutPiece, ...] = ()


class RetrievedMemory(Struct, frozen=True):
    """Chunks and messages that answer a prompt, best first each.

    `known` are digests of statements that the conversation has already. `characters` are the most that
    all snippets have; with 0 only the budget limits them.
    """

    query: Query
    snippets: tuple[PromptSnippet, ...] = ()
    messages: tuple[PastMessage, ...] = ()
    known: frozenset[str] = frozenset()
    characters: int = 0

    def select(self, room: int, standing: str) -> SelectedMemory:
        """What fits into `room` characters: documents first, then messages in order of time.

        Nothing is repeated that is in the `standing` text, or `known`.
        """
        room = min(room, self.characters or room)
        stem_word = query_stem(self.query)
        asked = [each for each in self.snippets if only_repeats_question(each.text, self.query, stem_word)]
        snippets = [each for each in self.snippets if each not in asked]
        logs = [snippet for snippet in snippets if self.messages and snippet.role in _LOG_ROLES]
        records = [snippet for snippet in snippets if snippet not in logs]
        breadth = breadth_of(self.query.text)
        share = room * _DOCUMENTS_PERCENT[breadth] // 100 if self.messages else room
        documents, left_out = self._documents(records, share, standing, stem_word)
        stated = _stated_in(standing, documents)
        messages = select_messages(
            [message for message in self.messages if not self._only_asks(message)],
            self.query,
            breadth,
            room - sum(len(shown.line(rank)) + 1 for rank, shown in enumerate(documents, 1)),
            stem_word,
            self._known_in(standing, documents, stated),
            self.known | stated,
        )
        left_out += [
            LeftOutPiece(message.path, message.line, ROLE, message.score, reason)
            for message, reason in messages.left_out
        ]
        left_out += [
            LeftOutPiece(piece.path, piece.first, piece.role, piece.score, _ASKED) for piece in asked
        ]
        left_out += [
            LeftOutPiece(message.path, message.line, ROLE, message.score, _ASKED)
            for message in filter(self._only_asks, self.messages)
        ]
        shown = (*documents, *messages.snippets)
        log_pieces, logs_left_out = self._documents(logs, messages.room, standing, stem_word, shown)
        return SelectedMemory((*documents, *log_pieces, *messages.snippets), (*left_out, *logs_left_out))

    def _only_asks(self, message: PastMessage) -> bool:
        """Whether a message only asks what the prompt asks again, and its reply does not answer."""
        is_repeated = repeats_question(message.text, self.query.text)
        return is_repeated and not (
            has_item(message.reply, self.query)
            or names_something(message.reply)
            or (not is_courtesy(message.reply) and says_more(message.reply, message.text))
        )

    def _documents(
        self,
        snippets: Sequence[PromptSnippet],
        left: int,
        standing: str,
        stem_word: Callable[[str], str],
        before: Sequence[PromptSnippet] = (),
    ) -> tuple[list[PromptSnippet], list[LeftOutPiece]]:
        """The chunks of documents that fit into so many characters, and those that are left out.

        With those `before`, `TOP` at most, and `EACH` of a file; of chunks that are shown whole, so many
        characters as are shown where no budget limits them.
        """
        shown: list[PromptSnippet] = []
        left_out: list[LeftOutPiece] = []
        documents = [snippet for snippet in before if not snippet.speaker]
        paths = [snippet.path for snippet in documents]
        spent = sum(len(snippet.line(rank)) + 1 for rank, snippet in enumerate(documents, 1))
        left = min(left, (self.characters or CHARACTERS) - spent)
        stated = _stated_in(standing, before)
        reason_not_to_show = self._known_in(standing, before, stated)
        for snippet in snippets:
            if len(paths) == TOP:
                break
            if paths.count(snippet.path) == EACH:
                continue
            rest = self._unstated(snippet, self.known | stated, stem_word)
            passage = self._passage(rest or snippet, stem_word)
            size = len(passage.line(len(shown) + 1)) + 1
            if size > left and not (shown or self.messages):
                passage = self._passage(rest or snippet, stem_word, max(1, left - size + len(passage.text)))
                size = len(passage.line(1)) + 1
            reason = reason_not_to_show(passage.text) or (NO_ROOM if size > left else "")
            if rest is None or reason:
                left_out.append(
                    LeftOutPiece(snippet.path, snippet.first, snippet.role, snippet.score, reason or STATED)
                )
                continue
            shown.append(passage)
            paths.append(passage.path)
            left -= size
            stated |= told_by(passage)
            reason_not_to_show = self._known_in(standing, (*before, *shown), stated)
        return shown, left_out

    def _unstated(
        self, snippet: PromptSnippet, known: frozenset[str], stem_word: Callable[[str], str]
    ) -> PromptSnippet | None:
        """The snippet without known statements; None where nothing is left that answers.

        Where the rest has no word of the query, a line of which a part is known is whole, and a known line is
        shown again with those that continue it.
        """

        def answers(text: str) -> bool:
            return any(item_spans(text, self.query, stem_word))

        text = without_known(snippet.text, known)
        rest = text if snippet.role == _FACTS else unknown_sentences(text, known)
        if rest == snippet.text or answers(rest):
            return replace(snippet, text=rest)
        mixed = known_with_rest(snippet.text, known)
        return replace(snippet, text=mixed) if answers(mixed) and snippet.role != _FACTS else None

    def _passage(
        self, snippet: PromptSnippet, stem_word: Callable[[str], str], most: int = 0
    ) -> PromptSnippet:
        """The snippet with the passage of its chunk that is shown, of `most` characters if given."""
        if not self.query.as_spelled:
            snippet = replace(snippet, text=regex(_TITLE).sub(r"\1: ", snippet.text, count=1))
        limit = most or (len(snippet.text) if self.query.as_spelled else _PASSAGE)
        if len(snippet.text) <= limit or limit < SHORTEST:
            return snippet
        weights = dict.fromkeys(self.query.positive_items, 1.0)
        text = passage_of(snippet.text, self.query, weights, stem_word, limit)
        return replace(snippet, text=text, told=shown_statements(snippet.text, text))

    def _known_in(
        self, standing: str, shown: Collection[PromptSnippet], stated: frozenset[str]
    ) -> Callable[[str], str]:
        """A function that says why a passage is not shown; empty where nothing speaks against it.

        `stated` are the digests of what the standing sections and the snippets state.
        """
        texts = [snippet.text for snippet in shown]
        folded = _folded("\n".join((standing, *texts)))
        clipped = _clipped_heads(standing)

        def reason(passage: str) -> str:
            if is_known(passage, self.known):
                return KNOWN
            words = _folded(passage.strip("…"))
            if passage.endswith("…") and any(head in words for head in clipped):
                return STATED
            is_stated = (len(words) >= _SHORTEST_KNOWN and words in folded) or is_known(passage, stated)
            return STATED if is_stated else ""

        return reason


def told_by(snippet: PromptSnippet) -> frozenset[str]:
    """The digests of the statements that a snippet shows, whole or in part."""
    return snippet.told or shown_statements(snippet.text, snippet.text)


def _stated_in(standing: str, shown: Collection[PromptSnippet]) -> frozenset[str]:
    return statements(standing).union(*map(told_by, shown))


def query_stem(query: Query) -> Callable[[str], str]:
    """The stemmer, for words that may answer the query."""
    return stem_like(stem(item.text) for item in query.positive_items if isinstance(item, Word))


def _clipped_heads(standing: str) -> list[str]:
    """The beginnings of the lines that are clipped, folded, without their list marks."""
    rows = (regex(_SAID).sub("", row).removeprefix("- ") for row in standing.split("\n") if "…" in row)
    heads = (_folded(row.removesuffix("…")) for row in rows if row.endswith("…"))
    return [head for head in heads if len(head) >= _SHORTEST_HEAD]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
