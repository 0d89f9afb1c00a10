"""How people tell that something has changed that they said before, in English, German, Spanish and French.

A pattern matches a sentence from what leads to it, as it is written, in any case. `english_changes.NEWS` has
the English verbs of change; the English rows here have what no such verb tells.
"""

from __future__ import annotations

from msgspec import Struct

from memtool.core.capture.languages.value_kinds import VALUE_KINDS


class NewsForm(Struct, frozen=True):
    """A language, a pattern, and what a text says that the news may make wrong.

    The groups of the pattern: `thing` is what changes, `other` what it is if `thing` tells nothing ("the
    appointment"), `value` to what. Without a thing, `said_as` is a pattern that the text matches; `{unit}` in
    it is the group `unit`. `ends` says that the thing is no more, or no longer used, and `denied` that the
    text denies the thing: `I don't drink coffee`.
    """

    language: str
    pattern: str
    said_as: str = ""
    ends: bool = False
    denied: bool = False


_NAME = r"(?-i:(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-ZÀ-Þ][\w'’.-]*(?: (?:& )?[A-ZÀ-Þ+][\w'’.+-]*){0,2})"
_JUST = r"(?:['’]ve| have)?(?: (?:just|finally|recently|now|since|actually))*"
_SUBJECT = r"(?:(?:i|we)(?:['’]ve| have| had)?(?: (?:just|finally|recently|also))* )?"
_UNIT = r"(?P<unit>mg|mcg|µg|ml|units?|drops?|tablets?|pills?|puffs?)"
_AFTER = r"(?=\s*(?:$|[,;:–—-]|and\b|so\b|now\b|last\b|this\b|in\b|at\b|for good\b))"
_ROLE = r"(?P<thing>(?!favou?rite)[a-z][\w-]*(?: [a-z][\w-]*){0,2})"
_THEY_SAY = r"(?:(?:my|our) [\w-]+|[A-Z]\w+|they|he|she) (?:just |now )?(?:says?|said|tells? me|told (?:me|us))(?: that)? "
_IS_WHEN = r"(?:['’]s| is| are| was| will be| starts?| begins?| turns?)(?: turning| on| at| going to be)?"
_ENGLISH = (
    NewsForm(
        "en",
        r"[^,;:!?]{1,40}? (?:upped|bumped|put|moved|increased|raised|lowered|reduced|cut|dropped|stepped|took|started)"
        rf" (?:me|us|my dose)(?: (?:up|down|back))*(?P<value> (?:to|on|onto) [^,;]*?\d[\d.,]* ?{_UNIT}\b.*)",
        r"(?i)\W*(?:i|my (?:dose|dosage|prescription|medication|meds?))\b.*?\d ?{unit}\b",
    ),
    NewsForm(
        "en",
        rf"i(?:['’]m| am)(?: (?:now|up|down|back|already))+(?P<value> (?:to|on|at)?[^,;]*?\d[\d.,]* ?{_UNIT})(?: now)?[\s.!]*$",
        r"(?i)\W*(?:i|my (?:dose|dosage|prescription|medication|meds?))\b.*?\d ?{unit}\b",
    ),
    NewsForm(
        "en",
        r"[^,;:!?]{1,40}? (?:renewed|extended|rebooked|cancell?ed|rearranged|rescheduled|postponed|delayed|changed|missed)"
        r" (?P<thing>(?:the|my|our) [^,;:!?]{2,40}?),? (?:so|and now|and|which means|meaning|but|we now|i now)(?P<value> .+|(?<=now) .+)",
    ),
    NewsForm(
        "en",
        r"[^,;:!?]{1,40}? cancell?ed (?P<thing>(?:the|my|our) [^,;:!?]{2,40}?), (?P<value>(?:we|i|it)(?:['’]\w+)? .*\bnow\b.+)",
    ),
    NewsForm(
        "en",
        rf"(?:.*?(?:[;,–—-]|\band) )?(?P<value>{_NAME})(?:['’]s| is) (?:my|our) (?:new )?{_ROLE} (?:now|these days|from now on)",
    ),
    NewsForm(
        "en",
        rf"(?P<thing>{_NAME}|(?:my|our) [\w -]{{2,30}}?)(?:['’]s)?{_JUST}(?: has| is| was| have)?(?: (?:just|now|sadly|finally))*"
        r" (?:retired|retiring|resigned|closed down|closing down|shut down|shutting down|closed (?:its|their) doors"
        r"|gone out of business|went out of business|sold up|moved (?:away|on)|been let go"
        rf"|(?:left|leaving|quit) (?:the|our) (?:company|team|firm|practice|school|surgery|clinic|band|club|department|business|job)){_AFTER}",
        ends=True,
    ),
    NewsForm(
        "en",
        rf"{_SUBJECT}(?:cancell?ed|ditched|dumped|unsubscribed from|stopped using|got rid of|done with|finished with)"
        rf" (?P<thing>(?:(?:the|my|our) )?[\w&'’+.-]+(?: [\w&'’+.-]+){{0,2}}?){_AFTER}",
        ends=True,
    ),
    NewsForm(
        "en",
        r".{0,20}?\bi(?:['’]ve| have)?(?: (?:now|actually|kind of|really|also))*(?: (?:become|became|turned into)|['’]m| am)(?: (?:quite|really|now))*"
        r" (?:an? )(?:(?:big|real|total|proper) )?(?P<thing>[\w-]+(?: [\w-]+)?) (?:person|drinker|lover|fan|addict|eater|convert|girl|guy)"
        r"(?P<value>\b.*)",
        denied=True,
    ),
    NewsForm(
        "en",
        rf"{_THEY_SAY}(?P<thing>(?!it\b|that\b|there\b)[^,;:!?]{{2,40}}?){_IS_WHEN}(?P<value> [^,;]+), not\b.*",
    ),
    NewsForm(
        "en",
        r"(?:finally |just |i(?:['’]ve| have)? (?:finally |just )?)moved out\b.*",
        r"(?i)\W*(?:i|we) (?:still )?live\b.*\bwith\b",
    ),
    NewsForm(
        "en",
        r".*\bbirthday\b.*?,? (?:so|and)(?: (?:i['’]?m|i am))?(?P<value> \d{2})(?: now)?[\s.!]*$",
        r"(?i)\W*i(?:['’]m| am) \d{2}\b(?! (?:weeks|days|minutes|km|miles|%|percent))",
    ),
)
_DATE = rf"(?:{VALUE_KINDS[0]}|{VALUE_KINDS[1]}|the \d{{1,2}}(?:st|nd|rd|th))"
_FRAGMENTS = (
    NewsForm(
        "en",
        r"(?:it|they|this|that|these|those)(?:['’](?:s|re)| is| are| was| were)(?P<value> \d[\d.,]*) (?P<thing>[^\W\d_]+)$",
    ),
    NewsForm("en", rf"(?:on )?(?P<value>{_DATE})$", rf"(?i).*?(?<!\w){_DATE}"),
    NewsForm("en", rf"(?:at )?(?P<value>{VALUE_KINDS[2]})$", rf"(?i).*?(?<!\w)(?:{VALUE_KINDS[2]})"),
)
"""Values without a sentence, that correct one."""
_DE_THING = r"(?:mein|unser|der|die|das|den|dem)\w* [^,;:!?]{2,50}?"
_DE_IS = (
    r"(?:ist|sind|beginnt|beginnen|startet|starten|kostet|kosten|fährt|fahren|beträgt|läuft|laufen|findet|finden"
    r"|geht|kommt|trifft sich|treffen sich|wiegt|dauert|endet|schließt|öffnet|fällt|liegt)"
)
_DE_NOW = (
    r"(?:jetzt|nun|doch|inzwischen|mittlerweile|neuerdings|künftig|ab jetzt|am ende|stattdessen|nicht mehr)"
)
_DE_SINCE = r"(?:seit|ab) [^,;:!?]{2,25}?"
_DE_WORK = r"(?i)\bich (?:arbeite|jobbe) (?:\w+ ){0,3}?(?:bei|beim|für|am|an|in|im)\b|\bich bin bei[m ]"
_GERMAN = (
    NewsForm(
        "de",
        r"(?P<other>[^,;:!?]{1,50}?) (?:hat|haben|habe|wurde|wurden|ist|sind|wird|werden)(?: (?:nun|jetzt|doch|schon|leider|gerade|mir|uns))*"
        rf"(?P<thing> {_DE_THING})?(?: (?:kurzfristig|jetzt|nun|leider|doch|wieder))* (?P<value>(?:auf|um|von|nach|vom|in den|in die) .{{1,50}}?)"
        r" (?:verschoben|verlegt|vorverlegt|vorgezogen|geändert|erhöht|angehoben|gesenkt|gekürzt|reduziert|umgestellt"
        r"|umgelegt|umgebucht|verkürzt|verlängert|gestiegen|gefallen|gesunken|hochgesetzt|heraufgesetzt|herabgesetzt)\b.*",
    ),
    NewsForm(
        "de",
        rf"(?P<thing>{_DE_THING}) (?:steigt|steigen|sinkt|sinken|fällt|erhöht sich|verschiebt sich|verlängert sich|wechselt|rückt)"
        r"(?: (?:ab|zum|im|jetzt|nun|dann)(?: \w+){0,2}?)? (?P<value>auf .*)",
    ),
    NewsForm(
        "de",
        rf"(?:{_DE_SINCE}|{_DE_NOW}|letztlich|schließlich) {_DE_IS}(?: jetzt| nun| doch)? (?P<thing>(?:mein|unser|der|die|das)\w* \w+(?: mit \w+)?) (?P<value>.+)",
    ),
    NewsForm("de", rf"(?P<thing>{_DE_THING}) {_DE_IS} {_DE_NOW} (?P<value>.+)"),
    NewsForm("de", rf"{_DE_SINCE} (?:bin|arbeite) ich(?: jetzt| nun)? (?:bei|beim|für|am|an)\b(?P<value> (?!mein).+)", _DE_WORK),
    NewsForm(
        "de",
        rf"ich (?:bin|arbeite) (?:{_DE_NOW}|{_DE_SINCE}) (?:bei|beim|für|am|an)\b(?P<value> (?!mein).+)",
        _DE_WORK,
    ),
)  # fmt: skip
_ES_THING = r"(?:el|la|los|las|mi|mis|nuestr[oa]s?) [^,;:!?]{2,50}?"
_ES_IS = (
    r"(?:es|son|será|serán|está|están|empieza|empiezan|comienza|termina|acaba|cuesta|cuestan|sale|salen|llega|queda"
    r"|quedan|abre|cierra|dura|tiene lugar)"
)
_ES_MOVED = (
    "cambiado|movido|aplazado|retrasado|adelantado|pospuesto|subido|bajado|aumentado|reducido|pasado|trasladado"
    "|atrasado|ampliado|recortado|modificado|reprogramado"
)
_ES_MOVES = (
    "cambió|cambiaron|movió|movieron|aplazó|aplazaron|retrasó|retrasaron|adelantó|adelantaron|subió|subieron|bajó"
    "|bajaron|pasó|pasaron|pospuso|pospusieron|aplazamos|retrasamos|movimos"
)
_ES_NOW = r"(?:ahora|ya|finalmente|al final|actualmente)"
_ES_SINCE = r"(?:a partir de|desde) [^,;:!?]{2,30}?"
_SPANISH = (
    NewsForm(
        "es",
        rf"(?P<other>(?:{_ES_THING} )?)(?:(?:me|nos|se|le) )?(?:(?:ha|han|hemos|he)(?: sido)? (?:{_ES_MOVED})\w{{0,2}}|{_ES_MOVES})"
        rf"(?P<thing> {_ES_THING})? (?P<value>(?:a|al|para|hasta)\b.+)",
    ),
    NewsForm(
        "es",
        rf"(?P<thing>{_ES_THING}) (?:pasa|pasan|sube|suben|baja|bajan|cambia|cambian|aumenta|se (?:mueve|retrasa|adelanta|aplaza))"
        r" (?P<value>(?:a|al|para|hasta)\b.+)",
    ),
    NewsForm("es", rf"(?:{_ES_NOW}|{_ES_SINCE}),? (?P<thing>{_ES_THING}) {_ES_IS} (?P<value>.+)"),
    NewsForm(
        "es", rf"(?P<thing>{_ES_THING}) (?:{_ES_NOW} {_ES_IS}|{_ES_IS} {_ES_NOW}) (?P<value>.+)"
    ),
    NewsForm(
        "es",
        rf"(?:{_ES_NOW},? trabajo (?:en|para|con)(?P<value> (?:(?:el|la|los|las|una?) )?(?:[\w-]+ (?:de )?)?(?-i:[A-ZÀ-Þ]).*)"
        r"|(?:a partir de|desde) [^,;:!?]{2,30}? trabajo (?:en|para|con)(?P<since> .+))",
        r"(?i)\W*(?:yo )?trabajo (?:\w+ )?(?:en|para|con)\b",
    ),
)  # fmt: skip
_FR_THING = r"(?:(?:le|la|les|mon|ma|mes|notre|nos) |l['’])[^,;:!?]{2,50}?"
_FR_IS = (
    r"(?:est|sont|sera|seront|commence|commencent|part|partent|coûte|coûtent|finit|arrive|dure|a lieu|ont lieu|tombe"
    r"|ouvre|ferme|termine|se termine)"
)
_FR_NOW = r"(?:maintenant|désormais|finalement|dorénavant|actuellement|en fin de compte)"
_FR_SINCE = r"(?:à partir d[eu'’]|depuis|dès) ?[^,;:!?]{2,30}?"
_FR_WORK = r"(?i)\bje (?:travaille|bosse) (?:\w+ )?(?:chez|à|au|aux|pour|dans)\b"
_FRENCH = (
    NewsForm(
        "fr",
        rf"(?P<other>(?:{_FR_THING}|ils|elles|on|nous|j['’]|\w+) ?)(?:m['’]|l['’]|s['’])?(?:a|ont|avons|ai|est|sont)(?: été)?"
        r"(?: (?:finalement|encore|donc|aussi))? (?:décal|report|déplac|avanc|repouss|chang|augment|baiss|pass|mont|modifi|relev|prolong|transfér|recul)ée?s?"
        rf"(?P<thing> {_FR_THING})? (?P<value>(?:à|au|aux|pour|jusqu['’]).+)",
    ),
    NewsForm(
        "fr",
        rf"(?P<other>(?:ils|elles|on|nous) )(?:a|ont|avons) (?:réduit|descendu)e?s?(?P<thing> {_FR_THING}) (?P<value>(?:à|au|aux)\b.+)",
    ),
    NewsForm(
        "fr",
        rf"(?P<thing>{_FR_THING}) (?:passe|passent|monte|montent|baisse|baissent|augmente|augmentent|descend|change)"
        r" (?P<value>(?:à|au|aux|pour)\b.+)",
    ),
    NewsForm("fr", rf"(?:{_FR_NOW}|{_FR_SINCE}),? (?P<thing>{_FR_THING}) {_FR_IS} (?P<value>.+)"),
    NewsForm(
        "fr", rf"(?P<thing>{_FR_THING}) (?:{_FR_IS} {_FR_NOW}|{_FR_NOW} {_FR_IS}) (?P<value>.+)"
    ),
    NewsForm(
        "fr",
        rf"(?:{_FR_NOW}|{_FR_SINCE}),? je (?:travaille|bosse|suis) (?:chez|à|au|aux|pour|dans)\b(?P<value> .+)", _FR_WORK
    ),
    NewsForm("fr", rf"je (?:travaille|bosse) {_FR_NOW} (?:chez|à|au|aux|pour|dans)\b(?P<value> .+)", _FR_WORK),
)  # fmt: skip
NEWS_FORMS = (*_ENGLISH, *_FRAGMENTS, *_GERMAN, *_SPANISH, *_FRENCH)
"""The rows; the first one that matches and names something counts."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LANGUAGE_WORDS = {
    "de": _words("der die das den dem ein eine ich wir mein meine meinem meiner unser unsere ist hat auf um"),
    "es": _words("el la los las mi mis nuestro nuestra es ha han hemos trabajo en al"),
    "fr": _words("le la les mon ma mes notre nos je on nous est a ont au à ils"),
}
"""Words in lower case, one of which a sentence in the language has."""
UNTELLING_WORDS = {
    "en": "",
    "de": "termin termine treffen uhrzeit tag datum preis beginn",
    "es": "cita hora fecha día precio",
    "fr": "rendez-vous heure date jour prix",
}
"""Words of a thing that others tell better, as in `english_changes.UNTELLING`."""
DENYING = r"(?i)(?:\b(?:don|doesn|can|won|didn)['’]t\b|\b(?:never|no|not|hate|dislike|avoid|can(?:no| no)t)\b|\bnot a\b)"
"""A sign that a text denies what it names."""
OF_SOMEBODY_ELSE = r"(?i)\b(?:of (?:my|our)|meine[rs]|unsere[rs]|de (?:mi|mis|ma|mon|mes|nuestr\w+|notre|nos))\s+(?P<owner>[\w-]+)"
"""Whose the thing of a text is, after it."""
HOLDS_ROLE = (
    r"(?i)\W*(?:(?:my|our) [^,;:!?]{2,40}?(?:['’]s|s['’]?)? (?:is|are|comes? from)\b|(?:i|we)\b(?! (?:met|saw|called)\b))"
    r"|.{2,40}?(?:['’]s| is) (?:my|our)\b"
)
"""A text that says who or what somebody has for something: `Dr. Patel is my GP`."""
KIN_ROLE = (
    r"(?i)\b(?:my|our) (?:\w+ )?(?:(?:grand|step)?(?:sister|brother|mother|mom|mum|father|dad|son|daughter)"
    r"|aunt|uncle|cousin|niece|nephew|wife|husband|partner|friend|boyfriend|girlfriend|cat|dog)\b"
)
"""A role that does not end with a job or a business."""
