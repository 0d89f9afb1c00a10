"""What surplus arguments of a command line were probably meant for; imported only for the error message."""

from __future__ import annotations

import os
import re
import shlex

import click

from memtool.cli.times import day_form, duration_form

_OPTIONS_FOR_WORDS = {
    "forget": "--match TEXT",
    "log": "--path GLOB",
    "facts list": "--category NAME",
    "context": "--prompt TEXT",
    "replay": "--seq A:B",
    "session-end": "--session ID",
}
"""Of commands without arguments, the option that a word was probably meant for."""
_COMMANDS_FOR_IDS = {"forget": "facts forget", "facts list": "facts show", "facts top": "facts show"}
"""Of commands without arguments, the one that takes the id of a fact."""
_SPAN_OPTIONS = {
    "--before": day_form,
    "--since": day_form,
    "--until": day_form,
    "--idle": duration_form,
    "--if-idle": duration_form,
}
"""What makes `2w` of `2 weeks` for the options that take an age or a duration."""
_EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)


def surplus_arguments(message: str, context: click.Context) -> str | None:
    """The sentence for click's message on arguments that the command does not take; None for others."""
    extra = _EXTRA.match(message)
    if extra is None:
        return None
    if (other := _COMMANDS_FOR_IDS.get(command_name(context))) and re.fullmatch(r"[mk]-[\w-]+", extra[1]):
        return f"unexpected argument {extra[1]!r}; for a single fact, run: memtool {other} {extra[1]}"
    is_several = "arguments" in message[: extra.start(1)]
    words = f"arguments: {extra[1]}" if is_several else f"argument {extra[1]!r}"
    option = _option_for_words(extra[1], context)
    if option is None and _are_folders(extra[1]):
        path = shlex.quote(extra[1].split()[0] if is_several else extra[1])
        each = "run the command once for each workspace" if is_several else "to use this workspace, run"
        return f"unexpected {words}; {each}: memtool --root {path} {command_name(context)}"
    hint = f" (did you mean {option}?)" if option else ""
    return f"unexpected {words}{hint}; usage: {usage(context)}"


def _are_folders(words: str) -> bool:
    """Whether surplus arguments are paths of folders, such as those of workspaces."""
    return os.path.isdir(words) or (bool(words.strip()) and all(map(os.path.isdir, words.split())))


def _option_for_words(words: str, context: click.Context) -> str | None:
    """The option, with its value as far as it is known, that surplus arguments were probably meant for."""
    command = command_name(context)
    if span := _span_option(words.partition(" ")[0], context):
        return span
    if command == "migrate":
        from memtool.store.root import describe_layouts

        names = {name for name, _, _ in describe_layouts()}
        named = [word for word in words.split() if word in names]
        return f"--to {named[-1] if named else 'LAYOUT'}"
    if command == "replay" and re.fullmatch(r"\d{1,18}", words):
        return f"-n {words} for the last {words} turns, or --seq {words} for turn {words}"
    if command == "replay" and re.fullmatch(r"\d+:\d+", words):
        return f"--seq {words}"
    return _OPTIONS_FOR_WORDS.get(command)


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
