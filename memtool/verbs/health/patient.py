"""The patient: a workspace with what is needed to look at it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec import Struct

from memtool.core.records.document import Listing
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.indexing.indexes import SearchIndexes


class Patient(Struct, frozen=True):
    """What every check is given. `key` proves indexes; `progress` is told of long work, as everywhere."""

    workspace: Workspace
    listing: Listing
    now: datetime
    environment: Mapping[str, str]
    shelves: SearchIndexes
    facts: FactSync
    key: bytes | None
    progress: Callable[[int, int], None] | None = None

    def at(self, path: str) -> str:
        """A path of the workspace as a shell takes it, wherever it is run."""
        return shlex.quote(os.path.join(self.workspace.root, path))
