"""The topic `uninstall` names everything that memtool writes outside a workspace."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from memtool.cli.topics import topic_page
from memtool.core.hooks.hook_event import AGENTS, OPENCLAW
from memtool.store.external.fleet_key import FleetKey, write_key
from tests.commands import NOW
from tests.trees import contents, memtool


def run(home: Path, folder: Path, *arguments: str) -> None:
    result = memtool(*arguments, home=home, cwd=folder, environment={"XDG_CACHE_HOME": f"{home}/.cache"})
    assert result.returncode == 0, result.stderr


def install(home: Path, project: Path, root: Path) -> None:
    """Run each command that writes outside a workspace."""
    run(home, project, "init", root.name)
    run(home, root, "merge", "--install")
    for agent in AGENTS:
        run(home, root, "hook", "install", agent)
        if agent != OPENCLAW:
            run(home, project, "hook", "install", agent, "--scope", "project")
    for shell in ("bash", "zsh", "fish"):
        run(home, root, "completion", "install", shell)
    run(home, root, "config", "set", "daily.clip", "900", "--global")
    write_key({"XDG_CONFIG_HOME": f"{home}/.config"}, FleetKey(str(root), "desk", "dbname=x"), NOW)
    run(home, root, "save", "The kiln is red")
    run(home, root, "search", "kiln")


def uninstall(home: Path, project: Path, root: Path, page: str) -> None:
    """Run the commands that the topic names, and remove the files that it names."""
    for agent in AGENTS:
        assert f"hook uninstall {agent}`" in page or f"`{agent}`" in page
        run(home, root, "hook", "uninstall", agent)
        if agent != OPENCLAW:
            assert "`--scope project`" in page
            run(home, project, "hook", "uninstall", agent, "--scope", "project")
    assert "`memtool merge --uninstall`" in page
    run(home, root, "merge", "--uninstall")
    for name in re.findall(r"`(?:rm (?:-r )?)?~/([^`]+)`", page):
        path = home / name
        assert "memtool" in name or not path.exists()  # what is another program's stays
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)


def test_nothing_remains_after_an_uninstallation_by_the_topic(tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    root = project / "mem"
    for folder in (home, project / ".stfolder"):
        folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    before = contents(project)
    install(home, project, root)
    assert len(contents(home)) > 20
    page = topic_page("uninstall")
    uninstall(home, project, root, page)
    assert contents(home) == {}
    left = {name: text for name, text in contents(project).items() if not name.startswith("mem/")}
    assert left.pop(".stignore") == b"/mem/.memtool\n"
    assert "`.stignore`" in page
    assert left == before
    assert not (root / ".gitattributes").exists()
