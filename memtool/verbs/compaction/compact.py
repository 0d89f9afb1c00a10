"""compact: flush a conversation's facts to memory, and replace its middle by a marker and a summary."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.triggers import CATEGORIES, EntryDestination, TriggerTable
from memtool.core.compaction import compact as decide
from memtool.core.compaction.chat_formats import MESSAGE_FORM
from memtool.core.compaction.compact import (
    CompactionStage,
    CompactionThresholds,
    KeepCounts,
    NextTurnEstimate,
)
from memtool.core.compaction.conversation import Conversation, ConversationItem
from memtool.core.compaction.tokens import estimate_message_tokens
from memtool.core.forgetting.statements import statements
from memtool.core.forgetting.tombstones import Forgotten
from memtool.core.privacy.private_requests import without_private_turns
from memtool.core.records.candidate import Instruction
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.plan import Plan
from memtool.errors import BadUsage
from memtool.formats import compaction_section
from memtool.formats import conversation as conversations
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.compaction.condense import CondenseCommands, CondensedMessages, condense, extract_facts
from memtool.verbs.compaction.next_run import mark_plan
from memtool.verbs.compaction.token_counter import TokenCounter
from memtool.verbs.memory_files.editable_file import open_role_file
from memtool.verbs.memory_files.forgotten import load_forgotten, without_forgotten
from memtool.verbs.memory_files.long_term import add_new_facts
from memtool.verbs.memory_files.semantic_files import add_facts_plan

_PREVIEW_CHARS = 200
_MAX_SUMMARY_CHARS = 6000
"""Maximum length of the built-in summary."""
_MIN_SUMMARY_TOKENS = 60
"""Tokens below which a summary is left out beside the marker."""
_TAGS_TOKENS = 12
"""Tokens of the tags around a summary."""


class CompactRequest(Struct, frozen=True):
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
    def store_arguments(self) -> dict[str, Any]:
        """The arguments that `store_condensed` takes from the request."""
        return {
            "now": self.now,
            "today": self.today,
            "owner": self.owner,
            "group": self.group,
            "fresh": self.fresh,
        }


class CompactReport(Struct, frozen=True):
    """The remaining conversation, as text and as JSON values, and a report.

    `report` is what `out-compact.schema.json` describes, without the messages. `reason` says why nothing was
    removed, where nothing was.
    """

    text: str
    messages: tuple[Any, ...]
    report: dict[str, Any]
    stage: CompactionStage
    plan: Plan = ()
    reason: str = ""
    notices: tuple[str, ...] = ()


def compact(
    workspace: Workspace,
    text: str,
    request: CompactRequest,
    *,
    triggers: TriggerTable,
    count: TokenCounter,
    commands: CondenseCommands,
) -> CompactReport:
    """Flush facts, or compact, depending on the expected size of the next turn; commit what is stored.

    Private turns are in no fact and no summary. Raises BadUsage for a text that is no conversation,
    DelegateFailed with strict commands, Locked, StaleWrite, UnreadableFile, Unwritable.
    """
    try:
        conversation = conversations.parse(text)
    except conversations.InvalidConversation as error:
        raise BadUsage(f"{error}; nothing was written; {MESSAGE_FORM}") from error
    items = conversation.items
    sizes = [estimate_message_tokens(item.messages, count) for item in items]
    used = sum(sizes) if request.used is None else request.used
    replies = [size for size, item in zip(sizes, items, strict=True) if item.role == "assistant"]
    limits = workspace.layout.limits
    estimate = NextTurnEstimate(limits["estimate_replies"], limits["estimate_factor"])
    expected = decide.expected_tokens(used, replies, estimate)
    stage, split, why = _choose_stage(workspace, items, request, expected, _ItemSizes(sizes, count))
    report = {
        "stage": stage.name.lower(),
        "messages": len(items),
        "kept": len(items),
        "removed": 0,
        "limit": request.limit,
        "tokens_before": used,
        "tokens_next": expected,
        "tokens_kept": sum(sizes),
        "tokens_after": used,
    }
    if stage is CompactionStage.EASY:
        return CompactReport(text, _records(items), report, stage, reason=why)
    dropped = [items[number] for number in split.dropped] if stage is CompactionStage.COMPACT else items
    public = set(map(id, without_private_turns([message for item in items for message in item.messages])))
    messages = tuple(message for item in dropped for message in item.messages if id(message) in public)
    if forgotten := load_forgotten(workspace):
        messages = without_forgotten(forgotten, messages, request.owner)
    if stage is CompactionStage.FLUSH:
        flushed = extract_facts(messages, request.now, request.owner, triggers, commands)
        notices = list(flushed.notices)
        plan, stored = store_condensed(workspace, flushed, None, 0, notices, **request.store_arguments)
        return CompactReport(text, _records(items), {**report, **stored}, stage, plan, why, tuple(notices))
    summarizer = commands.summarizer.program if commands.summarizer else ""
    request_id = decide.compaction_id([summarizer, *(item.raw for item in dropped)])
    max_chars = _summary_chars(request, sizes, split)
    condensed = condense(messages, request.now, request.owner, triggers, commands, max_chars=max_chars)
    notices = list(condensed.notices)
    plan, stored = store_condensed(
        workspace, condensed, request_id, len(dropped), notices, **request.store_arguments
    )
    report |= {
        **stored,
        "kept": len(split.kept),
        "removed": len(split.dropped),
        "tokens_after": 0 if request.fresh else round(decide.SHARE_AFTER_COMPACTION * request.limit),
        "request": request_id,
        "summary": condensed.summary,
        "preview": " ".join(condensed.summary.split())[:_PREVIEW_CHARS],
    }
    kept, tokens = _kept_items(
        workspace, conversation, request, split, condensed.summary, stored, count, sizes
    )
    if tokens > request.limit:
        notices.append(
            f"the remaining messages take about {tokens} tokens, but the limit is "
            f"{request.limit}; shorten long tool results with memtool truncate"
        )
    remaining = "" if request.fresh else conversations.render(conversation, kept)
    return CompactReport(
        remaining, _records(kept), {**report, "tokens_kept": tokens}, stage, plan, notices=tuple(notices)
    )


class _ItemSizes(Struct, frozen=True):
    """The tokens of each item, and the counter."""

    tokens: Sequence[int]
    count: TokenCounter


def _choose_stage(
    workspace: Workspace,
    items: tuple[ConversationItem, ...],
    request: CompactRequest,
    expected: int,
    sizes: _ItemSizes,
) -> tuple[CompactionStage, decide.ConversationSplit, str]:
    """The stage, the split of the items, and why nothing or less than requested is done."""
    thresholds = CompactionThresholds(workspace.limit("context.flush"), workspace.limit("context.compact"))
    whole = decide.ConversationSplit(tuple(range(len(items))), ())
    stage = decide.compaction_stage(expected, request.limit, thresholds)
    if not items:
        return CompactionStage.EASY, whole, "no messages given"
    if request.fresh:
        return CompactionStage.COMPACT, decide.ConversationSplit((), whole.kept), ""
    if request.force or stage is CompactionStage.COMPACT:
        first, last = workspace.limit("compact.keep_first"), workspace.limit("compact.keep_last")
        split = decide.split_conversation(items, KeepCounts(int(first), int(last)))
        if split.dropped and not _is_worse(items, split, request.limit, sizes):
            return CompactionStage.COMPACT, split, ""
        why = f"the conversation is too short to compact (messages: {len(items)})"
        if split.dropped:
            why = (
                "not compacted, because the compaction marker takes more tokens than the messages that it "
                "would replace, so the compacted conversation would exceed the limit"
            )
        return (CompactionStage.EASY if stage is CompactionStage.EASY else CompactionStage.FLUSH), whole, why
    if stage is CompactionStage.FLUSH:
        return stage, whole, ""
    share = expected / request.limit
    why = (
        f"the next turn will use about {share:.0%} of the context window; facts are stored when at least "
        f"{thresholds.flush:.0%} is used, and messages are removed when at least "
        f"{thresholds.compact:.0%} is used"
    )
    return stage, whole, why


def _is_worse(
    items: tuple[ConversationItem, ...], split: decide.ConversationSplit, limit: int, sizes: _ItemSizes
) -> bool:
    """Whether a conversation that fits would exceed the limit, because the marker is larger than the gap."""
    if sum(sizes.tokens) > limit:
        return False
    line = decide.compaction_marker(len(split.dropped), ["x" * 60])
    inserted = (entry for entry in decide.remaining_messages(items, split) if not isinstance(entry, int))
    added = sum(sizes.count(entry.text or line) + 4 for entry in inserted)
    return sum(sizes.tokens[number] for number in split.kept) + added > limit


def _summary_chars(request: CompactRequest, sizes: Sequence[int], split: decide.ConversationSplit) -> int:
    """Characters of the built-in summary: fewer where little is dropped, or the context is small."""
    dropped = sum(sizes[number] for number in split.dropped)
    return max(200, min(_MAX_SUMMARY_CHARS, dropped * 3, request.limit * 4 // 5))


@retry_when_stale
def store_condensed(
    workspace: Workspace,
    condensed: CondensedMessages,
    request_id: str | None,
    count: int | str,
    notices: list[str],
    *,
    now: datetime,
    today: date,
    owner: Owner | None,
    group: str | None,
    fresh: bool = False,
) -> tuple[Plan, dict[str, Any]]:
    """Commit the facts and the summary, each once; return the plan and the fields of the report.

    Facts go to long-term memory, and, unless a group is given, to the semantic files that `recall` searches;
    `notices` names those that cannot be read. A summary that its file has already, under the same request,
    is not written again; without a request there is no summary. `count` is the number of messages in the
    summary's heading, or an agent's name. Raises Locked, StaleWrite, UnreadableFile, Unwritable.
    """
    targets = workspace.layout.targets["compact"]
    with workspace.lock():
        if forgotten := load_forgotten(workspace):
            condensed = _without_forgotten(condensed, forgotten)
        facts, rule_plan = _split_instructions(workspace, condensed.facts, now, group)
        files = {"facts": open_role_file(workspace, targets["facts"], group=group)}
        text, is_duplicate = add_new_facts(files["facts"].text, facts)
        texts = {files["facts"].path: text}
        if request_id is not None:
            file = open_role_file(workspace, targets["summary"], group=group, day=today)
            files["summary"] = file
            before = texts.get(file.path, file.text)
            if not compaction_section.has_section(before, request_id):
                section = compaction_section.render_section(now, request_id, count, condensed.summary, owner)
                texts[file.path] = compaction_section.append_section(before, section)
        plan = (
            add_facts_plan(workspace, facts, notices) if group is None and workspace.has("semantic") else ()
        )
        plan += rule_plan
        for file in {file.path: file for file in files.values()}.values():
            plan += file.rewrite_plan(texts.get(file.path, file.text))
        if fresh and request_id is not None:
            plan += mark_plan(workspace, request_id, now, group=group)
        workspace.commit(plan)
    return plan, {
        "facts": len(is_duplicate) - sum(is_duplicate),
        "facts_known": sum(is_duplicate),
        "facts_path": str(files["facts"].path),
        "summary_path": str(files["summary"].path) if "summary" in files else None,
        "extractor": condensed.extractor,
        "summarizer": condensed.summarizer if request_id is not None else None,
    }


def _without_forgotten(condensed: CondensedMessages, forgotten: Forgotten) -> CondensedMessages:
    """Without the facts, and the lines of the summary, that were forgotten before."""
    facts = [fact for fact in condensed.facts if not forgotten.has_text(fact.detail, fact.owner)]
    lines = condensed.summary.split("\n")
    summary = "\n".join(
        line for line in lines if not any(forgotten.has_text(s, None) for s in statements(line))
    )
    return replace(condensed, facts=tuple(facts), summary=summary)


def _split_instructions(
    workspace: Workspace, facts: Sequence[Fact], now: datetime, group: str | None
) -> tuple[Sequence[Fact], Plan]:
    """The facts that go to long-term memory, and the plan that makes instructions rules of conduct.

    In a group, or where all rules are pinned, instructions go to long-term memory, too.
    """
    instructions = [fact for fact in facts if CATEGORIES.get(fact.category) is EntryDestination.RULE]
    if not instructions or group is not None or not workspace.has("rules"):
        return facts, ()
    from memtool.verbs.facts.captured import CaptureSource, captured_memory
    from memtool.verbs.facts.write_policy import load_policy  # most conversations have no instruction

    source = CaptureSource(instructions[0].owner, None, now, "")
    candidates = [source.candidate(Instruction(fact.detail), fact.detail) for fact in instructions]
    captured = captured_memory(
        workspace, source, candidates, (), load_policy(workspace.settings), is_new=False
    )
    refused = [
        fact for fact, effect in zip(instructions, captured.effects, strict=True) if effect == "refused"
    ]
    return [fact for fact in facts if fact not in instructions or fact in refused], captured.plan


def _kept_items(
    workspace: Workspace,
    conversation: Conversation,
    request: CompactRequest,
    split: decide.ConversationSplit,
    summary: str,
    stored: dict[str, Any],
    count: TokenCounter,
    sizes: Sequence[int],
) -> tuple[list[ConversationItem], int]:
    """The kept items with what is inserted, the summary in the marker if it fits; and their tokens."""
    if request.fresh:
        return [], 0
    paths = [stored["summary_path"], *_other_paths(workspace, request, stored)] if workspace.writes else []
    line = decide.compaction_marker(len(split.dropped), paths)
    items = conversation.items
    order = decide.remaining_messages(items, split)
    gap = items[max(1, split.dropped[0])].gap  # the first message has no separator before it
    inserted = {
        entry: conversations.new_item(conversation, entry.role, entry.text or line, gap)
        for entry in order
        if not isinstance(entry, int)
    }
    tokens = sum(
        sizes[entry] if isinstance(entry, int) else estimate_message_tokens(inserted[entry].messages, count)
        for entry in order
    )
    if request.gap == "summary" or not workspace.writes:
        marker = inserted[decide.InsertedMessage.MARKER]
        fitted = _fit(summary, request.limit - tokens, count)
        if fitted:
            text = f"{line}\n\n<summary>\n{fitted}\n</summary>"
            summarised = conversations.new_item(conversation, marker.role, text, gap)
            inserted[decide.InsertedMessage.MARKER] = summarised
            tokens += estimate_message_tokens(summarised.messages, count)
            tokens -= estimate_message_tokens(marker.messages, count)
    return [items[entry] if isinstance(entry, int) else inserted[entry] for entry in order], tokens


def _fit(summary: str, room: int, count: TokenCounter) -> str:
    """The whole lines of a summary that fit into `room` tokens together with its tags; empty for too few."""
    room -= _TAGS_TOKENS
    if room < _MIN_SUMMARY_TOKENS:
        return ""
    lines = summary.split("\n")
    while lines and count("\n".join(lines)) > room:
        lines = lines[: max(0, min(len(lines) - 1, len(lines) * 3 // 4))]
    return "\n".join(lines).replace("</summary>", "<\\/summary>")


def _other_paths(workspace: Workspace, request: CompactRequest, stored: dict[str, Any]) -> list[str]:
    """The existing session state and daily note, which may hold what was removed."""
    paths: list[PurePosixPath] = []
    for role in ("session-state", "daily-note"):
        if request.group is None and workspace.has(role):
            day = {"day": request.today} if role == "daily-note" else {}
            paths.append(workspace.layout.path(role, group=None, **day))
    return [
        str(path)
        for path in dict.fromkeys(paths)
        if str(path) != stored["summary_path"] and workspace.disk.stat(path) is not None
    ]


def _records(items: Sequence[ConversationItem]) -> tuple[Any, ...]:
    return tuple(conversations.item_value(item) for item in items)
