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


def test_the_heading_of_captured_facts_finds_none_of_them(tmp_path):
    text = "# Memory\n\n## Auto-captured\n\n- **preference**: I like teal\n\n## Car\n\n- It is red\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": text})

    def found(*words):
        done = memtool("--root", str(root), "search", *words, home=tmp_path)
        return [line.split(" ")[0] for line in done.stdout.splitlines()]

    assert found("Wo steht das Auto?") == []
    assert found("teal") == ["MEMORY.md:5:"]
    assert found("car") == ["MEMORY.md:7:", "MEMORY.md:9:"]
