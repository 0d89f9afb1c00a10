"""memtool as git's merge driver: the driver's command, and the files of a workspace that it is for.

Git takes the first from the repository's configuration, and the second from a `.gitattributes` file
(gitattributes(5), "Defining a custom merge driver").
"""

from __future__ import annotations

import os
import subprocess
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.plan import Create, Remove, Replace
from memtool.errors import BadUsage, Unwritable
from memtool.store.commit.partly import after_steps
from memtool.store.commit.retry import retry_when_stale
from memtool.store.files.posix import error_reason
from memtool.store.root import enclosing_work_tree
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.applied_receipts import expect_receipts

_ATTRIBUTES = PurePosixPath(".gitattributes")
_SECTION = "merge.memtool"
_ARGUMENTS = "%O %A %B --path=%P"
_BEGIN = "# memtool merges these files record by record; memtool merge --uninstall removes these lines"
_END = "# end of memtool's lines"


class DriverInstallation(Struct, frozen=True):
    """What an installation changed: `.gitattributes`, git's configuration, or neither."""

    changes_attributes: bool
    changes_config: bool


def install(workspace: Workspace, command: str) -> DriverInstallation:
    """Have git merge the workspace's files with `command`, a shell's command line for `memtool merge`.

    Raises BadUsage where no git repository contains the workspace or git is missing, Unwritable, StaleWrite;
    PartlyApplied where only `.gitattributes` was changed.
    """
    tree = _work_tree(workspace)
    expect_receipts(workspace)
    driver = f"{command} {_ARGUMENTS}"
    changes_config = _config(tree, "--get", f"{_SECTION}.driver") != driver
    changes_attributes = _set_attributes(workspace, [_BEGIN, *_attribute_lines(workspace), _END])
    if changes_config and workspace.writes:
        with after_steps(lambda: str(_ATTRIBUTES) if changes_attributes else ""):
            _config(tree, f"{_SECTION}.name", "memtool: merge memory files record by record", must=True)
            _config(tree, f"{_SECTION}.driver", driver, must=True)
    return DriverInstallation(changes_attributes, changes_config)


def uninstall(workspace: Workspace) -> DriverInstallation:
    """Undo `install`, of which everything else in the file and the configuration stays. Raises as that."""
    tree = _work_tree(workspace)
    changes_config = bool(_config(tree, "--get", f"{_SECTION}.driver"))
    changes_attributes = _set_attributes(workspace, [])
    if changes_config and workspace.writes:
        with after_steps(lambda: str(_ATTRIBUTES) if changes_attributes else ""):
            _config(tree, "--remove-section", _SECTION, must=True)
    return DriverInstallation(changes_attributes, changes_config)


def driver_fault(workspace: Workspace) -> str:
    """What is wrong with the driver that `.gitattributes` names in this clone; "" if nothing is."""
    document = workspace.read(_ATTRIBUTES)
    if (
        document is None
        or _BEGIN not in document.text
        or (tree := enclosing_work_tree(workspace.root)) is None
    ):
        return ""
    driver = _config(tree, "--get", f"{_SECTION}.driver", scope="--includes")
    if not driver:
        return "the merge driver is not configured in this clone, so git merges line by line"
    program = driver.partition(" ")[0]
    if os.path.isabs(program) and not os.path.exists(program):
        return f"git cannot merge memory files in this clone, because {program} does not exist"
    return ""


@retry_when_stale
def _set_attributes(workspace: Workspace, lines: list[str]) -> bool:
    """Replace the lines of an earlier installation in `.gitattributes`, or add them; whether it changes."""
    with workspace.lock():
        document = workspace.read(_ATTRIBUTES)
        old = document.text if document else ""
        kept = old.splitlines()
        if _BEGIN in kept and _END in kept[kept.index(_BEGIN) :]:
            start = kept.index(_BEGIN)
            kept[start : kept.index(_END, start) + 1] = lines
        else:
            kept += lines
        text = "".join(f"{line}\n" for line in kept)
        if text == old:
            return False
        if document is None:
            workspace.commit((Create(_ATTRIBUTES, text),))
        else:
            workspace.commit(
                (Replace(_ATTRIBUTES, text, document.etag) if text else Remove(_ATTRIBUTES, document.etag),)
            )
        return True


def _attribute_lines(workspace: Workspace) -> list[str]:
    """A line for each folder or file of the layout, as a pattern below the root."""
    patterns = {f"/{workspace.layout.groups}/**"} if workspace.layout.groups else set()
    for place in workspace.layout.places:
        top, slash, _ = place.template.pattern.partition("/")
        if slash and "{" not in top:
            patterns.add(f"/{top}/**")
        elif "{" in top:
            patterns.add("*" + top.rpartition("}")[2])
        else:
            patterns.add(f"/{top}")
    return [
        f'"{pattern}" merge=memtool' if " " in pattern else f"{pattern} merge=memtool"
        for pattern in sorted(patterns)
    ]


def _work_tree(workspace: Workspace) -> str:
    if (tree := enclosing_work_tree(workspace.root)) is None:
        raise BadUsage(f"{workspace.root} is not in a git repository; create one with git init")
    return tree


def _config(tree: str, *arguments: str, must: bool = False, scope: str = "--local") -> str:
    """What `git config` prints for the repository's own configuration; "" for a key that is not set."""
    try:
        done = subprocess.run(
            ["git", "-C", tree, "config", scope, *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        reason = error_reason(error)
        raise BadUsage(
            f"git cannot be run: {reason}; install git, or configure the merge driver by hand"
        ) from error
    if must and done.returncode:
        raise Unwritable(f"git config failed: {done.stderr.strip() or f'exit code {done.returncode}'}")
    return done.stdout.strip()
