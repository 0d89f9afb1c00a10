"""Parts of words and words written together are found, in every script."""

from __future__ import annotations

import json

import pytest

from tests.trees import make, memtool


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("ко", 3),
        ("печ", 3),
        ("猫", 5),
        ("叫小", 5),
        ("แมว", 7),
        ("ofen", 9),
        ("gartenzaun", 11),
        ("кошки", 3),
        ("спит на печах", 3),
        ("zzzz", None),
    ],
)
@pytest.mark.parametrize("place", ["memory/notes/inbox/x.md", "turn"])
def test_a_part_of_a_word_and_glued_words_find_their_line(tmp_path, query, line, place):
    lines = [
        "# x", "Моя кошка спит на печи.", "我家的猫叫小白。", "แมวของฉันชื่อมะลิ", "Die Brennofensteuerung.",
        "Der Garten hat einen Zaun.",
    ]  # fmt: skip
    text = "\n\n".join(lines) + "\n"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    if place == "turn":
        said = json.dumps([{"role": "user", "content": row} for row in text.split("\n") if row])
        assert memtool("append-turn", home=tmp_path, cwd=root, stdin=said).returncode == 0
    else:
        make(root, {place: text})
    result = memtool("search", query, home=tmp_path, cwd=root)
    shown = result.stdout.split("\n")[0].partition(": ")[2]
    assert shown == ("" if line is None else text.split("\n")[line - 1])
