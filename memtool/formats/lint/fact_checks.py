"""Checks of facts: invalid or duplicate lines of semantic files, rules and long-term memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from memtool.core.facts.contradictions import exclusive_claims
from memtool.core.facts.identity import fact_sentence
from memtool.core.facts.rules import ConductRule, contrary_pairs
from memtool.core.lint.check_result import CrossFileData, statement_hash
from memtool.core.lint.lint_target import FactRules, LintTarget, SourceText, closest_category
from memtool.core.lint.problem import TextProblem
from memtool.core.lint.timestamps import has_iso_form, is_valid_iso
from memtool.core.records.semantic import ExclusiveClaim
from memtool.core.text.edits import TextEdit
from memtool.core.text.regex import regex
from memtool.formats import long_term
from memtool.formats import rules as rules_format
from memtool.formats import semantic as semantic_format
from memtool.formats.syntax.outline import outline

_CATEGORY = r"(?a)\ufeff?[-*+] \[([A-Za-z0-9_]{2,})\](?P<rest>[^\n]*)"
_FACT_SYNTAX = (
    r"(?a)(?:^|\s)(?:[A-Z]+_[A-Z_]+|KNOWS|EXPERIENCED|USES|WANTS)\s|\[superseded:|\s\^[A-Za-z0-9][\w-]*\s*$"
    r"|\[(?:user|session):"
)
"""Syntax that only an intended fact has."""
_SUPERSEDED = r"(?a)\[superseded: ([^\]\n]*)\]"
_INVALID_ID = r"(?a)\s\^([A-Za-z0-9][A-Za-z0-9-]*_[\w-]*)\s*$"
_RULE = r"(?a)\ufeff?[-*+] \[(\d{4}-[^\]\n]{1,40})\]"
_ITEM = r"(?a)\ufeff?[-*+][ \t]+(?!\[[ xX]\])\S"
_MIN_WORDS = 3
"""Fewest words of an uncategorised line that can be a duplicate; `Status: done` may recur."""


class DuplicateFinder:
    """Finds duplicate lines of a file, by their text or by the hash of their statement."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._raw: dict[tuple[int, str], int] = {}
        self._said: dict[tuple[int, str], int] = {}

    def repeated_text(self, number: int, raw: str, section: int = 0) -> TextProblem | None:
        """The problem of a line whose exact text occurred before, with the edit that removes it.

        A line that continuation lines follow is not removed.
        """
        first = self._raw.setdefault((section, raw), number)
        if first == number:
            return None
        at = self._source.line_start(number)
        if has_continuation(self._source, number):
            return TextProblem(at, "M212", f"same statement as line {first}")
        return TextProblem(at, "M211", f"duplicate of line {first}", (_removal(self._source, number),))

    def repeated_statement(self, number: int, statement_hash: str, section: int = 0) -> TextProblem | None:
        """The problem of a line whose statement occurred before."""
        first = self._said.setdefault((section, statement_hash), number)
        if first == number:
            return None
        return TextProblem(self._source.line_start(number), "M212", f"same statement as line {first}")


class _CheckedLine(Struct, frozen=True):
    """What the line of a fact has wherever it is: problems at offsets from its start, and what it states.

    `name` is the fact's id or "", `digest` the hash of its statement if it is active, else "".
    """

    problems: tuple[TextProblem, ...]
    name: str
    digest: str
    claims: tuple[ExclusiveClaim, ...]


@lru_cache(semantic_format.CACHED_LINES)
def _check_line(raw: str, categories: frozenset[str], rules: FactRules | None) -> _CheckedLine | None:
    """Check a line by itself; None for one that is no fact. An editor checks all again at each keystroke."""
    record = semantic_format.SemanticLine(raw).record
    if record is None:
        return None
    statement = record.fact
    problems = (
        *_check_category(statement.category, categories, raw.index("[") + 1),
        *_check_tail(raw, 0),
    )
    digest = "" if record.superseded else statement_hash(fact_sentence(statement), statement.owner)
    claims = tuple(exclusive_claims(record, rules.phrases, rules.single)) if rules is not None else ()
    return _CheckedLine(problems, record.id or "", digest, claims)


def check_semantic(
    source: SourceText, target: LintTarget, cross_file: list[CrossFileData]
) -> Iterator[TextProblem]:
    """Check a semantic file; sets the first of `cross_file` to what its facts state and claim."""
    lines = source.text.split("\n")
    checked_lines = [_check_line(raw, target.categories.facts, target.fact_rules) for raw in lines]
    has_facts = any(checked_lines)
    finder = DuplicateFinder(source)
    ids: dict[str, int] = {}
    statements: list[tuple[int, str, str]] = []
    claims: list[tuple[int, ExclusiveClaim]] = []
    at = end = 0
    for number, (raw, checked) in enumerate(zip(lines, checked_lines, strict=True), start=1):
        at, end = end, end + len(raw) + 1
        if checked is None:
            if semantic_format.is_invalid(raw):
                yield from _check_unparsed(raw, at, has_facts=has_facts)
            continue
        for problem in checked.problems:
            yield problem._replace(offset=at + problem.offset)
        if repeated := finder.repeated_text(number, raw.strip("\ufeff\r ")):
            yield repeated
            continue
        name, digest = checked.name, checked.digest
        if name and ids.setdefault(name, number) != number:
            yield TextProblem(at, "M210", f"duplicate id ^{name}, also on line {ids[name]}")
        if digest and (duplicate := finder.repeated_statement(number, digest)):
            yield duplicate
        elif digest or name:
            statements.append((number, name, digest))
        claims += [(number, claim) for claim in checked.claims]
    cross_file[0] = CrossFileData(facts=tuple(statements), claims=tuple(claims))


def _check_category(category: str, categories: Collection[str], at: int) -> Iterator[TextProblem]:
    """The problem of an unknown category that resembles a known one; other categories are the user's own."""
    if category not in categories and (similar := closest_category(category, categories)):
        message = f"unknown category {category!r} (did you mean {similar!r}?)"
        yield TextProblem(at, "M209", message)


def _check_unparsed(raw: str, at: int, *, has_facts: bool) -> Iterator[TextProblem]:
    match = regex(_CATEGORY).match(raw)
    if match is None or not (has_facts or regex(_FACT_SYNTAX).search(match["rest"])):
        return
    category = match[1]
    reason = "no text"
    if match["rest"].strip() and category != category.lower():
        reason = f"category with upper-case letters (write it as [{category.lower()}])"
    elif match["rest"].strip() and not category[0].isalpha():
        reason = "category that does not begin with a letter"
    yield TextProblem(at, "M205", f"malformed fact: {reason}")


def _check_tail(raw: str, at: int) -> Iterator[TextProblem]:
    """Problems with a supersession or id at the end of a fact that was parsed as its text."""
    if "[superseded:" in raw:
        for supersession in regex(_SUPERSEDED).finditer(raw):
            day = supersession[1].split(" ")[0]
            if has_iso_form(day) and not is_valid_iso(day):
                yield TextProblem(at + supersession.start(1), "M206", f"invalid date: {day}")
    if "^" in raw and (invalid_id := regex(_INVALID_ID).search(raw)):
        message = f"invalid id ^{invalid_id[1]}: use letters, digits and hyphens only"
        yield TextProblem(at + invalid_id.start(1) - 1, "M205", message)


def _removal(source: SourceText, number: int) -> TextEdit:
    """The edit that removes a line; an unterminated last line takes the end of the line above with it."""
    at, end = source.line_start(number), source.line_end(number)
    if at and not source.text.endswith("\n", at, end):
        at -= 2 if source.text.startswith("\r\n", at - 2) else 1
    return TextEdit(at, end, "")


def has_continuation(source: SourceText, number: int) -> bool:
    """Whether the next non-blank line continues a list item."""
    return regex(r"(?:[ \t]*+\r?\n)*+[ \t]++[^\s]").match(source.text, source.line_end(number)) is not None


def check_rules(source: SourceText, target: LintTarget) -> Iterator[TextProblem]:
    """Check a file of rules: invalid dated lines, duplicate ids and rules, and contrary rules."""
    lines = DuplicateFinder(source)
    ids: dict[str, int] = {}
    rules: list[tuple[int, ConductRule]] = []
    for number, line in enumerate(rules_format.parse(source.text).lines, start=1):
        at, rule = source.line_start(number), line.rule
        if rule is None:
            if dated := regex(_RULE).match(line.raw):
                if has_iso_form(dated[1]) and not is_valid_iso(dated[1]):
                    message = f"invalid date or time: {dated[1]}"
                    yield TextProblem(at + dated.start(1), "M206", message)
                else:
                    yield TextProblem(at, "M205", "malformed rule: expected `- [TIME] text`")
        elif repeated := lines.repeated_text(number, line.raw.strip("\ufeff\r ")):
            yield repeated
        elif ids.setdefault(rule.id, number) != number and f"^{rule.id}" in line.raw:
            yield TextProblem(at, "M210", f"duplicate id ^{rule.id}, also on line {ids[rule.id]}")
        else:
            rules.append((number, rule))
    if target.fact_rules is not None:
        pairs = contrary_pairs(rules, target.fact_rules.phrases)
        oldest = dict(sorted(pairs, reverse=True))
        for number in sorted(oldest):
            message = f"contradicts the rule on line {oldest[number]}"
            yield TextProblem(source.line_start(number), "M219", message)


def check_long_term(source: SourceText, target: LintTarget) -> Iterator[TextProblem]:
    """Check long-term memory: unindented list items that repeat another of the same list."""
    memory = long_term.parse(source.text)
    section_lines = _memtool_section(source)
    categories = target.categories.facts | target.categories.log
    lines = DuplicateFinder(source)
    lists = _list_positions(memory.lines)
    for item in long_term.items(memory):
        number, fact = item.line, item.fact
        raw = memory.lines[number - 1].rstrip("\r ")
        if not regex(_ITEM).match(raw):
            continue
        if number in section_lines and fact.category:
            yield from _check_category(
                fact.category, categories, source.line_start(number) + raw.index("**") + 2
            )
        if item.superseded is not None:
            continue  # what holds again is a line of its own
        is_short = len(fact.detail.split()) < _MIN_WORDS and fact.detail.isascii()
        if (is_short and not fact.category) or has_continuation(source, number):
            continue
        part, run = lists[number - 1]
        digest = statement_hash(fact.detail, fact.owner)
        if mark := lines.repeated_text(number, raw, run) or lines.repeated_statement(number, digest, part):
            yield mark


def _memtool_section(source: SourceText) -> range:
    """The lines of the section that memtool appends to; empty if there is no such section."""
    section_heading = long_term.section(source.text)
    if section_heading is None:
        return range(0)
    following = (
        heading.first for heading in outline(source.text).headings if heading.first > section_heading.last
    )
    return range(section_heading.last + 1, next(following, source.text.count("\n") + 2))


def _list_positions(lines: Sequence[str]) -> list[tuple[int, int]]:
    """For each line, the numbers of its part of the text and of its list.

    An unindented line that is not a list item begins a new part, as does a line that ends in a colon: an item
    below `Rome:` does not repeat one below `Paris:`. A different bullet begins a new list.
    """
    positions: list[tuple[int, int]] = []
    part = run = 0
    bullet = ""
    for line in lines:
        plain = line.strip("\ufeff\r ")
        if plain and not line.startswith((" ", "\t")):
            is_item = regex(_ITEM).match(line) is not None
            if not is_item or plain.rstrip("*_").endswith((":", "：")):
                part += 1
                run += 1
            elif plain[0] != bullet:
                run += 1
            bullet = plain[0] if is_item else ""
        positions.append((part, run))
    return positions
