"""A look at the semantic files: what the index of facts has to catch up with, or where it differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field

from memtool.errors import MemtoolError
from memtool.index.engine import Stamp
from memtool.index.facts.facts import FactFile
from memtool.index.freshness import diff
from memtool.store.workspace import Workspace
from memtool.verbs.memory.fact_files import indexed, semantic_files


class FactLook(Struct):
    """What must be done to the index, and a sentence for each file that could not be read."""

    files: list[FactFile] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    same: dict[str, Stamp] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.files or self.gone or self.same)


def look(workspace: Workspace, stamps: Mapping[str, Stamp]) -> FactLook:
    """Compare the semantic files with what is indexed of them; what cannot be read stays as it was."""
    found = FactLook()
    at_ns = workspace.disk.clock_ns()
    try:
        paths = {path.name: path for path in semantic_files(workspace)}
        folder = workspace.layout.folder("semantic")
        stats = workspace.disk.stats(folder, paths) if paths else {}
    except MemtoolError as error:
        found.unread.append(str(error))
        return found
    listed = {str(paths[name]): stat for name, stat in stats.items()}
    differs = diff(listed, stamps)
    found.gone = [*differs.gone]
    for path in (*differs.added, *differs.changed, *differs.doubtful):
        try:
            document = workspace.read(PurePosixPath(path))
        except MemtoolError as error:
            found.unread.append(str(error))
            continue
        if document is None:
            if path in stamps:
                found.gone.append(path)
            continue
        stamp = Stamp.of(listed[path], at_ns, document.etag)
        if path not in stamps or stamps[path].etag != document.etag:
            found.files.append(indexed(document, stamp))
        elif stamps[path][:5] != stamp[:5]:
            found.same[path] = stamp
    return found


def compared(
    workspace: Workspace, stamps: Mapping[str, Stamp], unread: list[str]
) -> Iterator[tuple[str, str]]:
    """Each semantic file that is not what is indexed, with `missing`, `stale` or `gone`.

    Every file is read, and no time stamp trusted. What cannot be read is named in `unread`.
    """
    left = dict(stamps)
    try:
        paths = semantic_files(workspace)
    except MemtoolError as error:
        unread.append(str(error))
        return
    for path in paths:
        stamp = left.pop(str(path), None)
        try:
            document = workspace.read(path)
        except MemtoolError as error:
            unread.append(str(error))
            continue
        if document is None or stamp is None or stamp.etag != document.etag:
            yield str(path), "gone" if document is None else "stale" if stamp else "missing"
    yield from ((path, "gone") for path in left)
