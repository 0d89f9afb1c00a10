"""The real Emacs with Eglot, without a window, with the settings that the command prints."""

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

PACKAGES = "(progn (package-initialize) (require 'eglot) (require 'markdown-mode))"


def test_emacs_shows_diagnostics_follows_a_link_renames_a_heading_and_reads_candidates(tmp_path: Path):
    emacs = shutil.which("emacs")
    probe = [emacs or "", "--batch", "--eval", PACKAGES]
    if emacs is None or subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("Emacs, Eglot or markdown-mode is not installed: the test with a real editor did not run")
    root, out, settings = tmp_path / "w", tmp_path / "out", tmp_path / "settings.el"
    shutil.copytree(SAMPLE, root)
    settings.write_text(editor_settings("emacs", ["memtool", "lsp"]).partition(";; or for lsp-mode")[0])
    command = tmp_path / "bin" / "memtool"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memtool "$@"\n')
    command.chmod(0o700)
    note = root / "memory/notes/zettel/celadon.md"
    environment = clean_environment(tmp_path, OUT=str(out), SETTINGS=str(settings), NOTE=str(note))
    environment["PATH"] = f"{command.parent}:{environment['PATH']}"
    subprocess.run(
        [emacs, "--batch", "-l", str(Path(__file__).parent / "eglot.el")],
        env=environment, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=4 * PATIENCE,
        check=True,
    )  # fmt: skip
    assert dict(json.loads(line) for line in out.read_text().splitlines()) == {
        "diagnostic": "memtool [M401]: broken link: no note named 'nowhere'",
        "renamed": "## Another part\n\nSee [[#Another part]] and [[nowhere]].",
        "definition": "test-tiles.md",
        "candidate": ["Approve c-9c881f672c72", "Drop c-9c881f672c72"],
    }
