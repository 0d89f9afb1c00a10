"""Write the baseline file of a workspace: the problems that later runs suppress."""

from __future__ import annotations

from pathlib import PurePosixPath

from memtool.core.lint.baseline import parse
from memtool.core.records.plan import Create, Plan, Replace
from memtool.errors import BadUsage
from memtool.store.commit.retry import retry_when_stale
from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace


@retry_when_stale
def write_baseline(workspace: Workspace, path: PurePosixPath, text: str) -> Plan:
    """Write a baseline file, and return the plan. Raises BadUsage for a file that is not a baseline."""
    if workspace.role_of(str(path)) is not None or str(path) == WORKSPACE_FILE:
        raise BadUsage(
            f"{path} is the path of a memory or settings file; choose another path for the baseline file"
        )
    with workspace.lock():
        document = workspace.read(path)
        if document is None:
            plan: Plan = (Create(path, text),)
        else:
            if document.text.strip():
                parse(document.text, str(path))  # only a baseline is overwritten
            plan = () if document.text == text else (Replace(path, text, document.etag),)
        workspace.commit(plan)
    return plan
