"""`memtool mcp` with real clients, wired by the settings and the commands that `mcp --config` prints."""

from __future__ import annotations

import json
import shlex
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from memtool.cli.render.client_settings import MCP_CLIENTS
from tests.clients.agents import CLIENT_NAMES, Agent, agent, environment, program, ran
from tests.clients.model import Call, Model, Say
from tests.trees import SAMPLE

THURSDAY = "The kiln is free on Thursdays"
SCRIPT = [
    Call("memory_search", {"query": "when is the kiln free", "maxResults": 3}),
    Call("memory_save", {"content": "Marta is allergic to almonds", "category": "preference"}),
    Call("memory_get", {"path": "../secret.md"}),
    Say("On Thursdays."),
]


MORE = {
    "claude": [],
    "codex": [
        "-c",
        "mcp_servers.memtool.required=true",
        "-c",
        'mcp_servers.memtool.default_tools_approval_mode="approve"',
    ],
    "openclaw": [],
    "opencode": [],
    "pi": [],
    "cline": [],
    "gemini": ["--yolo"],
    "qwen": ["--yolo"],
}
"""Options of an agent with which it waits for the server, or calls its tools without asking."""


@dataclass(frozen=True)
class Printed:
    """What `mcp --config` prints: the settings, their file, and the client's command that adds them."""

    settings: str
    file: Path
    command: list[str]


def printed(one: Agent, root: Path) -> Printed:
    """The settings for an agent; of opencode those of a project, for the runner writes the user's."""
    command = [
        "memtool",
        "--json",
        "--root",
        str(root),
        "mcp",
        "--config",
        CLIENT_NAMES.get(one.name, one.name),
    ]
    done = ran(command, cwd=one.project, environment=one.environment)
    assert done.code == 0, done.said
    record = json.loads(done.stdout)
    file = record["file"].partition(" ")[0].replace("~", str(one.home))
    path = one.project / record["project_file"] if one.name == "opencode" else Path(file)
    return Printed(record["settings"], path, shlex.split(record.get("command", "")))


def script(name: str) -> list[Say | Call]:
    """What the model says; Qwen Code tells it only the names of the tools, and has tools that call them."""
    if name != "qwen":
        return SCRIPT
    reviewed = Call("tool_search", {"query": "select:mcp__memtool__memory_search"})
    bridged = [
        Call("tool_call", {"name": f"mcp__memtool__{row.tool}", "arguments": row.arguments})
        if isinstance(row, Call)
        else row
        for row in SCRIPT
    ]
    return [reviewed, *bridged]


@pytest.mark.parametrize("name", MORE)
def test_an_agent_searches_saves_and_is_refused(tmp_path, name):
    one = agent(name, tmp_path)
    root = tmp_path / "notes"
    shutil.copytree(SAMPLE, root)
    settings = printed(one, root)
    settings.file.parent.mkdir(parents=True, exist_ok=True)
    settings.file.write_text(settings.settings)
    with Model(script(name)) as model:
        run = one.run("When is the kiln free?", model, *MORE[name])
    assert run.code == 0, run.said
    assert "On Thursdays." in run.stdout, run.said
    found, saved, refused = model.results[-3:]
    assert THURSDAY in found
    assert "(long-term)" in found
    assert '"status":"written"' in saved.replace('": "', '":"')
    assert "../secret.md contains '..'" in refused
    assert "Marta is allergic to almonds" in (root / "memory/semantic/preferences.md").read_text()
    if name == "qwen":
        assert "1 to 50" in model.results[0]
    else:
        tool = model.tool("memory_search")
        narrowing = {"roles", "since", "until", "sessions", "speakers", "chats"}
        own = {"wait_for_previous"}  # Gemini CLI's
        assert {*tool.schema["properties"]} - own == {"query", "maxResults", *narrowing}
        assert "1 to 50" in tool.schema["properties"]["maxResults"]["description"]
    if name not in ("openclaw", "pi", "cline"):  # which show their models no server's instructions
        bodies = json.dumps([request.body for request in model.requests])
        assert "do not guess what memory may contain" in bodies


@pytest.mark.parametrize("name", [name for name in MORE if MCP_CLIENTS[CLIENT_NAMES.get(name, name)].add])
def test_the_command_that_is_named_writes_the_settings_that_are_printed(tmp_path, name):
    one = agent(name, tmp_path)
    root = tmp_path / "my notes"
    shutil.copytree(SAMPLE, root)  # OpenClaw starts the server first
    settings = printed(one, root)
    start = [program("node"), program(name)] if name in ("openclaw", "pi") else [program(name)]
    done = ran([*start, *settings.command[1:]], cwd=one.project, environment=one.environment)
    assert done.code == 0, done.said
    parse = tomllib.loads if name == "codex" else json.loads
    written = parse(settings.file.read_text())
    assert {**written, **parse(settings.settings)} == written


@pytest.fixture(scope="module")
def inspect(tmp_path_factory):
    """Ask the official inspector about a server on a copy of the sample workspace."""
    inspector = program("inspector")
    folder = tmp_path_factory.mktemp("inspector")
    shutil.copytree(SAMPLE, folder / "w")
    (folder / "home").mkdir()
    surroundings = environment(folder)

    def ask(*options: str, code: int = 0) -> dict:
        command = [inspector, "--cli", "--format", "json", *options, "memtool", "mcp", "--root"]
        result = ran([*command, str(folder / "w")], cwd=folder, environment=surroundings)
        assert result.code == code, result.said
        return json.loads(result.stdout)["result"] if result.stdout else {}

    return ask


def test_the_inspector_finds_no_fault_with_the_tools(inspect):
    tools = inspect("--method", "tools/list", "--strict")["tools"]
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in tools)
    assert all(tool["annotations"]["openWorldHint"] is False for tool in tools)
    assert {tool["name"] for tool in tools if not tool["annotations"]["readOnlyHint"]} == {
        "memory_save",
        "memory_append_daily",
        "memory",
    }


def test_the_inspector_checks_what_a_tool_answers_against_its_schema(inspect):
    given = json.dumps({"text": "The kiln was fired."})
    answer = inspect(
        "--method", "tools/call", "--tool-name", "memory_append_daily", "--tool-args-json", given
    )
    assert answer["structuredContent"]["status"] == "written"


def test_the_inspector_reads_a_resource_by_the_newest_protocol(inspect):
    read = inspect("--protocol-era", "modern", "--method", "resources/read", "--uri", "memtool:///MEMORY.md")
    assert THURSDAY in read["contents"][0]["text"]


def test_the_inspector_calls_a_tool_many_times_at_once(inspect):
    load = inspect(
        "--method", "tools/call", "--tool-name", "memory_search", "--tool-arg", "query=kiln",
        "--load", "--load-requests", "40", "--load-concurrency", "8",
    )  # fmt: skip
    assert (load["ok"], load["errors"], load["toolErrors"]) == (40, 0, 0)
