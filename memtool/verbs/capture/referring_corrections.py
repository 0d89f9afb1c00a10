"""Referring corrections: those that name what they are about by a pronoun, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace

from memtool.core.capture.circumstances import CorrectingSentence, MessageCircumstances, PlacedStatement
from memtool.core.capture.corrected_lines import says_value
from memtool.core.capture.other_value import other_value
from memtool.core.capture.referents import may_refer, with_referent
from memtool.core.capture.scan import CapturedEntry
from memtool.core.capture.statements import whole_claim
from memtool.core.records.entries import is_same_user
from memtool.formats import session_state
from memtool.store.workspace import Workspace
from memtool.verbs.capture.correcting_sentences import overlap, unnamed_corrections
from memtool.verbs.capture.message_source import MessageSource

_MOST_MESSAGES = 2
"""The earlier messages of which a pronoun may stand for something."""
_RIGHT_AFTER = timedelta(minutes=30)
"""How long ago these may be."""


def with_referents(
    workspace: Workspace,
    source: MessageSource,
    hits: Sequence[CapturedEntry],
    said: MessageCircumstances | None,
) -> MessageCircumstances | None:
    """What a message says, with what its corrections are about in place of pronouns: "Actually, she …".

    That is something of the sentences before them, or of the last messages of the session. A statement of the
    message that a later sentence of it corrects is put right. Raises UnreadableFile.
    """
    known = said or MessageCircumstances((), ())
    earlier: list[list[str]] | None = None
    for found in (*known.corrections, *unnamed_corrections(hits, said)):
        statement = found.correction.statement
        if found.correction.old or not statement:
            continue
        if is_named := may_refer(statement):
            earlier = _last_messages(workspace, source) if earlier is None else earlier
            if not (statement := with_referent(statement, [_sentences_before(source, found), *earlier])):
                continue
            named = replace(found, correction=replace(found.correction, statement=statement))
            others = (other for other in known.corrections if other != found)
            known = replace(known, corrections=(*others, named))
        known = replace(known, statements=_put_right(known.statements, found, statement, is_named=is_named))
    return known if said is not None or known.corrections else None


def _put_right(
    statements: Sequence[PlacedStatement], found: CorrectingSentence, corrected: str, *, is_named: bool
) -> tuple[PlacedStatement, ...]:
    """The statements of a message, with the one before a correction put right that it contradicts."""
    wrong = [
        (placed, other)
        for placed in statements
        if placed[1][1] <= found.span[0]
        and (other := other_value(corrected, placed[0].quote, is_recent=True)) is not None
        and (is_named or placed[0].is_whole or not says_value(other.old, placed[0].claim.object))
    ]
    if len(wrong) != 1:
        return (*statements,)
    ((wrong_statement, span), other) = wrong[0]
    claim = whole_claim(other.line)
    if not wrong_statement.is_whole:
        claim = wrong_statement.claim
        claim = replace(claim, object=claim.object.replace(other.old, other.new))
    right = replace(wrong_statement, claim=claim, quote=other.line, is_whole=False)
    return tuple(
        (right, (span[0], found.span[1])) if each is wrong_statement else (each, place)
        for each, place in statements
        if not (each.is_whole and overlap(place, found.span))
    )


def _sentences_before(source: MessageSource, found: CorrectingSentence) -> list[str]:
    """The sentences of the message before a correction."""
    message, start = source.message, found.span[0]
    spans = ((begin, end) for begin, end, is_question in message.text.sentences if not is_question)
    return [message.text.text[begin:end] for begin, end in spans if message.span(begin, end)[1] <= start]


def _last_messages(workspace: Workspace, source: MessageSource) -> list[list[str]]:
    """The entries of the owner's last messages in the session state, the last message first."""
    document = workspace.read_text(workspace.layout.path("session-state", group=source.group))
    messages: dict[str, list[str]] = {}
    for entry in session_state.entries(session_state.parse(document.text)) if document else ():
        if is_same_user(entry.owner, source.owner) and source.at - _RIGHT_AFTER <= entry.at <= source.at:
            messages.setdefault(entry.at.isoformat(), []).append(entry.detail)
    return [messages[at] for at in sorted(messages, reverse=True)[:_MOST_MESSAGES]]
