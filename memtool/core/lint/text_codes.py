"""The M1 codes: problems of the bytes and characters of a file."""

from __future__ import annotations

from memtool.core.lint.code import ERROR, INFO, WARNING, LintCode

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
