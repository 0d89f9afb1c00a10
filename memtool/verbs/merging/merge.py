"""Merge two versions of a file of memory into one of them, as git asks of a merge driver."""

from __future__ import annotations

import os
from contextlib import nullcontext
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.plan import Plan, Replace
from memtool.core.records.turn import CONCURRENT
from memtool.errors import BadUsage, OutsideWorkspace
from memtool.formats.table import FORMATS
from memtool.formats.three_way import merge_file
from memtool.layouts.load import LAYOUT_NAMES, load_layout
from memtool.store.commit.retry import retry_when_stale
from memtool.store.external.external_file import read_file, write_file
from memtool.store.files import merged_paths
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.applied_receipts import expect_receipts
from memtool.verbs.memory_files.forgotten import without_forgotten_lines

_MOST_CHARS = 100_000_000
"""Characters of a file that is merged; a merge takes some times its memory."""
_WITHOUT_WORDS = frozenset({"forgotten", "digest-keys"})
"""Roles of files that have digests instead of words."""
_WITHOUT_LINES = (".json", ".canvas")
"""Ends of the names of files that need all their lines."""
_WITH_RECORDS = frozenset(each.name for each in FORMATS if each.merge)


class MergeReport(Struct, frozen=True):
    """Whether two versions were merged, and the plan for a file of the workspace; of others it is empty."""

    is_merged: bool
    plan: Plan = ()


@retry_when_stale
def merge_into(
    base: str,
    ours: str,
    theirs: str,
    path: str,
    workspace: Workspace | None,
    now: datetime,
    *,
    writes: bool,
) -> MergeReport:
    """Replace the file `ours` by its merge with `theirs`; no change, if the two conflict.

    `path` is the place of the file in the tree, from the current folder; it decides which records the file
    has. If `ours` is that file itself, not a copy that git made, the change is committed to the workspace.
    Lines that only `theirs` has and that were forgotten here are left out. Where turns may share numbers
    afterwards, the next command that writes numbers them again. Raises BadUsage for a missing version, or a
    `path` of another memory file than `ours`; OutsideWorkspace if `ours` is a link that leads out of the
    workspace; UnreadableFile, StaleWrite and Unwritable.
    """
    inside = None if workspace is None else memory_path(path, workspace)
    if workspace is not None:
        _check_ours(ours, inside, workspace)
    own = workspace if workspace and inside and memory_path(ours, workspace) == inside else None
    with own.lock() if own else nullcontext():
        versions = [read_file(name, _MOST_CHARS) for name in (base, ours, theirs)]
        texts = []
        for version in versions:
            if version.text is None:
                raise BadUsage(f"{version.path}: no such file")
            texts.append(version.text)
        role, format_name = _role_and_format(path, inside, workspace)
        if workspace is not None:
            expect_receipts(workspace)
            if role not in _WITHOUT_WORDS and not path.endswith(_WITHOUT_LINES):
                known = f"{texts[0]}\n{texts[1]}"
                texts[2] = without_forgotten_lines(workspace, texts[2], known, role)
        merged = merge_file(role, format_name, os.path.basename(path), texts[0], texts[1], texts[2])
        if merged is None:
            return MergeReport(is_merged=False)
        plan: Plan = ()
        if own and merged != texts[1]:
            plan = (Replace(PurePosixPath(str(inside)), merged, str(versions[1].etag)),)
            own.commit(plan)
        elif writes and merged != texts[1]:
            write_file(versions[1], merged, now, with_backup=False)
    both_changed = texts[1] != texts[0] != texts[2]
    shares_numbers = (role == "head" and both_changed) or (role == "turn" and f'"{CONCURRENT}"' in merged)
    if writes and workspace is not None and inside is not None and shares_numbers:
        merged_paths.add(workspace.root, inside)
    return MergeReport(is_merged=True, plan=plan)


def _check_ours(ours: str, inside: str | None, workspace: Workspace) -> None:
    itself = memory_path(ours, workspace)
    if itself is not None and inside is not None and itself != inside:
        raise BadUsage(f"{itself} is itself a memory file, so --path cannot name a different file ({inside})")
    shown = os.path.relpath(os.path.abspath(ours), workspace.root).replace(os.sep, "/")
    if os.path.islink(ours) and not shown.startswith("../") and _path_inside(ours, workspace) is None:
        raise OutsideWorkspace(f"{shown} is a link that points outside the workspace; nothing was written")


def memory_path(path: str, workspace: Workspace) -> str | None:
    """The path, from the root, of a memory file of the workspace; None for other files."""
    inside = _path_inside(path, workspace)
    return inside if inside is not None and workspace.role_of(inside) is not None else None


def _path_inside(path: str, workspace: Workspace) -> str | None:
    relative = os.path.relpath(os.path.realpath(path), workspace.root).replace(os.sep, "/")
    return None if relative.startswith("../") else relative


def _role_and_format(path: str, inside: str | None, workspace: Workspace | None) -> tuple[str, str]:
    """The role and the format of a path; outside a workspace those of a layout that has records there."""
    if workspace is not None:
        located = None if inside is None else workspace.role_of(inside)
        return (located.role, located.place.format) if located else ("", "")
    relative = os.path.normpath(path).replace(os.sep, "/")
    for name in LAYOUT_NAMES:
        located = load_layout(name).locate(relative)
        if located is not None and located.place.format in _WITH_RECORDS:
            return located.role, located.place.format
    return "", ""
