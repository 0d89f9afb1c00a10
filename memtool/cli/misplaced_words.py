"""What misplaced or missing words of a command line were meant for; imported only for errors."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

import click

from memtool.cli.other_names import call_for_id
from memtool.cli.times import day_form, duration_form

_OPTIONS_FOR_WORDS = {
    "forget": "--match",
    "log": "--path",
    "facts list": "--category",
    "facts top": "--category",
    "context": "--prompt",
    "session-end": "--session",
    "session start": "--session",
    "replay": "--this-session --session",
}
"""For commands without arguments, the option that a word was probably meant for."""
_ADVICE_FOR_WORDS = {
    "mcp serve": "to start the server, run memtool mcp without an argument",
    "mcp start": "to start the server, run memtool mcp without an argument",
    "mcp install": "memtool mcp --config CLIENT prints the settings to add to the client's configuration",
}
"""For commands without arguments, what to say of a word of another program."""
_LAST_WORDS = frozenset({"last", "latest", "newest", "recent"})
_DAY_WORDS = frozenset({"today", "yesterday"})
_SPAN_OPTIONS = {
    "--before": day_form,
    "--since": day_form,
    "--until": day_form,
    "--idle": duration_form,
    "--if-idle": duration_form,
}
"""The options that take an age or a duration, each with the function that makes `2w` of `2 weeks`."""
TEXT_OPTIONS = ("message", "user_text")
"""Names of the parameters that take the text that other commands read from a file."""
OWN_TEXT_OPTIONS = (*TEXT_OPTIONS, "prompt", "body")
"""Names of the parameters of options whose value is the text that a command otherwise reads from stdin."""
_WORD_ARGUMENTS = ("words", "query", "text")
"""Names of the parameters that take text as arguments."""
_ACTION_WORD = re.compile("[a-z]+(?:[-_][a-z]+)*")
"""What an action's name looks like; any other word cannot be a misspelt action."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)


def surplus_arguments(message: str, context: click.Context) -> str | None:
    """The sentence for click's message on arguments that the command does not take; None for others."""
    extra = _EXTRA.match(message)
    if extra is None:
        return None
    command = command_name(context)
    if command != "context" and (call := call_for_id(extra[1])):
        if command == "forget":
            call = call.replace("facts show", "facts forget")
        return f"unexpected argument {extra[1]!r}; if this is an id, run: memtool {call}"
    if command == "forget" and extra[1] in _LAST_WORDS:
        return f"unexpected argument {extra[1]!r}; to undo the last change, run: memtool undo"
    if advice := _ADVICE_FOR_WORDS.get(f"{command} {extra[1]}"):
        return f"unexpected argument {extra[1]!r}; {advice}"
    is_several = "arguments" in message[: extra.start(1)]
    words = f"arguments: {extra[1]}" if is_several else f"argument {extra[1]!r}"
    option = _option_for_words(extra[1], context)
    if folders := _workspaces(extra[1]) if option is None else []:
        path = shlex.quote(folders[0])
        each = "run the command once for each workspace" if is_several else "to use this workspace, run"
        return f"unexpected {words}; {each}: memtool --root {path} {command}"
    hint = f" (did you mean {option}?)" if option else ""
    if not option and command.startswith("facts "):
        hint = f"; to search facts, run: memtool recall {shlex.quote(extra[1])}"
    text = f"{context.params.get('path') or ''} {extra[1]}".strip()
    if not option and command == "get" and not re.search(r"\w[./]\w", text):  # else they are paths
        hint = f"; to search for text, run: memtool search {shlex.quote(text)}"
    return f"unexpected {words}{hint}; usage: {usage(context)}"


def _workspaces(words: str) -> list[str]:
    """The surplus arguments, if each of them is the folder of a workspace; else none."""
    folders = [words] if os.path.isdir(words) else words.split()
    return folders if all(map(_is_workspace, folders)) else []


def _is_workspace(folder: str) -> bool:
    """Whether a folder is a workspace of its own, not a part of one that only looks like a layout."""
    from memtool.store.root import WORKSPACE_FILE, enclosing_workspace, is_workspace

    has_settings = os.path.isfile(os.path.join(folder, WORKSPACE_FILE))
    return has_settings or (is_workspace(folder) and enclosing_workspace(folder) is None)


def _option_for_words(words: str, context: click.Context) -> str | None:
    """The option, with its value as far as it is known, that surplus arguments were probably meant for."""
    command = command_name(context)
    if option := _span_option(words.partition(" ")[0], context) or _option_of_value(words, context):
        return option
    if command in {"forget", "replay"} and words in _DAY_WORDS:
        return None
    if command in {"facts list", "facts top"} and not _is_category(words, context):
        return None
    if command == "migrate":
        from difflib import get_close_matches

        from memtool.store.root import describe_layouts

        layouts = [name for name, _, _ in describe_layouts()]
        near = [name for word in words.split() for name in get_close_matches(word, layouts, n=1)]
        return f"--to {near[-1]}" if near else None
    is_file = command == "forget" and os.path.isfile(words)
    name = "--source" if is_file else _OPTIONS_FOR_WORDS.get(command)
    if command == "forget" and not is_file and _is_user(words, context):
        return f"--user {words}, which removes all memory of this user, or --match {words}"
    return name and f"{name} {shlex.quote(words)}"


def _is_category(word: str, context: click.Context) -> bool:
    """Whether facts have this category; false where the workspace cannot be opened."""
    from memtool.errors import MemtoolError
    from memtool.verbs.facts.facts import unknown_category

    try:
        return not unknown_category(context.obj.visible_workspace, word, context.obj.now)
    except MemtoolError:
        return False


def _is_user(word: str, context: click.Context) -> bool:
    """Whether memory names a user with this id; false where the workspace cannot be opened."""
    from memtool.errors import MemtoolError
    from memtool.verbs.completion.completion import owners

    try:
        return word in {offer.value for offer in owners(context.obj.visible_workspace, "user", None)}
    except MemtoolError:
        return False


def _option_of_value(words: str, context: click.Context) -> str | None:
    """The option that has one of the surplus arguments as its name, or takes it as its value; else None."""
    for word in words.split():
        if found := _option_of_word(word, context):
            return found
    return None


def _option_of_word(word: str, context: click.Context) -> str | None:
    own: Iterable[click.Parameter] = getattr(context.command, "own_parameters", ())
    names = {max(option.opts, key=len): option for option in own if isinstance(option, click.Option)}
    for name, option in names.items():
        if isinstance(option.type, click.Choice) and word in option.type.choices:
            return f"{name} {word}"
        if name == f"--{word}" and option.is_flag:
            return name
        form = _SPAN_OPTIONS.get(name)
        if form is not None and (value := str(form(word))):
            return f"{name} {value}"
        if form is day_form and name == "--since" and word in _DAY_WORDS:
            return f"{name} {word}"
        if form is day_form and _DAY.fullmatch(word):
            return f"{name} {word}"
    if "--seq" in names and re.fullmatch(r"\d{1,18}", word):
        last = "turn" if word == "1" else f"{word} turns"
        return f"-n {word} for the last {last}, or --seq {word} for turn {word}"
    if "--limit" in names and word in _LAST_WORDS:
        return "-n 1"
    if "--limit" in names and re.fullmatch(r"[1-9]\d{0,17}", word):
        return f"-n {word}"
    ranges = [name for name in ("--seq", "--lines") if name in names]
    if ranges and re.fullmatch(r"\d+(?:[:-]\d+)?", word):
        return f"{ranges[0]} {word.replace('-', ':')}"
    return None


def _span_option(unit: str, context: click.Context) -> str | None:
    """The option whose value was split: `--before 2w` for `--before 2 weeks`; None where none was."""
    for option in context.command.params:
        name = max(option.opts, key=len)
        form, number = _SPAN_OPTIONS.get(name), context.params.get(option.name or "")
        if form is not None and isinstance(number, str) and (value := form(f"{number} {unit}")):
            return f"{name} {value}"
    return None


def command_name(context: click.Context) -> str:
    """The command and its action: `facts list`; empty for memtool itself."""
    return context.command_path.partition(" ")[2]


def usage(context: click.Context) -> str:
    """The usage of a command: `memtool note mv [OPTIONS] NOTE [TARGET]`."""
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def takes_words(command: click.Command, *, first: bool = False) -> bool:
    """Whether a command takes text as any number of arguments; with `first`, only if they are the first."""
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    return any(
        argument.nargs == -1 and argument.name in _WORD_ARGUMENTS
        for argument in (arguments[:1] if first else arguments)
    )


def call_with_dashes(context: click.Context, arguments: Sequence[str]) -> str:
    """The call with its options first and its text after `--`: `memtool save --dry-run -- '-5 degrees'`."""
    options: list[str] = []
    words: list[str] = []
    rest = [*arguments]
    while rest:
        argument = rest.pop(0)
        option = _option_called(argument.partition("=")[0], context)
        (words if option is None else options).append(argument)
        if option is not None and not option.is_flag and "=" not in argument:
            options += rest[:1]
            rest = rest[1:]
    return f"{context.command_path} {shlex.join([*options, '--', *words])}"


def late_options(context: click.Context, arguments: Sequence[str]) -> Iterator[str]:
    """A sentence for each option that follows `--` and a text, where it is part of the text."""
    words = arguments[arguments.index("--") + 2 :] if takes_words(context.command) else ()
    for word in words:
        if _option_called(word, context):
            yield f"{word} follows -- and was taken as text; give the option before --"


def _option_called(name: str, context: click.Context) -> click.Option | None:
    for parameter in context.command.get_params(context):
        if isinstance(parameter, click.Option) and name in (*parameter.opts, *parameter.secondary_opts):
            return parameter
    return None


def call_for_value(group: click.Group, word: str, rest: Sequence[str]) -> str | None:
    """The call of the action that a value lacks: `rules add 'Answer in German'`, or `learn ACTION 'a b'`.

    It is the action that follows the value, at the start of `rest`, if there is one. None for a word that may
    be a misspelt action, and where no action takes the value.
    """
    if rest and rest[0] in group.commands:
        return f"{group.name} {shlex.join([rest[0], word, *rest[1:]])}"
    if group.name == "quarantine" and not word.endswith(".json"):
        return None  # it has only turn files
    taking = [name for name, action in group.commands.items() if word in _choices(action)]
    if not taking and not _ACTION_WORD.fullmatch(word):
        if any(character.isspace() for character in word):
            taking = [name for name, action in group.commands.items() if takes_words(action, first=True)]
        else:
            taking = [name for name in ("show", "view") if name in group.commands]
    named = taking[0] if len(taking) == 1 else "ACTION"
    return f"{group.name} {named} {shlex.quote(word)}" if taking else None


def _choices(command: click.Command) -> list[str]:
    """The values of a command's first argument, if only certain values are allowed."""
    first = next((each for each in command.params if isinstance(each, click.Argument)), None)
    return list(first.type.choices) if first is not None and isinstance(first.type, click.Choice) else []


def ways_to_give_text() -> str:
    """How to give text to the command that got none, such as `run memtool save TEXT, or pipe …`."""
    context = click.get_current_context(silent=True)
    command = context.command if context else click.Command(None)
    options = [option for option in command.params if option.name in OWN_TEXT_OPTIONS]
    ways = [f"{max(option.opts, key=len)} TEXT" for option in options]
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    if context and any("|-" in argument.make_metavar(context) for argument in arguments):
        given = [context.params.get(argument.name or "") for argument in arguments]
        names = [argument.make_metavar(context) for argument in arguments]
        ways.append(
            " ".join(
                shlex.quote(value) if isinstance(value, str) else re.sub(r"[][.]|\|-", "", name)
                for value, name in zip(given, names, strict=True)
            )
        )
    if context is None or not ways:
        return "pipe the text to stdin"
    calls = " or ".join(f"{context.command_path} {way}" for way in ways)
    return f"run {calls}, or pipe the text to the command"
