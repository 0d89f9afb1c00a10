"""Scored sentences: the sentences of a conversation with speaker, kind, weight and key terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from memtool.core.compaction.compact import is_marker
from memtool.core.compaction.cues import cue, is_unsure
from memtool.core.compaction.key_terms import Term, terms
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.turn import Message, Text, ToolResult
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.pattern import compiled
from memtool.core.text.quote import clip, one_line
from memtool.core.text.sentence import prose
from memtool.core.text.stopwords import SUMMARY_STOP_WORDS
from memtool.core.text.terms import cue_words

LONGEST = 280
"""Characters of a scored sentence; a longer sentence is cut at its clauses."""
_SHORT = 40
"""An answer below this number of characters is joined with its question."""
_FAILURE = r"(?i)(?:error|exception|failed|failure|fatal|panic|denied|not found|warning)\b"
_MOST_FAILURES = 3
_LOOKED_AT = 50
_AROUND = 500
"""Characters before a line that are redacted with it, since they may show that it holds a secret."""
_LONG_LINE = 1000
_CLAUSE = r"(?<=[,;:—–])\s+|\s+(?=(?:but|and|so|because|which)\s)"
_SAID = r"- (user|agent|tool|system): (.+)"
_OPEN = 2.2
_ANSWER = 1.0
_POLITE = 0.2
_LOOKED = 4
"""How many messages after a question may answer it."""


class Remark(Struct, frozen=True):
    """One sentence, redacted and on one line. `weight` is the weight of its cue, 0 without one.

    `kind` is decision, value, problem, todo or open; `words` are its words except stop words, in lower case.
    """

    who: str
    text: str
    kind: str
    worth: float
    terms: tuple[Term, ...]
    words: frozenset[str]


class _Sentence(Struct, frozen=True):
    """A sentence before scoring: the index of its message, and whether it is a question or an answer."""

    message: int
    who: str
    text: str
    asks: bool
    answers: bool = False


class _Reply(Struct, frozen=True):
    """A message after a question: its speaker, its beginning in lower case, and its words."""

    who: str
    opening: str
    words: set[str]


def remarks(messages: Sequence[Message]) -> list[Remark]:
    """Score the sentences of messages, in order; of tool results only failures, of reasoning nothing."""
    sentences = [(sentence, cue_words(sentence.text)) for sentence in _joined(_sentences(messages))]
    replies = _said(sentences)
    return [_judged(sentence, words, replies) for sentence, words in sentences]


def _sentences(messages: Sequence[Message]) -> Iterator[_Sentence]:
    for number, message in enumerate(messages):
        for part in message.parts:
            match part:
                case Text(text):
                    if is_marker(text):
                        yield from _of_summary(text, number)
                        continue
                    who = "agent" if message.role == "assistant" else message.role
                    for sentence, asks in _of_text(without_recalled(text)):
                        yield _Sentence(number, who, sentence, asks)
                case ToolResult(_, content):
                    for line in _failures(content):
                        yield _Sentence(number, "tool", line, asks=False)
                case _:
                    pass


def _of_summary(text: str, number: int) -> Iterator[_Sentence]:
    """The sentences of an earlier compaction's summary, with their original speakers."""
    for line in text.split("\n"):
        if match := compiled(_SAID).fullmatch(line):
            for sentence, asks in _of_text(match[2]):
                yield _Sentence(number, match[1], sentence, asks)


def _of_text(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, and whether each is a question."""
    document = prose(redact(clean(text)))
    for sentence in document.sentences:
        if document.masked[sentence.start : sentence.end].strip():
            line = " ".join(document.text[sentence.start : sentence.end].split())
            pieces = [line] if len(line) <= LONGEST else _pieces(line)
            yield from ((piece, sentence.question) for piece in pieces if piece)


def _pieces(sentence: str) -> Iterator[str]:
    """A long sentence cut at its clauses into pieces that are as long as allowed."""
    piece = ""
    for clause in compiled(_CLAUSE).split(sentence):
        if piece and len(piece) + 1 + len(clause) > LONGEST:
            yield clip(piece, LONGEST)
            piece = ""
        piece = f"{piece} {clause}" if piece else clause
    yield clip(piece, LONGEST)


def _failures(content: str) -> Iterator[str]:
    """The lines of a tool result that report a failure: the first and the last two of those searched."""
    spans: list[tuple[int, int]] = []
    after = 0
    while len(spans) < _LOOKED_AT and (match := compiled(_FAILURE).search(content, after)):
        start, end = content.rfind("\n", 0, match.start()) + 1, content.find("\n", match.end())
        after = len(content) if end < 0 else end
        if after - start < _LONG_LINE:
            spans.append((start, after))
    if len(spans) > _MOST_FAILURES:
        spans = [spans[0], *spans[1 - _MOST_FAILURES :]]
    for start, end in spans:
        line = _redacted_line(content, start, end)
        if compiled(_FAILURE).search(line):
            yield line


def _redacted_line(content: str, start: int, end: int) -> str:
    """A line, redacted together with the lines before it, which may show that it holds a secret."""
    lines = redact(clean(content[max(0, start - _AROUND) : end])).split("\n")
    return one_line(lines[-1], limit=200)


def _joined(sentences: Iterator[_Sentence]) -> Iterator[_Sentence]:
    """The sentences, with each short answer joined to the question that another speaker has just asked."""
    question: _Sentence | None = None
    for sentence in sentences:
        if question is not None and _is_answer(sentence, question):
            text = f"{question.text} — {sentence.text}"
            is_open = is_unsure(sentence.text.lower())
            sentence = _Sentence(sentence.message, sentence.who, text, is_open, answers=True)  # noqa: PLW2901
        elif question is not None:
            yield question
        question = sentence if sentence.asks and not sentence.answers else None
        if question is None:
            yield sentence
    if question is not None:
        yield question


def _is_answer(sentence: _Sentence, question: _Sentence) -> bool:
    """Whether a sentence is a short answer of another speaker in a message after the question."""
    return (
        question.who != sentence.who
        and question.message != sentence.message
        and not sentence.asks
        and len(sentence.text) < _SHORT
        and len(question.text) < LONGEST - _SHORT
    )


def _judged(sentence: _Sentence, ordered_words: list[str], replies: dict[int, _Reply]) -> Remark:
    words = frozenset(ordered_words) - SUMMARY_STOP_WORDS
    strongest = cue(ordered_words)
    kind, worth = (strongest.kind, strongest.worth) if strongest else ("value", 0.0)
    sentence_terms = tuple(terms(sentence.text))
    if sentence.answers:
        kind, worth = ("open", _OPEN) if sentence.asks else (kind, max(worth, _ANSWER))
    elif sentence.asks:
        openness = _openness(sentence, words, replies)
        kind, worth = ("open", _OPEN * openness) if openness > 0.3 or kind == "value" else (kind, worth * 0.5)
        if sentence.who == "agent" and not sentence_terms:  # "How can I help you today?"
            worth *= _POLITE
    elif kind in {"decision", "todo"} and sentence.who == "tool":
        kind = "problem"
    return Remark(sentence.who, sentence.text, kind, worth, sentence_terms, words)


def _openness(sentence: _Sentence, words: frozenset[str], replies_by_message: dict[int, _Reply]) -> float:
    """How likely a question was left open, 0 to 1: the share of its words that no reply repeats."""
    following = range(sentence.message + 1, sentence.message + 1 + _LOOKED)
    replies = [replies_by_message[number] for number in following if number in replies_by_message]
    replies = [reply for reply in replies if reply.who != sentence.who]
    if not words:
        return 0.0
    if replies and is_unsure(replies[0].opening):
        return 1.0
    reply_words: set[str] = set().union(*(reply.words for reply in replies))
    return 1.0 - len(words & reply_words) / len(words)


def _said(sentences: Sequence[tuple[_Sentence, list[str]]]) -> dict[int, _Reply]:
    """The messages that may answer a question, by index."""
    questions = [sentence for sentence, _ in sentences if sentence.asks]
    reply_numbers = {question.message + step for question in questions for step in range(1, _LOOKED + 1)}
    replies: dict[int, _Reply] = {}
    for sentence, ordered_words in sentences:
        if sentence.message in reply_numbers:
            reply = replies.setdefault(
                sentence.message, _Reply(sentence.who, sentence.text.lower()[:200], set())
            )
            reply.words.update(ordered_words)
    return replies
