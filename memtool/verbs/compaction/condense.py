"""condense: extract facts and a summary from messages, by the user's commands or the built-in functions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.extract import extract
from memtool.core.capture.triggers import Triggers
from memtool.core.compaction.compact import is_marker
from memtool.core.compaction.summary import safe, summary
from memtool.core.privacy.recalled import without_blocks, without_recalled
from memtool.core.records.entry import Fact, Owner
from memtool.core.records.turn import Message, Part, Text, ToolResult
from memtool.core.text.text import fold
from memtool.errors import DelegateFailed
from memtool.formats import conversation, fact_lines
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.turns.append_turn import redacted

BUILT_IN = "built-in"


class Helpers(Struct, frozen=True):
    """The user's commands, if any; with `strict` nothing replaces a command that fails."""

    summarizer: Delegate | None = None
    extractor: Delegate | None = None
    strict: bool = False


class Condensed(Struct, frozen=True):
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
    triggers: Triggers,
    helpers: Helpers,
    *,
    most: int,
) -> Condensed:
    """Extract facts and a summary; the built-in summary has up to `most` characters.

    Raises DelegateFailed where a strict command fails.
    """
    extracted = facts_of(messages, at, owner, triggers, helpers)
    text, author, notices = summarised(messages, helpers, most=most)
    return Condensed(extracted.facts, extracted.extractor, text, author, (*extracted.notices, *notices))


def summarised(
    messages: Sequence[Message], helpers: Helpers, *, most: int
) -> tuple[str, str, tuple[str, ...]]:
    """Summarize messages; return the summary, who made it, and the notices.

    The built-in summary has up to `most` characters. Raises DelegateFailed where a strict command fails.
    """
    notices: tuple[str, ...] = ()
    if helpers.summarizer is not None:
        try:
            text = safe(helpers.summarizer.run(conversation.lines(_command_input(messages))))
            return text, helpers.summarizer.program, ()
        except DelegateFailed as error:
            if helpers.strict:
                raise
            notices = (f"{error}; the built-in summary serves instead",)
    return safe(summary(messages, most)), BUILT_IN, notices


def facts_of(
    messages: Sequence[Message], at: datetime, owner: Owner | None, triggers: Triggers, helpers: Helpers
) -> Condensed:
    """Extract the facts of messages. Raises DelegateFailed where a strict command fails."""
    notices: list[str] = []
    if helpers.extractor is not None:
        try:
            facts = _run_extractor(helpers.extractor, messages, owner, notices)
            return Condensed(facts, helpers.extractor.program, notices=tuple(notices))
        except DelegateFailed as error:
            if helpers.strict:
                raise
            notices.append(f"{error}; the built-in extractor serves instead")
    return Condensed(extract(messages, at, owner, triggers), BUILT_IN, notices=tuple(notices))


def _run_extractor(
    extractor: Delegate, messages: Sequence[Message], owner: Owner | None, notices: list[str]
) -> tuple[Fact, ...]:
    """The facts that a command prints, without those whose evidence is not in the user's messages."""
    printed, bad, rows = fact_lines.parse(extractor.run(conversation.lines(_command_input(messages))))
    if rows and not printed:
        raise DelegateFailed(
            f"the extractor command {extractor.program!r} printed no fact: a fact is a line such as "
            '{"category": "preference", "text": "User prefers tea"}, and [] says that there is none'
        )
    if bad:
        notices.append(f"{bad} of {rows} lines of the extractor command are no facts; they were left out")
    user_text = fold(" ".join(_user_texts(messages)))
    facts = [fact for fact in printed if not fact.evidence or _plain(fact.evidence) in user_text]
    if len(facts) < len(printed):
        left_out = len(printed) - len(facts)
        notices.append(f"{left_out} facts were left out: the user did not say what they give as evidence")
    return tuple(fact.fact(owner) for fact in facts)


def _command_input(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages for a command: redacted, and without recalled memory."""
    return tuple(
        replace(message, parts=tuple(_without_recalled(part) for part in message.parts))
        for message in redacted(messages)
    )


def _without_recalled(part: Part) -> Part:
    if isinstance(part, Text) and not is_marker(part.text):
        return replace(part, text=without_recalled(part.text))
    if isinstance(part, ToolResult):
        return replace(part, content=without_blocks(part.content))
    return part


def _user_texts(messages: Sequence[Message]) -> list[str]:
    """The user's own texts; only these count as evidence about the user."""
    from_user = [message for message in messages if message.role == "user"]
    texts = [part.text for message in from_user for part in message.parts if isinstance(part, Text)]
    return [" ".join(without_recalled(text).split()) for text in texts]


def _plain(evidence: str) -> str:
    return fold(" ".join(evidence.split())).strip("\"'“”.… ")
