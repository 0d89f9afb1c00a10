"""Reference pages generated from the code: exit codes, variables, layouts; for help, man and topics."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.errors import ERRORS
from memtool.store.root import describe_layouts

_VARIABLES = (
    ("MEMTOOL_ROOT", "workspace, if --root is not given"),
    ("MEMTOOL_MODE", "incognito: write nothing; persistent: write as usual [default: persistent]"),
    ("MEMTOOL_USER", "user whose memory to read or write, if --user is not given"),
    ("MEMTOOL_SESSION", "session to record in new entries, if --session is not given"),
    (
        "MEMTOOL_GROUP",
        "group whose memory is used; access to the memory of other groups is limited (memtool help groups)",
    ),
    ("MEMTOOL_NOW", "time to use instead of the system clock, such as 2025-01-15T10:30:00Z"),
    (
        "MEMTOOL_SEARCH_LIMIT",
        "value of the setting search.limit; most other settings also have a variable (memtool help settings)",
    ),
    (
        "MEMTOOL_IN_SUMMARIZER",
        (
            "set to 1 by memtool when it runs a summarizer, extractor or embedder; while the "
            "variable is 1, memtool commands start none of these programs, and memtool hook does nothing"
        ),
    ),
    (
        "MEMTOOL_WRITE_HOOK",
        (
            "set to 1 by memtool when it runs a write hook; if the variable is set to any value "
            "(even 0), memtool commands run no write hooks (memtool help journal); if the variable is 1, "
            "memtool hook does nothing at all"
        ),
    ),
    ("MEMTOOL_TRACEBACK", "set to any value: print a traceback if memtool fails because of a bug"),
    ("XDG_CONFIG_HOME", "folder that contains your own memtool/config.toml [default: ~/.config]"),
    ("XDG_STATE_HOME", "folder that contains memtool/seal.key [default: ~/.local/state]"),
    ("XDG_CACHE_HOME", "folder that contains memtool's cache [default: ~/.cache]"),
    ("NO_COLOR", "set to any value: no colours on a terminal"),
    ("PAGER", "pager for the output of memtool help --all on a terminal"),
)
_FILES = (
    ("memtool.toml", "marks the root of a workspace and contains its settings (memtool help settings)"),
    (
        ".memtool/",
        (
            "in the root: indexes, journal, backups, lock, log, socket, and hook events that have not "
            "been recorded yet; apart from these events, deleting the folder loses no memory"
        ),
    ),
    (
        "~/.config/memtool/config.toml",
        "your own settings; the only file that can name commands to run, such as a summarizer",
    ),
    (
        "~/.local/state/memtool/seal.key",
        "key that authenticates your indexes; if the key is missing, the indexes are rebuilt",
    ),
    (
        "~/.cache/memtool/",
        "cache that makes commands start faster; recreated if you delete the folder",
    ),
)
_SUCCESS = (0, "success; for maintenance commands, also if there was nothing to do")
_INTERRUPTED = (130, "interrupted with Ctrl-C")


def exit_code_meanings() -> list[tuple[int, str]]:
    """Each exit code with its meaning, sorted by code."""
    return sorted({_SUCCESS, _INTERRUPTED, *((error.exit_code, error.meaning) for error in ERRORS)})


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


def layouts() -> Iterator[str]:
    """The page on layouts: each with the agent whose files it describes."""
    yield (
        "A layout defines the paths for each file role, such as daily-note. "
        "'memtool help layouts NAME' lists the paths."
    )
    yield ""
    for name, summary, _ in describe_layouts():
        yield f"{name:<12} {summary}"


def layout_roles(name: str) -> list[str]:
    """The page on one layout: the path of each role; empty if there is no layout of this name."""
    return [
        line
        for layout, summary, places in describe_layouts()
        if layout == name
        for line in (
            f"{name}: {summary}",
            "",
            *(f"{role:<22} {path}" for role, path in places),
            "",
            (
                "A new file is created at the first path of its role. "
                "To select files by role, use '--role NAME' or, in a query, 'role:NAME'."
            ),
        )
    ]


def toml_value(value: object) -> str:
    """A default value as TOML."""
    if isinstance(value, str):
        return f'"{value}"'
    return "{}" if isinstance(value, dict) else "[]" if isinstance(value, tuple) else str(value)


TOPICS = {"environment": environment, "layouts": layouts}
"""The help pages that are made from the code; the others are Markdown files."""
TOPIC_SUMMARIES = {
    "environment": "environment variables and files that memtool reads",
    "formats": "how the files of a workspace are written and read",
    "layouts": "where each layout stores the files of each role",
}
"""The summaries of the pages that are not in `documentation/topics`."""
