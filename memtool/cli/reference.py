"""Reference pages generated from the code: exit codes, settings, layouts, ...; for help, man and README."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.errors import ERRORS
from memtool.store.config.settings import SETTINGS
from memtool.store.root import describe_layouts

_VARIABLES = (
    ("MEMTOOL_ROOT", "the workspace, where --root does not name one"),
    ("MEMTOOL_MODE", "incognito: nothing at all is written; persistent, the default: what is asked for is"),
    ("MEMTOOL_USER", "whose memory it is, where --user does not say"),
    ("MEMTOOL_SESSION", "the session it belongs to, where --session does not say"),
    ("MEMTOOL_GROUP", "the group that memtool is called for; what belongs to others is refused"),
    ("MEMTOOL_NOW", "the time that it is taken to be, such as 2025-01-15T10:30:00Z"),
    (
        "MEMTOOL_SEARCH_LIMIT",
        "a setting, here search.limit, over both files; so with each (memtool help settings)",
    ),
    (
        "MEMTOOL_IN_SUMMARIZER",
        "1 in a summarizer, extractor or embedder; a memtool that it calls runs none itself",
    ),
    (
        "MEMTOOL_WRITE_HOOK",
        "1 in a write hook, 0 to run none: commits of a memtool with either run no write hooks",
    ),
    ("MEMTOOL_TRACEBACK", "set to anything: a bug in memtool prints its traceback, too"),
    ("XDG_CONFIG_HOME", "the folder of your own memtool/config.toml; ~/.config where it is not set"),
    ("XDG_STATE_HOME", "the folder of memtool/seal.key; ~/.local/state where it is not set"),
    ("NO_COLOR", "set to anything: no colours on a terminal"),
    ("PAGER", "shows memtool help --all on a terminal"),
)
_FILES = (
    ("memtool.toml", "marks the root of a workspace, and holds its settings (memtool help settings)"),
    (
        ".memtool/",
        "under the root: indexes, lock, and the watcher's log and socket; it may be removed at any time",
    ),
    ("~/.config/memtool/config.toml", "your own settings; it alone may name commands to run"),
    (
        "~/.local/state/memtool/seal.key",
        "proves that an index was made by you; without it indexes are made anew",
    ),
)
_UNINSTALL = (
    (
        "hooks in the settings of agents",
        "memtool hook uninstall claude-code   (also codex and openclaw; also with --scope project)",
        "It keeps copies of changed settings beside them: *.memtool-backup.",
    ),
    (
        "MCP server in the settings of agents",
        "claude mcp remove memtool; codex mcp remove memtool",
        "",
    ),
    ("a running watcher, in each workspace", "memtool watch stop", ""),
    (
        "a service that starts the watcher",
        "systemctl --user disable --now memtool-watch; rm ~/.config/systemd/user/memtool-watch.service",
        "macOS: launchctl unload -w ~/Library/LaunchAgents/memtool.watch.plist, and rm it. Also cron lines.",
    ),
    (
        "shell completion",
        "rm ~/.local/share/bash-completion/completions/memtool",
        "zsh: ~/.local/share/zsh/site-functions/_memtool; fish: ~/.config/fish/completions/memtool.fish",
    ),
    ("your own settings", "rm -r ~/.config/memtool", "Under XDG_CONFIG_HOME, if it is set."),
    (
        "the key that authenticates indexes",
        "rm -r ~/.local/state/memtool",
        "Under XDG_STATE_HOME, if it is set.",
    ),
    (
        "indexes, journal, lock and backups of a workspace",
        "rm -r .memtool",
        "Afterwards memtool log and memtool undo have no past, and --restore has no backups.",
    ),
    (
        "the program",
        "pipx uninstall, uv tool uninstall or pip uninstall, with the name of the package",
        "The memory itself, memtool.toml included, stays: plain files that need no program.",
    ),
)
"""What an installation leaves: what it is, the command that removes it, and a note."""
_SUCCESS = (0, "yes: done, found, or in order; for maintenance commands also nothing to do")


def exit_code_meanings() -> list[tuple[int, str]]:
    """Each exit code with its meaning, sorted by code."""
    return sorted({_SUCCESS, *((error.exit_code, error.meaning) for error in ERRORS)})


def exit_codes() -> Iterator[str]:
    """The page on exit codes."""
    for code, meaning in exit_code_meanings():
        yield f"{code:>3}  {meaning}"


def variables() -> tuple[tuple[str, str], ...]:
    """Each environment variable with its meaning."""
    return _VARIABLES


def files() -> tuple[tuple[str, str], ...]:
    """Each file that memtool looks for by name, with its meaning."""
    return _FILES


def environment() -> Iterator[str]:
    """The page on the environment: variables, and files that memtool looks for."""
    for name, meaning in (*_VARIABLES, *_FILES):
        yield name
        yield f"    {meaning}"


def formats() -> Iterator[str]:
    """The page on formats: the text of schemas/README.md."""
    from memtool.store.config.schemas import specification

    yield from specification().rstrip("\n").split("\n")


def settings() -> Iterator[str]:
    """The page on settings."""
    yield "Settings stand in memtool.toml at the workspace's root and in your own memtool/config.toml; the"
    yield "environment variable overrides both."
    for setting in SETTINGS:
        yield ""
        restriction = "  (own config only)" if setting.user_only else ""
        yield f"{setting.name} = {toml_value(setting.default)}{restriction}"
        yield f"    {setting.meaning}"
        if setting.variable:
            yield f"    env: {setting.variable}"


def uninstall() -> Iterator[str]:
    """The page on uninstalling: everything that memtool writes outside and inside a workspace."""
    yield "This is all that memtool writes besides the memory itself. Remove what you use, in this order."
    for what, command, note in _UNINSTALL:
        yield ""
        yield what
        yield f"    {command}"
        if note:
            yield f"    {note}"


def layouts() -> Iterator[str]:
    """The page on layouts: the agent of each, and the path of each role."""
    yield "A layout says where each role's files are. --role and role: in a search take these names."
    for name, summary, places in describe_layouts():
        yield ""
        yield f"{name}: {summary}"
        for role, path in places:
            yield f"    {role:<22} {path}"


def toml_value(value: object) -> str:
    """A default value as TOML."""
    if isinstance(value, str):
        return f'"{value}"'
    return "{}" if isinstance(value, dict) else "[]" if isinstance(value, tuple) else str(value)


TOPICS = {
    "environment": environment,
    "exit-codes": exit_codes,
    "formats": formats,
    "layouts": layouts,
    "settings": settings,
    "uninstall": uninstall,
}
"""The help pages on topics other than a command."""
