"""Filter text for a prompt: no superseded facts, no lines of other users, no ids of memtool's own."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from memtool.core.compaction.episode_titles import ALL_TITLES
from memtool.core.facts.wording import own_wording
from memtool.core.records.semantic import FactTriple
from memtool.core.records.turn import ASSISTANT, USER
from memtool.core.text.courtesies import is_courtesy
from memtool.core.text.regex import regex
from memtool.formats import long_term, semantic
from memtool.formats.ownership import visible_lines
from memtool.formats.syntax.owner_tag import TAG_PATTERN, render_tag

_ID = r"\^[A-Za-z0-9][A-Za-z0-9-]{0,63}"
_STARTS = {
    "semantic": r"([-*+] \[[a-z][a-z0-9_]+\] )(?=\S)",
    "rules": r"([-*+] )\[\d{4}-[^\]]{0,40}\] (?=\S)",
}


_SESSION_TAG = (
    r"(?m)^((?:[-*+]|#{1,6}) (?:\[\d[^\]\n]*\] ?)?(?:\*\*[^*\n]+\*\*: )?)\[session:[^\]\s]{1,128}\][ \t]*"
)
"""The id of a session in a line, which says nothing to a model."""
_LOG_ENTRY = r"(?m)^([-*+] \[\d{4}-\d\d-\d\d)[^\]\n]*\] ((?:\[user:[^\]\s]{1,128}\] )?)\*\*[\w-]+\*\*:[ \t]+"
_SIDE = r"(?m)^\*\*(User|Agent):\*\*"
_PART_TITLE = rf"(?m)^(?:{'|'.join(sorted(ALL_TITLES))})\n"
"""The title of a part of an extracted episode; a line of the user's own that ends with a colon is none."""
_SPEAKERS = {"User": USER, "Agent": ASSISTANT}
_LOGS = frozenset({"session-state", "session-state-archive"})


def visible_text(text: str, role: str, owners: Collection[str]) -> str:
    """The text without the lines of other users than `owners`, which are tags such as `user:ann`.

    Superseded facts are removed, whoever asks. Facts and rules lose what only files need: ids, the times of
    rules, and tags of sessions and of `owners`.
    """
    if role == "long-term":
        text = long_term.active_text(text)
    visible_rows: list[str] = []
    is_item_hidden = False
    for row, is_shown in visible_lines(text, role, owners):
        if not (is_item_hidden and row[:1] in {" ", "\t"}):
            is_item_hidden = role == "semantic" and _is_superseded(row)
        if is_shown and not is_item_hidden:
            visible_rows.append(_without_metadata(row, role, owners))
    return "\n".join(visible_rows)


def without_session_tags(text: str) -> str:
    """The text without the ids of the sessions that list items and headings are from."""
    return regex(_SESSION_TAG).sub(r"\1", text) if "[session:" in text else text


def excerpt_text(text: str, role: str) -> str:
    """A part of a file as an excerpt shows it: of memtool's marks only what tells who said it, and when."""
    text = without_session_tags(text)
    if role in _LOGS:
        return regex(_LOG_ENTRY).sub(r"\1] \2", text)
    if role == "daily-note":
        text = _without_courtesies(text)
        return regex(_SIDE).sub(lambda match: f"{_SPEAKERS[match[1]]}:", text)
    if role == "episode":
        return regex(_PART_TITLE).sub("", text)
    return text


def _without_courtesies(text: str) -> str:
    """The exchanges of a daily note without sides such as "Thanks!"; "" where nothing else is left."""
    sides = [*regex(_SIDE).finditer(text)]
    if not sides:
        return text
    ends = [match.start() for match in sides[1:]] + [len(text)]
    kept, position, is_left = "", 0, False
    for side, end in zip(sides, ends, strict=True):
        said = text[side.end() : end].partition("\n#")[0]
        if is_courtesy(said):
            kept += text[position : side.start()]
            position = side.end() + len(said.rstrip("\n"))
            position += text[position : position + 1] == "\n"
        else:
            is_left = True
    return kept + text[position:] if is_left else ""


def excerpt_with_title(text: str, role: str, trail: Sequence[str]) -> str:
    """An excerpt with the heading that it is under, where it does not begin with it."""
    if text.lstrip().startswith("#") or not trail or role in _LOGS:
        return text.lstrip().removeprefix("- ") if role in _LOGS else text
    title = without_session_tags(f"# {trail[-1]}").removeprefix("# ").rstrip()
    return f"{title}{' ' if title.endswith(']') else ': '}{text.lstrip()}"


def _without_metadata(row: str, role: str, owners: Collection[str]) -> str:
    """A fact or a rule as a prompt states it: `- My brother Tom is a chef`."""
    if role not in _STARTS or (start := regex(_STARTS[role], re.ASCII).match(row)) is None:
        return row
    text = row[start.end() :].rstrip()
    tag = regex(TAG_PATTERN, re.ASCII).match(text)
    is_own = tag is not None and (tag[1] == "session" or f"{tag[1]}:{tag[2]}" in owners)
    if tag is not None and is_own and text[tag.end() :].strip():
        text = text[tag.end() :].lstrip()
    before, _, last = text.rpartition(" ")
    if before.strip() and regex(_ID).fullmatch(last):
        text = before.rstrip()
    if role == "semantic" and (words := _plain_words(f"{start[1]}{text}")):
        return f"- {words}"
    return start[1] + (text.removesuffix(" (pinned)") if role == "rules" else text)


def _plain_words(row: str) -> str:
    """The user's words of a fact where they say all of it, after the tag of its owner if any; else ""."""
    fact = next((record.fact for record in semantic.records(semantic.parse(row))), None)
    own = own_wording(fact) if isinstance(fact, FactTriple) else ""
    return f"{render_tag(fact.owner)}{own}" if fact is not None and own else ""


def _is_superseded(row: str) -> bool:
    if "[superseded:" not in row:
        return False
    records = semantic.records(semantic.parse(row))
    return bool(records) and records[0].superseded is not None
