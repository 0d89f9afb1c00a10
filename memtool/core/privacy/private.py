"""Whether somebody asks that what was said is not kept, and of how much of it (CoALA)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.turn import Message
from memtool.core.text.markers import plain
from memtool.core.text.pattern import compiled

_SIGNS = (
    *(
        "rememb",
        "sav",
        "stor",
        "record",
        "memor",
        "retain",
        "writ",
        "note",
        "keep",
        "kept",
        "between",
        "forget",
    ),
    *("eslab", "yodda", "esda", "xotira", "saqla", "yozib"),
)
"""A text with none of these asks nothing of the kind."""

_PARTS = {
    "word": r"(?<!\w)",
    "ends": r"(?!\w)",
    "start": r"(?:^|[,.;:!?—–-] ?)",
    "end": r"(?= ?(?:$|[,.;:!?—–]|-(?!\w)))",
    "so": "(?:(?:and|but|so|also|ok|okay|oh|hey|well|now|then|just|please|pls|plz|kindly|actually|however"
    "|wait|no|yes|sorry|again|though),? ){0,5}",
    "not": "(?:do not|don't|dont|never|try not to|no need to|you (?:should not|must not|shouldn't|mustn't)"
    "|you (?:do not|don't) (?:have|need) to|(?:can|could|would|will) you"
    " (?:please not|not(?! (?:remember|memori))))(?: ever| please)?",
    "wont": "(?: do not| don't| dont| never| would not| wouldn't)",
    "verb": "(?:remember|save|store|record|memori[sz]e|retain|write down|note down|make a note of|keep)",
    "want-to": "(?:(?:want|like|need) (?:you|u) to|(?:want|like) to(?! (?:remember|memori)))",
    "keep": "{verb}(?:,? (?:or|and|nor)(?: even)? {verb})?",
    "kept": "(?:remembered|saved|stored|recorded|memori[sz]ed|retained|written down|noted(?: down)?|kept)",
    "i-said": "(?:i|we)(?:'ve)?(?: have| had| just| ever)? (?:said|say|told|wrote|mentioned|discussed)",
    "all-said": "(?:everything|anything|all)(?: that)? {i-said}",
    "we-said": "(?:what|everything|anything|all)(?: that)? {i-said}",
    # The sentence goes no further, so that nothing else is said in place of what is to be forgotten.
    "only": "(?=(?:(?! - | (?:and|but) (?:use|go|let|make|do|try|just|start|take|write)"
    "|, (?!please|pls|ok))[^;:—–]){0,120}$)",
    # "The session" is as often a program's.
    "talk": "(?:(?:this|that|our|the) (?:whole |entire )?(?:conversation|chat|discussion|talk)"
    "|(?:this|our) (?:whole |entire )?session)",
    "all": "(?:{we-said}|{talk}|(?:any|all|every(?:thing)?) (?:of )?(?:{talk}|this|that|it|these|those)"
    "|anything|everything|all)",
    "one": "(?:(?:this|that|the|my)(?: last)? (?:message|exchange|part|bit|detail|secret|one|thing)|the above"
    "|this|that|these|those)",
    # What may follow, so that it is about what was said, and not about a file.
    "over": "(?:{end}|(?= (?:please|pls|ok|okay|about me|at all|anywhere|any ?more|for later|either|though"
    "|from (?:this|our)|to yourself|(?:in(?:to)?|to) (?:your |the |long-term )?memory"
    "(?! (?:card|cache|store|buffer|pool|map|leak))|by you|and|but|because|since"
    "|i'm|my|i (?:said|told|just|am|was|have|like|love|hate|prefer|want){ends})))",
    "off": "(?:off the record|out of (?:your |the )?memory)",
    "uz-this": "(?:(?:bu|shu|u)ni|bular(?:ni)?|esda|xotira(?:ng)?da)",
    "this": "(?:(?P<all>{all})(?! in(?:to)? memory{ends})|{one}){over}",  # else it is about a program's
    "that": "(?:{keep} {this}|(?:remember|memori[sz]e) it{over}|(?:write|note) (?:this|that|it|these) down)",
}
_ASKS = (
    "{start}{so}{not} {that}",
    "{start}{so}forget (?:(?P<all>{all-said}|what {i-said} about)|what {i-said}){ends}{only}",
    "{word}i(?: would)?{wont} {want-to} {that}",
    "{word}i{wont} want (?:(?P<all>{all})|{one}|it)(?: to be)? {kept}{over}",
    "{word}i(?: would|'d) (?:rather|prefer)(?: it)?(?: if)? you (?:did not|didn't|do not|don't|not) {that}",
    "{start}{so}(?:(?:this|that) is |that's |strictly )?off the record{end}",
    "{start}{so}(?:(?:this|that) is |that's )(?:just |only |strictly )?between us{end}",
    "{word}(?:keep|leave) (?:this|that|it|these) (?:just |strictly )?(?:between us|to yourself|{off}){over}",
    "{word}(?:eslab qol|yodda tut|yozib qo'y|yozib ol|{uz-this} saqla)ma(?:ng(?:lar|iz)?|gin)?{ends}",
)
"""How it is asked in English and in Uzbek, in `plain` text; `all` is more than the last words."""

_FOLLOWS = r" ?(?::|(?:i|i'm|my)(?!\w))"
"""What is not to be kept comes behind the words that say so."""
_CONDITION = (
    r"(?:if|when(?:ever)?|unless|until)(?!\w)(?! (?:possible|i|i'm|i've|my|we|you (?:can|could|would|like"
    r"|please|do not mind|don't mind)|(?:it|that)(?:'s| is) (?:ok|okay|fine|all right|possible))(?!\w))"
)
"""What is to be done when something is so, and not now."""
_REPORTED = r"(?:(?:^|\W)(i|i've|we) )?(?:said|says|told \w+|wrote|reads?|prints?|replied|answered) ?$"
"""The words of another; one's own are said again."""
_QUOTED = r"[\"“„«]\S{1,40}\s[^\"“”„«»\n]{1,400}[\"”“»]"
_OF_KEEPING = (
    r"(?<!\w)(?:remember|sav(?:e|ing)|stor(?:e|ing)|record|memor|retain|(?:not|writ)(?:e|ing) down|forget)"
)


def is_private(text: str) -> bool:
    """Whether a text asks that it, or what was said before it, is not remembered. Linear in its length."""
    return _before(text, 0) is not None


def is_of_keeping(text: str) -> bool:
    """Whether a rule is itself about what is kept; then it is what was asked for."""
    return compiled(_OF_KEEPING).search(plain(text)) is not None


def private_turns(turns: Sequence[str]) -> frozenset[int]:
    """The numbers of the turns that are not to be kept: each that asks for it, and those that it asks it of.

    "Any of that" is all that was said until then; "that" is the turn itself and the one before it; "this: …"
    and "that I …" are the turn itself.
    """
    found: set[int] = set()
    for number, text in enumerate(turns):
        if (before := _before(text, number)) is not None:
            found.update(range(max(0, number - before), number + 1))
    return frozenset(found)


def _before(text: str, most: int) -> int | None:
    """Of how many turns before it, of so many, a text asks it, too; None where it does not ask."""
    lowered = text.lower()
    if text.isascii() and not any(sign in lowered for sign in _SIGNS):
        return None
    from memtool.core.text.clean import clean
    from memtool.core.text.sentence import prose  # what is code or another's words asks nothing

    found: list[int] = []
    own = "\n".join(map(_own, clean(text).split("\n")))
    for line in prose(own).masked.split("\n"):
        said = plain(line)
        is_condition = compiled(_CONDITION).match(said) is not None
        for source in _ASKS:
            match = compiled(_grown(source)).search(said)
            if match is not None and not (is_condition and match.start()) and not _is_reported(said, match):
                follows = compiled(_FOLLOWS).match(said, match.end()) is not None
                found.append(most if match.groupdict().get("all") else 0 if follows else 1)
    return max(found, default=None)


def _own(line: str) -> str:
    """A line without what is quoted in it, unless it is all in quotes."""
    own = compiled(_QUOTED).sub(" … ", line)
    return own if any(map(str.isalpha, own)) else line


def _is_reported(said: str, match: re.Match[str]) -> bool:
    if match[0].startswith(","):
        return False
    before = compiled(_REPORTED).search(said[max(0, match.start() - 40) : match.start()])
    return before is not None and before[1] is None


@cache
def _grown(source: str) -> str:
    """A pattern with its parts in their places."""
    for name, part in reversed(_PARTS.items()):
        source = source.replace(f"{{{name}}}", part)
    return source


def kept(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages of a conversation that may be remembered."""
    said = [without_recalled(text) for one in messages if (text := by_user(one)).strip()]
    return without(messages, private_turns(said))


def without(messages: Sequence[Message], turns: Collection[int]) -> tuple[Message, ...]:
    """The messages without turns of the user's, by number, and without what was answered to them."""
    left, number = [], -1
    for one in messages:
        number += bool(by_user(one).strip())
        if number not in turns:
            left.append(one)
    return tuple(left)


def by_user(message: Message) -> str:
    """What the user says in a message; empty where it is nobody's or another's."""
    return message.text if message.role == "user" else ""
