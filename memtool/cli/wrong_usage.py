"""What was probably meant by a wrong command line; imported only for the error message."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from memtool.cli.misplaced_words import (
    TEXT_OPTIONS,
    call_with_dashes,
    command_name,
    surplus_arguments,
    takes_words,
    usage,
)
from memtool.cli.options import ARGUMENTS
from memtool.cli.other_calls import call_with_rest, redo_advice
from memtool.cli.other_names import (
    COMMAND_ADVICE,
    MIN_SIMILARITY,
    OTHER_NAMES,
    call_in_reverse,
    sentence_advice,
    similar_choice,
)
from memtool.cli.other_options import option_habit
from memtool.cli.table import COMMANDS
from memtool.cli.times import day_form
from memtool.core.text.enumeration import enumeration
from memtool.errors import UnreadableFile
from memtool.store.root import unexpanded

_FILE_FAULTS = (": No such file", ": Is a directory", ": Not a directory")
"""The reasons for which a file cannot be opened if its path was mistyped."""
_SHORT = len("--on")
"""Length of an option's name up to which a longer name is unlikely to be a form of it."""
_MOST_OPTIONS_NAMED = 8
"""The most options of a command that the message on an unknown option lists."""
_MIN_LIKENESS = 0.7
"""The least similarity of a command that is suggested for an unknown one."""
_LISTED = {"ID": "ids", "PATH": "paths", "SESSION": "sessions", "KEY": "settings"}
"""What the action `list` of a command prints that is the value of a missing argument."""
_NO_COMMAND = "Missing command."
_GIVEN = re.compile(r"(.*?) is not (?:one of|in the range|a valid)", re.DOTALL)
"""How click begins the message on a refused value."""


def unknown_command(context: click.Context, name: str, rest: Sequence[str] = ()) -> click.UsageError:
    """The error for a command that does not exist, with the one that was probably meant; `rest` follows."""
    if name.startswith("-"):
        return click.NoSuchOption(name, ctx=context)
    if taken := _command_as_value(context):
        return click.UsageError(f"{taken} {name}", context)
    lower = name.lower().replace("_", "-")
    if rest and (call := call_in_reverse(lower, rest, partial(_actions, context))):
        meant = f": memtool {call}" if "'" in call else f" 'memtool {call}'"
        return click.UsageError(f"No such command {name!r} (did you mean{meant}?)", context)
    if other := lower if lower in COMMANDS else OTHER_NAMES.get(lower):
        call = call_with_rest(context, other, rest)
        meant = f": memtool {call}" if "'" in call else f" 'memtool {call}'"
        return click.UsageError(f"No such command {name!r} (did you mean{meant}?)", context)
    if advice := redo_advice(context) if lower == "redo" else COMMAND_ADVICE.get(lower):
        return click.UsageError(f"No such command {name!r}; {advice}", context)
    if " " in name.strip():
        first = name.split(maxsplit=1)[0]
        hint = (
            "remove the quotes around the command"
            if first in COMMANDS
            else "to save text, run memtool save TEXT; to search for text, run memtool search TEXT"
        )
        return click.UsageError(f"No such command {name!r}; {hint}", context)
    from difflib import get_close_matches

    if near := get_close_matches(lower, COMMANDS, n=2, cutoff=_MIN_LIKENESS):
        near_by = " or ".join(f"'memtool {command}'" for command in near)
        return click.UsageError(f"No such command {name!r} (did you mean {near_by}?)", context)
    return click.UsageError(f"No such command {name!r}", context)


def _actions(context: click.Context, name: str) -> list[str]:
    """The names of the actions of a command; none of another command, or of a word that is none."""
    command = context.command.get_command(context, name) if isinstance(context.command, click.Group) else None
    return [*command.commands] if isinstance(command, click.Group) else []


def _command_as_value(context: click.Context) -> str | None:
    """What to say where an option before the command took the command's name as its value; else None."""
    for option in context.command.params:
        value = context.params.get(option.name or "") or getattr(context.obj, "given", {}).get(option.name)
        if isinstance(value, str) and value in COMMANDS:
            taken = max(option.opts, key=len)
            usage = f"memtool {taken} VALUE {value}"
            return f"{value!r} was taken as the value of {taken}; give {taken} a value: {usage}"
    return None


def exit_code(error: click.ClickException) -> int:
    """The exit code of a click error; for a file that exists and cannot be read, that of UnreadableFile."""
    return UnreadableFile.exit_code if _is_unreadable_file(error) else error.exit_code


def _is_unreadable_file(error: click.ClickException) -> bool:
    if not (isinstance(error, click.BadParameter) and error.param is not None):
        return False
    if not isinstance(error.param.type, click.File):
        return False
    return not any(reason in error.message for reason in _FILE_FAULTS)


def usage_sentence(error: click.ClickException) -> str:
    """A click error as one sentence: what is wrong, what is allowed, and which --help explains it."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    text = (_explanation(error, context) if context else None) or _one_line(error.format_message())
    if context and "; usage: " not in text and not _is_unreadable_file(error):
        text += f"; see {context.command_path} --help"
    return text[:1].lower() + text[1:]


def _one_line(message: str) -> str:
    text = re.sub(r"\n\s*", " ", message.strip().rstrip("."))
    return re.sub(r"[.]? \(?Did you mean (?:one of: )?(.*?)\?\)?$", r" (did you mean \1?)", text)


def _explanation(error: click.ClickException, context: click.Context) -> str | None:
    """The sentence for an error that can be said better than click does; None for others."""
    if isinstance(error, click.NoSuchOption):
        given = "-help" if "-help" in context.meta.get(ARGUMENTS, ()) else error.option_name
        return f"no such option {given!r}{_option_hint(error, context)}"
    if isinstance(error, click.BadOptionUsage) and error.message.endswith("requires an argument."):
        return _missing_value(error.option_name, context)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        if isinstance(error.param.type, click.Choice):
            name = error.param.human_readable_name
            return f"missing argument {name}; choose {enumeration([*error.param.type.choices], 'or')}"
        if command_name(context) == "config set" and (key := str(context.params.get("name"))).count("=") == 1:
            return f"missing argument VALUE (did you mean: memtool config set {shlex.join(key.split('='))}?)"
        is_option = isinstance(error.param, click.Option)
        name = max(error.param.opts, key=len) if is_option else error.param.human_readable_name
        missing = f"missing {'option' if is_option else 'argument'} {name}"
        return f"{missing}{_where_listed(name, context)}; usage: {usage(context)}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _bad_value(error.message.rstrip("."), error.param, context)
    if error.message == _NO_COMMAND and (taken := _command_as_value(context)):
        return taken
    return surplus_arguments(error.message, context)


def _where_listed(name: str, context: click.Context) -> str:
    """Which action lists the values that an argument may have, after a semicolon; "" where none does."""
    group = context.parent.command if context.parent else None
    listed = _LISTED.get(re.split(r"[|.]", name)[0])
    if listed and isinstance(group, click.Group) and "list" in group.commands:
        return f"; memtool {group.name} list prints the {listed}"
    return ""


def _option_hint(error: click.NoSuchOption, context: click.Context) -> str:
    """What to type instead of an unknown option: one that is meant or spelt alike, else those that exist."""
    given, command = error.option_name, context.command
    name = given
    if given == "-?" or "-help" in context.meta.get(ARGUMENTS, ()):
        return " (did you mean '--help'?)"
    if given.startswith("--"):  # --topK and --top_k are other programs' spellings of --top-k
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", given).lower().replace("_", "-")
    if name != given and any(name in parameter.opts for parameter in command.params):
        return f" (did you mean {name!r}?)"
    if habit := option_habit(name, context):
        return f" ({habit})" if habit.endswith("?") else f"; {habit}"
    if action := _action_named(name, context):
        return f" (did you mean 'memtool {action}'?)"
    near = [
        option
        for option in error.possibilities or ()
        if _is_similar(name, option)
        or option.startswith(f"{name}-")
        or (len(option) > _SHORT and name.startswith(option))
    ]
    if near:
        return f" (did you mean {enumeration([repr(option) for option in near], 'or')}?)"
    if _is_option_of_command(name, context):
        return f"; it belongs after the command: memtool COMMAND {name}"
    if not name.startswith("--") and takes_words(command):
        call = call_with_dashes(context, context.meta.get(ARGUMENTS, ()))
        return f"; if your text begins with '-', put '--' before it: {call}"
    if context.parent is None or isinstance(command, click.Group):
        return ""
    own = [
        max(parameter.opts, key=len)
        for parameter in getattr(command, "own_parameters", ())
        if isinstance(parameter, click.Option) and not parameter.hidden
    ]
    if len(own) > _MOST_OPTIONS_NAMED:
        return ""
    names = enumeration(own) or "no options of its own"
    return f"; {context.command_path} takes {names}"


def _missing_value(name: str, context: click.Context) -> str | None:
    """The sentence for an option that ends the command line without its value."""
    commands = [context.command]
    if context.parent is not None and isinstance(context.command, click.Group):
        commands += context.command.commands.values()
    for parameter in (parameter for command in commands for parameter in command.params):
        if name in parameter.opts:
            if isinstance(parameter.type, click.Choice):
                return f"{name} needs a value; choose {enumeration([*parameter.type.choices], 'or')}"
            return f"{name} needs a value: {context.command_path} {name} {parameter.make_metavar(context)}"
    return None


def _action_named(option: str, context: click.Context) -> str | None:
    """The command or action that an option is named like: `rules add` for `memtool rules --add`.

    For an option of a command, another command counts only by its exact name.
    """
    groups = (context, context.parent) if option.startswith("--") else ()
    for each in groups:
        if each is not None and isinstance(each.command, click.Group):
            word, names = option.removeprefix("--"), each.command.list_commands(each)
            is_exact = each is not context and each.parent is None
            name = similar_choice(word, names) if not is_exact else word if word in names else None
            return name and " ".join(filter(None, (command_name(each), name)))
    return None


def _is_option_of_command(option: str, context: click.Context) -> bool:
    """Whether an option that stands before the command is one of some command."""
    group = context.command
    if context.parent is not None or not isinstance(group, click.Group):
        return False
    commands = (group.get_command(context, name) for name in COMMANDS)
    return any(option in parameter.opts for command in commands if command for parameter in command.params)


def _bad_value(message: str, parameter: click.Parameter, context: click.Context) -> str | None:
    """The sentence for a value that a parameter's type refused; None where click's is used."""
    given = _GIVEN.match(message)
    value = given[1] if given else ""
    is_option = isinstance(parameter, click.Option)
    name = max(parameter.opts, key=len) if is_option else parameter.human_readable_name
    match parameter.type:
        case click.Choice(choices=choices) if value:
            if is_option:
                start = value.strip("'\"") + "-"
                near = [choice for choice in choices if choice.startswith(start)]
                hint = f" (did you mean {enumeration(near, 'or')}?)" if near else ""
                return f"{name} must be {enumeration(choices, 'or')}, not {value}{hint}"
            return _bad_choice(value, list(choices), context)
        case click.IntRange() | click.FloatRange() | click.types.IntParamType() if value:
            names = " or ".join(parameter.opts) if is_option else name
            return (
                f"{names} must be {_numbers(parameter.type)}, not {value}{_digits(value, parameter.metavar)}"
            )
        case click.File() if opening := re.match(r"(?s)('.*'|\".*\"): (.*)", message):
            return _bad_file(opening[1], opening[2], None if is_option else context)
    return None


def _bad_file(name: str, reason: str, context: click.Context | None) -> str:
    """The sentence for a file that cannot be opened; for an argument of `context`, with how to give text."""
    if reason.startswith("No such file"):
        if fault := unexpanded(name[1:-1]):
            return f"no such file; {fault}"
        if context and (call := _call_with_quotes(context)):
            return f"no such file: {name}; put the text in quotes: {call}"
        if context and (advice := sentence_advice(command_name(context), name[1:-1])):
            return f"no such file: {name}; {advice}"
        near = similar_path(name[1:-1])
        for option in context.command.params if context and not near else ():
            if context and option.name in TEXT_OPTIONS:
                text = name if " " in name else "TEXT"
                if "--agent-text" in {each for other in context.command.params for each in other.opts}:
                    text = _both_texts(context, name)
                return (
                    f"no such file: {name}; to give text instead of a file, run: "
                    f"{context.command_path} {option.opts[0]} {text}"
                )
        if context and " " in name and not near:
            return f"no such file: {name}; to give text instead of a file, pipe it to {context.command_path}"
        return f"no such file: {name}{near}"
    if reason.startswith("Is a directory"):
        return f"{name} is a folder, not a file"
    return f"{name} cannot be read: {reason[:1].lower()}{reason[1:]}"


def _call_with_quotes(context: click.Context) -> str | None:
    """The call whose text was split into words: `memtool scan -m 'My name is Bob'`; None for other calls."""
    arguments = context.meta.get(ARGUMENTS, ())
    for option in context.command.params:
        for name in option.opts if option.name in TEXT_OPTIONS else ():
            if name in arguments:
                before, words = arguments[: arguments.index(name)], arguments[arguments.index(name) + 1 :]
                rest = next((index for index, word in enumerate(words) if word[:1] == "-"), len(words))
                text = " ".join(words[:rest])
                return f"{context.command_path} {shlex.join([*before, name, text, *words[rest:]])}"
    return None


def _both_texts(context: click.Context, name: str) -> str:
    """The texts of both sides of an exchange, as options without the first one's name.

    They are the words of a call with two words, else the quoted `name`, of which the agent's text may miss.
    """
    words = [*context.meta.get(ARGUMENTS, ())]
    if len(words) == 2 and not any(word[:1] == "-" for word in words):
        return f"{shlex.quote(words[0])} --agent-text {shlex.quote(words[1])}"
    return name if " " in name else "TEXT"


def similar_path(path: str) -> str:
    """The question whether a similar name in the folder of a missing path was meant; "" if there is none.

    A name with a digit is like no other: a daily note stands for no other day. A group is told no names.
    """
    from difflib import get_close_matches

    folder, name = os.path.split(path.rstrip("/"))
    if os.environ.get("MEMTOOL_GROUP") or any(character.isdigit() for character in name):
        return ""
    try:
        names = {other.lower(): other for other in os.listdir(folder or ".") if other[:1] != "."}
    except OSError:
        return ""
    near = [other for other in names if os.path.splitext(other)[0] == name.lower()]
    near = near or get_close_matches(name.lower(), names, n=1, cutoff=MIN_SIMILARITY)
    return f" (did you mean {os.path.join(folder, names[near[0]])!r}?)" if near else ""


def _bad_choice(value: str, choices: Sequence[str], context: click.Context) -> str:
    """The sentence for a word that is none of the choices, with the one that was probably meant."""
    near = similar_choice(value.strip("'\""), choices)
    hint = f" (did you mean '{context.command_path} {near}'?)" if near else ""
    return f"{value} is not one of {', '.join(choices)}{hint}"


def _is_similar(option: str, other: str) -> bool:
    """Whether two options are spelt alike; their dashes do not count: --force is not like --forget."""
    from difflib import SequenceMatcher

    if sorted(option) == sorted(other):  # --hlep
        return True
    return SequenceMatcher(None, option.lstrip("-"), other.lstrip("-")).ratio() >= MIN_SIMILARITY


def _digits(value: str, metavar: str | None) -> str:
    """How a number with a suffix or separator is written: `; write 8000` for 8k; "" for others."""
    given = value.strip("'\"")
    if metavar == "DAYS" and (days := day_form(given)).endswith("d"):
        return f"; write {days[:-1]}"
    if short := re.fullmatch(r"(\d{1,9})[kK]", given):
        return f"; write {int(short[1]) * 1000}"
    separated = re.fullmatch(r"\d{1,3}(?:[,. ]\d{3})+", given)
    return f"; write {re.sub(r'[,. ]', '', given)}" if separated else ""


def _numbers(kind: click.ParamType[Any]) -> str:
    """The numbers that a type takes."""
    noun = "a number" if isinstance(kind, click.FloatRange) else "a whole number"
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    if least is not None and most is not None:
        return f"{noun} from {least} to {most}"
    return noun if least is None else f"{noun} ({least} or more)"
