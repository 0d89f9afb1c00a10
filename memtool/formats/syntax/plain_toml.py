"""Read the TOML that settings files mostly consist of, without importing a TOML parser.

`tomllib` takes a twentieth of the start of a command, because it compiles its patterns on import. What this
module does not know for certain it leaves to `tomllib`.
"""

from __future__ import annotations

from typing import Any


def parse_plain_toml(text: str) -> dict[str, Any] | None:
    """The tables of a TOML text, as `tomllib.loads` returns them; None if the text is not plain.

    Plain are comments, `[table]` headers, and `key = value` with bare keys, where a value is a string in
    double quotes without a backslash, a boolean, or a decimal integer without a sign.
    """
    if not text.replace("\n", "").replace("\t", "").isprintable():
        return None
    tables: dict[str, Any] = {}
    table = tables
    for line in (line.strip(" \t") for line in text.split("\n")):
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            inner = _new_table(tables, line)
            if inner is None:
                return None
            table = inner
            continue
        key, _, rest = line.partition("=")
        key, value = key.rstrip(" \t"), _value(rest.lstrip(" \t"))
        if not _is_bare(key) or value is None or key in table:
            return None
        table[key] = value
    return tables


def _is_bare(key: str) -> bool:
    return key.isascii() and key.replace("_", "a").replace("-", "a").isalnum()


def _new_table(tables: dict[str, Any], line: str) -> dict[str, Any] | None:
    """The table of a header such as `[search]`; None if it is not plain or exists already."""
    name = line[1:-1]
    if not line.endswith("]") or not _is_bare(name) or name in tables:
        return None
    table: dict[str, Any] = {}
    tables[name] = table
    return table


def _value(rest: str) -> str | bool | int | None:
    """The value that a line assigns; None if it is not plain."""
    if rest.startswith('"'):
        value, quote, after = rest[1:].partition('"')
        is_plain = bool(quote) and "\\" not in value and after.lstrip(" \t")[:1] in {"", "#"}
        return value if is_plain else None
    word = rest.partition("#")[0].rstrip(" \t")
    if word in {"true", "false"}:
        return word == "true"
    is_integer = word.isascii() and word.isdigit() and len(word) < 18 and (word == "0" or word[0] != "0")
    return int(word) if is_integer else None
