"""`memtool mcp`."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, MissingExtra, extra_hint

if TYPE_CHECKING:
    from memtool.serve.mcp.tool import McpTool


@click.command(
    "mcp",
    cls=MemtoolCommand,
    epilog="""
memtool mcp                                     serve; an agent starts this command
memtool mcp --list                              list the tools
memtool mcp --read-only --root ~/notes          only tools that read
memtool mcp --group family --user ann           as one group, for one user
claude mcp add memtool -- memtool mcp --root ~/notes       for Claude Code
codex mcp add memtool -- memtool mcp --root ~/notes        for Codex
""",
)
@click.option(
    "--read-only", is_flag=True, help="Offer only tools that read; write nothing [default: all tools]"
)
@click.option(
    "--group", metavar="GROUP", help="Serve the memory of GROUP and of groups/global [default: MEMTOOL_GROUP]"
)
@click.option("--list", "listing", is_flag=True, help="List the tools and exit")
@pass_session
def command(session: Session, read_only: bool, group: str | None, listing: bool) -> None:
    """Serve memory as MCP tools over stdin and stdout

    Offers tools, resources and prompts of the Model Context Protocol. Uses the workspace of --root or
    MEMTOOL_ROOT, else the one that contains the directory in which the agent starts the server. Each call
    reads the current files. The server exits when stdin is closed. Needs the optional dependencies of the
    extra mcp: see memtool help install.
    """
    from memtool.cli.mcp_session import mcp_session_factory

    if session.dry_run:
        raise BadUsage("memtool mcp does not support --dry-run; use --read-only or --incognito")
    new_context = mcp_session_factory(session, group, read_only=read_only)
    if listing:
        from memtool.serve.mcp.table import offered_tools

        for tool in offered_tools(new_context().workspace, new_context().scope.group, read_only=read_only):
            _print(session, tool)
        return
    if importlib.util.find_spec("mcp_types") is None:
        raise MissingExtra(f"memtool mcp needs the MCP SDK, version 2; {extra_hint('mcp')}")
    if sys.stdin is None or sys.stdout is None:
        raise BadUsage("memtool mcp needs stdin and stdout, but one of them is closed")
    if sys.stdin.isatty():
        session.notice(
            "waiting for an MCP client on stdin; agents start this command (see --help); press Ctrl-D to quit"
        )
    from memtool.serve.mcp.server import serve

    output.log_to_stderr("memtool: %(levelname)s %(message)s")
    sink = os.dup(1)
    os.dup2(2, 1)  # other output must not get between the messages
    serve(new_context, 0, sink, read_only=read_only)


def _print(session: Session, tool: McpTool) -> None:
    if not session.json:
        output.put_row(tool.name, "writes" if tool.writes else "reads", tool.title)
        return
    from memtool.serve.mcp.arguments import arguments_schema

    record: dict[str, Any] = {"name": tool.name, "title": tool.title, "description": tool.description}
    record |= {"read_only": not tool.writes, "input_schema": arguments_schema(tool.arguments)}
    output.put_json(record)
