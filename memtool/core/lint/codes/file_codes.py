"""The M1 codes: bytes and characters of a file. The M2 codes: its entries, dates and records."""

from __future__ import annotations

from memtool.core.lint.codes.lint_code import ERROR, INFO, WARNING, LintCode

TEXT_CODES = (
    LintCode(
        "M100",
        ERROR,
        "unreadable file or folder",
        "memtool cannot search, show or check the file or folder",
        "check the permissions and the disk; if the path is a pipe or a device, remove it",
    ),
    LintCode(
        "M101",
        ERROR,
        "file is not UTF-8",
        "programs that share these files expect UTF-8; agents see � or nothing in place of an invalid byte",
        "find out the file's encoding and convert the file to UTF-8, for example: iconv -f WINDOWS-1252 "
        "-t UTF-8 old.md > new.md",
    ),
    LintCode(
        "M102",
        WARNING,
        "byte order mark at the start of the file",
        "some programs read the byte order mark as text and do not recognise the frontmatter or heading "
        "after it",
        "run memtool lint --fix to remove the byte order mark, or save the file in an editor as UTF-8 "
        "without BOM",
        fixable=True,
    ),
    LintCode(
        "M103",
        WARNING,
        "mixed line endings (CR LF and LF)",
        "an editor may convert the line endings, and a diff then shows unchanged lines as changed",
        "run memtool lint --fix to give all lines the line ending that is more common in the file",
        fixable=True,
    ),
    LintCode(
        "M104",
        ERROR,
        "trailing NUL bytes",
        "a power failure can leave NUL bytes at the end of a file; some programs then treat the file as "
        "binary and skip it",
        "run memtool lint --fix to remove the NUL bytes, then check that the last lines are complete",
        fixable=True,
    ),
    LintCode(
        "M105",
        ERROR,
        "not a text file (contains NUL bytes)",
        "memtool neither searches a file that contains NUL bytes nor checks it further; the file may be "
        "damaged",
        "move binary files out of the workspace; restore a damaged file from a backup",
    ),
    LintCode(
        "M106",
        WARNING,
        "control character",
        "printing the character can change the state of a terminal, and most editors do not show the "
        "character",
        "remove the character; strip colour codes from terminal output before you paste it",
    ),
    LintCode(
        "M107",
        WARNING,
        "text-direction override, or unpaired text-direction character",
        "the order of the characters on screen differs from the order in which the agent reads them",
        "remove the character; if only its closing character is missing, you can instead add the closing "
        "character on the same line: U+202C for U+202A and U+202B, and U+2069 for U+2066 to U+2068",
    ),
    LintCode(
        "M108",
        ERROR,
        "hidden text (invisible characters)",
        "models read invisible characters, and attackers use such characters to hide instructions in memory",
        "read the hidden text, find out where it came from, then run memtool lint --fix to remove it; "
        "an ignore comment does not hide this problem",
        fixable=True,
    ),
    LintCode(
        "M109",
        WARNING,
        "byte order mark inside the text",
        "concatenating files can leave a byte order mark inside a word, and search then does not find "
        "the word",
        "run memtool lint --fix to remove the byte order mark",
        fixable=True,
    ),
    LintCode(
        "M110",
        INFO,
        "invisible character",
        "a search does not find a word that contains an invisible character, although the word looks normal",
        "remove the character if it came with pasted text; keep it if it is intentional",
    ),
    LintCode(
        "M111",
        ERROR,
        "Git conflict that memtool lint --fix can resolve",
        "the agent reads both versions as memory",
        "run memtool lint --fix; it resolves a conflict if the two versions are identical, if only one of "
        "them differs from the common ancestor, or if both consist of log entries",
        fixable=True,
    ),
    LintCode(
        "M112",
        ERROR,
        "Git conflict that memtool lint --fix cannot resolve",
        "the agent reads both versions as memory",
        "run memtool merge --conflicts --path PATH, or combine the two versions and remove the conflict "
        "markers; if the markers are only an example, put them in a code block",
    ),
    LintCode(
        "M113",
        WARNING,
        "several versions of a passage or value, kept by memtool merge",
        "two machines changed the same text, and memtool merge kept both versions; the agent reads both "
        "as memory",
        "keep one version or combine the versions, and remove the `<!-- memtool: version ... -->` labels or "
        "the `# other version:` comment",
    ),
)

_UPGRADE = "for a turn or head.json, run memtool upgrade-history; correct or remove any other file by hand"

STRUCTURE_CODES = (
    LintCode(
        "M201",
        ERROR,
        "invalid JSON",
        "programs cannot read the file, which may have been truncated or edited by mistake",
        _UPGRADE,
    ),
    LintCode(
        "M202",
        ERROR,
        "schema violation",
        "programs that share this file skip the records that violate the schema",
        _UPGRADE,
    ),
    LintCode(
        "M203",
        ERROR,
        "invalid frontmatter",
        "other programs ignore the whole frontmatter, including title, tags, ids and limits",
        "correct the YAML on the reported line; put a value in quotes if it contains a colon or begins "
        "with # or @",
    ),
    LintCode(
        "M204",
        WARNING,
        "frontmatter value of the wrong type",
        "memtool ignores the value: for example, a non-numeric limit has no effect",
        "write the value as the file's format requires (see memtool help formats)",
    ),
    LintCode(
        "M205",
        WARNING,
        "malformed entry",
        "memtool does not recognise the entry, or a part of it, and reads it as plain text or skips it",
        "write the entry as the file's format requires (see memtool help formats)",
    ),
    LintCode(
        "M206",
        ERROR,
        "invalid date or time",
        "memtool assigns the wrong date, or no date, to the entry or file",
        "correct the date or time",
    ),
    LintCode(
        "M207",
        INFO,
        "date not in ISO format",
        "programs may interpret other formats differently; only ISO dates such as 2025-01-15 are unambiguous",
        "write the date as 2025-01-15 or 2025-01-15T10:30:00Z",
    ),
    LintCode(
        "M208",
        WARNING,
        "different dates in the title and the file name",
        "memtool uses the date in the file name, but people see the date in the title",
        "rename the file, or correct the title",
    ),
    LintCode(
        "M209",
        WARNING,
        "unknown category",
        "the category is probably misspelt; a search that filters by the correct category misses the entry",
        "correct the spelling; if the category is intentional, add M209 to the setting lint.ignore",
    ),
    LintCode(
        "M210",
        ERROR,
        "duplicate id",
        "a command that uses this id may change the wrong entry, or both entries",
        "change one of the ids, or, if both entries say the same thing, remove one of them",
    ),
    LintCode(
        "M211",
        WARNING,
        "duplicate line",
        "the duplicate takes up space in prompts and search results",
        "run memtool lint --fix to remove the later of the two lines",
        fixable=True,
    ),
    LintCode(
        "M212",
        WARNING,
        "duplicate statement",
        "the duplicate takes up space in prompts, and a later edit may change only one of the two copies",
        "remove one copy, or mark it as superseded with memtool facts forget ID",
    ),
    LintCode(
        "M213",
        INFO,
        "duplicate log entry",
        "a program that is interrupted and run again may write an entry twice; memtool ignores the "
        "second entry",
        "no action is needed, but you can remove the second entry",
    ),
    LintCode(
        "M214",
        ERROR,
        "last_seq in head.json lower than the number of the newest turn",
        "a program that relies on head.json may assign a turn number that is already in use",
        "update head.json with: memtool upgrade-history",
    ),
    LintCode(
        "M215",
        WARNING,
        "turn file in the wrong place",
        "the turn number in the file name, or the date in the folder name, does not match the record in "
        "the file",
        "move the file to turns/YYYY/MM/DD/<20-digit number>.json (UTC date), or correct the record",
    ),
    LintCode(
        "M216",
        WARNING,
        "turn in an older or non-standard format",
        "other programs may be unable to read the turn",
        "run memtool upgrade-history",
    ),
    LintCode(
        "M217",
        INFO,
        "file written by a newer version of memtool",
        "this version of memtool leaves the file unchanged and does not search it",
        "update memtool",
    ),
    LintCode(
        "M218",
        ERROR,
        "duplicate turn number",
        "the order of two turns with the same number is undefined",
        "run memtool merge --finish to renumber the turns",
    ),
    LintCode(
        "M219",
        WARNING,
        "contradictory facts or rules",
        "the agent reads two values for something that can have only one at a time, or two contradictory "
        "rules, and does not know which one is current",
        "mark the outdated fact as superseded with memtool facts forget ID, or archive the outdated rule "
        "with memtool rules archive ID; in an editor, use the quick fixes of memtool lsp; if both facts or "
        "rules are correct, reword them so that they no longer contradict each other",
    ),
    LintCode(
        "M220",
        WARNING,
        "missing frontmatter that the layout requires",
        "programs that use this layout reject or ignore the file: Letta rejects memory without a "
        "description, and an OKF concept needs a type",
        "run memtool lint --fix, which adds the title as the description, or a type that fits the "
        "file's role",
        fixable=True,
    ),
    LintCode(
        "M221",
        WARNING,
        "duplicate key in the frontmatter",
        "programs read only one of the values, usually the last one, or reject the frontmatter",
        "remove one of the lines, or combine their values",
    ),
    LintCode(
        "M222",
        WARNING,
        "invalid tag in the frontmatter, such as one that contains # or a comma",
        "text after # is a comment in YAML, so the tag is lost, or the whole frontmatter is invalid; "
        "other programs treat a quoted # or a comma as part of the tag's name; Obsidian rejects tags that "
        "contain spaces or most punctuation or that consist only of digits, and treats tags that differ "
        "only in case as the same tag",
        "run memtool lint --fix, which removes a # before a tag or a comma after it, but not a # that may "
        "begin a comment; correct any other invalid tags by hand",
        fixable=True,
    ),
    LintCode(
        "M223",
        ERROR,
        "unclosed frontmatter",
        "without a second --- line, the file has no frontmatter: programs read title, tags and ids as text",
        "run memtool lint --fix, which adds the line if it recognises keys such as title and tags; "
        "otherwise, add a --- line after the last key",
        fixable=True,
    ),
)
