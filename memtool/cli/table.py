"""The table of commands: each one's module in `cli.commands`, and its one line of help."""

from __future__ import annotations

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init", "Make a folder a workspace: seed the files its layout needs."),
    "scan": ("scan", "Record what a user message says that is worth remembering."),
    "append-daily": ("append_daily", "Add an exchange or a note to the daily note."),
    "append-turn": ("append_turn", "Add messages to the history as its next turn, and print its number."),
    "replay": ("replay", "Print the last turns of the history, oldest first."),
    "upgrade-history": (
        "upgrade_history",
        "Upgrade every turn file to the current version, or move it to quarantine.",
    ),
    "quarantine": (
        "quarantine",
        "Manage files that could not be read: list, show, restore, add or purge.",
    ),
    "import": ("import_", "Bring the transcripts of other agents into the history."),
    "search": ("search", "Find what the memory says about something."),
    "eval": ("eval", "Measure how well search finds what you say it should, on questions of your own."),
    "get": ("get", "Print a memory file, or some lines of it."),
    "save": ("save", "Save a fact: into the note of the day, and among the facts of its category."),
    "recall": ("recall", "Ask the facts: by what a question means, and by its words."),
    "facts": ("facts", "Manage facts: list, top (by salience), show or forget."),
    "forget": (
        "forget",
        "Forget a person, a text, a source or what is old, wherever memory says it.",
    ),
    "decay": (
        "decay",
        "Multiply the salience of each fact by 0.95 (at least 0.01), once a day.",
    ),
    "maintain": ("maintain", "Run nightly maintenance: sessions, decay, old turns and the index."),
    "feedback": (
        "feedback",
        "Rate what the agent did, or list the ratings, which are kept for 180 days.",
    ),
    "learn": (
        "learn",
        "Record an error, a correction by the user or what worked, for the next prompts.",
    ),
    "buffer": ("buffer", "Record an exchange in the working buffer once half of the context is used."),
    "recover": ("recover", "Print the state of the work after a compaction, or when the user asks for it."),
    "context": ("context", "Print what of memory belongs in the next prompt."),
    "compact": (
        "compact",
        "Shorten a conversation that fills its context, once memory holds what it said.",
    ),
    "next-run": (
        "next_run",
        "Say whether an agent's next run begins anew, as a compaction of its whole conversation asks for.",
    ),
    "truncate": (
        "truncate",
        "Shorten a text to what fits: its beginning, its end, and how much was between.",
    ),
    "candidates": ("candidates", "Propose memories, and see what becomes of them."),
    "session": ("session", "Manage open sessions: start, turn, sweep or status."),
    "session-end": (
        "session_end",
        "End a session: promote the held candidates that it supports, and write its episode.",
    ),
    "rules": (
        "rules",
        "Manage the rules of conduct that are in every prompt: list, add, archive or restore.",
    ),
    "episodes": (
        "episodes",
        "List the summaries of sessions, or show one.",
    ),
    "mcp": ("mcp", "Serve memory to an agent as MCP tools, resources and prompts, over stdin and stdout."),
    "memories": ("memories", "Answer a command of Anthropic's memory tool, on the files under /memories."),
    "hook": ("hook", "Answer an agent's hook, or wire the hooks of Claude Code, Codex or OpenClaw."),
    "note": ("note", "Keep a notebook: make, show and move notes, and follow the links between them."),
    "lint": ("lint", "Find the mistakes in a memory tree, and what the agent will not see of it."),
    "migrate": (
        "migrate",
        "Bring a tree that is older than its layout up to date, or to another layout altogether.",
    ),
    "log": ("log", "List what commands changed, the last one first, from the workspace's journal."),
    "undo": ("undo", "Undo what commands changed, whole or not at all."),
    "trace": ("trace", "Say where a line of memory comes from, step by step down to who said it."),
    "watch": ("watch", "Keep the index fresh while files change, and answer searches."),
    "reindex": ("reindex", "Rebuild the search index, or compare it with the tree."),
    "stats": ("stats", "Count what the memory holds, role by role, and show how it grew."),
    "doctor": ("doctor", "Look at everything, and say what is wrong and what to run next."),
    "status": ("status", "Say what the workspace holds and how its index and watcher are."),
    "completion": (
        "completion",
        "Print the script that teaches a shell to complete memtool, or install it.",
    ),
    "help": ("help", "Show the help of a command, or a page on a topic."),
}
"""Each subcommand: its module, and its one line of help, which a test compares with its docstring."""
