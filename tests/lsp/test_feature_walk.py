"""Each feature once, on the sample and on a vault of thousands of notes."""

from __future__ import annotations

import pytest

from tests.lsp.client import LspClient
from tests.lsp.feature_walk import FeatureWalk, walked_root

TEXT = "# Note {}\n\n[[note-{}]] #topic/{}\n"
VAULT = {
    f"memory/notes/zettel/n/note-{number}.md": TEXT.format(number, number * 7 % 2_000, number % 40)
    for number in range(2_000)
}


@pytest.mark.parametrize("notes", [{}, VAULT], ids=["sample", "vault"])
def test_each_feature_answers(tmp_path, notes):
    root = walked_root(tmp_path / "w", notes)
    with LspClient(root, tmp_path) as client:
        client.wait_until_loaded()
        steps = [step.name for step in FeatureWalk(client).steps() if step.run() >= 0]
    assert len(steps) == len({*steps})
