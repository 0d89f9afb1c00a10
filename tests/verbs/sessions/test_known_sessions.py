"""Known sessions: a mistyped name is told from one of another session and from one that left nothing."""

from __future__ import annotations

import pytest

from memtool.core.records.entries import Owner
from memtool.core.records.turn import Message, TextPart
from memtool.verbs.sessions.known_sessions import is_known, similar_sessions
from memtool.verbs.sessions.session import start_session
from memtool.verbs.turns.append_turn import TurnDraft, append_turns
from tests.trees import NOW, make, opened

ANN = Owner("user", "ann")


@pytest.fixture
def root(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    start_session(opened(root), ANN, "research", NOW)
    said = (Message("user", (TextPart("hello"),)),)
    append_turns(opened(root), [TurnDraft(NOW, said, {"session": "chat-12", "user": "ann"})], NOW)
    return root


@pytest.mark.parametrize(
    ("name", "near"),
    [("resaerch", ["research"]), ("cha-12", ["chat-12"]), ("chat-13", []), ("of-ann", []), ("x", [])],
)
def test_a_mistyped_name_is_like_a_known_one_of_the_same_number(root, name, near):
    assert not is_known(opened(root), name, ANN)
    assert similar_sessions(opened(root), name, ANN) == near


def test_a_session_of_another_user_is_not_known(root):
    assert is_known(opened(root), "research", ANN)
    assert is_known(opened(root), "chat-12", ANN)
    assert similar_sessions(opened(root), "resaerch", Owner("user", "bob")) == []
    assert not is_known(opened(root), "chat-12", Owner("user", "bob"))
