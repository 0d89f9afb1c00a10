"""scan: the log gets what was said, whatever is the matter with long-term memory."""

from __future__ import annotations

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.records.entries import Owner
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.verbs.capture.scan import scan
from tests.trees import NOW, make, opened


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})


def test_the_log_is_written_though_long_term_memory_is_no_file(root):
    (root / "MEMORY.md").mkdir()
    with pytest.raises(UnreadableFile):
        scan(opened(root), "I like tea", now=NOW, owner=None, triggers=DEFAULT_TRIGGERS)
    assert "**preference**: I like tea" in (root / "SESSION-STATE.md").read_text()


def test_the_log_is_written_though_long_term_memory_leads_outside(root, tmp_path):
    (tmp_path / "elsewhere.md").write_text("- a diary\n")
    (root / "MEMORY.md").symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(OutsideWorkspace):
        scan(opened(root), "I like tea", now=NOW, owner=None, triggers=DEFAULT_TRIGGERS)
    assert "**preference**: I like tea" in (root / "SESSION-STATE.md").read_text()
    assert (tmp_path / "elsewhere.md").read_text() == "- a diary\n"


def test_news_of_somebody_whom_the_same_user_has_told_about_is_recorded(root):
    def entries(message, owner):
        said = scan(opened(root), message, now=NOW, owner=Owner("user", owner), triggers=DEFAULT_TRIGGERS)
        return [row.entry.detail for row in said.entries]

    assert entries("My brother Jonas lives in Ghent.", "ann")
    assert entries("Jonas left the band", "bob") == []
    assert entries("Jonas left the band", "ann") == ["Jonas left the band"]
