"""The M4 codes: broken and ambiguous links, and notes that no file links to."""

from __future__ import annotations

from memtool.core.lint.code import INFO, WARNING, LintCode

_REMEDY = "write the name that the file has, or make the file"

LINK_CODES = (
    LintCode(
        "M401",
        WARNING,
        "a link that leads to no file",
        "whoever follows it, person or agent, finds nothing",
        _REMEDY,
    ),
    LintCode(
        "M402",
        WARNING,
        "a link to a heading that its note does not have",
        "it leads to the note, and not to the place in it that is meant",
        "write the heading as it stands in the note",
    ),
    LintCode(
        "M403",
        WARNING,
        "a link to a block that its note does not have",
        "it shows nothing where the block should be",
        "put ^the-id at the end of the block that is meant",
    ),
    LintCode(
        "M404",
        INFO,
        "a link to a note that is still to be written",
        "in Claude's memory, and in what is written day by day, such a link is no mistake",
        "write the note when there is something to say; or nothing",
    ),
    LintCode(
        "M405",
        INFO,
        "a note to which no other file links, and which stands on no canvas",
        "in a collection of linked notes nobody comes across it",
        "link to it from a note or a map where it belongs",
    ),
    LintCode(
        "M406",
        INFO,
        "a file of Claude's memory that its index does not name",
        "Claude reads the index at the start of a session, and comes by it to the files that it needs",
        "give it a line in the index",
    ),
    LintCode(
        "M407",
        INFO,
        "a link that could mean several notes",
        "it leads to one of them by a fixed order, which is not the same in all programs",
        "write as much of the path as tells them apart, or give them names of their own",
    ),
)
