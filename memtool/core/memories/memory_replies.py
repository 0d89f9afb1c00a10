"""The replies of the memory tool: all sentences that the model reads, in one table with two styles.

Models were trained on these sentences, so they are an interface and must not change. The style `sdk` is that
of the file-system tool of Anthropic's Python SDK 2.12, `docs` that of the page "Memory tool" in the API's
documentation. Sentences that neither has are the same in both styles.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

_SDK = {
    "folder": "Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:",
    "file": "Here's the content of {path} with line numbers:",
    "created": "File created successfully at: {path}",
    "replaced": (
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
    ),
    "inserted": "The file {path} has been edited.",
    "deleted": "Successfully deleted {path}",
    "renamed": "Successfully renamed {path} to {new_path}",
    "cleared": "All memory cleared",
    "missing": "The path {path} does not exist. Please provide a valid path.",
    "missing to replace": "The path {path} does not exist. Please provide a valid path.",
    "missing to insert": "The path {path} does not exist. Please provide a valid path.",
    "missing to delete": "The path {path} does not exist",
    "missing to rename": "The path {path} does not exist",
    "no file to replace": "The path {path} is not a file.",
    "no file to insert": "The path {path} is not a file.",
    "exists": "File {path} already exists",
    "destination": "The destination {path} already exists",
    "lines": "File {path} exceeds maximum line limit of 999,999 lines.",
    "absent": "No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}.",
    "several": (
        "No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines: {lines}. "
        "Please ensure it is unique"
    ),
    "range": "Invalid `insert_line` parameter: {line}. It should be within the range [0, {most}].",
    "delete all": "Cannot delete the /memories directory itself",
    "rename all": "Cannot rename the /memories directory itself",
    "prefix": "Path must start with /memories, got: {path}",
    "escapes": "Path {path} would escape /memories directory",
    "kind": "Unsupported file type for {path}",
    "command": "Unknown command: {name}",
    # neither the SDK nor the documentation has these
    "absent secret": (
        "No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}.\n"
        "Note: secrets are not stored. In their place, the file contains {kinds}."
    ),
    "json": "The command is not valid JSON: {reason}",
    "object": "The command is not a JSON object",
    "required": "Parameter `{name}` is required for command: {command}",
    "type": "Parameter `{name}` of command {command} must be {kind}",
    "unicode": (
        "Parameter `{name}` is not valid Unicode: it contains an unpaired surrogate. Nothing was written."
    ),
    "empty": "No replacement was performed because old_str is empty. Please provide text that appears in "
    "{path}.",
    "name": "Path {path} is not valid: {reason}",
    "secret name": "Path {path} is not valid: the path itself contains a secret ({kinds}). "
    "Please choose another name.",
    "not text": "The file {path} is not UTF-8 text; it can be renamed or deleted, but not shown or edited.",
    "not folder": "The path {path} cannot be created: one of its parent directories is a file.",
    "unavailable": "The path {path} is not available. Please choose another name.",
    "into itself": "Cannot rename {path} to {new_path}: the destination is inside the source",
    "changed": "The file {path} has changed since it was read. Nothing was written. "
    "Please view the file and try again.",
    "forgotten": "The user has asked for something in this text to be forgotten. Nothing was written. "
    "Please remove that content and try again.",
    "unread": "{path} is not listed because it cannot be read",
    "redacted": "Note: secrets are not stored. In their place, the file contains {kinds}.",
}
_DOCS = {
    "folder": (
        "Here're the files and directories up to 2 levels deep in {path}, excluding hidden items and "
        "node_modules:"
    ),
    "missing to replace": "Error: The path {path} does not exist. Please provide a valid path.",
    "missing to insert": "Error: The path {path} does not exist",
    "missing to delete": "Error: The path {path} does not exist",
    "missing to rename": "Error: The path {path} does not exist",
    "no file to replace": "Error: The path {path} does not exist. Please provide a valid path.",
    "no file to insert": "Error: The path {path} does not exist",
    "exists": "Error: File {path} already exists",
    "destination": "Error: The destination {path} already exists",
    "range": (
        "Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: "
        "[0, {most}]"
    ),
}
STYLES: Mapping[str, Mapping[str, str]] = {"sdk": _SDK, "docs": {**_SDK, **_DOCS}}
"""The replies by style and name; placeholders are in braces."""

_LONE_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")


class CommandReply(Struct, frozen=True):
    """The text that the model reads after a command, and whether the command failed."""

    content: str
    is_error: bool = False


class CommandRefused(Exception):
    """A command is not executed; holds the name of the reply and the values of its placeholders."""

    def __init__(self, name: str, /, **slots: object) -> None:
        super().__init__(name)
        self.name = name
        self.slots = slots


def reply_text(style: str, name: str, /, **slots: object) -> str:
    """A reply of the table, filled. Half a surrogate pair becomes U+FFFD, so that the text can be encoded."""
    text = STYLES[style][name].format(**slots)
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def refusal_reply(style: str, refused: CommandRefused) -> CommandReply:
    """The reply to a refused command."""
    return CommandReply(reply_text(style, refused.name, **refused.slots), is_error=True)
