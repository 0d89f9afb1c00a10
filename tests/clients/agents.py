"""The agents, each in a home and a project of its own, run for one prompt against a scripted model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import forked
from tests.clients.model import Model

HERE = Path(__file__).parent.parent.parent
CLIENTS = Path(os.environ.get("MEMTOOL_TEST_CLIENTS") or HERE / ".venv" / "clients")
PROGRAMS = {
    "node": "node22/node_modules/.bin/node",
    "claude": "cc/node_modules/.bin/claude",
    "codex": "codex/node_modules/.bin/codex",
    "inspector": "inspector2/node_modules/.bin/mcp-inspector",
    "openclaw": "openclaw/node_modules/openclaw/openclaw.mjs",
    "opencode": "opencode/node_modules/opencode-ai/bin/opencode.exe",
    "pi": "pi/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js",
    "gemini": "gemini/node_modules/.bin/gemini",
    "qwen": "qwen/node_modules/.bin/qwen",
    "cline": "cline/node_modules/.bin/cline",
}
CLIENT_NAMES = {"claude": "claude-code"}
"""The names that memtool has for clients, where they are others."""
_NAME = "mock-model"


def program(name: str) -> str:
    """The path of a client's program; the test is skipped, loudly, where it is not installed."""
    path = CLIENTS / PROGRAMS[name]
    if not path.exists():
        pytest.skip(f"NOT RUN WITH THE REAL {name.upper()}: there is no {path}; `make clients` installs it")
    return str(path)


@dataclass
class Agent:
    """An agent that is installed, with a home, a project folder and an environment for this test alone.

    `memtool` is on its PATH. Its environment holds nothing of this machine's user; what a test adds to
    `environment` before `run` reaches the agent and its hooks.
    """

    name: str
    home: Path
    project: Path
    environment: dict[str, str]

    def run(self, prompt: str, model: Model, *options: str, timeout: float = 90) -> Ran:
        """One prompt, to the end of the agent's process (and of its session). `options` come behind.

        Settings that lie in the home or in the project (hooks, say) hold; what the runner needs comes as
        options, or is added to them.
        """
        command = AGENTS[self.name](self, prompt, model)
        return ran([*command, *options], cwd=self.project, environment=self.environment, timeout=timeout)


@dataclass(frozen=True)
class Ran:
    """What a client's process printed, and how it ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def said(self) -> str:
        """Everything, for the message of an assertion."""
        return f"exit {self.code}\n{self.stdout}\n{self.stderr}"


def agent(name: str, folder: Path) -> Agent:
    """An agent by name, a key of `AGENTS`, made ready below `folder`; skips where it is absent.

    The project is `folder/project`; put a workspace there, or name one by MEMTOOL_ROOT.
    """
    program(name)
    home, project = folder / "home", folder / "project"
    for one in (home, project):
        one.mkdir(exist_ok=True)
    return Agent(name, home, project, environment(folder))


def environment(folder: Path) -> dict[str, str]:
    """An environment for a client below `folder`: its home, and the newest node and memtool on the PATH."""
    shims = folder / "bin"
    shims.mkdir(exist_ok=True)
    forked.write_command(shims / "memtool", set_variables=True)
    node = Path(program("node")).parent
    path = f"{shims}:{node}:{os.environ['PATH']}"
    compiled = str(CLIENTS / "compiled")  # by node, once for all tests
    return {"PATH": path, "HOME": str(folder / "home"), "LANG": "C.UTF-8", "NODE_COMPILE_CACHE": compiled}


def ran(command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], timeout: float = 90) -> Ran:
    """Run a client's process, and end its whole process group when it takes too long."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        pytest.fail(f"{command[0]} took more than {timeout:g} s: {stdout!r} {stderr!r}")
    return Ran(process.returncode, stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace"))


def _claude(agent: Agent, prompt: str, model: Model) -> list[str]:
    agent.environment |= {
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "MCP_CONNECT_TIMEOUT_MS": "60000",  # 5 s are too few beside other tests
    }
    return [program("claude"), "-p", prompt, "--output-format", "json", "--allowedTools", "mcp__memtool"]


def _codex(agent: Agent, prompt: str, model: Model) -> list[str]:
    agent.environment["MOCK_KEY"] = "none"
    provider = {"name": "mock", "base_url": f"{model.url}/v1", "env_key": "MOCK_KEY", "wire_api": "responses"}
    settings: dict[str, Any] = {
        "model": _NAME,
        "model_provider": "mock",
        "approval_policy": "never",
        "sandbox_mode": "danger-full-access",
        "model_providers.mock": provider,
        "projects": {str(agent.project): {"trust_level": "trusted"}},
    }
    given = [one for key, value in settings.items() for one in ("-c", f"{key}={_toml(value)}")]
    trusting = "--dangerously-bypass-hook-trust"
    return [program("codex"), "exec", *given, "--skip-git-repo-check", trusting, "--json", prompt]


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items()) + "}"
    return json.dumps(value)


def _openclaw(agent: Agent, prompt: str, model: Model) -> list[str]:
    free = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    mock = {"id": _NAME, "name": "Mock", "reasoning": False, "input": ["text"], "cost": free}
    mock |= {"contextWindow": 128_000, "maxTokens": 4096}
    provider = {"baseUrl": f"{model.url}/v1", "apiKey": "none", "api": "openai-completions", "models": [mock]}
    chosen = {"workspace": str(agent.project), "model": {"primary": f"mock/{_NAME}"}, "skipBootstrap": True}
    path = agent.home / ".openclaw" / "openclaw.json"
    path.parent.mkdir(exist_ok=True)
    settings = json.loads(path.read_text()) if path.exists() else {}
    settings["models"] = {"mode": "merge", "providers": {"mock": provider}}
    settings["agents"] = {"defaults": chosen}
    path.write_text(json.dumps(settings))
    start = [program("node"), program("openclaw"), "agent", "--local", "--session-id", "one"]
    return [*start, "--message", prompt]


def _opencode(agent: Agent, prompt: str, model: Model) -> list[str]:
    agent.environment |= {
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "npm_config_offline": "true",
    }
    mock = {"name": "Mock", "limit": {"context": 128_000, "output": 4096}}
    provider = {"options": {"baseURL": f"{model.url}/v1", "apiKey": "none"}, "models": {_NAME: mock}}
    names = {"model": f"anthropic/{_NAME}", "small_model": f"anthropic/{_NAME}"}
    settings = {**names, "provider": {"anthropic": provider}}
    path = agent.home / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings))
    # else it installs the types of its plugins from npm first, for people who write them
    (path.parent / "node_modules").mkdir(exist_ok=True)
    types = {"dependencies": {"@opencode-ai/plugin": "*"}}
    (path.parent / "package-lock.json").write_text(json.dumps({"packages": {"": types}}))
    return [program("opencode"), "run", *prompt.split(" ")]  # it puts a word with spaces into quotes


def _pi(agent: Agent, prompt: str, model: Model) -> list[str]:
    agent.environment["PI_OFFLINE"] = "1"
    mock = {"id": _NAME, "contextWindow": 128_000, "maxTokens": 4096}
    provider = {"baseUrl": f"{model.url}/v1", "api": "openai-completions", "apiKey": "none", "models": [mock]}
    path = agent.home / ".pi" / "agent" / "models.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"providers": {"mock": provider}}))
    chosen = ["--provider", "mock", "--model", _NAME]
    return [program("node"), program("pi"), *chosen, "-p", prompt]


def _gemini(agent: Agent, prompt: str, model: Model) -> list[str]:
    agent.environment |= {
        "GOOGLE_GEMINI_BASE_URL": model.url,
        "GEMINI_API_KEY": "none",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }
    auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    more = {"general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False}}
    _add_settings(agent.home / ".gemini" / "settings.json", auth | more)
    return [program("gemini"), "--model", "gemini-2.5-flash", "--prompt", prompt]


def _qwen(agent: Agent, prompt: str, model: Model) -> list[str]:
    agent.environment |= {
        "OPENAI_BASE_URL": f"{model.url}/v1",
        "OPENAI_API_KEY": "none",
        "OPENAI_MODEL": _NAME,
    }
    auth = {"security": {"auth": {"selectedType": "openai"}}}
    own_memory = {"memory": {"enableManagedAutoMemory": False}}  # which asks the model after each turn
    more = {"general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False}}
    _add_settings(agent.home / ".qwen" / "settings.json", auth | own_memory | more)
    return [program("qwen"), "--prompt", prompt]


def _cline(agent: Agent, prompt: str, model: Model) -> list[str]:
    agent.environment["CLINE_SESSION_BACKEND_MODE"] = "local"  # else a daemon runs the session, and stays
    chosen = {"provider": "openai-compatible", "apiKey": "none", "model": _NAME, "baseUrl": f"{model.url}/v1"}
    providers = {"openai-compatible": {"settings": chosen, "updatedAt": "2025-01-15T10:30:00Z"}}
    path = agent.home / ".cline" / "data" / "settings" / "providers.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"version": 1, "providers": providers}))
    return [program("cline"), "--provider", "openai-compatible", "--model", _NAME, prompt]


def _add_settings(path: Path, more: dict[str, Any]) -> None:
    """Add keys to an agent's settings, which a test may have written."""
    path.parent.mkdir(exist_ok=True)
    settings = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**settings, **more}))


AGENTS = {
    "claude": _claude,
    "codex": _codex,
    "openclaw": _openclaw,
    "opencode": _opencode,
    "pi": _pi,
    "gemini": _gemini,
    "qwen": _qwen,
    "cline": _cline,
}
