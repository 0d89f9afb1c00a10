"""Between: what is wrong between files, found anew only when one of them has changed, come or gone."""

from __future__ import annotations

from memtool.store.workspace import Workspace
from memtool.verbs.lint import across, links, memory
from memtool.verbs.lint.fault import Fault
from memtool.verbs.lint.files import Files, give
from memtool.verbs.lint.wanted import Wanted


def faults(workspace: Workspace, files: Files, wanted: Wanted) -> list[Fault]:
    """The faults between all files as they are; then those with what an editor has in their place.

    What is known of all is kept for the next time. A group does not see everything that its links may lead
    to, so nothing is said of them.
    """
    if wanted.group is not None:
        give(files, wanted.given)
        return [Fault(one) for one in across.problems(files)]
    now = memory.state({**files.found, **files.silent}, links.names(files))
    held = files.memory
    if held.faults is not None and held.state == now:
        found = [Fault.of(row) for row in held.faults]
    else:
        found = _found(workspace, files)
    if files.is_new or held.state != now:
        known = {**files.found, **files.silent}
        memory.save(workspace, wanted.key, known, files.ties(), [one.record() for one in found], now)
    if wanted.given:
        give(files, wanted.given)
        return _found(workspace, files)
    return found


def _found(workspace: Workspace, files: Files) -> list[Fault]:
    across_files = (Fault(one) for one in across.problems(files))
    return [*across_files, *links.faults(workspace, files)]
