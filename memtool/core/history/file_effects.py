"""File effects: the net effect of the steps of a run on each file, followed across renames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memtool.core.history.journal import (
    CommitStep,
    Created,
    Moved,
    Permitted,
    Removed,
    changed_line_counts,
)


class FileEffect(NamedTuple):
    """The net effect on one file, and the indexes of the steps that caused it.

    `before` and `after` are its paths, None if the file did not exist. `removed_lines` and `added_lines` are
    numbers of lines, `mode` is (before, after) if the mode changed.
    """

    before: str | None
    after: str | None
    removed_lines: int
    added_lines: int
    mode: tuple[int, int] | None
    step_indexes: tuple[int, ...]

    @property
    def path(self) -> str:
        """The path before, or, for a new file, after."""
        return self.before or self.after or ""

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths before and after, without duplicates."""
        return tuple(dict.fromkeys(name for name in (self.before, self.after) if name is not None))

    @property
    def is_moved(self) -> bool:
        """Whether the file was moved."""
        return self.before is not None and self.after is not None and self.before != self.after

    def with_paths(self, names: Mapping[str, str]) -> FileEffect:
        """The effect with its paths replaced by those that `paths` maps them to."""
        before = None if self.before is None else names.get(self.before, self.before)
        return self._replace(
            before=before, after=None if self.after is None else names.get(self.after, self.after)
        )


def net_effects(steps: Iterable[CommitStep]) -> tuple[FileEffect, ...]:
    """The net effects of these steps, in the order in which the files were first touched.

    A file that was both created and removed has no effect.
    """
    file_effects: list[FileEffect] = []
    numbers: list[list[int]] = []
    index_by_path: dict[str, int] = {}
    for number, step in enumerate(steps):
        if (index := index_by_path.get(step.path)) is None:
            index = index_by_path[step.path] = len(file_effects)
            is_new = isinstance(step, Created)
            file_effects.append(FileEffect(None if is_new else step.path, step.path, 0, 0, None, ()))
            numbers.append([])
        removed_lines, added_lines = changed_line_counts(step)
        earlier = file_effects[index]
        after: str | None = step.path
        mode = earlier.mode
        match step:
            case Moved(path, target):
                after = target
                index_by_path[target] = index_by_path.pop(path)
            case Removed():
                after = None
            case Permitted(_, mode_before, mode_after):
                mode = (mode[0] if mode else mode_before, mode_after)
        removed_lines += earlier.removed_lines
        added_lines += earlier.added_lines
        file_effects[index] = FileEffect(earlier.before, after, removed_lines, added_lines, mode, ())
        numbers[index].append(number)
    normalized = (
        _with_whole_file_lines(effect)._replace(step_indexes=tuple(step_numbers))
        for effect, step_numbers in zip(file_effects, numbers, strict=True)
    )
    return tuple(effect for effect in normalized if effect.paths)


def _with_whole_file_lines(effect: FileEffect) -> FileEffect:
    """The effect, with the number of lines of the whole file if it was created or removed."""
    if effect.before is None:
        return effect._replace(removed_lines=0, added_lines=max(0, effect.added_lines - effect.removed_lines))
    if effect.after is None:
        return effect._replace(removed_lines=max(0, effect.removed_lines - effect.added_lines), added_lines=0)
    return effect
