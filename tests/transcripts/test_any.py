"""What holds for every foreign format: no content makes it fail, and none takes another's file for its own."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.transcripts import (
    anthropic,
    chatgpt,
    claude_code,
    cline,
    codex,
    gemini,
    hermes,
    openai,
    openclaw,
    opencode,
    qwen,
)
from memtool.transcripts.json_stream import InvalidJsonStream, parse_values
from memtool.transcripts.transcript import ImportedFact, ImportedTurn, SkippedRecord
from memtool.verbs.history.import_ import TRANSCRIPT_FORMATS, recognise_transcript
from tests.formats.test_turn import JSON, spoiled
from tests.transcripts.sources import CLAUDE, Given, document, lines
from tests.transcripts.test_chats import ANTHROPIC, EXPORT, OPENAI
from tests.transcripts.test_codex import CODEX
from tests.transcripts.test_import_command import OLD_CLINE
from tests.transcripts.test_openclaw import OPENCLAW
from tests.transcripts.test_terminal_agents import GEMINI, GEMINI_HEAD, HERMES, OPENCODE, QWEN

SAMPLES = {
    claude_code: lines(*CLAUDE),
    codex: lines(*CODEX),
    openclaw: lines(*OPENCLAW),
    chatgpt: document([EXPORT]),
    anthropic: document(ANTHROPIC),
    openai: document(OPENAI),
    qwen: lines(*QWEN),
    gemini: lines(GEMINI_HEAD, *GEMINI),
    opencode: document(OPENCODE),
    cline: document(OLD_CLINE),
    hermes: document({"session_id": "s1", "session_start": "2025-01-15T10:30:00", "messages": HERMES}),
}


@pytest.mark.parametrize("module", SAMPLES, ids=lambda module: module.NAME)
def test_each_is_recognised_without_being_told(module):
    assert recognise_transcript(SAMPLES[module]) == module.NAME
    whole = SAMPLES[module].content
    assert recognise_transcript(Given(b"\xef\xbb\xbf" + whole)) == module.NAME


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"# Notes\n\n- one\n", b"\0\1\2", b"{}", b"[]", b'{"a": 1}\n' * 3, b"[[[["]
)
def test_what_is_no_transcript_is_not_taken_for_one(content):
    assert recognise_transcript(Given(content)) is None


@settings(max_examples=60)
@given(
    st.sampled_from(
        [
            *(
                CLAUDE,
                CODEX,
                OPENCLAW,
                OPENAI,
                ANTHROPIC,
                [EXPORT],
                QWEN,
                [GEMINI_HEAD, *GEMINI],
                [OPENCODE],
                OLD_CLINE,
            ),
            [{"session_id": "s1", "session_start": 1, "messages": HERMES}],
        ]
    ),
    st.randoms(use_true_random=True),
    JSON,
)
def test_no_content_makes_a_format_fail(records, chance, value):
    bad = copy.deepcopy(records)
    for _ in range(chance.randint(1, 6)):
        bad = spoiled(bad, chance)
    bad.insert(chance.randint(0, len(bad)), value)
    whole = json.dumps(bad).encode()
    for source in (lines(*bad), Given(whole), Given(whole[: chance.randint(0, len(whole))])):
        recognise_transcript(source)
        for module in TRANSCRIPT_FORMATS.values():
            for item in module.read(source):
                assert isinstance(item, ImportedTurn | ImportedFact | SkippedRecord)


@given(st.lists(JSON, max_size=5), st.integers(1, 40), st.sampled_from([None, 1]))
def test_a_stream_gives_what_the_whole_document_holds(elements, size, indent):
    text = json.dumps(elements, indent=indent).encode()
    blocks = [text[start : start + size] for start in range(0, len(text), size)]
    assert list(parse_values(blocks)) == elements
    joined = "\n".join(json.dumps(one) for one in elements if isinstance(one, dict)).encode()
    blocks = [joined[start : start + size] for start in range(0, len(joined), size)]
    assert list(parse_values(blocks)) == [one for one in elements if isinstance(one, dict)]


@given(st.lists(JSON, min_size=1, max_size=4), st.integers(1, 30), st.data())
def test_a_stream_that_breaks_has_given_what_came_before(elements, size, data):
    text = json.dumps(elements).encode()
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    found, why = [], ""
    try:
        found.extend(parse_values([cut[start : start + size] for start in range(0, len(cut), size)]))
    except InvalidJsonStream as error:
        why = str(error)
    assert "character" in why
    assert found[:-1] == elements[: len(found)][:-1]
