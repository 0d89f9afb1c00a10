"""Function words of languages other than English: how a query tells its language, and what it ignores.

One list a language: articles, pronouns, prepositions, conjunctions, auxiliaries and question words. They do
not tell what a text is about. Question words matter most: they are rare in notes, so that a ranking by rarity
takes them for the subject of a question.

Words in Greek, Cyrillic, Arabic or Devanagari letters belong to the one list of their script. In Latin
letters a word may belong to several lists (German `war`, Spanish `no`), so a list applies only to a query in
its language.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stopwords import is_stop_word

ENGLISH = "en"
VIETNAMESE = "vi"
OTHER = "other"
"""A language in Latin letters, some with accents, that no word list identifies."""

_LATIN = {
    "de": """
    der die das den dem des ein eine einen einem einer eines und oder aber wenn als wie wo was wer wen wem
    wessen wann warum weshalb wieso woher wohin womit wodurch worin worum worauf woran wovon welche
    welcher welches welchen welchem ist sind war waren wird werden wurde wurden worden hat haben hatte
    hatten habe sein bin kann konnte können soll sollte muss musste im in an am auf aus bei beim mit nach
    von vom vor zu zum zur für über unter um durch gegen ohne zwischen es er sie wir ihr ich mich mir du
    dich dir uns euch man sich nicht kein keine auch noch nur so dass da dort hier diese dieser dieses
    diesen diesem mein meine meinen meiner meinem dein deine deinen seine seiner seinen ihre ihrer ihren
    unser unsere viel viele wieviel gibt gab
    """,
    "es": """
    el la las los lo un una unos unas y o u e pero si no de del al a en por para con sin sobre entre hasta
    desde que quien quienes cual cuales cuando donde adonde como cuanto cuanta cuantos cuantas es son era
    eran fue fueron ser sido esta estan estaba estaban ha han había habían he hay haber se su sus mi mis
    tu tus me te nos le les yo él ella ellos ellas este esto estos estas ese esa eso esos esas aquel
    aquella también más muy ya tengo tienes tiene tenemos tienen
    """,
    "fr": """
    le la les l un une des du de d et ou mais si ne pas à au aux en dans par pour avec sans sur entre que
    qu qui quoi quel quelle quels quelles quand où comment combien pourquoi est sont était étaient être
    été a ont avait avaient avoir ai as se s son sa ses mon ma mes ton ta tes me m te t nous vous notre
    votre je j tu il elle on ils elles leur ce c cet cette ces y aussi plus très lequel laquelle dont
    """,
    "it": """
    il lo la i gli le l un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal
    dallo dalla dai in nel nello nella nei nelle su sul sulla con per tra fra e ed o ma se non che chi
    cosa quale quali qual quando dove come quanto quanta quanti quante perché è sono era erano essere
    stato stata ha hanno aveva avere ho si mi ti ci vi suo sua suoi sue mio mia miei mie tuo tua io tu lui
    lei noi voi loro questo questa questi queste quello quella anche più molto
    """,
    "pt": """
    o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela para com sem sobre entre e
    ou mas se não que quem qual quais quando onde como quanto quanta quantos quantas porque é são era eram
    foi foram ser sido está estão há tenho tem temos têm tinha ter eu tu ele ela nós eles elas você me te
    lhe meu minha meus minhas teu tua seu sua seus suas este esta isto esse essa isso aquele aquela ao aos
    à às também mais muito
    """,
    "tr": """
    ve veya ya da de ki mi mı mu mü ile için gibi kadar göre sonra önce ne neden niçin niye nasıl nerede
    nereye nereden nere hangi hangisi kim kimin kime kimi kaç kaçıncı zaman bir bu şu o bunlar şunlar
    onlar bunu onun onu ben sen biz siz benim senin bizim sizin bana sana beni seni olan olarak oldu
    olduğu olur olmak edilen edildi ettiği eden etti etmek var vardır yok değil çok daha en her hiç hem
    ise mıdır midir nedir kimdir nelerdir tarafından
    """,
}
LATIN_LANGUAGES = tuple(_LATIN)
"""The languages of `latin_words`."""
_OTHER_SCRIPTS = """
    ο η το οι τα του της των τον την τις τους στο στη στην στον στα στις στους ένα ένας μία μια έναν ενός
    μιας και ή αλλά αν να θα δε δεν μη μην με σε από για προς κατά μετά πριν ως που πού πώς πόσο πόσα
    πόσοι πόσες πόσων πόσους πόση πόσος τι ποιο ποιος ποια ποιοι ποιες ποιον ποιαν ποιους ποιων ποιου
    ποιας πότε γιατί είναι ήταν έχει έχουν είχε είχαν είμαι έχω εγώ εσύ αυτός αυτή αυτό αυτά αυτοί αυτές
    αυτού αυτής αυτών μου σου μας σας ότι όπου όταν όπως επίσης πιο πολύ

    и в во не на я он она оно они мы вы ты с со как а то все но да к ко у же за бы по от из о об обо для
    до при без над под про ли или если что чтобы кто кого кому кем чего чему чем какой какая какое какие
    каких каким какими какую какого каком какому который которая которое которые которого которой которых
    где куда откуда когда почему зачем сколько чей чья чьё чьи есть был была было были быть является
    являются этот эта это эти этого этой этих этом тот та те того той тех мой моя моё мои моего моей мне
    меня мной твой тебе тебя его её их нам нас вам вас ему ей себя свой своя свои также так уже ещё только
    очень

    في من إلى على عن مع هو هي هم هن أنا أنت نحن هذا هذه هؤلاء ذلك تلك التي الذي الذين أو و ثم بل لكن لا لم
    لن ليس ليست ما ماذا متى أين كيف كم لماذا هل أي أية كان كانت كانوا يكون تكون قد إن أن أنه أنها إنه كل
    بعض بين بعد قبل عند حتى كما منذ خلال حيث إذا به بها له لها فيه فيها منه منها عليه عليها هناك هنا تم
    يتم لدى ولا وما ومن وفي بما مما عما فيما بم

    का की के को में से पर ने और या एक यह वह ये वे इस उस इन उन इसे उसे इसका उसका इसके उसके इसकी उसकी मैं हम
    तुम आप मेरा मेरी मेरे मुझे हमें अपना अपनी अपने है हैं था थी थे हो होता होती होते हुआ हुई हुए होना गया
    गई गए जा जाता जाती जाते कर करता करती करते किया करना करने कि जो जिस जिसे जिसके तो भी ही तक लिए साथ
    द्वारा बाद पहले क्या कौन कौनसा कौनसी किस किसे किसने किसका किसकी किसके किन कब कहां कहाँ क्यों कैसे
    कितना कितनी कितने रहा रही रहे न नहीं मत अगर लेकिन बहुत कुछ कोई किसी
"""
"""Greek, Russian, Arabic and Hindi."""
CHINESE_QUESTION_WORDS = (
    "为什么|為什麼|什么时候|什麼時候|什么|什麼|甚麼|哪些|哪个|哪個"
    "|哪里|哪裡|哪儿|怎么|怎麼|怎样|怎樣|如何|多少|何时|何時|谁|誰|吗|嗎"
)
"""A pattern: words are not separated, so these are cut out of a run of characters."""
_VIETNAMESE_LETTERS = "[\u1ea0-\u1ef9\u01a0\u01a1\u01af\u01b0\u0309\u031b\u0323]"
_ACCENTED = "[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0300-\u036f]"
_SURE = 2
"""Function words from which a query has a language; a question needs one."""


def query_language(text: str, words: Iterable[str]) -> str:
    """The language of a query with these folded words; empty if they do not tell.

    It is the Latin language that most of the function words belong to, English if several have as many.
    Queries in other scripts have no language, because their words tell it one by one.
    """
    if is_vietnamese(text):
        return VIETNAMESE
    distinct = set(words)
    counts = {language: len(distinct & latin_words(language)) for language in _LATIN}
    best = max(counts, key=counts.__getitem__)
    english = sum(map(is_stop_word, distinct))
    least = 1 if "?" in text else _SURE
    if english and english >= counts[best]:
        return ENGLISH
    if counts[best] >= least:
        return best
    return OTHER if not text.isascii() and regex(_ACCENTED).search(text) else ""


def is_function_word(word: str, language: str) -> bool:
    """Whether a folded word of a query in a language says nothing of its subject."""
    if not word.isascii():
        return word in _other_words()
    if language == VIETNAMESE:
        return False  # its syllables read as English words, and a rarer one may be half of the subject
    return word in latin_words(language) if language in _LATIN else is_stop_word(word)


def is_common_word(word: str) -> bool:
    """Whether a folded word is a function word of English, or of another language by its script."""
    return is_stop_word(word) or word in _other_words()


def is_latin_function_word(word: str) -> bool:
    """Whether a folded word is a function word of some language in Latin letters other than English."""
    return any(word in latin_words(language) for language in _LATIN)


def is_vietnamese(text: str) -> bool:
    """Whether a text has letters that only Vietnamese has, or its marks: its words are pairs of syllables."""
    return not text.isascii() and regex(_VIETNAMESE_LETTERS).search(text) is not None


@functools.cache
def latin_words(language: str) -> frozenset[str]:
    """The folded function words of a language in Latin letters other than English."""
    return frozenset(search_fold(_LATIN[language]).split())


@functools.cache
def _other_words() -> frozenset[str]:
    return frozenset(search_fold(_OTHER_SCRIPTS).split())
