"""The sections of every prompt: only what somebody wrote, the newest entries first, each within its share."""

from __future__ import annotations

import itertools
from datetime import date

import pytest

from memtool.core.context.section import cut_section
from memtool.core.records.request import ContextRequest
from memtool.layouts.load import LAYOUT_NAMES, load_layout
from memtool.layouts.seeds import initial_files
from memtool.verbs.context.context import context
from memtool.verbs.context.sections import section_share, standing_sections
from memtool.verbs.indexing.indexes import SearchIndexes
from tests.trees import make, memtool, opened, prompt_scope_of

TODAY = date(2025, 1, 15)
STATE = "# SESSION-STATE.md -- Active Working Memory\n\n"


def run(root, prompt="hello", layout="native", settings=(), **more):
    workspace = opened(root, layout, **dict(settings))
    indexes = SearchIndexes(workspace, b"k" * 32, wait=5.0)
    request = ContextRequest(prompt, prompt_scope_of(workspace, None), TODAY, **more)
    try:
        return context(workspace, request, lambda: indexes)
    finally:
        indexes.close()


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_the_shares_leave_thirty_percent_and_every_section_has_one(layout):
    shares = load_layout(layout).shares
    assert sum({share.name: share.percent for share in shares.values()}.values()) == 70
    assert {place.role for place in load_layout(layout).places if place.inject == "always"} <= shares.keys()


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_new_tree_has_nothing_for_a_prompt(layout, tmp_path):
    root = make(
        tmp_path / "w", {str(path): text for path, text in initial_files(load_layout(layout), day=TODAY)}
    )
    assert run(root, layout=layout, retrieval=False).text == ""


def test_of_a_file_that_is_partly_filled_in_that_part_is_in_the_prompt(tmp_path):
    root = tmp_path / "w"
    make(root, {str(path): text for path, text in initial_files(load_layout("native"), day=TODAY)})
    working = root / "memory/working/WORKING_MEMORY.md"
    working.write_text(working.read_text() + "\n- the wiki is new\n")
    memory = root / "MEMORY.md"
    memory.write_text(memory.read_text() + "\n- **preference**: I prefer tea\n")
    found = run(root, retrieval=False)
    assert [section.text for section in found.sections] == [
        "# Working memory\n\n## Recent progress\n\n- the wiki is new\n",
        "# Long-term memory\n\n## Auto-captured\n\n- **preference**: I prefer tea\n",
    ]


@pytest.mark.parametrize("budget", [500, 2000, 8000])
def test_after_many_entries_the_newest_are_in_the_prompt(tmp_path, budget):
    entries = [f"I prefer option {n} of menu {n} over choice {n * 31}" for n in range(150)]
    root = make(
        tmp_path / "w",
        {
            "MEMORY.md": "# Long-term memory\n\n## Auto-captured\n\n"
            + "".join(f"- **preference**: {entry}\n" for entry in entries)
            + "- **proper_noun**: my name is Zora\n",
            "SESSION-STATE.md": STATE
            + "".join(f"- [2025-01-15T10:00:00+00:00] **preference**: {entry}\n" for entry in entries)
            + "- [2025-01-15T10:01:00+00:00] **proper_noun**: my name is Zora\n",
        },
    )
    found = run(root, budget=budget)
    assert len(found.text) <= budget
    assert "- **proper_noun**: my name is Zora\n" in found.text
    (long_term,) = [section for section in found.sections if section.role == "long-term"]
    assert f"(for {long_term.left_out} more lines, run memtool get MEMORY.md)" in found.text
    assert "not included in full, because the budget is too small: MEMORY.md" in found.notices
    assert "SESSION-STATE.md" not in found.text  # long-term memory has every entry of it


def test_a_name_that_was_told_first_stays(tmp_path):
    lines = ["- **proper_noun**: my name is Zora"]
    lines += [f"- **remember**: remember number {number} of them" for number in range(400)]
    root = make(tmp_path / "w", {"MEMORY.md": "## Auto-captured\n\n" + "\n".join(lines) + "\n"})
    assert lines[0] in run(root, budget=1000, retrieval=False).text


def test_a_pinned_rule_is_the_last_to_be_cut(tmp_path):
    rules = [f"- [2025-01-01T10:00:{n:02}Z] Always do thing number {n} ^r-{n}\n" for n in range(40)]
    rules[3] = "- [2025-01-01T10:00:03Z] Never post without asking (pinned) ^r-3\n"
    root = make(tmp_path / "w", {"memory/procedural/rules.md": "# Rules\n\n" + "".join(rules)})
    text = run(root, budget=400, retrieval=False).text
    assert "- Never post without asking\n" in text
    assert "- Always do thing number 39\n" in text
    assert "number 5\n" not in text


def test_rules_that_match_the_prompt_are_among_the_last_to_be_cut(tmp_path):
    rules = [f"- [2025-01-01T10:00:{n:02}Z] Always do thing number {n} ^r-{n}\n" for n in range(40)]
    rules[3] = "- [2025-01-01T10:00:03Z] Name the glaze when I ask about a firing ^r-3\n"
    rules[5] = "- [2025-01-01T10:00:05Z] Never post without asking (pinned) ^r-5\n"
    root = make(tmp_path / "w", {"memory/procedural/rules.md": "# Rules\n\n" + "".join(rules)})
    text = run(root, "how hot was the last firing?", budget=800).text
    kept = [row for row in text.split("\n") if row.startswith("- ")]
    assert kept[0] == "- Name the glaze when I ask about a firing"
    assert kept[-2:] == ["- Always do thing number 39", "- Never post without asking"]
    assert "glaze" not in run(root, "who called?", budget=800).text


def test_a_task_list_for_the_agents_own_time_answers_no_prompt(tmp_path):
    root = make(tmp_path / "w", {"HEARTBEAT.md": "# Heartbeat\n\n- look at the kiln\n", "MEMORY.md": "- x\n"})
    for layout in ("native", "qanot", "openclaw", "openlegion"):
        for mode in ("words", "lexical"):
            assert "kiln" not in run(root, "look at the kiln", layout, mode=mode).text


def test_an_agent_that_fetches_by_itself_is_given_nothing_unless_a_setting_says_so(tmp_path):
    tree = {"core/USER.md": "Marta.\n", "semantic/facts.md": "# Facts\n\n- [fact] The kiln is hot ^m-1\n"}
    root = make(tmp_path / "w", tree)
    found = run(root, "is the kiln hot?", "q15")
    assert ("Marta." in found.text, found.snippets) == (True, ())
    found = run(root, "is the kiln hot?", "q15", {"MEMTOOL_RETRIEVAL": "on"})
    assert "The kiln is hot" in found.text
    assert run(root, "is the kiln hot?", "native", {"MEMTOOL_RETRIEVAL": "off"}).snippets == ()


def test_what_its_own_limit_cuts_off_is_counted_too(tmp_path):
    core = "---\nlimit: 20\n---\nMarta, a potter.\nUp at six.\n\nAnd so on.\n"
    root = make(tmp_path / "w", {"memory/core/USER.md": core})
    text = run(root, retrieval=False).text
    assert "Marta, a potter.\n(for 2 more lines, run memtool get memory/core/USER.md)\n" in text


def test_a_command_for_a_path_that_a_shell_would_split_is_quoted(tmp_path):
    root = make(tmp_path / "w", {"memory/core/Who I'm.md": "Marta.\n" * 90})
    (section,) = standing_sections(opened(root, "native"), "A", [], [])
    (row,) = [line for line in cut_section(section, 200, len).lines if ", run memtool" in line]
    assert row.endswith("memtool get 'memory/core/Who I'\\''m.md')")


def test_a_host_that_cuts_files_in_their_middle_has_both_ends(tmp_path):
    share = section_share(opened(make(tmp_path / "w", {}), "openclaw"), "workspace")
    assert (share.keep, share.head) == ("beginning", 0.75)


def test_a_real_conversation_with_a_small_budget(tmp_path):
    root = tmp_path / "w"
    root.mkdir()
    memtool("init", home=tmp_path, cwd=root)
    words = ("".join(letters) for letters in itertools.product("bdgklmn", "aeiou", "rst", "aio"))
    lines = "".join(
        f"I like {word} on Sundays by the quiet lake in spring, with old friends and a good book\n"
        for word in itertools.islice(words, 150)
    )
    memtool("scan", "--lines", "-", home=tmp_path, cwd=root, stdin=lines)
    memtool("scan", "-m", "my name is Zora", home=tmp_path, cwd=root)
    for budget in (500, 2000, 8000):
        ran = memtool("context", "--budget", str(budget), "--prompt", "hello", home=tmp_path, cwd=root)
        assert len(ran.stdout) <= budget
        assert "my name is Zora" in ran.stdout
        assert " more lines, run memtool get MEMORY.md)" in ran.stdout


def test_what_worked_comes_after_what_went_wrong_and_gives_way_to_it(tmp_path):
    errors = "".join(f"- [2025-01-0{day}T10:00:00Z] error {day} {'x' * 500}\n" for day in range(1, 6))
    wins = "- [2025-01-14T10:00:00Z] a table with the cheapest first\n"
    root = make(tmp_path / "w", {"learnings/errors.md": errors, "learnings/wins.md": wins})
    [section] = [section for section in run(root, retrieval=False).sections if section.role == "learnings"]
    assert section.text.index("error 1 ") < section.text.index("the cheapest first")
    (root / "learnings/errors.md").write_text(errors * 2)
    [section] = [section for section in run(root, retrieval=False).sections if section.role == "learnings"]
    assert "the cheapest first" not in section.text


def test_newer_errors_leave_corrections_their_room_and_use_what_these_leave(tmp_path):
    errors = "".join(f"- [2025-01-14T10:00:{n:02}Z] error {n} {'x' * 180}\n" for n in range(30))
    few = "".join(f"- [2024-01-0{n}T10:00:00Z] correction {n} is older\n" for n in range(1, 4))
    root = make(tmp_path / "w", {"learnings/errors.md": errors, "learnings/corrections.md": few})
    [section] = [section for section in run(root, retrieval=False).sections if section.role == "learnings"]
    assert section.text.startswith(
        "- [2024-01-03T10:00:00Z] correction 3 is older (corrections)\n- [2025-01-14"
    )
    assert section.text.count("(corrections)") == 3
    assert 3000 >= len(section.text) > 2700
    many = "".join(f"- [2024-01-01T10:00:{n:02}Z] correction {n} {'y' * 180}\n" for n in range(30))
    (root / "learnings/corrections.md").write_text(many)
    [section] = [section for section in run(root, retrieval=False).sections if section.role == "learnings"]
    assert abs(section.text.count("(corrections)") - section.text.count("(errors)")) <= 1
    assert "correction 29 " in section.text
    assert "error 29 " in section.text


def test_an_entry_of_the_session_that_long_term_memory_has_too_is_in_the_prompt_once(tmp_path):
    log = STATE + "- [2025-01-15T10:00:00+00:00] **preference**: I prefer tea\n"
    log += "- [2025-01-15T10:01:00+00:00] **decision**: Let's use cone 6\n"
    root = make(tmp_path / "w", {"MEMORY.md": "- **preference**: I prefer tea\n", "SESSION-STATE.md": log})
    text = run(root, retrieval=False).text
    assert text.count("I prefer tea") == 1
    assert "**decision**: Let's use cone 6" in text


def test_an_entry_of_the_session_that_the_profile_has_without_its_opening_is_in_the_prompt_once(tmp_path):
    log = STATE + "- [2025-01-15T10:00:00+00:00] **correction**: Actually, I live in Ghent\n"
    log += "- [2025-01-15T10:00:00+00:00] **fact**: Actually, I live in Ghent\n"
    facts = '- [context] User LIVES_IN Ghent — "Actually, I live in Ghent" ^m-1\n'
    root = make(tmp_path / "w", {"memory/semantic/facts.md": facts, "SESSION-STATE.md": log})
    assert run(root, retrieval=False).text.count("I live in Ghent") == 1


@pytest.mark.parametrize(
    ("entries", "shown"),
    [
        (("0 **correction**: Tea, not milk", "0 **fact**: Tea, not milk"), [0]),
        (("0 **specific_value**: Hi! The kiln is at 1240", "0 **fact**: The kiln is at 1240"), [0]),
        (("0 **fact**: The kiln is at 1240", "1 **fact**: The kiln is at 1240"), [1]),
        (("0 **fact**: The kiln is hot. Take care today", "1 **fact**: The kiln is hot"), [0, 1]),
        (("0 [user:a] **fact**: The kiln is hot", "0 [user:b] **fact**: The kiln is hot"), [0, 1]),
        (("0 **fact**: The kiln is hot", "0 **fact**: The kiln is cold"), [0, 1]),
    ],
)
def test_a_sentence_that_the_session_state_has_twice_is_in_the_prompt_once(tmp_path, entries, shown):
    rows = [f"- [2025-01-15T10:0{entry[0]}:00+00:00] {entry[2:]}" for entry in entries]
    root = make(tmp_path / "w", {"SESSION-STATE.md": STATE + "".join(f"{row}\n" for row in rows)})
    text = run(root, retrieval=False).text
    assert [number for number, row in enumerate(rows) if row in text] == shown


@pytest.mark.parametrize(
    ("layout", "path", "limit", "notice", "has_end"),
    [
        ("openclaw", "MEMORY.md", 20_000, "[...truncated, read MEMORY.md for full content...]", True),
        ("openclaw", "SOUL.md", 20_000, "[...truncated, read SOUL.md for full content...]", True),
        ("openlegion", "MEMORY.md", 16_000, "... (truncated, use memory_search for full content)", False),
        ("openlegion", "SOUL.md", 4_000, "... (truncated, use memory_search for full content)", False),
        ("nano", "SOUL.md", 24_000, "[NOTE: SOUL.md truncated to 24000 chars]", False),
    ],
)
def test_a_file_over_the_hosts_limit_is_cut_as_the_host_cuts_it(
    layout, path, limit, notice, has_end, tmp_path
):
    text = "".join(f"- line {number} of many\n" for number in range(2000))
    workspace = opened(make(tmp_path, {path: text}), layout)
    notices: list[str] = []
    (section,) = [one for one in standing_sections(workspace, "A", notices, []) if one.path == path]
    beginning, _, end = section.text.partition(notice)
    assert text.startswith(beginning.rstrip())
    assert ("line 1999 of many" in end) == has_end
    assert len(section.text) <= limit + (len(notice) + 2) * (layout == "openlegion")
    assert len(section.text) > limit - 200
    assert any(f"is longer than {limit} characters" in each for each in notices)


def test_what_the_host_cuts_off_answers_a_prompt(tmp_path):
    text = "".join(f"- line {number} of many words here\n" for number in range(900))
    root = make(tmp_path / "w", {"MEMORY.md": text + "- the zebra kiln is broken\n"})
    found = run(root, "is the zebra kiln broken?", "openlegion")
    assert [snippet.text for snippet in found.snippets] == ["- the zebra kiln is broken"]


def test_of_a_compiled_memory_the_head_and_the_newest_of_the_log_are_in_the_prompt(tmp_path):
    log = "\n\n".join(f"## Day {day}\n\n- the glaze of day {day} {'x' * 180}" for day in range(40))
    text = (
        f"# Long-Term Memory\n\n<!-- compiled:begin -->\n- Marta likes tea\n<!-- compiled:end -->\n\n{log}\n"
    )
    root = make(tmp_path / "w", {"MEMORY.md": text})
    found = run(root, "what about the glaze of day 2?", "openlegion")
    (section,) = [section for section in found.sections if section.role == "long-term"]
    assert section.text.startswith("- Marta likes tea\n\n## Recent\n\n## Day ")
    assert "the glaze of day 39 " in section.text
    assert len(section.text) < 5_100
    assert "compiled:" not in found.text
    assert any("the glaze of day 2 " in snippet.text for snippet in found.snippets)
    (root / "MEMORY.md").write_text("- Marta likes tea\n<!-- compiled:begin -->\n")
    (section,) = run(root, layout="openlegion", retrieval=False).sections
    assert section.text == "- Marta likes tea\n<!-- compiled:begin -->\n"
