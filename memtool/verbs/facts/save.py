"""save: write a fact to the daily note and to the semantic file of its category, once (five-layer memory)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.capture import exchange
from memtool.core.facts.categories import CATEGORY_EXAMPLES, EXAMPLE_SIMILARITY
from memtool.core.facts.duplicates import comparison_key
from memtool.core.facts.identity import fact_id, fact_id_of_key, is_same_fact
from memtool.core.facts.one_value import is_same_wording
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.plan import Plan
from memtool.core.records.semantic import SemanticRecord
from memtool.core.records.turn import format_moment
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.errors import BadUsage
from memtool.formats import daily_note, semantic
from memtool.formats.syntax import json_text
from memtool.index.facts.facts import stems
from memtool.layouts.seeds import seed_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.facts.fact_text import fact_text
from memtool.verbs.facts.successor import all_semantic_text, has_key, successor_plan, superseded_id
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.memory_files.editable_file import append_plan
from memtool.verbs.memory_files.evidence import supported_ids
from memtool.verbs.memory_files.forgotten import load_forgotten
from memtool.verbs.memory_files.salience import load_salience
from memtool.verbs.memory_files.semantic_files import (
    DEFAULT_CATEGORY,
    StoredFact,
    all_facts,
    category_path,
    facts_of,
    open_semantic_file,
    requested_category,
    unused_id,
)

CATEGORY_SIMILARITY = 0.7
"""Similarity to the mean of a category's facts above which a fact gets that category."""
_MAX_COMPARED = 50
"""Facts that are compared with a new one."""


class SaveReport(Struct, frozen=True):
    """The saved fact: its id, the effect, its category, file, text and owner, the plan and the notices.

    `effect` is `written`, `updated` (the key had another fact), `merged` (a fact says the same in other
    words), `known` (the same words are stored already) or `forgotten` (they were, and are not saved again).
    Without an owner the fact is everybody's.
    """

    id: str
    effect: str
    category: str
    path: PurePosixPath
    text: str
    owner: Owner | None
    plan: Plan = ()
    notices: tuple[str, ...] = ()


@retry_when_stale
def save(
    workspace: Workspace,
    text: str,
    index: FactSync,
    *,
    at: datetime,
    owner: Owner | None,
    category: str | None = None,
    key: str | None = None,
    redacts: bool = True,
) -> SaveReport:
    """Save a fact dated `at`, a time in the workspace's zone, unless memory has it already.

    Secrets in it are redacted, unless `redacts` is false. Raises BadUsage for an invalid text, category or
    key, and the errors of writing.
    """
    words = fact_text(text, redacts=redacts)
    requested = requested_category(category)
    try:
        name = fact_id(words, owner) if key is None else fact_id_of_key(redact(clean(key)), owner)
    except ValueError as error:
        raise BadUsage("the key is empty; give a key or omit --key") from error
    forgotten = load_forgotten(workspace)
    if forgotten is not None and forgotten.has_text(words, owner):
        place = requested or DEFAULT_CATEGORY
        return SaveReport(name, "forgotten", place, category_path(workspace, place), words, owner)
    index.embed_query(words)
    index.sync()  # the long update of the index happens outside the lock
    with workspace.lock():
        index.sync()
        saver = _FactSaver(workspace, index, words, at, owner, requested, redacts)
        saved = saver.without_key(name) if key is None else saver.with_key(name)
        workspace.commit(saved.plan)
    return saved


class _FactSaver(Struct, frozen=True):
    """Saves one fact; the workspace is locked and the index is up to date."""

    workspace: Workspace
    index: FactSync
    text: str
    at: datetime
    owner: Owner | None
    category: str | None
    redacts: bool

    def without_key(self, name: str) -> SaveReport:
        """Save the fact under an id made of its text, unless a fact of its category says the same."""
        existing = self._find(name)
        if existing is not None and self.category not in {None, existing.category}:
            name = fact_id(f"{self.category}: {self.text}", self.owner)  # the same words in another category
            existing = self._find(name)
        existing = existing or self._find_same()
        if existing is not None and self.category in {None, existing.category}:
            return self._confirm(existing)
        return self._write(name, self._choose_category(), None)

    def with_key(self, name: str) -> SaveReport:
        """Save the fact under its key; a fact without a key that says the same gets the key."""
        existing = self._find(name)
        if existing is not None and self._has_value(existing) and self.category in {None, existing.category}:
            return self._confirm(existing)
        if existing is None and (same := self._find_same()) is not None and not has_key(same):
            existing = same
        category = self.category or (existing.category if existing else None) or self._choose_category()
        return self._write(name, category, existing)

    def _write(self, name: str, category: str, old: StoredFact | None) -> SaveReport:
        """Plan a new line and mark the old one as superseded, first where it is in another file."""
        path = category_path(self.workspace, category)
        name = unused_id(name, all_semantic_text(self.workspace)) if name.startswith("m-") else name
        record = SemanticRecord(Fact(category, self.text, self.owner), name)
        plan = self._note_plan()
        if old is None and (former := self._former(name)) is not None:
            renamed = [(former, superseded_id(self.workspace, former))]
            plan += successor_plan(self.workspace, renamed, record, path, self.at.date())
        elif old is None:
            file = open_semantic_file(self.workspace, path)
            plan += file.rewrite_plan(semantic.add(file.text, [record]))
        else:
            old_id = superseded_id(self.workspace, old)
            plan += successor_plan(self.workspace, [(old, old_id)], record, path, self.at.date())
        effect = "written" if old is None else "updated"
        return SaveReport(name, effect, category, path, self.text, self.owner, plan)

    def _confirm(self, existing: StoredFact) -> SaveReport:
        """Count an access to a fact that says the same; a different wording becomes evidence."""
        table = load_salience(self.workspace)
        plan = table.access_plan(self.workspace, [existing.name], self.at)
        is_verbatim = self._says(existing)
        if not is_verbatim:
            plan += self._evidence_plan(existing.name)
        effect = "known" if is_verbatim else "merged"
        notices = (table.notice,) if table.notice else ()
        return SaveReport(
            existing.name,
            effect,
            existing.category,
            existing.path,
            existing.text,
            existing.owner,
            plan,
            notices,
        )

    def _evidence_plan(self, name: str) -> Plan:
        """The plan that adds the wording to the evidence file, once."""
        candidate = f"s-{fact_id(self.text, self.owner).removeprefix('m-')}"
        if name in supported_ids(self.workspace).get(candidate, ()):
            return ()
        session = self.owner.id if self.owner and self.owner.kind == "session" else ""
        record = {"id": name, "candidate": candidate, "quotes": [self.text], "session": session, "turn": None}
        line = json_text.dump_line({**record, "at": format_moment(self.at), "policy": "save"})
        return append_plan(self.workspace, self.workspace.layout.path("evidence"), line)

    def _note_plan(self) -> Plan:
        """The plan that adds the fact to the daily note, where the layout has one."""
        workspace, day = self.workspace, self.at.date()
        role = workspace.layout.targets["save"]["note"]
        if not workspace.has(role):
            return ()
        block = daily_note.render_block(
            exchange.build_note(
                self.text,
                self.at.time().replace(microsecond=0),
                self.owner,
                full=True,
                redacts=self.redacts,
            )
        )
        path = workspace.layout.path(role, day=day)
        return append_plan(workspace, path, block, seed_text(workspace.layout, role, day=day))

    def _says(self, fact: StoredFact) -> bool:
        """Whether a fact has the same words."""
        return comparison_key(fact.text) == comparison_key(self.text)

    def _has_value(self, fact: StoredFact) -> bool:
        """Whether a fact says the same, perhaps with other spellings of its dates, times and quantities."""
        return self._says(fact) or is_same_wording(fact.text, self.text)

    def _find(self, name: str) -> StoredFact | None:
        """The active fact with an id."""
        for path, line in self.index.lines_of(name):
            if (fact := self._read(path, line)) is not None and fact.name == name:
                return fact
        return None

    def _former(self, name: str) -> StoredFact | None:
        """The superseded fact that still has a key."""
        if f"^{name}" not in all_semantic_text(self.workspace):
            return None
        return next((fact for fact in all_facts(self.workspace, []) if fact.name == name), None)

    def _find_same(self) -> StoredFact | None:
        """The active fact of this owner, in the requested category if any, that means the same."""
        owners = frozenset({str(self.owner or "")})
        for hit in self.index.recall(
            self.text, _MAX_COMPARED, category=self.category, owners=owners, every=True
        ):
            if is_same_fact(hit.text, self.text, hit.similarity):
                return self._read(hit.path, hit.line)
        return None

    def _read(self, path: str, line: int) -> StoredFact | None:
        document = self.workspace.read(PurePosixPath(path))
        facts = facts_of(document) if document else ()
        return next((fact for fact in facts if fact.line == line and fact.record.superseded is None), None)

    def _choose_category(self) -> str:
        """The requested category, else that of the nearest facts, of a name in the text, or by examples."""
        if self.category:
            return self.category
        for similarity, category in self.index.categories(self.text, {"", str(self.owner or "")})[:1]:
            if similarity > CATEGORY_SIMILARITY:
                return category
        known, layout = self.index.known_categories(), self.workspace.layout.categories
        if (mentioned := mentioned_category(self.text, known, layout)) is not None:
            return mentioned
        nearest = self.index.nearest_category(self.text, CATEGORY_EXAMPLES)
        return nearest[1] if nearest is not None and nearest[0] >= EXAMPLE_SIMILARITY else DEFAULT_CATEGORY


def mentioned_category(text: str, categories: list[str], layout: Mapping[str, str]) -> str | None:
    """The longest category name of which the text has all words, inflected or not."""
    text_stems = {*stems(text)}
    names = sorted({*categories, *layout} - {""}, key=lambda name: (-len(name), name))
    mentioned = (
        name for name in names if (words := {*stems(name.replace("_", " "))}) and words <= text_stems
    )
    return next(mentioned, None)
