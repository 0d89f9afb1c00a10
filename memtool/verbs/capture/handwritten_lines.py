"""Hand-written lines of long-term memory that a correction contradicts: which it supersedes, and which stay.

A line that says just what is corrected is superseded, as captured lines are, once memory has the correction.
One that says more is left to a person.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct

from memtool.core.capture.circumstances import CorrectingSentence
from memtool.core.records.entries import Fact, Owner, is_same_user
from memtool.core.records.scope import sees
from memtool.core.text.sanitise import one_line
from memtool.core.text.sentences import asks
from memtool.formats import long_term
from memtool.store.workspace import Workspace
from memtool.verbs.capture.superseding_lines import repeats_any

_SHOWN = 60
"""Characters of a line that are shown."""


class ContradictedLine(Struct, frozen=True):
    """A hand-written line that stays, as `path:line`, its text, and the sentence that contradicts it.

    `command` corrects the line, without the program and the new text; "" if only a person can edit it.
    """

    place: str
    text: str
    sentence: str
    command: str = ""


class HandwrittenLines(Struct, frozen=True):
    """The hand-written items of long-term memory that an owner sees, with the path and text of the file."""

    path: str
    text: str
    items: tuple[long_term.LongTermItem, ...]


def read_handwritten_lines(workspace: Workspace, owner: Owner | None, group: str | None) -> HandwrittenLines:
    """Read the hand-written lines that an owner sees. Raises UnreadableFile."""
    path = workspace.layout.path("long-term", group=group)
    document = workspace.read_text(path)
    text = document.text if document is not None else ""
    tags = [str(owner)] if owner is not None and owner.kind == "user" else []
    items = long_term.handwritten(long_term.parse(text))
    seen = tuple(item for item in items if sees(tags, str(item.fact.owner or "")))
    return HandwrittenLines(str(path), text, seen)


def repeating(
    superseded: Collection[str], stated: Sequence[CorrectingSentence], owner: Owner | None
) -> Callable[[Fact], bool] | None:
    """Whether a line of an owner says just what a superseded statement says, or, written by hand, what the
    `stated` corrections, which memory has now, make wrong; None if there are neither."""
    is_repeated = repeats_any(superseded, owner) if superseded else None
    if not stated:
        return is_repeated

    def is_superseded(line: Fact) -> bool:
        return bool(is_repeated and is_repeated(line)) or (
            not line.category
            and is_same_user(line.owner, owner)
            and any(_is_wrong(found, line.detail) and _says_only(found, line.detail) for found in stated)
        )

    return is_superseded


def contradicted_lines(
    read: Callable[[], HandwrittenLines],
    corrections: Sequence[CorrectingSentence],
    is_superseded: Callable[[Fact], bool] | None,
    group: str | None,
) -> tuple[tuple[ContradictedLine, ...], dict[str, list[CorrectingSentence]]]:
    """The hand-written lines that corrections make wrong: those that stay; and the texts of the superseded
    ones, each with the corrections that supersede it.

    `read` is called only if there are corrections that can make a line wrong. It raises UnreadableFile.
    """
    stay: list[ContradictedLine] = []
    gone: dict[str, list[CorrectingSentence]] = {}
    for item, wrong in _contradicted(read, corrections):
        if _is_gone(item, is_superseded):
            gone[item.fact.detail] = wrong
            continue
        place = f"{read().path}:{item.line}"
        command = f"{owner_option(item.fact.owner)}facts edit {place}"
        if group is not None or long_term.goes_on(read().text, item.line):
            command = ""
        stay += [ContradictedLine(place, item.fact.detail, found.sentence, command) for found in wrong]
    return tuple(stay), gone


def contradicting(
    read: Callable[[], HandwrittenLines], corrections: Sequence[CorrectingSentence]
) -> list[CorrectingSentence]:
    """The corrections of an old value that make a hand-written line wrong; raises UnreadableFile."""
    naming = [found for found in corrections if found.correction.old]
    found = [each for _, wrong in _contradicted(read, naming) for each in wrong]
    return [each for each in corrections if each in found]


def _contradicted(
    read: Callable[[], HandwrittenLines], corrections: Sequence[CorrectingSentence]
) -> Iterator[tuple[long_term.LongTermItem, list[CorrectingSentence]]]:
    """The hand-written lines that corrections make wrong, each with these corrections."""
    correcting = [found for found in corrections if found.correction.old or found.correction.statement]
    for item in read().items if correcting else ():
        wrong = [found for found in correcting if _is_wrong(found, item.fact.detail)]
        if wrong:
            yield item, wrong


def contradicted_notices(lines: Sequence[ContradictedLine], program: str) -> list[str]:
    """What is said of hand-written lines that contradict a message; `program` is how a command begins."""
    return [
        f"{line.place} ({one_line(line.text, _SHOWN)!r}) contradicts the sentence {line.sentence!r} and was "
        "not changed, because the line was written by hand; "
        + (
            f'to correct it, run {program} {line.command} "TEXT"'
            if line.command
            else "edit it by hand in the file"
        )
        for line in lines
    ]


def owner_option(owner: Owner | None) -> str:
    """The option for an owner in a command, with a space after it; empty for none."""
    return f"--{owner.kind} {owner.id} " if owner else ""


def _is_gone(item: long_term.LongTermItem, is_superseded: Callable[[Fact], bool] | None) -> bool:
    return not item.goes_on and is_superseded is not None and is_superseded(item.fact)


def _is_wrong(found: CorrectingSentence, text: str) -> bool:
    if found.endings:
        from memtool.core.capture.ending_value import is_ended  # few messages end anything

        return any(is_ended(ending, text) for ending in found.endings if not ending.leaver)
    correction = found.correction
    if not correction.old:
        if asks(found.sentence):
            return False
        from memtool.core.capture.other_value import other_value  # few corrections name no old value

        return other_value(correction.statement, text) is not None
    from memtool.core.capture.corrected_lines import is_corrected, says_value

    return says_value(correction.old, text) and is_corrected(correction, text, is_recent=False)


def _says_only(found: CorrectingSentence, text: str) -> bool:
    """Whether a line says nothing that the sentence which corrects it does not say or deny."""
    from memtool.core.text.stems import content_stems

    return content_stems(text) - {"user"} <= content_stems(found.sentence)
