"""The links and link targets of a text, for checks across files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtool.core.lint.file_links import ANY_BLOCK, FileLinks, LinkReference
from memtool.core.lint.lint_target import SourceText
from memtool.core.notes.link import NoteLink
from memtool.core.secrets.redact import redact
from memtool.core.text.regex import regex
from memtool.formats.note import NoteMetadata

_HEADING = r"(?m)^[ \t>*+\-\d.)]*#{1,6}[ \t]+(\S[^\n]*)"
_UNDERLINED = r"(?m)^(?=[^\n]*\w)([^\n]+)\n[ \t>]*(?:=+|-{2,})[ \t\r]*$"
_DRAWING = "excalidraw-plugin"
"""The frontmatter key of an Excalidraw drawing, whose elements are linkable but not visible in the text."""
_FENCE = (
    r"(?m)^(?P<indent>[ \t>]*+)(?P<item>(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*+)"
    r"(?P<sign>`{3,}+|~{3,}+)(?P<rest>[^\n]*)$"
)
_HTML_ANCHOR = r"\b(?:id|name)=[\"']?([^\s\"'>]+)|\{#([^\s}#]{1,200})"
_BLOCK = r"(?m)\^([A-Za-z0-9-]+)[ \t\r]*$"
_TEMPLATE = r"<%|\{\{ *(?:title|date|time|VALUE|name|slug|id)\b"
_TEMPLATE_FOLDER = (
    r"(?i)(?:^|/)[^/]*(?:"
    r"(?<![a-z])(?:templat(?:e[sr]?|ing)|vorlagen?|plantillas?|modelli|szablony|sjablonen|mallar)(?![a-z])"
    r"|mod[eè]les|шаблон|模板|範本|テンプレート|템플릿)[^/]*/"
)
"""Names of template folders in several languages."""


def collect_links(
    source: SourceText, path: str, metadata: NoteMetadata, body: int, *, has_secret: bool
) -> FileLinks:
    """The links of a text and the targets in it; links with secrets are left out and names redacted.

    `body` is the offset of its body. Headings and blocks are matched more liberally than renderers do, so
    that no valid link is reported as broken.
    """
    text = source.text
    references: tuple[LinkReference, ...] = ()
    if "](" in text or "[[" in text or "]:" in text:
        from memtool.core.notes.link_parser import parse_links

        references = tuple(
            LinkReference(
                link.target, link.anchor, link.is_wiki, link.line, link.column, _written(text, link)
            )
            for link in parse_links(text, body)
        )
    names = (metadata.id or "", metadata.title, *metadata.aliases, metadata.name or "")
    headings = tuple(_headings(text))
    if "```" in text or "~~~" in text:
        end = _end_of_markdown(text, body)
        last = text.count("\n", 0, end) + 1
        references = tuple(link for link in references if end == len(text) or link.line < last)
    if has_secret:
        references = tuple(link for link in references if not _has_secret(f"{link.target}#{link.anchor}"))
        names = tuple(map(redact, names))
        headings = tuple(map(redact, headings))
    return FileLinks(
        references,
        names[0] or None,
        names[1] or None,
        tuple(filter(None, names[2:])),
        headings,
        (ANY_BLOCK,) if _DRAWING in metadata.meta else _blocks(text),
        regex(_TEMPLATE_FOLDER).search(path) is not None
        or (("<%" in text or "{{" in text) and regex(_TEMPLATE).search(text) is not None),
    )


def _written(text: str, link: NoteLink) -> str:
    """How a text spells the target and the anchor of a link; "" if it is `target#anchor`."""
    anchor = f"#{link.anchor}" if link.anchor else ""
    if link.is_wiki:
        inner = text[link.start : link.end].removeprefix("!")[2:-2]
        written = " ".join(inner.partition("|")[0].removesuffix("\\").split())
    else:
        written = f"{text[link.target_start : link.target_end]}{anchor}"
    return "" if written == f"{link.target}{anchor}" else written


def _end_of_markdown(text: str, body: int) -> int:
    """The offset of an unclosed code fence, which makes the rest of the text code; else the text's length."""
    opening: re.Match[str] | None = None
    for match in regex(_FENCE).finditer(text, body):
        fence, rest = match["sign"], match["rest"]
        if opening is not None:
            if not match["item"] and fence.startswith(opening["sign"]) and not rest.strip():
                opening = None
        elif fence[0] == "~" or "`" not in rest:
            opening = match
    if opening is None or opening["item"] or opening["indent"].strip(" ") or len(opening["indent"]) > 3:
        return len(text)
    return opening.start()


def _headings(text: str) -> Iterator[str]:
    if "#" in text:
        yield from regex(_HEADING).findall(text)
    if "\n==" in text or "\n--" in text:
        for match in regex(_UNDERLINED).finditer(text):
            yield match[1]
    if "id=" in text or "name=" in text or "{#" in text:
        for match in regex(_HTML_ANCHOR).finditer(text):
            yield match[1] or match[2]


def _blocks(text: str) -> tuple[str, ...]:
    return tuple(block.lower() for block in regex(_BLOCK).findall(text)) if "^" in text else ()


def _has_secret(text: str) -> bool:
    return redact(text) != text
