"""What a link's words tell before anybody looks for its file: whether they are meant as a link at all."""

from __future__ import annotations

from collections.abc import Callable

from memtool.core.lint.ties import Reference
from memtool.core.notes.names import joined
from memtool.core.secrets.redact import redact
from memtool.core.text.pattern import compiled

_WEEKDAY = r"(?:[ _-]\(?[^\W\d_]{2,12}\)?)?"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATED = (
    rf"(?i)\d{{4}}(?:[-_.](?:\d\d(?:[-_.]\d\d)?|q[1-4])|[-_. ]?w\d\d?)?{_WEEKDAY}|[wq]\d\d?[-_. ]\d{{4}}"
    rf"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]){_WEEKDAY}|\d\d?[-_.]\d\d?[-_.]\d{{4}}{_WEEKDAY}"
    rf"|(?:[^\W\d_]{{2,12}},? )?(?:{_MONTH} \d\d?(?:st|nd|rd|th)?,?|{_MONTH},?"
    r"|\d\d?(?:\.|st|nd|rd|th|º)? (?:of |de )?[^\W\d_]{3,12}\.?,?(?: de)?) \d{4}"
    r"|\d{4}[年년] ?\d\d?[月월](?: ?\d\d?[日일])?"
)
"""A day, week, month, quarter or year, as Obsidian's, Logseq's and Roam's daily notes are named."""
_NO_NAME = r'[\[\]$={}<>"*`\\]|://|^mailto:|^:|^--?\w|^! |^[\d\s,.;:+/-]{1,7}$|^[\d\s.+-]+,[\d\s,.;+-]*$'
_SAMPLE = r"[<>{}*$|\\`]|\.\.\.|…|YYYY|(?:^|/)path/to/|^~"
_TEXT = (
    r"(?i)\.(?:md|markdown|txt|org|pdf|png|jpe?g|gif|svg|webp|bmp|mp[34]|m4a|wav|ogg|mov|webm|csv|canvas|base|"
    r"docx?|xlsx?|pptx?|epub)\Z"
)
_FILE = r"(?i)\.(?:json[lc]?|ya?ml|toml|ipynb|py|sh|js|ts|tsv|rst|zip)\Z"
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


def leads_to_a_file(target: str, source: str, is_folder: Callable[[str], bool], *, strict: bool) -> bool:
    """Whether a Markdown link surely means a file of the tree, by its folder or its ending.

    An agent's memory names files of other trees as well, of the project that it works on, say. So a folder
    that is not there, or a file of a program, counts only where a link is `strict`: in a collection of notes.
    A path from the root of the file system means a file of the tree only if its first folder is there.
    """
    bare = without_place(target)
    if compiled(_SAMPLE).search(target) or bare.endswith("/"):
        return False
    is_text = compiled(_TEXT).search(bare) is not None
    first = bare.lstrip("/").partition("/")[0]
    if bare.startswith("/"):
        return is_text and is_folder(first)
    if "/" in bare and first not in {".", ".."}:
        begins = joined(source.rpartition("/")[0], first)
        if is_folder(first) or (begins is not None and is_folder(begins)):
            return True
        return strict and is_text
    return is_text or (strict and compiled(_FILE).search(bare) is not None)


def without_place(target: str) -> str:
    """The path of a Markdown link without a query or a line's number behind it: `a.md?raw`, `a.py:12`."""
    return compiled(r":\d+(?:[:-]\d+)?\Z").sub("", target.partition("?")[0])


def shown(link: Reference) -> str:
    """A link in a message, without secrets, and not at any length."""
    said = f"{link.target}#{link.anchor}" if link.anchor else link.target
    plain = " ".join(redact(said).split())
    short = plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"
    return f"[[{short}]]" if link.is_wiki else short
