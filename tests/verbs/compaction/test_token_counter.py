"""Tokens are counted by the tokenizer that is named, and estimated where there is none."""

from __future__ import annotations

import json
import sys

import pytest

from memtool.core.compaction.tokens import estimate_tokens
from memtool.errors import BadUsage
from memtool.store.config.settings import Settings
from memtool.verbs.compaction.token_counter import token_counter


def test_without_a_name_they_are_estimated():
    assert token_counter(Settings({})) == (estimate_tokens, "")


def test_a_library_that_is_missing_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    count, why = token_counter(Settings({"context.tokenizer": "o200k_base"}))
    assert count is estimate_tokens
    assert "pip install '.[tokens]'" in why


def test_a_tokenizer_file_counts(tmp_path):
    pytest.importorskip("tokenizers")
    vocabulary = {"[UNK]": 0, "kiln": 1, "cone": 2}
    made = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(made))
    count, why = token_counter(Settings({"context.tokenizer": str(file)}))
    assert (count("kiln cone kiln glaze"), why) == (4, "")
    with pytest.raises(BadUsage, match="cannot load"):
        token_counter(Settings({"context.tokenizer": str(tmp_path / "none.json")}))
