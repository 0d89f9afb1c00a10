"""Transcripts outside the tree, read-only, as streams that can be read repeatedly."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Protocol

from memtool.core.digest import blake2b
from memtool.errors import UnreadableFile
from memtool.store.external.transcript_databases import TranscriptDatabase, decoded
from memtool.store.files.posix import error_reason, kind_name

_BLOCK = 1 << 18
_MAX_LINE = 1 << 28
"""Longest line in bytes: 256 MB. A longer line is truncated, and then is not valid JSON."""
_PRINTED, _PRINTED_AFTER = 4_096, 256
"""Bytes at the beginning of a file and before an offset, and after it, by which it is recognised."""
_SQLITE = b"SQLite format 3\0"
_MAX_DAYS = 100
"""Number of days with sessions that are searched for a thread's log."""
_SUFFIXES = (".jsonl", ".json", ".ndjson", ".sqlite", ".db")

Progress = Callable[[int, int], None]


class OpenTranscript(Protocol):
    """The interface of `transcripts.transcript.TranscriptSource`, which this layer may not import."""

    @property
    def name(self) -> str:
        """Its path."""
        ...

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Its lines with their numbers."""
        ...

    def blocks(self) -> Iterator[bytes]:
        """Its bytes in blocks."""
        ...


class TranscriptFile:
    """A transcript file; each reading calls `progress` with the bytes read and the size.

    With `max_bytes`, only the complete lines in its last `max_bytes` bytes are read; `is_complete` tells
    whether that is the whole file. `resume` reads from a later line on.
    """

    def __init__(
        self, name: str, file: BinaryIO, progress: Progress | None = None, max_bytes: int | None = None
    ) -> None:
        self.name = name
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
        self._progress = progress
        self.is_complete = max_bytes is None or self._size <= max_bytes
        self._start = 0 if max_bytes is None or self.is_complete else self._size - max_bytes
        if self._start:
            self._file.seek(self._start)
            self._start += len(self._read(lambda: self._file.readline(_MAX_LINE)))

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each line with its number (from 1), without its line end. Raises UnreadableFile."""
        self._file.seek(self._start)
        read = 0
        raw_lines = iter(lambda: self._read(lambda: self._file.readline(_MAX_LINE)), b"")
        for number, line in enumerate(raw_lines, 1):
            yield number, line.rstrip(b"\r\n")
            read += len(line)
            if len(line) == _MAX_LINE and not line.endswith(b"\n"):
                while (rest := self._read(lambda: self._file.readline(_BLOCK))) and not rest.endswith(b"\n"):
                    read += len(rest)
            if self._progress is not None:
                self._progress(read, max(read, self._size))

    def blocks(self) -> Iterator[bytes]:
        """The content in blocks of at most 256 KiB. Raises UnreadableFile."""
        self._file.seek(self._start)
        read = 0
        while block := self._read(lambda: self._file.read(_BLOCK)):
            yield block
            read += len(block)
            if self._progress is not None:
                self._progress(read, max(read, self._size))

    def resume(self, offset: int, fingerprint: str) -> bool:
        """Read from the line at this byte on, if the bytes around it are those of the fingerprint."""
        is_same = 0 < offset < self._size and self.fingerprint(offset) == fingerprint
        if is_same:
            self._start, self.is_complete = offset, True
        return is_same

    def fingerprint(self, offset: int) -> str:
        """A digest of the file's beginning and of the bytes around an offset. Raises UnreadableFile."""
        digest = blake2b(digest_size=16)
        for start, end in ((0, _PRINTED), (offset - _PRINTED, offset + _PRINTED_AFTER)):
            self._file.seek(max(0, start))
            size = min(end, offset + _PRINTED_AFTER) - max(0, start)
            digest.update(self._read(lambda size=size: self._file.read(size)))  # type: ignore[misc]
        return digest.hexdigest()

    def offset_of(self, pattern: bytes) -> int | None:
        """The byte at which the first line begins, of those that are read, that a pattern matches."""
        offset = self._start
        for _, line in self._raw_lines():
            if re.search(pattern, line):
                return offset
            offset += len(line)
        return None

    def _raw_lines(self) -> Iterator[tuple[int, bytes]]:
        self._file.seek(self._start)
        return enumerate(iter(lambda: self._read(lambda: self._file.readline(_MAX_LINE)), b""), 1)

    def _read(self, step: Callable[[], bytes]) -> bytes:
        try:
            return step()
        except OSError as error:
            raise UnreadableFile(f"{self.name} cannot be read: {error_reason(error)}") from error


class OpencodeFolders:
    """A session of opencode's older versions, as one line in the form of its export.

    The session, its messages and their parts are files in folders of their own, below `storage`.
    """

    is_complete = True

    def __init__(self, name: str, storage: str) -> None:
        self.name = name
        self._storage = storage

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """The session as one line. Raises UnreadableFile."""
        info = _json_file(self.name)
        messages = [
            {"info": message, "parts": self._records("part", message)}
            for message in self._records("message", info)
        ]
        yield 1, json.dumps({"info": info, "messages": messages}).encode()

    def _records(self, kind: str, owner: dict[str, Any]) -> list[dict[str, Any]]:
        """The messages of a session, or the parts of a message: the files in the folder of its id."""
        id_ = owner.get("id")
        is_name = isinstance(id_, str) and re.fullmatch(r"\w+", id_, re.ASCII)
        return _json_files(os.path.join(self._storage, kind, str(id_))) if is_name else []

    def blocks(self) -> Iterator[bytes]:
        """The same line as a block."""
        for _, line in self.lines():
            yield line + b"\n"


OpenedTranscript = TranscriptFile | TranscriptDatabase | OpencodeFolders
"""A transcript outside the tree that is open for reading."""


def _json_files(folder: str) -> list[dict[str, Any]]:
    """The objects in the JSON files of a folder, by name; empty where there is none."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return []
    return [_json_file(os.path.join(folder, name)) for name in names]


def _json_file(path: str) -> dict[str, Any]:
    with _open_regular(path) as file:
        return decoded(file.read(_MAX_LINE))


def _opencode_storage(path: str) -> str | None:
    """The folder that holds the parts of an opencode session's file (`storage/session/*/ses_*.json`)."""
    folder, name = os.path.split(os.path.abspath(path))
    storage, kind = os.path.split(os.path.dirname(folder))
    is_session = name.endswith(".json") and kind == "session"
    return storage if is_session and os.path.isdir(os.path.join(storage, "message")) else None


def find_transcripts(path: str) -> list[str]:
    """The possible transcripts at a path, sorted: the file itself, or the files below a folder by suffix.

    Raises UnreadableFile if the path does not exist.
    """
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error_reason(error)}") from error
    if stat.S_ISREG(mode):
        return [path]
    if not stat.S_ISDIR(mode):
        raise UnreadableFile(f"{path} is {kind_name(mode)}, not a file")
    found: list[str] = []
    for folder, folders, names in os.walk(path):
        if {"session", "message", "part"} <= {*folders}:
            folders[:] = ["session"]  # of opencode, whose messages and parts are read with their session
        files = (os.path.join(folder, name) for name in names if name.endswith(_SUFFIXES))
        found += [file for file in files if os.path.isfile(file)]
    return sorted(found)


def find_codex_log(home: str, thread: str) -> str | None:
    """The newest log of a thread in Codex's folder; None if the newest days have none."""
    if not re.fullmatch(r"[\w-]{1,64}", thread, re.ASCII):
        return None
    folders = [os.path.join(home, "sessions")]
    for _ in range(3):  # years, months, days
        folders = [inner for folder in folders for inner in _folders(folder)][:_MAX_DAYS]
    for folder in folders:
        with contextlib.suppress(OSError):
            names = [name for name in os.listdir(folder) if name.endswith(f"-{thread}.jsonl")]
            if names:
                return os.path.join(folder, max(names))
    return None


def _folders(folder: str) -> list[str]:
    """The folders in a folder, sorted by name in descending order."""
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.path for entry in entries if entry.is_dir()), reverse=True)
    except OSError:
        return []


def newest_siblings(path: str, most: int) -> list[str]:
    """The other transcripts in the folder of one, those written last first; none for a relative path."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder if path.startswith("/") else "") as entries:
            files = [entry for entry in entries if entry.name.endswith(".jsonl") and entry.name != name]
            times = {entry.path: entry.stat().st_mtime_ns for entry in files if entry.is_file()}
    except (OSError, ValueError):
        return []
    return sorted(times, key=lambda file: -times[file])[:most]


def path_exists(path: str) -> bool:
    """Whether a path exists; False for an invalid path."""
    try:
        return os.path.exists(path)
    except ValueError:
        return False


def resolved_path(path: str) -> str:
    """An absolute path without links; "" for a relative or invalid one."""
    try:
        return os.path.realpath(path) if path.startswith("/") else ""
    except (OSError, ValueError):
        return ""


def open_transcript(
    path: str, progress: Progress | None = None, *, max_bytes: int | None = None, session: str | None = None
) -> OpenedTranscript:
    """Open a transcript; `max_bytes` applies to files and `session` to databases.

    Raises UnreadableFile, also for what is not a regular file; never blocks.
    """
    file = _open_regular(path)
    if file.read(len(_SQLITE)) == _SQLITE:
        file.close()
        return TranscriptDatabase(path, session)
    if storage := _opencode_storage(path):
        file.close()
        return OpencodeFolders(path, storage)
    return TranscriptFile(path, file, progress, max_bytes)


def _open_regular(path: str) -> BinaryIO:
    """Open a regular file for reading. Raises UnreadableFile; never blocks."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        message = error_reason(error) if isinstance(error, OSError) else str(error)
        raise UnreadableFile(f"{path} cannot be read: {message}") from error
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        raise UnreadableFile(f"{path} is {kind_name(mode)}, not a file")
    return open(handle, "rb")


def spool(stream: BinaryIO) -> TranscriptFile:
    """Copy a pipe's content to an anonymous file, so that it can be read repeatedly."""
    import shutil
    import tempfile

    file = tempfile.TemporaryFile()  # noqa: SIM115 - as above
    shutil.copyfileobj(stream, file, _BLOCK)
    return TranscriptFile("stdin", file)
