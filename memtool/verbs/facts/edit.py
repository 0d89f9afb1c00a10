"""facts edit: correct a fact by a new statement, which supersedes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.circumstances import read_circumstances
from memtool.core.capture.statements import whole_claim
from memtool.core.context.profile import profile_statements
from memtool.core.facts.duplicates import comparison_key
from memtool.core.facts.identity import (
    fact_id,
    fact_sentence,
    relation_words,
    shown_relation,
    shown_sentence,
)
from memtool.core.facts.one_value import is_same_wording
from memtool.core.records.candidate import entity_name
from memtool.core.records.entries import Fact, Owner, is_same_user
from memtool.core.records.plan import Plan
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems
from memtool.errors import BadUsage, NotFound
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.facts.fact_text import fact_text
from memtool.verbs.facts.facts import id_of, line_of, shared_id, unknown_fact
from memtool.verbs.facts.memory_lines import MemoryLine, SupersededLine, edited_line, memory_lines
from memtool.verbs.facts.successor import (
    all_semantic_text,
    has_key,
    successor_plan,
    superseded_id,
    superseding_plan,
)
from memtool.verbs.memory_files.forgotten import load_forgotten
from memtool.verbs.memory_files.semantic_files import (
    StoredFact,
    all_facts,
    belongs_to,
    unused_id,
)

_TRIPLE = (
    r"(?P<subject>User(?:'s [\w -]+)?|[A-Z]\w+:\S[^—]*?) (?P<predicate>[A-Z]{2,}(?:_[A-Z]+)*)"
    r" (?P<object>[^—]*\S)(?: — \"(?P<quote>.+)\")?"
)
"""A fact as a file has it."""
_QUOTED = ' — "'
"""Between the sentence and the quotation of a fact, as `facts` prints it."""
_NO_NAME = r"(?i)[.!?;:—\n]|^(?:not?|never|without)\b| (?:and|but|not|no longer|any ?more)\b"
"""What a text has that says more than a value, or denies it."""
_MOST_SUCCESSORS = 2
"""If a command wrote more statements than that, it is not clear which one replaces the superseded one."""


class EditReport(Struct, frozen=True):
    """The id, text, category, file and owner of the fact that says the new text, and the plan.

    `effect` is `updated` (it supersedes the old fact, whose id is then `superseded_id`), `merged` (another
    fact says the new text already; it supersedes the old one, under the old one's key if only that has one),
    `known` (the old fact says it already) or `forgotten` (the user asked to forget the new text); the last
    two change nothing. `old_text` is what the corrected fact or line said, `settled` are the other facts that
    the new statement supersedes. `left` is what the old text says about something else, as a statement,
    and no active fact does; the old text where that cannot be cut out. Where that is no sentence alone,
    `completed` is the new text with it.
    """

    id: str
    effect: str
    category: str
    path: PurePosixPath
    text: str
    owner: Owner | None
    superseded_id: str = ""
    plan: Plan = ()
    old_text: str = ""
    settled: tuple[StoredFact, ...] = ()
    left: str = ""
    completed: str = ""


@retry_when_stale
def edit_fact(
    workspace: Workspace,
    name: str,
    text: str,
    today: date,
    owners: Collection[str] = (),
    *,
    redacts: bool,
    settled: Callable[[StoredFact], Collection[str]] = lambda _: (),
) -> EditReport:
    """Supersede an active fact, named by its id or key, by a new statement of its category and owner.

    A line of long-term memory, named by `path:line` or its words, is superseded by a new line, or restated in
    its place if it was written by hand.

    The new fact is in the file of the old one, and takes its key if it has one; the old one is kept, marked
    as superseded. Where another fact with a key of its own says the text, the old one keeps its key, by which
    it still leads to the other. `settled` returns the ids of other facts that the new statement supersedes,
    too. Secrets in the text are redacted, unless `redacts` is false. Raises NotFound
    for an unknown or superseded fact, BadUsage for an invalid text and for a key that several facts have, and
    the errors of writing.
    """
    words = fact_text(text, redacts=redacts)
    with workspace.lock():
        facts = [fact for fact in all_facts(workspace, []) if belongs_to(fact, owners)]
        lines = memory_lines(workspace, owners)
        if (line := _current_line(workspace, name, facts, lines)) is not None:
            report = _edit_line(workspace, line, words, today)
            workspace.commit(report.plan)
            return _with_left(report, line.fact, words, facts, lines)
        old = _active_fact(facts, name, lines)
        if words in _wordings(old):
            return _report(old, "known", words)
        forgotten = load_forgotten(workspace)
        if forgotten is not None and forgotten.has_text(words, old.owner):
            return _report(old, "forgotten", words)
        same = next((fact for fact in facts if fact.name != old.name and _says(fact, words, old.owner)), None)
        have_keys = same is not None and has_key(old) and has_key(same)
        old_id = old.name if have_keys else superseded_id(workspace, old)
        names = settled(old)
        others = [(fact, fact.name) for fact in facts if fact.name in names and fact not in (old, same)]
        if same is not None and (have_keys or not has_key(old)):
            plan = superseding_plan(workspace, [(old, old_id), *others], same.name, today)
            report = _report(same, "merged", same.text, old_id, plan)
        elif same is not None:  # it takes the key of the corrected fact
            record = SemanticRecord(same.record.fact, old.name)
            plan = successor_plan(
                workspace, [(old, old_id), (same, same.name), *others], record, same.path, today
            )
            report = EditReport(
                old.name, "merged", same.category, same.path, same.text, same.owner, old_id, plan
            )
        else:
            name = old.name
            if not has_key(old):
                name = unused_id(fact_id(words, old.owner), all_semantic_text(workspace))
            record = SemanticRecord(_restated(old.record.fact, words), name)
            plan = successor_plan(workspace, [(old, old_id), *others], record, old.path, today)
            report = EditReport(name, "updated", old.category, old.path, words, old.owner, old_id, plan)
        workspace.commit(report.plan)
    settled_facts = tuple(fact for fact, _ in others)
    report = replace(report, old_text=shown_sentence(old.record.fact), settled=settled_facts)
    return _with_left(report, old.record.fact, words, facts, lines)


def _with_left(
    report: EditReport,
    old: Fact | FactTriple,
    words: str,
    facts: Sequence[StoredFact],
    lines: Sequence[MemoryLine],
) -> EditReport:
    """A report with what a text says besides the new one, about something else, that no other active fact or
    line of its owner says."""
    from memtool.core.capture.remainder import dependent_part, remaining_fact, without_same_subject

    known: list[Fact | FactTriple] = [fact.record.fact for fact in facts if fact.record.superseded is None]
    known += [line.fact for line in lines if not line.fault]
    said = shown_sentence(old)
    others = [
        fact
        for fact in known
        if is_same_user(fact.owner, old.owner)
        and comparison_key(shown_sentence(fact)) != comparison_key(said)
    ]
    rest = remaining_fact(old, words, others, Fact(old.category, words, old.owner))
    evidence = (old.quote if isinstance(old, FactTriple) else old.detail) or said
    text = without_same_subject(shown_sentence(rest), evidence, words) if rest else ""
    if text and content_stems(text) != content_stems(said):
        return replace(report, left=text)
    if part := dependent_part(evidence, words, map(shown_sentence, others)):
        return replace(report, left=part.strip(" ,"), completed=words.rstrip(" .!") + part)
    return replace(report, left=said if text else "")


def _edit_line(workspace: Workspace, line: MemoryLine, words: str, today: date) -> EditReport:
    """The report of an edit of a line of long-term memory, before its commit."""
    owner, category = line.fact.owner, line.fact.category
    forgotten = load_forgotten(workspace)
    if words == line.fact.detail:
        return EditReport(line.name, "known", category, line.path, words, owner)
    if forgotten is not None and forgotten.has_text(words, owner):
        return EditReport(line.name, "forgotten", category, line.path, words, owner)
    new, is_known, plan = edited_line(workspace, line, words, today)
    effect = "merged" if is_known else "updated"
    new_text, old_text = new.fact.detail, line.fact.detail
    return EditReport(
        new.name, effect, new.fact.category, new.path, new_text, owner, line.name, plan, old_text
    )


def _restated(old: Fact | FactTriple, words: str) -> Fact | FactTriple:
    """The fact that the new words state, of the old one's category and owner.

    A fact about the user that is in every prompt remains one: a triple, as `scan` makes it of the words, or
    the triple that `facts` prints so.
    """
    if (triple := _as_printed(old, words)) is not None:
        return triple
    if not profile_statements([SemanticRecord(old)]).shown:
        return Fact(old.category, words, old.owner)
    stated = [statement.claim for statement, _ in read_circumstances(words).statements]
    claim = stated[0] if len(stated) == 1 else whole_claim(words)
    return FactTriple(old.category, claim.subject, claim.predicate, claim.object, words, old.owner)


def _as_printed(old: Fact | FactTriple, words: str) -> FactTriple | None:
    """The triple that words state in the form in which `facts` or a file shows it; else None."""
    if triple := regex(_TRIPLE).fullmatch(words):
        quote = triple["quote"] or None
        return FactTriple(
            old.category, triple["subject"], triple["predicate"], triple["object"], quote, old.owner
        )
    if not isinstance(old, FactTriple) or not relation_words(old):
        return None
    relation = next(
        (shown for shown in (shown_relation(old), relation_words(old)) if f" {shown} " in words.lower()), ""
    )
    said, _, quote = words.partition(_QUOTED)
    start, entity = f"{entity_name(old.subject)} {relation} ", entity_name(old.object)
    kind = old.object.removesuffix(entity)
    name = said[len(start) :].strip(" .").removeprefix(kind)
    if said[: len(start)].lower() != start.lower() or not name or regex(_NO_NAME).search(name):
        return None
    quote = quote.removesuffix('"')
    return replace(old, object=kind + name, quote=None if quote == old.quote else quote or None)


def _report(fact: StoredFact, effect: str, text: str, old_id: str = "", plan: Plan = ()) -> EditReport:
    return EditReport(fact.name, effect, fact.category, fact.path, text, fact.owner, old_id, plan)


def facts_with_text(
    workspace: Workspace, text: str, owner: Owner | None, owners: Collection[str] = ()
) -> list[StoredFact]:
    """The active facts of an owner, of those that `owners` may see, that say this text."""
    return [
        fact for fact in all_facts(workspace, []) if belongs_to(fact, owners) and _says(fact, text, owner)
    ]


def check_active_fact(workspace: Workspace, name: str, owners: Collection[str] = ()) -> None:
    """Raise NotFound unless an active fact has this id or key, or a line of long-term memory is so named."""
    facts = [fact for fact in all_facts(workspace, []) if belongs_to(fact, owners)]
    lines = memory_lines(workspace, owners)
    if _current_line(workspace, name, facts, lines) is None:
        _active_fact(facts, name, lines)


def _current_line(
    workspace: Workspace, name: str, facts: Sequence[StoredFact], lines: Sequence[MemoryLine]
) -> MemoryLine | None:
    """The line that `line_of` returns. Raises NotFound, which names what superseded a line, where known."""
    try:
        return line_of(name, facts, lines)
    except SupersededLine as error:
        successors = _written_with_mark(workspace, error.line, facts, lines)
        if not successors or len(successors) > _MOST_SUCCESSORS:
            raise
        raise NotFound(
            f"{error} by {' and '.join(successors)}; edit {' or '.join(successors)} instead"
        ) from error


def _written_with_mark(
    workspace: Workspace, old: MemoryLine, facts: Sequence[StoredFact], lines: Sequence[MemoryLine]
) -> list[str]:
    """The names of the current lines and facts of one owner that the command that superseded a line wrote."""
    from memtool.verbs.journal.trace_origin import find_commits

    known: list[MemoryLine | StoredFact] = [line for line in lines if not line.fault]
    known += [fact for fact in facts if fact.record.superseded is None]
    own = (each for each in known if is_same_user(_owner(each), old.fact.owner))
    named = {each.name: (str(each.path), each.line) for each in (old, *own)}
    rows = {
        path: document.text.encode("utf-8", "surrogateescape").split(b"\n")
        for path in {path for path, _ in named.values()}
        if (document := workspace.read_text(PurePosixPath(path))) is not None
    }
    heads = {name: (path, rows[path][number - 1]) for name, (path, number) in named.items() if path in rows}
    commits = find_commits(workspace, [*heads.values()])
    last = {name: commits[head][-1] for name, head in heads.items() if commits[head]}
    mark = last.pop(old.name, None)
    if mark is None or not mark.text.startswith("superseded by"):
        return []
    return [name for name, step in last.items() if step.about["id"] == mark.about["id"]]


def _owner(named: MemoryLine | StoredFact) -> Owner | None:
    return named.fact.owner if isinstance(named, MemoryLine) else named.owner


def _active_fact(facts: Sequence[StoredFact], name: str, lines: Sequence[MemoryLine]) -> StoredFact:
    """The active fact with an id or key. Raises NotFound, and BadUsage for one of different facts.

    The message for an unknown id may name one of `lines`.
    """
    identifier = id_of(name, facts)
    named = [fact for fact in facts if fact.name == identifier]
    active = [fact for fact in named if fact.record.superseded is None]
    if len({(fact.text, fact.owner) for fact in active}) > 1:
        raise BadUsage(shared_id(identifier, active))
    if active:
        return active[0]
    if not named:
        active = [fact for fact in facts if fact.record.superseded is None]
        raise NotFound(unknown_fact(name, active, lines))
    superseded = named[0].record.superseded
    by = superseded.by if superseded else None
    current = f" by {by}; edit {by} instead" if by else "; add the new statement with memtool save"
    raise NotFound(f"{identifier} was superseded{current}")


def _says(fact: StoredFact, words: str, owner: Owner | None) -> bool:
    """Whether a fact is active, of this owner, and says these words, or the same values."""
    if fact.record.superseded is not None or not is_same_user(fact.owner, owner):
        return False
    key = comparison_key(words)
    return any(key == comparison_key(text) or is_same_wording(text, words) for text in _wordings(fact))


def _wordings(fact: StoredFact) -> set[str]:
    """The texts that state a fact: its sentence, with and without the quotation, and the quotation."""
    says = fact.record.fact
    if isinstance(says, FactTriple):
        bare = replace(says, quote=None)
        return {fact.text, fact_sentence(bare), shown_sentence(bare), *filter(None, (says.quote,))}
    return {fact.text}
