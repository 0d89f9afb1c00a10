"""Freshness: a listing of the tree against what is indexed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from memtool.core.records.document import FileStat
from memtool.errors import MemtoolError
from memtool.index.engine import FileStamp

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
    removed: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything must be looked at."""
        return bool(self.added or self.changed or self.removed or self.doubtful)


def compare_stamps(
    listed: Mapping[str, FileStat], indexed: Mapping[str, FileStamp], unreadable_prefixes: Iterable[str] = ()
) -> Diff:
    """What the tree has and the index has not, and the other way round.

    A path that is, or lies under, one of `unreadable_prefixes` is never removed: a listing that failed proves
    nothing. The prefix `""` is the root, under which all lies.
    """
    added, changed, doubtful = [], [], []
    for path, stat in listed.items():
        stamp = indexed.get(path)
        if stamp is None:
            added.append(path)
        elif stamp[:4] != stat:
            changed.append(path)
        elif is_racy(stat, stamp.at_ns):
            doubtful.append(path)
    hidden = tuple(unreadable_prefixes)
    removed = [path for path in indexed if path not in listed and not _is_under(path, hidden)]
    return Diff(tuple(sorted(added)), tuple(sorted(changed)), tuple(sorted(removed)), tuple(sorted(doubtful)))


def content_differences(
    paths: Iterable[str],
    indexed: Mapping[str, FileStamp],
    read_etag: Callable[[str], str | None],
    unread: list[str],
) -> Iterator[tuple[str, str]]:
    """Each of these files that is not what is indexed, and each indexed file that is none of them.

    With a path comes `missing`, `stale` or `deleted`. Every file is read, and no time stamp trusted;
    `read_etag` gives None for a file that is gone, and what it raises is named in `unread`.
    """
    left = dict(indexed)
    for path in paths:
        stamp = left.pop(path, None)
        if stamp is None:
            yield path, "missing"
            continue
        try:
            etag = read_etag(path)
        except MemtoolError as error:
            unread.append(str(error))
            continue
        if etag != stamp.etag:
            yield path, "deleted" if etag is None else "stale"
    yield from ((path, "deleted") for path in left)


def is_racy(stat: FileStat, at_ns: int) -> bool:
    """Whether a file looked at `at_ns` had changed so shortly before that it could change again unseen."""
    _, mtime_ns, ctime_ns, _ = stat
    long_ago = at_ns - RACY_NS
    return mtime_ns > long_ago or ctime_ns > long_ago


def _is_under(path: str, prefixes: tuple[str, ...]) -> bool:
    return any(
        prefix in {"", "."} or path == prefix or path.startswith(prefix.rstrip("/") + "/")
        for prefix in prefixes
    )
