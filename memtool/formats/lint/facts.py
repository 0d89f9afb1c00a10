"""Checks of facts: invalid or duplicate lines of semantic files, rules and long-term memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from memtool.core.facts.fact import spoken
from memtool.core.lint.moment import is_iso, is_real
from memtool.core.lint.problem import Mark
from memtool.core.lint.seen import told
from memtool.core.lint.sheet import Sheet
from memtool.core.lint.subject import Subject
from memtool.core.lint.word import meant
from memtool.core.text.edited import Edit
from memtool.core.text.pattern import compiled
from memtool.formats import long_term
from memtool.formats import rules as rules_format
from memtool.formats import semantic as semantic_format
from memtool.formats.syntax.outline import outline

_CATEGORY = r"(?a)\ufeff?[-*+] \[([A-Za-z0-9_]{2,})\](?P<rest>[^\n]*)"
_SURELY = (
    r"(?a)(?:^|\s)(?:[A-Z]+_[A-Z_]+|KNOWS|EXPERIENCED|USES|WANTS)\s|\[superseded:|\s\^[A-Za-z0-9][\w-]*\s*$"
    r"|\[(?:user|session):"
)
"""Syntax that only an intended fact has."""
_PAST = r"(?a)\[superseded: ([^\]\n]*)\]"
_BAD_ID = r"(?a)\s\^([A-Za-z0-9][A-Za-z0-9-]*_[\w-]*)\s*$"
_RULE = r"(?a)\ufeff?[-*+] \[(\d{4}-[^\]\n]{1,40})\]"
_ITEM = r"(?a)\ufeff?[-*+][ \t]+(?!\[[ xX]\])\S"
_WORDS = 3
"""Fewest words of an uncategorised line that can be a duplicate; `Status: done` may recur."""


class Lines:
    """Finds duplicate lines of a file, by their text or by the hash of their statement."""

    def __init__(self, source: Sheet) -> None:
        self._source = source
        self._raw: dict[tuple[int, str], int] = {}
        self._said: dict[tuple[int, str], int] = {}

    def same(self, number: int, raw: str, section: int = 0) -> Mark | None:
        """The problem of a line whose exact text occurred before, with the edit that removes it.

        A line that continuation lines follow is not removed.
        """
        first = self._raw.setdefault((section, raw), number)
        if first == number:
            return None
        at = self._source.start(number)
        if is_hung_on(self._source, number):
            return Mark(at, "M212", f"line {first} says the same")
        return Mark(at, "M211", f"it is line {first} again, word for word", (_removal(self._source, number),))

    def says(self, number: int, hash_: str, section: int = 0) -> Mark | None:
        """The problem of a line whose statement occurred before."""
        first = self._said.setdefault((section, hash_), number)
        if first == number:
            return None
        return Mark(self._source.start(number), "M212", f"line {first} says the same")


def semantic(source: Sheet, target: Subject, told_by: list[tuple[int, str, str]]) -> Iterator[Mark]:
    """Check a semantic file; appends (line, id, statement hash if active) of its facts to `told_by`."""
    file = semantic_format.parse(source.text)
    has_facts = any(line.record for line in file.lines)
    unread = frozenset(semantic_format.unread(file))
    lines = Lines(source)
    ids: dict[str, int] = {}
    for number, line in enumerate(file.lines, start=1):
        at, record = source.start(number), line.record
        if record is None:
            if number in unread:
                yield from _unread(line.raw, at, has_facts=has_facts)
            continue
        statement = record.known
        yield from _slip(statement.category, target.words.facts, at + line.raw.index("[") + 1)
        yield from _tail(line.raw, at)
        if repeated := lines.same(number, line.raw.strip("\ufeff\r ")):
            yield repeated
            continue
        if record.id is not None and ids.setdefault(record.id, number) != number:
            yield Mark(at, "M210", f"^{record.id} is the id of line {ids[record.id]}, too")
        statement_hash = "" if record.superseded else told(spoken(statement), statement.owner)
        if statement_hash and (duplicate := lines.says(number, statement_hash)):
            yield duplicate
        elif statement_hash or record.id:
            told_by.append((number, record.id or "", statement_hash))


def _slip(category: str, known: Collection[str], at: int) -> Iterator[Mark]:
    """The problem of an unknown category that resembles a known one; other categories are the user's own."""
    if category not in known and (similar := meant(category, known)):
        message = f"{category!r} is no category that memtool knows; is {similar!r} meant?"
        yield Mark(at, "M209", message)


def _unread(raw: str, at: int, *, has_facts: bool) -> Iterator[Mark]:
    match = compiled(_CATEGORY).match(raw)
    if match is None or not (has_facts or compiled(_SURELY).search(match["rest"])):
        return
    category = match[1]
    reason = "it says nothing"
    if match["rest"].strip() and category != category.lower():
        reason = f"a category is in lower case: [{category.lower()}]"
    elif match["rest"].strip() and not category[0].isalpha():
        reason = "a category begins with a letter"
    yield Mark(at, "M205", f"it begins like a fact and is none: {reason}")


def _tail(raw: str, at: int) -> Iterator[Mark]:
    """Problems with a supersession or id at the end of a fact that was parsed as its text."""
    if "[superseded:" in raw:
        for supersession in compiled(_PAST).finditer(raw):
            day = supersession[1].split(" ")[0]
            if is_iso(day) and not is_real(day):
                yield Mark(at + supersession.start(1), "M206", f"{day} is a day that there is not")
    if "^" in raw and (invalid_id := compiled(_BAD_ID).search(raw)):
        message = f"^{invalid_id[1]} is no id: letters, digits and hyphens make one"
        yield Mark(at + invalid_id.start(1) - 1, "M205", message)


def _removal(source: Sheet, number: int) -> Edit:
    """The edit that removes a line; an unterminated last line takes the end of the line above with it."""
    at, end = source.start(number), source.end(number)
    if at and not source.text.endswith("\n", at, end):
        at -= 2 if source.text.startswith("\r\n", at - 2) else 1
    return Edit(at, end, "")


def is_hung_on(source: Sheet, number: int) -> bool:
    """Whether the next non-blank line continues a list item."""
    return compiled(r"(?:[ \t]*+\r?\n)*+[ \t]++[^\s]").match(source.text, source.end(number)) is not None


def rules(source: Sheet, _: Subject) -> Iterator[Mark]:
    """Check a file of rules: invalid dated lines, and duplicate ids and rules."""
    lines = Lines(source)
    ids: dict[str, int] = {}
    for number, line in enumerate(rules_format.parse(source.text).lines, start=1):
        at, rule = source.start(number), line.rule
        if rule is None:
            if dated := compiled(_RULE).match(line.raw):
                if is_iso(dated[1]) and not is_real(dated[1]):
                    message = f"{dated[1]} is a day or time that there is not"
                    yield Mark(at + dated.start(1), "M206", message)
                else:
                    yield Mark(at, "M205", "it begins like a rule and is none: it is not `- [TIME] words`")
        elif repeated := lines.same(number, line.raw.strip("\ufeff\r ")):
            yield repeated
        elif ids.setdefault(rule.id, number) != number and f"^{rule.id}" in line.raw:
            yield Mark(at, "M210", f"^{rule.id} is the id of line {ids[rule.id]}, too")


def long_term_facts(source: Sheet, target: Subject) -> Iterator[Mark]:
    """Check long-term memory: unindented list items that repeat another of the same list."""
    memory = long_term.parse(source.text)
    section_lines = _home(source)
    categories = target.words.facts | target.words.log
    lines = Lines(source)
    lists = _lists(memory.lines)
    for number, fact in long_term.numbered(memory):
        raw = memory.lines[number - 1].rstrip("\r ")
        if not compiled(_ITEM).match(raw):
            continue
        if number in section_lines and fact.category:
            yield from _slip(fact.category, categories, source.start(number) + raw.index("**") + 2)
        is_short = len(fact.detail.split()) < _WORDS and fact.detail.isascii()
        if (is_short and not fact.category) or is_hung_on(source, number):
            continue
        part, run = lists[number - 1]
        statement_hash = told(fact.detail, fact.owner)
        if mark := lines.same(number, raw, run) or lines.says(number, statement_hash, part):
            yield mark


def _home(source: Sheet) -> range:
    """The lines of the section that memtool appends to; empty if there is no such section."""
    section_heading = long_term.section(source.text)
    if section_heading is None:
        return range(0)
    following = (
        heading.first for heading in outline(source.text).headings if heading.first > section_heading.last
    )
    return range(section_heading.last + 1, next(following, source.text.count("\n") + 2))


def _lists(lines: Sequence[str]) -> list[tuple[int, int]]:
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
            is_item = compiled(_ITEM).match(line) is not None
            if not is_item or plain.rstrip("*_").endswith((":", "：")):
                part += 1
                run += 1
            elif plain[0] != bullet:
                run += 1
            bullet = plain[0] if is_item else ""
        positions.append((part, run))
    return positions
