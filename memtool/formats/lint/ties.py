"""The links of a text and what can be linked to in it, for what only all files together can tell."""

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
"""The key of a drawing's frontmatter; its elements, groups and frames are blocks that no text shows."""
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
"""Folders of templates, as people call them in several languages."""


def ties(sheet: Sheet, path: str, head: Head, body: int, *, has_secret: bool) -> Ties:
    """What a text links to, and what others may link to in it; what would give a secret away is left out.

    `body` is where its body starts. More counts as a heading or block than a renderer would show, so that no
    good link is called broken.
    """
    text = sheet.text
    references: tuple[Reference, ...] = ()
    if "](" in text or "[[" in text or "]:" in text:
        from memtool.core.notes.links import links

        references = tuple(
            Reference(one.target, one.anchor, one.is_wiki, one.line, one.column) for one in links(text, body)
        )
    names = (head.id or "", head.title, *head.aliases, head.name or "")
    headings = tuple(_headings(text))
    if "```" in text or "~~~" in text:
        end = _closed(text, body)
        last = text.count("\n", 0, end) + 1
        references = tuple(one for one in references if end == len(text) or one.line < last)
    if has_secret:
        references = tuple(one for one in references if not _hides(f"{one.target}#{one.anchor}"))
        names = tuple(map(redact, names))
        headings = tuple(map(redact, headings))
    return Ties(
        references,
        names[0] or None,
        names[1] or None,
        tuple(filter(None, names[2:])),
        headings,
        (ANY,) if _DRAWING in head.meta else _blocks(text),
        compiled(_TEMPLATES).search(path) is not None or compiled(_TEMPLATE).search(text) is not None,
    )


def _closed(text: str, body: int) -> int:
    """Where fenced code begins that nothing closes, which is code to the end; else the end of the text."""
    opened: re.Match[str] | None = None
    for found in compiled(_FENCE).finditer(text, body):
        sign, rest = found["sign"], found["rest"]
        if opened is not None:
            if not found["item"] and sign.startswith(opened["sign"]) and not rest.strip():
                opened = None
        elif sign[0] == "~" or "`" not in rest:
            opened = found
    if opened is None or opened["item"] or opened["indent"].strip(" ") or len(opened["indent"]) > 3:
        return len(text)
    return opened.start()


def _headings(text: str) -> Iterator[str]:
    yield from compiled(_HEADING).findall(text)
    if "\n==" in text or "\n--" in text:
        for found in compiled(_UNDERLINED).finditer(text):
            yield found[1]
    if "id=" in text or "name=" in text or "{#" in text:
        for found in compiled(_NAMED).finditer(text):
            yield found[1] or found[2]


def _blocks(text: str) -> tuple[str, ...]:
    return tuple(one.lower() for one in compiled(_BLOCK).findall(text)) if "^" in text else ()


def _hides(said: str) -> bool:
    return redact(said) != said
