"""Context: the query that a prompt is, and the sections and snippets that fit into its budget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.privacy.recalled import recalled, without_recalled
from memtool.core.text.pattern import compiled
from memtool.core.text.quote import clip
from memtool.core.text.text import is_continuous

TOP = 8
"""Snippets at most."""
EACH = 3
"""Snippets of one file at most."""
CHARACTERS = 6000
"""Characters of all snippets together."""
_LINES = 6
_QUERY = 300
_LOGGED = r"^\[[^\]]+\]\s*[^:\n]{1,80}:\s*"
_TAGGED = r"^\[[A-Z _-]+\]\s*"
_LEAST = 40


class Snippet(Struct, frozen=True):
    """A chunk that may go into the prompt: lines `first` to `last` of a file.

    `source` is `group` for memory of one's own and `global` for what is shared; `shown` is the path as it is
    named there, from the group's own folder. `order` is its place among all chunks, `salience` that of the
    most prominent fact in it.
    """

    source: str
    path: str
    shown: str
    role: str
    first: int
    last: int
    text: str
    order: int
    score: float = 0.0
    salience: float = 1.0

    def line(self, rank: int) -> str:
        """The snippet as it stands in the prompt."""
        return f"[{rank}] ({self.source}:{self.shown}) {self.text.strip()}"


class Section(Struct, frozen=True):
    """A file, or what of it is in every prompt: its text under its path.

    `first_unseen` is the line (from 1) from which on the agent would not see it, for it is over its limit.
    """

    path: str
    role: str
    text: str
    first_unseen: int | None = None


def query_of(prompt: str, agent: str = "") -> str:
    """What a prompt is about: the end of its last six lines that are not blank, in lower case.

    The marks of a chat's log (`[time] sender:`, `[TAG]`, the agent's own name) are taken off, and so is what
    memory had put there. At most 300 characters, from the start of a word on.
    """
    lines = [line.strip() for line in without_recalled(prompt).split("\n")]
    tail = [line for line in lines if line][-_LINES:]
    said = " ".join(" ".join(_bare(line, agent).split()) for line in tail).strip().lower()
    if len(said) <= _QUERY:
        return said
    cut = said[-_QUERY:]
    inside = said[-_QUERY - 1] != " " and " " in cut and not is_continuous(cut[0])
    return cut.partition(" ")[2].strip() if inside else cut.strip()


def _bare(line: str, agent: str) -> str:
    line = compiled(_TAGGED).sub("", compiled(_LOGGED).sub("", line))
    own = f"{agent}:".lower()
    return line[len(own) :].lstrip() if agent and line.lower().startswith(own) else line


def chosen(ranked: Sequence[Snippet], most: int = CHARACTERS, top: int = TOP) -> list[Snippet]:
    """The best snippets that fit: `top` at most, three of a file, `most` characters as they are shown.

    Where not even the best fits it is clipped, if that leaves something worth reading.
    """
    found: list[Snippet] = []
    files: dict[str, int] = {}
    room = most
    for one in ranked:
        if len(found) == top:
            break
        if files.get(one.path, 0) == EACH:
            continue
        size = len(one.line(len(found) + 1)) + (1 if found else 0)
        if size > room and not found:
            one = _clipped(one, room)  # noqa: PLW2901
            size = len(one.line(1))
        if size <= room and one.text:
            found.append(one)
            files[one.path] = files.get(one.path, 0) + 1
            room -= size
    return found


class Fitted(Struct, frozen=True):
    """A text within a budget, and the parts of it as far as they stand in it."""

    text: str
    sections: tuple[Section, ...] = ()
    snippets: tuple[Snippet, ...] = ()


def fitted(
    sections: Sequence[Section],
    snippets: Sequence[Snippet],
    budget: int | None,
    cost: Callable[[str], int],
) -> Fitted:
    """One text of sections and snippets that costs at most `budget`; empty where nothing fits.

    What is in every prompt comes first, and is cut at a line; but of a quarter of the budget the snippets
    are sure.
    """
    lines = [line for one in sections for line in _lines(one)]
    titles = {_title(one) for one in sections}
    whole = _text(lines, snippets, titles)
    if budget is None or cost(whole) <= budget:
        return Fitted(whole, tuple(sections), tuple(snippets))
    share = max(1, budget // 4 if lines else budget)
    sure = _most(len(snippets), lambda count: cost(_text([], snippets[:count], titles)) <= share)
    few = list(snippets[:sure])
    if snippets and not few:
        few = _cut_first(snippets[0], lambda one: cost(_text([], [one], titles)) <= share)
    kept = _most(len(lines), lambda count: cost(_text(lines[:count], few, titles)) <= budget)
    more = _most(len(snippets), lambda count: cost(_text(lines[:kept], snippets[:count], titles)) <= budget)
    if more >= len(few):
        few = list(snippets[:more]) or few
    while cost(text := _text(lines[:kept], few, titles)) > budget and (kept or few):
        kept, few = (kept - 1, few) if kept else (0, few[:-1])
    return Fitted(text, tuple(_cut(sections, kept)), tuple(few)) if text else Fitted("")


def _cut(sections: Sequence[Section], kept: int) -> Iterator[Section]:
    """The sections as far as the first `kept` of their lines show them."""
    for one in sections:
        lines = _lines(one)[: max(0, kept)]
        kept -= len(_lines(one))
        text = "\n".join(lines[2:]).strip("\n")
        if text.strip():
            yield one if kept >= 0 else replace(one, text=text)


def _cut_first(one: Snippet, fits: Callable[[Snippet], bool]) -> list[Snippet]:
    """As much of a snippet as fits, if it is worth reading."""
    size = _most(len(one.text), lambda length: fits(_with_text(one, length)))
    return [_with_text(one, size)] if size >= _LEAST else []


def _title(section: Section) -> str:
    return f"## {section.path}"


def _lines(section: Section) -> list[str]:
    return [_title(section), "", *section.text.strip("\n").split("\n"), ""]


def _text(lines: Sequence[str], snippets: Sequence[Snippet], titles: Collection[str]) -> str:
    """What is printed: everything between the tags that mark it as recalled, and no bare title."""
    if not lines and not snippets:
        return ""
    shown = list(lines)
    while shown and (not shown[-1].strip() or shown[-1] in titles):
        shown.pop()
    if snippets:
        shown += [*([""] if shown else []), "## Relevant memory", ""]
        shown += [one.line(rank) for rank, one in enumerate(snippets, 1)]
    body = "\n".join(shown)
    return recalled(body) if body.strip() else ""


def _most(count: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `count` that fits, where a smaller one fits whenever a larger does; else 0."""
    low, high = 0, count
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _clipped(one: Snippet, room: int) -> Snippet:
    left = room - len(one.line(1)) + len(one.text.strip())
    return _with_text(one, left if left >= _LEAST else 0)


def _with_text(one: Snippet, length: int) -> Snippet:
    return replace(one, text=clip(one.text.strip(), length))
