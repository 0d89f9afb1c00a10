"""Stems of Russian words: the words without their endings.

The rules are those of Snowball's stemmer for Russian without its last, derivational steps, spelled as
folded text is, where an ё is an е and an й an и. Snowball's own is not used: it applies them once, which
takes more of some forms of a noun than of others, so that 12 of the 27 words in the tests have two stems
(журнал and журнала, система and систему, Иван and Ивану). Here they are applied until nothing is left to
take, save the а that a verb is left with: applied again and again, Snowball's makes порт of портал.
"""

from __future__ import annotations

from memtool.core.text.pattern import compiled

_SHORTEST = 2
"""Letters that a stem has at least."""

_GERUND_BEHIND_A = ("вшись", "вши", "в")
_GERUND = ("ившись", "ывшись", "ивши", "ывши", "ив", "ыв")
_ADJECTIVE = (
    *("ими", "ыми", "его", "ого", "ему", "ому"),
    *("ее", "ие", "ые", "ое", "еи", "ии", "ыи", "ои", "ем", "им", "ым", "ом"),
    *("их", "ых", "ую", "юю", "ая", "яя", "ою", "ею"),
)
_PARTICIPLE_BEHIND_A = ("ем", "нн", "вш", "ющ", "щ")
_PARTICIPLE = ("ивш", "ывш", "ующ")
_VERB_BEHIND_A = (
    *("ешь", "нно", "ете", "ите", "ла", "на", "ли", "ем", "ло", "но", "ет", "ют", "ны", "ть", "и", "л", "н"),
)
_VERB = (
    *("еите", "уите", "ила", "ыла", "ена", "ите", "или", "ыли", "ило", "ыло", "ено", "ует", "уют", "ены"),
    *("ить", "ыть", "ишь", "еи", "уи", "ил", "ыл", "им", "ым", "ен", "ят", "ит", "ыт", "ую", "ю"),
)
_NOUN = (
    *("иями", "ями", "ами", "иеи", "иям", "ием", "иях", "ев", "ов", "ие", "ье", "еи", "ии", "ои", "ям", "ем"),
    *("ам", "ом", "ах", "ях", "ию", "ью", "ия", "ья", "а", "е", "и", "о", "у", "ы", "ь", "ю", "я"),
)


def stem(word: str) -> str:
    """The stem of a folded word in Russian letters; any other word itself."""
    found = compiled("([б-джзк-нп-тф-щъь]*[аеиоуыэюя])([а-я]+)").fullmatch(word)
    if found is None:
        return word
    before, end = found[2], _shortened(found[2])
    while end != before and not end.endswith(("а", "я")):
        before, end = end, _shortened(end)
    return word[: max(_SHORTEST, len(found[1] + end))]


def _shortened(end: str) -> str:
    """What follows the first vowel of a word, without its endings, a double н and a ь."""
    end = _without_endings(end)
    if end.endswith("нн"):
        end = end[:-1]
    return end.removesuffix("ь")


def _without_endings(end: str) -> str:
    gerund = _without(end, _GERUND, _GERUND_BEHIND_A)
    if gerund is not None:
        return gerund.removesuffix("и")
    end = end.removesuffix("ся") if end.endswith("ся") else end.removesuffix("сь")
    adjective = _without(end, _ADJECTIVE)
    if adjective is not None:
        participle = _without(adjective, _PARTICIPLE, _PARTICIPLE_BEHIND_A)
        return (adjective if participle is None else participle).removesuffix("и")
    for endings, behind_a in ((_VERB, _VERB_BEHIND_A), (_NOUN, ())):
        left = _without(end, endings, behind_a)
        if left is not None:
            return left.removesuffix("и")
    return end.removesuffix("и")


def _without(end: str, endings: tuple[str, ...], behind_a: tuple[str, ...] = ()) -> str | None:
    """Without the longest of these endings; those `behind_a` count only after an а or я. None for none."""
    longest = max((one for one in endings if end.endswith(one)), key=len, default="")
    for one in behind_a:
        if len(one) > len(longest) and end.endswith(one) and end[: -len(one)].endswith(("а", "я")):
            return end[: -len(one)]
    return end[: -len(longest)] if longest else None
