"""Layouts from their TOML files: one by its name, all of them, and the one a tree looks like."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from memtool.errors import BadUsage
from memtool.layouts.layout import Layout, Notes, Place
from memtool.layouts.template import Template

NAMES = ("native", "q15", "claude-code", "nano", "openclaw", "openlegion", "qanot", "obsidian")
"""Every layout, the more telling first: in this order a tree is compared with them."""

_COMMON = "common"


@functools.cache
def load(name: str) -> Layout:
    """A layout by its name. Raises BadUsage for a name that is none, with those there are."""
    if name not in NAMES:
        raise BadUsage(f"there is no layout {name!r}; the layouts are {', '.join(sorted(NAMES))}")
    own, common = _toml(name), _toml(_COMMON)
    memory = own["layout"].get("memory", "memory/")
    groups = own.get("groups", {})
    known = {row["role"] for row in own["file"]}
    rows = [*own["file"], *(row for row in common["file"] if row["role"] not in known)]
    rest = ("{rest}", f"{memory}{{rest}}", "{memory}{rest}")
    rows.sort(key=lambda row: row["path"].startswith(rest))  # it would take what is meant for others
    places = [_place(row, memory, grouped=bool(groups)) for row in rows]
    return Layout(
        name=name,
        summary=own["layout"]["summary"],
        places=tuple(places),
        targets=_targets([*common["target"], *own.get("target", [])]),
        categories={**common.get("categories", {}), **own.get("categories", {})},
        limits={**common.get("limits", {}), **own.get("limits", {})},
        initial=tuple(own["init"].items()),
        notes=_notes({**common["notes"], **own.get("notes", {})}),
        groups=groups.get("root"),
        shared_group=groups.get("shared"),
    )


def recognise(sees: Callable[[str], bool]) -> str | None:
    """The layout that a tree looks like, or None; `sees` says whether the tree has a marker.

    A layout's `markers` are alternatives, each a list of paths that must all be there; one that begins with
    `!` must not be. A path that ends in `/` is a folder, and `*` and `?` stand for any name in it.
    """
    for name in NAMES:
        for alternative in _toml(name)["layout"]["markers"]:
            if all(
                sees(marker[1:]) is False if marker.startswith("!") else sees(marker)
                for marker in alternative
            ):
                return name
    return None


def _targets(rows: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    """The roles by verb, a later row's over an earlier one's."""
    targets: dict[str, dict[str, str]] = {}
    for row in rows:
        targets.setdefault(row["verb"], {}).update((k, v) for k, v in row.items() if k != "verb")
    return targets


def _notes(row: dict[str, Any]) -> Notes:
    keys = tuple(row["keys"])
    return Notes(row["places"], row["naming"], keys, row["unwritten"], row["linked"], row["forgiving"])


def _place(row: dict[str, Any], memory: str, *, grouped: bool) -> Place:
    return Place(
        role=row["role"],
        template=Template(row["path"].replace("{memory}", memory)),
        format=row["format"],
        inject=row.get("inject", "on-demand"),
        indexed=row.get("indexed", True),
        readable=row.get("readable", True),
        seed=row.get("seed"),
        grouped=grouped and row.get("grouped", False),
        limit=row.get("limit"),
        old=row.get("old", False),
    )


@functools.cache
def _toml(name: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text_of(f"{name}.toml"))


def text_of(name: str) -> str:
    """The text of a file that ships beside this module; `importlib.resources` costs more than it reads."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()
