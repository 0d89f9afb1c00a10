"""Link parser: the links of a Markdown text, as Obsidian and CommonMark define them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.notes.link import Link, destination, is_template
from memtool.core.notes.literal import SIGN, Literal
from memtool.core.text.pattern import compiled

_WIKI = r"\[\[([^\[\]|\n]*+(?:\|(?:[^\[\]\n]|\[(?!\[)|\](?!\]))*+)?)\]\]"
_ANGLE = r"<((?:[^<>\n\\]|\\[^\n])*+)>"
_ROUND = r"\((?:[^\s()\\]|\\\S)*+\)"
_BARE = rf"(?:(?!\]\()(?:[^\s()\\<]|\\\S|<)|\((?:[^\s()\\]|\\\S|{_ROUND})*+\))*+"
_TITLE = r"""(?:"(?:[^"\n\\]|\\[^\n])*+"|'(?:[^'\n\\]|\\[^\n])*+'|\((?:[^()\n\\]|\\[^\n])*+\))"""
_INLINE = rf"\]\([ \t]*\n?[ \t]*(?:{_ANGLE}|({_BARE}))(?:[ \t\n]+{_TITLE})?[ \t]*\)"
_LABEL = r"(?:[^\[\]\\\n]|\\[^\n])++"
_DEFINITION = rf"\[(?!\^)({_LABEL})\]:[ \t]*(?:{_ANGLE}|([^\s<][^\s]*))(?:[ \t]+{_TITLE})?[ \t\r]*(?=\n|\Z)"
_REFERENCE = rf"\]\[({_LABEL})?\]"
_QUOTED = r""""(?:[^"\n\\]|\\[^\n])*+"|'(?:[^'\n]|'')*+'"""
_TOKEN = rf"{SIGN}|\\[!-/:-@\[-`{{-~]|\[|\]|\n(?:[ \t>]*+\r?\n)++"
_LONGEST_LABEL = 1000
_LONGEST_META = 64_000  # characters; longer frontmatter is not read at all


class Markup(Struct, frozen=True):
    """The links of a text in order, and its literal spans, in which Markdown is not interpreted."""

    links: tuple[Link, ...]
    literal: tuple[tuple[int, int], ...]


def links(text: str, body: int = 0) -> tuple[Link, ...]:
    """The links of a text in order; `body` is the offset of its body, after the frontmatter.

    Template placeholders (`[[{{date}}]]`, `<% … %>`) are no links. Takes time linear in the text.
    """
    return markup(text, body).links


def markup(text: str, body: int = 0) -> Markup:
    """The links and the literal spans of a text; the parameters are those of `parse_links`."""
    if "](" not in text and "[[" not in text and "]:" not in text:
        return Markup((), tuple(_Scan(text, body).literal_only()) if body < len(text) else ())
    scan = _Scan(text, body)
    scan.meta()
    scan.body()
    return Markup(tuple(sorted(scan.finished(), key=lambda link: link.start)), tuple(scan.literal))


class _Open(Struct):
    """An unclosed `[`: its offset, whether it belongs to an image, and whether a link inside it was found."""

    at: int
    embed: bool
    is_spent: bool = False


class _Scan(Struct, dict=True):
    """One pass over a text, token by token, that collects links and literal spans."""

    text: str
    start: int
    found: list[Link] = field(default_factory=list)
    literal: list[tuple[int, int]] = field(default_factory=list)
    definitions: dict[str, Link] = field(default_factory=dict)
    uses: list[tuple[str, int, int, str, bool]] = field(default_factory=list)

    def literal_only(self) -> Iterator[tuple[int, int]]:
        """The literal spans of a text that contains no links."""
        if compiled(rf"{SIGN}|(?m:^(?: {{4}}|\t))").search(self.text, self.start):
            self.body()
        yield from self.literal

    def body(self) -> None:
        """Scan the body."""
        text, at = self.text, self.start
        spans = Literal(text, at)
        token_pattern = compiled(_TOKEN)
        stack: list[_Open] = []
        if (end := spans.indented_end(at)) is not None:
            self.literal.append((at, end))
            at = end
        while token := token_pattern.search(text, at):
            first, at = token[0][0], token.end()
            if first == "\n":
                stack.clear()
                if (end := spans.indented_end(at)) is not None:
                    self.literal.append((at, end))
                    at = end
            elif first == "[":
                at = self._opened(token.start(), stack)
            elif first == "]":
                at = self._closed(token.start(), stack)
            elif first != "\\" and (end := spans.end(token)) is not None:
                self.literal.append((token.start(), end))
                at = end

    def meta(self) -> None:
        """Collect the links in the values of the frontmatter."""
        if self.start > _LONGEST_META or not compiled(r"\[\[|\]\(").search(self.text, 0, self.start):
            return
        at = 0
        while at < self.start:
            stop = self.text.find("\n", at, self.start)
            stop = self.start if stop < 0 else stop
            if not self.text[at:stop].lstrip(" \t").startswith("#"):
                self._meta_line(at, stop)
            at = stop + 1

    def _meta_line(self, at: int, stop: int) -> None:
        text = self.text
        quoted = [match.span() for match in compiled(_QUOTED).finditer(text, at, stop)]
        for wiki in compiled(_WIKI).finditer(text, at, stop):
            index = bisect_right(quoted, (wiki.start(), 0)) - 1
            inside = index >= 0 and wiki.end() < quoted[index][1]
            bare = text[at : wiki.start()].rstrip(" \t")
            if inside or "," not in wiki[1] or not (bare.endswith((":", "-", "["))):
                self._wiki(wiki, wiki.start(), quote=text[quoted[index][0]] if inside else " ")
        for inline in compiled(_INLINE).finditer(text, at, stop):
            opened = text.rfind("[", at, inline.start())
            if opened >= 0:
                self._inline(inline, _Open(opened, text[opened - 1] == "!"), in_meta=True)

    def finished(self) -> Iterator[Link]:
        """All links; a reference takes its target from its definition."""
        yield from self.found
        used = set()
        for label, start, end, shown, embed in self.uses:
            if (definition := self.definitions.get(label)) is not None:
                used.add(label)
                line, column = self._place(start)
                reference = replace(definition, kind="reference", embed=embed, label=shown)
                yield replace(reference, line=line, column=column, start=start, end=end)
        yield from (link for label, link in self.definitions.items() if label not in used)

    def _opened(self, at: int, stack: list[_Open]) -> int:
        """Handle a `[`, which begins a wikilink, a definition or a bracket; return where to go on."""
        text = self.text
        embed = text[at - 1 : at] == "!" and at > self.start and text[at - 2 : at - 1] != "\\"
        if text.startswith("[[", at) and (wiki := compiled(_WIKI).match(text, at)):
            self._wiki(wiki, at - embed)
            return wiki.end()
        before = text[max(at - 4, self.start) : at].rpartition("\n")
        if not before[2].strip(" ") and (before[1] or at - self.start <= 3):
            definition = compiled(_DEFINITION).match(text, at)
            if definition is not None:
                self._defined(definition)
                return definition.end()
        stack.append(_Open(at, embed))
        return at + 1

    def _closed(self, at: int, stack: list[_Open]) -> int:
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
        if following == "(" and (inline := compiled(_INLINE).match(self.text, at)):
            self._inline(inline, opened)
            if stack and not opened.embed:
                stack[-1].is_spent = True
            return inline.end()
        shown = self.text[opened.at + 1 : min(at, opened.at + _LONGEST_LABEL)]
        if following == "[" and (named := compiled(_REFERENCE).match(self.text, at)):
            label = shown if named[1] is None else named[1]
            self._use(label, opened, named.end(), shown)
            return named.end()
        self._use(shown, opened, at + 1, shown)
        return at + 1

    def _use(self, label: str, opened: _Open, end: int, shown: str) -> None:
        if shown and len(label) < _LONGEST_LABEL - 1:
            at = opened.at - opened.embed
            self.uses.append((_label(label), at, end, shown, opened.embed))

    def _wiki(self, found: re.Match[str], start: int, *, quote: str = "") -> None:
        """Add a wikilink; in the frontmatter, `quote` is the quote character around its value, or a space."""
        inner, at = found[1], found.start(1)
        separator = inner.find("|")
        label = inner[separator + 1 :].strip() if separator >= 0 else ""
        target = inner if separator < 0 else inner[:separator].removesuffix("\\")
        name, _, anchor = target.partition("#")
        at += len(name) - len(name.lstrip())
        name = name.strip()
        if (name or anchor.strip()) and not is_template(target):
            position = (*self._place(start), start, found.end(), at, at + len(name))
            embed = start < found.start()
            name = _unescaped(name, quote)
            self.found.append(
                Link("wiki", embed, name, anchor.strip(), label, *position, in_meta=bool(quote))
            )

    def _inline(self, found: re.Match[str], opened: _Open, *, in_meta: bool = False) -> None:
        group = 1 if found[1] is not None else 2
        parts = destination(found[group])
        if parts is not None:
            start = opened.at - opened.embed
            shown = self.text[opened.at + 1 : min(found.start(), opened.at + _LONGEST_LABEL)]
            at = found.start(group)
            position = (*self._place(start), start, found.end(), at, at + parts[2])
            self.found.append(Link("inline", opened.embed, *parts[:2], shown, *position, in_meta=in_meta))

    def _defined(self, found: re.Match[str]) -> None:
        group = 2 if found[2] is not None else 3
        parts = destination(found[group])
        label = _label(found[1])
        if parts is not None and label not in self.definitions:
            at = found.start(group)
            position = (*self._place(found.start()), found.start(), found.end(), at, at + parts[2])
            self.definitions[label] = Link("definition", *(False, *parts[:2], found[1]), *position)

    def _place(self, at: int) -> tuple[int, int]:
        """The line and column of an offset, both from 1."""
        index = bisect_right(self._ends, at - 1)
        return index + 1, at - (self._ends[index - 1] if index else -1)

    @cached_property
    def _ends(self) -> list[int]:
        return [match.start() for match in compiled("\n").finditer(self.text)]


def _unescaped(name: str, quote: str) -> str:
    """A name with the escapes of its YAML string resolved."""
    if quote == '"':
        return compiled(r'\\(["\\/])').sub(r"\1", name)
    return name.replace("''", "'") if quote == "'" else name


def _label(label: str) -> str:
    return " ".join(label.split()).casefold()
