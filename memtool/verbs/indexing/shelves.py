"""The shelves of a workspace: its index of documents and that of transcripts, kept fresh together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memtool.store.workspace import Workspace
from memtool.verbs.indexing.shelf import Shelf
from memtool.verbs.indexing.turn_shelf import TurnShelf
from memtool.verbs.turns.history import groups


class Shelves:
    """Both indexes of one workspace; the arguments are those of `Shelf`."""

    def __init__(
        self,
        workspace: Workspace,
        key: bytes | None,
        *,
        wait: float,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.workspace = workspace
        self.documents = Shelf(workspace, key, wait=wait, progress=progress)
        self.turns = TurnShelf(workspace, key, wait=wait, progress=progress)

    def freshen(self, *, every: bool = False) -> None:
        """Bring both in line with the tree; with `every`, each file is looked at, however many there are."""
        self.documents.freshen()
        self.turns.freshen(every=every)
        self.turns.rest()

    def freshen_paths(self, paths: Iterable[str]) -> None:
        """Bring in line what is indexed of just these files; the watcher's quick way."""
        folders = [f"{self.workspace.layout.folder('turn', group=one)}/" for one in groups(self.workspace)]
        turns = {path for path in paths if path.startswith(tuple(folders))}
        if documents := {*paths} - turns:
            self.documents.freshen_paths(documents)
        if turns:
            self.turns.freshen_paths(sorted(turns))
            self.turns.rest()

    def settle(self) -> None:
        """Tidy up in a quiet moment."""
        self.documents.settle()

    def forget(self) -> None:
        """Let go of the open indexes; the next question opens them anew."""
        self.documents.forget()
        self.turns.close()

    close = forget
