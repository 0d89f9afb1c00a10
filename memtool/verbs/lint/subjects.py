"""Subjects: what the layout and the settings say of each file, before its text is looked at."""

from __future__ import annotations

from functools import cached_property

from memtool.core.capture.triggers import CATEGORIES
from memtool.core.lint.subject import Limits, Subject, Words
from memtool.layouts.layout import Located, Place
from memtool.layouts.policy import policy_tables
from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace
from memtool.verbs.turns.history import is_turn, seq_of

_TEXTS = (".md", ".markdown", ".mdown", ".mdx", ".txt", ".text", ".rst", ".org")
"""Endings of what people and agents write to be read."""


class Subjects:
    """The subjects of one workspace's files."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._layout = workspace.layout
        self._turns = _folder_pattern(self._layout.place("turn").template.pattern)

    def of(self, path: str) -> Subject | None:
        """What is known of a file that is checked; None for one that is none of memory's."""
        located = self._layout.role_of(path)
        if located is not None:
            return self._located(path, located)
        if path == WORKSPACE_FILE:
            return Subject(path)
        if self._is_among_turns(path):
            return Subject(path, "turn", "turn")
        return None

    def plain(self, path: str) -> Subject:
        """What is known of any other file that somebody asks for by name: it is text."""
        return self.of(path) or Subject(path)

    def is_lost(self, path: str) -> bool:
        """Whether a file without a role lies in memory all the same, and is a text."""
        return "/" in path and path.casefold().endswith(_TEXTS)

    def group(self, path: str) -> str:
        """The group in whose folder a path lies; empty for the workspace itself."""
        top, _, rest = path.partition("/")
        return rest.partition("/")[0] if top == self._layout.groups and "/" in rest else ""

    def _located(self, path: str, located: Located) -> Subject:
        place = located.place
        name = path.rpartition("/")[2]
        return Subject(
            path,
            located.role,
            place.format,
            located.day,
            "slug" not in located.slots,
            seq_of(name) if located.role == "turn" else None,
            self._limits(located.role, place),
            self._words,
            self._workspace.settings["agent_name"],
            self._layout.notes.forgiving,
        )

    @cached_property
    def _words(self) -> Words:
        settings = self._workspace.settings
        own = {*settings["scan.phrases"], *settings["scan.patterns"]}
        vocabulary = policy_tables()["vocabulary"]["categories"]
        facts = {*vocabulary, *(name for name in self._layout.categories if name)}
        return Words(frozenset({*CATEGORIES, *own}), frozenset({*facts, *own}))

    def _limits(self, role: str, place: Place) -> Limits:
        limits = self._layout.limits
        if place.inject != "always" or role == "learnings":
            return Limits()
        bound = place.limit and (self._workspace.settings["lint.bootstrap"] or place.limit)
        index = role == "workspace" and "index_lines" in limits
        return Limits(
            place=int(bound) if bound else None,
            head=limits["bootstrap_head"],
            working_memory=int(limits["working_memory"]) if role == "working-memory" else None,
            lines=int(limits["index_lines"]) if index else None,
            size=int(limits["index_bytes"]) if index else None,
        )

    def _is_among_turns(self, path: str) -> bool:
        """Whether a file lies where turns do, and is meant as one whatever its name."""
        group = self.group(path)
        own = path.removeprefix(f"{self._layout.groups}/{group}/") if group else path
        return own.startswith(self._turns) and is_turn(path.rpartition("/")[2])


def _folder_pattern(pattern: str) -> str:
    """The folder that all files of a place lie in, with its slash."""
    return pattern.partition("{")[0].rpartition("/")[0] + "/"
