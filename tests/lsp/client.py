"""A client of `memtool lsp`: the real command in its own process, on its stdin and stdout."""

from __future__ import annotations

import json
import os
import select
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from tests import forked
from tests.trees import clean_environment

PATIENCE = 30.0
"""Seconds within which even a busy machine answers."""
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
        },
    },
    "textDocument": {"rename": {"prepareSupport": True}},
}


class LspError(Exception):
    """The error that answers a request."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.data = error.get("data")


class LspClient:
    """One connection. Leaving it shuts the server down; it must exit with 0 and print nothing on stderr."""

    def __init__(
        self,
        root: Path,
        home: Path,
        *,
        options: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
        capabilities: Mapping[str, Any] | None = None,
        initializes: bool = True,
        names_root: bool = True,
    ) -> None:
        self.root = root
        self.versions: dict[str, int] = {}
        self.published: dict[str, list[dict[str, Any]]] = {}
        self.messages: list[dict[str, Any]] = []
        self._answers: dict[Any, dict[str, Any]] = {}
        self._read = b""
        self._number = 0
        variables = {"MEMTOOL_NOW": "2025-01-15T10:30:00+00:00", **(environment or {})}
        named = ["--root", str(root)] if names_root else []
        self._process = forked.started(["lsp", *named, *options], home, clean_environment(home, **variables))
        if initializes:
            self.capabilities = self.initialize(capabilities or CAPABILITIES)

    def __enter__(self) -> LspClient:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.request("shutdown")
            self.notify("exit")
            code, errors = self.end()
            assert (code, errors) == (0, "")
        else:
            self._process.kill()
            self.end()

    def end(self) -> tuple[int, str]:
        """Close stdin, and return the exit code and what was printed on stderr."""
        _, errors = self._process.communicate(timeout=PATIENCE)
        return self._process.returncode, errors.decode()

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    def initialize(self, capabilities: Mapping[str, Any], folders: Iterable[Path] = ()) -> dict[str, Any]:
        """The handshake, with the folders of the workspace; the capabilities of the server."""
        params = {"processId": None, "rootUri": self.root.as_uri(), "capabilities": capabilities}
        params["workspaceFolders"] = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        params["clientInfo"] = {"name": "test"}
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result["capabilities"]

    def wait_until_loaded(self) -> None:
        """Wait until the server has loaded all files."""
        self.request("workspace/symbol", {"query": ""})

    def uri(self, path: str) -> str:
        """The URI of a file of the workspace."""
        return (self.root / path).as_uri()

    def send(self, message: Any) -> None:
        """Send a message, or, as bytes, exactly these."""
        body = json.dumps(message).encode() if not isinstance(message, bytes) else message
        assert self._process.stdin is not None
        if not isinstance(message, bytes):
            body = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        self._process.stdin.write(body)
        self._process.stdin.flush()

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request, and return its id."""
        self._number += 1
        given = {} if params is None else {"params": params}
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, **given})
        return self._number

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request, and return its result. Raises LspError."""
        return self.answer(self.ask(method, params))

    def answer(self, number: int) -> Any:
        """The result of a request. Raises LspError."""
        while number not in self._answers:
            self.read_message()
        answer = self._answers.pop(number)
        if "error" in answer:
            raise LspError(answer["error"])
        return answer["result"]

    def has_answer(self, number: int) -> bool:
        """Whether the answer to a request was read, which `answer` has not taken yet."""
        return number in self._answers

    def read_message(self) -> None:
        """Read one message of the server, and keep it."""
        message = self._next()
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published[params["uri"]] = params["diagnostics"]
            self.versions[params["uri"]] = params.get("version") or 0
        elif method is not None:
            self.messages.append(message)
            if "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
        else:
            self._answers[message.get("id")] = message

    def _next(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while True:
            head, blank, rest = self._read.partition(b"\r\n\r\n")
            if blank:
                size = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
                if len(rest) >= size:
                    self._read = rest[size:]
                    return json.loads(rest[:size])
            assert self._process.stdout is not None
            handle = self._process.stdout.fileno()
            wait = deadline - time.monotonic()
            assert select.select([handle], [], [], max(wait, 0.0))[0], "the server does not answer"
            block = os.read(handle, 1 << 16)
            if not block:
                raise EOFError(self.end())
            self._read += block

    def open(self, path: str, text: str | None = None, version: int = 1) -> str:
        """Open a document, by default with the text of its file, and return its URI."""
        uri = self.uri(path)
        text = (self.root / path).read_bytes().decode() if text is None else text
        item = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, version: int, *changes: Any) -> None:
        """Change a document: by a new text, or by ((line, character), (line, character), text)."""
        events = [
            {"text": change}
            if isinstance(change, str)
            else {"range": span(*change[0], *change[1]), "text": change[2]}
            for change in changes
        ]
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": events})

    def close(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(
        self, uri: str, version: int = 1, until: Callable[[list[dict[str, Any]]], bool] = lambda _: True
    ) -> list[dict[str, Any]]:
        """The diagnostics of a version of a document, once they are as expected."""
        while self.versions.get(uri, -1) < version or not until(self.published[uri]):
            self.read_message()
        return self.published[uri]

    def codes(self, uri: str, version: int = 1, *, expected: set[str]) -> set[str]:
        """The codes of a document's diagnostics, once they are exactly the expected ones."""
        found = self.diagnostics(uri, version, lambda rows: {row["code"] for row in rows} == expected)
        return {row["code"] for row in found}

    def at(self, method: str, uri: str, line: int, character: int, **more: Any) -> Any:
        """The result of a request about a position of a document."""
        position = {"line": line, "character": character}
        return self.request(
            f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position, **more}
        )

    def actions(self, uri: str, first: int, last: int, **context: Any) -> dict[str, dict[str, Any]]:
        """The code actions of lines, by title."""
        params = {
            "textDocument": {"uri": uri},
            "range": span(first, 0, last, 1000),
            "context": {"diagnostics": [], **context},
        }
        return {action["title"]: action for action in self.request("textDocument/codeAction", params) or ()}


def span(line: int, character: int, end_line: int, end_character: int) -> dict[str, Any]:
    """A range of the protocol."""
    return {
        "start": {"line": line, "character": character},
        "end": {"line": end_line, "character": end_character},
    }


def place_of(text: str, words: str, offset: int = 0) -> tuple[int, int]:
    """The line and the UTF-16 character at which words stand in a text."""
    at = text.index(words) + offset
    line_start = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at), len(text[line_start:at].encode("utf-16-le")) // 2


def run_memtool(home: Path, root: Path, *arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """Run the command in a folder: its exit code, stdout and stderr."""
    variables = clean_environment(home, MEMTOOL_NOW="2025-01-15T10:31:00Z")
    result = forked.run(arguments, stdin, root, variables, PATIENCE)
    return result.returncode, result.stdout.decode(), result.stderr.decode()
