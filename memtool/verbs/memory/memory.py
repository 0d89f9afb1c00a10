"""memory: the facts and rules that candidates become, read once and written as one plan (CoALA)."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.facts.policy import Policy
from memtool.core.facts.reconcile import Bumped, Known, Written
from memtool.core.facts.rule import INFERRED, Retired, Rule
from memtool.core.facts.rule import add as add_rule
from memtool.core.records.candidate import Candidate, Claim, Instruction
from memtool.core.records.plan import Append, Create, Plan
from memtool.core.records.triple import SemanticRecord
from memtool.core.records.turn import spell
from memtool.errors import BadUsage
from memtool.formats import rules, semantic
from memtool.formats.syntax import json_text
from memtool.layouts.seeds import seed_text
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.memory.remember import Opened, opened


class Effect(Struct, frozen=True):
    """What a candidate did to memory: written, bumped, superseded others, none, or refused; in which file."""

    effect: str
    path: PurePosixPath


class Memory:
    """The facts and rules of a workspace, while candidates are committed to them; use it under the lock.

    Every id follows from the candidate's, so that a candidate which is committed again, after a crash or by a
    second run, changes nothing. What a person has deleted since does not come back that way: its evidence is
    there, written last, and its line is not.
    """

    def __init__(self, workspace: Workspace, policy: Policy, now: datetime) -> None:
        self._workspace = workspace
        self._policy = policy
        self._now = now
        self._pages: dict[PurePosixPath, Opened] = {}
        self._homes: dict[str, PurePosixPath] = {}
        self._changed: dict[PurePosixPath, dict[str, SemanticRecord]] = {}
        self._marked: dict[PurePosixPath, dict[str, SemanticRecord]] = {}
        records: list[SemanticRecord] = []
        for path in self._semantic_files():
            for record in semantic.records(semantic.parse(self._page(path).text)):
                records.append(record)
                if record.id:
                    self._homes[record.id] = path
        self._known = Known(records, policy.markers)
        self._rules_page = opened(workspace, "rules")
        self._rules = rules.rules(rules.parse(self._rules_page.text))
        self._retired: list[Retired] = []
        self._evidence: list[str] = []
        self._proven = self._proofs()
        self._archived = self._archived_ids()

    def commit(self, candidate: Candidate, *, by_hand: bool = False) -> Effect:
        """Make memory of a candidate; `by_hand`: a person approved of it.

        A rule is refused where all that may be active are pinned.
        """
        match candidate.says:
            case Claim():
                return self._fact(candidate, candidate.says, by_hand)
            case Instruction(text):
                return self._rule(candidate, text, by_hand)

    def plan(self) -> Plan:
        """What puts down all that was committed: facts, what is retired, the rules, then their evidence.

        Where a fact supersedes one of another file, that is marked first: whatever stops in between, there
        are never both.
        """
        plan: Plan = ()
        for path, old in self._marked.items():
            page = self._page(path)
            marked = semantic.update(page.text, list(old.values()))
            plan += page.rewritten(marked)
            etag = etag_of(marked.encode("utf-8", "surrogateescape"))
            self._pages[path] = Opened(path, marked, etag)
        for path, changed in self._changed.items():
            page = self._page(path)
            plan += page.rewritten(semantic.update(page.text, list(changed.values())))
        retired = [one for one in self._retired if one.rule.id not in self._archived]
        if retired:
            on = self._now.date().isoformat()
            text = "".join(rules.archived(one, on) for one in retired)
            plan += _appended(self._workspace, "rules-archive", text)
        active = rules.update(self._rules_page.text, self._rules)
        plan += self._rules_page.rewritten(active)
        return plan + _appended(self._workspace, "evidence", "".join(self._evidence))

    def _fact(self, candidate: Candidate, claim: Claim, by_hand: bool) -> Effect:
        name = f"m-{candidate.id.removeprefix('c-')}"
        if name in self._homes:  # it was committed before
            self._proves(name, candidate)
            return Effect("none", self._homes[name])
        if self._is_deleted(candidate, self._homes, by_hand):
            return Effect("none", self._home(claim.category))
        outcome = self._known.add(candidate, claim, name, self._now.date())
        match outcome:
            case Bumped(record):
                path = self._homes.get(record.id or "", self._home(claim.category))
                self._proves(record.id or "", candidate)
                return Effect("bumped", path)
            case Written(record, superseded):
                path = self._home(claim.category)
                self._homes[name] = path
                self._changed.setdefault(path, {})[name] = record
                for old in superseded:
                    if old.id:
                        self._mark(self._homes[old.id], old.id, old, path)
                self._proves(name, candidate)
                return Effect("superseded" if superseded else "written", path)

    def _mark(self, path: PurePosixPath, name: str, old: SemanticRecord, by: PurePosixPath) -> None:
        """Note that a fact is superseded, by one in the file `by`."""
        self._changed.setdefault(path, {})[name] = old
        if path != by and self._page(path).etag is not None:
            self._marked.setdefault(path, {})[name] = old

    def _rule(self, candidate: Candidate, text: str, by_hand: bool) -> Effect:
        path = self._rules_page.path
        asked = by_hand or self._policy.decide(candidate).rule == "explicit"
        prefix = "r-" if asked else INFERRED
        new = Rule(self._now, text, prefix + candidate.id.removeprefix("c-"), owner=candidate.owner)
        active = {one.id for one in self._rules}
        there = new.id in active
        if new.id in self._archived or self._is_deleted(candidate, active | self._archived, by_hand):
            return Effect("none", path)
        try:
            done = add_rule(self._rules, new, self._policy.markers)
        except BadUsage:
            return Effect("refused", path)
        self._rules = done.active
        self._retired += done.retired
        if done.known is not None:
            self._proves(done.known.id, candidate)
            return Effect("none" if there else "bumped", path)
        self._proves(new.id, candidate)
        return Effect("superseded" if done.retired else "written", path)

    def _is_deleted(self, candidate: Candidate, there: Container[str], by_hand: bool) -> bool:
        """Whether it was committed before, and a person has deleted since what it was evidence of."""
        names = self._proven.get(candidate.id, ())
        return bool(names) and not by_hand and not any(name in there for name in names)

    def _proves(self, name: str, candidate: Candidate) -> None:
        names = self._proven.setdefault(candidate.id, set())
        if not name or name in names:
            return
        names.add(name)
        said = {"id": name, "candidate": candidate.id, "quotes": list(candidate.quotes)}
        where = {"session": candidate.session, "turn": candidate.turn, "at": spell(self._now)}
        self._evidence.append(json_text.line({**said, **where, "policy": self._policy.version}))

    def _semantic_files(self) -> Iterable[PurePosixPath]:
        layout = self._workspace.layout
        folder = layout.folder("semantic")
        found = self._workspace.disk.folder(folder)
        names = [folder / name for name in found.files] if found else []
        homes = [layout.path("semantic", name=name) for name in layout.categories.values()]
        return dict.fromkeys(
            [*(one for one in names if (at := layout.role_of(one)) and at.role == "semantic"), *homes]
        )

    def _home(self, category: str) -> PurePosixPath:
        categories = self._workspace.layout.categories
        return self._workspace.layout.path("semantic", name=categories.get(category, categories[""]))

    def _page(self, path: PurePosixPath) -> Opened:
        if path not in self._pages:
            document = self._workspace.read_text(path)
            text, etag = (document.text, document.etag) if document else (f"# {path.stem.title()}\n\n", None)
            self._pages[path] = Opened(path, text, etag)
        return self._pages[path]

    def _proofs(self) -> dict[str, set[str]]:
        """Of which facts and rules a candidate is evidence already."""
        document = self._workspace.read(self._workspace.layout.path("evidence"))
        found = re.findall(
            r'^{"id": "([^"]+)", "candidate": "([^"]+)"', document.text if document else "", re.M
        )
        proven: dict[str, set[str]] = {}
        for name, candidate in found:
            proven.setdefault(candidate, set()).add(name)
        return proven

    def _archived_ids(self) -> frozenset[str]:
        document = self._workspace.read(self._workspace.layout.path("rules-archive"))
        found = rules.rules(rules.parse(document.text)) if document else ()
        return frozenset(one.id for one in found)


def appended(workspace: Workspace, path: PurePosixPath, text: str, seed: str = "") -> Plan:
    """The plan that adds text at the end of a file, which is made where it is not there."""
    if not text:
        return ()
    there = workspace.disk.stat(path) is not None
    return (Append(path, text) if there else Create(path, seed + text),)


def _appended(workspace: Workspace, role: str, text: str) -> Plan:
    return appended(workspace, workspace.layout.path(role), text, seed_text(workspace.layout, role))
