"""Stems: one form for all forms of a word, so that a search for one finds the others.

English, Arabic, Greek and Hindi use Snowball's stemmers, Russian our own (`russian_stem` says why); the
script tells which. A word of another language in Latin letters gets the English stem, because a word alone
does not tell its language; a search finds its other forms by their beginning (`index/documents/terms.py`).
Stems are stored in the indexes, and a minor release of Snowball may change them: when its version in
pyproject.toml rises, the versions of the indexes must rise, too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stopwords import is_stop_word
from memtool.core.text.tokenizer import content_terms

_MIN_LETTERS, _MAX_LETTERS = 3, 40
"""Letters of a word that is stemmed."""
_SNOWBALL_SCRIPTS = (
    ("\u0600", "\u06ff", "arabic"),
    ("\u0370", "\u03ff", "greek"),
    ("\u0900", "\u097f", "hindi"),
)
"""The first and last letter of a script, and the language whose stemmer its words get."""
_HEH, _TEH_MARBUTA = "\u0647", "\u0629"
_CACHE_SIZE = 100_000
"""Words whose stems are cached; bounded, because a watcher runs for months."""
_EXCEPTIONS = frozenset({"die", "lie", "tie"})
"""Stems of Snowball's exceptions (`dying`) that have only the first letter of the word."""
_MOST_BEGINNING = 4
_IRREGULAR = """
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun
bend bent|bind bound|bite bitten|bleed bled|blow blew blown|break broke broken|breed bred
bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung
come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk
drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found
flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven
freeze froze frozen|get got gotten|give gave given|go went gone|grind ground|grow grew grown
hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lead led
lean leant|leap leapt|learn learnt|leave left|lend lent|light lit|lose lost|make made|mean meant
meet met|mistake mistook mistaken|overcome overcame|pay paid|prove proven|ride rode ridden
ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent
sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spin spun
spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck
swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn
tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn
weave wove woven|weep wept|win won|wind wound|withdraw withdrew withdrawn|write wrote written
child children|foot feet|goose geese|knife knives|man men|mouse mice|person people
tooth teeth|wife wives|wolf wolves|woman women|good better best|bad worse worst
"""
"""Irregular forms, each row after its base form: Snowball has rules for endings only."""

_SHORTEST_STEM = 2
"""The fewest letters of a Russian stem."""
_GERUND_AFTER_A = ("вшись", "вши", "в")
_GERUND = ("ившись", "ывшись", "ивши", "ывши", "ив", "ыв")
_ADJECTIVE = (
    *("ими", "ыми", "его", "ого", "ему", "ому"),
    *("ее", "ие", "ые", "ое", "еи", "ии", "ыи", "ои", "ем", "им", "ым", "ом"),
    *("их", "ых", "ую", "юю", "ая", "яя", "ою", "ею"),
)
_PARTICIPLE_AFTER_A = ("ем", "нн", "вш", "ющ", "щ")
_PARTICIPLE = ("ивш", "ывш", "ующ")
_VERB_AFTER_A = (
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


@functools.lru_cache(_CACHE_SIZE)
def stem(word: str) -> str:
    """The stem of a folded word by the language of its script (`buy` for `bought`), else the word itself."""
    if not (_MIN_LETTERS <= len(word) <= _MAX_LETTERS):
        return word
    if word.isascii():
        return _snowball("english")(base_form(word)) if word.isalpha() else word
    for first, last, language in _SNOWBALL_SCRIPTS:
        if first <= word[0] <= last:
            return arabic_stem(word) if language == "arabic" else search_fold(_snowball(language)(word))
    return russian_stem(word) if word.isalpha() else word


def content_stems(text: str) -> frozenset[str]:
    """The stems of the words of a text that say something: no grammar words, no stop words."""
    words = (word.removesuffix("'s") for word in content_terms(search_fold(text)))
    return frozenset(stem(word) for word in words if not is_stop_word(word))


def stem_like(roots: Iterable[str]) -> Callable[[str], str]:
    """A function that stems words, but returns nothing for a word whose stem is certainly none of `roots`.

    Stemming changes endings alone, so that words of the same stem begin with the same letters.
    """
    roots = [*roots]
    beginnings = [beginnings_of(root) for root in roots]
    if all(beginnings):
        possible = tuple(letters for known in beginnings for letters in known)
        return lambda word: stem(word) if word.startswith(possible) else ""
    letters = frozenset(root[:1] for root in roots)
    irregular = _irregular()

    def stem_if_like(word: str) -> str:
        return stem(word) if irregular.get(word, word)[:1] in letters else ""

    return stem_if_like


@functools.lru_cache(_CACHE_SIZE)
def beginnings_of(root: str) -> tuple[str, ...]:
    """Letters such that every ASCII word with this stem begins with some of them; none if that is not known.

    Stemming changes endings alone: at least three letters of a longer stem are those of the word.
    """
    if not root.isascii():
        return ()
    length = 1 if root in _EXCEPTIONS else max(min(len(root), 2), min(len(root) - 1, _MOST_BEGINNING))
    irregular = _irregular().items()
    return root[:length], *(form for form, base in irregular if base[:1] == root[:1] and stem(base) == root)


def base_form(word: str) -> str:
    """The base form of an irregular form; any other word itself."""
    return _irregular().get(word, word)


def arabic_stem(word: str) -> str:
    """The stem of a folded word in Arabic letters, without article, conjunctions and pronouns.

    Folding writes teh marbuta as heh. At the end of a word it nearly always is a teh marbuta, and Snowball
    removes the ending only if it reads as one.
    """
    written = word[:-1] + _TEH_MARBUTA if word[-1] == _HEH else word
    return search_fold(_snowball("arabic")(written))


@functools.cache
def _snowball(language: str) -> Callable[[str], str]:
    """Snowball's stemmer: PyStemmer if installed, else the one in Python, which loads in 20 ms."""
    import snowballstemmer

    stem_word: Callable[[str], str] = snowballstemmer.stemmer(language).stemWord
    return stem_word


@functools.cache
def _irregular() -> dict[str, str]:
    rows = (row.split() for row in _IRREGULAR.replace("\n", "|").split("|"))
    return {form: row[0] for row in rows if row for form in row[1:]}


def russian_stem(word: str) -> str:
    """The stem of a folded word in Russian letters; any other word itself.

    The rules are those of Snowball's stemmer for Russian without its last, derivational steps, spelled as
    folded text is (е for ё, и for й). Snowball applies them once, which takes more of some forms of a noun
    than of others: 12 of the 27 words in the tests then have two stems (журнал and журнала, система and
    систему, Иван and Ивану). Here they are applied until none applies, except to a stem that ends in а or я:
    repeated on those, Snowball's rules make порт of портал.
    """
    match = regex("([б-джзк-нп-тф-щъь]*[аеиоуыэюя])([а-я]+)").fullmatch(word)
    if match is None:
        return word
    previous, end = match[2], _strip_endings(match[2])
    while end != previous and not end.endswith(("а", "я")):
        previous, end = end, _strip_endings(end)
    return word[: max(_SHORTEST_STEM, len(match[1] + end))]


def _strip_endings(end: str) -> str:
    """The part of a word after its first vowel, without endings, a double н and a ь."""
    end = _strip_inflection(end)
    if end.endswith("нн"):
        end = end[:-1]
    return end.removesuffix("ь")


def _strip_inflection(end: str) -> str:
    gerund = _remove_longest(end, _GERUND, _GERUND_AFTER_A)
    if gerund is not None:
        return gerund.removesuffix("и")
    end = end.removesuffix("ся") if end.endswith("ся") else end.removesuffix("сь")
    adjective = _remove_longest(end, _ADJECTIVE)
    if adjective is not None:
        participle = _remove_longest(adjective, _PARTICIPLE, _PARTICIPLE_AFTER_A)
        return (adjective if participle is None else participle).removesuffix("и")
    for endings, after_a in ((_VERB, _VERB_AFTER_A), (_NOUN, ())):
        stem = _remove_longest(end, endings, after_a)
        if stem is not None:
            return stem.removesuffix("и")
    return end.removesuffix("и")


def _remove_longest(end: str, endings: tuple[str, ...], after_a: tuple[str, ...] = ()) -> str | None:
    """Remove the longest of these endings (`after_a`: only after а or я); None if there is none."""
    longest = max((ending for ending in endings if end.endswith(ending)), key=len, default="")
    for ending in after_a:
        if len(ending) > len(longest) and end.endswith(ending) and end[: -len(ending)].endswith(("а", "я")):
            return end[: -len(ending)]
    return end[: -len(longest)] if longest else None
