"""compact: a conversation that fills its context gives up its middle, once memory holds what it said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from msgspec import Struct

from memtool.core.capture.triggers import Triggers
from memtool.core.compaction import compact as decide
from memtool.core.compaction.compact import Keep, Stage, Thresholds
from memtool.core.compaction.conversation import Conversation, Item
from memtool.core.compaction.tokens import estimate_messages
from memtool.core.privacy.private import kept as kept_of
from memtool.core.records.entry import Owner
from memtool.core.records.plan import Plan
from memtool.errors import BadUsage
from memtool.formats import compaction
from memtool.formats import conversation as conversations
from memtool.store.workspace import Workspace
from memtool.verbs.compaction.condense import Condensed, Helpers, condense, facts_of
from memtool.verbs.compaction.next_run import marked
from memtool.verbs.compaction.tokens import Counter
from memtool.verbs.memory.fact_files import filed
from memtool.verbs.memory.remember import opened, remembered

_PREVIEW = 200
_LONGEST_SUMMARY = 6000
"""Characters that the built-in summary has at most."""
_LEAST = 60
"""Tokens of a summary that is worth its place in the gap; below it the marker stands alone."""


class Asked(Struct, frozen=True):
    """What is asked of a compaction, besides the conversation.

    `used` are tokens that the caller counted himself; `fresh` is for a run that begins anew afterwards, so
    that nothing of the conversation is kept.
    """

    now: datetime
    today: date
    limit: int
    owner: Owner | None = None
    used: int | None = None
    force: bool = False
    fresh: bool = False
    gap: str = "summary"
    group: str | None = None

    @property
    def storing(self) -> dict[str, Any]:
        """What `store` is to know of it."""
        return {"now": self.now, "today": self.today, "group": self.group, "fresh": self.fresh}


class Compacted(Struct, frozen=True):
    """The conversation as it goes on, as text and as JSON values, and what became of the rest.

    `report` is what `out-compact.schema.json` describes, without the messages. `why` says why nothing was
    done, where nothing was.
    """

    text: str
    messages: tuple[Any, ...]
    report: dict[str, Any]
    stage: Stage
    plan: Plan = ()
    why: str = ""
    notices: tuple[str, ...] = ()


def compact(
    workspace: Workspace, text: str, asked: Asked, *, triggers: Triggers, count: Counter, helpers: Helpers
) -> Compacted:
    """Flush facts, or compact, as full as the context is about to be; what is stored is committed on return.

    What the user asks not to keep is in no fact and no summary.
    Raises BadUsage for a text that is no conversation, DelegateFailed with strict helpers, Locked,
    StaleWrite, Unreadable, Unwritable.
    """
    try:
        conversation = conversations.parse(text)
    except conversations.NotAConversation as error:
        raise BadUsage(f"{error}; nothing was written") from error
    items = conversation.items
    sizes = [estimate_messages(item.messages, count) for item in items]
    used = sum(sizes) if asked.used is None else asked.used
    replies = [size for size, item in zip(sizes, items, strict=True) if item.role == "assistant"]
    expected = decide.next_turn(used, replies)
    stage, cut, why = _due(workspace, items, asked, expected, _Sizes(sizes, count))
    report = {
        "stage": stage.name.lower(),
        "messages": len(items),
        "kept": len(items),
        "removed": 0,
        "limit": asked.limit,
        "tokens_before": used,
        "tokens_next": expected,
        "tokens_kept": sum(sizes),
        "tokens_after": used,
    }
    if stage is Stage.EASY:
        return Compacted(text, _records(items), report, stage, why=why)
    leaving = [items[number] for number in cut.dropped] if stage is Stage.COMPACT else items
    mine = set(map(id, kept_of([message for item in items for message in item.messages])))
    messages = tuple(message for item in leaving for message in item.messages if id(message) in mine)
    if stage is Stage.FLUSH:
        flushed = facts_of(messages, asked.now, asked.owner, triggers, helpers)
        notices = list(flushed.notices)
        plan, stored = store(workspace, flushed, None, 0, notices, **asked.storing)
        return Compacted(text, _records(items), {**report, **stored}, stage, plan, why, tuple(notices))
    who = helpers.summarizer.program if helpers.summarizer else ""
    request = decide.request_id([who, *(item.raw for item in leaving)])
    room = _room(asked, sizes, cut)
    condensed = condense(messages, asked.now, asked.owner, triggers, helpers, most=room)
    notices = list(condensed.notices)
    plan, stored = store(workspace, condensed, request, len(leaving), notices, **asked.storing)
    report |= {
        **stored,
        "kept": len(cut.kept),
        "removed": len(cut.dropped),
        "tokens_after": 0 if asked.fresh else round(decide.RESET * asked.limit),
        "request": request,
        "summary": condensed.summary,
        "preview": " ".join(condensed.summary.split())[:_PREVIEW],
    }
    kept, tokens = _joined(workspace, conversation, asked, cut, condensed.summary, stored, count, sizes)
    if tokens > asked.limit:
        notices.append(
            f"what is kept takes about {tokens} tokens, more than the {asked.limit} of the context; "
            "memtool truncate shortens what tools came back with"
        )
    out = "" if asked.fresh else conversations.render(conversation, kept)
    return Compacted(
        out, _records(kept), {**report, "tokens_kept": tokens}, stage, plan, notices=tuple(notices)
    )


class _Sizes(NamedTuple):
    """What each item takes, in tokens, and what counts them."""

    each: Sequence[int]
    count: Counter


def _due(
    workspace: Workspace, items: tuple[Item, ...], asked: Asked, expected: int, sizes: _Sizes
) -> tuple[Stage, decide.Split, str]:
    """What is to be done, which items give way for it, and why nothing is, or less than was asked for."""
    at = Thresholds(workspace.limit("context.flush"), workspace.limit("context.compact"))
    whole = decide.Split(tuple(range(len(items))), ())
    stage = decide.stage(expected, asked.limit, at)
    if not items:
        return Stage.EASY, whole, "there are no messages"
    if asked.fresh:
        return Stage.COMPACT, decide.Split((), whole.kept), ""
    if asked.force or stage is Stage.COMPACT:
        first, last = workspace.limit("compact.keep_first"), workspace.limit("compact.keep_last")
        cut = decide.split(items, Keep(int(first), int(last)))
        if cut.dropped and not _is_worse(cut, asked.limit, sizes):
            return Stage.COMPACT, cut, ""
        why = f"a conversation of {len(items)} messages stays whole"
        if cut.dropped:
            why = (
                "the conversation stays whole: with a marker it would exceed the limit, which it does not now"
            )
        return (Stage.EASY if stage is Stage.EASY else Stage.FLUSH), whole, why
    if stage is Stage.FLUSH:
        return stage, whole, ""
    share = expected / asked.limit
    why = f"the next turn takes about {share:.0%} of the context; nothing is done below {at.flush:.0%}"
    return stage, whole, why


def _is_worse(cut: decide.Split, limit: int, sizes: _Sizes) -> bool:
    """Whether a conversation that fits would not any more, for the marker takes more than what gave way."""
    if sum(sizes.each) > limit:
        return False
    marker = sizes.count(decide.marker(len(cut.dropped), ["x" * 60])) + 4
    return sum(sizes.each[number] for number in cut.kept) + marker > limit


def _room(asked: Asked, sizes: Sequence[int], cut: decide.Split) -> int:
    """Characters of the built-in summary: fewer where little is dropped, or the context is small."""
    dropped = sum(sizes[number] for number in cut.dropped)
    return max(200, min(_LONGEST_SUMMARY, dropped * 2, asked.limit * 4 // 5))


def store(
    workspace: Workspace,
    told: Condensed,
    request: str | None,
    count: int | str,
    notices: list[str],
    *,
    now: datetime,
    today: date,
    group: str | None,
    fresh: bool = False,
) -> tuple[Plan, dict[str, Any]]:
    """Commit the facts and then the summary, each once, and say where they went.

    Facts go to long-term memory, and to the files that `recall` asks, which are of no group; which of these
    cannot be read is said in `notices`.
    A summary that its file holds already, under the same request, is not written again; without a request
    there is none. `count` is as in the section. Raises Locked, StaleWrite, Unreadable, Unwritable.
    """
    targets = workspace.layout.targets["compact"]
    with workspace.lock():
        pages = {"facts": opened(workspace, targets["facts"], group=group)}
        text, said = remembered(pages["facts"].text, told.facts)
        texts = {pages["facts"].path: text}
        if request is not None:
            page = opened(workspace, targets["summary"], group=group, day=today)
            pages["summary"] = page
            before = texts.get(page.path, page.text)
            if not compaction.has(before, request):
                new = compaction.section(now, request, count, told.summary)
                texts[page.path] = compaction.add(before, new)
        plan = filed(workspace, told.facts, notices) if group is None and workspace.has("semantic") else ()
        for page in {page.path: page for page in pages.values()}.values():
            plan += page.rewritten(texts.get(page.path, page.text))
        if fresh and request is not None:
            plan += marked(workspace, request, now, group=group)
        workspace.commit(plan)
    return plan, {
        "facts": len(said) - sum(said),
        "facts_known": sum(said),
        "facts_path": str(pages["facts"].path),
        "summary_path": str(pages["summary"].path) if "summary" in pages else None,
        "extractor": told.extractor,
        "summarizer": told.summarizer if request is not None else None,
    }


def _joined(
    workspace: Workspace,
    conversation: Conversation,
    asked: Asked,
    cut: decide.Split,
    summary: str,
    stored: dict[str, Any],
    count: Counter,
    sizes: Sequence[int],
) -> tuple[list[Item], int]:
    """The items that stay, one in the first gap that says what was there, and how many tokens they take."""
    if asked.fresh:
        return [], 0
    where = [stored["summary_path"], *_beside(workspace, asked, stored)] if workspace.writes else []
    line = decide.marker(len(cut.dropped), where)
    first = cut.dropped[0]
    known = sum(sizes[number] for number in cut.kept)
    filler = conversations.written(conversation, "user", line, conversation.items[first].gap)
    if asked.gap == "summary" or not workspace.writes:
        room = asked.limit - known - estimate_messages(filler.messages, count)
        shown = _fitting(summary, room, count)
        if shown:
            said = f"{line}\n\n<summary>\n{shown}\n</summary>"
            filler = conversations.written(conversation, "user", said, filler.gap)
    items = conversation.items
    kept = [items[number] for number in cut.kept if number < first]
    kept += [filler, *(items[number] for number in cut.kept if number > first)]
    return kept, known + estimate_messages(filler.messages, count)


def _fitting(summary: str, room: int, count: Counter) -> str:
    """As many whole lines of a summary as fit in `room` tokens, with its tags; nothing where few would."""
    room -= 12
    if room < _LEAST:
        return ""
    lines = summary.split("\n")
    while lines and count("\n".join(lines)) > room:
        lines = lines[: max(0, min(len(lines) - 1, len(lines) * 3 // 4))]
    return "\n".join(lines).replace("</summary>", "<\\/summary>")


def _beside(workspace: Workspace, asked: Asked, stored: dict[str, Any]) -> list[str]:
    """The other files that may say what was said, as far as they are there."""
    found: list[PurePosixPath] = []
    for role in ("session-state", "daily-note"):
        if asked.group is None and workspace.has(role):
            day = {"day": asked.today} if role == "daily-note" else {}
            found.append(workspace.layout.path(role, group=None, **day))
    return [
        str(path)
        for path in dict.fromkeys(found)
        if str(path) != stored["summary_path"] and workspace.disk.stat(path) is not None
    ]


def _records(items: Sequence[Item]) -> tuple[Any, ...]:
    return tuple(conversations.value(item) for item in items)
