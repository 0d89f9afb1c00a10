"""Suppositions: "suppose I preferred part-time work, what then?" states nothing about the user."""

from __future__ import annotations

from memtool.core.text.regex import regex

_OPENING = (  # words that open a supposition, folded
    r"suppos(?:e|ing)(?: that)?|assum(?:e|ing)(?: that)?|imagine(?: that| if)?"
    r"|(?:let's )?say,? (?:that )?(?=i\b)|hypothetically|what if"
    r"|angenommen|nehmen wir an|gesetzt den fall|mal angenommen|stell dir vor|stellen sie sich vor"
    r"|was ware,? wenn"
    r"|supongamos(?: que)?|supon(?:te|ga|iendo)?(?: que)?|imagin(?:a|ate|emos|e)(?: que)?"
    r"|pongamos(?: que)?|digamos(?: que)?"
    r"|supposons(?: que| qu'| qu)?|admettons(?: que| qu'| qu)?|imagin(?:e|ons|ez)(?: que| qu'| qu)?"
    r"|mettons(?: que| qu'| qu)?|disons (?:que|qu'|qu)"
    r"|suponha(?:mos)?(?: que)?|supondo(?: que)?|vamos supor(?: que)?|imagin(?:e|a|emos)(?: que)?"
    r"|предположим|допустим|представ(?:ь|ьте|им)|положим|скажем|если бы"
    r"|diyelim(?: ki)?|varsayalim(?: ki)?|farz ?(?:et|edelim|edin)(?: ki)?|tut ki|farz edelim(?: ki)?"
    r"|deylik|faraz qil(?:aylik|ing)?|tasavvur qil(?:aylik|ing)?|aytaylik|дейлик|фараз қил(?:айлик|инг)?"
)
_CONTINUOUS = r"假设|假設|假如|假使|倘若|要是|万一|萬一|如果|若是|仮に|かりに|たとえば|例えば"
_CLAUSE_BREAK = "[，,、。；;]"
_PATTERN = (
    r"[^\w\n]{0,6}(?:(?:and|so|ok|okay|und|also|y|et|e|и|а|ну|hey|hi|ve|va),? )?"
    rf"(?:(?:{_OPENING})(?!\w)|(?P<joined>{_CONTINUOUS}))"
)


def is_supposed(folded: str, sentence_start: int, start: int) -> bool:
    """Whether the text at `start` belongs to a supposition that opens its sentence.

    In scripts without blanks the opening word is also an ordinary "if", so it reaches to the next comma only.
    """
    match = regex(_PATTERN).match(folded, sentence_start, start + 12)
    if match is None:
        return False
    if match["joined"] is None:
        return match.end() <= start + 12
    return regex(_CLAUSE_BREAK).search(folded, match.end(), max(start, match.end())) is None
