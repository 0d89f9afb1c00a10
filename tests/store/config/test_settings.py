"""Settings: built in, the user's, the workspace's, the environment's, in that order; and what none may do."""

from __future__ import annotations

import re

import pytest

from memtool.errors import BadUsage, UnreadableFile
from memtool.store.config import sources
from memtool.store.config.settings import RETIRED_SETTINGS, SETTINGS
from memtool.store.config.write_hooks import WriteHook
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


def test_a_byte_order_mark_is_ignored(tmp_path):
    text = "\ufeff[daily]\r\nclip = 7\r\n"
    assert load(tmp_path, user=text)["daily.clip"] == 7
    assert load(tmp_path, workspace=text)["daily.clip"] == 7


def test_an_unknown_setting_is_a_notice(tmp_path):
    assert "colour" in load(tmp_path, workspace="colour = 1\n").notices[0]


def test_settings_of_earlier_versions_are_ignored_with_one_notice(tmp_path):
    text = "[compact]\ngap = 'marker'\nkeep_last = 3\n[watch]\ndebounce = 'soon'\n"
    settings = load(tmp_path, workspace=text)
    assert settings["compact.keep_last"] == 3
    assert settings.values.keys() == {"compact.keep_last"}
    (notice,) = settings.notices
    assert "memtool.toml" in notice
    assert "compact.gap (use memtool compact --gap)" in notice
    assert "watch.debounce" in notice


def test_a_workspace_that_commits_to_git_opens_with_a_notice_of_what_replaces_it(tmp_path):
    for notices in (
        load(tmp_path, workspace="git = true\n").notices,
        load(tmp_path, user="git = true\n").notices,
        load(tmp_path, MEMTOOL_GIT="true").notices,
    ):
        (notice,) = notices
        assert "add a [[write_hook]] (see memtool help journal)" in notice


def test_write_hooks_are_read_from_the_users_file_alone(tmp_path):
    text = "[[write_hook]]\ncommand = 'a b'\n[[write_hook]]\ncommand = ['a', 'b']\nroles = ['note']\n"
    hooks = load(tmp_path, user=text)["write_hook"]
    assert hooks == (WriteHook("a b"), WriteHook(("a", "b"), ("note",)))
    refused = load(tmp_path, workspace=text)
    assert refused["write_hook"] == ()
    assert "cannot be set in a workspace" in refused.notices[0]
    assert load(tmp_path, MEMTOOL_WRITE_HOOK="1")["write_hook"] == ()  # it is the guard, not the setting


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("", ": command is missing"),
        (
            "command = ''",
            ": command must be a shell command, or a list of a program and its arguments, not ''",
        ),
        (
            "command = []",
            ": command must be a shell command, or a list of a program and its arguments, not []",
        ),
        (
            "command = ['a', 1]",
            ": command must be a shell command, or a list of a program and its arguments, not ['a', 1]",
        ),
        ("comand = 'a'", ": unknown key 'comand'; choose from command, roles, verbs"),
        ("command = 'a'\nroles = 'note'", ": roles must be a list of roles, not 'note'"),
        ("command = 'a'\nverbs = [1]", ": verbs must be a list of memtool commands, not [1]"),
    ],
)
def test_a_write_hook_that_cannot_be_meant_is_refused(tmp_path, table, fault):
    with pytest.raises(BadUsage) as refused:
        load(tmp_path, user=f"[[write_hook]]\ncommand = 'true'\n[[write_hook]]\n{table}\n")
    assert str(refused.value) == f"{tmp_path}/config/memtool/config.toml: write_hook 2{fault}"
    with pytest.raises(
        BadUsage, match=r"config\.toml: write_hook must be a list of \[\[write_hook\]\] tables"
    ):
        load(tmp_path, user=f"[write_hook]\n{table}\n")


def test_a_file_of_settings_that_cannot_be_read_is_unreadable(tmp_path):
    make(tmp_path, {"config/memtool/config.toml/x": ""})
    with pytest.raises(UnreadableFile, match=r"config\.toml cannot be read: is a directory"):
        sources.load(Disk(str(tmp_path)), {"XDG_CONFIG_HOME": str(tmp_path / "config")})


def test_no_setting_is_retired_and_in_force():
    assert not RETIRED_SETTINGS.keys() & {setting.name for setting in SETTINGS}


WRONG = {
    int: ["1", True, 1.5, []],
    float: ["1", True, {}],
    str: [5, True, []],
    tuple: [5, [5]],
}
WRONG[dict] = [5, "x", {"a": "b"}]
"""Values of the wrong type for a setting of each type."""


def as_toml(name, value):
    if isinstance(value, dict):
        value = "{" + ", ".join(f'{key} = "{text}"' for key, text in value.items()) + "}"
    elif isinstance(value, bool):
        value = str(value).lower()
    elif isinstance(value, str):
        value = f'"{value}"'
    return f"{name} = {value}\n"


def refuses(tmp_path, setting, text):
    with pytest.raises(BadUsage, match=rf"config.toml: {re.escape(setting.name)} must be .*, not ."):
        load(tmp_path, user=text)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_value_of_the_wrong_type_is_refused(tmp_path, setting):
    for value in WRONG[type(setting.default)]:
        refuses(tmp_path, setting, as_toml(setting.name, value))


NUMBERS = [setting for setting in SETTINGS if type(setting.default) in (int, float)]


@pytest.mark.parametrize("setting", NUMBERS, ids=lambda setting: setting.name)
def test_a_number_outside_its_limits_is_refused(tmp_path, setting):
    least, most = setting.limits
    assert least <= setting.default <= most
    for text in (str(least - 1), "nan", "inf", "-inf", "9" * 40, "0x" + "f" * 5000, "1e300", str(most + 1)):
        refuses(tmp_path, setting, f"{setting.name} = {text}\n")
    for number in (0, least, most):
        text = f"{setting.name} = {number}\n"
        if number < least:
            refuses(tmp_path, setting, text)
        else:
            assert load(tmp_path, user=text)[setting.name] == number


@pytest.mark.parametrize(
    "setting", [one for one in SETTINGS if one.choices], ids=lambda setting: setting.name
)
def test_a_text_that_is_no_choice_is_refused(tmp_path, setting):
    assert setting.default in setting.choices
    refuses(tmp_path, setting, f'{setting.name} = "sometimes"\n')


def test_the_environment_gives_numbers_as_text(tmp_path):
    given = load(tmp_path, MEMTOOL_DAILY_CLIP=" 7 ", MEMTOOL_LOCK_TIMEOUT="2")
    assert (given["daily.clip"], given["lock_timeout"]) == (7, 2.0)
    for wrong in ({"MEMTOOL_DAILY_CLIP": "7.5"}, {"MEMTOOL_LOCK_TIMEOUT": "nan"}):
        with pytest.raises(BadUsage, match=f"{next(iter(wrong))}: "):
            load(tmp_path, **wrong)


def test_a_number_of_more_digits_than_python_reads_is_no_toml(tmp_path):
    with pytest.raises(BadUsage, match="not valid TOML"):
        load(tmp_path, user=f"lock_timeout = {'9' * 5000}\n")


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
