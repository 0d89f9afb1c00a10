"""Three-way merge of frontmatter, key by key."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from memtool.core.text.record_merge import MergeRecord, merge_records
from memtool.core.text.regex import regex

_KEY = r"[\"']?([^\s\"'#:,\[\]{}-][^\n:]*?)[\"']?[ \t]*:(?=[ \t]|$)"
_FLOW_LIST = r"([^\n]*?:[ \t]*)\[([^\[\]{}\"'\n#]*)\][ \t]*"
_BLOCK_LIST = r"[^\n]*?:[ \t]*(?:\n[ \t]*-[ \t][^\n]*)+"


def merge_frontmatter(base: str, ours: str, theirs: str) -> str:
    """The frontmatter of two versions of a base, with both `---` lines and LF; empty if nothing is left.

    A key is there if either side added it, and not if either deleted it. If both changed its value, lists are
    merged by item, and of other values the greater is taken, as text.
    """
    versions = [[*_entries(meta)] for meta in (base, ours, theirs)]
    before, left, right = ({entry.key: entry.text for entry in version} for version in versions)
    entries = [
        replace(entry, text=_merge_lists(before[entry.key], left[entry.key], right[entry.key]) or entry.text)
        if entry.key in before
        else entry
        for entry in merge_records(*versions)
    ]
    return "".join(["---\n", *(f"{entry.text}\n" for entry in entries), "---\n"]) if entries else ""


def _entries(meta: str) -> Iterator[MergeRecord]:
    """The lines of each key; comments and blank lines belong to the key before them."""
    if not meta:
        return
    name, lines = "", list[str]()
    for line in meta.rstrip().split("\n")[1:-1]:
        if key := regex(_KEY).match(line):
            if lines:
                yield MergeRecord(name, "\n".join(lines))
            name, lines = key[1], []
        lines.append(line)
    if lines:
        yield MergeRecord(name, "\n".join(lines))


def _merge_lists(base: str, ours: str, theirs: str) -> str | None:
    """A key with the items of two lists; None if one side did not change it, or a value is no plain list."""
    if base in (ours, theirs) or ours == theirs:
        return None
    flow = [regex(_FLOW_LIST).fullmatch(text) for text in (base, ours, theirs)]
    if all(flow):
        lists = [_flow_items(match[2]) for match in flow if match is not None]
        return f"{flow[0][1] if flow[0] else ''}[{', '.join(_merge_items(*lists))}]"
    if all(regex(_BLOCK_LIST).fullmatch(text) for text in (base, ours, theirs)):
        first, *_ = base.split("\n")
        return "\n".join([first, *_merge_items(*(text.split("\n")[1:] for text in (base, ours, theirs)))])
    return None


def _flow_items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _merge_items(base: list[str], ours: list[str], theirs: list[str]) -> list[str]:
    versions = ([MergeRecord(item, item) for item in items] for items in (base, ours, theirs))
    return [record.text for record in merge_records(*versions)]
