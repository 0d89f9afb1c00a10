"""The scope of a request: which groups may be read, for whom, and which notices that hides."""

from __future__ import annotations

import pytest

from memtool.core.records.scope import ROOT, Scope
from memtool.verbs.access.scope import decide_prompt_scope, decide_scope, visible_notices
from tests.trees import make, opened

NOTICES = ["groups/work/a.md is too large", "groups/family/b.md is too large", "the index is built anew"]


@pytest.fixture
def workspace(tmp_path):
    files = {
        "groups/family/MEMORY.md": "x\n",
        "groups/work/MEMORY.md": "x\n",
        "groups/global/MEMORY.md": "x\n",
    }
    return opened(make(tmp_path / "w", files), "nano")


@pytest.mark.parametrize(
    ("asked", "actor", "scope"),
    [
        (None, None, Scope()),
        (None, "main", Scope(ROOT, (ROOT, "global"))),
        ("main", None, Scope(ROOT, (ROOT, "global"))),
        ("family", None, Scope("family", ("family", "global"))),
        (None, "family", Scope("family", ("family", "global"))),
        ("global", "family", Scope("global", ("global",))),
    ],
)
def test_a_scope_is_of_the_group_that_is_asked_for_else_of_the_callers(workspace, asked, actor, scope):
    assert decide_scope(workspace, asked, actor, writes=False) == scope


@pytest.mark.parametrize("asked", [None, "main"])
def test_a_prompt_of_the_main_group_draws_on_its_memory_and_what_is_shared(workspace, asked):
    scope = decide_prompt_scope(workspace, asked, None, frozenset({"user:ann"}), writes=False)
    assert scope == Scope(None, (ROOT, "global"), frozenset({"user:ann"}))


def test_a_group_hears_no_notice_about_files_of_others(workspace):
    assert visible_notices(workspace, Scope(), NOTICES) == NOTICES
    family = decide_scope(workspace, "family", None, writes=False)
    assert visible_notices(workspace, family, NOTICES) == NOTICES[1:]
