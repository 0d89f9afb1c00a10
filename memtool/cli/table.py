"""The table of commands: each one's module in `cli.commands`, its group and its one line of help."""

from __future__ import annotations

from typing import NamedTuple

START = "Start"
WRITE = "Write"
READ = "Read"
KEEP = "Maintain"
PLUMBING = "Plumbing"

GROUPS = (START, WRITE, READ, KEEP, PLUMBING)
"""The groups of commands, in the order of the help, which leaves out PLUMBING."""


class CommandRow(NamedTuple):
    """A command: its module in `cli.commands`, its group and its summary, its docstring's first line."""

    module: str
    group: str
    summary: str


COMMANDS: dict[str, CommandRow] = {
    "init": CommandRow("init", START, "Create a workspace"),
    "config": CommandRow("config", START, "List, read and change settings"),
    "status": CommandRow("status", START, "Show the state of the workspace, its index and its watcher"),
    "doctor": CommandRow("doctor", START, "Check the workspace and suggest what to run next"),
    "import": CommandRow("import_", START, "Import transcripts of other agents into the history"),
    "migrate": CommandRow("migrate", START, "Update files of an older version, or change the layout"),
    "hook": CommandRow("hook", START, "Handle an agent's hook events, or install the hooks"),
    "mcp": CommandRow("mcp", START, "Serve memory as MCP tools over stdin and stdout"),
    "help": CommandRow("help", START, "Show help for a command or topic"),
    "scan": CommandRow("scan", WRITE, "Record facts, preferences and instructions from a user message"),
    "append-daily": CommandRow("append_daily", WRITE, "Append an exchange or a note to the daily note"),
    "append-turn": CommandRow("append_turn", WRITE, "Append messages to the history as its next turn"),
    "save": CommandRow("save", WRITE, "Save a fact, and add it to the daily note"),
    "learn": CommandRow("learn", WRITE, "Record an error, a correction or a success for later prompts"),
    "rules": CommandRow("rules", WRITE, "List, add, edit, archive and restore rules"),
    "search": CommandRow("search", READ, "Search documents and past messages"),
    "get": CommandRow("get", READ, "Print a memory file, or some lines of it"),
    "recall": CommandRow("recall", READ, "Find facts that answer a question"),
    "context": CommandRow("context", READ, "Print the memory to include in the next prompt"),
    "replay": CommandRow("replay", READ, "Print the last turns of the history, oldest first"),
    "episodes": CommandRow("episodes", READ, "List or show the summaries of sessions"),
    "trace": CommandRow("trace", READ, "Show what memory contains, and where a line comes from"),
    "stats": CommandRow("stats", READ, "Count memory entries, and show their growth over time"),
    "lint": CommandRow("lint", KEEP, "Check memory files for problems"),
    "note": CommandRow("note", KEEP, "Create, show and move notes, and query the links between them"),
    "facts": CommandRow("facts", KEEP, "List, rank, show, correct and forget facts"),
    "compact": CommandRow("compact", KEEP, "Shorten a conversation that nearly fills its context window"),
    "forget": CommandRow("forget", KEEP, "Remove records from memory by user, text, source or date"),
    "log": CommandRow("log", KEEP, "List the changes that commands made, newest first"),
    "undo": CommandRow("undo", KEEP, "Undo the changes made by a command"),
    "quarantine": CommandRow("quarantine", KEEP, "Quarantine, list, show, restore and purge turn files"),
    "merge": CommandRow("merge", KEEP, "Merge two versions of a memory file, record by record"),
    "lsp": CommandRow("lsp", KEEP, "Serve memory files to editors as a language server"),
    "fleet": CommandRow("fleet", KEEP, "Search the memory of many workspaces through PostgreSQL"),
    "maintain": CommandRow("maintain", KEEP, "Run routine maintenance of sessions, facts, turns and indexes"),
    "upgrade-history": CommandRow("upgrade_history", KEEP, "Upgrade turn files to the current version"),
    "session": CommandRow("session", KEEP, "Record sessions, list open ones, and end idle ones"),
    "session-end": CommandRow(
        "session_end", KEEP, "End a session: store confirmed facts and write its summary"
    ),
    "watch": CommandRow("watch", KEEP, "Keep the index current as files change, and answer searches"),
    "reindex": CommandRow("reindex", KEEP, "Rebuild the search index, or compare it with the files"),
    "buffer": CommandRow("buffer", PLUMBING, "Record an exchange once the context window is half full"),
    "recover": CommandRow("recover", PLUMBING, "Print the state of the agent's work after a compaction"),
    "truncate": CommandRow("truncate", PLUMBING, "Shorten a text to a limit, keeping its beginning and end"),
    "next-run": CommandRow(
        "next_run", PLUMBING, "Check whether the next run should start a new conversation"
    ),
    "candidates": CommandRow("candidates", PLUMBING, "Propose memories, and review held candidates"),
    "memories": CommandRow("memories", PLUMBING, "Execute a command of Anthropic's memory tool"),
    "eval": CommandRow("eval", PLUMBING, "Measure search quality with your own questions"),
    "decay": CommandRow("decay", PLUMBING, "Reduce every fact's salience by 5%, at most once a day"),
    "feedback": CommandRow("feedback", PLUMBING, "Rate what the agent did, or list ratings"),
    "completion": CommandRow("completion", PLUMBING, "Print or install shell completion"),
}
"""Each command by its name, group by group."""


def commands_of(group: str) -> list[tuple[str, str]]:
    """The name and the summary of each command of a group."""
    return [(name, row.summary) for name, row in COMMANDS.items() if row.group == group]
