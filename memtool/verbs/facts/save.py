"""save: write a fact to the daily note and to the semantic file of its category, once (five-layer memory)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture import exchange
from memtool.core.facts.dedup import key as said_key
from memtool.core.facts.fact import id_of, id_of_key, is_same
from memtool.core.records.entry import Fact, Owner
from memtool.core.records.plan import Plan
from memtool.core.records.triple import SemanticRecord, Superseded
from memtool.core.records.turn import spell
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.quote import one_line
from memtool.errors import BadUsage
from memtool.formats import daily_note, semantic
from memtool.formats.syntax import json_text
from memtool.index.facts.facts import stems
from memtool.layouts.seeds import seed_text
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.memory.editable_file import appended
from memtool.verbs.memory.fact_files import (
    OTHERWISE,
    Stated,
    category_given,
    free_id,
    home,
    page,
    semantic_files,
    stated,
)
from memtool.verbs.memory.salience import load

LONGEST = 2_000
"""Characters of a fact."""
LIKELY = 0.7
"""Similarity to the mean of a category's facts above which a fact gets that category."""
_MAX_COMPARED = 50
"""Facts that are compared with a new one."""


class Saved(Struct, frozen=True):
    """The saved fact: its id, the effect, its category and file, its text, the plan and the notices.

    `effect` is `written`, `updated` (the key had another fact), `merged` (a fact says the same in other
    words) or `known`.
    """

    id: str
    effect: str
    category: str
    path: PurePosixPath
    text: str
    plan: Plan = ()
    notices: tuple[str, ...] = ()


def save(
    workspace: Workspace,
    text: str,
    shelf: FactSync,
    *,
    at: datetime,
    owner: Owner | None,
    category: str | None = None,
    key: str | None = None,
) -> Saved:
    """Save a fact dated `at`, a time in the workspace's zone, unless memory has it already.

    Raises BadUsage for an invalid text, category or key, and the errors of writing.
    """
    words = one_line(redact(clean(text)), LONGEST + 1)
    if not words:
        raise BadUsage("the fact is empty; nothing was saved")
    if len(words) > LONGEST:
        raise BadUsage(f"a fact has at most {LONGEST:,} characters; put what is longer into a note")
    requested = category_given(category)
    try:
        name = id_of(words, owner) if key is None else id_of_key(redact(clean(key)), owner)
    except ValueError as error:
        raise BadUsage("the key is empty; leave it out, or give it a name") from error
    shelf.prime(words)
    shelf.freshen()  # the long update of the index happens outside the lock
    with workspace.lock():
        shelf.freshen()
        saver = _FactSaver(workspace, shelf, words, at, owner, requested)
        saved = saver.without_key(name) if key is None else saver.with_key(name)
        workspace.commit(saved.plan)
    return saved


class _FactSaver(Struct, frozen=True):
    """Saves one fact; the workspace is locked and the index is up to date."""

    workspace: Workspace
    shelf: FactSync
    text: str
    at: datetime
    owner: Owner | None
    category: str | None

    def without_key(self, name: str) -> Saved:
        """Save the fact under an id made of its text, unless a fact of its category says the same."""
        existing = self._find(name)
        if existing is not None and self.category not in {None, existing.category}:
            name = id_of(f"{self.category}: {self.text}", self.owner)  # the same words in another category
            existing = self._find(name)
        existing = existing or self._find_same()
        if existing is not None and self.category in {None, existing.category}:
            return self._confirm(existing)
        return self._write(name, self._choose_category(), None)

    def with_key(self, name: str) -> Saved:
        """Save the fact under its key; a fact without a key that says the same gets the key."""
        existing = self._find(name)
        if existing is not None and self._says(existing) and self.category in {None, existing.category}:
            return self._confirm(existing)
        if existing is None and (same := self._find_same()) is not None and not same.name.startswith("k-"):
            existing = same
        category = self.category or (existing.category if existing else None) or self._choose_category()
        return self._write(name, category, existing)

    def _write(self, name: str, category: str, old: Stated | None) -> Saved:
        """Plan a new line and mark the old one as superseded, first where it is in another file."""
        path = home(self.workspace, category)
        file = page(self.workspace, path)
        day, text, plan = self.at.date(), file.text, self._note_plan()
        name = free_id(name, self._all_text()) if name.startswith("m-") else name
        record = SemanticRecord(Fact(category, self.text, self.owner), name)
        if old is not None:
            old_file = file if old.path == path else page(self.workspace, old.path)
            old_id = free_id(id_of(old.text, old.owner), self._all_text())
            superseded = replace(old.record, id=old_id, superseded=Superseded(day, name))
            old_text = semantic.restate(old_file.text, {old.line: superseded})
            if old.path == path:
                text = old_text
            else:
                plan += old_file.rewritten(old_text)
        plan += file.rewritten(semantic.add(text, [record]))
        effect = "written" if old is None else "updated"
        return Saved(name, effect, category, path, self.text, plan)

    def _all_text(self) -> str:
        """All semantic files as one text; ids are unique across files."""
        documents = (self.workspace.read_text(path) for path in semantic_files(self.workspace))
        return "\n".join(document.text for document in documents if document is not None)

    def _confirm(self, existing: Stated) -> Saved:
        """Count an access to a fact that says the same; a different wording becomes evidence."""
        table = load(self.workspace)
        plan = table.accessed(self.workspace, [existing.name], self.at)
        is_verbatim = self._says(existing)
        if not is_verbatim:
            plan += self._evidence_plan(existing.name)
        effect = "known" if is_verbatim else "merged"
        notices = (table.notice,) if table.notice else ()
        return Saved(existing.name, effect, existing.category, existing.path, existing.text, plan, notices)

    def _evidence_plan(self, name: str) -> Plan:
        """The plan that adds the wording to the evidence file, once."""
        path = self.workspace.layout.path("evidence")
        document = self.workspace.read(path)
        candidate = f"s-{id_of(self.text, self.owner).removeprefix('m-')}"
        start = f'{{"id": "{name}", "candidate": "{candidate}"'
        if document is not None and re.search(f"^{re.escape(start)}", document.text, re.MULTILINE):
            return ()
        session = self.owner.id if self.owner and self.owner.kind == "session" else ""
        record = {"id": name, "candidate": candidate, "quotes": [self.text], "session": session, "turn": None}
        line = json_text.line({**record, "at": spell(self.at), "policy": "save"})
        return appended(self.workspace, path, line)

    def _note_plan(self) -> Plan:
        """The plan that adds the fact to the daily note, where the layout has one."""
        workspace, day = self.workspace, self.at.date()
        role = workspace.layout.targets["save"]["note"]
        if not workspace.has(role):
            return ()
        block = daily_note.block(
            exchange.note(self.text, self.at.time().replace(microsecond=0), self.owner, full=True)
        )
        path = workspace.layout.path(role, day=day)
        return appended(workspace, path, block, seed_text(workspace.layout, role, day=day))

    def _says(self, fact: Stated) -> bool:
        """Whether a fact has the same words."""
        return said_key(fact.text) == said_key(self.text)

    def _find(self, name: str) -> Stated | None:
        """The active fact with an id."""
        for path, line in self.shelf.lines_of(name):
            if (fact := self._read(path, line)) is not None and fact.name == name:
                return fact
        return None

    def _find_same(self) -> Stated | None:
        """The active fact of this owner, in the requested category if any, that means the same."""
        owners = frozenset({str(self.owner or "")})
        for hit in self.shelf.recall(self.text, _MAX_COMPARED, category=self.category, owners=owners):
            if is_same(hit.text, self.text, hit.similarity):
                return self._read(hit.path, hit.line)
        return None

    def _read(self, path: str, line: int) -> Stated | None:
        document = self.workspace.read(PurePosixPath(path))
        facts = stated(document) if document else ()
        return next((fact for fact in facts if fact.line == line and fact.record.superseded is None), None)

    def _choose_category(self) -> str:
        """The requested category, else that of the nearest facts, else one that the text mentions."""
        if self.category:
            return self.category
        for similarity, category in self.shelf.categories(self.text, {"", str(self.owner or "")})[:1]:
            if similarity > LIKELY:
                return category
        return named_category(self.text, self.shelf.known_categories(), self.workspace.layout.categories)


def named_category(said: str, known: list[str], layout: Mapping[str, str]) -> str:
    """The longest category name of which the text has all words, inflected or not; else `context`."""
    text_stems = {*stems(said)}
    names = sorted({*known, *layout} - {""}, key=lambda name: (-len(name), name))
    mentioned = (
        name for name in names if (words := {*stems(name.replace("_", " "))}) and words <= text_stems
    )
    return next(mentioned, OTHERWISE)
