"""`memtool help`: the help of a command, or of all, or a page on a topic; as text or as a man page."""

from __future__ import annotations

from collections.abc import Iterator

import click

from memtool.cli.options import OWN_ALONE, Command
from memtool.cli.output import on_terminal, put, put_raw
from memtool.cli.reference import TOPICS

_LONG = {"formats"}
_WIDTH = 78
"""Columns of a page that is not shown on a terminal; it ignores COLUMNS, for stable grep and diff."""


@click.command(
    "help",
    cls=Command,
    epilog="""
memtool help search             one command, with examples
memtool help exit-codes         what each exit code means
memtool help environment        variables and files that memtool looks at
memtool help layouts            every layout, its roles and their places
memtool help settings           every setting and its default
memtool help --all | grep idle  every command on one page
memtool help --man search | man -l -
""",
)
@click.argument("name", metavar="[COMMAND|TOPIC]", required=False)
@click.option("--all", "everything", is_flag=True, help="Every command, one after the other.")
@click.option("--man", is_flag=True, help="As a man page, in roff.")
@click.pass_context
def command(context: click.Context, name: str | None, everything: bool, man: bool) -> None:
    """Show the help of a command, or a page on a topic.

    Topics are environment, exit-codes, formats, layouts and settings. With --all the common options, which
    every command takes, stand once, at the beginning.
    """
    parent = context.parent
    assert parent is not None
    if everything:
        if name is not None or man:
            raise click.UsageError("--all takes no name, and is no man page")
        _show_long("\n\n".join(page.rstrip("\n") for page in _all(parent)))
    elif man:
        _show_man(name or "memtool")
    elif name in TOPICS:
        text = "\n".join(TOPICS[name]())
        (_show_long if name in _LONG else put)(text)
    else:
        put(_help_of(parent, name) if name else parent.command.get_help(parent))


def _help_of(parent: click.Context, name: str, width: int | None = None, *, alone: bool = False) -> str:
    """The help of a command, without common options if `alone`. Raises UsageError for an unknown name."""
    group = parent.command
    assert isinstance(group, click.Group)
    subcommand = group.get_command(parent, name)
    if subcommand is None:
        raise _unknown(name)
    context = click.Context(subcommand, info_name=name, parent=parent, terminal_width=width)
    context.meta[OWN_ALONE] = alone
    return subcommand.get_help(context)


def _all(parent: click.Context) -> Iterator[str]:
    """The help of memtool itself, then of each command."""
    group = parent.command
    assert isinstance(group, click.Group)
    width = None if on_terminal() else _WIDTH
    settings = {**group.context_settings, "terminal_width": width}
    yield group.get_help(click.Context(group, info_name="memtool", **settings))
    for name in group.list_commands(parent):
        yield _help_of(parent, name, width, alone=True)


def _show_man(name: str) -> None:
    from memtool.cli.documentation.man import page, page_of

    file = page_of(name)
    if file is None:
        raise _unknown(name)
    put_raw(page(file))


def _unknown(name: str) -> click.UsageError:
    return click.UsageError(f"there is no command or topic {name!r}; run 'memtool --help' for the list")


def _show_long(text: str) -> None:
    """Print a long page: on a terminal through the user's pager."""
    if on_terminal():
        click.echo_via_pager(text + "\n")
    else:
        put(text)
