"""Settings: built in, the user's, the workspace's, the environment's, in that order; and what none may do."""

from __future__ import annotations

import pytest

from memtool.errors import BadUsage
from memtool.store.config import sources
from memtool.store.config.settings import RETIRED_SETTINGS, SETTINGS
from memtool.store.files.disk import Disk
from tests.trees import make


def load(tmp_path, user="", workspace="", **environment):
    make(tmp_path / "config" / "memtool", {"config.toml": user})
    make(tmp_path / "w", {"memtool.toml": workspace})
    return sources.load(
        Disk(str(tmp_path / "w")), {"XDG_CONFIG_HOME": str(tmp_path / "config"), **environment}
    )


def test_the_nearer_wins(tmp_path):
    assert load(tmp_path)["daily.clip"] == 500
    user = "[daily]\nclip = 1\n"
    assert load(tmp_path, user)["daily.clip"] == 1
    workspace = "[daily]\nclip = 2\n"
    assert load(tmp_path, user, workspace)["daily.clip"] == 2
    assert load(tmp_path, user, workspace, MEMTOOL_DAILY_CLIP="3")["daily.clip"] == 3


def test_a_workspace_names_no_commands_and_no_patterns(tmp_path):
    text = 'summarizer = "rm -rf /"\n[scan.patterns]\npreference = ["(a+)+$"]\n'
    refused = load(tmp_path, workspace=text)
    assert (refused["summarizer"], refused["scan.patterns"]) == ("", {})
    assert len(refused.notices) == 2
    allowed = load(tmp_path, user=text)
    assert allowed["summarizer"] == "rm -rf /"
    assert allowed.notices == ()


def test_an_unknown_setting_is_a_notice(tmp_path):
    assert "colour" in load(tmp_path, workspace="colour = 1\n").notices[0]


def test_settings_of_earlier_versions_are_ignored_with_one_notice(tmp_path):
    text = "[compact]\ngap = 'marker'\nkeep_last = 3\n[watch]\ndebounce = 'soon'\n"
    settings = load(tmp_path, workspace=text)
    assert settings["compact.keep_last"] == 3
    assert settings.values.keys() == {"compact.keep_last"}
    (notice,) = settings.notices
    assert "memtool.toml" in notice
    assert "compact.gap (use compact --gap)" in notice
    assert "watch.debounce" in notice


def test_no_setting_is_retired_and_in_force():
    assert not RETIRED_SETTINGS.keys() & {setting.name for setting in SETTINGS}


@pytest.mark.parametrize(
    "text",
    ["timezone = 5", "lock_timeout = -1", "lock_timeout = inf", 'lock_timeout = "x"', "daily.clip = true"],
)
def test_a_value_of_the_wrong_kind_is_refused(tmp_path, text):
    with pytest.raises(BadUsage):
        load(tmp_path, workspace=text + "\n")


def test_the_seal_key_is_made_once_and_private(tmp_path):
    environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
    assert sources.integrity_key(environment, make=False) is None
    key = sources.integrity_key(environment, make=True)
    assert key is not None
    assert len(key) == 32
    assert sources.integrity_key(environment, make=True) == key
    path = tmp_path / "state" / "memtool" / "seal.key"
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"cut short")
    assert sources.integrity_key(environment, make=True) not in {None, key}
