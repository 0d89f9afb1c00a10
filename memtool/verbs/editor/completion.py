"""Completion in a document: what may follow at an offset, and which span it replaces."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from urllib.parse import quote

from msgspec import Struct

from memtool.core.notes.anchors import block_offsets, heading_slug
from memtool.core.notes.link_resolver import ResolvedLink, name_key
from memtool.core.records.health import count_noun
from memtool.core.secrets.redact import find_secrets, redact, redact_line
from memtool.core.text.regex import regex
from memtool.formats.note import TAG_KEYS
from memtool.verbs.lint.subjects import SubjectResolver
from memtool.verbs.memory_files.semantic_files import StoredFact
from memtool.verbs.notes.link_graph import DocumentNode, LinkGraph

MOST_COMPLETIONS = 100
"""Most completions of one answer; an editor asks again after the next character."""
_WIKILINK = r"\[\[([^\[\]|\n]*)\Z"
_DESTINATION = r"\]\(<?([^()<>\s]*)\Z"
_TAG = r"(?:\A|\s)#([^\s#]*)\Z"
_CATEGORY = r"\A\ufeff?[-*+] (?:\[[^\]]*\] )?(?:\[|\*\*)(\w*)\Z"
_ID = r"(?:\[superseded: [\d-]+ by \^?|\s\^)([\w-]*)\Z"
_KEY = r"\A([\w-]*)\Z"
_FRONTMATTER_TAG = r"(?:[:,\[\s\"'-]|\A)([^\s,\[\]\"':#]*)\Z"
_USUAL_KEYS = ("tags", "aliases")
_MOST_DETAIL_CHARS = 120
_MOST_BEFORE = 1000
"""Characters of the line before the offset that are looked at."""


class Completion(Struct, frozen=True):
    """One completion: `new` replaces the span `text[start:end]` of the document.

    `kind` is note, alias, heading, block, tag, category, key, fact or file.
    """

    label: str
    kind: str
    new: str
    start: int
    end: int
    detail: str = ""


class _Candidate(Struct, frozen=True):
    label: str
    kind: str
    new: str | Callable[[], str]
    """The text to insert, or a function for one that is needed only if the candidate is chosen."""
    detail: str = ""


def complete(
    graph: LinkGraph, path: str, text: str, offset: int, load_facts: Callable[[], Sequence[StoredFact]]
) -> tuple[Completion, ...]:
    """What may follow at an offset of a document, the best first; at most MOST_COMPLETIONS, without secrets.

    `load_facts` returns the facts whose ids may follow.
    """
    line_start = text.rfind("\n", 0, offset) + 1
    before = text[max(line_start, offset - _MOST_BEFORE) : offset]
    rest = text[offset : offset + 2]
    node = graph.nodes.get(path)
    if match := regex(_WIKILINK).search(before):
        closing = "" if rest == "]]" else "]]"
        candidates = _wikilinks(graph, node, path, match[1])
        typed = match[1].rpartition("#")[2] if "#" in match[1] else match[1]
        return _choose(candidates, typed, offset, closing)
    if match := regex(_DESTINATION).search(before):
        target, hash_, anchor = match[1].partition("#")
        candidates = _slugs(graph, node, path, target) if hash_ else _paths(graph, path)
        return _choose(candidates, anchor if hash_ else target, offset, "" if rest[:1] == ")" else ")")
    if node is not None and line_start < node.body:
        return _in_frontmatter(graph, node, before, line_start, offset)
    if match := regex(_ID).search(before):
        return _choose(_fact_ids(load_facts()), match[1], offset)
    if match := regex(_CATEGORY).search(before):
        return _choose(_categories(graph, path, before), match[1], offset)
    if match := regex(_TAG).search(before):
        return _choose(_tags(graph, match[1]), match[1], offset)
    return ()


def _choose(
    candidates: Iterable[_Candidate], typed: str, offset: int, closing: str = ""
) -> tuple[Completion, ...]:
    """The candidates that contain what is typed, those that begin with it first.

    One whose new text would be a secret is left out.
    """
    key = name_key(typed.lstrip("^"))
    ranked: list[tuple[bool, int, _Candidate]] = []
    for number, candidate in enumerate(candidates):
        label = name_key(candidate.label)
        if key in label:
            ranked.append((not label.startswith(key), number, candidate))
    ranked.sort(key=lambda row: row[:2])
    return tuple(
        Completion(
            redact(candidate.label),
            candidate.kind,
            new + closing,
            offset - len(typed),
            offset,
            redact_line(candidate.detail, _MOST_DETAIL_CHARS),
        )
        for _, _, candidate in ranked[:MOST_COMPLETIONS]
        if not find_secrets(new := _new_text(candidate))
    )


def _new_text(candidate: _Candidate) -> str:
    return candidate.new if isinstance(candidate.new, str) else candidate.new()


def _wikilinks(graph: LinkGraph, node: DocumentNode | None, path: str, typed: str) -> Iterator[_Candidate]:
    target, hash_, anchor = typed.partition("#")
    if hash_:
        linked = _linked_node(graph, node, path, target.strip(), wiki=True)
        if linked is not None:
            yield from _blocks(linked) if anchor.startswith("^") else _headings(linked)
        return
    for other in graph.nodes.values():
        stem = other.path.rpartition("/")[2].removesuffix(".md")
        title = other.head.title
        label = title if other.is_note else stem
        yield _Candidate(label, "note", partial(_unambiguous, graph, other, label, stem, path), other.path)
        for alias in other.head.aliases:
            yield _Candidate(alias, "alias", partial(_aliased, graph, other, stem, alias, path), other.path)
        if other.is_note and name_key(stem) != name_key(title):
            yield _Candidate(stem, "note", partial(_unambiguous, graph, other, stem, stem, path), title)


def _aliased(graph: LinkGraph, node: DocumentNode, stem: str, alias: str, source: str) -> str:
    """A target, and an alias as the text of the link."""
    label = " ".join(regex(r"[|\[\]]").sub(" ", alias).split())
    return f"{_unambiguous(graph, node, stem, stem, source)}|{label}"


def _unambiguous(graph: LinkGraph, node: DocumentNode, label: str, stem: str, source: str) -> str:
    """A target that resolves to this node and no other."""
    for target in (label, stem):
        resolved = graph.names.resolve_target(target, source)
        if isinstance(resolved, ResolvedLink) and resolved.path == node.path and not resolved.others:
            return target if not regex(r"[#^|\[\]]").search(target) else stem
    return node.path.removesuffix(".md")


def _linked_node(
    graph: LinkGraph, node: DocumentNode | None, path: str, target: str, *, wiki: bool
) -> DocumentNode | None:
    if not target:
        return node
    resolved = graph.names.resolve_target(target, path, wiki=wiki)
    return graph.nodes.get(resolved.path) if isinstance(resolved, ResolvedLink) else None


def _headings(node: DocumentNode) -> Iterator[_Candidate]:
    for level, text in node.anchors.headings:
        name = " ".join(regex(r"[#^|\[\]\\]").sub(" ", text).split())
        yield _Candidate(name, "heading", name, "#" * level)


def _slugs(graph: LinkGraph, node: DocumentNode | None, path: str, target: str) -> Iterator[_Candidate]:
    linked = _linked_node(graph, node, path, target, wiki=False)
    for level, text in linked.anchors.headings if linked else ():
        yield _Candidate(heading_slug(text), "heading", heading_slug(text), f"{'#' * level} {text}")


def _blocks(node: DocumentNode) -> Iterator[_Candidate]:
    for name, offset in block_offsets(node.text, node.markup.literal).items():
        start = node.text.rfind("\n", 0, offset) + 1
        yield _Candidate(name, "block", f"^{name}", node.text[start : offset - 1].strip())


def _paths(graph: LinkGraph, path: str) -> Iterator[_Candidate]:
    folder = posixpath.dirname(path)
    for other in graph.files:
        relative = posixpath.relpath(other, folder or ".")
        yield _Candidate(relative, "file", quote(relative, safe="/@!$&'*+,;=~-._"))


def _tags(graph: LinkGraph, typed: str) -> Iterator[_Candidate]:
    """The tags of all files, without the one that is being typed."""
    for count in graph.tags.counts():
        if count.nested == 1 and name_key(count.name) == name_key(typed):
            continue
        yield _Candidate(count.name, "tag", count.name, count_noun(count.nested, "note"))


def _categories(graph: LinkGraph, path: str, before: str) -> Iterator[_Candidate]:
    target = SubjectResolver(graph.workspace).resolve(path)
    if target is None or target.format not in {"semantic", "long-term", "session-state"}:
        return
    is_bold = "**" in before
    names = target.categories.log if target.format == "session-state" else target.categories.facts
    if target.format == "semantic" and is_bold:
        return
    for name in sorted(names):
        yield _Candidate(name, "category", f"{name}{'**' if is_bold else ']'}")


def _fact_ids(facts: Iterable[StoredFact]) -> Iterator[_Candidate]:
    for fact in facts:
        if fact.record.superseded is None:
            yield _Candidate(fact.name, "fact", fact.name, fact.text)


def _in_frontmatter(
    graph: LinkGraph, node: DocumentNode, before: str, line_start: int, offset: int
) -> tuple[Completion, ...]:
    key = next(
        (
            line.partition(":")[0].strip("\"' ").lower()
            for line in reversed(node.text[: line_start + len(before)].split("\n"))
            if line[:1].strip("-#") and ":" in line
        ),
        "",
    )
    if match := regex(_KEY).match(before):
        return _choose(_keys(graph), match[1], offset)
    if key in TAG_KEYS and (match := regex(_FRONTMATTER_TAG).search(before)):
        return _choose(_tags(graph, match[1]), match[1], offset)
    return ()


def _keys(graph: LinkGraph) -> Iterator[_Candidate]:
    """The keys of new notes, then those that notes have, the most used first."""
    counts = Counter(key for node in graph.notes() for key in node.head.meta)
    for key in dict.fromkeys([*graph.workspace.layout.notes.keys, *_USUAL_KEYS, *dict(counts.most_common())]):
        yield _Candidate(key, "key", f"{key}: ")
