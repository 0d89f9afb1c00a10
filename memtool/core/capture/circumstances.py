"""What a message says besides its trigger entries: statements about the user, and corrections of memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.correction_value import Correction, may_correct
from memtool.core.capture.languages.correction_signs import CHANGE_SIGNS, ENDING_SIGNS, WITHDRAWAL_SIGNS
from memtool.core.capture.languages.not_modelled import is_refused
from memtool.core.capture.languages.suppositions import (
    is_doubtful,
    is_supposed,
    is_unmarked_question,
    is_unreal,
)
from memtool.core.capture.message_sentences import MessageSentences, split_message
from memtool.core.capture.statement_model import FACT
from memtool.core.capture.statements import (
    MAX_STATEMENTS,
    Statement,
    may_state,
    plain_statement,
    statements,
)
from memtool.core.text.folding import fold_in_place
from memtool.core.text.sanitise import one_line
from memtool.core.text.sentences import SentenceText, split_sentences

if TYPE_CHECKING:  # few messages need it
    from memtool.core.capture.changes import StatedChange
    from memtool.core.capture.ending_value import Ending

MAX_PLAIN = 10
"""The most whole sentences of a message that are statements."""
_MAX_SENTENCE = 400
"""Characters of a sentence that are searched for a correction."""


_FRAGMENT_SIGNS = (
    *(" it", " they", " this", " that", " these", " those", " them", " him", " her", " a lot", "often"),
    *(" app", " tool", "thing", " device", "machine", " program", " site", " website", " one", "stuff"),
    *(" some", "times", " lots", "regularly", "rarely", "daily", "weekly", " every ", " all the time", "day"),
    *(" the ", *"0123456789"),
)
"""A text in lower case without any of them, with a space before it, is no fragment (`fragments.py`)."""


PlacedStatement = tuple[Statement, tuple[int, int]]
"""A statement and its span of the message."""


class CorrectingSentence(Struct, frozen=True):
    """A sentence as one line of at most 200 characters, what it replaces, and its span of the message.

    `endings` are what it says holds no more; such a sentence replaces nothing else.
    """

    sentence: str
    correction: Correction
    span: tuple[int, int]
    endings: tuple[Ending, ...] = ()

    @property
    def is_renewal(self) -> bool:
        """Whether it says only what holds again, and so may contradict a statement that it ended."""
        return bool(self.endings) and all(ending.renewed is not None for ending in self.endings)

    @property
    def restated(self) -> str:
        """What it says instead, as a sentence; empty if it has no subject of its own."""
        return self.correction.restated


class MessageCircumstances(Struct, frozen=True):
    """The statements and denials of a message with their spans of it, its corrections, and its endings."""

    statements: tuple[PlacedStatement, ...]
    corrections: tuple[CorrectingSentence, ...]
    denials: tuple[PlacedStatement, ...] = ()
    endings: tuple[CorrectingSentence, ...] = ()


def may_have_circumstances(message: MessageSentences) -> bool:
    """Whether a message has a sign of a statement or a correction, and may have one; a fast test."""
    text = message.text.masked
    return (
        FACT in message.classes.values()
        or may_state(text)
        or may_correct(text)
        or _may_end(text)
        or _may_tell_change(text)
    )


def may_withdraw(message: MessageSentences) -> bool:
    """Whether a message has a sign that it takes an instruction back; a fast test."""
    folded = fold_in_place(message.text.masked)
    return any(map(folded.__contains__, WITHDRAWAL_SIGNS))


def read_circumstances(message: str | MessageSentences) -> MessageCircumstances:
    """The statements and corrections of a message. Linear in its length.

    Questions, code, foreign text, sentences about self-harm or violence and what the message asks not to
    store have none.
    """
    split = split_message(message) if isinstance(message, str) else message
    text = split.text
    stated = tuple(said for said in _with_renewed(text, statements(text)) if not _is_past_denial(text, said))
    correcting = [
        (number, found)
        for number, sentence in enumerate(text.sentences)
        if not sentence.is_question
        for found in _sure_corrections(text.masked[sentence.start : sentence.end][:_MAX_SENTENCE])
    ]
    replaced = {number for number, found in correcting if found.old}
    changed = {number: told for number, told in _told_changes(text).items() if number not in replaced}
    stated = _with_changes(text, stated, changed)
    correcting = [row for row in correcting if row[0] not in changed]
    correcting += [
        (
            number,
            Correction("", "", frozenset(), statement=told.statement, is_of_clause=bool(told.predicate)),
        )
        for number, told in changed.items()
        if told.statement
    ]
    numbers = {statement: text.sentence_at(statement.start) for statement in stated}
    plain = _plain_statements(split, {*numbers.values()})
    if fragments := _fragments(text, plain):
        correcting += [
            (number, Correction("", "", frozenset(), statement=one_line(plain[number].quote)))
            for number, is_value in fragments.items()
            if is_value and number not in {row[0] for row in correcting}
        ]
        plain = {number: found for number, found in plain.items() if number not in fragments}
    numbers |= {statement: number for number, statement in plain.items()}
    stated = (*stated, *plain.values())
    ending = _ending_sentences(split)
    if not stated and not correcting and not ending:
        return MessageCircumstances((), ())
    left_out = _left_out(split, {*numbers.values(), *(number for number, _ in correcting), *ending})
    sentences = text.sentences
    correcting = [(number, found) for number, found in correcting if number not in left_out]
    placed = [
        (statement, split.span(statement.start, statement.end))
        for statement in stated
        if numbers[statement] not in left_out
    ]
    for number, found in correcting:
        sentence = sentences[number]
        quote = one_line(text.text[sentence.start : sentence.end])
        placed += [
            (replace(statement, quote=quote), split.span(sentence.start, sentence.end))
            for statement in statements(split_sentences(found.restated))
        ]
    return MessageCircumstances(
        tuple(row for row in placed if not row[0].is_denied),
        tuple(
            CorrectingSentence(
                one_line(text.text[sentences[number].start : sentences[number].end]),
                found,
                split.span(sentences[number].start, sentences[number].end),
            )
            for number, found in correcting
        ),
        tuple(row for row in placed if row[0].is_denied),
        (
            *(found for number, found in ending.items() if number not in left_out),
            *_renewals(placed),
        ),
    )


def _with_renewed(text: SentenceText, stated: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements, in a sentence that says what holds again as without that word: `I live in Lima`."""
    if not _may_end(text.masked):
        return stated
    from memtool.core.capture.endings import without_again

    found = [*stated]
    for number, (start, end, is_question) in enumerate(text.sentences):
        again = "" if is_question else without_again(text.masked[start:end][:_MAX_SENTENCE])
        renewed = [said for said in statements(split_sentences(again)) if not said.is_denied]
        if renewed and not is_doubtful(again):
            quote = one_line(text.text[start:end])
            found = [said for said in found if text.sentence_at(said.start) != number]
            found += [replace(said, quote=quote, start=start, end=end) for said in renewed]
    return tuple(found)


def _told_changes(text: SentenceText) -> dict[int, StatedChange]:
    """The changes that sentences tell, by number; none in doubt, nor what the model may not record.

    None where there are too many: such a text tells about somebody.
    """
    if not _may_tell_change(text.masked):
        return {}
    from memtool.core.capture.changes import told_change

    found = {}
    folded = fold_in_place(text.masked)
    for number, (start, end, _) in enumerate(text.sentences):
        sentence = text.masked[start:end][:_MAX_SENTENCE]
        if not _may_tell_change(sentence) or not _is_asserted(text, folded, number):
            continue
        if is_refused(folded[start:end], is_rule=False):
            continue
        if (change := told_change(sentence)) is not None:
            found[number] = change
    return found if len(found) <= MAX_STATEMENTS else {}


def _with_changes(
    text: SentenceText, stated: tuple[Statement, ...], changed: Mapping[int, StatedChange]
) -> tuple[Statement, ...]:
    """The statements, in a sentence that tells a change as what holds since then, or else as the sentence."""
    found = [*stated]
    for number, told in changed.items():
        start, end, _ = text.sentences[number]
        quote = one_line(text.text[start:end])
        new = [
            replace(row, quote=quote, start=start, end=end)
            for row in statements(split_sentences(told.statement))
        ]
        if new:
            found = [row for row in found if text.sentence_at(row.start) != number]
        elif not any(text.sentence_at(row.start) == number for row in found):
            new = [row for row in [plain_statement(text, number, end)] if row is not None]
        found += [replace(row, is_news=True) for row in new]
    return tuple(found)


def _is_past_denial(text: SentenceText, said: Statement) -> bool:
    """Whether a statement denies what may hold again since: `I stopped playing the piano at ten`."""
    if not said.is_denied or (number := text.sentence_at(said.start)) is None:
        return False
    from memtool.core.capture.endings import is_of_youth  # few statements deny anything

    start, end, _ = text.sentences[number]
    return is_of_youth(text.masked[start:end])


def _may_end(text: str) -> bool:
    lowered = f" {text.lower()}"
    return any(map(lowered.__contains__, ENDING_SIGNS))


def _may_tell_change(text: str) -> bool:
    lowered = f" {text.lower()}"
    return any(map(lowered.__contains__, CHANGE_SIGNS))


def _ending_sentences(split: MessageSentences) -> dict[int, CorrectingSentence]:
    """The sentences of a message that say that something holds no more, by number."""
    text = split.text
    if not _may_end(text.masked):
        return {}
    from memtool.core.capture.changes import with_subject
    from memtool.core.capture.endings import endings, without_lead

    found: dict[int, CorrectingSentence] = {}
    folded = fold_in_place(text.masked)
    for number, (start, end, _) in enumerate(text.sentences):
        if not _is_asserted(text, folded, number):
            continue
        if ended := endings(with_subject(text.masked[start:end][:_MAX_SENTENCE])):
            statement = one_line(without_lead(text.text[start:end]))
            correction = Correction("", "", frozenset(), statement=statement)
            found[number] = CorrectingSentence(statement, correction, split.span(start, end), ended)
    return found


def _is_asserted(text: SentenceText, folded: str, number: int) -> bool:
    """Whether a sentence of a text, given also folded, is no question, and not in doubt."""
    start, end, is_question = text.sentences[number]
    return not (
        is_question
        or is_doubtful(text.masked[start:end][:_MAX_SENTENCE])
        or is_supposed(folded, start, start)
        or is_unmarked_question(folded, (start, end), (start, start), "")
    )


def _renewals(stated: Iterable[PlacedStatement]) -> Iterator[CorrectingSentence]:
    """What statements say holds, as renewals: memory may have it that this has ended."""
    claiming = [row for row in stated if not (row[0].is_denied or row[0].is_whole)]
    if not claiming:
        return
    from memtool.core.capture.ending_value import renewal  # few messages need it

    for statement, span in claiming:
        if found := renewal(statement.quote, statement.claim):
            correction = Correction("", "", frozenset(), statement=statement.quote)
            yield CorrectingSentence(statement.quote, correction, span, (found,))


def _plain_statements(split: MessageSentences, matched: Collection[int | None]) -> dict[int, Statement]:
    """The whole sentences that the model takes for statements and no row matches, by number, each text once.

    None where there are too many: such a text tells about somebody.
    """
    found: dict[str, tuple[int, Statement]] = {}
    for number, name in split.classes.items():
        if name == FACT and number not in matched and number not in split.possible_forget_requests:
            statement = plain_statement(split.text, number, split.statement_end(number))
            if statement is not None:
                statement = replace(statement, is_news=number in split.known_news)
                found.setdefault(" ".join(statement.quote.lower().split()), (number, statement))
    return dict(found.values()) if len(found) <= MAX_PLAIN else {}


def _fragments(text: SentenceText, plain: Mapping[int, Statement]) -> dict[int, bool]:
    """The whole sentences that say nothing without one before the message, and whether each says a value."""
    if min(plain, default=1) > 0:
        return {}  # "My twins are 4. They're a handful."
    first = text.text[slice(*text.sentences[0][:2])]
    words = f" {first.lower()}"
    if not any(map(words.__contains__, _FRAGMENT_SIGNS)):
        return {}
    from memtool.core.capture.fragments import corrects_value, is_fragment  # few statements are short ones

    return {0: corrects_value(first)} if is_fragment(first) else {}


def _sure_corrections(sentence: str) -> tuple[Correction, ...]:
    """What a sentence replaces; nothing where it is in doubt, or where somebody else says it."""
    if not may_correct(sentence):
        return ()
    from memtool.core.capture.corrections import corrections  # most messages correct nothing

    found = corrections(sentence)
    return () if found and is_doubtful(sentence) else found


def _left_out(split: MessageSentences, numbers: Collection[int | None]) -> set[int]:
    """The sentences, of these, that are not stored: private or unreal ones, and those about self-harm or
    violence."""
    from memtool.core.privacy.distress import states_distress  # most messages do not need it

    text = split.text
    sentences = {
        number: text.masked[text.sentences[number].start : text.sentences[number].end]
        for number in numbers
        if number is not None
    }
    left_out = {number for number, said in sentences.items() if states_distress(said) or is_unreal(said)}
    return {*split.private, *left_out}
