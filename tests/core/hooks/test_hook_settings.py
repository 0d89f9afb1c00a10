"""Which edits make settings name the hooks, once, and leave all else to its owner."""

from __future__ import annotations

import pytest

from memtool.core.hooks.hook_event import AGENTS
from memtool.core.hooks.hook_settings import (
    EVENTS,
    OPENCLAW_PATH,
    RemoveSetting,
    SetSetting,
    install_edits,
    installation_advice,
    settings_with_hooks,
    uninstall_edits,
)
from memtool.errors import BadUsage
from memtool.formats.syntax import json_edit

HOOK = "memtool hook"


def wired(agent, settings, command=HOOK):
    import json

    text = json.dumps(settings)
    for one in install_edits(agent, settings, command):
        text = json_edit.set_value(text, one.path, one.value)
    return json_edit.load(text)


@pytest.mark.parametrize("agent", AGENTS)
def test_settings_that_say_nothing_come_to_say_just_what_is_wanted(agent):
    assert wired(agent, {}) == settings_with_hooks(agent, HOOK)
    assert install_edits(agent, settings_with_hooks(agent, HOOK), HOOK) == []


def test_every_event_has_its_hook_with_the_seconds_that_the_agent_gives_it():
    hooks = settings_with_hooks("codex", HOOK)["hooks"]
    assert tuple(hooks) == EVENTS
    assert hooks["SessionEnd"] == [{"hooks": [{"type": "command", "command": HOOK, "timeout": 3}]}]
    assert settings_with_hooks("claude-code", HOOK)["hooks"]["Stop"][0]["hooks"][0]["timeout"] == 30
    assert settings_with_hooks("qwen", HOOK)["hooks"]["Stop"][0]["hooks"][0]["timeout"] == 30_000
    assert settings_with_hooks("gemini", HOOK)["hooks"]["PreCompress"] == [
        {"matcher": "manual", "hooks": [{"type": "command", "command": HOOK, "timeout": 30_000}]}
    ]


def test_hooks_of_others_stay_before_ours():
    theirs = {"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}
    found = wired("claude-code", {"model": "opus", "hooks": {"Stop": [theirs], "PreToolUse": [theirs]}})
    assert found["model"] == "opus"
    assert found["hooks"]["Stop"][0] == theirs
    assert found["hooks"]["PreToolUse"] == [theirs]
    assert len(found["hooks"]["Stop"]) == 2


def test_a_plain_hook_is_brought_up_to_date_and_one_that_somebody_made_his_own_is_not():
    def stop(command, **more):
        return {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command, **more}]}]}}

    for old in ("/old/bin/memtool hook", "python3 -m memtool hook"):
        assert SetSetting(("hooks", "Stop", 0, "hooks", 0, "command"), HOOK) in install_edits(
            "codex", stop(old), HOOK
        )
    for own in ("MEMTOOL_USER=ann memtool hook", "memtool hook --budget 4000", "cd /x && memtool hook"):
        assert not [one for one in install_edits("codex", stop(own), HOOK) if "Stop" in one.path]
    assert not [one for one in install_edits("codex", stop(HOOK, timeout=5), HOOK) if "Stop" in one.path]


def test_a_new_hook_gets_the_workspace_that_the_installed_ones_name():
    named = "/old/memtool --root '/a b' --user ann hook"
    settings = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": named}]}]}}
    [(_, hooks)] = wired("codex", settings).items()
    commands = {group["hooks"][0]["command"] for groups in hooks.values() for group in groups}
    assert commands == {"memtool --root '/a b' --user ann hook"}


@pytest.mark.parametrize("settings", [[], "x", None, {"hooks": []}, {"hooks": {"Stop": {}}}])
def test_settings_of_another_shape_are_refused(settings):
    with pytest.raises(BadUsage):
        install_edits("claude-code", settings, HOOK)


def test_all_that_was_added_can_be_taken_away_and_nothing_else_goes():
    theirs = {"hooks": [{"type": "command", "command": "say done"}]}
    for settings in ({}, {"model": "x"}, {"hooks": {"Stop": [theirs]}}, {"hooks": {"PreToolUse": []}}):
        import json

        text = json.dumps(wired("claude-code", settings))
        for one in uninstall_edits("claude-code", json_edit.load(text)):
            text = json_edit.remove_value(text, one.path)
        assert json_edit.load(text) == settings


def test_a_hook_of_ours_among_others_of_one_entry_goes_alone():
    entry = {"hooks": [{"command": "a"}, {"command": HOOK}, {"command": "b"}, {"command": "memtool hook"}]}
    found = uninstall_edits("codex", {"hooks": {"Stop": [entry]}})
    assert found == [
        RemoveSetting(("hooks", "Stop", 0, "hooks", 3)),
        RemoveSetting(("hooks", "Stop", 0, "hooks", 1)),
    ]


@pytest.mark.parametrize(
    ("settings", "path"),
    [
        ({"hooks": {"internal": {"entries": {"memtool": {}}}}}, ("hooks",)),
        ({"hooks": {"on": True, "internal": {"entries": {"memtool": {}}}}}, ("hooks", "internal")),
        ({"hooks": {"internal": {"enabled": True, "entries": {"memtool": {}}}}}, (*OPENCLAW_PATH, "entries")),
        (
            {"hooks": {"internal": {"entries": {"memtool": {}, "other": {}}}}},
            (*OPENCLAW_PATH, "entries", "memtool"),
        ),
        ({"hooks": {"internal": {"entries": {}}}}, None),
    ],
)
def test_openclaws_settings_keep_no_object_that_is_empty_without_it(settings, path):
    assert uninstall_edits("openclaw", settings) == ([RemoveSetting(path)] if path else [])


@pytest.mark.parametrize(
    ("internal", "expected"),
    [
        ({}, [SetSetting(("hooks", "internal", "entries", "memtool"), {"enabled": True})]),
        ({"enabled": True}, []),  # it runs all that it finds; naming one would narrow that
        (
            {"enabled": True, "entries": {"boot-md": {"enabled": True}}},
            [SetSetting(("hooks", "internal", "entries", "memtool"), {"enabled": True})],
        ),
        ({"enabled": True, "entries": {"boot-md": {"enabled": False}}}, []),
        ({"entries": {"memtool": {"enabled": True}}}, []),
        (
            {"entries": {"memtool": {"enabled": False, "note": 1}}},
            [SetSetting(("hooks", "internal", "entries", "memtool", "enabled"), value=True)],
        ),
    ],
)
def test_openclaw_is_told_to_run_it_unless_it_does(internal, expected):
    assert install_edits("openclaw", {"hooks": {"internal": internal}}, HOOK) == expected


def test_a_person_is_told_of_trust_and_of_switches_that_are_off():
    codex = installation_advice("codex", {}, "memtool --root '/a b' hook", is_project=False)
    assert "only after you approve it" in codex[0]
    assert codex[1].endswith('notify = ["memtool", "--root", "/a b", "hook", "--codex-notify"]')
    claude = installation_advice("claude-code", {"disableAllHooks": True}, HOOK, is_project=True)
    assert any("disableAllHooks" in one for one in claude)
    assert any("only if you trust the project" in one for one in claude)
    off = {"hooks": {"internal": {"enabled": False}}}
    assert any(
        "remain disabled" in one for one in installation_advice("openclaw", off, HOOK, is_project=False)
    )
