"""Triggers of standing instructions for languages whose imperative stands before its object."""

from __future__ import annotations

from msgspec import Struct

from memtool.core.capture.languages.trigger import Trigger

_SHORT_GAP = r"(?:[^\s,;:.]+ ){0,4}?"


class InstructionGrammar(Struct, frozen=True):
    """The parts of a standing instruction, as alternatives of regular expressions.

    `imperative`: a request to the agent, also a negative one, from its first word. `wish`: "I want you to",
    "you should". `adverbs`: "always", "never". `leading`: marks of generality before a request, with the
    condition they introduce ("whenever I ask about prices"). `trailing`: those after it. `adverb_after`:
    whether an adverb also follows the imperative ("antworte immer"). `not_between`: words that do not stand
    between a request and a mark that belongs to it. `reported`: words before what others say. `things`: what
    replies contain ("prices"), with articles; `in_form`: the words before their form ("in euros").
    """

    imperative: str
    wish: str
    adverbs: str
    leading: str
    trailing: str
    lead: str
    not_between: str
    adverb_after: bool = True
    questions: str = ""
    reported: str = ""
    things: str = ""
    in_form: str = ""


def instruction_triggers(grammar: InstructionGrammar, signs: tuple[str, ...]) -> tuple[Trigger, ...]:
    """The triggers of category `instruction`; `signs` are parts that every mark of generality contains."""
    request = f"(?:{grammar.imperative})"
    between = rf"(?:(?!\b(?:{grammar.not_between})\b)[^\n.;]){{0,140}}?"
    adverbs = rf"(?:{grammar.adverbs})\b"
    trailing = rf"(?:{grammar.trailing}|{adverbs}(?=[.!\s]{{0,3}}(?:\n|$)))"
    asked = f"(?:{grammar.wish}|{grammar.questions})" if grammar.questions else f"(?:{grammar.wish})"
    phrases = [
        (
            rf"{adverbs},? (?:(?:{grammar.lead}) )?(?:(?:me|nos|te|se|lo|la|le|les|los|las|lhe) )?{request}\b",
            "clause",
        ),
        (rf"{request}\b{between}\b{trailing}", "clause"),
        (
            (
                rf"(?:{grammar.leading})\b(?:[^\n]{{0,140}}?(?:[,;:—–-]| (?=(?:{grammar.lead})\b)))? ?"
                rf"(?:(?:{grammar.lead}),? ){{0,2}}(?:{adverbs} )?(?:{request}|{asked})\b"
            ),
            "clause",
        ),
        (rf"{asked} [^\n,;:]{{0,60}}?\b{adverbs}", "clause"),
        (rf"{asked} {between}\b{trailing}", "clause"),
    ]
    if grammar.things:
        topic = rf"(?:{grammar.things})\b[,:]?(?: [^\s,.;:!?]+){{0,2}}?"
        lead = rf"(?:(?:{grammar.lead}),? )?"
        phrases += [
            (rf"{topic},? (?:{adverbs}|{trailing}),? {lead}(?:{grammar.in_form})\b", "clause"),
            (rf"{topic},? {lead}{request}\b{between}\b(?:{adverbs}|{trailing})", "clause"),
            (rf"(?:{grammar.leading}),? {lead}{topic},? (?:{grammar.in_form}|{request})\b", "clause"),
        ]
    if grammar.adverb_after:
        phrases.append((rf"{request} {_SHORT_GAP}{adverbs}", "clause"))
    needs = f"{adverbs}|{grammar.leading}|{grammar.trailing}"
    return tuple(
        Trigger("instruction", phrase, signs, starts, unless=grammar.reported, needs=needs)
        for phrase, starts in phrases
    )
