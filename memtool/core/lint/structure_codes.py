"""The M2 codes: problems of entries, dates and records, within a file and across files."""

from __future__ import annotations

from memtool.core.lint.code import ERROR, INFO, WARNING, LintCode

_UPGRADE = "memtool upgrade-history sees to turns; another file is mended by hand or taken away"

STRUCTURE_CODES = (
    LintCode(
        "M201",
        ERROR,
        "the file is no JSON",
        "it was cut short or edited by mistake; what it held is lost to every program",
        f"{_UPGRADE}: what is derived is made anew",
    ),
    LintCode(
        "M202",
        ERROR,
        "the record breaks the schema of its format",
        "programs that share the tree rely on the schema, and pass over what breaks it",
        _UPGRADE,
    ),
    LintCode(
        "M203",
        ERROR,
        "the frontmatter does not read",
        "other programs take nothing from it until it reads: no title, tags, ids or limits",
        "quote the value on the line that is named; a text with a colon, # or @ in it needs quotes",
    ),
    LintCode(
        "M204",
        WARNING,
        "a key of the frontmatter is of the wrong kind",
        "memtool passes over it: a limit that is no number limits nothing",
        "write it as its format says (schemas/README.md)",
    ),
    LintCode(
        "M205",
        WARNING,
        "an entry does not read",
        "it looks like an entry and counts as plain text: nothing recalls, dates or retires it",
        "write it as its format says (schemas/README.md)",
    ),
    LintCode(
        "M206",
        ERROR,
        "a date or time that there is not",
        "what it stands on is dated wrongly or not at all",
        "correct it",
    ),
    LintCode(
        "M207",
        INFO,
        "a date that programs cannot read",
        "only 2025-01-15, alone or with a time, means the same day to everybody",
        "write it as 2025-01-15 or 2025-01-15T10:30:00Z",
    ),
    LintCode(
        "M208",
        WARNING,
        "the title names another day than the file",
        "memory finds the note by its file's name, people by its title",
        "rename the file, or correct the title",
    ),
    LintCode(
        "M209",
        WARNING,
        "a category that memtool does not know",
        "nothing asks for it by that name; it is likely misspelt",
        "correct it; a category of your own for the log is named in scan.phrases",
    ),
    LintCode(
        "M210",
        ERROR,
        "two have the same id",
        "what is said of one by its id happens to the other, or to both",
        "give one of them another id, or take it away if they are the same",
    ),
    LintCode(
        "M211",
        WARNING,
        "a fact stands there twice, word for word",
        "it takes room twice in every prompt and search",
        "memtool lint --fix takes the later line away",
        fixable=True,
    ),
    LintCode(
        "M212",
        WARNING,
        "another line says the same",
        "it takes room twice, and one is forgotten when the other changes",
        "take one of them away, or memtool facts forget ID",
    ),
    LintCode(
        "M213",
        INFO,
        "an entry of a log stands there twice",
        "a log keeps each entry at least once: a program that was stopped may write one again",
        "none is needed; take one away if it is in the way",
    ),
    LintCode(
        "M214",
        ERROR,
        "the head of the history is behind it",
        "a program that trusts the head gives a number for the second time",
        "memtool upgrade-history raises it",
    ),
    LintCode(
        "M215",
        WARNING,
        "a turn lies where another belongs",
        "its name or folder contradicts its number or its time; the name counts",
        "move it, or correct the record: turns/YYYY/MM/DD/<number in 20 digits>.json, the day in UTC",
    ),
    LintCode(
        "M216",
        WARNING,
        "a turn of an older version, or not in form",
        "other programs may not read it",
        "memtool upgrade-history",
    ),
    LintCode(
        "M217",
        INFO,
        "a file of a newer version",
        "this memtool leaves it alone and does not search it",
        "update memtool",
    ),
    LintCode(
        "M218",
        ERROR,
        "two turns have the same number",
        "the order of the history is not told by its numbers any more",
        "give the later one the next free number, in its name and in its record",
    ),
)
