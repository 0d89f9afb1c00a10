"""The cache of lint: the authenticated results of each file's check and of the checks between files.

A file with an unchanged stamp is not read again. A file that changed within two seconds of the check is read
and compared by content, because its stamp may hide another change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field, structs

from memtool import __version__
from memtool.core.digest import blake2b
from memtool.core.lint.check_result import CHECKS_VERSION, CrossFileData, FileCheck
from memtool.core.lint.file_links import FileLinks
from memtool.core.lint.problem import Problem
from memtool.core.lint.suppression import Suppressions
from memtool.index.engine import FileStamp
from memtool.store.files import derived
from memtool.store.workspace import Workspace

_FILE = "lint/kept"
"""The file in the private folder."""


class CachedCheck(Struct, frozen=True):
    """The stamp of a file and the result of its check, decoded from JSON values on access.

    `record` is None for a file that is read for its links only.
    """

    stamp: FileStamp
    record: Any = None

    @property
    def problems(self) -> Iterator[Problem]:
        """The problems of the file."""
        return (Problem(*row) for row in self.record[0])

    @property
    def facts(self) -> CrossFileData:
        """The facts and numbers of the file that are compared with other files."""
        return CrossFileData.from_record(self.record[1])

    @property
    def excuses(self) -> Suppressions:
        """The excuses in comments of the file."""
        _, _, lines, file = self.record
        return Suppressions({int(line): tuple(codes) for line, codes in lines.items()}, tuple(file))

    @property
    def is_ignored_source(self) -> bool:
        """Whether the file was read for its links only."""
        return self.record is None


class LintCache(Struct):
    """The cached checks, and the problems between files with the hash of the files they were found in.

    The link data is large: a line of `raw_links` for each file, decoded only when a file has changed.
    """

    checks: Mapping[str, CachedCheck] = field(default_factory=dict)
    faults: Any = None
    state: str = ""
    raw_links: bytes = b""

    def links(self) -> Iterator[tuple[str, FileLinks]]:
        """The link data of each file that has any, by path."""
        for line in self.raw_links.split(b"\n") if self.raw_links else ():
            path, record = json.loads(line)
            yield path, FileLinks.from_record(record)


def cached_check(stamp: FileStamp, checked: FileCheck) -> CachedCheck:
    """Return the cache record of a check, without its link data."""
    rows = [list(structs.astuple(problem)[:-1]) for problem in checked.problems]
    lines = {str(line): list(codes) for line, codes in checked.suppressions.lines.items()}
    return CachedCheck(stamp, [rows, checked.cross_file.to_record(), lines, list(checked.suppressions.file)])


def content_hash(files: Mapping[str, CachedCheck], names: Iterable[str]) -> str:
    """Return a hash of the contents of all files, of which are ignored, and of the names of link targets."""
    rows = [
        f"{path}\0{check.stamp.etag}\0{check.is_ignored_source:d}" for path, check in sorted(files.items())
    ]
    summary = "\n".join([*rows, "", *sorted(names)])
    return blake2b(summary.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def load_cache(workspace: Workspace, key: bytes | None) -> LintCache:
    """Load the cache; it is empty if rules or settings differ or its integrity cannot be proven."""
    content = derived.load(workspace.root, _FILE, key) if key else None
    if content is None:
        return LintCache()
    try:
        header_line, _, raw_links = content.partition(b"\n")
        header = json.loads(header_line)
        if header["version"] != cache_version(workspace):
            return LintCache()
        checks = {
            path: CachedCheck(FileStamp._make(stamp), record)
            for path, (stamp, record) in header["files"].items()
        }
        return LintCache(checks, header["faults"], header["state"], raw_links)
    except (ValueError, KeyError, TypeError, AttributeError):
        return LintCache()


def save_cache(
    workspace: Workspace,
    key: bytes | None,
    files: Mapping[str, CachedCheck],
    links: Mapping[str, FileLinks],
    faults: Any,
    state: str,
) -> None:
    """Save the cache, unless the workspace is not written."""
    if not key or not workspace.writes:
        return
    file_rows = {path: [check.stamp, check.record] for path, check in files.items()}
    header = {"version": cache_version(workspace), "files": file_rows, "faults": faults, "state": state}
    rows = ([path, link_data.to_record()] for path, link_data in links.items())
    text = "\n".join(json.dumps(part, separators=(",", ":")) for part in (header, *rows))
    derived.save(workspace.root, _FILE, text.encode(), key)


def cache_version(workspace: Workspace) -> str:
    """A hash of what results depend on besides the files: memtool's version, rules, layout and settings."""
    settings = sorted((name, repr(value)) for name, value in workspace.settings.values.items())
    summary = repr((__version__, CHECKS_VERSION, workspace.layout.name, settings))
    return blake2b(summary.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
