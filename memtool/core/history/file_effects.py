"""File effects: the net effect of the steps of a run on each file, followed across renames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from memtool.core.history.journal import (
    Appended,
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


class FileChange(NamedTuple):
    """The kind of a change, and the path of its file; `target` is the path that a file was moved to."""

    kind: Literal["create", "append", "replace", "move", "remove", "permit"]
    path: str
    target: str | None = None


def file_changes(effect: FileEffect, steps: Sequence[CommitStep]) -> Iterator[FileChange]:
    """An effect of these steps as kinds of change: one, and `permit` too if the mode changed as well."""
    if effect.before is None:
        yield FileChange("create", effect.path)
    elif effect.after is None:
        yield FileChange("remove", effect.path)
    elif effect.is_moved:
        yield FileChange("move", effect.path, effect.after)
    elif any(not isinstance(steps[number], Permitted) for number in effect.step_indexes):
        yield FileChange("append" if only_grew(effect, steps) else "replace", effect.path)
    if effect.mode:
        yield FileChange("permit", effect.after or effect.path)


def only_grew(effect: FileEffect, steps: Sequence[CommitStep]) -> bool:
    """Whether an effect of these steps did no more than append."""
    return all(isinstance(steps[number], Appended | Permitted) for number in effect.step_indexes)


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
