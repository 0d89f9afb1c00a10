"""The M3 codes: content that the agent does not see. M4: links between files. M5: secrets, permissions."""

from __future__ import annotations

from memtool.core.lint.codes.lint_code import ERROR, INFO, WARNING, LintCode

_SHORTEN = "shorten it, or move what is not needed in every prompt to where it is fetched on demand"

LIMIT_CODES = (
    LintCode(
        "M301",
        WARNING,
        "a core file is longer than its own limit",
        "what is over the limit in its frontmatter is cut from every prompt",
        f"{_SHORTEN}; or raise `limit`",
    ),
    LintCode(
        "M302",
        WARNING,
        "working memory is longer than its bound",
        "what is over it is cut from every prompt",
        _SHORTEN,
    ),
    LintCode(
        "M303",
        WARNING,
        "the index is longer than what Claude reads of it",
        "Claude Code reads the first 200 lines or 25 KB at the start of a session, whichever ends first",
        "shorten its lines, and move the rest to files that it links to",
    ),
    LintCode(
        "M304",
        WARNING,
        "a file is longer than what the agent is given of it",
        "the agent's host cuts each of these files at a length of its own and says so in the prompt at best",
        f"{_SHORTEN}; where the host allows more, say so with lint.bootstrap",
    ),
    LintCode(
        "M305",
        WARNING,
        "the files of every prompt are together longer than what the agent is given of them",
        "the agent's host adds them up in order and leaves out what comes last",
        f"{_SHORTEN}; where the host allows more, say so with lint.bootstrap_total",
    ),
    LintCode(
        "M306",
        INFO,
        "what is in every prompt is longer than what a hook may hand over",
        "Claude Code gives its model at most 10,000 characters of what a hook prints; the hook cuts the rest",
        f"{_SHORTEN}; where no hook hands it over, pass M306 over with lint.ignore",
    ),
    LintCode(
        "M307",
        INFO,
        "learnings are longer than their limit in the prompt",
        "the newest are shown; from this entry on, the oldest are not",
        "take away what is learnt for good, or make a rule of it: memtool rules add",
    ),
    LintCode(
        "M308",
        INFO,
        "a text that has no role here",
        "memtool neither searches nor shows it",
        "move it to a place of the layout (memtool help layouts), or name it in .memignore",
    ),
    LintCode(
        "M309",
        WARNING,
        "a name that is that of a memory file but for its capitals",
        "agents look for the exact name, and do not find this file",
        "rename it",
    ),
    LintCode(
        "M310",
        INFO,
        "a link, which no search follows",
        "memtool reads it where it is asked for by name, and passes it by where it lists files",
        "put the file itself there",
    ),
    LintCode(
        "M311",
        INFO,
        "a note that is named like a day in another spelling",
        "it counts as a note and not as that day's note: no search by date finds it",
        "rename it to YYYY-MM-DD.md",
    ),
    LintCode(
        "M312",
        WARNING,
        "a conflict copy that is the same as its original",
        "what it says is found twice by every search",
        "memtool lint --fix removes it",
        fixable=True,
    ),
    LintCode(
        "M313",
        WARNING,
        "a conflict copy that differs from its original, has a link to it, or may be a note",
        "a program that synchronises folders left it: the agent finds two versions, or misses one",
        "take over what is missing in the original, and remove the copy",
    ),
    LintCode(
        "M314",
        ERROR,
        "most of a file of every prompt has no room in any",
        "the budget of a prompt, or the agent's host, cuts it to less than half",
        _SHORTEN,
    ),
)

_NAME_THE_FILE = "write the name that the file has, or make the file"

LINK_CODES = (
    LintCode(
        "M401",
        WARNING,
        "a link that leads to no file",
        "whoever follows it, person or agent, finds nothing",
        _NAME_THE_FILE,
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

SAFETY_CODES = (
    LintCode(
        "M501",
        ERROR,
        "a key or token in clear",
        "whoever reads the file, and every model that is given it, has the key",
        "revoke it, and write [REDACTED] in its place; a comment excuses what is no secret",
    ),
    LintCode(
        "M502",
        WARNING,
        "what looks like a password in clear",
        "whoever reads the file, and every model that is given it, has the password",
        "change it, and write [REDACTED] in its place; a comment excuses what is no secret",
    ),
    LintCode(
        "M503",
        WARNING,
        "other users of this machine can read it",
        "memory is private: memtool makes its files readable for their owner alone",
        "memtool lint --fix takes the permission away (chmod go-rwx)",
        fixable=True,
    ),
    LintCode(
        "M504",
        ERROR,
        "other users of this machine can change it",
        "whoever writes into memory decides what the agent believes",
        "memtool lint --fix takes the permission away (chmod go-w)",
        fixable=True,
    ),
)
