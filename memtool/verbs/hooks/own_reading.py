"""The files of memory that an agent puts into its prompt by itself, which a hook does not repeat.

Seen of Claude Code 2.1: it reads the CLAUDE.md of its folder and of those above, the AGENTS.md of a folder
without one, every file that these import (`@MEMORY.md`), and the index of its own memory. Codex 0.169 reads
AGENTS.md from its project's root down. So does Qwen Code 0.24, and QWEN.md; Gemini CLI 0.61 reads GEMINI.md.
Both read what these import. Codex and Gemini CLI read the file in their own folder in the home, too.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection
from pathlib import PurePosixPath

from memtool.core.hooks.hook_event import CLAUDE, CODEX, GEMINI, QWEN
from memtool.core.text.regex import regex
from memtool.errors import MemtoolError
from memtool.store.external.transcript_files import resolved_path
from memtool.store.root import enclosing_work_tree
from memtool.verbs.hooks.hook_call import HookCall

_INSTRUCTIONS = ("CLAUDE.md", ".claude/CLAUDE.md")
"""Claude Code's files of instructions in a folder; with one of them it does not read its AGENTS.md."""
_MORE_INSTRUCTIONS = ("CLAUDE.local.md",)
_OTHER_INSTRUCTIONS = {GEMINI: "GEMINI.md", QWEN: "QWEN.md"}
"""The files of instructions, in no layout, of the other agents that read what these import."""
_OWN_MEMORY = "memory"
"""Claude Code's folder of memory, beside the transcripts of a project."""
_HOME_READERS = frozenset({CODEX, GEMINI})
"""The agents that always read the instructions in their own folder, in which their transcripts are, too."""
_IMPORT = r"(?m)(?:^|(?<=\s))@((?:[^\s`\\]|\\ )+)"
_CODE = r"(?ms)^[ \t]*(```|~~~).*?^[ \t]*\1|`[^`\n]*`"
_IMPORT_DEPTH = 5


def files_read_by_agent(call: HookCall, paths: Collection[str]) -> frozenset[str]:
    """Which of these files of the workspace the agent of a hook reads by itself."""
    layout, agent = call.workspace.layout, call.event.agent
    if _is_own_memory(call):
        return frozenset(path for path in paths if layout.reads_itself(f"{agent}:{_OWN_MEMORY}", path))
    if not (_is_project_folder(call) or _is_agents_home(call)):
        return frozenset()
    own = {path for path in paths if layout.reads_itself(agent, path)}
    names = (*sorted(own), _OTHER_INSTRUCTIONS[agent]) if agent in _OTHER_INSTRUCTIONS else ()
    if agent == CLAUDE:
        files = [name for name in _INSTRUCTIONS if _exists(call, name)]
        own = {path for path in own if not files or path in files}
        names = (*(files or sorted(own)), *_MORE_INSTRUCTIONS)
    imported: set[str] = set()
    for name in names:
        _add_imports(call, name, imported, _IMPORT_DEPTH)
    return frozenset(own | (imported & {*paths}))


def _exists(call: HookCall, name: str) -> bool:
    return os.path.lexists(os.path.join(call.workspace.root, name))


def _add_imports(call: HookCall, name: str, imported: set[str], depth: int) -> None:
    """Add the files of the workspace that a file of instructions imports, to five levels."""
    try:
        document = call.workspace.read(PurePosixPath(name))
    except MemtoolError:
        return
    if document is None or not depth:
        return
    for match in regex(_IMPORT).finditer(regex(_CODE).sub("", document.text)):
        path = os.path.expanduser(match[1].replace("\\ ", " ").rstrip(".,;:)"))
        root = call.workspace.root
        path = posixpath.normpath(os.path.join(root, posixpath.dirname(name), path))
        relative = os.path.relpath(path, root)
        if not relative.startswith("..") and relative not in imported:
            imported.add(relative)
            _add_imports(call, relative, imported, depth - 1)


def _is_own_memory(call: HookCall) -> bool:
    """Whether the root is the folder of the agent's own memory of the project that it works in."""
    folder = os.path.join(os.path.dirname(call.event.transcript), _OWN_MEMORY)
    is_path = call.event.transcript.startswith("/") and "\0" not in folder
    return is_path and os.path.realpath(folder) == os.path.realpath(call.workspace.root)


def _is_agents_home(call: HookCall) -> bool:
    """Whether the root is the agent's own folder, such as ~/.codex, whose instructions it always reads."""
    transcript = resolved_path(call.event.transcript)
    root = os.path.join(os.path.realpath(call.workspace.root), "")
    return call.event.agent in _HOME_READERS and transcript.startswith(root)


def _is_project_folder(call: HookCall) -> bool:
    """Whether the root is a folder whose instructions the agent reads: one from its project's root down.

    A project's root has `.git`; without one, only the folder that the agent works in counts (Codex).
    """
    if not call.event.cwd.startswith("/") or "\0" in call.event.cwd:
        return False
    folder, root = os.path.realpath(call.event.cwd), os.path.realpath(call.workspace.root)
    project = enclosing_work_tree(folder) or folder
    return root == os.path.commonpath([root, folder]) and project == os.path.commonpath([project, root])
