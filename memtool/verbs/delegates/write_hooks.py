"""Write hooks: the user's commands that run after a commit, one at a time."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping

from memtool.core.history.commit_event import CommitEvent
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage, DelegateFailed, MemtoolError, OutsideWorkspace, error_place
from memtool.store import lock
from memtool.store.config.settings import Settings
from memtool.store.config.write_hooks import WriteHook
from memtool.store.files.log import append_line
from memtool.store.workspace import Workspace
from memtool.verbs.delegates.delegate import Delegate

HOOK_GUARD_VARIABLE = "MEMTOOL_WRITE_HOOK"
"""1 in a hook's environment: commits of a memtool that it calls run no hooks. Users set it to 0 for none."""
_LOCK = "write-hook.lock"
_FOLDER = "/"
"""Where hooks run: programs such as Python and git obey files of the folder that they are started in."""
_LABEL_CHARACTERS = 40
"""As much of its command names a hook in messages."""


def write_hook_delegates(settings: Settings, environment: Mapping[str, str], root: str) -> list[Delegate]:
    """The commands of all hooks, which run outside the workspace and find its root in MEMTOOL_ROOT.

    Messages name each by its number in the configuration, from 1, and the beginning of its command.
    """
    return [
        Delegate(
            "write_hook",
            hook.command,
            {**environment, "MEMTOOL_ROOT": root},
            root,
            settings["delegate.seconds"],
            folder=_FOLDER,
            guard=HOOK_GUARD_VARIABLE,
            label=f"write_hook {number} ({one_line(_as_line(hook.command), _LABEL_CHARACTERS)})",
        )
        for number, hook in enumerate(settings["write_hook"], start=1)
    ]


def _as_line(command: str | tuple[str, ...]) -> str:
    return command if isinstance(command, str) else shlex.join(command)


def add_write_hooks(
    workspace: Workspace,
    environment: Mapping[str, str],
    schedule: Callable[[Callable[[], None]], None],
    tell: Callable[[str], None],
) -> None:
    """Let the commits of a workspace run the user's write hooks, unless the guard variable is set.

    `schedule` is called with what runs them, now or later. Each failure is a sentence that goes once to the
    workspace's log, with the time of the commit, and to `tell`.
    """
    settings = workspace.settings
    if not settings["write_hook"] or environment.get(HOOK_GUARD_VARIABLE):
        return
    reported: set[str] = set()

    def deliver(event: CommitEvent) -> None:
        def report(sentence: str) -> None:
            if sentence not in reported:
                reported.add(sentence)
                append_line(event.root, event.at, sentence)
                tell(sentence)

        def work() -> None:
            try:
                run_write_hooks(event, settings, environment, report)
            except Exception as error:  # what was committed stays committed
                report(f"the write hooks failed: {error_place(error)}")

        schedule(work)

    workspace.deliver = deliver


def run_write_hooks(
    event: CommitEvent, settings: Settings, environment: Mapping[str, str], report: Callable[[str], None]
) -> None:
    """Run the hooks that are for a commit, in the order of the configuration; failures are only reported.

    A lock keeps hooks of several processes and threads from running at once. It is waited for as long as the
    hooks of a commit may take, and as another writer is waited for.
    """
    hooks: tuple[WriteHook, ...] = settings["write_hook"]
    delegates = write_hook_delegates(settings, environment, event.root)
    selected = [
        (delegate, row)
        for hook, delegate in zip(hooks, delegates, strict=True)
        if (row := hook.selected(event))
    ]
    if not selected:
        return
    wait = settings["lock_timeout"] + len(settings["write_hook"]) * settings["delegate.seconds"]
    try:
        with lock.hold(event.root, wait, _LOCK):
            for delegate, row in selected:
                try:
                    delegate.notify(json.dumps(row.as_json()) + "\n")
                except (BadUsage, DelegateFailed, OutsideWorkspace) as error:
                    report(str(error))
    except MemtoolError as error:
        report(f"no write hook ran: {error}")
