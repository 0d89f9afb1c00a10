"""Completion in a document: what may follow at an offset, and which span it replaces."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from urllib.parse import quote, unquote

from msgspec import Struct

from memtool.core.notes.anchors import block_offsets, linked_heading, normalize_heading
from memtool.core.notes.link_parser import parse_links, parse_markup
from memtool.core.notes.link_resolver import ResolvedLink, name_key
from memtool.core.notes.tags import TAG_CHARACTER
from memtool.core.records.health import count_noun
from memtool.core.secrets.redact import find_secrets, redact, redact_line
from memtool.core.text.regex import regex
from memtool.formats.note import TAG_KEYS
from memtool.verbs.lint.subjects import SubjectResolver
from memtool.verbs.memory_files.semantic_files import StoredFact
from memtool.verbs.notes.document_node import DocumentNode
from memtool.verbs.notes.link_graph import LinkGraph

MOST_COMPLETIONS = 50
"""Most completions of one answer; an editor asks again after the next character."""
_WIKILINK = r"\[\[([^\[\]|\n]*)\Z"
_WIKILINK_REST = r"((?:(?!\\?\|)[^\[\]\n])*)(\\?\|(?:(?!\[\[|\]\])[^\n])*)?\]\]"
_DESTINATION = r"\]\((?:(<)([^<>\n]*)|([^()<>\s]*))\Z"
_DESTINATION_REST = r"([^()<>\s]*)(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
_ANGLE_REST = r"([^<>\n]*)>"
_TAG = r"(?:\A|\s)#([^\s#]*)\Z"
_CATEGORY = r"\A\ufeff?[-*+] (?:\[[^\]]*\] )?(?:\[|\*\*)(\w*)\Z"
_ID = r"(?:\[superseded: [\d-]+ by \^?|\s\^)([\w-]*)\Z"
_KEY = r"\A([\w-]*)\Z"
_FRONTMATTER_TAG = r"(?:[:,\[\s\"'-]|\A)([^\s,\[\]\"':#]*)\Z"
_FRONTMATTER_LINE = r"[\w-]+[ \t]*:|[ \t]+\S|-[ \t]|#"
"""A line that may be above another one in frontmatter that is not closed yet."""
_TAG_REST = rf"{TAG_CHARACTER}*"
_FRONTMATTER_TAG_REST = r"[^\s,\[\]\"':#]*"
_NAME_REST = r"[\w-]*"
_USUAL_KEYS = ("tags", "aliases")
_MOST_DETAIL_CHARS = 120
_MOST_AROUND = 1000
"""Characters of the line before the offset, and of that after it, that are looked at."""
_UNENCODED = "/@!$&'*+,;=~-._"
"""Characters that a destination holds unencoded."""


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
    new: str | Callable[[], str | None]
    """The text to insert, or a function for one that is needed only if the candidate is chosen.

    The function returns None if no text leads to what the candidate names.
    """
    detail: str = ""


class _Typed(Struct, frozen=True):
    """What is typed before an offset, and the rest after it that belongs to it: both are replaced."""

    text: str
    offset: int
    rest: str = ""
    closing: str = ""
    """What is inserted after a completion, because it does not follow yet."""


def complete(
    graph: LinkGraph, path: str, text: str, offset: int, load_facts: Callable[[], Sequence[StoredFact]]
) -> tuple[Completion, ...]:
    """What may follow at an offset of a document, the best first; at most MOST_COMPLETIONS, without secrets.

    A link, tag or name in which the offset stands is replaced, without what is after it: a link keeps its
    label, and its anchor if the new target has it. There is nothing in code, comments and other literal text.
    `load_facts` returns the facts whose ids may follow.
    """
    line_start = text.rfind("\n", 0, offset) + 1
    before = text[max(line_start, offset - _MOST_AROUND) : offset]
    after = text[offset : offset + _MOST_AROUND].partition("\n")[0]
    node = graph.nodes.get(path)
    is_in_frontmatter = node is not None and _is_frontmatter(text, node.body, line_start)
    if node is not None and not is_in_frontmatter and _is_literal(node, text, offset):
        return ()
    if match := regex(_WIKILINK).search(before):
        return _in_wikilink(graph, node, path, _Typed(match[1], offset), after)
    if match := regex(_DESTINATION).search(before):
        return _in_destination(graph, node, path, match, offset, after)
    if is_in_frontmatter:
        return _in_frontmatter(graph, text[:offset], before, offset, after)
    if match := regex(_ID).search(before):
        line = text.count("\n", 0, offset) + 1
        facts = (fact for fact in load_facts() if (str(fact.path), fact.line) != (path, line))
        return _choose(_fact_ids(facts), _Typed(match[1], offset, _rest(_NAME_REST, after)))
    if match := regex(_CATEGORY).search(before):
        rest = _rest(_NAME_REST, after)
        mark = "**" if before[: match.start(1)].endswith("**") else "]"
        closing = "" if after[len(rest) :].startswith(mark) else mark
        return _choose(_categories(graph, path, before), _Typed(match[1], offset, rest, closing))
    if match := regex(_TAG).search(before):
        return _choose(_tags(graph, match[1]), _Typed(match[1], offset, _rest(_TAG_REST, after)))
    return ()


def _rest(pattern: str, after: str) -> str:
    match = regex(pattern).match(after)
    return match[0] if match else ""


def _is_frontmatter(text: str, body: int, line_start: int) -> bool:
    """Whether a line is in the frontmatter, which may be empty or not closed yet."""
    if line_start < body or not text.startswith(("---", "\ufeff---")):
        return line_start < body
    first, *lines = text[:line_start].removeprefix("\ufeff").split("\n")[:-1] or [""]
    return first.rstrip() == "---" and all(regex(_FRONTMATTER_LINE).match(line) for line in lines)


def _is_literal(node: DocumentNode, text: str, offset: int) -> bool:
    """Whether the character before an offset is in code or other literal text."""
    markup = node.markup if node.text == text else parse_markup(text, node.body)
    index = bisect_left(markup.literal, (offset, 0)) - 1
    return index >= 0 and offset <= markup.literal[index][1]


def _choose(candidates: Iterable[_Candidate], typed: _Typed) -> tuple[Completion, ...]:
    """The candidates that contain what is typed, those that begin with it first.

    One whose new text would be a secret, or lead nowhere, is left out.
    """
    key = name_key(typed.text.lstrip("^"))
    chosen = _ranked(candidates, key) if key else candidates
    return tuple(islice(_completions(chosen, typed), MOST_COMPLETIONS))


def _ranked(candidates: Iterable[_Candidate], key: str) -> Iterator[_Candidate]:
    """The candidates whose labels begin with the key, then those that contain it."""
    others: list[_Candidate] = []
    for candidate in candidates:
        label = name_key(candidate.label)
        if label.startswith(key):
            yield candidate
        elif key in label:
            others.append(candidate)
    yield from others


def _completions(candidates: Iterable[_Candidate], typed: _Typed) -> Iterator[Completion]:
    start, end = typed.offset - len(typed.text), typed.offset + len(typed.rest)
    for candidate in candidates:
        new = _new_text(candidate)
        if new is not None and not find_secrets(new):
            label, detail = redact(candidate.label), redact_line(candidate.detail, _MOST_DETAIL_CHARS)
            yield Completion(label, candidate.kind, new + typed.closing, start, end, detail)


def _new_text(candidate: _Candidate) -> str | None:
    return candidate.new if isinstance(candidate.new, str) else candidate.new()


def _in_wikilink(
    graph: LinkGraph, node: DocumentNode | None, path: str, typed: _Typed, after: str
) -> tuple[Completion, ...]:
    closed = regex(_WIKILINK_REST).match(after)
    rest = closed[1] if closed else "]" if after.startswith("]") else ""
    closing = "" if closed else "]]"
    target, hash_, anchor = typed.text.partition("#")
    if hash_:
        linked = _linked_node(graph, node, path, target.strip(), wiki=True)
        above, _, last = anchor.rpartition("#")
        candidates: Iterator[_Candidate] = iter(())
        if linked is not None:
            candidates = _blocks(linked) if last.startswith("^") else _headings(linked, above)
        return _choose(candidates, _Typed(last, typed.offset, rest, closing))
    _, hash_, anchor = rest.partition("#") if closed else ("", "", "")
    target_of = partial(_wiki_target, graph, path, f"#{anchor}" if hash_ else "")
    has_label = closed is not None and bool(closed[2])
    names = _wikilinks(graph, target_of, has_label=has_label)
    return _choose(names, _Typed(typed.text, typed.offset, rest, closing))


def _wikilinks(
    graph: LinkGraph, target_of: Callable[[str, tuple[str, ...], str], str | None], *, has_label: bool
) -> Iterator[_Candidate]:
    """The names of all files; the text of an alias includes it as label unless there is one already."""
    for node in graph.nodes.values():
        stem, title = _stem(node.path), node.head.title
        others = (node.head.id or "", *node.head.aliases)
        label = title if node.is_note else stem
        yield _Candidate(label, "note", partial(target_of, node.path, (label, *others), ""), node.path)
        for alias in node.head.aliases:
            shown = "" if has_label else alias
            yield _Candidate(alias, "alias", partial(target_of, node.path, (stem, *others), shown), node.path)
        if node.is_note and name_key(stem) != name_key(title):
            yield _Candidate(stem, "note", partial(target_of, node.path, (stem, *others), ""), title)
    for path in () if graph.is_read else graph.files:
        if path.endswith(".md") and path not in graph.nodes:
            yield _Candidate(_stem(path), "note", partial(target_of, path, (), ""), path)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _wiki_target(
    graph: LinkGraph, source: str, anchor: str, path: str, names: tuple[str, ...], label: str
) -> str | None:
    """What stands between the brackets of a link to a file: a name of it that leads to it alone, or its path.

    The first name is preferred to that of the file, the others come last. None if there is none, as the file
    name and the title have characters that end the target of a link.
    """
    if anchor and ((node := graph.node(path)) is None or not node.anchors.has(anchor.removeprefix("#"))):
        anchor = ""
    shown = " ".join(regex(r"[|\[\]]").sub(" ", label).split())
    for target in (*names[:1], _stem(path), path.removesuffix(".md"), *names[1:]):
        text = f"{target}{anchor}{f'|{shown}' if shown else ''}"
        links = parse_links(f"[[{text}]]", 0) if target else ()
        resolved = graph.names.resolve(links[0], source) if len(links) == 1 else None
        if isinstance(resolved, ResolvedLink) and resolved.path == path and not resolved.others:
            return text
    return None


def _linked_node(
    graph: LinkGraph, node: DocumentNode | None, path: str, target: str, *, wiki: bool
) -> DocumentNode | None:
    if not target:
        return node
    resolved = graph.names.resolve_target(target, path, wiki=wiki)
    return graph.node(resolved.path) if isinstance(resolved, ResolvedLink) else None


def _headings(node: DocumentNode, above: str) -> Iterator[_Candidate]:
    """The headings below the path of headings `above`, by the text that leads to each, and to no earlier one.

    A text that several headings have follows the text of the heading above it.
    """
    names = [linked_heading(text) for _, text in node.anchors.headings]
    counts = Counter(map(normalize_heading, names))
    parents: list[tuple[int, str]] = []
    for index, (level, _) in enumerate(node.anchors.headings):
        while parents and parents[-1][0] >= level:
            parents.pop()
        name = anchor = names[index]
        if not above and parents and counts[normalize_heading(name)] > 1:
            anchor = f"{parents[-1][1]}#{name}"
        parents.append((level, name))
        if node.anchors.heading_index(f"{above}#{anchor}" if above else anchor) == index:
            yield _Candidate(name, "heading", anchor, "#" * level)


def _slugs(node: DocumentNode) -> Iterator[_Candidate]:
    for (level, text), slug in zip(node.anchors.headings, node.anchors.slugs(), strict=True):
        if slug:
            yield _Candidate(slug, "heading", slug, f"{'#' * level} {text}")


def _blocks(node: DocumentNode) -> Iterator[_Candidate]:
    for name, offset in block_offsets(node.text, node.markup.literal).items():
        start = node.text.rfind("\n", 0, offset) + 1
        yield _Candidate(name, "block", f"^{name}", node.text[start : offset - 1].strip())


def _in_destination(
    graph: LinkGraph, node: DocumentNode | None, path: str, match: re.Match[str], offset: int, after: str
) -> tuple[Completion, ...]:
    is_angled = match[1] is not None
    written = match[2] if is_angled else match[3]
    closed = regex(_ANGLE_REST if is_angled else _DESTINATION_REST).match(after)
    rest = closed[1] if closed else ""
    closing = "" if closed else ">)" if is_angled else ")"
    target, hash_, anchor = written.partition("#")
    if hash_:
        linked = _linked_node(graph, node, path, unquote(target), wiki=False)
        return _choose(_slugs(linked) if linked else (), _Typed(anchor, offset, rest, closing))
    _, _, anchor = rest.partition("#")
    return _choose(_paths(graph, path, unquote(anchor)), _Typed(target, offset, rest, closing))


def _paths(graph: LinkGraph, path: str, anchor: str) -> Iterator[_Candidate]:
    """The paths of all files from the folder of a document, each with the anchor if the file has it."""
    home = posixpath.dirname(path) or "."
    prefixes: dict[str, str] = {}
    for other in graph.files:
        folder, _, name = other.rpartition("/")
        if folder not in prefixes:
            prefix = posixpath.relpath(folder or ".", home)
            prefixes[folder] = "" if prefix == "." else f"{prefix}/"
        relative = f"{prefixes[folder]}{name}"
        yield _Candidate(relative, "file", partial(_destination, graph, other, relative, anchor))


def _destination(graph: LinkGraph, path: str, relative: str, anchor: str) -> str:
    node = graph.nodes.get(path)
    kept = f"#{quote(anchor)}" if anchor and node is not None and node.anchors.has(anchor) else ""
    return f"{quote(relative, safe=_UNENCODED)}{kept}"


def _tags(graph: LinkGraph, typed: str) -> Iterator[_Candidate]:
    """The tags of all files, without the one that is being typed."""
    for count in graph.known_tags.counts():
        if count.nested == 1 and name_key(count.name) == name_key(typed):
            continue
        yield _Candidate(count.name, "tag", count.name, count_noun(count.nested, "note"))


def _categories(graph: LinkGraph, path: str, before: str) -> Iterator[_Candidate]:
    target = SubjectResolver(graph.workspace).resolve(path)
    if target is None or target.format not in {"semantic", "long-term", "session-state"}:
        return
    names = target.categories.log if target.format == "session-state" else target.categories.facts
    if target.format == "semantic" and "**" in before:
        return
    for name in sorted(names):
        yield _Candidate(name, "category", name)


def _fact_ids(facts: Iterable[StoredFact]) -> Iterator[_Candidate]:
    for fact in facts:
        if fact.record.superseded is None:
            yield _Candidate(fact.name, "fact", fact.name, fact.text)


def _in_frontmatter(
    graph: LinkGraph, text: str, before: str, offset: int, after: str
) -> tuple[Completion, ...]:
    """What may follow the frontmatter `text`, whose last line ends with `before`."""
    key = next(
        (
            line.partition(":")[0].strip("\"' ").lower()
            for line in reversed(text.split("\n"))
            if line[:1].strip("-#") and ":" in line
        ),
        "",
    )
    if match := regex(_KEY).match(before):
        rest = _rest(_NAME_REST, after)
        closing = "" if after[len(rest) :].lstrip(" \t").startswith(":") else ": "
        return _choose(_keys(graph), _Typed(match[1], offset, rest, closing))
    if key in TAG_KEYS and (match := regex(_FRONTMATTER_TAG).search(before)):
        rest = _rest(_FRONTMATTER_TAG_REST, after)
        return _choose(_tags(graph, match[1]), _Typed(match[1], offset, rest))
    return ()


def _keys(graph: LinkGraph) -> Iterator[_Candidate]:
    """The keys of new notes, then those that notes have, the most used first."""
    counts = Counter(key for node in graph.notes() for key in node.head.meta)
    for key in dict.fromkeys([*graph.workspace.layout.notes.keys, *_USUAL_KEYS, *dict(counts.most_common())]):
        yield _Candidate(key, "key", key)
