"""The M3 codes: content that the agent does not see. M4: links between files. M5: secrets, permissions."""

from __future__ import annotations

from memtool.core.lint.codes.lint_code import ERROR, INFO, WARNING, LintCode

_SHORTEN = "shorten the text, or move parts of it to notes, which are not included in every prompt"

LIMIT_CODES = (
    LintCode(
        "M301",
        WARNING,
        "core memory file longer than its limit",
        "the file's frontmatter sets a limit, and memtool omits the text beyond the limit from every prompt",
        f"{_SHORTEN}; you can also raise `limit` in the frontmatter",
    ),
    LintCode(
        "M302",
        WARNING,
        "working memory longer than its limit",
        "memtool omits the text beyond the limit from every prompt",
        _SHORTEN,
    ),
    LintCode(
        "M303",
        WARNING,
        "index of Claude's memory too long for Claude Code to read in full",
        "when a session starts, Claude Code reads only the first 200 lines or 25 KB of the index, "
        "whichever is less",
        "shorten the lines of the index, or move details to the files that the index links to",
    ),
    LintCode(
        "M304",
        WARNING,
        "file too long for the agent to receive in full",
        "the program that runs the agent truncates long files, and does not always say so in the prompt",
        f"{_SHORTEN}; if the program that runs the agent has a higher limit, set lint.bootstrap to that "
        "limit",
    ),
    LintCode(
        "M305",
        WARNING,
        "files included in every prompt exceed the agent's total limit",
        "the program that runs the agent adds the files to the prompt in a fixed order, and omits the text "
        "that exceeds its total limit",
        f"{_SHORTEN}; if the program that runs the agent has a higher limit, set lint.bootstrap_total to "
        "that limit",
    ),
    LintCode(
        "M306",
        INFO,
        "files included in every prompt exceed the output limit of a hook",
        "memtool hook adds at most 8,000 characters to a prompt (the setting hook.budget); Claude Code "
        "accepts at most 10,000 from a hook",
        f"{_SHORTEN}; you can also raise hook.budget; if you do not use hooks, add M306 to the setting "
        "lint.ignore",
    ),
    LintCode(
        "M307",
        INFO,
        "learnings exceed the limit for prompts",
        "the space for learnings in a prompt is limited, and newer entries already fill it, so memtool "
        "leaves this entry out",
        "remove entries that are no longer needed, or turn important entries into rules with memtool rules "
        "add",
    ),
    LintCode(
        "M308",
        INFO,
        "file that is not part of the layout",
        "memtool neither searches nor shows the file",
        "move the file to a path that belongs to the layout (see memtool help layouts), or add it to "
        ".memignore to exclude it from lint",
    ),
    LintCode(
        "M309",
        WARNING,
        "wrong letter case in a file name",
        "agents open a memory file by its exact name",
        "rename the file as suggested in the message",
    ),
    LintCode(
        "M310",
        INFO,
        "symbolic link or special file",
        "searches and listings skip symbolic links and special files; memtool follows a link only if you "
        "give its path",
        "replace a symbolic link with its target file; remove a special file such as a pipe",
    ),
    LintCode(
        "M311",
        INFO,
        "note whose file name contains a date in a non-standard format",
        "memtool treats the file as an ordinary note, so a search by date does not find it",
        "rename the note to YYYY-MM-DD.md",
    ),
    LintCode(
        "M312",
        WARNING,
        "sync conflict copy identical to its original",
        "a search that finds text in the original finds it in the copy as well",
        "run memtool lint --fix to remove the copy",
        fixable=True,
    ),
    LintCode(
        "M313",
        WARNING,
        "sync conflict copy that lint --fix cannot remove safely",
        "an agent may read either version, or both; lint --fix removes a copy only if it is identical "
        "to the original, its name shows that a program created it, and no other file links to it",
        "run memtool merge --conflicts; if the copy is still there, merge it into the original by hand and "
        "delete the copy; if the file is not a copy but an ordinary note, keep it",
    ),
    LintCode(
        "M314",
        ERROR,
        "file more than twice as long as the limit for prompts",
        "the agent receives less than half of the file",
        _SHORTEN,
    ),
    LintCode(
        "M315",
        INFO,
        "note with the same content as another note",
        "a search finds the same text twice, and a later edit may change only one of the notes",
        "remove one of the notes; to list the links to a note first, run memtool note backlinks NOTE",
    ),
    LintCode(
        "M316",
        WARNING,
        "instructions too long for Codex to read in full",
        "Codex reads at most 32,768 bytes of a project's AGENTS.md files in total, beginning with the file "
        "at the root of the project",
        f"{_SHORTEN}; if you do not use Codex, or have raised its project_doc_max_bytes, add M316 to the "
        "setting lint.ignore",
    ),
)

_NAME_THE_FILE = "correct the name in the link, or create the file"

LINK_CODES = (
    LintCode(
        "M401",
        WARNING,
        "broken link",
        "people and agents that follow the link find nothing",
        _NAME_THE_FILE,
    ),
    LintCode(
        "M402",
        WARNING,
        "broken link to a heading",
        "the link opens the note, but not at the intended section",
        "in the link, write the heading exactly as in the note",
    ),
    LintCode(
        "M403",
        WARNING,
        "broken link to a block",
        "a viewer cannot show the block that the link refers to",
        "add the id that the link uses, such as ^my-id, to the end of the intended block",
    ),
    LintCode(
        "M404",
        INFO,
        "link to a note that does not exist yet",
        "in an Obsidian vault, Claude's memory or a daily note, a link may stand for a note that is yet "
        "to be written; a link that nearly matches the name of an existing note usually has the code M401",
        "create the note, or correct the name in the link; to make memtool lint exit with code 1 for such "
        "links, use --select M404 --strict",
    ),
    LintCode(
        "M405",
        INFO,
        "note without incoming links",
        "the note cannot be reached by following links from other notes",
        "link to the note from a related note or canvas",
    ),
    LintCode(
        "M406",
        INFO,
        "file missing from the index of Claude's memory",
        "Claude Code reads the index at the start of a session and finds the other files through the index",
        "add a line for the file to the index",
    ),
    LintCode(
        "M407",
        INFO,
        "ambiguous link, or alias shared by several notes",
        "several notes match the link, so memtool and other programs may choose different ones; or the "
        "linked note has several headings with the same text, and the link always opens the first of them",
        "add folders to the link until only one note matches, or give the notes or headings different names",
    ),
)

SAFETY_CODES = (
    LintCode(
        "M501",
        ERROR,
        "key or token in plain text",
        "everyone who reads the file, and every model that receives it, learns the key",
        "revoke the key, and replace it in this file with [REDACTED]; "
        "if this is a false positive, hide it with a comment on the same line: <!-- memtool: ignore M501 -->",
    ),
    LintCode(
        "M502",
        WARNING,
        "possible password in plain text",
        "everyone who reads the file, and every model that receives it, learns the password",
        "change the password, and replace it in this file with [REDACTED]; "
        "if this is a false positive, hide it with a comment on the same line: <!-- memtool: ignore M502 -->",
    ),
    LintCode(
        "M503",
        WARNING,
        "memory readable by other users",
        "memory is private, so only its owner should be able to read the files",
        "run memtool lint --fix to remove all access for other users (chmod go-rwx)",
        fixable=True,
    ),
    LintCode(
        "M504",
        ERROR,
        "memory writable by other users",
        "other users can change the facts and rules that the agent relies on",
        "run memtool lint --fix to remove write access for other users (chmod go-w)",
        fixable=True,
    ),
)
