"""Options of other programs and commands, and what to type instead; imported only for the error message."""

from __future__ import annotations

import click

from memtool.cli.misplaced_words import OWN_TEXT_OPTIONS, command_name, takes_words
from memtool.cli.options import ARGUMENTS

_OTHER_OPTIONS = {
    " -V": "did you mean '--version'?",
    "search -i": "search always ignores case",
    "search -r": "search always includes all folders",
    "search -R": "search always includes all folders",
    "search -e": "give the words as the query: memtool search WORD",
    "search -c": "did you mean '--count'?",
    "search -m": "did you mean '-n N'?",
    "search --budget": (
        "to limit the number of hits, use '-n N'; to limit the number of characters, "
        "use memtool context --retrieved --budget N"
    ),
    "search --date": "give the day or month in the query: memtool search 'WORD date:2025-01'",
    "import --from": "give the agent's name before the path: memtool import AGENT PATH",
    "import --agent": "give the agent's name before the path: memtool import AGENT PATH",
    "import --format": "give the agent's name before the path: memtool import AGENT PATH",
    "search --semantic": "did you mean '--mode hybrid'?",
    "search --vector": "did you mean '--mode hybrid'?",
    "search --fuzzy": "to find words by their beginning, add a star, for example: memtool search 'kil*'",
    "lint --level": "did you mean '--severity error'?",
    "lint --errors-only": "did you mean '--severity error'?",
    **dict.fromkeys(("lint --yes", "lint -y"), "lint --fix does not ask for confirmation; omit this option"),
    "lint --ci": "memtool help lint-codes shows how to run lint in CI",
    "lint --github": "did you mean '--format github'?",
    "search -A": "did you mean '-C N', which prints N lines before and after each hit?",
    "search -B": "did you mean '-C N', which prints N lines before and after each hit?",
    "log -p": "did you mean '--diff'?",
    "log --patch": "did you mean '--diff'?",
    "log --oneline": "memtool log prints one line for each change",
    "undo -1": "without an ID, memtool undo reverts the last change",
    "undo -n": "to undo the last N commands, run memtool undo N",
    "undo --last": "without an ID, memtool undo reverts the last change",
    "undo --limit": "to undo the last N commands, run memtool undo N",
    "doctor --fix": "memtool doctor prints a command for each problem; run that command",
    "migrate --from": "give the old layout before the command: memtool --layout OLD migrate --to NEW",
    "forget --older-than": "did you mean '--before DAY'?",
}
"""Options of git, grep and others by command, and what to type instead."""
_OPTIONS_FOR_TEXT = ("--text", "--message", "-m", "--user-text", "--prompt", "-p", "--content", "--query")
"""Options by which some command, of memtool or of another program, takes its text."""
_SAME_OPTIONS = {
    "--limit": "--top-k --topk --top -k --max --max-count --max-results --num --size --head --first --last",
    "--count": "-c --count-matches --total",
    "--category": "-c --type",
    "--paths": "-l --files-with-matches --files --name-only --list-files",
    "--exact": "-F --fixed-strings --literal",
    "--path": "-g --glob --include --file",
    "--since": "--after --from --days",
    "--until": "--to",
    "--codes": "--rules --list-rules --list-codes --list-checks",
    "--explain": "--rule",
    "--select": "--only --enable --extend-select",
    "--ignore": "--disable --exclude --skip --extend-ignore",
    "--archived": "--all -a --inactive",
    "--fail-on": "--fail-level --exit-level --fail-severity",
    "--strict": "--error-on-warning --max-warnings --werror",
    "--fix": "--autofix --write -w",
    "--yes": "--force -f -y --assume-yes --no-confirm",
    "--dry-run": "--check --simulate --no-act --noop --just-print",
    "--quiet": "--silent -s",
    "--verbose": "--debug -d",
    "--user": "-u --username",
    "--root": "-C --dir --directory --workspace --vault --chdir --cwd",
}
"""For an option, those with the same meaning in grep, ripgrep, ruff, eslint, git, make, apt and others."""
_JSON_OPTIONS = ("--format", "--output", "-o")
"""Options that choose JSON in other programs; every command has --json."""


def option_habit(option: str, context: click.Context) -> str | None:
    """What to type instead of an option that other programs have; None for an unknown one."""
    command = context.command
    if habit := _OTHER_OPTIONS.get(f"{command_name(context)} {option}"):
        return habit
    if (
        option[1:].isdigit()
        and option in context.meta.get(ARGUMENTS, ())
        and any("-n" in parameter.opts for parameter in command.params)
    ):
        return "to limit the number of records, use '-n N'"
    for name, others in _SAME_OPTIONS.items():
        if option in others.split() and any(name in parameter.opts for parameter in command.params):
            return f"did you mean '{name}'?"
    if option in _OPTIONS_FOR_TEXT and (form := _form_for_text(context)):
        return form
    if option in ("-o", "--output") and "json" not in context.meta.get(ARGUMENTS, ()):
        return "to write the output to a file, redirect it: > FILE"
    if option in _JSON_OPTIONS:
        return "for JSON Lines, use '--json'"
    if command.name == "search" and not option.startswith("--"):
        return "to exclude a word, quote the query: memtool search 'WORD -EXCLUDED'"
    return None


def _form_for_text(context: click.Context) -> str | None:
    """How the text is given to a command that takes one; None for other commands."""
    for parameter in context.command.params:
        if isinstance(parameter, click.Option) and parameter.name in OWN_TEXT_OPTIONS:
            return f"did you mean '{max(parameter.opts, key=len)} TEXT'?"
    if not takes_words(context.command):
        return None
    arguments = [each for each in context.command.params if isinstance(each, click.Argument)]
    names = [*(each.human_readable_name for each in arguments[:-1]), "TEXT"]
    return f"give the text without an option: {' '.join([context.command_path, *names])}"
