"""The M3 codes: content that the agent does not see, because of a limit or a misplaced file."""

from __future__ import annotations

from memtool.core.lint.code import INFO, WARNING, LintCode

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
        "learnings are longer than their share of the prompt",
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
)
