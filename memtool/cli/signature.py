"""Who commits, as the journal has it: the command in memtool's own words, and for whom it runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memtool.errors import BadUsage

if TYPE_CHECKING:
    import click

    from memtool.cli.session import Session
    from memtool.core.journal import Author
    from memtool.store.workspace import Workspace


def sign(session: Session, workspace: Workspace) -> None:
    """Let the journal of a workspace know who commits, and this run hear where it could not be written."""

    def author() -> Author:
        from memtool.core.journal import Author

        try:
            return Author(session.command, **{**session.within, **session.owners})
        except BadUsage:  # a name that is none is for the command to refuse, where it asks for one
            return Author(session.command)

    workspace.say = session.notice
    workspace.journal.sign(author, lambda: session.now)


def words(context: click.Context) -> str:
    """What of a command line is memtool's own: the name, the action and the flags; never what was given."""
    return " ".join([str(context.info_name), *_chosen(context)])


def _chosen(context: click.Context) -> Iterator[str]:
    import click

    for parameter in context.command.params:
        name = str(parameter.name)
        if isinstance(parameter, click.Argument) and isinstance(parameter.type, click.Choice):
            yield str(context.params.get(name))
        elif (
            isinstance(parameter, click.Option)
            and parameter.is_flag
            and parameter.expose_value
            and context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        ):
            yield max(parameter.opts, key=len)
