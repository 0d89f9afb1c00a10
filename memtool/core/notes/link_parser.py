"""Link parser: the links of a Markdown text, as Obsidian and CommonMark define them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.notes.link import NoteLink, is_template, parse_destination
from memtool.core.notes.literal_spans import OPENER, LiteralSpans
from memtool.core.text.regex import regex

_WIKI = r"\[\[([^\[\]|\n]*+(?:\|(?:[^\[\]\n]|\[(?!\[)|\](?!\]))*+)?)\]\]"
_ANGLE = r"<((?:[^<>\n\\]|\\[^\n])*+)>"
_ROUND = r"\((?:[^\s()\\]|\\\S)*+\)"
_BARE = rf"(?:(?!\]\()(?:[^\s()\\<]|\\\S|<)|\((?:[^\s()\\]|\\\S|{_ROUND})*+\))*+"
_TITLE = r"""(?:"(?:[^"\n\\]|\\[^\n])*+"|'(?:[^'\n\\]|\\[^\n])*+'|\((?:[^()\n\\]|\\[^\n])*+\))"""
_INLINE = rf"\]\([ \t]*\n?[ \t]*(?:{_ANGLE}|({_BARE}))(?:[ \t\n]+{_TITLE})?[ \t]*\)"
LABEL = r"(?:[^\[\]\\\n]|\\[^\n])++"
DEFINITION = rf"\[(?!\^)({LABEL})\]:[ \t]*(?:{_ANGLE}|([^\s<][^\s]*))(?:[ \t]+{_TITLE})?[ \t\r]*(?=\n|\Z)"
"""Pattern of a definition: its label is group 1."""
_REFERENCE = rf"\]\[({LABEL})?\]"
_QUOTED = r""""(?:[^"\n\\]|\\[^\n])*+"|'(?:[^'\n]|'')*+'"""
_TOKEN = rf"{OPENER}|\\[!-/:-@\[-`{{-~]|\[|\]|\n(?:[ \t>]*+\r?\n)++"
_MAX_LABEL = 1000
_MAX_FRONTMATTER = 64_000  # characters; longer frontmatter is not read at all


class NoteMarkup(Struct, frozen=True):
    """The links of a text in order, and its literal spans, in which Markdown is not interpreted."""

    links: tuple[NoteLink, ...]
    literal: tuple[tuple[int, int], ...]


def parse_links(text: str, body: int = 0) -> tuple[NoteLink, ...]:
    """The links of a text in order; `scan_body` is the offset of its body, after the frontmatter.

    Template placeholders (`[[{{date}}]]`, `<% … %>`) are not links. Takes time linear in the text.
    """
    return parse_markup(text, body).links


def parse_markup(text: str, body: int = 0) -> NoteMarkup:
    """The links and the literal spans of a text; the parameters are those of `parse_links`."""
    if "](" not in text and "[[" not in text and "]:" not in text:
        return NoteMarkup((), tuple(_LinkScanner(text, body).literal_spans()) if body < len(text) else ())
    scan = _LinkScanner(text, body)
    scan.scan_frontmatter()
    scan.scan_body()
    return NoteMarkup(tuple(sorted(scan.resolved_links(), key=lambda link: link.start)), tuple(scan.literal))


class _OpenBracket(Struct):
    """An unclosed `[`: its offset, whether it belongs to an image, and whether a link inside it was found."""

    at: int
    embed: bool
    is_spent: bool = False


class _LinkScanner(Struct, dict=True):
    """One pass over a text, token by token, that collects links and literal spans."""

    text: str
    body_start: int
    links: list[NoteLink] = field(default_factory=list)
    literal: list[tuple[int, int]] = field(default_factory=list)
    definitions: dict[str, NoteLink] = field(default_factory=dict)
    references: list[tuple[str, int, int, str, bool]] = field(default_factory=list)

    def literal_spans(self) -> Iterator[tuple[int, int]]:
        """The literal spans of a text that contains no links."""
        if regex(rf"{OPENER}|(?m:^(?: {{4}}|\t))").search(self.text, self.body_start):
            self.scan_body()
        yield from self.literal

    def scan_body(self) -> None:
        """Scan the body."""
        text, at = self.text, self.body_start
        spans = LiteralSpans(text, at)
        token_pattern = regex(_TOKEN)
        stack: list[_OpenBracket] = []
        if (end := spans.indented_code_end(at)) is not None:
            self.literal.append((at, end))
            at = end
        while token := token_pattern.search(text, at):
            first, at = token[0][0], token.end()
            if first == "\n":
                stack.clear()
                if (end := spans.indented_code_end(at)) is not None:
                    self.literal.append((at, end))
                    at = end
            elif first == "[":
                at = self._open_bracket(token.start(), stack)
            elif first == "]":
                at = self._close_bracket(token.start(), stack)
            elif first != "\\" and (end := spans.span_end(token)) is not None:
                self.literal.append((token.start(), end))
                at = end

    def scan_frontmatter(self) -> None:
        """Collect the links in the values of the frontmatter."""
        if self.body_start > _MAX_FRONTMATTER or not regex(r"\[\[|\]\(").search(
            self.text, 0, self.body_start
        ):
            return
        at = 0
        while at < self.body_start:
            stop = self.text.find("\n", at, self.body_start)
            stop = self.body_start if stop < 0 else stop
            if not self.text[at:stop].lstrip(" \t").startswith("#"):
                self._scan_frontmatter_line(at, stop)
            at = stop + 1

    def _scan_frontmatter_line(self, at: int, stop: int) -> None:
        text = self.text
        quoted = [match.span() for match in regex(_QUOTED).finditer(text, at, stop)]
        for wiki in regex(_WIKI).finditer(text, at, stop):
            index = bisect_right(quoted, (wiki.start(), 0)) - 1
            inside = index >= 0 and wiki.end() < quoted[index][1]
            bare = text[at : wiki.start()].rstrip(" \t")
            if inside or "," not in wiki[1] or not (bare.endswith((":", "-", "["))):
                self._add_wikilink(wiki, wiki.start(), quote=text[quoted[index][0]] if inside else " ")
        for inline in regex(_INLINE).finditer(text, at, stop):
            opened = text.rfind("[", at, inline.start())
            if opened >= 0:
                self._add_inline(inline, _OpenBracket(opened, text[opened - 1] == "!"), in_meta=True)

    def resolved_links(self) -> Iterator[NoteLink]:
        """All links; a reference takes its target from its definition."""
        yield from self.links
        used = set()
        for label, start, end, shown, embed in self.references:
            if (definition := self.definitions.get(label)) is not None:
                used.add(label)
                line, column = self._position(start)
                reference = replace(definition, kind="reference", embed=embed, label=shown)
                yield replace(reference, line=line, column=column, start=start, end=end)
        yield from (link for label, link in self.definitions.items() if label not in used)

    def _open_bracket(self, at: int, stack: list[_OpenBracket]) -> int:
        """Handle a `[`, which begins a wikilink, a definition or a bracket; return where to go on."""
        text = self.text
        embed = text[at - 1 : at] == "!" and at > self.body_start and text[at - 2 : at - 1] != "\\"
        if text.startswith("[[", at) and (wiki := regex(_WIKI).match(text, at)):
            self._add_wikilink(wiki, at - embed)
            return wiki.end()
        before = text[max(at - 4, self.body_start) : at].rpartition("\n")
        if not before[2].strip(" ") and (before[1] or at - self.body_start <= 3):
            definition = regex(DEFINITION).match(text, at)
            if definition is not None:
                self._add_definition(definition)
                return definition.end()
        stack.append(_OpenBracket(at, embed))
        return at + 1

    def _close_bracket(self, at: int, stack: list[_OpenBracket]) -> int:
        """Handle a `]`, which may end the text of an inline or reference link; return where to go on."""
        if not stack:
            return at + 1
        opened = stack.pop()
        spent = opened.is_spent and not opened.embed  # a link holds no other link
        if stack and opened.is_spent:
            stack[-1].is_spent = True
        if spent:
            return at + 1
        following = self.text[at + 1 : at + 2]
        if following == "(" and (inline := regex(_INLINE).match(self.text, at)):
            self._add_inline(inline, opened)
            if stack and not opened.embed:
                stack[-1].is_spent = True
            return inline.end()
        shown = self.text[opened.at + 1 : min(at, opened.at + _MAX_LABEL)]
        if following == "[" and (named := regex(_REFERENCE).match(self.text, at)):
            label = shown if named[1] is None else named[1]
            self._add_reference(label, opened, named.end(), shown)
            return named.end()
        self._add_reference(shown, opened, at + 1, shown)
        return at + 1

    def _add_reference(self, label: str, opened: _OpenBracket, end: int, shown: str) -> None:
        if shown and len(label) < _MAX_LABEL - 1:
            at = opened.at - opened.embed
            self.references.append((label_key(label), at, end, shown, opened.embed))

    def _add_wikilink(self, match: re.Match[str], start: int, *, quote: str = "") -> None:
        """Add a wikilink; in the frontmatter, `quote` is the quote character around its value, or a space."""
        inner, at = match[1], match.start(1)
        separator = inner.find("|")
        label = inner[separator + 1 :].strip() if separator >= 0 else ""
        target = inner if separator < 0 else inner[:separator].removesuffix("\\")
        name, _, anchor = target.partition("#")
        at += len(name) - len(name.lstrip())
        name = name.strip()
        if (name or anchor.strip()) and not is_template(target):
            position = (*self._position(start), start, match.end(), at, at + len(name))
            embed = start < match.start()
            name = _unescaped(name, quote)
            self.links.append(
                NoteLink("wiki", embed, name, anchor.strip(), label, *position, in_frontmatter=bool(quote))
            )

    def _add_inline(self, match: re.Match[str], opened: _OpenBracket, *, in_meta: bool = False) -> None:
        group = 1 if match[1] is not None else 2
        parts = parse_destination(match[group])
        if parts is not None:
            start = opened.at - opened.embed
            shown = self.text[opened.at + 1 : min(match.start(), opened.at + _MAX_LABEL)]
            at = match.start(group)
            position = (*self._position(start), start, match.end(), at, at + parts[2])
            self.links.append(
                NoteLink("inline", opened.embed, *parts[:2], shown, *position, in_frontmatter=in_meta)
            )

    def _add_definition(self, match: re.Match[str]) -> None:
        group = 2 if match[2] is not None else 3
        parts = parse_destination(match[group])
        label = label_key(match[1])
        if parts is not None and label not in self.definitions:
            at = match.start(group)
            position = (*self._position(match.start()), match.start(), match.end(), at, at + parts[2])
            self.definitions[label] = NoteLink("definition", *(False, *parts[:2], match[1]), *position)

    def _position(self, at: int) -> tuple[int, int]:
        """The line and column of an offset, both from 1."""
        index = bisect_right(self._line_ends, at - 1)
        return index + 1, at - (self._line_ends[index - 1] if index else -1)

    @cached_property
    def _line_ends(self) -> list[int]:
        return [match.start() for match in regex("\n").finditer(self.text)]


def _unescaped(name: str, quote: str) -> str:
    """A name with the escapes of its YAML string resolved."""
    if quote == '"':
        return regex(r'\\(["\\/])').sub(r"\1", name)
    return name.replace("''", "'") if quote == "'" else name


def label_key(label: str) -> str:
    """A label of a definition, as it is compared."""
    return " ".join(label.split()).casefold()
