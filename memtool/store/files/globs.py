"""Globs: path patterns with the syntax of `.gitignore`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memtool.errors import BadUsage


def matcher(patterns: Iterable[str], source: str) -> Callable[[str], bool]:
    """A function that tells whether a path relative to the root matches; the last matching line decides.

    Raises BadUsage for an invalid pattern; `source` names where the lines come from.
    """
    lines = [row for row in patterns if row.strip() and not row.startswith("#")]
    if not lines:
        return lambda _: False
    import re

    from pathspec import GitIgnoreSpec

    try:
        spec = GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error) as error:  # re.error: a pattern such as a[z-a]
        reason = str(error).removeprefix("Invalid git pattern: ")
        raise BadUsage(f"{source}: invalid pattern: {reason}") from error
    return spec.match_file
