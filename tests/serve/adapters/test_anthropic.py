"""The adapter in the SDK's real tool runner, against a stand-in for the API: what the model reads."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memtool.cli.topics import topic_page
from memtool.errors import BadUsage, OutsideWorkspace
from tests.serve.adapters.fake_api import FakeApi, served
from tests.trees import NONEXISTENT, clean_environment, contents, make
from tests.trees import memtool as run

SECRET = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
SCRIPT = [
    [{"command": "view", "path": "/memories"}],
    [
        {"command": "create", "path": "/memories/a/todo.md", "file_text": "buy glaze\nfire the kiln\n"},
        {"command": "create", "path": "/memories/a/todo.md", "file_text": "again"},
    ],
    [{"command": "insert", "path": "/memories/a/todo.md", "insert_line": 1, "insert_text": "sieve it\n"}],
    [
        {
            "command": "str_replace",
            "path": "/memories/a/todo.md",
            "old_str": "fire the kiln",
            "new_str": "fire it at 1,240 °C 🔥",
        }
    ],
    [{"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b"}],
    [{"command": "view", "path": "/memories/b/todo.md", "view_range": [2, 3]}],
    [{"command": "delete", "path": "/memories/a"}],
    [{"command": "view", "path": "/memories"}],
]
TOLD = [
    (
        (
            "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n"
            "SIZE\t/memories"
        ),
        False,
    ),
    ("File created successfully at: /memories/a/todo.md", False),
    ("File /memories/a/todo.md already exists", True),
    ("The file /memories/a/todo.md has been edited.", False),
    (
        (
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
            "     1\tbuy glaze\n     2\tsieve it\n     3\tfire it at 1,240 °C 🔥\n     4\t"
        ),
        False,
    ),
    ("Successfully renamed /memories/a to /memories/b", False),
    (
        (
            "Here's the content of /memories/b/todo.md with line numbers:\n"
            "     2\tsieve it\n     3\tfire it at 1,240 °C 🔥"
        ),
        False,
    ),
    ("The path /memories/a does not exist", True),
    (
        (
            "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n"
            "SIZE\t/memories\nSIZE\t/memories/b/\n45B\t/memories/b/todo.md"
        ),
        False,
    ),
]


@pytest.fixture(autouse=True)
def nobody(monkeypatch, tmp_path):
    """An environment in which nothing of this machine's user is seen."""
    for name in ("MEMTOOL_MODE", "MEMTOOL_GROUP", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", NONEXISTENT)


def kind_of_tool(name: str) -> Any:
    """A class of memtool's adapter or of the SDK; late, else each process would import it (3 s)."""
    module = "memtool.serve.adapters.anthropic" if name.startswith("Memtool") else "anthropic.tools"
    return getattr(importlib.import_module(module), name)


def memory_tool(*arguments: Any, **options: Any) -> Any:
    """memtool's memory tool."""
    return kind_of_tool("MemtoolMemoryTool")(*arguments, **options)


def talk(api: FakeApi, tool: Any) -> None:
    """One whole conversation with a tool, in the SDK's own runner."""
    from anthropic import Anthropic, AsyncAnthropic
    from anthropic.lib.tools import BetaAbstractMemoryTool

    asked = {"model": "stand-in", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}
    if isinstance(tool, BetaAbstractMemoryTool):
        with Anthropic(base_url=api.url, api_key="none", max_retries=0) as client:
            last = client.beta.messages.tool_runner(**asked, tools=[tool]).until_done()
    else:

        async def talking():
            async with AsyncAnthropic(base_url=api.url, api_key="none", max_retries=0) as client:
                return await client.beta.messages.tool_runner(**asked, tools=[tool]).until_done()

        last = asyncio.run(talking())
    assert last.content[0].text == "that is all"


@pytest.mark.parametrize(
    "kind",
    [
        "MemtoolMemoryTool",
        "MemtoolAsyncMemoryTool",
        "BetaLocalFilesystemMemoryTool",
        "BetaAsyncLocalFilesystemMemoryTool",
    ],
)
def test_the_model_reads_what_it_knows(kind, tmp_path):
    with served(SCRIPT) as api:
        talk(api, kind_of_tool(kind)(str(tmp_path / "w")))
    assert api.requests[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    folders = re.compile(r"\b\S+(?=\t/memories(/b/)?$)", re.MULTILINE)  # what a folder weighs, the disk says
    assert [(folders.sub("SIZE", words), is_error) for words, is_error in api.told] == TOLD
    assert contents(tmp_path / "w") == {
        "memories/b/todo.md": "buy glaze\nsieve it\nfire it at 1,240 °C 🔥\n".encode()
    }


BROKEN = [
    ({}, "Parameter `command` is required for command: memory"),
    ({"command": "undo"}, "Unknown command: undo"),
    ({"command": "create", "path": "/memories/x"}, "Parameter `file_text` is required for command: create"),
    ({"command": "view", "path": ["/memories"]}, "Parameter `path` of command view must be a string"),
    (
        {"command": "create", "path": "/memories/x", "file_text": "\ud83d"},
        "Parameter `file_text` is not valid Unicode: it contains an unpaired surrogate. Nothing was written.",
    ),
    (
        {"command": "view", "path": "/memories/../../etc"},
        "Path /memories/../../etc would escape /memories directory",
    ),
]


def test_the_example_of_the_help_topic_runs(tmp_path, monkeypatch, capsys):
    page = topic_page("memory-tool")
    (example,) = re.findall(r"(?ms)^```python\n(.*?MemtoolMemoryTool.*?)^```", page)
    with served([[{"command": "create", "path": "/memories/a.md", "file_text": "slip"}]]) as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
        exec(compile(example, "memory-tool.md", "exec"), {})
    assert "that is all" in capsys.readouterr().out
    assert (tmp_path / "home/agent/memories/a.md").read_text() == "slip"


@pytest.mark.parametrize("kind", ["MemtoolMemoryTool", "MemtoolAsyncMemoryTool"])
def test_a_broken_call_is_an_error_that_the_model_can_read(kind, tmp_path):
    with served([[command] for command, _ in BROKEN]) as api:
        talk(api, kind_of_tool(kind)(tmp_path / "w"))
    assert api.told == [(words, True) for _, words in BROKEN]
    assert contents(tmp_path / "w") == {}


@pytest.mark.parametrize("kind", ["MemtoolMemoryTool", "MemtoolAsyncMemoryTool"])
def test_the_documentation_s_wording(kind, tmp_path):
    script = [[{"command": "delete", "path": "/memories/x"}], [{"command": "view", "path": "/memories"}]]
    with served(script) as api:
        talk(api, kind_of_tool(kind)(tmp_path / "w", style="docs"))
    assert api.told[0] == ("Error: The path /memories/x does not exist", True)
    assert api.told[1][0].startswith(
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and "
        "node_modules:\n"
    )


def test_secrets_do_not_reach_the_file_unless_asked_for(tmp_path):
    command = {"command": "create", "path": "/memories/key.md", "file_text": f"key {SECRET}\n"}
    with served([[command]]) as api:
        talk(api, memory_tool(tmp_path / "w"))
        assert api.told == [
            (
                (
                    "File created successfully at: /memories/key.md\n"
                    "Note: secrets are not stored. In their place, the file contains "
                    "[REDACTED:anthropic-key]."
                ),
                False,
            )
        ]
    assert contents(tmp_path / "w")["memories/key.md"] == b"key [REDACTED:anthropic-key]\n"
    with served([[command]]) as api:
        talk(api, memory_tool(tmp_path / "v", verbatim=True))
    assert contents(tmp_path / "v")["memories/key.md"].decode() == command["file_text"]


def test_each_method_takes_the_models_of_the_sdk(tmp_path):
    from anthropic.lib.tools import ToolError
    from anthropic.types.beta import BetaMemoryTool20250818CreateCommand, BetaMemoryTool20250818ViewCommand

    tool = memory_tool(tmp_path, cache_control={"type": "ephemeral"})
    create = BetaMemoryTool20250818CreateCommand(command="create", path="/memories/a.md", file_text="x")
    assert tool.create(create) == "File created successfully at: /memories/a.md"
    view = BetaMemoryTool20250818ViewCommand(command="view", path="/memories/a.md")
    assert tool.view(view) == tool.execute(view)
    with pytest.raises(ToolError, match="already exists"):
        tool.create(create)
    assert tool.to_dict()["cache_control"] == {"type": "ephemeral"}
    assert tool.clear_all_memory() == "All memory cleared"
    assert list((tmp_path / "memories").iterdir()) == []


def test_a_subclass_may_change_a_command(tmp_path):
    class Shouting(kind_of_tool("MemtoolMemoryTool")):
        def create(self, command):
            command.file_text = command.file_text.upper()
            return super().create(command)

    Shouting(tmp_path).call({"command": "create", "path": "/memories/a.md", "file_text": "x"})
    assert (tmp_path / "memories/a.md").read_text() == "X"


def test_many_calls_at_once_lose_nothing(tmp_path):
    make(tmp_path, {"keep.md": "kept"})
    tools = [kind_of_tool("MemtoolAsyncMemoryTool")(tmp_path, layout="q15") for _ in range(2)]
    insert = {"command": "insert", "path": "/memories/log.md", "insert_line": 0}

    async def calls():
        await tools[0].call({"command": "create", "path": "/memories/log.md", "file_text": ""})
        said = [{**insert, "insert_text": f"line {number}"} for number in range(20)]
        await asyncio.gather(*(tool.call(one) for one in said for tool in tools))

    asyncio.run(calls())
    lines = (tmp_path / "memories/log.md").read_text().splitlines()
    assert sorted(lines) == sorted([f"line {number}" for number in range(20)] * 2)
    assert asyncio.run(tools[0].clear_all_memory()) == "All memory cleared"
    left = {path: content for path, content in contents(tmp_path).items() if not path.startswith("home/")}
    assert left == {"keep.md": b"kept"}


def test_whose_memory_it_is(tmp_path, monkeypatch):
    make(tmp_path, {"groups/family/MEMORY.md": "", "groups/work/MEMORY.md": ""})
    create = {"command": "create", "path": "/memories/a.md", "file_text": "x"}
    memory_tool(tmp_path, group="family").call(create)
    assert (tmp_path / "groups/family/memories/a.md").read_text() == "x"
    monkeypatch.setenv("MEMTOOL_GROUP", "work")
    memory_tool(tmp_path).call(create)
    assert (tmp_path / "groups/work/memories/a.md").read_text() == "x"
    with pytest.raises(OutsideWorkspace):
        memory_tool(tmp_path, group="family")
    assert not (tmp_path / "memories").exists()


def test_the_user_s_write_hooks_are_told_who_wrote(tmp_path, monkeypatch):
    config = f"[[write_hook]]\ncommand = 'cat > {tmp_path}/said'\nverbs = ['memories']\n"
    make(tmp_path / "config/memtool", {"config.toml": config})
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("MEMTOOL_USER", "ann")
    memory_tool(tmp_path / "w").call({"command": "create", "path": "/memories/b.md", "file_text": "x"})
    record = json.loads((tmp_path / "said").read_text())
    assert record["actor"] == {"user": "ann", "session": None, "agent": "anthropic"}


def test_incognito_answers_and_writes_nothing(tmp_path, monkeypatch):
    make(tmp_path, {"memories/a.md": "x\n"})
    before = contents(tmp_path)
    tool = memory_tool(tmp_path, incognito=True)
    assert tool.call({"command": "delete", "path": "/memories/a.md"}) == "Successfully deleted /memories/a.md"
    monkeypatch.setenv("MEMTOOL_MODE", "incognito")
    memory_tool(tmp_path).call({"command": "create", "path": "/memories/b.md", "file_text": "x"})
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["memories"]


def test_a_wrong_option_is_said_at_once(tmp_path):
    with pytest.raises(BadUsage, match="sdk or docs"):
        memory_tool(tmp_path, style="poem")
    with pytest.raises(BadUsage, match="unknown layout 'attic'"):
        memory_tool(tmp_path, layout="attic")


def test_without_the_sdk_it_says_what_to_install(tmp_path):
    code = "import sys; sys.modules['anthropic'] = None\nimport memtool.serve.adapters.anthropic"
    result = subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "pip install '.[anthropic]'" in result.stderr
    caught = (
        code.replace("import memtool", "try: import memtool")
        + "\nexcept ImportError as e: print(e.exit_code)"
    )
    result = subprocess.run(
        [sys.executable, "-c", caught],
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "18\n"


def test_search_and_context_find_what_the_tool_wrote(tmp_path):
    tool = memory_tool(tmp_path / "w")
    root = ["--root", str(tmp_path / "w"), "--layout", "native"]
    run(*root, "reindex", home=tmp_path)
    for path, text in (("a.md", "The celadon glaze crawls.\n"), ("deep/b.txt", "The zebra kiln.\n")):
        tool.call({"command": "create", "path": f"/memories/{path}", "file_text": text})
    found = run(*root, "search", "celadon glaze", home=tmp_path)
    assert found.stdout == "memories/a.md:1: The celadon glaze crawls.\n"
    assert "zebra kiln" in run(*root, "context", "--prompt", "zebra kiln?", home=tmp_path).stdout
    tool.call({"command": "rename", "old_path": "/memories/deep", "new_path": "/memories/shallow"})
    tool.call(
        {"command": "str_replace", "path": "/memories/a.md", "old_str": "celadon", "new_str": "tenmoku"}
    )
    assert run(*root, "search", "celadon", home=tmp_path).returncode == 1
    assert "memories/shallow/b.txt:1:" in run(*root, "search", "zebra", home=tmp_path).stdout
    tool.call({"command": "delete", "path": "/memories/shallow"})
    assert run(*root, "search", "zebra", home=tmp_path).returncode == 1
    assert Path(tmp_path / "w" / "memories" / "a.md").read_text() == "The tenmoku glaze crawls.\n"
