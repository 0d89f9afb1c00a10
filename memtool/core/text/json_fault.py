"""What is wrong with a line that is not JSON."""

from __future__ import annotations

import json


def json_fault(error: ValueError | RecursionError) -> str:
    """The fault of a line that `json` could not read, with its position, worded to follow the line's name."""
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        reason = f"{error.msg[:1].lower()}{error.msg[1:]}".removesuffix(" at")
        return f"is not JSON ({reason} at character {error.pos + 1})"
    return f"is not JSON ({value_fault(error)})"


def value_fault(error: ValueError | RecursionError) -> str:
    """The fault of a value in JSON or TOML; of a long number, Python's own message names a function."""
    is_long_number = "integer string conversion" in str(error)
    return "a number has too many digits" if is_long_number else str(error)
