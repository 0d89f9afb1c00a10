"""Tool failures: what of the failed calls in a conversation is worth learning (five-layer memory).

The output of a tool is text from elsewhere, and learnings are in every prompt. So one short line of it is
taken, and none that reads as an instruction, a statement of a user, or text that memory put into a prompt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from memtool.core.capture.scan import scan_message
from memtool.core.facts.unsafe import is_unsafe
from memtool.core.privacy.recalled import recalled_spans
from memtool.core.records.turn import Message, ToolCall, ToolResult
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import one_line

_MAX_LINE, _MAX_ARGUMENT, _MAX_READ = 200, 80, 20_000
_MAX_LINES = 400
"""Lines of an output in which the error is looked for."""
_SHELLS = frozenset(
    {"shell", "shell_command", "exec_command", "local_shell", "container.exec", "write_stdin"}
)
"""Codex's tools that run commands; their output begins with a header that has the exit code."""
_HEADER = r"(?:(?!Output:)[^\n]*\n){0,6}?(?:Exit code:|Process exited with code) (\d{1,3})\s*(?:\n|$)"
_NOT_FAILED = (
    r"(?i)(?:the )?user (?:doesn't want|does not want|rejected|denied|declined|cancelled|canceled|aborted)"
    r"|\[?request interrupted|tool use was rejected|(?:tool )?(?:call|use|execution) (?:was )?(?:rejected"
    r"|cancell?ed|aborted) by (?:the )?user|interrupted by (?:the )?user|aborted by user|permission to use"
)
_EXIT = (
    r"(?i)(?:error: )?(?:(?:command failed with )?exit code|process exited with code)[: ]+(\d{1,3})\b[:.]?"
)
_ERROR = (
    r"(?i)\b(?:\w*error|fatal|failed|failure|exception|panic|not found|denied|refused|no such|cannot|can't"
    r"|could not|unable|invalid|unexpected|undefined|unknown|missing|timed out|timeout|does not exist|is not)"
    r"\b|err!"
)
_LABEL = r"(?i)(?:[\w./:-]{0,60}?\b)?(?:\w*error|err!|fatal|warning|exception|failed|panic)\b[^\w]{1,4}"
_TAGS = r"</?(?:tool_use_error|error|stderr|stdout)>"
_NAMED = ("command", "cmd", "file_path", "path", "notebook_path", "url", "pattern", "query")
"""Arguments that say what a call was for, the first that it has."""
_SEARCHES = "search"
"""In the name of a tool whose query is what the user wants to know, and is not learnt."""
_ADDRESSED = (
    r"(?i)\b(?:you|your|we|agents?|assistants?|claude|codex|models?|ai|llm|users?|always|never|should|shall|please"
    r"|remember|note|approve|execut\w+|upload\w*|download\w*|send|e-?mail|curl|wget|sudo|visit|collaborators?"
    r"|from now on|before (?:each|every|any|continuing)|(?:every|each) (?:time|task|session|request|pull)"
    r"|without (?:asking|review))\b|https?://|www\.|[|`$;]"
)
"""What a line of output says to its reader, or asks for; such a line is not learnt."""
_EPOCH = datetime.fromtimestamp(0, UTC)


class ToolFailure(Struct, frozen=True):
    """A failed call of a tool: the id of the call, and a redacted sentence for the learnings."""

    id: str
    text: str


def find_failures(messages: Iterable[Message]) -> Iterator[ToolFailure]:
    """The failed tool calls of a conversation in order; none that the user rejected or interrupted."""
    calls: dict[str, ToolCall] = {}
    for message in messages:
        for part in message.parts:
            match part:
                case ToolCall():
                    calls[part.id] = part
                case ToolResult(id_, content, is_error):
                    call = calls.get(id_) or ToolCall(id_, "", "")
                    if is_error or _exit_code(call.name, content):
                        failure = describe_failure(call, content)
                        if failure is not None:
                            yield failure
                case _:
                    pass


def describe_failure(call: ToolCall, output: str) -> ToolFailure | None:
    """A failed call as a learning; None if the output does not say what failed.

    It names the tool, what the call was for, the exit code and the line of the output with the error.
    """
    text = redact(clean(regex(_TAGS).sub("", output[:_MAX_READ]))).strip()
    if regex(_NOT_FAILED).match(text):
        return None
    code = _exit_code(call.name, text)
    if code:
        text = text if text.startswith("{") else text.partition("Output:\n")[2]
    elif (match := regex(_EXIT).match(text)) is not None:
        code, text = match[1], text[match.end() :]
    line = _error_line(text)
    subject = _subject(call)
    if not line or not call.name.strip():
        return None
    parts = (call.name, subject, f"exit code {code}" if code else "", line)
    return ToolFailure(call.id, ": ".join(filter(None, parts)))


def _exit_code(tool: str, content: str) -> str:
    """The exit code of a command of Codex, if it is not 0; empty for other tools."""
    if tool not in _SHELLS:
        return ""
    if content.startswith("{"):
        try:
            code = json.loads(content)["metadata"]["exit_code"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return ""
        return str(code) if isinstance(code, int) and code else ""
    match = regex(_HEADER).match(content)
    return match[1] if match is not None and int(match[1]) else ""


def _error_line(text: str) -> str:
    """The first line that names an error, else the first line; empty if none may be shown."""
    if text.startswith("{"):
        text = _text_of_json(text)
    lines = [line.strip() for line in text.split("\n", _MAX_LINES)[:_MAX_LINES] if line.strip()]
    named = [line for line in lines if regex(_ERROR).search(line[:_MAX_LINE])]
    line = one_line((named or lines or [""])[0], _MAX_LINE)
    return "" if _may_be_planted(line) else line


def _text_of_json(text: str) -> str:
    """The message in a JSON object: its `output`, `error` or `message`; else the text."""
    try:
        record: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text
    while isinstance(record, dict):
        record = next((record[key] for key in ("output", "error", "message") if key in record), text)
    return record if isinstance(record, str) else text


def _may_be_planted(line: str) -> bool:
    """Whether a line of output reads as an instruction or a statement to be remembered."""
    if regex(_ADDRESSED).search(line):
        return True
    said = regex(_LABEL).sub("", line, count=1)
    texts = {line, said, said[:1].upper() + said[1:]}
    return any(is_unsafe(text) or bool(recalled_spans(text)) or _is_statement(text) for text in texts if text)


def _is_statement(text: str) -> bool:
    return any(hit.entry.category != "specific_value" for hit in scan_message(text, _EPOCH))


def _subject(call: ToolCall) -> str:
    """What a call was for: its command, file, address or query, in one short line."""
    try:
        given = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return ""
    names = _NAMED[:-1] if _SEARCHES in call.name.lower() else _NAMED
    values = (given.get(name) for name in names) if isinstance(given, dict) else iter(())
    value = next((value for value in values if value), "")
    if isinstance(value, list):
        words = [word for word in value if isinstance(word, str)]
        value = words[-1] if words[1:2] in (["-lc"], ["-c"]) else " ".join(words)
    line = redact(value[:_MAX_READ]).strip().split("\n", 1)[0] if isinstance(value, str) else ""
    return one_line(re.sub(r"\s+", " ", line), _MAX_ARGUMENT)
