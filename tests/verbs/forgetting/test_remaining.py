"""The lines that still contain a purged text."""

import pytest

from memtool.verbs.forgetting.remaining import remaining_texts
from tests.trees import NOW, make, opened

FACT = "The spare key hangs behind the blue door"
FILES = {
    "MEMORY.md": f"# Memory\n\n- {FACT}.\n- The spare key hangs behind the door\n",
    "memory/2025-01-15.md": f"# Daily\n\n## [10:30:00]\n**User:** {FACT}\n**Agent:** Noted.\n",
    "memory/notes/inbox/keys.md": f"# Keys\n\n{FACT.upper()}\n",
    "memory/semantic/facts.md": f"# Facts\n\n- [context] {FACT} ^m-1\n",
}
PLACES = (
    "MEMORY.md:3",
    "memory/2025-01-15.md:4",
    "memory/notes/inbox/keys.md:3",
    "memory/semantic/facts.md:3",
)


@pytest.mark.parametrize("text", [FACT, f"{FACT}.", f"{FACT.lower()}!"])
def test_every_kind_of_file_is_named_with_the_line_and_nothing_changes(tmp_path, text):
    root = make(tmp_path / "ws", FILES)
    [left] = remaining_texts(opened(root, "native"), [text], NOW)
    assert left.places == PLACES
    assert all((root / name).read_text() == content for name, content in FILES.items())


def test_the_lines_of_the_fact_itself_and_longer_texts_are_left_out(tmp_path):
    root = make(tmp_path / "ws", FILES)
    workspace = opened(root, "native")
    texts = [FACT, f"I said that {FACT}", "Nobody said this"]
    [left] = remaining_texts(workspace, texts, NOW, without=["memory/semantic/facts.md:3"])
    assert (left.text, left.places) == (FACT, PLACES[:3])
    assert not [*remaining_texts(workspace, ["..."], NOW)]


def test_the_notice_names_a_command_that_works_for_the_user(tmp_path):
    root = make(
        tmp_path / "ws", {"MEMORY.md": f"# Memory\n\n- [user:ann] {FACT}\n- [user:bob] {FACT}\n- {FACT}\n"}
    )
    [left] = remaining_texts(opened(root, "native"), [FACT], NOW, user="ann")
    assert left.places == ("MEMORY.md:3",)
    assert f"MEMTOOL_USER=ann memtool forget --match '{FACT}' --dry-run" in left.notice
