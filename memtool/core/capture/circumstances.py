"""What a message says besides its trigger entries: statements about the user, and corrections of memory."""

from __future__ import annotations

from typing import NamedTuple

from memtool.core.capture.corrections import Correction, corrections
from memtool.core.capture.message_sentences import split_message
from memtool.core.capture.statements import Statement, statements
from memtool.core.text.sanitise import one_line

_MAX_SENTENCE = 400
"""Characters of a sentence that are searched for a correction."""


class CorrectingSentence(NamedTuple):
    """A sentence as one line of at most 200 characters, what it replaces, and its span of the message."""

    sentence: str
    correction: Correction
    span: tuple[int, int]


class MessageCircumstances(NamedTuple):
    """The statements of a message with their spans of it, its corrections, and the redacted message."""

    statements: tuple[tuple[Statement, tuple[int, int]], ...]
    corrections: tuple[CorrectingSentence, ...]
    message: str


def read_circumstances(message: str) -> MessageCircumstances:
    """The statements and corrections of a message; questions and code have none. Linear in its length."""
    split = split_message(message)
    text = split.text
    stated = tuple((statement, split.span(statement.start, statement.end)) for statement in statements(text))
    correcting = [
        CorrectingSentence(
            one_line(text.text[sentence.start : sentence.end]),
            found,
            split.span(sentence.start, sentence.end),
        )
        for sentence in text.sentences
        if not sentence.is_question
        for found in corrections(
            text.masked[sentence.start : min(sentence.end, sentence.start + _MAX_SENTENCE)]
        )
    ]
    return MessageCircumstances(stated, tuple(correcting), text.text)
