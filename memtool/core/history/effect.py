"""Effects: what the steps of a run come to, file by file, whatever a file was called in between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memtool.core.history.journal import Created, Moved, Permitted, Removed, Step, lines_of


class Effect(NamedTuple):
    """What became of one file, and the numbers of the steps that did it.

    `before` and `after` are where it was and is; None where it was not, or is not any more. `gone` and `new`
    are lines.
    """

    before: str | None
    after: str | None
    gone: int
    new: int
    mode: tuple[int, int] | None
    numbers: tuple[int, ...]

    @property
    def path(self) -> str:
        """Where it was, or, of a new file, where it is."""
        return self.before or self.after or ""

    @property
    def names(self) -> tuple[str, ...]:
        """Where it was, and where it is."""
        return tuple(dict.fromkeys(name for name in (self.before, self.after) if name is not None))

    @property
    def is_moved(self) -> bool:
        """Whether it is there under another name."""
        return self.before is not None and self.after is not None and self.before != self.after

    def renamed(self, names: Mapping[str, str]) -> Effect:
        """The same of files that are called otherwise elsewhere."""
        before = None if self.before is None else names.get(self.before, self.before)
        return self._replace(
            before=before, after=None if self.after is None else names.get(self.after, self.after)
        )


def effects(steps: Iterable[Step]) -> tuple[Effect, ...]:
    """What these steps, the first one first, come to; nothing of a file that came and went with them.

    The files are in the order in which they were first touched.
    """
    found: list[Effect] = []
    numbers: list[list[int]] = []
    at: dict[str, int] = {}
    for number, step in enumerate(steps):
        if (index := at.get(step.path)) is None:
            index = at[step.path] = len(found)
            is_new = isinstance(step, Created)
            found.append(Effect(None if is_new else step.path, step.path, 0, 0, None, ()))
            numbers.append([])
        gone, new = lines_of(step)
        was = found[index]
        after: str | None = step.path
        mode = was.mode
        match step:
            case Moved(path, target):
                after = target
                at[target] = at.pop(path)
            case Removed():
                after = None
            case Permitted(_, before, then):
                mode = (mode[0] if mode else before, then)
        found[index] = Effect(was.before, after, was.gone + gone, was.new + new, mode, ())
        numbers[index].append(number)
    whole = (_whole(one)._replace(numbers=tuple(of)) for one, of in zip(found, numbers, strict=True))
    return tuple(one for one in whole if one.names)


def _whole(one: Effect) -> Effect:
    """The same, with the lines of all of the file where it came or went."""
    if one.before is None:
        return one._replace(gone=0, new=max(0, one.new - one.gone))
    if one.after is None:
        return one._replace(gone=max(0, one.gone - one.new), new=0)
    return one
