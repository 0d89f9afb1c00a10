"""Where the agents on this machine keep their settings."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memtool.verbs.hooks.agent_files import AgentFolders


def agent_folders(environment: Mapping[str, str]) -> AgentFolders:
    """The agents' configuration folders, from their environment variables or by default."""

    home = os.path.expanduser("~")

    def folder(variable: str, name: str) -> str:
        given = environment.get(variable, "")
        return given if os.path.isabs(given) else os.path.join(home, name)

    config, openclaw = folder("XDG_CONFIG_HOME", ".config"), folder("OPENCLAW_STATE_DIR", ".openclaw")
    gemini_home = environment.get("GEMINI_CLI_HOME") or home  # Gemini takes a relative path as it is
    return AgentFolders(
        claude=folder("CLAUDE_CONFIG_DIR", ".claude"),
        claude_state=folder("CLAUDE_CONFIG_DIR", ""),
        codex=folder("CODEX_HOME", ".codex"),
        openclaw=openclaw,
        openclaw_settings=folder("OPENCLAW_CONFIG_PATH", os.path.join(openclaw, "openclaw.json")),
        config=config,
        opencode=os.path.join(config, "opencode"),
        pi=folder("PI_CODING_AGENT_DIR", os.path.join(".pi", "agent")),
        gemini=os.path.abspath(os.path.join(gemini_home, ".gemini")),
        qwen=folder("QWEN_HOME", ".qwen"),
        project=os.getcwd(),
    )
