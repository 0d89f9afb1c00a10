"""Newer values: whether a later statement tells what an earlier one says is now, for those who read both.

Both are in memory where the later one is too vague to supersede the earlier: "My doctor upped me to 75 mg"
after "I take 50 mg of sertraline". To print it first needs less certainty than that.
"""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.capture.languages.correction_signs import NEWS_SIGNS, NOW
from memtool.core.facts.own_relations import own_relations
from memtool.core.text.first_person import has_first_person
from memtool.core.text.folding import search_fold
from memtool.core.text.person_nouns import person_nouns
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_NOW = rf"(?i){NOW}"
_AMOUNT = r"(?<![\w.,])(?P<number>\d+(?:[.,]\d+)*) ?(?P<unit>%|[a-z]+)"
_TO_AMOUNT = rf"\b(?:to|auf|a|zu) {_AMOUNT}(?: (?:of|von|de) (?P<thing>[\w-]+))?"
_NO_UNIT = (
    r"(?:am|pm|uhr|h|o|and|or|in|on|at|of|the|und|oder|y|et|e|de|minutes|hours|years|months|weeks|days)"
)
"""Words, folded, after a number that is a time, or that counts nothing named."""
_OWN_HOME = r"(?i)\b(?:my|our) own (?:place|flat|apartment|house|room) "
_NAMED = r"(?<=[\w,] )[A-ZÀ-Þ][a-zß-ÿ]+"
_OWNED = r"\b[\w-]+['’]s (?=[\w-]+)"
_DEFINITE = r"(?i)\bthe [\w-]+"


def may_tell_news(text: str) -> bool:
    """Whether a text has a sign that what it says was different before."""
    lowered = text.lower()
    return (
        any(map(lowered.__contains__, NEWS_SIGNS))
        or regex(_NOW).search(text) is not None
        or regex(_TO_AMOUNT).search(search_fold(text)) is not None
        or regex(_OWN_HOME).search(text) is not None
    )


def tells_newer(new: str, old: str, between: Sequence[str] = (), *, is_as_near: bool = False) -> bool:
    """Whether `new`, which was said after `old`, tells what is now of what `old` says.

    `between` are the statements that were said between the two and that may be meant instead, where `new`
    does not name what it is about. `is_as_near` says that `new` has all words of a question that `old` has.
    """
    from memtool.core.capture.near_memory import nearness  # few facts tell news
    from memtool.core.capture.told_news import outdates, told_news

    if comparable(new) == comparable(old):
        return False
    news = told_news(new)
    if news is not None and outdates(news, old):
        return bool(news.thing) or not any(outdates(news, other) for other in between)
    if is_as_near and regex(_NOW).search(new) and nearness(new, old):
        return True
    if news is not None and news.thing and regex(_DEFINITE).search(new) and not regex(_OWNED).search(new):
        unowned = regex(_OWNED).sub("", old)
        if unowned != old and outdates(news, unowned):
            return not any(outdates(news, regex(_OWNED).sub("", other)) for other in between)
    if _changes_amount(new, old):
        return not any(_changes_amount(new, other) for other in between)
    if regex(_OWN_HOME).search(new):
        return "LIVES_IN" in own_relations(new) and "LIVES_IN" in own_relations(old)
    return _ends(new, old)


def comparable(text: str) -> str:
    """A text for a comparison of what two say, without case and the mark at the end."""
    return search_fold(text).strip(" .!")


def _changes_amount(new: str, old: str) -> bool:
    """Whether `new` tells the user's new number of a unit of which `old` has another."""
    found = regex(_TO_AMOUNT).search(search_fold(new))
    if found is None or regex(_NO_UNIT).fullmatch(found["unit"]) or not has_first_person(new):
        return False
    others = {*map(search_fold, regex(_NAMED).findall(new))} - person_nouns()
    if (
        others
        or not has_first_person(old)
        or not {*filter(None, [found["thing"]])} <= {*search_fold(old).split()}
    ):
        return False
    known = [
        other["number"]
        for other in regex(_AMOUNT).finditer(search_fold(old))
        if other["unit"] == found["unit"]
    ]
    return bool(known) and found["number"] not in known


def _ends(new: str, old: str) -> bool:
    """Whether `new` says what is now, and that something ended that `old` names."""
    if not regex(_NOW).search(new) or not (
        names := {*regex(_NAMED).findall(new)} & {*regex(_NAMED).findall(old)}
    ):
        return False
    from memtool.core.capture.endings import endings

    shared = content_stems(" ".join(names))
    return any(shared & content_stems(text) for ending in endings(new) for text in ending.affirmed)
