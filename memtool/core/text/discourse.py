"""Discourse markers: words around a statement that are no part of it, "By the way, …" and "…, you know".

In ten languages. A marker at the end is in lower case, so that a title such as `Love Actually` stays whole.
"""

from __future__ import annotations

import re

from memtool.core.text.regex import regex

GREETINGS = (
    "hi|hiya|hello|hey|howdy|greetings|good morning|good afternoon|good evening|good day"
    "|hallo|moin|servus|grüß gott|grüß dich|grüß euch|grüss gott|guten morgen|guten tag|guten abend"
    "|hola|buenas|buenos días|buenas tardes|buenas noches|salut|coucou|bonjour|bonsoir"
    "|oi|olá|bom dia|boa tarde|boa noite|привет|здравствуйте|добрый день|добрый вечер|merhaba|selam|salom"
)
INTERJECTIONS = (
    "actually|oh|ah|well|so|anyway|by the way|btw|fyi|also|plus|and|but|hi|hello|hey|sorry|wait|oops|ok|okay"
    "|yes|yeah|yep|no|nope|hm|hmm|right|honestly|correction|i mean|i meant"
)
"""English words before a statement that are no part of it."""
MISTAKES = (
    "wrong|my mistake|my bad|i was wrong|i was mistaken|i misspoke|i've misspoken|i stand corrected"
    "|scratch that|strike that|that's wrong|that is wrong|that's not right|that's not true|that's incorrect"
    "|typo|i made a mistake|i mixed that up|i mixed it up|i mixed them up|i mixed things up"
) + "".join(
    f"|i {verb}{what} wrong"
    for verb in ("got", "had", "said", "told you")
    for what in ("", " that", " it", " this")
)
"""How English sentences begin that take back what was said before them."""
OTHER_MISTAKES = "|".join(
    [
        *("ups", "upps", "hoppla", "vertippt", "mein fehler"),
        *(
            f"{what} mich {erred}"
            for what in ("ich habe", "ich hab", "da habe ich", "da hab ich")
            for erred in ("vertan", "geirrt", "verschrieben")
        ),
        *("me equivoqué", "me equivoque", "me he equivocado", "me confundí", "me he confundido", "error mío"),
        *("je me suis trompé", "je me suis trompée", "je me trompe", "mon erreur"),
        *("enganei-me", "me enganei", "erro meu"),
    ]
)
"""The same in German, Spanish, French and Portuguese."""
_OPENERS = (
    f"{INTERJECTIONS}|{MISTAKES}|{OTHER_MISTAKES}|{GREETINGS}"
    "|oh yes|oh no|oh and|just fyi|hi there|hey there|hello there|hi all|hey all|hello all|hi everyone"
    "|hello everyone|whoops|to be honest|in fact|look|listen|just so you know|so you know"
    "|for the record|please note that|please note|please remember that|please remember|note that|note"
    "|remember that|remember"
    "|guess what|update|quick update|small update|i meant to say|falsch"
    "|übrigens|ach so|ach ja|ach|also|naja|na ja|nun|ja|nein|nee|eigentlich|entschuldigung"
    "|tut mir leid|moment|warte"
    "|quatsch|korrektur|und|aber|apropos|nur zur info|zur info|genauer gesagt"
    "|por cierto|a propósito|a proposito|bueno|pues|oye|mira|en realidad|de hecho|la verdad|perdón|perdon"
    "|espera|sí|si|además"
    "|ademas|y|pero"
    "|au fait|d'ailleurs|en fait|en réalité|à propos|a propos|bon|bah|eh bien|alors|euh|oui|non|pardon|désolé"
    "|désolée|attends|pour info|et|mais"
    "|aliás|alias|por sinal|na verdade|já agora|olha|bom|bem|então|sim|não|nao|desculpa|e|mas"
    "|кстати|к слову|вообще-то|на самом деле|ой|ну|да|нет|извини|извините|подожди|слушай|и|а|но"
    "|bu arada|aslında|şey|evet|hayır|yani|ve|ama"
    "|aytgancha|aslida|yo'q|kechirasiz|xullas|va|lekin"
)
_OPENERS_OF_CONTINUOUS = (
    "对了|對了|其实|其實|顺便说一下|顺便|哦|啊|不对|嗯|你好|另外"
    "|ちなみに|実は|あと|あ|ところで|えっと|そういえば|いや|いいえ|はい|こんにちは"
)
_SUBJECT = (
    r"(?:i|we|my|our|ich|wir|meine?|unsere?|yo|mis?|je|mon|ma|mes|nous|notre|eu|meus?|minhas?|я|мы|мо[йяи]"
    r"|наш\w*)"
    r"(?:['’]\w+)?\s"
)
_VERBS = "right|wrong|look|listen|update|remember|note|wait|correction|mira|olha|espera|warte|oye"
"""Openers that need a mark after them: `update my CV` is a request, `right my wrongs` a title."""
_OPENING = (
    rf"\W*(?:(?:{_OPENERS})\s?(?:[,:!…]|\.\.\.|[-–—](?= ))+\s*"
    rf"|(?!(?:{_VERBS})\s+{_SUBJECT})(?:{_OPENERS})\s+(?={_SUBJECT})"
    rf"|(?:{_OPENERS_OF_CONTINUOUS})[，,、]\s?)+(?=\w)"
)
_MARKS = ",:!….-–—¡¿("
_LEAST_WORDS = 2
"""Words that are left of a statement without its opening, at least; fewer say nothing without it."""

_LAUGHTER = (
    r"(?i:lol|lmao|rofl|xd|mdr|(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|(?:ja){2,}|(?:ха){2,}|k{3,}|(?:rs){2,})"
)
_CLOSERS = (
    rf"{_LAUGHTER}|(?i:btw|fyi|tbh|tho|imo|iirc|afaik)"
    r"|by the way|for your information|(?:just )?so you know|(?:as )?you know|as [Ii] (?:said|mentioned)"
    r"|[Ii] (?:think|guess|believe|suppose)"
    r"|if [Ii] remember (?:right|correctly)|actually|though|honestly|to be honest|obviously|of course"
    r"|unfortunately|sadly|luckily"
    r"|thankfully|fortunately|just saying|if you must know|anyway|originally|as well|too"
    r"|übrigens|glaube? ich|denke ich|wie du wei(?:ß|ss)t|wie sie wissen|wie gesagt|wei(?:ß|ss)t du"
    r"|(?:so )?nebenbei(?: (?:bemerkt|gesagt))?"
    r"|(?:nur )?zur info|leider|tatsächlich|eigentlich|zum glück|allerdings"
    r"|por cierto|a prop[oó]sito|creo(?: yo)?|como (?:ya )?sabes|ya sabes|la verdad|en realidad"
    r"|(?:por desgracia|desgraciadamente)"
    r"|lamentablemente|(?:para )?que lo sepas|que conste|eso s[ií]"
    r"|au fait|d['’]ailleurs|je (?:crois|pense)|comme tu (?:le )?sais|comme vous (?:le )?savez|tu sais"
    r"|pour info|en fait|malheureusement"
    r"|h[eé]las"
    r"|por sinal|ali[aá]s|(?:eu )?acho(?: eu)?|creio(?: eu)?|como (?:voc[eê] sabe|sabes)|na verdade"
    r"|infelizmente|j[aá] agora"
    r"|кстати|кажется|по-моему|как ты знаешь|знаешь|вообще-то|на самом деле|к сожалению|если что"
    r"|bu arada|san[iı]r[iı]m|galiba|biliyorsun|bildiğin gibi|asl[iı]nda|maalesef"
    r"|aytgancha|shekilli|bilasan|aslida|afsuski"
)
_LONGEST_CLOSER = 80
_CLOSING = (
    rf"(?<![\s,;(–—-])[\s,;(–—-]+(?:{_CLOSERS})(?![\w'’-])"
    r"(?=\s*(?:$|[^\w\s'’]|(?:and|but|so|because|und|aber|weil|y|pero|porque|et|mais|parce|e|mas|и|но|ve"
    r"|ama|va|lekin)\s"
    rf"|(?:{_CLOSERS})(?![\w'’-])))"
)


def _may_open(sentence: str) -> bool:
    """Whether a sentence may begin with an opener; a fast test."""
    words = [word.lower().strip(_MARKS) for word in sentence.replace("’", "'").split(None, 2)[:2]]
    openers = f"|{_OPENERS}|"
    return not words[0].isascii() or f"|{words[0]}|" in openers or f"|{' '.join(words)}" in openers


def without_opening(sentence: str) -> str:
    """A sentence without "Actually," and the like at its beginning; as it is if too little would be left."""
    if not sentence.strip() or not _may_open(sentence):
        return sentence
    opening = regex(_OPENING, re.IGNORECASE).match(sentence.replace("’", "'"))
    rest = sentence[opening.end() :] if opening else sentence
    if opening is None or (len(rest.split()) < _LEAST_WORDS and rest.isascii()):
        return sentence
    return rest[:1].upper() + rest[1:]


def closing_start(text: str, start: int, end: int) -> int:
    """Where ", you know" and the like begins that ends a clause between two places of a text; else `end`."""
    closing = regex(_CLOSING).search(text, start, end + _LONGEST_CLOSER)
    return min(closing.start(), end) if closing else end
