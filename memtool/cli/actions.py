"""Commands with actions: `memtool facts list`, where each action is a command with options of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from memtool.cli.options import MemtoolCommand, name_command
from memtool.core.text.enumeration import enumeration

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class ActionGroup(MemtoolCommand, click.Group):
    """A command whose first argument names one of its actions, each a MemtoolCommand.

    Options may stand before the action or after it; the action parses all of them, and refuses those of other
    actions. `default` is the action of a command line that names none: it has only options, or a first
    argument that does not begin with a letter, such as JSON or `-`. The group takes the options of `default`,
    for its help and for shell completion.
    """

    def __init__(
        self,
        name: str,
        actions: Sequence[MemtoolCommand],
        *,
        help: str,  # noqa: A002  click's name
        epilog: str,
        default: MemtoolCommand | None = None,
    ) -> None:
        options = (
            [option for option in default.own_parameters if isinstance(option, click.Option)]
            if default
            else []
        )
        super().__init__(
            name=name,
            commands=list(actions),
            params=list(options),
            help=help,
            epilog=epilog,
            no_args_is_help=False,
            subcommand_metavar="[ACTION] ..." if default else "ACTION ...",
        )
        self.default = default

    def list_commands(self, context: click.Context) -> list[str]:
        """The names of the actions, in the order in which they were given."""
        return list(self.commands)

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Parse a command line: the action comes first, whatever options stand before it.

        Raises UsageError for an unknown or a missing action.
        """
        if arguments and arguments[0] in self.commands:
            return super().parse_args(context, arguments)
        given, rest = self._leading_options(context, arguments)
        word = rest[0] if rest else ""
        if word in self.commands:
            leading = arguments[: len(arguments) - len(rest)]
            return super().parse_args(context, [word, *leading, *rest[1:]])
        asks_for_help = (option := self.get_help_option(context)) is not None and option.name in given
        if context.resilient_parsing or (not word and asks_for_help):
            return super().parse_args(context, arguments)
        if word[:1].isalpha() or (word and not self._default_takes_arguments()):
            leading = arguments[: len(arguments) - len(rest)]
            raise self._unknown_action(context, word, rest[1:], leading)
        if self.default is None or self.default.name is None:
            raise click.UsageError(f"missing action; choose {self._choices()}", context)
        return super().parse_args(context, [self.default.name, *arguments])

    def _leading_options(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[dict[str, Any], list[str]]:
        """The options before the first word that is not one, by name, and the arguments from that word on.

        They may be options of any action. Raises UsageError for an unknown option, or one without its value.
        """
        options: dict[str, click.Parameter] = {}
        for command in (*self.commands.values(), self):
            for parameter in command.get_params(context):
                if isinstance(parameter, click.Option):
                    options.setdefault(max(parameter.opts, key=len), parameter)
        every_option = click.Command(self.name, params=list(options.values()), add_help_option=False)
        parser = every_option.make_parser(context)
        with name_command(context):
            given, rest, _ = parser.parse_args(list(arguments))
        return given, rest

    def _default_takes_arguments(self) -> bool:
        return self.default is not None and any(
            isinstance(parameter, click.Argument) for parameter in self.default.params
        )

    def _choices(self) -> str:
        return enumeration([*self.commands], "or")

    def _unknown_action(
        self, context: click.Context, word: str, rest: Sequence[str], leading: Sequence[str]
    ) -> click.UsageError:
        from memtool.cli.misplaced_words import call_for_value
        from memtool.cli.other_names import (
            action_advice,
            call_for_id,
            exact_advice,
            other_action,
            search_advice,
            sentence_advice,
            similar_choice,
            with_options,
        )

        if word == "help":
            page = " ".join(["help", str(self.name), *(name for name in rest[:1] if name in self.commands)])
            return click.UsageError(f"unknown action 'help' (did you mean 'memtool {page}'?)", context)
        meant = other_action(str(self.name), word, () if rest and rest[0] in self.commands else rest)
        if meant is None and not rest:
            meant = call_for_id(word)
        if meant is None and (advice := exact_advice(str(self.name), word)):
            return click.UsageError(f"unknown action {word!r}; {advice}", context)
        if meant is None and (near := similar_choice(word, list(self.commands))):
            meant = f"{self.name} {near}"
        if meant is None and any(f"--{word}" in parameter.opts for parameter in self.params):
            meant = f"{self.name} --{word}"
        if meant is None and (advice := action_advice(str(self.name), word)):
            return click.UsageError(f"unknown action {word!r}; {advice}", context)
        if meant is None and (call := call_for_value(self, word, rest)):
            hint = f"; give the action before this value: memtool {call}"
            if advice := sentence_advice(str(self.name), word):
                hint += f"; {advice}"
            return click.UsageError(f"unknown action {word!r}{hint}; choose {self._choices()}", context)
        words = " ".join((word, *rest)) if all(other[:1] != "-" for other in rest) else word
        if meant is None and (advice := search_advice(str(self.name), words)):
            hint = f"{advice}; otherwise, choose {self._choices()}"
            return click.UsageError(f"unknown action {word!r}; {hint}", context)
        if meant and leading and meant.startswith(f"{self.name} "):
            meant = with_options(meant, leading)
        hint = f" (did you mean 'memtool {meant}'?)" if meant else ""
        return click.UsageError(f"unknown action {word!r}{hint}; choose {self._choices()}", context)

    def invoke(self, context: click.Context) -> Any:
        """Run the action. Raises UsageError for an option of another action, which it names."""
        try:
            return super().invoke(context)
        except click.NoSuchOption as error:
            owners = [
                f"{self.name} {name}"
                for name, action in self.commands.items()
                if any(error.option_name in parameter.opts for parameter in action.params)
            ]
            if not owners or error.ctx is None:
                raise
            raise click.UsageError(
                f"{error.option_name} is not an option of '{self.name} {error.ctx.info_name}'; "
                f"it is an option of {enumeration([*map(repr, owners)])}",
                error.ctx,
            ) from error

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The actions and options that start with what was typed."""
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=summary)
            for name, summary in self.summaries()
            if name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, context, incomplete)]

    def summaries(self) -> list[tuple[str, str]]:
        """The name and the first line of help of each action."""
        return [(name, (action.help or "").split("\n\n")[0]) for name, action in self.commands.items()]

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the actions, then the options of the default action, then the common ones."""
        default = self.default.name if self.default else None
        with formatter.section("Actions"):
            formatter.write_dl(
                [(f"{name} (default)" if name == default else name, text) for name, text in self.summaries()]
            )
        super().format_options(context, formatter)
