"""`memtool hook` with all its options; an agent's calls normally take the fast path in `cli/hooks/`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.hooks.agent_folders import agent_folders
from memtool.cli.options import MemtoolCommand
from memtool.cli.program import is_in_environment, program_words, scope_options
from memtool.cli.render.effects import shown_effect
from memtool.cli.session import Session, pass_session
from memtool.core.hooks.hook_command import (
    hook_command,
    is_written_by_memtool,
    mark_command,
    named_option,
    named_root,
)
from memtool.core.hooks.hook_event import AGENTS, CLAUDE
from memtool.errors import NoWorkspace, OutsideWorkspace
from memtool.verbs.hooks.agent_files import PROJECT_SCOPE, USER_SCOPE, AgentFolders, InstalledFile
from memtool.verbs.hooks.hook_install import HookInstallation, install, preview, uninstall, write_files

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # not generic before click 8.2


class _AgentName(_Choice):
    """The name of an agent that has hooks; `claude` stands for Claude Code."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The full name."""
        if value not in {*AGENTS, "claude"}:
            names = ", ".join(AGENTS)
            raise click.UsageError(
                f"{value!r} is not one of {names}; memtool help hooks explains how other agents can call "
                "memtool hook",
                ctx,
            )
        return super().convert(CLAUDE if value == "claude" else value, param, ctx)


_AGENT = click.argument("agent", metavar="AGENT", type=_AgentName(AGENTS))
_SCOPE = click.option(
    "--scope",
    type=click.Choice([USER_SCOPE, PROJECT_SCOPE]),
    default=USER_SCOPE,
    help="Use your own settings (user), or those of the current folder (project) [default: user]",
)
_COMMAND = click.option(
    "--command", "program", metavar="CMD", help="Command that the agent runs [default: memtool hook]"
)


@click.command(
    "answer",
    cls=MemtoolCommand,
    epilog="""
memtool hook < event.json
memtool hook --agent codex --budget 4000 < event.json
""",
)
@click.argument("text", metavar="[JSON|-]", required=False)
@click.option(
    "--agent", type=click.Choice(AGENTS), help="Agent that calls the hook [default: detected from the JSON]"
)
@click.option(
    "--codex-notify",
    "notify",
    metavar="JSON",
    help="JSON that Codex passes to its notify program [default: none]",
)
@click.option(
    "--budget",
    metavar="N",
    type=click.IntRange(min=1),
    help="Print at most N characters [default: the setting hook.budget]",
)
@click.option(
    "--seconds",
    metavar="N",
    type=click.FloatRange(min=0.1),
    help="Finish within N seconds [default: the timeout that hook install sets]",
)
@pass_session
def _answer(session: Session, /, text: str | None, notify: str | None, **options: Any) -> int:
    """Handle the hook event given as JSON on stdin

    At each prompt, records what the user says and prints the matching memory. At the start of a session,
    prints the files that are part of every prompt. At the end of a turn, adds the turn to the history and the
    daily note. Before a compaction, stores facts from the conversation. At the end of a session, writes its
    summary (episode). Always exits 0, so that the agent continues. If an event cannot be handled, prints
    nothing and logs the reason in .memtool/log.
    """
    from memtool.cli.hooks.runner import run_hook

    hook_options = {name: value for name, value in options.items() if value is not None}
    return run_hook({**session.given, **hook_options}, notify or (None if text == "-" else text))


@click.command(
    "install",
    cls=MemtoolCommand,
    epilog="""
memtool hook install claude-code
memtool hook install codex --scope project
memtool hook install codex --root ~/memory
memtool hook install openclaw --dry-run
""",
)
@_AGENT
@_SCOPE
@_COMMAND
@pass_session
def _install(session: Session, agent: str, scope: str, program: str | None) -> int:
    """Add the hooks to an agent's settings

    AGENT is one of: claude-code, codex, openclaw, opencode, pi, gemini or qwen. The settings file is backed
    up first, and its other settings stay unchanged; for opencode and pi, a separate file is created instead.
    Also adds a skill that teaches the agent memtool's commands. With --root FOLDER, the agent uses the
    workspace FOLDER in every project.

    A later installation keeps the --root, --layout, --user and --command of the earlier one, unless you give
    new values; to drop the old values, uninstall the hooks first. With --scope project, a later installation
    keeps none of these values, because other people may have written the project's files. Exits 10 if FOLDER
    does not exist.
    """
    homes, command_line = _agent_setup(session, program)
    if program is None and session.given.get("root"):
        _ = session.root  # refuses a folder that does not exist
    wired = install(agent, scope, homes, command_line, is_named=program is not None)
    advice = _workspace_advice(session, wired.command, scope)  # an unreadable workspace is refused first
    _write(session, agent, wired, "; the following applies once you install the hooks")
    _advise(session, wired, scope, program)
    session.notice(advice)
    return 0


@click.command(
    "uninstall",
    cls=MemtoolCommand,
    epilog="""
memtool hook uninstall claude-code
memtool hook uninstall codex --scope project --dry-run
""",
)
@_AGENT
@_SCOPE
@_COMMAND
@pass_session
def _uninstall(session: Session, agent: str, scope: str, program: str | None) -> int:
    """Remove the hooks from an agent's settings

    AGENT is one of: claude-code, codex, openclaw, opencode, pi, gemini or qwen. Also removes the skill that
    `memtool hook install` added, unless you have changed it. Exits 0 even if no hooks are installed.
    """
    homes, command_line = _agent_setup(session, program)
    wired = uninstall(agent, scope, homes, command_line)
    _write(session, agent, wired)
    for sentence in wired.advice:
        session.notice(sentence)
    if all(page.effect == "unchanged" for page in wired.files):
        session.notice(f"{wired.files[0].before.path} contains no memtool hooks")
    return 0


@click.command(
    "print",
    cls=MemtoolCommand,
    epilog="""
memtool hook print openclaw
memtool hook print codex --scope project --command "memtool --root ~/memory hook"
""",
)
@_AGENT
@_SCOPE
@_COMMAND
@pass_session
def _print(session: Session, agent: str, scope: str, program: str | None) -> int:
    """Print the settings that `hook install` adds

    AGENT is one of: claude-code, codex, openclaw, opencode, pi, gemini or qwen. Writes nothing.
    `hook install` also adds a skill: its path is printed on stderr or, with --json, on stdout with its text.
    """
    homes, command_line = _agent_setup(session, program)
    pages, skill = preview(agent, scope, homes, command_line)
    for path, text in (*pages, skill) if session.json else pages:
        if session.json:
            output.put_json({"path": path, "text": text})
        else:
            if len(pages) > 1:
                output.put(f"==> {output.printable(path)} <==")
            output.put_raw(text)
    session.notice(f"hook install also adds the skill {skill[0]}; --json prints its text")
    return 0


command = ActionGroup(
    "hook",
    [_answer, _install, _uninstall, _print],
    default=_answer,
    help="""Handle an agent's hook events, or install the hooks

`memtool hook install` makes Claude Code, Codex, OpenClaw, opencode, pi, Gemini CLI or Qwen Code call `memtool
hook` at each event. `memtool hook install --help` lists its options, such as `--scope` and `--command`.""",
    epilog="""
memtool hook install claude-code
memtool hook print openclaw
memtool hook uninstall claude-code
memtool hook < event.json
""",
)


def _agent_setup(session: Session, program: str | None) -> tuple[AgentFolders, str]:
    """The folders of the agents' settings, and the command that they run. Raises OutsideWorkspace."""
    if session.environment.get("MEMTOOL_GROUP"):
        raise OutsideWorkspace(
            "hooks cannot be installed, uninstalled or printed with MEMTOOL_GROUP set; run this command in "
            "an environment without it"
        )
    command_line = mark_command(program) if program is not None else _hook_command(session)
    return agent_folders(session.environment), command_line


def _write(session: Session, agent: str, wired: HookInstallation, advice: str = "") -> None:
    """Write the files, or say that nothing was written and what the `advice` that follows applies to."""
    writes = not (session.incognito or session.dry_run)
    copies = write_files(wired.files, session.now) if writes else [None] * len(wired.files)
    _show(session, agent, wired, copies)
    if not writes:
        mode = "dry run" if session.dry_run else "incognito"
        session.notice(f"{mode}: nothing was written{advice}{':' * bool(advice)}")


def _hook_command(session: Session) -> str:
    """The command line by which an agent starts the hook.

    A layout is only named with a workspace: without one, the hooks would take any project for memory.
    """
    options = scope_options(session.given, session.environment)
    if not options["--root"]:
        options["--layout"] = None
    return hook_command(program_words(), options)


def _show(session: Session, agent: str, wired: HookInstallation, copies: Sequence[str | None]) -> None:
    for page, copy in zip(wired.files, copies, strict=True):
        path = page.before.path
        if session.dry_run:
            _show_change(session, page)
        elif session.json:
            effect = shown_effect(session, page.effect)
            output.put_json({"agent": agent, "effect": effect, "path": path, "copy": copy})
        else:
            columns = [shown_effect(session, page.effect), path, *([f"backup: {copy}"] if copy else [])]
            session.report(*columns)


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

    old, new = ((text or "").removesuffix("\n") for text in (page.before.text, page.after))
    source = "/dev/null" if page.before.text is None else page.before.path
    target = "/dev/null" if page.after is None else page.before.path
    before, after = (text.split("\n") if text else [] for text in (old, new))
    for line in unified_diff(before, after, source, target):
        output.put(output.printable_line(line))


def _workspace_advice(session: Session, command: str, scope: str) -> str:
    """Which memory the installed hooks use, or how to create it."""
    named = os.path.expanduser(named_root(command))
    hooks = Session()
    hooks.given = {**session.given, "root": named, "layout": named_option(command, "--layout")}
    hooks.environment = {name: value for name, value in os.environ.items() if name != "MEMTOOL_ROOT"}
    try:
        hooks.open_read_only()
    except NoWorkspace:
        create = shlex.join(["memtool", "init", *([named] if named else [])])
        where = f"in {named}" if named else "here"
        return f"the hooks need a workspace, but there is none {where}; create one with {create}"
    if named:
        where = "in every project" if scope == USER_SCOPE else "in this project"
        return f"{where}, the hooks use the memory in {hooks.root}"
    return f"the hooks use the workspace that contains the project; for this folder, it is {hooks.root}"


def _advise(session: Session, wired: HookInstallation, scope: str, program: str | None) -> None:
    for sentence in wired.advice:
        session.notice(sentence)
    on_path = shutil.which("memtool")
    is_generated = program is None and is_written_by_memtool(wired.command)
    if is_generated and not on_path:
        session.notice(
            f"memtool is not on your PATH, so the hooks call {sys.executable}; to use another program, run "
            "this command again with --command"
        )
    elif is_generated and on_path and is_in_environment(on_path):
        session.notice(f"the hooks use memtool from the virtual environment {sys.prefix}; do not delete it")
    if is_generated and scope == PROJECT_SCOPE and os.path.isabs(program_words()[0]):
        session.notice(
            "the hooks call memtool by its path on this machine; if other machines share the project, use "
            "--command 'memtool hook'"
        )
