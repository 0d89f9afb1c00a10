"""Texts of every kind for the laws: plain characters, and lines that come close to being something."""

from datetime import UTC, datetime

from hypothesis import strategies as st

from memtool.core.records.entries import Fact, Owner, WalEntry
from memtool.formats.syntax.text_lines import fold_line_breaks

LINES = (
    "",
    " ",
    "---",
    "--- ",
    "---\r",
    "===",
    "```",
    "~~~~",
    "```python",
    "# SESSION-STATE.md — Active Working Memory",
    "# Daily Notes -- 2025-01-15",
    "# Daily Notes — 2025-02-31",
    "## [10:30:00]",
    "## [10:30] [user:sardor]",
    "## [25:61:00] [user:]",
    "## [[Wiki]]",
    "**User:** hello",
    "**Agent:**",
    "\\**User:** shielded",
    "## Auto-captured",
    "# Title #",
    "Underlined",
    "- [2025-01-15T10:30:00+00:00] **proper_noun**: My name is Sardor",
    "- [2025-01-15T10:30Z] [user:sardor] **Preference**: I like tea",
    "* [2025-01-15 10:30:00.25+05:00] [session:4f-2a] **x**: y \r",
    "- [0001-01-01T00:00:00+14:00] **x**: before time",
    "- [2025-13-45T10:30:00Z] **x**: no such day",
    "- **preference**: [user:sardor] I prefer dark mode",
    "- **preference**: \\[user:sardor] not a tag",
    "- I prefer dark mode",
    "  - [ ] nested",
    "- - -",
    '- [relationship] User WORRIES_ABOUT work — "my \\"boss\\" is terrible" ^m-1a2b3c',
    "- [preference] [user:sardor] tea [superseded: 2025-02-01 by m-9f] ^m-2",
    "- [goal] User WANTS it ^m-3 [superseded: 2025-02-30]",
    "- [Goal] oops",
    "- [x] done",
    "title: A title # why",
    "tags: [a, b",
    "limit: 2000",
    "key: &a [*a]",
    "{{agent_name}}",
)

texts = st.one_of(
    st.text(st.characters()),
    st.tuples(
        st.sampled_from(["", "\ufeff", "---\n", "\ufeff---\r\n"]),
        st.lists(st.one_of(st.sampled_from(LINES), st.text(st.characters(), max_size=9))),
        st.sampled_from(["\n", "\r\n"]),
        st.sampled_from(["", "\n", "\r", "\n\n"]),
    ).map(lambda parts: parts[0] + parts[2].join(parts[1]) + parts[3]),
)
"""Any text at all: lone surrogates, NUL, BOM, mixed newlines, and near misses of every format."""

raw_lines = st.one_of(
    st.sampled_from(LINES),
    st.text(st.characters(exclude_characters="\n"), max_size=20),
)

phrases = st.one_of(
    st.text(st.characters(), min_size=1, max_size=30),
    st.lists(
        st.sampled_from(
            [
                "tea",
                "I",
                "USES",
                "REST",
                "A_B",
                "[user:x]",
                "[superseded:",
                "2025-02-01]",
                "^m-1",
                '— "q"',
                '"',
                "\\",
                "\\USES",
                "\\_",
                "—",
                "**x**:",
                "# x",
                "день",
                "\r\n",
                "\n",
                "## [10:30:00]",
                "**User:**",
                "\\\\",
            ]
        ),
        min_size=1,
        max_size=6,
    ).map(" ".join),
)
"""What people and models say, structure included."""

owners = st.none() | st.builds(
    Owner,
    st.sampled_from(["user", "session"]),
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.@:+-]{0,12}", fullmatch=True),
)
categories = st.from_regex(r"[a-z][a-z0-9_]{1,12}", fullmatch=True)
instants = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)).map(
    lambda at: at.replace(microsecond=0)
)
times = st.times().map(lambda at: at.replace(microsecond=0, fold=0))
details = phrases.filter(fold_line_breaks)
entries = st.builds(WalEntry, instants, categories, details, owners)
facts = st.builds(Fact, categories, details, owners)
