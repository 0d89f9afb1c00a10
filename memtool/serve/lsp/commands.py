"""Commands that the user asks for in the editor: verbs of the command line, with lock, journal and undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from memtool.errors import BadUsage
from memtool.serve.lsp.lsp_context import LspContext
from memtool.serve.lsp.lsp_workspace import LspWorkspace
from memtool.verbs.facts.candidates import approve_candidates, drop_candidates, load_policy
from memtool.verbs.facts.facts import forget_facts, supersede_fact
from memtool.verbs.facts.rules import archive_rules

APPROVE_CANDIDATE = "memtool.approveCandidate"
DROP_CANDIDATE = "memtool.dropCandidate"
SUPERSEDE_FACT = "memtool.supersedeFact"
RETIRE_FACT = "memtool.retireFact"
FORGET_FACT = "memtool.forgetFact"
ARCHIVE_RULE = "memtool.archiveRule"


def execute_command(state: LspWorkspace, command: str, arguments: Sequence[object], client: str) -> str:
    """Run a command on the ids in its arguments, and return a sentence on what it did.

    Raises BadUsage for an unknown command, wrong arguments and a document that is not saved, OutsideWorkspace
    where the server is limited to a group, and what the verb raises.
    """
    row = COMMANDS.get(command)
    if row is None:
        raise BadUsage(f"unknown command {command[:80]!r}")
    count, run = row
    ids = [argument for argument in arguments if isinstance(argument, str)]
    if len(ids) != count or len(arguments) != count:
        raise BadUsage(f"{command} takes {count} id{'' if count == 1 else 's'}")
    context = state.context()
    context.check_no_group()
    if not context.workspace.writes:
        raise BadUsage("the workspace is read-only (incognito); nothing was changed")
    unsaved = [document.path for document in state.documents.all() if state.unsaved(document.path)]
    if writes := [path for path in unsaved if _is_written(context, path)]:
        raise BadUsage(f"{writes[0]} has unsaved changes; save it and run the command again")
    context.sign(f"lsp {command.removeprefix('memtool.')}", client)
    same = [document for document in state.documents.all() if not state.differs_from_file(document)]
    done = run(context, ids)
    written = [document.path for document in same if state.differs_from_file(document)]
    # an editor that does not reload the file would write the old text back
    return f"{done}; reload {', '.join(written)} in the editor before you save" if written else done


def _is_written(context: LspContext, path: str) -> bool:
    """Whether a file may be written by a command."""
    located = context.workspace.role_of(path)
    return located is not None and located.role not in {"note", "turn"}


def _approve(context: LspContext, ids: list[str]) -> str:
    policy = load_policy(context.workspace.settings)
    results, _ = approve_candidates(context.workspace, ids, policy, context.owner_tags, context.now)
    result = results[0]
    if result.effect == "refused":
        reason = f": {result.decision.reason}" if result.decision is not None else ""
        raise BadUsage(f"{ids[0]} was refused{reason}")
    return f"{ids[0]} was approved: {result.effect}{f' in {result.path}' if result.path else ''}"


def _drop(context: LspContext, ids: list[str]) -> str:
    policy = load_policy(context.workspace.settings)
    drop_candidates(context.workspace, ids, policy, context.owner_tags, context.now)
    return f"{ids[0]} was dropped"


def _supersede(context: LspContext, ids: list[str]) -> str:
    today = context.now.astimezone(context.zone).date()
    supersede_fact(context.workspace, ids[0], ids[1], today, context.owner_tags)
    return f"{ids[0]} was superseded by {ids[1]}"


def _retire(context: LspContext, ids: list[str]) -> str:
    today = context.now.astimezone(context.zone).date()
    forget_facts(context.workspace, ids, today, context.owner_tags, purge=False)
    return f"{ids[0]} was marked as superseded"


def _forget(context: LspContext, ids: list[str]) -> str:
    today = context.now.astimezone(context.zone).date()
    forget_facts(context.workspace, ids, today, context.owner_tags, purge=True)
    return (
        f"{ids[0]} was deleted; notes and transcripts may still contain its text: see memtool forget --match"
    )


def _archive_rule(context: LspContext, ids: list[str]) -> str:
    archive_rules(context.workspace, ids, context.now, context.owner_tags)
    return f"{ids[0]} was moved to the archived rules"


COMMANDS: Mapping[str, tuple[int, Callable[[LspContext, list[str]], str]]] = {
    APPROVE_CANDIDATE: (1, _approve),
    DROP_CANDIDATE: (1, _drop),
    SUPERSEDE_FACT: (2, _supersede),
    RETIRE_FACT: (1, _retire),
    FORGET_FACT: (1, _forget),
    ARCHIVE_RULE: (1, _archive_rule),
}
"""Each command with the number of its arguments, which are ids, and its function."""
