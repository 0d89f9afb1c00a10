"""scan: where instructions, statements and corrections go, and what they supersede."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.facts.policy import build_policy
from memtool.core.records.entries import Owner
from memtool.core.text.discourse import without_opening
from memtool.errors import MemtoolError, UnreadableFile
from memtool.formats import long_term, rules, semantic
from memtool.layouts.policy import policy_tables
from memtool.verbs.capture.scan import scan
from memtool.verbs.facts.rules import add_user_rule
from tests.trees import NOW, contents, make, memtool, opened

POLICY = build_policy(policy_tables())
ANN = Owner("user", "ann")


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})


def tell(root, *messages, owner=None, group=None):
    """Scan the messages, a minute apart; return the entries of the last one."""
    report = None
    for number, message in enumerate(messages):
        now = NOW + timedelta(minutes=number)
        report = scan(opened(root), message, now=now, owner=owner, triggers=DEFAULT_TRIGGERS, group=group)
    return [(found.entry.category, found.durable, found.duplicate) for found in report.entries]


def text(root, path):
    file = root / path
    return file.read_text() if file.exists() else ""


def rule_texts(root):
    return [rule.text for rule in rules.rules(rules.parse(text(root, "memory/procedural/rules.md")))]


def facts(root, *, active=True):
    """The subject, predicate and object of the facts that hold, or that hold no more."""
    records = semantic.records(semantic.parse(text(root, "memory/semantic/facts.md")))
    return [
        (one.fact.subject, one.fact.predicate, one.fact.object)
        for one in records
        if (one.superseded is None) == active
    ]


def lines(root, path="MEMORY.md"):
    return [fact.detail for fact in long_term.facts(long_term.parse(text(root, path))) if fact.category]


def test_an_instruction_becomes_a_rule_and_no_line_of_long_term_memory(root):
    assert tell(root, "Always answer in German.") == [("instruction", True, False)]
    assert rule_texts(root) == ["Always answer in German."]
    assert "German" in text(root, "SESSION-STATE.md")
    assert "German" not in text(root, "MEMORY.md")


def test_the_same_instruction_is_no_second_rule(root):
    assert tell(root, "Always answer in German.", "Always answer in German") == [("instruction", True, True)]
    assert len(rule_texts(root)) == 1


def test_the_contrary_archives_a_rule_and_the_rule_said_again_holds_again(root):
    tell(root, "Always answer in German.", "Never answer in German again.")
    assert rule_texts(root) == ["Never answer in German again."]
    assert "Always answer in German." in text(root, "memory/procedural/archive.md")
    tell(root, "Always answer in German.")
    assert rule_texts(root) == ["Always answer in German."]


def test_a_rule_belongs_to_its_user(root):
    tell(root, "Always answer in German.", owner=ANN)
    assert "[user:ann] Always answer in German." in text(root, "memory/procedural/rules.md")


def test_where_all_rules_are_pinned_an_instruction_goes_to_long_term_memory(root):
    for number in range(20):
        add_user_rule(opened(root), f"Rule {number} on topic{number}", POLICY, None, NOW, pinned=True)
    tell(root, "Always answer in German.")
    assert "- **instruction**: Always answer in German." in text(root, "MEMORY.md")


def test_a_group_has_no_rules_so_its_instructions_go_to_its_long_term_memory(tmp_path):
    root = make(tmp_path / "g", {"memtool.toml": 'layout = "nano"\n'})
    tell(root, "Always answer in German.", group="kiln")
    assert any(
        "- **instruction**: Always answer in German." in data.decode()
        for path, data in contents(root).items()
        if path.endswith(".md") and data is not None
    )


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("I'm vegan", ("User", "HAS_TRAIT", "vegan")),
        ("I live in Berlin", ("User", "LIVES_IN", "Berlin")),
        ("my sister Dana is a nurse", ("User", "KNOWS", "Person:my sister Dana")),
        ("we moved the launch to 12 May", ("User's launch", "IS", "12 May")),
        ("Our API runs on port 8080.", ("User's API port", "IS", "8080")),
    ],
)
def test_a_statement_becomes_a_fact_and_no_line_of_long_term_memory(root, message, fact):
    assert ("fact", True, False) in tell(root, message)
    assert facts(root) == [fact]
    assert "Auto-captured" not in text(root, "MEMORY.md")


def test_a_statement_without_a_user_is_untagged_and_with_one_tagged(root):
    tell(root, "I'm vegan")
    tell(root, "I'm vegan", owner=ANN)
    assert [
        one.fact.owner for one in semantic.records(semantic.parse(text(root, "memory/semantic/facts.md")))
    ] == [
        None,
        ANN,
    ]


def test_a_statement_that_memory_has_is_written_once(root):
    assert tell(root, "I'm vegan", "I'm vegan") == [("fact", True, True)]
    assert len(facts(root)) == 1
    assert text(root, "SESSION-STATE.md").count("vegan") == 1


def test_a_new_value_supersedes_the_old_one_and_the_old_one_may_hold_again(root):
    tell(root, "I live in Munich", "I moved to Berlin last month.")
    assert facts(root) == [("User", "LIVES_IN", "Berlin")]
    assert facts(root, active=False) == [("User", "LIVES_IN", "Munich")]
    tell(root, "I live in Munich")
    assert facts(root) == [("User", "LIVES_IN", "Munich")]


def test_what_holds_no_more_supersedes_what_held(root):
    tell(root, "I work at Siemens", "I no longer work at Siemens")
    assert facts(root, active=False) == [("User", "WORKS_AT", "Siemens")]
    assert facts(root) == []
    assert "I no longer work at Siemens" in text(root, "SESSION-STATE.md")


def test_what_is_sensitive_is_held_and_in_no_prompt(root):
    assert tell(root, "I have depression") == [("fact", False, False)]
    assert facts(root) == []
    assert "depression" not in text(root, "SESSION-STATE.md")
    assert "depression" in text(root, "memory/cognition/pending.jsonl")


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("I have diabetes", "User HAS_CONDITION diabetes"),
        ("I'm epileptic", "User HAS_TRAIT epileptic"),
        ("I take blood thinners every day", "User TAKES blood thinners every day"),
        ("Ich habe Asthma", "User HAS_CONDITION Asthma"),
    ],
)
def test_a_condition_that_advice_must_not_ignore_is_stored_at_once(root, message, statement):
    assert tell(root, message) == [("fact", True, False)]
    assert statement in text(root, "memory/semantic/facts.md")


def test_a_message_that_asks_not_to_be_kept_leaves_no_fact(root):
    tell(root, "I live in Berlin. Don't save that.")
    assert not any(b"Berlin" in (data or b"") for data in contents(root).values())


def test_a_new_name_supersedes_the_old_one(root):
    tell(root, "My name is Zoe", "My name is Zora")
    assert lines(root) == ["My name is Zora"]
    assert "My name is Zoe [superseded: 2025-01-15]" in text(root, "MEMORY.md")


def test_a_name_of_another_user_stays(root):
    tell(root, "My name is Zoe", owner=ANN)
    tell(root, "My name is Bob", owner=Owner("user", "bob"))
    assert lines(root) == ["My name is Zoe", "My name is Bob"]


@pytest.mark.parametrize(
    ("before", "correction", "after"),
    [
        ("My name is Sarvar", "Actually, my name is Sardor, not Sarvar", None),
        ("My name is Sarvar", "It isn't Sarvar, it's Sardor.", "My name is Sardor"),
        ("My name is Sarah", "My name is spelled Sara not Sarah", "My name is Sara"),
        (
            "Remember that the kiln is booked on Monday",
            "the kiln is not on Monday, it's on Tuesday",
            "Remember that the kiln is booked on Tuesday",
        ),
        (
            "Remember that the kiln is in Hall 3",
            "Hall 3 is wrong, it's Hall 4",
            "Remember that the kiln is in Hall 4",
        ),
        (
            "Hello, I'm Samira and I live in Ghent",
            "Actually, I live in Antwerp, not Ghent",
            "Hello, I'm Samira and I live in Antwerp",
        ),
        ("I prefer light mode", "I prefer dark mode now", None),
        ("I like tea", "I don't like tea anymore", None),
    ],
)
def test_a_correction_supersedes_the_line_that_it_corrects(root, before, correction, after):
    tell(root, before, correction)
    assert before not in lines(root)
    assert (after or without_opening(correction)) in lines(root)
    assert f"{before} [superseded: 2025-01-15]" in text(root, "MEMORY.md")


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("I love Python", "It isn't Ruby, it's Python."),
        ("My name is Sarah", "I'm not sure if this is right, but it's fine"),
        ("Remember that the kiln is booked on Monday", "the meeting is not on Monday, it's on Tuesday"),
        ("I like tea", "I like teamwork"),
    ],
)
def test_other_lines_stay(root, before, message):
    tell(root, before, message)
    assert before in lines(root)


@pytest.mark.parametrize(
    ("before", "correction", "fact"),
    [
        (
            "our launch is on 12 May",
            "we moved the launch from 12 May to 19 May",
            ("User's launch", "IS", "19 May"),
        ),
        ("I use Vim", "I switched from Vim to Neovim", ("User", "USES", "Neovim")),
        (
            "Our API runs on port 8000",
            "the API port isn't 8000, it's 8080",
            ("User's API port", "IS", "8080"),
        ),
    ],
)
def test_a_correction_supersedes_a_fact(root, before, correction, fact):
    entries = tell(root, before, correction)
    assert [category for category, _, _ in entries if category == "fact"] == ["fact"]
    assert facts(root) == [fact]
    assert len(facts(root, active=False)) == 1


@pytest.mark.parametrize(
    ("before", "correction"),
    [
        ("My sister Lena lives in Oslo.", "Actually, Lena lives in Bergen now"),
        ("My sister Lena lives in Oslo.", "My brother is Paul. Actually, Lena lives in Bergen now"),
        ("My sister Lena lives in Oslo.", "Lena lives in Bergen, not in Oslo."),
    ],
)
def test_a_fact_stays_where_only_its_evidence_is_wrong(root, before, correction):
    tell(root, before, correction)
    assert ("User", "KNOWS", "Person:my sister Lena") in facts(root)
    active = [
        line for line in text(root, "memory/semantic/facts.md").splitlines() if "superseded" not in line
    ]
    assert [line for line in active if "Lena" in line] == [
        line for line in active if '— "My sister Lena lives in Bergen."' in line
    ]


def test_a_correction_of_the_agents_conduct_is_a_learning_once(root):
    for _ in range(2):
        tell(root, "Don't ever apologise again.")
    assert text(root, "learnings/corrections.md").count("apologise") == 1


def test_a_standing_instruction_that_corrects_nothing_is_no_learning(root):
    tell(root, "Never send anything without asking me first.")
    assert "Never send anything" in text(root, "memory/procedural/rules.md")
    assert not (root / "learnings/corrections.md").exists() or "send" not in text(
        root, "learnings/corrections.md"
    )


def test_everything_of_a_message_is_one_commit_and_incognito_writes_nothing(root):
    message = "Always answer in German. I live in Berlin. My name is Zora."
    before = contents(root)
    assert memtool("scan", "--incognito", "-m", message, home=root.parent, cwd=root).returncode == 0
    assert contents(root) == before
    report = scan(opened(root), message, now=NOW, owner=None, triggers=DEFAULT_TRIGGERS)
    assert str(report.plan[0].path) == "SESSION-STATE.md"
    assert {found.entry.category for found in report.entries} == {"instruction", "fact", "proper_noun"}


def test_the_log_is_written_though_facts_cannot_be_read(root):
    (root / "memory" / "semantic").mkdir(parents=True)
    (root / "memory" / "semantic" / "facts.md").mkdir()
    with pytest.raises(UnreadableFile):
        scan(
            opened(root),
            "Always answer in German. I'm vegan.",
            now=NOW,
            owner=None,
            triggers=DEFAULT_TRIGGERS,
        )
    log = text(root, "SESSION-STATE.md")
    assert "**instruction**: Always answer in German." in log
    assert "**fact**: I'm vegan" in log


def test_the_log_is_written_though_rules_cannot_be_read(root):
    (root / "memory" / "procedural").mkdir(parents=True)
    (root / "memory" / "procedural" / "rules.md").write_bytes(b"\xff\xfe\x00\x00")
    with pytest.raises(MemtoolError):
        tell(root, "Always answer in German. I like tea.")
    log = text(root, "SESSION-STATE.md")
    assert "Always answer in German." in log
    assert "I like tea" in log


def test_a_correction_without_an_old_value_changes_none_of_several_lines(root):
    remembered = [f"Remember that the train at {hour} is late" for hour in (9, 10)]
    tell(root, *remembered, "Actually, the train at 11 is late")
    assert {*remembered} <= {*lines(root)}
    told = [f"Remember that the depot is in {town}" for town in ("Oslo", "Rome")]
    tell(root, *told, "Actually, the depot is in Bergen")
    assert {*told} <= {*lines(root)}


def test_the_last_of_several_corrections_of_a_message_holds(root):
    tell(root, "Remember that the launch is on 12 May")
    tell(root, "The launch is on 14 May, not 12 May. No wait, the launch is on 15 May, not 14 May.")
    assert [line.rpartition(" on ")[2] for line in lines(root) if "launch is on" in line][-1] == "15 May"
    assert not any(line.endswith("is on 14 May") for line in lines(root))


def test_a_correction_writes_no_successor_like_the_fact_itself(root):
    tell(root, "My editor is Vim, which I run on Ubuntu", "We moved my editor from Ubuntu to Debian")
    file = text(root, "memory/semantic/facts.md")
    assert file.count("User's editor IS Vim") == 1
    assert "Vim" not in file.replace("My editor is Vim", "", 1).replace("IS Vim", "", 1)
    assert "IS Debian" not in file  # another clause has the value


@pytest.mark.parametrize(
    ("old", "new", "gone", "left"),
    [
        ("I live in Oslo.", "I no longer live in Rome.", [], ["Oslo", "I no longer live in Rome"]),
        ("I live in Oslo.", "I no longer live in Oslo.", ["Oslo"], []),
        ("We use Jenkins.", "We no longer use Jenkins", ["Jenkins"], []),
        ("I'm vegan.", "I'm not vegan anymore", ["vegan"], []),
        (
            "I'm allergic to peanuts",
            "I'm not allergic to peanuts, I'm allergic to cashews",
            ["peanuts"],
            ["cashews"],
        ),
        ("I'm allergic to nuts, eggs and milk", "I'm not allergic to eggs", None, ["nuts and milk"]),
    ],
)
def test_a_denial_supersedes_the_fact_that_it_denies(root, old, new, gone, left):
    tell(root, old, new)
    assert [one[2] for one in facts(root)] == left
    if gone is not None:
        assert [one[2] for one in facts(root, active=False)] == gone


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("I prefer tea.", "No, actually I prefer coffee, not tea.", "coffee"),
        ("I love Python", "I meant I love Ruby", "Ruby"),
        ("I hate jazz", "Actually I love jazz", "love jazz"),
        ("I love sushi", "I don't like sushi anymore", "don't like sushi"),
        ("I enjoy hiking", "I enjoy climbing, not hiking", "climbing"),
        ("I prefer tabs over spaces.", "Actually, I prefer spaces over tabs", "spaces over tabs"),
        ("I prefer tea to coffee", "I prefer coffee to tea", "coffee to tea"),
    ],
)
def test_a_preference_that_is_taken_back_is_superseded(root, old, new, left):
    tell(root, old, new)
    items = long_term.items(long_term.parse(text(root, "MEMORY.md")))
    active = [item.fact.detail for item in items if item.superseded is None and item.fact.category]
    assert len(active) == 1
    assert left in active[0]


def test_a_correction_of_what_is_unknown_states_the_new_value(root):
    tell(root, "My name isn't Bob, it's Rob.")
    assert lines(root) == ["My name is Rob."]
    tell(root, "My name is Tim.")
    items = long_term.items(long_term.parse(text(root, "MEMORY.md")))
    assert [item.fact.detail for item in items if item.superseded is None] == ["My name is Tim."]


def test_a_correction_with_a_subject_is_an_entry(root):
    told = tell(root, "The meeting isn't on Monday, it's on Tuesday")
    assert told == [("correction", False, False), ("fact", True, False)]


def test_another_number_of_the_same_supersedes(root):
    tell(root, "I have two kids.", "I have three kids now.")
    assert [one[2] for one in facts(root)] == ["three kids"]
