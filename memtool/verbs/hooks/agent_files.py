"""The files of an agent that the installation of hooks writes, among them its skill."""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec import Struct

from memtool.core.hooks.agent_skill import PROJECT_FOLDERS, SKILL_FILE, is_generated_skill, skill_text
from memtool.core.hooks.hook_event import CLAUDE, CODEX, GEMINI, OPENCLAW, OPENCODE, PI, QWEN
from memtool.errors import UnreadableFile
from memtool.layouts.resources import resource_text
from memtool.store.external import external_file
from memtool.store.external.external_file import ExternalFile

USER_SCOPE, PROJECT_SCOPE = "user", "project"
_SKILL_TEMPLATE = "agent-skill/SKILL.md"


class AgentFolders(Struct, frozen=True):
    """The folders of the agents' settings, OpenClaw's settings file, and the project's folder.

    `claude_state` is the folder of Claude Code's .claude.json, `config` that of the settings of programs.
    """

    claude: str
    claude_state: str
    codex: str
    openclaw: str
    openclaw_settings: str
    config: str
    opencode: str
    pi: str
    gemini: str
    qwen: str
    project: str

    def of_agent(self, agent: str, scope: str) -> str:
        """An agent's own folder, of the user or in the project."""
        if scope == PROJECT_SCOPE:
            return os.path.join(self.project, PROJECT_FOLDERS[agent])
        by_agent = {CLAUDE: self.claude, CODEX: self.codex, OPENCLAW: self.openclaw, GEMINI: self.gemini}
        by_agent |= {QWEN: self.qwen, OPENCODE: self.opencode, PI: self.pi}
        return by_agent[agent]


class InstalledFile(Struct, frozen=True):
    """A file of an agent before and after the installation; None for a file that does not exist."""

    before: ExternalFile
    after: str | None
    generated: str | None = None
    """The text that memtool generates; a file with this text needs no backup."""
    folders: int = 1
    """How many folders above a file that is removed are removed with it, if they are empty."""

    @property
    def effect(self) -> str:
        """The effect on the file: created, changed, removed, or unchanged."""
        if self.after == self.before.text:
            return "unchanged"
        if self.before.text is None:
            return "created"
        return "removed" if self.after is None else "changed"


def check_places(pages: Sequence[InstalledFile], project: str) -> None:
    """Raise UnreadableFile for a file that a link leads out of the project, whose files others may write."""
    for page in pages:
        place = os.path.realpath(page.before.path)
        if os.path.commonpath([place, os.path.realpath(project)]) != os.path.realpath(project):
            raise UnreadableFile(
                f"{page.before.path} resolves through a symbolic link to {place}, outside the project; "
                "remove the link"
            )


def new_skill(agent: str, scope: str, folders: AgentFolders, command: str) -> tuple[str, str]:
    """The path of an agent's skill, and its text for a command of the hooks."""
    path = os.path.join(folders.of_agent(agent, scope), *SKILL_FILE.split("/"))
    return path, skill_text(resource_text(_SKILL_TEMPLATE), command)


def skill_file(agent: str, scope: str, folders: AgentFolders, command: str | None) -> InstalledFile:
    """The agent's skill after the installation, or without a command after its removal.

    A skill that somebody else wrote or changed stays as it is.
    """
    path, new_text = new_skill(agent, scope, folders, command or "")
    try:
        file = external_file.read_file(path)
    except UnreadableFile:  # not memtool's
        return InstalledFile(ExternalFile(path, None), None)
    if file.text is not None and not is_generated_skill(file.text):
        return InstalledFile(file, file.text)
    text = None if command is None else new_text
    return InstalledFile(file, text, file.text, folders=SKILL_FILE.count("/"))


def skill_advice(skill: InstalledFile) -> list[str]:
    """What to say of a skill that stays as it is."""
    if skill.before.text is None or skill.generated is not None:
        return []
    path = skill.before.path
    return [f"{path} was left unchanged: memtool did not create it, or it has been edited since"]
