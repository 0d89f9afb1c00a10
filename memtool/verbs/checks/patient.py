"""The patient: a workspace with what is needed to look at it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from datetime import datetime

from memtool.core.document import Listing
from memtool.store.workspace import Workspace
from memtool.values import dataclass
from memtool.verbs.fact_shelf import FactShelf
from memtool.verbs.shelves import Shelves


@dataclass(frozen=True, slots=True)
class Patient:
    """What every check is given. `key` proves indexes; `progress` is told of long work, as everywhere."""

    workspace: Workspace
    listing: Listing
    now: datetime
    environment: Mapping[str, str]
    shelves: Shelves
    facts: FactShelf
    key: bytes | None
    progress: Callable[[int, int], None] | None = None

    def at(self, path: str) -> str:
        """A path of the workspace as a shell takes it, wherever it is run."""
        return shlex.quote(os.path.join(self.workspace.root, path))
