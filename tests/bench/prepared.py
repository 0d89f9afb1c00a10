"""Workspaces of conversations: each user message scanned and the history imported, once for all measures."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.command_line import CommandLine, running, write_json, write_json_lines
from tests.bench.public_sets import Chat
from tests.trees import SAMPLE

HISTORY = "memory/history/turns"
_PREPARED = "prepared"


class Workspaces:
    """The folder of the workspaces; one that was prepared in an earlier run is used as it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def of(self, chat: Chat) -> Iterator[CommandLine]:
        """The workspace of a conversation."""
        root = self.folder / chat.name
        if not (self.folder / f"{chat.name}.{_PREPARED}").exists():
            self._prepare(chat, root)
        with running(root, self.home) as commands:
            yield commands

    @contextmanager
    def empty(self, name: str) -> Iterator[CommandLine]:
        """A new workspace, removed at the end."""
        with self._new(name) as root, running(root, self.home) as commands:
            commands.run("init")
            yield commands

    @contextmanager
    def sample(self) -> Iterator[CommandLine]:
        """A copy of the sample workspace of this repository, removed at the end."""
        with self._new("sample") as root:
            shutil.copytree(SAMPLE, root, dirs_exist_ok=True)
            with running(root, self.home) as commands:
                yield commands

    @contextmanager
    def _new(self, name: str) -> Iterator[Path]:
        root = self.folder / name
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        try:
            yield root
        finally:
            shutil.rmtree(root, ignore_errors=True)

    def _prepare(self, chat: Chat, root: Path) -> None:
        progress(f"{chat.name}: scanning and importing {len(chat.messages)} messages")
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        given = self.folder / "given.json"
        with running(root, self.home) as commands:
            commands.run("init")
            if not chat.is_between_people:
                commands.run("scan", "--jsonl", write_json_lines(given, scanned_lines(chat)))
            commands.run("import", "openai", write_json(given, [row.to_openai() for row in chat.messages]))
        given.unlink()
        (self.folder / f"{chat.name}.{_PREPARED}").touch()


def scanned_lines(chat: Chat, *, with_ids: bool = False) -> list[dict[str, str]]:
    """The user messages as `scan --jsonl` takes them; with `with_ids`, each of a user named for its id."""
    return [
        {"text": message.text, **({"user": f"u{message.id}"} if with_ids else {})}
        for message in chat.user_messages
    ]


def progress(text: str) -> None:
    """Print on stderr what is being measured."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
