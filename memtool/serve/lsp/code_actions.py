"""Code actions: fixes of problems, actions on facts and candidates, and extraction of a section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from memtool.core.text.edits import TextEdit, apply_edits
from memtool.core.text.sanitise import one_line
from memtool.errors import MemtoolError
from memtool.serve.lsp import commands
from memtool.serve.lsp.diagnostics import document_problems, protocol_diagnostics
from memtool.serve.lsp.documents import OpenDocument
from memtool.serve.lsp.edits import (
    changed_text,
    check_resource_operations,
    created_file,
    line_edits,
    protocol_workspace_edit,
    text_document_edit,
)
from memtool.serve.lsp.lsp_workspace import LoadStage, LspWorkspace
from memtool.verbs.editor.records import candidates_in, contradicting_facts, contrary_rules, facts_in
from memtool.verbs.facts.successor import has_key, mark_superseded, superseded_id
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.lint.document_lint import fixed_text, is_large
from memtool.verbs.memory_files.semantic_files import StoredFact
from memtool.verbs.notes.note_extract import plan_extraction, section_at

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.memtool"
KINDS = (
    types.CodeActionKind.QuickFix,
    types.CodeActionKind.RefactorExtract,
    types.CodeActionKind.RefactorRewrite,
    types.CodeActionKind.SourceFixAll,
)

_MOST_CONTRADICTIONS = 3
"""Most facts, contradictory to one, for which actions are offered."""
_MAX_TITLE = 60
"""Characters of a fact in the title of an action."""


def code_actions(
    state: LspWorkspace, capabilities: types.ClientCapabilities, params: types.CodeActionParams
) -> list[types.CodeAction] | None:
    """The actions for a range of an open document, of the kinds that the client asks for."""
    document = state.documents.with_uri(params.text_document.uri)
    if document is None or is_large(document.buffer.text):
        return None
    buffer = document.buffer
    start = buffer.offset(params.range.start.line, params.range.start.character)
    end = buffer.offset(params.range.end.line, params.range.end.character)
    first = buffer.text.count("\n", 0, start) + 1
    last = first + buffer.text.count("\n", start, max(start, end - (params.range.end.character == 0)))
    only = params.context.only
    actions = [
        *_fixes(state, capabilities, document, range(first, last + 1)),
        *_fix_all(state, capabilities, document),
    ]
    context = state.context()
    if context.workspace.writes and not context.owner_tags and not state.is_loading:
        actions += _extraction(state, capabilities, document, first)
    if context.workspace.writes and not context.acts_for_group:
        actions += [
            *_contradiction_fixes(state, capabilities, document, first),
            *_contrary_rule_fixes(state, document, first),
            *_fact_actions(state, capabilities, document, first, last),
            *_candidate_actions(state, document, first),
        ]
    return [action for action in actions if only is None or any(_is_kind(action.kind, kind) for kind in only)]


def needs(_: LspWorkspace, params: types.CodeActionParams) -> LoadStage:
    """All files for what the user asks for; for what an editor asks by itself, what there is then."""
    is_automatic = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic
    return LoadStage.PATHS if is_automatic else LoadStage.ALL


def _is_kind(kind: types.CodeActionKind | str | None, asked: types.CodeActionKind | str) -> bool:
    name = kind.value if isinstance(kind, types.CodeActionKind) else str(kind)
    wanted = asked.value if isinstance(asked, types.CodeActionKind) else asked
    return not wanted or f"{name}.".startswith(f"{wanted}.")


def _fixes(
    state: LspWorkspace, capabilities: types.ClientCapabilities, document: OpenDocument, lines: Sequence[int]
) -> Iterator[types.CodeAction]:
    for problem in document_problems(state, document):
        if problem.line in lines and problem.edits:
            yield types.CodeAction(
                title=f"Fix {problem.code}: {problem.message}",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=protocol_diagnostics(state, document.buffer, [problem]),
                edit=_edit(state, capabilities, document, sorted(problem.edits)),
                is_preferred=True,
            )


def _fix_all(
    state: LspWorkspace, capabilities: types.ClientCapabilities, document: OpenDocument
) -> Iterator[types.CodeAction]:
    if not any(problem.edits for problem in document_problems(state, document)):
        return
    context = state.context()
    text = document.buffer.text
    edits = line_edits(text, fixed_text(context.workspace, context.lint_request, document.path, text))
    if edits:
        yield types.CodeAction(
            title="Fix all problems that have exactly one correct fix",
            kind=FIX_ALL,
            edit=_edit(state, capabilities, document, edits),
        )


def _edit(
    state: LspWorkspace,
    capabilities: types.ClientCapabilities,
    document: OpenDocument,
    edits: list[TextEdit],
) -> types.WorkspaceEdit:
    change = text_document_edit(state, document.path, document.buffer, edits)
    return protocol_workspace_edit(capabilities, [change])


def _extraction(
    state: LspWorkspace, capabilities: types.ClientCapabilities, document: OpenDocument, line: int
) -> Iterator[types.CodeAction]:
    node = state.graph.nodes.get(document.path)
    index = section_at(node, line) if node is not None else None
    if node is None or index is None:
        return
    context = state.context()
    try:
        check_resource_operations(capabilities)
        section = plan_extraction(state.graph, node, index, context.now, context.scope)
        changes = [*created_file(state, section.path, section.text)]
        for path, edits in section.edits.items():
            state.check_current(path)
            changes += changed_text(state, path, apply_edits(state.graph.nodes[path].text, edits).text)
        for change in section.canvases:
            changes += changed_text(state, str(change.path), change.text)
    except MemtoolError:  # the title is taken, a file has changed, or the editor cannot create files
        return
    yield types.CodeAction(
        title=f"Extract the section into the new note {section.path}",
        kind=types.CodeActionKind.RefactorExtract,
        edit=protocol_workspace_edit(capabilities, changes),
    )


def _contradiction_fixes(
    state: LspWorkspace, capabilities: types.ClientCapabilities, document: OpenDocument, line: int
) -> Iterator[types.CodeAction]:
    """For the fact of a line and each that contradicts it: one supersedes the other, either way."""
    workspace = state.facts_workspace
    fact = next((fact for fact in _visible_facts(state, document.path) if fact.line == line), None)
    if fact is None or workspace is None:
        return
    diagnostics = _contradictions(state, document, line)
    for other in contradicting_facts(workspace, fact)[:_MOST_CONTRADICTIONS]:
        for old, new in ((other, fact), (fact, other)):
            title = f"Supersede {_shown(old)} with {_shown(new)}"
            action = _supersession(state, capabilities, old, new, title)
            if action is not None:
                action.kind, action.diagnostics = types.CodeActionKind.QuickFix, diagnostics
                yield action


def _contrary_rule_fixes(
    state: LspWorkspace, document: OpenDocument, line: int
) -> Iterator[types.CodeAction]:
    """For the rule of a line that is contrary to others: either it is archived, or one of these."""
    text = state.visible_text(document.path, document.buffer.text) or ""
    rules = contrary_rules(state.workspace, document.path, text, line)
    diagnostics = _contradictions(state, document, line) if rules else []
    for rule in rules[: _MOST_CONTRADICTIONS + 1]:
        title = f"Archive {rule.id} ({one_line(rule.text, _MAX_TITLE)})"
        command = types.Command(title, commands.ARCHIVE_RULE, arguments=[rule.id])
        yield types.CodeAction(title, types.CodeActionKind.QuickFix, diagnostics, command=command)


def _contradictions(state: LspWorkspace, document: OpenDocument, line: int) -> list[types.Diagnostic]:
    """The diagnostics of a line for contradictory facts or rules."""
    problems = [
        problem
        for problem in document_problems(state, document)
        if problem.line == line and problem.code == "M219"
    ]
    return protocol_diagnostics(state, document.buffer, problems)


def _shown(fact: StoredFact) -> str:
    return f"{fact.name} ({one_line(fact.text, _MAX_TITLE)})"


def _visible_facts(state: LspWorkspace, path: str) -> list[StoredFact]:
    """The facts of an open document that the user of the server may see."""
    buffer = state.buffer_of(path)
    return facts_in(state.workspace, path, buffer.text) if buffer is not None else []


def _fact_line(state: LspWorkspace, fact: StoredFact) -> dict[str, object]:
    """The line of a fact as the argument of a command."""
    path = str(fact.path)
    buffer = state.buffer_of(path)
    lines = buffer.text.split("\n") if buffer is not None else []
    text = lines[fact.line - 1] if fact.line <= len(lines) else ""
    return {"path": path, "line": fact.line, "text": text}


def _supersession(
    state: LspWorkspace,
    capabilities: types.ClientCapabilities,
    old: StoredFact,
    new: StoredFact,
    title: str,
) -> types.CodeAction | None:
    """The action with which one fact supersedes another.

    None for facts of different owners, and for two that have the same id, unless it is a key.
    """
    if old.owner != new.owner:
        return None
    if old.name != new.name:
        return _command(title, commands.SUPERSEDE_FACT, _fact_line(state, old), _fact_line(state, new))
    edit = _supersession_of_key(state, capabilities, old) if has_key(old) else None
    return types.CodeAction(title, types.CodeActionKind.RefactorRewrite, edit=edit) if edit else None


def _supersession_of_key(
    state: LspWorkspace, capabilities: types.ClientCapabilities, old: StoredFact
) -> types.WorkspaceEdit | None:
    """The edit that lets another fact with the same key supersede a fact: by the id no command can.

    None where the lines of the file are not those of the editor.
    """
    context, path = state.context(), str(old.path)
    buffer = state.buffer_of(path)
    if buffer is None or old not in facts_in(state.workspace, path, buffer.text):
        return None
    today = context.now.astimezone(context.zone).date()
    name = superseded_id(context.workspace, old)
    edits = line_edits(buffer.text, mark_superseded(buffer.text, old, old.name, today, name))
    return protocol_workspace_edit(capabilities, [text_document_edit(state, path, buffer, edits)])


def _fact_actions(
    state: LspWorkspace,
    capabilities: types.ClientCapabilities,
    document: OpenDocument,
    first: int,
    last: int,
) -> Iterator[types.CodeAction]:
    """The actions on the active facts of the lines; with two facts, the later may supersede the earlier."""
    facts = [
        fact
        for fact in _visible_facts(state, document.path)
        if first <= fact.line <= last and fact.record.superseded is None
    ]
    if len(facts) == 2:
        title = f"Supersede {facts[0].name} with {facts[1].name}"
        action = _supersession(state, capabilities, facts[0], facts[1], title)
        yield from [action] if action is not None else []
    for fact in facts[:1]:
        line = _fact_line(state, fact)
        title = f"Mark {fact.name} as superseded (kept in its file, but no longer recalled)"
        yield _command(title, commands.RETIRE_FACT, line)
        yield _command(f"Forget {fact.name} (delete it and its evidence)", commands.FORGET_FACT, line)


def _candidate_actions(state: LspWorkspace, document: OpenDocument, line: int) -> Iterator[types.CodeAction]:
    context, workspace = state.context(), state.facts_workspace
    if workspace is None:
        return
    pending = candidates_in(
        workspace,
        document.path,
        document.buffer.text,
        load_policy(context.workspace.settings),
        context.owner_tags,
    ).get(line)
    if pending is not None:
        name = pending.held.candidate.id
        yield _command(f"Approve {name}", commands.APPROVE_CANDIDATE, name)
        yield _command(f"Drop {name}", commands.DROP_CANDIDATE, name)


def _command(title: str, command: str, *arguments: object) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.RefactorRewrite,
        command=types.Command(title, command, arguments=list(arguments)),
    )
