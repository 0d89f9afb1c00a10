"""The real Neovim, headless, with the settings that the command prints."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memtool.cli.render.editor_settings import editor_settings
from tests.lsp.client import PATIENCE
from tests.trees import SAMPLE, clean_environment

ZETTEL = "memory/notes/zettel"


def test_neovim_shows_diagnostics_jumps_to_a_definition_renames_a_note_and_reads_candidates(tmp_path: Path):
    neovim = shutil.which("nvim")
    if neovim is None:
        pytest.skip("nvim is not installed: the test with a real editor did not run")
    root, out, settings = tmp_path / "w", tmp_path / "out", tmp_path / "settings.lua"
    shutil.copytree(SAMPLE, root)
    shutil.copytree(SAMPLE, other := tmp_path / "another workspace")
    settings.write_text(editor_settings("neovim", ["memtool", "lsp"]))
    command = tmp_path / "bin" / "memtool"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memtool "$@"\n')
    command.chmod(0o700)
    environment = clean_environment(
        tmp_path,
        OUT=str(out),
        SETTINGS=str(settings),
        CANDIDATES=str(other / "memory/cognition/pending.jsonl"),
        NOTE=str(root / ZETTEL / "celadon.md"),
        RENAMED=str(root / ZETTEL / "tiles-for-tests.md"),
    )
    environment["PATH"] = f"{command.parent}:{environment['PATH']}"
    script = Path(__file__).parent / "init.lua"
    subprocess.run(
        [neovim, "--headless", "--clean", "-u", str(script)],
        env=environment, cwd=tmp_path, stdin=subprocess.DEVNULL, timeout=4 * PATIENCE, check=True,
    )  # fmt: skip
    said = dict(json.loads(line) for line in out.read_text().splitlines())
    message = "broken link: no note named 'nowhere 😀'"
    assert said == {
        "diagnostic": [14, 4, 4 + len("[[nowhere 😀]]".encode()), "M401", message],
        "definition": "test-tiles.md",
        "renamed": 1,
        "candidate": ["jsonl", ["Approve c-9c881f672c72", "Drop c-9c881f672c72"]],
    }
    assert not (root / ZETTEL / "test-tiles.md").exists()
    assert "title: Tiles for tests" in (root / ZETTEL / "tiles-for-tests.md").read_text()
    assert "[[Tiles for tests]]" in (root / "memory/notes/maps/glazes.md").read_text()
    assert "[[Tiles for tests]]" in (root / ZETTEL / "celadon.md").read_text()
