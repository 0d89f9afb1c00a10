"""Checks of the tree and its surroundings: layout, permissions, lock, disk, clock, settings, commands."""

from __future__ import annotations

import importlib.util
import os
import shlex

from memtool.core.records.check import Check, counted, such_as
from memtool.errors import BadUsage, OutsideWorkspace
from memtool.layouts.load import recognise
from memtool.store.config.settings import COMMANDS
from memtool.store.files import tree_condition
from memtool.store.files.exposure import exposed, is_open
from memtool.store.root import PRIVATE_FOLDER, WORKSPACE_FILE, sees
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.health.patient import Patient

_LOW = 100_000_000
"""Bytes of free space below which a disk is reported as nearly full."""
_FEW_FILES = 1000
_DAY_NS = 86_400 * 10**9


def layout(patient: Patient) -> Check:
    """Check that the layout is set in memtool.toml, or is recognised from the files."""
    name, root = patient.workspace.layout.name, patient.workspace.root
    if patient.workspace.settings["layout"] == name:
        return Check("layout", "ok", f"{name}, as the settings say")
    recognised = recognise(sees(root))
    if recognised == name:
        return Check("layout", "ok", f"{name}, recognised from the files; memtool.toml would make it certain")
    appearance = f"the files look like {recognised}" if recognised else "the files look like no layout"
    return Check(
        "layout", "wrong", f"{name} was asked for, and {appearance}", f"memtool init --layout {name}"
    )


def permissions(patient: Patient) -> Check:
    """Check that other users cannot access the memory."""
    stats: dict[str, os.stat_result] = {}
    patient.workspace.everything(stats)
    root = patient.workspace.root
    open_paths = [PRIVATE_FOLDER] if is_open(root, stats, PRIVATE_FOLDER) else []
    open_paths += [item.path for item in exposed(root, stats, sorted(patient.listing.files))]
    if not open_paths:
        return Check("permissions", "ok", "only you get at the memory")
    arguments = " ".join(map(shlex.quote, open_paths[:1])) if len(open_paths) == 1 else "."
    command = f"cd {shlex.quote(root)} && chmod -R go-rwx {arguments}"
    return Check("permissions", "wrong", f"others may use {such_as(open_paths, 'file')}", command)


def unreadable(patient: Patient) -> Check:
    """Check that every folder can be listed."""
    places = [f"{path or 'the root'} ({why})" for path, why in patient.listing.unreadable]
    if places:
        return Check(
            "unreadable", "unknown", such_as(places, "place"), "ls -l, and chmod u+rwX what is yours"
        )
    return Check("unreadable", "ok", "every folder can be listed")


def strangers(patient: Patient) -> Check:
    """Check for files without a role, which no command reads."""
    paths = [
        path
        for path in sorted(patient.listing.files)
        if patient.workspace.located(path) is None and path != WORKSPACE_FILE
    ]
    paths += [f"{path} ({kind})" for path, kind in patient.listing.skipped]
    if not paths:
        return Check("no role", "ok", "every file has a role")
    detail = f"{such_as(paths, 'file')}, which no command reads"
    return Check("no role", "note", detail, "memtool help layouts")


def leftovers(patient: Patient) -> Check:
    """Check for temporary files of interrupted writers."""
    paths = tree_condition.leftovers(patient.workspace.root, patient.workspace.layout.enters)
    if not paths:
        return Check("leftovers", "ok", "no writer left anything behind")
    root, arguments = shlex.quote(patient.workspace.root), " ".join(map(shlex.quote, paths[:5]))
    return Check("leftovers", "wrong", such_as(paths, "temporary file"), f"cd {root} && rm -r {arguments}")


def lock(patient: Patient) -> Check:
    """Report the process that holds the lock; the system releases the lock of a process that died."""
    holder = tree_condition.lock_holder(patient.workspace.root)
    if holder is None:
        return Check("lock", "ok", "free")
    process = f"process {holder}" if holder else "another process"
    return Check(
        "lock", "note", f"held by {process}; writers wait for it", f"ps -p {holder}" if holder else ""
    )


def disk(patient: Patient) -> Check:
    """Check for free space, and for write permission."""
    free, files = tree_condition.room(patient.workspace.root)
    detail = f"{free // 1_000_000} MB free"
    if not tree_condition.may_write(patient.workspace.root):
        return Check("disk", "wrong", "the root may not be written by you", "chmod u+w on it, or --incognito")
    if free < _LOW or 0 <= files < _FEW_FILES:
        files_left = f", and {counted(files, 'file')}" if 0 <= files < _FEW_FILES else ""
        return Check("disk", "wrong", f"only {detail}{files_left}", "df -h; df -i")
    return Check("disk", "ok", detail)


def clock(patient: Patient) -> Check:
    """Check that the time zone is valid, and that no file is from the future."""
    name = patient.workspace.settings["timezone"]
    if not _is_zone(name):
        detail = f"timezone {name!r} is no zone"
        return Check("clock", "wrong", detail, f"$EDITOR {patient.at(WORKSPACE_FILE)}; memtool help settings")
    latest_ns = int(patient.now.timestamp() * 10**9) + _DAY_NS
    future_files = sorted(path for path, stat in patient.listing.files.items() if stat.mtime_ns > latest_ns)
    if patient.environment.get("MEMTOOL_NOW"):
        return Check("clock", "note", f"MEMTOOL_NOW fixes it at {patient.now:%Y-%m-%d %H:%M}; zone {name}")
    if future_files:
        detail = f"{such_as(future_files, 'file')} from the future: is the clock right?"
        return Check(
            "clock",
            "wrong",
            detail,
            f"date; or, if it is: touch {' '.join(map(patient.at, future_files[:5]))}",
        )
    return Check("clock", "ok", f"zone {name}")


def _is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


EXTRAS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("semantic", ("numpy", "safetensors", "tokenizers", "wordllama"), "search and recall by meaning"),
    ("tokens", ("tiktoken", "tokenizers"), "tokens counted, where they are estimated"),
    ("plots", ("plotext",), "plots of memtool stats"),
    ("graph", ("igraph",), "pictures of memtool note graph"),
)
"""Each extra: its name, the modules it needs, and its purpose."""


def settings(patient: Patient) -> Check:
    """Check for unknown settings, and for settings that a workspace may not make."""
    notices = list(patient.workspace.settings.notices)
    if notices:
        others = f" (and {len(notices) - 1} more)" if len(notices) > 1 else ""
        return Check(
            "settings",
            "wrong",
            notices[0] + others,
            f"$EDITOR {patient.at(WORKSPACE_FILE)}; memtool help settings",
        )
    return Check("settings", "ok", "all are known")


def commands(patient: Patient) -> Check:
    """Check that the configured commands exist; none is run."""
    configured = {name: command for name in COMMANDS if (command := patient.workspace.settings[name])}
    missing: list[str] = []
    for name, command in configured.items():
        delegate = Delegate(name, command, patient.environment, patient.workspace.root)
        try:
            if delegate.found() is None:
                missing.append(f"{name}: {delegate.program!r} is not there, or not executable")
        except (BadUsage, OutsideWorkspace) as error:
            missing.append(str(error))
    if missing:
        return Check(
            "commands", "wrong", such_as(missing, "command"), "$EDITOR ~/.config/memtool/config.toml"
        )
    return Check("commands", "ok", f"{', '.join(configured)} there" if configured else "none is configured")


def extras(_: Patient) -> Check:
    """Report extras that are not installed."""
    missing = [
        (name, purpose)
        for name, modules, purpose in EXTRAS
        if not all(importlib.util.find_spec(module) for module in modules)
    ]
    if not missing:
        return Check("extras", "ok", ", ".join(name for name, _, _ in EXTRAS))
    detail = "; ".join(f"without {name}: no {purpose}" for name, purpose in missing)
    names = ",".join(name for name, _ in missing)
    return Check("extras", "note", detail, f"pip install 'memtool[{names}]'")
