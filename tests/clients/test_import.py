"""`memtool import` reads the transcripts that real agents write, without being told whose they are."""

from __future__ import annotations

import pytest

from tests.clients.agents import agent
from tests.clients.history import TRANSCRIPTS, imported
from tests.clients.model import Model, Say


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_turns_of_a_transcript_are_what_was_said(tmp_path, name):
    one = agent(name, tmp_path)
    with Model([Say("Three percent.")]) as model:
        ran = one.run("How much iron oxide does celadon need?", model)
    assert ran.code == 0, ran.said
    assert imported(one) == [["How much iron oxide does celadon need?", "Three percent."]]
