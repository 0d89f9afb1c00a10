"""Private requests: whether the user asks not to keep something, and which turns the request is about."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from memtool.core.privacy.recalled import without_recalled
from memtool.core.text.folding import fold_in_place
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex

if TYPE_CHECKING:
    from memtool.core.records.turn import Message

_KEYWORDS = (
    *("rememb", "sav", "stor", "record", "memor", "retain", "writ", "note"),
    *("keep", "kept", "between", "forget", "confiden"),
    *("eslab", "yodda", "esda", "xotira", "saqla", "yozib", "oramizda", "o'chir"),  # Uzbek
    *(
        "recuerd",
        "guard",
        "anot",
        "memor",
        "registr",
        "almacen",
        "olvid",
        "entre n",
        "borra",
        "lembr",
        "salv",
        "grav",
    ),
    *(
        "esque",
        "apag",
        "retien",
        "reten",
        "enregistr",
        "gard",
        "stock",
        "souv",
        "rappel",
        "oubli",
        "efface",
        "merk",
    ),
    *(
        "speicher",
        "notier",
        "behalt",
        "erinner",
        "schreib",
        "verg",
        "losch",
        "loesch",
        "unter uns",
        "vertrau",
    ),
    *("confian", "gizli", "maxfiy"),
    *("hatirla", "kaydet", "not al", "not et", "unut", "aramizda", "aklinda", "hafiza", "extraoficial"),
)
"""A text without any of these is not a request; a fast test before the patterns."""

# The parts of the patterns of requests. They match text that `plain_text` has normalized.

_WORD_START, _WORD_END = r"(?<!\w)", r"(?!\w)"
_CLAUSE_START = r"(?:^|[,.;:!?—–-] ?)"
_CLAUSE_END = r"(?= ?(?:$|[,.;:!?—–]|-(?!\w)))"
_FILLERS = (
    "(?:(?:and|but|so|also|ok|okay|oh|hey|well|now|then|just|please|pls|plz|kindly|actually|however"
    "|wait|no|yes|sorry|again|though),? ){0,5}"
)

_DO_NOT = (
    "(?:do not|don't|dont|never|try not to|no need to|you (?:should not|must not|shouldn't|mustn't)"
    "|you (?:do not|don't) (?:have|need) to|(?:can|could|would|will) you"
    " (?:please not|not(?! (?:remember|memori))))(?: ever| please)?"
)
_DO_NOT_AFTER_I = "(?: do not| don't| dont| never| would not| wouldn't)"
_WANT_YOU_TO = "(?:(?:want|like|need) (?:you|u) to|(?:want|like) to(?! (?:remember|memori)))"
_STORE_VERB = (
    "(?:remember|save|store|record|memori[sz]e|retain|write down|note(?: down)?|make a note of|keep)"
)
_STORE = f"{_STORE_VERB}(?:,? (?:or|and|nor)(?: even)? {_STORE_VERB})?"
_STORED = "(?:remembered|saved|stored|recorded|memori[sz]ed|retained|written down|noted(?: down)?|kept)"

_I_SAID = "(?:i|we)(?:'ve)?(?: have| had| just| ever)? (?:said|say|told|wrote|mentioned|discussed)"
_ALL_I_SAID = f"(?:everything|anything|all)(?: that)? {_I_SAID}"
_WHAT_I_SAID = f"(?:what|everything|anything|all)(?: that)? {_I_SAID}"
_CONVERSATION = (  # "the session" is more often a program's
    "(?:(?:this|that|our|the) (?:whole |entire )?(?:conversation|chat|discussion|talk)"
    "|(?:this|our) (?:whole |entire )?session)"
)
_EVERYTHING = (
    f"(?:{_WHAT_I_SAID}|{_CONVERSATION}"
    f"|(?:any|all|every(?:thing)?) (?:of )?(?:{_CONVERSATION}|this|that|it|these|those)"
    "|anything|everything|all)"
)
_LAST_MESSAGE = (
    "(?:(?:this|that|the|my)(?: last)? (?:message|exchange|part|bit|detail|secret|one|thing)|the above"
    "|this|that|these|those)"
)
_OBJECT_END = (  # what may follow if the object is what was said, and not a file
    f"(?:{_CLAUSE_END}|(?= (?:please|pls|ok|okay|about me|at all|anywhere|any ?more|for later|either|though"
    "|from (?:this|our)|to yourself|(?:in(?:to)?|to) (?:your |the |long-term )?memory"
    "(?! (?:card|cache|store|buffer|pool|map|leak))|by you|and|but|because|since"
    f"|i'm|my|i){_WORD_END}))"
)
_OBJECT = (  # "everything in memory" is about a program's memory
    f"(?:(?P<all>{_EVERYTHING})(?! in(?:to)? memory{_WORD_END})|{_LAST_MESSAGE}){_OBJECT_END}"
)
_STORE_IT = (
    f"(?:{_STORE} {_OBJECT}|(?:remember|memori[sz]e) it{_OBJECT_END}"
    "|(?:write|note) (?:this|that|it|these) down)"
)
_NO_REPLACEMENT = (  # the sentence does not go on with something to do instead
    "(?=(?:(?! - | (?:and|but) (?:use|go|let|make|do|try|just|start|take|write)"
    "|, (?!please|pls|ok))[^;:—–]){0,120}$)"
)
_OFF_THE_RECORD = "(?:off the record|out of (?:your |the )?memory)"
_IN_CONFIDENCE = r"in (?:\w+ )?confidence"
_ONE_CONFIDENTIAL = (
    f"(?:off the record|confidential(?:ly)?(?: info(?:rmation)?)?|{_IN_CONFIDENCE}"
    "|between (?:us|ourselves|you and (?:me|i)|the two of us))"
)
_CONFIDENTIAL = rf"(?:(?:just|only|very|\w+ly) )?{_ONE_CONFIDENTIAL}(?:,? (?:and )?{_ONE_CONFIDENTIAL})?"
_TELL = r"(?:tell(?:ing)?|told|say(?:ing)?|said|shar(?:e|ed|ing)|mention(?:ed|ing)?)"
_WHAT_I_TELL = (
    f"(?:what|everything|all)(?: that)? i(?:'m| am|'ve| have)? (?:(?:about|going) to |gonna )?{_TELL}"
    "(?: (?:to )?(?:you|now|next|here|today))*"
)
_ABOUT_IT = (
    f"(?:(?:this|that|{_WHAT_I_TELL})(?:'s| (?:is|stays?|remains?|(?:should|must|will|has to|needs to|is to)"
    " (?:stay|remain|be)(?: kept)?)))"
)
_CONFIDENTIAL_END = f"(?:{_CLAUSE_END}|(?= (?:please|pls|but|because|that|my|i|i'm|i've){_WORD_END}))"
_THIS_UZBEK = "(?:(?:bu|shu|u)ni|bular(?:ni)?|esda|xotira(?:ng)?da)"

# The requests, each with an example.

_BEGINNING = _CLAUSE_START + _FILLERS
_DO_NOT_STORE_IT = f"{_BEGINNING}{_DO_NOT} {_STORE_IT}"  # please don't save or remember that
_FORGET_IT = (  # forget what I said
    f"{_BEGINNING}forget (?:(?P<all>{_ALL_I_SAID}|what {_I_SAID} about)|what {_I_SAID})"
    f"{_WORD_END}{_NO_REPLACEMENT}"
)
_DO_NOT_WANT_YOU_TO = (  # I don't want you to remember this
    f"{_WORD_START}i(?: would)?{_DO_NOT_AFTER_I} {_WANT_YOU_TO} {_STORE_IT}"
)
_DO_NOT_WANT_IT_STORED = (  # I don't want any of this to be saved
    f"{_WORD_START}i{_DO_NOT_AFTER_I} want (?:(?P<all>{_EVERYTHING})|{_LAST_MESSAGE}|it)(?: to be)?"
    f" {_STORED}{_OBJECT_END}"
)
_WOULD_RATHER_NOT = (  # I'd rather you didn't save that
    f"{_WORD_START}i(?: would|'d) (?:rather|prefer)(?: it)?(?: if)? you"
    f" (?:did not|didn't|do not|don't|not) {_STORE_IT}"
)
_IS_CONFIDENTIAL = (  # off the record: I hate my boss; this must stay between us
    f"{_BEGINNING}(?:{_ABOUT_IT} )?{_CONFIDENTIAL}{_CONFIDENTIAL_END}"
)
_TOLD_IN_CONFIDENCE = (  # I'm telling you this in confidence
    f"{_WORD_START}(?:i|we)(?:'m|'re| am| are)? {_TELL} (?:you(?: (?:this|that|it|all this))?"
    f"|(?:this|that|it)(?: to you)?) (?:\\w+ly )?{_IN_CONFIDENCE}{_CONFIDENTIAL_END}"
)
_KEEP_IT_CONFIDENTIAL = (  # keep this between us, leave it out of your memory
    f"{_WORD_START}(?:keep|leave|treat|consider|hold) (?:this|that|it|these|{_WHAT_I_TELL}) (?:as )?"
    f"(?:{_CONFIDENTIAL}|to yourself|private|(?:a )?secret|{_OFF_THE_RECORD}){_OBJECT_END}"
)
_UZBEK = (  # buni eslab qolma, buni saqlamang
    f"{_WORD_START}(?:eslab qol|yodda tut|yozib qo'y|yozib ol|{_THIS_UZBEK} saqla)"
    f"ma(?:ng(?:lar|iz)?|gin)?{_WORD_END}"
)
_REQUESTS = (
    _DO_NOT_STORE_IT,
    _FORGET_IT,
    _DO_NOT_WANT_YOU_TO,
    _DO_NOT_WANT_IT_STORED,
    _WOULD_RATHER_NOT,
    _IS_CONFIDENTIAL,
    _TOLD_IN_CONFIDENCE,
    _KEEP_IT_CONFIDENTIAL,
    _UZBEK,
)
"""All requests; their group `all` matches if a request is about more than the last turn."""

_PARTS = (
    *("rememb", "sav", "stor", "record", "memor", "retain", "writ", "note", "keep", "kept", "between"),
    *("forget", "yourself", "confiden", "eslab", "yodda", "yozib", "saqla"),
)
"""Parts of which each text that matches one of the requests contains one; a fast test for each line."""

_FOLLOWS = r" ?(?::|(?:i|i'm|my)(?!\w))"
"""After a request: the text that is not to be kept follows it."""
_TEXT_FOLLOWS = r" ?[:：]| (?:que|dass|что) "
_ALL_OF_IT = (
    r"\b(?:nada|todo|tudo|nichts|alles|rien|tout|ничего|все|hicbir\w*|bularni|bunlari\w*|hech)\b"
    "|一切|任何|全部|何も|どれも"
)
"""In a request of a language other than English: it is about everything that was said."""
_CONDITION = (
    r"(?:if|when(?:ever)?|unless|until)(?!\w)(?! (?:possible|i|i'm|i've|my|we|you (?:can|could|would|like"
    r"|please|do not mind|don't mind)|(?:it|that)(?:'s| is) (?:ok|okay|fine|all right|possible))(?!\w))"
)
"""The beginning of a conditional instruction, which is not a request now; "if you don't mind" is none."""
_REPORTED = r"(?:(?:^|\W)(i|i've|we) )?(?:said|says|told \w+|wrote|reads?|prints?|replied|answered) ?$"
"""Before a request: it is reported speech, unless the user reports himself (group 1)."""
_DENIED = (
    r"(?:n't|\b(?:not|dont|never|no need))(?: (?:have|need|want you))?(?: to)? $"
    r"|(?<!can )(?<!could )(?<!should )(?<!shall )\b(?:i|they)(?: \w+ly| always)? $"
)
"""Before a request that its verb begins: it is denied, or said of what somebody else, or the user, does."""
_QUOTED = r"[\"“„«]\S{1,40}\s[^\"“”„«»\n]{1,400}[\"”“»]"
_ABOUT_STORING = (
    r"(?<!\w)(?:remember|sav(?:e|ing)|stor(?:e|ing)|record|memor|retain|(?:not|writ)(?:e|ing) down|forget)"
)


NOT_KEPT = "[not kept]"
"""What stands in a stored message where the user asked that something is not kept."""


@lru_cache(maxsize=2)
def is_private_request(text: str) -> bool:
    """Whether a text asks not to keep it or the turns before it. Takes time linear in its length.

    The last ones are remembered: each statement of a message asks it of the whole message.
    """
    return _turns_before(text, 0) is not None


def asks_to_keep_nothing(text: str) -> bool:
    """Whether a text asks to keep nothing of all that was said before it."""
    return _turns_before(text, 2) == 2  # a request about the last turn refers to one


def is_about_earlier_text(sentence: str) -> bool:
    """Whether a sentence asks not to keep what was said before it, also in the message before."""
    return bool(_turns_before(sentence, 1))


def is_about_storing(text: str) -> bool:
    """Whether a rule is itself about storing, so that storing the rule is what the user asks for."""
    return regex(_ABOUT_STORING).search(plain_text(text)) is not None


def private_turns(turns: Sequence[str]) -> frozenset[int]:
    """The indexes of the turns that must not be kept: each turn with a request, and those it refers to.

    "Any of that" refers to all turns before; "that" to the turn itself and the one before it; "this: …" and
    "that I …" only to the turn itself. A turn of which something was not kept is private.
    """
    private: set[int] = {number for number, text in enumerate(turns) if NOT_KEPT in text}
    for number, text in enumerate(turns):
        if (before := _turns_before(text, number)) is not None:
            private.update(range(max(0, number - before), number + 1))
    return frozenset(private)


def private_sentences(sentences: Sequence[str]) -> frozenset[int]:
    """The indexes of the sentences of one message that it asks not to keep.

    "That" refers to the whole message, "this: …" to the sentence and those after it, and "that I like tea" to
    the sentence alone.
    """
    if not is_private_request("\n".join(sentences)):
        return frozenset()
    private: set[int] = set()
    for number, sentence in enumerate(sentences):
        before = _turns_before(sentence, 1)
        if before:
            return frozenset(range(len(sentences)))
        if before is not None:
            announces = regex(r"[:：]").search(sentence) is not None
            private.update(range(number, len(sentences) if announces else number + 1))
    return frozenset(private)


def _turns_before(text: str, most: int) -> int | None:
    """How many of the `most` turns before a text its request refers to; None if it is not a request."""
    lowered = text.lower()
    if text.isascii() and not any(keyword in lowered for keyword in _KEYWORDS):
        return None
    from memtool.core.capture.languages.tables import tables_for
    from memtool.core.text.clean import clean
    from memtool.core.text.sentences import split_sentences  # code and quoted text are no requests

    other_languages = [pattern for table in tables_for(fold_in_place(text)) for pattern in table.private]

    turns_before: list[int] = []
    own_text = "\n".join(map(_without_quotations, clean(text).split("\n")))
    for line in split_sentences(own_text).masked.split("\n"):
        normalized = plain_text(line)
        is_condition = regex(_CONDITION).match(normalized) is not None
        for pattern in _REQUESTS if any(part in normalized for part in _PARTS) else ():
            match = regex(pattern).search(normalized)
            if (
                match is not None
                and not (is_condition and match.start())
                and not _is_reported_or_denied(normalized, match)
            ):
                text_follows = regex(_FOLLOWS).match(normalized, match.end()) is not None
                turns_before.append(most if match.groupdict().get("all") else 0 if text_follows else 1)
        folded = fold_in_place(normalized)
        for pattern in other_languages:
            if (match := regex(pattern).search(folded)) is not None:
                text_follows = regex(_TEXT_FOLLOWS).match(folded, match.end()) is not None
                about_all = regex(_ALL_OF_IT).search(match[0]) is not None
                turns_before.append(most if about_all else 0 if text_follows else 1)
    return max(turns_before, default=None)


def _without_quotations(line: str) -> str:
    """A line without its quotations, unless all of it is quoted."""
    unquoted = regex(_QUOTED).sub(" … ", line)
    return unquoted if any(map(str.isalpha, unquoted)) else line


def _is_reported_or_denied(line: str, match: re.Match[str]) -> bool:
    if match[0].startswith(","):
        return False
    before = line[max(0, match.start() - 40) : match.start()]
    reported = regex(_REPORTED).search(before)
    return (reported is not None and reported[1] is None) or regex(_DENIED).search(before) is not None


def without_private_turns(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages of a conversation without the turns that the user asks not to keep."""
    user_texts = [without_recalled(text) for message in messages if (text := user_text(message)).strip()]
    return without_turns(messages, private_turns(user_texts))


def without_turns(messages: Sequence[Message], turns: Collection[int]) -> tuple[Message, ...]:
    """The messages without these turns of the user, by index, and without the replies to them."""
    remaining, number = [], -1
    for message in messages:
        number += bool(user_text(message).strip())
        if number not in turns:
            remaining.append(message)
    return tuple(remaining)


def user_text(message: Message) -> str:
    """The text of a message of the user; "" for other roles."""
    return message.text if message.role == "user" else ""
