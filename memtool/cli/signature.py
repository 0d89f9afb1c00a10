"""How the journal names a command: its name, action and flags, without what was given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


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
