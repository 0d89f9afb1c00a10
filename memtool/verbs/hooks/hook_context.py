"""Hook events that inject context: a session's start, a prompt, and after a compaction."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from memtool.core.context.budget import FittedText, fit_budget, fit_sections
from memtool.core.context.context import PromptSnippet
from memtool.core.context.injected import not_injected, passage_digest
from memtool.core.context.section import PromptSection, SectionShare, read_command
from memtool.core.records.plan import Create, Plan
from memtool.core.records.request import ContextRequest
from memtool.store.root import enclosing_work_tree
from memtool.verbs.context.cleaned import cleaned_sections
from memtool.verbs.context.context import (
    find_memory,
    searched_path,
    select_memory,
    select_sections,
    with_settings,
)
from memtool.verbs.context.injected import SessionInjections
from memtool.verbs.hooks.hook_call import HookCall, HookOutcome
from memtool.verbs.hooks.hook_context_use import context_warning

_ONCE = "once"
_INDEXED_BYTES = 4_000_000
"""Bytes whose indexing a prompt waits for: some 7 seconds, once."""
_IN_MEMORY_BYTES = 65_536
"""Bytes that are indexed in memory for one prompt; the end of the turn, or a watcher, stores them."""
_RECOVERY_WORDS = ("where", "what were we")
"""Every prompt that asks for recovery has one of them."""
_NOTE_TITLE = "Today's Notes"
_RECOVERY = SectionShare("recovery", 30, -1, "newest")
"""The share of recovery sections; no other is needed more."""
_REPEATED_ROLE = "long-term"
"""The role that snippets may come from although it was injected: it is long, the others are short."""


def inject_for_prompt(call: HookCall, reply: HookOutcome, prompt: str) -> None:
    """Inject the standing sections once per conversation, and snippets that match the prompt."""
    request = _request(call, prompt)
    injections = _injections(call)
    standing = [*context_warning(call), *_standing_sections(call, reply, request)]
    recovery = _recovery_sections(call, reply) if _asks_for_recovery(prompt) else []
    new = not_injected(_without(standing, recovery), injections.texts)
    sections = cleaned_sections([*recovery, *new], call.budget)
    uncut = fit_sections(sections, call.budget, call.size_of).whole_paths
    complete = _whole_paths(uncut, new, standing, injections)
    repeated = {section.path for section in standing if section.role == _REPEATED_ROLE}
    shown = complete - (repeated - {section.path for section in new})
    snippets: Sequence[PromptSnippet] = ()
    if request.retrieval:
        with reply.step("search", "the prompt goes without what it asks for"):
            notices: list[str] = []
            query = replace(
                request,
                shown=frozenset(map(searched_path, shown)),
                session=call.event.session,
                known=frozenset(injections.passages),
            )
            documents = call.document_index(_INDEXED_BYTES, _IN_MEMORY_BYTES)
            memory = find_memory(call.workspace, query, documents, call.turn_index(), notices, notices)
            snippets = select_memory(memory, sections, call.budget, call.size_of).snippets
            reply.errors += notices
    text = _set_text(call, reply, sections, snippets)
    whole = _whole_paths(text.whole_paths, new, standing, injections)
    passages = [passage_digest(snippet.text) for snippet in text.snippets]
    reply.deferred.append(lambda: injections.record(standing, whole, passages))


def mark_as_injected(call: HookCall, plan: Plan) -> None:
    """Record what was just written from this conversation as injected, so that it is not repeated there."""
    injections = _injections(call)
    if injections.texts:  # otherwise nothing was injected yet
        paths = {str(change.path) for change in plan if isinstance(change, Create)} | injections.texts.keys()
        standing = select_sections(call.workspace, _request(call, ""), [], [])
        injections.record([section for section in standing if section.path in paths], injections.whole_paths)


def inject_at_start(call: HookCall, reply: HookOutcome, source: str) -> None:
    """Inject the standing sections and the latest episode at a session's start.

    A session that continues gets the recovery sections first. After a compaction everything is injected
    again.
    """
    injections = _injections(call)
    if source != "resume":
        injections.forget()
    is_continued = source in {"compact", "resume"}
    request = replace(_request(call, ""), latest_episode=not is_continued)
    standing = _standing_sections(call, reply, request)
    recovery = _recovery_sections(call, reply) if is_continued else []
    today = [section for section in recovery if section.path == _NOTE_TITLE]
    first = [section for section in recovery if section not in today]
    new = not_injected(_without(standing, recovery), injections.texts)
    sections = cleaned_sections([*first, *new, *today], call.budget)
    text = _set_text(call, reply, sections, [])
    whole = _whole_paths(text.whole_paths, new, standing, injections)
    reply.deferred.append(lambda: injections.record(standing, whole))


def inject_beside_files(call: HookCall, reply: HookOutcome, paths: Iterable[str]) -> None:
    """Inject the standing sections except the files that the agent itself puts into the prompt."""
    root, real = call.workspace.root, os.path.realpath
    own_files = {real(path) for path in paths if path.startswith("/") and "\0" not in path}
    standing = _standing_sections(call, reply, replace(_request(call, ""), latest_episode=True))
    others = [section for section in standing if real(f"{root}/{section.path}") not in own_files]
    _set_text(call, reply, cleaned_sections(others, call.budget), [])


def _request(call: HookCall, prompt: str) -> ContextRequest:
    return with_settings(call.workspace, ContextRequest(prompt, call.scope, call.today))


def _injections(hook_call: HookCall) -> SessionInjections:
    """The record of what this conversation has; empty where the setting is to inject always."""
    is_once = hook_call.workspace.settings["hook.standing"] == _ONCE
    return SessionInjections(hook_call.workspace, hook_call.event.session if is_once else "", hook_call.group)


def _standing_sections(call: HookCall, reply: HookOutcome, request: ContextRequest) -> list[PromptSection]:
    """The sections that are in every prompt, except files that the agent reads by itself.

    Files that cannot be read are errors of the reply.
    """
    errors: list[str] = []
    standing = select_sections(call.workspace, request, [], errors)
    reply.errors += errors
    layout, agent = call.workspace.layout, call.event.agent
    own_paths = {place.template.pattern for place in layout.places if agent in place.read_by}
    if not own_paths or not _is_project_folder(call):
        return standing
    return [section for section in standing if section.path not in own_paths]


def _is_project_folder(call: HookCall) -> bool:
    """Whether the root is a folder whose instructions the agent reads: one from its project's root down.

    A project's root has `.git`; without one, only the folder that the agent works in counts (Codex).
    """
    if not call.event.cwd.startswith("/") or "\0" in call.event.cwd:
        return False
    folder, root = os.path.realpath(call.event.cwd), os.path.realpath(call.workspace.root)
    project = enclosing_work_tree(folder) or folder
    return root == os.path.commonpath([root, folder]) and project == os.path.commonpath([project, root])


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

    seen = call.workspace.seen_by(call.scope.owners)
    recovery = recover(seen, (), now=call.now, today=call.today, again=True, group=call.group)
    reply.errors += recovery.notices
    quarter = call.budget // 4
    return [
        PromptSection(
            section.title,
            str(section.path),
            newest_lines(section.text, quarter),
            share=_RECOVERY,
            reading=read_command(str(section.path)),
        )
        for section in recovery.sections
    ]


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
    reply.text = fitted.text
    return fitted
