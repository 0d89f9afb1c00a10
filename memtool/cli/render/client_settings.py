"""The settings with which MCP clients start `memtool mcp`; they are printed, never written."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from memtool.verbs.hooks.agent_files import AgentFolders

_NAME = "memtool"
_GOOSE_SECONDS = 300
"""The time limit of a call that Goose proposes for a new extension."""
_CLINE_SECONDS = 60
"""Cline's own time limit of a call; without it, the CLI 3.0.65 gives the server 3 seconds to start."""


class McpClient(Struct, frozen=True):
    """A client: its name, the file of its settings, their text for a command line, and its own command.

    `file` is relative to `folder`, a field of AgentFolders; without one it says where the file is. The same
    settings work in the file `or_project` of a project, if there is one. `add` gives the words of the
    client's own command that adds the server, if it has one.
    """

    title: str
    file: str
    render: Callable[[Sequence[str]], str]
    folder: str = ""
    or_project: str = ""
    add: Callable[[Sequence[str]], list[str]] | None = None


class ClientSettings(Struct, frozen=True):
    """The settings of a client, the file for them, that of a project, and the command that adds the server.

    The last two are "" where the client has none.
    """

    title: str
    text: str
    file: str
    project_file: str
    command: str


def client_settings(client: str, words: Sequence[str], folders: AgentFolders) -> ClientSettings:
    """The settings with which a client starts the server by a command line, the words of which are given."""
    row = MCP_CLIENTS[client]
    command = shlex.join(row.add(words)) if row.add else ""
    file = os.path.join(getattr(folders, row.folder), row.file).rstrip("/") if row.folder else row.file
    return ClientSettings(row.title, row.render(words), _from_home(file), row.or_project, command)


def _from_home(path: str) -> str:
    """The path with `~` for the home folder."""
    home = os.path.join(os.path.expanduser("~"), "")
    return f"~/{path.removeprefix(home)}" if path.startswith(home) else path


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _entry(words: Sequence[str], *, typed: bool = False) -> dict[str, Any]:
    return {**({"type": "stdio"} if typed else {}), "command": words[0], "args": list(words[1:])}


def _servers(words: Sequence[str]) -> str:
    return _json({"mcpServers": {_NAME: _entry(words)}})


def _typed_servers(words: Sequence[str]) -> str:
    return _json({"mcpServers": {_NAME: _entry(words, typed=True)}})


def _claude_entry(words: Sequence[str]) -> dict[str, Any]:
    """The server for Claude Code, which with `alwaysLoad` answers no prompt before it has started."""
    return {**_entry(words, typed=True), "alwaysLoad": True}


def _claude(words: Sequence[str]) -> str:
    return _json({"mcpServers": {_NAME: _claude_entry(words)}})


def _pi(words: Sequence[str]) -> str:
    """The server for pi, which with `direct` shows its model the tools, and waits for them."""
    return _json({"mcpServers": {_NAME: {**_entry(words), "exposure": "direct"}}})


def _cline(words: Sequence[str]) -> str:
    return _json({"mcpServers": {_NAME: {**_entry(words), "timeout": _CLINE_SECONDS}}})


def _vscode(words: Sequence[str]) -> str:
    return _json({"servers": {_NAME: _entry(words, typed=True)}})


def _zed(words: Sequence[str]) -> str:
    return _json({"context_servers": {_NAME: {**_entry(words), "env": {}}}})


def _openclaw(words: Sequence[str]) -> str:
    return _json({"mcp": {"servers": {_NAME: _entry(words)}}})


def _opencode(words: Sequence[str]) -> str:
    server = {"type": "local", "command": list(words), "enabled": True}
    return _json({"$schema": "https://opencode.ai/config.json", "mcp": {_NAME: server}})


def _codex(words: Sequence[str]) -> str:
    return f"[mcp_servers.{_NAME}]\ncommand = {_quoted(words[0])}\nargs = {_quoted_list(words[1:])}\n"


def _goose(words: Sequence[str]) -> str:
    rows = [
        ("enabled", "true"),
        ("type", "stdio"),
        ("name", _NAME),
        ("description", _quoted("Search, recall and save memory")),
        ("cmd", _quoted(words[0])),
        ("args", _quoted_list(words[1:])),
        ("envs", "{}"),
        ("timeout", str(_GOOSE_SECONDS)),
    ]
    lines = [f"    {key}: {value}" for key, value in rows]
    return "\n".join(["extensions:", f"  {_NAME}:", *lines]) + "\n"


def _quoted(text: str) -> str:
    """A string in double quotes that TOML and YAML read alike; neither has JSON's pairs of surrogates."""
    quoted = json.dumps(text, ensure_ascii=False)
    return re.sub(
        "[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", quoted
    )


def _quoted_list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _adding_to_codex(words: Sequence[str]) -> list[str]:
    return ["codex", "mcp", "add", _NAME, "--", *words]


def _adding_to_claude(words: Sequence[str]) -> list[str]:
    entry = json.dumps(_claude_entry(words), ensure_ascii=False)
    return ["claude", "mcp", "add-json", "--scope", "user", _NAME, entry]


def _adding_to_pi(words: Sequence[str]) -> list[str]:
    return ["pi", "mcp", "add", _NAME, "--exposure", "direct", "--", *words]


def _adding_to_openclaw(words: Sequence[str]) -> list[str]:
    arguments = [part for word in words[1:] for part in ("--arg", word)]
    return ["openclaw", "mcp", "add", _NAME, "--command", words[0], *arguments]


def _adding_to_gemini(program: str) -> Callable[[Sequence[str]], list[str]]:
    """Gemini CLI and Qwen Code take the program first; what follows `--` is not read as their own options."""
    return lambda words: [program, "mcp", "add", "--scope", "user", _NAME, words[0], "--", *words[1:]]


def _adding_to_vscode(words: Sequence[str]) -> list[str]:
    return ["code", "--add-mcp", json.dumps({"name": _NAME, **_entry(words)}, ensure_ascii=False)]


MCP_CLIENTS = {
    # https://code.claude.com/docs/en/mcp, and the settings that `claude mcp add-json` 2.1 writes
    "claude-code": McpClient(
        "Claude Code",
        ".claude.json",
        _claude,
        "claude_state",
        ".mcp.json",
        _adding_to_claude,
    ),
    # openai/codex, codex-rs/core/config.schema.json: RawMcpServerConfig
    "codex": McpClient(
        "Codex",
        "config.toml",
        _codex,
        "codex",
        ".codex/config.toml",
        _adding_to_codex,
    ),
    # the settings that `openclaw mcp add` 2026.9 writes
    "openclaw": McpClient("OpenClaw", "", _openclaw, "openclaw_settings", "", _adding_to_openclaw),
    # the settings that `gemini mcp add` 0.61 and `qwen mcp add` 0.24 write
    "gemini": McpClient(
        "Gemini CLI",
        "settings.json",
        _servers,
        "gemini",
        ".gemini/settings.json",
        _adding_to_gemini("gemini"),
    ),
    "qwen": McpClient(
        "Qwen Code",
        "settings.json",
        _servers,
        "qwen",
        ".qwen/settings.json",
        _adding_to_gemini("qwen"),
    ),
    # https://opencode.ai/config.json: McpLocalConfig
    "opencode": McpClient("opencode", "opencode.json", _opencode, "opencode", "opencode.json"),
    # @earendil-works/pi-coding-agent 1.5, docs/mcp.md; a project's file is read in trusted projects only
    "pi": McpClient("pi", "mcp.json", _pi, "pi", ".pi/mcp.json", _adding_to_pi),
    # https://cursor.com/docs/mcp
    "cursor": McpClient("Cursor", "~/.cursor/mcp.json", _typed_servers, "", ".cursor/mcp.json"),
    # https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
    "vscode": McpClient(
        "VS Code",
        'mcp.json (the command "MCP: Open User Configuration" opens it)',
        _vscode,
        "",
        ".vscode/mcp.json",
        _adding_to_vscode,
    ),
    # https://zed.dev/docs/ai/mcp
    "zed": McpClient("Zed", "zed/settings.json", _zed, "config", ".zed/settings.json"),
    # block/goose, crates/goose/src/agents/extension.rs: ExtensionConfig::Stdio
    "goose": McpClient("Goose", "goose/config.yaml", _goose, "config"),
    # https://docs.cline.bot/mcp/configuring-mcp-servers, and the CLI 3.0.65
    "cline": McpClient(
        "Cline",
        "~/.cline/data/settings/cline_mcp_settings.json (in an editor: MCP Servers > Configure)",
        _cline,
    ),
    # https://modelcontextprotocol.io/quickstart/user
    "claude-desktop": McpClient(
        "Claude Desktop", "claude_desktop_config.json (Settings > Developer > Edit Config)", _servers
    ),
}
"""The clients by name, in the order of the help; the comment above each is the source of its shape."""
