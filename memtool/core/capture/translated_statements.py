"""Statements of circumstances in ten languages, hasty English among them: which rows a sentence matches.

Rows match the folded sentence from the start of a clause on. What a question asks, what a supposition
assumes and what somebody else says is not a statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from msgspec import Struct

from memtool.core.capture.languages.circumstance_signs import STATEMENT_SIGNS
from memtool.core.capture.languages.circumstances_grammar import NO_PLACE
from memtool.core.capture.languages.statement_words import VALUE_EDGE, StatementForm
from memtool.core.capture.languages.suppositions import is_supposed
from memtool.core.capture.plausible import is_of_work, is_product, is_short_stay
from memtool.core.text.discourse import closing_start
from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CODE_MASK, URL_MASK
from memtool.core.text.sign_index import SignIndex, short_parts

_LATIN = ("english", "spanish", "portuguese", "french", "german", "turkish", "uzbek")
_PLACED = frozenset({"LIVES_IN", "COMES_FROM", "WORKS_AT"})
_OWN = frozenset({"HAS_FAMILY", "HAS_CONDITION", "HAS_TRAIT", "ALLERGIC_TO", "HAS_AGE"})
"""What a person has or is."""
_MAX_MATCHES = 3
"""The most statements of one sentence."""
_LEADS = (  # words between the start of a clause and a statement, of all spaced languages, folded
    "hola|buenas|bueno|pues|oye|mira|y|pero|ademas|por cierto|como|ya que|porque|es que|soy nuev[oa]"
    "|verás|veras|la verdad|actualmente|entonces"
    "|ola|oi|bom|bem|e|mas|alias|a proposito|visto que|e que|olha|tambem|entao|ah|oh|ok|okay|na verdade"
    "|no caso|tipo"
    "|salut|bonjour|bonsoir|coucou|alors|et|mais|car|comme|parce que|puisque|d'ailleurs|au fait|sinon"
    "|en fait|bon|ben"
    "|hallo|hi|hey|moin|und|aber|also|denn|ubrigens|ja|nein|servus|guten (?:tag|morgen|abend)"
    "|kurz zu mir|zur info|naja|na ja"
    "|привет|здравствуйте|добрый день|и|а|но|ну|так как|потому что|кстати|да|нет|слушай"
    "|дело в том,? что|вообще|просто|если что"
    "|merhaba|selam|slm|ve|ama|bu arada|sey|evet|hayir|ya|tabii|biliyorsun|malum"
    "|salom|assalomu alaykum|va|lekin|ammo|aytgancha|xullas|ha|yo'q|chunki"
)
_ADVERBIAL = (  # the first word of a time or place that stands before a statement
    r"(?:since|for|after|during|in|at|from|last|this|every"
    r"|desde|hace|tras|despues de|durante|en|ha|depois de|durante|em|na|depuis|apres|pendant"
    r"|seit|nach|im|bei|vor|am|с|после|в|на|уже|gecen|bu|o'tgan"
    r"|\w+['’]?(?:[dt][ae]n?|dir|beri|yildir|aydir|gacha))(?= )"
)
_CONJUNCTIONS = (
    "and",
    "but",
    "y",
    "e",
    "et",
    "und",
    "и",
    "ve",
    "va",
    "mas",
    "mais",
    "pero",
    "aber",
    "но",
    "а",
    "lekin",
    "ama",
)
_CLAUSE_START = rf"^\W{{0,6}}|[,;:.!?¿¡(—–…\n-] ?| (?:{'|'.join(_CONJUNCTIONS)}) "
_LEAD = rf"(?:{_LEADS})[,!.:]{{0,2}} "
_START_OF_CONTINUOUS = r"^\W{0,6}|[，,、。：:；;！!？?\s（「]"
_LEAD_OF_CONTINUOUS = (
    r"(?:但|但是|因为|因為|由于|由於|你好|您好|对了|顺便说一下|顺便|另外|而且|其实|嗨"
    r"|ちなみに|こんにちは|実は|あと|それと|ところで|なお|えっと|あの)[，,、]?"
)
_CLAUSE_MARK = r"[,;:.!—–¿…、，；：。！]| - |けど|ので|から|んですが"
_CONDITIONAL_AFTER = (
    r"\W{0,2}(?:なら|と仮定|としたら|とすれば|場合|とき|人|方(?!な)|わけでは|でしょうか|ですか|か[？?]|らしい|みたい|そうです|って(?:言|聞|設定)|という設定|と(?:言|仮)"
    r"|的话|的人|的时候|吗|嗎|deb (?:ayt|so'ra|yoz)|diye (?:sor|yaz|bir)|dedi|dese|farz|olsa)"
)
_SAID_BEFORE = (
    r"(?:dice|dijo|dicen|diz|disse|dit|disait|sagt|sagte|meint|schreibt|говорит|сказал[аи]?|пишет|dedi"
    r"|diyor|aytdi|deydi|说|說|写道|言った|言って"
    r"|traduce|traduz\w*|tradui\w+|ubersetz\w*|перевед\w+|cevir\w*|tarjima\w*|翻译|翻譯|訳し|escribe|escreve"
    r"|ecris|schreib\w*|напиши\w*|yaz|写一|書いて"
    r"|ejemplo|exemplo|exemple|beispiel\w*|пример\w*|ornek|misol|例句|例えば|personaje|personagem|personnage"
    r"|figur|персонаж\w*|karakter|角色|主角|主人公)"
)


class FormMatch(Struct, frozen=True):
    """A row, what its named groups hold in the sentence, its value, and its span of the sentence."""

    form: StatementForm
    groups: Mapping[str, str | None]
    value: str
    start: int
    end: int
    is_denied: bool = False


def may_state_translated(folded: str) -> bool:
    """Whether a folded text has a sign of some row; a fast test."""
    return any(_languages(folded))


def rows_of(folded: str) -> tuple[StatementForm, ...]:
    """The rows of which a folded text has a sign, without which they do not match."""
    parts = short_parts(folded)
    return tuple(
        language_forms(name)[number]
        for name in _languages(folded)
        for number in _sign_index(name).rows(folded, parts)
    )


def translated_matches(
    sentence: str, folded: str, rows: tuple[StatementForm, ...], *, is_question: bool
) -> list[FormMatch]:
    """The statements of a sentence, given also folded, in its order; of a question, those before it."""
    rows = tuple(form for form in rows if any(sign in folded for sign in form.signs))
    asked_from = (question_start(folded) if is_question else len(folded)) if rows else 0
    if asked_from == 0:
        return []
    found: list[FormMatch] = []
    starts = tuple(_starts(folded[:asked_from]))
    for form in rows:
        pattern = regex(form.pattern)
        match = next((hit for start in starts if (hit := pattern.match(folded, start, asked_from))), None)
        if match is None:
            continue
        groups = {
            name.rstrip("23"): sentence[slice(*match.span(name))].strip(VALUE_EDGE)
            for name, text in match.groupdict().items()
            if text
        }
        value = groups.get("value") or groups.get("place") or groups.get("name") or ""
        value = value[: closing_start(value, 0, len(value))]
        if not value or CODE_MASK in match[0] or URL_MASK in match[0]:
            continue
        if form.predicate == "LIVES_IN" and (is_product(value) or is_short_stay(sentence, *match.span())):
            continue
        if form.predicate in _PLACED and regex(NO_PLACE).search(fold_in_place(value)):
            continue
        is_of_other = regex(r" from [A-ZÀ-Þ]").search(sentence, match.start(), match.end()) is not None
        if form.predicate == "LIVES_IN" and is_of_other and not _is_capitalised(value):
            continue  # "from Ghent to bed": somebody who writes one place with a capital does so with both
        if form.predicate in _OWN and is_of_work(match[0]):
            continue
        named = "name" in groups or (form.predicate == "WORKS_AT" and "place" in groups)
        if named and not _is_capitalised(value):
            continue
        if _is_asserted(folded, match.start(), match.end()):
            found.append(FormMatch(form, groups, value, match.start(), match.end(), "denied" in groups))
    return _disjoint(found)


def _starts(folded: str) -> Iterator[int]:
    """Where a statement may start: at the start of each clause, and after words that lead to it."""
    is_spaced = regex("[a-zа-я]").search(folded) is not None and not regex("[\u3040-\u9fff]").search(folded)
    mark = regex(_CLAUSE_START if is_spaced else _START_OF_CONTINUOUS)
    lead = regex(_LEAD if is_spaced else _LEAD_OF_CONTINUOUS)
    for match in mark.finditer(folded):
        start = match.end()
        yield start
        for _ in range(3):
            following = lead.match(folded, start)
            if following is None:
                break
            start = following.end()
            yield start
        if is_spaced and regex(_ADVERBIAL).match(folded, start):
            yield from _word_starts(folded, start)


def _word_starts(folded: str, start: int) -> Iterator[int]:
    """Where the words after the first begin, up to the end of the clause and six of them."""
    for _ in range(6):
        word = regex(r"[\w'’.-]+ ").match(folded, start)
        if word is None:
            return
        start = word.end()
        yield start


def _disjoint(found: list[FormMatch]) -> list[FormMatch]:
    """The matches in the order of the sentence; of those that overlap, the one of the earlier row."""
    chosen: list[FormMatch] = []
    for match in found:
        if all(match.end <= other.start or other.end <= match.start for other in chosen):
            chosen.append(match)
    return sorted(chosen, key=lambda match: match.start)[:_MAX_MATCHES]


def _languages(folded: str) -> Iterator[str]:
    """The languages whose script a folded text has, and a sign of whose rows."""
    scripts = _LATIN if regex("[a-z]").search(folded) else ()
    if not folded.isascii():
        if regex("[а-я]").search(folded):
            scripts = (*scripts, "russian")
        if regex("[ぁ-ヿ]").search(folded):
            scripts = (*scripts, "japanese")
        elif regex("[\u3400-\u9fff]").search(folded):
            scripts = (*scripts, "chinese")
    has = folded.__contains__
    return (name for name in scripts if any(map(has, STATEMENT_SIGNS[name].split("|"))))


@cache
def _sign_index(language: str) -> SignIndex:
    return SignIndex([form.signs for form in language_forms(language)])


@cache
def language_forms(language: str) -> tuple[StatementForm, ...]:
    """The rows of one language."""
    module = import_module(f"memtool.core.capture.languages.circumstances_{language}")
    from memtool.core.capture.languages.circumstances_life import LIFE_FORMS

    forms: tuple[StatementForm, ...] = module.FORMS
    return (*forms, *LIFE_FORMS[language])


def question_start(folded: str) -> int:
    """Where the clause begins that makes a sentence a question; 0 if it is all of it."""
    end = next((number for number in range(len(folded), 0, -1) if folded[number - 1].isalnum()), 0)
    marks = [match.start() for match in regex(_CLAUSE_MARK).finditer(folded, 0, end)]
    return marks[-1] + 1 if marks else 0


def _is_asserted(folded: str, start: int, end: int) -> bool:
    """Whether nothing around a match makes it a supposition or the words of somebody else."""
    return (
        not is_supposed(folded, 0, start)
        and regex(_CONDITIONAL_AFTER).match(folded, end) is None
        and regex(rf"(?:\b{_SAID_BEFORE}\b|[\u3040-\u9fff]{_SAID_BEFORE}|^{_SAID_BEFORE})").search(
            folded[:start]
        )
        is None
    )


def _is_capitalised(name: str) -> bool:
    return name[0].isupper() or not name[0].islower()
