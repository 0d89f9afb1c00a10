"""The skill that teaches an agent memtool's commands: its text, and the folders in which agents read skills.

The format is that of https://agentskills.io/specification: frontmatter with `name` and `description`.
"""

from __future__ import annotations

import re
import shlex

from memtool.core.digest import blake2b
from memtool.core.hooks.hook_command import is_memtool_hook

SKILL_FILE = "skills/memtool/SKILL.md"
"""The path of the skill in an agent's folder."""
_PLACEHOLDER = "{memtool}"
_PROGRAM = "memtool"
_DIGEST_LINE = re.compile('(?m)^metadata:\\n  memtool-digest: "([0-9a-f]{16})"\\n')


PROJECT_FOLDERS = {
    "claude-code": ".claude",
    "codex": ".codex",
    "openclaw": "",
    "gemini": ".gemini",
    "qwen": ".qwen",
    "opencode": ".opencode",
    "pi": ".pi",
}
"""Each agent's own folder in a project, which contains its folder `skills`; "" if the agent has none there.

Not `.agents`, which all of them but Claude Code read, too: an agent shows or reports a skill of the same name
in two folders, and to remove it for one agent would remove it for all. Seen with Codex 0.171, which lists
skills of both ~/.codex and ~/.agents; documented for the others. opencode 1.18 also reads `.claude/skills`,
but lists one skill of a name, that of its own folder, and logs a warning.
"""


def skill_text(template: str, hook_command: str) -> str:
    """The skill with the command line of the hooks, and a digest that shows later whether it was changed."""
    text = template.replace(_PLACEHOLDER, _command_line(hook_command))
    head, fence, body = text.removeprefix("---\n").partition("\n---\n")
    return f'---\n{head}\nmetadata:\n  memtool-digest: "{_digest(text)}"{fence}{body}'


def is_generated_skill(text: str) -> bool:
    """Whether a text is a skill as some version of memtool wrote it, with no change since."""
    match = _DIGEST_LINE.search(text)
    return match is not None and _digest(text[: match.start()] + text[match.end() :]) == match[1]


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _command_line(hook_command: str) -> str:
    """The command line of memtool in a hook's command; a command that does not show it gives none."""
    words = shlex.split(hook_command)
    is_plain = is_memtool_hook(hook_command) and words[-1:] == ["hook"] and "#" not in words
    return hook_command.rstrip().removesuffix("hook").rstrip() if is_plain else _PROGRAM
