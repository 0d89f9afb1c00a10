"""Which of many files that are not indexed yet a prompt may be about: they are read, and not analysed."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from memtool.core.records.document import FileStat
from memtool.core.records.health import count_noun
from memtool.core.text.folding import fold
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.store.workspace import Workspace

_SECONDS = 1.0
"""How long files are read."""


def files_with_words(
    workspace: Workspace, files: Mapping[str, FileStat], words: Collection[str], most_bytes: int
) -> list[str]:
    """The files that contain most of the folded `words`, up to so many bytes together, sorted by path.

    Of files that contain equally many, the last by path come first: those are the newest daily notes. Files
    that cannot be read in time are left out.
    """
    found: list[tuple[int, str]] = []
    if not words:
        return []
    end = time.monotonic() + _SECONDS
    paths = [PurePosixPath(path) for path in sorted(files, reverse=True)]
    try:
        for path, content in workspace.disk.read_contents(paths):
            if time.monotonic() > end:
                break
            if not isinstance(content, UnreadableFile):
                folded = _folded(content)
                if count := sum(word in folded for word in words):
                    found.append((count, str(path)))
    except OutsideWorkspace:  # whoever indexes the folder says why
        pass
    chosen: list[str] = []
    left = most_bytes
    for _, name in sorted(found, key=lambda row: -row[0]):
        if files[name].size <= left:
            chosen.append(name)
            left -= files[name].size
    return sorted(chosen)


def unsearched_notice(count: int, searched: int) -> str:
    """What to say where only so many of the new or changed files were searched."""
    files, is_one = count_noun(count, "new or changed file"), count == 1
    if searched == 1:
        part = "; of these, only the file that contains the most words of the query was searched"
    elif searched:
        part = f"; of these, only the {searched} files that contain the most words of the query were searched"
    else:
        part = f" and {'was' if is_one else 'were'} not searched"
    return f"{files} {'is' if is_one else 'are'} not indexed yet{part}; indexing continues in the background"


def _folded(content: bytes) -> str:
    if content.isascii():
        return content.lower().decode("ascii")
    return fold(content.decode("utf-8", "surrogateescape"))
