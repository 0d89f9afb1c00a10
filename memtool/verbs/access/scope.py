"""Decide the scope of a request: the one place that works out which groups a caller may read and write."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from memtool.core.records.scope import ROOT, Scope, check_access
from memtool.errors import BadUsage, OutsideWorkspace
from memtool.store.files import path_guard
from memtool.store.workspace import Workspace


def decide_scope(
    workspace: Workspace,
    asked: str | None,
    actor: str | None,
    owners: frozenset[str] = frozenset(),
    *,
    writes: bool,
) -> Scope:
    """The scope of a request about the group `asked`, from a caller who acts for the group `actor`.

    `owners` are the tags of the users that the caller names. Where no group is named, the memory of all may
    be read; a caller who acts for the main group reads what a prompt of that group draws on. Raises
    OutsideWorkspace, with the reason, for memory that the caller may not touch and for a name that is no
    group's, BadUsage for a group that does not exist.
    """
    if asked is None and actor is None:
        return Scope(owners=owners)
    acting = None if actor is None else _folder_group(workspace, actor)
    target = acting if asked is None else _folder_group(workspace, asked)
    for group in (acting, target):
        if group is not None:
            _folder(workspace, group)
    is_main = actor is None or actor == workspace.settings["groups.main"]
    layout = workspace.layout
    check_access(None if is_main else acting, target, layout.shared_group, writes=writes)
    if target is not None:
        folder = _folder(workspace, target)
        if not _exists(workspace, folder):
            raise BadUsage(f"unknown group {target!r}: the folder {folder} does not exist")
        return Scope(target, layout.readable_by(target), owners)
    return Scope(ROOT, main_groups(workspace), owners)


def decide_prompt_scope(
    workspace: Workspace, asked: str | None, actor: str | None, owners: frozenset[str], *, writes: bool
) -> Scope:
    """The scope of what goes into a prompt; raises what `decide_scope` does.

    A prompt of the main group draws on its memory and the shared group's, where a search without a group
    finds everything and gets all notices.
    """
    scope = decide_scope(workspace, asked, actor, owners, writes=writes)
    if scope.group:
        return scope
    return Scope(None, main_groups(workspace), owners)


def main_groups(workspace: Workspace) -> tuple[str, ...]:
    """The groups that the main group reads as its own: the workspace itself, and the shared group."""
    shared = workspace.layout.shared_group
    return (ROOT,) if shared is None else (ROOT, shared)


def visible_notices(workspace: Workspace, scope: Scope, notices: Iterable[str]) -> list[str]:
    """The notices, each of which may begin with a path, without those that name files of others."""
    if scope.owners:
        disk = workspace.seen_by(scope.owners).disk
        notices = [notice for notice in notices if not disk.is_hidden(notice.partition(" ")[0])]
    if scope.group is None or scope.groups is None:
        return list(notices)
    folders = tuple(f"{workspace.layout.groups}/{group}/" for group in scope.groups if group != ROOT)
    return [notice for notice in notices if notice.startswith(folders) or not _begins_with_path(notice)]


def _begins_with_path(notice: str) -> bool:
    first_word = notice.partition(" ")[0]
    return "/" in first_word or "." in first_word


def _folder_group(workspace: Workspace, name: str) -> str | None:
    """A group's name, or None for the main group where the workspace itself is its memory."""
    if name != workspace.settings["groups.main"]:
        return name
    if workspace.layout.groups is None or workspace.disk.linked is not None:
        return None
    return name if _exists(workspace, _folder(workspace, name)) else None


def _folder(workspace: Workspace, group: str) -> PurePosixPath:
    """The folder of a group's memory. Raises OutsideWorkspace for a name that is no single folder there."""
    layout = workspace.layout
    if layout.groups is None:
        raise BadUsage(f"the {layout.name} layout has no groups")
    if not group:
        raise BadUsage("the name of a group must not be empty")
    if "/" in group or "\\" in group or group.startswith("."):
        raise OutsideWorkspace(
            f"invalid group {group!r}: give the name of a folder in {layout.groups}/, without slashes or a "
            "leading dot"
        )
    folder = path_guard.check_name(f"{layout.groups}/{group}")
    disk = workspace.disk
    if disk.linked is None and disk.link_text(PurePosixPath(layout.groups)) is not None:
        raise OutsideWorkspace(
            f"{layout.groups} is a symbolic link; set groups.folder in your own config.toml to the "
            "target of the link"
        )
    if path_guard.resolve(workspace.root, folder, disk.linked) != folder:
        raise OutsideWorkspace(f"{folder} is a symbolic link; a group must be a folder, not a link")
    return folder


def _exists(workspace: Workspace, folder: PurePosixPath) -> bool:
    return workspace.disk.folder_stat(folder) is not None
