"""Commands on facts, rules and candidates: each concerns the line on which the editor offered it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtool.errors import BadUsage, NotFound
from tests.lsp.editor import Editor
from tests.trees import make, opened

FACTS, PREFERENCES, RULES = (
    "memory/semantic/facts.md",
    "memory/semantic/preferences.md",
    "memory/procedural/rules.md",
)
LINES = [
    "# Facts\n",
    "\n",
    "- [context] The class fires on Wednesdays ^m-000001\n",
    "- [context] The kiln is at cone 6 ^m-000001\n",
    "- [context] [user:petra] Petra has a key ^k-key\n",
    "- [context] The wheel is new ^m-000002\n",
    "- [context] The van is in row C ^m-000003\n",
]
OTHER = "- [preference] [user:marta] Marta has a key ^k-key\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {"memtool.toml": 'layout = "native"\n', FACTS: "".join(LINES), PREFERENCES: OTHER}
    return make(tmp_path / "w", files)


@pytest.fixture
def editor(root: Path, tmp_path: Path) -> Editor:
    editor = Editor(root, tmp_path)
    editor.open(FACTS)
    return editor


def lines_of(editor: Editor, path: str = FACTS) -> list[str]:
    return (editor.root / path).read_text().splitlines(keepends=True)


@pytest.mark.parametrize("line", [2, 3, 4])
def test_a_fact_whose_id_another_fact_has_is_not_deleted(editor, line):
    with pytest.raises(BadUsage, match=r"is the id of several facts .*; give each fact an id of its own"):
        editor.run(editor.action(FACTS, line, "Forget"))
    assert lines_of(editor) == LINES
    assert lines_of(editor, PREFERENCES) == [OTHER]


@pytest.mark.parametrize("line", [2, 3, 4])
def test_only_the_fact_of_the_line_is_superseded(editor, line):
    editor.run(editor.action(FACTS, line, "Mark"))
    found = lines_of(editor)
    assert "[superseded: 2025-01-15]" in found.pop(line)
    assert found == [*LINES[:line], *LINES[line + 1 :]]
    assert lines_of(editor, PREFERENCES) == [OTHER]


def test_a_fact_is_not_superseded_by_an_id_that_several_facts_have(editor):
    assert not any(title.startswith("Supersede") for title in editor.actions(FACTS, 2, 3))
    with pytest.raises(BadUsage, match="m-000001 is the id of several facts"):
        editor.run(supersession(editor, LINES[5], LINES[3]))
    editor.run(supersession(editor, LINES[3], LINES[5]))
    expected = "- [context] The kiln is at cone 6 [superseded: 2025-01-15 by m-000002] ^m-000001\n"
    assert lines_of(editor) == [*LINES[:3], expected, *LINES[4:]]


def supersession(editor, old, new):
    action = editor.action(FACTS, 5, "Mark")
    action.command.command = "memtool.supersedeFact"
    action.command.arguments = [
        {"path": FACTS, "line": LINES.index(line) + 1, "text": line.rstrip()} for line in (old, new)
    ]
    return action


def test_facts_of_different_owners_do_not_supersede_one_another(editor):
    assert not any(title.startswith("Supersede") for title in editor.actions(FACTS, 4, 5))


def test_a_line_that_has_moved_is_found_and_one_that_is_gone_is_refused(editor):
    wheel, van = (editor.action(FACTS, line, "Forget") for line in (5, 6))
    editor.run(wheel)
    assert editor.run(van).endswith(f"; reload {FACTS} in the editor before you save")
    assert lines_of(editor) == LINES[:5]
    with pytest.raises(NotFound, match="no longer contains this fact; reload the file"):
        editor.run(van)


def test_of_two_equal_lines_the_one_that_was_shown_is_marked(editor):
    (editor.root / FACTS).write_text("".join([*LINES, LINES[6]]))
    editor.open(FACTS)
    editor.run(editor.action(FACTS, 7, "Mark"))
    assert [line.count("superseded") for line in lines_of(editor)[6:]] == [0, 1]


def test_a_superseded_fact_is_said_to_be_superseded(editor):
    action = supersession(editor, LINES[5], LINES[6])
    editor.run(action)
    with pytest.raises(BadUsage, match=r"m-000002 was superseded on 2025-01-15 by m-000003; reload"):
        editor.run(action)


def test_each_command_on_a_file_that_was_not_reloaded_says_so(editor):
    for line in (5, 6):
        done = editor.run(editor.action(FACTS, line, "Mark"))
        assert done.endswith(f"; reload {FACTS} in the editor before you save")


def test_what_was_typed_and_taken_back_does_not_count_as_unsaved_after_a_command(editor):
    editor.type(FACTS, "# Facts\n")
    editor.type(FACTS, "".join(LINES))
    for line in (5, 6):
        assert "reload" in editor.run(editor.action(FACTS, line, "Mark"))


def test_only_unsaved_files_that_a_command_writes_are_in_its_way(editor):
    rule = "- [2024-03-01T08:00:00Z] Always answer in English ^r-1\n"
    other = "- [2024-03-01T08:00:00Z] Never answer in English ^r-2\n"
    make(editor.root, {RULES: rule + other})
    editor.type(FACTS, "# Facts\n")
    editor.open(RULES)
    editor.run(editor.action(RULES, 0, "Archive r-1"))
    assert (editor.root / RULES).read_text() == other
    editor.type(FACTS, "".join([*LINES, "- [context] Not saved\n"]))
    for line in (5, 7):
        with pytest.raises(BadUsage, match="has unsaved changes"):
            editor.run(editor.action(FACTS, line, "Mark"))


def test_a_rule_whose_id_another_rule_has_is_not_archived(editor):
    rules = (
        "- [2024-03-01T08:00:00Z] Always use English ^r-1\n- [2024-03-01T08:00:00Z] Never use English ^r-1\n"
    )
    make(editor.root, {RULES: rules})
    editor.open(RULES)
    with pytest.raises(BadUsage, match="several active rules have the id r-1"):
        editor.run(editor.action(RULES, 0, "Archive r-1"))
    assert (editor.root / RULES).read_text() == rules


def test_a_user_gets_no_actions_and_no_symbols_of_the_facts_of_others(root, tmp_path):
    from lsprotocol import types

    from memtool.serve.lsp.navigation import workspace_symbols

    editor = Editor(root, tmp_path, MEMTOOL_USER="marta")
    editor.open(FACTS)
    editor.open(PREFERENCES)
    assert editor.actions(FACTS, 4) == {}
    assert {title[:6] for title in editor.actions(PREFERENCES, 0)} == {"Mark k", "Forget"}
    found = workspace_symbols(editor.state, types.WorkspaceSymbolParams("has a key"))
    assert [symbol.name for symbol in found] == ["Marta has a key"]


def test_a_command_takes_the_lines_of_facts_and_the_ids_of_others(editor):
    action = editor.action(FACTS, 5, "Mark")
    action.command.arguments = ["m-000002"]
    with pytest.raises(BadUsage, match="takes 1 argument, an object with the path, line and text"):
        editor.run(action)
    action.command.command, action.command.arguments = "memtool.archiveRule", [{"path": RULES}]
    with pytest.raises(BadUsage, match="takes 1 argument, an id"):
        editor.run(action)


def test_an_id_of_facts_that_say_different_things_names_none_of_them(root):
    from datetime import date

    from memtool.verbs.facts.facts import forget_facts

    for purge in (True, False):
        with pytest.raises(BadUsage, match=r"several facts \(memory/semantic/facts.md:3, "):
            forget_facts(opened(root), ["m-000001"], date(2025, 1, 15), purge=purge)
        with pytest.raises(
            BadUsage, match=r"k-key, the id of the fact at .* is also the id of another user.s fact"
        ):
            forget_facts(opened(root), ["k-key"], date(2025, 1, 15), ["user:petra"], purge=True)
    assert (root / FACTS).read_text() == "".join(LINES)
