"""Hover: the provenance of a fact, and the beginning of a linked note; inlay hints of salience."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from memtool.core.facts.rules import ConductRule
from memtool.core.records.candidate import is_stand_in_session
from memtool.core.records.turn import format_moment
from memtool.core.secrets.redact import redact, redact_line
from memtool.serve.lsp.documents import protocol_position, protocol_range
from memtool.serve.lsp.lsp_workspace import LoadStage, LspWorkspace
from memtool.serve.lsp.text_buffer import TextBuffer
from memtool.verbs.editor.places import link_at, link_target, record_id_at
from memtool.verbs.editor.records import RecordDetails, facts_in, record_details, rules_in
from memtool.verbs.facts.facts import ListedFact, list_facts
from memtool.verbs.journal.line_identity import is_searchable
from memtool.verbs.journal.trace_origin import TraceStep, find_turns

_PREVIEW_LINES = 12
_MOST_PREVIEW_CHARS = 2_000
_MOST_QUOTE_CHARS = 300


def hover(state: LspWorkspace, params: types.HoverParams) -> types.Hover | None:
    """What is known of the fact, the rule or the note at a position."""
    path = state.documents.path_of(params.text_document.uri)
    buffer = state.buffer_of(path) if path is not None else None
    if path is None or buffer is None:
        return None
    offset = buffer.offset(params.position.line, params.position.character)
    node = state.own_node(path)
    link = link_at(node, offset) if node is not None else None
    if node is not None and link is not None:
        target = link_target(state.graph, node, link)
        preview = _preview(state, target.path, target.start) if target else ""
        return _markdown(buffer, preview, link.start, link.end) if preview else None
    record = record_id_at(buffer.text, offset) or _record_on_line(state, path, buffer, offset)
    workspace = state.facts_workspace
    if record is None or workspace is None:
        return None
    name, start, end = record
    context = state.context()

    def turns_with(texts: Sequence[str]) -> list[TraceStep]:
        today = context.now.astimezone(context.zone).date()
        indexes = context.search_indexes()
        searchable = [*filter(is_searchable, texts)]
        try:
            return list(find_turns(context.workspace, indexes, searchable, today, context.scope, []))
        finally:
            indexes.close()

    place = (path, buffer.text.count("\n", 0, offset) + 1)
    details = record_details(workspace, name, context.now, turns_with, place)
    return _markdown(buffer, describe_record(details), start, end) if details is not None else None


def needs(state: LspWorkspace, params: types.HoverParams) -> LoadStage:
    """All texts for a hover about another file: the target of a link, or a file that is not open."""
    document = state.documents.with_uri(params.text_document.uri)
    if document is None:
        return LoadStage.TEXTS
    node = state.own_node(document.path)
    offset = document.buffer.offset(params.position.line, params.position.character)
    return LoadStage.TEXTS if node is not None and link_at(node, offset) is not None else LoadStage.NOTHING


def inlay_hints(state: LspWorkspace, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """The salience of each active fact, at the end of its line."""
    path = state.documents.path_of(params.text_document.uri)
    buffer = state.buffer_of(path) if path is not None else None
    if path is None or buffer is None:
        return None
    facts = [fact for fact in facts_in(state.workspace, path, buffer.text) if not fact.record.superseded]
    workspace = state.facts_workspace
    if not facts or workspace is None:
        return None
    listed = {entry.fact.name: entry for entry in list_facts(workspace, state.context().now, [])}
    ends = [index for index, char in enumerate(buffer.text) if char == "\n"] + [len(buffer.text)]
    hints: list[types.InlayHint] = []
    for fact in facts:
        entry = listed.get(fact.name)
        position = protocol_position(buffer, ends[fact.line - 1])
        if entry is not None and params.range.start.line <= position.line <= params.range.end.line:
            label = f"salience {entry.salience:.2f}"
            hints.append(types.InlayHint(position, label, tooltip=_accesses(entry), padding_left=True))
    return hints


def describe_record(details: RecordDetails) -> str:
    """The details of a fact or rule as Markdown."""
    lines: list[str] = []
    if details.fact is not None:
        lines += _fact_lines(details.fact, details.successor)
    elif details.rule is not None:
        lines += _rule_lines(details.rule)
    else:
        lines.append(f"`{details.name}`")
    lines += [line for step in details.evidence for line in _evidence_lines(step)]
    lines += [f"- supersedes `{each.fact.name}`: {_escape(each.fact.text)}" for each in details.superseded]
    return "\n".join(lines)


def _rule_lines(rule: ConductRule) -> list[str]:
    owner = f"`{rule.owner}`" if rule.owner else "everybody"
    lines = [f"**rule** {_escape(rule.text)}", "", f"- id: `{rule.id}`", f"- owner: {owner}"]
    kind = "inferred" if rule.is_inferred else "added"
    return [*lines, f"- {kind} on {format_moment(rule.at)}{', pinned' if rule.pinned else ''}"]


def _fact_lines(entry: ListedFact, successor: ListedFact | None) -> list[str]:
    fact, superseded = entry.fact, entry.fact.record.superseded
    owner = f"`{fact.owner}`" if fact.owner else "everybody"
    lines = [f"**{_escape(fact.category)}** {_escape(fact.text)}", ""]
    if superseded is not None:
        by = f" by `{superseded.by}`" if superseded.by else ""
        by += f": {_escape(successor.fact.text)}" if successor is not None else ""
        lines.append(f"- superseded on {superseded.on.isoformat()}{by}")
    lines += [f"- id: `{fact.name}`", f"- owner: {owner}"]
    if fact.quote:
        lines.append(f"- evidence: “{_escape(fact.quote)}”")
    return [*lines, f"- salience {entry.salience:.2f}: {_accesses(entry)}"]


def _accesses(entry: ListedFact) -> str:
    last = entry.counts.last_accessed
    if last is None:
        return "never recalled"
    count = entry.counts.accesses
    return f"recalled {count} time{'' if count == 1 else 's'}, last on {format_moment(last)}"


def _evidence_lines(step: TraceStep) -> list[str]:
    about = step.about
    if step.kind == "decision":
        action = str(about.get("action", ""))
        return [f"- decision: {_escape(step.text.replace(action, action.replace('_', ' '), 1))}"]
    if step.kind == "source":
        return [f"- {_escape(step.text)}"]
    names = (("at", "on"), ("turn", "turn"), ("seq", "turn"), ("session", "session"))
    said = ", ".join(
        f"{word} {about[name]}"
        for name, word in names
        if about.get(name) not in {None, ""} and not (name == "session" and is_stand_in_session(about[name]))
    )
    return [f"- said{' ' + said if said else ''}: “{_escape(step.text)}” ({step.path}:{step.line})"]


def _record_on_line(
    state: LspWorkspace, path: str, buffer: TextBuffer, offset: int
) -> tuple[str, int, int] | None:
    """The fact or rule on the line of an offset, which need not have an id, with the span of the line."""
    line = buffer.text.count("\n", 0, offset) + 1
    start = buffer.text.rfind("\n", 0, offset) + 1
    end = buffer.text.find("\n", offset)
    facts = {fact.line: fact.name for fact in facts_in(state.workspace, path, buffer.text)}
    names = facts or {number: rule.id for number, rule in rules_in(state.workspace, path, buffer.text)}
    return (names[line], start, len(buffer.text) if end < 0 else end) if line in names else None


def _preview(state: LspWorkspace, path: str, start: int) -> str:
    """The path of a file and its first lines from an offset on, without frontmatter and secrets."""
    node = state.graph.nodes.get(path)
    if node is None:
        return f"`{path}`"
    first = (
        node.text.rfind("\n", 0, start) + 1 if start else node.body
    )  # the whole line of a heading or block
    shown = redact("\n".join(node.text[first:].strip().split("\n", _PREVIEW_LINES)[:_PREVIEW_LINES]))
    return f"`{path}`\n\n{shown if len(shown) <= _MOST_PREVIEW_CHARS else shown[:_MOST_PREVIEW_CHARS] + '…'}"


def _escape(text: str) -> str:
    """A text of memory in Markdown, on one line, without secrets."""
    words = redact_line(text, _MOST_QUOTE_CHARS)
    return "".join(f"\\{char}" if char in "\\`*_[]<>" else char for char in words)


def _markdown(buffer: TextBuffer, text: str, start: int, end: int) -> types.Hover:
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, protocol_range(buffer, start, end))
