"""Current memory: the active facts and lines of long-term memory, and which of them a correction is about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.circumstances import CorrectingSentence, MessageCircumstances
from memtool.core.facts.duplicates import comparison_key
from memtool.core.records.entries import Fact, Owner, is_same_user, user_of
from memtool.formats import long_term, session_state
from memtool.store.workspace import Workspace

if TYPE_CHECKING:  # few messages need it
    from memtool.core.records.semantic import FactTriple


class CurrentStatement(Struct, frozen=True):
    """The id of a fact, or `path:line` of a line, its text for comparison, and itself.

    `has_no_command` says that only an editor can change it.
    """

    place: str
    text: str
    fact: FactTriple | Fact
    is_fact: bool = True
    has_no_command: bool = False

    @property
    def own_words(self) -> str:
        """What the user said, where that is known."""
        return self.fact.detail if isinstance(self.fact, Fact) else self.fact.quote or self.text


def current_statements(workspace: Workspace, group: str | None) -> Iterator[CurrentStatement]:
    """The active facts and lines of all owners. Files of facts that cannot be read have none.

    Raises UnreadableFile for long-term memory.
    """
    if group is None and workspace.has("semantic"):
        from memtool.core.facts.identity import comparison_text
        from memtool.verbs.memory_files.semantic_files import all_facts

        for stored in all_facts(workspace, []):
            if stored.record.superseded is None:
                yield CurrentStatement(stored.name, comparison_text(stored.record.fact), stored.record.fact)
    path = workspace.layout.path("long-term", group=group)
    document = workspace.read_text(path)
    for item in long_term.items(long_term.parse(document.text)) if document else ():
        if item.fact.category and item.superseded is None:
            yield CurrentStatement(f"{path}:{item.line}", item.fact.detail, item.fact, is_fact=False)


def recent_details(workspace: Workspace, group: str | None, owner: Owner | None) -> set[str]:
    """The details of the session's entries of an owner. Raises UnreadableFile."""
    document = workspace.read_text(workspace.layout.path("session-state", group=group))
    entries = session_state.entries(session_state.parse(document.text)) if document else ()
    return {entry.detail for entry in entries if is_same_user(entry.owner, owner)}


def without_tentative(
    workspace: Workspace, said: MessageCircumstances, owner: Owner | None, group: str | None
) -> MessageCircumstances:
    """What a message says, without the corrections that only a stored statement shows to be one.

    `The deadline moved to 26 February` corrects what memory has about that deadline, or else states it. If
    it may be about something in memory, though not surely, it stays a correction, which replaces nothing.
    """
    if not any(found.correction.is_tentative for found in said.corrections):
        return said
    from memtool.core.capture.near_memory import may_revise

    own = [known for known in current_statements(workspace, group) if is_same_user(known.fact.owner, owner)]
    kept = (
        found
        for found in said.corrections
        if not found.correction.is_tentative
        or corrected_statements(found, own, ())
        or any(may_revise(found.correction, known.own_words) for known in own)
    )
    return replace(said, corrections=tuple(kept))


def corrected_statements(
    found: CorrectingSentence, statements: Sequence[CurrentStatement], recent: Collection[str]
) -> frozenset[str]:
    """The texts of one owner's statements that a correction or an ending makes wrong.

    `recent` are the texts of the session's log. A correction that is surely about none of them is about the
    one that it may be about, if that is only one, perhaps stored as a fact and as a line.
    """
    if found.endings:
        ended = _ended(found, statements)
        if not ended:
            return frozenset()
        from memtool.core.capture.remainder import cannot_be_cut  # few statements end others

        return frozenset(known.text for known in ended if not cannot_be_cut(known.fact, found.sentence))
    from memtool.core.capture.corrected_lines import is_corrected, may_be_corrected

    sure = frozenset(
        known.text
        for known in statements
        if is_corrected(found.correction, known.text, is_recent=known.own_words in recent)
    )
    if not found.correction.old and not _is_one(
        {known.own_words for known in statements if known.text in sure}
    ):
        # of several, a cue such as "Correction:" does not tell which one is wrong
        return frozenset(text for text in sure if is_corrected(found.correction, text, is_recent=False))
    if (sure and not _is_unnamed(found)) or not found.correction.old:
        return sure
    if sure:
        return (
            sure if _is_one({known.own_words for known in statements if known.text in sure}) else frozenset()
        )
    near = [
        known
        for known in statements
        if may_be_corrected(found.correction, known.text, is_recent=known.own_words in recent)
        and (found.correction.statement or corrected_fact(found, known.fact) is not None)
    ]
    is_one = _is_one({known.own_words for known in near})
    return frozenset(known.text for known in near) if is_one else frozenset()


def _ended(found: CorrectingSentence, statements: Iterable[CurrentStatement]) -> list[CurrentStatement]:
    """The statements that say what has ended, perhaps with more."""
    from memtool.core.capture.ending_value import is_ended  # few messages end anything

    return [
        known
        for known in statements
        if any(
            is_ended(ending, known.text if isinstance(known.fact, Fact) else known.fact)
            for ending in found.endings
        )
    ]


def endings_of_parts(
    unapplied: Iterable[CorrectingSentence], statements: Callable[[], Sequence[CurrentStatement]]
) -> list[CorrectingSentence]:
    """The endings that supersede nothing, as what they end is a part of a statement that cannot be cut."""
    return [found for found in unapplied if found.endings and _ended(found, statements())]


def _is_unnamed(found: CorrectingSentence) -> bool:
    """Whether a correction says nothing of what its values are of: `No, at 7, not at 6`."""
    return not (found.endings or found.correction.subject or found.correction.is_move)


def _is_one(texts: Collection[str]) -> bool:
    """Whether texts are one statement, perhaps stored as a fact and as a line."""
    words = sorted(map(comparison_key, texts), key=len)
    return all(words[0] in other for other in words)


def corrected_fact(found: CorrectingSentence, fact: FactTriple | Fact) -> FactTriple | Fact | None:
    """A fact put right; None where the correction cannot be put in place of its value."""
    from memtool.core.capture.corrected_lines import corrected_text, corrected_triple
    from memtool.core.records.candidate import entity_kind
    from memtool.core.text.discourse import without_opening

    if found.endings:
        is_known = not isinstance(fact, Fact) and entity_kind(fact.object) == "Person"
        left = is_known and any(ending.is_stay for ending in found.endings)
        if isinstance(fact, Fact) or left:
            return replace(fact, quote=found.sentence) if left else None
        from memtool.core.capture.endings import without_employer  # few statements end others

        return without_employer(fact) if any(ending.claims for ending in found.endings) else None
    if not isinstance(fact, Fact):
        return corrected_triple(found.correction, fact, without_opening(found.sentence))
    text = corrected_text(found.correction, fact.detail)
    return replace(fact, detail=text) if text else None


def corrected_line(found: CorrectingSentence, text: str) -> str:
    """A line put right; empty where the sentence itself is the better line."""
    from memtool.core.capture.corrected_lines import corrected_text

    return "" if found.endings else corrected_text(found.correction, text)


def corrected_rule(found: CorrectingSentence, text: str) -> str:
    """A rule put right that says what a correction is surely about; else empty."""
    from memtool.core.capture.corrected_lines import corrected_text, is_corrected

    correction = found.correction
    is_about = bool(correction.old and correction.head) and is_corrected(correction, text, is_recent=False)
    return corrected_text(correction, text) if is_about else ""


def is_wrong(found: CorrectingSentence, known: Collection[str], recent: Collection[str], text: str) -> bool:
    """Whether a correction makes a text wrong; `known` are the texts of memory that it does."""
    if text in known:
        return True
    if found.endings or _is_unnamed(found):
        return False
    from memtool.core.capture.corrected_lines import is_corrected

    return is_corrected(found.correction, text, is_recent=text in recent)


def owners_corrected(
    correcting: Collection[CorrectingSentence], statements: Iterable[CurrentStatement]
) -> tuple[Owner, ...]:
    """The owners with statements that some correction or ending makes wrong."""
    by_owner: dict[Owner, list[CurrentStatement]] = {}
    for known in statements:
        if (owner := user_of(known.fact.owner)) is not None:
            by_owner.setdefault(owner, []).append(known)
    return tuple(
        owner
        for owner, known in by_owner.items()
        if any(corrected_statements(found, known, ()) for found in correcting)
    )
