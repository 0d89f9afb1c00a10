"""compact: flush a conversation's facts to memory, and replace its middle by a marker and a summary."""

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
from memtool.verbs.memory.editable_file import opened
from memtool.verbs.memory.fact_files import filed
from memtool.verbs.memory.remember import remembered

_PREVIEW_CHARS = 200
_MAX_SUMMARY_CHARS = 6000
"""Maximum length of the built-in summary."""
_MIN_SUMMARY_TOKENS = 60
"""Tokens below which a summary is left out beside the marker."""
_TAGS_TOKENS = 12
"""Tokens of the tags around a summary."""


class Asked(Struct, frozen=True):
    """The parameters of a compaction, besides the conversation.

    `limit` is the context's size in tokens, and `used` the tokens in use as counted by the caller. With
    `fresh` the next run starts with an empty conversation, so nothing is kept.
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
        """The arguments that `store` takes from the request."""
        return {"now": self.now, "today": self.today, "group": self.group, "fresh": self.fresh}


class Compacted(Struct, frozen=True):
    """The remaining conversation, as text and as JSON values, and a report.

    `report` is what `out-compact.schema.json` describes, without the messages. `why` says why nothing was
    removed, where nothing was.
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
    """Flush facts, or compact, depending on the expected size of the next turn; commit what is stored.

    Private turns are in no fact and no summary. Raises BadUsage for a text that is no conversation,
    DelegateFailed with strict commands, Locked, StaleWrite, Unreadable, Unwritable.
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
    stage, split, why = _choose_stage(workspace, items, asked, expected, _ItemSizes(sizes, count))
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
    dropped = [items[number] for number in split.dropped] if stage is Stage.COMPACT else items
    public = set(map(id, kept_of([message for item in items for message in item.messages])))
    messages = tuple(message for item in dropped for message in item.messages if id(message) in public)
    if stage is Stage.FLUSH:
        flushed = facts_of(messages, asked.now, asked.owner, triggers, helpers)
        notices = list(flushed.notices)
        plan, stored = store(workspace, flushed, None, 0, notices, **asked.storing)
        return Compacted(text, _records(items), {**report, **stored}, stage, plan, why, tuple(notices))
    summarizer = helpers.summarizer.program if helpers.summarizer else ""
    request_id = decide.request_id([summarizer, *(item.raw for item in dropped)])
    max_chars = _summary_chars(asked, sizes, split)
    condensed = condense(messages, asked.now, asked.owner, triggers, helpers, most=max_chars)
    notices = list(condensed.notices)
    plan, stored = store(workspace, condensed, request_id, len(dropped), notices, **asked.storing)
    report |= {
        **stored,
        "kept": len(split.kept),
        "removed": len(split.dropped),
        "tokens_after": 0 if asked.fresh else round(decide.RESET * asked.limit),
        "request": request_id,
        "summary": condensed.summary,
        "preview": " ".join(condensed.summary.split())[:_PREVIEW_CHARS],
    }
    kept, tokens = _kept_items(workspace, conversation, asked, split, condensed.summary, stored, count, sizes)
    if tokens > asked.limit:
        notices.append(
            f"what is kept takes about {tokens} tokens, more than the {asked.limit} of the context; "
            "memtool truncate shortens what tools came back with"
        )
    remaining = "" if asked.fresh else conversations.render(conversation, kept)
    return Compacted(
        remaining, _records(kept), {**report, "tokens_kept": tokens}, stage, plan, notices=tuple(notices)
    )


class _ItemSizes(NamedTuple):
    """The tokens of each item, and the counter."""

    tokens: Sequence[int]
    count: Counter


def _choose_stage(
    workspace: Workspace, items: tuple[Item, ...], asked: Asked, expected: int, sizes: _ItemSizes
) -> tuple[Stage, decide.Split, str]:
    """The stage, the split of the items, and why nothing or less than requested is done."""
    thresholds = Thresholds(workspace.limit("context.flush"), workspace.limit("context.compact"))
    whole = decide.Split(tuple(range(len(items))), ())
    stage = decide.stage(expected, asked.limit, thresholds)
    if not items:
        return Stage.EASY, whole, "there are no messages"
    if asked.fresh:
        return Stage.COMPACT, decide.Split((), whole.kept), ""
    if asked.force or stage is Stage.COMPACT:
        first, last = workspace.limit("compact.keep_first"), workspace.limit("compact.keep_last")
        split = decide.split(items, Keep(int(first), int(last)))
        if split.dropped and not _is_worse(split, asked.limit, sizes):
            return Stage.COMPACT, split, ""
        why = f"a conversation of {len(items)} messages stays whole"
        if split.dropped:
            why = (
                "the conversation stays whole: with a marker it would exceed the limit, which it does not now"
            )
        return (Stage.EASY if stage is Stage.EASY else Stage.FLUSH), whole, why
    if stage is Stage.FLUSH:
        return stage, whole, ""
    share = expected / asked.limit
    why = (
        f"the next turn takes about {share:.0%} of the context; nothing is done below {thresholds.flush:.0%}"
    )
    return stage, whole, why


def _is_worse(split: decide.Split, limit: int, sizes: _ItemSizes) -> bool:
    """Whether a conversation that fits would exceed the limit, because the marker is larger than the gap."""
    if sum(sizes.tokens) > limit:
        return False
    marker = sizes.count(decide.marker(len(split.dropped), ["x" * 60])) + 4
    return sum(sizes.tokens[number] for number in split.kept) + marker > limit


def _summary_chars(asked: Asked, sizes: Sequence[int], split: decide.Split) -> int:
    """Characters of the built-in summary: fewer where little is dropped, or the context is small."""
    dropped = sum(sizes[number] for number in split.dropped)
    return max(200, min(_MAX_SUMMARY_CHARS, dropped * 2, asked.limit * 4 // 5))


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
    """Commit the facts and the summary, each once; return the plan and the fields of the report.

    Facts go to long-term memory, and, unless a group is given, to the semantic files that `recall` searches;
    `notices` names those that cannot be read. A summary that its file has already, under the same request,
    is not written again; without a request there is no summary. `count` is the number of messages in the
    summary's heading, or an agent's name. Raises Locked, StaleWrite, Unreadable, Unwritable.
    """
    targets = workspace.layout.targets["compact"]
    with workspace.lock():
        files = {"facts": opened(workspace, targets["facts"], group=group)}
        text, is_duplicate = remembered(files["facts"].text, told.facts)
        texts = {files["facts"].path: text}
        if request is not None:
            file = opened(workspace, targets["summary"], group=group, day=today)
            files["summary"] = file
            before = texts.get(file.path, file.text)
            if not compaction.has(before, request):
                section = compaction.section(now, request, count, told.summary)
                texts[file.path] = compaction.add(before, section)
        plan = filed(workspace, told.facts, notices) if group is None and workspace.has("semantic") else ()
        for file in {file.path: file for file in files.values()}.values():
            plan += file.rewritten(texts.get(file.path, file.text))
        if fresh and request is not None:
            plan += marked(workspace, request, now, group=group)
        workspace.commit(plan)
    return plan, {
        "facts": len(is_duplicate) - sum(is_duplicate),
        "facts_known": sum(is_duplicate),
        "facts_path": str(files["facts"].path),
        "summary_path": str(files["summary"].path) if "summary" in files else None,
        "extractor": told.extractor,
        "summarizer": told.summarizer if request is not None else None,
    }


def _kept_items(
    workspace: Workspace,
    conversation: Conversation,
    asked: Asked,
    split: decide.Split,
    summary: str,
    stored: dict[str, Any],
    count: Counter,
    sizes: Sequence[int],
) -> tuple[list[Item], int]:
    """The kept items, with a marker in the first gap and the summary if it fits; and their tokens."""
    if asked.fresh:
        return [], 0
    paths = [stored["summary_path"], *_other_paths(workspace, asked, stored)] if workspace.writes else []
    line = decide.marker(len(split.dropped), paths)
    first = split.dropped[0]
    tokens = sum(sizes[number] for number in split.kept)
    marker = conversations.written(conversation, "user", line, conversation.items[first].gap)
    if asked.gap == "summary" or not workspace.writes:
        room = asked.limit - tokens - estimate_messages(marker.messages, count)
        fitted = _fit(summary, room, count)
        if fitted:
            text = f"{line}\n\n<summary>\n{fitted}\n</summary>"
            marker = conversations.written(conversation, "user", text, marker.gap)
    items = conversation.items
    kept = [items[number] for number in split.kept if number < first]
    kept += [marker, *(items[number] for number in split.kept if number > first)]
    return kept, tokens + estimate_messages(marker.messages, count)


def _fit(summary: str, room: int, count: Counter) -> str:
    """The whole lines of a summary that fit into `room` tokens together with its tags; empty for too few."""
    room -= _TAGS_TOKENS
    if room < _MIN_SUMMARY_TOKENS:
        return ""
    lines = summary.split("\n")
    while lines and count("\n".join(lines)) > room:
        lines = lines[: max(0, min(len(lines) - 1, len(lines) * 3 // 4))]
    return "\n".join(lines).replace("</summary>", "<\\/summary>")


def _other_paths(workspace: Workspace, asked: Asked, stored: dict[str, Any]) -> list[str]:
    """The existing session state and daily note, which may hold what was removed."""
    paths: list[PurePosixPath] = []
    for role in ("session-state", "daily-note"):
        if asked.group is None and workspace.has(role):
            day = {"day": asked.today} if role == "daily-note" else {}
            paths.append(workspace.layout.path(role, group=None, **day))
    return [
        str(path)
        for path in dict.fromkeys(paths)
        if str(path) != stored["summary_path"] and workspace.disk.stat(path) is not None
    ]


def _records(items: Sequence[Item]) -> tuple[Any, ...]:
    return tuple(conversations.value(item) for item in items)
