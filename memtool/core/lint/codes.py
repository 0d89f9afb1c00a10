"""Codes: the table of everything that lint can find, and the selection of codes by prefix."""

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
"""All codes, in the order of their names."""

BY_NAME = {code.name: code for code in CODES}
"""The codes by name."""

UNEXCUSED = frozenset({"M108"})
"""Codes that no comment can suppress: whoever hides text in a file could also write the comment."""


def chosen(given: Iterable[str], source: str) -> frozenset[str]:
    """The names of all codes with one of these prefixes; `M1` selects all codes that begin with it.

    A text may hold several prefixes, separated by commas or spaces; `source` names it in the error. Raises
    BadUsage for a prefix of no code.
    """
    selected: set[str] = set()
    for prefix in (word for text in given for word in re.split(r"[,\s]+", text) if word):
        names = [name for name in BY_NAME if name.startswith(prefix.upper())]
        if not names:
            raise BadUsage(f"{source}: there is no code {prefix!r}; memtool lint --codes lists them all")
        selected.update(names)
    return frozenset(selected)
