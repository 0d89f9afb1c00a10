"""Names of commands and actions in other programs, and what does the same here; imported only for errors."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence

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
    "sources": "trace --all",
    "about": "trace --all",
    "whoami": "trace --all",
    "profile": "trace --all",
    "revert": "undo",
    "restore": "undo",
    "rollback": "undo",
    "check": "lint",
    "validate": "lint",
    "verify": "reindex --verify",
    "index": "reindex",
    "rebuild": "reindex",
    "fix": "lint --fix",
    "health": "doctor",
    "test": "doctor",
    "diagnose": "doctor",
    "stat": "stats",
    "count": "stats",
    "summary": "episodes",
    "sessions": "episodes",
    "settings": "config list",
    "set": "config set",
    "configure": "config",
    "create": "init",
    "setup": "init",
    "start": "init",
    "load": "import",
    "ingest": "import",
    "convert": "migrate",
    "commit": "log",
    "move": "migrate",
    "mv": "note mv",
    "links": "note links",
    "notes": "note",
    "tags": "note tags",
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
    "correct": "facts edit",
    "amend": "facts edit",
    "error": "learn",
    "version": "--version",
    "man": "help --man",
    "usage": "--help",
    "topics": "help topics",
    "layout": "help layouts",
    "layouts": "help layouts",
    "sync": "help sync",
    "push": "fleet push",
    "/?": "--help",
    "clear": "forget",
    "purge": "forget",
    "wipe": "forget",
    "reset": "undo",
    "prune": "maintain",
    "gc": "maintain",
    "cron": "maintain",
    "crontab": "maintain",
}
"""Names from other programs that people try, each with the equivalent in memtool."""
_USERS = "users need no account: add --user NAME to any command"
COMMAND_ADVICE = {
    **dict.fromkeys(("user", "users", "account", "login", "register"), _USERS),
    "backup": "memory is plain files: copy the folder of the workspace, or keep it in git",
    "export": (
        "memory is plain files: copy the folder of the workspace; with --json, commands print JSON Lines, "
        "for example: memtool facts list --json"
    ),
    **dict.fromkeys(
        ("update", "upgrade"),
        "to install a newer version of memtool, see memtool help install; to correct a fact, run "
        "memtool facts edit ID TEXT",
    ),
    "tag": "memtool note tags lists the tags of notes; to tag a note, edit its file",
}
"""Names of commands of other programs that memtool does not need, and what to do instead."""
OTHER_TOPICS = {
    "memory": "saved-facts",
    "correct": "saved-facts",
    "cron": "maintenance",
    "crontab": "maintenance",
    "schedule": "maintenance",
    "update": "install",
    "upgrade": "install",
    "redo": "journal",
    "privacy": "security",
    "secrets": "security",
    "ci": "lint-codes",
    "github": "lint-codes",
    "actions": "lint-codes",
}
"""Words that people look up, each with the topic of `memtool help` that treats it."""
_SAME_ACTIONS = (
    {"add", "new", "create", "append", "write", "save", "make"},
    {"list", "ls", "all", "index"},
    {"show", "get", "cat", "view", "print", "read", "display", "open"},
    {"forget", "remove", "delete", "rm", "del", "drop", "reject", "archive", "purge", "uninstall"},
    {"mv", "move", "rename"},
    {"restore", "recover", "undo", "unarchive"},
    {"run", "start", "begin", "now", "on"},
    {"stop", "end", "off", "kill", "quit"},
    {"status", "state", "info", "check"},
    {"install", "enable", "setup"},
    {"approve", "accept", "confirm", "commit"},
    {"set", "change", "put", "edit", "update", "correct", "modify"},
    {"path", "file", "files", "where"},
    {"win", "success", "praise"},
    {"error", "mistake", "failure", "bug"},
)
"""Sets of words for the same action; a command has at most a few words of each set."""
_OTHER_ACTIONS = {
    "facts add": "save",
    "facts save": "save",
    "facts new": "save",
    "facts search": "recall",
    "facts find": "recall",
    "fleet search": "search --fleet",
    "fleet find": "search --fleet",
    "fleet recall": "recall --fleet",
    "note search": "search",
    "note find": "search",
    "rules search": "search",
    "session end": "session-end",
    "session stop": "session-end",
    "session show": "episodes show",
    "episodes latest": "episodes show latest",
    "episodes last": "episodes show latest",
    "hook run": "hook answer",
    "rules show": "rules list",
    "rules get": "rules list",
    "fleet list": "fleet status",
    "memories list": "memories view /memories",
    "memories ls": "memories view /memories",
    "feedback good": "feedback add up",
    "feedback bad": "feedback add down",
}
"""Actions that people try, each with the command that does the same."""
_INSTALLED_HOOKS = (
    "memtool doctor shows whether hooks are installed; memtool hook print AGENT prints the settings that "
    "memtool hook install AGENT adds"
)
_NOTE_FILE = "a note is a file: open it in an editor; to find its path, run memtool search --paths WORD"
_ACTION_ADVICE = {
    "hook test": "to try a hook, pipe an event to memtool hook -v; memtool help hooks shows how",
    "hook list": _INSTALLED_HOOKS,
    "session list": (
        "memtool session status lists open sessions, and memtool episodes those that have ended; to print "
        "the turns of one, run memtool replay --this-session --session ID"
    ),
    "hook status": _INSTALLED_HOOKS,
    "facts restore": (
        "to make a superseded fact active again, undo the command that superseded it: memtool trace ID "
        "prints the journal entry to undo"
    ),
    "note edit": _NOTE_FILE,
    "note append": _NOTE_FILE,
    "note list": "to find notes, run: memtool search --role note --paths WORD",
    "episodes forget": (
        "memtool forget --source SESSION removes an episode and everything else that came from its "
        "session; to list these records first, run: memtool forget --source SESSION --dry-run"
    ),
    "note forget": (
        "a note is a file: remove it with rm; memtool note backlinks NOTE lists the links to the "
        "note, and memtool forget --source PATH removes the note and what was derived from it"
    ),
}
"""Actions that no command has, one for each meaning, and how to do what they mean."""
_SEARCHES = {"facts": ("facts", "recall"), "episodes": ("episodes", "search"), "note": ("notes", "search")}
"""For commands with actions, what words that are not an action may search for, and the command to use."""
_COMMANDS_FOR_SENTENCES = {
    "learn": ("to add an instruction", "rules add"),
    "candidates add": ("candidates add reads JSON Lines; to save a fact", "save"),
}
"""For commands, what a sentence in the place of an action or a file may be for, and the command to use."""
_CALLS_FOR_IDS = {"m": "facts show", "k": "facts show", "j": "undo --dry-run"}
"""For the first letter of an id, the call that shows what has it; rules are shown by `rules list`."""
MIN_SIMILARITY = 0.8
"""The least similarity of a suggestion to an unknown option or choice; click suggests some that share only
dashes."""


def other_action(command: str, word: str, values: Sequence[str] = ()) -> str | None:
    """The command that does what a word names, if another command does it; None if none does.

    `values` are the words that follow. Raises BadUsage for a value that a setting cannot have.
    """
    if command == "config" and (call := _call_for_setting(word, values)):
        return call
    call = _OTHER_ACTIONS.get(f"{command} {word.lower()}")
    return f"{call} {shlex.quote(values[0])}" if call and call.endswith(" show") and values else call


def _call_for_setting(word: str, values: Sequence[str]) -> str | None:
    """`config get` or `config set` for a setting, such as `search.limit` or `search.limit=20`; else None.

    Raises BadUsage for a value that the setting cannot have.
    """
    from memtool.store.config.settings import SETTINGS_BY_NAME, settings_like
    from memtool.store.config.validation import parse_value

    key, equals, value = word.partition("=")
    if not (equals or "." in key or key in SETTINGS_BY_NAME) or len(names := settings_like(key)) != 1:
        return None
    words = [value] if equals else values
    if len(words) == 1 and not SETTINGS_BY_NAME[names[0]].is_tables:
        parse_value(SETTINGS_BY_NAME[names[0]], words[0], f"memtool config set {names[0]} VALUE")
    return f"config {'set' if words else 'get'} {shlex.join([*names, *words])}"


def with_options(call: str, options: Sequence[str]) -> str:
    """A call of an action with options after the action's name."""
    command, action, values = f"{call} ".split(" ", 2)
    return f"{command} {action} {shlex.join(options)} {values}".rstrip()


def call_for_id(word: str) -> str | None:
    """The call that shows what has an id: `facts show k-kiln` for a fact; None for a word that is no id."""
    if match := re.fullmatch(r"(?:([mj])-[0-9a-f]+|(k)-[\w-]+)", word):
        return f"{_CALLS_FOR_IDS[match[1] or match[2]]} {word}"
    return None


def call_in_reverse(
    name: str, words: Sequence[str], actions_of: Callable[[str], Sequence[str]]
) -> str | None:
    """The call meant by an action before the command, `note new x` for `create note x`; else None.

    A fact's id stands for `facts`: `facts edit k-kiln` for `edit k-kiln`. `actions_of` has the actions of
    a command by its name, none for other words.
    """
    word, *rest = words
    is_fact = (call_for_id(word) or "").startswith("facts ")
    command = "facts" if is_fact else OTHER_NAMES.get(word, word)
    actions = actions_of(command) or actions_of(command := f"{word}s")
    action = similar_choice(name, actions)
    return action and shlex.join([command, action, *(words if is_fact else rest)])


def exact_advice(command: str, word: str) -> str | None:
    """How to do what this very word names, if a similar action does something else; None if none does."""
    return _ACTION_ADVICE.get(f"{command} {word.lower()}")


def action_advice(command: str, word: str) -> str | None:
    """How to do what a word names, if no action does it; None if that is not known."""
    for names in _SAME_ACTIONS:
        if word.lower() in names:
            return next(filter(None, (_ACTION_ADVICE.get(f"{command} {name}") for name in names)), None)
    return None


def search_advice(command: str, words: str) -> str | None:
    """The search that words in the place of an action were probably meant for; None if there is none."""
    if command not in _SEARCHES or re.search(r"\b[a-z]-[0-9a-f]", words):  # with an id, an action was meant
        return None
    what, search = _SEARCHES[command]
    return f"to search {what}, run: memtool {search} {shlex.quote(words)}"


def sentence_advice(command: str, sentence: str) -> str | None:
    """The command that a sentence in the place of an action was probably meant for; None if there is none."""
    if command not in _COMMANDS_FOR_SENTENCES or " " not in sentence:
        return None
    purpose, other = _COMMANDS_FOR_SENTENCES[command]
    return f"{purpose}, run: memtool {other} {shlex.quote(sentence)}"


def similar_choice(word: str, choices: Sequence[str]) -> str | None:
    """The choice that is spelt like a word or names the same action; None if there is none."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), choices, n=1, cutoff=MIN_SIMILARITY)
    for names in _SAME_ACTIONS if not near else ():
        if word.lower() in names:
            near += [choice for choice in choices if choice in names]
    return near[0] if near else None
