"""Cues: phrases that show the kind of a sentence, such as a decision, a task or a problem."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple


class Cue(NamedTuple):
    """A row of the table: a kind of sentence, its weight, and the phrases that show it.

    `phrases` are in lower case, separated by commas.
    """

    kind: str
    weight: float
    phrases: str


CUES = (  # a correction is a decision of the user's; of an agent it is a courtesy
    Cue(
        "statement",
        3.0,
        "remember, don't forget, do not forget, keep in mind, important, importantly, note that, "
        "eslab qol, unutma",
    ),
    Cue(
        "decision",
        2.5,
        "let's, let's go, let's use, let's do, let's try, let's keep, let's make, let's take, let's start, "
        "let's stick, let's drop, let's skip, let's book, let's say, let's call, let's move, let's "
        "switch, go with, going with, went with, we'll use, we'll go, we'll keep, we'll do, we'll "
        "take, we'll pay, we will use, i'll take, i'll use, i'll go, i'll pay, we're going, i'm going "
        "to, we're using, decide, decided, decides, decision, agree, agreed, settled on, settle on, "
        "chose, chosen, choose, picked, pick, instead of, instead, rather than, approved, approve, "
        "confirmed, confirm, final, finalised, finalized, no longer, switch to, switched to, "
        "switching to, stick with, rule out, ruled out, the plan is, cancel, cancelled, canceled, "
        "postpone, moved to, renamed, change it to, make it, make her, make him, keling, qani, qaror, "
        "entschieden, beschlossen, wir nehmen, decidido, decidimos, quedamos en, vamos con, vamos com, "
        "décidé, on prend, решили, решено, karar verdik, qaror qildik, 决定, 決め",
    ),
    Cue(
        "correction",
        2.0,
        "actually, correction, i meant, i mean, scratch that, wait, aslida, yo'q",
    ),
    Cue(
        "statement",
        2.0,
        "prefer, prefers, preferred, preference, i like, i love, i hate, i want, i don't want, i "
        "don't like, i really, i always, i never, we always, we never, allergic, can't eat, can't have, "
        "can't use, can't stand, favourite, favorite, hates, loves, refuses, insists",
    ),
    Cue(
        "decision",
        2.0,
        "don't touch, don't use, always, never, must, mustn't, no more than, at most, at least, only if, "
        "as long as",
    ),
    Cue(
        "todo",
        1.5,
        "todo, need to, needs to, have to, has to, should, next step, next steps, follow up, "
        "remaining, still, pending, blocked, waiting on, waiting for, deadline, due, by monday, by "
        "tuesday, by wednesday, by thursday, by friday, by saturday, by sunday, by tomorrow, owe, "
        "owes, remind, reminder, until, not yet, tbd, open question, to be decided, undecided, later, "
        "before we, before you, make sure, don't let",
    ),
    Cue(
        "problem",
        1.5,
        "error, errors, exception, exceptions, fail, fails, failed, failing, failure, crash, crashes, "
        "crashed, bug, bugs, broken, breaks, broke, root cause, because, caused, causes, turns out, "
        "turned out, fix, fixed, fixes, resolved, workaround, timeout, timed out, regression, leak, "
        "leaks, leaking, deadlock, culprit, the reason, which means, the problem, the issue, the "
        "trick, the catch, xato, rolled back, rollback, outage",
    ),
    Cue(
        "value",
        0.8,
        "cost, costs, budget, price, quote, quoted, quotes, total, limit, version, port, address, "
        "number, phone, email, account, name is, named, called, is set to, equals, deposit, per day, "
        "per month, per week, per hour, per year, per person, scheduled, booked, born, lives in, "
        "works at, works for, appointment, flight, reservation",
    ),
)
"""The cues that make a sentence worth keeping, the strongest first; English, with some Uzbek."""

UNSURE_PHRASES = (
    "not sure, don't know, no idea, unclear, let me think, let me check, i'll check, i'll ask, i'll "
    "find out, i'll think, tbd, to be decided, undecided, good question, depends, hard to say, need "
    "to check, need to ask, need to find, get back to, haven't decided, not decided, later, "
    "weiß ich nicht, keine ahnung, je ne sais pas, no sé, não sei, не знаю, bilmiyorum, bilmayman, "
    "不知道, わかりません"
)
"""Phrases of a reply that leaves a question open."""


def strongest_cue(tokens: Sequence[str]) -> Cue | None:
    """The strongest cue in a sentence, given its words in lower case and in order; None without one."""
    table, best = _table(), None
    if table.keys().isdisjoint(tokens):
        return None
    for index, token in enumerate(tokens):
        for rest, entry in table.get(token, ()):
            if (best is None or entry.weight > best.weight) and tuple(
                tokens[index + 1 : index + 1 + len(rest)]
            ) == rest:
                best = entry
    return best


def is_unsure(lowered: str) -> bool:
    """Whether a reply, in lower case, leaves its question open."""
    return any(phrase in lowered for phrase in _phrases(UNSURE_PHRASES))


@functools.cache
def _table() -> dict[str, list[tuple[tuple[str, ...], Cue]]]:
    """The cues by the first word of their phrases, each with the words that must follow."""
    table: dict[str, list[tuple[tuple[str, ...], Cue]]] = {}
    for entry in CUES:
        for phrase in _phrases(entry.phrases):
            first, *rest = phrase.split()
            table.setdefault(first, []).append((tuple(rest), entry))
    return table


@functools.cache
def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))
