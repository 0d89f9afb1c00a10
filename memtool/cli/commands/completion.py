"""`memtool completion`."""

from __future__ import annotations

import os

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.completion.shells import SCRIPT_MARK, SHELLS, script
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session

_NEXT_STEPS = {
    "bash": "new shells will load the script if bash-completion is installed; otherwise add this line to "
    "~/.bashrc: source {path}",
    "zsh": "zsh loads the script if ~/.zshrc has this line before compinit: fpath=({folder} $fpath)",
    "fish": "new shells will load the script",
}


_EXAMPLES = {
    "bash": """
source <(memtool completion bash)
memtool completion bash >> ~/.bash_completion
""",
    "zsh": """
source <(memtool completion zsh)
memtool completion zsh > "${fpath[1]}/_memtool"
""",
    "fish": """
memtool completion fish | source
memtool completion fish > ~/.config/fish/completions/memtool.fish
""",
}
"""Examples for each shell."""


@click.command(
    "install",
    cls=MemtoolCommand,
    epilog="""
memtool completion install
memtool completion install zsh --dry-run
""",
)
@click.argument("shell", metavar="[bash|zsh|fish]", type=click.Choice(SHELLS), required=False)
@pass_session
def _install(session: Session, shell: str | None) -> int:
    """Write the completion script to the folder where the shell looks for it

    If no shell is given, uses the one that $SHELL names. No other file is changed: if the shell needs a line
    in a file such as ~/.bashrc, that line is printed.
    """
    from memtool.store.external.completion_script import completion_path, install, is_current

    shell = shell or _login_shell(session)
    path, text = completion_path(shell, session.environment), script(shell)
    result = "unchanged" if is_current(path, text, SCRIPT_MARK) else "written"
    if result == "written" and (session.dry_run or session.incognito):
        result = "would be written"
    elif result == "written":
        install(path, text)
    if session.json:
        output.put_json({"shell": shell, "path": path, "result": result})
    else:
        session.report(result, path)
    session.notice(_NEXT_STEPS[shell].format(path=path, folder=os.path.dirname(path)))
    return 0


def _print_action(shell: str, examples: str) -> MemtoolCommand:
    """The action that prints the script of a shell."""

    @click.command(
        shell, cls=MemtoolCommand, epilog=examples, help=f"Print the completion script for {shell}"
    )
    @pass_session
    def print_script(session: Session) -> int:
        if session.json:
            output.put_json({"shell": shell, "script": script(shell)})
        else:
            output.put_raw(script(shell))
        return 0

    return print_script


command = ActionGroup(
    "completion",
    [*(_print_action(shell, examples) for shell, examples in _EXAMPLES.items()), _install],
    help="""Print or install shell completion

Completes commands, actions and options, and their values: roles, groups, users, sessions, ids, notes, and
paths in the workspace.""",
    epilog="""
source <(memtool completion bash)
memtool completion fish | source
memtool completion install
""",
)


def _login_shell(session: Session) -> str:
    """The user's login shell. Raises UsageError for one that is not supported."""
    name = os.path.basename(session.environment.get("SHELL", ""))
    if name not in SHELLS:
        raise click.UsageError(
            f"$SHELL ({name or 'empty'}) is not a supported shell; choose one of {', '.join(SHELLS)}"
        )
    return name
