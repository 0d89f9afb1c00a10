"""Stop words: words that do not tell what a text is about. One list a language, so far English.

Each word stands in one group, and a reader leaves out some of the groups. A search leaves out all but the
courtesies. Evidence leaves out the grammar alone: of the rule "Tell me why" something must be left. A summary
leaves out the courtesies, too, but not the rarer words.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GRAMMAR = _words(
    "a an the this that these those i me my mine we us our you your yours he him his she her hers it its"
    " they them their am is are was were be been being do does did doing have has had having of at for"
    " with about to from in on and or but so"
)
"""Articles, pronouns, auxiliaries, and the commonest prepositions: they say nothing by themselves."""
_CONNECTING = _words(
    "who which what when where why how will would should can could may might by into out over up down as"
    " if then than because not no only same too very just also there here all any more most some please"
)
_RARER = _words(
    "myself ours theirs whom whose done shall must dont doesnt didnt isnt arent wasnt werent cant couldnt"
    " wont wouldnt im ive id youre hes shes theyre thats whats off under while nor own again once both"
    " each few other such tell said say says s t d ll m re ve"
)
"""Also contractions without their apostrophe, and what stands behind one."""
_COURTESIES = _words("yes ok okay thank thanks one two many much")
"""Also the commonest amounts, which a question may be about."""

STOP_WORDS = GRAMMAR | _CONNECTING | _RARER
"""What is not searched for."""
SUMMARY_STOP_WORDS = GRAMMAR | _CONNECTING | _COURTESIES
"""What makes no sentence worth keeping in a summary."""

ENGLISH_ALONE = _words(
    "what who whom whose when where why which how does did doing are were been has have having the of"
    " with from and about would could should that this there their they she"
)
"""Stop words that no other language has, unlike "was", "die", "is" and "a"."""


def is_stop_word(word: str) -> bool:
    """Whether a folded word, with or without its apostrophe, is not searched for."""
    return word.replace("'", "") in STOP_WORDS
