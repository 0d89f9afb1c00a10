"""What a message of ChatGPT's export holds, by its type of content, as parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.compaction.chat import placeholder
from memtool.core.records.turn import Part, Reasoning, Text

_FAILED = "failed"
"""What the status of code that was run begins with where it failed."""


def parts(fields: Mapping[str, Any]) -> Iterator[Part]:
    """What a message's author said or thought, and placeholders for images, sounds and files."""
    content = fields.get("content")
    content = content if isinstance(content, Mapping) else {}
    channel = fields.get("channel")
    thought = content.get("content_type") in ["thoughts", "reasoning_recap"]
    for said in _texts(content):
        yield Reasoning(said) if thought else Text(said, channel if isinstance(channel, str) else "")
    yield from map(Text, _attachments(fields))


def plain(content: Mapping[str, Any]) -> str:
    """All that a content says as one text."""
    return "\n".join(said for said in _texts(content) if said.strip())


def is_error(fields: Mapping[str, Any]) -> bool:
    """Does a tool's message tell of a failure?"""
    content, found = fields.get("content"), fields.get("metadata")
    for key in ("aggregate_result", "status"):
        found = found.get(key) if isinstance(found, Mapping) else None
    kind = content.get("content_type") if isinstance(content, Mapping) else None
    return kind == "system_error" or (isinstance(found, str) and found.startswith(_FAILED))


def _texts(content: Mapping[str, Any]) -> Iterator[str]:
    match content.get("content_type"):
        case "thoughts":
            for one in _list(content.get("thoughts")):
                if isinstance(one, Mapping):
                    yield _joined(one, "summary", "content")
        case "tether_quote":
            yield _joined(content, "title", "url", "text")
        case "tether_browsing_display":
            yield _joined(content, "summary", "result")
        case "user_editable_context":
            yield _joined(content, "user_profile", "user_instructions", "text")
        case "system_error":
            yield _joined(content, "name", "text")
        case _ if "parts" in content:
            for part in _list(content["parts"]):
                yield from _part(part)
        case str() as kind:
            said = _joined(content, "text", "content", "result", "model_set_context")
            known = {"text", "code", "execution_output", "reasoning_recap", "model_editable_context"}
            yield said or ("" if kind in known else f"[{kind}]")
        case _:
            yield _joined(content, "text", "content", "result")


def _part(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        if isinstance(part.get("text"), str):
            yield part["text"]
        else:
            yield _pointed(part)


def _pointed(part: Mapping[str, Any]) -> str:
    """The placeholder for something that the export keeps in a file of its own."""
    kind = str(part.get("content_type") or "content").removesuffix("_asset_pointer")
    inner = part.get("audio_asset_pointer")  # inside a pointer to a talk in sound and picture
    return placeholder({**(inner if isinstance(inner, Mapping) else part), "type": kind})


def _attachments(fields: Mapping[str, Any]) -> Iterator[str]:
    """Placeholders for the files given with a message, but for the images that its content shows."""
    metadata, content = fields.get("metadata"), fields.get("content")
    pieces = _list(content.get("parts") if isinstance(content, Mapping) else None)
    pointers = [one.get("asset_pointer") for one in pieces if isinstance(one, Mapping)]
    shown = [pointer for pointer in pointers if isinstance(pointer, str)]
    for one in _list(metadata.get("attachments") if isinstance(metadata, Mapping) else None):
        if not isinstance(one, Mapping):
            continue
        own = one.get("id")
        if not (isinstance(own, str) and any(pointer.endswith(own) for pointer in shown)):
            yield placeholder({**one, "type": "file"})


def _joined(fields: Mapping[str, Any], *keys: str) -> str:
    found = (fields.get(key) for key in keys)
    return "\n".join(one for one in found if isinstance(one, str) and one.strip())


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
