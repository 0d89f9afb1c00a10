"""Context: the query of a prompt, and the sections and snippets that fit into its budget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.privacy.recalled import tag_recalled, without_recalled
from memtool.core.text.folding import is_continuous
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import clip

TOP = 8
"""The number of snippets at most."""
EACH = 3
"""The number of snippets of one file at most."""
CHARACTERS = 6000
"""Characters of all snippets together."""
_QUERY_LINES = 6
_QUERY_LENGTH = 300
_LOGGED = r"^\[[^\]]+\]\s*[^:\n]{1,80}:\s*"
_TAGGED = r"^\[[A-Z _-]+\]\s*"
_SHORTEST = 40
"""Characters of a snippet below which it is not worth reading."""


class PromptSnippet(Struct, frozen=True):
    """A chunk that may go into the prompt: lines `first` to `last` of a file.

    `source` is `group` for the group's own memory and `global` for what is shared; `shown` is the path from
    the group's folder. `order` is its place among all chunks, `salience` that of the most salient fact in it.
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
        """The snippet as it is printed in the prompt."""
        return f"[{rank}] ({self.source}:{self.shown}) {self.text.strip()}"


class PromptSection(Struct, frozen=True):
    """The part of a file that is in every prompt: its text under its path.

    `first_unseen` is the first line (from 1) that is beyond the limit of the file's role.
    """

    path: str
    role: str
    text: str
    first_unseen: int | None = None


def query_of(prompt: str, agent: str = "") -> str:
    """The query of a prompt: the end of its last six lines that are not blank, in lower case.

    The marks of a chat's log (`[time] sender:`, `[TAG]`, the agent's own name) and recalled memory are
    removed. At most 300 characters, from the start of a word on.
    """
    lines = [line.strip() for line in without_recalled(prompt).split("\n")]
    tail = [line for line in lines if line][-_QUERY_LINES:]
    text = " ".join(" ".join(_bare(line, agent).split()) for line in tail).strip().lower()
    if len(text) <= _QUERY_LENGTH:
        return text
    cut = text[-_QUERY_LENGTH:]
    is_in_word = text[-_QUERY_LENGTH - 1] != " " and " " in cut and not is_continuous(cut[0])
    return cut.partition(" ")[2].strip() if is_in_word else cut.strip()


def _bare(line: str, agent: str) -> str:
    line = regex(_TAGGED).sub("", regex(_LOGGED).sub("", line))
    prefix = f"{agent}:".lower()
    return line[len(prefix) :].lstrip() if agent and line.lower().startswith(prefix) else line


def select_snippets(
    ranked: Sequence[PromptSnippet], budget: int = CHARACTERS, top: int = TOP
) -> list[PromptSnippet]:
    """The best snippets that fit: `top` at most, three of a file, `budget` characters as they are printed.

    Where not even the best fits it is clipped, if the rest is long enough to be worth reading.
    """
    selected: list[PromptSnippet] = []
    counts: dict[str, int] = {}
    room = budget
    for snippet in ranked:
        if len(selected) == top:
            break
        if counts.get(snippet.path, 0) == EACH:
            continue
        size = len(snippet.line(len(selected) + 1)) + (1 if selected else 0)
        if size > room and not selected:
            snippet = _clip(snippet, room)  # noqa: PLW2901
            size = len(snippet.line(1))
        if size <= room and snippet.text:
            selected.append(snippet)
            counts[snippet.path] = counts.get(snippet.path, 0) + 1
            room -= size
    return selected


class FittedText(Struct, frozen=True):
    """A text within a budget, and the parts of sections and snippets that stand in it."""

    text: str
    sections: tuple[PromptSection, ...] = ()
    snippets: tuple[PromptSnippet, ...] = ()


def fit_budget(
    sections: Sequence[PromptSection],
    snippets: Sequence[PromptSnippet],
    budget: int | None,
    cost: Callable[[str], int],
) -> FittedText:
    """One text of sections and snippets that costs at most `budget`; empty where nothing fits.

    Sections come first, and are cut at a line; a quarter of the budget is reserved for snippets.
    """
    lines = [line for section in sections for line in _lines(section)]
    titles = {_title(section) for section in sections}
    whole = _text(lines, snippets, titles)
    if budget is None or cost(whole) <= budget:
        return FittedText(whole, tuple(sections), tuple(snippets))
    reserve = max(1, budget // 4 if lines else budget)
    count = _largest(len(snippets), lambda count: cost(_text([], snippets[:count], titles)) <= reserve)
    reserved = list(snippets[:count])
    if snippets and not reserved:
        reserved = _cut_first(snippets[0], lambda snippet: cost(_text([], [snippet], titles)) <= reserve)
    line_count = _largest(len(lines), lambda count: cost(_text(lines[:count], reserved, titles)) <= budget)
    count = _largest(
        len(snippets), lambda count: cost(_text(lines[:line_count], snippets[:count], titles)) <= budget
    )
    shown = (list(snippets[:count]) or reserved) if count >= len(reserved) else reserved
    while cost(text := _text(lines[:line_count], shown, titles)) > budget and (line_count or shown):
        line_count, shown = (line_count - 1, shown) if line_count else (0, shown[:-1])
    return FittedText(text, tuple(_cut(sections, line_count)), tuple(shown)) if text else FittedText("")


def _cut(sections: Sequence[PromptSection], count: int) -> Iterator[PromptSection]:
    """The sections as far as the first `count` of their lines show them."""
    for section in sections:
        lines = _lines(section)[: max(0, count)]
        count -= len(_lines(section))
        text = "\n".join(lines[2:]).strip("\n")
        if text.strip():
            yield section if count >= 0 else replace(section, text=text)


def _cut_first(snippet: PromptSnippet, fits: Callable[[PromptSnippet], bool]) -> list[PromptSnippet]:
    """As much of a snippet as fits, if it is worth reading."""
    size = _largest(len(snippet.text), lambda length: fits(_with_text(snippet, length)))
    return [_with_text(snippet, size)] if size >= _SHORTEST else []


def _title(section: PromptSection) -> str:
    return f"## {section.path}"


def _lines(section: PromptSection) -> list[str]:
    return [_title(section), "", *section.text.strip("\n").split("\n"), ""]


def _text(lines: Sequence[str], snippets: Sequence[PromptSnippet], titles: Collection[str]) -> str:
    """What is printed: everything between the tags of recalled memory, without a bare title at the end."""
    shown = list(lines)
    while shown and (not shown[-1].strip() or shown[-1] in titles):
        shown.pop()
    if snippets:
        shown += [*([""] if shown else []), "## Relevant memory", ""]
        shown += [snippet.line(rank) for rank, snippet in enumerate(snippets, 1)]
    body = "\n".join(shown)
    return tag_recalled(body) if body.strip() else ""


def _largest(limit: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `limit` that fits, where each smaller one fits too; 0 where none does."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _clip(snippet: PromptSnippet, room: int) -> PromptSnippet:
    length = room - len(snippet.line(1)) + len(snippet.text.strip())
    return _with_text(snippet, length if length >= _SHORTEST else 0)


def _with_text(snippet: PromptSnippet, length: int) -> PromptSnippet:
    return replace(snippet, text=clip(snippet.text.strip(), length))
