"""What a link's words tell before anybody looks for its file: whether they are meant as a link at all."""

from __future__ import annotations

from collections.abc import Callable

from memtool.core.lint.ties import Reference
from memtool.core.names import joined
from memtool.core.pattern import compiled
from memtool.core.redact import redact

_DATED = r"\d{4}(?:-(?:\d\d(?:-\d\d)?|[Ww]\d\d|[Qq][1-4]))?(?:[ _-][^\W\d_]{2,9})?"
_NO_NAME = r'[\[\]$={}<>"*`\\]|://|^mailto:|^:|^--?\w|^! |^[\d\s,.;:+/-]{1,7}$|^[\d\s.+-]+,[\d\s,.;+-]*$'
_SAMPLE = r"[<>{}*$|\\`]|\.\.\.|…|YYYY|(?:^|/)path/to/|^~"
_FILE = (
    r"(?i)\.(?:md|markdown|txt|rst|org|pdf|png|jpe?g|gif|svg|webp|bmp|mp[34]|m4a|wav|ogg|mov|webm|csv|tsv|"
    r"jsonl?|ya?ml|toml|canvas|base|ipynb|docx?|xlsx?|pptx?|epub|py|sh|js|ts|zip)\Z"
)
_NO_HEADING = r"(?i)[=~]|^(?:L\d|top$|fn|footnote|user-content|page|_|!|/|:)"
_LONGEST = 80


def is_dated(target: str) -> bool:
    """Whether a link names a day, week, month, quarter or year, and not a note about something."""
    name = target.rpartition("/")[2].removesuffix(".md")
    return compiled(_DATED).fullmatch(name) is not None


def may_be_a_name(target: str) -> bool:
    """Whether a note could be called so; else it is a condition of a shell, a matrix or a pattern."""
    return compiled(_NO_NAME).search(target) is None and compiled(r"[^\W_]").search(target) is not None


def may_be_a_heading(anchor: str) -> bool:
    """Whether the anchor of a Markdown link names a heading, and not a line, page or footnote."""
    return compiled(_NO_HEADING).search(anchor) is None


def leads_to_a_file(target: str, source: str, is_folder: Callable[[str], bool]) -> bool:
    """Whether a Markdown link surely means a file of the tree: by its ending, or its first folder.

    A path from the root of the file system means one only if its first folder is one of the tree's.
    """
    bare = target.partition("?")[0]
    if compiled(_SAMPLE).search(target) or bare.endswith("/"):
        return False
    first = bare.lstrip("/").partition("/")[0]
    if bare.startswith("/"):
        return compiled(_FILE).search(bare) is not None and is_folder(first)
    if compiled(_FILE).search(bare):
        return True
    begins = joined(source.rpartition("/")[0], first)
    return "/" in bare and (is_folder(first) or (bool(begins) and is_folder(begins or "")))


def shown(link: Reference) -> str:
    """A link in a message, without secrets, and not at any length."""
    said = f"{link.target}#{link.anchor}" if link.anchor else link.target
    plain = " ".join(redact(said).split())
    short = plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"
    return f"[[{short}]]" if link.is_wiki else short
