"""Courtesies: thanks, greetings and assent, which say nothing that a later prompt could ask for."""

from __future__ import annotations

import functools

from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_common_word, is_latin_function_word
from memtool.core.text.regex import regex

_LONGEST = 80
"""Characters of the longest text that may be a courtesy."""
_THANKS = """
    thank thanks thx thanx ty danke dank dankeschon gracias merci obrigado obrigada valeu спасибо благодарю
    tesekkur tesekkurler sagol sagolun rahmat tashakkur
"""
_ASSENT = """
    yes yeah yep yup ok okay okey k sure alright great good fine nice perfect cool awesome excellent wonderful
    brilliant amazing lovely super noted understood sorry welcome hi hello hey bye goodbye lol haha wow
    ja jo nein klar gut prima toll perfekt genau gern gerne bitte hallo tschuss servus moin
    si vale claro bueno bien perfecto genial estupendo hola adios
    oui non bon parfait bonjour bonsoir salut coucou super accord
    sim nao claro bom otimo perfeito legal beleza ola oi tchau
    да нет хорошо отлично понятно ладно привет здравствуйте пока пожалуйста супер
    evet hayir tamam guzel harika super selam merhaba
    ha yoq xop yaxshi zor salom
"""
_BESIDE_THANKS = """
    lot lots much many million bunch help helping helpful answer answers explanation quick time again anyway
    kindly appreciate appreciated really big huge
    vielmals sehr herzlichen vielen hilfe schon schnelle antwort
    muchas muchisimas mil ayuda respuesta beaucoup mille aide reponse infiniment
    muito muita ajuda resposta большое огромное помощь ответ за
    cok ederim ederiz yardim katta raxmat yordam uchun
"""
"""What thanks are for, and how great they are: "Thanks a lot for the quick answer"."""
_PHRASES = (
    r"\b(?:good (?:morning|afternoon|evening|night|day|job|work)|(?:have a|happy) (?:good|nice|great|lovely) "
    r"(?:day|evening|night|weekend|one)|well done|nice (?:job|work)|got it|see you(?: soon| later| tomorrow)?"
    r"|talk (?:to you )?(?:soon|later)|will do|no (?:problem|worries)|sounds good"
    r"|guten? (?:morgen|tag|abend|nacht)|alles klar|kein problem|bis (?:bald|dann|morgen|spater)"
    r"|buen[oa]s (?:dias|tardes|noches)|de nada|hasta (?:luego|manana|pronto)|bonne (?:journee|nuit|soiree)"
    r"|de rien|a (?:bientot|demain)|(?:bom|boa) (?:dia|tarde|noite)|ate (?:logo|amanha)"
    r"|добр\w{2} (?:утро|день|вечер)|до (?:свидания|завтра)|sag ol(?:un)?|gunaydin|iyi (?:gunler|geceler)"
    r"|xayrli (?:tong|kun|kech))\b"
)
_CONTINUOUS = (
    r"(?:(?:谢谢|謝謝|多谢|多謝|感谢|感謝)(?:你|您|啦|了)?|好的?|你好|您好|再见|再見|没问题|明白了?|知道了|不客气|嗯+"
    r"|(?:どうも)?ありがとう(?:ござい(?:ます|ました))?|どうも|はい|了解(?:です|しました)?|わかりました"
    r"|こんにちは|おはよう(?:ございます)?|こんばんは|お願いします|すみません|[\s、。，！!.〜~]+)+"
)


def is_courtesy(text: str) -> bool:
    """Whether a text is short and has nothing but courtesies, in any of the languages; no question is one."""
    if len(text) > _LONGEST or "?" in text or "？" in text:
        return False
    folded = search_fold(text)
    if not folded.isascii() and regex(_CONTINUOUS).fullmatch(folded.strip()):
        return True
    rest, phrases = regex(_PHRASES).subn(" ", folded)
    words = {word.removesuffix("'s") for word in regex(r"[\w']+").findall(rest.replace("’", "'"))}
    thanks = words & _words(_THANKS)
    signs = thanks | (words & _words(_ASSENT))
    if not (signs or phrases):
        return False
    others = words - signs - (_words(_BESIDE_THANKS) if thanks else frozenset())
    return all(is_common_word(word) or is_latin_function_word(word) for word in others)


@functools.cache
def _words(text: str) -> frozenset[str]:
    return frozenset(search_fold(text).split())
