"""Facts and rules that candidates become: read once, changed in memory, written as one plan (CoALA)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from datetime import date, datetime
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.digest import blake2b
from memtool.core.facts.denied import fact_after_denial
from memtool.core.facts.identity import comparison_text, fact_id, fact_sentence
from memtool.core.facts.policy import WritePolicy
from memtool.core.facts.reconcile import ActiveFacts, NewFact, RepeatedFact
from memtool.core.facts.rules import INFERRED_PREFIX, ConductRule, RetiredRule, add_rule
from memtool.core.facts.successors import is_successor, stated_successor
from memtool.core.records.candidate import Candidate, Claim, Instruction
from memtool.core.records.entries import Fact, is_same_user
from memtool.core.records.plan import Plan
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.records.turn import format_moment
from memtool.errors import BadUsage
from memtool.formats import rules, semantic
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import EditableFile, append_to_role_plan, open_role_file
from memtool.verbs.memory_files.evidence import copied_evidence, last_said, supported_ids
from memtool.verbs.memory_files.handed_on_keys import with_keys
from memtool.verbs.memory_files.said_times import SaidTimes
from memtool.verbs.memory_files.semantic_files import (
    category_path,
    open_semantic_file,
    semantic_files,
    unused_name,
)


class CommitEffect(Struct, frozen=True):
    """What committing a candidate did: written, bumped, superseded, none or refused; and the file."""

    effect: str
    path: PurePosixPath


class MemoryWriter:
    """The facts and rules of a workspace, while candidates are committed to them; use it under the lock.

    Ids follow from candidates' ids, so committing a candidate again, after a crash or in a second run,
    changes nothing. A line that a person has deleted does not come back that way: its evidence, which is
    written last, is there, and the line is not.
    """

    def __init__(
        self, workspace: Workspace, policy: WritePolicy, now: datetime, said_times: SaidTimes | None = None
    ) -> None:
        """`said_times` are those of memory, for candidates of the past: nothing newer changes."""
        self._workspace = workspace
        self._said_times = said_times
        self._policy = policy
        self._now = now
        self._files: dict[PurePosixPath, EditableFile] = {}
        self._path_of: dict[str, PurePosixPath] = {}
        self._changed: dict[PurePosixPath, dict[str, SemanticRecord]] = {}
        self._superseded: dict[PurePosixPath, dict[str, SemanticRecord]] = {}
        records: list[SemanticRecord] = []
        self._read_semantic_files()
        for path, file in self._files.items():
            for record in semantic.records(semantic.parse(file.text)):
                records.append(record)
                if record.id:
                    self._path_of[record.id] = path
        self._records = {record.id: record for record in records if record.id}
        self._facts = ActiveFacts(records, policy.phrases, policy.vocabulary["single"])
        self._rules_file = open_role_file(workspace, "rules")
        self._rules = rules.rules(rules.parse(self._rules_file.text))
        self._retired: list[RetiredRule] = []
        self._new_ids: list[str] = []
        self._successors: set[str] = set()
        self._keys: dict[str, str] = {}  # of a successor, by its id
        self._evidence: list[tuple[str, Candidate]] = []
        self._rests: dict[str, str] = {}  # the superseded facts of remainders
        self._restated: dict[PurePosixPath, list[str]] = {}  # ids of facts that are said again
        self._supported_by = supported_ids(self._workspace)
        self._archived = self._read_archived_ids()

    def commit(self, candidate: Candidate, *, by_hand: bool = False, is_new: bool = False) -> CommitEffect:
        """Add a candidate to memory; `by_hand` says that a person approved it.

        `is_new` says that the user has just said it, so that what was superseded, archived or deleted before
        holds again. A rule is refused where all active rules are pinned and their number is at its limit.
        """
        match candidate.statement:
            case Claim():
                return self._commit_fact(candidate, candidate.statement, by_hand, is_new)
            case Instruction(text):
                return self._commit_rule(candidate, text, by_hand, is_new)

    def correct(
        self,
        is_wrong: Callable[[str], bool],
        corrected: Callable[[FactTriple | Fact], FactTriple | Fact | None],
        statement: str,
        source: Candidate,
        *,
        only_one: bool = False,
    ) -> int:
        """Supersede the facts of the candidate's owner whose text is wrong; return their number.

        Each gets a successor, itself `corrected`, or `statement` where that is None, with the candidate as
        evidence. Facts of this batch, other than successors, of other owners and without
        an id never change. With `only_one`, none changes where facts with several texts are wrong.
        """
        wrong = [
            record
            for record in self._records.values()
            if record.superseded is None
            and is_same_user(record.fact.owner, source.owner)
            and (record.id not in self._new_ids or record.id in self._successors)
            and not self._is_later(record)
            and is_wrong(comparison_text(record.fact))
        ]
        if only_one and len({comparison_text(record.fact) for record in wrong}) > 1:
            return 0
        return sum(
            self._replace(
                record,
                corrected(record.fact) or stated_successor(record.fact, statement),
                source,
            )
            for record in wrong
        )

    def deny(self, denied: Claim, source: Candidate) -> int:
        """Supersede the facts of the candidate's owner that it denies; return their number.

        Where a list remains, a successor has it. Facts of this batch or that cannot be cut never change.
        """
        from memtool.core.capture.remainder import object_left  # few sentences deny a fact

        count = 0
        for record in [*self._records.values()]:
            fact = record.fact
            if record.superseded or not is_same_user(fact.owner, source.owner) or record.id in self._new_ids:
                continue
            if self._is_later(record) or not isinstance(fact, FactTriple):
                continue
            if (left := object_left(fact, denied, source.quotes[0])) is None:
                continue
            if left:
                self._replace(record, fact_after_denial(fact, left), source)
            for gone in () if left else self._facts.supersede([record], self._now.date(), None):
                path, self._records[gone.id or ""] = self._path_of[gone.id or ""], gone
                self._supersede(path, gone.id or "", gone, path)
                self._keep_remainder(gone, None, source)
            count += 1
        return count

    def retire_rule(self, rule: ConductRule, why: str, corrected: str = "") -> None:
        """Archive an active rule; `corrected`, its text with another value, takes its place.

        Without it, `why` says why the rule was archived.
        """
        if rule not in self._rules or self._is_later_rule(rule):
            return
        left = [known for known in self._rules if known != rule]
        if corrected:
            key = f"{rule.owner}\0{corrected}".encode("utf-8", "surrogatepass")
            name = f"r-{blake2b(key, digest_size=4).hexdigest()}"
            if name not in {known.id for known in left}:
                left.append(replace(rule, at=self._now, text=corrected, id=name))
            why = name
        self._rules = tuple(left)
        self._retired.append(RetiredRule(rule, why))

    def plan(self) -> Plan:
        """The plan that writes everything committed: facts, archived rules, rules, then evidence.

        Where a fact supersedes one in another file, the old one is marked first, so that an interruption
        never leaves both active.
        """
        plan: Plan = ()
        handed_on = self._keys, self._records, self._path_of
        superseded, changed_files = (
            with_keys(records, *handed_on) for records in (self._superseded, self._changed)
        )
        for path, old in superseded.items():
            file = self._file(path)
            text = semantic.update(file.text, old)
            plan += file.rewrite_plan(text)
            self._files[path] = file.after(text)
        for path in dict.fromkeys((*changed_files, *self._restated)):
            file = self._file(path)
            text = semantic.move_to_end(file.text, self._restated.get(path, ()))
            plan += file.rewrite_plan(semantic.update(text, changed_files.get(path, {})))
        retired = [rule for rule in self._retired if rule.rule.id not in self._archived]
        if retired:
            day = self._now.date().isoformat()
            text = "".join(rules.render_archived_line(rule, day) for rule in retired)
            plan += append_to_role_plan(self._workspace, "rules-archive", text)
        plan += self._rules_file.rewrite_plan(rules.update(self._rules_file.text, self._rules))
        evidence = "".join(self._evidence_line(self._keys.get(name, name), by) for name, by in self._evidence)
        evidence += copied_evidence(self._workspace, evidence, self._rests)
        return plan + append_to_role_plan(self._workspace, "evidence", evidence)

    def _replace(self, old: SemanticRecord, new_fact: FactTriple | Fact, source: Candidate) -> bool:
        """Supersede a fact by another, or by the fact of this batch that says it.

        Returns False, and changes nothing, where that is the fact itself.
        """
        path = self._path_of[old.id or ""]
        if new_fact == old.fact:
            return False
        single = self._policy.vocabulary["single"]
        same = next(
            (name for name in self._new_ids if is_successor(self._records[name].fact, new_fact, single)),
            None,
        )
        name = same or unused_name(f"m-{source.id.removeprefix('c-')}", self._path_of)
        self._hand_on_key(old, name)
        for gone in self._facts.supersede([old], self._now.date(), name):
            self._records[gone.id or ""] = gone
            self._supersede(path, gone.id or "", gone, path)
        self._successors.add(name)
        if same is None:
            self._add_record(SemanticRecord(new_fact, name), path)
            self._add_evidence(name, source)
        self._keep_remainder(old, self._records[name], source)
        return True

    def _keep_remainder(self, old: SemanticRecord, new: SemanticRecord | None, source: Candidate) -> None:
        """Add what a superseded fact says besides, unless an active fact says it."""
        from memtool.core.capture.remainder import remaining_fact  # few facts are superseded

        own = (fact for fact in self.active_facts() if is_same_user(fact.owner, old.fact.owner))
        said, newer_fact = "".join(source.quotes[:1]), new.fact if new else None
        if kept := remaining_fact(old.fact, said, own, newer_fact, source.message):
            name = unused_name(fact_id(fact_sentence(kept), kept.owner), self._path_of)
            path = self._path_of[old.id or ""]
            newer = self._changed.pop(path, {})  # what is left was said before that
            self._add_record(SemanticRecord(kept, name), path)
            self._changed[path].update(newer)
            self._rests[name] = self._rests.get(old.id or "", old.id or "")

    def _hand_on_key(self, old: SemanticRecord, name: str) -> None:
        """Give a key of a fact, which is its id, to the fact that supersedes it, unless that has one."""
        own = old.id if old.id and old.id.startswith("k-") else None
        key = self._keys.pop(old.id or "", own)
        if key is not None and name not in self._keys:
            self._keys[name] = key

    def _add_record(self, record: SemanticRecord, path: PurePosixPath) -> None:
        name = record.id or ""
        self._path_of[name], self._records[name] = path, record
        self._new_ids.append(name)
        self._changed.setdefault(path, {})[name] = record

    def _commit_fact(self, candidate: Candidate, claim: Claim, by_hand: bool, is_new: bool) -> CommitEffect:
        name = f"m-{candidate.id.removeprefix('c-')}"
        said_times = self._said_times
        ended = said_times.ended_fact(self._records.values(), claim, candidate.owner) if said_times else None
        if ended is not None:
            self._add_evidence(ended.id or "", candidate)
            return CommitEffect("none", self._path_of[ended.id or ""])
        known = self._records.get(name)
        if is_new and known is not None and known.superseded is not None:
            name = unused_name(name, self._path_of)  # it holds again
        if name in self._path_of:  # committed before
            self._add_evidence(name, candidate, is_said_now=is_new)
            return CommitEffect("none", self._path_of[name])
        if not is_new and self._is_deleted(candidate, self._path_of, by_hand):
            return CommitEffect("none", category_path(self._workspace, claim.category))
        outcome = self._facts.add(candidate, claim, name, self._now.date(), self._later_day)
        match outcome:
            case RepeatedFact(record):
                path = self._path_of.get(record.id or "", category_path(self._workspace, claim.category))
                self._add_evidence(record.id or "", candidate, is_said_now=is_new)
                return CommitEffect("bumped", path)
            case NewFact(record, superseded):
                path = category_path(self._workspace, claim.category)
                self._add_record(record, path)
                for old in superseded:
                    if old.id:
                        self._hand_on_key(old, name)
                        self._records[old.id] = old
                        self._supersede(self._path_of[old.id], old.id, old, path)
                        self._keep_remainder(old, None, candidate)
                self._add_evidence(name, candidate)
                if record.superseded is not None:
                    return CommitEffect("none", path)
                return CommitEffect("superseded" if superseded else "written", path)

    def superseded(self, *, new: bool) -> dict[SemanticRecord, SemanticRecord | None]:
        """The new facts, or the others, that are superseded now, and their successors."""
        changed = {name: each for records in self._changed.values() for name, each in records.items()}
        rows = [each for name, each in changed.items() if (name in self._new_ids) == new]
        return {each: self._records.get(each.superseded.by or "") for each in rows if each.superseded}

    def active_facts(self) -> Iterator[FactTriple | Fact]:
        """The facts that are not superseded."""
        return (record.fact for record in self._records.values() if record.superseded is None)

    def _later_day(self, record: SemanticRecord) -> date | None:
        """The day on which a fact was said, if that was after the candidates."""
        if self._said_times is None or record.id in self._new_ids:
            return None
        return self._said_times.day_of_later_fact(record)

    def _is_later(self, record: SemanticRecord) -> bool:
        return self._later_day(record) is not None

    def _is_later_rule(self, rule: ConductRule) -> bool:
        return self._said_times is not None and self._said_times.is_later_rule(rule)

    def _supersede(self, path: PurePosixPath, name: str, old: SemanticRecord, by: PurePosixPath) -> None:
        """Record that a fact is superseded by one in the file `by`."""
        self._changed.setdefault(path, {})[name] = old
        if path != by and self._file(path).etag is not None:
            self._superseded.setdefault(path, {})[name] = old

    def _commit_rule(self, candidate: Candidate, text: str, by_hand: bool, is_new: bool) -> CommitEffect:
        path = self._rules_file.path
        is_explicit = by_hand or self._policy.decide(candidate).rule == "explicit"
        prefix = "r-" if is_explicit else INFERRED_PREFIX
        new = ConductRule(self._now, text, prefix + candidate.id.removeprefix("c-"), owner=candidate.owner)
        active = {rule.id for rule in self._rules}
        is_active = new.id in active
        if self._said_times is not None and self._said_times.is_archived_later(new.id):
            return CommitEffect("none", path)
        is_gone = new.id in self._archived or self._is_deleted(candidate, active | self._archived, by_hand)
        if is_gone and not is_new:
            return CommitEffect("none", path)
        try:
            added = add_rule(self._rules, new, self._policy.phrases)
        except BadUsage:
            return CommitEffect("refused", path)
        newer = [gone.rule for gone in added.retired if self._is_later_rule(gone.rule)]
        if newer:
            self._retired.append(RetiredRule(new, newer[0].id))
            self._add_evidence(new.id, candidate)
            return CommitEffect("none", path)
        self._rules = added.active
        self._retired += added.retired
        if added.known is not None:
            self._add_evidence(added.known.id, candidate)
            return CommitEffect("none" if is_active else "bumped", path)
        self._add_evidence(new.id, candidate)
        return CommitEffect("superseded" if added.retired else "written", path)

    def _is_deleted(self, candidate: Candidate, existing: Container[str], by_hand: bool) -> bool:
        """Whether it was committed before, and a person has since deleted the lines that it supports."""
        names = self._supported_by.get(candidate.id, ())
        return bool(names) and not by_hand and not any(name in existing for name in names)

    def _add_evidence(self, name: str, candidate: Candidate, *, is_said_now: bool = False) -> None:
        """Add a candidate as evidence, once; a fact that is said again now becomes the newest of its file."""
        names = self._supported_by.setdefault(candidate.id, set())
        is_new_day = is_said_now and self._restate(name)
        if not name or (name in names and not is_new_day):
            return
        names.add(name)
        self._evidence.append((name, candidate))

    def _restate(self, name: str) -> bool:
        """Put a fact after those of its file said later; return whether its evidence is of another day."""
        path = self._path_of.get(name)
        if path is None or self._said_times is not None:
            return False
        self._restated.setdefault(path, []).append(name)
        last = last_said(self._workspace, {name}).get(name)
        return last is None or last.date() < self._now.date()

    def _evidence_line(self, name: str, candidate: Candidate) -> str:
        quotes = {"id": name, "candidate": candidate.id, "quotes": list(candidate.quotes)}
        at = format_moment(candidate.held_since or self._now)
        source = {"session": candidate.session, "turn": candidate.turn, "at": at}
        return json_text.dump_line({**quotes, **source, "policy": self._policy.version})

    def _read_semantic_files(self) -> None:
        """Read the existing semantic files, then those of the categories that have none yet.

        Raises UnreadableFile.
        """
        layout = self._workspace.layout
        for document in self._workspace.read_texts(semantic_files(self._workspace)):
            self._files[document.path] = EditableFile(document.path, document.text, document.etag)
        for name in layout.categories.values():
            self._file(layout.path("semantic", name=name))

    def _file(self, path: PurePosixPath) -> EditableFile:
        if path not in self._files:
            self._files[path] = open_semantic_file(self._workspace, path)
        return self._files[path]

    def _read_archived_ids(self) -> frozenset[str]:
        document = self._workspace.read(self._workspace.layout.path("rules-archive"))
        archived = rules.rules(rules.parse(document.text)) if document else ()
        return frozenset(rule.id for rule in archived)
