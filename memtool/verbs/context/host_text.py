"""What the agent's host gives it of a file: a part of one that it compiles, the beginning of one too long."""

from __future__ import annotations

from pathlib import PurePosixPath

from memtool.core.context.host_cut import HostCut, cut_as_host
from memtool.core.records.compiled import CompiledForm, CompiledMemory, compiled_excerpt, parse_compiled
from memtool.formats import compaction_section
from memtool.layouts.layout import CompiledRole, Place
from memtool.store.workspace import Workspace


def compiled_form(row: CompiledRole) -> CompiledForm:
    """The form of a file that the host compiles."""
    return CompiledForm(row.title, row.begin, row.end, row.heading, row.recent, row.around)


def compiled_part(workspace: Workspace, place: Place, text: str) -> tuple[str, int] | None:
    """What the host gives its agent of a file that it compiles, and how many lines it leaves out.

    None for a file that has not that form. Compactions are in no prompt.
    """
    row = workspace.layout.compiled
    if row is None or row.role != place.role or row.begin not in text:
        return None
    form = compiled_form(row)
    memory = parse_compiled(text, form)
    if memory is None:
        return None
    memory = CompiledMemory(*map(compaction_section.without_sections, memory))
    shown = compiled_excerpt(
        memory, form, int(workspace.settings["lint.bootstrap"] or place.limit or len(text))
    )
    lost = sum(map(_line_count, memory)) - _line_count(shown) + bool(memory.log.strip())
    return shown, max(0, lost)


def cut_by_host(
    workspace: Workspace, place: Place, path: PurePosixPath, text: str, notices: list[str]
) -> tuple[str, int]:
    """The text cut at the limit that the agent's host has for such a file, with the notice of that host.

    And how many lines are cut off: 0 for a text within the limit.
    """
    layout = workspace.layout
    limit = place.limit and int(workspace.settings["lint.bootstrap"] or place.limit)
    if not limit or not layout.cut_notice or len(text.rstrip()) <= limit:
        return text, 0
    notices.append(
        f"{path} is longer than {limit} characters, so the program that runs the agent loads only part of it"
    )
    cut = HostCut(layout.cut_notice, layout.cut_counted)
    shown = cut_as_host(text, path.name, limit, layout.limits["bootstrap_head"], cut)
    return shown, max(1, _line_count(text) - _line_count(shown))


def _line_count(text: str) -> int:
    return sum(1 for line in text.split("\n") if line.strip())
