"""The wheel stands alone: it holds its data, and runs far from any checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from memtool.cli.completion.shells import SCRIPT_MARK
from memtool.cli.documentation import man
from memtool.layouts.load import LAYOUT_NAMES
from memtool.store.config import schemas
from memtool.verbs.health.tree_checks import EXTRAS

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_holds_layouts_seeds_schemas_and_the_licence(unpacked):
    for name in LAYOUT_NAMES:
        assert (unpacked / "memtool" / "layouts" / f"{name}.toml").is_file()
    for name in schemas.schema_names():
        assert (unpacked / "memtool" / "schemas" / f"{name}.schema.json").is_file()
    assert (unpacked / "memtool" / "layouts" / "seeds" / "daily-note.md").is_file()
    assert (unpacked / "memtool" / "py.typed").is_file()
    assert list(unpacked.glob("*.dist-info/licenses/LICENSE"))
    assert (
        "memtool = memtool.__main__:main" in next(unpacked.glob("*.dist-info/entry_points.txt")).read_text()
    )


def test_it_brings_man_pages_and_completions_to_where_systems_look_for_them(unpacked):
    (share,) = unpacked.glob("agent_memtool-*.data/data/share")
    for name in man.page_names():
        place = share / "man" / f"man{name[-1]}" / name
        assert place.read_text() == man.page(name)
    for place in (
        "bash-completion/completions/memtool",
        "zsh/site-functions/_memtool",
        "fish/vendor_completions.d/memtool.fish",
    ):
        assert SCRIPT_MARK in (share / place).read_text()
    assert not (unpacked / "memtool" / "cli" / "build_hook.py").exists()


def test_doctor_and_the_readme_name_every_extra():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = project["optional-dependencies"].keys() - {"dev"}
    assert {name for name, _, _ in EXTRAS} == declared
    (listed,) = re.findall(r"pipx install --force '\.\[(.*?)\]'", (ROOT / "README.md").read_text())
    assert set(listed.split(",")) == declared


def test_it_runs_outside_the_checkout(unpacked, tmp_path):
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(unpacked), "HOME": str(tmp_path)}

    def run(*arguments):
        command = [sys.executable, "-m", "memtool", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    where = (
        "import memtool, memtool.store.config.schemas as s; print(memtool.__file__, len(s.schema_names()))"
    )
    found = subprocess.run(
        [sys.executable, "-c", where],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == [
        str(unpacked / "memtool" / "__init__.py"),
        str(len(schemas.schema_names())),
    ]
    for name in LAYOUT_NAMES:
        assert run("init", name, "--layout", name).returncode == 0
    assert run("--root", "q15", "scan", "-m", "I prefer tea").stdout == "preference\tI prefer tea\n"
    assert "I prefer tea" in run("--root", "q15", "search", "tea").stdout
