"""Linux's limits of inotify, which all programs of a user share, and the command that raises one."""

from __future__ import annotations

import errno
import os

from msgspec import Struct

_KINDS = {errno.ENOSPC: "watches", errno.EMFILE: "instances"}
"""The limits that inotify_add_watch(2) and inotify_init1(2) report as reached."""
_SETTINGS = "/proc/sys"


class InotifyLimit(Struct, frozen=True):
    """A limit that was reached: of `watches` (one for each folder) or of `instances` (some for each program).

    `setting` is its name for sysctl(8), `value` its value, and `needed` the value that this program needs
    beside what others use.
    """

    kind: str
    setting: str
    value: int
    needed: int

    @property
    def command(self) -> str:
        """The command that raises the limit, to the next power of two above what is needed."""
        return f"sudo sysctl {self.setting}={1 << self.needed.bit_length()}"

    def to_record(self) -> dict[str, object]:
        """The limit as JSON values, for `--json`."""
        return {"setting": self.setting, "value": self.value, "command": self.command}

    def is_in_force(self) -> bool:
        """Whether the limit still has the value at which it was reached."""
        return _value(self.setting) == self.value

    def __str__(self) -> str:
        return f"the limit on inotify {self.kind} has been reached ({self.setting} = {self.value})"


def limit_reached(error: OSError) -> InotifyLimit | None:
    """The limit that an error of inotify reports, by which one more is needed; None for another error.

    Of two settings, that of the system and that of the user namespace (a container's), the lower one counts.
    """
    kind = _KINDS.get(error.errno or 0)
    if kind is None:
        return None
    names = (f"fs.inotify.max_user_{kind}", f"user.max_inotify_{kind}")
    values = [(value, name) for name in names if (value := _value(name)) is not None]
    if not values:
        return None
    value, name = min(values)
    return InotifyLimit(kind, name, value, value + 1)


def _value(setting: str) -> int | None:
    try:
        with open(os.path.join(_SETTINGS, *setting.split(".")), encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None
