"""Irregular forms of English words, each with the word that it is a form of, for searching."""

from __future__ import annotations

import functools

_ROWS = """
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


def base(word: str) -> str:
    """The word that a folded word is an irregular form of, or the word itself."""
    return _forms().get(word, word)


@functools.cache
def _forms() -> dict[str, str]:
    rows = (row.split() for row in _ROWS.replace("\n", "|").split("|"))
    return {form: row[0] for row in rows if row for form in row[1:]}
