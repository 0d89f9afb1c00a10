"""The sentences of a user message, redacted, with the place of each in the message."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache, partial

from msgspec import Struct

from memtool.core.capture.languages.correction_signs import RETRACTION_SIGNS
from memtool.core.capture.languages.not_modelled import is_refused
from memtool.core.capture.languages.suppositions import is_supposed, is_unmarked_question
from memtool.core.capture.languages.third_person import opens_in_third_person
from memtool.core.capture.statement_model import (
    FACT,
    LEAST_BESIDE,
    LEAST_GOING_ON,
    LEAST_NEWS,
    RULE,
    SentenceClasses,
    classify,
)
from memtool.core.privacy.foreign_text import own_words, without_quotations
from memtool.core.secrets.redact import redaction_edits
from memtool.core.text.chat_log import chat_log_edits
from memtool.core.text.clean import cleaning_edits
from memtool.core.text.edits import EditedText, apply_edits
from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex
from memtool.core.text.sentences import SentenceText, split_sentences

_RETRACTION = 120
"""Characters of a sentence that are read for a retraction."""
_INTERJECTION = r"[\W\d_]*[a-zà-ÿа-яёA-ZА-Я]+\W*"
"""A sentence of one word in a script with spaces."""


class MessageSentences(Struct, frozen=True, dict=True):
    """A message, cleaned and redacted, split into sentences."""

    message: str
    steps: tuple[EditedText, ...]
    known_names: frozenset[str] = frozenset()
    """Names that memory holds (see `names_in`): less makes a sentence with one of them a statement."""

    known_news: frozenset[int] = frozenset()
    """The sentences, by number, that tell news of what memory knows (see `known_news.tells_news_of`)."""

    @cached_property
    def text(self) -> SentenceText:
        """The sentences of the cleaned and redacted text; what is not the user's own words is blank."""
        return _own_sentences(self.steps[-1].text if self.steps else self.message)

    @cached_property
    def classes(self) -> Mapping[int, str]:
        """The class of each sentence that the statement model gives one: `fact` or `rule`.

        Suppositions, questions without a question mark and what `is_refused` names have none.
        """
        found = self._classes.found
        if self.known_names:
            found = found | {number: FACT for number, names in self._news.items() if names & self.known_names}
        if self.known_news:
            found = found | dict.fromkeys(self.known_news, FACT)
        if self._classes.nearly_facts and FACT in found.values():
            found = self._with_neighbours(found)
        if not found:
            return found
        folded, sentences = fold_in_place(self.text.masked), self.text.sentences
        spans = {number: (sentences[number].start, self.statement_end(number)) for number in found}
        return {
            number: name
            for number, name in found.items()
            if not _is_asked_or_supposed(folded, *spans[number])
            and not is_refused(folded[slice(*spans[number])], is_rule=name == RULE)
        }

    def _with_neighbours(self, found: dict[int, str]) -> dict[int, str]:
        """The classes, with the sentences that are nearly statements and stand beside one, or go on about
        what the one before them names."""
        beside = [
            number
            for number, odds in self._classes.nearly_facts.items()
            if odds >= LEAST_BESIDE and FACT in (found.get(number - 1), found.get(number + 1))
        ]
        found = found | dict.fromkeys(beside, FACT)
        for number, odds in self._classes.nearly_facts.items():
            if odds >= LEAST_GOING_ON and found.get(number - 1) == FACT and self._goes_on(number):
                found[number] = FACT
        return found

    def _goes_on(self, number: int) -> bool:
        """Whether a sentence goes on about whom or what the one before it names: "She works nights." """
        start, end, _ = self.text.sentences[number]
        return opens_in_third_person(self.text.masked[start:end])

    def statement_end(self, number: int) -> int:
        """Where what a classified sentence states ends in the text: with it, or before the question in it."""
        return self._classes.ends.get(number, self.text.sentences[number].end)

    @cached_property
    def may_be_news(self) -> bool:
        """Whether a sentence would be a statement if memory knew a name in it, or what it is about."""
        return bool(self._news or self._possible_news)

    def news_of(self, texts: Collection[str]) -> frozenset[int]:
        """The numbers of the sentences that tell news of what texts of memory are about."""
        if not self._possible_news:
            return frozenset()
        from memtool.core.capture.known_news import tells_news_of, texts_to_compare  # few may have news

        return frozenset(
            number
            for number, (sentence, odds) in self._possible_news.items()
            if any(tells_news_of(sentence, odds, text) for text in texts_to_compare(sentence, texts))
        )

    @cached_property
    def _possible_news(self) -> dict[int, tuple[str, float]]:
        """The sentences, with their log odds, that are statements if memory knows what they are about."""
        if not self._classes.nearly_facts:
            return {}
        from memtool.core.capture.known_news import may_tell_news

        told = {
            number: (self.text.masked[self.text.sentences[number].start : self.statement_end(number)], odds)
            for number, odds in self._classes.nearly_facts.items()
        }
        return {number: found for number, found in told.items() if may_tell_news(*found)}

    @cached_property
    def _classes(self) -> SentenceClasses:
        return classify(self.text)

    @cached_property
    def _news(self) -> dict[int, frozenset[str]]:
        """The names in the sentences that are statements if one of them is known, by number."""
        if not self._classes.nearly_facts:
            return {}
        from memtool.core.capture.known_names import names_in  # few messages may have news

        text, news = self.text, {}
        for number, odds in self._classes.nearly_facts.items():
            if odds < LEAST_NEWS:
                continue
            start = text.sentences[number].start
            if names := names_in((text.masked[start : self.statement_end(number)],)):
                news[number] = names
        return news

    @cached_property
    def private(self) -> frozenset[int]:
        """The numbers of the sentences that the message asks not to keep, or takes back in the next one, and
        of its requests to forget something."""
        from memtool.core.privacy.private_requests import private_sentences  # few messages have entries

        sentences = self._sentences
        return private_sentences(sentences) | retracted_sentences(sentences) | {*self.forget_requests}

    @cached_property
    def forget_requests(self) -> Mapping[int, str]:
        """What the message surely asks to forget of what memory holds, by the number of the sentence."""
        return self._forget_requests(of_task=False)

    @cached_property
    def possible_forget_requests(self) -> Mapping[int, str]:
        """As `forget_requests`, with what may be a part of the current task, which hides no message."""
        return self._forget_requests(of_task=True)

    def _forget_requests(self, *, of_task: bool) -> Mapping[int, str]:
        from memtool.core.capture.forget_requests import forget_requests  # few messages have entries

        words = [self.text.text[start:end] for start, end, _ in self.text.sentences]
        return forget_requests(self._sentences, words, of_task=of_task)

    @property
    def _sentences(self) -> list[str]:
        return [self.text.masked[start:end] for start, end, _ in self.text.sentences]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the message that `text.text[start:end]` comes from."""
        for step in reversed(self.steps):
            start, end = step.original_span(start, end)
        return start, end


@lru_cache(2)  # a message is scanned, recorded and queued, each from its text
def _own_sentences(text: str) -> SentenceText:
    return without_quotations(split_sentences(own_words(text)))


def _is_asked_or_supposed(folded: str, start: int, end: int) -> bool:
    return is_supposed(folded, start, start) or is_unmarked_question(folded, (start, end), (start, start), "")


def retracted_sentences(sentences: Sequence[str]) -> frozenset[int]:
    """The numbers of the sentences that the next one takes back: "I live in Rome. Scratch that."

    Also before a single word such as "Haha", which states nothing; and those that end so: "…, just kidding".
    """
    folded = fold_in_place("\n".join(sentences)).replace("’", "'")
    if not any(map(folded.__contains__, RETRACTION_SIGNS)):
        return frozenset()
    from memtool.core.capture.languages.retractions import (
        END,
        JOKES,
        JOKES_AT_END,
        LAUGHING,
        LAUGHTER,
        LEADS,
        RETRACTIONS,
    )

    joking = regex(rf"(?:[,;:–—…(]|\.\.|\s-|\s{LAUGHING})\s*{LAUGHTER}(?:{JOKES_AT_END})\W*{LAUGHTER}$")
    ends = (fold_in_place(sentence[-_RETRACTION:]).replace("’", "'") for sentence in sentences)
    found = {number for number, end in enumerate(ends) if _ends_with_own_joke(end, joking)}
    taking_back = regex(rf"(?:{LEADS}(?:{RETRACTIONS})|{LAUGHTER}(?:{JOKES})\W*$){END}")
    for number, sentence in enumerate(sentences[1:]):
        if taking_back.match(fold_in_place(sentence[:_RETRACTION]).replace("’", "'")):
            found.add(number)
            if number and regex(_INTERJECTION).fullmatch(sentences[number]):
                found.add(number - 1)
    return frozenset(found)


def _ends_with_own_joke(folded: str, joking: re.Pattern[str]) -> bool:
    """Whether a text ends with a joke that is taken back, by its writer."""
    if (match := joking.search(folded)) is None:
        return False
    from memtool.core.capture.ending_value import REPORT  # few sentences are jokes

    return regex(rf"{REPORT}\W*$").search(folded[: match.start()]) is None


def split_message(message: str) -> MessageSentences:
    """Clean and redact a message, and split it, without the marks of a chat's log. Linear in its length."""
    return MessageSentences(message, tuple(_cleaning_steps(message)))


def _cleaning_steps(message: str) -> Sequence[EditedText]:
    steps: list[EditedText] = []
    for edits in (cleaning_edits, partial(chat_log_edits, last_sender_only=True), redaction_edits):
        while changes := tuple(edits(message)):
            steps.append(apply_edits(message, changes))
            message = steps[-1].text
    return steps
