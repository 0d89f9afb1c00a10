"""Words that decide whether two values between the same words contradict each other, in ten languages.

All are folded as words of a line are (`core/capture/clauses.py`).
"""

from __future__ import annotations

from memtool.core.text.folding import search_fold


def _set(words: str) -> frozenset[str]:
    return frozenset(search_fold(words).split())


SEVERAL = _set("""
    has have had own owns like likes love loves hate hates know knows need needs want wants enjoy enjoys speak
    speaks play plays eat eats include includes contain contains take takes visit visits read reads drink drinks
    allergic afraid fond interested good learn learns learning study studies studying
    watch watches met meet meets bought buy buys sell sells tried saw see sees
    hat habe haben mag mögen spricht spreche spielt spiele isst esse trinkt trinke liest lese kennt kenne
    tiene tengo habla hablo juega juego come como bebe bebo lee leo conoce conozco gusta gustan
    a ai ont parle parles joue mange bois boit lit connaît aime aimes
    tem tenho fala falo joga jogo come bebe lê conhece gosta gosto
    есть говорит играет ест пьёт читает знает любит люблю купил купила
    var seviyor severim konuşuyor oynuyor içiyor yiyor okuyor
    bor yaxshi gapiradi o'ynaydi ichadi yeydi o'qiydi
""") - _set("a le come como")  # articles, prepositions and conjunctions of other languages
"""Verbs with which several values can be true."""
ADDING = _set("use uses using used teach teaches benutzt nutzt usa uso utilise usamos использует kullanıyor")
"""More of them: what somebody uses now may come to what is used already."""
DRIVING = _set("drive fahre conduzco conduis dirijo")
"""Verbs of what somebody has one of, whatever the article before it."""
INDEFINITE = _set("a an ein eine einen un una uno une um uma")
COUNTED = "上午|下午|晚上|早上|中午|点|點|楼|樓|层|層|号|號|月|日|午前|午後|時|階|番"
"""What follows a number or a day in Chinese and Japanese."""
TAKES_PLACE = frozenset(["takes", "place"])
"""An expression with such a verb that has one value."""
SEVERAL_CONTINUOUS = r"喜欢|喜歡|[爱愛吃喝有说說读讀玩买買懂]\||会[说講讲唱弹做]|會[說講唱彈做]|好き|食べ|飲|持っ|話|読|買|見|も\||が\|.*(?:でき|わか)"
"""The same in Chinese and Japanese; `|` stands for the value."""
INFLECTED = r"[\u3400-\u9fff\u30a0-\u30ff][\u3040-\u309f]"
"""A Japanese word with an ending: no name of a person, a place or a thing."""
TEMPORARY = _set("""
    today tonight tomorrow yesterday sometimes usually often only mostly always never this next last week once
    temporarily weekdays weekends occasionally
    heute morgen gestern manchmal meistens nur diese dieser diesen woche hoy mañana ayer solo semana aujourd'hui demain
    hier parfois semaine hoje amanhã ontem semana сегодня завтра вчера иногда только неделе bugün yarın dün bazen hafta
    bugun ertaga kecha ba'zan
""")
"""Words that say that something holds only at times."""
JOINING = _set(
    "and or with also too both either und oder auch sowie y o e también et ou aussi também и или также ve veya va yoki"
)
"""Words that add a value to another, or leave open which one is true."""
COPULAS = _set("is are was were 's ist sind war es son era est sont était é são — – 是 は が")
AUXILIARIES = _set(
    "is are was were 's ist sind es son est sont é são has have had will costs runs does did hat wird"
)
NAMING = _set("called named heißt namens")
"""Words between `is` and a name that add nothing."""
NEGATIONS = _set("""
    not no never isn't aren't wasn't weren't don't doesn't didn't won't can't cannot without nicht kein keine
    keinen nie ne pas jamais nunca não nao не нет никогда değil degil emas 不 没
""")
HAVING = _set("tiene tem a")
"""Verbs before an age in languages in which people have years."""
AGE_WORDS = _set(
    "years year old months month weeks week jahre jahr alt monate años ans anos meses mois лет год года"
)
ARTICLES = _set(
    "the a an my our his her their der die das den dem des ein eine einen einem einer el la los las le les un une o os as"
)
PLACING = _set("""
    behind under below beneath beside inside outside near above over on in at by from to into onto through until
    before after between opposite against around across along
    hinter unter neben in im am an auf bei über vor aus nach zum zur vom beim
    за под над в во на у около возле перед из от до
    en sur sous dans derrière devant detrás bajo sobre de desde em no na
""") - _set("de")
"""Prepositions of place and time."""
POSSESSIVES = _set("""
    my our mein meine unser unsere mi nuestro nuestra mon ma notre meu minha nosso nossa мой моя наш наша benim
    bizim mening bizning
""")
FIRST_PERSON = _set("""
    i i'm i've i'd i'll we we're we've we'd we'll ich wir je j'ai nous yo nosotros eu nós я мы ben biz men biz
""")
"""The user as the subject of a clause."""
COMPARATORS = frozenset(
    search_fold(
        "over|to|than|rather than|more than|better than|instead of|before|als|mehr als|a|al|que|más que|antes que|ao"
        "|do que|mais do que|à|au|aux|plutôt que|чем|больше чем|胜过|勝過|多过|我更喜欢|更喜欢|より|よりも"
    )
    .replace(" ", "")
    .split("|")
)
"""What stands between two things of which one is preferred; without spaces."""
FINAL_VERBS = r"(?:[ıiuü]yor(?:um|uz|sun|lar)?|[dt][ıiuü]|ecek|acak|adi|ydi|aman|yman|amiz|ymiz|lardi)$"
"""The ends of Turkish and Uzbek verbs, which stand last."""
CASE_ENDINGS = (r".['’]?[dt][ae]$", r".['’]?[dt]an$|.['’]?[dt]en$", r".['’]?(?:ga|ka|qa|ya|ye)$")
"""Endings of Turkish and Uzbek words of place: two values have the same one."""
OF_SOMEBODY = (
    r"[\s.!?]+(?:he|she|they|his|her|their|er|sie|sein|seine|ihr|ihre|él|ella|su|sus|il|elle|son|sa|ses|ele|ela"
    r"|он|она|его|её)\b"
)
"""The start of a sentence about a person of the one before."""
