"""Three-way merge of logs in Markdown: a head, then entries that are sorted by time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from memtool.core.text.record_merge import MergeRecord, merge_records
from memtool.formats.syntax import text_lines
from memtool.formats.syntax.record_tree import TextFrame, frame_and_lines, in_frame, merge_frames, merge_tree

EntryTime = Callable[[str], datetime | None]
"""The time of the entry that a line begins, without a zone; None for a line that begins none."""


def merge_log(base: str, ours: str, theirs: str, entry_time: EntryTime, *, blank: int) -> str:
    """The text with the entries that either version of a base added, without those that either deleted.

    An entry includes the lines after it. All entries are sorted by time, then text, with `blank` blank lines
    between them and one before the first; the head is merged as `merge_tree` does.
    """
    frames, heads, logs = zip(*(_split(text, entry_time) for text in (base, ours, theirs)), strict=True)
    entries = sorted(merge_records(*logs), key=lambda entry: (entry.order, entry.text))
    old_head, our_head, their_head = ("\n".join(lines) for lines in heads)
    head = merge_tree(old_head, our_head, their_head)
    lines = [*head.rstrip("\n").split("\n"), *([""] if entries else [])] if head else []
    for number, entry in enumerate(entries):
        lines += [*([""] * blank if number else []), *entry.text.split("\n")]
    return in_frame(merge_frames(*frames), lines)


def _split(text: str, entry_time: EntryTime) -> tuple[TextFrame, list[str], list[MergeRecord]]:
    """The frame, the lines of the head, and the entries."""
    frame, lines = frame_and_lines(text)
    times = [(number, time) for number, line in enumerate(lines) if (time := entry_time(line)) is not None]
    ends = [*(number for number, _ in times[1:]), len(lines)]
    entries = []
    for (start, time), end in zip(times, ends if times else [], strict=True):
        content = lines[start:end]
        entry = "\n".join(content[: text_lines.end_of_content(tuple(content), 0, len(content))])
        entries.append(MergeRecord(entry, entry, order=(time,)))
    return frame, lines[: times[0][0]] if times else lines, entries
