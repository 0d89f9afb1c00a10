"""Summary: an extractive summary of a conversation, and the form in which a summary is stored.

The summary is deterministic: sentences are chosen greedily by the cues and key terms that they add, until
the budget is used up (budgeted coverage, after Lin and Bilmes, "A class of submodular functions for document
summarization", ACL 2011).
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from memtool.core.compaction.compact import is_marker
from memtool.core.compaction.key_terms import TERM_WEIGHTS, KeyTerm, is_file_path, key_terms
from memtool.core.compaction.scored_sentences import ScoredSentence, scored_sentences
from memtool.core.records.health import count_noun
from memtool.core.records.message_text import searchable_part
from memtool.core.records.turn import Message, TextPart, ToolCall
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import clip, neutralise

_TITLES = {
    "decision": "Decisions and requests:",
    "self": "What the user said about themselves:",
    "value": "Facts and values:",
    "problem": "Problems and their causes:",
    "todo": "Still to do:",
    "open": "Open questions:",
}
_KINDS = tuple(_TITLES)
_LINE_OVERHEAD = 3  # characters of a line besides its text
_MAX_FILES = 12
_FILES_LABEL = "Files: "
_SEARCHED_LINES = 40
_SEARCHED_ARGUMENTS = 20_000
"""Characters of a tool call's arguments that are searched for paths."""
_SPEAKER_WEIGHTS = {"user": 2.5, "agent": 1.0, "tool": 0.7}
_WORD_GAIN = 0.2
"""The gain of a word that no chosen sentence contains yet, for each doubling of its frequency."""
_SHARES = {"self": 0.25}
"""The share of the room that what the user states of themselves has before everything else."""
_LENGTH_EXPONENT = 0.4
"""Exponent of a sentence's length, by which its gain is divided."""


MAX_SUMMARY = 8000
"""Characters of a summary that are stored."""

_TITLE = r"(?m)^ {0,3}#{1,6}[ \t]+(.*)$"
_BOLD_LINE = r"(?m)^([ \t]*(?:[-*+][ \t]+)?)(?:\*\*|__)([^*_\n]{1,80}?):?(?:\*\*|__)[ \t]*:?[ \t]*(?=$|(\S))"


def summarize(messages: Sequence[Message], most: int) -> str:
    """Summarize a conversation, in lines under a few titles, within `most` characters.

    Sentences are redacted and otherwise verbatim, in their original order. Equal messages give an equal
    summary; if no sentence is worth keeping, it is one line that states this.
    """
    sentences = [
        replace(sentence, kind="decision") if sentence.kind == "statement" else sentence
        for sentence in scored_sentences(messages)
    ]
    files = _files(messages, most // 6)
    chosen = choose_sentences(sentences, most - len(files) - 1, _TITLES, _SHARES)
    parts: list[str] = []
    for kind in _KINDS:
        items = [f"- {sentence.line}" for sentence in chosen if sentence.kind == kind]
        if items:
            parts += [_TITLES[kind], *items]
    if files:
        parts.append(files)
    text = "\n".join(parts)
    if not text:
        return f"No key sentences were found in {count_noun(len(messages), 'message')}."[: max(0, most)]
    return text if len(text) <= most else text[: max(0, most - 1)] + "…"


def choose_sentences(
    sentences: Sequence[ScoredSentence], room: int, titles: Mapping[str, str], shares: Mapping[str, float]
) -> list[ScoredSentence]:
    """The sentences to keep, in the order of the conversation, in at most `room` characters with titles.

    `titles` are the lines over the sentences of each kind. The kinds in `shares` choose first, in this order,
    each in its share of the room that is left.
    """
    word_counts = Counter(word for sentence in sentences for word in sentence.words)
    word_weights = {word: _WORD_GAIN * math.log2(count) for word, count in word_counts.items() if count > 1}
    names = {term.text for sentence in sentences for term in sentence.terms if term.kind == "name"}
    term_counts = Counter(term.text for sentence in sentences for term in sentence.terms)
    term_weights = {
        term: _term_weight(term, names, term_counts) for sentence in sentences for term in sentence.terms
    }
    chosen_terms: set[KeyTerm] = set()
    chosen_words: set[str] = set()

    def gain(sentence: ScoredSentence) -> float:
        """What a sentence adds to the chosen ones, relative to its length."""
        new_words = sentence.words - chosen_words
        novelty = len(new_words) / len(sentence.words) if sentence.words else 0.0
        added: float = sentence.weight * novelty * novelty
        added += math.fsum(word_weights.get(word, 0.0) for word in new_words)
        added += math.fsum(term_weights[term] for term in sentence.terms if term not in chosen_terms)
        cost: float = (len(sentence.line) + 13) ** _LENGTH_EXPONENT
        return _SPEAKER_WEIGHTS.get(sentence.speaker, 1.0) * added / cost

    chosen: list[int] = []
    chosen_kinds: set[str] = set()

    def choose(numbers: Iterable[int], room: int) -> int:
        """Choose of these sentences; return the room that is left."""
        queue = [(-gain(sentences[number]), number) for number in numbers]
        heapq.heapify(queue)
        while queue and room > 0:
            priority, number = heapq.heappop(queue)
            sentence = sentences[number]
            cost = len(sentence.line) + _LINE_OVERHEAD
            if sentence.kind not in chosen_kinds:
                cost += len(titles[sentence.kind]) + 1
            if priority >= 0 or cost > room:
                continue
            new_priority = -gain(sentence)
            if queue and new_priority > queue[0][0]:  # its gain has fallen below that of the next sentence
                heapq.heappush(queue, (new_priority, number))
                continue
            chosen.append(number)
            chosen_kinds.add(sentence.kind)
            room -= cost
            chosen_terms.update(sentence.terms)
            chosen_words.update(sentence.words)
        return room

    for kind, share in shares.items():
        reserve = int(room * share)
        of_kind = [number for number, sentence in enumerate(sentences) if sentence.kind == kind]
        room += choose(of_kind, reserve) - reserve
    choose(set(range(len(sentences))) - {*chosen}, room)
    return [sentences[number] for number in sorted(chosen)]


def _term_weight(term: KeyTerm, names: set[str], counts: Counter[str]) -> float:
    kind = "name" if term.kind == "start" and term.text in names else term.kind
    return TERM_WEIGHTS[kind] * (1 + 0.2 * math.log(counts[term.text]))


def _files(messages: Iterable[Message], most: int) -> str:
    """The files in tool calls, the most used first, in one line; "" without any."""
    used: Counter[str] = Counter()
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolCall):
                used.update(sorted(_paths(part)))
            elif isinstance(part, TextPart) and is_marker(part.text):  # an earlier summary's files
                lines = [line for line in part.text.split("\n") if line.startswith(_FILES_LABEL)]
                used.update(name for line in lines for name in line.removeprefix(_FILES_LABEL).split(", "))
    names = [name for name, _ in used.most_common(_MAX_FILES)]
    while names and len(", ".join(names)) > most:
        names.pop()
    return f"{_FILES_LABEL}{', '.join(names)}" if names else ""


def _paths(part: ToolCall) -> set[str]:
    """The paths in a tool call's arguments; long lines and long texts are not searched."""
    redacted_part = replace(part, arguments=redact(part.arguments[:_SEARCHED_ARGUMENTS]))
    arguments_text = redact(searchable_part(redacted_part))
    lines = [
        line
        for line in arguments_text.split("\n")[:_SEARCHED_LINES]
        if len(line) <= 300 and "[REDACTED:" not in line
    ]
    return {
        term.text
        for line in lines
        for term in key_terms(line)
        if term.kind == "path" and is_file_path(term.text)
    }


def storable_summary(summary: str) -> str:
    """A summary that can be stored in a Markdown file: redacted, with headings and bold labels as plain text.

    At most 8,000 characters of it. The function is idempotent.
    """
    text, before = clean(summary[: MAX_SUMMARY * 4]).strip(), ""
    while text != before:
        before = text
        text = regex(_TITLE).sub(lambda match: _label(match[1].rstrip().rstrip("#")), text)
        text = regex(_BOLD_LINE).sub(lambda match: match[1] + _label(match[2], match[3]), text)
        text = clip(neutralise(redact(text)).strip(), MAX_SUMMARY)
    return text


def _label(words: str, following: str | None = None) -> str:
    words = words.strip().strip("*_").rstrip(":").strip()
    return f"{words}: " if following else f"{words}:" if words else ""
