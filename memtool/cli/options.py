"""The click command class of memtool, and the options that every command takes, before or after its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import click

from memtool.cli import output
from memtool.cli.session import Session
from memtool.cli.terminal import terminal_columns, wrap

_NO_LIMIT = 2**31 - 1
_LEAST_CLICK_COLUMNS = 52
"""The fewest columns of a terminal in which help of click's own width fits."""
_COMMENT = " {2,}(?=[^ ])"
"""The blanks between an example and its comment."""
REDACT_OPTION = click.option(
    "--redact/--no-redact", default=True, help="Replace secrets with [REDACTED:kind] [default: redact]"
)
EMBEDDER_OPTION = click.option(
    "--embedder",
    metavar="CMD",
    help="Command that computes embeddings [default: the setting embedder, else a local model]",
)
MODE_OPTION = click.option(
    "--mode",
    type=click.Choice(["lexical", "semantic", "hybrid"]),
    help="Rank by words, by meaning, or by both [default: the setting search.mode]",
)
_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
HIDE_COMMON = "memtool.own-alone"
"""Key in a context's `meta`: if set, help leaves out the common options."""
SHOW_PLUMBING = "memtool.plumbing"
"""Key in a context's `meta`: if set, the help of `memtool` also lists the plumbing commands."""
ARGUMENTS = "memtool.arguments"
"""Key in a context's `meta`: the arguments of the command."""
_TEXT_NAMES = ("TEXT", "QUERY", "TITLE", "VALUE", "JSON")
"""Parts of the metavars of values that may be empty, or whose commands report an empty value themselves."""


def _store_option(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    session = context.ensure_object(Session)
    if value == "":
        raise _empty_value(context, parameter)
    if value is not None and value is not False and value != 0 and parameter.name:
        if isinstance(value, str):
            check_given_once(max(parameter.opts, key=len), [session.given.get(parameter.name, value), value])
        session.given[parameter.name] = value
    return value


def common_options(session: str = "") -> list[click.Parameter]:
    """Fresh instances of the common options, in the order of the help page, with this help of --session."""
    rows: list[tuple[Sequence[str], dict[str, Any]]] = [
        (
            ["--root"],
            {
                "metavar": "DIR",
                "help": "Workspace folder [default: the nearest one, from the current directory upwards] "
                "[env: MEMTOOL_ROOT]",
            },
        ),
        (
            ["--layout"],
            {
                "metavar": "NAME",
                "help": "Layout of the workspace [default: the setting layout, else detected]",
            },
        ),
        (["--json"], {"is_flag": True, "help": "Print JSON Lines instead of text"}),
        (["--dry-run"], {"is_flag": True, "help": "Show what would be written; write nothing"}),
        (
            ["--incognito"],
            {"is_flag": True, "help": "Write nothing, not even indexes [env: MEMTOOL_MODE=incognito]"},
        ),
        (
            ["--user"],
            {
                "metavar": "ID",
                "help": "User whose memory to read or write [default: MEMTOOL_USER, else all users]",
            },
        ),
        (
            ["--session"],
            {
                "metavar": "ID",
                "help": session or "Session to record in new entries [default: MEMTOOL_SESSION, else none]",
            },
        ),
        (["-q", "--quiet"], {"is_flag": True, "help": "Print only errors and requested data"}),
        (["-v", "--verbose"], {"is_flag": True, "help": "Print more messages on stderr"}),
    ]
    return [click.Option(names, expose_value=False, callback=_store_option, **more) for names, more in rows]


@cache
def help_option(names: tuple[str, ...]) -> click.Option | None:
    """The option --help, printed through `output`, which handles closed pipes and full disks.

    The same names always give the same option, because click compares options by identity. click's own option
    is not used, because it imports `locale` to translate its help. None if there are no names.
    """
    if not names:
        return None
    return click.Option(
        names, is_flag=True, is_eager=True, expose_value=False, callback=_print_help,
        help="Show this message and exit",
    )  # fmt: skip


def _print_help(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        output.put_text(context.get_help(), "\n")
        context.exit()


def version_option(text: str) -> click.Option:
    """An option --version that prints a text."""

    def show(context: click.Context, _: click.Parameter, value: bool) -> None:
        if value and not context.resilient_parsing:
            output.put(text)
            context.exit()

    return click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=show,
        help="Show the version and exit",
    )  # fmt: skip


class LimitType(click.IntRange):
    """A click type for limits; a number above 2**31 - 1 is taken as that, which means no limit."""

    name = "integer"  # for the message on a value that is no number

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, at most 2**31 - 1."""
        return min(super().convert(value, param, ctx), _NO_LIMIT)


idle_option = click.option(
    "--idle",
    metavar="SPAN",
    default="30m",
    help="End sessions that have been idle for SPAN, such as 90s or 2h [default: 30m]",
)


def limit_option(default: int | None = None, *, of: str = "no limit") -> _Decorator:
    """The option -n/--limit, which has one meaning everywhere: the most records that are printed.

    Where `default` is None, `of` says in the help what applies without the option.
    """
    return click.option(
        "-n",
        "--limit",
        metavar="N",
        type=LimitType(min=1),
        default=default,
        help=f"Print at most N records [default: {default or of}]",
    )


_SINGLE_OPTIONS = {"--root", "--layout", "--user", "--session", "--group"}
_SINGLE_OPTIONS |= {"--message", "--user-text", "--agent-text"}


def check_given_once(option: str, values: Sequence[str]) -> None:
    """Raise UsageError where an option that has a text, or says whose memory is meant, has different values.

    Of other options the last value holds, so that a call can override those of an alias.
    """
    given = [*dict.fromkeys(values)]
    if option in _SINGLE_OPTIONS and len(given) > 1:
        advice = "run the command once for each workspace" if option == "--root" else "give it only once"
        raise click.UsageError(f"{option} was given as {given[0]!r} and as {given[1]!r}; {advice}")


def check_separate(values: Sequence[str], option: str) -> None:
    """Raise UsageError where one value of a repeatable option is a list of several, between commas."""
    for value in values:
        if "," in value:
            repeated = " ".join(f"{option} {word.strip()}" for word in value.split(",") if word.strip())
            raise click.UsageError(f"{option} takes one value, not {value!r}; repeat the option: {repeated}")


def output_format(session: Session, chosen: str | None, default: str) -> str:
    """The value of a command's --format, of which `json` is the same as --json.

    Raises UsageError where --json is given with another format.
    """
    if session.json and chosen not in {None, "json"}:
        raise click.UsageError(f"--json and --format {chosen} cannot be combined")
    if chosen == "json":
        session.given["json"] = True
    return "json" if session.json else chosen or default


def _file_names(value: Any) -> list[str]:
    """The name of the file that an argument opened; empty for stdin and for values that are not files."""
    name = getattr(value, "name", None)
    return [name] if isinstance(name, str) and name != "<stdin>" else []


def _journal_name(context: click.Context) -> str:
    """The command line for the journal: its name, action and flags, without any value that a user gave."""
    return " ".join([*command_words(context), *_choices_and_flags(context)])


def command_words(context: click.Context) -> list[str]:
    """The name of the command, and of its action if it has one: `["facts", "list"]`."""
    above = command_words(context.parent) if context.parent else None
    return [] if above is None else [*above, str(context.info_name)]


def _choices_and_flags(context: click.Context) -> Iterator[str]:
    for parameter in context.command.params:
        name = str(parameter.name)
        if isinstance(parameter, click.Argument) and isinstance(parameter.type, click.Choice):
            if (choice := context.params.get(name)) is not None:
                yield str(choice)
        elif (
            isinstance(parameter, click.Option)
            and parameter.is_flag
            and parameter.expose_value
            and context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        ):
            yield max(parameter.opts, key=len)


@contextmanager
def name_command(context: click.Context) -> Iterator[None]:
    """Give a usage error that names no command this one, so that its message refers to the right help."""
    try:
        yield
    except click.UsageError as error:
        error.ctx = error.ctx or context
        raise


def _empty_value(context: click.Context, parameter: click.Parameter) -> click.UsageError:
    name = (
        max(parameter.opts, key=len)
        if isinstance(parameter, click.Option)
        else f"argument {parameter.human_readable_name}"
    )
    leave_out = "" if parameter.required else "leave it out, or "
    return click.UsageError(f"{name} is empty; {leave_out}give a value", context)


def _refuse_empty_values(context: click.Context, parameters: Iterable[click.Parameter]) -> None:
    """Raise UsageError for a name, path or time that is empty, such as that of an unset shell variable."""
    for parameter in parameters:
        name = parameter.name or ""
        value = context.params.get(name)
        is_given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if not is_given or "" not in (value if isinstance(value, tuple) else (value,)):
            continue
        is_text = any(word in (parameter.metavar or parameter.human_readable_name) for word in _TEXT_NAMES)
        if not is_text and getattr(parameter, "flag_value", None) != "":
            raise _empty_value(context, parameter)


def refuse_second_values(parser: Any) -> Any:
    """A parser of click that raises UsageError where a scope option is given two different values.

    It also takes `-m` directly as a short option; click would first make the error for an unknown long
    option, with similar names found by `difflib`, which takes 4 ms.
    """
    process = parser._process_opts

    def process_option(argument: str, state: Any) -> None:
        is_short = argument in parser._short_opt and argument not in parser._long_opt
        (parser._match_short_opt if is_short else process)(argument, state)

    parser._process_opts = process_option
    for name in _SINGLE_OPTIONS & parser._long_opt.keys():
        if (option := parser._long_opt[name]).action == "store":
            option.process = _refusing_others(name, option.process, option.dest)
    return parser


def _refusing_others(
    name: str, process: Callable[[Any, Any], None], key: str | None
) -> Callable[[Any, Any], None]:
    """A function that processes a value of an option, and raises UsageError for a second, different one."""

    def process_once(value: Any, state: Any) -> None:
        if isinstance(value, str):
            check_given_once(name, [state.opts.get(key, value), value])
        process(value, state)

    return process_once


class NarrowHelpFormatter(click.HelpFormatter):
    """A help formatter that also fits terminals of fewer than 52 columns; click writes at least 50."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        if width is None and output.on_terminal():
            columns = terminal_columns()
            width = columns - 2 if columns < _LEAST_CLICK_COLUMNS else None
        super().__init__(indent_increment, width, max_width)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a definition list, its first column at most a quarter of a narrow terminal."""
        super().write_dl(
            rows, col_max if self.width >= _LEAST_CLICK_COLUMNS - 2 else self.width // 4, col_spacing
        )


class HelpContext(click.Context):
    """A click context whose help fits a narrow terminal."""

    formatter_class = NarrowHelpFormatter


class MemtoolCommand(click.Command):
    """A click command with the common options, which it may describe or note as unused for --session."""

    context_class = HelpContext

    def __init__(self, *args: Any, session_note: str = "", session_help: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self.session_note = session_note
        self.own_parameters = tuple(self.params)
        self.common_options = common_options(session_help)
        self.params = [*self.params, *self.common_options]

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Parse the arguments; for shell completion, first attach what lists their values."""
        if context.resilient_parsing:
            from memtool.cli.completion.parameter_type import attach_listers

            attach_listers(self, command_words(context))
        context.meta[ARGUMENTS] = [*arguments]
        with name_command(context):
            rest = super().parse_args(context, arguments)
            if not context.resilient_parsing:
                _refuse_empty_values(context, self.own_parameters)
            return rest

    def make_parser(self, context: click.Context) -> Any:
        """The parser of the options; scope options refuse a second, different value."""
        return refuse_second_values(super().make_parser(context))

    def invoke(self, context: click.Context) -> Any:
        """Run the command, after checking that the acting group may read the files it was given."""
        session = context.ensure_object(Session)
        session.refuse_files([str(name) for value in context.params.values() for name in _file_names(value)])
        session.command = _journal_name(context)
        if self.session_note and session.given.get("session"):
            session.notice(f"--session has no effect on {session.command}; {self.session_note}")
        if "--" in context.meta[ARGUMENTS]:
            from memtool.cli.misplaced_words import late_options

            for notice in late_options(context, context.meta[ARGUMENTS]):
                session.notice(notice)
        return super().invoke(context)

    def get_help_option(self, context: click.Context) -> click.Option | None:
        """The option --help, printed through `output` like all data."""
        return help_option(tuple(self.get_help_option_names(context)))

    def own_options(self, context: click.Context) -> list[click.Parameter]:
        """The options of this command without the common ones."""
        options = [parameter for parameter in self.get_params(context) if isinstance(parameter, click.Option)]
        return [option for option in options if option not in self.common_options]

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write this command's own options, then the common ones unless HIDE_COMMON is set in the context."""
        common = [] if context.meta.get(HIDE_COMMON) else self.common_options
        for title, parameters in (("Options", self.own_options(context)), ("Common options", common)):
            rows = [row for parameter in parameters if (row := parameter.get_help_record(context))]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples line by line; one too wide for the terminal has its comment on the next line."""
        if self.epilog:
            with formatter.section("Examples"):
                for line in self.epilog.strip("\n").splitlines():
                    indent, example = " " * formatter.current_indent, line.strip()
                    if output.on_terminal() and len(indent) + len(example) > terminal_columns():
                        example, *comment = re.split(_COMMENT, example, maxsplit=1)
                        example = "\n".join(
                            [
                                example,
                                *(wrap(f"{indent}    ", text, terminal_columns(), 6) for text in comment),
                            ]
                        )
                    formatter.write(f"{indent}{example}\n")
