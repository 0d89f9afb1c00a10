"""What is dated by its file's name gives way to what is newer."""

from __future__ import annotations

from datetime import date

import pytest

from memtool.core.records.request import SearchRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.layouts.load import LAYOUT_NAMES, load_layout
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.search.search import search
from tests.trees import make, opened


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_dated_note_with_a_slug_ages_like_a_daily_note_and_others_do_not(layout, tmp_path):
    folder = load_layout(layout).folder("note")
    names = ["2020-03-01-retro.md", "2025-01-14-retro.md", "retro.md"]
    files = {str(folder / name): "# Retro\n\nThe retro was long.\n" for name in names}
    files[str(folder / "retro.md")] = "---\ncreated: 2019-01-01\n---\n\n# Retro\n\nThe retro was long.\n"
    workspace = opened(make(tmp_path / "w", files), layout)
    indexes = SearchIndexes(workspace, b"k" * 32, wait=5.0)
    try:
        hits = search(
            workspace, SearchRequest("retro long", WHOLE_WORKSPACE, date(2025, 1, 15)), indexes
        ).hits
    finally:
        indexes.close()
    scores = {hit.path.rpartition("/")[2]: hit.score for hit in reversed(hits)}
    assert scores["2020-03-01-retro.md"] < scores["2025-01-14-retro.md"] / 10
    assert scores["retro.md"] > scores["2020-03-01-retro.md"] * 10, "its age is not in its name"
