"""Messages of past sessions in a prompt: which are shown, in how many characters each, in what order."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import filterfalse

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.context.context import PromptSnippet
from memtool.core.context.passages import ItemWeights, passage_of
from memtool.core.context.statements import is_known, shown_statements, unknown_sentences
from memtool.core.records.turn import ASSISTANT, USER
from memtool.core.search.prompts import PromptBreadth, is_question
from memtool.core.search.query import Query
from memtool.core.text.courtesies import is_courtesy
from memtool.core.text.folding import search_fold
from memtool.core.text.tokenizer import CharacterRun, CompoundWord, Word

ROLE = "turn"
_NO_WORD = "contains none of the words in the prompt"
_TELLING = 25
"""Characters of a reply shown without a word of the prompt; shorter ones ("Sure, noted.") have no content."""
_NOTHING = "no text to show"
KNOWN = "already shown in this session"
STATED = "already in the prompt"
_REPEATED = "duplicate of another message"
NO_ROOM = "does not fit in the remaining budget"
"""Why a piece that answers is not shown: the budget is used up."""
_CACHED, _CACHE_SIZE = 8_000, 2_048
"""Characters of a text that is cached in its folded form, and how many such texts are: a watcher, which
runs for months, folds the same messages for one prompt after another.
"""
_BEGINNING = 5
"""Letters of a word that all its forms share, as far as weights are concerned."""


class PieceSize(Struct, frozen=True):
    """The characters of the next `messages`, and of the reply to each; 0 for no reply."""

    messages: int
    message: int
    reply: int = 0


_SIZES: Mapping[PromptBreadth, tuple[PieceSize, ...]] = {
    "point": (PieceSize(4, 160, 114), PieceSize(1_000, 114)),
    "reply": (PieceSize(12, 114, 114), PieceSize(1_000, 114)),
    "order": (PieceSize(42, 112), PieceSize(1_000, 60)),
    "summary": (PieceSize(8, 114, 114), PieceSize(1_000, 80, 60)),
}
"""Many short passages beat few long ones: more of the messages that answer fit into the prompt.

For an order or a summary, most messages are shown as one clause each, so that none of the story is missing.
"""
_NARROW = 2_500
_NARROW_SIZES = (PieceSize(1_000, 114),)
"""The sizes for fewer than `_NARROW` characters: shorter passages are parts of sentences that say nothing."""
MOST_MESSAGES = 130
"""Messages that can be in a prompt: what a budget of 10,000 characters has room for."""


class PastMessage(Struct, frozen=True):
    """A message that may go into the prompt, with the reply to it.

    `order` sorts messages in time. `name` is the speaker's, or the role of the speaker.
    """

    path: str
    line: int
    day: str
    name: str
    text: str
    order: tuple[str, int, int]
    score: float
    reply: str = ""
    reply_name: str = ""
    has_term: bool = True
    """Whether it has a word of the prompt, and not only messages around it."""

    @property
    def is_exchange(self) -> bool:
        """Whether it is of a chat with an assistant, in which a message represents itself and its reply."""
        return bool(self.reply) or self.name == ASSISTANT


class SelectedMessages(Struct, frozen=True):
    """The snippets of messages in order of time, the messages that are left out, each with the reason, and
    the characters that remain.
    """

    snippets: list[PromptSnippet]
    left_out: list[tuple[PastMessage, str]]
    room: int


def select_messages(
    messages: Sequence[PastMessage],
    query: Query,
    breadth: PromptBreadth,
    room: int,
    stem: Callable[[str], str],
    reason_not_to_show: Callable[[str], str],
    known: frozenset[str] = frozenset(),
) -> SelectedMessages:
    """The passages of messages, best first as given, that fit into `room` characters.

    Sentences that are `known` or in a passage before are left out, and so are courtesies and messages of
    which nothing else answers; of such a message a reply that answers is shown alone. `reason_not_to_show`
    says why a passage is left out, for instance because it stands in the prompt already.
    """
    weights = _item_weights(messages, query)

    def passage(most: int, text: str) -> str:
        return passage_of(text, query, weights, stem, most)

    shown: list[tuple[PastMessage, PromptSnippet]] = []
    left_out: list[tuple[PastMessage, str]] = []
    days: set[str] = set()
    stated: set[str] = set()
    sizes = _sizes(_SIZES[breadth] if room >= _NARROW else _NARROW_SIZES)
    size = next(sizes)
    for message in messages:
        replies = message.reply != "" and has_item(message.reply, query)
        if room <= 0 or (message.is_exchange and not (message.has_term or replies)):
            left_out.append((message, NO_ROOM if room <= 0 else _NO_WORD))
            continue
        given = known | stated
        text, told = "", frozenset[str]()
        if not is_courtesy(message.text):
            text, told = _unknown_passage(
                message.text, given, query, functools.partial(passage, size.message)
            )
        reply, told_reply = "", frozenset[str]()
        is_telling = len(message.reply) >= (1 if is_question(message.text) else _TELLING) and not is_courtesy(
            message.reply
        )
        if replies or (text and size.reply and is_telling):
            most = size.reply or size.message
            reply, told_reply = _unknown_passage(
                message.reply, given, query, functools.partial(passage, most)
            )
        if not text and replies and reply:
            shown_message = replace(message, name=message.reply_name)
            text, told, reply = reply, told_reply, ""
        else:
            shown_message = message
            reply = reply if size.reply else ""
            told |= told_reply if reply else frozenset()
        if not text:
            reason = _NOTHING if not told else _REPEATED if told <= stated else ""
            left_out.append((message, reason or reason_not_to_show(message.text) or STATED))
            continue
        if reason := reason_not_to_show(text):
            left_out.append((message, reason))
            continue
        if is_known(text, stated) and (not reply or is_known(reply, stated)):
            left_out.append((message, _REPEATED))
            continue
        snippet = _snippet(shown_message, text, reply, told)
        cost = len(snippet.line(0)) + 1 + (0 if message.day in days else len(_heading(message.day)))
        if cost > room:
            room = 0
            left_out.append((message, NO_ROOM))
            continue
        room -= cost
        stated |= snippet.told
        days.add(message.day)
        shown.append((message, snippet))
        size = next(sizes)
    return SelectedMessages([*_in_time(shown)], left_out, max(0, room))


def _unknown_passage(
    text: str, known: frozenset[str], query: Query, passage: Callable[[str], str]
) -> tuple[str, frozenset[str]]:
    """The passage of a text without known sentences, and the digests of what it shows.

    Where the other sentences have no word of the query, they are shown with the known ones that they follow:
    "Finally a name for the puppy! She's Biscuit." Where nothing is left, the passage is empty, and the
    digests are of what is known.
    """
    shown = passage(text)
    told = shown_statements(text, shown)
    if told.isdisjoint(known):
        return shown, told
    rest = unknown_sentences(text, known)
    if not rest:
        return "", told
    if not has_item(rest, query):
        return ("", told) if told <= known else (shown, told)
    shown = passage(rest)
    return shown, shown_statements(rest, shown)


def _sizes(tiers: Sequence[PieceSize]) -> Iterator[PieceSize]:
    for tier in tiers:
        for _ in range(tier.messages):
            yield tier


def _snippet(message: PastMessage, text: str, reply: str, told: frozenset[str]) -> PromptSnippet:
    return PromptSnippet(
        "history",
        message.path,
        message.day,
        ROLE,
        message.line,
        message.line,
        text,
        0,
        message.score,
        speaker=message.name,
        reply=f"{message.reply_name}: {reply}" if reply else "",
        told=told,
    )


def _in_time(shown: list[tuple[PastMessage, PromptSnippet]]) -> Iterator[PromptSnippet]:
    """The snippets in order of time, the first of each day under a heading."""
    day = None
    for number, (message, snippet) in enumerate(sorted(shown, key=lambda pair: pair[0].order)):
        heading = _heading(message.day) if message.day != day else ""
        day = message.day
        yield replace(snippet, order=number, heading=heading)


def _heading(day: str) -> str:
    return f"{day or 'undated'}, {USER}:\n"


def _item_weights(messages: Sequence[PastMessage], query: Query) -> ItemWeights:
    """The weight of each item of the query by its rarity among the messages, whose words are compared by
    their beginnings.
    """
    texts = [(_folded(message.text), _folded(message.reply)) for message in messages]
    weights = {}
    for item in query.positive_items:
        beginnings = _beginnings(item)
        count = sum(
            any(beginning in text or beginning in reply for beginning in beginnings) for text, reply in texts
        )
        weights[item] = math.log1p(len(texts) / (count + 0.5))
    return weights


def has_item(text: str, query: Query) -> bool:
    """Whether a text has the beginning of a word of the query."""
    folded = _folded(text)
    return any(beginning in folded for item in query.positive_items for beginning in _beginnings(item))


def _folded(text: str) -> str:
    """The text in lower case; its words that are not ASCII follow, folded as a search folds them."""
    return _folded_short(text) if len(text) <= _CACHED else _fold(text)


@functools.lru_cache(_CACHE_SIZE)
def _folded_short(text: str) -> str:
    return _fold(text)


def _fold(text: str) -> str:
    lower = text.lower()
    if text.isascii():
        return lower.replace("`", "'")
    return f"{lower}\n{search_fold(' '.join(filterfalse(str.isascii, lower.split())))}"


def _beginnings(item: object) -> Collection[str]:
    match item:
        case Word(text):
            return (text[:_BEGINNING],)
        case CompoundWord(_, parts):
            return tuple(part[:_BEGINNING] for part in parts)
        case CharacterRun(text):
            return item.pairs or (text,)
        case _:
            return ()
