"""What is fuzzed, in groups: every reader of a group is given each input of the group."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memtool.cli.hooks.runner import run_hook
from memtool.cli.mcp_session import mcp_session_factory
from memtool.core.hooks.hook_event import parse_hook_event
from memtool.core.memories.memory_commands import COMMANDS
from memtool.core.search.prompts import prompt_queries
from memtool.errors import MemtoolError
from memtool.formats.table import FORMATS
from memtool.serve.mcp.arguments import parse_arguments
from memtool.serve.mcp.table import TOOLS
from memtool.verbs.history.import_ import TRANSCRIPT_FORMATS, recognise_transcript
from memtool.verbs.memories.memories import answer_command
from tests.bench.odd_texts import PIECES, READERS
from tests.serve.mcp.talk import sample, session
from tests.transcripts.sources import Given
from tests.transcripts.test_any import SAMPLES
from tests.trees import SAMPLE, contents, opened

_RENEWED = 500
"""Inputs after which a group that writes begins with a new tree, so that no input depends on all before."""
_LONGEST = 4_096
_FIELDS = ("path", "file_text", "old_str", "new_str", "insert_text", "old_path", "new_path")

Read = Callable[[bytes], None]


class Group:
    """Readers that are given the same inputs. `read` raises what a reader must not raise."""

    def __init__(self, readers: Iterable[str], read: Read, seeds: Iterable[bytes]) -> None:
        self.readers = tuple(readers)
        self.read = read
        self.seeds = [seed[:_LONGEST] for seed in seeds]


def build_group(name: str, folder: Path) -> Group:
    """A group by its name, which may use a folder of its own. Raises KeyError."""
    return _GROUPS[name](folder)


def _texts(names: Iterable[str]) -> Callable[[Path], Group]:
    chosen = {name: READERS[name] for name in names}

    def build(_: Path) -> Group:
        def read(data: bytes) -> None:
            text = data.decode("utf-8", "replace")
            for reader in chosen.values():
                with contextlib.suppress(MemtoolError, ValueError):
                    reader(text)

        return Group(chosen, read, [*contents(SAMPLE).values(), *(piece.encode() * 3 for piece in PIECES)])

    return build


def _round_trips(_: Path) -> Group:
    """Formats, each of which gives back the text that it has parsed, byte for byte."""

    def read(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        for row in FORMATS:
            try:
                value = row.parse(text)
            except (MemtoolError, ValueError):
                continue
            row.record(value)
            if row.name not in _WRITTEN_ANEW and row.render(value) != text:
                raise AssertionError(f"{row.name} gives back another text than it has parsed")

    return Group((row.name for row in FORMATS), read, contents(SAMPLE).values())


_WRITTEN_ANEW = {"turn", "head", "quarantine-record", "salience"}
"""JSON, whose spaces are not kept."""


def _transcripts(_: Path) -> Group:
    def read(data: bytes) -> None:
        source = Given(data)
        recognise_transcript(source)
        for module in TRANSCRIPT_FORMATS.values():
            with contextlib.suppress(MemtoolError):
                for _ in module.read(source):
                    pass

    return Group(TRANSCRIPT_FORMATS, read, (source.content for source in SAMPLES.values()))


def _hooks(folder: Path) -> Group:
    """Hooks, parsed alone and run whole; a run must record no failure of memtool itself."""
    trees = _Trees(folder)

    def read(data: bytes) -> None:
        root = trees.root()
        text = data.decode("utf-8", "replace")
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            record = None
        parse_hook_event(record)
        with contextlib.redirect_stdout(None):
            run_hook({"root": str(root)}, text)
        log = root / ".memtool" / "log"
        if log.exists():
            for line in log.read_text().splitlines():
                if any(f" {name}" in line for name in _UNEXPECTED):
                    raise AssertionError(f"a hook failed: {line}")
            log.unlink()

    return Group(["hook JSON", "hook"], read, map(_json, _HOOK_SEEDS))


_UNEXPECTED = (
    *("TypeError", "ValueError", "KeyError", "IndexError", "AttributeError", "RecursionError"),
    *("UnicodeError", "UnicodeEncodeError", "UnicodeDecodeError", "AssertionError", "OverflowError"),
)
_HOOK_SEEDS: tuple[Mapping[str, Any], ...] = (
    {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "When is the kiln free?"},
    {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "I prefer short answers."},
    {"hook_event_name": "SessionStart", "session_id": "s", "source": "compact"},
    {"hook_event_name": "PreCompact", "session_id": "s", "transcript_path": "gone.jsonl"},
    {"hook_event_name": "PostCompact", "session_id": "s", "compact_summary": "We spoke of kilns."},
    {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "Done."},
    {"hook_event_name": "SessionEnd", "session_id": "s"},
    {"type": "agent-turn-complete", "thread-id": "s", "input-messages": ["a"], "last-assistant-message": "b"},
    {"type": "message", "action": "received", "context": {"content": "hello"}, "sessionKey": "s"},
    {"type": "agent", "action": "bootstrap", "context": {"bootstrapFiles": [{"path": "a"}]}},
)


def _mcp(folder: Path) -> Group:
    """Calls of tools: a byte for the tool, then its arguments as JSON, or as texts between zero bytes."""
    trees = _Trees(folder)
    contexts: dict[Path, Any] = {}

    def read(data: bytes) -> None:
        root = trees.root()
        if root not in contexts:
            contexts.clear()
            contexts[root] = mcp_session_factory(session(root, folder), None, read_only=False)
        tool = TOOLS[(data[0] if data else 0) % len(TOOLS)]
        with contextlib.suppress(MemtoolError):
            arguments = parse_arguments(tool.name, tool.arguments, _arguments(tool, data[1:]))
            tool.call(contexts[root](), arguments)

    def seeds() -> Iterator[bytes]:
        for number, tool in enumerate(TOOLS):
            for text in ("kiln", "MEMORY.md", "Remember that the kiln is free", "../../etc/passwd"):
                yield bytes([number]) + _json({argument.name: text for argument in tool.arguments[:1]})
                yield bytes([number]) + text.encode()

    return Group((tool.name for tool in TOOLS), read, seeds())


def _arguments(tool: Any, data: bytes) -> Mapping[str, Any]:
    text = data.decode("utf-8", "surrogateescape")
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(text)
        if isinstance(value, dict):
            return value
    return dict(zip((argument.name for argument in tool.arguments), text.split("\0"), strict=False))


def _memory_tool(folder: Path) -> Group:
    """Commands of the memory tool: a byte for the command, then its fields as JSON or between zero bytes."""
    trees = _Trees(folder)

    def read(data: bytes) -> None:
        root = trees.root()
        text = data[1:].decode("utf-8", "surrogateescape")
        record: Any = dict(zip(_FIELDS, text.split("\0"), strict=False))
        with contextlib.suppress(ValueError, RecursionError):
            record = {**record, **json.loads(text)} if text.startswith("{") else record
        record["command"] = COMMANDS[(data[0] if data else 0) % len(COMMANDS)]
        record.setdefault("insert_line", len(text) % 7)
        answer_command(opened(root, "native"), record)
        trees.check()

    def seeds() -> Iterator[bytes]:
        for number, _ in enumerate(COMMANDS):
            for path in (
                "/memories/customers.md",
                "/memories/../MEMORY.md",
                "/memories/%2e%2e/x",
                "/memories",
            ):
                yield (
                    bytes([number])
                    + "\0".join([path, "text", "old", "new", "more", path, f"{path}2"]).encode()
                )

    return Group(COMMANDS, read, seeds())


class _Trees:
    """Copies of the sample workspace, each used for a number of inputs; nothing beside them may change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._root: Path | None = None

    def root(self) -> Path:
        """The tree for the next input."""
        self._count += 1
        if self._root is None or self._count % _RENEWED == 0:
            self._clear()
            place = self._folder / f"tree-{self._count}"
            place.mkdir()
            self._root = sample(place)
        return self._root

    def check(self) -> None:
        """Raise AssertionError if a file was made beside the tree."""
        assert self._root is not None
        beside = {*os.listdir(self._root.parent)} - {self._root.name}
        assert not beside, f"made outside of the workspace: {beside}"

    def _clear(self) -> None:
        if self._root is not None:
            shutil.rmtree(self._root.parent)


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


_SCANNING = ("scan", "extract", "circumstances", "corrections", "foreign", "private", "distress", "recalled")
_LINT = tuple(name for name in READERS if name.startswith("lint "))
_OTHERS = tuple(
    name for name in READERS if name not in {*_SCANNING, *_LINT} and not name.startswith("format ")
)


def _queries(_: Path) -> Group:
    def read(data: bytes) -> None:
        list(prompt_queries(data.decode("utf-8", "surrogateescape")))

    return Group(["prompts"], read, (piece.encode() for piece in PIECES))


_GROUPS: Mapping[str, Callable[[Path], Group]] = {
    "messages": _texts(_SCANNING),
    "texts": _texts(_OTHERS),
    "lint": _texts(_LINT),
    "formats": _round_trips,
    "transcripts": _transcripts,
    "queries": _queries,
    "hooks": _hooks,
    "mcp": _mcp,
    "memory-tool": _memory_tool,
}
GROUPS = tuple(_GROUPS)
