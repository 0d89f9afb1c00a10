"""The generated tables of the help topics and of memtool/README.md: written from the code, or checked."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from memtool.cli.reference import exit_code_meanings, toml_value
from memtool.cli.render.lint_codes import markdown_rows
from memtool.cli.table import COMMANDS, GROUPS, commands_of
from memtool.store.config.settings import SETTINGS

_PART = re.compile(r"(<!-- generated: (\w[\w-]*) -->\n).*?(<!-- end -->)", re.DOTALL)


def commands() -> str:
    """The table of commands, each group under a row with its name."""
    rows = ["| command | what it does |", "| --- | --- |"]
    for group in GROUPS:
        rows.append(f"| **{group}** | |")
        rows += [f"| `memtool {name}` | {summary} |" for name, summary in commands_of(group)]
    return "\n".join(rows)


def exit_codes() -> str:
    """The table of exit codes."""
    return "\n".join(
        [
            "| code | meaning |",
            "| --- | --- |",
            *(f"| {code} | {text} |" for code, text in exit_code_meanings()),
        ]
    )


def settings() -> str:
    """The table of settings."""
    rows = []
    for setting in SETTINGS:
        restriction = " (user config only)" if setting.user_only else ""
        rows.append(
            f"| `{setting.name}` | `{toml_value(setting.default)}` | {setting.meaning}{restriction} |"
        )
    return "\n".join(["| setting | default | meaning |", "| --- | --- | --- |", *rows])


def lint_codes() -> str:
    """The table of what lint finds."""
    return "\n".join(markdown_rows())


COMMAND_MODULES: dict[str, tuple[str, str]] = {
    "init": ("layout.init", ""),
    "scan": ("capture.scan", "capture.scan"),
    "append-daily": ("capture.append_daily", "capture.exchange"),
    "append-turn": ("turns.append_turn", "records.turn"),
    "replay": ("turns.replay", "history.readable_turn"),
    "upgrade-history": ("history.upgrade_history", "history.upgrade"),
    "quarantine": ("history.quarantine", ""),
    "import": ("history.import_", ""),
    "search": ("search.search", "search.scoring"),
    "eval": ("search.evaluate", "search.evaluation"),
    "get": ("access.get", ""),
    "save": ("facts.save", "facts.identity"),
    "recall": ("facts.recall", "search.answers"),
    "facts": ("facts.facts", ""),
    "forget": ("forgetting.forget", "forgetting.selection"),
    "feedback": ("memory_files.feedback", ""),
    "maintain": ("maintenance.maintain", ""),
    "fleet": ("fleet.push", ""),
    "merge": ("merging.merge", "text.record_merge"),
    "decay": ("memory_files.salience", "facts.salience"),
    "learn": ("facts.learn", ""),
    "buffer": ("compaction.buffer", ""),
    "recover": ("compaction.recover", "compaction.recover"),
    "context": ("context.context", "context.context"),
    "compact": ("compaction.compact", "compaction.compact"),
    "next-run": ("compaction.next_run", ""),
    "truncate": ("", "text.truncate"),
    "candidates": ("facts.candidates", "facts.policy"),
    "session": ("sessions.session", ""),
    "session-end": ("sessions.session_end", "facts.promotion"),
    "rules": ("facts.rules", "facts.rules"),
    "episodes": ("sessions.episodes", ""),
    "mcp": ("", ""),
    "lsp": ("editor.places", ""),
    "memories": ("memories.memories", "memories.memory_commands"),
    "hook": ("hooks.hook", "hooks.hook_event"),
    "note": ("notes.link_graph", "notes.link_resolver"),
    "lint": ("lint.lint", "lint.codes.all_codes"),
    "migrate": ("layout.migrate", ""),
    "log": ("journal.log", "history.file_effects"),
    "undo": ("journal.undo", "history.undo"),
    "trace": ("journal.trace", ""),
    "watch": ("indexing.indexes", ""),
    "reindex": ("indexing.reindex", ""),
    "stats": ("health.stats", "history.memory_counts"),
    "doctor": ("health.doctor", "records.health"),
    "status": ("health.status", ""),
    "config": ("config.config", ""),
    "completion": ("", ""),
    "help": ("", ""),
}
"""Each command's module of `verbs` that reads and writes, and its module of `core` that decides, or ""."""


def command_modules() -> str:
    """The table of commands with their modules. Raises LookupError for a missing file."""
    package = Path(__file__).parents[2]
    rows = ["| command | command line: `cli/commands/` | operation: `verbs/` | decisions: `core/` |"]
    rows.append("| --- | --- | --- | --- |")
    for name, row in COMMANDS.items():
        verb, decision = COMMAND_MODULES[name]
        cells = (_module_cell(package, "cli/commands", row.module), _module_cell(package, "verbs", verb))
        rows.append(f"| `{name}` | {' | '.join(cells)} | {_module_cell(package, 'core', decision)} |")
    return "\n".join(rows)


def _module_cell(package: Path, layer: str, module: str) -> str:
    """The path of a module as a cell of the table; "" for no module. Raises LookupError."""
    if not module:
        return ""
    path = module.replace(".", "/") + ".py"
    if not (package / layer / path).is_file():
        raise LookupError(f"there is no {layer}/{path}")
    return f"`{path}`"


PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "exit-codes": exit_codes,
    "settings": settings,
    "lint-codes": lint_codes,
    "places": command_modules,
}
"""Each generated part by the name in its opening comment."""


def regenerate(page: str) -> str:
    """A page with its generated parts up to date. Raises KeyError for a part of unknown name."""
    return _PART.sub(lambda match: f"{match[1]}{PARTS[match[2]]()}\n{match[3]}", page)


def main(arguments: Sequence[str]) -> int:
    """Write the generated parts of pages; with --check, report stale pages and return 1."""
    stale = False
    for path in (Path(argument) for argument in arguments if argument != "--check"):
        page = path.read_text(encoding="utf-8")
        fresh = regenerate(page)
        if fresh != page and "--check" in arguments:
            sys.stderr.write(f"{path} is stale; run: make docs\n")
            stale = True
        elif fresh != page:
            path.write_text(fresh, encoding="utf-8")
    return int(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
