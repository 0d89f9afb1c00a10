"""The runner itself: an agent hears what the scripted model says, and the model hears the agent."""

from __future__ import annotations

import pytest

from tests.clients.agents import agent
from tests.clients.model import Model, Say


@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "qwen"])
def test_an_agent_talks_with_the_model(tmp_path, name):
    one = agent(name, tmp_path)
    with Model([Say("the kiln is at 1240")]) as model:
        ran = one.run("how hot is it?", model)
    assert ran.code == 0, ran.said
    assert "the kiln is at 1240" in ran.stdout
    assert "how hot is it?" in model.text
