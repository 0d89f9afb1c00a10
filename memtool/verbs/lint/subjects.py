"""Lint subjects: what the layout and the settings define for each file, before its text is read."""

from __future__ import annotations

from functools import cached_property
from pathlib import PurePosixPath

from memtool.core.capture.triggers import CATEGORIES
from memtool.core.lint.lint_target import FactRules, KnownCategories, LintTarget, PromptLimits
from memtool.core.records.entries import FACT_CATEGORY
from memtool.layouts.layout import LocatedFile, Place
from memtool.layouts.policy import policy_tables
from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace
from memtool.verbs.context.host_text import compiled_form
from memtool.verbs.turns.history import is_turn_name, seq_of_name

_TEXT_SUFFIXES = (".md", ".markdown", ".mdown", ".mdx", ".txt", ".text", ".rst", ".org")
"""Endings of text files."""
_STATING_FORMATS = frozenset({"semantic", "rules"})
"""Formats of files whose statements can contradict one another."""


_PROGRAM_FOLDERS = (".obsidian", ".zk", ".foam")
"""The folders of settings of Obsidian, and of programs that allow other tags in the same layout."""


class SubjectResolver:
    """Returns the lint subject of each file of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._layout = workspace.layout
        self._turns = _folder_pattern(self._layout.place("turn").template.pattern)

    def resolve(self, path: str) -> LintTarget | None:
        """Return the subject of a file; None for a file that is not part of memory."""
        located = self._layout.locate(path)
        if located is not None:
            return self._located(path, located)
        if path == WORKSPACE_FILE:
            return LintTarget(path)
        if self._is_among_turns(path):
            return LintTarget(path, "turn", "turn")
        return None

    def resolve_or_plain(self, path: str) -> LintTarget:
        """Return the subject of a file requested by name; outside memory it is plain text."""
        return self.resolve(path) or LintTarget(path)

    def is_text(self, path: str) -> bool:
        """Whether a file without a role is a text in a folder of the tree."""
        return "/" in path and path.casefold().endswith(_TEXT_SUFFIXES)

    def group_of(self, path: str) -> str:
        """Return the group in whose folder a path lies; empty for the workspace itself."""
        top, _, rest = path.partition("/")
        return rest.partition("/")[0] if top == self._layout.groups and "/" in rest else ""

    def _located(self, path: str, located: LocatedFile) -> LintTarget:
        place = located.place
        name = path.rpartition("/")[2]
        return LintTarget(
            path,
            located.role,
            place.format,
            located.day,
            "slug" not in located.slots,
            seq_of_name(name) if located.role == "turn" else None,
            self._limits(located.role, place),
            self._words,
            self._workspace.settings["agent_name"],
            self._layout.notes.forgiving,
            self._layout.notes.titled_by_heading,
            self._fact_rules if place.format in _STATING_FORMATS else None,
            place.required_keys(path),
            place.format == "note" and self._has_plain_tags,
        )

    @cached_property
    def _has_plain_tags(self) -> bool:
        """Whether tags are Obsidian's, and not those of another program whose folder is there."""
        own, *others = (PurePosixPath(name) for name in _PROGRAM_FOLDERS)
        has = self._workspace.disk.folder_stat
        return self._layout.notes.plain_tags and (has(own) is not None or not any(map(has, others)))

    @cached_property
    def _fact_rules(self) -> FactRules:
        from memtool.verbs.facts.write_policy import load_policy  # most files need none

        policy = load_policy(self._workspace.settings)
        return FactRules(policy.phrases, policy.vocabulary["single"])

    @cached_property
    def _words(self) -> KnownCategories:
        settings = self._workspace.settings
        custom = {*settings["scan.phrases"], *settings["scan.patterns"]}
        vocabulary = policy_tables()["vocabulary"]["categories"]
        facts = {*vocabulary, *(name for name in self._layout.categories if name)}
        return KnownCategories(frozenset({*CATEGORIES, FACT_CATEGORY, *custom}), frozenset({*facts, *custom}))

    def _limits(self, role: str, place: Place) -> PromptLimits:
        limits = self._layout.limits
        if place.inject != "always" or role == "learnings":
            return PromptLimits()
        place_limit = place.limit and (self._workspace.settings["lint.bootstrap"] or place.limit)
        compiled = self._layout.compiled
        is_index = role == "workspace" and "index_lines" in limits
        return PromptLimits(
            host=int(place_limit) if place_limit else None,
            host_name=self._layout.host,
            head=limits["bootstrap_head"],
            working_memory=int(limits["working_memory"]) if role == "working-memory" else None,
            lines=int(limits["index_lines"]) if is_index else None,
            size=int(limits["index_bytes"]) if is_index else None,
            codex=int(limits["codex_bytes"]) if self._is_read_by_codex(place) else None,
            compiled=compiled_form(compiled) if compiled is not None and compiled.role == role else None,
        )

    def _is_read_by_codex(self, place: Place) -> bool:
        return "codex" in place.read_by and self._layout.agent in {"", "Codex"}

    def _is_among_turns(self, path: str) -> bool:
        """Whether a file lies in the folders of turns and has the name of a turn."""
        group = self.group_of(path)
        relative = path.removeprefix(f"{self._layout.groups}/{group}/") if group else path
        return relative.startswith(self._turns) and is_turn_name(path.rpartition("/")[2])


def _folder_pattern(pattern: str) -> str:
    """The folder of all files of a place, with its slash."""
    return pattern.partition("{")[0].rpartition("/")[0] + "/"
