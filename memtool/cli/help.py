"""`memtool help`: the help of a command, or a page on a topic."""

from __future__ import annotations

import click

from memtool.cli.options import Command
from memtool.cli.output import put
from memtool.cli.reference import exit_codes, layouts, settings

_TOPICS = {"exit-codes": exit_codes, "layouts": layouts, "settings": settings}


@click.command(
    "help",
    cls=Command,
    epilog="""
memtool help search         one command, with examples
memtool help exit-codes     what each exit code means
memtool help layouts        every layout, its roles and their places
memtool help settings       every setting and its default
""",
)
@click.argument("name", metavar="[COMMAND|TOPIC]", required=False)
@click.pass_context
def command(context: click.Context, name: str | None) -> None:
    """Show the help of a command, or a page on a topic.

    Topics are exit-codes, layouts and settings.
    """
    parent = context.parent
    assert parent is not None
    group = parent.command
    assert isinstance(group, click.Group)
    if name is None:
        put(group.get_help(parent))
    elif name in _TOPICS:
        for line in _TOPICS[name]():
            put(line)
    else:
        found = group.get_command(parent, name)
        if found is None:
            raise click.UsageError(
                f"there is no command or topic {name!r}; run 'memtool --help' for the list"
            )
        put(found.get_help(click.Context(found, info_name=name, parent=parent)))
