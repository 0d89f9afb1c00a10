"""Regular expressions that are compiled on first use, because every command pays for start-up."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache


class _Compiler:
    """What compiles a source; a program may put one with a cache in its place."""

    compile: Callable[[str, int], re.Pattern[str]] = staticmethod(re.compile)


def set_compiler(compile_pattern: Callable[[str, int], re.Pattern[str]]) -> None:
    """Compile later patterns with another function, which must give what `re.compile` gives."""
    _Compiler.compile = staticmethod(compile_pattern)


@cache
def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled pattern of a source, from a cache without bound.

    A program may keep compiled patterns in a file, too, so no source may contain a user's text.
    """
    return _Compiler.compile(source, flags)
