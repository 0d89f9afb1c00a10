"""A stand-in for the Messages API on the loopback: it asks for the tool calls of a script, turn by turn."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class FakeApi:
    """What the model asks for, turn by turn; and every request that came."""

    script: Sequence[Sequence[Any]]
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """The next assistant message: the tool calls of its turn, or the last word."""
        turn = len(self.requests)
        self.requests.append(request)
        content: list[dict[str, Any]] = [{"type": "text", "text": "that is all"}]
        if turn < len(self.script):
            content = [
                {"type": "tool_use", "id": f"toolu_{turn}_{number}", "name": "memory", "input": command}
                for number, command in enumerate(self.script[turn])
            ]
        return {
            "id": f"msg_{turn}",
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": content,
            "stop_reason": "tool_use" if turn < len(self.script) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    @property
    def told(self) -> list[tuple[str, bool]]:
        """What the model read of each tool call: the words, and whether they are an error."""
        blocks = [
            block
            for request in self.requests[1:]
            for block in request["messages"][-1]["content"]
            if block["type"] == "tool_result"
        ]
        return [(block["content"], block.get("is_error", False)) for block in blocks]


@contextlib.contextmanager
def served(script: Sequence[Sequence[Any]]) -> Iterator[FakeApi]:
    """The stand-in, listening at its `url`."""
    api = FakeApi(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            body = json.dumps(api.reply(request)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing: the tests read `requests`."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    api.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
