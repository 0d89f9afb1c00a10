"""Prompt limits: which text of every prompt exceeds a limit, and the first line that is cut off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memtool.core.context.budget import fit_budget
from memtool.core.context.section import PromptSection, first_left_out
from memtool.core.lint.length_limits import shown_size
from memtool.core.lint.problem import Problem
from memtool.core.records.compiled import parse_compiled
from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.context.host_text import compiled_form
from memtool.verbs.context.learnings import LearningEntry, learning_entries
from memtool.verbs.context.sections import standing_sections
from memtool.verbs.lint.checked_files import CheckedFiles

_KEPT_AS_PROSE = frozenset({"beginning", "facts"})
"""How a longer file is cut whose end is lost; logs, rules and learnings keep what is newest."""
_DEFAULT_ROOM = 8000
"""Characters of a prompt's default budget, for hosts that say no limit of their own."""


def check_prompt_limits(
    workspace: Workspace, files: CheckedFiles, group: str | None = None
) -> Iterator[Problem]:
    """Yield what the limits of hooks, of the agent's host and of learnings cut off."""
    place = workspace.layout.place("learnings")
    is_injected = place.inject == "always" and (group is None or place.grouped)
    lessons_shown = learning_entries(workspace, place, group, []) if is_injected else []
    yield from _check_hook(workspace, lessons_shown, group)
    if group is None:
        yield from _check_host(workspace, files)
    yield from _check_learnings(workspace, lessons_shown)
    yield from _check_lengths(workspace, files, group)


def _check_lengths(workspace: Workspace, files: CheckedFiles, group: str | None) -> Iterator[Problem]:
    """Yield each file of every prompt of which less than half has room, whatever else is in the prompt."""
    layout = workspace.layout
    for path, check in files.checks.items():
        located = layout.locate(path)
        share = layout.shares.get(located.role) if located is not None else None
        if located is None or located.place.inject != "always" or located.group != group:
            continue
        if share is None or share.keep not in _KEPT_AS_PROSE or check.record is None:
            continue
        place_limit = located.place.limit and (workspace.settings["lint.bootstrap"] or located.place.limit)
        is_read_by_agent = layout.is_read_by_agent(path) or located.role in layout.agent_roles
        of_hook = (layout.limits["hook"], _DEFAULT_ROOM) if not is_read_by_agent else ()
        limits = (place_limit, layout.limits.get("index_bytes"), *of_hook)
        room = next((int(limit) for limit in limits if limit), None)
        if room is None:
            continue
        document = workspace.read(PurePosixPath(path)) if check.stamp.size > 2 * room else None
        size = shown_size(document.text) if document else 0
        row = layout.compiled if layout.compiled and layout.compiled.role == located.role else None
        if document and row and parse_compiled(document.text, compiled_form(row)) is not None:
            continue  # the host includes a part that has room
        if size > 2 * room:
            message = f"the file is {size:,} characters long, but a prompt includes at most {room:,} of them"
            yield Problem(path, 1, 1, "M314", message)


def _check_hook(
    workspace: Workspace, lessons_shown: Sequence[LearningEntry], group: str | None
) -> Iterator[Problem]:
    """Yield the problem of injected sections that are longer than a hook prints."""
    most = min(int(workspace.layout.limits["hook"]), workspace.settings["hook.budget"])
    agent = workspace.settings["agent_name"]
    standing = standing_sections(workspace, agent, [], [], group=group) if most else []
    sections = [section for section in standing if not workspace.layout.is_read_by_agent(section.path)]
    size = len(fit_budget(sections, (), None, len).text)
    if size <= most:
        return
    fitted = {section.path: section for section in fit_budget(sections, (), most, len).sections}
    for section in sections:
        cut = fitted.get(section.path)
        if cut is None or cut.left_out != section.left_out:
            path, line = _position_of(workspace, section, first_left_out(section, cut), lessons_shown)
            message = (
                f"the files that every prompt includes contain {size:,} characters in total, but memtool "
                f"hook adds at most {most:,}: it leaves out part of this file, including line {line}"
            )
            yield Problem(path, line, 1, "M306", message)
            return


def _position_of(
    workspace: Workspace, cut: PromptSection, count: int, lessons_shown: Sequence[LearningEntry]
) -> tuple[str, int]:
    """Return the file and line number of the line after the first `count` lines of a section."""
    if cut.role == "learnings":
        for lesson in lessons_shown:
            count -= lesson.text.count("\n") + 1
            if count < 0:
                return str(lesson.path), lesson.line
    try:
        document = workspace.read(PurePosixPath(cut.path))
    except MemtoolError:
        document = None
    lines = document.text.removeprefix("\ufeff").split("\n") if document else [""]
    index = -1
    for text_line in cut.text.strip("\n").split("\n")[: count + 1]:
        try:  # the section omits lines of the file, and inserts names into others
            index = lines.index(text_line, index + 1)
        except ValueError:
            index += 1
    return cut.path, min(index, len(lines) - 1) + 1


def _check_host(workspace: Workspace, files: CheckedFiles) -> Iterator[Problem]:
    """Yield the problem of injected files that together exceed the limit of the agent's host."""
    layout = workspace.layout
    limit = remaining = (
        int(workspace.limit("lint.bootstrap_total")) if layout.limits["bootstrap_total"] else 0
    )
    for place in layout.places if limit else ():
        path = place.template.pattern
        check = files.checks.get(path)
        if place.limit is None or place.inject != "always" or check is None:
            continue
        size = check.facts.size
        if size > remaining:
            document = workspace.read(PurePosixPath(path))
            line = document.text.count("\n", 0, remaining) + 1 if document else 1
            message = (
                f"{layout.host} loads at most {limit:,} characters in total from the files that every prompt "
                f"includes, so the agent does not see the text of this file from line {line} on"
            )
            yield Problem(path, line, 1, "M305", message)
            return
        remaining -= size


def _check_learnings(workspace: Workspace, lessons_shown: Sequence[LearningEntry]) -> Iterator[Problem]:
    """Yield the problem of the newest lesson that does not fit into the budget of learnings."""
    unseen = [lesson for lesson in lessons_shown if not lesson.text]
    if unseen:
        first, limit = unseen[0], int(workspace.layout.limits["learnings"])
        counted = f"{len(unseen)} of {len(lessons_shown)} entries, including this one"
        message = (
            f"learnings exceed their limit of {limit:,} characters per prompt: memtool leaves out "
            f"{counted if len(unseen) > 1 else 'this entry'}"
        )
        yield Problem(str(first.path), first.line, 1, "M307", message)
