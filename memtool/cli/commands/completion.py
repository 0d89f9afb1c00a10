"""`memtool completion`."""

from __future__ import annotations

import os

import click

from memtool.cli import output
from memtool.cli.completion.shells import SCRIPT_MARK, SHELLS, script
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session

_NEXT_STEPS = {
    "bash": "active in new shells if bash-completion is installed; otherwise add to ~/.bashrc: source {path}",
    "zsh": "for zsh, add to ~/.zshrc before compinit: fpath=({folder} $fpath)",
    "fish": "active in new shells",
}


@click.command(
    "completion",
    cls=MemtoolCommand,
    epilog="""
source <(memtool completion bash)           in ~/.bashrc; so with zsh in ~/.zshrc, after compinit
memtool completion fish | source            in ~/.config/fish/config.fish
memtool completion install                  or once: into the folder where your shell looks for such files
memtool completion install zsh --dry-run    where that is
""",
)
@click.argument("action", metavar="{bash|zsh|fish|install}", type=click.Choice([*SHELLS, "install"]))
@click.argument("shell", metavar="[SHELL]", type=click.Choice(SHELLS), required=False)
@pass_session
def command(session: Session, action: str, shell: str | None) -> int:
    """Print the script that teaches a shell to complete memtool, or install it.

    Not only commands and options are completed but what they take: roles, groups, users, sessions, ids,
    notes, and paths inside the workspace that the line names. Install writes one file, and none of those in
    which you keep your settings; done again, it changes nothing.
    """
    if action != "install":
        if shell is not None:
            raise click.UsageError("name one shell; a second goes with install")
        if session.json:
            output.put_json({"shell": action, "script": script(action)})
        else:
            output.put_raw(script(action))
        return 0
    return _install(session, shell or _login_shell(session))


def _login_shell(session: Session) -> str:
    """The user's login shell. Raises UsageError for one that is not supported."""
    name = os.path.basename(session.environment.get("SHELL", ""))
    if name not in SHELLS:
        raise click.UsageError(f"say for which shell: {', '.join(SHELLS)} (SHELL says {name or 'nothing'})")
    return name


def _install(session: Session, shell: str) -> int:
    from memtool.store.external.completion_script import completion_path, install, is_current

    path, text = completion_path(shell, session.environment), script(shell)
    result = "unchanged" if is_current(path, text, SCRIPT_MARK) else "written"
    if result == "written" and (session.dry_run or session.incognito):
        result = "would be written"
    elif result == "written":
        install(path, text)
    if session.json:
        output.put_json({"shell": shell, "path": path, "result": result})
    else:
        output.put(f"{result}\t{output.printable(path)}")
    session.notice(_NEXT_STEPS[shell].format(path=path, folder=os.path.dirname(path)))
    return 0
