"""Resources are the readable files, and prompts are made of what memory holds."""

from __future__ import annotations

import pytest

from tests.serve.mcp.talk import Talk, sample, session
from tests.trees import contents, make


@pytest.fixture
def root(tmp_path):
    return sample(tmp_path)


@pytest.fixture
def talk(root, tmp_path):
    with Talk(session(root, tmp_path)) as one:
        yield one


def every(talk):
    """The addresses of all resources, page by page, and how many pages there were."""
    uris, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        page = talk.ask("resources/list", {"cursor": cursor} if cursor else {})["result"]
        uris += [one["uri"] for one in page["resources"]]
        cursor, pages = page.get("nextCursor"), pages + 1
    return uris, pages


def test_every_readable_file_is_a_resource_that_can_be_read(talk, root):
    make(root, {f"memory/notes/inbox/note {n}.md": f"Number {n}\n" for n in range(150)})
    make(root, {"memories/a%b#c?.md": "odd\n", "memories/été.md": "summer\n", "memories/\udcff.md": "raw\n"})
    uris, pages = every(talk)
    assert pages == 2
    assert len(uris) == len({*uris}) == 33 + 150 + 3
    read = {}
    for uri in uris:
        (content,) = talk.ask("resources/read", {"uri": uri})["result"]["contents"]
        assert content["mimeType"] == "text/markdown"
        read[uri] = content["text"]
    assert read["memtool:///memory/notes/inbox/note%207.md"] == "Number 7\n"
    assert read["memtool:///MEMORY.md"] == (root / "MEMORY.md").read_text()
    assert {"odd\n", "summer\n", "raw\n"} <= {*read.values()}
    assert not any(".memtool" in uri or "history" in uri or "cognition" in uri for uri in uris)


def test_a_file_that_comes_and_goes_is_a_resource_meanwhile(talk, root):
    make(root, {"memories/new.md": "new\n"})
    assert "memtool:///memories/new.md" in every(talk)[0]
    (root / "memories/new.md").unlink()
    assert "memtool:///memories/new.md" not in every(talk)[0]
    error = talk.ask("resources/read", {"uri": "memtool:///memories/new.md"})["error"]
    assert (error["code"], error["message"]) == (-32002, "memtool:///memories/new.md: no such resource")


@pytest.mark.parametrize(
    ("uri", "sentence"),
    [
        (
            "file:///etc/passwd",
            "'file:///etc/passwd' is not a memory URI; memory URIs begin with memtool:///",
        ),
        ("memtool:///../secret.md", "../secret.md contains '..'"),
        ("memtool:///%2e%2e/secret.md", "../secret.md contains '..'"),
        ("memtool:///%252e%252e/secret.md", "percent-encoded dots and slashes are not allowed"),
        ("memtool:////etc/passwd", "/etc/passwd is outside the workspace"),
        ("memtool:///%00", "is not a valid path"),
        ("memtool:///memtool.toml", "memtool.toml is not a memory file"),
        ("memtool:///memory/big.md", "too long to return at once; read it in parts with memory_get"),
    ],
)
def test_what_is_no_resource_is_refused_in_words(talk, root, uri, sentence):
    make(root.parent, {"secret.md": "SECRET\n"})
    make(root, {"memory/big.md": "x" * 500_001})
    error = talk.ask("resources/read", {"uri": uri})["error"]
    assert error["code"] == -32602
    assert sentence in error["message"]


def test_any_file_may_be_named_by_the_template(talk):
    (template,) = talk.ask("resources/templates/list")["result"]["resourceTemplates"]
    assert template["uriTemplate"] == "memtool:///{+path}"


def test_a_prompt_brings_memory_with_its_question(talk, root):
    before = contents(root)
    asked = {"name": "recall-and-answer", "arguments": {"question": "When is the kiln free?"}}
    (message,) = talk.ask("prompts/get", asked)["result"]["messages"]
    text = message["content"]["text"]
    assert message["role"] == "user"
    assert text.startswith("<memory-context>\n")
    assert "The kiln is free on Thursdays" in text
    assert text.endswith("\n\nWhen is the kiln free?\n")
    assert contents(root) == before


def test_a_session_is_put_down_by_the_tools_that_there_are(talk):
    names = {tool["name"] for tool in talk.ask("tools/list")["result"]["tools"]}
    asked = {"name": "session-notes", "arguments": {"focus": "the new glaze"}}
    text = talk.ask("prompts/get", asked)["result"]["messages"][0]["content"]["text"]
    assert {"memory_append_daily", "memory_save"} <= names
    assert "memory_append_daily" in text
    assert "memory_save" in text
    assert "the new glaze" in text


@pytest.mark.parametrize("arguments", [{}, {"question": ""}, {"question": "a\x00"}, {"wish": "a"}])
def test_a_prompt_without_its_question_is_refused(talk, arguments):
    error = talk.ask("prompts/get", {"name": "recall-and-answer", "arguments": arguments})["error"]
    assert error["code"] == -32602
    assert "question" in error["message"]
