"""Times that only the day on which they are said explains: "tomorrow", "next week", "bis Sonntag"."""

from __future__ import annotations

from itertools import pairwise

from memtool.core.text.dates import WEEKDAYS
from memtool.core.text.regex import regex


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_DAYS = frozenset(" ".join(WEEKDAYS.values()).split()) | _set("""
    today tonight tomorrow yesterday heute morgen übermorgen gestern vorgestern sonnabend hoy mañana ayer
    anteayer anoche aujourd'hui demain hoje amanhã ontem anteontem feira
    сегодня завтра послезавтра вчера позавчера среда среду
    bugün yarın dün haftaya salı salıya cuma cumaya pazar
    bugun ertaga indinga kecha juma jumaga shanba shanbaga бугун эртага индинга кеча жума жумага шанба шанбага
""")
"""Words for a day by itself, weekdays among them. French "hier" is German for "here"."""
_DAY_STEMS = (
    *("понедельник", "вторник", "четверг", "пятниц", "суббот", "воскресен"),
    *("pazartesi", "çarşamba", "perşembe", "cumartesi"),
    *("dushanba", "seshanba", "chorshanba", "payshanba", "yakshanba"),
    *("душанба", "сешанба", "чоршанба", "пайшанба", "якшанба"),
)
_EVERY = _set(
    "every each jeden jede cada todos todas los le chaque tous каждый каждую каждое по her har bir ҳар"
)
"""Words before a weekday that make it a habit: "every Friday", "los lunes", "le lundi"."""
_WHICH = _set("""
    next last this past coming in within nächste nächsten nächster nächstes kommende kommenden kommendes
    letzte letzten letzter letztes vorige vorigen voriges diese diesen dieser dieses vor
    próximo próxima último última este esta en hace ce cet cette dans y prochain prochaine dernier dernière
    dentro neste nesta em há daqui через gelecek önümüzdeki geçen bu keyingi kelasi o'tgan shu
    келаси кейинги ўтган шу бу
""")
_WHICH_STEMS = ("следующ", "прошл", "будущ", "эт")
_WHICH_AFTER = _set("""
    ago pasado pasada viene que prochain prochaine dernier dernière passé passée passado passada vem atrás
    назад sonra önce keyin oldin кейин олдин
""")
"""Words before and after a unit of time that count it from today: "in two weeks", "two weeks ago"."""
_UNITS = _set("""
    day days week weeks weekend month months year years spring summer autumn fall winter term semester
    tag tage tagen woche wochen wochenende monat monate monaten monats jahr jahre jahren
    día días semana semanas mes meses año años finde jour jours semaine semaines mois an ans année
    dia dias mês ano anos день дня дней год года году лет hafta haftaya ay aya yıl sene gün
    kun oy oyda yil yili yilda ой ойда йил йили йилда кун
""")
_UNIT_STEMS = ("недел", "месяц", "выходн", "hafta", "ҳафта")
_MARKS = _DAYS | _UNITS
_STEMS = _DAY_STEMS + _UNIT_STEMS
_NEAR = 3
"""Words from "in" to "weeks" in "in a few weeks"."""
_WEEKDAYS = "|".join(
    (
        *(names.replace(" ", "|") for names in WEEKDAYS.values()),
        "sonnabend",
        r"(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?",
        r"(?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресен)\w*",
        "(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]|[月火水木金土日]曜日?",
    )
)
_WEEKDAY_RANGE = (
    rf"(?:{_WEEKDAYS})\s*(?:[-–—~～〜至到]|から|\b(?:to|through|thru|bis|a|al|au|à|по)\b)\s*(?:{_WEEKDAYS})"
)
"""Days from one to another, which are those of every week: "Monday to Friday"."""
_PARTS = (
    r"\b(?:(?:days?|weeks?|weekend|months?|years?) of|last days? at"
    r"|letzte[mnrs]? (?:tage?n? (?:der|des|bei)|(?:wochen|monaten?) (?:der|des|einer)))\b"
)
"""A time that is counted from something else: "the last weeks of pregnancy", "within two days of receipt"."""
_CONTINUOUS = (
    r"(?<!每)(?<!每个)(?<!每個)(?:[周週][一二三四五六日末]|(?:星期|礼拜|禮拜)[一二三四五六日天])"
    r"|[明今后後昨前]天|今晚|明早|昨晚|[下上这這本][周週]|[下上这這][个個]?(?:月|星期|礼拜|禮拜)|本月"
    r"|[明去今来昨]年|(?:天|周|週|[个個]月|年)[后後前]"
    r"|今日|明日|昨日|今夜|[来先今][週月]|(?<!毎週)[月火水木金土日]曜|(?:日|週間|[かヶ]月)[後前]"
)
"""The same in Chinese and Japanese."""
_FIRST_CONTINUOUS = "\u3040"
_WORD = r"[^\W\d_]+(?:'[^\W\d_]+)*"
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʻʼ`", "'"))


def has_relative_time(text: str) -> bool:
    """Whether a text names a time by its distance from the day on which it is said, or by a weekday."""
    lower = text.lower()
    if not text.isascii():
        if (
            max(text) >= _FIRST_CONTINUOUS
            and regex(_CONTINUOUS).search(text)
            and regex(_CONTINUOUS).search(regex(_WEEKDAY_RANGE).sub(" ", text))
        ):
            return True
        lower = lower.translate(_APOSTROPHES)
    words = regex(_WORD).findall(lower)
    if _MARKS.isdisjoint(words) and not any(stem in lower for stem in _STEMS):
        return False
    lower = regex(_PARTS).sub(" ", regex(_WEEKDAY_RANGE).sub(" ", lower))
    words = regex(_WORD).findall(lower)
    for before, word in pairwise(("", *words)):
        if (word in _DAYS or word.startswith(_DAY_STEMS)) and before not in _EVERY:
            return True
    units = [place for place, word in enumerate(words) if word in _UNITS or word.startswith(_UNIT_STEMS)]
    return any(
        any(word in _WHICH or word.startswith(_WHICH_STEMS) for word in words[max(0, place - _NEAR) : place])
        or any(word in _WHICH_AFTER for word in words[place + 1 : place + 2])
        for place in units
    )
