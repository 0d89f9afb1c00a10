"""Checks of what is around the tree: its settings, the commands they name, and optional parts."""

from __future__ import annotations

import importlib.util

from memtool.core.records.check import Check, such_as
from memtool.errors import BadUsage, OutsideWorkspace
from memtool.store.config.settings import COMMANDS
from memtool.store.root import WORKSPACE_FILE
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.health.patient import Patient

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
