"""A model that says what a test's script tells it to, over the protocols that agents speak to models.

It answers on the loopback alone: `POST …/messages` (Anthropic), `POST …/responses` and
`POST …/chat/completions` (OpenAI), `POST …:generateContent` and `POST …:streamGenerateContent` (Google),
streamed where the agent asks for that, and it keeps every request.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Say:
    """The model answers with a text; `tokens` is how many it says that the prompt had."""

    text: str
    tokens: int = 10


@dataclass(frozen=True)
class Call:
    """The model calls a tool, by the name that memtool gave it, whatever the agent made of that name."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    tokens: int = 10


@dataclass(frozen=True)
class Tool:
    """A tool as the agent showed it to the model."""

    name: str
    description: str
    schema: Mapping[str, Any]
    namespace: str | None = None


@dataclass(frozen=True)
class Request:
    """What an agent sent to the model."""

    path: str
    body: Any

    @property
    def text(self) -> str:
        """All that the model would read of the prompt and the conversation, tools left out."""
        names = ("system", "instructions", "systemInstruction", "messages", "input", "contents")
        shown = [self.body.get(name) for name in names]
        return "\n".join(_strings([part for part in shown if part is not None]))

    @property
    def tools(self) -> list[Tool]:
        """The tools that the model may call."""
        return list(_tools(self.body.get("tools") or [], None))

    @property
    def results(self) -> list[str]:
        """What the model was told of each tool call of the conversation, oldest first."""
        return list(_results(self.body))


class Model:
    """A server that gives a script's replies in turn, the last one again and again.

    A request that does not offer the tool which comes next is a side request of the agent (a title, say): it
    gets a few words, and the script stays where it is.
    """

    def __init__(self, script: Sequence[Say | Call]) -> None:
        self.requests: list[Request] = []
        self._script, self._next, self._made = list(script), 0, 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Model:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where it listens; agents of OpenAI's protocols want `/v1` behind it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def text(self) -> str:
        """All that the model read, in all requests."""
        return "\n".join(request.text for request in self.requests)

    @property
    def results(self) -> list[str]:
        """The tool results of the last request that had any."""
        return next((found for request in reversed(self.requests) if (found := request.results)), [])

    def tool(self, name: str) -> Tool:
        """A tool of memtool's as the model saw it; AssertionError names what it saw instead."""
        seen = {tool.name: tool for request in self.requests for tool in request.tools}
        found = _named(seen.values(), name)
        assert found is not None, f"the model was not offered {name}, but {sorted(seen)}"
        return found

    def answer(self, request: Request) -> tuple[int, Say | Call, str, str | None]:
        """A number for the reply, the reply, and the tool's name and namespace as this agent spells them."""
        with self._lock:
            self.requests.append(request)
            self._made += 1
            reply = self._script[min(self._next, len(self._script) - 1)]
            name, namespace = "", None
            if isinstance(reply, Call):
                thread = request.body.get("thread") or {}
                tool = _named(request.tools, reply.tool)
                if tool is None and thread.get("type") != "continue":
                    return self._made, Say("a side request"), "", None
                name, namespace = (tool.name, tool.namespace) if tool else (reply.tool, None)
            self._next += 1
            return self._made, reply, name, namespace


def _named(tools: Any, name: str) -> Tool | None:
    """The tool of that name; of several the one of memtool's server, for an agent may have one of its own."""
    found = [tool for tool in tools if tool.name == name or tool.name.endswith(f"_{name}")]
    ours = [tool for tool in found if "memtool" in f"{tool.namespace} {tool.name}"]
    return next(iter(ours or found), None)


def _tools(rows: Sequence[Any], namespace: str | None) -> Iterator[Tool]:
    for row in rows:
        inner = row.get("function") or row
        if "tools" in row:  # Codex groups the tools of a server
            yield from _tools(row["tools"], row.get("name"))
        elif "functionDeclarations" in row:
            yield from _tools(row["functionDeclarations"], None)
        elif "name" in inner:
            schemas = (inner.get(name) for name in ("input_schema", "parameters", "parametersJsonSchema"))
            schema = next(filter(None, schemas), {})
            yield Tool(inner["name"], inner.get("description") or "", schema, namespace)


def _results(body: Any) -> Iterator[str]:
    for item in body.get("input") or [] if isinstance(body.get("input"), list) else []:
        if item.get("type") == "function_call_output":
            yield "\n".join(_strings(item.get("output")))
    for message in body.get("messages") or []:
        if message.get("role") == "tool":
            yield "\n".join(_strings(message.get("content")))
        elif isinstance(message.get("content"), list):
            for block in message["content"]:
                if isinstance(block, dict) and block.get("type") == "tool_result":
                    yield "\n".join(_strings(block.get("content")))
    for content in body.get("contents") or []:
        for part in content.get("parts") or []:
            if "functionResponse" in part:
                yield "\n".join(_strings(part["functionResponse"].get("response")))


def _strings(value: Any) -> Iterator[str]:
    """The texts of a value; what only labels them is left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key not in {"type", "role", "id", "status", "cache_control", "signature"}:
                yield from _strings(one)


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Nothing: the requests are kept by the model."""

        def do_GET(self) -> None:
            self._send({"data": [], "object": "list", "models": []})

        def do_HEAD(self) -> None:
            self._send({})

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            path = self.path.partition("?")[0]
            protocol = next((one for end, one in _PROTOCOLS.items() if path.endswith(end)), None)
            if protocol is None:
                self._send(_COUNTS.get(path.replace(":", "/").rpartition("/")[2], {}))
                return
            body = json.loads(raw)
            whole, events = protocol(body, *model.answer(Request(path, body)))
            if not (body.get("stream") or path.endswith(":streamGenerateContent")):
                self._send(whole)
                return
            rows = (
                f"event: {name}\ndata: {data}\n\n" if name else f"data: {data}\n\n" for name, data in events
            )
            self._write("".join(rows).encode(), "text/event-stream")

        def _send(self, value: Any) -> None:
            self._write(json.dumps(value).encode(), "application/json")

        def _write(self, content: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

    return Handler


_Answer = tuple[dict[str, Any], list[tuple[str, str]]]


def _messages(body: Any, number: int, reply: Say | Call, name: str, _: str | None) -> _Answer:
    """Anthropic's Messages: https://docs.anthropic.com/en/api/messages-streaming."""
    if isinstance(reply, Call):
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": dict(reply.arguments)}
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(dict(reply.arguments))}
    else:
        block, empty = {"type": "text", "text": reply.text}, {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": reply.text}
    stop = "tool_use" if isinstance(reply, Call) else "end_turn"
    usage = {"input_tokens": reply.tokens, "output_tokens": 5}
    usage |= {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.get("model", "")}
    message |= {"content": [block], "stop_reason": stop, "stop_sequence": None, "usage": usage}
    end = {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 5}}
    events: list[tuple[str, dict[str, Any]]] = [
        ("message_start", {"message": {**message, "content": [], "stop_reason": None}}),
        ("content_block_start", {"index": 0, "content_block": empty}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", end),
        ("message_stop", {}),
    ]
    return message, [(kind, json.dumps({"type": kind, **data})) for kind, data in events]


def _responses(body: Any, number: int, reply: Say | Call, name: str, namespace: str | None) -> _Answer:
    """OpenAI's Responses, as Codex reads them."""
    item: dict[str, Any]
    if isinstance(reply, Call):
        item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name}
        item |= {"arguments": json.dumps(dict(reply.arguments)), "status": "completed"}
        item |= {"namespace": namespace} if namespace else {}
    else:
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        item = {"type": "message", "id": f"m_{number}", "role": "assistant", "content": content}
        item["status"] = "completed"
    usage = {"input_tokens": reply.tokens, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": reply.tokens + 5}
    whole = {"id": f"resp_{number}", "object": "response", "status": "completed", "model": body.get("model")}
    whole |= {"output": [item], "usage": usage}
    events: list[tuple[str, dict[str, Any]]] = [
        ("response.created", {"response": {**whole, "output": [], "status": "in_progress"}}),
        ("response.output_item.added", {"output_index": 0, "item": item}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": whole}),
    ]
    return whole, [(kind, json.dumps({"type": kind, **data})) for kind, data in events]


def _chat(body: Any, number: int, reply: Say | Call, name: str, _: str | None) -> _Answer:
    """OpenAI's Chat Completions."""
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(reply, Call):
        function = {"name": name, "arguments": json.dumps(dict(reply.arguments))}
        message["tool_calls"] = [
            {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
        ]
    else:
        message["content"] = reply.text
    end = "tool_calls" if isinstance(reply, Call) else "stop"
    base = {"id": f"chat_{number}", "created": 0, "model": body.get("model")}
    usage = {"prompt_tokens": reply.tokens, "completion_tokens": 5, "total_tokens": reply.tokens + 5}
    choice = {"index": 0, "message": message, "finish_reason": end}
    whole = {**base, "object": "chat.completion", "choices": [choice], "usage": usage}
    chunk = {"index": 0, "delta": message, "finish_reason": end}
    part = {**base, "object": "chat.completion.chunk", "choices": [chunk], "usage": usage}
    return whole, [("", json.dumps(part)), ("", "[DONE]")]


def _generate(body: Any, number: int, reply: Say | Call, name: str, _: str | None) -> _Answer:
    """Google's Gemini API: https://ai.google.dev/api/generate-content."""
    part: dict[str, Any] = {"text": reply.text} if isinstance(reply, Say) else {}
    if isinstance(reply, Call):
        part = {"functionCall": {"id": f"call_{number}", "name": name, "args": dict(reply.arguments)}}
    usage = {"promptTokenCount": reply.tokens, "candidatesTokenCount": 5, "totalTokenCount": reply.tokens + 5}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "mock-model"}
    return whole, [("", json.dumps(whole))]


_PROTOCOLS = {
    "/messages": _messages,
    "/responses": _responses,
    "/chat/completions": _chat,
    ":generateContent": _generate,
    ":streamGenerateContent": _generate,
}
_COUNTS = {"count_tokens": {"input_tokens": 10}, "countTokens": {"totalTokens": 10}}
"""The answers to requests that count tokens, by the last part of their path."""
