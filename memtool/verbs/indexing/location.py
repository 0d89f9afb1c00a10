"""Where the indexes of a workspace lie: folders of `.memtool`, by name."""

from __future__ import annotations

import os

from memtool.index.sync import IndexLocation
from memtool.store.files import private
from memtool.store.workspace import Workspace

DOCUMENTS = "index"
TRANSCRIPTS = "transcripts"
FACTS = "facts"


def index_location(workspace: Workspace, name: str, key: bytes | None, wait: float) -> IndexLocation:
    """The location of one index of a workspace; `wait` is in seconds. Raises OutsideWorkspace."""
    return IndexLocation(
        os.path.join(private.folder(workspace.root), name),
        key,
        wait,
        may_write=lambda: workspace.writes,
        make_parent=lambda: private.make(workspace.root),
        rules=workspace.layout.index_rules,
    )
