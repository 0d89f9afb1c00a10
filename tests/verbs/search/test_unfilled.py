"""What a file had before anybody wrote to it is no hit, except of an exact search."""

from __future__ import annotations

import pytest

from tests.trees import make, memtool


@pytest.mark.parametrize("engine", ["sqlite", "whoosh"])
def test_text_of_a_seed_is_no_hit_until_somebody_fills_it_in(tmp_path, engine):
    root = make(tmp_path / "w", {"memtool.toml": f'layout = "qanot"\n[search]\nengine = "{engine}"\n'})

    def run(*arguments):
        return memtool(*arguments, home=tmp_path, cwd=root).stdout.splitlines()

    title = "# SESSION-STATE.md -- Active Working Memory"
    make(root, {"SESSION-STATE.md": f"{title}\n\n"})
    assert run("search", "working") == []
    assert run("search", "--exact", "working") == [f"SESSION-STATE.md:1: {title}"]
    make(root, {"SESSION-STATE.md": f"{title}\n\nThe kiln is warm.\n"})
    assert run("search", "kiln") == ["SESSION-STATE.md:3: The kiln is warm."]
