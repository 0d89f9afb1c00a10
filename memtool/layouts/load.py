"""Loading layouts: a layout by its name from its TOML file, and the layout that a tree has."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from memtool.errors import BadUsage
from memtool.layouts.layout import CompiledRole, Layout, NoteSettings, Place, RoleShare
from memtool.layouts.resources import resource_tables
from memtool.layouts.template import PathTemplate

LAYOUT_NAMES = (
    *("native", "q15", "claude-code", "nano", "openclaw", "openlegion", "qanot"),
    *("gemini", "codex", "letta", "obsidian", "basic-memory", "okf"),
)
"""All layouts, in the order in which a tree is compared with their markers; the last have none."""

_COMMON = "common"


@functools.cache
def load_layout(name: str) -> Layout:
    """Load a layout by its name. Raises BadUsage for an unknown name."""
    if name not in LAYOUT_NAMES:
        from difflib import get_close_matches

        near = get_close_matches(name, LAYOUT_NAMES, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise BadUsage(f"unknown layout {name!r}{hint}; the layouts are {', '.join(sorted(LAYOUT_NAMES))}")
    specific, common = _toml(name), _toml(_COMMON)
    memory = specific["layout"].get("memory", "memory/")
    groups = specific.get("groups", {})
    specific_roles = {row["role"] for row in specific["file"]}
    rows = [*specific["file"], *(row for row in common["file"] if row["role"] not in specific_roles)]
    any_file = ("{rest}", f"{memory}{{rest}}", "{memory}{rest}")
    rows.sort(
        key=lambda row: row["path"].startswith(any_file)
    )  # last, since it matches the files of all others
    places = [_place(row, memory, grouped=bool(groups)) for row in rows]
    return Layout(
        name=name,
        summary=specific["layout"]["summary"],
        places=tuple(places),
        targets=_targets([*common["target"], *specific.get("target", [])]),
        shares=_shares({**common["shares"], **specific.get("shares", {})}),
        categories={**common.get("categories", {}), **specific.get("categories", {})},
        limits={**common.get("limits", {}), **specific.get("limits", {})},
        initial=tuple(specific["init"].items()),
        notes=_notes({**common["notes"], **specific.get("notes", {})}),
        groups=groups.get("root"),
        shared_group=groups.get("shared"),
        retrieval=specific["layout"].get("retrieval", "on"),
        snippets=specific["layout"].get("snippets", "lexical"),
        unfilled=frozenset(specific["layout"].get("unfilled", ())),
        cut_notice=specific.get("cut", {}).get("notice", ""),
        cut_counted=specific.get("cut", {}).get("counted", False),
        compiled=CompiledRole(**specific["compiled"]) if "compiled" in specific else None,
        agent=specific["layout"].get("agent", ""),
        agent_roles=frozenset(specific["layout"].get("reads", ())),
    )


def recognise_layout(exists: Callable[[str], bool]) -> str | None:
    """The name of the layout that a tree has, or None; `exists` tells whether the tree has a path.

    The `markers` of a layout are alternatives, each a list of paths that must all exist; a path after `!`
    must not exist. A path that ends in `/` is a folder; `*` and `?` are wildcards.
    """
    for name in LAYOUT_NAMES:
        for alternative in _toml(name)["layout"]["markers"]:
            if all(
                exists(marker[1:]) is False if marker.startswith("!") else exists(marker)
                for marker in alternative
            ):
                return name
    return None


def resembled_layout(exists: Callable[[str], bool]) -> tuple[str, tuple[str, ...]] | None:
    """The layout that a tree nearly has, and the paths that say so; None if it resembles none.

    The `hints` of a layout are alternatives as its `markers` are, of files that are not enough to be certain.
    """
    for name in LAYOUT_NAMES:
        for hint in _toml(name)["layout"].get("hints", ()):
            if all(exists(marker) for marker in hint):
                return name, tuple(hint)
    return None


def _targets(rows: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    """The roles by verb; later rows override earlier ones."""
    targets: dict[str, dict[str, str]] = {}
    for row in rows:
        targets.setdefault(row["verb"], {}).update(
            (key, value) for key, value in row.items() if key != "verb"
        )
    return targets


def _shares(rows: dict[str, Any]) -> dict[str, RoleShare]:
    """The shares by role."""
    return {
        role: RoleShare(name, row["percent"], need, keep)
        for need, (name, row) in enumerate(rows.items())
        for role, keep in row["roles"].items()
    }


def _notes(row: dict[str, Any]) -> NoteSettings:
    keys = tuple(row["keys"])
    is_true = (row["unwritten"], row["private"], row["linked"], row["forgiving"], row["plain_tags"])
    return NoteSettings(row["places"], row["naming"], keys, *is_true)


def _place(row: dict[str, Any], memory: str, *, grouped: bool) -> Place:
    return Place(
        role=row["role"],
        template=PathTemplate(row["path"].replace("{memory}", memory)),
        format=row["format"],
        inject=row.get("inject", "on-demand"),
        indexed=row.get("indexed", True),
        readable=row.get("readable", True),
        seed=row.get("seed"),
        grouped=grouped and row.get("grouped", False),
        limit=row.get("limit"),
        old=row.get("old", False),
        read_by=tuple(row.get("read_by", ())),
        bonuses=tuple(row.get("bonus", {}).items()),
        replaced_by=row.get("replaced_by", ""),
        required=tuple(row.get("required", {}).items()),
        exempt=tuple(row.get("exempt", ())),
    )


def _toml(name: str) -> dict[str, Any]:
    return resource_tables(f"{name}.toml")
