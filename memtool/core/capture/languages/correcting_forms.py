"""Corrections that name both values, in languages other than English: "no es X, sino Y", "X değil Y".

The patterns match a sentence as it is written, in any case; the first match of `old` and `new` counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.capture.languages.correction_signs import LEADS, OPENINGS, PRONOUNS
from memtool.core.text.sentences import CLAUSE_STOP

_V = r"[^,;:!?—–\n。、，]{1,60}?"
_END = rf"(?=$|[,;:!?—–\n。、，]| - |{CLAUSE_STOP})"
_LAST = rf"(?= ?(?:$|[;!]|{CLAUSE_STOP}))"
_FEW = r"[^\s,;:!?—–]{1,40}(?: [^\s,;:!?—–]{1,40}){0,2}"
_NEW_CLAUSE = "(?:hay|há|ha|me|te|se|lo|la(?! (?-i:[A-ZÁÉÍÓÚÑ]))|le|nos|que|quiero|quero|puedo|posso|sé|sei|tengo|tenho|sabe|hace|faz|es|está|lee|dá|da|vou|voy|pode|puede|funciona|importa)\\b"
_WORD = r"[^\s,;:.!?—–]{1,40}"
_DENYING = (
    ("en", "not", "on|at|in|to|for|with"),
    ("de", "nicht", "am|im|um|in|an|bei|zum|zur"),
    ("es", "no", "en|al?|con|por"),
    ("fr", "pas", "à|au|aux|en|chez|dans"),
    ("pt", "não", "em|n[oa]s?|às?|ao"),
    ("ru", "(?:а )?не", "в|во|на|по|к|с"),
)
"""How a language denies a value, and the prepositions before values."""


def _bare_forms() -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Sentences of two values alone: "Correction: on Monday, not on Friday", "Slough, not Reading"."""
    for language, denial, prepositions in _DENYING:
        particle = rf"(?:(?:{prepositions}) )?"
        signs = (f", {denial.removeprefix('(?:а )?')} ",) if language != "ru" else (", а не ", ", не ")
        values = rf"{particle}(?P<new>{_FEW}),? (?:and )?{denial} {particle}(?P<old>{_FEW})[\s.!]*$"
        yield language, signs, rf"^(?:{OPENINGS}|\W*actually,? ){values}"
        yield (
            language,
            signs,
            rf"^(?!{LEADS})(?-i:(?=[A-ZÀ-ÞА-Я\d][^,]*,? {denial} (?:(?:{prepositions}) )?[A-ZÀ-ÞА-Я\d])){values}",
        )
    yield (
        "fr",
        ("pas ",),
        rf"^(?:{OPENINGS})?(?:non )?pas (?:à |en |au |chez )?(?P<old>{_FEW}),? mais (?:à |en |au |chez )?(?P<new>{_FEW})[\s.!]*$",
    )


FORMS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("es", (" sino ",), rf"\bno (?!s[oó]lo\b|solamente\b)(?:(?:es|son|era|soy|est[aá]|se llama|me llamo|vivo|trabajo) )?(?:en |al? )?(?P<old>{_V}),? sino (?!que no)(?:que )?(?:en |al? )?(?P<new>{_V}){_END}"),
    ("es", (", no ",), rf"\b(?:es|son|era|soy|est[aá]|llama|llamo|en) (?:en |al? )?(?P<new>{_V}), no (?:es |en |al? )?(?!{_NEW_CLAUSE})(?P<old>{_FEW}){_LAST}"),
    ("de", ("sondern",), rf"\b(?:nicht|keine?[rnms]?) (?!nur\b)(?:mehr )?(?P<old>{_V}),? sondern (?:schon |erst |in )?(?P<new>{_V}){_END}"),
    ("de", (" nicht ", " kein"), rf"\b(?:ist|sind|war|waren|bin|heißt|heiße|wohne|in|am|um|im) (?P<new>{_V}),? (?:und )?(?:nicht|kein(?:e[rnms]?)?) (?:in |am |um |im )?(?!nur\b)(?P<old>{_V}){_LAST}"),
    ("fr", ("pas ",), rf"\b(?:(?:est|sont|était|suis|habite|vis|travaille|appelle) pas|non pas) (?!seulement\b)(?:à |en |au )?(?P<old>{_V}),? mais (?!aussi\b|je\b|il\b|elle\b|on\b|c'est pas)(?:c'est )?(?:à |en |au )?(?P<new>{_V}){_END}"),
    ("fr", (", pas ",), rf"\b(?:est|sont|était|suis|appelle) (?:à |en |au )?(?P<new>{_V}), pas (?:à |en |au )?(?P<old>{_V}){_LAST}"),
    ("pt", (" sim ",), rf"\b(?:não|nao) (?!s[oó]\b|apenas\b)(?:(?:é|são|era|sou|está|se chama|me chamo|moro|trabalho) )?(?:em |n[oa] )?(?P<old>{_V}),? (?:mas sim|e sim) (?:em |n[oa] )?(?P<new>{_V}){_END}"),
    ("pt", (", não ", ", nao ", " e não ", " e nao "), rf"\b(?:é|são|era|sou|está|chama|chamo) (?:em |n[oa] )?(?P<new>{_V}),? (?:e )?(?:não|nao) (?:é |em |no |na )?(?!{_NEW_CLAUSE})(?P<old>{_FEW}){_LAST}"),
    ("ru", (" а ",), rf"(?<!\w)не (?!только\b)(?:в |на |во )?(?P<old>{_V}),? а (?!не\b|также\b|потом\b|то\b)(?:в |на |во )?(?P<new>{_V}){_END}"),
    ("ru", (" а не ",), rf"(?<!\w)(?:в |на |во )?(?P<new>{_WORD}),? а не (?:в |на |во )?(?P<old>{_V}){_LAST}"),
    ("tr", ("değil", "degil"), rf"(?<!\w)(?P<old>{_WORD}) de[ğg]il,? (?!mi\b|mı\b|ama\b|çünkü\b|de\b|da\b|ki\b|sadece\b)(?P<new>{_V}){_END}"),
    ("uz", (" emas",), rf"(?<!\w)(?P<old>{_WORD}) emas,? (?!mi\b|lekin\b|ammo\b|chunki\b|edi\b|ekan\b|balki\b)(?P<new>{_V}){_END}"),
    ("zh", ("不是",), r"不是[在去]?(?P<old>[^，,。；是不]{1,20}?)[，,]?(?:而)?是[在去]?(?P<new>[^，,。；！]{1,20})"),
    ("zh", ("，不", ",不"), r"(?P<verb>[在是叫姓用])(?P<new>[^，,。；在是]{1,20})[，,]不(?P=verb)(?P<old>[^，,。；！]{1,20})"),
    ("ja", ("じゃな", "ではな"), r"(?:^|[、。はがを])(?P<old>[^、。はがを]{1,20}?)(?:じゃなくて?|ではなくて?)、?(?P<new>[^、。]{1,20}?)(?:です|でした|だよ|だ|に|を|で|の|が|$)"),
    *_bare_forms(),
)  # fmt: skip
"""The language of a form, its signs, without which it does not match, and its pattern with `old` and `new`."""

DENIALS = tuple(
    (sign, rf"(?P<said>.{{4,250}}?),{sign}(?P<old>(?:{_WORD}, ){{0,3}}{_FEW})[\s.!]*$")
    for sign in (" not ", " nicht ", " no ", " pas ", " não ", " nao ", " а не ", " не ")
)
"""A sign, and the pattern of a sentence that ends by denying a value, whatever it says instead."""

_TO_WHEN = r"(?P<new>[^,;!?\n]{1,60}?)[\s.!]*$"
_SUBJECT = r"(?P<subject>[^,;!?\n]{3,80}?)"
_THING = (
    r"(?!(?:a|an|his|her|their|its|your|i|we|you|what|who|which|how|here|all|every|everything|nothing|something|someone"
    rf"|everyone|no|{PRONOUNS})\b)(?P<subject>(?:(?:my|our|the) )?[^\W\d_][^,;:!?\n]{{1,60}}?)"
)
BARE_THING = rf"(?!(?:my|our|the)\b){_THING}"
"""A thing without an article or an owner."""
_LEAD = rf"(?:{LEADS})?"
SPELLED = (
    r"(?i:my (?:(?:first|last|full|given|middle) )?name(?:'s| is)? (?:actually |really |just )?"
    r"(?:spelled|spelt|written)(?: (?:like|as))?(?: with (?:an? )?(?:\w|single|double) ?\w?[,:]?)? )"
    r"(?P<new>[A-ZÀ-ÞА-ЯЁ][\w'’-]+)(?=[\s.!]*$|,| \(| (?i:with|by the way|btw|actually|sorry|not|please)\b)"
)
"""A sentence that spells the user's name: `my name is spelled Catalin`."""
SPELLING_SIGNS = ("spelled", "spelt", "written")
RENEWED: tuple[tuple[str, str], ...] = (
    (" now ", rf"{_LEAD}{BARE_THING} (?:is|are) now (?:at|on) (?P<new>[^,;!?\n]{{1,40}}?)[\s.!]*$"),
    (" now", rf"{_LEAD}{BARE_THING} (?:is|are) (?:(?:at|on) )?(?P<new>[^,;!?\n]{{1,40}}?) now[\s.!]*$"),
    (" again", rf"{_LEAD}{_THING} (?:is|are|feels|works) (?P<new>[^,;!?\n]{{2,40}}?) again[\s.!]*$"),
)
"""A sign, and the pattern of a sentence that says what holds now, or again, of a thing that it names alone."""
REVISED: tuple[tuple[str, str], ...] = (
    (
        "ed to ",
        rf"{_LEAD}(?:i|we)(?:'ve| have)?(?: just| now| recently)? (?:switched|changed)(?: over)? to (?P<new>[^,;!?\n]{{2,40}}?)[\s.!]*$",
    ),
)
"""A sign, and the pattern of a sentence that says another value without what it is of."""
SHIFTS: tuple[tuple[str, str], ...] = (
    (" to ", rf"(?:we|i|they|(?:the|my|our) [\w-]+(?: [\w-]+)?)(?:'re|'m|'ve| are| am| have| has| had)?(?: just| now)? (?:(?:mov|postpon|push|reschedul|shift|chang|delay)(?:ing|ed)|(?:had|have|has|need|needed) to (?:move|postpone|push|reschedule|shift|delay)|brought)(?: back| forward)? (?P<subject>(?:the|our|my) [^,;!?\n]{{2,60}}?)(?: back| forward)? to {_TO_WHEN}"),
    (" to ", rf"{_SUBJECT} (?:(?:has|have|had|is|are|was|were|got|gets|'s)(?: now)?(?: just)?(?: been)? )?(?:moved?|postponed|pushed|rescheduled|shifted|changed|extended|delayed|brought forward|put back|put off|bumped|slipped|raised|increased|lowered|reduced|cut|dropped|rose|went)(?: back| forward| out| up| down)? (?:from [^,;!?\n]{{1,40}} )?(?:to|until|till) {_TO_WHEN}"),
    (" for ", rf"{_SUBJECT} (?:has been|have been|is|was|were|got|'s been)(?: now)? rescheduled for {_TO_WHEN}"),
    (" until ", rf"{_SUBJECT} (?:(?:has|have|is|was|were|got)(?: now)?(?: been)? )?(?:postponed|pushed|delayed|extended|put off)(?: back)? until {_TO_WHEN}"),
    (" auf ", rf"{_SUBJECT} (?:wurde|ist|wird) (?:jetzt |nun )?auf (?:den |die |das )?(?P<new>[^,;!?\n]{{1,40}}?) (?:verschoben|verlegt|vorverlegt|verlängert|geändert)(?: worden)?[\s.!]*$"),
    (" au ", rf"{_SUBJECT} (?:a été|est) (?:reportée?|décalée?|déplacée?|avancée?|repoussée?)s? au {_TO_WHEN}"),
    (" à ", rf"{_SUBJECT} (?:a été|est) (?:reportée?|décalée?|déplacée?|avancée?|repoussée?)s? à {_TO_WHEN}"),
    (" al ", rf"{_SUBJECT} (?:se (?:ha )?(?:movió|movido|aplazó|aplazado|pospuso|pospuesto|cambió|cambiado|retrasó|adelantó|pasó)|ha sido (?:movid[oa]|aplazad[oa]|pospuest[oa])) (?:al|a las|a) {_TO_WHEN}"),
    (" para ", rf"{_SUBJECT} (?:foi|passou) ?(?:adiad[oa]|movid[oa]|remarcad[oa]|transferid[oa]|alterad[oa])? para (?:o dia |o |a |as |dia )?{_TO_WHEN}"),
    (" на ", rf"{_SUBJECT} (?:перенес(?:ли|ён|ен|ена|ено)|перенесён|сдвинули|передвинули|отложили) на {_TO_WHEN}"),
)  # fmt: skip
"""A sign, and the pattern of a sentence that says to what a date, a time or an amount was moved."""
