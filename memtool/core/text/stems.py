"""Stems: one form for all forms of a word, so that a search for one finds the others.

English is Snowball's (Porter2), Russian our own (`russian` says why); words of other languages stay as they
are. Stems are stored in the indexes, and a minor release of Snowball may change them: whoever raises its
version in pyproject.toml raises those of the indexes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from memtool.core.text import russian

_SHORTEST, _LONGEST = 3, 40
"""Letters of a word that has other forms; what is longer is no word."""
_REMEMBERED = 100_000
"""Words whose stems are remembered: a watcher that lives for months meets ever new ones."""
_IRREGULAR = """
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun
bend bent|bind bound|bite bitten|bleed bled|blow blew blown|break broke broken|breed bred
bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung
come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk
drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found
flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven
freeze froze frozen|get got gotten|give gave given|go went gone|grind ground|grow grew grown
hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lead led
lean leant|leap leapt|learn learnt|leave left|lend lent|light lit|lose lost|make made|mean meant
meet met|mistake mistook mistaken|overcome overcame|pay paid|prove proven|ride rode ridden
ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent
sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spin spun
spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck
swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn
tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn
weave wove woven|weep wept|win won|wind wound|withdraw withdrew withdrawn|write wrote written
child children|foot feet|goose geese|knife knives|life lives|man men|mouse mice|person people
tooth teeth|wife wives|wolf wolves|woman women|good better best|bad worse worst
"""
"""Irregular forms, each row led by the word that they are forms of: Snowball has rules for endings alone."""


@functools.lru_cache(_REMEMBERED)
def stem(word: str) -> str:
    """The stem of a folded word, English (`buy` for `bought`) or Russian; any other word itself."""
    if not (word.isalpha() and _SHORTEST <= len(word) <= _LONGEST):
        return word
    return _english()(regular(word)) if word.isascii() else russian.stem(word)


def regular(word: str) -> str:
    """The word that a folded word is an irregular form of, or the word itself."""
    return _irregular().get(word, word)


@functools.cache
def _english() -> Callable[[str], str]:
    """Snowball's stemmer: PyStemmer's where it is installed, else the one in Python, which loads in 20 ms."""
    import snowballstemmer

    stem_word: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stem_word


@functools.cache
def _irregular() -> dict[str, str]:
    rows = (row.split() for row in _IRREGULAR.replace("\n", "|").split("|"))
    return {form: row[0] for row in rows if row for form in row[1:]}
