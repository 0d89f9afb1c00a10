"""Scored sentences: the sentences of a conversation with speaker, kind, weight and key terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.compaction.compact import is_marker
from memtool.core.compaction.cues import is_unsure, strongest_cue
from memtool.core.compaction.key_terms import KeyTerm, key_terms
from memtool.core.privacy.foreign_text import own_words
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.turn import Message, TextPart, ToolResult
from memtool.core.secrets.redact import redact
from memtool.core.text.chat_log import without_chat_marks
from memtool.core.text.clean import clean
from memtool.core.text.first_person import is_about_speaker
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import clip, one_line
from memtool.core.text.sentences import split_sentences
from memtool.core.text.stopwords import SUMMARY_STOP_WORDS
from memtool.core.text.tokenizer import cue_words

MAX_SENTENCE = 280
"""Characters of a scored sentence; a longer sentence is cut at its clauses."""
_SHORT_ANSWER = 40
"""An answer below this number of characters is joined with its question."""
_WHOLE_SENTENCE = 4
"""Words from which "I live in Ghent" needs no question."""
_FAILURE = r"(?i)(?:error|exception|failed|failure|fatal|panic|denied|not found|warning)\b"
_MAX_FAILURES = 3
_SEARCHED_FAILURES = 50
_REDACTED_BEFORE = 500
"""Characters before a line that are redacted with it, since they may show that it holds a secret."""
_MAX_LINE = 1000
_CLAUSE = r"(?<=[,;:—–])\s+|\s+(?=(?:but|and|so|because|which)\s)"
_SPEAKERS = "user|agent|tool|system"
_ANSWER_MARK = rf" — ({_SPEAKERS}): "
_SUMMARY_LINE = rf"({_SPEAKERS}): (.+?)(?:{_ANSWER_MARK}(.+))?"
_OPEN_WEIGHT = 2.2
_ANSWER_WEIGHT = 1.0
_SELF_WEIGHT = 1.5
"""The weight of what the user states of themselves, and of whatever else the user says in their own words."""
_OWN_WEIGHT = 0.3
_POLITE_FACTOR = 0.2
_COURTESIES = frozenset(
    ["sorry", "hear", "sure", "course", "certainly", "glad", "happy", "help", "great", "understand"]
)
"""Words of which a courtesy consists that is no answer: "I am sorry to hear that.\""""
_REPLY_WINDOW = 4
"""How many messages after a question may answer it."""


class ScoredSentence(Struct, frozen=True):
    """One sentence, redacted and on one line. `weight` is the weight of its cue, 0 without one.

    `kind` is decision, statement (a preference, or what is to be remembered), self (what else the user states
    of themselves), value, problem, todo or open; `words`
    are its words except stop words, in lower case. `line` begins with its speaker; that of a short answer is
    "agent: Which port is it? — user: 8443.", `speaker` who answered, and `own_text` the answer. `message` is
    the index of its message, and `asked_by` who asked, empty where it is no answer.
    """

    speaker: str
    line: str
    kind: str
    weight: float
    terms: tuple[KeyTerm, ...]
    words: frozenset[str]
    message: int
    own_text: str
    is_question: bool
    asked_by: str


class _Sentence(Struct, frozen=True):
    """A sentence before scoring: the index of its message, and whether it is a question.

    `is_own` is true for the user's own words. A short answer has the `question` that it answers.
    """

    message: int
    speaker: str
    text: str
    is_question: bool
    is_own: bool = False
    question: _Sentence | None = None

    @property
    def words(self) -> list[str]:
        """Its words in order, after those of the question."""
        return [*(self.question.words if self.question else ()), *cue_words(self.text)]

    @property
    def line(self) -> str:
        """The text after its speaker, and after the question with its own."""
        text = regex(_ANSWER_MARK).sub(r" – \1: ", self.text)
        return (
            f"{self.question.line} — {self.speaker}: {text}" if self.question else f"{self.speaker}: {text}"
        )


class _Reply(Struct, frozen=True):
    """A message after a question: its speaker, its beginning in lower case, and its words."""

    speaker: str
    opening: str
    words: set[str]


def scored_sentences(messages: Sequence[Message]) -> list[ScoredSentence]:
    """Score the sentences of messages, in order; of tool results only failures, of reasoning nothing."""
    sentences = [(sentence, sentence.words) for sentence in _join_answers(_sentences(messages))]
    replies = _possible_replies(sentences)
    return [_score(sentence, words, replies) for sentence, words in sentences]


def spoken_in(line: str) -> tuple[tuple[str, str], ...]:
    """What a line of a summary says, and who says it: one text, or a question and its answer."""
    match = regex(_SUMMARY_LINE).fullmatch(line)
    if match is None:
        return ()
    said = ((match[1], match[2]),)
    return said if match[4] is None else (*said, (match[3], match[4]))


def _sentences(messages: Sequence[Message]) -> Iterator[_Sentence]:
    for number, message in enumerate(messages):
        for part in message.parts:
            match part:
                case TextPart(text):
                    if is_marker(text):
                        yield from _summary_sentences(text, number)
                        continue
                    said = without_chat_marks(without_recalled(text))
                    if message.role != "user":
                        who = "agent" if message.role == "assistant" else message.role
                        yield from (_Sentence(number, who, *row) for row in _text_sentences(said))
                        continue
                    own = {sentence for sentence, _ in _text_sentences(own_words(clean(said)))}
                    for sentence, asks in _text_sentences(said):
                        yield _Sentence(number, "user", sentence, asks, is_own=sentence in own)
                case ToolResult(_, content):
                    for line in _failures(content):
                        yield _Sentence(number, "tool", line, is_question=False)
                case _:
                    pass


def _summary_sentences(text: str, number: int) -> Iterator[_Sentence]:
    """The sentences of an earlier compaction's summary, with their original speakers."""
    for line in text.split("\n"):
        match spoken_in(line.removeprefix("- ")) if line.startswith("- ") else ():
            case ((asker, question), (speaker, answer)):
                asked = _Sentence(number, asker, question, is_question=True)
                yield _answer(asked, _Sentence(number, speaker, answer, is_question=False))
            case ((speaker, said),):
                for sentence, asks in _text_sentences(said):
                    yield _Sentence(number, speaker, sentence, asks, is_own=speaker == "user")
            case _:
                pass


def _text_sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, and whether each is a question."""
    document = split_sentences(redact(clean(text)))
    for sentence in document.sentences:
        if document.masked[sentence.start : sentence.end].strip():
            line = " ".join(document.text[sentence.start : sentence.end].split())
            pieces = [line] if len(line) <= MAX_SENTENCE else _pieces(line)
            yield from ((piece, sentence.is_question) for piece in pieces if piece)


def _pieces(sentence: str) -> Iterator[str]:
    """A long sentence cut at its clauses into pieces that are as long as allowed."""
    piece = ""
    for clause in regex(_CLAUSE).split(sentence):
        if piece and len(piece) + 1 + len(clause) > MAX_SENTENCE:
            yield clip(piece, MAX_SENTENCE)
            piece = ""
        piece = f"{piece} {clause}" if piece else clause
    yield clip(piece, MAX_SENTENCE)


def _failures(content: str) -> Iterator[str]:
    """The lines of a tool result that report a failure: the first and the last two of those searched."""
    spans: list[tuple[int, int]] = []
    after = 0
    while len(spans) < _SEARCHED_FAILURES and (match := regex(_FAILURE).search(content, after)):
        start, end = content.rfind("\n", 0, match.start()) + 1, content.find("\n", match.end())
        after = len(content) if end < 0 else end
        if after - start < _MAX_LINE:
            spans.append((start, after))
    if len(spans) > _MAX_FAILURES:
        spans = [spans[0], *spans[1 - _MAX_FAILURES :]]
    for start, end in spans:
        line = _redacted_line(content, start, end)
        if regex(_FAILURE).search(line):
            yield line


def _redacted_line(content: str, start: int, end: int) -> str:
    """A line, redacted together with the lines before it, which may show that it holds a secret."""
    lines = redact(clean(content[max(0, start - _REDACTED_BEFORE) : end])).split("\n")
    return one_line(lines[-1], limit=200)


def _join_answers(sentences: Iterator[_Sentence]) -> Iterator[_Sentence]:
    """The sentences, with each short answer joined to the question that another speaker has just asked."""
    question: _Sentence | None = None
    for sentence in sentences:
        if question is not None and _is_answer(sentence, question):
            sentence = _answer(question, sentence)  # noqa: PLW2901
        elif question is not None:
            yield question
        question = sentence if sentence.is_question and sentence.question is None else None
        if question is None:
            yield sentence
    if question is not None:
        yield question


def _answer(question: _Sentence, answer: _Sentence) -> _Sentence:
    """An answer with its question; it asks where it leaves the question open."""
    is_open = is_unsure(answer.text.lower())
    return replace(answer, is_question=is_open, question=question)


def _is_answer(sentence: _Sentence, question: _Sentence) -> bool:
    """Whether a sentence is a short answer of another speaker in a message after the question.

    What the speaker says of themselves in a whole sentence says it without the question.
    """
    all_words = cue_words(sentence.text)
    words = {*all_words} - SUMMARY_STOP_WORDS
    if words and words <= _COURTESIES:
        return False
    is_whole = len(all_words) >= _WHOLE_SENTENCE and not is_unsure(sentence.text.lower())
    if is_whole and is_about_speaker(sentence.text):
        return False
    return (
        question.speaker != sentence.speaker
        and question.message != sentence.message
        and not sentence.is_question
        and len(sentence.text) < _SHORT_ANSWER
        and len(question.text) < MAX_SENTENCE - _SHORT_ANSWER
    )


def _score(sentence: _Sentence, ordered_words: list[str], replies: dict[int, _Reply]) -> ScoredSentence:
    words = frozenset(ordered_words) - SUMMARY_STOP_WORDS
    strongest = strongest_cue(ordered_words)
    kind, worth = (strongest.kind, strongest.weight) if strongest else ("value", 0.0)
    sentence_terms = tuple(key_terms(sentence.text))
    if kind == "correction":
        kind, worth = (_corrected_kind(sentence), worth) if sentence.speaker == "user" else ("value", 0.0)
    if sentence.question is not None:
        sentence_terms = (*key_terms(sentence.question.text), *sentence_terms)
        kind, worth = ("open", _OPEN_WEIGHT) if sentence.is_question else (kind, max(worth, _ANSWER_WEIGHT))
        if kind == "value" and sentence.is_own and is_about_speaker(sentence.text):
            kind, worth = "self", max(worth, _SELF_WEIGHT)
    elif sentence.is_question:
        openness = _openness(sentence, words, replies)
        kind, worth = (
            ("open", _OPEN_WEIGHT * openness) if openness > 0.3 or kind == "value" else (kind, worth * 0.5)
        )
        if sentence.speaker == "agent" and not sentence_terms:  # "How can I help you today?"
            worth *= _POLITE_FACTOR
    elif kind in {"decision", "statement", "todo"} and sentence.speaker == "tool":
        kind = "problem"
    elif sentence.is_own and kind == "value":
        is_of_self = is_about_speaker(sentence.text)
        kind = "self" if is_of_self else kind
        worth = max(worth, _SELF_WEIGHT if is_of_self else _OWN_WEIGHT)
    return ScoredSentence(
        sentence.speaker,
        sentence.line,
        kind,
        worth,
        sentence_terms,
        words,
        sentence.message,
        sentence.text,
        sentence.is_question,
        sentence.question.speaker if sentence.question else "",
    )


def _corrected_kind(sentence: _Sentence) -> str:
    """The kind of a correction of the user's: a statement about themselves, or else a decision."""
    return "statement" if is_about_speaker(sentence.text) else "decision"


def _openness(sentence: _Sentence, words: frozenset[str], replies_by_message: dict[int, _Reply]) -> float:
    """How likely a question was left open, 0 to 1: the share of its words that no reply repeats."""
    following = range(sentence.message + 1, sentence.message + 1 + _REPLY_WINDOW)
    replies = [replies_by_message[number] for number in following if number in replies_by_message]
    replies = [reply for reply in replies if reply.speaker != sentence.speaker]
    if not words:
        return 0.0
    if replies and is_unsure(replies[0].opening):
        return 1.0
    reply_words: set[str] = set().union(*(reply.words for reply in replies))
    return 1.0 - len(words & reply_words) / len(words)


def _possible_replies(sentences: Sequence[tuple[_Sentence, list[str]]]) -> dict[int, _Reply]:
    """The messages that may answer a question, by index."""
    questions = [sentence for sentence, _ in sentences if sentence.is_question]
    reply_numbers = {
        question.message + step for question in questions for step in range(1, _REPLY_WINDOW + 1)
    }
    replies: dict[int, _Reply] = {}
    for sentence, ordered_words in sentences:
        if sentence.message in reply_numbers:
            reply = replies.setdefault(
                sentence.message, _Reply(sentence.speaker, sentence.text.lower()[:200], set())
            )
            reply.words.update(ordered_words)
    return replies
