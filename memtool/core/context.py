"""Context: which pieces of memory belong in the next prompt, told by the words that it ends with (nano)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from memtool.core.pattern import compiled
from memtool.core.query import is_stop_word
from memtool.core.quote import clip
from memtool.core.recalled import recalled, without_recalled
from memtool.core.text import fold, is_continuous, words
from memtool.values import dataclass, replace

TOP = 8
"""Snippets at most."""
EACH = 3
"""Snippets of one file at most."""
CHARACTERS = 6000
"""Characters of all snippets together."""
_LINES = 6
_QUERY = 300
_PHRASE = 18
_SHORT = 4_000
"""Characters of a text that may be remembered with its words."""
_OWN = 0.05
BONUS = {"daily-note": 0.08, "long-term": 0.12, "semantic": 0.18, "core": 0.18}
"""What the role of a file adds to its score: nano's for daily notes, more for what is curated."""
_PROMINENT = 0.25
"""What a salience of e adds: of facts that say as much, the one that is asked for more often comes first."""
_LOGGED = r"^\[[^\]]+\]\s*[^:\n]{1,80}:\s*"
_TAGGED = r"^\[[A-Z _-]+\]\s*"
_LEAST = 40


@dataclass(frozen=True, slots=True)
class Snippet:
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


@dataclass(frozen=True, slots=True)
class Section:
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


def tokens(text: str) -> frozenset[str]:
    """The words of a text that say something: no stop words, and of one letter only where that is a word.

    Those of the last short texts are remembered: who watches a conversation reads the same ones with each
    prompt.
    """
    return _remembered(text) if len(text) <= _SHORT else _tokens(text)


@functools.lru_cache(1024)
def _remembered(text: str) -> frozenset[str]:
    return _tokens(text)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(
        token
        for token, _, _ in words(fold(text))
        if (len(token) > 1 or is_continuous(token)) and not is_stop_word(token)
    )


def lexical(query: str, wanted: frozenset[str], text: str) -> float:
    """How much of the query a text says: 2 x coverage + density, and 0.35 if it says all of it as a phrase.

    Coverage is the share of the query's words that the text has, density their share of the text's words
    (nano); 0 where it has none. `wanted` are the query's `tokens`.
    """
    held = tokens(text)
    overlap = len(wanted & held)
    if not overlap:
        return 0.0
    phrase = 0.35 if len(query) >= _PHRASE and query in " ".join(text.lower().split()) else 0.0
    return 2 * overlap / len(wanted) + overlap / max(1, len(held)) + phrase


def gated(query: str, snippets: Iterable[Snippet]) -> list[Snippet]:
    """The snippets that say something of the query, best first, each with its score.

    Where none does, all of them in their order, one's own first.
    """
    wanted = tokens(query)
    scored: list[Snippet] = []
    rest: list[Snippet] = []
    for one in snippets:
        said = lexical(query, wanted, one.text) if wanted else 0.0
        if said > 0:
            bonus = BONUS.get(one.role, 0.0) + (_OWN if one.source == "group" else 0.0)
            bonus += _PROMINENT * math.log(max(1.0, one.salience))
            scored.append(replace(one, score=said + bonus + 1 / (one.order + 1) / 1000))
        else:
            rest.append(one)
    if scored:
        return sorted(scored, key=lambda one: (-one.score, one.order))
    return sorted(rest, key=lambda one: (one.source != "group", one.order))


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


@dataclass(frozen=True, slots=True)
class Fitted:
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
