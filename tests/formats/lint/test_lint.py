"""What lint tells of a text as a file of its format; what is legal there is never told."""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.lint.lint_target import KnownCategories, LintTarget, PromptLimits, SourceText
from memtool.core.text.edits import apply_edits
from memtool.formats.lint.check import check_file
from memtool.formats.lint.frontmatter_checks import check_frontmatter
from memtool.formats.table import FORMATS
from memtool.store.config import schemas
from tests.formats.test_schemas import SPECIMENS
from tests.formats.texts import texts

WORDS = KnownCategories(
    frozenset(
        {"correction", "proper_noun", "preference", "decision", "specific_value", "instruction", "remember"}
    ),
    frozenset({"loss", "preference", "relationship", "trigger", "goal", "context"}),
)
DAY = date(2025, 1, 15)


def subject(name, **more):
    role = more.pop("role", name)
    return LintTarget(more.pop("path", "x.md"), role, name, categories=WORDS, **more)


def told(name, text, **more):
    content = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    found = check_file(content, subject(name, **more), schemas.violations).problems
    return [(one.code, one.line) for one in sorted(found)]


@pytest.mark.parametrize("name", SPECIMENS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_specimen_has_nothing_wrong_with_it(name, newline):
    text = SPECIMENS[name].replace("\n", newline)
    assert told(name, text, day=date(2025, 1, 15), is_named_by_day=True) == []


LOG = "# SESSION-STATE.md -- Active Working Memory\n\n- [2025-01-15T10:30:00Z] **preference**: tea\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("session-state", LOG + "- [2025-13-01T10:30:00Z] **preference**: x\n", [("M206", 4)]),
        ("session-state", LOG + "- [2025-01-15] no category\n", [("M205", 4)]),
        ("session-state", LOG + "- [2025-01-15T10:30:00Z] [user: ] **preference**: x\n", [("M205", 4)]),
        ("session-state", LOG + "- [2025-01-15T10:31:00Z] **Preference**: x\n", [("M209", 4)]),
        ("session-state", LOG + "- [2025-01-15T10:31:00Z] **corection**: x\n", [("M209", 4)]),
        ("session-state", LOG + "- [2025-01-15T10:30:00Z] **preference**: tea\n", [("M213", 4)]),
        ("daily-note", "# Daily Notes -- 2025-01-15\n\n## [25:00:00]\n**User:** x\n", [("M206", 3)]),
        ("daily-note", "# Daily Notes -- 2025-01-15\n\n## [10:00:00] [user:a b]\nx\n", [("M205", 3)]),
        ("daily-note", "# Daily Notes -- 2025-01-14\n", [("M208", 1)]),
        ("daily-note", "# Daily Notes -- 2025-02-30\n", [("M206", 1)]),
        ("daily-note", "# x\n\n## [10:00]\nsame\n\n## [10:00]\nsame\n", [("M213", 6)]),
        ("working-buffer", "# Working Buffer\n\n## [2025-01-15 99:00:00] Human\nx\n", [("M206", 3)]),
        ("working-buffer", "# x\n**Started:** 2025-01-32T10:00:00Z\n", [("M206", 2)]),
        ("semantic", "- [goal] tea\n- [Goal] coffee\n", [("M205", 2)]),
        ("semantic", "- [Goal] User WANTS tea ^m-1\n", [("M205", 1)]),
        ("semantic", "- [goal] tea\n- [goal] ^m-1\n", [("M205", 2)]),
        ("semantic", "- [goal] tea [superseded: 2025-02-30 by m-2] ^m-1\n", [("M206", 1)]),
        ("semantic", "- [goal] tea ^m_12\n", [("M205", 1)]),
        ("semantic", "- [goal] a ^m-1\n- [goal] b ^m-1\n", [("M210", 2)]),
        ("semantic", "- [goal] tea ^m-1\n- [goal] tea ^m-1\n", [("M211", 2)]),
        ("semantic", "- [goal] Tea with milk.\n- [goal] tea  with milk\n", [("M212", 2)]),
        ("semantic", "- [prefrence] tea\n", [("M209", 1)]),
        ("rules", "- [2025-13-15T10:00:00Z] Be brief.\n", [("M206", 1)]),
        ("rules", "- [2025-01-15]Be brief.\n", [("M205", 1)]),
        ("rules", "- [2025-01-15] a ^r-1\n- [2025-01-15] b ^r-1\n", [("M210", 2)]),
        ("rules", "- [2025-01-15] a ^r-1\n- [2025-01-15] a ^r-1\n", [("M211", 2)]),
        ("long-term", "# M\n\n- The kiln is free\n- The kiln is free\n", [("M211", 4)]),
        ("long-term", "# M\n\n- The kiln is free\n* the kiln is free.\n", [("M212", 4)]),
        (
            "long-term",
            "* The kiln is free\n- The kiln is free\n* The kiln is free\n",
            [("M212", 2), ("M212", 3)],
        ),
        ("long-term", "- The kiln is free\n\n- The kiln is free\n", [("M211", 3)]),
        ("long-term", "## Auto-captured\n\n- **preferense**: tea\n", [("M209", 3)]),
        ("long-term", "## Auto-captured\n\nBy hand:\n\n- **preferense**: tea\n", [("M209", 5)]),
        ("note", "---\na: [\n---\n", [("M203", 2)]),
        ("note", "---\ntitle: A: b\n---\n", [("M203", 2)]),
        ("note", "---\ntitle: x\ntags: [a]\n\nnothing closes this\n", [("M223", 1)]),
        ("note", "---\ntitle: x\n\nnothing closes this\n", [("M223", 1)]),
        ("note", "---\nNote: a sentence under a rule.\n\ntext\n", []),
        ("note", "---\nid: [1]\ntags: {a: 1}\n---\n", [("M204", 2), ("M204", 3)]),
        ("note", "---\nid: 1.10\n---\n", [("M204", 2)]),
        ("note", "---\ntags: [[idea]]\n---\n", [("M204", 2)]),
        ("note", "---\ntags: #kiln #glaze\n---\n", [("M222", 2)]),
        ("note", "---\nstatus: #done\n---\n", [("M204", 2)]),
        ("note", "---\ntags: [a, B, b,]\n---\n", []),
        ("note", "---\ncreated: 2025-02-30\n---\n", [("M206", 2)]),
        ("note", "---\ncreated: 20251301\n---\n", [("M206", 2)]),
        ("note", "---\ndate: 2025-13-45\ntags: [#wood, tea]\n---\n", [("M206", 2), ("M222", 3)]),
        ("note", "---\ndue: 2025-02-30\nupdated: 2025-01-15T25:00\n---\n", [("M206", 2), ("M206", 3)]),
        ("note", "---\ndate: someday\ndue: 2025-02-28\nmodified:\n---\n", []),
        ("note", "---\ncreated: Monday, May 5th\n---\n", [("M207", 2)]),
        ("note", "---\ncreated: [[2025-01-15]]\n---\n", [("M207", 2)]),
        ("note", '---\ntitle: a\ntags: [x]\n"title": b\n---\n', [("M221", 4)]),
        ("note", "---\nx:\n  a: 1\n  a: 2\ny: |\n  b: 1\n  b: 2\nz:\n- c: 1\n- c: 2\n---\n", []),
        ("core-file", "---\nlimit: many\n---\nx\n", [("M204", 2)]),
        ("core-file", "---\nlimit: 0\ndescription: [a]\n---\nx\n", [("M204", 2), ("M204", 3)]),
        ("core-file", "---\ndescription: {{agent_name}}\n---\n", [("M203", 2)]),
        ("core-file", "---\nlimit: 3\n---\nabc\ndef\n", [("M301", 4)]),
        ("core-file", "---\nlimit: 4\n---\nabc\ndef\n", [("M301", 5)]),
        ("episode", "---\nended_at: 2025-01-15T25:00:00Z\n---\n", [("M206", 2)]),
        ("episode", "---\nowner: ann\nprimary_themes: [a, b, c, d]\n---\n", [("M204", 2), ("M204", 3)]),
        ("candidates", "{}\n", [("M202", 1)]),
        ("candidates", "nonsense\n[1]\n", [("M205", 1), ("M205", 2)]),
        ("head", "{}", [("M202", 1)]),
        ("head", '{"last_seq": 2, "updated_at": "now"}', [("M202", 1)]),
        ("head", '{"last_seq": 2,\n "updated_at"', [("M201", 2)]),
        ("salience", '{\n"m-1": {"accesses": -1, "last_accessed": null, "decay": 1}}', [("M202", 2)]),
        ("quarantine-record", "", [("M201", 1)]),
        ("turn", "null", [("M202", 1)]),
        ("turn", '{"schema_version": 3}', [("M217", 1)]),
        ("turn", '{"messages": []}', [("M216", 1)]),
    ],
)
def test_what_is_wrong_is_told_at_its_line(name, text, expected):
    assert told(name, text, day=DAY, is_named_by_day=name == "daily-note") == expected


INNOCENT = {
    "session-state": [
        (
            "# SESSION-STATE.md\n\n**Purpose:** my own log\n\n- [2025-02-06] Evan wants reports\n"
            "- [2025-02-07 23:40] x\n"
        ),
        LOG + "\nA paragraph.\n\n- [ ] a task\n- [link](a.md)\n",
        LOG + "```\n- [2025-01-15] an example of mine\n```\n",
    ],
    "daily-note": [
        "# Daily Log - 2025-01-14\n\n## 17:28 - Disk alert\n- **Trigger:** cron\n",
        "# 2025-01-15\n\n## [10:30] Fixed the kiln\n\n## [2025-01-15 18:10 CST] Agent\nx\n",
        "# Session: 2025-01-15 10:30:00 UTC\n\n- **Session Key**: agent:main\n",
        "## [10:00]\nyes\n\n## [10:05]\nyes\n",
        "- [10:30] did this\n- [25:30] after midnight, as anime schedules have it\n",
    ],
    "working-buffer": [
        (
            "# Working Buffer (Danger Zone Log)\n**Status:** INACTIVE\n**Started:** \n\n"
            "## [timestamp] Human\n[message]\n"
        ),
        "## [2026-03-05 18:10 CST] Agent (review)\nx\n",
    ],
    "semantic": [
        "# Facts\n\n- [x] done\n- [OK] fine\n- [Link](a.md)\n- plain\n",
        "- [recipe] my own category\n- [goal] m ^2 is an area\n- [goal] so ^_^\n",
        "- [goal] tea [superseded: 2025-01-01] ^m-1\n- [goal] tea ^m-2\n",
        "- [goal] [user:ann] tea\n- [goal] [user:bob] tea\n",
    ],
    "rules": ["# Rules\n\n- be kind\n- [x] done\n- [link](a)\n"],
    "long-term": [
        (
            "# A\n\n- Status: done\n- Status: done\n\n## B\n\n- one line of words\n\n## C\n\n"
            "- one line of words\n"
        ),
        "- [ ] call the tea house\n- [x] call the tea house\n",
        "- Ann:\n  - likes tea very much\n- Bob:\n  - likes tea very much\n",
        "```\n- twice in some code\n- twice in some code\n```\n",
        "- **name**: Ann\n- **timezone**: UTC\n- **preferense**: not of the tool's section\n",
        "1. one and the same\n2. one and the same\n",
        "## Trips\n\nRome:\n- booked a room there\n\nParis:\n\n- booked a room there\n",
        "**Rome**\n- booked a room there\n**Paris**\n- booked a room there\n",
        "- Rome:\n- booked a room there\n- **Paris:**\n- booked a room there\n",
        "1. Rome\n- booked a room there\n2. Paris\n- booked a room there\n",
        "- a room is booked\n\n  - in Rome\n- a room is booked\n\n  - in Paris\n",
        "- a room is booked\n| a |\n|---|\n- a room is booked\n",
    ],
    "note": [
        "",
        "# No frontmatter\n",
        "---\n\na rule and no frontmatter\n---\n",
        "---\nNote: a rule, and one line\nthat goes on\n",
        "---\nid:\ntitle:\ncreated:\ntags:\naliases:\n  -\n---\n",
        "---\ntitle: 2024\ntags: 2024\naliases: 5\ncreated: 20250115\n---\n",
        "---\ntags: [a, 1, 2.5, null, yes]\n---\n",
        (
            "---\ntitle: <% tp.file.title %>\ncreated: <% tp.file.creation_date('YYYY') %>\n---\n"
            "<%* tR += 'x' %>\n"
        ),
        "---\ntitle: {{title}}\ncreated: {{date:YYYY-MM-DD}}\n---\n",
        '---\ncreated: "{{date}}"\nid: {% raw %}\n---\n',
        "---\nup: [[Index]]\nrelated:\n  - '[[a]]'\ncssclasses: wide\nparent: {a: [1, {b: 2}]}\n---\n",
        "---\nmetadata:\n  type: feedback\nname: x\ndescription: y\n---\n[[not there]]\n",
        "---\ncreated: 2025-01-15 10:30:00 +0900\n---\n",
        "---\ncreated: 2025-01-15T10:30\n---\n",
        "---\ntitle: C# notes #1\n---\n",
    ],
    "core-file": [
        "---\nlimit:\n---\nx\n",
        "---\nlimit: 3\n---\nabc\n\n\n",
        "---\nlimit: 20\ndescription: x\n---\n{{agent_name}} is short\n",
        "no frontmatter, no limit\n" * 1000,
    ],
    "markdown": ["---\ntitle: {{x}}\n---\n", "# Any\n\n- same line here\n- same line here\n"],
    "working-memory": ["x" * 9000],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, held in INNOCENT.items() for text in held])
def test_what_is_legal_is_not_told(name, text):
    assert told(name, text, day=DAY, is_named_by_day=False, agent="Jo") == []


def test_a_core_file_counts_with_the_name_that_stands_in_the_prompt():
    text = "---\nlimit: 20\n---\nI am {{agent_name}}.\nSecond line.\n"
    assert told("core-file", text, agent="Jo") == [("M301", 5)]
    assert told("core-file", text.replace("20", "21"), agent="Jo") == []
    assert told("core-file", text.replace("20", "25"), agent="Jonathan the Great") == [("M301", 5)]


def test_working_memory_and_what_a_host_cuts_are_told_at_the_first_unseen_line():
    text = "0123456789\n" * 10
    assert told("working-memory", text, limits=PromptLimits(working_memory=30)) == [("M302", 3)]
    assert told("markdown", text, limits=PromptLimits(host=40, head=0.5)) == [("M304", 2)]
    assert told("markdown", text, limits=PromptLimits(host=109)) == []
    assert told("markdown", "x\n" * 201, limits=PromptLimits(lines=200, size=25_600)) == [("M303", 201)]


def test_a_turn_that_lies_where_another_belongs_is_told():
    record = {
        "schema_version": 2,
        "id": "t",
        "seq": 3,
        "created_at": "2025-01-15T23:30:00-02:00",
        "messages": [],
    }
    text = json.dumps(record, indent=1)
    assert told("turn", text, day=date(2025, 1, 16), seq=3) == []
    assert told("turn", text, day=DAY, seq=3) == [("M215", 5)]
    assert told("turn", text, day=date(2025, 1, 16), seq=4) == [("M215", 4)]
    assert check_file(text.encode(), subject("turn", seq=4), schemas.violations).cross_file.seq == 4
    assert check_file(text.encode(), subject("turn"), schemas.violations).cross_file.seq == 3


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("title: A: b", "a value that contains a colon needs quotes"),
        ("tags:\n\t- a", "indentation with a tab; use spaces"),
        ("source: @ann", "a value that begins with @ needs quotes"),
        ("a: {b: c: d", "invalid frontmatter"),
    ],
)
def test_the_commonest_faults_of_frontmatter_are_told_in_plain_words(head, said):
    (found,) = check_file(f"---\n{head}\n---\n".encode(), subject("note"), schemas.violations).problems
    assert said in found.message


@pytest.mark.parametrize(
    ("value", "id_"),
    [
        ("202501151030", "202501151030"),
        ('"{{date:YYYYMMDD}}"', ""),
        ("<% tp.date.now() %>", ""),
        ("TODO", "TODO"),
    ],
)
def test_the_id_of_a_template_is_nobodys(value, id_):
    assert (
        check_file(f"---\nid: {value}\n---\n".encode(), subject("note"), schemas.violations).cross_file.id
        == id_
    )


def test_a_tail_of_nul_bytes_is_told_once():
    assert told("note", "abc\n\0\0") == [("M104", 2)]
    assert told("note", "a\x07\0\0") == [("M106", 1), ("M104", 1)]


def test_nothing_but_secrets_is_looked_for_in_what_was_set_aside():
    key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123"
    assert told("json", b'\xff{"text": "' + key.encode(), role="quarantine") == [("M501", 1)]


def test_no_message_tells_a_secret():
    key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123"
    text = f"---\nlimit: {key}\ndescription: [password is hunter2-x9]\n---\npassword: hunter2-x9\n"
    found = check_file(text.encode(), subject("core-file"), schemas.violations).problems
    assert {one.code for one in found} == {"M204", "M501", "M502"}
    assert key[10:] not in str(found)
    assert "hunter2" not in str(found)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 20_300_101)
    | st.just(2.5)
    | st.sampled_from(["", "x", "2025-01-15", "2025-02-30", "soon", "2025-01-15T10:30:00Z"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["id", "title", "created", "tags", "aliases", "mine"]), VALUES))
def test_a_notes_frontmatter_is_wrong_where_its_schema_says_so(meta):
    text = "---\n" + "".join(f"{key}: {json.dumps(value)}\n" for key, value in meta.items()) + "---\n"
    _, marks = check_frontmatter(SourceText(text), subject("note"), schemas.violations)
    wrong = {mark.message.split("`")[1] for mark in marks if mark.code != "M206"}
    impossible = {mark.message.split("`")[1] for mark in marks if mark.code == "M206"}
    record = {"meta": meta, "title": None, "tags": [], "aliases": []}
    broken = {place.split("/")[1] for place, _ in schemas.violations("note", record)}
    assert wrong <= broken
    assert broken <= wrong | impossible


@given(st.sampled_from([form.name for form in FORMATS]), texts | st.binary(max_size=60))
def test_no_text_is_too_strange_to_be_checked(name, text):
    content = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    found = check_file(
        content, subject(name, path="x.json", limits=PromptLimits(3, 0.5, 3, 2, 9)), schemas.violations
    )
    lines = content.count(b"\n") + 1
    for one in found.problems:
        assert 1 <= one.line <= lines
        assert one.col >= 1
        assert one.message


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("# Kiln\n", "---\ndescription: Kiln\n---\n# Kiln\n"),
        ("---\ndescription:\n---\nkiln\n", "---\ndescription: x\n---\nkiln\n"),
        ("---\ntitle: A\n---\nkiln\n", "---\ntitle: A\ndescription: A\n---\nkiln\n"),
        ("---\ndescription: mine\n---\nkiln\n", None),
    ],
)
def test_frontmatter_that_the_layout_requires_is_added(text, fixed):
    target = subject("note", required=(("description", "{title}"),))
    problems = check_file(text.encode(), target, schemas.violations).problems
    assert [problem.code for problem in problems] == (["M220"] if fixed else [])
    for problem in problems:
        assert apply_edits(text, problem.edits).text == fixed


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        ("tags: #kiln", "tags: kiln"),
        ("tags: #kiln #glaze, #2024", 'tags: [kiln, glaze, "2024"]'),
        ("tags: kiln, #glaze", "tags: [kiln, glaze]"),
        ("tags: '#kiln'", "tags: kiln"),
        ('tags: [#kiln, "#glaze", raku]', 'tags: [kiln, "glaze", raku]'),
        ("tags: [\n  '#kiln',\n  glaze,\n]", "tags: [\n  'kiln',\n  glaze,\n]"),
        ("Tags:\n- #kiln\n- #glaze\nid: 7", "Tags:\n- kiln\n- glaze\nid: 7"),
        ("tag:\n  - '#kiln/raku'\n  - \"glaze,\"", "tag:\n  - 'kiln/raku'\n  - \"glaze\""),
    ],
)
def test_a_hash_or_a_comma_is_removed_from_tags_in_frontmatter(written, fixed):
    for end in ("\n", "\r\n"):
        text, wanted = (f"---\n{each}\n---\n# Kiln\n".replace("\n", end) for each in (written, fixed))
        problems = check_file(text.encode(), subject("note"), schemas.violations).problems
        assert {problem.code for problem in problems} == {"M222"}
        edits = [edit for problem in problems for edit in problem.edits]
        assert apply_edits(text, edits).text == wanted
        assert told("note", wanted) == []


@pytest.mark.parametrize(
    ("yaml", "lines", "plain_lines"),
    [
        ('tags: ["a,b"]', [2], [2]),
        ("tags:\n  - kiln\n  - a, b", [4], [4]),
        ('tags:\n  - "a,b"\n  - "c,"', [3, 4], [3, 4]),
        ("tags: ['glaze,', x]", [2], [2]),
        ("tags: a, b", [], []),
        ("tags: [my garden, a b]", [], [2, 2]),
        ("Tags:\n- kiln\n- my garden", [], [4]),
        ("tags: my garden", [], []),
        ("tags: [2026, y2026, 2026-x]", [], [2]),
        ("tags: 2026", [], [2]),
        ("tag: kiln 2026", [], [2]),
        ("tags: [2024/05, a/2024]", [], [2]),
        ("tags: [it's, a&b, dev/a.b, ok!]", [], [2, 2, 2, 2]),
        ("tags: [_a-b/c, 🏺, ça]", [], []),
        ('tags: "my garden, #kiln"', [], [2]),
        ("tags: '#kiln, #raku'", [2], [2]),
        ("tags: [Work, work, WORK, play]", [], [2, 2]),
        ("tags: [work, work]", [], []),
        ("tags: Work\nother: 1\ntag:\n- work", [], [5]),
        ("tags: [Straße, STRASSE, Grün/Tee, 茶, été]", [], [2]),
        ("aliases: [my garden, 2026, x, X]", [], []),
        ("tags: [true, null, 1.5]", [], []),
        ("tags: ['{{title}}', a b]", [], []),
    ],
)
def test_tags_that_obsidian_does_not_accept_are_reported_where_tags_are_its_own(yaml, lines, plain_lines):
    text = f"---\n{yaml}\n---\n# Kiln\n"
    for is_plain, expected in ((False, lines), (True, plain_lines)):
        problems = check_file(
            text.encode(), subject("note", plain_tags=is_plain), schemas.violations
        ).problems
        assert [(each.code, each.line) for each in sorted(problems)] == [("M222", line) for line in expected]


@pytest.mark.parametrize(
    "yaml",
    [
        "tags: kiln #todo later",
        "tags:\n  - kiln\n  # - glaze",
        "tags: [a, b]",
        "other:\n  - #x",
        "tags: #todo sort these\n  - kiln",
        "tags: #todo\n  - kiln",
        "tags: #not a tag",
        "tags:\n  - kiln\n  - #not an item",
    ],
)
def test_a_comment_beside_tags_is_no_tag(yaml):
    assert told("note", f"---\n{yaml}\n---\n# Kiln\n") == []


@pytest.mark.parametrize(
    "yaml",
    [
        "tags: [\n kiln, #old, was\n glaze]",
        "tags: [\n  kiln,\n  #old,\n  glaze]",
        "tags:\n  - kiln\n  - #old",
        "tags: [#kiln]\ntitle: A: b",
    ],
)
def test_a_hash_that_may_be_a_comment_or_beside_invalid_yaml_is_reported_without_a_fix(yaml):
    problems = check_file(f"---\n{yaml}\n---\n".encode(), subject("note"), schemas.violations).problems
    assert "M222" in {problem.code for problem in problems}
    assert not any(problem.is_fixable or problem.edits for problem in problems)


@pytest.mark.parametrize(
    ("yaml", "ending"),
    [
        (
            "tags: [#my tag, #other tag]",
            "is not closed, because text after # is a comment; write tags without #",
        ),
        ("tags: ['x #y', #z k]", "is not closed, because text after # is a comment; write tags without #"),
        ("aliases: [a, #b]", "is not closed, because text after # is a comment; quote items that contain #"),
        ("tags: #c#, #f#", "text after # is a comment; write tags without #"),
        ("status: #done", "text after # is a comment; put the value in quotes"),
    ],
)
def test_text_lost_to_a_hash_is_explained(yaml, ending):
    (problem,) = check_file(f"---\n{yaml}\n---\n".encode(), subject("note"), schemas.violations).problems
    assert problem.message.endswith(ending)


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("---\ntitle: Kiln\n\n# Kiln\n", "---\ntitle: Kiln\n---\n\n# Kiln\n"),
        ("---\ntags:\n  - a\n# Kiln\n", "---\ntags:\n  - a\n---\n# Kiln\n"),
        ("---\r\ntags: [a]\r\n\r\nx\r\n", "---\r\ntags: [a]\r\n---\r\n\r\nx\r\n"),
        ("---\ntitle: Kiln", "---\ntitle: Kiln\n---\n"),
        ("---\nFrom: a\nTo: b\n\nx\n", None),
        ("---\ntitle: [a\nid: 1\n\nx\n", None),
        ("---\ntitle: A\n- item\n", None),
        ("---\nName: Ottokar told it\nDate: of the fire was 1066\n\nx\n", None),
        ("---\ntitle: A\n    code()\n\nx\n", None),
        ("---\ntitle: A\n...\nx\n", "---\ntitle: A\n---\nx\n"),
        ("---\r\ntitle: A\r\n\r\n----\r\nx\r\n", "---\r\ntitle: A\r\n\r\n---\r\nx\r\n"),
    ],
)
def test_frontmatter_is_closed_after_keys_that_notes_have(text, fixed):
    (problem,) = check_file(text.encode(), subject("note"), schemas.violations).problems
    assert problem.code == "M223"
    assert (apply_edits(text, problem.edits).text if problem.edits else None) == fixed
    assert problem.is_fixable == (fixed is not None)


def test_invalid_frontmatter_that_ends_at_a_later_rule_names_the_line_where_it_may_end():
    text = "---\ntitle: Kiln\ntags: [a]\n\n# Kiln\n\ntext\n\n---\n\nmore\n"
    (problem,) = check_file(text.encode(), subject("note"), schemas.violations).problems
    assert problem.message.endswith(
        "; perhaps the --- line that ends the frontmatter is missing after line 3"
    )


def test_invalid_frontmatter_is_no_missing_frontmatter():
    assert told("note", "---\na: b: c\n---\nkiln\n", required=(("type", "note"),)) == [("M203", 2)]
