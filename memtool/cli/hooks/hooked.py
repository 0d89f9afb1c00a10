"""A hook's run: an agent's JSON in, its answer out, and nothing that could ever break the agent's turn.

It is not in `cli/commands/hook.py`, and imports little before it knows what there is to do, because every
prompt waits for it: click is not needed, and where a watcher lives, it is asked before anything else.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memtool.cli.deadline import within
from memtool.errors import NoWorkspace, OutOfTime

if TYPE_CHECKING:
    from memtool.cli.session import Session
    from memtool.core.hooks.hook import Heard
    from memtool.verbs.hooks.desk import Desk, Reply
    from memtool.verbs.indexing.indexes import SearchIndexes

GUARD_VARIABLE = "MEMTOOL_IN_SUMMARIZER"
"""Set by memtool for the commands that it runs: an agent that is one of them has hooks, too."""
_MOST = 16_000_000
"""Bytes of a hook's JSON that are read."""
_ASKED = 500_000
"""Bytes of it that a watcher is handed."""
_READING = 8.0
"""Seconds that an agent may take to hand over its JSON."""
_PATIENCE = 2.5
"""Seconds that the watcher may take for each step, before this process does the work itself."""
_OURS, _EACH_MORE = 0.8, 0.05
"""Shares of the agent's time limit: until work is told to end, and for each part after that."""
_WAIT, _AT_ONCE = 0.4, 2.0
"""And until waiting for another memtool ends; for a prompt, seconds: somebody waits for its answer."""


def run(given: Mapping[str, Any], text: str | None = None) -> int:
    """Answer one hook; `given` are its options, `text` the JSON where it is not on stdin. Always 0.

    Whatever fails, fails in silence: nothing on stdout, a line in the workspace's log, where there is one.
    """
    if os.environ.get(GUARD_VARIABLE):
        return 0
    if text is None and sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write("memtool: a hook's JSON comes on stdin; memtool hook install AGENT wires an agent\n")
        return 0
    os.umask(0o077)
    root: str | None = None
    try:
        with within(_READING, 1):
            raw = _stdin() if text is None else text.encode("utf-8", "surrogateescape")
            record = _record(raw)
            root = _root(given, record or {})
        if root is not None and record is None:
            _log(given, root, "hook", ["what the agent handed over is no JSON object; nothing was done"])
        elif root is not None and record is not None:
            begun = time.monotonic()
            said = _watcher_says(root, given, record) if len(raw) <= _ASKED else None
            spent = time.monotonic() - begun
            if said is not None:
                _put(said)
            else:
                _answer(root, given, record, spent)
    except (Exception, OutOfTime, KeyboardInterrupt) as error:  # the last net: see the docstring
        with contextlib.suppress(Exception):
            _log(given, root, "hook", [f"{type(error).__name__}; nothing was answered"])
    return 0


def _record(raw: bytes) -> dict[str, Any] | None:
    """The object that a hook's JSON is; None for anything else."""
    try:
        found = json.loads(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _stdin() -> bytes:
    return b"" if sys.stdin is None else sys.stdin.buffer.read(_MOST)


def _root(given: Mapping[str, Any], record: Mapping[str, Any]) -> str | None:
    """The workspace: the one that is named, else found from where the agent works; None for none."""
    from memtool.store.root import find_root

    named = given.get("root") or os.environ.get("MEMTOOL_ROOT")
    for start in ["/"] if named else _places(record):
        try:
            return find_root(start, named)
        except (NoWorkspace, ValueError, OSError):
            continue
    return None


def _places(record: Mapping[str, Any]) -> Iterator[str]:
    context = record.get("context")
    inner = context.get("workspaceDir") if isinstance(context, dict) else None
    given = (record.get("cwd"), inner, os.environ.get("CLAUDE_PROJECT_DIR"))
    named = [one for one in given if isinstance(one, str) and os.path.isabs(one)]
    yield from named or [os.getcwd()]


def _watcher_says(root: str, given: Mapping[str, Any], record: Mapping[str, Any]) -> str | None:
    """A prompt's answer by the watcher, which has everything at hand; None where it is not to be asked."""
    if record.get("hook_event_name") != "UserPromptSubmit" or _is_silent(given):
        return None
    if given.keys() & {"layout", "seconds"}:
        return None
    from memtool.serve.watch.client import ask

    own = {name: value for name, value in os.environ.items() if name.startswith("MEMTOOL_")}
    asked = {"ask": "hook", "record": record, "given": dict(given), "environment": own}
    try:
        reply = ask(root, asked, _PATIENCE)
    except (ValueError, RecursionError):
        return None
    text = reply.get("text") if reply is not None else None
    if not isinstance(text, str) or reply is None:
        return None
    _log(given, root, str(reply.get("event")), reply.get("faults"))
    return text


def _is_silent(given: Mapping[str, Any]) -> bool:
    """Whether nothing at all may be written, as far as that can be told without the workspace."""
    mode = os.environ.get("MEMTOOL_MODE", "")
    return bool(given.get("incognito") or given.get("dry_run")) or mode not in {"", "persistent"}


def _answer(root: str, given: Mapping[str, Any], record: Mapping[str, Any], spent: float) -> None:
    """Hand over the answer that this process finds itself, in what is left of the agent's time."""
    from memtool.core.hooks.hook import heard, limit
    from memtool.core.hooks.hook import reply as rendered

    told = _with_transcript(heard(record, given.get("agent")))
    if told is None:
        return
    from memtool.cli.session import Session
    from memtool.verbs.hooks.desk import Reply

    session, reply = Session(), Reply()
    session.given = {"quiet": True, **given, "root": root}
    seconds = float(given.get("seconds") or limit(told.agent, told.moment)) - spent
    try:
        with within(seconds * _OURS, seconds * _EACH_MORE):
            work(session, told, reply, seconds)
    except OutOfTime:
        reply.faults.append("out of time")
    _put(rendered(told, reply.text))
    _finish(reply)
    with reply.doing("git", "not all was committed"):
        session.close()
    _show(session, reply)
    _log(given, root, f"hook {told.agent} {told.event}", reply.faults)


def _finish(reply: Reply) -> None:
    """What is done once the agent has its answer."""
    with reply.doing("after", "the conversation is told some things again"):
        for step in reply.after:
            step()


def _with_transcript(told: Heard | None) -> Heard | None:
    """What was heard, with the log of the thread where an agent hands over its last words alone."""
    if told is None or told.event != "notify" or told.transcript:
        return told
    from msgspec.structs import replace

    from memtool.store.external.foreign import rollout

    home = os.environ.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex")
    return replace(told, transcript=rollout(home, told.session) or "")


def work(
    session: Session, told: Heard, reply: Reply, seconds: float, shelves: SearchIndexes | None = None
) -> None:
    """Do what a hook asks for in the workspace of a session; `shelves` are those that are open already."""
    from memtool.verbs.hooks.hook import hook

    session.command = f"hook {told.agent} {told.event}"
    session.within = _session_of(told.session)
    with reply.doing("workspace", "nothing was done"):
        hook(_desk(session, told, seconds, shelves), reply)


def answering(session: Session, shelves: SearchIndexes, request: Mapping[str, Any]) -> dict[str, Any]:
    """What the watcher answers to a hook's process: the text to print, and what failed. Never raises."""
    from memtool.core.hooks.hook import heard, limit
    from memtool.core.hooks.hook import reply as rendered
    from memtool.verbs.hooks.desk import Reply

    reply, given = Reply(), request.get("given")
    own = given if isinstance(given, dict) else {}
    session.given = {"quiet": True, **own, "root": session.workspace.root}
    told = heard(request.get("record"), own.get("agent"))
    if told is None:
        return {"text": ""}
    work(session, told, reply, limit(told.agent, told.moment), shelves)
    _finish(reply)
    event = f"hook {told.agent} {told.event}"
    return {"text": rendered(told, reply.text), "faults": reply.faults, "event": event}


def _desk(session: Session, told: Heard, seconds: float, shelves: SearchIndexes | None) -> Desk:
    from msgspec.structs import replace

    from memtool.core.hooks.hook import Prompt
    from memtool.verbs.hooks.desk import Desk

    group = session.group(None, writes=True) or None
    session.refuse_files([told.transcript] if told.transcript.startswith("/") else [])
    workspace = session.workspace
    most = _AT_ONCE if isinstance(told.moment, Prompt) else seconds * _WAIT
    wait = min(workspace.settings["lock_timeout"], most)
    values = {**workspace.settings.values, "lock_timeout": wait}
    workspace.settings = replace(workspace.settings, values=values)
    named = session.owners

    def shelf(most: int, aside: int) -> Any:
        if shelves is not None:
            return shelves.documents
        found = session.shelf()
        found.most, found.aside = most, aside
        return found

    return Desk(
        workspace=workspace,
        told=told,
        now=session.now,
        zone=session.zone,
        owner=session.owner,
        owners={**_session_of(told.session), **named},
        mine=_mine(told, named),
        group=group,
        acts_for_group=session.acts_for_group,
        budget=int(session.given.get("budget") or workspace.settings["hook.budget"]),
        shelf=shelf,
        turns=lambda: (shelves or session.shelves()).turns,
        extractor=lambda: session.delegate(None, "extractor"),
    )


def _session_of(name: str) -> dict[str, str]:
    """The session as records name it, where its name is one that they can."""
    from memtool.core.records.entry import Owner
    from memtool.errors import BadUsage

    try:
        return {"session": Owner("session", name).id}
    except BadUsage:
        return {}


def _mine(told: Heard, named: Mapping[str, str]) -> frozenset[str]:
    """Whose lines are for this conversation, where somebody is named; else everybody's are."""
    owners = {**_session_of(told.session), **named} if named else {}
    return frozenset(f"{kind}:{name}" for kind, name in owners.items())


def _show(session: Session, reply: Reply) -> None:
    """Where somebody looks: what failed, and what would have been written."""
    if not (session.given.get("verbose") or session.given.get("dry_run")):
        return
    from memtool.cli import output
    from memtool.cli.plans import lines

    for fault in reply.faults:
        output.say(fault)
    for plan in reply.plans if session.given.get("dry_run") else ():
        sys.stderr.writelines(f"{line}\n" for line in lines(plan, session.workspace))


def _log(given: Mapping[str, Any], root: str | None, event: str, faults: Any) -> None:
    """What was not done, as a line in the workspace's log."""
    if root is None or _is_silent(given) or not isinstance(faults, list) or not faults:
        return
    from datetime import UTC, datetime

    from memtool.store.files.log import note

    note(root, datetime.now(UTC), f"{event}: {'; '.join(map(str, faults))}")


def _put(text: str) -> None:
    """Hand over the answer, past all buffers: who has gone away meanwhile wanted none. Raises OSError."""
    rest = memoryview(text.encode("utf-8", "replace") if sys.stdout is not None else b"")
    while rest:
        rest = rest[os.write(1, rest) :]
