"""Codes: the table of everything that lint can find, and the selection of codes by prefix."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memtool.core.lint.codes.file_codes import STRUCTURE_CODES, TEXT_CODES
from memtool.core.lint.codes.lint_code import LintCode
from memtool.core.lint.codes.workspace_codes import LIMIT_CODES, LINK_CODES, SAFETY_CODES
from memtool.errors import BadUsage

CODES: tuple[LintCode, ...] = (*TEXT_CODES, *STRUCTURE_CODES, *LIMIT_CODES, *LINK_CODES, *SAFETY_CODES)
"""All codes, in the order of their names."""

CODES_BY_NAME = {code.name: code for code in CODES}
"""The codes by name."""

UNSUPPRESSIBLE = frozenset({"M108"})
"""Codes that no comment can suppress: whoever hides text in a file could also write the comment."""


def select_codes(prefixes: Iterable[str], source: str) -> frozenset[str]:
    """The names of all codes with one of these prefixes; `M1` selects all codes that begin with it.

    A text may hold several prefixes, separated by commas or spaces; `source` names it in the error. Raises
    BadUsage for a prefix of no code.
    """
    selected: set[str] = set()
    for prefix in (word for text in prefixes for word in re.split(r"[,\s]+", text) if word):
        names = [name for name in CODES_BY_NAME if name.startswith(prefix.upper())]
        if not names:
            raise BadUsage(f"{source}: unknown code {prefix!r}; memtool lint --codes lists all codes")
        selected.update(names)
    return frozenset(selected)
