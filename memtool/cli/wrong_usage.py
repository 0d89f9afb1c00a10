"""What was probably meant by a wrong command line; imported only for the error message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import click

from memtool.cli.other_options import TEXT_OPTIONS, option_habit, takes_words
from memtool.cli.surplus_arguments import command_name, surplus_arguments, usage
from memtool.cli.table import COMMANDS
from memtool.errors import UnreadableFile

OTHER_NAMES = {
    "add": "save",
    "remember": "save",
    "store": "save",
    "write": "save",
    "put": "save",
    "new": "save",
    "insert": "save",
    "memorize": "save",
    "capture": "scan",
    "extract": "scan",
    "observe": "scan",
    "append": "append-daily",
    "daily": "append-daily",
    "journal": "append-daily",
    "diary": "append-daily",
    "find": "search",
    "grep": "search",
    "query": "search",
    "lookup": "search",
    "ask": "recall",
    "answer": "recall",
    "cat": "get",
    "show": "get",
    "read": "get",
    "print": "get",
    "view": "get",
    "open": "get",
    "ls": "status",
    "info": "status",
    "tree": "status",
    "list": "facts list",
    "fact": "facts",
    "rm": "forget",
    "remove": "forget",
    "delete": "forget",
    "del": "forget",
    "erase": "forget",
    "history": "replay",
    "turns": "replay",
    "messages": "replay",
    "chat": "replay",
    "changes": "log",
    "diff": "log --diff",
    "blame": "trace",
    "why": "trace",
    "source": "trace",
    "revert": "undo",
    "restore": "undo",
    "rollback": "undo",
    "check": "lint",
    "validate": "lint",
    "verify": "reindex --verify",
    "index": "reindex",
    "rebuild": "reindex",
    "health": "doctor",
    "diagnose": "doctor",
    "stat": "stats",
    "count": "stats",
    "summary": "stats",
    "settings": "config list",
    "set": "config set",
    "configure": "config",
    "create": "init",
    "setup": "init",
    "start": "init",
    "load": "import",
    "ingest": "import",
    "convert": "migrate",
    "upgrade": "migrate",
    "update": "save",
    "commit": "log",
    "redo": "undo ID",
    "export": "get",
    "move": "migrate",
    "mv": "note mv",
    "links": "note links",
    "notes": "note",
    "graph": "note graph",
    "inject": "context",
    "prompt": "context",
    "compress": "compact",
    "summarize": "compact",
    "summarise": "compact",
    "server": "mcp",
    "serve": "mcp",
    "daemon": "watch",
    "hooks": "hook",
    "install": "hook install",
    "uninstall": "hook uninstall",
    "rule": "rules",
    "correct": "learn",
    "error": "learn",
    "version": "--version",
    "man": "help --man",
    "usage": "--help",
}
"""Names that people try, from other programs, and what does it here."""
_SAME_ACTIONS = (
    {"add", "new", "create", "append", "write", "save", "make"},
    {"list", "ls", "all", "index"},
    {"show", "get", "cat", "view", "print", "read", "display", "open"},
    {"forget", "remove", "delete", "rm", "del", "drop", "archive", "purge", "uninstall"},
    {"mv", "move", "rename"},
    {"restore", "recover", "undo", "unarchive"},
    {"run", "start", "begin", "now", "on"},
    {"stop", "end", "off", "kill", "quit"},
    {"status", "state", "info", "check"},
    {"install", "enable", "setup"},
    {"approve", "accept", "confirm", "commit"},
    {"set", "change", "put", "edit", "update", "correct", "modify"},
    {"path", "file", "files", "where"},
)
"""Words for the same action of a command; of each set the command has at most a few."""
_OTHER_ACTIONS = {
    "facts add": "save",
    "facts save": "save",
    "facts new": "save",
    "facts search": "recall",
    "facts find": "recall",
    "fleet search": "search --fleet",
    "fleet find": "search --fleet",
    "fleet recall": "recall --fleet",
    "note list": "note links",
    "note search": "search",
    "note find": "search",
    "rules search": "search",
    "session end": "session-end",
    "session stop": "session-end",
    "hook run": "hook answer",
}
"""Actions that people try, and the command that does it."""
_INSTALLED_HOOKS = (
    "memtool doctor shows whether hooks are installed; memtool hook print AGENT prints the settings that "
    "memtool hook install AGENT adds"
)
_ACTION_ADVICE = {
    "hook list": _INSTALLED_HOOKS,
    "hook status": _INSTALLED_HOOKS,
    "note edit": "a note is a file: open it in an editor; memtool search --paths WORD prints its path",
    "note forget": (
        "a note is a file: remove it with rm; memtool note backlinks NOTE lists the links to the "
        "note, and memtool forget --source PATH removes the note and what was derived from it"
    ),
}
"""Actions, one of those with the same meaning, that no command does, and how it is done."""
_MIN_SIMILARITY = 0.8
"""Of an unknown option or choice and one that is suggested; click suggests some that share only dashes."""
_FILE_FAULTS = (": No such file", ": Is a directory", ": Not a directory")
"""Why a file cannot be opened that is not there: the path was mistyped."""
_NO_COMMAND = "Missing command."
_GIVEN = re.compile(r"(.*?) is not (?:one of|in the range|a valid)", re.DOTALL)
"""How click begins the message on a refused value."""


def unknown_command(context: click.Context, name: str) -> click.UsageError:
    """The error for a command that does not exist, with the one that was probably meant."""
    if name.startswith("-"):
        return click.NoSuchOption(name, ctx=context)
    if taken := _command_as_value(context):
        return click.UsageError(f"{taken} {name}", context)
    lower = name.lower().replace("_", "-")
    if other := lower if lower in COMMANDS else OTHER_NAMES.get(lower):
        return click.UsageError(f"No such command {name!r} (did you mean 'memtool {other}'?)", context)
    if " " in name.strip():
        first = name.split(maxsplit=1)[0]
        hint = (
            "remove the quotes around the command"
            if first in COMMANDS
            else "to save text, run memtool save TEXT; to search for text, run memtool search TEXT"
        )
        return click.UsageError(f"No such command {name!r}; {hint}", context)
    from difflib import get_close_matches

    if near := get_close_matches(lower, COMMANDS, n=2):
        near_by = " or ".join(f"'memtool {command}'" for command in near)
        return click.UsageError(f"No such command {name!r} (did you mean {near_by}?)", context)
    return click.UsageError(f"No such command {name!r}", context)


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
        near = [
            option
            for option in error.possibilities or ()
            if _is_similar(error.option_name, option) or option.startswith(f"{error.option_name}-")
        ]
        if habit := option_habit(error.option_name, context):
            hint = f" ({habit})" if habit.endswith("?") else f"; {habit}"
            return f"no such option {error.option_name!r}{hint}"
        if action := _action_named(error.option_name, context):
            return f"no such option {error.option_name!r} (did you mean 'memtool {action}'?)"
        hint = f" (did you mean {_alternatives([repr(option) for option in near])}?)" if near else ""
        if not near and _is_option_of_command(error.option_name, context):
            hint = f"; it belongs after the command: memtool COMMAND {error.option_name}"
        elif not near and not error.option_name.startswith("--") and takes_words(context.command):
            hint = f"; before text that begins with -, put --: {context.command_path} -- TEXT"
        return f"no such option {error.option_name!r}{hint}"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        if isinstance(error.param.type, click.Choice):
            name = error.param.human_readable_name
            return f"missing argument {name}; choose {_alternatives(error.param.type.choices)}"
        if command_name(context) == "config set" and (key := str(context.params.get("name"))).count("=") == 1:
            return f"missing argument VALUE (did you mean: memtool config set {key.replace('=', ' ')}?)"
        is_option = isinstance(error.param, click.Option)
        name = max(error.param.opts, key=len) if is_option else error.param.human_readable_name
        return f"missing {'option' if is_option else 'argument'} {name}; usage: {usage(context)}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _bad_value(error.message.rstrip("."), error.param, context)
    if error.message == _NO_COMMAND and (taken := _command_as_value(context)):
        return taken
    return surplus_arguments(error.message, context)


def _action_named(option: str, context: click.Context) -> str | None:
    """The command or action that an option is named like: `rules add` for `memtool rules --add`."""
    groups = (context, context.parent) if option.startswith("--") else ()
    for each in groups:
        if each is not None and isinstance(each.command, click.Group):
            name = similar_choice(option.removeprefix("--"), each.command.list_commands(each))
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
                return f"{name} must be {_alternatives(choices)}, not {value}"
            return _bad_choice(value, list(choices), context)
        case click.IntRange() | click.FloatRange() | click.types.IntParamType() if value:
            names = " or ".join(parameter.opts) if is_option else name
            return f"{names} must be {_numbers(parameter.type)}, not {value}{_digits(value)}"
        case click.File() if opening := re.match(r"(?s)('.*'|\".*\"): (.*)", message):
            return _bad_file(opening[1], opening[2], None if is_option else context)
    return None


def _bad_file(name: str, reason: str, context: click.Context | None) -> str:
    """The sentence for a file that cannot be opened; of an argument of `context`, with what takes a text."""
    if reason.startswith("No such file"):
        if context and command_name(context) == "append-daily":
            text = name if " " in name else "TEXT"
            advice = f"to append text to the daily note, run: echo {text} | memtool append-daily"
            return f"no such file: {name}; {advice}"
        for option in context.command.params if context else ():
            if context and option.name in TEXT_OPTIONS:
                text = name if " " in name else "TEXT"
                return (
                    f"no such file: {name}; to give text instead of a file, run: "
                    f"{context.command_path} {option.opts[0]} {text}"
                )
        return f"no such file: {name}"
    if reason.startswith("Is a directory"):
        return f"{name} is a folder, not a file"
    return f"{name} cannot be read: {reason[:1].lower()}{reason[1:]}"


def _bad_choice(value: str, choices: Sequence[str], context: click.Context) -> str:
    """The sentence for a word that is none of the choices, with the one that was probably meant."""
    near = similar_choice(value.strip("'\""), choices)
    hint = f" (did you mean '{context.command_path} {near}'?)" if near else ""
    return f"{value} is not one of {', '.join(choices)}{hint}"


def other_action(command: str, word: str) -> str | None:
    """What does the action that a word names, where another command does it; None if none does."""
    if command == "config" and "." in word:
        return f"config get {word}"
    return _OTHER_ACTIONS.get(f"{command} {word.lower()}")


def action_advice(command: str, word: str) -> str | None:
    """How it is done what a word names, where no action does it; None if that is not known."""
    for names in _SAME_ACTIONS:
        if word.lower() in names:
            return next(filter(None, (_ACTION_ADVICE.get(f"{command} {name}") for name in names)), None)
    return None


def similar_choice(word: str, choices: Sequence[str]) -> str | None:
    """The choice that is spelt like a word or names the same action; None if there is none."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), choices, n=1, cutoff=_MIN_SIMILARITY)
    for names in _SAME_ACTIONS if not near else ():
        if word.lower() in names:
            near += [choice for choice in choices if choice in names]
    return near[0] if near else None


def _is_similar(word: str, other: str) -> bool:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, word, other).ratio() >= _MIN_SIMILARITY


def _alternatives(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _digits(value: str) -> str:
    """How a number with a thousands suffix or separator is written: `; write 8000`; "" for others."""
    given = value.strip("'\"")
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
