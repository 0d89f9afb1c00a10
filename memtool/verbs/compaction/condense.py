"""condense: messages become facts and a summary, by the user's own commands or by what is built in."""

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
    """The user's commands, as far as there are any; `strict` ones have no substitute when they fail."""

    summarizer: Delegate | None = None
    extractor: Delegate | None = None
    strict: bool = False


class Condensed(Struct, frozen=True):
    """What messages came to, and who condensed them; `notices` say where a command was of no use."""

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
    """The facts and the summary of messages; `most` are the characters of the built-in summary.

    Raises DelegateFailed where a strict command fails.
    """
    told = facts_of(messages, at, owner, triggers, helpers)
    text, who, notices = summarised(messages, helpers, most=most)
    return Condensed(told.facts, told.extractor, text, who, (*told.notices, *notices))


def summarised(
    messages: Sequence[Message], helpers: Helpers, *, most: int
) -> tuple[str, str, tuple[str, ...]]:
    """The summary of messages, who made it, and what there is to say about that.

    `most` are the characters of the built-in one. Raises DelegateFailed where a strict command fails.
    """
    notices: tuple[str, ...] = ()
    if helpers.summarizer is not None:
        try:
            text = safe(helpers.summarizer.run(conversation.lines(_given(messages))))
            return text, helpers.summarizer.program, ()
        except DelegateFailed as error:
            if helpers.strict:
                raise
            notices = (f"{error}; the built-in summary serves instead",)
    return safe(summary(messages, most)), BUILT_IN, notices


def facts_of(
    messages: Sequence[Message], at: datetime, owner: Owner | None, triggers: Triggers, helpers: Helpers
) -> Condensed:
    """The facts of messages. Raises DelegateFailed where a strict command fails."""
    notices: list[str] = []
    if helpers.extractor is not None:
        try:
            facts = _answered(helpers.extractor, messages, owner, notices)
            return Condensed(facts, helpers.extractor.program, notices=tuple(notices))
        except DelegateFailed as error:
            if helpers.strict:
                raise
            notices.append(f"{error}; the built-in extractor serves instead")
    return Condensed(extract(messages, at, owner, triggers), BUILT_IN, notices=tuple(notices))


def _answered(
    extractor: Delegate, messages: Sequence[Message], owner: Owner | None, notices: list[str]
) -> tuple[Fact, ...]:
    """The facts that a command answers, without those whose evidence nobody said."""
    found, bad, rows = fact_lines.parse(extractor.run(conversation.lines(_given(messages))))
    if rows and not found:
        raise DelegateFailed(
            f"the extractor command {extractor.program!r} printed no fact: a fact is a line such as "
            '{"category": "preference", "text": "User prefers tea"}, and [] says that there is none'
        )
    if bad:
        notices.append(f"{bad} of {rows} lines of the extractor command are no facts; they were left out")
    heard = fold(" ".join(_said(messages)))
    told = [one for one in found if not one.evidence or _plain(one.evidence) in heard]
    if len(told) < len(found):
        notices.append(
            f"{len(found) - len(told)} facts were left out: the user did not say what they give as evidence"
        )
    return tuple(one.fact(owner) for one in told)


def _given(messages: Sequence[Message]) -> tuple[Message, ...]:
    """What a command is given of messages: no secret, and nothing that memory itself had put there."""
    return tuple(replace(one, parts=tuple(_own(part) for part in one.parts)) for one in redacted(messages))


def _own(part: Part) -> Part:
    if isinstance(part, Text) and not is_marker(part.text):
        return replace(part, text=without_recalled(part.text))
    if isinstance(part, ToolResult):
        return replace(part, content=without_blocks(part.content))
    return part


def _said(messages: Sequence[Message]) -> list[str]:
    """What the user said: nobody else gives evidence about the user."""
    heard = [one for one in messages if one.role == "user"]
    parts = [part.text for one in heard for part in one.parts if isinstance(part, Text)]
    return [" ".join(without_recalled(text).split()) for text in parts]


def _plain(evidence: str) -> str:
    return fold(" ".join(evidence.split())).strip("\"'“”.… ")
