"""What a request to forget did not remove: the facts, lines and rules that it may be about."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from memtool.core.capture.near_memory import nearness
from memtool.core.forgetting.phrases import Phrases
from memtool.core.records.entries import Owner, is_same_user
from memtool.core.text.sanitise import one_line
from memtool.core.text.stems import content_stems
from memtool.store.workspace import Workspace
from memtool.verbs.capture.handwritten_lines import owner_option
from memtool.verbs.capture.unapplied import (
    MOST_NAMED,
    SHOWN,
    has_command,
    name_of,
    option_of,
    shown_place,
    visible_statements,
)
from memtool.verbs.facts.rules import active_rules

_LEAST_STEM = 4
"""Letters of a stem that may have more endings."""


def forget_notices(
    workspace: Workspace, to_forget: Sequence[str], owner: Owner | None, group: str | None
) -> list[str]:
    """What is said of what a message asks to forget: that it stays, and the commands that remove it.

    Raises UnreadableFile for long-term memory.
    """
    visible = visible_statements(workspace, owner, group)
    rules = active_rules(workspace) if workspace.has("rules") else ()
    own_rules = [rule for rule in rules if is_same_user(rule.owner, owner)]
    program, notices = workspace.program(), []
    for topic in to_forget:
        facts = [(_likeness(topic, known.text, known.own_words), known) for known in visible]
        conduct = [(_likeness(topic, rule.text), rule) for rule in own_rules]
        most = max((rating for rating, _ in (*facts, *conduct)), default=0)
        near = [known for rating, known in facts if most and rating == most][:MOST_NAMED]
        near_rules = [rule for rating, rule in conduct if most and rating == most][:MOST_NAMED]
        advice = []
        if named := [known for known in near if has_command(known, group)]:
            option, name = option_of(named), name_of(named)
            places = ", ".join(shown_place(known, owner) for known in named)
            advice.append(f"to remove {places}, run {program} {option}facts forget {name}")
        for rule in near_rules:
            command = f"{program} {owner_option(rule.owner)}rules archive {rule.id}"
            advice.append(f"to archive rule {rule.id} ({one_line(rule.text, SHOWN)!r}), run {command}")
        said = [text for known in near for text in (known.text, known.own_words)]
        if words := _said_part(topic, [*said, *(rule.text for rule in near_rules)]):
            whose = f"MEMTOOL_USER={shlex.quote(owner.id)} " if owner and owner.kind == "user" else ""
            command = f"{whose}{program} forget --match {shlex.quote(words)}"
            advice.append(f"to remove every record with these words, run {command}")
        is_known = "" if near or near_rules else ": memory has no fact or rule about it"
        notices.append(f"the request to forget {topic!r} removed nothing{is_known}; {'; '.join(advice)}")
    return notices


def _said_part(topic: str, texts: Sequence[str]) -> str:
    """The words at the end of a topic that one of the texts contains, if they tell what is meant; else "".

    All of the topic if there are no texts, since other files may contain it.
    """
    words = topic.split()
    tails = (" ".join(words[start:]) for start in range(len(words)))
    said = next((tail for tail in tails if any(map(Phrases([tail]).are_in, texts))), "") if texts else topic
    return said if " " in said or content_stems(said) == content_stems(topic) else ""


def _likeness(topic: str, *texts: str) -> int:
    """How many content words texts of one statement share with what is to be forgotten; 0 if it is not near.

    The last text is in the user's own words. Near is one with half of the topic's words, in any form of
    them: whoever reads the notice decides.
    """
    terms = _topic_terms(topic)
    known = content_stems(" ".join(texts))
    shared = sum(any(_is_form(term, other) for other in known) for term in terms)
    return shared if 2 * shared >= len(terms) else nearness(topic, texts[-1])


def _topic_terms(text: str) -> frozenset[str]:
    """The stems of the words that say something in any language, or, if none does, in some language.

    `son` in "forget my son" is a function word in Spanish.
    """
    from memtool.core.text.function_words import LATIN_LANGUAGES, latin_words  # few messages ask to forget

    terms = content_stems(text)
    return terms.difference(*map(latin_words, LATIN_LANGUAGES)) or terms


def _is_form(term: str, other: str) -> bool:
    """Whether two stems are the same but for an ending that has no stemmer here, as in Turkish."""
    shorter, longer = sorted((term, other), key=len)
    return term == other or (len(shorter) >= _LEAST_STEM and longer.startswith(shorter))
