"""Three-way merge of a file of the tree: by records where its format has them, else by lines."""

from __future__ import annotations

import contextlib
from functools import partial

from memtool.core.text.three_way import merge_lines
from memtool.errors import UnreadableFile
from memtool.formats import json_lines, learnings
from memtool.formats.ownership import keeps_owners
from memtool.formats.syntax.record_tree import frame_and_lines, in_frame, merge_frames
from memtool.formats.syntax.text_merge import merge_text
from memtool.formats.table import FORMATS, MARKDOWN_FORMATS, MergeText

_INDIVISIBLE = (".json", ".canvas")
"""Ends of the names of JSON files: lines of two of them, such as two turns, make neither."""
_PROSE = (".md", ".markdown", ".txt")
"""Ends of the names of files for people, in which a passage can have labels."""
_PROSE_FORMATS = frozenset(each.name for each in MARKDOWN_FORMATS)
_BY_ID = frozenset({"pending", "session-buffer"})
"""Roles of JSON Lines whose `id` names one record in all versions."""


def merge_file(role: str, format_name: str, name: str, base: str, ours: str, theirs: str) -> str | None:
    """The text of two versions of a base; None if both changed the same lines of a file that is no prose.

    Records are merged as their format has it, prose by blocks, and in prose both versions of a passage are
    there, labelled. A file that its format cannot read is merged by lines; a JSON file, such as a turn, is
    not. A side that did not change gives the other, byte for byte. The result has no conflict markers. It is
    also None where a line would become another user's, such as one that was added to a section which the
    other side deleted.
    """
    if ours in (base, theirs):
        return theirs
    if theirs == base:
        return ours
    merged = _merged(role, format_name, name, base, ours, theirs)
    return merged if merged is not None and keeps_owners(role, merged, (ours, theirs)) else None


def _merged(role: str, format_name: str, name: str, base: str, ours: str, theirs: str) -> str | None:
    if merge := _merge_of(role, format_name, name):
        with contextlib.suppress(UnreadableFile):
            return merge(base, ours, theirs)
    if name.endswith(_INDIVISIBLE):
        return None
    if name.lower().endswith(_PROSE) or (format_name in _PROSE_FORMATS and "." not in name):
        return merge_text(base, ours, theirs)
    merged = _merge_lines(base, ours, theirs)
    return None if merged and name.lower().endswith(".toml") and not _is_toml(merged) else merged


def _is_toml(text: str) -> bool:
    import tomllib  # only settings need it

    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True


def has_records(role: str, format_name: str, name: str) -> bool:
    """Whether files of this role and name are merged by record."""
    return _merge_of(role, format_name, name) is not None


def _merge_of(role: str, format_name: str, name: str) -> MergeText | None:
    if role in {"learnings", "learnings-archive"}:
        return learnings.merge
    if role in _BY_ID:
        return partial(json_lines.merge, by_id=True)
    if role == "digest-keys" or (format_name == "json" and name.endswith(".jsonl")):
        return json_lines.merge
    return next((each.merge for each in FORMATS if each.name == format_name and each.merge), None)


def _merge_lines(base: str, ours: str, theirs: str) -> str | None:
    """The lines of two changes of a text; None if both changed the same ones, or inserted at one place."""
    versions = [frame_and_lines(text) for text in (base, ours, theirs)]
    old, left, right = (lines for _, lines in versions)
    lines = merge_lines(old, left, right)
    if lines is None or merge_lines(old, right, left) != lines:
        return None
    return in_frame(merge_frames(*(frame for frame, _ in versions)), lines)
