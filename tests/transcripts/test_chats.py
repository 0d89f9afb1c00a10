"""Chats in the shapes of OpenAI's and Anthropic's APIs, and how they are told apart."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from memtool.transcripts import anthropic, chatgpt, openai
from tests.transcripts.sources import Given, document, lines, said, skipped

OPENAI = [
    {"role": "system", "content": "Be brief"},
    {"role": "user", "content": "List"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "c1", "content": "a b"},
    {"role": "assistant", "content": "a and b"},
    {"role": "user", "content": [{"type": "text", "text": "This?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}]},
    {"role": "assistant", "content": None, "refusal": "I cannot"},
]  # fmt: skip
TURNS = [
    ["system: Be brief", "user: List", "assistant: ls{}#c1", "tool: #c1 a b", "assistant: a and b"],
    ["user: This?", "user: [image: image/png, 3 bytes]", "assistant: I cannot"],
]
ANTHROPIC = [
    {"role": "user", "content": "List"},
    {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "ls", "signature": "s"}, {"type": "redacted_thinking", "data": "x"},
        {"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a b"}, {"type": "text", "text": "and?"}]},
    {"role": "assistant", "content": "a and b"},
]  # fmt: skip


@pytest.mark.parametrize(
    "source",
    [
        document(OPENAI),
        document(OPENAI, indent=2),
        document({"model": "x", "messages": OPENAI}),
        document({"model": "x", "messages": OPENAI}, indent=1),
        lines(*OPENAI),
        lines({"messages": OPENAI}),
        document([{"messages": OPENAI}]),
        document([OPENAI]),
    ],
    ids=["list", "indented", "body", "indented body", "lines", "bodies", "list of bodies", "list of lists"],
)
def test_every_arrangement_of_openai_s_shape_is_read(source):
    assert openai.recognises(source)
    assert not anthropic.recognises(source)
    assert said(list(openai.read(source))) == TURNS


def test_anthropic_s_shape_is_told_by_what_only_it_has():
    for source in (
        document(ANTHROPIC),
        lines(*ANTHROPIC),
        document({"system": "Be brief", "messages": ANTHROPIC[:1]}),
    ):
        assert anthropic.recognises(source)
    found = list(
        anthropic.read(document({"system": [{"type": "text", "text": "Be brief"}], "messages": ANTHROPIC}))
    )
    assert said(found) == [
        ["system: Be brief", "user: List", "assistant: (ls) +signature", "assistant: () +redacted_thinking",
         "assistant: ls{}#t1", "tool: #t1 a b"],
        ["user: and?", "assistant: a and b"],
    ]  # fmt: skip


def test_a_chat_that_grows_or_is_renamed_keeps_its_origins():
    whole = list(openai.read(document(OPENAI)))
    for count in range(2, len(OPENAI)):
        source = document(OPENAI[:count])
        source.name = "renamed.json"
        part = list(openai.read(source))
        assert [one.origin for one in part] == [one.origin for one in whole][: len(part)]
    yes = [{"role": "user", "content": "yes"}, {"role": "assistant", "content": "ok"}] * 3
    assert len({one.origin for one in openai.read(document(yes))}) == 3


def test_two_conversations_are_two():
    found = list(
        openai.read(lines({"messages": OPENAI}, {"messages": [{"role": "user", "content": "Other"}]}))
    )
    assert said(found) == [*TURNS, ["user: Other"]]
    assert len({one.origin.session for one in found}) == 2


def test_a_corrupted_line_or_message_costs_that_one():
    found = list(openai.read(lines(*OPENAI[:2], b'{"role": "us', {"role": 5}, *OPENAI[2:])))
    assert said(found) == TURNS
    assert skipped(found) == [
        (3, "the line is not JSON: Unterminated string starting at: line 1 column 10 (char 9)"),
        (4, "the record has no role"),
    ]
    cut = Given(json.dumps(OPENAI).encode()[:-40])
    found = list(openai.read(cut))
    assert said(found) == [TURNS[0], TURNS[1][:2]]
    assert "record 7 and all later records cannot be read" in skipped(found)[0][1]


# Exports


def node(id_, parent, role, parts, **more):
    content = more.pop("content", {"content_type": "text", "parts": parts})
    author = {"role": role, "name": more.pop("name", None)}
    message = {
        "id": id_,
        "author": author,
        "create_time": 1736937000.5,
        "content": content,
        "recipient": "all",
        **more,
    }
    return {"id": id_, "parent": parent, "children": [], "message": message}


NODES = [
    {"id": "root", "parent": None, "children": ["n1"], "message": None},
    node("n0", "root", "system", ["hidden"]),
    node("n1", "n0", "user", ["When?", {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f", "size_bytes": 12}], content={"content_type": "multimodal_text", "parts": ["When?", {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f", "size_bytes": 12}]}),
    node("dead", "n1", "assistant", ["never mind"]),
    node("n2", "n1", "assistant", [], content={"content_type": "thoughts", "thoughts": [{"summary": "Look", "content": "up"}]}),
    node("n3", "n2", "assistant", [], content={"content_type": "code", "language": "python", "text": "print(1)"}, recipient="python"),
    node("n4", "n3", "tool", [], content={"content_type": "execution_output", "text": "1"}, name="python"),
    node("n5", "n4", "assistant", ["User has a kiln"], recipient="bio"),
    node("n6", "n5", "tool", ["Model set context updated."], name="bio"),
    node("n7", "n6", "assistant", ["On Thursday"]),
    node("n8", "n7", "user", ["secret"], metadata={"is_visually_hidden_from_conversation": True}),
    node("n9", "n8", "user", ["Thanks"]),
]  # fmt: skip
EXPORT = {"title": "Kilns", "create_time": 1736937000.0, "conversation_id": "conv-1", "current_node": "n9", "mapping": {one["id"]: one for one in NODES}}  # fmt: skip
EXPORTED = [
    ["user: When?", "user: [image: 12 bytes, file-service://f]", "assistant: (Look\nup)",
     "assistant: pythonprint(1)#n3", "tool: #n3 1", "assistant: On Thursday"],
    ["user: Thanks"],
]  # fmt: skip


def test_an_export_of_chatgpt_is_read_along_its_branch():
    for source in (document([EXPORT]), document(EXPORT), document([EXPORT], indent=2)):
        assert chatgpt.recognises(source)
        assert not openai.recognises(source) or chatgpt.recognises(source)
        found = list(chatgpt.read(source))
        assert said(found) == EXPORTED
        assert [one.text for one in found if hasattr(one, "text")] == ["User has a kiln"]
        assert found[-1].origin.session == "conv-1"
        assert found[-1].at == datetime(2025, 1, 15, 10, 30, 0, 500000, UTC)
