"""`memtool help`: the help of a command, or of all, or a page on a topic; as text or as a man page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size

import click

from memtool.cli.options import HIDE_COMMON, SHOW_PLUMBING, HelpContext, MemtoolCommand
from memtool.cli.output import on_terminal, put, put_raw
from memtool.cli.reference import TOPIC_SUMMARIES, TOPICS, layout_roles
from memtool.cli.table import COMMANDS
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
memtool help facts list         an action of a command
memtool help topics             the topics, such as hooks, security and exit-codes
memtool help settings           settings and their defaults
memtool help --all | grep idle  the help of all commands on one page
memtool help --man search | man -l -
""",
)
@click.argument("name", metavar="[COMMAND|TOPIC] [ACTION]", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Show help for every command")
@click.option("--man", is_flag=True, help="Print a man page in roff format")
@click.pass_context
def command(context: click.Context, name: tuple[str, ...], everything: bool, man: bool) -> None:
    """Show help for a command or topic

    `memtool help topics` lists the topics. With --all, shows every command, including plumbing (commands for
    scripts), and lists the common options only once, at the beginning.
    """
    parent = context.parent
    assert parent is not None
    if everything:
        if name or man:
            raise click.UsageError("--all takes no name and cannot be combined with --man")
        _show_long("\n\n".join(page.rstrip("\n") for page in _all_pages(parent)))
    elif man:
        _show_man(name)
    elif name == ("topics",):
        _show_topics()
    elif len(name) == 1 and name[0] in TOPICS:
        put("\n".join(TOPICS[name[0]]()))
    elif len(name) == 2 and name[0] == "layouts":
        _show_layout(name[1])
    elif len(name) == 1 and name[0] in (*topic_names(), "formats"):
        _show_topic(name[0])
    else:
        put(_command_context(parent, name).get_help() if name else parent.command.get_help(parent))


def _command_context(
    parent: click.Context, name: Sequence[str], width: int | None = None, *, without_common: bool = False
) -> click.Context:
    """A context for the help of a command or of its action, without common options if `without_common`.

    Raises UsageError for an unknown name.
    """
    context: click.Context = parent
    for word in name:
        command = context.command
        subcommand = command.get_command(context, word) if isinstance(command, click.Group) else None
        if subcommand is None:
            raise _unknown_name(" ".join(name))
        context = HelpContext(subcommand, info_name=word, parent=context, terminal_width=width)
        context.meta[HIDE_COMMON] = without_common
    return context


def _all_pages(parent: click.Context) -> Iterator[str]:
    """The help of memtool itself, then of each command and its actions."""
    group = parent.command
    assert isinstance(group, click.Group)
    width = None if on_terminal() else _WIDTH
    settings = {**group.context_settings, "terminal_width": width}
    context: click.Context = HelpContext(group, info_name="memtool", **settings)
    context.meta[SHOW_PLUMBING] = True
    yield group.get_help(context)
    for name in group.list_commands(parent):
        context = _command_context(parent, [name], width, without_common=True)
        yield context.get_help()
        actions = context.command.commands if isinstance(context.command, click.Group) else ()
        for action in actions:
            yield _command_context(parent, [name, action], width, without_common=True).get_help()


def _show_man(name: Sequence[str]) -> None:
    """Print the man page of a command or a topic; the page of a command includes its actions."""
    from memtool.cli.documentation.man import page, page_name

    file = page_name(name[0] if name else "memtool")
    if file is None:
        raise _unknown_name(" ".join(name))
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


def _show_layout(name: str) -> None:
    """Print the path of each role of a layout. Raises UsageError for an unknown name."""
    page = layout_roles(name)
    if not page:
        raise click.UsageError(f"unknown layout {name!r}; 'memtool help layouts' lists the layouts")
    put("\n".join(page))


def _unknown_name(name: str) -> click.UsageError:
    from difflib import get_close_matches

    from memtool.cli.other_names import OTHER_NAMES, OTHER_TOPICS
    from memtool.store.root import describe_layouts

    meant = name.removeprefix("topics ").removeprefix("topic ")
    layouts = {layout: f"layouts {layout}" for layout, _, _ in describe_layouts()}
    names = layouts | {known: known for known in (*COMMANDS, *topic_names(), *TOPIC_SUMMARIES)}
    other = "" if meant in names else OTHER_TOPICS.get(meant) or OTHER_NAMES.get(meant, "")
    command = other.removeprefix("help ").partition(" ")[0]
    if re.fullmatch(r"[Mm]\d{3}", name):
        hint = f" (did you mean 'memtool lint --explain {name.upper()}'?)"
    elif name.isdecimal():
        hint = " (did you mean 'memtool help exit-codes'?)"
    elif meant == "all":
        hint = " (did you mean 'memtool help --all'?)"
    elif other.startswith("-"):
        hint = f" (did you mean 'memtool {other}'?)"
    elif near := [command] if command in names else get_close_matches(meant, names, n=1):
        hint = f" (did you mean 'memtool help {names[near[0]]}'?)"
    else:
        hint = "; 'memtool help topics' lists the topics"
    return click.UsageError(f"no command or topic {name!r}{hint}")


def _show_long(text: str) -> None:
    """Print a long page: on a terminal through the user's pager."""
    if on_terminal():
        click.echo_via_pager(text + "\n")
    else:
        put(text)
