"""What a scanned message superseded, and its corrections and requests to forget that changed nothing."""

from __future__ import annotations

from memtool.core.capture.languages.correction_signs import NEWS_SIGNS
from memtool.core.records.entries import FACT_CATEGORY, Owner, RecordedEntry
from memtool.core.text.sanitise import one_line
from memtool.store.workspace import Workspace
from memtool.verbs.capture.scan import ScanReport

_TOLD = frozenset([FACT_CATEGORY, "preference"])
"""Categories of entries that may tell that a fact holds no more."""
_SHOWN = 100
"""Characters of a statement that are shown."""


def scan_notices(
    workspace: Workspace, scanned: ScanReport, owner: Owner | None, group: str | None
) -> list[str]:
    """The sentences about what a scan did not apply; most messages have none.

    Raises UnreadableFile for long-term memory.
    """
    notices: list[str] = []
    if scanned.unapplied and not scanned.other_owners:
        from memtool.verbs.capture.unapplied import unapplied_notices

        named = [line.sentence for line in scanned.contradicted]
        fresh = [each.span for each in scanned.entries if each.durable and not each.duplicate]
        explicit = [each.span for each in scanned.entries if each.entry.category == "correction"]
        notices += unapplied_notices(workspace, scanned.unapplied, owner, group, named, fresh, explicit)
    noticed = {found.span for found in scanned.unapplied}
    news = [each for each in scanned.entries if _may_tell_news(each) and each.span not in noticed]
    if news and scanned.supersedes:
        news = [each for each in news if not _superseded_any(each, scanned)]
    if news:
        from memtool.verbs.capture.unapplied import news_notices  # few statements tell a change

        notices += news_notices(workspace, news, owner, group)
    if group is None and not scanned.supersedes and any(map(_is_rule, scanned.entries)):
        from memtool.verbs.capture.unreplaced_rules import rule_notices

        notices += rule_notices(workspace, scanned.entries, owner)
    if scanned.contradicted:
        from memtool.verbs.capture.handwritten_lines import contradicted_notices

        notices += contradicted_notices(scanned.contradicted, workspace.program())
    if scanned.to_forget:
        from memtool.verbs.capture.unforgotten import forget_notices

        notices += forget_notices(workspace, scanned.to_forget, owner, group)
    return notices


def superseded_notices(scanned: ScanReport) -> list[str]:
    """The sentences about what a scan superseded, for people: a prompt has what holds instead."""
    return [
        f"{_shown(old)} was superseded" + (f" by {_shown(new)}" if new else "")
        for old, new in scanned.superseded.items()
    ]


def _shown(text: str) -> str:
    return repr(one_line(text, _SHOWN))


def _is_rule(recorded: RecordedEntry) -> bool:
    return recorded.durable and recorded.entry.category == "instruction"


def _may_tell_news(recorded: RecordedEntry) -> bool:
    lowered = recorded.entry.detail.lower()
    return recorded.entry.category in _TOLD and any(map(lowered.__contains__, NEWS_SIGNS))


def _superseded_any(recorded: RecordedEntry, scanned: ScanReport) -> bool:
    """Whether an entry may have superseded something: it shares a word with it, or with what is in its place.

    If only a rule or a line was superseded, all may have.
    """
    from memtool.core.text.stems import content_stems  # few messages supersede anything

    stems = content_stems(recorded.entry.detail)
    return not scanned.superseded or any(
        stems & content_stems(f"{old} {new}") for old, new in scanned.superseded.items()
    )
