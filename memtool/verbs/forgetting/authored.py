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
_REARRANGING = frozenset(
    {"note mv", "rules archive", "rules restore", "memories rename", "memories delete", "candidates drop"}
)
"""Commands of these that only move what is there."""
_SUPERSEDED = " [superseded:"


def authored_lines(
    workspace: Workspace, is_author: Callable[[CommitAuthor], bool]
) -> dict[str, Collection[str]]:
    """The lines by path that recording commands of these authors added, without line ends.

    A line that the same run of a command took out of another file was moved, and is not theirs.
    """
    added: list[tuple[str, str, set[str]]] = []
    removed: dict[str, set[str]] = {}
    for change in content_changes(workspace.journal.newest_first(), version_reader(workspace)):
        author = change.record.author
        if not is_author(author) or not _records(author.command):
            continue
        if isinstance(change.step, Moved | Permitted):
            continue
        contents = [content for content in (change.before, change.after) if content is not None]
        if not all(isinstance(content, bytes) for content in contents):
            continue
        before, after = _lines(change.before), _lines(change.after)
        removed.setdefault(change.record.run, set()).update({*before} - {*after})
        known = set(map(_without_mark, before))
        new = {line for line in after if _without_mark(line) not in known}
        added.append((change.record.run, change.step.path, new))
    lines: dict[str, set[str]] = {}
    for run, path, new in added:
        if own := new - removed[run]:
            lines.setdefault(path, set()).update(own)
    return {**lines}


def _records(command: str) -> bool:
    """Whether a command writes down what its user says."""
    return command.partition(" ")[0] in _RECORDING and command not in _REARRANGING


def _lines(content: object) -> list[str]:
    """The lines of a file's content that are not blank; none of a file that is not there."""
    if not isinstance(content, bytes):
        return []
    text = content.decode("utf-8", "surrogateescape")
    return [line.rstrip("\r") for line in text.split("\n") if line.strip()]


def _without_mark(line: str) -> str:
    """A line without the mark that it no longer holds, which another user's statement may add."""
    return line.partition(_SUPERSEDED)[0]
