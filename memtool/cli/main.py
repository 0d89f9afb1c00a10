"""The `memtool` command: imports the subcommand that is called, and turns errors into exit codes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from memtool import __version__
from memtool.cli import output
from memtool.cli.failures import report_failure
from memtool.cli.options import (
    ARGUMENTS,
    SHOW_PLUMBING,
    HelpContext,
    common_options,
    help_option,
    name_command,
    refuse_second_values,
    version_option,
)
from memtool.cli.session import Session
from memtool.cli.table import COMMANDS, GROUPS, PLUMBING, commands_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


_NAME_WIDTH = max(map(len, COMMANDS))
"""Columns of a command's name in the help, the same in all groups."""


class LazyGroup(click.Group):
    """A click group that imports the module of a command only when it is called, to keep start-up short."""

    context_class = HelpContext

    def list_commands(self, context: click.Context) -> list[str]:
        """All commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Import and return the command of a name; None for an unknown name."""
        row = COMMANDS.get(name)
        if row is None:
            return None
        command: click.Command = import_module(f"memtool.cli.commands.{row.module}").command
        return command

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Parse the options before the command's name."""
        if context.resilient_parsing:
            from memtool.cli.completion.parameter_type import attach_listers

            attach_listers(self, ())
        context.meta[ARGUMENTS] = [*arguments]
        with name_command(context):
            return super().parse_args(context, arguments)

    def make_parser(self, context: click.Context) -> Any:
        """The parser of the options before the command's name."""
        return refuse_second_values(super().make_parser(context))

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; the error for an unknown name says which command was probably meant."""
        if args and args[0] not in COMMANDS and not context.resilient_parsing:
            from memtool.cli.wrong_usage import unknown_command

            raise unknown_command(context, args[0], args[1:])
        if not context.resilient_parsing:
            from memtool.cli.start_up import compiled_cache

            context.with_resource(compiled_cache(getattr(context.obj, "given", {})))
        return super().resolve_command(context, args)

    def get_help_option(self, context: click.Context) -> click.Option | None:
        """The option --help, printed through `output` like all data."""
        return help_option(tuple(self.get_help_option_names(context)))

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The commands and common options that start with what was typed; imports no command."""
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=f"{row.group}: {row.summary}")
            for name, row in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, context, incomplete)]

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a table for each group of commands; PLUMBING only if SHOW_PLUMBING is set in the context.

        Imports no command.
        """
        for group in GROUPS:
            if group != PLUMBING or context.meta.get(SHOW_PLUMBING):
                with formatter.section(group):
                    formatter.write_dl(
                        [(f"{name:<{_NAME_WIDTH}}", text) for name, text in commands_of(group)]
                    )


@click.command(
    "memtool",
    cls=LazyGroup,
    no_args_is_help=False,
    params=[*common_options(), version_option(f"memtool {__version__}")],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with 'memtool init'. 'memtool help COMMAND' shows examples, and 'memtool help topics' "
    "lists the help topics. 'memtool help --all' also shows the plumbing commands, which are for scripts.",
)
def memtool_group() -> None:
    """Keep an AI agent's memory as plain files: record, search and check it, and undo changes."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; an error is one line on stderr, no traceback.

    This is the last handler of errors, for servers too. With MEMTOOL_TRACEBACK a bug's traceback is printed.
    """
    os.umask(0o077)  # files that libraries create are as private as memtool's own
    completes = "_MEMTOOL_COMPLETE" in os.environ
    if completes:
        import memtool.cli.completion.shells  # noqa: F401  registers memtool's completion classes with click
    result: Any = 0
    session = Session()
    try:
        if not arguments and not completes:
            output.print_page(
                HelpContext(memtool_group, info_name="memtool", **memtool_group.context_settings).get_help()
            )
            return click.UsageError.exit_code
        with output.ignore_closed_pipe():
            result = memtool_group.main(
                list(arguments), prog_name="memtool", standalone_mode=False, obj=session
            )
            output.flush()
    except click.ClickException as error:
        from memtool.cli.wrong_usage import exit_code, usage_sentence

        output.print_message(usage_sentence(error))
        return exit_code(error)
    except click.Abort as error:  # for Ctrl-C, and for an EOFError, such as that of a truncated .pyc file
        cause = error.__cause__
        return report_failure(cause if isinstance(cause, EOFError) else KeyboardInterrupt(), session)
    except (Exception, KeyboardInterrupt) as error:
        return report_failure(error, session)
    return result if isinstance(result, int) else 0
