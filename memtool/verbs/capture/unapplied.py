"""Unapplied corrections: which facts and lines a correction may be about that superseded none of them."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.capture.circumstances import CorrectingSentence
from memtool.core.capture.corrected_lines import says_value
from memtool.core.capture.near_memory import nearness
from memtool.core.facts.duplicates import comparison_key
from memtool.core.records.entries import Owner
from memtool.core.records.scope import sees
from memtool.core.text.sanitise import one_line
from memtool.store.workspace import Workspace
from memtool.verbs.capture.current_memory import CurrentStatement, current_statements

_MOST_NAMED = 3
"""The most places that are named."""
_SHOWN = 60
"""Characters of a statement that are shown."""


def unapplied_notices(
    workspace: Workspace, unapplied: Sequence[CorrectingSentence], owner: Owner | None, group: str | None
) -> list[str]:
    """What is said of corrections and endings that superseded nothing.

    Nothing of one without an old value where nothing stored is near it, nor of one whose new value is stored.
    Files of facts that cannot be read have none. Raises UnreadableFile for long-term memory.
    """
    tags = [str(owner)] if owner is not None and owner.kind == "user" else []
    visible = [
        known for known in current_statements(workspace, group) if sees(tags, str(known.fact.owner or ""))
    ]
    notices = []
    for found in unapplied:
        near = _near(found, visible, owner)
        is_known = any(says_value(found.correction.new, known.text) for known in visible)
        if near or (found.correction.old and not is_known):
            notices.append(_notice(found, near, owner))
    return notices


def _near(
    found: CorrectingSentence, visible: Sequence[CurrentStatement], owner: Owner | None
) -> list[CurrentStatement]:
    """The three statements nearest to a correction: with its old value first, then the owner's own."""
    rated = [
        (rating, known.fact.owner == owner, known) for known in visible if (rating := _rating(found, known))
    ]
    rated.sort(key=lambda row: row[:2], reverse=True)
    return [known for _, _, known in rated[:_MOST_NAMED]]


def _rating(found: CorrectingSentence, known: CurrentStatement) -> tuple[bool, int] | None:
    """Whether a statement says the old value, and how many words it shares; None if it is not near."""
    correction = found.correction
    if comparison_key(known.own_words) == comparison_key(found.sentence):
        return None  # the sentence itself, as it was stored
    shared = nearness(correction.statement or found.sentence, known.text)
    if not shared and any(ending.is_about(known.text) for ending in found.endings):
        shared = 1
    has_old = bool(correction.old) and says_value(correction.old, known.text)
    return (has_old, shared) if has_old or shared else None


def _notice(found: CorrectingSentence, near: Sequence[CurrentStatement], owner: Owner | None) -> str:
    said = f"{found.sentence!r} superseded no stored fact"
    if not near:
        return f"{said}: none contains {found.correction.old!r} (see memtool facts list)"
    places = ", ".join(_named(known, owner) for known in near)
    commands = []
    if facts := [known for known in near if known.is_fact]:
        owners = {known.fact.owner for known in facts}
        option = "".join(f"--{each.kind} {each.id} " for each in owners if each and len(owners) == 1)
        name = facts[0].place if len(facts) == 1 else "ID"
        save = "" if found.endings else f", then: memtool {option}save TEXT"
        commands.append(f"run memtool {option}facts forget {name}{save}")
    if len(facts) < len(near):
        commands.append("edit the line in its file")
    return f"{said}; if this sentence corrects {places}, {' or '.join(commands)}"


def _named(known: CurrentStatement, owner: Owner | None) -> str:
    other = known.fact.owner if known.fact.owner != owner else None
    of_other = f" of {other.kind} {other.id}" if other else ""
    return f"{known.place}{of_other} ({one_line(known.own_words, _SHOWN)!r})"
