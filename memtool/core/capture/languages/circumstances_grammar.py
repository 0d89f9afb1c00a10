"""The parts that rows of every language share: where values end, and how a row of a spaced language begins."""

from __future__ import annotations

from memtool.core.capture.languages.statement_words import StatementForm

END = r"(?= ?(?:$|[^\w\s'’-]))"
"""The end of a clause; in a lookahead, because a statement may follow."""
DATE = r"(?P<value>(?:[^\s,;.!?]+ ){0,2}?\d{1,2}(?:[./-]\d{1,2})?(?:[^\s,;!?]* ?[^\s\d,;.!?]+){0,2}?)"


NO_PLACE = (  # states of mind, computers and times, where one lives or works only in a figure of speech
    r"\b(?:fear|hell|hope|denial|poverty|peace|constant|the past|the cloud"
    r"|angst|sorge\w*|stress|hoffnung|holle|cloud|server|nacht|tag|vergangenheit|frieden|armut|unsicherheit"
    r"|miedo|infierno|nube|servidor|angustia|paz|pasado|pobreza|estres|medo|inferno|nuvem|passado|pobreza"
    r"|angoisse|peur|enfer|nuage|serveur|stress|espoir|passe|pauvrete|misere"
    r"|сервер\w*|облак\w+|хостинг\w*|верси\w+|баз[ауе]|страх\w*|ад[у]?|надежд\w+|стресс\w*|прошл\w+|иллюзи\w+"
    r"|bulut\w*|sunucu\w*|korku\w*|cehennem\w*|umut\w*|stres\w*|gecmis|server\w*|qo'rquv\w*|do'zax\w*|umid\w*)\b"
    r"|地狱|地獄|恐惧|恐懼|焦虑|云端|服务器|过去|梦里|幻想|不安|恐怖|クラウド|サーバー?|過去|夢の中"
)


def ends(words: str) -> str:
    """The end of a value: that of its clause, or one of `words`, which begin what follows a value."""
    return rf"(?= ?(?:$|[^\w\s'’-]| (?:{words})\b)|(?: (?:{words})\b))"


def place(words: str, not_first: str) -> str:
    """The name of a place. One without a capital is a single word before the end of the value."""
    return rf"(?!(?:{not_first})\b)(?P<place>[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){{0,3}}?){ends(words)}"


def phrase(words: str, count: int = 4) -> str:
    """Up to `count` words before the end of the value."""
    return rf"(?P<value>[^\W\d_][\w'’-]*(?: [\w'’-]+){{0,{count - 1}}}?){ends(words)}"


def rows(lead: str, *forms: tuple[str, tuple[str, ...], str]) -> tuple[StatementForm, ...]:
    """Rows of a predicate, its signs and a pattern that begins after `lead`."""
    return tuple(
        StatementForm(predicate, signs, f"(?:{lead}){pattern}", *_KINDS.get(predicate, ()))
        for predicate, signs, pattern in forms
    )


_KINDS = {
    "HAS_CONDITION": ("context", "high"),
    "HAS_FAMILY": ("relationship",),
    "KNOWS": ("relationship",),
    "OF_AGE": ("relationship",),
}
