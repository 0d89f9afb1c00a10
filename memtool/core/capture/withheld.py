"""Messages as they may be stored: without what the user asks not to keep, also where replies repeat it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.privacy.private_requests import (
    NOT_KEPT,
    asks_to_keep_nothing,
    is_about_earlier_text,
    is_private_request,
    private_sentences,
)
from memtool.core.records.turn import (
    Message,
    MessagePart,
    ReasoningPart,
    TextPart,
    ToolCall,
    ToolResult,
)
from memtool.core.text.folding import fold, is_continuous
from memtool.core.text.function_words import is_common_word
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex
from memtool.core.text.stems import stem
from memtool.core.text.tokenizer import topic_words, word_list

_CLAUSES = r"[,.;:!?…—–。！？、，：\n]+"
_POLITE = frozenset(
    [
        "and",
        "but",
        "so",
        "also",
        "ok",
        "okay",
        "oh",
        "hey",
        "well",
        "now",
        "then",
        "just",
        "please",
        "pls",
        "plz",
        "kindly",
        "actually",
        "no",
        "yes",
        "sorry",
        "thanks",
        "thank",
        "you",
        "iltimos",
        "rahmat",
        "пожалуйста",
        "спасибо",
        "да",
        "нет",
        "por",
        "favor",
        "gracias",
        "bitte",
        "danke",
        "s'il",
        "te",
        "vous",
        "plait",
        "merci",
        "obrigado",
        "obrigada",
        "lutfen",
        "tesekkurler",
    ]
)
"""Words that say nothing beside a request."""
_UNMISTAKABLE = "remember|memori|recuerd|lembr|souv|rappel|erinner|merk|помн|hatirla|eslab|yodda|覚|记"
"""Verbs for what persons do; "store", "save" or "forget" are also said of programs."""
_ERASURE = "delet|erase|wipe|forget|borra|apag|efface|losch|loesch|удал|сотр|стер|забуд|sil|o'chir|消|删"
_SENTENCE = r"[^\n.!?。！？]*(?:[.!?](?!\s|$)[^\n.!?。！？]*)*[.!?。！？]*[^\S\n]*|\n"


class _PublicText(Struct, frozen=True):
    """A user's text without its private sentences; these; and whether it asks the same of the text before."""

    text: str
    private: tuple[str, ...] = ()
    is_about_earlier: bool = False


def withhold(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with `NOT_KEPT` for what the user asks not to keep, in user messages and in replies.

    What a message asks of the one before it holds for that one, too. Of what agents and tools say, sentences
    that have a number or a content word in common with private ones are left out. The number and order of
    the messages and the ids of calls stay. Doing it again changes nothing.
    """
    texts = [
        (number, index, part.text)
        for number, message in enumerate(messages)
        if message.role == "user"
        for index, part in enumerate(message.parts)
        if isinstance(part, TextPart)
    ]
    if not any(_asks_privacy(text) for _, _, text in texts):
        return tuple(messages)
    public = [_public_text(text) for _, _, text in texts]
    nothing_before = max((at for at, (*_, text) in enumerate(texts) if asks_to_keep_nothing(text)), default=0)
    private: list[str] = []
    replaced: dict[tuple[int, int], str] = {}
    for at, ((number, index, text), own) in enumerate(zip(texts, public, strict=True)):
        is_meant = at < nothing_before or (at + 1 < len(public) and public[at + 1].is_about_earlier)
        is_whole = is_meant and not own.is_about_earlier
        replaced[number, index] = NOT_KEPT if is_whole else own.text
        private += [text] if is_whole else own.private
    traces = _traces(private)
    return tuple(
        replace(
            message,
            parts=tuple(
                replace(part, text=replaced[number, index])
                if (number, index) in replaced and isinstance(part, TextPart)
                else _without_traces(part, traces)
                if message.role != "user"
                else part
                for index, part in enumerate(message.parts)
            ),
        )
        for number, message in enumerate(messages)
    )


def withhold_exchange(user: str | None, agent: str | None) -> tuple[str | None, str | None]:
    """The sides of an exchange as they may be stored; see `withhold`."""
    if not user or not _asks_privacy(user):
        return user, agent
    sides = [Message("user", (TextPart(user),)), Message("assistant", (TextPart(agent or ""),))]
    said, reply = withhold(sides)
    return said.text, None if agent is None else reply.text


def has_private_sentences(text: str) -> bool:
    """Whether a text asks that something of it is not kept."""
    return bool(_public_text(text).private)


def _public_text(text: str) -> _PublicText:
    """A text without what it asks not to keep. A bare request stays: it says what is not to be kept."""
    if not _asks_privacy(text):
        return _PublicText(text)
    from memtool.core.capture.message_sentences import split_message  # few messages ask

    split = split_message(text)
    spans = [(start, end) for start, end, _ in split.text.sentences]
    sentences = [split.text.masked[start:end] for start, end in spans]
    bare = {
        number
        for number, sentence in enumerate(sentences)
        if _is_bare_request(sentence.replace(NOT_KEPT, " "))
    }
    first = next((number for number in range(len(sentences)) if number not in bare), len(sentences))
    is_about_earlier = first > 0 and NOT_KEPT not in sentences[0]  # nothing is before it in its own message
    private = private_sentences(sentences[first:]) if is_about_earlier else private_sentences(sentences)
    numbers = [number + (first if is_about_earlier else 0) for number in sorted(private)]
    numbers = [number for number in numbers if number not in bare]
    if not (numbers or bare):
        return _PublicText(NOT_KEPT, (text,))  # the request is in what is not prose
    parts, removed, last = [], [], 0
    for run in _runs(numbers):
        start = 0 if run[0] == first == 0 else split.span(*spans[run[0]])[0]
        is_last = run[-1] == len(sentences) - 1
        end = len(text) if is_last else split.span(*spans[run[-1]])[1]
        removed.append(text[start:end])
        parts += [text[last:start], NOT_KEPT]
        last = end
    return _PublicText("".join([*parts, text[last:]]), tuple(removed), is_about_earlier)


def _asks_privacy(text: str) -> bool:
    """Whether a text asks not to keep something that was said, and not how a program is to store data."""
    if not is_private_request(text):
        return False
    sentences = [sentence for sentence in regex(_SENTENCE).findall(text) if is_private_request(sentence)]
    return not sentences or any(not _is_instruction(sentence) for sentence in sentences)


def _is_instruction(sentence: str) -> bool:
    """Whether a sentence says what to do instead: "don't store that, use a set".

    Then its second clause begins with neither a function word nor a name, as a statement would.
    """
    clauses = [clause for clause in regex(_CLAUSES).split(sentence) if clause.strip()]
    words = [word for word in word_list(clauses[1]) if fold(word) not in _POLITE] if clauses[1:] else []
    return (
        bool(words)
        and ":" not in sentence
        and is_private_request(clauses[0])
        and not regex(_UNMISTAKABLE).search(plain_text(clauses[0]))
        and words[0].islower()
        and not is_common_word(words[0])
        and not regex(_ERASURE).search(plain_text(clauses[1]))
    )


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Consecutive numbers together."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _is_bare_request(sentence: str) -> bool:
    """Whether a sentence is a request about what was said before, and says nothing else."""
    if not is_about_earlier_text(sentence):
        return False
    clauses = [clause for clause in regex(_CLAUSES).split(sentence) if clause.strip()]
    others = [clause for clause in clauses if not is_about_earlier_text(clause)]
    return len(others) < len(clauses) and all(
        word in _POLITE for clause in others for word in word_list(fold(plain_text(clause)))
    )


def _traces(private: Sequence[str]) -> frozenset[str]:
    """What gives private sentences away: their numbers, and the stems of their content words."""
    said = []
    for text in (text.replace(NOT_KEPT, "") for text in private):
        request, colon, rest = text.partition(":")
        said.append(rest if colon and rest.strip() and is_private_request(f"{request}: x") else text)
    return frozenset().union(*map(_content, said))


def _content(text: str) -> frozenset[str]:
    words = word_list(fold(text))
    runs = {left + right for left, right in itertools.pairwise(words) if _is_run(left) and _is_run(right)}
    content = {word for word in topic_words(text) if not is_common_word(word) and not _is_run(word)}
    return frozenset({stem(word) for word in content} | runs)


def _is_run(word: str) -> bool:
    """Whether a word is a character of a script without spaces."""
    return len(word) == 1 and is_continuous(word)


def _without_traces(part: MessagePart, traces: frozenset[str]) -> MessagePart:
    match part:
        case TextPart(text):
            return replace(part, text=_without_repeats(text, traces))
        case ReasoningPart(text):
            left = _without_repeats(text, traces)
            return part if left == text else replace(part, text=left, replay={})
        case ToolCall(_, _, arguments):
            return replace(part, arguments="{}") if traces & _content(arguments) else part
        case ToolResult(_, content):
            return replace(part, content=_without_repeats(content, traces))
        case _:
            return part


def _without_repeats(text: str, traces: frozenset[str]) -> str:
    """A text without the sentences that have something in common with what is private."""
    if not traces & _content(text):
        return text
    pieces: list[str] = []
    for piece in regex(_SENTENCE).findall(text):
        if not traces & _content(piece):
            pieces.append(piece)
        elif not pieces or not pieces[-1].startswith(NOT_KEPT):
            pieces.append(NOT_KEPT + piece[len(piece.rstrip()) :])
    return "".join(pieces)
