"""Which command an agent runs for memtool's hooks, and what of an installed one a new one hands on."""

from __future__ import annotations

import shlex

import pytest

from memtool.core.hooks.hook_command import (
    hook_command,
    is_memtool_hook,
    own_command_advice,
    replaced_root_advice,
    unmarked_command,
    updated_command,
)


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("memtool hook", True),
        ("/usr/bin/memtool --root /m hook", True),
        ("python3 -m memtool hook", True),
        ("memtool scan", False),
        ("hook memtool", False),
        ("mymemtool hook", False),
        ("say 'memtool hook", False),
        (None, False),
        (["memtool", "hook"], False),
    ],
)
def test_our_hooks_are_known_by_their_words(command, ours):
    assert is_memtool_hook(command) is ours


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("memtool --root '/a b' hook", "memtool hook", "memtool --root '/a b' hook"),
        ("/old/memtool --root /a --user ann hook", "memtool hook", "memtool --root /a --user ann hook"),
        ("memtool --root /a --layout x hook", "memtool hook", "memtool --root /a --layout x hook"),
        (
            "memtool --root /a --layout x hook",
            "memtool --root /a hook",
            "memtool --root /a --layout x hook",
        ),
        ("memtool --root /a --layout x hook", "memtool --root /b hook", "memtool --root /b hook"),
        ("memtool --root /a --user ann hook", "memtool --user bo hook", "memtool --root /a --user bo hook"),
        ("python3 -m memtool --root /a hook", "/x/memtool hook", "/x/memtool --root /a hook"),
        ("memtool hook", "memtool --root /a hook", "memtool --root /a hook"),
        ("memtool hook --budget 400", "memtool --root /a hook", "memtool hook --budget 400"),
    ],
)
def test_an_installed_command_hands_on_the_scope_options_that_the_new_one_does_not_name(old, new, expected):
    assert updated_command(old, new, is_named=False) == expected
    assert updated_command(old, new, is_named=True) == new
    assert updated_command(None, new, is_named=False) == new


def test_a_command_names_the_options_that_have_a_value():
    options = {"--root": "/a b", "--layout": None, "--user": "ann"}
    assert hook_command(["memtool"], options) == "memtool --root '/a b' --user ann hook"


def test_a_workspace_that_the_hooks_no_longer_name_is_reported():
    [sentence] = replaced_root_advice("memtool --root '/a b' hook", "memtool --root /c hook")
    assert sentence.startswith("the hooks no longer use the workspace /a b;")
    assert sentence.endswith("install the hooks with --root '/a b'")
    for old, new in (("memtool --root /a hook", "memtool --root /a hook"), ("memtool hook", "memtool hook")):
        assert replaced_root_advice(old, new) == []


def test_nothing_of_a_command_in_a_projects_settings_is_handed_on():
    planted = "memtool --root /repo/evil --user x hook"
    assert updated_command(planted, "memtool hook", is_named=False, is_project=True) == "memtool hook"
    assert updated_command(planted, "memtool hook", is_named=False) == planted
    own = "sh -c x memtool hook"
    assert updated_command(own, "memtool hook", is_named=False, is_project=True) == "memtool hook"


@pytest.mark.parametrize(
    ("old", "command", "again"),
    [
        ("wrap memtool --root /a hook", "memtool --root /b hook", "memtool --root /b hook"),
        ("wrap memtool --root /a hook", "memtool --user ann hook", "memtool --root /a --user ann hook"),
        ("wrap memtool --root /a --layout x hook", "memtool --root /b hook", "memtool --root /b hook"),
        ("mine.sh # memtool hook", "memtool --root '/b c' hook", "memtool --root '/b c' hook"),
    ],
)
def test_options_that_an_own_command_does_not_use_are_reported_with_what_to_type(old, command, again):
    [sentence] = own_command_advice("memtool hook install pi", old, old, command, is_named=False)
    assert unmarked_command(old) in sentence
    assert sentence.endswith(f"; to replace it, run: memtool hook install pi --command {shlex.quote(again)}")


def test_an_own_command_that_has_what_was_asked_for_is_no_advice():
    old = "wrap memtool --root /a hook"
    for command in ("memtool hook", "memtool --root /a hook"):
        assert own_command_advice("x", old, old, command, is_named=False) == []
    assert own_command_advice("x", old, "mine.sh", "mine.sh", is_named=True) == []
