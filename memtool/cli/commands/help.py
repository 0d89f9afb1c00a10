"""`memtool help`: the help of a command, or of all, or a page on a topic; as text or as a man page."""

from __future__ import annotations

from collections.abc import Iterator
from shutil import get_terminal_size

import click

from memtool.cli.options import HIDE_COMMON, MemtoolCommand
from memtool.cli.output import on_terminal, put, put_raw
from memtool.cli.reference import TOPIC_SUMMARIES, TOPICS
from memtool.cli.topics import topic_names

_WIDTH = 78
"""Columns of a page that is not shown on a terminal; it ignores COLUMNS, for stable grep and diff."""
_WIDEST = 100
"""Columns of a page on a wide terminal."""


@click.command(
    "help",
    cls=MemtoolCommand,
    epilog="""
memtool help search             one command, with examples
memtool help topics             the topics, such as hooks, security and exit-codes
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

    `memtool help topics` lists the topics. With --all the common options, which every command takes, are
    printed once, at the beginning.
    """
    parent = context.parent
    assert parent is not None
    if everything:
        if name is not None or man:
            raise click.UsageError("--all takes no name, and is no man page")
        _show_long("\n\n".join(page.rstrip("\n") for page in _all_pages(parent)))
    elif man:
        _show_man(name or "memtool")
    elif name == "topics":
        _show_topics()
    elif name in TOPICS:
        put("\n".join(TOPICS[name]()))
    elif name in (*topic_names(), "formats"):
        _show_topic(name)
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


def _show_topics() -> None:
    """Print each topic with its summary."""
    from memtool.cli.topics import topic_summary

    summaries = {name: topic_summary(name) for name in topic_names()}
    for name, summary in sorted({**summaries, **TOPIC_SUMMARIES}.items()):
        put(f"{name:<16}{summary}")


def _show_topic(name: str) -> None:
    """Print a Markdown page as plain text, through the user's pager on a terminal."""
    from memtool.cli.documentation.markdown_text import markdown_to_text
    from memtool.cli.topics import topic_page
    from memtool.store.config.schemas import specification

    page = specification() if name == "formats" else topic_page(name)
    width = min(get_terminal_size().columns, _WIDEST) - 1 if on_terminal() else _WIDTH
    _show_long("\n".join(markdown_to_text(page, width)))


def _unknown_name(name: str) -> click.UsageError:
    return click.UsageError(f"no command or topic {name!r}; see 'memtool --help' and 'memtool help topics'")


def _show_long(text: str) -> None:
    """Print a long page: on a terminal through the user's pager."""
    if on_terminal():
        click.echo_via_pager(text + "\n")
    else:
        put(text)
