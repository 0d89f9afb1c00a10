"""Facts: lines of semantic files, rules and long-term memory that do not read, or say what another says."""

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
"""What no line has that was not meant as a fact."""
_PAST = r"(?a)\[superseded: ([^\]\n]*)\]"
_BAD_ID = r"(?a)\s\^([A-Za-z0-9][A-Za-z0-9-]*_[\w-]*)\s*$"
_RULE = r"(?a)\ufeff?[-*+] \[(\d{4}-[^\]\n]{1,40})\]"
_ITEM = r"(?a)\ufeff?[-*+][ \t]+(?!\[[ xX]\])\S"
_WORDS = 3
"""Words that a line has at least for another like it to be the same fact: `Status: done` is none."""


class Lines:
    """The lines of a file, to tell those that are there twice: word for word, or by what they say."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._raw: dict[tuple[int, str], int] = {}
        self._said: dict[tuple[int, str], int] = {}

    def same(self, number: int, raw: str, section: int = 0) -> Mark | None:
        """The mark on a line that is there above, word for word; the edit that takes it away with it.

        A line that others hang on is not taken away.
        """
        first = self._raw.setdefault((section, raw), number)
        if first == number:
            return None
        at = self._sheet.start(number)
        if is_hung_on(self._sheet, number):
            return Mark(at, "M212", f"line {first} says the same")
        return Mark(at, "M211", f"it is line {first} again, word for word", (_removal(self._sheet, number),))

    def says(self, number: int, hash_: str, section: int = 0) -> Mark | None:
        """The mark on a line that says what one above says."""
        first = self._said.setdefault((section, hash_), number)
        if first == number:
            return None
        return Mark(self._sheet.start(number), "M212", f"line {first} says the same")


def semantic(sheet: Sheet, subject: Subject, told_by: list[tuple[int, str, str]]) -> Iterator[Mark]:
    """A semantic file; what its facts say goes to `told_by`: line, id, and `told` of an active one."""
    file = semantic_format.parse(sheet.text)
    speaks = any(line.record for line in file.lines)
    unread = frozenset(semantic_format.unread(file))
    lines = Lines(sheet)
    ids: dict[str, int] = {}
    for number, line in enumerate(file.lines, start=1):
        at, record = sheet.start(number), line.record
        if record is None:
            if number in unread:
                yield from _unread(line.raw, at, speaks=speaks)
            continue
        known = record.known
        yield from _slip(known.category, subject.words.facts, at + line.raw.index("[") + 1)
        yield from _tail(line.raw, at)
        if same := lines.same(number, line.raw.strip("\ufeff\r ")):
            yield same
            continue
        if record.id is not None and ids.setdefault(record.id, number) != number:
            yield Mark(at, "M210", f"^{record.id} is the id of line {ids[record.id]}, too")
        hash_ = "" if record.superseded else told(spoken(known), known.owner)
        if hash_ and (again := lines.says(number, hash_)):
            yield again
        elif hash_ or record.id:
            told_by.append((number, record.id or "", hash_))


def _slip(category: str, known: Collection[str], at: int) -> Iterator[Mark]:
    """A category that nobody knows and that is like one; any other is somebody's own."""
    if category not in known and (near := meant(category, known)):
        said = f"{category!r} is no category that memtool knows; is {near!r} meant?"
        yield Mark(at, "M209", said)


def _unread(raw: str, at: int, *, speaks: bool) -> Iterator[Mark]:
    found = compiled(_CATEGORY).match(raw)
    if found is None or not (speaks or compiled(_SURELY).search(found["rest"])):
        return
    category = found[1]
    why = "it says nothing"
    if found["rest"].strip() and category != category.lower():
        why = f"a category is in lower case: [{category.lower()}]"
    elif found["rest"].strip() and not category[0].isalpha():
        why = "a category begins with a letter"
    yield Mark(at, "M205", f"it begins like a fact and is none: {why}")


def _tail(raw: str, at: int) -> Iterator[Mark]:
    """What is wrong at the end of a fact's line, and was read as its words."""
    if "[superseded:" in raw:
        for past in compiled(_PAST).finditer(raw):
            day = past[1].split(" ")[0]
            if is_iso(day) and not is_real(day):
                yield Mark(at + past.start(1), "M206", f"{day} is a day that there is not")
    if "^" in raw and (bad := compiled(_BAD_ID).search(raw)):
        said = f"^{bad[1]} is no id: letters, digits and hyphens make one"
        yield Mark(at + bad.start(1) - 1, "M205", said)


def _removal(sheet: Sheet, number: int) -> Edit:
    """The edit that takes a line away; the last one without an end goes with the end of the line above."""
    at, end = sheet.start(number), sheet.end(number)
    if at and not sheet.text.endswith("\n", at, end):
        at -= 2 if sheet.text.startswith("\r\n", at - 2) else 1
    return Edit(at, end, "")


def is_hung_on(sheet: Sheet, number: int) -> bool:
    """Whether what follows, behind blank lines too, continues a list item."""
    return compiled(r"(?:[ \t]*+\r?\n)*+[ \t]++[^\s]").match(sheet.text, sheet.end(number)) is not None


def rules(sheet: Sheet, _: Subject) -> Iterator[Mark]:
    """A file of rules: dated lines that do not read, and ids and rules that are there twice."""
    lines = Lines(sheet)
    ids: dict[str, int] = {}
    for number, line in enumerate(rules_format.parse(sheet.text).lines, start=1):
        at, rule = sheet.start(number), line.rule
        if rule is None:
            if dated := compiled(_RULE).match(line.raw):
                if is_iso(dated[1]) and not is_real(dated[1]):
                    said = f"{dated[1]} is a day or time that there is not"
                    yield Mark(at + dated.start(1), "M206", said)
                else:
                    yield Mark(at, "M205", "it begins like a rule and is none: it is not `- [TIME] words`")
        elif same := lines.same(number, line.raw.strip("\ufeff\r ")):
            yield same
        elif ids.setdefault(rule.id, number) != number and f"^{rule.id}" in line.raw:
            yield Mark(at, "M210", f"^{rule.id} is the id of line {ids[rule.id]}, too")


def long_term_facts(sheet: Sheet, subject: Subject) -> Iterator[Mark]:
    """Long-term memory: list lines at the margin that say what another of the same list says."""
    memory = long_term.parse(sheet.text)
    home = _home(sheet)
    known = subject.words.facts | subject.words.log
    lines = Lines(sheet)
    lists = _lists(memory.lines)
    for number, fact in long_term.numbered(memory):
        raw = memory.lines[number - 1].rstrip("\r ")
        if not compiled(_ITEM).match(raw):
            continue
        if number in home and fact.category:
            yield from _slip(fact.category, known, sheet.start(number) + raw.index("**") + 2)
        is_short = len(fact.detail.split()) < _WORDS and fact.detail.isascii()
        if (is_short and not fact.category) or is_hung_on(sheet, number):
            continue
        part, run = lists[number - 1]
        hash_ = told(fact.detail, fact.owner)
        if mark := lines.same(number, raw, run) or lines.says(number, hash_, part):
            yield mark


def _home(sheet: Sheet) -> range:
    """The lines of the section that memtool adds to; none where there is no such section."""
    home = long_term.section(sheet.text)
    if home is None:
        return range(0)
    below = (head.first for head in outline(sheet.text).headings if head.first > home.last)
    return range(home.last + 1, next(below, sheet.text.count("\n") + 2))


def _lists(rows: Sequence[str]) -> list[tuple[int, int]]:
    """For each line the part of the text and the list that it stands in.

    Whatever stands at the margin and is no list line begins another part, as does a line that ends in a
    colon: what is said below `Rome:` is not said again below `Paris:`. Another bullet begins another list.
    """
    found: list[tuple[int, int]] = []
    part = run = 0
    bullet = ""
    for row in rows:
        plain = row.strip("\ufeff\r ")
        if plain and not row.startswith((" ", "\t")):
            is_item = compiled(_ITEM).match(row) is not None
            if not is_item or plain.rstrip("*_").endswith((":", "：")):
                part += 1
                run += 1
            elif plain[0] != bullet:
                run += 1
            bullet = plain[0] if is_item else ""
        found.append((part, run))
    return found
