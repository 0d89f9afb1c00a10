"""Settings files (memtool.toml, config.toml): set one value and leave every other byte unchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from typing import Any

_BYTE_ORDER_MARK = "\ufeff"


def with_setting(text: str, name: str, value: Any) -> str | None:
    """The text with the setting `name`, such as `search.limit`, at a value; a missing table is added.

    A tuple is written as an array. None for a text that is not TOML, and where the value cannot be set
    without another change.
    """

    def put(document: Any, tables: list[str], key: str) -> bool | None:
        import tomlkit

        table = document
        for step in tables:
            if step not in table:
                if text.removeprefix(_BYTE_ORDER_MARK).strip():
                    document.add(tomlkit.nl())
                table.add(step, tomlkit.table())
            table = table[step]
            if not isinstance(table, MutableMapping):
                return None
        if key in table and table[key] == (list(value) if isinstance(value, tuple) else value):
            return False
        _set_item(table, key, _item(value))
        return True

    return _edited(text, name, value, put)


def without_setting(text: str, name: str) -> str | None:
    """The text without the setting `name`; the same text if it is not set there.

    None for a text that is not TOML, and where the setting cannot be removed without another change.
    """

    def remove(document: Any, tables: list[str], key: str) -> bool | None:
        table = document
        for step in tables:
            table = table.get(step, {})
            if not isinstance(table, MutableMapping):
                return None
        if key not in table:
            return False
        del table[key]
        return True

    return _edited(text, name, None, remove)


def _edited(
    text: str, name: str, value: Any, edit: Callable[[Any, list[str], str], bool | None]
) -> str | None:
    """The text after `edit` of its document at a setting, which then has `value`, or is not set for None.

    `edit` is given the document, the names of the setting's tables, and its key; it returns whether it
    changed anything, or None where it cannot.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    mark = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""
    body = text.removeprefix(mark)
    *tables, key = name.split(".")
    try:
        document = tomlkit.parse(body)
        if document.as_string() != body:
            return None
        is_changed = edit(document, tables, key)
        new = document.as_string()
    except (TOMLKitError, RecursionError):
        return None
    if not is_changed:
        return None if is_changed is None else text
    if "\r\n" in body and not re.search(r"(?<!\r)\n", body):
        new = re.sub(r"(?<!\r)\n", "\r\n", new)
    return mark + new if _differs_only_in(name, value, new, body) else None


def _set_item(table: Any, key: str, item: Any) -> None:
    """Set a key; a new one comes before the blank lines and comments at the end of a table.

    Those are about the table after it.
    """
    body = getattr(getattr(table, "value", None), "body", None)
    if key in table or body is None:
        table[key] = item
        return
    keyed = max((number for number, (name, _) in enumerate(body, 1) if name is not None), default=len(body))
    trailing = body[keyed:]
    del body[keyed:]
    table[key] = item
    body.extend(trailing)


def _item(value: Any) -> Any:
    """A value as it is written: a table on one line."""
    import tomlkit

    if isinstance(value, dict):
        inline = tomlkit.inline_table()
        inline.update(value)
        return inline
    return list(value) if isinstance(value, tuple) else value


def _differs_only_in(name: str, value: Any, new: str, old: str) -> bool:
    """Whether two TOML texts hold the same values, except for `value`, or none, at `name`."""
    import tomllib

    try:
        new_values, old_values = (tomllib.loads(text) for text in (new, old))
    except (ValueError, RecursionError):
        return False
    *tables, key = name.split(".")
    table = old_values
    for step in tables:
        table = table.setdefault(step, {})
    if value is None:
        del table[key]
    else:
        table[key] = list(value) if isinstance(value, tuple) else value
    return new_values == old_values
