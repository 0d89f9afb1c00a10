"""`memtool lsp` with the real Claude Code, as the plugin that `lsp --install` prints."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from memtool.cli.render.editor_settings import editor_settings
from tests.clients.agents import agent
from tests.clients.model import Call, Model, Say
from tests.trees import SAMPLE

FILES = (".claude-plugin/plugin.json", ".lsp.json")
NOTE = "memory/notes/zettel/celadon.md"
PAUSE = {"command": "sleep 5", "description": "Wait"}


def plugin(folder: Path) -> Path:
    """The plugin, made of the two files that are printed."""
    rest = editor_settings("claude-code", ["memtool", "lsp"])
    for name, next_name in zip(FILES, (*FILES[1:], ""), strict=True):
        _, _, text = rest.partition(f"# {name}\n")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.partition(f"# {next_name}\n")[0] if next_name else text)
    return folder


def test_claude_code_is_given_the_diagnostics_of_the_file_that_it_edits(tmp_path: Path):
    one = agent("claude", tmp_path)
    shutil.copytree(SAMPLE, one.project, dirs_exist_ok=True)
    edit = {"old_string": "# Celadon\n", "new_string": "# Celadon\n\nSee [[nowhere at all]].\n"}
    path = str(one.project / NOTE)
    script = [
        Call("Read", {"file_path": path}),
        Call("Edit", {"file_path": path, **edit}),
        Call("Bash", PAUSE),
        Call("Bash", PAUSE),
        Say("Done."),
    ]
    options = ("--plugin-dir", str(plugin(tmp_path / "plugin")), "--permission-mode", "acceptEdits")
    with Model(script) as model:
        one.run("Link the note", model, *options, "--allowedTools", "Bash")
    sent = json.dumps([request.body for request in model.requests])
    assert "M401" in sent
    assert "no note named 'nowhere at all'" in sent
