"""Context: the query of a prompt, and the snippets that are selected for it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.turn import USER
from memtool.core.text.chat_log import without_chat_marks
from memtool.core.text.clean import path_line
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
SHORTEST = 40
"""Characters of a snippet below which it is not worth reading."""


class PromptSnippet(Struct, frozen=True):
    """A chunk that may go into the prompt: lines `first` to `last` of a file.

    `source` is `group` for the group's own memory and `global` for what is shared, which is printed where the
    workspace `has_groups`; `shown` is the path from the group's folder. `order` is its place among all
    chunks, `salience` that of the most salient fact in it.
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
    bonus: float | None = None
    """The bonus of its file in nano's formula; None for that of its role."""
    speaker: str = ""
    reply: str = ""
    """Of a message: the passage of the reply to it, after the name of its speaker."""
    told: frozenset[str] = frozenset()
    """The digests of the statements that it shows, where its text is cut; see `statements`."""
    heading: str = ""
    """A line before the snippet: the day of the messages that follow, the user's where none is named."""

    said: str = ""
    """The day on which it was said, where that explains a time in it."""
    has_groups: bool = False

    def line(self, rank: int) -> str:
        """The snippet as it is printed in the prompt; a message is listed under its day."""
        if self.speaker:
            reply = f"\n  {self.reply}" if self.reply else ""
            speaker = "" if self.speaker == USER else f"{self.speaker}: "
            return f"{self.heading}- {speaker}{self.text.strip()}{reply}"
        said = f" (said on {self.said})" if self.said else ""
        source = f"{self.source}:" if self.has_groups else ""
        return f"[{rank}] ({source}{path_line(self.shown)}) {_indented(self.text.strip())}{said}"


def _indented(text: str) -> str:
    """The text with each line but the first indented, so that none passes for a line of the prompt's own."""
    first, *rest = text.splitlines() or [""]
    return "\n".join([first, *(f"  {line}" if line else "" for line in rest)])


def query_of(prompt: str, agent: str = "") -> str:
    """The query of a prompt: the end of its last six lines that are not blank, in lower case.

    The marks of a chat's log (`[time] sender:`, `<message sender= time=>`, `[TAG]`, the agent's own name) and
    recalled memory are removed. At most 300 characters, from the start of a word on.
    """
    own = without_chat_marks(without_recalled(prompt))
    lines = [line.strip() for line in own.split("\n")]
    tail = [line for line in lines if line][-_QUERY_LINES:]
    text = " ".join(" ".join(_bare(line, agent) for line in tail).split()).lower()
    if len(text) <= _QUERY_LENGTH:
        return text
    cut = text[-_QUERY_LENGTH:]
    is_in_word = text[-_QUERY_LENGTH - 1] != " " and " " in cut and not is_continuous(cut[0])
    return cut.partition(" ")[2].strip() if is_in_word else cut.strip()


def _bare(line: str, agent: str) -> str:
    line = regex(_TAGGED).sub("", regex(_LOGGED).sub("", line)).strip()
    prefix = f"{agent}:".lower()
    return line[len(prefix) :].lstrip() if agent and line.lower().startswith(prefix) else line


def select_snippets(
    ranked: Sequence[PromptSnippet], budget: int = CHARACTERS, top: int = TOP, each: int = EACH
) -> list[PromptSnippet]:
    """The best snippets that fit: `top` at most, `each` of a file, `budget` characters as they are printed.

    Where not even the best fits it is clipped, if the rest is long enough to be worth reading.
    """
    selected: list[PromptSnippet] = []
    counts: dict[str, int] = {}
    room = budget
    for snippet in ranked:
        if len(selected) == top:
            break
        if counts.get(snippet.path, 0) == each:
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


def _clip(snippet: PromptSnippet, room: int) -> PromptSnippet:
    length = room - len(snippet.line(1)) + len(snippet.text.strip())
    return with_text(snippet, length if length >= SHORTEST else 0)


def with_text(snippet: PromptSnippet, length: int) -> PromptSnippet:
    return replace(snippet, text=clip(snippet.text.strip(), length))
