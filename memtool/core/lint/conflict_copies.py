"""Conflict copies: the files that programs which synchronise folders leave beside an original."""

from __future__ import annotations

from msgspec import Struct

from memtool.core.text.regex import regex

_NAMED = (
    r"(?P<stem>.+)\.sync-conflict-\d{8}-\d{6}(?:-\w+)?(?P<ending>\.[^.]+)?",  # Syncthing
    r"(?i)(?P<stem>.+?) \((?:[^()]* )?(?:conflicted copy|case conflict)\b[^()]*\)(?P<ending>\.[^.]+)?",
)
"""Names that say that the file is a copy: those of Syncthing; of Dropbox, Nextcloud and ownCloud."""
_NUMBERED = r"(?P<stem>.+?)(?: [2-9]| \([1-9]\))(?P<ending>\.[^.]+)"
"""Names of copies by iCloud (`note 2.md`) and Google Drive (`note (1).md`), or of notes numbered by hand."""
_MIN_SHARED_LINES = 0.5
"""The least share of lines in common of a numbered copy and its original: a second chapter has few."""


class CopyName(Struct, frozen=True):
    """The name of the original of a copy; `is_certain` if the copy's name alone says that it is one."""

    original: str
    is_certain: bool


def copy_name(name: str) -> CopyName | None:
    """What a file name says of being a conflict copy; None if it says nothing of it."""
    for pattern in _NAMED:
        if match := regex(pattern).fullmatch(name):
            return CopyName(f"{match['stem']}{match['ending'] or ''}", is_certain=True)
    match = regex(_NUMBERED).fullmatch(name)
    return CopyName(f"{match['stem']}{match['ending']}", is_certain=False) if match else None


def is_version_of(text: str, original: str) -> bool:
    """Whether a text is another version of the original, by the lines that they have in common."""
    lines, original_lines = (
        {line.strip() for line in each.splitlines() if line.strip()} for each in (text, original)
    )
    smaller = min(len(lines), len(original_lines))
    return smaller > 0 and len(lines & original_lines) >= _MIN_SHARED_LINES * smaller
