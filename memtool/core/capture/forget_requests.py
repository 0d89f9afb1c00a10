"""Requests to forget: what the user asks memory to forget that was said in earlier conversations.

"Forget that I live in Lima" states nothing: none of its words are evidence that the user lives there.
"""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex

_MAX_SENTENCE = 240
"""Characters of a sentence that may be a request."""
_LEAST_NAMED = 3
"""Words of a clause about somebody with a name."""


def forget_requests(
    sentences: Sequence[str], words: Sequence[str] = (), *, of_task: bool = False
) -> dict[int, str]:
    """What sentences of a message ask to forget, by the number of the sentence.

    It is given in the user's `words`: the same sentences where code and addresses are not masked. With
    `of_task` also what may be a part of the current task: "forget the second test" as well as "the oven".
    """
    from memtool.core.capture.languages.forgetting_forms import SIGNS

    found = {}
    for number, sentence in enumerate(sentences):
        folded = fold_in_place(sentence[:_MAX_SENTENCE]).replace("’", "'")
        own = words[number] if words else sentence
        if not any(sign in folded for sign in SIGNS):
            continue
        folded = folded[: _end_without_parting(folded)]
        if topic := _topic(own, folded) or (_task_topic(own, folded) if of_task else ""):
            found[number] = topic
    return found


def _end_without_parting(folded: str) -> int:
    """Where a sentence ends without a last clause that says only that the thing is gone: `we sold it`."""
    from memtool.core.capture.languages.forgetting_forms import PARTED, PRONOUNS

    *_, last = regex(r"\s?[,;:–—]\s|\s-\s|^").finditer(folded)
    clause = folded[last.end() :].strip(" .!。！\n")
    clause = regex(r"^(?:because|since|as|weil|denn|porque|car|pois) ").sub("", clause)
    if not last.start():
        return len(folded)
    if regex(PARTED).fullmatch(clause):
        return last.start()
    if not regex(PRONOUNS).search(clause):
        return len(folded)
    from memtool.core.capture.clauses import clauses
    from memtool.core.capture.endings import endings  # few messages ask to forget anything

    is_only_ending = len(clauses(clause)) == 1 and endings(clause)
    return last.start() if is_only_ending else len(folded)


def _task_topic(sentence: str, folded: str) -> str:
    """What a sentence asks to forget that may be a part of the current task; empty if it asks for nothing."""
    from memtool.core.capture.languages.forgetting_forms import LEADS, NO_TOPIC, TASK_FORMS, THANKS

    start = regex(LEADS).match(folded)
    for pattern in TASK_FORMS:
        match = regex(pattern).match(folded, start.end() if start else 0)
        if match is not None and not regex(NO_TOPIC).match(match["topic"]):
            first, last = match.span("topic")
            thanks = regex(THANKS).search(folded, first, last)
            return sentence[first : thanks.start() if thanks else last].strip(" ,;:\"'")
    return ""


def _topic(sentence: str, folded: str) -> str:
    """What a sentence asks to forget; empty if it asks for nothing."""
    from memtool.core.capture.languages.forgetting_forms import DISMISSAL, FORMS, LEADS, SAID_BEFORE, THANKS

    if dismissal := regex(DISMISSAL).search(folded):
        folded = folded[: dismissal.start()]
    start = regex(LEADS).match(folded)
    for pattern in FORMS:
        match = regex(pattern).match(folded, start.end() if start else 0)
        if match is None:
            continue
        first, last = match.span("topic")
        bare = folded[first:last].rstrip(" .!?。！？\n")
        thanks = regex(THANKS).search(bare)
        last = first + (thanks.start() if thanks else len(bare))
        topic = sentence[first:last].strip(" ,;:\"'")
        if regex(SAID_BEFORE).match(folded[first:last]):
            return ""
        if match.groupdict().get("bare") and not _is_about_somebody(topic):
            continue
        return topic
    return ""


def _is_about_somebody(topic: str) -> bool:
    """Whether a topic begins with a clause about the user or somebody with a name."""
    from memtool.core.text.first_person import has_first_person  # few messages ask to forget anything

    clause = regex(r"[,;:—–]").split(topic, 1)[0]
    return has_first_person(clause) or (clause[:1].isupper() and len(clause.split()) >= _LEAST_NAMED)
