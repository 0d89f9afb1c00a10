"""`memtool hook` with all its options; an agent's calls normally take the fast path in `cli/hooks/`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from typing import Any

import click

from memtool.cli import output
from memtool.cli.hooks.agent_folders import agent_folders
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.core.hooks.hook_event import AGENTS, CLAUDE
from memtool.core.hooks.hook_settings import mark_command
from memtool.errors import NoWorkspace, OutsideWorkspace
from memtool.verbs.hooks.hook_install import (
    PROJECT_SCOPE,
    USER_SCOPE,
    HookInstallation,
    InstalledFile,
    install,
    preview,
    uninstall,
    write_files,
)

_ACTIONS = ("install", "uninstall", "print")


@click.command(
    "hook",
    cls=MemtoolCommand,
    epilog="""
memtool hook install claude-code            in ~/.claude/settings.json
memtool hook install codex --scope project  in .codex/hooks.json of this folder
memtool hook install codex --root ~/memory  one memory for all projects
memtool hook print openclaw                 what install would write
memtool hook uninstall claude-code
memtool hook < event.json                   what an agent's hook is answered
""",
)
@click.argument("words", metavar="[install|uninstall|print AGENT] [JSON]", nargs=-1)
@click.option("--agent", type=click.Choice(AGENTS), help="Whose hook this is, if its JSON does not say.")
@click.option("--codex-notify", "notify", metavar="JSON", help="What Codex hands to its notify program.")
@click.option(
    "--budget",
    metavar="N",
    type=click.IntRange(min=1),
    help="Characters given to the agent at most. [default: the setting hook.budget]",
)
@click.option(
    "--seconds",
    metavar="N",
    type=click.FloatRange(min=0.1),
    help="Seconds that the agent gives the hook, if not those that install writes.",
)
@click.option(
    "--scope",
    type=click.Choice([USER_SCOPE, PROJECT_SCOPE]),
    default=USER_SCOPE,
    help="In your own settings, or those of this folder. [default: user]",
)
@click.option(
    "--command", "program", metavar="CMD", help="How the agent starts the hook. [default: memtool hook]"
)
@pass_session
def command(session: Session, /, words: tuple[str, ...], **options: Any) -> int:
    """Answer an agent's hook, or wire the hooks of Claude Code, Codex or OpenClaw.

    Reads the hook's JSON and handles its event: a prompt is scanned and gets what memory has for it, a
    session begins with what is in every prompt, a turn that ends goes to the history and the daily note,
    facts are flushed before a compaction, and the end of a session writes its episode. It never breaks the
    agent's turn: whatever fails, the exit code is 0, nothing is printed, and .memtool/log says why. install
    merges the hooks into the agent's own settings, of which it keeps a copy; print shows what it would merge.
    """
    if words[:1] and words[0] in _ACTIONS:
        return _configure_agent(session, words, options["scope"], options["program"])
    if words[1:] or (words and not words[0].lstrip().startswith("{")):
        raise click.UsageError(
            f"no hook event: give its JSON on stdin, or one of {', '.join(_ACTIONS)} and an agent"
        )
    from memtool.cli.hooks.runner import run_hook

    hook_options = {
        name: options[name] for name in ("agent", "budget", "seconds") if options[name] is not None
    }
    return run_hook({**session.given, **hook_options}, options["notify"] or (words[0] if words else None))


def _configure_agent(session: Session, words: Sequence[str], scope: str, program: str | None) -> int:
    action, *names = words
    if len(names) != 1:
        raise click.UsageError(f"{action} takes the name of one agent: {', '.join(AGENTS)}")
    agent = CLAUDE if names[0] == "claude" else names[0]
    if agent not in AGENTS:
        raise click.UsageError(f"unknown agent {names[0]!r}; choose from {', '.join(AGENTS)}")
    if session.environment.get("MEMTOOL_GROUP"):
        raise OutsideWorkspace("hooks cannot be installed with MEMTOOL_GROUP set; install them from the host")
    homes = agent_folders(session.environment)
    hook_command = mark_command(program) if program is not None else _hook_command(session, scope)
    if action == "print":
        _print(session, preview(agent, scope, homes, hook_command))
        return 0
    if action == "install":
        wired = install(agent, scope, homes, hook_command, is_named=program is not None)
    else:
        wired = uninstall(agent, scope, homes, hook_command)
    writes = not (session.incognito or session.dry_run)
    copies = write_files(wired.files, session.now) if writes else [None] * len(wired.files)
    _show(session, agent, wired, copies)
    if action == "install":
        _advise(session, wired, program)
        return 0
    return 0 if any(page.effect != "unchanged" for page in wired.files) else 1


def _hook_command(session: Session, scope: str) -> str:
    """The command line by which an agent starts the hook: `memtool` if it is on PATH, else this Python.

    In the user's own settings, a memtool of the active virtual environment is named by its path, because the
    agent may run outside of that. In a project's settings it is not, because they are shared by machines.
    """
    on_path = shutil.which("memtool")
    words = ["memtool"] if on_path else [sys.executable, "-m", "memtool"]
    if on_path and scope == USER_SCOPE and _is_in_environment(on_path):
        words = [os.path.abspath(on_path)]
    root = session.given.get("root") or session.environment.get("MEMTOOL_ROOT")
    return shlex.join([*words, *(["--root", os.path.realpath(root)] if root else []), "hook"])


def _is_in_environment(program: str) -> bool:
    """Whether a program belongs to the virtual environment that this process runs in."""
    folders = {
        os.path.realpath(os.path.dirname(os.path.abspath(binary))) for binary in (program, sys.executable)
    }
    return sys.prefix != sys.base_prefix and len(folders) == 1


def _print(session: Session, pages: Sequence[tuple[str, str]]) -> None:
    for path, text in pages:
        if session.json:
            output.put_json({"path": path, "text": text})
        else:
            if len(pages) > 1:
                output.put(f"==> {output.printable(path)} <==")
            output.put_raw(text)


def _show(session: Session, agent: str, wired: HookInstallation, copies: Sequence[str | None]) -> None:
    for page, copy in zip(wired.files, copies, strict=True):
        path = page.before.path
        if session.dry_run:
            _show_change(session, page)
        elif session.json:
            output.put_json({"agent": agent, "effect": page.effect, "path": path, "copy": copy})
        else:
            columns = [page.effect, path, *([f"before: {copy}"] if copy else [])]
            output.put_row(*columns)
    if session.incognito and not session.dry_run:
        session.notice("incognito: nothing was written")


def _show_change(session: Session, page: InstalledFile) -> None:
    """Print the change of a settings file as a record or as a unified diff."""
    if page.effect == "unchanged":
        return
    if session.json:
        change = {"created": "create", "changed": "replace", "removed": "remove"}[page.effect]
        text = {} if page.after is None else {"text": page.after}
        output.put_json({"change": change, "path": page.before.path, **text})
        return
    from memtool.core.text.diff import unified_diff

    old, new = page.before.text or "", page.after or ""
    source = "/dev/null" if page.before.text is None else page.before.path
    target = "/dev/null" if page.after is None else page.before.path
    for line in unified_diff(old.split("\n"), new.split("\n"), source, target):
        output.put(output.printable(line))


def _advise(session: Session, wired: HookInstallation, program: str | None) -> None:
    for sentence in wired.advice:
        session.notice(sentence)
    on_path = shutil.which("memtool")
    if program is None and not on_path:
        session.notice(
            f"memtool is not on your PATH; the hooks call {sys.executable}; choose another "
            "command with --command"
        )
    elif program is None and on_path and _is_in_environment(on_path):
        session.notice(f"the hooks use memtool from the virtual environment {sys.prefix}; do not delete it")
    try:
        session.notice(f"the hooks work only inside a workspace; here it is {session.root}")
    except NoWorkspace:
        session.notice(
            "no workspace here; the hooks work only inside a workspace, create one with memtool init"
        )
