"""Commands that the user asks for in the editor: verbs of the command line, with lock, journal and undo."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from memtool.core.records.plan import Plan, changed_paths
from memtool.errors import BadUsage
from memtool.serve.lsp.lsp_context import LspContext
from memtool.serve.lsp.lsp_workspace import LspWorkspace
from memtool.store.workspace import Workspace
from memtool.verbs.facts.candidates import approve_candidates, drop_candidates
from memtool.verbs.facts.facts import FactLine, forget_facts, supersede_fact
from memtool.verbs.facts.rules import archive_rules
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.memory_files.semantic_files import StoredFact

APPROVE_CANDIDATE = "memtool.approveCandidate"
DROP_CANDIDATE = "memtool.dropCandidate"
SUPERSEDE_FACT = "memtool.supersedeFact"
RETIRE_FACT = "memtool.retireFact"
FORGET_FACT = "memtool.forgetFact"
ARCHIVE_RULE = "memtool.archiveRule"


def execute_command(state: LspWorkspace, command: str, arguments: Sequence[object], client: str) -> str:
    """Run a command on what its arguments name, and return a sentence on what it did.

    Raises BadUsage for an unknown command, wrong arguments and a document that is not saved, OutsideWorkspace
    where the server is limited to a group, and what the verb raises.
    """
    row = COMMANDS.get(command)
    if row is None:
        raise BadUsage(f"unknown command {command[:80]!r}")
    count, kind, run = row
    context = state.context()
    context.check_no_group()
    if not context.workspace.writes:
        raise BadUsage("the workspace is read-only (incognito); nothing was changed")
    try:
        given: list[Any] = msgspec.convert(arguments, list[kind])  # type: ignore[valid-type]
    except msgspec.ValidationError:
        given = []
    if len(given) != count:
        what = "an id" if kind is str else "an object with the path, line and text of a fact"
        how_many = "1 argument," if count == 1 else f"{count} arguments, each"
        raise BadUsage(f"{command} takes {how_many} {what}")
    _check_saved(state, [argument.path for argument in given if isinstance(argument, FactLine)])
    _, plan = run(context, context.workspace.read_only(), given)
    _check_saved(state, [str(path) for change in plan for path in changed_paths(change)])
    saved = [document for document in state.documents.all() if not state.unsaved(document.path)]
    for document in saved:
        document.is_changed = False  # what was typed was taken back: the command must not make it unsaved
    context.sign(f"lsp {command.removeprefix('memtool.')}", client)
    done, plan = run(context, context.workspace, given)
    written = {str(path) for change in plan for path in changed_paths(change)}
    stale = [
        document.path for document in saved if document.path in written and state.differs_from_file(document)
    ]
    # an editor that does not reload the file would write the old text back
    return f"{done}; reload {', '.join(stale)} in the editor before you save" if stale else done


def _check_saved(state: LspWorkspace, paths: Sequence[str]) -> None:
    """Raise BadUsage for a file with unsaved changes in the editor."""
    for path in paths:
        document = state.documents.at(path)
        if document is not None and state.unsaved(path):
            raise BadUsage(f"{path} {state.conflict(document)} and run the command again")


def _approve(context: LspContext, workspace: Workspace, ids: Sequence[str]) -> tuple[str, Plan]:
    policy = load_policy(workspace.settings)
    results, plan = approve_candidates(workspace, ids, policy, context.owner_tags, context.now)
    result = results[0]
    if result.effect == "refused":
        reason = f": {result.decision.reason}" if result.decision is not None else ""
        raise BadUsage(f"{ids[0]} was refused{reason}")
    path = f"; file: {result.path}" if result.path else ""
    return f"{ids[0]} was approved (effect: {result.effect}{path})", plan


def _drop(context: LspContext, workspace: Workspace, ids: Sequence[str]) -> tuple[str, Plan]:
    policy = load_policy(workspace.settings)
    _, plan = drop_candidates(workspace, ids, policy, context.owner_tags, context.now)
    return f"{ids[0]} was dropped", plan


def _supersede(context: LspContext, workspace: Workspace, lines: Sequence[FactLine]) -> tuple[str, Plan]:
    today = context.now.astimezone(context.zone).date()
    old, new, plan = supersede_fact(workspace, lines[0], lines[1], today, context.owner_tags)
    return f"{old.name} was superseded by {new.name}", plan


def _retire(context: LspContext, workspace: Workspace, lines: Sequence[FactLine]) -> tuple[str, Plan]:
    today = context.now.astimezone(context.zone).date()
    facts, plan = forget_facts(workspace, lines, today, context.owner_tags, purge=False)
    return f"{facts[0].name} was marked as superseded", plan


def _forget(context: LspContext, workspace: Workspace, lines: Sequence[FactLine]) -> tuple[str, Plan]:
    today = context.now.astimezone(context.zone).date()
    facts, plan = forget_facts(workspace, lines, today, context.owner_tags, purge=True)
    done = f"{facts[0].name} was deleted"
    words = next((fact.quote for fact in facts if isinstance(fact, StoredFact) and fact.quote), facts[0].text)
    advice = f"memtool forget --match {shlex.quote(words)} --dry-run"
    return f"{done}; to list the other records that contain its text, run {advice}", plan


def _archive_rule(context: LspContext, workspace: Workspace, ids: Sequence[str]) -> tuple[str, Plan]:
    _, plan = archive_rules(workspace, ids, context.now, context.owner_tags)
    return f"{ids[0]} was moved to the archived rules", plan


COMMANDS: Mapping[
    str, tuple[int, type[object], Callable[[LspContext, Workspace, Sequence[Any]], tuple[str, Plan]]]
] = {
    APPROVE_CANDIDATE: (1, str, _approve),
    DROP_CANDIDATE: (1, str, _drop),
    SUPERSEDE_FACT: (2, FactLine, _supersede),
    RETIRE_FACT: (1, FactLine, _retire),
    FORGET_FACT: (1, FactLine, _forget),
    ARCHIVE_RULE: (1, str, _archive_rule),
}
"""Each command with the number of its arguments, what they are, and its function."""
