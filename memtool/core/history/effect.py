"""File effects: the net effect of the steps of a run on each file, followed across renames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memtool.core.history.journal import Created, Moved, Permitted, Removed, Step, lines_of


class Effect(NamedTuple):
    """The net effect on one file, and the indexes of the steps that caused it.

    `before` and `after` are its paths, None if the file did not exist. `removed_lines` and `added_lines` are
    numbers of lines, `mode` is (before, after) if the mode changed.
    """

    before: str | None
    after: str | None
    gone: int
    new: int
    mode: tuple[int, int] | None
    numbers: tuple[int, ...]

    @property
    def path(self) -> str:
        """The path before, or, for a new file, after."""
        return self.before or self.after or ""

    @property
    def names(self) -> tuple[str, ...]:
        """The paths before and after, without duplicates."""
        return tuple(dict.fromkeys(name for name in (self.before, self.after) if name is not None))

    @property
    def is_moved(self) -> bool:
        """Whether the file was moved."""
        return self.before is not None and self.after is not None and self.before != self.after

    def renamed(self, names: Mapping[str, str]) -> Effect:
        """The effect with its paths replaced by those that `names` maps them to."""
        before = None if self.before is None else names.get(self.before, self.before)
        return self._replace(
            before=before, after=None if self.after is None else names.get(self.after, self.after)
        )


def effects(steps: Iterable[Step]) -> tuple[Effect, ...]:
    """The net effects of these steps, in the order in which the files were first touched.

    A file that was both created and removed has no effect.
    """
    file_effects: list[Effect] = []
    numbers: list[list[int]] = []
    index_by_path: dict[str, int] = {}
    for number, step in enumerate(steps):
        if (index := index_by_path.get(step.path)) is None:
            index = index_by_path[step.path] = len(file_effects)
            is_new = isinstance(step, Created)
            file_effects.append(Effect(None if is_new else step.path, step.path, 0, 0, None, ()))
            numbers.append([])
        removed_lines, added_lines = lines_of(step)
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
        removed_lines += earlier.gone
        added_lines += earlier.new
        file_effects[index] = Effect(earlier.before, after, removed_lines, added_lines, mode, ())
        numbers[index].append(number)
    normalized = (
        _whole(effect)._replace(numbers=tuple(step_numbers))
        for effect, step_numbers in zip(file_effects, numbers, strict=True)
    )
    return tuple(effect for effect in normalized if effect.names)


def _whole(effect: Effect) -> Effect:
    """The effect, with the number of lines of the whole file if it was created or removed."""
    if effect.before is None:
        return effect._replace(gone=0, new=max(0, effect.new - effect.gone))
    if effect.after is None:
        return effect._replace(gone=max(0, effect.gone - effect.new), new=0)
    return effect
