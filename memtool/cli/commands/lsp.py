"""`memtool lsp`."""

from __future__ import annotations

import importlib.util
import os
import sys

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.program import program_words, scope_options
from memtool.cli.render.editor_settings import EDITORS, editor_settings
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, MissingExtra, extra_hint


@click.command(
    "lsp",
    cls=MemtoolCommand,
    epilog="""
memtool lsp                              run the server; an editor starts this command
memtool lsp --root ~/notes               always serve this workspace
memtool lsp --install neovim             print the settings for Neovim
memtool lsp --install claude-code        print a plugin for Claude Code
""",
)
@click.option(
    "--install",
    "editor",
    type=click.Choice(EDITORS),
    metavar="EDITOR",
    help=f"Print settings for {', '.join(EDITORS[:-1])} or {EDITORS[-1]}, and exit",
)
@click.option("--stdio", is_flag=True, expose_value=False, help="Ignored; some editors add this option")
@pass_session
def command(session: Session, editor: str | None) -> int:
    """Serve memory files to editors as a language server

    Speaks the Language Server Protocol over stdin and stdout, and offers lint diagnostics with fixes,
    completion, definitions, references, rename, symbols, and actions on facts and proposed memories. Uses the
    workspace named by --root or MEMTOOL_ROOT; otherwise, the one that contains the folder open in the editor;
    otherwise, the one that contains the directory in which the editor starts the server. Files are changed
    only by edits that the editor applies and by commands that you run in the editor. Needs the optional
    dependencies of the lsp extra: see memtool help install.
    """
    if editor is not None:
        session.warn_of_root()
        options = scope_options(session.given, session.environment)
        words = [word for name, value in options.items() if value for word in (name, value)]
        settings = editor_settings(editor, [*program_words(), "lsp", *words])
        if session.json:
            output.put_json({"editor": editor, "settings": settings})
        else:
            output.put_raw(settings)
        return 0
    from memtool.cli.lsp_session import lsp_opener

    if session.dry_run:
        raise BadUsage("memtool lsp does not support --dry-run; use --incognito")
    open_workspace = lsp_opener(session)
    if importlib.util.find_spec("pygls") is None:
        raise MissingExtra(f"memtool lsp needs version 2 of pygls; {extra_hint('lsp')}")
    if sys.stdin is None or sys.stdout is None:
        raise BadUsage("memtool lsp needs stdin and stdout, but one of them is closed")
    if sys.stdin.isatty():
        session.notice(
            "waiting for an editor on stdin; editors start this command (see memtool help editors); "
            "press Ctrl-D to quit"
        )
    from memtool.serve.lsp.server import serve

    output.log_to_stderr("memtool: %(levelname)s %(message)s")
    sink = os.dup(1)
    os.dup2(2, 1)  # other output must not get between the messages
    return serve(open_workspace, 0, sink)
