"""Recorder: the entries, statements and corrections of one message, and the plan that records them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from memtool.core.capture.behaviour import behaviour_corrections
from memtool.core.capture.triggers import EntryDestination
from memtool.core.facts.unsafe import is_unsafe
from memtool.core.records.candidate import Candidate, Instruction, entity_name
from memtool.core.records.entries import FACT_CATEGORY, Fact, Owner, RecordedEntry, WalEntry, is_same_user
from memtool.core.text.sanitise import one_line
from memtool.verbs.capture.correcting_sentences import (
    as_correction,
    as_statement,
    durability,
    overlap,
    sentences_with_news,
    unnamed_corrections,
    unrecorded,
)
from memtool.verbs.capture.current_memory import (
    corrected_fact,
    corrected_line,
    corrected_rule,
    corrected_statements,
    current_statements,
    is_wrong,
    owners_corrected,
    recent_details,
)
from memtool.verbs.capture.learned_corrections import learned_plan
from memtool.verbs.capture.recorded_entries import (
    corrected_entries,
    denied_entries,
    is_same_line,
    recorded_corrections,
    stated_entries,
    withdrawn_entries,
)
from memtool.verbs.capture.superseding_lines import (
    clause_among,
    is_outdated,
    stored_line,
    supersedes,
    without_lead,
)
from memtool.verbs.facts.captured import CapturedMemory, CaptureSource, FactCorrection, captured_memory
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.memory_files.long_term import LineCorrection, revise_plan

if TYPE_CHECKING:
    from memtool.core.capture.circumstances import CorrectingSentence, MessageCircumstances
    from memtool.core.capture.scan import CapturedEntry
    from memtool.core.capture.statements import Statement
    from memtool.core.facts.policy import WritePolicy
    from memtool.core.facts.rules import ConductRule
    from memtool.core.records.plan import Plan
    from memtool.store.workspace import Workspace
    from memtool.verbs.capture.current_memory import CurrentStatement
    from memtool.verbs.capture.handwritten_lines import ContradictedLine
    from memtool.verbs.capture.message_source import MessageSource
    from memtool.verbs.capture.withdrawn import WithdrawnInstruction


class RecordedMemory(Struct, frozen=True):
    """What is reported of a message, what the log gets, and the plan for everything but the log.

    `other_owners` have memory that the message corrects, and which stays because it has no owner. `unapplied`
    are the corrections and endings that superseded nothing. `supersedes` says that something of memory holds
    no more, `superseded` which facts and lines, and what is in their place. `contradicted` are hand-written
    lines that a correction makes wrong, and which stay.
    """

    entries: tuple[RecordedEntry, ...]
    logged: tuple[WalEntry, ...]
    plan: Plan
    other_owners: tuple[Owner, ...] = ()
    unapplied: tuple[CorrectingSentence, ...] = ()
    supersedes: bool = False
    superseded: Mapping[str, str] = {}
    contradicted: tuple[ContradictedLine, ...] = ()


class MessageRecorder:
    """The parts of one message on their way to memory."""

    def __init__(
        self,
        workspace: Workspace,
        source: MessageSource,
        hits: Sequence[CapturedEntry],
        said: MessageCircumstances | None,
        withdrawn: Sequence[WithdrawnInstruction] = (),
        *,
        stated: Collection[CorrectingSentence] = (),
        news: Collection[CorrectingSentence] = (),
        is_tentative: bool = False,
    ) -> None:
        """`stated` are corrections of nothing that memory has, which are recorded as statements, and `news`
        are endings and denials that say what holds instead, and are recorded besides. `is_tentative` says
        that the message had a correction of which only a line of memory shows whether it is one."""
        self._is_tentative = is_tentative
        self._workspace = workspace
        self._source = source
        self._hits = hits
        self._withdrawn = withdrawn
        self.all_corrections = (*(said.corrections if said else ()), *unnamed_corrections(hits, said))
        self.corrections = tuple(found for found in self.all_corrections if found not in stated)
        self._has_facts = source.group is None and workspace.has("semantic") and workspace.has("rules")
        statements = said.statements if said and self._has_facts else ()
        self._statements = unrecorded(statements, hits, self.corrections)
        self._statements += [as_statement(found) for found in (*stated, *news) if self._has_facts]
        self._denials = said.denials if said and self._has_facts else ()
        self.all_endings = said.endings if said else ()
        self._endings = tuple(found for found in self.all_endings if found not in stated)
        self._rules = [hit for hit in hits if hit.destination is EntryDestination.RULE]

    def capture(self) -> CapturedMemory:
        """Instructions and statements as candidates, and the facts that are corrected."""
        stated = (*self._rules, *self._statements, *self._denials, *self._endings)
        if not self._has_facts or not (*stated, *self.corrections, *self._withdrawn):
            return CapturedMemory(())
        self._statements = [
            placed
            for placed in self._statements
            if not any(self._is_put_right(*placed, found) for found in self.corrections)
        ]
        origin = self._origin
        candidates = [
            origin.candidate(Instruction(hit.entry.detail), hit.entry.detail) for hit in self._rules
        ]
        candidates += self._stated
        wrong = [self._fact_correction(found) for found in self.corrections]
        endings = [self._fact_correction(found) for found in self._endings]
        denials = [origin.candidate(denial.claim, denial.quote) for denial, _ in self._denials]
        retired = [(found.rule, "withdrawn", "") for found in self._withdrawn if found.rule is not None]
        retired += [row for rows in self._corrected_rules.values() for row in rows]
        return captured_memory(
            self._workspace,
            origin,
            candidates,
            wrong,
            self._policy,
            denials=denials,
            endings=endings,
            retired=retired,
        )

    def _is_put_right(self, statement: Statement, span: tuple[int, int], found: CorrectingSentence) -> bool:
        """Whether a correction changes the fact that its statement would supersede, or one to say as much.

        One that tells a change supersedes by itself, in the user's words.
        """
        is_alone = statement.is_news and statement.claim.predicate in self._policy.vocabulary["single"]
        is_open = not found.correction.old and len(self._wrong[found]) > 1
        if is_alone or is_open or not overlap(found.span, span):
            return False
        from memtool.core.capture.said_again import says_all
        from memtool.core.records.semantic import FactTriple
        from memtool.core.text.stems import content_stems

        value = content_stems(entity_name(statement.claim.object))
        value &= content_stems(found.correction.new or found.correction.statement)
        return any(
            (not statement.is_news and says_all(new, statement.claim, found.sentence, found.correction))
            or (value and fact.predicate == statement.claim.predicate and value <= content_stems(new.object))
            for fact in (known.fact for known in self.own_statements if known.text in self._wrong[found])
            if isinstance(fact, FactTriple) and isinstance(new := corrected_fact(found, fact), FactTriple)
        )

    def _fact_correction(self, found: CorrectingSentence) -> FactCorrection:
        """A correction or an ending, as it applies to facts."""
        return FactCorrection(
            found.sentence,
            found.correction.new or found.sentence,
            partial(is_wrong, found, self._wrong[found], frozenset()),
            partial(corrected_fact, found),
            without_lead(found.correction.statement),
            only_one=not found.correction.old and not found.endings,
        )

    @cached_property
    def _current(self) -> list[CurrentStatement]:
        return [*current_statements(self._workspace, self._source.group)]

    @cached_property
    def own_statements(self) -> list[CurrentStatement]:
        """What memory has of this owner."""
        return [known for known in self._current if is_same_user(known.fact.owner, self._source.owner)]

    @cached_property
    def _wrong(self) -> dict[CorrectingSentence, frozenset[str]]:
        """The texts of this owner's memory that each correction and each ending makes wrong."""
        return {
            found: corrected_statements(found, self.own_statements, self._recent_details)
            for found in (*self.corrections, *self._endings)
        }

    @cached_property
    def _corrected_rules(self) -> dict[CorrectingSentence, list[tuple[ConductRule, str, str]]]:
        """The rules that a correction makes wrong, and their text put right; not those of instructions."""
        if not self._has_facts or not self.corrections:
            return {}
        from memtool.verbs.facts.rules import active_rules

        spans = [hit.span for hit in self._rules]
        own = [rule for rule in active_rules(self._workspace) if is_same_user(rule.owner, self._source.owner)]
        return {
            found: rows
            for found in self.corrections
            if not any(overlap(found.span, span) for span in spans)
            and (rows := [(rule, "", text) for rule in own if (text := corrected_rule(found, rule.text))])
        }

    def news_beside_endings(
        self, captured: CapturedMemory, unapplied: Collection[CorrectingSentence]
    ) -> list[CorrectingSentence]:
        """The endings and denials that superseded something and say what holds instead."""
        denials = map(as_correction, self._denials)
        applied = [
            found
            for found in (*(each for each in self._endings if not each.is_renewal), *denials)
            if not any(overlap(found.span, other.span) for other in unapplied)
        ]
        if not applied:
            return []
        stated = [statement.start for statement, _ in self._statements]
        put_right = [
            found.span for found, count in zip(self.corrections, captured.corrected, strict=False) if count
        ]
        return [
            found
            for found, (start, end) in sentences_with_news(self._source.message)
            if any(overlap(found.span, other.span) for other in applied)
            and not any(overlap(found.span, span) for span in put_right)
            and not any(start <= place < end for place in stated)
        ]

    def _other_owners(self) -> tuple[Owner, ...]:
        is_open = self._source.owner is None and bool(self._wrong)
        return owners_corrected(self._wrong, self._current) if is_open else ()

    def statements_to_commit(self) -> tuple[WalEntry, ...]:
        """The entries of the statements that the policy commits at once."""
        return tuple(
            WalEntry(self._source.at, FACT_CATEGORY, one_line(candidate.quotes[0]), self._source.owner)
            for candidate in self._stated
            if self._policy.decide(candidate).action == "commit_now"
        )

    @cached_property
    def _origin(self) -> CaptureSource:
        source, text = self._source, self._source.message.text.text
        return CaptureSource(source.owner, source.session, source.at, text, source.said_times)

    @cached_property
    def _stated(self) -> list[Candidate]:
        phrases = self._policy.phrases
        return [
            self._origin.candidate(
                said.claim, said.quote, sensitivity=said.sensitivity, durability=durability(said, phrases)
            )
            for said, _ in self._statements
        ]

    def finish(self, captured: CapturedMemory) -> RecordedMemory:
        """The report and the plan, given what became of the candidates."""
        source = self._source
        effects = dict(zip((id(hit) for hit in self._rules), captured.effects, strict=False))
        kept_as_lines = [
            hit for hit in self._rules if not self._has_facts or effects.get(id(hit)) == "refused"
        ]
        lasting = [
            hit
            for hit in self._hits
            if (hit.destination is EntryDestination.LONG_TERM or any(hit is line for line in kept_as_lines))
            and not is_unsafe(hit.entry.detail)
        ]
        facts = [stored_line(hit.entry) for hit in lasting]
        said = {fact.detail: hit.entry.detail for fact, hit in zip(facts, lasting, strict=True)}
        phrases, recent = self._policy.phrases, self._recent_details
        replaces = partial(
            supersedes, phrases=phrases, recent=recent, superseded=captured.superseded, said=said
        )
        revised = revise_plan(
            self._workspace,
            facts,
            self._line_corrections(),
            replaces,
            source.at.date(),
            group=source.group,
            is_outdated=partial(is_outdated, source.said_times, captured.outdated),
            repeats=self.superseded_lines(captured),
            clause_of=clause_among(captured.superseded, source.owner),
        )
        known = {id(hit) for hit, duplicate in zip(lasting, revised.duplicates, strict=True) if duplicate}
        entries: list[RecordedEntry] = []
        for hit in self._hits:
            effect = effects.get(id(hit), "")
            is_rule = hit.destination is EntryDestination.RULE and not any(
                hit is line for line in kept_as_lines
            )
            is_kept = is_rule or any(hit is line for line in lasting)
            durable = hit.durable and is_kept and effect not in {"dropped", "held"}
            duplicate = id(hit) in known or (is_rule and effect in {"bumped", "none"})
            entries.append(RecordedEntry(hit.entry, hit.span, durable, duplicate))
        outdated = {fact.detail for fact in revised.outdated}  # in no prompt, thus not in the log either
        if source.said_times is not None:
            outdated |= {hit.entry.detail for hit in self._rules if effects.get(id(hit)) == "none"}
        logged = [entry.entry for entry in entries if stored_line(entry.entry).detail not in outdated]
        entries += (stated := stated_entries(source, self._statements, captured.effects[len(self._rules) :]))
        logged += [entry.entry for entry in stated if entry.durable and not entry.duplicate]
        found_all = self.corrections, self._endings, revised.corrected, self._counts(captured)
        applied = *corrected_entries(source, *found_all), *withdrawn_entries(source, self._withdrawn)
        for entry in (*applied, *denied_entries(source, self._denials, captured.denied)):
            if not any(is_same_line(entry.entry, other.entry) for other in entries):
                entries.append(entry)
                logged.append(entry.entry)
        entries.sort(key=lambda entry: entry.span[0])
        plan = (*revised.plan, *captured.plan, *learned_plan(self._workspace, source, self._hits))
        unapplied = self._unapplied(captured, revised.superseding, entries)
        counts = (*self._counts(captured), *captured.denied, len(self._withdrawn))
        has_superseded = bool(captured.superseded or revised.superseding or "superseded" in captured.effects)
        superseded = {**revised.superseded, **captured.superseded}
        found = self._other_owners(), unapplied, has_superseded or any(counts), superseded
        return RecordedMemory(tuple(entries), tuple(logged), plan, *found)

    def superseded_lines(self, captured: CapturedMemory) -> Callable[[Fact], bool] | None:
        """Which lines say just what facts that the message supersedes say, or what it corrects."""
        effects = captured.effects[len(self._rules) :]
        corrections = (*self.all_corrections, *self.all_endings) if self._source.said_times is None else ()
        recorded = recorded_corrections(corrections, self._hits, self._statements, effects)
        if self._is_tentative or not (captured.superseded or recorded):
            return None
        from memtool.verbs.capture.handwritten_lines import repeating

        return repeating(captured.superseded, recorded, self._source.owner)

    def _unapplied(
        self, captured: CapturedMemory, superseding: Collection[str], entries: Sequence[RecordedEntry]
    ) -> tuple[CorrectingSentence, ...]:
        """The new corrections, endings and denials, except those of conduct, that superseded nothing."""
        if not self.corrections and not self._endings and not self._denials:
            return ()
        done = [hit.span for hit in self._hits if stored_line(hit.entry).detail in superseding]
        done += [hit.span for hit in self._rules]
        done += [entry.span for entry in entries if entry.duplicate]
        effects = zip(self._statements, captured.effects[len(self._rules) :], strict=False)
        done += [span for (_, span), effect in effects if effect == "superseded"]
        done += [span for (_, span), count in zip(self._denials, captured.denied, strict=False) if count]
        found_all = (*self.corrections, *self._endings)
        done += [
            found.span
            for found, count in zip(found_all, self._counts(captured), strict=True)
            if count or {without_lead(found.sentence), found.restated} & {*superseding}
        ]
        of_conduct = " ".join(behaviour_corrections(self._source.message))
        unapplied: list[CorrectingSentence] = []
        stated = [span for _, span in self._statements]
        for found in (*self._endings, *self.corrections, *map(as_correction, self._denials)):
            known = (*done, *stated) if found.is_renewal else done
            if found.sentence not in of_conduct and not any(overlap(found.span, span) for span in known):
                unapplied.append(found)
                done.append(found.span)
        return tuple(unapplied)

    def _counts(self, captured: CapturedMemory) -> list[int]:
        """How many facts and rules each correction, then each ending, superseded."""
        found_all, rules = (*self.corrections, *self._endings), self._corrected_rules
        counts = (*captured.corrected, *captured.ended) or (0,) * len(found_all)
        return [count + len(rules.get(each, ())) for each, count in zip(found_all, counts, strict=True)]

    def _line_corrections(self) -> list[LineCorrection]:
        """The corrections and endings, as they apply to lines of long-term memory."""
        if not self.corrections and not self._endings:
            return []
        recent, details = self._recent_details, {hit.entry.detail for hit in self._hits}
        return [
            LineCorrection(
                found.restated if found.restated in details else without_lead(found.sentence),
                self._source.owner,
                partial(is_wrong, found, self._wrong[found], recent),
                partial(corrected_line, found),
                only_one=not found.correction.old and not found.endings,
            )
            for found in (*self.corrections, *self._endings)
        ]

    @cached_property
    def _recent_details(self) -> set[str]:
        return recent_details(self._workspace, self._source.group, self._source.owner)

    @cached_property
    def _policy(self) -> WritePolicy:
        return load_policy(self._workspace.settings)
