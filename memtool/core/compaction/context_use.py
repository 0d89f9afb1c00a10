"""How much of an agent's context is used, and how large it is, as its transcript and its provider say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from memtool.core.text.regex import regex

WARNING_SHARES = (0.9, 0.8)
"""The shares of the context from which the agent is warned, once each (OpenLegion warns at 80 %)."""
_NUMBER = r"(\d[\d,._]{2,14}\d|\d{1,4})"
_OVERFLOWS = (
    rf"prompt is too long: {_NUMBER} tokens? > {_NUMBER}",  # Anthropic
    rf"exceed context limit: {_NUMBER} \+ {_NUMBER} > {_NUMBER}",  # Anthropic
    rf"token count \({_NUMBER}\) exceeds the maximum number of tokens allowed \({_NUMBER}\)",  # Gemini
    rf"request \({_NUMBER} tokens\) exceeds the available context size \({_NUMBER} tokens\)",  # llama.cpp
)
"""The texts of errors that have the tokens of the request, in one or two parts, and last the window."""
_MAXIMUM = rf"maximum (?:context|model) length (?:is|of) {_NUMBER}(?: tokens)?"
_REQUESTED = rf"(?:requested|resulted in|contains?|has) (?:at least )?{_NUMBER} (?:input )?tokens"
"""The two parts of the errors of OpenAI and vLLM."""
_MOST = 10**9
_USAGE_KEYS = (
    ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"),  # Anthropic
    ("input", "output", "cacheRead", "cacheWrite"),  # OpenClaw
)


class ContextOverflow(NamedTuple):
    """A request that was larger than the model's window: its tokens, None if unknown, and the window's."""

    tokens: int | None
    window: int


class ContextUse(NamedTuple):
    """The tokens of the context in use, and the size of the window if the agent says it."""

    tokens: int
    window: int | None = None


def parse_overflow(error: str) -> ContextOverflow | None:
    """The overflow that a provider's error reports; None for another text, and for one without the window."""
    text = " ".join(error[:4_000].replace("`", "").split())
    for pattern in _OVERFLOWS:
        if match := regex(pattern).search(text):
            *parts, window = map(_number, match.groups())
            return _overflow(sum(parts), window)
    if match := regex(_MAXIMUM).search(text):
        requested = regex(_REQUESTED).search(text, match.end())
        return _overflow(_number(requested[1]) if requested else None, _number(match[1]))
    return None


def newest_use(records: Iterable[Mapping[str, Any]]) -> ContextUse | ContextOverflow | None:
    """What the last lines of a transcript say of the context, from records with the newest first."""
    for record in records:
        if record.get("isSidechain") is True:
            continue
        if (overflow := _reported_overflow(record)) is not None:
            return overflow
        if (use := _use(record)) is not None:
            return use
    return None


def warning(share: float, window: int) -> str:
    """The warning for an agent of whose context this share is used; empty where none is due."""
    step = next((step for step in WARNING_SHARES if share >= step), None)
    if step is None:
        return ""
    return (
        f"More than {step:.0%} of your {window:,}-token context window is used. Finish the current step"
        " and save what you will need later: the conversation will be compacted soon.\n"
    )


def _overflow(tokens: int | None, window: int) -> ContextOverflow | None:
    if not 0 < window <= _MOST or (tokens is not None and not window < tokens <= _MOST):
        return None
    return ContextOverflow(tokens, window)


def _number(text: str) -> int:
    return int(regex(r"\D").sub("", text))


def _reported_overflow(record: Mapping[str, Any]) -> ContextOverflow | None:
    """The overflow in a record that an agent marks as an error of its provider; no text of a person."""
    message, payload = record.get("message"), record.get("payload")
    if record.get("isApiErrorMessage") is True and isinstance(message, Mapping):  # Claude Code
        blocks = message.get("content")
        listed = blocks if isinstance(blocks, list) else []
        texts = [block.get("text") for block in listed if isinstance(block, Mapping)]
        return parse_overflow("\n".join(text for text in texts if isinstance(text, str)))
    if isinstance(payload, Mapping) and payload.get("type") in {"error", "stream_error"}:  # Codex
        return parse_overflow(str(payload.get("message")))
    if isinstance(message, Mapping) and message.get("stopReason") == "error":  # OpenClaw
        return parse_overflow(str(message.get("errorMessage")))
    return None


def _use(record: Mapping[str, Any]) -> ContextUse | None:
    payload, message = record.get("payload"), record.get("message")
    if isinstance(payload, Mapping) and payload.get("type") == "token_count":  # Codex
        info = payload.get("info")
        last = info.get("last_token_usage") if isinstance(info, Mapping) else None
        if not isinstance(last, Mapping) or not isinstance(info, Mapping):
            return None
        tokens, window = _count(last.get("total_tokens")), _count(info.get("model_context_window"))
        return ContextUse(tokens, window or None) if tokens else None
    usage = message.get("usage") if isinstance(message, Mapping) else None
    if not isinstance(usage, Mapping):
        return None
    tokens = max(sum(_count(usage.get(key)) for key in keys) for keys in _USAGE_KEYS)
    return ContextUse(tokens) if tokens else None


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST else 0
