"""condense: extract facts and a summary from messages, by the user's commands or the built-in functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.extract import facts_in_messages
from memtool.core.capture.triggers import TriggerTable
from memtool.core.compaction.compact import is_marker
from memtool.core.compaction.summary import storable_summary, summarize
from memtool.core.privacy.foreign_text import own_words
from memtool.core.privacy.recalled import without_recalled, without_recalled_blocks
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.health import count_noun
from memtool.core.records.turn import Message, MessagePart, TextPart, ToolResult
from memtool.core.text.clean import clean
from memtool.core.text.folding import fold
from memtool.errors import DelegateFailed
from memtool.formats import conversation, extractor_output
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.turns.append_turn import redact_messages

BUILT_IN = "built-in"


class CondenseCommands(Struct, frozen=True):
    """The user's commands, if any; with `strict` nothing replaces a command that fails."""

    summarizer: Delegate | None = None
    extractor: Delegate | None = None
    strict: bool = False


class CondensedMessages(Struct, frozen=True):
    """Facts and summary of messages, and who made them; `notices` name the commands that failed."""

    facts: tuple[Fact, ...]
    extractor: str
    summary: str = ""
    summarizer: str = BUILT_IN
    notices: tuple[str, ...] = ()


def condense(
    messages: Sequence[Message],
    at: datetime,
    owner: Owner | None,
    triggers: TriggerTable,
    commands: CondenseCommands,
    *,
    max_chars: int,
) -> CondensedMessages:
    """Extract facts and a summary; the built-in summary has up to `max_chars` characters.

    Raises DelegateFailed where a strict command fails.
    """
    extracted = extract_facts(messages, at, owner, triggers, commands)
    text, author, notices = request_summary(messages, commands, max_chars=max_chars)
    return CondensedMessages(
        extracted.facts, extracted.extractor, text, author, (*extracted.notices, *notices)
    )


def request_summary(
    messages: Sequence[Message],
    commands: CondenseCommands,
    *,
    max_chars: int,
    built_in: Callable[[Sequence[Message], int], str] = summarize,
) -> tuple[str, str, tuple[str, ...]]:
    """Summarize messages; return the summary, who made it, and the notices.

    The `built_in` summary has up to `max_chars` characters. Raises DelegateFailed where a strict command
    fails.
    """
    notices: tuple[str, ...] = ()
    if commands.summarizer is not None:
        try:
            text = storable_summary(
                commands.summarizer.run(conversation.render_lines(_command_input(messages)))
            )
            return text, commands.summarizer.program, ()
        except DelegateFailed as error:
            if commands.strict:
                raise
            notices = (f"{error}; using the built-in summarizer instead",)
    return storable_summary(built_in(messages, max_chars)), BUILT_IN, notices


def extract_facts(
    messages: Sequence[Message],
    at: datetime,
    owner: Owner | None,
    triggers: TriggerTable,
    commands: CondenseCommands,
) -> CondensedMessages:
    """Extract the facts of messages. Raises DelegateFailed where a strict command fails."""
    notices: list[str] = []
    if commands.extractor is not None:
        try:
            facts = _run_extractor(commands.extractor, messages, owner, notices)
            return CondensedMessages(facts, commands.extractor.program, notices=tuple(notices))
        except DelegateFailed as error:
            if commands.strict:
                raise
            notices.append(f"{error}; using the built-in extractor instead")
    return CondensedMessages(
        facts_in_messages(messages, at, owner, triggers), BUILT_IN, notices=tuple(notices)
    )


def _run_extractor(
    extractor: Delegate, messages: Sequence[Message], owner: Owner | None, notices: list[str]
) -> tuple[Fact, ...]:
    """The facts that a command prints, without those whose evidence is not in the user's messages."""
    printed, bad, rows = extractor_output.parse(
        extractor.run(conversation.render_lines(_command_input(messages)))
    )
    if rows and not printed:
        raise DelegateFailed(
            f"the extractor command {extractor.program!r} printed no valid facts; it must print one JSON "
            "object per line, "
            'such as {"category": "preference", "text": "User prefers tea"}, or [] if there are no facts'
        )
    if bad:
        notices.append(
            f"skipped invalid output of the extractor command: {bad} of {count_noun(rows, 'line')}"
        )
    user_text = fold(" ".join(_user_texts(messages)))
    facts = [fact for fact in printed if not fact.evidence or _plain(fact.evidence) in user_text]
    if len(facts) < len(printed):
        left_out = len(printed) - len(facts)
        notices.append(
            f"skipped {count_noun(left_out, 'fact')} whose evidence does not quote the user's messages"
        )
    return tuple(fact.to_fact(owner) for fact in facts)


def _command_input(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages for a command: redacted, and without recalled memory."""
    return tuple(
        replace(message, parts=tuple(_without_recalled(part) for part in message.parts))
        for message in redact_messages(messages)
    )


def _without_recalled(part: MessagePart) -> MessagePart:
    if isinstance(part, TextPart) and not is_marker(part.text):
        return replace(part, text=without_recalled(part.text))
    if isinstance(part, ToolResult):
        return replace(part, content=without_recalled_blocks(part.content))
    return part


def _user_texts(messages: Sequence[Message]) -> list[str]:
    """The user's own texts; only these count as evidence about the user."""
    from_user = [message for message in messages if message.role == "user"]
    texts = [part.text for message in from_user for part in message.parts if isinstance(part, TextPart)]
    return [" ".join(own_words(clean(without_recalled(text))).split()) for text in texts]


def _plain(evidence: str) -> str:
    return fold(" ".join(evidence.split())).strip("\"'“”.… ")
