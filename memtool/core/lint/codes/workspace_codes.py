"""The M3 codes: content that the agent does not see. M4: links between files. M5: secrets, permissions."""

from __future__ import annotations

from memtool.core.lint.codes.lint_code import ERROR, INFO, WARNING, LintCode

_SHORTEN = "shorten it, or move text that not every prompt needs to files that are fetched on demand"

LIMIT_CODES = (
    LintCode(
        "M301",
        WARNING,
        "core file longer than its limit",
        "memtool leaves text beyond the limit in its frontmatter out of every prompt",
        f"{_SHORTEN}; or raise `limit`",
    ),
    LintCode(
        "M302",
        WARNING,
        "working memory longer than its limit",
        "memtool leaves text beyond the limit out of every prompt",
        _SHORTEN,
    ),
    LintCode(
        "M303",
        WARNING,
        "memory index longer than the part that Claude reads",
        "Claude Code reads the first 200 lines or 25 KB at the start of a session, whichever is less",
        "shorten its lines, or move details to files that it links to",
    ),
    LintCode(
        "M304",
        WARNING,
        "file longer than the part that the agent receives",
        "the agent's host cuts each of these files at its own limit and does not always say so in the prompt",
        f"{_SHORTEN}; if the host allows more, set lint.bootstrap",
    ),
    LintCode(
        "M305",
        WARNING,
        "prompt files longer in total than the part that the agent receives",
        "the agent's host adds the files in order and leaves out the last ones",
        f"{_SHORTEN}; if the host allows more, set lint.bootstrap_total",
    ),
    LintCode(
        "M306",
        INFO,
        "prompt files longer than a hook may output",
        "Claude Code accepts at most 10,000 characters of hook output; the hook cuts the rest",
        f"{_SHORTEN}; if you do not use hooks, add M306 to lint.ignore",
    ),
    LintCode(
        "M307",
        INFO,
        "learnings longer than their limit in the prompt",
        "a prompt contains only the newest entries, not this one or the older ones",
        "remove entries that are no longer needed, or turn them into rules: memtool rules add",
    ),
    LintCode(
        "M308",
        INFO,
        "file that is not part of the layout",
        "memtool neither searches nor shows it",
        "move it to a place of the layout (memtool help layouts), or list it in .memignore",
    ),
    LintCode(
        "M309",
        WARNING,
        "file name with the wrong case",
        "agents look for a memory file by its exact name",
        "rename it",
    ),
    LintCode(
        "M310",
        INFO,
        "symbolic link or special file",
        "searches and lists skip it; memtool reads a link only if you name it",
        "replace it with the file itself",
    ),
    LintCode(
        "M311",
        INFO,
        "note with a date in another format as its name",
        "memtool treats it as an ordinary note: a search by date does not find it",
        "rename it to YYYY-MM-DD.md",
    ),
    LintCode(
        "M312",
        WARNING,
        "conflict copy identical to its original",
        "every search finds its contents twice",
        "memtool lint --fix removes it",
        fixable=True,
    ),
    LintCode(
        "M313",
        WARNING,
        "conflict copy to be merged by hand",
        "a synchronisation program created it, and an agent may read both versions, or only one; --fix keeps "
        "a copy that differs from its original, has links to it, or may be a note",
        "copy what is missing into the original, then remove the copy",
    ),
    LintCode(
        "M314",
        ERROR,
        "most of a prompt file left out of the prompt",
        "the prompt's budget, or the agent's host, cuts it to less than half",
        _SHORTEN,
    ),
)

_NAME_THE_FILE = "correct the name, or create the file"

LINK_CODES = (
    LintCode(
        "M401",
        WARNING,
        "broken link",
        "people and agents that follow it find nothing",
        _NAME_THE_FILE,
    ),
    LintCode(
        "M402",
        WARNING,
        "broken link to a heading",
        "it opens the note, but not at the intended section",
        "write the heading exactly as it is in the note",
    ),
    LintCode(
        "M403",
        WARNING,
        "broken link to a block",
        "a viewer shows nothing in place of the block",
        "put ^the-id at the end of the intended block",
    ),
    LintCode(
        "M404",
        INFO,
        "link to a note that does not exist yet",
        "in an Obsidian vault, in Claude's memory and in daily notes it may mark a note to be written",
        "write the note, or correct the name; lint --select M404 --strict exits 1 for such links",
    ),
    LintCode(
        "M405",
        INFO,
        "note without incoming links",
        "it cannot be reached by following links from other notes",
        "link to it from a related note or canvas",
    ),
    LintCode(
        "M406",
        INFO,
        "file of Claude's memory missing from its index",
        "Claude reads the index at the start of a session and finds the other files through it",
        "add a line for it to the index",
    ),
    LintCode(
        "M407",
        INFO,
        "ambiguous link",
        "several notes match it; memtool picks one in a fixed order, other programs may pick another",
        "write enough of the path to tell them apart, or give the notes different names",
    ),
)

SAFETY_CODES = (
    LintCode(
        "M501",
        ERROR,
        "key or token in plain text",
        "everyone who reads the file, and every model that receives it, has the key",
        "revoke it and write [REDACTED] in its place; for a false alarm, add <!-- memtool: ignore M501 -->",
    ),
    LintCode(
        "M502",
        WARNING,
        "possible password in plain text",
        "everyone who reads the file, and every model that receives it, has the password",
        "change it and write [REDACTED] in its place; for a false alarm, add <!-- memtool: ignore M502 -->",
    ),
    LintCode(
        "M503",
        WARNING,
        "memory readable by other users",
        "memory is private: only the owner should be able to read its files",
        "memtool lint --fix removes the permission (chmod go-rwx)",
        fixable=True,
    ),
    LintCode(
        "M504",
        ERROR,
        "memory writable by other users",
        "anyone who can write to memory decides what the agent believes",
        "memtool lint --fix removes the permission (chmod go-w)",
        fixable=True,
    ),
)
