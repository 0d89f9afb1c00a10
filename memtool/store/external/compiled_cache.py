"""Compiled regular expressions and parsed TOML in the user's cache folder, as Python keeps compiled modules.

Compiling memtool's patterns takes up to half of a short command's time, restoring them a hundredth of that;
parsing the layouts and the write policy, of which nothing here depends on the user, an eighth.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
import sys
from collections.abc import Mapping
from typing import Any, Final
from zlib import crc32

from msgspec import DecodeError, Struct, msgpack

from memtool.core.text.regex import set_compiler
from memtool.layouts.resources import parse_toml, set_parser
from memtool.store.root import user_folder

_FIRST_VERSION, _LAST_VERSION = (3, 11), (3, 14)
"""Versions of CPython whose `re` is known to be made of these parts; with others nothing is cached."""
_MAX_BYTES = 16_000_000
_MAX_ENTRIES = 4000
"""Beyond this number, entries that this process did not use are dropped: older versions left them."""
_TABLES = 2**32 - 1
"""What stands in the key of tables in place of a pattern's flags."""
_CODE: Final = "I"
"""The type of a code word in `array` and `memoryview`: an unsigned integer of `_sre.CODESIZE` bytes."""

Entries = dict[int, bytes]
"""Encoded patterns and tables by their keys: the checksum of the source, and the flags."""
Index = dict[int, tuple[int, int, int]]
"""Where the entry of a key is in the file: offset, length and checksum."""


class CompiledPattern(Struct, frozen=True, array_like=True):
    """The source of a pattern in UTF-8 and its flags, and what `_sre.compile` takes beside them.

    `all_flags` include those that the source sets. `words` are the code words; `names` are those of the
    groups by number.
    """

    source: bytes
    flags: int
    all_flags: int
    words: bytes
    count: int
    groups: dict[str, int]
    names: list[str | None]


class ParsedTables(Struct, frozen=True, array_like=True):
    """A TOML text and its tables."""

    text: str
    tables: dict[str, Any]


def cache_path(environment: Mapping[str, str]) -> str:
    """The path of the cache: under XDG_CACHE_HOME, else `~/.cache`; a file for each version of Python."""
    folder = user_folder(environment, "XDG_CACHE_HOME", ".cache")
    return os.path.join(folder, "memtool", f"compiled.{sys.implementation.cache_tag}")


class StoredEntries:
    """The index of a cache file, and the file, of which a command reads only the entries that it uses."""

    def __init__(self, file: io.FileIO | None = None) -> None:
        self._file = file
        self.index: Index = {}

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def entry(self, key: int) -> bytes | None:
        """The encoded value of a key; None if it is missing or damaged."""
        start, length, checksum = self.index.get(key, (0, 0, -1))
        if self._file is None or checksum < 0:
            return None
        try:
            entry = os.pread(self._file.fileno(), length, start)
        except OSError:
            return None
        return entry if crc32(entry) == checksum else None

    def entries(self) -> Entries:
        """All encoded values that are not damaged."""
        return {key: entry for key in self.index if (entry := self.entry(key)) is not None}


class CompiledCache:
    """Compiles patterns and parses TOML, or restores them from a file; `save` adds the new ones to it.

    A file that is damaged, foreign, or of another Python is ignored, and written anew.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._stored: StoredEntries | None = None
        self._used: Entries = {}
        self._has_new = False

    def install(self) -> None:
        """Use this cache for the patterns of `regex` and for the tables of `memtool.layouts`."""
        set_compiler(self.compile)
        set_parser(self.parse)

    def compile(self, source: str, flags: int = 0) -> re.Pattern[str]:
        """The compiled pattern, as `re.compile` gives it. Raises re.error."""
        if not _is_known:
            return re.compile(source, flags)
        content, number = source.encode("utf-8", "surrogatepass"), int(flags)
        key = crc32(content) << 32 | number
        entry = self._entry(key)
        compiled = None if entry is None else msgpack.decode(entry, type=CompiledPattern)
        if compiled is None or (compiled.source, compiled.flags) != (content, number):
            compiled = _compiled(source, content, number)
            entry = msgpack.encode(compiled)
            self._has_new = True
        self._used[key] = entry or b""
        return _restored(source, compiled)

    def parse(self, text: str) -> dict[str, Any]:
        """The tables of a TOML text of memtool's own, which has no dates; `save` keeps the text, too."""
        key = crc32(text.encode()) << 32 | _TABLES
        entry = self._entry(key)
        parsed = None if entry is None else msgpack.decode(entry, type=ParsedTables)
        if parsed is None or parsed.text != text:
            parsed = ParsedTables(text, parse_toml(text))
            entry = msgpack.encode(parsed)
            self._has_new = True
        self._used[key] = entry or b""
        return parsed.tables

    def _entry(self, key: int) -> bytes | None:
        if self._stored is None:
            self._stored = _load(self._path)
        return self._stored.entry(key)

    def save(self) -> None:
        """Add what was compiled and parsed to the file; a file that cannot be written costs only time."""
        if not self._has_new:
            return
        self._has_new = False
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(self._path), 0o700, exist_ok=True)
            entries = {**_load(self._path).entries(), **self._used}  # another process may have added some
            _write(self._path, entries if len(entries) <= _MAX_ENTRIES else self._used)


def _compiled(source: str, content: bytes, flags: int) -> CompiledPattern:
    """What `re.compile` hands to the engine: the parts of CPython's `re._compiler.compile`."""
    from array import array

    parsed = re._parser.parse(source, flags)  # type: ignore[attr-defined]
    code = re._compiler._code(parsed, flags)  # type: ignore[attr-defined]
    groups = dict(parsed.state.groupdict)
    names: list[str | None] = [None] * parsed.state.groups
    for name, number in groups.items():
        names[number] = name
    words = array(_CODE, code).tobytes()
    return CompiledPattern(
        content, flags, flags | parsed.state.flags, words, parsed.state.groups - 1, groups, names
    )


def _restored(source: str, compiled: CompiledPattern) -> re.Pattern[str]:
    import _sre  # type: ignore[import-not-found]

    words = memoryview(compiled.words).cast(_CODE).tolist()
    pattern: re.Pattern[str] = _sre.compile(
        source, compiled.all_flags, words, compiled.count, compiled.groups, tuple(compiled.names)
    )
    return pattern


def _is_known_python() -> bool:
    """Whether this Python compiles patterns as `_compiled` and `_restored` do."""
    if sys.implementation.name != "cpython" or not _FIRST_VERSION <= sys.version_info[:2] <= _LAST_VERSION:
        return False
    import _sre

    return bool(memoryview(b"").cast(_CODE).itemsize == _sre.CODESIZE)


_is_known = _is_known_python()


def _header() -> bytes:
    """The first line of the file, by which only the same Python reads it."""
    import _sre

    return f"memtool compiled 1 {sys.hexversion:x} {_sre.MAGIC} {sys.byteorder}\n".encode()


def _load(path: str) -> StoredEntries:
    """The entries in the file; none where it is missing, damaged, of another Python, or another user's."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        stored = StoredEntries(open(handle, "rb", buffering=0))  # noqa: SIM115 - closed with what reads it
        status = os.fstat(handle)
        is_own = status.st_uid == os.geteuid() and not status.st_mode & 0o022
        if not (stat.S_ISREG(status.st_mode) and is_own and status.st_size <= _MAX_BYTES):
            return StoredEntries()
        header = _header()
        head = os.pread(handle, len(header) + 8, 0)
        size, checksum = (int.from_bytes(head[len(header) + at :][:4], "big") for at in (0, 4))
        if not head.startswith(header) or size > status.st_size:
            return StoredEntries()
        index = os.pread(handle, size, len(head))
        if crc32(index) != checksum:
            return StoredEntries()
        stored.index = msgpack.decode(index, type=Index)
        return stored
    except (OSError, DecodeError):
        return StoredEntries()


def _write(path: str, entries: Entries) -> None:
    header = _header()
    index: Index = {key: (_MAX_BYTES, len(entry), crc32(entry)) for key, entry in entries.items()}
    start = len(header) + 8 + len(msgpack.encode(index))  # an upper limit: offsets may take fewer bytes
    end = start
    for key, entry in entries.items():
        index[key] = (end, len(entry), crc32(entry))
        end += len(entry)
    if end > _MAX_BYTES:
        return
    encoded = msgpack.encode(index)
    head = header + len(encoded).to_bytes(4, "big") + crc32(encoded).to_bytes(4, "big") + encoded
    temporary = f"{path}.{os.getpid()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(b"".join([head.ljust(start, b"\0"), *entries.values()]))
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
