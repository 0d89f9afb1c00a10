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
"""Bytes of free room below which a disk is said to be nearly full."""
_FEW_FILES = 1000
_DAY_NS = 86_400 * 10**9


def layout(patient: Patient) -> Check:
    """Whose tree it is, and whether it still would be taken for it without its settings."""
    name, root = patient.workspace.layout.name, patient.workspace.root
    if patient.workspace.settings["layout"] == name:
        return Check("layout", "ok", f"{name}, as the settings say")
    seen = recognise(sees(root))
    if seen == name:
        return Check("layout", "ok", f"{name}, recognised from the files; memtool.toml would make it certain")
    looks = f"the files look like {seen}" if seen else "the files look like no layout"
    return Check("layout", "wrong", f"{name} was asked for, and {looks}", f"memtool init --layout {name}")


def permissions(patient: Patient) -> Check:
    """Whether others than the owner get at what is private."""
    whole: dict[str, os.stat_result] = {}
    patient.workspace.everything(whole)
    root = patient.workspace.root
    found = [PRIVATE_FOLDER] if is_open(root, whole, PRIVATE_FOLDER) else []
    found += [one.path for one in exposed(root, whole, sorted(patient.listing.files))]
    if not found:
        return Check("permissions", "ok", "only you get at the memory")
    named = " ".join(map(shlex.quote, found[:1])) if len(found) == 1 else "."
    run = f"cd {shlex.quote(root)} && chmod -R go-rwx {named}"
    return Check("permissions", "wrong", f"others may use {such_as(found, 'file')}", run)


def unreadable(patient: Patient) -> Check:
    """Whether everything could be looked at."""
    found = [f"{path or 'the root'} ({why})" for path, why in patient.listing.unreadable]
    if found:
        return Check("unreadable", "unknown", such_as(found, "place"), "ls -l, and chmod u+rwX what is yours")
    return Check("unreadable", "ok", "every folder can be listed")


def strangers(patient: Patient) -> Check:
    """Files that no role of the layout is about: no command reads them."""
    found = [
        path
        for path in sorted(patient.listing.files)
        if patient.workspace.located(path) is None and path != WORKSPACE_FILE
    ]
    found += [f"{path} ({what})" for path, what in patient.listing.skipped]
    if not found:
        return Check("no role", "ok", "every file has a role")
    said = f"{such_as(found, 'file')}, which no command reads"
    return Check("no role", "note", said, "memtool help layouts")


def leftovers(patient: Patient) -> Check:
    """What writers left when they died."""
    found = tree_condition.leftovers(patient.workspace.root, patient.workspace.layout.enters)
    if not found:
        return Check("leftovers", "ok", "no writer left anything behind")
    at, named = shlex.quote(patient.workspace.root), " ".join(map(shlex.quote, found[:5]))
    return Check("leftovers", "wrong", such_as(found, "temporary file"), f"cd {at} && rm -r {named}")


def lock(patient: Patient) -> Check:
    """Who holds the lock. One that died holds none: the system lets go of it."""
    holder = tree_condition.lock_holder(patient.workspace.root)
    if holder is None:
        return Check("lock", "ok", "free")
    who = f"process {holder}" if holder else "another process"
    return Check("lock", "note", f"held by {who}; writers wait for it", f"ps -p {holder}" if holder else "")


def disk(patient: Patient) -> Check:
    """Whether there is room, and a writer may use it."""
    free, files = tree_condition.room(patient.workspace.root)
    said = f"{free // 1_000_000} MB free"
    if not tree_condition.may_write(patient.workspace.root):
        return Check("disk", "wrong", "the root may not be written by you", "chmod u+w on it, or --incognito")
    if free < _LOW or 0 <= files < _FEW_FILES:
        more = f", and {counted(files, 'file')}" if 0 <= files < _FEW_FILES else ""
        return Check("disk", "wrong", f"only {said}{more}", "df -h; df -i")
    return Check("disk", "ok", said)


def clock(patient: Patient) -> Check:
    """Whether zone and clock can be right: no file is from tomorrow."""
    name = patient.workspace.settings["timezone"]
    if not _is_zone(name):
        said = f"timezone {name!r} is no zone"
        return Check("clock", "wrong", said, f"$EDITOR {patient.at(WORKSPACE_FILE)}; memtool help settings")
    last = int(patient.now.timestamp() * 10**9) + _DAY_NS
    late = sorted(path for path, stat in patient.listing.files.items() if stat.mtime_ns > last)
    if patient.environment.get("MEMTOOL_NOW"):
        return Check("clock", "note", f"MEMTOOL_NOW fixes it at {patient.now:%Y-%m-%d %H:%M}; zone {name}")
    if late:
        said = f"{such_as(late, 'file')} from the future: is the clock right?"
        return Check(
            "clock", "wrong", said, f"date; or, if it is: touch {' '.join(map(patient.at, late[:5]))}"
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
"""Each optional part: its name, the modules that it is made of, and what it is for."""


def settings(patient: Patient) -> Check:
    """Settings that are unknown, or that a workspace may not make."""
    found = list(patient.workspace.settings.notices)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        return Check(
            "settings",
            "wrong",
            found[0] + more,
            f"$EDITOR {patient.at(WORKSPACE_FILE)}; memtool help settings",
        )
    return Check("settings", "ok", "all are known")


def commands(patient: Patient) -> Check:
    """Whether the commands that the user configured are there; none is run."""
    named = {name: command for name in COMMANDS if (command := patient.workspace.settings[name])}
    missing: list[str] = []
    for name, command in named.items():
        one = Delegate(name, command, patient.environment, patient.workspace.root)
        try:
            if one.found() is None:
                missing.append(f"{name}: {one.program!r} is not there, or not executable")
        except (BadUsage, OutsideWorkspace) as error:
            missing.append(str(error))
    if missing:
        return Check(
            "commands", "wrong", such_as(missing, "command"), "$EDITOR ~/.config/memtool/config.toml"
        )
    return Check("commands", "ok", f"{', '.join(named)} there" if named else "none is configured")


def extras(_: Patient) -> Check:
    """Optional parts that are not installed."""
    missing = [
        (name, what)
        for name, modules, what in EXTRAS
        if not all(importlib.util.find_spec(module) for module in modules)
    ]
    if not missing:
        return Check("extras", "ok", ", ".join(name for name, _, _ in EXTRAS))
    said = "; ".join(f"without {name}: no {what}" for name, what in missing)
    names = ",".join(name for name, _ in missing)
    return Check("extras", "note", said, f"pip install 'memtool[{names}]'")
