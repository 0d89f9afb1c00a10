"""Kinds of values of which one thing has one: dates, weekdays, times, amounts, colours, opposites."""

from __future__ import annotations

from memtool.core.text.dates import WEEKDAYS
from memtool.core.text.folding import search_fold

_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|ene|abr|ago|dic|janv|févr|fév|avr|juin|juil"
    r"|août|déc|fev|set|out|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)[^\W\d_]*\.?"
)
_DATE = (
    rf"\d{{1,2}}(?:st|nd|rd|th|\.|º)?(?: (?:of|de))? {_MONTH}(?:,? (?:de )?\d{{4}})?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d{2,4})?|\d{1,2}月\d{1,2}[日号]"
)
_DAY = (
    r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch"
    rf"|{WEEKDAYS['es'].replace(' ', '|')}|{WEEKDAYS['fr'].replace(' ', '|')}"
    r"|(?:segunda|terça|quarta|quinta|sexta)-feira"
    r"|понедельник\w*|вторник\w*|сред[ауы]|четверг\w*|пятниц\w|суббот\w|воскресень\w"
)
_TIME = r"\d{1,2}[:.h]\d\d ?(?:am|pm|uhr)?|\d{1,2} ?(?:am|pm|uhr|o'clock)"
_AMOUNT = r"[$€£¥] ?\d[\d.,]*|\d[\d.,]* ?(?:[$€£¥%]|euros?|dollars?|pounds?|percent)"
VALUE_KINDS = (_DATE, _DAY, _TIME, _AMOUNT)

_COLOURS = """
    red blue green yellow black white gray grey brown orange purple pink violet beige turquoise silver golden
    rot* blau* grun* gelb* schwarz* weiss* weiß* grau* braun* lila rosa violett* silbern* golden*
    rouge* bleu* vert verte jaune* noir* blanc blanche gris grise brun brune marron rose violet violette
    rojo roja azul verde amarillo amarilla negro negra blanco blanca marrón naranja morado morada
    vermelho vermelha amarelo amarela preto preta branco branca cinza castanho castanha laranja roxo roxa
    красн* син* зелен* зелён* желт* жёлт* черн* чёрн* бел* сер* коричнев* оранжев* фиолетов* розов* голуб*
    kırmızı mavi yeşil sarı siyah beyaz gri kahverengi turuncu mor pembe
    qizil ko'k yashil sariq qora oq kulrang jigarrang pushti
    红* 紅* 蓝* 藍* 绿* 綠* 黄* 黃* 黑* 白* 灰* 棕* 橙* 紫* 粉* 赤* 青* 緑* 黒* 茶色*
"""
_FAMILY_STATUS = """
    single married divorced widowed engaged separated ledig verheiratet geschieden verwitwet verlobt
    célibataire marié* divorcé* veuf veuve fiancé* soltero soltera casado casada divorciado divorciada viudo viuda
    solteiro solteira viúvo viúva noivo noiva женат* замужем холост* разведен* разведён* вдовец вдова
    bekar evli boşanmış dul nişanlı bo'ydoq uylangan ajrashgan 单身* 單身* 已婚* 离婚* 離婚* 独身* 既婚*
"""
_DIETS = """
    vegan* vegetarian* pescatarian* omnivore* flexitarian* vegetarier* veganer* omnivor* végétarien* végane*
    végétalien* vegano vegana vegetariano vegetariana omnívoro* веган* вегетариан*
    素食* 纯素* 純素* ベジタリアン* ヴィーガン* ビーガン*
"""
_OPPOSITES = """
    tall short / big small large tiny huge / left right / left-handed right-handed ambidextrous / old new
    upstairs downstairs / open closed / early late / public private / north south east west / male female
    boy girl / alive dead / full-time part-time / remote on-site onsite hybrid / hot cold warm cool
    north-facing south-facing east-facing west-facing / clockwise counterclockwise / electric petrol diesel
    groß* klein* / links rechts / oben unten / alt* neu* / linkshänder* rechtshänder* / offen geschlossen
    grand* petit* / gauche droite / gaucher* droitier* / ouvert* fermé* / alto alta bajo baja baixo baixa
    grande* pequeño* pequeña* pequeno* pequena* / izquierda derecha esquerda direita / zurdo* zurda* diestro* diestra*
    abierto* abierta* cerrado* cerrada* / высок* низк* / больш* маленьк* / левша правша / открыт* закрыт*
    büyük küçük / uzun kısa / açık kapalı / katta kichik
"""


def _words(table: str) -> frozenset[str]:
    return frozenset(search_fold(table).split())


STATE_CLASSES = (_words(_FAMILY_STATUS), _words(_DIETS))
"""Those of what somebody is."""
VALUE_CLASSES = (
    _words(_COLOURS),
    *STATE_CLASSES,
    *(_words(words) for line in _OPPOSITES.strip().splitlines() for words in line.split(" / ")),
)
"""Folded words of which one is true of a thing at a time; `*` stands for an ending."""
