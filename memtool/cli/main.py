"""The `memtool` command: its table of subcommands, each imported when it is called, and its exit codes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from memtool import __version__
from memtool.cli import output
from memtool.cli.options import common_options, printing, version_option
from memtool.cli.table import COMMANDS
from memtool.errors import MemtoolError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Lazy(click.Group):
    """A group whose commands are imported only when they are called: start-up is paid on every call."""

    def list_commands(self, context: click.Context) -> list[str]:
        """All commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of that name, imported now; None when there is none."""
        row = COMMANDS.get(name)
        if row is None:
            return None
        command: click.Command = import_module(f"memtool.cli.commands.{row[0]}").command
        return command

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Read the options that stand before the command's name."""
        if context.resilient_parsing:
            from memtool.cli.completion.complete import attach

            attach(self)
        return super().parse_args(context, arguments)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; of a name that is none the error says what comes near."""
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            if near := get_close_matches(args[0], COMMANDS, n=2):
                near_by = " or ".join(map(repr, near))
                raise click.UsageError(
                    f"No such command {args[0]!r} (did you mean {near_by}?)", context
                ) from error
            raise

    def get_help_option(self, context: click.Context) -> click.Option | None:
        """The option --help, which prints as all commands print."""
        return printing(super().get_help_option(context))

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The commands, or the common options, that begin as typed; no command is imported for that."""
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=about)
            for name, (_, about) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, context, incomplete)]

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing one of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.command(
    "memtool",
    cls=Lazy,
    no_args_is_help=False,
    params=[*common_options(), version_option(f"memtool {__version__}")],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Begin with 'memtool init'. 'memtool help COMMAND' shows examples; 'memtool help' also has pages "
    "on environment, exit-codes, formats, layouts and settings.",
)
def group() -> None:
    """Work on an AI agent's memory: plain files that people can read, edit, search and commit."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; never a traceback for what a user did."""
    os.umask(0o077)  # whatever a library writes for us is as private as what we write
    completes = "_MEMTOOL_COMPLETE" in os.environ
    if completes:
        import memtool.cli.completion.shells  # noqa: F401  tells click how our scripts ask
    result: Any = 0
    try:
        if not arguments and not completes:
            output.advise(click.Context(group, info_name="memtool", **group.context_settings).get_help())
            return click.UsageError.exit_code
        with output.unread():
            result = group.main(list(arguments), prog_name="memtool", standalone_mode=False)
            output.flush()
    except MemtoolError as error:
        output.say(str(error))
        return error.exit_code
    except click.ClickException as error:
        output.say(sentence(error))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        output.say("interrupted")
        return 130
    return result if isinstance(result, int) else 0


def sentence(error: click.ClickException) -> str:
    """A mistake in the command line as one sentence, with where to look."""
    said = re.sub(r"\n\s*", " ", error.format_message().strip().rstrip("."))
    said = said.replace(". Choose from:", "; choose from:")
    said = re.sub(r"[.]? \(?Did you mean (?:one of: )?(.*?)\?\)?$", r" (did you mean \1?)", said)
    context = error.ctx if isinstance(error, click.UsageError) else None
    where = f"; see {context.command_path} --help" if context else ""
    return said[:1].lower() + said[1:] + where
