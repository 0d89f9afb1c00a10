"""Prompts: what of all that is in every prompt does not fit, and from which line on it is not seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memtool.core.context.context import Section, fit
from memtool.core.lint.problem import Problem
from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.context.sections import Lesson, lessons, standing_sections
from memtool.verbs.lint.files import Files


def problems(workspace: Workspace, files: Files, group: str | None = None) -> Iterator[Problem]:
    """What a hook, the agent's host or the share of learnings leaves out."""
    place = workspace.layout.place("learnings")
    is_told = place.inject == "always" and (group is None or place.grouped)
    told = lessons(workspace, place, group, []) if is_told else []
    yield from _hook(workspace, told, group)
    if group is None:
        yield from _host(workspace, files)
    yield from _learnings(workspace, told)


def _hook(workspace: Workspace, told: Sequence[Lesson], group: str | None) -> Iterator[Problem]:
    """What of the standing sections a hook may not hand over."""
    most = int(workspace.layout.limits["hook"])
    agent = workspace.settings["agent_name"]
    sections = standing_sections(workspace, agent, [], [], group=group) if most else []
    size = len(fit(sections, (), None, len).text)
    if size <= most:
        return
    kept = {one.path: one.text for one in fit(sections, (), most, len).sections}
    cut = next(one for one in sections if kept.get(one.path) != one.text)
    count = kept.get(cut.path, "").strip("\n").count("\n") + 1 if cut.path in kept else 0
    path, line = _place_of(workspace, cut, count, told)
    said = (
        f"what is in every prompt has {size:,} characters, and a hook may hand over {most:,}: the agent does "
        f"not see line {line} and what follows"
    )
    yield Problem(path, line, 1, "M306", said)


def _place_of(workspace: Workspace, cut: Section, count: int, told: Sequence[Lesson]) -> tuple[str, int]:
    """The file and line of the line that stands behind the first `count` of a section."""
    if cut.role == "learnings":
        for one in told:
            count -= one.text.count("\n") + 1
            if count < 0:
                return str(one.path), one.line
    try:
        document = workspace.read(PurePosixPath(cut.path))
    except MemtoolError:
        document = None
    rows = document.text.removeprefix("\ufeff").split("\n") if document else [""]
    at = -1
    for said in cut.text.strip("\n").split("\n")[: count + 1]:
        try:  # the section leaves lines of the file out, and puts names into some
            at = rows.index(said, at + 1)
        except ValueError:
            at += 1
    return cut.path, min(at, len(rows) - 1) + 1


def _host(workspace: Workspace, files: Files) -> Iterator[Problem]:
    """What of the files of every prompt the agent's host leaves out, when they are too long together."""
    layout = workspace.layout
    most = left = int(workspace.limit("lint.bootstrap_total")) if layout.limits["bootstrap_total"] else 0
    for place in layout.places if most else ():
        path = place.template.pattern
        known = files.found.get(path)
        if place.limit is None or place.inject != "always" or known is None:
            continue
        size = known.seen.size
        if size > left:
            document = workspace.read(PurePosixPath(path))
            line = document.text.count("\n", 0, left) + 1 if document else 1
            said = (
                f"the files of every prompt are together longer than the {most:,} characters that the agent "
                f"is given of them: it does not see line {line} and what follows"
            )
            yield Problem(path, line, 1, "M305", said)
            return
        left -= size


def _learnings(workspace: Workspace, told: Sequence[Lesson]) -> Iterator[Problem]:
    """The newest lesson that has no room among those of every prompt."""
    unseen = [one for one in told if not one.text]
    if unseen:
        first, most = unseen[0], int(workspace.layout.limits["learnings"])
        said = (
            f"learnings have {most:,} characters of every prompt: the agent does not see this entry and the "
            f"older ones, {len(unseen)} of {len(told)}"
        )
        yield Problem(str(first.path), first.line, 1, "M307", said)
