"""hook context: what a conversation is told at its beginning, with a prompt, and after a compaction."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from memtool.core.context.context import Section, Snippet, fit
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
from memtool.verbs.hooks.desk import Desk, Reply

_ONCE, _ALWAYS = "once", "always"
_INDEXED = 4_000_000
"""Bytes that a prompt waits for to be indexed: some 7 seconds, once."""
_ASIDE = 65_536
"""Bytes that are indexed for one prompt alone; the end of the turn, or a watcher, keeps them."""
_ASKS = ("where", "what were we")
"""One of them is in every prompt that asks where things stood."""
_NOTE = "Today's Notes"
_RECALLED = "long-term"
"""The role of which a prompt is reminded, though it was told: it grows, and the rest is short."""


def asked(desk: Desk, reply: Reply, prompt: str) -> None:
    """With a prompt: what stands in every prompt, once; and what of the rest the prompt asks for."""
    asks = _request(desk, prompt)
    injections = _injections(desk)
    standing = _standing(desk, reply, asks)
    back = _recovered(desk, reply) if _asks_back(prompt) else []
    sections = [*back, *not_injected(_others(standing, back), injections.texts)]
    whole = _whole(sections, standing, desk)
    known = {one.path for one in standing if one.role != _RECALLED and one.path in injections.whole_paths}
    snippets: list[Snippet] = []
    if asks.retrieval:
        with reply.doing("search", "the prompt goes without what it asks for"):
            notices: list[str] = []
            found = replace(asks, shown=frozenset(map(_place, whole | known)))
            snippets = find_snippets(desk.workspace, found, desk.shelf(_INDEXED, _ASIDE), notices, notices)
            reply.faults += notices
    _tell(desk, reply, sections, snippets)
    reply.after.append(lambda: injections.record(standing, whole))


def said_here(desk: Desk, plan: Plan) -> None:
    """What was just put down was said in this very conversation, which need not be told it."""
    injections = _injections(desk)
    if injections.texts:  # else it was told nothing yet
        known = {str(change.path) for change in plan if isinstance(change, Create)} | injections.texts.keys()
        standing = select_sections(desk.workspace, _request(desk, ""), [], [])
        injections.record([one for one in standing if one.path in known], ())


def begun(desk: Desk, reply: Reply, source: str) -> None:
    """As a session begins: what stands in every prompt, and the latest arc.

    As it goes on, where it stood comes first; of the rest, after a compaction everything is told anew.
    """
    injections = _injections(desk)
    if source != "resume":
        injections.forget()
    is_on = source in {"compact", "resume"}
    standing = _standing(desk, reply, replace(_request(desk, ""), latest_episode=not is_on))
    back = _recovered(desk, reply) if is_on else []
    today = [one for one in back if one.path == _NOTE]
    first = [one for one in back if one not in today]
    sections = [*first, *not_injected(_others(standing, back), injections.texts), *today]
    _tell(desk, reply, sections, [])
    reply.after.append(lambda: injections.record(standing, _whole(sections, standing, desk)))


def gathered(desk: Desk, reply: Reply, paths: Iterable[str]) -> None:
    """Among the files that an agent puts before its conversation: what stands there and is none of them."""
    root, real = desk.workspace.root, os.path.realpath
    known = {real(path) for path in paths if path.startswith("/") and "\0" not in path}
    standing = _standing(desk, reply, replace(_request(desk, ""), latest_episode=True))
    _tell(desk, reply, [one for one in standing if real(f"{root}/{one.path}") not in known], [])


def _request(desk: Desk, prompt: str) -> ContextRequest:
    return with_settings(desk.workspace, ContextRequest(prompt, desk.scope, desk.today))


def _injections(desk: Desk) -> SessionInjections:
    how = desk.workspace.settings["hook.standing"]
    if how not in {_ONCE, _ALWAYS}:
        raise BadUsage(f"hook.standing is {_ONCE} or {_ALWAYS}, not {how!r}")
    return SessionInjections(desk.workspace, desk.told.session if how == _ONCE else "", desk.group)


def _standing(desk: Desk, reply: Reply, asks: ContextRequest) -> list[Section]:
    missed: list[str] = []
    standing = select_sections(desk.workspace, asks, [], missed)
    reply.faults += missed
    return standing


def _asks_back(prompt: str) -> bool:
    """Whether the user asks where things stood."""
    if not any(sign in prompt.lower() for sign in _ASKS):
        return False
    from memtool.core.compaction.recover import asks
    from memtool.core.records.turn import Message, Text

    return asks((Message("user", (Text(prompt),)),))


def _recovered(desk: Desk, reply: Reply) -> list[Section]:
    """Where things stood: each part a section under its title, with its path for a role.

    Each within a quarter of what may be told.
    """
    from memtool.core.compaction.recover import newest_lines
    from memtool.verbs.compaction.recover import recover

    found = recover(desk.workspace, (), now=desk.now, today=desk.today, again=True, group=desk.group)
    reply.faults += found.notices
    quarter = desk.budget // 4
    return [Section(one.title, str(one.path), newest_lines(one.text, quarter)) for one in found.sections]


def _others(standing: Sequence[Section], back: Sequence[Section]) -> list[Section]:
    """What stands in every prompt and is not brought back anyway."""
    known = {one.role for one in back}
    return [one for one in standing if one.path not in known]


def _whole(sections: Sequence[Section], standing: Sequence[Section], desk: Desk) -> frozenset[str]:
    """The paths whose whole text will surely be told."""
    room = desk.budget * 3 // 4
    found: set[str] = set()
    for one in sections:
        room -= desk.cost(one.text) + len(one.path) + 8
        if room < 0:
            break
        if one in standing:
            found.add(one.path)
    return frozenset(found)


def _place(path: str) -> str:
    """A section's path as files have it: that of all learnings names none of theirs."""
    return LEARNINGS if path.endswith(NEWEST_FIRST) else path


def _tell(desk: Desk, reply: Reply, sections: Sequence[Section], snippets: Sequence[Snippet]) -> None:
    """Fit them into what the agent takes; no secret and nothing invisible is told, wherever it stands."""
    most = 2 * desk.budget  # what is cut here would never fit, and a secret that the cut parts neither
    shown = [replace(one, text=redact(clean(one.text[:most]))) for one in sections]
    found = [replace(one, text=redact(clean(one.text))) for one in snippets]
    reply.text = fit(shown, found, desk.budget, desk.cost).text
