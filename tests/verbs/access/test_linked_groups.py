"""The usual arrangement of nano: main in ~/nano, the groups beside the host, joined by an allowed link."""

from __future__ import annotations

import os

import pytest

from memtool.core.records.scope import ROOT, Scope
from memtool.errors import BadUsage, OutsideWorkspace
from memtool.verbs.access.scope import decide_scope
from tests.trees import contents, make, memtool, opened

MAIN = {"NANO.md": "# NANO\n", "SOUL.md": "# Soul\n", "MEMORY.md": "- main likes green tea\n"}
GROUPS = {
    "global/MEMORY.md": "- the kiln fires at 1240\n",
    "family/MEMORY.md": "- the lantern is red\n",
    "main/.gitkeep": "",
}
SECRET = {"secret.md": "- the lantern of another program\n"}


@pytest.fixture
def places(tmp_path):
    home, groups = make(tmp_path / "nano", MAIN), make(tmp_path / "host/groups", GROUPS)
    make(tmp_path / "elsewhere", SECRET)
    (home / "groups").symlink_to("../host/groups")
    config = tmp_path / ".config/memtool"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f'[groups]\nfolder = "{groups}"\n')
    return home, groups


def run(home, *arguments, **environment):
    return memtool(*arguments, home=home.parent, cwd=home, environment=environment)


def found(home, *arguments, **environment):
    result = run(home, "search", *arguments, **environment)
    return {line.partition(":")[0] for line in result.stdout.splitlines()}, result.returncode


def test_main_reads_what_the_groups_share_and_a_group_its_own(places):
    home, _ = places
    assert found(home, "kiln") == ({"groups/global/MEMORY.md"}, 0)
    assert "kiln fires" in run(home, "context", "--prompt", "When does the kiln fire?").stdout
    assert found(home, "lantern", "tea", MEMTOOL_GROUP="family") == ({"groups/family/MEMORY.md"}, 0)
    assert found(home, "tea", MEMTOOL_GROUP="family") == (set(), 1)
    assert run(home, "search", "tea", "--group", "main", MEMTOOL_GROUP="family").returncode == 13


def test_main_is_the_workspace_although_the_host_has_a_folder_of_its_name(places):
    home, groups = places
    workspace = opened(home, MEMTOOL_GROUPS_FOLDER=str(groups))
    assert decide_scope(workspace, "main", None, writes=True) == Scope(ROOT, (ROOT, "global"))


def test_a_group_is_written_where_it_lies_and_undo_takes_it_back(places):
    home, groups = places
    before = contents(groups)
    for arguments in (["scan", "-m", "I prefer green lamps"], ["append-daily", "--user-text", "hello"]):
        assert run(home, *arguments, MEMTOOL_GROUP="family").returncode == 0
    assert "green lamps" in (groups / "family/MEMORY.md").read_text()
    assert list((groups / "family/memory").glob("????-??-??.md"))
    assert found(home, "lamps")[1] == 0
    for _ in range(2):
        assert run(home, "undo").returncode == 0
    assert contents(groups) == before


def test_a_change_behind_the_link_is_found_at_once(places):
    home, groups = places
    assert found(home, "kiln")[1] == 0
    (groups / "global/MEMORY.md").write_text("- the wheel turns left\n")
    assert found(home, "kiln") == (set(), 1)
    assert found(home, "wheel") == ({"groups/global/MEMORY.md"}, 0)


def test_without_the_users_configuration_nothing_behind_the_link_is_read(places):
    home, groups = places
    (home.parent / ".config/memtool/config.toml").unlink()
    assert found(home, "kiln") == (set(), 1)
    refused = run(home, "search", "--group", "global", "kiln")
    assert refused.returncode == 13
    assert "groups.folder" in refused.stderr
    assert run(home, "get", "groups/global/MEMORY.md").returncode == 13
    (home / "memtool.toml").write_text(f'layout = "nano"\n[groups]\nfolder = "{groups}"\n')
    result = run(home, "search", "kiln")
    assert "groups.folder cannot be set in a workspace" in result.stderr
    assert result.stdout == ""


def test_a_link_that_leads_elsewhere_is_not_the_allowed_one(places):
    home, _ = places
    (home / "groups").unlink()
    (home / "groups").symlink_to("../elsewhere")
    assert found(home, "lantern") == (set(), 1)


@pytest.mark.parametrize("name", ["groups/work", "groups/family/memory"])
def test_no_link_leads_out_of_the_allowed_folder(places, name):
    home, groups = places
    (groups.parent / name).symlink_to(home.parent / "elsewhere")
    assert run(home, "get", f"{name}/secret.md").returncode == 13
    assert found(home, "lantern") == ({"groups/family/MEMORY.md"}, 0)
    disk = opened(home, MEMTOOL_GROUPS_FOLDER=str(groups)).disk
    with pytest.raises(OutsideWorkspace, match="outside"):
        disk.resolve(f"{name}/secret.md")
    with pytest.raises(OutsideWorkspace):
        disk.resolve("groups/../../elsewhere/secret.md")


@pytest.mark.parametrize("folder", ["groups", "{above}", "{home}"])
def test_the_allowed_folder_is_an_absolute_path_beside_the_workspace(places, folder):
    home, _ = places
    folder = folder.format(above=home.parent, home=os.path.realpath(home))
    (home / "groups").unlink()
    (home / "groups").symlink_to(folder)
    with pytest.raises(BadUsage, match=r"groups\.folder"):
        opened(home, MEMTOOL_GROUPS_FOLDER=folder)


def test_the_setting_does_not_concern_a_workspace_in_the_allowed_folder(places):
    home, groups = places
    (groups / "family/SOUL.md").write_text("# Soul\n")
    result = memtool(
        "--root", ".", "--layout", "nano", "get", "MEMORY.md", home=home.parent, cwd=groups / "family"
    )
    assert (result.stdout, result.returncode) == ("- the lantern is red\n", 0)


def test_the_memory_tool_works_for_a_group_behind_the_link(places):
    home, groups = places
    request = '{"command": "create", "path": "/memories/a.md", "file_text": "a red kiln"}'
    result = memtool(
        "memories", home=home.parent, cwd=home, stdin=request, environment={"MEMTOOL_GROUP": "family"}
    )
    assert result.returncode == 0, result.stdout
    assert (groups / "family/memories/a.md").read_text() == "a red kiln"
    (groups / "family/memories/out").symlink_to(groups / "global")
    request = '{"command": "view", "path": "/memories/out/MEMORY.md"}'
    result = memtool(
        "memories", home=home.parent, cwd=home, stdin=request, environment={"MEMTOOL_GROUP": "family"}
    )
    assert result.returncode == 1
    assert "would escape" in result.stdout


def test_a_listing_stays_in_the_allowed_folder_when_the_link_is_replaced(places):
    home, groups = places
    workspace = opened(home, MEMTOOL_GROUPS_FOLDER=str(groups))
    (home / "groups").unlink()
    (home / "groups").symlink_to("../elsewhere")
    assert "groups/secret.md" not in workspace.listing().files
    assert "groups/family/MEMORY.md" in workspace.listing().files
