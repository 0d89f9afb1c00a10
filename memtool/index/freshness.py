"""Freshness: a listing of the tree against what is indexed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from memtool.core.records.document import Stat
from memtool.index.engine import Stamp

RACY_NS = 2_000_000_000
"""A file changed this shortly before it was indexed could change again unseen: two seconds, the coarsest time
stamps of a file system in use (FAT). git's index knows the same doubt as "racy"."""


class Diff(Struct, frozen=True):
    """What must be done to the index, as sorted paths.

    `doubtful` ones look unchanged, but were indexed so soon after a change that only reading them, and
    comparing the etag, can tell.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything must be looked at."""
        return bool(self.added or self.changed or self.gone or self.doubtful)


def diff(
    listed: Mapping[str, Stat], indexed: Mapping[str, Stamp], unreadable_prefixes: Iterable[str] = ()
) -> Diff:
    """What the tree has and the index has not, and the other way round.

    A path that is, or lies under, one of `unreadable_prefixes` is never gone: a listing that failed proves
    nothing. The prefix `""` is the root, under which all lies.
    """
    added, changed, doubtful = [], [], []
    for path, stat in listed.items():
        stamp = indexed.get(path)
        if stamp is None:
            added.append(path)
        elif not (
            stamp.mtime_ns == stat.mtime_ns
            and stamp.size == stat.size
            and stamp.ctime_ns == stat.ctime_ns
            and stamp.inode == stat.inode
        ):
            changed.append(path)
        elif is_racy(stat, stamp.at_ns):
            doubtful.append(path)
    hidden = tuple(unreadable_prefixes)
    gone = [path for path in indexed if path not in listed and not _is_under(path, hidden)]
    return Diff(tuple(sorted(added)), tuple(sorted(changed)), tuple(sorted(gone)), tuple(sorted(doubtful)))


def is_racy(stat: Stat, at_ns: int) -> bool:
    """Whether a file looked at `at_ns` had changed so shortly before that it could change again unseen."""
    return max(stat.mtime_ns, stat.ctime_ns) > at_ns - RACY_NS


def _is_under(path: str, prefixes: tuple[str, ...]) -> bool:
    return any(
        prefix in {"", "."} or path == prefix or path.startswith(prefix.rstrip("/") + "/")
        for prefix in prefixes
    )
