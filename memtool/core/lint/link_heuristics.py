"""Link heuristics: whether the text of a link shows that it is a link to a file of the tree at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from memtool.core.lint.file_links import LinkReference
from memtool.core.notes.link_resolver import join_path
from memtool.core.secrets.redact import redact
from memtool.core.text.regex import regex

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
"""A day, week, month, quarter or year, as the daily notes of Obsidian, Logseq and Roam are named."""
_NOT_A_NAME = r'[\[\]$={}<>"*`\\]|://|^mailto:|^:|^--?\w|^! |^[\d\s,.;:+/-]{1,7}$|^[\d\s.+-]+,[\d\s,.;+-]*$'
_PLACEHOLDER = r"[<>{}*$|\\`]|\.\.\.|…|YYYY|(?:^|/)path/to/|^~"
_DOCUMENT_EXTENSION = (
    r"(?i)\.(?:md|markdown|txt|org|pdf|png|jpe?g|gif|svg|webp|bmp|mp[34]|m4a|wav|ogg|mov|webm|csv|canvas|base|"
    r"docx?|xlsx?|pptx?|epub)\Z"
)
_PROGRAM_EXTENSION = r"(?i)\.(?:json[lc]?|ya?ml|toml|ipynb|py|sh|js|ts|tsv|rst|zip)\Z"
_NOT_A_HEADING = r"(?i)[=~]|^(?:L\d|top$|fn|footnote|user-content|page|_|!|/|:)"
_MAX_SHOWN = 80
_MOST_REMEMBERED = 4_000


def is_dated(target: str) -> bool:
    """Whether the target is named like a daily, weekly, monthly, quarterly or yearly note."""
    name = target.rpartition("/")[2].removesuffix(".md")
    return regex(_DATED).fullmatch(name) is not None


def may_be_a_name(target: str) -> bool:
    """Whether a note could have this name; else `[[…]]` is a shell condition, a matrix or a pattern."""
    return regex(_NOT_A_NAME).search(target) is None and regex(r"[^\W_]").search(target) is not None


def may_be_a_heading(anchor: str) -> bool:
    """Whether the anchor of a Markdown link can be a heading, and not a line, page or footnote."""
    return regex(_NOT_A_HEADING).search(anchor) is None


def names_tree_file(target: str, source: str, is_folder: Callable[[str], bool], *, strict: bool) -> bool:
    """Whether the folder or extension of a Markdown link shows that it means a file of the tree.

    An agent's memory also names files of other trees, such as the project that it works on. So a missing
    folder, or the extension of a program's file, counts only if `strict`: in a collection of notes. An
    absolute path means a file of the tree only if its first folder exists there.
    """
    path = without_position(target)
    if regex(_PLACEHOLDER).search(target) or path.endswith("/"):
        return False
    is_text = regex(_DOCUMENT_EXTENSION).search(path) is not None
    first_component = path.lstrip("/").partition("/")[0]
    if path.startswith("/"):
        return is_text and is_folder(first_component)
    if "/" in path and first_component not in {".", ".."}:
        first_folder = join_path(source.rpartition("/")[0], first_component)
        if is_folder(first_component) or (first_folder is not None and is_folder(first_folder)):
            return True
        return strict and is_text
    return is_text or (strict and regex(_PROGRAM_EXTENSION).search(path) is not None)


def without_position(target: str) -> str:
    """The path of a Markdown link without a query or line number after it (`a.md?raw`, `a.py:12`)."""
    return regex(r":\d+(?:[:-]\d+)?\Z").sub("", target.partition("?")[0])


def display_link(link: LinkReference) -> str:
    """A link as messages show it: as it is written, without secrets, shortened."""
    text = f"{link.target}#{link.anchor}" if link.anchor else link.target
    has_secret = _redacted(text) != text  # which its spelling may hide
    shown = _shown(link.written if link.written and not has_secret else text)
    return f"[[{shown}]]" if link.is_wiki else shown


def display_target(link: LinkReference) -> str:
    """The file that a link names, without its anchor and without secrets, shortened."""
    return _shown(link.target)


def _shown(text: str) -> str:
    redacted = " ".join(_redacted(text).split())
    return redacted if len(redacted) <= _MAX_SHOWN else f"{redacted[: _MAX_SHOWN - 1]}…"


@lru_cache(_MOST_REMEMBERED)
def _redacted(text: str) -> str:
    """A link without secrets; an editor needs it again at each keystroke."""
    return redact(text)
