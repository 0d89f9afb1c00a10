"""A transcript that a test holds in memory, handed out in small blocks."""

import json

from memtool.transcripts.transcript import ImportedFact, ImportedTurn, SkippedRecord


class InMemory:
    def __init__(self, content, name="somewhere/file.json", block=7):
        self.name, self.block = name, block
        self.bytes = content if isinstance(content, bytes) else json.dumps(content).encode()

    def lines(self):
        for number, line in enumerate(self.bytes.split(b"\n"), 1):
            if line:
                yield number, line.removesuffix(b"\r")

    def blocks(self):
        for start in range(0, len(self.bytes), self.block):
            yield self.bytes[start : start + self.block]


def as_lines(*values):
    return InMemory(b"".join(json.dumps(value).encode() + b"\n" for value in values))


def turns(items):
    return [item for item in items if isinstance(item, ImportedTurn)]


def facts(items):
    return [item for item in items if isinstance(item, ImportedFact)]


def skipped(items):
    return [item for item in items if isinstance(item, SkippedRecord)]


def said(turn):
    """What a turn says, role by role, as plain tuples."""
    return [(message.role, *map(_part, message.parts)) for message in turn.messages]


def _part(part):
    match type(part).__name__:
        case "TextPart":
            return part.text
        case "ReasoningPart":
            return ("thought", part.text)
        case "ToolCall":
            return ("call", part.id, part.name, part.arguments)
        case "ToolResult":
            return ("result", part.tool_call_id, part.content, part.is_error)
