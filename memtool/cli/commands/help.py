"""`memtool help`: the help of a command, or of all, or a page on a topic; as text or as a man page."""

from __future__ import annotations

from collections.abc import Iterator

import click

from memtool.cli.options import HIDE_COMMON, MemtoolCommand
from memtool.cli.output import on_terminal, put, put_raw
from memtool.cli.reference import TOPICS

_LONG_TOPICS = {"formats"}
_WIDTH = 78
"""Columns of a page that is not shown on a terminal; it ignores COLUMNS, for stable grep and diff."""


@click.command(
    "help",
    cls=MemtoolCommand,
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
            raise click.UsageError("--all takes no name and cannot be combined with --man")
        _show_long("\n\n".join(page.rstrip("\n") for page in _all_pages(parent)))
    elif man:
        _show_man(name or "memtool")
    elif name in TOPICS:
        text = "\n".join(TOPICS[name]())
        (_show_long if name in _LONG_TOPICS else put)(text)
    else:
        put(_command_help(parent, name) if name else parent.command.get_help(parent))


def _command_help(
    parent: click.Context, name: str, width: int | None = None, *, without_common: bool = False
) -> str:
    """The help of a command, without common options if `without_common`.

    Raises UsageError for an unknown name.
    """
    group = parent.command
    assert isinstance(group, click.Group)
    subcommand = group.get_command(parent, name)
    if subcommand is None:
        raise _unknown_name(name)
    context = click.Context(subcommand, info_name=name, parent=parent, terminal_width=width)
    context.meta[HIDE_COMMON] = without_common
    return subcommand.get_help(context)


def _all_pages(parent: click.Context) -> Iterator[str]:
    """The help of memtool itself, then of each command."""
    group = parent.command
    assert isinstance(group, click.Group)
    width = None if on_terminal() else _WIDTH
    settings = {**group.context_settings, "terminal_width": width}
    yield group.get_help(click.Context(group, info_name="memtool", **settings))
    for name in group.list_commands(parent):
        yield _command_help(parent, name, width, without_common=True)


def _show_man(name: str) -> None:
    from memtool.cli.documentation.man import page, page_name

    file = page_name(name)
    if file is None:
        raise _unknown_name(name)
    put_raw(page(file))


def _unknown_name(name: str) -> click.UsageError:
    return click.UsageError(f"no command or topic {name!r}")


def _show_long(text: str) -> None:
    """Print a long page: on a terminal through the user's pager."""
    if on_terminal():
        click.echo_via_pager(text + "\n")
    else:
        put(text)
