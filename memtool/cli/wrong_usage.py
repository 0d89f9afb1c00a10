"""What was probably meant by a wrong command line; imported only for the error message."""

from __future__ import annotations

import click

from memtool.cli.table import COMMANDS

_OTHER_NAMES = {
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
    "update": "migrate",
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
    "rule": "rules",
    "correct": "learn",
    "error": "learn",
    "version": "--version",
    "man": "help --man",
    "usage": "--help",
}
"""Names that people try, from other programs, and what does it here."""


def unknown_command(context: click.Context, name: str) -> click.UsageError:
    """The error for a command that does not exist, with the one that was probably meant."""
    if name.startswith("-"):
        return click.NoSuchOption(name, ctx=context)
    lower = name.lower().replace("_", "-")
    if other := lower if lower in COMMANDS else _OTHER_NAMES.get(lower):
        return click.UsageError(f"No such command {name!r} (did you mean 'memtool {other}'?)", context)
    if " " in name.strip():
        first = name.split(maxsplit=1)[0]
        hint = (
            "leave out the quotes around the command"
            if first in COMMANDS
            else "to save a text, run: memtool save TEXT; to find it, run: memtool search TEXT"
        )
        return click.UsageError(f"No such command {name!r}; {hint}", context)
    from difflib import get_close_matches

    if near := get_close_matches(lower, COMMANDS, n=2):
        near_by = " or ".join(f"'memtool {command}'" for command in near)
        return click.UsageError(f"No such command {name!r} (did you mean {near_by}?)", context)
    return click.UsageError(f"No such command {name!r}; run 'memtool --help' for the list", context)
