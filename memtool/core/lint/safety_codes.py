"""The M5 codes: plain-text secrets, and files that other users can read or write."""

from __future__ import annotations

from memtool.core.lint.code import ERROR, WARNING, LintCode

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
