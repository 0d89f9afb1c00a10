"""The links and link targets of a text, for checks across files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtool.core.lint.sheet import Sheet
from memtool.core.lint.ties import ANY, Reference, Ties
from memtool.core.secrets.redact import redact
from memtool.core.text.pattern import compiled
from memtool.formats.note import Head

_HEADING = r"(?m)^[ \t>*+\-\d.)]*#{1,6}[ \t]+(\S[^\n]*)"
_UNDERLINED = r"(?m)^(?=[^\n]*\w)([^\n]+)\n[ \t>]*(?:=+|-{2,})[ \t\r]*$"
_DRAWING = "excalidraw-plugin"
"""The frontmatter key of an Excalidraw drawing, whose elements are linkable but not visible in the text."""
_FENCE = (
    r"(?m)^(?P<indent>[ \t>]*+)(?P<item>(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*+)"
    r"(?P<sign>`{3,}+|~{3,}+)(?P<rest>[^\n]*)$"
)
_NAMED = r"\b(?:id|name)=[\"']?([^\s\"'>]+)|\{#([^\s}#]{1,200})"
_BLOCK = r"(?m)\^([A-Za-z0-9-]+)[ \t\r]*$"
_TEMPLATE = r"<%|\{\{ *(?:title|date|time|VALUE|name|slug|id)\b"
_TEMPLATES = (
    r"(?i)(?:^|/)[^/]*(?:"
    r"(?<![a-z])(?:templat(?:e[sr]?|ing)|vorlagen?|plantillas?|modelli|szablony|sjablonen|mallar)(?![a-z])"
    r"|mod[eè]les|шаблон|模板|範本|テンプレート|템플릿)[^/]*/"
)
"""Names of template folders in several languages."""


def ties(source: Sheet, path: str, metadata: Head, body: int, *, has_secret: bool) -> Ties:
    """The links of a text and the targets in it; links with secrets are left out and names redacted.

    `body` is the offset of its body. Headings and blocks are matched more liberally than renderers do, so
    that no valid link is reported as broken.
    """
    text = source.text
    references: tuple[Reference, ...] = ()
    if "](" in text or "[[" in text or "]:" in text:
        from memtool.core.notes.links import links

        references = tuple(
            Reference(link.target, link.anchor, link.is_wiki, link.line, link.column)
            for link in links(text, body)
        )
    names = (metadata.id or "", metadata.title, *metadata.aliases, metadata.name or "")
    headings = tuple(_headings(text))
    if "```" in text or "~~~" in text:
        end = _closed(text, body)
        last = text.count("\n", 0, end) + 1
        references = tuple(link for link in references if end == len(text) or link.line < last)
    if has_secret:
        references = tuple(link for link in references if not _hides(f"{link.target}#{link.anchor}"))
        names = tuple(map(redact, names))
        headings = tuple(map(redact, headings))
    return Ties(
        references,
        names[0] or None,
        names[1] or None,
        tuple(filter(None, names[2:])),
        headings,
        (ANY,) if _DRAWING in metadata.meta else _blocks(text),
        compiled(_TEMPLATES).search(path) is not None or compiled(_TEMPLATE).search(text) is not None,
    )


def _closed(text: str, body: int) -> int:
    """The offset of an unclosed code fence, which makes the rest of the text code; else the text's length."""
    opening: re.Match[str] | None = None
    for match in compiled(_FENCE).finditer(text, body):
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
    yield from compiled(_HEADING).findall(text)
    if "\n==" in text or "\n--" in text:
        for match in compiled(_UNDERLINED).finditer(text):
            yield match[1]
    if "id=" in text or "name=" in text or "{#" in text:
        for match in compiled(_NAMED).finditer(text):
            yield match[1] or match[2]


def _blocks(text: str) -> tuple[str, ...]:
    return tuple(block.lower() for block in compiled(_BLOCK).findall(text)) if "^" in text else ()


def _hides(text: str) -> bool:
    return redact(text) != text
