"""Lines that commands of one user or session added, as far as the journal tells."""

from __future__ import annotations

from collections.abc import Callable, Collection

from memtool.core.history.journal import CommitAuthor, Moved, Permitted
from memtool.core.history.versions import content_changes
from memtool.store.workspace import Workspace
from memtool.verbs.journal.log import version_reader

_WORDS = """
    append-daily append-turn buffer candidates compact hook import learn memories note rules save scan session
    session-end
"""
_RECORDING = frozenset(_WORDS.split())
"""Commands that write down what their user says; others, such as migrate, rewrite what is there."""
_SUPERSEDED = " [superseded:"


def authored_lines(
    workspace: Workspace, is_author: Callable[[CommitAuthor], bool]
) -> dict[str, Collection[str]]:
    """The lines by path that recording commands of these authors added, without line ends."""
    added: dict[str, set[str]] = {}
    for change in content_changes(workspace.journal.newest_first(), version_reader(workspace)):
        author = change.record.author
        if not is_author(author) or author.command.partition(" ")[0] not in _RECORDING:
            continue
        if isinstance(change.step, Moved | Permitted) or not isinstance(change.after, bytes):
            continue
        before = change.before if isinstance(change.before, bytes) else b""
        if change.before is not None and not isinstance(change.before, bytes):
            continue
        known = {_without_mark(line) for line in _lines(before)}
        new = {line for line in _lines(change.after) if _without_mark(line) not in known}
        added.setdefault(change.step.path, set()).update(new)
    return {path: lines for path, lines in added.items() if lines}


def _lines(content: bytes) -> list[str]:
    text = content.decode("utf-8", "surrogateescape")
    return [line.rstrip("\r") for line in text.split("\n") if line.strip()]


def _without_mark(line: str) -> str:
    """A line without the mark that it no longer holds, which another user's statement may add."""
    return line.partition(_SUPERSEDED)[0]
