"""Withdrawn rules: which rules of conduct a withdrawal is about: "forget what I said about short sentences".

A rule is one if it has every word that tells the topic. Where one rule says just that, it is meant alone;
where several may be meant, or the rule says more, a person decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from memtool.core.capture.languages.withdrawing_forms import GENERIC, LENGTH_LIMIT, LONG, SHORT
from memtool.core.capture.other_value import has_negation
from memtool.core.capture.withdrawals import Withdrawal
from memtool.core.facts.contrary import FRAME_LISTS, every_reply_terms, is_forbidding
from memtool.core.facts.rules import ConductRule
from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_function_word
from memtool.core.text.phrases import PhraseLists
from memtool.core.text.regex import regex
from memtool.core.text.stems import stem
from memtool.core.text.tokenizer import word_list

_ENDINGS = frozenset(["", *["e", "n", "s", "x", "a", "o", "es", "en", "er", "em", "as", "os"]])
_AGGLUTINATING = frozenset({"tr", "uz"})
_CONTINUOUS = frozenset({"zh", "ja"})
_FORBIDS_CONTINUOUS = r"不|没|别|別|勿|禁|ない|ません"
_SHORTEST = 4
"""Letters that two forms of a word share at least."""
_CHARACTERS = r"[\u3400-\u9fff]+|[ァ-ヶー]+"
_GENERIC_CHARACTERS = r"使用|使|用|回答|答|書|写|关于|提供|给出|的"
_CASE = (
    r"\b(?:in|for|when|before|after|while|during|on|if|unless|to|with|bei|fur|wenn|vor|nach|dans|pour|quand"
    r"|avant|en|para|cuando|antes)\b(?P<case>.*)"
)
_PARTS = r"[,;.:!?—–、，。；]+\s*|\s-\s|\s(?:and|und|y|e|et|и|ve|va)\s"


class WithdrawnRules(Struct, frozen=True):
    """The rule that a withdrawal takes back; or those of which a person has to choose."""

    rule: ConductRule | None = None
    undecided: tuple[ConductRule, ...] = ()


def withdrawn_rules(
    withdrawal: Withdrawal, rules: Sequence[ConductRule], markers: PhraseLists
) -> WithdrawnRules:
    """What a withdrawal takes back of the rules of its owner; nothing if none has all words of its topic.

    A release ("you don't need to …") takes back what demands something, a permission what forbids something;
    of a topic that forbids ("you don't need to avoid …") the reverse. A pinned rule is left to a person.
    """
    topic = _topic(withdrawal, markers)
    about = [
        rule
        for rule in rules
        if topic and _is_of_kind(withdrawal, rule, topic, markers) and _has(rule, topic, withdrawal)
    ]
    exact = [rule for rule in about if _says_only(rule, topic, withdrawal, markers)]
    if not about:
        about = exact = [rule for rule in rules if _limits_length(rule, withdrawal, markers)]
    found = exact if len(exact) == 1 else about
    for rule in found if len(found) == 1 else ():
        is_lift = withdrawal.kind != "any" and not exact  # emojis are fine again, perhaps not in commits
        is_narrow = is_lift and _is_limited(rule, topic, withdrawal, markers)
        if not (rule.pinned or is_narrow or _says_more(rule, topic, withdrawal)):
            return WithdrawnRules(rule)
    return WithdrawnRules(undecided=tuple(found))


def _topic(withdrawal: Withdrawal, markers: PhraseLists) -> frozenset[str]:
    """The folded words of a topic that tell which instruction is meant."""
    topic = search_fold(withdrawal.topic)
    if withdrawal.language in _CONTINUOUS:
        return frozenset(regex(_CHARACTERS).findall(regex(_GENERIC_CHARACTERS).sub(" ", topic)))
    topic = _without_frame(topic, markers)
    return frozenset(word for word in _words(topic) if _tells(word, withdrawal.language))


def _tells(word: str, language: str) -> bool:
    return (
        word.isalnum()
        and not is_function_word(word, language)
        and word not in GENERIC
        and stem(word) not in every_reply_terms()
        and not word.startswith(("answer", "respon", "repl", "antwort"))
    )


def _has(rule: ConductRule, topic: frozenset[str], withdrawal: Withdrawal) -> bool:
    """Whether a rule has all words of a topic."""
    return _has_words(search_fold(rule.text), topic, withdrawal.language)


def _has_words(text: str, topic: frozenset[str], language: str) -> bool:
    if language in _CONTINUOUS:
        bare = regex(_GENERIC_CHARACTERS).sub("", text)
        return all(characters in bare for characters in topic)
    words = _words(text)
    return all(any(_is_form(word, known, language) for known in words) for word in topic)


def _words(text: str) -> list[str]:
    """The words of a folded text, those after an elision apart: `d'emojis`."""
    return word_list(regex(r"\b[a-z]{1,2}'(?=\w)").sub(" ", text))


def _is_form(word: str, other: str, language: str) -> bool:
    """Whether two words are forms of one."""
    if word == other or stem(word) == stem(other):
        return True
    shared = next(
        (place for place, (a, b) in enumerate(zip(word, other, strict=False)) if a != b),
        min(len(word), len(other)),
    )
    if shared < _SHORTEST:
        return False
    ends = word[shared:], other[shared:]
    return all(end in _ENDINGS for end in ends) or (language in _AGGLUTINATING and "" in ends)


def _is_of_kind(
    withdrawal: Withdrawal, rule: ConductRule, topic: frozenset[str], markers: PhraseLists
) -> bool:
    """Whether a rule, or the part of it about a topic, demands or forbids what the withdrawal lifts."""
    if withdrawal.kind == "any":
        return True
    forbids = (withdrawal.kind == "ban") != is_forbidding(withdrawal.topic, markers)
    text = search_fold(rule.text)
    if withdrawal.language in _CONTINUOUS:
        return forbids == (regex(_FORBIDS_CONTINUOUS).search(text) is not None)
    parts = [part for part in regex(_PARTS).split(text) if _has_words(part, topic, withdrawal.language)]
    return any(
        forbids == (is_forbidding(part, markers) or has_negation(word_list(part))) for part in parts or [text]
    )


def _limits_length(rule: ConductRule, withdrawal: Withdrawal, markers: PhraseLists) -> bool:
    """Whether a rule says only how long the answers may be of which a permission says that they may be long.

    A release from short ones is about such a rule, too.
    """
    if withdrawal.language != "en" or withdrawal.kind == "any":
        return False
    said, text = search_fold(withdrawal.topic), search_fold(rule.text)
    value = LONG if withdrawal.kind == "ban" else SHORT
    if not regex(value).search(said) or is_forbidding(rule.text, markers):
        return False
    left = regex(f"{LENGTH_LIMIT}|{SHORT}").sub(" ", text)
    if left == text:
        return False
    about = [
        {stem(word) for word in _words(_without_frame(bare, markers)) if _tells(word, "en")}
        for bare in (left, regex(value).sub(" ", said))
    ]
    return about[0] == about[1]


def _without_frame(text: str, markers: PhraseLists) -> str:
    for name in FRAME_LISTS:
        text = markers.remove(name, text)
    return text


def _says_only(
    rule: ConductRule, topic: frozenset[str], withdrawal: Withdrawal, markers: PhraseLists
) -> bool:
    """Whether a rule tells nothing but a topic."""
    text = _without_frame(search_fold(rule.text), markers)
    words = [word for word in _words(text) if _tells(word, withdrawal.language)]
    return all(any(_is_form(word, known, withdrawal.language) for known in topic) for word in words)


def _is_limited(
    rule: ConductRule, topic: frozenset[str], withdrawal: Withdrawal, markers: PhraseLists
) -> bool:
    """Whether a rule holds only in a case that a topic does not name: "no emojis in commit messages"."""
    case = regex(_CASE).search(_without_frame(search_fold(rule.text), markers))
    words = _words(case["case"]) if case else []
    return any(
        _tells(word, withdrawal.language)
        and not any(_is_form(word, known, withdrawal.language) for known in topic)
        for word in words
    )


def _says_more(rule: ConductRule, topic: frozenset[str], withdrawal: Withdrawal) -> bool:
    """Whether a rule has a part of its own that is not about a topic: "be brief, and never use emojis"."""
    text = search_fold(rule.text)
    parts = [part for part in regex(_PARTS).split(text) if len(word_list(part)) > 2]
    if withdrawal.language in _CONTINUOUS:
        parts = [part for part in regex(_PARTS).split(text) if len(part) > 3]
    return len(parts) > 1 and any(not _has_words(part, topic, withdrawal.language) for part in parts)
