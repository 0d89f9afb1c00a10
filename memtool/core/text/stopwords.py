"""Word lists: stop words, which do not tell what a text is about, and negations.

One set of English words in groups; each word is in one of them. A search ignores all groups except the
courtesies. Evidence ignores the grammar only: of the rule "Tell me why" something must be left. A summary
ignores the courtesies too, but not the rarer words.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GRAMMAR_WORDS = _words(
    "a an the this that these those i me my mine we us our you your yours he him his she her hers it its"
    " they them their am is are was were be been being do does did doing have has had having of at for"
    " with about to from in on and or but so"
)
"""Articles, pronouns, auxiliaries and the most common prepositions."""
_CONNECTING = _words(
    "who which what when where why how will would should can could may might by into out over up down as"
    " if then than because not no only same too very just also there here all any more most some please"
)
_RARER = _words(
    "myself ours theirs whom whose done shall must dont doesnt didnt isnt arent wasnt werent cant couldnt"
    " wont wouldnt im ive id youre hes shes theyre thats whats off under while nor own again once both"
    " each few other such tell said say says s t d ll m re ve"
)
"""Also contractions without their apostrophe, and the letters after one."""
_COURTESIES = _words("yes ok okay thank thanks one two many much")
"""Also the most common amounts, which a question may be about."""
FRAME_WORDS = _words(
    "order list summary summaries summarize summarise overview recap comprehensive conversation conversations"
    " discussion discussions discuss discussed mention mentioned mentions brought bring aspect aspects"
    " session sessions throughout topic topics chat chats message messages walk item items include includes"
    " including detail details detailed various different provide give show describe explain sequence across"
    " so far together talk talked talking remind recall remember"
)
"""Words with which a question refers to a conversation or to the form of its answer, not to a subject."""


STOP_WORDS = GRAMMAR_WORDS | _CONNECTING | _RARER
"""Words that a search ignores."""
SUMMARY_STOP_WORDS = GRAMMAR_WORDS | _CONNECTING | _COURTESIES
"""Words that do not make a sentence worth keeping in a summary."""

ENGLISH_ONLY_WORDS = _words(
    "what who whom whose when where why which how does did doing are were been has have having the of"
    " with from and about would could should that this there their they she"
)
"""Stop words that no other language has, unlike "was", "die", "is" and "a"."""

_NEGATIONS = {
    "en": "not no never cannot nor without non",
    "uz": "emas yo'q hech",
    "ru": "не нет ни никогда без",
    "de": "nicht kein keine keinen keiner keinem keines nie ohne",
    "fr": "ne pas jamais sans non ni",
    "es": "no ni nunca sin",
    "pt": "não sem nunca",
    "it": "non mai senza",
    "tr": "yok değil hiç",
}
NEGATIONS = {language: frozenset(words.split()) for language, words in _NEGATIONS.items()}
"""The words of each language that turn a statement into its opposite, folded."""
_ANY_NEGATION = frozenset[str]().union(*NEGATIONS.values())
_BARE_NEGATIONS = frozenset(word for word in _RARER if word.endswith("nt"))
"""English contractions without their apostrophe, such as `dont`."""


def is_stop_word(word: str) -> bool:
    """Whether a search ignores a folded word, with or without its apostrophe."""
    return word.replace("'", "") in STOP_WORDS


def is_negation(word: str) -> bool:
    """Whether a folded word is a negation in any of the languages, or a contraction with English `not`."""
    return word in _ANY_NEGATION or word.endswith("n't") or word in _BARE_NEGATIONS
