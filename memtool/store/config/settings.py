"""Settings: the table of names, defaults and meanings, and the values in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from memtool.core.records.plan import Plan, changed_paths
from memtool.errors import BadUsage, OtherLayout
from memtool.store.root import WORKSPACE_FILE


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
        "seconds after which a command stops waiting for another command to finish writing",
        limits=(0, _DAY),
    ),
    Setting(
        "scan.phrases",
        {},
        "additional phrases that memtool scan looks for: a table that maps each category to a list of "
        "phrases",
    ),
    Setting(
        "scan.patterns",
        {},
        "additional patterns that memtool scan looks for: a table that maps each category to a list of "
        "regular expressions",
        user_only=True,
    ),
    Setting(
        "summarizer",
        "",
        (
            "command that summarises the text on stdin: a shell command, or a list of the program and "
            "its arguments"
        ),
        user_only=True,
    ),
    Setting(
        "extractor",
        "",
        (
            "command that extracts facts from the messages on stdin: a shell command, or a list of the "
            "program and its arguments"
        ),
        user_only=True,
    ),
    Setting(
        "embedder",
        "",
        (
            "command that reads one text per line, as a JSON string, and prints one embedding per line, as a "
            "JSON array of numbers; the value is a shell command, or a list of the program and its arguments"
        ),
        user_only=True,
    ),
    Setting(
        "delegate.seconds",
        60.0,
        "seconds after which an external command (summarizer, extractor, embedder, write hook) is stopped",
        user_only=True,
        limits=(0.1, _DAY),
    ),
    Setting(
        "delegate.max_bytes",
        1_000_000,
        "maximum output of an external command, in bytes",
        user_only=True,
        limits=(1, 1_000_000_000),
    ),
    Setting(
        "session_state.max_bytes",
        100_000,
        "size of the session state, in bytes, above which its oldest entries are archived",
        limits=(1, 1_000_000_000),
    ),
    Setting(
        "daily.clip",
        500,
        "maximum number of characters of each message in a daily note",
        limits=(1, 100_000_000),
    ),
    Setting(
        "candidates.markers",
        {},
        "additional phrases for the write policy: a table that maps the name of each phrase list, such as "
        "durable, to the phrases to add",
    ),
    Setting(
        "candidates.pending_days",
        90,
        "number of days that a candidate (a proposed memory) waits for confirmation before it expires",
        limits=_DAYS,
    ),
    Setting(
        "groups.main",
        "main",
        "name of the main chat group, whose agent may also read and write the memory of all other groups",
        user_only=True,
    ),
    Setting(
        "groups.folder",
        "",
        (
            "if the groups' folder is a symbolic link that points outside the workspace: the absolute path "
            "of its target"
        ),
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
        "whether search results are added to prompts: on or off; empty: set by the layout",
        choices=("", "on", "off"),
    ),
    Setting(
        "context.mode",
        "",
        "how memtool context ranks passages: lexical (by the same score as memtool search) or words (by "
        "how many of the prompt's words a passage contains); empty: set by the layout",
        choices=("", "lexical", "words"),
    ),
    Setting(
        "context.characters",
        0,
        (
            "maximum total number of characters in the excerpts added to a prompt; 0: as many as fit in the "
            "budget (hook.budget, or --budget of memtool context), at most 6000 of them from documents; "
            "without a budget, 6000"
        ),
        limits=_CHARACTERS,
    ),
    Setting(
        "context.limit", 200_000, "size of the agent's context window in tokens", limits=(1, 1_000_000_000)
    ),
    Setting(
        "context.tokenizer",
        "",
        (
            "tokenizer: name of a tiktoken encoding, or path to a tokenizer.json file; empty: token counts "
            "are estimated"
        ),
        user_only=True,
    ),
    Setting(
        "context.buffer",
        0.0,
        "share of the context window that must be in use before exchanges are also written to the working "
        "buffer; 0: set by the layout",
        limits=_SHARE,
    ),
    Setting(
        "context.flush",
        0.0,
        "share of the context window that must be in use before facts are extracted and stored; 0: set by "
        "the layout",
        limits=_SHARE,
    ),
    Setting(
        "context.compact",
        0.0,
        "share of the context window that must be in use before a conversation is compacted; 0: set by the "
        "layout",
        limits=_SHARE,
    ),
    Setting(
        "compact.keep_first",
        -1,
        "number of messages that compaction keeps at the beginning of a conversation; -1: set by the layout",
        limits=_KEPT,
    ),
    Setting(
        "compact.keep_last",
        -1,
        "number of messages that compaction keeps at the end of a conversation; -1: set by the layout",
        limits=_KEPT,
    ),
    Setting(
        "search.mode",
        "lexical",
        "how search ranks its hits: lexical (by words), semantic (by meaning), or hybrid (by both)",
        choices=("lexical", "semantic", "hybrid"),
    ),
    Setting(
        "search.engine",
        "whoosh",
        "engine for the document index: whoosh, or sqlite, which is faster for large workspaces",
        choices=("whoosh", "sqlite"),
    ),
    Setting("search.limit", 10, "maximum number of hits that search prints", limits=(1, 1_000_000)),
    Setting(
        "search.exact_notes",
        30,
        "number of daily notes that search --exact reads, beginning with the newest",
        limits=_COUNT,
    ),
    Setting(
        "search.max_file_bytes",
        16_000_000,
        "size in bytes above which a file is not indexed, but read directly by every search",
        limits=(1, _MAX_FILE_BYTES),
    ),
    Setting(
        "hook.budget",
        8000,
        "maximum number of characters that a hook adds to a prompt; Claude Code accepts at most 10,000",
        limits=(1, 1_000_000),
    ),
    Setting(
        "hook.standing",
        "once",
        (
            "how often the standing sections (see memtool help hooks) are added to a conversation: once (and "
            "again when they change), or always (with every prompt)"
        ),
        choices=("once", "always"),
    ),
    Setting(
        "lint.select", (), "problems that lint looks for, as codes or prefixes of codes; empty: all problems"
    ),
    Setting("lint.ignore", (), "problems that lint ignores, as codes or prefixes of codes"),
    Setting(
        "lint.per_file",
        {},
        "problems that lint ignores in certain files: a table that maps each glob to a list of codes",
    ),
    Setting(
        "lint.baseline",
        "",
        "path of the baseline file, relative to the root; lint does not report the problems listed in it",
    ),
    Setting(
        "lint.bootstrap",
        0,
        "maximum number of characters that the program running the agent loads from each startup file; lint "
        "reports longer files; 0: set by the layout",
        limits=_CHARACTERS,
    ),
    Setting(
        "lint.bootstrap_total",
        0,
        "maximum number of characters that the program running the agent loads from all startup files "
        "together; lint reports a larger total; 0: set by the layout",
        limits=_CHARACTERS,
    ),
    Setting(
        "journal.days",
        30.0,
        "number of days for which changes can be undone; 0: no journal",
        limits=_DAYS,
    ),
    Setting(
        "journal.max_bytes", 50_000_000, "maximum size of the journal in bytes; 0: no journal", limits=_BYTES
    ),
    Setting(
        "write_hook",
        (),
        "commands that run after each change to memory files: [[write_hook]] tables with the keys command, "
        "roles and verbs",
        user_only=True,
        is_tables=True,
    ),
)
"""All settings, in the order of the documentation."""

RETIRED_SETTINGS: Mapping[str, str] = {
    "candidates.audit_days": "decisions on candidates are always kept for 90 days",
    "compact.gap": "use memtool compact --gap",
    "compact.summary_chars": "the built-in summary is at most 6,000 characters long; this cannot be changed",
    "git": "to commit each change to git, add a [[write_hook]] (see memtool help journal)",
    "lint.hook": "to disable the check of the hook output limit, add M306 to lint.ignore",
    "watch.debounce": (
        "the watcher always waits 50 milliseconds for further changes before it updates the index"
    ),
}
"""Settings of earlier versions, which are ignored with a notice, and their replacements."""

COMMAND_SETTINGS = ("summarizer", "extractor", "embedder")
"""Settings that name a command: a shell command line, or a list of the program and its arguments."""

SETTINGS_BY_NAME = {setting.name: setting for setting in SETTINGS}


class Settings(Struct, frozen=True):
    """The values in force by name; `notices` report refused and unknown settings, one sentence each.

    `own_layout` is the layout that the workspace's file names; empty if it names none.
    """

    values: Mapping[str, Any]
    notices: tuple[str, ...] = ()
    own_layout: str = ""

    def __getitem__(self, name: str) -> Any:
        return self.values[name] if name in self.values else SETTINGS_BY_NAME[name].default

    def is_default(self, name: str) -> bool:
        """Whether a setting has its default value."""
        return bool(self[name] == SETTINGS_BY_NAME[name].default)

    def names_other_layout(self, layout: str) -> bool:
        """Whether the workspace's file names another layout than this one."""
        return self.own_layout not in {"", layout}

    def check_layout(self, layout: str, plan: Plan) -> None:
        """Raise OtherLayout for a plan in another layout than that of the workspace's file.

        The file itself may be changed, so that its layout can be corrected.
        """
        paths = (str(path) for change in plan for path in changed_paths(change))
        if self.names_other_layout(layout) and any(path != WORKSPACE_FILE for path in paths):
            raise OtherLayout(self.own_layout, layout, is_variable=self["layout"] == layout)


def setting_named(name: str) -> Setting:
    """The setting of a name. Raises BadUsage for an unknown or retired one."""
    if name in RETIRED_SETTINGS:
        raise BadUsage(f"memtool no longer reads the setting {name!r}: {RETIRED_SETTINGS[name]}")
    if (setting := SETTINGS_BY_NAME.get(name)) is not None:
        return setting
    hint = similar_settings(name) or "'memtool config list' lists all settings"
    raise BadUsage(f"unknown setting {name!r}; {hint}")


def settings_like(name: str) -> list[str]:
    """The setting of a name, else those whose last part it is, else the one most like it, if any."""
    from difflib import get_close_matches

    if name in SETTINGS_BY_NAME:
        return [name]
    ending = [known for known in SETTINGS_BY_NAME if known.endswith(f".{name}")]
    return ending or get_close_matches(name, SETTINGS_BY_NAME, 1)


def similar_settings(name: str) -> str:
    """The question whether settings with a similar name were meant; "" if there are none."""
    near = settings_like(name)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else ""
