"""How full a context is: what providers and transcripts say."""

from __future__ import annotations

import pytest

from memtool.core.compaction.context_use import ContextUse, newest_use, parse_overflow, warning


@pytest.mark.parametrize(
    ("error", "overflow"),
    [
        ("API Error: 400 prompt is too long: 208310 tokens > 200000 maximum", (208310, 200000)),
        ("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", (209573, 200000)),
        (
            "maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
            (130001, 128000),
        ),
        ("maximum context length is 8192 tokens, however you requested 9000 tokens", (9000, 8192)),
        ("The input token count (1,200,000) exceeds the maximum number of tokens allowed (1,048,576).",
         (1200000, 1048576)),
        ("the request (5000 tokens) exceeds the available context size (4096 tokens)", (5000, 4096)),
        ("maximum model length of 32768", (None, 32768)),
        ("rate limit: 200000 tokens per minute", None),
        ("prompt is too long: 5 tokens > 200000 maximum", None),
        ("Your input exceeds the context window of this model", None),
    ],
)  # fmt: skip
def test_an_overflow_is_calibrated_by_what_the_provider_says(error, overflow):
    assert parse_overflow(error) == overflow


def test_the_newest_record_with_a_usage_or_an_overflow_counts():
    usage = {"input_tokens": 10, "cache_read_input_tokens": 150_000, "output_tokens": 40}
    claude = {"type": "assistant", "message": {"usage": usage}}
    info = {"last_token_usage": {"total_tokens": 230_000}, "model_context_window": 272_000}
    codex = {"type": "event_msg", "payload": {"type": "token_count", "info": info}}
    error = {"type": "text", "text": "prompt is too long: 208310 tokens > 200000 maximum"}
    failed = {"isApiErrorMessage": True, "message": {"content": [error], "usage": {"input_tokens": 0}}}
    assert newest_use([{"isSidechain": True, **failed}, claude]) == ContextUse(150_050)
    assert newest_use([codex, claude]) == ContextUse(230_000, 272_000)
    assert newest_use([failed, claude]) == (208310, 200000)
    assert newest_use([{"message": {"content": [error]}}, {}]) is None


def test_the_warning_begins_at_80_percent():
    assert warning(0.79, 200_000) == ""
    assert warning(0.8, 200_000).startswith("More than 80% of your 200,000-token context window is used.")
    assert warning(1.04, 200_000).startswith("More than 90%")
