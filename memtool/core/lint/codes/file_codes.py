"""The M1 codes: bytes and characters of a file. The M2 codes: its entries, dates and records."""

from __future__ import annotations

from memtool.core.lint.codes.lint_code import ERROR, INFO, WARNING, LintCode

_NOT_CHECKED = "nothing else of the file can be checked"

TEXT_CODES = (
    LintCode(
        "M100",
        ERROR,
        "the file or folder cannot be read",
        f"what memtool cannot read it cannot search, show or check; {_NOT_CHECKED}",
        "see to its permissions, or to the disk; a pipe or a device is no memory",
    ),
    LintCode(
        "M101",
        ERROR,
        "the file is not UTF-8",
        "programs that share the tree read UTF-8: an agent sees � or nothing where a byte is none",
        "find out what it is written in and convert it: iconv -f WINDOWS-1252 -t UTF-8 old.md > new.md",
    ),
    LintCode(
        "M102",
        WARNING,
        "the file begins with a byte order mark",
        "some programs take it for a character, and then miss the frontmatter or the first heading",
        "memtool lint --fix takes it off; in an editor, save as UTF-8 without BOM",
        fixable=True,
    ),
    LintCode(
        "M103",
        WARNING,
        "some lines end in CR LF and some in LF",
        "such a file shows as changed from end to end in a diff as soon as somebody saves it",
        "memtool lint --fix ends all lines as most of them end",
        fixable=True,
    ),
    LintCode(
        "M104",
        ERROR,
        "the file ends in NUL bytes",
        "a machine that lost power leaves such tails; programs take the file for binary and skip it",
        "memtool lint --fix takes them off; then look whether the last lines are whole",
        fixable=True,
    ),
    LintCode(
        "M105",
        ERROR,
        "the file holds NUL bytes and is no text",
        f"memory is text: this is searched by nobody and may be damaged; {_NOT_CHECKED}",
        "move what is no text out of memory; of a damaged file, bring back a copy",
    ),
    LintCode(
        "M106",
        WARNING,
        "a control character",
        "printed as it is it can drive a terminal, and nobody sees it in an editor",
        "take it out; what a terminal printed is best pasted without its colours",
    ),
    LintCode(
        "M107",
        WARNING,
        "a character turns the direction of text and does not turn it back",
        "what people see is then in another order than what the agent reads",
        "take it out, or close it on the same line with U+202C or U+2069",
    ),
    LintCode(
        "M108",
        ERROR,
        "text is hidden in characters that nobody sees",
        "models read such characters: this is how instructions are smuggled into memory",
        "read what it says, ask where it came from, and let memtool lint --fix take it out; a comment in the "
        "file cannot excuse it",
        fixable=True,
    ),
    LintCode(
        "M109",
        WARNING,
        "a byte order mark in the middle of the text",
        "files put one behind the other leave it; a word with it inside is not found by a search",
        "memtool lint --fix takes it out",
        fixable=True,
    ),
    LintCode(
        "M110",
        INFO,
        "an invisible character",
        "two words that look the same are not the same with it inside; it may be meant, and stays",
        "take it out if it came with a paste",
    ),
)

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
