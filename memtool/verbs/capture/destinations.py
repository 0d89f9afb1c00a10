"""Destinations: where the entries, statements and corrections of a message go besides the session state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from memtool.verbs.capture.correcting_sentences import new_times, overlap, stating_corrections
from memtool.verbs.capture.current_memory import endings_of_parts, without_tentative
from memtool.verbs.capture.message_recorder import MessageRecorder, RecordedMemory
from memtool.verbs.capture.superseding_lines import without_lead

if TYPE_CHECKING:
    from memtool.core.capture.circumstances import MessageCircumstances
    from memtool.core.capture.scan import CapturedEntry
    from memtool.core.records.entries import WalEntry
    from memtool.store.workspace import Workspace
    from memtool.verbs.capture.handwritten_lines import HandwrittenLines
    from memtool.verbs.capture.message_source import MessageSource
    from memtool.verbs.capture.withdrawn import WithdrawnInstruction


def record_memory(
    workspace: Workspace,
    source: MessageSource,
    hits: Sequence[CapturedEntry],
    said: MessageCircumstances | None,
    withdrawn: Sequence[WithdrawnInstruction] = (),
) -> RecordedMemory:
    """Decide where everything goes. Call it under the lock. Raises MemtoolError for files of memory.

    A group has neither rules nor facts: its instructions go to its long-term memory, its statements nowhere.
    A correction of what memory does not have is recorded as a statement, if it is one about the user.
    """
    is_tentative = said is not None and any(found.correction.is_tentative for found in said.corrections)
    given = said
    said = without_tentative(workspace, said, source.owner, source.group) if said else None
    if source.said_times is not None:
        from memtool.verbs.capture.outdated import without_outdated  # few messages are of the past

        hits, said = without_outdated(workspace, source, hits, said, source.said_times)
    first = MessageRecorder(workspace, source, hits, said, withdrawn, is_tentative=is_tentative)
    captured = first.capture()
    recorded = first.finish(captured)
    of_parts = endings_of_parts(recorded.unapplied, lambda: first.own_statements)
    recorded = replace(
        recorded, unapplied=tuple(found for found in recorded.unapplied if not found.is_renewal)
    )
    stated = stating_corrections(
        recorded.unapplied, first.corrections, recorded.entries, lambda: first.own_statements
    )

    @cache
    def handwritten() -> HandwrittenLines:
        from memtool.verbs.capture.handwritten_lines import read_handwritten_lines

        return read_handwritten_lines(workspace, source.owner, source.group)

    if any(found.correction.old for found in recorded.unapplied):
        from memtool.verbs.capture.handwritten_lines import contradicting  # most messages correct nothing

        spans = [*(found.span for found in stated), *(each.span for each in recorded.entries if each.durable)]
        of_lines = contradicting(handwritten, recorded.unapplied)
        stated += [found for found in of_lines if not any(overlap(found.span, span) for span in spans)]
    stated += of_parts
    if given is not None and said is not None and given is not said and source.said_times is None:
        stated += new_times(given, said, recorded.entries)
    news = first.news_beside_endings(captured, recorded.unapplied)
    recorder = first
    if (stated or news) and not recorded.other_owners:
        recorder = MessageRecorder(
            workspace, source, hits, said, withdrawn, stated=stated, news=news, is_tentative=is_tentative
        )
        captured = recorder.capture()
        recorded = replace(recorder.finish(captured), unapplied=recorded.unapplied)
    correcting = (*first.corrections, *first.all_endings)
    if source.said_times is not None or not correcting:
        return recorded
    from memtool.verbs.capture.handwritten_lines import contradicted_lines  # most messages correct nothing

    contradicted, gone = contradicted_lines(
        handwritten, correcting, recorder.superseded_lines(captured), source.group
    )
    superseding = [found for corrections in gone.values() for found in corrections]
    unapplied = tuple(found for found in recorded.unapplied if found not in superseding)
    lines = {text: without_lead(corrections[0].sentence) for text, corrections in gone.items()}
    superseded = {**lines, **recorded.superseded}
    return replace(recorded, contradicted=contradicted, unapplied=unapplied, superseded=superseded)


def entries_without_memory(
    workspace: Workspace,
    source: MessageSource,
    hits: Sequence[CapturedEntry],
    said: MessageCircumstances | None,
) -> tuple[WalEntry, ...]:
    """The entries for the log where memory cannot be read: the hits, and the statements not to be held."""
    recorder = MessageRecorder(workspace, source, hits, said)
    return (*(hit.entry for hit in hits), *recorder.statements_to_commit())
