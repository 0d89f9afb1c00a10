"""Globs: patterns of paths as git reads them in `.gitignore`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memtool.errors import BadUsage


def matcher(patterns: Iterable[str], source: str) -> Callable[[str], bool]:
    """Whether a path, relative to the root, is one that these lines mean: the last that fits it decides.

    Raises BadUsage for a line that is no pattern; `source` says where it stands.
    """
    rows = [row for row in patterns if row.strip() and not row.startswith("#")]
    if not rows:
        return lambda _: False
    from pathspec import GitIgnoreSpec

    try:
        spec = GitIgnoreSpec.from_lines(rows)
    except ValueError as error:
        raise BadUsage(f"{source} has a pattern that cannot be one: {error}") from error
    return spec.match_file
