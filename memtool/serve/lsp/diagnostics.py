"""Diagnostics: the problems that lint finds in an open document."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from memtool.core.lint.problem import Problem
from memtool.serve.lsp.documents import OpenDocument, protocol_range
from memtool.serve.lsp.lsp_workspace import LspWorkspace
from memtool.serve.lsp.text_buffer import TextBuffer
from memtool.verbs.lint.document_lint import check_text, cut_agent, is_large, problem_spans, severity_of

SOURCE = "memtool"
MOST_DIAGNOSTICS = 1_000
"""Most diagnostics of one document; editors become slow with more."""
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def document_problems(state: LspWorkspace, document: OpenDocument) -> Sequence[Problem]:
    """The problems of a document; before the snapshot is loaded, those that no other file matters for."""
    if state.lint is not None:
        state.update_lint(document)
        return state.lint.problems(document.path) if state.lint.is_checked(document.path) else ()
    context = state.context()
    if context.workspace.role_of(document.path) is None or is_large(document.buffer.text):
        return ()
    return check_text(context.workspace, context.lint_request, document.path, document.buffer.text)


def document_diagnostics(state: LspWorkspace, document: OpenDocument) -> list[types.Diagnostic]:
    """The diagnostics of a document."""
    return protocol_diagnostics(state, document.buffer, document_problems(state, document)[:MOST_DIAGNOSTICS])


def protocol_diagnostics(
    state: LspWorkspace, buffer: TextBuffer, problems: Sequence[Problem]
) -> list[types.Diagnostic]:
    """The problems of a text as diagnostics."""
    spans = problem_spans(buffer.text, problems)
    return [
        _protocol_diagnostic(state, buffer, problem, *span)
        for problem, span in zip(problems, spans, strict=True)
    ]


def _protocol_diagnostic(
    state: LspWorkspace, buffer: TextBuffer, problem: Problem, start: int, end: int
) -> types.Diagnostic:
    """A problem as a diagnostic; where an agent stops reading a file, it says so first."""
    agent = cut_agent(state.workspace, problem)
    message = f"{agent} stops reading here: {problem.message}" if agent else problem.message
    return types.Diagnostic(
        range=protocol_range(buffer, start, end),
        message=message,
        severity=_SEVERITIES[severity_of(problem)],
        code=problem.code,
        source=SOURCE,
    )
