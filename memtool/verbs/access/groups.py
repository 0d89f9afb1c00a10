"""Groups: whose memory a command is about, and whether whoever acts may touch it (nano)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from memtool.core.records import access
from memtool.errors import BadUsage, OutsideWorkspace
from memtool.layouts.layout import Located
from memtool.store.files import guard
from memtool.store.workspace import Workspace

ROOT = ""
"""The main group where its memory is the workspace itself, and only that is asked for."""


def groups_of(workspace: Workspace, group: str) -> tuple[str, ...]:
    """The groups whose memory a group may read. Raises BadUsage for a group that there is not.

    Raises OutsideWorkspace for a name that is no single folder.
    """
    layout = workspace.layout
    if layout.groups is None:
        raise BadUsage(f"the {layout.name} layout has no groups")
    folder = _folder(workspace, group)
    if not _is_there(workspace, folder):
        raise BadUsage(f"there is no group {group!r}: a group is a folder, and {folder} is none")
    return layout.readable_by(group)


def readable_groups(workspace: Workspace, group: str) -> tuple[str, ...]:
    """The same, where ROOT is the main group: the workspace's own memory, and what is shared."""
    if group != ROOT:
        return groups_of(workspace, group)
    shared = workspace.layout.shared_group
    return (ROOT,) if shared is None else (ROOT, shared)


def settled(workspace: Workspace, asked: str | None, actor: str | None, *, writes: bool) -> str | None:
    """The group whose memory a command is about; ROOT or None for the main group, asked for or not.

    `actor` is the group that whoever calls acts for, if any. Raises OutsideWorkspace, with the reason, for
    memory that it may not touch and for a name that is no group's, BadUsage for a group that there is not.
    """
    if asked is None and actor is None:
        return None
    acting = None if actor is None else _of_main(workspace, actor)
    target = acting if asked is None else _of_main(workspace, asked)
    for one in (acting, target):
        if one is not None:
            _folder(workspace, one)
    is_main = actor is None or actor == workspace.settings["groups.main"]
    access.check(None if is_main else acting, target, workspace.layout.shared_group, writes=writes)
    if target is not None:
        groups_of(workspace, target)
        return target
    return ROOT if asked is not None else None


def admits(workspace: Workspace, located: Located, group: str | None) -> bool:
    """Whether a file may be read by who acts for a group; None may read all."""
    return group is None or (located.group or ROOT) in readable_groups(workspace, group)


def heard(workspace: Workspace, group: str | None, notices: Iterable[str]) -> list[str]:
    """Of notices, each of which may begin with a path, those that a group may hear; all of them for None."""
    if group is None:
        return list(notices)
    folders = [one for one in readable_groups(workspace, group) if one != ROOT]
    own = tuple(f"{workspace.layout.groups}/{one}/" for one in folders)
    return [one for one in notices if one.startswith(own) or not _names_a_path(one)]


def _names_a_path(notice: str) -> bool:
    first = notice.partition(" ")[0]
    return "/" in first or "." in first


def _of_main(workspace: Workspace, name: str) -> str | None:
    """A group's name, or None for the main group where the workspace itself is its memory."""
    if name != workspace.settings["groups.main"]:
        return name
    if workspace.layout.groups is None:
        return None
    return name if _is_there(workspace, _folder(workspace, name)) else None


def _folder(workspace: Workspace, group: str) -> PurePosixPath:
    """Where a group's memory lies. Raises OutsideWorkspace for a name that is no single folder there."""
    layout = workspace.layout
    if layout.groups is None:
        raise BadUsage(f"the {layout.name} layout has no groups")
    if not group:
        raise BadUsage("a group has a name; the empty one is none")
    if "/" in group or "\\" in group or group.startswith("."):
        raise OutsideWorkspace(f"{group!r} names no group: a group is one folder under {layout.groups}/")
    folder = guard.clean(f"{layout.groups}/{group}")
    if guard.real(workspace.root, folder) != folder:
        raise OutsideWorkspace(f"{folder} is a link, and a group is a folder of its own")
    return folder


def _is_there(workspace: Workspace, folder: PurePosixPath) -> bool:
    return workspace.disk.folder_stat(folder) is not None
