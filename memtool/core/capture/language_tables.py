"""The language tables that can match a text, chosen by short signs before any table is imported."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from memtool.core.capture.triggers import LanguageTable, Trigger

LANGUAGE_SIGNS: dict[str, tuple[str, ...]] = {
    "uzbek": (
        *("man", "yman", "man.", "oqchi", "aslida", "yo'q", "doim", "hech", "bundan", "har ", "emas", "ismim"),
        *("men ", "istar", "keling", "qani", "aylik", "eslab", "unut", "yodda", "iltimos", "saqla", "yozib"),
        *("kerak", "o'rniga", "noto'g'ri", "xato", "sevimli", "yoq", "esdan", "bas qil", "o'z", "to'xtat"),
        *("oramizda", "kelajakda", "so'ra", "javob", "xohla", "chaqir", "qaror", "meni "),
    ),
    "russian": ("а", "е", "о", "и", "н", "т"),
    "spanish": (
        *("prefier", "prefer", "gust", "encant", "odi", "quier", "quis", "siempre", "nunca", "jamas", "adelante"),
        *("ahora", "vez", "futuro", "defecto", "llam", "nombre", "recuerd", "acuerd", "olvid", "correct", "error"),
        *("equivoc", "realidad", "usemos", "vamos", "deja de", "dejen", "deje ", "cuando", "sino", "detest"),
        *("soy", "guard", "entre nosotros", "favorit", "verdad", "en lugar", "en vez", "memori", "anot", "dejate"),
        *("suicid", "mata", "morir", "vivir", "golpe", "viol", "pega", "dano", "todas", "me cae", "no es ", "mejor"),
    ),
    "german": (
        *("ich", "mir ", "mich", "immer", "nie", "kunftig", "kuenftig", "zukunft", "jedes", "jedem", "ab jetzt"),
        *("ab sofort", "stets", "grundsatzlich", "grundsaetzlich", "standardma", "jemals", "eigentlich", "falsch"),
        *("sondern", "merk", "vergiss", "vergessen", "behalt", "behaelt", "erinner", "lass uns", "lasst uns"),
        *("stattdessen", "hor auf", "hoer auf", "wenn ", "nenn", "heisse", "heiße", "speicher", "unter uns"),
        *("mein name", "lieblings", "denk dran", "denk daran", "denke daran", "nicht mehr", "stimmt nicht"),
        *("nicht richtig", "nimm ", "nehmen wir", "verwend", "sobald", "falls ", "keine ", "mein "),
    ),
    "french": (
        *("je ", "j'", "toujours", "jamais", "desormais", "dorenavant", "partir de", "chaque", "avenir", "defaut"),
        *("arret", "cesse", "oubli", "souvien", "souven", "rappel", "retien", "retene", "en fait", "faux", "plutot"),
        *("n'est pas", "c'est pas", "appel", "erreur", "utilis", "allons", "prenons", "entre nous", "enregistr"),
        *("quand ", "lorsque", "systematiquement", "mon nom", "prefere", "plait", "me plai", "a la place", "memoris"),
        *("plus ", "exact", "garde", "note ", "au lieu", "on va ", "on prend", "on part", "moi c'est", "mais "),
    ),
    "portuguese": (
        *("prefir", "prefer", "gost", "ador", "ode", "quer", "sempre", "nunca", "jamais", "partir de", "diante"),
        *("vez ", "vez que", "futuro", "padrao", "cham", "nome", "lembr", "esque", "correto", "errado", "verdade"),
        *("vamos", "usemos", "pare ", "parem", "para de", "quando", "mas sim", "detest", "sou ", "guard", "salv"),
        *("entre nos", "certo", "em vez", "ao inves", "toda", "quis diz", "favorit", "sent", "engan", "deix"),
        *("suicid", "mata", "morr", "viver", "bate", "viol", "me machuc", "todas", "memor", "anot", "melhor"),
    ),
    "turkish": (
        *("yorum", "ederim", "severim", "istiyor", "isterim", "nefret", "hosuma", "her zaman", "hep ", "asla", "daima"),
        *("bundan", "artik", "gelecekte", "her sefer", "zaman ", "zaman,", "varsayilan", "adim", "ismim", "bana ", "ben "),
        *("unutma", "hatirla", "aklinda", "aslinda", "hayir", "yanlis", "dogru degil", "demek iste", "degil", "hadi"),
        *("haydi", "kullanal", "yerine", "birak", "vazgec", "kaydet", "aramizda", "tercih", "sakla", "not al", "bir daha"),
        *("ne zaman", "dugunda", "digimde", "dugumda", "tigimda", "tugumda", "favori", "en sev", "cagir", "kesinlikle"),
        *("yapma", "gidelim", "olsun", "kes", "intihar", "oldur", "ol", "yasamak", "dovuyor", "vuruyor", "hoslan"),
    ),
    "chinese": (
        *("我", "以后", "以後", "今后", "今後", "总是", "總是", "永远", "永遠", "始终", "始終", "一直", "每次", "每当"),
        *("记住", "記住", "别忘", "別忘", "不要", "不对", "不對", "不是", "错", "錯", "其实", "其實", "现在", "默认", "默認"),
        *("咱们", "咱們", "务必", "務必", "请", "請", "别", "別", "任何", "凡是", "只要", "牢记", "牢記", "忘"),
        *("从不", "决不", "绝不", "改用", "而是"),
    ),
    "japanese": ("い", "う", "の", "に", "て", "は", "で", "を", "が"),
}  # fmt: skip
"""For each language except English: a folded text without any of these parts cannot match its table."""

_ACCENTED = "àáâãäåāăąçćčďèéêëēęěğìíîïīıñńňòóôõöøōőŕřśşšșțùúûüūůűýÿźżžёţİ"
_PLAIN = "aaaaaaaaacccdeeeeeeegiiiiiinnnoooooooorrsssstuuuuuuuyyzzzеti"
_LETTERS = str.maketrans(_ACCENTED, _PLAIN)


def fold_in_place(text: str) -> str:
    """Lower case without accents of Latin letters, of the same length: every offset stays valid."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    if len(lowered) != len(text):  # a letter that would become two is unchanged
        lowered = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return lowered.translate(_LETTERS)


def tables_for(folded: str) -> tuple[LanguageTable, ...]:
    """The tables that can match a text in the form of `fold_in_place`; English is always among them."""
    names = ["english"]
    for name, signs in LANGUAGE_SIGNS.items():
        if any(sign in folded for sign in signs):
            names.append(name)
    return tuple(map(language_table, names))


@cache
def language_table(name: str) -> LanguageTable:
    """The table of one language."""
    table: LanguageTable = import_module(f"memtool.core.capture.languages.{name}").TABLE
    return table


def all_triggers() -> tuple[Trigger, ...]:
    """The triggers of every language."""
    return tuple(
        trigger for name in ("english", *LANGUAGE_SIGNS) for trigger in language_table(name).triggers
    )
