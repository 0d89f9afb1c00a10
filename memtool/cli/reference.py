"""Reference pages generated from the code: exit codes, variables, layouts; for help, man and topics."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.errors import ERRORS
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
_SUCCESS = (0, "yes: done, found, or in order; for maintenance commands also nothing to do")


def exit_code_meanings() -> list[tuple[int, str]]:
    """Each exit code with its meaning, sorted by code."""
    return sorted({_SUCCESS, *((error.exit_code, error.meaning) for error in ERRORS)})


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


TOPICS = {"environment": environment, "layouts": layouts}
"""The help pages that are made from the code; the others are Markdown files."""
TOPIC_SUMMARIES = {
    "environment": "environment variables and files that memtool reads",
    "formats": "how the files of a memory tree are written and read",
    "layouts": "where each layout keeps the files of each role",
}
"""What the pages are about that are not in `documentation/topics`."""
