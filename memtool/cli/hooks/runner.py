"""One run of a hook: reads an agent's JSON and prints the answer, and never fails the agent's turn.

It is separate from `cli/commands/hook.py` and imports as little as possible, because every prompt waits for
it: it does not need click, and if a watcher is running, it asks the watcher before it imports anything else.
"""

from __future__ import annotations

import os
import sys
import time

from memtool.cli.deadline import TimeLimit
from memtool.errors import CouldNotTell, DeadlineExceeded, NoWorkspace, error_place
from memtool.serve.watch.json_values import decode_json

TYPE_CHECKING = False  # a prompt waits for what is imported here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from memtool.cli.session import Session
    from memtool.core.hooks.hook_event import HookEvent
    from memtool.serve.watch.protocol import HookMessage, HookReply
    from memtool.verbs.hooks.hook_call import HookCall, HookOutcome
    from memtool.verbs.indexing.indexes import SearchIndexes

GUARD_VARIABLES = ("MEMTOOL_IN_SUMMARIZER", "MEMTOOL_WRITE_HOOK")
"""Set to 1 in commands that memtool runs, because such a command may be an agent with hooks of its own."""
_MOST_BYTES = 16_000_000
"""Bytes of a hook's JSON that are read."""
_MOST_WATCHER_BYTES = 500_000
"""Bytes of a hook's JSON that are sent to a watcher; longer input is handled here."""
_READ_SECONDS = 8.0
"""Seconds that an agent may take to write its JSON."""
_WATCHER_SECONDS = 2.5
"""Seconds that the watcher may take, before this process does the work itself."""
_WATCHER_WORK_SECONDS, _WATCHER_SEARCH_SECONDS = 2.0, 1.2
"""Seconds for a message that a watcher accepts, and those after which it must have begun to record it."""
_WORK_SHARE, _EXTRA_SHARE = 0.8, 0.05
"""Shares of the agent's time limit: for the work, and for each part after the first DeadlineExceeded."""
_WRITE_HOOK_SECONDS = 0.5
"""Seconds that the process waits for the write hooks after its answer; they go on without it."""
_LOCK_SHARE, _PROMPT_LOCK_SECONDS = 0.4, 2.0
"""The longest wait for the lock: as a share of the agent's time limit, and for a prompt in seconds."""


def run_hook(options: Mapping[str, Any], text: str | None = None) -> int:
    """Answer one hook and return 0; `options` are its options, `text` its JSON if that is not on stdin.

    A failure prints nothing on stdout, and is recorded in the workspace's log if there is a workspace.
    """
    if any(os.environ.get(variable) == "1" for variable in GUARD_VARIABLES):
        return 0
    if text is None and sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(
            "memtool: memtool hook reads an event as JSON from stdin; to install hooks, "
            "run: memtool hook install AGENT\n"
        )
        return 0
    os.umask(0o077)
    root: str | None = None
    try:
        with TimeLimit(_READ_SECONDS, 1):
            raw = _read_stdin() if text is None else text.encode("utf-8", "surrogateescape")
        record = _parse_record(raw)
        root = _find_root(options, record or {})
        if record is None:
            _report(options, root, "hook", "the input is not a JSON object; nothing was done")
        elif root is None:
            folder = options.get("root") or os.environ.get("MEMTOOL_ROOT") or next(_start_folders(record))
            _report(options, None, "hook", f"no workspace in {folder}; nothing was done")
        else:
            begun, event_id = time.monotonic(), os.urandom(16).hex()
            is_small = len(raw) <= _MOST_WATCHER_BYTES
            answer = _ask_watcher(root, options, record, event_id) if is_small else None
            spent = time.monotonic() - begun
            if answer is not None:
                _write_stdout(answer)
            else:
                from memtool.cli.start_up import compiled_cache

                with compiled_cache(options):
                    _answer_here(root, options, record, event_id, spent)
    except (Exception, DeadlineExceeded, KeyboardInterrupt) as error:  # no failure may reach the agent
        import contextlib

        with contextlib.suppress(Exception):
            _report(options, root, "hook", f"{error_place(error)}; the agent may have received no output")
    return 0


def _parse_record(raw: bytes) -> dict[str, Any] | None:
    """The JSON object of a hook; None for anything else."""
    try:
        value = decode_json(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _read_stdin() -> bytes:
    return b"" if sys.stdin is None else sys.stdin.buffer.read(_MOST_BYTES)


def _find_root(options: Mapping[str, Any], record: Mapping[str, Any]) -> str | None:
    """The root of the workspace that is named, else of the one around the agent's folder, or None."""
    from memtool.store.root import find_root

    explicit = options.get("root") or os.environ.get("MEMTOOL_ROOT")
    for start in ["/"] if explicit else _start_folders(record):
        try:
            return find_root(start, explicit)
        except (NoWorkspace, ValueError, OSError):
            continue
    return None


def _start_folders(record: Mapping[str, Any]) -> Iterator[str]:
    context = record.get("context")
    workspace_dir = context.get("workspaceDir") if isinstance(context, dict) else None
    values = (record.get("cwd"), workspace_dir, os.environ.get("CLAUDE_PROJECT_DIR"))  # Gemini and Qwen, too
    folders = [value for value in values if isinstance(value, str) and os.path.isabs(value)]
    yield from folders or [os.getcwd()]


def _ask_watcher(
    root: str, options: Mapping[str, Any], record: Mapping[str, Any], event_id: str
) -> str | None:
    """The watcher's answer to a prompt; None for other events, if there is no watcher, or if it fails."""
    is_prompt = record.get("hook_event_name") in {"UserPromptSubmit", "BeforeAgent"}
    if not is_prompt or "layout" in options or _writes_nothing(options):
        return None
    from memtool.serve.watch.client import ask

    variables = {name: value for name, value in os.environ.items() if name.startswith("MEMTOOL_")}
    request = {
        "ask": "hook",
        "event_id": event_id,
        "record": record,
        "given": dict(options),
        "environment": variables,
    }
    reply = ask(root, request, _WATCHER_SECONDS * _watcher_share(options))
    response = reply.get("response") if reply is not None else None
    if not isinstance(response, dict) or not isinstance(response.get("text"), str):
        return None
    _log(options, root, str(response.get("event")), list(map(str, response.get("faults") or ())))
    if options.get("verbose"):
        from memtool.cli.output import print_message

        print_message(f"the watcher answered: {response.get('outcome')}")
    return str(response["text"])


def _watcher_share(options: Mapping[str, Any]) -> float:
    """The share of its usual time that the watcher may take, so that half of `--seconds` remains."""
    return min(1.0, float(options.get("seconds") or "inf") / (2 * _WATCHER_SECONDS))


def _writes_nothing(options: Mapping[str, Any]) -> bool:
    """Whether nothing may be written, according to the options and MEMTOOL_MODE."""
    mode = os.environ.get("MEMTOOL_MODE", "")
    return bool(options.get("incognito") or options.get("dry_run")) or mode not in {"", "persistent"}


def _answer_here(
    root: str, options: Mapping[str, Any], record: Mapping[str, Any], event_id: str, spent: float
) -> None:
    """Do the hook's work in this process and print the answer, in what is left of the agent's time limit."""
    from memtool.core.hooks.hook_event import hook_reply as render_reply
    from memtool.core.hooks.hook_event import hook_timeout
    from memtool.core.hooks.hook_event import parse_hook_event as parse_event

    hook_event = _with_transcript(parse_event(record, options.get("agent")))
    if hook_event is None:
        name = record.get("hook_event_name") or record.get("type") or record.get("action")
        if isinstance(name, str):
            _report(options, root, "hook", f"{name[:100]!r} is not an event that memtool handles")
        else:
            _report(options, None, "hook", "the input names no event; nothing was done")
        return
    from memtool.cli.session import Session
    from memtool.verbs.hooks.hook_call import HookOutcome

    session, reply = Session(), HookOutcome()
    write_hooks: list[Callable[[], None]] = []
    session.schedule = write_hooks.append
    session.given = {"quiet": True, **options, "root": root}
    given = float(options.get("seconds") or hook_timeout(hook_event.agent, hook_event.kind))
    seconds = max(0.0, given - spent)
    limit = TimeLimit(seconds * _WORK_SHARE, seconds * _EXTRA_SHARE)
    run_event(session, hook_event, event_id, reply, seconds, limit)
    _write_stdout(render_reply(hook_event, reply.text))
    _run_deferred_steps(reply)
    if options.get("verbose") or options.get("dry_run"):
        from memtool.cli.hooks.diagnostics import print_diagnostics

        print_diagnostics(session, hook_event.name, reply)
    _log(options, root, f"hook {hook_event.agent} {hook_event.name}", reply.errors)
    if write_hooks:
        try:
            run_in_background(write_hooks, _WRITE_HOOK_SECONDS)
        except OSError as error:
            _log(options, root, "write hooks", [f"{error_place(error)}; no write hook ran"])
    if reply.is_behind:
        try:
            run_in_background([lambda: update_index(session)], 0)
        except OSError as error:
            _log(options, root, "index", [f"{error_place(error)}; update the index with memtool reindex"])


def update_index(session: Session) -> None:
    """Bring the index up to date, with a low priority, unless another process writes it."""
    from memtool.errors import MemtoolError

    os.nice(10)
    try:
        session.document_index(wait=0.0).update()
    except MemtoolError as error:
        _log({}, session.root, "index", [f"{error}; update the index with memtool reindex"])


def run_in_background(work: Sequence[Callable[[], None]], seconds: float) -> None:
    """Run steps, such as the write hooks of this hook's commits, in order, in a process of its own.

    This process waits for the other one for at most `seconds`, because the agent waits for this process; then
    the other one goes on alone. Each write hook has its own time limit.
    """
    import select

    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            os.setsid()
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            for step in work:
                step()
        finally:
            os._exit(0)
    os.close(writer)
    select.select([reader], [], [], seconds)  # it ends when the other process does


def _run_deferred_steps(reply: HookOutcome) -> None:
    """Run the steps that wait until the agent has its answer."""
    with reply.step("after", "later prompts may repeat text that the agent already has"):
        for step in reply.deferred:
            step()


def _with_transcript(hook_event: HookEvent | None) -> HookEvent | None:
    """The event with the path of its transcript; Codex's notify event carries only the last message."""
    if hook_event is None or hook_event.name != "notify" or hook_event.transcript:
        return hook_event
    from msgspec.structs import replace

    from memtool.store.external.transcript_files import find_codex_log

    home = os.environ.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex")
    return replace(hook_event, transcript=find_codex_log(home, hook_event.session) or "")


def run_event(
    session: Session,
    hook_event: HookEvent,
    event_id: str,
    reply: HookOutcome,
    seconds: float,
    limit: TimeLimit | None = None,
    indexes: SearchIndexes | None = None,
    until: float = float("inf"),
) -> None:
    """Handle a hook event in the workspace of a session; `indexes` are indexes that are already open.

    `event_id` and `until` are those of `HookCall`. The workspace is opened before `limit` applies: without
    it, nothing can be recorded or queued.
    """
    from msgspec.structs import replace

    from memtool.verbs.hooks.hook import handle_event

    session.command = f"hook {hook_event.agent} {hook_event.name}"
    session.agent = {"agent": hook_event.agent, **_session_owner(hook_event.session)}
    with reply.step("workspace", "nothing was done"):
        call = _hook_context(session, hook_event, event_id, seconds, indexes)
        handle_event(replace(call, until=until), reply, limit)


def answer_message(session: Session, indexes: SearchIndexes, message: HookMessage) -> HookReply:
    """The watcher's response to a hook: the text to print, and the faults to log.

    Raises CouldNotTell, with nothing recorded, where the hook may have given up on the answer, or where the
    prompt can be neither recorded nor queued now.
    """
    from memtool.core.hooks.hook_event import hook_reply as render_reply
    from memtool.core.hooks.hook_event import parse_hook_event as parse_event
    from memtool.serve.watch.protocol import HookReply
    from memtool.verbs.hooks.hook_call import HookOutcome

    reply = HookOutcome()
    session.given = {"quiet": True, **message.given, "root": session.workspace.root}
    hook_event = parse_event(message.record, message.given.get("agent"))
    if hook_event is None:
        return HookReply()
    share = _watcher_share(message.given)
    until, seconds = time.monotonic() + _WATCHER_SEARCH_SECONDS * share, _WATCHER_WORK_SECONDS * share
    run_event(session, hook_event, message.event_id, reply, seconds, None, indexes, until)
    if reply.is_late:
        raise CouldNotTell("the watcher took too long to answer; the hook handles the prompt itself")
    if reply.missed is not None:
        raise CouldNotTell("the watcher cannot record the prompt; the hook handles the prompt itself")
    _run_deferred_steps(reply)
    from memtool.cli.hooks.diagnostics import describe_outcome

    label = f"hook {hook_event.agent} {hook_event.name}"
    outcome = describe_outcome(hook_event.name, reply, writes=True)
    return HookReply(render_reply(hook_event, reply.text), tuple(reply.errors), label, outcome)


def _hook_context(
    session: Session, hook_event: HookEvent, event_id: str, seconds: float, indexes: SearchIndexes | None
) -> HookCall:
    from msgspec.structs import replace

    from memtool.core.hooks.hook_event import PromptSubmitted
    from memtool.store.root import command_in
    from memtool.verbs.hooks.hook_call import HookCall

    named_owners = session.owner_ids
    scope = session.decide_prompt_scope(None, writes=True)
    session.refuse_files([hook_event.transcript] if hook_event.transcript.startswith("/") else [])
    workspace = session.workspace
    workspace.program = lambda: command_in(hook_event.cwd, workspace.root, session.given.get("layout"))
    wait = min(workspace.settings["lock_timeout"], seconds * _LOCK_SHARE)
    if isinstance(hook_event.kind, PromptSubmitted):
        wait = min(wait, _PROMPT_LOCK_SECONDS)
    values = {**workspace.settings.values, "lock_timeout": wait}
    workspace.settings = replace(workspace.settings, values=values)

    def open_documents(most: int, aside: int) -> Any:
        if indexes is not None:
            return indexes.documents
        index = session.document_index()
        index.most, index.aside = most, aside
        return index

    return HookCall(
        workspace=workspace,
        event=hook_event,
        event_id=event_id,
        now=session.now,
        zone=session.zone,
        owner=session.owner,
        record_owners={**_session_owner(hook_event.session), **named_owners},
        scope=scope,
        acts_for_group=session.acts_for_group,
        budget=int(session.given.get("budget") or workspace.settings["hook.budget"]),
        document_index=open_documents,
        turn_index=lambda: (indexes or session.search_indexes()).turns,
        extractor=lambda: session.delegate(None, "extractor"),
    )


def _session_owner(name: str) -> dict[str, str]:
    """The session's id as an owner; empty if its name is not valid as an id."""
    from memtool.core.records.entries import Owner
    from memtool.errors import BadUsage

    try:
        return {"session": Owner("session", name).id}
    except BadUsage:
        return {}


def _report(options: Mapping[str, Any], root: str | None, event: str, fault: str) -> None:
    """Log why a hook did nothing; with --verbose or --dry-run, print it, too."""
    if options.get("verbose") or options.get("dry_run"):
        sys.stderr.write(f"memtool: {fault}\n")
    _log(options, root, event, [fault])


def _log(options: Mapping[str, Any], root: str | None, event: str, faults: Any) -> None:
    """Append the faults as one line to the workspace's log."""
    if root is None or _writes_nothing(options) or not isinstance(faults, list) or not faults:
        return
    from datetime import UTC, datetime

    from memtool.store.files.log import append_line

    append_line(root, datetime.now(UTC), f"{event}: {'; '.join(map(str, faults))}")


def _write_stdout(text: str) -> None:
    """Write the answer to stdout, unbuffered. Raises OSError, such as for a closed pipe."""
    unwritten = memoryview(text.encode("utf-8", "replace") if sys.stdout is not None else b"")
    while unwritten:
        unwritten = unwritten[os.write(1, unwritten) :]
