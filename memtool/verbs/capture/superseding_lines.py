"""Superseding lines: which new line of long-term memory supersedes an old one, and which is outdated."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from memtool.core.records.entries import Fact, WalEntry
from memtool.core.text.discourse import without_opening

if TYPE_CHECKING:  # few lines can supersede another
    from memtool.core.records.entries import Owner
    from memtool.core.text.phrases import PhraseLists
    from memtool.verbs.memory_files.said_times import SaidTimes


_AS_SAID = frozenset(["instruction", "remember"])
"""Categories of lines that keep the request with which they begin."""


def stored_line(entry: WalEntry) -> Fact:
    """An entry as a line of long-term memory: without "Actually," and the like before a correction."""
    return Fact(entry.category, without_lead(entry.detail, entry.category), entry.owner)


def without_lead(sentence: str, category: str = "") -> str:
    """A sentence without "Actually," and the like, if a line of a category has it so."""
    stated = sentence if category in _AS_SAID else without_opening(sentence)
    if stated == sentence:
        return sentence
    from memtool.core.capture.exclusive_values import ValueCue, cue_of  # few sentences begin so

    return sentence if cue_of(sentence) is ValueCue.NOW else stated


def supersedes(
    old: Fact,
    new: Fact,
    phrases: PhraseLists,
    recent: Collection[str],
    superseded: Collection[str] = (),
    said: Mapping[str, str] = {},
) -> bool:
    """Whether a new line says another name of the user, or the contrary of a preference, which can be cut.

    `recent` are the texts of the session's log, `superseded` the quotes of facts that the message supersedes,
    `said` the words of new lines with "Actually," and the like before them.
    """
    new = replace(new, detail=said.get(new.detail, new.detail))
    if old.category != new.category or old.detail == new.detail:
        return False
    match new.category:
        case "proper_noun":
            from memtool.core.capture.stated_name import called_name, stated_name

            for name_in in (stated_name, called_name):
                name, old_name = name_in(new.detail), name_in(old.detail)
                if name is not None and old_name is not None and name != old_name:
                    return True
            return False
        case "preference":
            from memtool.core.capture.feelings import is_repaired, is_reversed
            from memtool.core.capture.other_value import is_swapped
            from memtool.core.facts.contrary import is_contrary

            is_other = (
                old.detail in superseded
                or is_contrary(old.detail, new.detail, phrases)
                or is_reversed(old.detail, new.detail)
                or is_swapped(old.detail, new.detail)
                or (is_repaired(old.detail, new.detail) and old.detail in recent)
            )
            return is_other and not _cannot_be_cut(old, new)
        case _:
            return False


def _cannot_be_cut(old: Fact, new: Fact) -> bool:
    from memtool.core.capture.remainder import cannot_be_cut  # few lines supersede another

    return cannot_be_cut(old, new.detail)


def is_outdated(said_times: SaidTimes | None, outdated: Collection[str], new: Fact, old: Fact | None) -> bool:
    """Whether a new line was said before an old one, or, without one, is among the outdated statements."""
    if said_times is None or old is None:
        return new.detail in outdated
    return said_times.is_later_line(old)


def repeats_any(superseded: Collection[str], owner: Owner | None) -> Callable[[Fact], bool]:
    """Whether a line of an owner says just what one of these statements says, perhaps as a request."""
    from memtool.core.capture.clauses import REQUEST
    from memtool.core.facts.duplicates import comparison_key
    from memtool.core.records.entries import is_same_user
    from memtool.core.text.regex import regex

    def key(text: str) -> str:
        return comparison_key(without_opening(regex(REQUEST).sub("", text, count=1)))

    keys = frozenset(map(key, superseded))
    return lambda line: is_same_user(line.owner, owner) and key(line.detail) in keys


def clause_among(superseded: Collection[str], owner: Owner | None) -> Callable[[Fact], str] | None:
    """Which of these statements is one clause of a line of an owner, of which the other clauses are left.

    It is empty where no sentence is left, or where that is the whole line. None without statements.
    """
    if not superseded:
        return None
    from memtool.core.capture.clauses import REQUEST, clauses
    from memtool.core.capture.remainder import remaining_fact
    from memtool.core.facts.duplicates import comparison_key
    from memtool.core.records.entries import is_same_user
    from memtool.core.text.regex import regex

    keys = {comparison_key(regex(REQUEST).sub("", text, count=1)): text for text in superseded}

    def clause_of(line: Fact) -> str:
        if not is_same_user(line.owner, owner):
            return ""
        text = regex(REQUEST).sub("", line.detail, count=1)
        parts = [comparison_key(text[start:end]) for start, end in clauses(text)]
        found = [keys[part] for part in parts if part in keys]
        if len(found) != 1 or len(parts) == 1:
            return ""
        kept = remaining_fact(line, found[0], ())
        is_cut = isinstance(kept, Fact) and comparison_key(kept.detail) != comparison_key(text)
        return found[0] if is_cut else ""

    return clause_of
