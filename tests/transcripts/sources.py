"""Foreign transcripts for tests: sources in memory, and builders of each agent's lines.

The shapes are those that the agents' public documentation and code give; all texts are invented.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memtool.core.records.turn import ReasoningPart, TextPart, ToolCall, ToolResult
from memtool.transcripts.transcript import ImportedTurn, SkippedRecord


@dataclass
class Given:
    """A source in memory."""

    content: bytes
    name: str = "somewhere/session-1.jsonl"

    def lines(self) -> Iterator[tuple[int, bytes]]:
        for number, line in enumerate(self.content.split(b"\n"), 1):
            yield number, line.rstrip(b"\r")

    def blocks(self) -> Iterator[bytes]:
        for start in range(0, len(self.content), 100):
            yield self.content[start : start + 100]


def lines(*records: Any, name: str = "somewhere/session-1.jsonl") -> Given:
    """A file of JSON Lines; bytes stand for themselves."""
    raw = [one if isinstance(one, bytes) else json.dumps(one, ensure_ascii=False).encode() for one in records]
    return Given(b"\n".join(raw) + b"\n", name)


def document(value: Any, **more: Any) -> Given:
    """A file of one JSON value."""
    return Given(json.dumps(value, **more).encode(), "somewhere/conversations.json")


def said(turns: list[Any]) -> list[list[str]]:
    """The turns in short: who says what."""
    return [
        [f"{message.role}: {short(part)}" for message in turn.messages for part in message.parts]
        for turn in turns
        if isinstance(turn, ImportedTurn)
    ]


def short(part: Any) -> str:
    match part:
        case TextPart(text, disposition):
            return text + (f" <{disposition}>" if disposition else "")
        case ReasoningPart(text, replay):
            return f"({text})" + (f" +{','.join(replay)}" if replay else "")
        case ToolCall(id_, name, arguments):
            return f"{name}{arguments}#{id_}"
        case ToolResult(id_, content, is_error):
            return f"#{id_} {'failed ' * is_error}{content}"


def skipped(items: list[Any]) -> list[tuple[int, str]]:
    return [(one.line, one.reason) for one in items if isinstance(one, SkippedRecord)]


# Claude Code ---------------------------------------------------------------------------------------------


def claude(kind: str, uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content} | more.pop("message", {})
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "isSidechain": False,
        "sessionId": "s1",
        "timestamp": "2025-01-15T10:30:00.123Z",
        "message": message,
        **more,
    }


CLAUDE = [
    {"type": "summary", "summary": "Kilns", "leafUuid": "a3"},
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
    claude("user", "u1", None, "When is the kiln free?"),
    claude("assistant", "a1", "u1", [{"type": "thinking", "thinking": "look", "signature": "sig"}], message={"id": "m1"}),
    claude("assistant", "a2", "a1", [{"type": "text", "text": "Let me look."}], message={"id": "m1"}),
    claude("assistant", "a3", "a2", [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "k.md"}}], message={"id": "m1"}),
    claude("user", "r1", "a3", [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "Thursday"}, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJDRA=="}}]}]),
    claude("assistant", "a4", "r1", [{"type": "text", "text": "On Thursday."}], message={"id": "m2"}),
    claude("user", "u2", "a4", "Thanks!", timestamp="2025-01-15T10:31:00Z"),
    claude("assistant", "a5", "u2", "You are welcome.", message={"id": "m3"}),
]  # fmt: skip
