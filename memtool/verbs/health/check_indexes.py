"""Checks of the indexes: whether they are fresh, and as this user's memtool left them."""

from __future__ import annotations

import os

from memtool.core.records.check import Check, counted
from memtool.index.seal import is_plain_folder, is_sealed
from memtool.store.files import private
from memtool.verbs.health.patient import Patient
from memtool.verbs.indexing.location import DOCUMENTS, FACTS, TRANSCRIPTS

_FOLDERS = {"documents": DOCUMENTS, "transcripts": TRANSCRIPTS, "facts": FACTS}


def documents(patient: Patient) -> Check:
    """The index of documents."""
    state = patient.shelves.documents.state()
    return _told("documents", state.state, counted(state.count, "document"), "search")


def transcripts(patient: Patient) -> Check:
    """The index of transcripts."""
    state = patient.shelves.turns.state()
    return _told("transcripts", state.state, counted(state.count, "turn"), "search")


def facts(patient: Patient) -> Check:
    """The index of facts."""
    state = patient.facts.state()
    return _told("facts", state.state, counted(state.count, "fact"), "recall")


def _told(name: str, state: str, holds: str, asker: str) -> Check:
    if state == "none":
        return Check(f"index of {name}", "note", f"none yet; the next {asker} makes it", "memtool reindex")
    if state == "behind":
        said = f"{holds}, and changes since; the next {asker} sees to them"
        return Check(f"index of {name}", "note", said, "memtool reindex")
    return Check(f"index of {name}", "ok", f"fresh, {holds}")


def seals(patient: Patient) -> Check:
    """Whether what lies there is what this user's memtool left: all else is never opened."""
    home = private.folder(patient.workspace.root)
    there = {name: os.path.join(home, folder) for name, folder in _FOLDERS.items()}
    there = {name: path for name, path in there.items() if is_plain_folder(path) and os.listdir(path)}
    if there and patient.key is None:
        said = "there is no key to prove them by, so indexes are made anew in memory each time"
        return Check("seals", "wrong", said, "memtool reindex")
    broken = [name for name, path in there.items() if not is_sealed(path, patient.key or b"")]
    if broken:
        said = f"the index of {broken[0]} is not as memtool left it, and is never opened"
        return Check("seals", "wrong", said, "memtool reindex")
    return Check("seals", "ok", "every index is as memtool left it" if there else "there is no index yet")
