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


def scores_by_name(root, layout):
    workspace = opened(root, layout)
    indexes = SearchIndexes(workspace, b"k" * 32, wait=5.0)
    try:
        hits = search(
            workspace, SearchRequest("retro long", WHOLE_WORKSPACE, date(2025, 1, 15)), indexes
        ).hits
    finally:
        indexes.close()
    return {hit.path.rpartition("/")[2]: hit.score for hit in reversed(hits)}


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_dated_note_with_a_slug_ages_like_a_daily_note_and_others_do_not(layout, tmp_path):
    folder = load_layout(layout).folder("note")
    names = ["2020-03-01-retro.md", "2025-01-14-retro.md", "retro.md"]
    files = {str(folder / name): "# Retro\n\nThe retro was long.\n" for name in names}
    files[str(folder / "retro.md")] = "---\ncreated: 2019-01-01\n---\n\n# Retro\n\nThe retro was long.\n"
    scores = scores_by_name(make(tmp_path / "w", files), layout)
    assert scores["2020-03-01-retro.md"] < scores["2025-01-14-retro.md"] / 10
    assert scores["retro.md"] > scores["2020-03-01-retro.md"] * 10, "its age is not in its name"


def test_a_note_in_a_folder_named_by_a_date_ages_like_a_daily_note(tmp_path):
    text = "# Retro\n\nThe retro was long.\n"
    files = {"memory/2020-03-01/a.md": text, "memory/2020-03-01 trip/b.md": text}
    scores = scores_by_name(make(tmp_path / "w", files), "nano")
    assert scores["a.md"] < scores["b.md"] / 10
