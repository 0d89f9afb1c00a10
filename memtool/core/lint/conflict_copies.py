"""Conflict copies: the files that programs which synchronise folders leave beside an original."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from memtool.core.text.regex import regex

_PHRASES = "|".join(
    (
        "conflict(?:ed|ing) copy",  # Dropbox, Nextcloud, ownCloud; Maestral, another client of Dropbox
        "(?:case|unicode encoding|whitespace|selective sync) conflict",  # Dropbox, and its other languages:
        "in konflikt stehende kopie",
        "copie en conflit",
        "copia conflictiva",
        "競合コピー",
        "問題のあるコピー",
    )
)
_ENDING = r"(?P<ending>\.[^.]+)?"
_INNER = r"[^()]*(?:\([^()]*\)[^()]*)?"
"""What is around a phrase: `Ann (work)'s`, or the number of a second copy of a day, `2025-01-15 (1)`."""
_CERTAIN = (
    rf"(?P<stem>.+)\.sync-conflict-\d{{8}}-\d{{6}}(?:-\w+)?{_ENDING}",  # Syncthing
    rf"(?P<stem>.+)_conflict-(?:\w+-)?\d{{8}}-\d{{6}}{_ENDING}",  # ownCloud before 2.5
    rf"(?i)(?P<stem>.+) \({_INNER}(?:{_PHRASES}){_INNER}\){_ENDING}",
)
"""Names that only a program gives."""
_UNCERTAIN = (
    r"(?P<stem>.+) [2-9](?P<ending>\.[^.]+)",  # iCloud
    r"(?P<stem>.+) \([1-9]\)(?P<ending>\.[^.]+)",  # Google Drive
    r"(?P<stem>.+) \([^()]+ \d{4}-\d\d-\d\d[^()]*\)(?P<ending>\.[^.]+)",  # Dropbox, in any language
)
"""Names that a person may give, too: a second chapter, a note of a day."""
_OF_COMPUTER = r"(?P<name>.+)(?P<ending>\.[^.]+)"
_COMPUTER = (
    r"(?=.{2,15}$)[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*"  # Windows has names of up to 15 characters
    r"|(?=.{2,15}-\d{1,2}$)[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d{1,2}"
    r"|(?:.*-)?(?:MacBook|iMac|Mac-(?:mini|Studio|Pro))(?:-.*)?"
    r"|.+-safeBackup-\d{4}"  # the client for Linux (github.com/abraunegg/onedrive)
)
"""What OneDrive adds after a hyphen: the computer's name, and a number if that name is taken."""
_MIN_SHARED_LINES = 0.5
"""The least share of lines in common of an uncertain copy and its original: a second chapter has few."""


class CopyName(Struct, frozen=True):
    """The name of the original of a copy; `is_certain` if the copy's name alone says that it is one."""

    original: str
    is_certain: bool


def copy_names(name: str) -> Iterator[CopyName]:
    """What a file name says of being a conflict copy: the possible originals, a certain one first."""
    for patterns, is_certain in ((_CERTAIN, True), (_UNCERTAIN, False)):
        for pattern in patterns:
            if match := regex(pattern, re.DOTALL).fullmatch(name):
                yield CopyName(f"{match['stem']}{match['ending'] or ''}", is_certain)
    if match := regex(_OF_COMPUTER, re.DOTALL).fullmatch(name):
        words = match["name"].split("-")
        for count in range(len(words) - 1, 0, -1):
            stem = "-".join(words[:count])
            if stem and regex(_COMPUTER).fullmatch("-".join(words[count:])):
                yield CopyName(f"{stem}{match['ending']}", is_certain=False)


def is_version_of(text: str, original: str) -> bool:
    """Whether a text is another version of the original, by the lines in common that are no headings."""
    lines, original_lines = (
        {line.strip() for line in each.splitlines() if line.strip() and not line.startswith("#")}
        for each in (text, original)
    )
    smaller = min(len(lines), len(original_lines))
    return smaller > 0 and len(lines & original_lines) >= _MIN_SHARED_LINES * smaller
