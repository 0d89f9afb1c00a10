"""rules edit: a rule is replaced by its correction, and what is refused."""

import pytest

from memtool.errors import BadUsage, NotFound
from memtool.verbs.facts.rules import active_rules, archived_rules, edit_rule
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.journal.undo import undo
from tests.trees import NOW, contents, make, opened

RULES = "memory/procedural/rules.md"
LINES = """# Rules

- [2025-01-02T08:00:00Z] [user:ann] Be brief (pinned) ^r-11111111
- [2025-01-03T08:00:00Z] Sign with my first name ^r-22222222
"""


@pytest.fixture
def tree(tmp_path):
    return opened(make(tmp_path / "w", {RULES: LINES}), "native")


def edit(workspace, name, text, owners=()):
    return edit_rule(workspace, name, text, load_policy(workspace.settings), NOW, owners)


def test_a_corrected_rule_keeps_its_owner_and_its_pin_and_the_old_one_is_archived(tree):
    (old, _) = active_rules(tree)
    rule, is_new, retired, _ = edit(tree, "r-11111111", "Be brief before noon", {"user:ann"})
    assert is_new
    assert (rule.text, rule.owner, rule.pinned) == ("Be brief before noon", old.owner, old.pinned)
    assert [(each.rule, each.why) for each in retired] == [(old, rule.id)]
    assert [each.id for each in active_rules(tree)] == ["r-22222222", rule.id]
    assert [each.text for each in archived_rules(tree)] == ["Be brief"]
    undo(tree)
    assert contents(tree.root)[RULES].decode() == LINES
    assert archived_rules(tree) == ()


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("r-33333333", "x", NotFound),
        ("r-11111111", "Be long", NotFound),  # another user's
        ("r-22222222", " ", BadUsage),
        ("r-22222222", "x" * 281, BadUsage),
        ("r-22222222", "Sign with my first name", None),
    ],
)
def test_an_unknown_rule_or_a_text_that_changes_nothing_leaves_the_file(tree, name, text, error):
    if error is None:
        assert edit(tree, name, text, {"user:bob"})[1:] == (False, (), ())
    else:
        with pytest.raises(error):
            edit(tree, name, text, {"user:bob"})
    assert contents(tree.root)[RULES].decode() == LINES


def test_the_beginning_of_an_id_is_enough_if_no_other_id_has_it(tree):
    rule, is_new, _, _ = edit(tree, "r-2222", "Sign with my full name")
    assert (is_new, rule.text) == (True, "Sign with my full name")
    with pytest.raises(NotFound):
        edit(tree, "r-111", "Be long")  # too short


def test_the_beginning_of_several_ids_is_no_id(tmp_path):
    more = "- [2025-01-04T08:00:00Z] Say please ^r-22223333\n"
    workspace = opened(make(tmp_path / "w", {RULES: LINES + more}), "native")
    with pytest.raises(NotFound):
        edit(workspace, "r-2222", "Be long")
