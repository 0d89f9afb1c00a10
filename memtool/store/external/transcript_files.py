"""Transcripts outside the tree, read-only, as streams that can be read repeatedly."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO, Protocol

from memtool.errors import UnreadableFile
from memtool.store.files.posix import error_reason, kind_name

if TYPE_CHECKING:
    import apsw

_BLOCK = 1 << 18
_MAX_LINE = 1 << 28
"""Longest line in bytes: 256 MB. A longer line is truncated, and then is not valid JSON."""
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
    whether that is the whole file.
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

    def _read(self, step: Callable[[], bytes]) -> bytes:
        try:
            return step()
        except OSError as error:
            raise UnreadableFile(f"{self.name} cannot be read: {error_reason(error)}") from error


class TranscriptDatabase:
    """A SQLite database as lines: OpenClaw's events by session, or nano's messages by chat.

    A session of OpenClaw begins with a line that names it. With a `session`, only the events of that one, or
    the messages of that chat.
    """

    is_complete = True

    def __init__(self, name: str, session: str | None = None) -> None:
        self.name = name
        self._session = session

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each event as a line, with its number. Raises UnreadableFile."""
        import apsw

        number = 0
        session = None
        try:
            flags = apsw.SQLITE_OPEN_READONLY
            with apsw.Connection(self.name, flags=flags) as database:
                database.set_busy_timeout(2000)
                database.execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
                if database.table_exists(None, "messages"):
                    yield from self._messages(database)
                    return
                for id_, event in database.execute(
                    "SELECT session_id, event_json FROM transcript_events"
                    " WHERE ?1 IS NULL OR session_id = ?1 ORDER BY session_id, seq",
                    (self._session,),
                ):
                    if id_ != session:
                        session = id_
                        number += 1
                        yield number, json.dumps({"type": "session", "id": str(id_), "version": 3}).encode()
                    number += 1
                    yield number, event if isinstance(event, bytes) else str(event).encode("utf-8", "replace")
        except apsw.Error as error:
            raise UnreadableFile(f"{self.name} is no database of OpenClaw or nano: {error}") from error

    def _messages(self, database: apsw.Connection) -> Iterator[tuple[int, bytes]]:
        """Each message of nano's as a line: the columns that say who wrote what, where and when."""
        rows = database.execute(
            "SELECT id, chat_jid, sender, sender_name, content, timestamp, is_from_me FROM messages"
            " WHERE ?1 IS NULL OR chat_jid = ?1 ORDER BY chat_jid, timestamp, rowid",
            (self._session,),
        )
        keys = ("id", "chat_jid", "sender", "sender_name", "content", "timestamp", "is_from_me")
        for number, row in enumerate(rows, 1):
            yield number, json.dumps(dict(zip(keys, row, strict=True)), default=str).encode()

    def blocks(self) -> Iterator[bytes]:
        """The same lines as blocks."""
        for _, line in self.lines():
            yield line + b"\n"


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
    return sorted(
        os.path.join(folder, name)
        for folder, _, names in os.walk(path)
        for name in names
        if name.endswith(_SUFFIXES) and os.path.isfile(os.path.join(folder, name))
    )


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


def path_exists(path: str) -> bool:
    """Whether a path exists; False for an invalid path."""
    try:
        return os.path.exists(path)
    except ValueError:
        return False


def open_transcript(
    path: str, progress: Progress | None = None, *, max_bytes: int | None = None, session: str | None = None
) -> TranscriptFile | TranscriptDatabase:
    """Open a transcript; `max_bytes` applies to files and `session` to databases.

    Raises UnreadableFile, also for what is not a regular file; never blocks.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            os.close(handle)
            raise UnreadableFile(f"{path} is {kind_name(mode)}, not a file")
        file = open(handle, "rb")  # noqa: SIM115 - the source keeps it open
        if file.read(len(_SQLITE)) == _SQLITE:
            file.close()
            return TranscriptDatabase(path, session)
    except (OSError, ValueError) as error:
        message = error_reason(error) if isinstance(error, OSError) else str(error)
        raise UnreadableFile(f"{path} cannot be read: {message}") from error
    return TranscriptFile(path, file, progress, max_bytes)


def spool(stream: BinaryIO) -> TranscriptFile:
    """Copy a pipe's content to an anonymous file, so that it can be read repeatedly."""
    import shutil
    import tempfile

    file = tempfile.TemporaryFile()  # noqa: SIM115 - as above
    shutil.copyfileobj(stream, file, _BLOCK)
    return TranscriptFile("stdin", file)
