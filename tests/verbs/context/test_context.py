"""context: the files of every prompt in the layout's order, then what is asked for, from where it may be."""

from __future__ import annotations

import shutil
from datetime import date

import pytest
from msgspec.structs import replace

from memtool.core.context.context import PromptSnippet, query_of
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.request import ContextRequest
from memtool.layouts.load import load_layout
from memtool.layouts.seeds import seed_text
from memtool.verbs.context.context import context
from memtool.verbs.indexing.indexes import SearchIndexes
from tests.trees import contents, make, memtool, opened, prompt_scope_of

TODAY = date(2025, 1, 15)
NATIVE = {
    "memtool.toml": 'layout = "native"\nagent_name = "Milo"\n',
    "memory/core/USER.md": "---\nlimit: 20\n---\nMarta, a potter.\nUp at six.\n",
    "memory/core/AGENT.md": "You are {{agent_name}}.\n",
    "memory/working/WORKING_MEMORY.md": "- fire the kiln\n",
    "memory/working/other.md": "never shown\n",
    "SESSION-STATE.md": "- [2025-01-15T10:00:00+00:00] **decision**: cone 6\n",
    "MEMORY.md": "- Timur packs.\n\n## Session Compaction 2025-01-01T00:00:00+00:00\n\n- cafes pay late\n",
    "learnings/errors.md": "- [2025-01-10T11:00:00Z] no slash\n- [2025-01-14T11:00:00Z] no comma\n",
    "learnings/corrections.md": "# Corrections\n\n- [2025-01-12T11:00:00Z] 48, not 40\n",
    "memory/2025-01-14.md": "## [10:00:00]\n**User:** is the kiln free?\n**Agent:** On Thursday.\n",
    "memory/notes/zettel/kiln.md": "# Kiln\n\n- The kiln is free on Thursdays, before noon.\n",
    "memory/history/turns/2025/01/15/x.json": "{}",
    "memory/working-buffer.md": "the kiln of the buffer\n",
    "memory/episodic/2024-11-02-kiln.md": "the kiln broke, and the kiln man came\n",
    "memory/episodic/2024-12-20-market.md": "the kiln was full for the market\n",
}


def run(root, prompt, layout="native", **more):
    workspace = opened(root, layout)
    indexes = SearchIndexes(workspace, b"k" * 32, wait=5.0)
    scope = prompt_scope_of(workspace, more.pop("group", None), more.pop("owners", ()))
    try:
        return context(workspace, ContextRequest(prompt, scope, TODAY, **more), lambda: indexes)
    finally:
        indexes.close()


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", NATIVE)


def test_no_part_of_a_long_frontmatter_is_given(root):
    themes = ", ".join(f'"kiln market {number}"' for number in range(90))
    header = f'---\nsession_id: "s1"\nprimary_themes: [{themes}]\ntranscript: "kiln8380379f5b1331d9"\n---\n'
    make(root, {"memory/episodic/2025-01-10-s1.md": f"{header}The kiln market was moved to Lindau.\n"})
    texts = [snippet.text for snippet in run(root, "kiln market transcript").snippets]
    assert any("moved to Lindau" in text for text in texts)
    assert not any("kiln market 1" in text or "8380379" in text for text in texts)


def test_what_is_in_every_prompt_comes_in_the_order_of_the_layout(root):
    found = run(root, "hello")
    assert [one.path for one in found.sections] == [
        "memory/core/AGENT.md",
        "memory/core/USER.md",
        "memory/working/WORKING_MEMORY.md",
        "SESSION-STATE.md",
        "MEMORY.md",
        "learnings/ (newest first)",
    ]
    texts = [one.text for one in found.sections]
    assert texts[0] == "You are Milo.\n"
    assert texts[1] == "Marta, a potter."
    assert found.sections[1].first_unseen == 5
    (notice,) = found.notices
    assert notice.startswith("memory/core/USER.md is longer than its limit of 20 characters:")
    assert notice.endswith("the agent does not see the text from line 5 on")
    assert texts[4] == "- Timur packs.\n"
    assert texts[5].split("\n") == [
        "- [2025-01-12T11:00:00Z] 48, not 40 (corrections)",
        "- [2025-01-14T11:00:00Z] no comma (errors)",
        "- [2025-01-10T11:00:00Z] no slash (errors)",
    ]
    assert (root / "memory/core/AGENT.md").read_text() == NATIVE["memory/core/AGENT.md"]


def test_a_fact_that_long_term_memory_says_is_in_the_prompt_once(root):
    facts = "# Facts\n\n- [fact] The kiln is a Rohde ^m-1\n- [fact] The kiln is hot ^m-2\n"
    make(root, {"memory/semantic/facts.md": facts, "MEMORY.md": "- **fact**: The kiln is a Rohde\n"})
    assert run(root, "which kiln is a Rohde?").text.count("The kiln is a Rohde") == 1
    alone = run(root, "which kiln is a Rohde?", standing=False)
    assert [alone.text.count(f"The kiln is {one}") for one in ("a Rohde", "hot")] == [1, 1]
    assert [piece.reason for piece in alone.left_out] == ["already in the prompt"]


REPEATED = {
    "memtool.toml": 'layout = "native"\n',
    "memory/semantic/facts.md": (
        "# Facts\n\n- [context] [session:s1] User STATES The kiln man comes on 4 March "
        '— "The kiln man comes on 4 March" ^m-1\n'
    ),
    "SESSION-STATE.archive.md": (
        "# SESSION-STATE.md -- Active Working Memory (archived entries)\n\n"
        "- [2025-01-10T10:00:00+00:00] [session:s1] **fact**: The kiln man comes on 4 March\n"
        "- [2025-01-10T10:05:00+00:00] [session:s1] **decision**: The kiln gets a new shelf\n"
    ),
    "memory/2025-01-10.md": (
        "# Daily Notes -- 2025-01-10\n\n## [10:00:00] [session:s1]\n"
        "**User:** The kiln man comes on 4 March.\n**Agent:** Noted, I will keep that in mind.\n\n"
        "## [10:09:00] [session:s1]\n**User:** Is it far?\n**Agent:** The kiln man lives in Lindau.\n"
    ),
    "memory/episodic/2025-01-10-s1.md": (
        '---\nsession_id: "s1"\nextractive: true\n---\nDecisions:\nuser: The kiln gets a new shelf.\n'
        "Other statements:\nuser: The kiln man comes on 4 March.\n"
    ),
}


@pytest.mark.parametrize("mode", ["words", "lexical"])
def test_a_statement_of_several_files_is_in_the_excerpts_once_and_others_take_the_room(tmp_path, mode):
    found = run(make(tmp_path / "w", REPEATED), "when does the kiln man come", standing=False, mode=mode)
    assert found.text.count("kiln man comes on 4 March") == 1
    assert found.text.count("The kiln gets a new shelf") <= 1
    assert "user: Is it far?\n  assistant: The kiln man lives in Lindau." in found.text
    assert "Noted" not in found.text
    assert not any(mark in found.text for mark in ("session:", "**", "STATES", "Other statements", "---"))


def test_statements_that_differ_by_a_number_or_a_person_are_all_in_the_excerpts(tmp_path):
    rows = (
        "The kiln man comes on 4 March",
        "The kiln man comes on 5 March",
        "The kiln woman comes on 4 March",
    )
    log = "".join(f"- [2025-01-10T10:0{n}:00+00:00] **fact**: {row}\n" for n, row in enumerate(rows))
    text = run(
        make(tmp_path / "w", {**REPEATED, "SESSION-STATE.archive.md": log}), "when does the kiln man come"
    ).text
    assert [text.count(row) for row in rows] == [1, 1, 1]


def test_the_answer_below_a_line_that_another_section_says_is_in_the_excerpts(tmp_path):
    line = "The kiln man has an appointment."
    files = {
        "memtool.toml": 'layout = "native"\n',
        "MEMORY.md": f"- **fact**: {line}\n",
        "memory/notes/man.md": f"# Visits\n\n{line}\nIt is on 5 May in Elm Street.\n",
    }
    assert "Elm Street" in run(make(tmp_path / "w", files), "when does the kiln man come").text


def test_the_latest_episode_has_no_frontmatter_and_nothing_that_another_section_says(tmp_path):
    sections = run(make(tmp_path / "w", REPEATED), "hello", latest_episode=True).sections
    assert sections[-1].text == "Decisions:\nuser: The kiln gets a new shelf.\n"


def test_a_statement_with_a_relative_time_has_the_day_on_which_it_was_said(tmp_path):
    statement = "My sister Sol stays until Sunday"
    fact = f'- [context] User STATES {statement} — "{statement}" ^m-1\n'
    fact += '- [context] User LIVES_IN Ulm — "I live in Ulm" ^m-2\n'
    evidence = (
        f'{{"id": "m-1", "candidate": "c-1", "quotes": ["{statement}"], "at": "2025-01-03T10:00:00Z"}}\n'
    )
    log = "- [2025-01-02T10:00:00+00:00] **preference**: I prefer tea this week\n"
    files = {
        "memory/semantic/facts.md": f"# Facts\n\n{fact}",
        "memory/cognition/evidence.jsonl": evidence,
        "SESSION-STATE.archive.md": log,
        "MEMORY.md": "- **preference**: [session:s1] I prefer tea this week\n",
    }
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **files})
    rows = run(root, "hello").text.split("\n")
    place = rows.index("- My sister Sol stays until Sunday")
    assert rows[place - 1 : place + 3] == [
        "2025-01-03:",
        "- My sister Sol stays until Sunday",
        "undated:",
        "- I live in Ulm",
    ]
    assert "- **preference**: I prefer tea this week (said on 2025-01-02)" in rows
    whole = run(root, "how long does my sister Sol stay?").text
    assert whole.count(statement) == 1
    excerpts = run(root, "how long does my sister Sol stay?", standing=False).text
    assert "Sol stays until Sunday (said on 2025-01-03)" in excerpts


def test_what_the_user_said_is_printed_by_day_and_cut_by_need(tmp_path):
    said = {
        "m-1": ("I'm allergic to walnuts", "2025-01-03T10:00:00Z"),
        "m-2": ("Our standup is at nine", "2025-01-03T11:00:00Z"),
        "m-3": ("Our standup moved to ten", "2025-01-05T09:00:00Z"),
        "m-4": ("We keep the spare key in the shed", "2025-01-05T08:00:00Z"),
    }
    files = {
        "memtool.toml": 'layout = "native"\n',
        "memory/semantic/facts.md": "# Facts\n\n"
        + "".join(f'- [context] User STATES {text} — "{text}" ^{name}\n' for name, (text, _) in said.items()),
        "memory/cognition/evidence.jsonl": "".join(
            f'{{"id": "{name}", "candidate": "c-1", "quotes": ["{text}"], "at": "{at}", "policy": "3"}}\n'
            for name, (text, at) in said.items()
        ),
    }
    root = make(tmp_path / "w", files)
    assert run(root, "hello").sections[-1].lines[2:-1] == [
        "2025-01-05:",
        "- Our standup moved to ten",
        "- We keep the spare key in the shed",
        "2025-01-03:",
        "- Our standup is at nine",
        "- I'm allergic to walnuts",
    ]
    cut = run(root, "hello", budget=205).text
    assert "2025-01-03:\n- I'm allergic to walnuts\n" in cut
    assert "spare key" not in cut
    assert " more entries, run memtool facts list)" in cut


def test_a_corrected_statement_stands_where_it_was_said_and_an_edited_one_where_it_was_edited(tmp_path):
    facts = """# Facts

- [context] User IS ill — "surgery on the 14th, by Dr. Lis" [superseded: 2025-01-05 by m-3] ^m-1
- [context] User STATES It moved to the 16th — "It moved to the 16th" ^m-2
- [context] User IS ill — "surgery on the 14th, by Dr. Wilk" ^m-3
- [context] User LIVES_IN Ulm — "I live in Ulm" [superseded: 2025-01-06 by m-5] ^m-4
- [context] User LIVES_IN Bonn — "I live in Bonn" [superseded: 2025-01-08 by m-6] ^m-5
- [context] User LIVES_IN Kiel — "I live in Kiel" ^m-6
- [context] User STATES We keep bees — "We keep bees" [superseded: 2025-01-04 by m-7] ^m-8
- [context] User STATES We keep hens — "We keep hens" [superseded: 2025-01-04 by m-8] ^m-7
- [context] User STATES We keep ducks — "We keep ducks"
"""
    said = {
        "m-1": ("surgery on the 14th, by Dr. Lis", "2025-01-03"),
        "m-2": ("It moved to the 16th", "2025-01-04"),
        "m-3": ("not Dr. Lis but Dr. Wilk", "2025-01-05"),
        "m-4": ("I live in Ulm", "2025-01-02"),
        "m-5": ("I live in Bonn", "2025-01-06"),
    }
    evidence = "".join(
        f'{{"id": "{name}", "candidate": "c-1", "quotes": ["{text}"], "at": "{day}T10:00:00Z"}}\n'
        for name, (text, day) in said.items()
    )
    files = {"memory/semantic/facts.md": facts, "memory/cognition/evidence.jsonl": evidence}
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **files})
    assert run(root, "hello").sections[-1].lines[2:-1] == [
        "2025-01-08:",
        "- I live in Kiel",
        "undated:",
        "- We keep ducks",
        "2025-01-04:",
        "- It moved to the 16th",
        "2025-01-03:",
        "- surgery on the 14th, by Dr. Wilk (corrected on 2025-01-05)",
    ]


def test_what_was_said_after_an_edit_of_the_same_day_is_newer(tmp_path):
    facts = """# Facts

- [context] User LIVES_IN Ulm — "I live in Ulm" [superseded: 2025-01-06 by m-2] ^m-1
- [context] User STATES We keep bees — "We keep bees" ^m-3
- [context] User LIVES_IN Bonn — "I live in Bonn" ^m-2
- [context] User STATES We keep hens — "We keep hens" ^m-4
"""
    evidence = "".join(
        f'{{"id": "m-{number}", "candidate": "c", "at": "2025-01-06T1{number}:00:00Z"}}\n'
        for number in (1, 3, 4)
    )
    files = {"memory/semantic/facts.md": facts, "memory/cognition/evidence.jsonl": evidence}
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **files})
    rows = ["2025-01-06:", "- We keep hens", "- I live in Bonn", "- We keep bees"]
    assert run(root, "hello").sections[-1].lines[2:-1] == rows


def test_a_day_that_no_time_zone_can_have_is_no_day(tmp_path):
    files = {
        "memtool.toml": 'layout = "native"\ntimezone = "America/New_York"\n',
        "memory/semantic/facts.md": '# Facts\n\n- [context] User LIVES_IN Ulm — "I live in Ulm" ^m-1\n',
        "memory/cognition/evidence.jsonl": '{"id": "m-1", "candidate": "c", "at": "0001-01-01T00:00:00Z"}\n',
    }
    root = make(tmp_path / "w", files)
    assert run(root, "hello").sections[-1].lines[2:-1] == ["- I live in Ulm"]
    line = "I prefer tea this week"
    entry = f"- [0001-01-01T00:00:00+00:00] **preference**: {line}\n"
    make(root, {"MEMORY.md": f"- **preference**: {line}\n", "SESSION-STATE.archive.md": entry})
    assert f"- **preference**: {line}\n" in run(root, "hello").text


def test_a_day_is_the_last_of_the_users_own_statement_and_of_no_longer_one(tmp_path):
    statement = "I fly to Rome tomorrow with my brother Tom."

    def evidence(name, quote, day):
        return f'{{"id": "{name}", "candidate": "c-1", "quotes": ["{quote}"], "at": "{day}T10:00:00Z"}}\n'

    files = {
        "memtool.toml": 'layout = "native"\n',
        "memory/semantic/facts.md": (
            f'# Facts\n\n- [context] [user:bob] User STATES X — "{statement}" ^m-1\n'
            '- [context] [user:ann] User STATES I cook today — "I cook today" ^m-3\n'
        ),
        "memory/cognition/evidence.jsonl": evidence("m-1", statement, "2025-01-05")
        + evidence("m-2", f"Nobody knows that {statement}", "2025-01-06")
        + evidence("m-3", "I cook today", "2025-01-07")
        + evidence("m-3", "I cook today", "2025-01-08"),
        "SESSION-STATE.archive.md": (
            f"- [2025-01-05T10:00:00+00:00] [user:bob] **remember**: {statement}\n"
            f"- [2025-01-02T10:00:00+00:00] [user:ann] **remember**: {statement}\n"
        ),
        "MEMORY.md": f"- **remember**: [user:ann] {statement}\n",
    }
    rows = run(make(tmp_path / "w", files), "hello", owners=["user:ann"]).text.split("\n")
    assert f"- **remember**: [user:ann] {statement} (said on 2025-01-02)" in rows
    assert rows[rows.index("- I cook today") - 1] == "2025-01-08:"


def test_a_fact_whose_line_the_budget_cuts_off_is_found(root):
    facts = "# Facts\n\n- [fact] The kiln is a Rohde ^m-1\n"
    long = "- **fact**: Milk is white\n" * 60 + "- **fact**: The kiln is a Rohde\n"
    make(root, {"memory/semantic/facts.md": facts, "MEMORY.md": long})
    for budget in (800, 1_000, 1_600, 2_200, 2_400):
        assert run(root, "which kiln is a Rohde?", budget=budget).text.count("The kiln is a Rohde") == 1


def test_snippets_come_from_what_is_fetched_on_demand(root):
    found = run(root, "when is the kiln free?")
    assert [(one.path, one.first) for one in found.snippets] == [
        ("memory/notes/zettel/kiln.md", 3),
        ("memory/2025-01-14.md", 1),
        ("memory/episodic/2024-12-20-market.md", 1),
    ]
    assert "[1] (memory/notes/zettel/kiln.md) Kiln: - The kiln is free on Thursdays" in found.text
    assert "buffer" not in found.text
    assert "never shown" not in found.text


def test_the_newest_episode_at_75_days_passes_only_as_the_latest(root):
    (root / "memory/episodic/2024-12-20-market.md").unlink()
    found = run(root, "is the kiln broken?")
    assert "memory/episodic/2024-11-02-kiln.md" not in [one.path for one in found.snippets]
    assert run(root, "hello", latest_episode=True).sections[-1].path == "memory/episodic/2024-11-02-kiln.md"


def test_a_compaction_is_found_and_not_always_there(root):
    found = run(root, "who does pay late?")
    assert found.snippets[0].path == "MEMORY.md"
    assert found.snippets[0].text.startswith("Session Compaction 2025-01-01T00:00:00+00:00: - cafes")


def test_without_retrieval_or_without_what_is_always_there(root):
    assert run(root, "kiln?", retrieval=False).snippets == ()
    alone = run(root, "kiln?", standing=False)
    assert alone.sections == ()
    assert alone.text.startswith("<memory-context>\n## Relevant memory\n\n[1] ")


@pytest.mark.parametrize("mode", ["words", "lexical"])
@pytest.mark.parametrize("prompt", ["zebra", "thanks, looks good", "ok", "how do I bake rye bread?"])
def test_a_prompt_of_which_memory_has_nothing_gets_nothing(root, prompt, mode):
    found = run(root, prompt, mode=mode)
    assert (found.snippets, found.left_out) == ((), ())


def test_of_a_prompt_that_is_no_question_one_common_word_is_not_enough(root):
    assert run(root, "now write a poem about a kiln, please").snippets == ()
    assert run(root, "what about the kiln?").snippets


def test_the_full_search_ranks_too(root):
    found = run(root, "firing kilns on thursday", mode="lexical")
    assert found.snippets[0].path == "memory/notes/zettel/kiln.md"
    assert run(root, "zebra", mode="lexical").snippets == ()


def test_what_changed_since_it_was_indexed_is_never_shown(root):
    assert "Thursdays, before" in run(root, "kiln?").text
    (root / "memory/notes/zettel/kiln.md").write_text("# Kiln\n\n- The kiln is sold.\n")
    text = run(root, "kiln?").text
    assert "is sold" in text
    assert "Thursdays, before" not in text


def test_of_a_file_that_changes_whenever_it_is_indexed_the_newest_text_is_shown(root):
    run(root, "kiln?")
    path = root / "memory/notes/zettel/kiln.md"
    path.write_text("# Kiln\n\n- The kiln is sold.\n")

    def write_more(done, count):
        path.write_text(path.read_text().replace("is sold", "was sold") + "- The kiln is sold again.\n")

    workspace = opened(root, "native")
    indexes = SearchIndexes(workspace, b"k" * 32, wait=5.0, progress=write_more)
    request = ContextRequest("kiln?", prompt_scope_of(workspace, None), TODAY)
    try:
        response = context(workspace, request, lambda: indexes)
    finally:
        indexes.close()
    assert "The kiln was sold" in response.text
    assert "memory/2025-01-14.md" in [snippet.path for snippet in response.snippets]
    assert not [notice for notice in response.notices if "faster" in notice]
    assert not response.is_incomplete


NANO = {
    "MEMORY.md": "- the main kiln\n",
    "SOUL.md": "main soul\n",
    "groups/family/MEMORY.md": "- the family kiln\n",
    "groups/family/SOUL.md": "family soul\n",
    "groups/family/memory/2025-01-14.md": "the kiln of the picnic\n",
    "groups/work/MEMORY.md": "- the kiln at work\n",
    "groups/global/MEMORY.md": "- the kiln of everybody, every day\n",
    "groups/global/SOUL.md": "shared soul\n",
}


def test_a_group_sees_itself_and_what_is_shared(tmp_path):
    root = make(tmp_path / "n", NANO)
    found = run(root, "the kiln?", "nano", group="family")
    assert [(one.source, one.shown) for one in found.snippets] == [
        ("group", "MEMORY.md"),
        ("group", "memory/2025-01-14.md"),
        ("global", "MEMORY.md"),
    ]
    assert [one.text for one in found.sections] == ["family soul\n"]
    assert "[1] (group:MEMORY.md) - the family kiln" in found.text
    main = run(root, "the kiln?", "nano")
    assert [(one.source, one.path) for one in main.snippets] == [
        ("group", "MEMORY.md"),
        ("global", "groups/global/MEMORY.md"),
    ]


def test_what_nobody_has_filled_in_answers_no_prompt(tmp_path):
    scaffold = "# constraints\n\nStanding hard constraints and prohibitions.\n"
    seed = seed_text(load_layout("nano"), "long-term")
    root = make(tmp_path / "n", {"canonical/constraints.md": scaffold, "MEMORY.md": seed})
    for prompt in ("the standing hard constraints?", "what should still be known next month?"):
        assert run(root, prompt, "nano").snippets == ()
    make(root, {"canonical/constraints.md": scaffold + "Never fire above cone 6.\n"})
    assert len(run(root, "the standing hard constraints?", "nano").snippets) == 1


def test_one_giant_paragraph_stays_within_the_budget(tmp_path):
    root = make(tmp_path / "g", {"memory/notes/zettel/a.md": "kiln " * 50_000, **NATIVE})
    for budget in (40, 200, 1000, 7000):
        assert len(run(root, "kiln?", budget=budget).text) <= budget
    assert all(isinstance(one, PromptSnippet) for one in run(root, "kiln?").snippets)


def test_the_same_prompt_gives_the_same_text(root):
    assert len({run(root, "the kiln on Thursday").text for _ in range(3)}) == 1


def test_it_writes_nothing_but_its_index(root, tmp_path):
    before = contents(root)
    ran = memtool("context", "--prompt", "kiln", "--budget", "200", home=tmp_path, cwd=root)
    assert ran.returncode == 0
    assert "not included in full, because the budget is too small: " in ran.stderr
    assert contents(root) == before
    assert (root / ".memtool").exists()
    shutil.rmtree(root / ".memtool")
    ran = memtool("context", "--prompt", "kiln", "--incognito", home=tmp_path, cwd=root)
    assert ran.returncode == 0
    assert contents(root) == before
    assert not (root / ".memtool").exists()


def test_an_index_of_which_an_agent_reads_the_beginning(tmp_path):
    lines = "".join(f"- [note {number}](note-{number}.md)\n" for number in range(300))
    root = make(tmp_path / "c", {"MEMORY.md": lines})
    found = run(root, "x", "claude-code")
    (section,) = [one for one in found.sections if one.path == "MEMORY.md"]
    assert section.text.endswith("- [note 199](note-199.md)")
    assert section.first_unseen == 201
    assert "does not see the text from line 201 on" in found.notices[0]


def test_what_is_in_every_prompt_does_not_crowd_out_the_rest(root):
    make(root, {"MEMORY.md": "".join(f"- kiln number {number}\n" for number in range(900))})
    found = run(root, "the kiln on Thursdays, before noon", standing=False)
    assert found.snippets[0].path == "memory/notes/zettel/kiln.md"


def test_a_learning_that_is_too_long_is_clipped_and_those_left_out_are_counted(root):
    make(
        root,
        {"learnings/errors.md": f"- [2025-01-15T11:00:00Z] {'word ' * 900}\n- [2025-01-01T11:00:00Z] old\n"},
    )
    found = run(root, "hello")
    assert len(found.sections[-1].text) <= 3000
    assert "\n- [2025-01-15T11:00:00Z] word" in found.sections[-1].text
    assert "does not see 1 of 3" in found.notices[-1]


def test_what_cannot_be_listed_is_said(root):
    (root / "memory/core").rename(root / "elsewhere")
    (root / "memory/core").symlink_to("../elsewhere")
    assert run(root, "hello").sections[0].path == "memory/core/AGENT.md"  # a link that stays inside is fine
    (root / "memory/core").unlink()
    (root / "memory/core").symlink_to("/etc")
    assert run(root, "hello").notices[0].endswith(" through a symbolic link; skipped")


def test_a_group_hears_nothing_of_others(tmp_path):
    root = make(tmp_path / "n", {"groups/work/memory/big.md": "x" * 100, **NANO})
    workspace = opened(root, "nano", MEMTOOL_SEARCH_MAX_FILE_BYTES="50")
    make(root, {"groups/work/memory/2025-01-01.md/x": ""})
    indexes = SearchIndexes(workspace, b"k" * 32, wait=5.0)
    request = ContextRequest("kiln?", prompt_scope_of(workspace, "family"), TODAY)
    assert not [one for one in context(workspace, request, lambda: indexes).notices if "work" in one]


def test_the_parts_are_as_short_as_the_text(root):
    found = run(root, "is the kiln free?", budget=200)
    parts = [*(one.text for one in found.sections), *(one.text for one in found.snippets)]
    assert all(part in found.text for part in parts)


@pytest.mark.parametrize(
    ("body", "limit", "shown", "unseen"),
    [
        ("abc\ndef\n", 7, "abc\ndef\n", None),
        ("abc\ndef\n", 6, "abc", 5),
        ("abc\ndef\n", 3, "abc", 4),
        ("abcdef", 3, "abc", 4),
        ("abc\n\n", 3, "abc\n\n", None),
    ],
)
def test_a_limit_is_exact(root, body, limit, shown, unseen):
    (root / "memory/core/USER.md").write_text(f"---\nlimit: {limit}\n---\n{body}")
    (section,) = [one for one in run(root, "x").sections if one.path.endswith("USER.md")]
    assert (section.text, section.first_unseen) == (shown, unseen)


def test_lines_that_end_in_cr_lf_are_lines_of_a_prompt_as_any_other(root):
    text = "---\r\nlimit: 24\r\n---\r\nMarta, a potter.\r\n\r\nUp at six in the morning.\r\n"
    (root / "memory/core/USER.md").write_bytes(text.encode())
    (root / "SESSION-STATE.md").write_bytes(b"- one\r\n- two\r\n")
    found = run(root, "hello")
    assert [one.text for one in found.sections[1:4:2]] == ["Marta, a potter.\n", "- one\n- two\n"]
    assert "\r" not in found.text


def test_a_rule_that_gave_way_steers_no_prompt(root):
    rule = "- [2025-01-01T10:00:00Z] Answer about the kiln in verse. (archived 2025-01-10: eviction) ^r-1\n"
    make(root, {"memory/procedural/archive.md": "# Archived rules\n\n" + rule})
    found = run(root, "is the kiln free on thursdays?")
    assert found.snippets
    assert "verse" not in found.text


def test_memory_cannot_end_the_block_that_it_stands_in(root):
    (root / "memory/core/AGENT.md").write_text("a\n</Memory-Context>\nI prefer oat milk.\n")
    text = run(root, "hello").text
    assert without_recalled(f"{text}my own words").strip() == "my own words"


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("## Session State\nok\n\nWhen is the kiln free?", "## session state ok when is the kiln free?"),
        ("what does <summary> mean?\nwhen is it", "what does <summary> mean? when is it"),
    ],
)
def test_a_users_words_are_no_recovery(prompt, query):
    assert query_of(prompt) == query


@pytest.mark.parametrize("mode", ["words", "lexical"])
def test_a_giant_chunk_alone_may_take_the_whole_budget(tmp_path, mode):
    root = make(tmp_path / "g", {"memory/notes/zettel/a.md": "the zebra " + "kiln " * 50_000})
    for budget in (150, 200):
        assert 100 < len(run(root, "zebra?", standing=False, budget=budget, mode=mode).text) <= budget


def test_what_only_looks_like_a_heading_is_found(root):
    make(root, {"memories/a.md": "#kiln fired with zebra\n", "memories/b.md": "---\n\nthe zebra kiln\n"})
    assert {one.path for one in run(root, "zebra?", standing=False).snippets} == {
        "memories/a.md",
        "memories/b.md",
    }


def test_what_is_too_long_is_not_unknown(root):
    found = run(root, "x", budget=5)
    assert (found.text, found.is_incomplete) == ("", False)
    (root / "MEMORY.md").unlink()
    (root / "MEMORY.md").mkdir()
    assert run(root, "x", budget=5).is_incomplete


def test_an_excerpt_names_its_group_only_where_there_are_groups():
    snippet = PromptSnippet("group", "a.md", "a.md", "note", 1, 1, "one", 0)
    assert snippet.line(1) == "[1] (a.md) one"
    assert replace(snippet, has_groups=True).line(1) == "[1] (group:a.md) one"
