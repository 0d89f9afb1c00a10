"""Codes: the table of everything that lint can find, and how codes are chosen by their beginnings."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memtool.core.lint.code import Code
from memtool.core.lint.limit_codes import LIMIT
from memtool.core.lint.link_codes import LINK
from memtool.core.lint.safety_codes import SAFETY
from memtool.core.lint.structure_codes import STRUCTURE
from memtool.core.lint.text_codes import TEXT
from memtool.errors import BadUsage

CODES: tuple[Code, ...] = (*TEXT, *STRUCTURE, *LIMIT, *LINK, *SAFETY)
"""Every code, in the order of their names."""

BY_NAME = {code.name: code for code in CODES}
"""The codes by their names."""

UNEXCUSED = frozenset({"M108"})
"""Codes that no comment in a file excuses: whoever hides a text there could write the comment, too."""


def chosen(given: Iterable[str], source: str) -> frozenset[str]:
    """The names of all codes that these names or beginnings of names mean; `M1` is every code of the text.

    Several may stand in one text, between commas or blanks. Raises BadUsage for what begins no code.
    """
    found: set[str] = set()
    for said in (word for one in given for word in re.split(r"[,\s]+", one) if word):
        names = [name for name in BY_NAME if name.startswith(said.upper())]
        if not names:
            raise BadUsage(f"{source}: there is no code {said!r}; memtool lint --codes lists them all")
        found.update(names)
    return frozenset(found)
