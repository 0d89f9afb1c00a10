"""scan: the log gets what was said, whatever is the matter with long-term memory."""

from __future__ import annotations

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
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
