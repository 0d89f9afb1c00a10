"""Where the agents on this machine keep their settings."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memtool.verbs.hooks.agent_files import AgentFolders


def agent_folders(environment: Mapping[str, str]) -> AgentFolders:
    """The agents' configuration folders, from their environment variables or by default."""

    def folder(variable: str, name: str) -> str:
        given = environment.get(variable, "")
        return given if os.path.isabs(given) else os.path.join(os.path.expanduser("~"), name)

    gemini_home = environment.get("GEMINI_CLI_HOME", "")
    return AgentFolders(
        folder("CLAUDE_CONFIG_DIR", ".claude"),
        folder("CODEX_HOME", ".codex"),
        folder("OPENCLAW_STATE_DIR", ".openclaw"),
        folder(
            "OPENCLAW_CONFIG_PATH", os.path.join(folder("OPENCLAW_STATE_DIR", ".openclaw"), "openclaw.json")
        ),
        os.path.join(folder("XDG_CONFIG_HOME", ".config"), "opencode"),
        folder("PI_CODING_AGENT_DIR", os.path.join(".pi", "agent")),
        os.path.join(gemini_home or os.path.expanduser("~"), ".gemini"),
        folder("QWEN_HOME", ".qwen"),
        os.getcwd(),
    )
