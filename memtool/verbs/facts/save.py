"""save: a fact goes to the day's note and to the semantic file of its category, once (five-layer memory)."""

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
from memtool.verbs.memory.memory import appended
from memtool.verbs.memory.salience import load

LONGEST = 2_000
"""Characters of a fact."""
LIKELY = 0.7
"""Similarity to the mean of a category's facts from which a fact is of that category."""
_COMPARED = 50


class Saved(Struct, frozen=True):
    """What became of a fact: its id, category and file, the plan, and what to tell.

    `effect` is written, updated (the key held something else), merged (a fact says the same in other words)
    or known.
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
    """Save a fact as of `at`, a time in the workspace's zone, unless memory says it already.

    Raises BadUsage for a text, category or key that is none, and what writing raises.
    """
    said = one_line(redact(clean(text)), LONGEST + 1)
    if not said:
        raise BadUsage("the fact is empty; nothing was saved")
    if len(said) > LONGEST:
        raise BadUsage(f"a fact has at most {LONGEST:,} characters; put what is longer into a note")
    given = category_given(category)
    try:
        name = id_of(said, owner) if key is None else id_of_key(redact(clean(key)), owner)
    except ValueError as error:
        raise BadUsage("the key is empty; leave it out, or give it a name") from error
    shelf.prime(said)
    shelf.freshen()  # long work outside of the lock
    with workspace.lock():
        shelf.freshen()
        one = _Saving(workspace, shelf, said, at, owner, given)
        saved = one.without_key(name) if key is None else one.with_key(name)
        workspace.commit(saved.plan)
    return saved


class _Saving(Struct, frozen=True):
    """One fact on its way; the workspace is locked, and the index is as the tree is."""

    workspace: Workspace
    shelf: FactSync
    said: str
    at: datetime
    owner: Owner | None
    category: str | None

    def without_key(self, name: str) -> Saved:
        known = self._found(name)
        if known is not None and self.category not in {None, known.category}:
            name = id_of(f"{self.category}: {self.said}", self.owner)  # the same words of another category
            known = self._found(name)
        known = known or self._same()
        if known is not None and self.category in {None, known.category}:
            return self._known(known)
        return self._written(name, self._category(), None)

    def with_key(self, name: str) -> Saved:
        """The fact of this key; what says the same without a key gets it."""
        known = self._found(name)
        if known is not None and self._says(known) and self.category in {None, known.category}:
            return self._known(known)
        if known is None and (same := self._same()) is not None and not same.name.startswith("k-"):
            known = same
        category = self.category or (known.category if known else None) or self._category()
        return self._written(name, category, known)

    def _written(self, name: str, category: str, old: Stated | None) -> Saved:
        """A new line, and the old one superseded; where it is in another file, that first."""
        path = home(self.workspace, category)
        opened = page(self.workspace, path)
        day, text, plan = self.at.date(), opened.text, self._note()
        name = free_id(name, self._every_line()) if name.startswith("m-") else name
        record = SemanticRecord(Fact(category, self.said, self.owner), name)
        if old is not None:
            place = opened if old.path == path else page(self.workspace, old.path)
            before = free_id(id_of(old.text, old.owner), self._every_line())
            marked = replace(old.record, id=before, superseded=Superseded(day, name))
            changed = semantic.restate(place.text, {old.line: marked})
            if old.path == path:
                text = changed
            else:
                plan += place.rewritten(changed)
        plan += opened.rewritten(semantic.add(text, [record]))
        effect = "written" if old is None else "updated"
        return Saved(name, effect, category, path, self.said, plan)

    def _every_line(self) -> str:
        """All semantic files as one text: an id is free where no file has it."""
        pages = (self.workspace.read_text(path) for path in semantic_files(self.workspace))
        return "\n".join(one.text for one in pages if one is not None)

    def _known(self, known: Stated) -> Saved:
        """Nothing new: an access, and other words for it as evidence."""
        saliences = load(self.workspace)
        plan = saliences.accessed(self.workspace, [known.name], self.at)
        is_said = self._says(known)
        if not is_said:
            plan += self._evidence(known.name)
        effect = "known" if is_said else "merged"
        notices = (saliences.notice,) if saliences.notice else ()
        return Saved(known.name, effect, known.category, known.path, known.text, plan, notices)

    def _evidence(self, name: str) -> Plan:
        """The wording in the file of evidence, once."""
        path = self.workspace.layout.path("evidence")
        document = self.workspace.read(path)
        proof = f"s-{id_of(self.said, self.owner).removeprefix('m-')}"
        start = f'{{"id": "{name}", "candidate": "{proof}"'
        if document is not None and re.search(f"^{re.escape(start)}", document.text, re.MULTILINE):
            return ()
        session = self.owner.id if self.owner and self.owner.kind == "session" else ""
        said = {"id": name, "candidate": proof, "quotes": [self.said], "session": session, "turn": None}
        return appended(
            self.workspace, path, json_text.line({**said, "at": spell(self.at), "policy": "save"})
        )

    def _note(self) -> Plan:
        """The fact in the note of the day, where the layout has one."""
        workspace, day = self.workspace, self.at.date()
        role = workspace.layout.targets["save"]["note"]
        if not workspace.has(role):
            return ()
        block = daily_note.block(
            exchange.note(self.said, self.at.time().replace(microsecond=0), self.owner, full=True)
        )
        path = workspace.layout.path(role, day=day)
        return appended(workspace, path, block, seed_text(workspace.layout, role, day=day))

    def _says(self, known: Stated) -> bool:
        return said_key(known.text) == said_key(self.said)

    def _found(self, name: str) -> Stated | None:
        """The active fact of an id."""
        for path, line in self.shelf.lines_of(name):
            if (one := self._at(path, line)) is not None and one.name == name:
                return one
        return None

    def _same(self) -> Stated | None:
        """The active fact of this owner, and of the category if one is given, that says the same."""
        owners = frozenset({str(self.owner or "")})
        for hit in self.shelf.recall(self.said, _COMPARED, category=self.category, owners=owners):
            if is_same(hit.text, self.said, hit.similarity):
                return self._at(hit.path, hit.line)
        return None

    def _at(self, path: str, line: int) -> Stated | None:
        document = self.workspace.read(PurePosixPath(path))
        found = stated(document) if document else ()
        return next((one for one in found if one.line == line and one.record.superseded is None), None)

    def _category(self) -> str:
        """The category given, else that of the nearest facts, else one that the fact names."""
        if self.category:
            return self.category
        for near, category in self.shelf.categories(self.said, {"", str(self.owner or "")})[:1]:
            if near > LIKELY:
                return category
        return named_category(self.said, self.shelf.known_categories(), self.workspace.layout.categories)


def named_category(said: str, known: list[str], layout: Mapping[str, str]) -> str:
    """The longest name of a category that a text mentions, all its words in any form; else `context`."""
    spoken = {*stems(said)}
    every = sorted({*known, *layout} - {""}, key=lambda one: (-len(one), one))
    mentioned = (one for one in every if (words := {*stems(one.replace("_", " "))}) and words <= spoken)
    return next(mentioned, OTHERWISE)
