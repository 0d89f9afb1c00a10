"""What was retrieved for a prompt: chunks of documents and messages, and which of them are shown."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.context.context import PromptSnippet
from memtool.core.context.messages import PastMessage, message_snippets
from memtool.core.context.passages import passage_of
from memtool.core.search.prompts import breadth_of
from memtool.core.search.query import Query
from memtool.core.text.stems import stem

_DOCUMENTS_PERCENT = 50
"""The part of the room that chunks of documents may have where messages answer, too."""
_PASSAGE = 300
"""Characters of a chunk that are shown; chunks ranked by nano's formula are shown whole."""
_SHORTEST_KNOWN = 20
"""Characters of a passage from which it is recognised in the rest of the prompt."""


class RetrievedMemory(Struct, frozen=True):
    """Chunks and messages that answer a prompt, best first each.

    `known` are texts that the conversation was given already, `characters` the most that all snippets have;
    with 0 only the budget limits them.
    """

    query: Query
    snippets: tuple[PromptSnippet, ...] = ()
    messages: tuple[PastMessage, ...] = ()
    known: frozenset[str] = frozenset()
    characters: int = 0

    def select(self, room: int, standing: str) -> list[PromptSnippet]:
        """The snippets that fit into `room` characters: documents first, then messages in order of time.

        Nothing is repeated that is in the `standing` text, or `known`.
        """
        room = min(room, self.characters or room)
        is_known = _recogniser(standing, self.known)
        documents: list[PromptSnippet] = []
        left = room * _DOCUMENTS_PERCENT // 100 if self.messages else room
        for snippet in self.snippets:
            shown = self._passage(snippet)
            size = len(shown.line(len(documents) + 1)) + 1
            if is_known(shown.text):
                continue
            if size > left:
                break
            documents.append(shown)
            left -= size
        used = sum(len(shown.line(rank)) + 1 for rank, shown in enumerate(documents, 1))
        told = _recogniser("\n".join((standing, *(shown.text for shown in documents))), self.known)
        messages = message_snippets(
            self.messages, self.query, breadth_of(self.query.text), room - used, stem, told
        )
        return [*documents, *messages]

    def _passage(self, snippet: PromptSnippet) -> PromptSnippet:
        if self.query.as_spelled or len(snippet.text) <= _PASSAGE:
            return snippet
        weights = dict.fromkeys(self.query.positive_items, 1.0)
        return replace(snippet, text=passage_of(snippet.text, self.query, weights, stem, _PASSAGE))


def _recogniser(text: str, known: frozenset[str]) -> Callable[[str], bool]:
    """Tells whether a passage stands in a text, or is known."""
    folded = _folded(text)

    def is_known(passage: str) -> bool:
        words = _folded(passage.strip("…"))
        return passage in known or (len(words) >= _SHORTEST_KNOWN and words in folded)

    return is_known


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
