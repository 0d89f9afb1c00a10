"""`memtool mcp --config`: each client gets the settings that it reads, and they start the server.

The shapes are the parts of the clients' published schemas, or of what their own commands write, that a local
server needs, from the sources that `client_settings` names; a key that is in none of them fails.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memtool.cli.hooks.agent_folders import agent_folders
from memtool.cli.render.client_settings import MCP_CLIENTS, client_settings
from tests.serve.mcp.talk import NEWEST
from tests.trees import SAMPLE, clean_environment, memtool

STRINGS = {"type": "array", "items": {"type": "string"}}
TABLE = {"type": "object", "additionalProperties": {"type": "string"}}


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    """The schema of an object with these keys and no others."""
    return {
        "type": "object",
        "required": required,
        "additionalProperties": False,
        "properties": properties,
    }


def under(keys: str, server: dict[str, Any], **beside: Any) -> dict[str, Any]:
    """The schema of a server named memtool at a path of keys."""
    schema = closed(["memtool"], memtool=server)
    for key in reversed(keys.split(".")):
        schema = closed([key], **{key: schema})
    schema["properties"] |= beside
    return schema


SERVER = {"command": {"type": "string"}, "args": STRINGS, "env": TABLE}
PLAIN = closed(["command", "args"], **SERVER)
"""The server as `gemini mcp add` (0.61), `qwen mcp add` (0.24) and `openclaw mcp add` (2026.9) write it."""
TYPED = closed(["type", "command"], type={"const": "stdio"}, **SERVER)
"""The server as documented for VS Code and Cursor, and as `claude mcp add` (2.1) writes it."""


def extended(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The schema of a server with further keys."""
    return {**schema, "properties": {**schema["properties"], **more}}


SHAPES = {
    "claude-code": under("mcpServers", extended(TYPED, alwaysLoad={"type": "boolean"})),
    "codex": under("mcp_servers", closed(["command"], command={"type": "string"}, args=STRINGS, env=TABLE)),
    "openclaw": under("mcp.servers", PLAIN),
    "gemini": under("mcpServers", PLAIN),
    "qwen": under("mcpServers", PLAIN),
    "opencode": under(
        "mcp",
        closed(
            ["type", "command"],
            type={"const": "local"},
            command={**STRINGS, "minItems": 1},
            cwd={"type": "string"},
            environment=TABLE,
            enabled={"type": "boolean"},
            timeout={"type": "integer", "exclusiveMinimum": 0},
        ),
        **{"$schema": {"const": "https://opencode.ai/config.json"}},
    ),
    "pi": under(
        "mcpServers", extended(PLAIN, exposure={"enum": ["codemode", "deferred", "direct", "hidden"]})
    ),
    "cursor": under("mcpServers", TYPED),
    "vscode": under("servers", TYPED),
    "zed": under(
        "context_servers",
        closed(["command"], enabled={"type": "boolean"}, command={"type": "string"}, args=STRINGS, env=TABLE),
    ),
    "goose": under(
        "extensions",
        closed(
            ["enabled", "type", "name", "description", "cmd", "args"],
            enabled={"type": "boolean"},
            type={"const": "stdio"},
            name={"const": "memtool"},
            description={"type": "string"},
            cmd={"type": "string"},
            args=STRINGS,
            envs=TABLE,
            timeout={"type": "integer", "minimum": 1},
        ),
    ),
    "cline": under("mcpServers", extended(PLAIN, timeout={"type": "integer", "minimum": 1})),
    "claude-desktop": under("mcpServers", PLAIN),
}


def parsed(client: str, text: str) -> Any:
    """The values of a client's settings."""
    match client:
        case "codex":
            return tomllib.loads(text)
        case "goose":
            return yaml.safe_load(text)
        case _:
            return json.loads(text)


def words_of(client: str, text: str) -> list[str]:
    """The command line in a client's settings."""
    values = parsed(client, text)
    while "memtool" not in values:
        values = next(value for value in values.values() if isinstance(value, dict))
    server = values["memtool"]
    command = server.get("command", server.get("cmd"))
    return command if isinstance(command, list) else [command, *server["args"]]


def printed(
    client: str, tmp_path: Path, *options: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    return memtool("mcp", "--config", client, *options, home=tmp_path, cwd=tmp_path, environment=environment)


def test_each_client_has_a_shape():
    assert SHAPES.keys() == MCP_CLIENTS.keys()


@pytest.mark.parametrize("client", MCP_CLIENTS)
def test_stdout_is_the_settings_alone_in_the_shape_of_the_client(tmp_path, client):
    result = printed(
        client, tmp_path, "--root", str(tmp_path / "my notes"), "--read-only", "--group", "family"
    )
    assert result.returncode == 0
    jsonschema.validate(parsed(client, result.stdout), SHAPES[client])
    program, *arguments = words_of(client, result.stdout)
    assert Path(program).is_absolute()
    start = arguments.index("mcp")
    expected = ["--root", str(tmp_path / "my notes"), "--group", "family", "--read-only"]
    assert arguments[start + 1 :] == expected
    assert "add these settings to" in result.stderr


@pytest.mark.parametrize(
    ("client", "variable", "default", "file"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "~/.claude.json", ".claude.json"),
        ("codex", "CODEX_HOME", "~/.codex/config.toml", "config.toml"),
        ("openclaw", "OPENCLAW_STATE_DIR", "~/.openclaw/openclaw.json", "openclaw.json"),
        ("openclaw", "OPENCLAW_CONFIG_PATH", "~/.openclaw/openclaw.json", ""),
        ("gemini", "GEMINI_CLI_HOME", "~/.gemini/settings.json", ".gemini/settings.json"),
        ("qwen", "QWEN_HOME", "~/.qwen/settings.json", "settings.json"),
        ("pi", "PI_CODING_AGENT_DIR", "~/.pi/agent/mcp.json", "mcp.json"),
        ("opencode", "XDG_CONFIG_HOME", "~/.config/opencode/opencode.json", "opencode/opencode.json"),
        ("zed", "XDG_CONFIG_HOME", "~/.config/zed/settings.json", "zed/settings.json"),
        ("goose", "XDG_CONFIG_HOME", "~/.config/goose/config.yaml", "goose/config.yaml"),
    ],
)
def test_the_file_of_the_settings_is_where_the_client_has_it(tmp_path, client, variable, default, file):
    assert json.loads(printed(client, tmp_path, "--json").stdout)["file"] == default
    elsewhere = tmp_path.parent / "elsewhere"
    record = json.loads(printed(client, tmp_path, "--json", **{variable: str(elsewhere)}).stdout)
    assert record["file"] == str(elsewhere / file)


def test_mcp_settings_and_hooks_take_a_relative_home_of_gemini_alike(tmp_path):
    shown = printed("gemini", tmp_path, "--json", GEMINI_CLI_HOME="g").stdout
    assert json.loads(shown)["file"] == "~/g/.gemini/settings.json"
    hook = memtool(
        "hook", "install", "gemini", home=tmp_path, cwd=tmp_path, environment={"GEMINI_CLI_HOME": "g"}
    )
    assert f"created\t{tmp_path}/g/.gemini/settings.json\n" in hook.stdout


@pytest.mark.parametrize("client", [name for name, row in MCP_CLIENTS.items() if row.add])
def test_the_clients_own_command_starts_the_same_server(tmp_path, client):
    record = json.loads(printed(client, tmp_path, "--json", "--root", str(tmp_path / "my notes")).stdout)
    words, server = shlex.split(record["command"]), words_of(client, record["settings"])
    if client in ("vscode", "claude-code"):
        entry = json.loads(words[-1])
        assert [entry["command"], *entry["args"]] == server
    elif client == "openclaw":
        options = words[4:]
        assert options[::2] == ["--command", *["--arg"] * (len(server) - 1)]
        assert options[1::2] == server
    else:
        more = ("--", "--exposure", "direct")
        assert [word for word in words[words.index("memtool") + 1 :] if word not in more] == server


def test_a_pipe_gets_settings_that_start_a_server_which_answers(tmp_path):
    root = tmp_path / "my notes"
    shutil.copytree(SAMPLE, root)
    command = [sys.executable, "-m", "memtool", "mcp", "--config", "cursor", "--root", str(root)]
    environment = clean_environment(tmp_path)
    settings = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": NEWEST,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    server = subprocess.run(
        words_of("cursor", settings),
        env=environment,
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    reply = json.loads(server.stdout)
    assert reply["id"] == 1
    assert reply["result"]["serverInfo"]["name"] == "memtool"


@pytest.mark.parametrize("client", MCP_CLIENTS)
@given(words=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1))
def test_every_path_comes_back_as_it_was(client, words):
    assert words_of(client, client_settings(client, words, agent_folders({})).text) == words


@pytest.mark.parametrize("option", [("mcp", "--config", "cursor"), ("lsp", "--install", "helix")])
def test_settings_for_a_root_that_is_no_workspace_are_printed_with_a_warning(tmp_path, option):
    (tmp_path / "empty").mkdir()
    for name, why in {"missing": "no such folder", "empty": "is not a workspace"}.items():
        result = memtool("--root", str(tmp_path / name), *option, home=tmp_path, cwd=tmp_path)
        assert (result.returncode, name in result.stdout) == (0, True)
        assert f"memtool: warning: {tmp_path / name}" in result.stderr
        assert why in result.stderr
    result = memtool("--root", str(SAMPLE), *option, home=tmp_path, cwd=tmp_path)
    assert (result.returncode, "warning" in result.stderr) == (0, False)


def test_the_server_is_as_confined_as_the_environment(tmp_path):
    environment = {"MEMTOOL_GROUP": "fam", "MEMTOOL_USER": "ann", "MEMTOOL_MODE": "incognito"}
    shown = memtool("mcp", "--config", "cursor", home=tmp_path, cwd=tmp_path, environment=environment).stdout
    given = words_of("cursor", shown)
    assert given[given.index("--group") + 1] == "fam"
    assert given[given.index("--user") + 1] == "ann"
    assert "--incognito" in given
    refused = memtool(
        "mcp", "--config", "cursor", "--group", "other", home=tmp_path, cwd=tmp_path, environment=environment
    )
    assert refused.returncode == 2
