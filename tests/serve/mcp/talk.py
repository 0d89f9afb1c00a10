"""A talk with `memtool mcp` in JSON lines: the server in a thread of this process, on pipes."""

from __future__ import annotations

import json
import os
import select
import shutil
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memtool.cli.mcp_session import mcp_session_factory
from memtool.cli.session import Session
from tests.trees import SAMPLE

NEWEST = "2025-11-25"
"""The newest version of the protocol that begins with a handshake."""
PATIENCE = 20.0
"""Seconds within which even a busy machine answers."""


def sample(tmp_path: Path) -> Path:
    """A copy of the sample workspace."""
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    return root


def session(root: Path, home: Path, *, given: Mapping[str, Any] | None = None, **environment: str) -> Session:
    """A run of the command line on a workspace, at the usual moment, with nothing of this machine's user."""
    one = Session()
    one.given = {"root": str(root), "quiet": True, **(given or {})}
    one.environment = {
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "MEMTOOL_NOW": "2025-01-15T10:30:00+00:00",
        **environment,
    }
    return one


class Talk:
    """One client's connection. Leaving it ends the server, which must end by itself."""

    def __init__(
        self, start: Session, group: str | None = None, *, read_only: bool = False, shakes: bool = True
    ) -> None:
        from memtool.serve.mcp.server import serve  # late: each process would collect the SDK for 1 s

        source, self._out = os.pipe()
        self._in, sink = os.pipe()
        self._read = b""
        self._number = 0
        self._kept: dict[Any, dict[str, Any]] = {}

        def run() -> None:
            try:
                serve(
                    mcp_session_factory(start, group, read_only=read_only), source, sink, read_only=read_only
                )
            finally:
                os.close(source)
                os.close(sink)

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()
        if shakes:
            self.shake()

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()
        self._thread.join(PATIENCE)
        os.close(self._in)
        assert not self._thread.is_alive(), "the server did not end when its stdin did"

    def hang_up(self) -> None:
        """End the server's stdin."""
        if self._out >= 0:
            os.close(self._out)
            self._out = -1

    def shake(self, version: str = NEWEST) -> dict[str, Any]:
        """The handshake; what the server says of itself."""
        about = {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        answer = self.ask("initialize", about)["result"]
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def say(self, message: Any) -> None:
        """Send a message, or, as bytes, a line as it is."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        rest = memoryview(line + b"\n")
        while rest:
            rest = rest[os.write(self._out, rest) :]

    def request(self, method: str, params: Any = None) -> int:
        """Send a request, and give its id."""
        self._number += 1
        asked = {} if params is None else {"params": params}
        self.say({"jsonrpc": "2.0", "id": self._number, "method": method, **asked})
        return self._number

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request, and wait for its answer."""
        return self.answer(self.request(method, params))

    def answer(self, number: Any) -> dict[str, Any]:
        """The answer to a request; others that come before it are kept."""
        while number not in self._kept:
            message = self.hear()
            self._kept[message.get("id")] = message
        return self._kept.pop(number)

    def is_answered(self, number: Any) -> bool:
        """Whether the answer to a request is among those that came before others."""
        return number in self._kept

    def hear(self) -> dict[str, Any]:
        """The next message of the server, whatever it is. Raises EOFError where there is none."""
        while b"\n" not in self._read:
            assert select.select([self._in], [], [], PATIENCE)[0], "the server says nothing"
            block = os.read(self._in, 1 << 16)
            if not block:
                raise EOFError
            self._read += block
        line, self._read = self._read.split(b"\n", 1)
        return json.loads(line)

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its result."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in answer, answer
        return answer["result"]

    def text(self, tool: str, /, **arguments: Any) -> str:
        """The text that a tool answers, if it did not fail."""
        result = self.call(tool, **arguments)
        assert not result["isError"], result
        return result["content"][0]["text"]

    def refusal(self, tool: str, /, **arguments: Any) -> str:
        """The sentence with which a tool fails."""
        result = self.call(tool, **arguments)
        assert result["isError"], result
        return result["content"][0]["text"]
