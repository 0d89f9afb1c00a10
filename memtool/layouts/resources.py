"""The files of this package: their texts, and the tables of those in TOML."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any


class _Parser:
    """What parses a TOML text; a program may put one with a cache in its place."""

    parse: Callable[[str], dict[str, Any]] | None = None


def set_parser(parse: Callable[[str], dict[str, Any]]) -> None:
    """Parse later texts with another function, which must give what `parse_toml` gives."""
    _Parser.parse = staticmethod(parse)


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text."""
    import tomllib

    return tomllib.loads(text)


@cache
def resource_tables(name: str) -> dict[str, Any]:
    """The tables of a TOML file in this package, shared by all callers."""
    return (_Parser.parse or parse_toml)(resource_text(name))


def resource_text(name: str) -> str:
    """The text of a file in this package, without `importlib.resources`, whose import is slower."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()
