"""A summary made of a conversation's own sentences: what was decided, found and asked, and in which files.

It is extractive and deterministic: sentences are chosen greedily for the cues and key terms that they add,
until the room is used up (budgeted coverage, after Lin and Bilmes, "A class of submodular functions for
document summarization", ACL 2011).
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from memtool.core.compaction.compact import is_marker
from memtool.core.compaction.key_terms import WORTH, Term, is_file, terms
from memtool.core.compaction.remark import Remark, remarks
from memtool.core.records.message_text import spoken_part
from memtool.core.records.turn import Message, Text, ToolCall
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.pattern import compiled
from memtool.core.text.quote import clip, neutralise

_TITLES = {
    "decision": "Decided and asked for:",
    "value": "Facts and values:",
    "problem": "Problems and their causes:",
    "todo": "Still to do:",
    "open": "Open questions:",
}
_KINDS = tuple(_TITLES)
_LINE = 3  # characters of a line besides who said what
_FILES = 12
_LABEL = "Files: "
_LINES = 40
_ARGUMENTS = 20_000
"""Characters of a tool call's arguments that are looked into."""
_SPEAKERS = {"user": 2.5, "agent": 1.0, "tool": 0.7}
_WORDS = 0.2
"""What a word that no chosen sentence holds yet adds, for each doubling of how often it is said."""
_POWER = 0.4
"""How strongly length counts against a sentence."""


LONGEST = 8000
"""Characters of a summary that are stored."""

_TITLE = r"(?m)^ {0,3}#{1,6}[ \t]+(.*)$"
_BOLD_LINE = r"(?m)^([ \t]*(?:[-*+][ \t]+)?)(?:\*\*|__)([^*_\n]{1,80}?):?(?:\*\*|__)[ \t]*:?[ \t]*(?=$|(\S))"


def summary(messages: Sequence[Message], most: int) -> str:
    """What matters of a conversation, in lines under a few titles, within `most` characters.

    Sentences are redacted and otherwise as they were said, in the order in which they were. The same
    messages always give the same text; one without any words gives a line that says so.
    """
    found = remarks(messages)
    files = _files(messages, most // 6)
    room = most - sum(len(title) + 1 for title in _TITLES.values()) - len(files) - 1
    lines = _choose(found, room)
    parts: list[str] = []
    for kind in _KINDS:
        said = [f"- {one.who}: {one.text}" for one in lines if one.kind == kind]
        if said:
            parts += [_TITLES[kind], *said]
    if files:
        parts.append(files)
    text = "\n".join(parts)
    if not text:
        return f"{len(messages)} messages without anything that stands out."[: max(0, most)]
    return text if len(text) <= most else text[: max(0, most - 1)] + "…"


def _choose(found: Sequence[Remark], room: int) -> list[Remark]:
    """The sentences to keep, in the order of the conversation, that take at most `room` characters."""
    said = Counter(word for one in found for word in one.words)
    weights = {word: _WORDS * math.log2(count) for word, count in said.items() if count > 1}
    known = {term.text for one in found for term in one.terms if term.kind == "name"}
    often = Counter(term.text for one in found for term in one.terms)
    worths = {term: _worth(term, known, often) for one in found for term in one.terms}
    terms_held: set[Term] = set()
    words_held: set[str] = set()

    def gain(one: Remark) -> float:
        """What a sentence adds to those that are chosen, for its length."""
        fresh = one.words - words_held
        novelty = len(fresh) / len(one.words) if one.words else 0.0
        added: float = one.worth * novelty * novelty
        added += math.fsum(weights.get(word, 0.0) for word in fresh)
        added += math.fsum(worths[term] for term in one.terms if term not in terms_held)
        cost: float = (len(one.text) + 20) ** _POWER
        return _SPEAKERS.get(one.who, 1.0) * added / cost

    queue = [(-gain(one), number) for number, one in enumerate(found)]
    heapq.heapify(queue)
    chosen: list[int] = []
    while queue and room > 0:
        worth, number = heapq.heappop(queue)
        one = found[number]
        cost = len(one.text) + len(one.who) + _LINE + 2
        if worth >= 0 or cost > room:
            continue
        now = -gain(one)
        if queue and now > queue[0][0]:  # others add more, now that some are chosen
            heapq.heappush(queue, (now, number))
            continue
        chosen.append(number)
        room -= cost
        terms_held.update(one.terms)
        words_held.update(one.words)
    return [found[number] for number in sorted(chosen)]


def _worth(term: Term, known: set[str], often: Counter[str]) -> float:
    kind = "name" if term.kind == "start" and term.text in known else term.kind
    return WORTH[kind] * (1 + 0.2 * math.log(often[term.text]))


def _files(messages: Iterable[Message], most: int) -> str:
    """The files that tools were called with, the most used first, in one line; empty where there are none."""
    used: Counter[str] = Counter()
    for one in messages:
        for part in one.parts:
            if isinstance(part, ToolCall):
                used.update(sorted(_paths(part)))
            elif isinstance(part, Text) and is_marker(part.text):  # an earlier summary's files
                lines = [line for line in part.text.split("\n") if line.startswith(_LABEL)]
                used.update(name for line in lines for name in line.removeprefix(_LABEL).split(", "))
    names = [name for name, _ in used.most_common(_FILES)]
    while names and len(", ".join(names)) > most:
        names.pop()
    return f"{_LABEL}{', '.join(names)}" if names else ""


def _paths(part: ToolCall) -> set[str]:
    """The paths in a tool call's arguments; texts of more than a line or two name none."""
    given = replace(part, arguments=redact(part.arguments[:_ARGUMENTS]))
    said = redact(spoken_part(given))
    lines = [line for line in said.split("\n")[:_LINES] if len(line) <= 300 and "[REDACTED:" not in line]
    return {term.text for line in lines for term in terms(line) if term.kind == "path" and is_file(term.text)}


def safe(summary: str) -> str:
    """A summary that cannot pass for the file's own structure: redacted, its headings and labels plain text.

    At most 8,000 characters of it; making it safe twice changes nothing.
    """
    text, before = clean(summary[: LONGEST * 4]).strip(), ""
    while text != before:
        before = text
        text = compiled(_TITLE).sub(lambda match: _label(match[1].rstrip().rstrip("#")), text)
        text = compiled(_BOLD_LINE).sub(lambda match: match[1] + _label(match[2], match[3]), text)
        text = clip(neutralise(redact(text)).strip(), LONGEST)
    return text


def _label(words: str, following: str | None = None) -> str:
    words = words.strip().strip("*_").rstrip(":").strip()
    return f"{words}: " if following else f"{words}:" if words else ""
