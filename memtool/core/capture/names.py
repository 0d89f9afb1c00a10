"""Names of people and things after a trigger, recognised by their capitals."""

from __future__ import annotations

import re
from functools import cache

from memtool.core.text.dates import MONTHS, SHORT_MONTHS, WEEKDAYS
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CODE_MASK

_CALENDAR = f"""
    {MONTHS["en"]} {SHORT_MONTHS} {WEEKDAYS["en"]} mon tue tues wed thu thur thurs fri sat sun
    dushanba seshanba chorshanba payshanba juma shanba yakshanba {MONTHS["uz"]} sentabr oktabr
"""
_GIVEN = "april may june august wednesday juma"
_ORDINARY = """
    i im i'm i'd i'll i've a an the and or but not no nope yes yeah yep ok okay so very too also just only
    really quite still now then here there back away home out off up down in on at from to of for with without
    by as like into over under about after before during until when where while if because since though what
    who whom which why how all any both each every some most more less least much many few one two three first
    last next another other same such that this these those it its it's my mine your yours our ours his her
    hers their theirs me you he she we they him them us god lol omg btw fyi asap sorry fine good great well
    better best bad worse worst happy sad glad mad angry sure unsure certain afraid ready done busy free tired
    sick ill hungry thirsty cold hot warm bored excited nervous scared worried confused lost stuck late early
    new old young alone single married pregnant right wrong correct true false serious awesome amazing nice
    cool perfect beautiful important urgent critical interesting funny weird strange crazy insane stupid
    ridiculous terrible horrible awful wonderful fantastic excellent brilliant hilarious easy hard difficult
    possible impossible necessary enough working broken unacceptable annoying frustrating confusing boring
    exciting surprising disappointing impressive helpful useful useless hello hi hey thanks thank please
    welcome congratulations yesterday today tomorrow tonight later soon never always often sometimes maybe
    perhaps probably definitely absolutely totally completely actually basically literally honestly finally
    already almost currently going coming doing being having getting making trying looking using writing
    reading building running testing thinking feeling hoping wondering waiting asking talking saying telling
    learning starting leaving living moving staying taking giving planning dying kidding joking loving
    enjoying struggling dealing able allowed supposed interested impressed surprised disappointed frustrated
    annoyed grateful thankful proud aware available offline online everything something nothing anything
    everyone someone nobody anyone error errors section part chapter version step page figure table line case
    option example question adhd bugun ertaga kecha hozir endi keyin ham juda shu bu o'sha faqat yana siz
    sizni sizga sizdan sizning sizda sizlar sizlarni sizlarga
"""
_WORD = r"[^\w\n]{0,4}?(?P<word>[^\W\d_][\w'’·-]*)"
_FILLER = r"[^\S\n]+(?:actually|really|now|still|just)\b"
_THING = r"[^\S\n]+(?:the |an? |our |my )?(?:[\"'“*(]{0,2})(?P<code>`)?(?P<word>[^\s,;]+)"
_SHOUTED = 5
"""Letters from which a word in capitals is shouting; a shorter one is an acronym."""


@cache
def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


def is_followed_by_name(masked: str, start: int, end: int, sure: bool) -> bool:
    """Whether a name follows the trigger at `masked[start:end]`: a word that begins with a capital.

    A word in a script without capitals counts, too. Weekdays, months and ordinary words are not names, but
    after "my name is" (`sure`) a month that is a given name is one. If the trigger itself is in capitals,
    capitals prove nothing, and only a sure trigger counts.
    """
    if not sure and any(map(str.isupper, masked[start + 1 : end])):
        return False
    if filler := regex(_FILLER, re.IGNORECASE).match(masked, end):
        end = filler.end()
    match = regex(_WORD).match(masked, end)
    if not match or (sure and "\n" in match[0]):
        return False
    word = match["word"].rstrip("'’-·")
    plain = word.casefold().removesuffix("'s")
    if word[0].islower() or plain in _words(_ORDINARY):
        return False
    if plain in _words(_CALENDAR):
        return sure and plain in _words(_GIVEN)
    return sure or not (len(word) >= _SHOUTED and word.isupper())


def is_followed_by_thing(masked: str, start: int, end: int) -> bool:
    """Whether "use" at `masked[start:end]` precedes a named thing: with a capital, a digit or code in it."""
    match = regex(_THING, re.IGNORECASE).match(masked, end)
    if not match:
        return False
    word = match["word"].rstrip(".!?:…)\"'”*")
    if match["code"] or CODE_MASK in word or any(map(str.isdigit, word)):
        return True
    if any(map(str.isupper, masked[start + 1 : end])) or word.casefold() in _words(_ORDINARY):
        return False
    return any(map(str.isupper, word))
