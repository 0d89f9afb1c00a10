"""Counting tokens with the tokenizer that the settings name, or by an estimate."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from memtool.core.compaction.tokens import estimate_tokens
from memtool.errors import BadUsage, extra_hint
from memtool.store.config.settings import Settings

TokenCounter = Callable[[str], int]


def token_counter(settings: Settings) -> tuple[TokenCounter, str]:
    """The token counter, and a sentence why it is an estimate although a tokenizer is configured.

    `context.tokenizer` names an encoding or a model of tiktoken (`o200k_base`, `gpt-4o`), or a file of the
    tokenizers library (a path that ends in .json). Raises BadUsage for a name that the library cannot load.
    """
    name = settings["context.tokenizer"]
    if not name:
        return estimate_tokens, ""
    library = "tokenizers" if name.endswith(".json") else "tiktoken"
    try:
        module = importlib.import_module(library)
    except ImportError:
        return estimate_tokens, (
            f"the tokenizer {name!r} needs {library}, which is not installed, so token counts are estimates; "
            f"{extra_hint('tokens')}"
        )
    try:
        if library == "tokenizers":
            tokenizer = module.Tokenizer.from_file(name)
            return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids), ""
        find = module.get_encoding if name in module.list_encoding_names() else module.encoding_for_model
        encoding = find(name)
    except Exception as error:  # the libraries raise anything, plain Exception among it
        raise BadUsage(f"context.tokenizer: {library} cannot load {name!r} ({error})") from error
    return lambda text: len(encoding.encode(text, disallowed_special=())), ""
