"""Questions of the past that ask what a prompt asks again: they have its words, and no answer."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from memtool.core.context.passages import sentences_of
from memtool.core.search.prompts import has_question_word, is_question
from memtool.core.search.query import Query
from memtool.core.search.snippet import item_spans
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_SPEAKER = r"\A\W*(?:user|agent|assistant)\b\W*"
"""The label before what somebody said, as memtool writes it in notes and summaries."""
_TELLS = (
    r"\W*(?:(?:did|do) you know|have i told you|did i (?:ever )?(?:tell you|mention)|you know"
    r"|wusstest du|weisst du|habe ich dir erzahlt|sabias|sabes|te he dicho|(?:tu )?savais-tu|tu sa(?:is|vais)"
    r"|est-ce que tu sa(?:is|vais)|t['’]ai-je dit)"
    r"(?: (?:already|schon|ya|deja))?,? (?:that |dass |que |qu['’])?"
    r"(?:i|we|my|our|ich|wir|mein\w*|unser\w*|yo|mi|mis"
    r"|je|j['’]|nous|on|ma|mon|mes)\b"
)
"""How a question begins, folded, that tells what it asks about."""
_LONGEST = 400
"""Characters of the longest text that is compared: a longer one says more than a question."""

_NOT_KNOWN = """
    know told tell mention remember memory information info record note found find sorry afraid unfortunately
    yet have haven don doesn didn hasn previous previously share anything nothing sure
    weiss leider nichts dazu gesagt bekannt information informationen gespeichert
    siento nada informacion dicho guardado sabes
    sais desole desolee rien information enregistre
"""
"""Words of replies that have no answer."""
_MOST_WORDS = 4
"""Words, stop words aside, of the longest acknowledgement: "Noted, thanks, I'll keep that in mind"."""


def repeats_question(text: str, prompt: str) -> bool:
    """Whether a text is only a question, and has no word that the prompt, a question, does not have.

    "Did you know I moved to Ghent?" tells something, and is no question.
    """
    asked = question_stems(prompt)
    said = regex(_SPEAKER, re.IGNORECASE).sub("", text) if len(text) <= _LONGEST else ""
    if not (asked and said) or not (is_question(said) and content_stems(said) <= asked):
        return False
    return regex(_TELLS).match(search_fold(said)) is None


def only_repeats_question(text: str, query: Query, stem: Callable[[str], str]) -> bool:
    """Whether every sentence of a text with a word of the prompt is a question that the prompt repeats.

    No sentence after such a question may name anything: "Is the kiln free? On Thursday." answers.
    """
    if not question_stems(query.text) or not has_question_word(text):
        return False
    sentences = sentences_of(text)
    matching = [number for number, each in enumerate(sentences) if any(item_spans(each, query, stem))]
    return bool(matching) and all(
        repeats_question(sentences[number], query.text)
        and not names_something("".join(sentences[number + 1 : number + 2]))
        for number in matching
    )


def says_more(text: str, question: str) -> bool:
    """Whether any sentence of a text has a word that neither the question nor "I don't know that" has."""
    known = content_stems(question) | content_stems(_NOT_KNOWN)
    said = (regex(_SPEAKER, re.IGNORECASE).sub("", sentence) for sentence in sentences_of(text))
    return any(not content_stems(sentence) <= known for sentence in said)


def names_something(reply: str) -> bool:
    """Whether a reply has a digit, or a word with a capital that no beginning of a sentence explains.

    No pronoun or other stop word is such a word: "OK, I've noted that".
    """
    words = regex(_SPEAKER, re.IGNORECASE).sub("", reply).split()
    ends = ["."] + [word[-1] for word in words]
    return any(
        word[0].isupper() and before not in ".!?:" and content_stems(word)
        for word, before in zip(words, ends, strict=False)
    ) or any(map(str.isdigit, reply))


def acknowledges(reply: str) -> bool:
    """Whether a reply is short and names nothing."""
    return not names_something(reply) and len(content_stems(reply)) <= _MOST_WORDS


@functools.lru_cache(64)
def question_stems(prompt: str) -> frozenset[str]:
    """The stems of a prompt that is a question; none for another one."""
    return content_stems(prompt) if is_question(prompt) else frozenset()
