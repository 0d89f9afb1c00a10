"""`memtool mcp`."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from memtool.cli import output
from memtool.cli.hooks.agent_folders import agent_folders
from memtool.cli.options import MemtoolCommand
from memtool.cli.program import absolute_program_words, scope_options
from memtool.cli.render.client_settings import MCP_CLIENTS, client_settings
from memtool.cli.session import Session, pass_session
from memtool.errors import BadUsage, MissingExtra, extra_hint

if TYPE_CHECKING:
    from memtool.serve.mcp.tool import McpTool


@click.command(
    "mcp",
    cls=MemtoolCommand,
    epilog="""
memtool mcp                                     run the server (an agent usually starts it)
memtool mcp --list                              list the tools
memtool mcp --read-only --root ~/notes          only tools that write nothing
memtool mcp --group family --user ann           for one group and one user
memtool mcp --config cursor --root ~/notes      print the settings for Cursor
memtool mcp --config vscode > .vscode/mcp.json  create a settings file for VS Code
""",
)
@click.option("--read-only", is_flag=True, help="Offer only tools that write nothing [default: all tools]")
@click.option(
    "--group", metavar="GROUP", help="Serve the memory of GROUP and of groups/global [default: MEMTOOL_GROUP]"
)
@click.option("--list", "listing", is_flag=True, help="List the tools and exit")
@click.option(
    "--config",
    "client",
    type=click.Choice([*MCP_CLIENTS]),
    metavar="CLIENT",
    help=f"Print settings for {', '.join([*MCP_CLIENTS][:-1])} or {[*MCP_CLIENTS][-1]}, and exit",
)
@pass_session
def command(session: Session, read_only: bool, group: str | None, listing: bool, client: str | None) -> None:
    """Serve memory as MCP tools over stdin and stdout

    Offers tools, resources and prompts through the Model Context Protocol. Uses the workspace named by --root
    or MEMTOOL_ROOT; otherwise, the one that contains the directory in which the agent starts the server. Each
    call reads the current files. The server exits when stdin is closed. Needs the optional dependencies of
    the mcp extra: see memtool help install.
    """
    if client is not None:
        if listing:
            raise click.UsageError("--list and --config cannot be combined")
        session.warn_of_root()
        _print_settings(session, client, _server_words(session, group, read_only=read_only))
        return
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
        raise MissingExtra(f"memtool mcp needs version 2 of the MCP SDK; {extra_hint('mcp')}")
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


def _server_words(session: Session, group: str | None, *, read_only: bool) -> list[str]:
    """The command line that starts the server with this run's options from any folder and environment."""
    environment = session.environment  # the client may start the server in another environment
    own_group = environment.get("MEMTOOL_GROUP")
    if own_group and group and group != own_group:
        raise BadUsage(f"--group {group} differs from MEMTOOL_GROUP, which is {own_group}; omit --group")
    options = scope_options(session.given, environment) | {"--group": group or own_group}
    options["--session"] = session.given.get("session") or environment.get("MEMTOOL_SESSION")
    is_incognito = session.given.get("incognito") or environment.get("MEMTOOL_MODE") == "incognito"
    flags = {"--read-only": read_only, "--incognito": is_incognito}
    words = [*absolute_program_words(), "mcp"]
    words += [word for name, value in options.items() if value for word in (name, value)]
    return [*words, *(name for name, is_set in flags.items() if is_set)]


def _print_settings(session: Session, client: str, words: list[str]) -> None:
    """Print only the settings on stdout; on stderr, say where they belong."""
    settings = client_settings(client, words, agent_folders(session.environment))
    if session.json:
        record = {"client": client, "settings": settings.text, "file": settings.file}
        more = {"project_file": settings.project_file, "command": settings.command}
        output.put_json(record | {key: value for key, value in more.items() if value})
        return
    output.put_raw(settings.text)
    places = [settings.file, *([f"{settings.project_file} in a project"] if settings.project_file else [])]
    session.notice(f"add these settings to {' or to '.join(places)}")
    if settings.command:
        session.notice(f"or let {settings.title} add them: {settings.command}")
    if importlib.util.find_spec("mcp_types") is None:
        session.notice(f"the server needs version 2 of the MCP SDK; {extra_hint('mcp')}")


def _print(session: Session, tool: McpTool) -> None:
    if not session.json:
        output.put_row(tool.name, "writes" if tool.writes else "reads", tool.title)
        return
    from memtool.serve.mcp.arguments import arguments_schema

    record: dict[str, Any] = {"name": tool.name, "title": tool.title, "description": tool.description}
    record |= {"read_only": not tool.writes, "input_schema": arguments_schema(tool.arguments)}
    output.put_json(record)
