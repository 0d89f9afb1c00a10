"""The SDK's own clients, over stdin and stdout, with servers that are processes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memtool.errors import extra_hint
from memtool.serve.mcp.table import TOOLS
from tests import forked
from tests.serve.mcp.talk import sample
from tests.trees import clean_environment, memtool

THURSDAY = "The kiln is free on Thursdays"


@pytest.fixture
def root(tmp_path):
    return sample(tmp_path)


def server(root, home, *options):
    from mcp import StdioServerParameters  # late, here and below: each process would collect the SDK for 1 s

    program = home / "memtool"
    forked.write_command(program)
    arguments = [*options, "mcp", "--root", str(root)]
    return StdioServerParameters(command=str(program), args=arguments, env=clean_environment(home))


def test_a_client_session_uses_every_kind_of_thing(root, tmp_path):
    import anyio
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client

    async def talk():
        async with (
            stdio_client(server(root, tmp_path)) as (read, write),
            ClientSession(read, write) as session,
        ):
            about = await session.initialize()
            assert about.server_info.name == "memtool"
            assert "memory_search" in about.instructions
            tools = (await session.list_tools()).tools
            assert [tool.name for tool in tools] == [tool.name for tool in TOOLS]
            found = await session.call_tool("memory_search", {"query": "when is the kiln free"})
            assert THURSDAY in found.content[0].text
            saved = await session.call_tool("memory_save", {"content": "Marta is allergic to almonds"})
            assert saved.structured_content["status"] == "written"
            refused = await session.call_tool("memory_get", {"path": "../secret.md"})
            assert refused.is_error
            assert refused.content[0].text.startswith("../secret.md contains '..'")
            resources = (await session.list_resources()).resources
            read_one = await session.read_resource(resources[0].uri)
            assert read_one.contents[0].text
            prompts = (await session.list_prompts()).prompts
            asked = await session.get_prompt(prompts[0].name, {"question": "When is the kiln free?"})
            assert THURSDAY in asked.messages[0].content.text

    anyio.run(talk)


def test_the_newer_client_agrees_with_it_too(root, tmp_path):
    import anyio
    from mcp import Client

    async def talk():
        async with Client(server(root, tmp_path)) as client:
            assert len((await client.list_tools()).tools) == len(TOOLS)
            found = await client.call_tool("memory_search", {"query": "when is the kiln free"})
            assert THURSDAY in found.content[0].text

    anyio.run(talk)


def test_two_servers_share_a_workspace(root, tmp_path):
    import anyio
    from mcp import Client

    async def save(client, whose, taken):
        for number in range(3):
            fact = f"Shelf {whose}{number} holds the {taken[number]} bowls"
            done = await client.call_tool("memory_save", {"content": fact, "key": f"shelf {whose}{number}"})
            assert not done.is_error, done
            note = {"text": f"Counted shelf {whose}{number}"}
            assert not (await client.call_tool("memory_append_daily", note)).is_error

    async def talk():
        colours = ["red", "blue", "brown"]
        async with Client(server(root, tmp_path)) as one, Client(server(root, tmp_path)) as two:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(save, one, "A", colours)
                tasks.start_soon(save, two, "B", colours)
            for client in (one, two):
                for name in ("A2", "B2"):
                    found = await client.call_tool("memory_search", {"query": f"shelf {name} bowls"})
                    assert f"Shelf {name} holds the brown bowls" in found.content[0].text

    anyio.run(talk)
    facts = "".join(path.read_text() for path in (root / "memory/semantic").iterdir())
    notes = "".join(path.read_text() for path in (root / "memory").glob("20*.md"))
    for name in [f"{whose}{number}" for whose in "AB" for number in range(3)]:
        assert facts.count(f"Shelf {name} holds") == 1
        assert notes.count(f"Counted shelf {name}\n") == 1


def test_a_watcher_is_asked_where_one_lives(root, tmp_path):
    import anyio
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client

    started = memtool("watch", "--daemon", home=tmp_path, cwd=root)
    assert started.returncode == 0, started.stderr
    log = tmp_path / "log"

    async def talk():
        with log.open("w") as errors:
            async with (
                stdio_client(server(root, tmp_path, "-v"), errlog=errors) as (read, write),
                ClientSession(read, write) as session,
            ):
                await session.initialize()
                (root / "memory/notes/inbox/new.md").write_text("The spare key hangs behind the door.\n")
                found = await session.call_tool("memory_search", {"query": "spare key"})
                assert "behind the door" in found.content[0].text

    try:
        anyio.run(talk)
    finally:
        memtool("watch", "stop", home=tmp_path, cwd=root)
    assert log.read_text() == "memtool: the search was answered by the watcher\n"


def test_without_the_sdk_it_says_what_to_install(root, tmp_path):
    code = "import sys; sys.modules['mcp_types'] = None\n"
    code += "from memtool.cli.main import run; sys.exit(run(['mcp']))"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 18
    needs = f"memtool mcp needs version 2 of the MCP SDK; {extra_hint('mcp')}"
    assert (result.stdout, result.stderr) == ("", f"memtool: {needs}\n")
