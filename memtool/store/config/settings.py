"""Settings: the table of names, defaults and meanings, and the values in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from memtool.errors import BadUsage


class Setting(Struct, frozen=True):
    """A setting. A dotted name is a key in a table of the TOML file.

    The type of `default` is the type of its values; a number lies in `limits`, both included, and a text is
    one of `choices` if there are any; `is_tables` is for a list of tables. `user_only` settings name commands
    or patterns to run; a workspace's file may not set them.
    """

    name: str
    default: Any
    meaning: str
    user_only: bool = False
    limits: tuple[float, float] = (0, 0)
    choices: tuple[str, ...] = ()
    is_tables: bool = False

    @property
    def variable(self) -> str | None:
        """The environment variable that overrides it; None for tables, which no variable can hold."""
        if self.is_tables or isinstance(self.default, dict):
            return None
        return variable_name(self.name)


def variable_name(name: str) -> str:
    return "MEMTOOL_" + name.upper().replace(".", "_")


_DAY = 86_400
_DAYS = (0, 36_500)
_COUNT = (0, 1_000_000)
_KEPT = (-1, 1_000_000)
_CHARACTERS = (0, 100_000_000)
_BYTES = (0, 1_000_000_000_000)
_SHARE = (0, 1)
_MAX_FILE_BYTES = 1 << 28
"""As much as is read of a file as a whole."""

SETTINGS: tuple[Setting, ...] = (
    Setting("layout", "", "name of the layout; empty: recognised from the files"),
    Setting("timezone", "UTC", "IANA time zone that determines the date of a daily note"),
    Setting(
        "lock_timeout",
        30.0,
        "seconds to wait for another writer before giving up",
        limits=(0, _DAY),
    ),
    Setting("scan.phrases", {}, "additional trigger phrases: a table from category to a list of phrases"),
    Setting(
        "scan.patterns",
        {},
        "additional trigger patterns: a table from category to a list of regular expressions",
        user_only=True,
    ),
    Setting(
        "summarizer",
        "",
        "command that summarises the text on stdin: a shell command or a list",
        user_only=True,
    ),
    Setting(
        "extractor",
        "",
        "command that extracts facts from the messages on stdin: a shell command or a list",
        user_only=True,
    ),
    Setting(
        "embedder",
        "",
        (
            "command that computes embeddings: reads one JSON string per line, prints one array of "
            "numbers per line; a shell command or a list"
        ),
        user_only=True,
    ),
    Setting(
        "delegate.seconds",
        60.0,
        "seconds before an external command (summarizer, extractor, embedder, write hook) is stopped",
        user_only=True,
        limits=(0.1, _DAY),
    ),
    Setting(
        "delegate.max_bytes",
        1_000_000,
        "maximum bytes of output of an external command",
        user_only=True,
        limits=(1, 1_000_000_000),
    ),
    Setting(
        "session_state.max_bytes",
        100_000,
        "size of the session state in bytes above which old entries are archived",
        limits=(1, 1_000_000_000),
    ),
    Setting("daily.clip", 500, "maximum characters stored of each message", limits=(1, 100_000_000)),
    Setting(
        "candidates.markers",
        {},
        "additional phrases for the write policy: a table from marker to a list of phrases",
    ),
    Setting(
        "candidates.pending_days",
        90,
        "days that a candidate waits for a confirmation",
        limits=_DAYS,
    ),
    Setting("groups.main", "main", "name of the group that may read and write every group", user_only=True),
    Setting(
        "groups.folder",
        "",
        "absolute path of the groups' folder, if it is a link to a folder outside the workspace",
        user_only=True,
    ),
    Setting(
        "agent_name",
        "Agent",
        "text that replaces {{agent_name}} in core files when they are added to a prompt",
    ),
    Setting(
        "retrieval",
        "",
        "on or off: whether prompts get search results; empty: set by the layout",
        choices=("", "on", "off"),
    ),
    Setting(
        "context.mode",
        "",
        "how context ranks chunks: lexical, or words (the nano formula); empty: set by the layout",
        choices=("", "lexical", "words"),
    ),
    Setting(
        "context.characters",
        0,
        (
            "total characters of all snippets; 0: up to the budget (documents at most 6000), or "
            "6000 without a budget"
        ),
        limits=_CHARACTERS,
    ),
    Setting("context.limit", 200_000, "size of the agent's context in tokens", limits=(1, 1_000_000_000)),
    Setting(
        "context.tokenizer",
        "",
        "tokenizer: an encoding of tiktoken, or the path of a tokenizer.json; empty: tokens are estimated",
        user_only=True,
    ),
    Setting(
        "context.buffer",
        0.0,
        "share of the context above which exchanges are buffered; 0: set by the layout",
        limits=_SHARE,
    ),
    Setting(
        "context.flush",
        0.0,
        "share of the context above which facts are flushed; 0: set by the layout",
        limits=_SHARE,
    ),
    Setting(
        "context.compact",
        0.0,
        ("share of the context above which a conversation is compacted; 0: set by the layout"),
        limits=_SHARE,
    ),
    Setting(
        "compact.keep_first",
        -1,
        "messages that compaction keeps at the beginning; -1: set by the layout",
        limits=_KEPT,
    ),
    Setting(
        "compact.keep_last",
        -1,
        "messages that compaction keeps at the end; -1: set by the layout",
        limits=_KEPT,
    ),
    Setting(
        "search.mode",
        "lexical",
        "how search ranks: lexical, semantic (by meaning), or hybrid",
        choices=("lexical", "semantic", "hybrid"),
    ),
    Setting(
        "search.engine",
        "whoosh",
        "what keeps the index of documents: whoosh, or sqlite, which is faster in large trees",
        choices=("whoosh", "sqlite"),
    ),
    Setting("search.limit", 10, "maximum number of hits that search prints", limits=(1, 1_000_000)),
    Setting(
        "search.exact_notes", 30, "number of newest daily notes that search --exact reads", limits=_COUNT
    ),
    Setting(
        "search.max_file_bytes",
        16_000_000,
        "size in bytes above which a file is not indexed but read at each search",
        limits=(1, _MAX_FILE_BYTES),
    ),
    Setting(
        "hook.budget",
        8000,
        "maximum characters that a hook adds to a prompt; agents cut at 10,000",
        limits=(1, 1_000_000),
    ),
    Setting(
        "hook.standing",
        "once",
        (
            "how often a conversation gets the always-injected files: once (and again when they "
            "change), or always"
        ),
        choices=("once", "always"),
    ),
    Setting("lint.select", (), "codes, or prefixes of codes, that lint checks; empty: all"),
    Setting("lint.ignore", (), "codes, or prefixes of codes, that lint ignores"),
    Setting(
        "lint.per_file", {}, "codes that lint ignores in some files: a table from glob to a list of codes"
    ),
    Setting(
        "lint.baseline", "", "baseline file, relative to the root: known problems that lint does not report"
    ),
    Setting(
        "lint.bootstrap",
        0,
        "characters of one file that the agent's host loads; 0: set by the layout",
        limits=_CHARACTERS,
    ),
    Setting(
        "lint.bootstrap_total",
        0,
        "characters of all files together that the agent's host loads; 0: set by the layout",
        limits=_CHARACTERS,
    ),
    Setting(
        "journal.days",
        30.0,
        "days for which changes can be undone; 0: no journal",
        limits=_DAYS,
    ),
    Setting(
        "journal.max_bytes", 50_000_000, "maximum size of the journal in bytes; 0: no journal", limits=_BYTES
    ),
    Setting(
        "write_hook",
        (),
        "[[write_hook]] tables with command, roles and verbs: commands that run after a commit",
        user_only=True,
        is_tables=True,
    ),
)
"""All settings, in the order of the documentation."""

RETIRED_SETTINGS: Mapping[str, str] = {
    "candidates.audit_days": "decisions are kept for 90 days",
    "compact.gap": "use compact --gap",
    "compact.summary_chars": "the built-in summary has at most 6000 characters",
    "git": "a [[write_hook]] in your own config.toml runs git commit after each change; see the README",
    "lint.hook": "ignore M306 with lint.ignore",
    "watch.debounce": "the watcher waits 50 milliseconds",
}
"""Settings of earlier versions, which are ignored with a notice, and their replacements."""

COMMAND_SETTINGS = ("summarizer", "extractor", "embedder")
"""Settings that name a command: a shell command line, or a list of the program and its arguments."""

SETTINGS_BY_NAME = {setting.name: setting for setting in SETTINGS}


class Settings(Struct, frozen=True):
    """The values in force by name; `notices` report refused and unknown settings, one sentence each."""

    values: Mapping[str, Any]
    notices: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.values[name] if name in self.values else SETTINGS_BY_NAME[name].default

    def is_default(self, name: str) -> bool:
        """Whether a setting has its default value."""
        return bool(self[name] == SETTINGS_BY_NAME[name].default)


def setting_named(name: str) -> Setting:
    """The setting of a name. Raises BadUsage for an unknown or retired one."""
    if name in RETIRED_SETTINGS:
        raise BadUsage(f"memtool no longer reads the setting {name!r}: {RETIRED_SETTINGS[name]}")
    if (setting := SETTINGS_BY_NAME.get(name)) is not None:
        return setting
    from difflib import get_close_matches

    near = [known for known in SETTINGS_BY_NAME if known.endswith(f".{name}")] or get_close_matches(
        name, SETTINGS_BY_NAME, 1
    )
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "'memtool config list' lists them"
    raise BadUsage(f"unknown setting {name!r}; {hint}")
