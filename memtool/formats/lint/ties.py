"""The links of a text and what can be linked to in it, for what only all files together can tell."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.sheet import Sheet
from memtool.core.lint.ties import Reference, Ties, heading_keys
from memtool.core.pattern import compiled
from memtool.core.redact import redact
from memtool.formats import note

_HEADING = r"(?m)^[ \t>*+\-\d.)]*#{1,6}[ \t]+(\S[^\n]*)"
_UNDERLINED = r"(?m)^(?=[^\n]*\w)([^\n]+)\n[ \t>]*(?:=+|-{2,})[ \t\r]*$"
_NAMED = r"\b(?:id|name)=[\"']?([^\s\"'>]+)|\{#([^\s}#]{1,200})"
_BLOCK = r"(?m)\^([A-Za-z0-9-]+)[ \t\r]*$"
_TEMPLATE = r"<%|\{\{ *(?:title|date|time|VALUE|name|slug|id)\b"
_TEMPLATES = r"(?i)(?:^|/)[\W\d_]*templates?[\W\d_]*/"


def ties(sheet: Sheet, path: str, *, has_secret: bool) -> Ties:
    """What a text links to, and what others may link to in it; what would give a secret away is left out.

    More counts as a heading or block than a renderer would show, so that no good link is called broken.
    """
    text = sheet.text
    page = note.parse(text)
    head = note.head(page, "")
    references: tuple[Reference, ...] = ()
    if "](" in text or "[[" in text or "]:" in text:
        from memtool.core.links import links

        found = links(text, len(page.meta))
        references = tuple(
            Reference(one.target, one.anchor, one.is_wiki, one.line, one.column)
            for one in found
            if not (has_secret and _hides(f"{one.target}#{one.anchor}"))
        )
    names = (head.title, *head.aliases, *([head.name] if head.name else []))
    title, *aliases = map(redact, names) if has_secret else names
    keys = (heading_keys(one) for one in _headings(text) if not (has_secret and _hides(one)))
    return Ties(
        references,
        redact(head.id) if has_secret and head.id else head.id,
        title or None,
        tuple(aliases),
        frozenset[str]().union(*keys),
        frozenset(one.lower() for one in compiled(_BLOCK).findall(text)) if "^" in text else frozenset(),
        compiled(_TEMPLATES).search(path) is not None or compiled(_TEMPLATE).search(text) is not None,
    )


def _headings(text: str) -> Iterator[str]:
    for found in compiled(_HEADING).finditer(text):
        yield found[1]
    if "\n==" in text or "\n--" in text:
        for found in compiled(_UNDERLINED).finditer(text):
            yield found[1]
    if "id=" in text or "name=" in text or "{#" in text:
        for found in compiled(_NAMED).finditer(text):
            yield found[1] or found[2]


def _hides(said: str) -> bool:
    return redact(said) != said
