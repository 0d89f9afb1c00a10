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
    from pathspec import GitIgnoreSpec

    try:
        spec = GitIgnoreSpec.from_lines(lines)
    except ValueError as error:
        raise BadUsage(f"{source}: invalid pattern: {error}") from error
    return spec.match_file
