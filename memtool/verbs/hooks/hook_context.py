"""Hook events that inject context: a session's start, a prompt, and after a compaction."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from memtool.core.context.context import PromptSection, PromptSnippet, fit_budget
from memtool.core.context.injected import not_injected
from memtool.core.records.plan import Create, Plan
from memtool.core.records.request import ContextRequest
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.errors import BadUsage
from memtool.verbs.context.context import find_snippets, select_sections, with_settings
from memtool.verbs.context.injected import SessionInjections
from memtool.verbs.context.sections import NEWEST_FIRST
from memtool.verbs.context.snippets import LEARNINGS
from memtool.verbs.hooks.hook_call import HookCall, HookOutcome

_ONCE, _ALWAYS = "once", "always"
_INDEXED_BYTES = 4_000_000
"""Bytes whose indexing a prompt waits for: some 7 seconds, once."""
_IN_MEMORY_BYTES = 65_536
"""Bytes that are indexed in memory for one prompt; the end of the turn, or a watcher, stores them."""
_RECOVERY_WORDS = ("where", "what were we")
"""Every prompt that asks for recovery has one of them."""
_NOTE_TITLE = "Today's Notes"
_REPEATED_ROLE = "long-term"
"""The role that snippets may come from although it was injected: it is long, the others are short."""


def inject_for_prompt(call: HookCall, reply: HookOutcome, prompt: str) -> None:
    """Inject the standing sections once per conversation, and snippets that match the prompt."""
    request = _request(call, prompt)
    injections = _injections(call)
    standing = _standing_sections(call, reply, request)
    recovery = _recovery_sections(call, reply) if _asks_for_recovery(prompt) else []
    sections = [*recovery, *not_injected(_without(standing, recovery), injections.texts)]
    complete = _complete_paths(sections, standing, call)
    injected_paths = {
        section.path
        for section in standing
        if section.role != _REPEATED_ROLE and section.path in injections.whole_paths
    }
    snippets: list[PromptSnippet] = []
    if request.retrieval:
        with reply.step("search", "the prompt goes without what it asks for"):
            notices: list[str] = []
            query = replace(request, shown=frozenset(map(_searched_path, complete | injected_paths)))
            index = call.document_index(_INDEXED_BYTES, _IN_MEMORY_BYTES)
            snippets = find_snippets(call.workspace, query, index, notices, notices)
            reply.errors += notices
    _set_text(call, reply, sections, snippets)
    reply.deferred.append(lambda: injections.record(standing, complete))


def mark_as_injected(call: HookCall, plan: Plan) -> None:
    """Record what was just written from this conversation as injected, so that it is not repeated there."""
    injections = _injections(call)
    if injections.texts:  # otherwise nothing was injected yet
        paths = {str(change.path) for change in plan if isinstance(change, Create)} | injections.texts.keys()
        standing = select_sections(call.workspace, _request(call, ""), [], [])
        injections.record([section for section in standing if section.path in paths], ())


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
    sections = [*first, *not_injected(_without(standing, recovery), injections.texts), *today]
    _set_text(call, reply, sections, [])
    reply.deferred.append(lambda: injections.record(standing, _complete_paths(sections, standing, call)))


def inject_beside_files(call: HookCall, reply: HookOutcome, paths: Iterable[str]) -> None:
    """Inject the standing sections except the files that the agent itself puts into the prompt."""
    root, real = call.workspace.root, os.path.realpath
    own_files = {real(path) for path in paths if path.startswith("/") and "\0" not in path}
    standing = _standing_sections(call, reply, replace(_request(call, ""), latest_episode=True))
    others = [section for section in standing if real(f"{root}/{section.path}") not in own_files]
    _set_text(call, reply, others, [])


def _request(call: HookCall, prompt: str) -> ContextRequest:
    return with_settings(call.workspace, ContextRequest(prompt, call.scope, call.today))


def _injections(hook_call: HookCall) -> SessionInjections:
    """The record of what this conversation has; empty where the setting is to inject always."""
    frequency = hook_call.workspace.settings["hook.standing"]
    if frequency not in {_ONCE, _ALWAYS}:
        raise BadUsage(f"hook.standing is {_ONCE} or {_ALWAYS}, not {frequency!r}")
    return SessionInjections(
        hook_call.workspace, hook_call.event.session if frequency == _ONCE else "", hook_call.group
    )


def _standing_sections(call: HookCall, reply: HookOutcome, request: ContextRequest) -> list[PromptSection]:
    """The sections that are in every prompt; files that cannot be read are errors of the reply."""
    errors: list[str] = []
    standing = select_sections(call.workspace, request, [], errors)
    reply.errors += errors
    return standing


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

    recovery = recover(call.workspace, (), now=call.now, today=call.today, again=True, group=call.group)
    reply.errors += recovery.notices
    quarter = call.budget // 4
    return [
        PromptSection(section.title, str(section.path), newest_lines(section.text, quarter))
        for section in recovery.sections
    ]


def _without(standing: Sequence[PromptSection], recovery: Sequence[PromptSection]) -> list[PromptSection]:
    """The standing sections that are not among the recovery sections."""
    paths = {section.role for section in recovery}
    return [section for section in standing if section.path not in paths]


def _complete_paths(
    sections: Sequence[PromptSection], standing: Sequence[PromptSection], call: HookCall
) -> frozenset[str]:
    """The paths of standing sections that certainly fit into the budget without a cut."""
    room = call.budget * 3 // 4
    paths: set[str] = set()
    for section in sections:
        room -= call.size_of(section.text) + len(section.path) + 8
        if room < 0:
            break
        if section in standing:
            paths.add(section.path)
    return frozenset(paths)


def _searched_path(path: str) -> str:
    """A section's path as the search knows it: the section of learnings stands for several files."""
    return LEARNINGS if path.endswith(NEWEST_FIRST) else path


def _set_text(
    call: HookCall, reply: HookOutcome, sections: Sequence[PromptSection], snippets: Sequence[PromptSnippet]
) -> None:
    """Fit sections and snippets into the agent's limit, redacted and without invisible characters."""
    limit = 2 * call.budget  # text beyond it never fits, nor does a secret that is cut there
    clean_sections = [replace(section, text=redact(clean(section.text[:limit]))) for section in sections]
    clean_snippets = [replace(snippet, text=redact(clean(snippet.text))) for snippet in snippets]
    reply.text = fit_budget(clean_sections, clean_snippets, call.budget, call.size_of).text
