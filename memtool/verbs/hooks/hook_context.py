"""Hook events that inject context: a session's start, a prompt, and after a compaction."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from msgspec.structs import replace

from memtool.core.context.budget import FittedText, fit_budget, fit_sections
from memtool.core.context.context import PromptSnippet
from memtool.core.context.injected import not_injected
from memtool.core.context.retrieved import told_by
from memtool.core.context.section import PromptSection, SaidDay, SectionShare, heading_level, read_command
from memtool.core.context.statements import statements, without_known
from memtool.core.hooks.hook_event import GEMINI, QWEN, SessionStarted
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.plan import Create, Plan
from memtool.core.records.request import ContextRequest
from memtool.core.text.tokenizer import topic_words
from memtool.verbs.context.cleaned import cleaned_sections
from memtool.verbs.context.context import (
    find_memory,
    rules_paths,
    searched_path,
    select_memory,
    select_sections,
    with_matching_rules,
    with_settings,
)
from memtool.verbs.context.injected import SessionInjections
from memtool.verbs.context.visible import excerpt_text, without_session_tags
from memtool.verbs.hooks.hook_call import HookCall, HookOutcome

_ONCE = "once"
_INDEXED_BYTES = 4_000_000
"""Bytes whose indexing a prompt waits for: some 7 seconds, once."""
_IN_MEMORY_BYTES = 65_536
"""Bytes that are indexed in memory for one prompt; the end of the turn, or a watcher, stores them."""
_RECOVERY_WORDS = ("where", "what were we")
"""Every prompt that asks for recovery has one of them."""
_CONTINUED = {"compact", "resume", "fork"}
"""The sources of a session's start whose conversation has begun before."""
_START_MARK, _SNAPSHOT_MARK = "start", "snapshot"
"""Marks of a conversation of Gemini CLI: the source of a start that its next prompt gets the text of; and the
id of the message that replaced the conversation when it was last compressed."""
_NOTE_TITLE = "Today's Notes"
_NOTICES = (
    "Corrections that replaced nothing, and requests to forget that removed nothing"
    " (ask the user what to change)"
)
_FIRST = SectionShare("notices", 10, -2, "beginning")
_RECOVERY = SectionShare("recovery", 30, -1, "newest")
"""The share of recovery sections; no other is needed more."""


def inject_for_prompt(call: HookCall, reply: HookOutcome, prompt: str) -> None:
    """Inject the standing sections once per conversation, and snippets that match the prompt.

    No statement is injected that the conversation has.
    """
    request = _request(call, prompt)
    injections = open_injections(call, reply)
    source = injections.marks.pop(_START_MARK, "")
    warnings: list[PromptSection] = []
    if call.event.transcript:
        from memtool.verbs.hooks.hook_context_use import context_warning  # which many prompts do not need

        with reply.step("context use", "no warning about a full context is added to the prompt"):
            warnings = context_warning(call)
    at_start = replace(request, latest_episode=True) if source and source not in _CONTINUED else request
    standing = [*warnings, *_standing_sections(call, reply, at_start)]
    is_recovery = source in _CONTINUED or _asks_for_recovery(prompt)
    recovery = _recovery_sections(call, reply) if is_recovery else []
    new = not_injected(_without(standing, recovery), injections.texts)
    unknown = _unknown_sections([*recovery, *new], injections)
    sections = cleaned_sections(unknown, call.budget)
    left_out = {section.path for section in new} - {section.path for section in unknown}
    uncut = fit_sections(sections, call.budget, call.size_of).whole_paths
    shown = _whole_paths({*uncut, *left_out}, new, standing, injections)
    snippets: Sequence[PromptSnippet] = ()
    if request.retrieval:
        with reply.step("search", "no search results are added to the prompt"):
            notices: list[str] = []
            query = replace(
                request,
                shown=frozenset(map(searched_path, shown | rules_paths(sections))),
                session=call.event.session,
                known=injections.statements | statements(prompt),
            )
            documents = call.document_index(_INDEXED_BYTES, _IN_MEMORY_BYTES)
            documents.words = topic_words(prompt)
            memory = find_memory(call.workspace, query, documents, call.turn_index(), notices, notices)
            sections = with_matching_rules(sections, memory.query)
            snippets = select_memory(memory, sections, call.budget, call.size_of).snippets
            reply.errors += notices
            reply.is_behind = documents.is_behind
    text = _set_text(call, reply, sections, snippets)
    whole = _whole_paths({*text.whole_paths, *left_out}, new, standing, injections)
    said = statements(without_recalled(prompt))
    reply.deferred.append(lambda: injections.record(standing, whole, _told(text) | said))


def mark_as_injected(call: HookCall, plan: Plan, message: str, details: Sequence[str]) -> None:
    """Record what was just written from this conversation as injected, so that it is not repeated there.

    The `details` of the entries may be parts of a sentence of the message. One that has words of older memory
    says more than the message.
    """
    from memtool.core.text.stems import content_stems  # a prompt of which nothing is recorded

    injections = _injections(call)
    stems = content_stems(message)
    said = [detail for detail in details if content_stems(detail) <= stems]
    if said and injections.is_recorded:  # else a later prompt reads the transcript
        injections.record(digests=frozenset(digest for detail in said for digest in statements(detail)))
    if injections.texts:  # otherwise nothing was injected yet
        paths = {str(change.path) for change in plan if isinstance(change, Create)} | injections.texts.keys()
        standing = select_sections(call.workspace, _request(call, ""), [], [])
        own = [section for section in standing if section.path in paths]
        injections.record(own, injections.whole_paths)


def update_superseded(
    call: HookCall, reply: HookOutcome, message: str, successors: Mapping[str, str]
) -> None:
    """Replace or mark in the injected text what the prompt has superseded since, by its `message`.

    A list item that says just what a text of `successors` said is replaced by what took its place. Anything
    else is marked: none of it is lost that still holds.
    """
    if reply.injected is None:
        return
    from memtool.verbs.memory_files.superseded import mark_superseded, marked_messages, superseded_in

    injected, snippets = reply.injected.sections, reply.injected.snippets
    sections = [_with_successors(section, message, successors, call.today) for section in injected]
    shown = (text for snippet in snippets for text in (snippet.text, snippet.reply))
    texts = [*(section.text for section in sections), *shown]
    gone = superseded_in(texts, call.workspace.seen_by(call.scope.owners), call.group)
    if gone or sections != [*injected]:
        marked = [section.with_text(mark_superseded(section.text, gone)) for section in sections]
        text = _set_text(call, reply, marked, marked_messages(snippets, gone))
        reply.deferred.append(lambda: record_statements(call, [section.text for section in text.sections]))


def _with_successors(
    section: PromptSection, message: str, successors: Mapping[str, str], today: date
) -> PromptSection:
    """A section with what took the place of list items, said today if the `message` says it in full."""
    from memtool.verbs.memory_files.superseded import folded_statement, replace_superseded

    text = replace_superseded(section.text, successors)
    if text == section.text:
        return section
    updated, day = section.with_text(text), today.isoformat()
    days = dict(updated.days)
    for row, new in zip(section.text.split("\n"), text.split("\n"), strict=True):
        if row != new and row in section.days:
            is_said = folded_statement(new).lstrip("-* ") in folded_statement(message)
            days[new] = SaidDay(day) if is_said else SaidDay(section.days[row].day, day)
    return replace(
        updated, days={row: days[row] for row in sorted(days, key=lambda row: days[row].day != day)}
    )


def add_notices(call: HookCall, reply: HookOutcome, notices: Sequence[str]) -> None:
    """Begin the injected text with what the scan of the prompt did not apply: the agent may ask, or tell."""
    injected = reply.injected or FittedText("")
    text = "".join(f"- {notice}\n" for notice in notices)
    _set_text(
        call,
        reply,
        [PromptSection(_NOTICES, "notice", text, share=_FIRST), *injected.sections],
        injected.snippets,
    )


def inject_at_start(call: HookCall, reply: HookOutcome, source: str) -> None:
    """Inject the standing sections and the latest episode at a session's start.

    A session that continues gets the recovery sections first, after a compaction with all that it had, else
    without what it has. Gemini CLI would lose the user's message with this text (see `hook_reply`): there the
    next prompt gets it. In Qwen Code it is a part of the system prompt, which a resumed session begins anew.
    """
    if source not in {"resume", "fork"} or call.event.agent == QWEN:
        forget_injections(call)
    if source in {"resume", "fork"}:
        injections = open_injections(call, reply, anew=call.event.agent == QWEN)
    else:
        injections = _injections(call)
    if call.event.agent == GEMINI:
        injections.marks[_START_MARK] = source
        injections.record()
        return
    is_continued = source in _CONTINUED
    request = replace(_request(call, ""), latest_episode=not is_continued)
    standing = _standing_sections(call, reply, request)
    recovery = _recovery_sections(call, reply) if is_continued else []
    today = [section for section in recovery if section.path == _NOTE_TITLE]
    first = [section for section in recovery if section not in today]
    new = not_injected(_without(standing, recovery), injections.texts)
    unknown = _unknown_sections([*first, *new, *today], injections)
    left_out = {section.path for section in new} - {section.path for section in unknown}
    text = _set_text(call, reply, cleaned_sections(unknown, call.budget), [])
    whole = _whole_paths({*text.whole_paths, *left_out}, new, standing, injections)
    reply.deferred.append(lambda: injections.record(standing, whole, _told(text)))


def inject_beside_files(call: HookCall, reply: HookOutcome, paths: Iterable[str]) -> None:
    """Inject the standing sections except the files that the agent itself puts into the prompt."""
    root, real = call.workspace.root, os.path.realpath
    own_files = {real(path) for path in paths if path.startswith("/") and "\0" not in path}
    standing = _standing_sections(call, reply, replace(_request(call, ""), latest_episode=True))
    others = [section for section in standing if real(f"{root}/{section.path}") not in own_files]
    _set_text(call, reply, cleaned_sections(others, call.budget), [])


def _request(call: HookCall, prompt: str) -> ContextRequest:
    return with_settings(call.workspace, ContextRequest(prompt, call.scope, call.today))


def open_injections(call: HookCall, reply: HookOutcome, *, anew: bool = False) -> SessionInjections:
    """The record of what this conversation has, begun from its transcript where it has none, or `anew`.

    A conversation may have gone on for long under another id, or before the hooks were installed.
    """
    injections = _injections(call)
    if anew or not injections.is_recorded:
        from memtool.verbs.hooks.hook_transcript import forked_transcript, transcript_statements

        with reply.step("transcript", "the injected text may repeat what the agent already has"):
            path, kind = call.event.transcript, call.event.kind
            if isinstance(kind, SessionStarted) and kind.source == "fork":
                path = forked_transcript(path, call.now, kind.idle)
            injections.add_statements(transcript_statements(path))
    return injections


def _injections(hook_call: HookCall) -> SessionInjections:
    """The record of what this conversation has; empty where the setting is to inject always."""
    is_once = hook_call.workspace.settings["hook.standing"] == _ONCE
    return SessionInjections(hook_call.workspace, hook_call.event.session if is_once else "", hook_call.group)


def forget_injections(call: HookCall) -> None:
    """Start the record of what this conversation has over: a compaction has emptied it."""
    injections = _injections(call)
    injections.forget()
    injections.record()


def note_compression(call: HookCall) -> None:
    """Start the record of a conversation of Gemini CLI over if it was compressed, which no event reports."""
    from memtool.transcripts.gemini import newest_snapshot
    from memtool.verbs.hooks.hook_turns import open_transcript

    source = open_transcript(call)
    snapshot = newest_snapshot(source) if source is not None else ""
    injections = _injections(call)
    if snapshot and injections.marks.get(_SNAPSHOT_MARK) != snapshot:
        injections.forget()
        injections.marks |= {_SNAPSHOT_MARK: snapshot, _START_MARK: "compact"}
        injections.record()


def record_statements(call: HookCall, texts: Iterable[str]) -> None:
    """Record that the conversation has the statements of these texts, which were said in it."""
    injections = _injections(call)
    injections.record(digests=frozenset(digest for text in texts for digest in statements(text)))


def standing_statements(call: HookCall) -> frozenset[str]:
    """The digests of the statements that are in every prompt."""
    sections = select_sections(call.workspace, _request(call, ""), [], [])
    return frozenset(digest for section in sections for digest in statements(section.text))


def record_new_standing(call: HookCall, before: frozenset[str]) -> None:
    """Record that the conversation has the statements of every prompt that were added since `before`."""
    _injections(call).record(digests=standing_statements(call) - before)


def _unknown_sections(
    sections: Sequence[PromptSection], injections: SessionInjections
) -> list[PromptSection]:
    """The sections without the statements that a conversation has."""
    known = injections.statements
    texts = [(section, without_known(section.text, known)) for section in sections]
    return [
        section if text == section.text else replace(section, text=text) for section, text in texts if text
    ]


def _told(text: FittedText) -> frozenset[str]:
    """The digests of the statements of sections and snippets that are injected."""
    found = {digest for section in text.sections for digest in statements(section.text)}
    for snippet in text.snippets:
        found |= told_by(snippet)
    return frozenset(found)


def _standing_sections(call: HookCall, reply: HookOutcome, request: ContextRequest) -> list[PromptSection]:
    """The sections that are in every prompt, except files that the agent reads by itself.

    Files that cannot be read are errors of the reply.
    """
    errors: list[str] = []
    standing = select_sections(call.workspace, request, [], errors)
    reply.errors += errors
    from memtool.verbs.hooks.own_reading import files_read_by_agent

    own_files = files_read_by_agent(call, {section.path for section in standing})
    return [section for section in standing if section.path not in own_files]


def _asks_for_recovery(prompt: str) -> bool:
    """Whether the user asks where the work stood."""
    if not any(words in prompt.lower() for words in _RECOVERY_WORDS):
        return False
    from memtool.core.compaction.recover import asks_for_recovery
    from memtool.core.records.turn import Message, TextPart

    return asks_for_recovery((Message("user", (TextPart(prompt),)),))


def _recovery_sections(call: HookCall, reply: HookOutcome) -> list[PromptSection]:
    """The recovery sections, each with up to a quarter of the budget.

    Their `path` is the title, and their `role` the path of the file.
    """
    from memtool.core.compaction.recover import newest_lines
    from memtool.verbs.compaction.recover import recover
    from memtool.verbs.memory_files.superseded import mark_superseded, superseded_in

    seen = call.workspace.seen_by(call.scope.owners)
    recovery = recover(seen, (), now=call.now, today=call.today, again=True, group=call.group)
    reply.errors += recovery.notices
    gone = superseded_in([section.text for section in recovery.sections], seen, call.group)
    quarter = call.budget // 4
    return [
        PromptSection(
            section.title,
            str(section.path),
            newest_lines(mark_superseded(_recovered_text(section.title, section.text), gone), quarter),
            share=_RECOVERY,
            reading=read_command(str(section.path), call.workspace.program()),
        )
        for section in recovery.sections
        if any(line.strip() and not heading_level(line) for line in section.text.split("\n"))
    ]


def _recovered_text(title: str, text: str) -> str:
    return excerpt_text(text, "daily-note") if title == _NOTE_TITLE else without_session_tags(text)


def _without(standing: Sequence[PromptSection], recovery: Sequence[PromptSection]) -> list[PromptSection]:
    """The standing sections that are not among the recovery sections."""
    paths = {section.role for section in recovery}
    return [section for section in standing if section.path not in paths]


def _whole_paths(
    uncut: Collection[str],
    new: Sequence[PromptSection],
    standing: Sequence[PromptSection],
    injections: SessionInjections,
) -> frozenset[str]:
    """The paths of standing sections that a conversation has whole once those of `uncut` are injected.

    `new` is what of the standing sections the conversation does not have: whole sections, and additions.
    """
    before = injections.whole_paths
    pending = {section.path for section in new}
    completed = {
        section.path
        for section in new
        if section.path in uncut and (section in standing or section.path in before)
    }
    whole = (before - pending) | completed
    return frozenset(section.path for section in standing if section.path in whole and not section.left_out)


def _set_text(
    call: HookCall, reply: HookOutcome, sections: Sequence[PromptSection], snippets: Sequence[PromptSnippet]
) -> FittedText:
    """Fit sections and snippets, which are clean, into the agent's limit."""
    fitted = fit_budget(sections, snippets, call.budget, call.size_of)
    reply.text, reply.injected = fitted.text, fitted
    return fitted
