"""The context of health checks: a workspace and what is needed to examine it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec import Struct

from memtool.core.records.document import TreeListing
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.indexing.indexes import SearchIndexes


class CheckContext(Struct, frozen=True):
    """The input of every check. `key` authenticates indexes; `progress` receives (done, total).

    `owners` are the tags of the users whose memory messages may quote, as in `Scope`. `commands` are the
    names of memtool's commands.
    """

    workspace: Workspace
    listing: TreeListing
    now: datetime
    environment: Mapping[str, str]
    search_indexes: SearchIndexes
    facts: FactSync
    key: bytes | None
    progress: Callable[[int, int], None] | None = None
    owners: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()

    def quoted_path(self, path: str) -> str:
        """Return the absolute path of a file, quoted for a shell."""
        return shlex.quote(os.path.join(self.workspace.root, path))
