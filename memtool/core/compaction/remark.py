"""Remarks: the sentences of a conversation, each with who said it, what it is for, and what it names."""

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
"""Characters of a remark; a longer sentence is cut at its clauses."""
_SHORT = 40
"""Characters of an answer that says nothing without its question."""
_FAILURE = r"(?i)(?:error|exception|failed|failure|fatal|panic|denied|not found|warning)\b"
_MOST_FAILURES = 3
_LOOKED_AT = 50
_AROUND = 500
"""Characters before a line that may tell that it holds a secret."""
_LONG_LINE = 1000
_CLAUSE = r"(?<=[,;:—–])\s+|\s+(?=(?:but|and|so|because|which)\s)"
_SAID = r"- (user|agent|tool|system): (.+)"
_OPEN = 2.2
_ANSWER = 1.0
_POLITE = 0.2
_LOOKED = 4
"""Messages behind a question in which its answer is looked for."""


class Remark(Struct, frozen=True):
    """One sentence, redacted and on one line. `worth` is what its cue makes it worth, 0 without one.

    `kind` is decision, value, problem, todo or open; `words` are those that carry meaning, in lower case.
    """

    who: str
    text: str
    kind: str
    worth: float
    terms: tuple[Term, ...]
    words: frozenset[str]


class _Sentence(Struct, frozen=True):
    """A sentence before it is judged: the number of its message, and whether it asks or answers."""

    message: int
    who: str
    text: str
    asks: bool
    answers: bool = False


class _Reply(Struct, frozen=True):
    """A message behind a question: who said it, how it begins, in lower case, and its words."""

    who: str
    opening: str
    words: set[str]


def remarks(messages: Sequence[Message]) -> list[Remark]:
    """What the messages say, in order. Of tools only what failed; of thoughts nothing."""
    sentences = [(one, cue_words(one.text)) for one in _joined(_sentences(messages))]
    said = _said(sentences)
    return [_judged(one, ordered, said) for one, ordered in sentences]


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
    """The lines of the summary that an earlier compaction left, each with who had said it."""
    for line in text.split("\n"):
        if match := compiled(_SAID).fullmatch(line):
            for sentence, asks in _of_text(match[2]):
                yield _Sentence(number, match[1], sentence, asks)


def _of_text(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, and whether each asks."""
    cut = prose(redact(clean(text)))
    for sentence in cut.sentences:
        if cut.masked[sentence.start : sentence.end].strip():
            said = " ".join(cut.text[sentence.start : sentence.end].split())
            pieces = [said] if len(said) <= LONGEST else _pieces(said)
            yield from ((piece, sentence.question) for piece in pieces if piece)


def _pieces(sentence: str) -> Iterator[str]:
    """A long sentence cut at its clauses, each piece as long as it may be."""
    held = ""
    for clause in compiled(_CLAUSE).split(sentence):
        if held and len(held) + 1 + len(clause) > LONGEST:
            yield clip(held, LONGEST)
            held = ""
        held = f"{held} {clause}" if held else clause
    yield clip(held, LONGEST)


def _failures(content: str) -> Iterator[str]:
    """Lines of a tool's result that tell of a failure: the first, and the last two of those looked at."""
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
    """A line, redacted together with those before it, which may tell that it holds a secret."""
    lines = redact(clean(content[max(0, start - _AROUND) : end])).split("\n")
    return one_line(lines[-1], limit=200)


def _joined(sentences: Iterator[_Sentence]) -> Iterator[_Sentence]:
    """The sentences; a short answer stands together with the question that somebody else had just asked."""
    asked: _Sentence | None = None
    for one in sentences:
        if asked is not None and _is_answer(one, asked):
            open_still = is_unsure(one.text.lower())
            one = _Sentence(one.message, one.who, f"{asked.text} — {one.text}", open_still, answers=True)  # noqa: PLW2901
        elif asked is not None:
            yield asked
        asked = one if one.asks and not one.answers else None
        if asked is None:
            yield one
    if asked is not None:
        yield asked


def _is_answer(one: _Sentence, asked: _Sentence) -> bool:
    """Whether a sentence is somebody else's, right behind a question, and too short to speak for itself."""
    return (
        asked.who != one.who
        and asked.message != one.message
        and not one.asks
        and len(one.text) < _SHORT
        and len(asked.text) < LONGEST - _SHORT
    )


def _judged(one: _Sentence, ordered: list[str], said: dict[int, _Reply]) -> Remark:
    words = frozenset(ordered) - SUMMARY_STOP_WORDS
    row = cue(ordered)
    kind, worth = (row.kind, row.worth) if row else ("value", 0.0)
    named = tuple(terms(one.text))
    if one.answers:
        kind, worth = ("open", _OPEN) if one.asks else (kind, max(worth, _ANSWER))
    elif one.asks:
        openness = _openness(one, words, said)
        kind, worth = ("open", _OPEN * openness) if openness > 0.3 or kind == "value" else (kind, worth * 0.5)
        if one.who == "agent" and not named:  # "How can I help you today?"
            worth *= _POLITE
    elif kind in {"decision", "todo"} and one.who == "tool":
        kind = "problem"
    return Remark(one.who, one.text, kind, worth, named, words)


def _openness(one: _Sentence, words: frozenset[str], said: dict[int, _Reply]) -> float:
    """How likely a question was left open, 0 to 1: how little of it comes back in what others say next."""
    replies = [said[number] for number in range(one.message + 1, one.message + 1 + _LOOKED) if number in said]
    replies = [reply for reply in replies if reply.who != one.who]
    if not words:
        return 0.0
    if replies and is_unsure(replies[0].opening):
        return 1.0
    heard: set[str] = set().union(*(reply.words for reply in replies))
    return 1.0 - len(words & heard) / len(words)


def _said(sentences: Sequence[tuple[_Sentence, list[str]]]) -> dict[int, _Reply]:
    """What each message says in which the answer to a question may be looked for."""
    wanted = {one.message + step for one, _ in sentences if one.asks for step in range(1, _LOOKED + 1)}
    replies: dict[int, _Reply] = {}
    for one, ordered in sentences:
        if one.message in wanted:
            known = replies.setdefault(one.message, _Reply(one.who, one.text.lower()[:200], set()))
            known.words.update(ordered)
    return replies
