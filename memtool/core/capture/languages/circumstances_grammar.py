"""The parts that rows of every language share: where values end, and how a row of a spaced language begins."""

from __future__ import annotations

from memtool.core.capture.languages.statement_words import StatementForm

END = r"(?= ?(?:$|[^\w\s'’-]))"
"""The end of a clause; in a lookahead, because a statement may follow."""
DATE = r"(?P<value>(?:[^\s,;.!?]+ ){0,2}?\d{1,2}(?:[./-]\d{1,2})?(?:[^\s,;!?]* ?[^\s\d,;.!?]+){0,2}?)"


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
