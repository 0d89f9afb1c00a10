"""The indexes that a search asks: documents and transcripts, brought in line together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memtool.index.sync import Progress
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.documents import DocumentSync
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.turns.history import history_groups

_COMPARED_WHEN_IDLE = 20_000
"""Turn files that are all compared in a quiet moment: some 60 ms."""


_MERGED_WHEN_IDLE = 5_000
"""Chunks that are merged in a quiet moment: at most half a second, in which the watcher answers nobody."""


class SearchIndexes:
    """Both indexes of one workspace; the arguments are those of `DocumentSync`."""

    def __init__(
        self, workspace: Workspace, key: bytes | None, *, wait: float, progress: Progress | None = None
    ) -> None:
        self.workspace = workspace
        self.documents = DocumentSync(workspace, key, wait=wait, progress=progress)
        self.turns = TurnSync(workspace, key, wait=wait, progress=progress)

    def sync(self, *, every: bool = False) -> None:
        """Bring both in line with the tree; with `every`, each file is compared, however many there are."""
        self.documents.sync()
        self.turns.sync(every=every)
        self._end_read()

    def sync_paths(self, paths: Iterable[str]) -> None:
        """Bring in line what is indexed of just these files; the watcher's quick way."""
        folders = [
            f"{self.workspace.layout.folder('turn', group=group)}/"
            for group in history_groups(self.workspace)
        ]
        turns = {path for path in paths if path.startswith(tuple(folders))}
        if documents := {*paths} - turns:
            self.documents.sync_paths(documents)
            self.documents.end_read()
        if turns:
            self.turns.sync_paths(sorted(turns))
            self.turns.end_read()

    def follow_changes(
        self, since: Callable[[int | None, Callable[[str], bool]], tuple[int, Sequence[str] | None] | None]
    ) -> None:
        """Compare only files that changed, as `since` names them; its second argument selects their folders.

        See `IndexSync.changes_since` for the first, and for what it returns.
        """
        self.documents.changes_since = lambda position: since(position, self._may_have_documents)
        self.turns.changes_since = lambda position: since(position, self._is_history)

    def _may_have_documents(self, folder: str) -> bool:
        return not self._is_history(folder) or self.workspace.layout.can_contain_indexed(folder)

    def _is_history(self, folder: str) -> bool:
        """Whether a folder is in the history of the workspace, or of a group."""
        layout = self.workspace.layout
        parts = folder.split("/", 2)
        is_of_group = layout.groups is not None and parts[0] == layout.groups
        below = "/".join(parts[2:]) if is_of_group else folder
        return f"{below}/".startswith(f"{layout.folder('turn')}/")

    def prepare(self) -> None:
        """Merge small segments that many updates left, and compare all files; for quiet moments.

        `maintain` merges the large ones, which takes up to half a minute for 100,000 files.
        """
        self.documents.merge_segments(_MERGED_WHEN_IDLE)
        self.documents.sync()
        self.turns.prepare(_COMPARED_WHEN_IDLE)
        self._end_read()

    def _end_read(self) -> None:
        self.documents.end_read()
        self.turns.end_read()

    def close(self) -> None:
        """Release the open indexes; the next query reopens them."""
        self.documents.close()
        self.turns.close()
