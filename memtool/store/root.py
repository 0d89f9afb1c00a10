"""Find the root of the workspace: the folder named by the caller, else the nearest ancestor that is one."""

from __future__ import annotations

import functools
import os

from memtool.errors import BadUsage, NoWorkspace, Unwritable

TYPE_CHECKING = False  # a hook waits for what is imported here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

WORKSPACE_FILE = "memtool.toml"
"""The file that marks a workspace's root and contains its settings."""

_NEXT_STEPS = (
    "change to the folder of a workspace, specify one with --root DIR, or create one here with memtool init"
)
_MIN_SIMILARITY = 0.75
"""Of the name of a missing folder and that of a workspace that is suggested instead."""
_MOST_NAMED = 3
"""The most workspaces below a folder that an error names."""
_MEMORY_FOLDERS = ("memory", "notes")
"""Folders below a project in which agents keep a whole memory of their own."""

PRIVATE_FOLDER = ".memtool"
"""The folder under the root for derived files: indexes, lock, socket."""


def find_root(start: str, named: str | None, layout: str | None = None, command: str = "") -> str:
    """The real path of the root: the folder `named`, or the nearest workspace at or above `start`.

    The nearest ancestor with a settings file takes precedence over folders that only look like a layout, as a
    group's folder and `memory/` do; of these, with a `layout`, only those of that one count, and without any
    it is `start` itself. Raises NoWorkspace, with what to run, such as `command` in another folder.
    """
    if named:
        if not os.path.isdir(named):
            if os.path.lexists(named):
                raise NoWorkspace(f"{named} is not a folder; give the root folder of a workspace")
            if fault := unexpanded(named):
                raise NoWorkspace(fault)
            create = f"create a workspace with memtool init {named}"
            near = _similar_workspace(named)
            hint = f"did you mean {near}? Otherwise, {create}" if near else create
            raise NoWorkspace(f"{named}: no such folder; {hint}")
        return os.path.realpath(named)
    folder = os.path.realpath(start)
    for candidate in _ancestors(folder):
        if os.path.isfile(os.path.join(candidate, WORKSPACE_FILE)):
            return candidate
    if recognised := _recognised_ancestor(folder, layout):
        return recognised
    if layout:
        return folder
    hint = _name_workspaces_below(folder, command) or describe_likeness(folder) or _NEXT_STEPS
    if hint == _NEXT_STEPS and _holds_notes(folder):
        hint = (
            "to use the notes in this folder as they are, add --layout obsidian to the command; "
            "to use a workspace elsewhere, add --root DIR; to create a workspace here, run memtool init"
        )
    raise NoWorkspace(f"no workspace in {folder} or in any folder above it; {hint}")


@functools.lru_cache(16)
def command_in(folder: str, root: str, layout: str | None = None) -> str:
    """How a command begins that uses the workspace at `root`, a real path, when a shell runs it in `folder`.

    It names the root unless memtool finds it from there; `layout` is the one that the caller named. Without
    a folder, that is the current one.
    """
    import shlex

    folder = folder or os.getcwd()
    is_within = os.path.isabs(folder) and f"{os.path.realpath(folder)}/".startswith(f"{root}/")
    if is_within and not layout and is_workspace(root) and find_root(folder, None) == root:
        return "memtool"
    return shlex.join(["memtool", "--root", root, *(["--layout", layout] if layout else [])])


def _similar_workspace(folder: str) -> str:
    """A workspace beside a folder that does not exist, with a similar name; "" if there is none."""
    from difflib import get_close_matches

    parent, name = os.path.split(folder.rstrip("/"))
    try:
        names = [entry.name for entry in os.scandir(parent or ".") if entry.is_dir()]
    except OSError:
        return ""
    for near in get_close_matches(name, names, n=3, cutoff=_MIN_SIMILARITY):
        path = os.path.join(parent, near)
        if is_workspace(path):
            return path
    return ""


def _name_workspaces_below(folder: str, command: str) -> str:
    """The workspaces directly below a folder, and how to run a command in one; "" if there are none."""
    names = [name for name in _folders_in(folder) if is_workspace(os.path.join(folder, name))]
    if not names:
        return ""
    import shlex

    from memtool.core.text.enumeration import enumeration

    shown = [shlex.quote(name) for name in names[:_MOST_NAMED]]
    shown += [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    listed = f"the workspace{'s' if len(names) > 1 else ''} {enumeration(shown)}"
    call = f"memtool --root {shown[0]} {command}" if command else f"--root {shown[0]}"
    if len(names) > 1:
        return f"the folder contains {listed}; choose one with --root or MEMTOOL_ROOT, for example: {call}"
    return f"the folder contains {listed}; to use it, {'run' if command else 'add'} {call}"


def _folders_in(folder: str) -> list[str]:
    """The sorted names of the folders in a folder, except hidden ones; none if it cannot be read."""
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir() and entry.name[0] != ".")
    except OSError:
        return []


def is_workspace(folder: str) -> bool:
    """Whether a folder is the root of a workspace: it has a settings file, or looks like a layout."""
    from memtool.layouts.load import recognise_layout

    if os.path.isfile(os.path.join(folder, WORKSPACE_FILE)):
        return True
    return os.path.isdir(folder) and recognise_layout(marker_test(folder)) is not None


def path_from_root(path: str, root: str) -> str:
    """The path from the root where an absolute path lies in the workspace; any other text unchanged.

    `root` is a real path. The last component, which may have a line number or a wildcard, is not resolved.
    """
    if not os.path.isabs(path):
        return path
    folder, name = os.path.split(path)
    real = os.path.join(os.path.realpath(folder), name)
    if os.path.realpath(path) == root:
        return "."
    return real.removeprefix(f"{root}/") if real.startswith(f"{root}/") else path


def unexpanded(folder: str) -> str:
    """What is wrong with a folder that no shell has expanded, such as `~/agent` in a crontab; else ""."""
    full = os.path.expanduser(os.path.expandvars(folder))
    return (
        f"the path {folder} contains a '~' or a variable that the shell did not expand; use {full}"
        if full != folder
        else ""
    )


def is_layout_name(name: str) -> bool:
    """Whether a layout has this name."""
    from memtool.layouts.load import LAYOUT_NAMES

    return name in LAYOUT_NAMES


def make_root(folder: str, layout: str | None = None) -> None:
    """Create a private folder and its missing parents for a workspace.

    Raises BadUsage for a file or a layout that does not exist, and Unwritable; nothing is created then.
    """
    from memtool.layouts.load import load_layout

    if layout is not None:
        load_layout(layout)
    if not os.path.lexists(folder) and (fault := unexpanded(folder)):
        raise BadUsage(fault)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise BadUsage(f"{folder} exists but is not a folder; choose another path")
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
    except OSError as error:
        raise Unwritable(f"{folder} cannot be created: {(error.strerror or str(error)).lower()}") from error


def marker_test(root: str) -> Callable[[str], bool]:
    """A function that tells whether the tree at a root has a layout's marker.

    A marker that ends in `/` is a folder; `*` and `?` match names that do not begin with a dot. A marker that
    begins with `@` is matched against the path of the root itself.
    """

    def exists(marker: str) -> bool:
        if marker.startswith("@"):
            from fnmatch import fnmatchcase

            return fnmatchcase(root, f"*/{marker[1:]}")
        is_kind = os.path.isdir if marker.endswith("/") else os.path.isfile
        if "*" not in marker and "?" not in marker:
            return is_kind(os.path.join(root, marker))
        from glob import iglob

        return any(is_kind(os.path.join(root, path)) for path in iglob(marker, root_dir=root))

    return exists


def user_folder(environment: Mapping[str, str], variable: str, fallback: str) -> str:
    """A base folder of the user: an environment variable's value if absolute, else `fallback` in the home.

    Never below the current folder, which may be somebody else's: a user without a home has `/`.
    """
    value, home = environment.get(variable, ""), os.path.expanduser("~")
    return value if os.path.isabs(value) else os.path.join(home if os.path.isabs(home) else "/", fallback)


def enclosing_workspace(folder: str) -> str | None:
    """The nearest folder above this one with a workspace's settings file; None if there is none."""
    ancestors = _ancestors(os.path.dirname(os.path.realpath(folder)))
    return next((path for path in ancestors if os.path.isfile(os.path.join(path, WORKSPACE_FILE))), None)


def enclosing_work_tree(folder: str) -> str | None:
    """The nearest folder with a `.git`, from this one upward; None if there is none."""
    return next((path for path in _ancestors(folder) if os.path.lexists(os.path.join(path, ".git"))), None)


def describe_layouts() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Every layout: its name, summary, and the role and path pattern of each of its places."""
    from memtool.layouts.load import LAYOUT_NAMES, load_layout

    layouts = [load_layout(name) for name in sorted(LAYOUT_NAMES)]
    return [
        (layout.name, layout.summary, [(place.role, place.template.pattern) for place in layout.places])
        for layout in layouts
    ]


def describe_likeness(folder: str) -> str:
    """Which folder nearly looks like a workspace, by which files, and what to run; "" if none does.

    Also a folder directly below `folder` is looked at, for agents keep their memory there.
    """
    from memtool.layouts.load import resembled_layout

    for name in ("", *(name for name in _folders_in(folder) if name in _MEMORY_FOLDERS)):
        path = os.path.join(folder, name) if name else folder
        if name and os.path.isfile(os.path.join(path, WORKSPACE_FILE)):
            return f"{path} is a workspace; to use it, give this path with --root"
        found = resembled_layout(marker_test(path))
        if found is not None:
            layout, markers = found
            files = (marker for marker in markers if not marker.startswith("@"))
            shown = " and ".join(f"{name}/{marker}" if name else marker for marker in files)
            where = f"--root {name} " if name else ""
            return (
                f"{path} looks like a workspace with the {layout} layout ({shown}); use it with "
                f"{where}--layout {layout}"
            )
    return ""


def _holds_notes(folder: str) -> bool:
    try:
        return any(entry.name.endswith(".md") for entry in os.scandir(folder))
    except OSError:
        return False


def _recognised_ancestor(folder: str, layout: str | None) -> str | None:
    """The nearest ancestor that looks like a layout, or this one, unless it is part of a tree further up."""
    from memtool.layouts.load import load_layout, recognise_layout

    nearest: str | None = None
    for candidate in _ancestors(folder):
        name = recognise_layout(marker_test(candidate))
        if layout and name != layout:
            continue
        if name and (nearest is None or load_layout(name).claims_folder(os.path.relpath(nearest, candidate))):
            nearest = candidate
    return nearest


def _ancestors(folder: str) -> Iterator[str]:
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent
