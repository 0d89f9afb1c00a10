"""search --exact: three tiers, the newest notes, a bounded answer shared fairly, any spelling of a letter."""

from __future__ import annotations

import unicodedata
from datetime import date, timedelta

import pytest

from memtool.core.records.request import SearchRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.errors import BadUsage
from memtool.verbs.search.exact import search_exact
from tests.trees import make, opened

TODAY = date(2025, 3, 1)


def ask(root, text, **more):
    return search_exact(opened(root, "native"), SearchRequest(text, WHOLE_WORKSPACE, TODAY, **more))


@pytest.fixture
def root(tmp_path):
    notes = {f"memory/{TODAY - timedelta(days=i)}.md": f"zebra note {i}\n" for i in range(40)}
    long_term = {
        "MEMORY.md": "the zebra\n" * 60,
        "SESSION-STATE.md": "a zebra\n",
        "memory/notes/z.md": "zebra\n",
    }
    return make(tmp_path / "w", notes | long_term | {"memory/2025-02-30.md": "zebra, no day\n"})


def test_at_most_fifty_hits_are_shared_fairly(root):
    for limit in (None, 50, 100):
        roles = [hit.role for hit in ask(root, "ZEBRA", limit=limit).hits]
        assert len(roles) == 50
        assert roles.count("session-state") == 1
        assert abs(roles.count("long-term") - roles.count("daily-note")) <= 1


def test_all_hits_are_there_where_files_are_listed(root):
    paths = [hit.path for hit in ask(root, "ZEBRA", limit=1000, lists_files=True).hits]
    assert (paths.count("MEMORY.md"), len(paths)) == (60, 60 + 30 + 1)


def test_only_the_thirty_newest_dated_notes_are_looked_into(root):
    hits = ask(root, "zebra note").hits
    assert [hit.path for hit in hits] == [f"memory/{TODAY - timedelta(days=i)}.md" for i in range(30)]
    missed = ask(root, "zebra note 35")
    assert missed.hits == ()
    assert any("older daily notes" in notice for notice in missed.notices)
    assert ask(root, "zebra note 35", roles=("all",)).hits


def test_other_roles_are_looked_into_when_they_are_named(root):
    assert not any(hit.role == "note" for hit in ask(root, "zebra").hits)
    assert [hit.path for hit in ask(root, "zebra", roles=("note",)).hits] == [
        "memory/2025-02-30.md",
        "memory/notes/z.md",
    ]
    with pytest.raises(BadUsage, match="has no role 'nope'"):
        ask(root, "zebra", roles=("nope",))


@pytest.mark.parametrize("written", ["Café", unicodedata.normalize("NFD", "Café"), "ＣＡＦÉ"])
def test_the_match_is_shown_however_it_is_spelt(tmp_path, written):
    make(tmp_path, {"MEMORY.md": "x" * 400 + f" {written} " + "y" * 400 + "\n"})
    (hit,) = ask(tmp_path, "CAFÉ").hits
    ((start, end),) = hit.spans
    assert unicodedata.normalize("NFKC", hit.snippet[start:end]).casefold() == "café"


def test_context_and_what_was_looked_into_are_told(root):
    answer = ask(root, "zebra note 0", context=1)
    assert answer.hits[0].after == ()
    assert answer.details == ("files searched: 32",)
