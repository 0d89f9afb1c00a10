"""compact: what gives way is in memory first, what stays is byte for byte what it was."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.compaction.compact import (
    CompactionStage,
    InsertedMessage,
    is_marker,
    remaining_messages,
    split_conversation,
)
from memtool.core.compaction.tokens import estimate_message_tokens, estimate_tokens
from memtool.core.records.entries import Owner
from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.errors import BadUsage, DelegateFailed, OutsideWorkspace
from memtool.formats import extractor_output
from memtool.formats.conversation import parse
from memtool.verbs.compaction.compact import CompactRequest, compact
from memtool.verbs.compaction.condense import CondenseCommands
from memtool.verbs.compaction.next_run import next_run
from memtool.verbs.compaction.recover import recover
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.facts.facts import forget_facts
from memtool.verbs.facts.recall import recall
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.memory_files.semantic_files import add_facts_plan, all_facts
from tests.conversations import texts
from tests.examples import examples
from tests.trees import NOW, clean_environment, contents, make, memtool, opened

ASKED = CompactRequest(now=NOW, today=NOW.date(), limit=200_000, force=True)


def run(root: Path, text: str, layout: str = "native", helpers: CondenseCommands | None = None, **asked):
    workspace, helpers = opened(root, layout), helpers or CondenseCommands()
    return compact(
        workspace,
        text,
        replace(ASKED, **asked),
        triggers=DEFAULT_TRIGGERS,
        count=estimate_tokens,
        commands=helpers,
    )


def talk(count: int, **more: str) -> str:
    said = [
        {"role": "assistant" if number % 2 else "user", "content": f"remark number {number}"}
        for number in range(count)
    ]
    for number, text in more.items():
        said[int(number.removeprefix("m"))]["content"] = text
    return json.dumps(said)


def command(root: Path, script: str, name: str = "summarizer", **more) -> Delegate:
    arguments = (sys.executable, "-c", script)
    return Delegate(name, arguments, {"PATH": "/usr/bin:/bin"}, str(root), **more)


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {})


@pytest.fixture
def roots(tmp_path_factory):
    """Makes an empty workspace for each example of a property."""
    return lambda: make(tmp_path_factory.mktemp("c"), {})


any_conversation = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
    max_examples=examples(60),
)


@given(texts())
@any_conversation
def test_a_conversation_with_nothing_to_drop_stays_as_it_is(roots, made):
    text = made[1]
    assume(text.strip() and not split_conversation(parse(text).items).dropped)
    done = run(roots(), text)
    assert done.text == text
    assert done.stage is CompactionStage.EASY


@given(texts())
@any_conversation
def test_a_marker_takes_the_place_of_what_is_dropped_and_the_rest_is_unchanged(roots, made):
    text = made[1]
    assume(text.strip())
    before = parse(text).items
    cut = split_conversation(before)
    assume(cut.dropped)
    after = parse(run(roots(), text).text).items
    order = remaining_messages(before, cut)
    marker = after[order.index(InsertedMessage.MARKER)].text
    assert is_marker(marker)
    assert f"{len(cut.dropped)} earlier messages" in marker
    rest = [item.raw for item, entry in zip(after, order, strict=True) if isinstance(entry, int)]
    assert rest == [before[number].raw for number in cut.kept]
    last = min(4, len(before) // 2)
    assert [item.raw for item in after[:2]] == [item.raw for item in before[:2]]
    assert [item.raw for item in after[-last:]] == [item.raw for item in before[-last:]]


@given(texts())
@any_conversation
def test_a_compaction_is_stored_once_without_secrets_however_often_it_is_run(roots, made):
    text = made[1]
    assume(text.strip() and split_conversation(parse(text).items).dropped)
    root = roots()
    done = run(root, text)
    stored = (root / "MEMORY.md").read_text()
    assert done.report["request"] in stored
    assert "hunter2" not in stored
    assert stored.count("## Session Compaction") == 1
    assert run(root, text).text == done.text
    assert (root / "MEMORY.md").read_text() == stored


@given(texts())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(100))
def test_the_limit_is_kept_whenever_it_can_be(tmp_path_factory, made):
    root = make(tmp_path_factory.mktemp("c"), {})
    text = made[1]
    if not text.strip() or not split_conversation(parse(text).items).dropped:
        return
    items = parse(text).items
    least = (
        sum(estimate_message_tokens(items[number].messages) for number in split_conversation(items).kept) + 80
    )
    for limit in (least, least + 40, least + 200, 4 * least):
        done = run(root, text, limit=limit)
        taken = sum(estimate_message_tokens(item.messages) for item in parse(done.text).items)
        assert taken == done.report["tokens_kept"] <= limit


def test_facts_and_summary_are_stored_before_anything_comes_back(root):
    text = talk(
        40,
        m10="My cat's name is Whiskerino. Let's go with PostgreSQL 16.",
        m13="The error came from src/app/pool.py, because the pool was too small.",
        m20="What about the invoice of Karimov?",
        m21="The pool has room for twenty connections now, and the tests of last week pass again.",
        m24="I prefer dark mode. my password: hunter2hunter2",
    )
    done = run(root, text)
    stored = (root / "MEMORY.md").read_text()
    assert "- **fact**: User's cat's name is Whiskerino — \"My cat's name is Whiskerino\"" in stored
    assert "- **decision**: Let's go with PostgreSQL 16." in stored
    assert "src/app/pool.py" in stored.partition("## Session Compaction 2025-01-15T10:30:00+00:00")[2]
    assert "Open questions:\n- user: What about the invoice of Karimov?" in stored
    assert "hunter2" not in stored
    assert done.report["facts"] == 3
    kept = json.loads(done.text)
    assert len(kept) == 8
    assert "src/app/pool.py" in kept[2]["content"]


def test_a_file_of_facts_that_cannot_be_read_keeps_no_conversation_from_being_compacted(root):
    make(root, {"memory/semantic/preferences.md/in": "a folder"})
    done = run(root, talk(20, m4="I prefer dark mode. My name is Sardor."))
    assert done.stage is CompactionStage.COMPACT
    (notice,) = done.notices
    assert "preferences.md" in notice
    assert "I prefer dark mode" in (root / "MEMORY.md").read_text()
    assert "Sardor" in (root / "memory/semantic/facts.md").read_text()


def test_what_is_flushed_is_recalled_and_stands_once_however_often_it_is_said(root):
    text = talk(20, m4="I prefer green tea.", m6="My cat's name is Whiskerino.")
    for _ in range(2):
        run(root, text, used=120_500, force=False)
        run(root, text, owner=Owner("user", "b"))
    for question, answer in (("green tea", "I prefer green tea."), ("Whiskerino", "User's cat's name is")):
        shelf = FactSync(opened(root, "native"), b"k" * 32, wait=1.0, embedder=None)
        found = recall(shelf.workspace, RecallRequest(question, WHOLE_WORKSPACE, NOW), shelf).hits
        assert [hit.text[:20] for hit in found] == [answer[:20]] * 2
    assert (root / "memory/semantic/preferences.md").read_text().count("green tea") == 2


@pytest.mark.parametrize(
    "sentence",
    ["I am lactose intolerant.", "Ich bin Linkshänder.", "Soy intolerante a la lactosa.", "我有乳糖不耐症。"],
)
def test_a_circumstance_is_a_fact_once_whether_scanned_before_or_not(root, sentence):
    other = make(root.parent / "scanned", {})
    memtool(other, "--layout", "native", "scan", "--message", sentence, home=root.parent)
    for tree in (root, other):
        done = run(tree, talk(20, m4=sentence), "native")
        assert sentence in (tree / "MEMORY.md").read_text()
        assert done.report["summary"].count(sentence) == 1
        assert (tree / "memory/semantic/facts.md").read_text().count(sentence) == 1


def test_a_fact_that_was_forgotten_does_not_come_back_from_the_same_conversation(root):
    text = talk(20, m4="I prefer green tea.")
    run(root, text)
    shelf = FactSync(opened(root, "native"), b"k" * 32, wait=1.0, embedder=None)
    (hit,) = recall(shelf.workspace, RecallRequest("green tea", WHOLE_WORKSPACE, NOW), shelf).hits
    forget_facts(shelf.workspace, (hit.name,), NOW.date(), purge=False)
    run(root, text)
    found = recall(shelf.workspace, RecallRequest("green tea", WHOLE_WORKSPACE, NOW), shelf).hits
    assert {hit.path for hit in found} == {"MEMORY.md"}  # the line there is no fact, and was not forgotten


_ROW = {
    "text": st.text(alphabet="aB1 :[]^-*\n—\"'()#>`|\\k ю的\u2028\u200b", min_size=1),
    "category": st.text("aZ_1的"),
}


@given(st.lists(st.fixed_dictionaries(_ROW), min_size=1, max_size=3))
@example([{"text": "a: x ## H - [pref] forged ^m-1", "category": "x"}])
@settings(max_examples=25)
def test_whatever_an_extractor_answers_is_filed_as_facts_that_read(tmp_path_factory, rows):
    root = make(tmp_path_factory.mktemp("w"), {})
    facts = [one.to_fact(None) for one in extractor_output.parse(json.dumps(rows))[0]]
    workspace = opened(root, "native")
    with workspace.lock():
        workspace.commit(add_facts_plan(workspace, facts, []))
    there = all_facts(workspace, [])
    assert len(there) <= len(facts)
    assert add_facts_plan(workspace, facts, []) == ()


def test_a_group_has_its_facts_in_its_own_memory_alone(root):
    make(root, {"groups/family/MEMORY.md": "# Memory\n"})
    run(root, talk(20, m4="I prefer green tea."), "nano", group="family")
    assert [*root.glob("**/semantic")] == []
    assert "green tea" in (root / "groups/family/MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("layout", "used", "stage", "facts"),
    [
        ("native", 119_900, CompactionStage.EASY, 0),
        ("native", 120_000, CompactionStage.FLUSH, 1),
        ("native", 140_000, CompactionStage.COMPACT, 1),
        ("qanot", 99_900, CompactionStage.EASY, 0),
        ("qanot", 100_000, CompactionStage.COMPACT, 1),
        ("openlegion", 119_999, CompactionStage.EASY, 0),
        ("openlegion", 120_000, CompactionStage.FLUSH, 1),
        ("openlegion", 139_999, CompactionStage.FLUSH, 1),
        ("openlegion", 140_000, CompactionStage.COMPACT, 1),
    ],
)
def test_as_full_as_the_context_is(root, layout, used, stage, facts):
    text = talk(20, m4="I prefer green tea.")
    done = run(root, text, layout, used=used, force=False)
    assert done.stage is stage
    assert done.report.get("facts", 0) == facts
    assert (done.text == text) is (stage is not CompactionStage.COMPACT)
    assert done.report["tokens_after"] == (70_000 if stage is CompactionStage.COMPACT else used)


@pytest.mark.parametrize(("layout", "kept"), [("native", 2), ("openlegion", 0)])
def test_as_many_messages_stay_at_the_beginning_as_the_layout_says(root, layout, kept):
    done = run(root, talk(20), layout)
    assert [is_marker(message["content"]) for message in done.messages].index(True) == kept


def test_no_message_stays_at_the_beginning_where_a_setting_says_so(root):
    make(root, {"memtool.toml": "[compact]\nkeep_first = 0\nkeep_last = 2\n"})
    done = run(root, talk(20), "native")
    marker, reply, *rest = (message["content"] for message in done.messages)
    assert is_marker(marker)
    assert reply == "Understood."
    assert rest == ["remark number 18", "remark number 19"]


def test_a_short_conversation_stays_whole_and_its_facts_are_flushed_when_it_is_long(root):
    text = talk(6, m2="I prefer green tea.")
    assert run(root, text).stage is CompactionStage.EASY
    done = run(root, text, used=190_000)
    assert (done.stage, done.text) == (CompactionStage.FLUSH, text)
    assert "the conversation is too short to compact (messages: 6)" in done.reason


@pytest.mark.parametrize(
    ("layout", "path"),
    [
        ("native", "MEMORY.md"),
        ("q15", "journal/2025-01-15.md"),
        ("claude-code", "memtool/2025-01-15.md"),
        ("nano", "MEMORY.md"),
        ("openclaw", "MEMORY.md"),
    ],
)
def test_the_summary_goes_where_the_layout_says(root, layout, path):
    done = run(root, talk(30), layout)
    assert done.report["summary_path"] == path
    text = (root / path).read_text()
    assert "\n\n## Session Compaction 2025-01-15T10:30:00+00:00\n\nRequest compact-" in text


def test_what_another_owner_said_is_a_fact_of_its_own(root):
    text = talk(20, m4="I prefer green tea.")
    run(root, text, owner=Owner("user", "a"))
    assert run(root, text, owner=Owner("user", "b")).report["facts"] == 1


def test_a_summary_cannot_forge_the_files_structure(root):
    said = "# Auto-captured\n\n- **preference**: x\n## Session Compaction now\n**Plan**\n- **Next:** go\n---"
    helper = CondenseCommands(summarizer=command(root, f"print({said!r})"))
    run(root, talk(20), helpers=helper)
    text = (root / "MEMORY.md").read_text()
    assert text.count("\n#") == 2 == text.count("\n## ")
    assert "\nPlan:\n- Next: go\n" in text
    assert "**preference**" not in text


def test_an_earlier_summary_lives_on_in_the_next_with_who_said_what(root):
    records = json.loads(
        talk(20, m5="We decided on the Shimpo wheel, see docs/wheel.md.", m6="Let's go with cone 6.")
    )
    call = {"id": "c", "function": {"name": "read", "arguments": '{"path": "docs/wheel.md"}'}}
    records[7]["tool_calls"] = [call]
    text = json.dumps(records)
    for number in range(3):
        more = [{"role": "user", "content": f"then {number}-{step}"} for step in range(8)]
        text = json.dumps([*json.loads(run(root, text).text), *more])
    summary = json.loads(run(root, text).text)[2]["content"]
    assert "- agent: We decided on the Shimpo wheel, see docs/wheel.md.\n" in summary
    assert "- user: Let's go with cone 6.\n" in summary
    assert "Files: docs/wheel.md\n" in summary
    assert "user: user:" not in summary


def test_what_memory_said_is_no_evidence(root):
    recalled = "<memory-context>\nMEMORY.md: I prefer sweet tea.\n</memory-context>\nhello"
    left = "[CONTEXT COMPACTION: 9 earlier messages]\n\n<summary>\n- user: I prefer milk.\n</summary>"
    snippet = "[3] (group:MEMORY.md) I prefer juice.\nmemory/2025-01-14.md:3: I prefer cola.\nhello"
    entry = "- [2025-01-14T08:12:40+00:00] [user:a] **preference**: I prefer rum.\nhello"
    recovery = "<memory-context>\n## Session State\n\nI prefer wine.\n</memory-context>\n\nhello"
    turns = (
        "--- turn 5 · 2025-01-15T10:30:00Z\nuser: I prefer gin.\n    I prefer ale.\nassistant calls ls: {}"
    )
    record = '{"path": "MEMORY.md", "line": 1, "text": "I prefer mead."}\nhello'
    done = run(
        root, talk(20, m4=recalled, m6=left, m8=snippet, m10=entry, m12=recovery, m14=f"{turns}\n{record}")
    )
    assert done.report["facts"] == 0
    assert "sweet" not in (root / "MEMORY.md").read_text()
    assert "I prefer milk." in (root / "MEMORY.md").read_text()  # an earlier summary lives on in the next


def test_what_the_user_asks_not_to_keep_is_stored_nowhere(root):
    said = {
        "m4": "I prefer rum at the harbour",
        "m6": "please don't save that",
        "m8": "I prefer tea at the kiln",
    }
    for more in ({"force": True}, {"force": False, "used": 80_000, "limit": 120_000}):
        compact_it = run(root, talk(14, **said), **more)
        stored = (root / "MEMORY.md").read_text()
        assert "I prefer tea at the kiln" in stored
        assert "harbour" not in stored
        assert compact_it.stage is not CompactionStage.EASY


def test_a_run_that_begins_anew(root):
    make(root, {"groups/family/MEMORY.md": "# Memory\n", "groups/work/MEMORY.md": "# Memory\n"})
    done = run(
        root, talk(3, m0="Let's go with the blue tiles."), "nano", force=False, fresh=True, group="family"
    )
    assert done.text == ""
    assert done.report["removed"] == 3
    assert "blue tiles" in (root / "groups/family/MEMORY.md").read_text()
    assert "Compaction" not in (root / "groups/work/MEMORY.md").read_text()
    workspace = opened(root, "nano")
    assert next_run(workspace, group="work").is_fresh is False
    assert next_run(workspace, group="family").request == done.report["request"]
    assert next_run(workspace, group="family", take=True).is_fresh is True
    assert next_run(workspace, group="family").is_fresh is False


def test_recovery_is_offered_for_it(root):
    make(root, {"SESSION-STATE.md": "- [2025-01-15T10:00:00+00:00] **decision**: blue tiles\n"})
    records = json.loads(run(root, talk(20)).text)
    messages = [message for item in parse(json.dumps(records)).items for message in item.messages]
    assert recover(opened(root, "native"), messages, now=NOW, today=NOW.date()).sections


# commands of the user's -----------------------------------------------------------------------------------


def test_a_command_gets_the_messages_and_gives_the_summary(root):
    script = (
        "import sys, json; a = [*map(json.loads, sys.stdin)]; print(len(a), a[0]['role'], a[0]['content'])"
    )
    text = talk(20, m2="my password is hunter2hunter2")
    done = run(root, text, helpers=CondenseCommands(summarizer=command(root, script)))
    assert "14 user my password is [REDACTED:password]" in (root / "MEMORY.md").read_text()
    assert done.report["summarizer"] == sys.executable


def test_a_command_is_not_told_what_a_tool_had_from_memory(root):
    said = json.loads(talk(20))
    call = {"id": "c1", "type": "function", "function": {"name": "memory_search", "arguments": "{}"}}
    answer = "<memory-context>\nMEMORY.md:7 (long-term)\nThe fig tree is old.\n</memory-context>\nnote: more"
    said[4:6] = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": f"{answer}\ndocs/a.md:12: a line of a file"},
    ]
    run(root, json.dumps(said), helpers=CondenseCommands(summarizer=command(root, "print(open(0).read())")))
    told = (root / "MEMORY.md").read_text()
    assert "remark number 6" in told
    assert "docs/a.md:12: a line of a file" in told
    assert "fig tree" not in told


FACTS = """
import sys
sys.stdin.read()
print('{"category": "Home & Garden", "text": "User has a fig tree", "evidence": "the fig tree"}')
print('```')
print('{"text": "User lies", "evidence": "nobody said this"}')
print('no fact at all')
"""


def test_a_command_finds_facts_and_their_evidence_must_have_been_said(root):
    helper = CondenseCommands(extractor=command(root, FACTS, "extractor"))
    done = run(root, talk(20, m4="Water  the Fig tree, please. I prefer tea."), helpers=helper)
    text = (root / "MEMORY.md").read_text()
    assert '- **home_garden**: User has a fig tree — "the fig tree"\n' in text
    assert "lies" not in text
    assert "**preference**" not in text
    assert done.notices == (
        "skipped invalid output of the extractor command: 1 of 3 lines",
        "skipped 1 fact whose evidence does not quote the user's messages",
    )
    none = CondenseCommands(extractor=command(root, "print('[]')", "extractor"))
    assert run(root, talk(20, m4="I prefer tea."), helpers=none).report["facts"] == 0


@pytest.mark.parametrize(
    ("script", "why", "more"),
    [
        ("import sys; sys.exit(3)", "failed with exit code 3", {}),
        ("print(' ')", "printed nothing", {}),
        ("print('x' * 5000)", "printed more than 1000 bytes", {"max_bytes": 1000}),
        ("import time; time.sleep(60)", "timed out after 0.3 s", {"seconds": 0.3}),
    ],
)
def test_a_command_that_fails_is_replaced_unless_it_must_not_be(root, script, why, more):
    helper = command(root, script, **more)
    done = run(root, talk(20), helpers=CondenseCommands(summarizer=helper, extractor=helper))
    assert len(done.notices) == 2
    assert all(why in notice for notice in done.notices)
    assert done.report["summarizer"] == "built-in"
    before = contents(root)
    with pytest.raises(DelegateFailed, match=why):
        run(root, talk(21), helpers=CondenseCommands(summarizer=helper, strict=True))
    assert contents(root) == before


def test_nothing_of_a_late_command_goes_on_running(root, tmp_path):
    mark = tmp_path / "mark"
    script = f"(sleep 1; touch {mark}) & sleep 60"
    late = Delegate("summarizer", script, {"PATH": "/usr/bin:/bin"}, str(root), seconds=0.2)
    with pytest.raises(DelegateFailed):
        late.run("x")
    subprocess.run(["/bin/sleep", "1.3"], check=True)
    assert not mark.exists()


def test_a_shell_line_is_run_by_the_shell(root):
    helper = Delegate("summarizer", "tr a-z A-Z | head -c 5", {"PATH": "/usr/bin:/bin"}, str(root))
    assert helper.run("hello world") == "HELLO"
    lost = Delegate("summarizer", "no-such-command-here", {"PATH": "/usr/bin:/bin"}, str(root))
    with pytest.raises(DelegateFailed, match="exit code 127: 'no-such-command-here' not found"):
        lost.run("x")


@pytest.mark.parametrize("as_line", [True, False])
def test_a_program_inside_the_workspace_is_never_run(root, tmp_path, monkeypatch, as_line):
    make(root, {"bin/helper": "#!/bin/sh\necho pwned\n"})
    (root / "bin/helper").chmod(0o755)
    (tmp_path / "link").symlink_to(root / "bin")
    monkeypatch.chdir(root)
    environment = {"PATH": f"{root}/bin:bin:.::{tmp_path}/link:/usr/bin:/bin"}
    for program in ("helper", "bin/helper", "./bin/helper", f"{root}/bin/helper", f"{tmp_path}/link/helper"):
        delegate = Delegate("summarizer", program if as_line else (program,), environment, str(root))
        with pytest.raises((OutsideWorkspace, DelegateFailed)) as refused:
            delegate.run("x")
        assert isinstance(refused.value, OutsideWorkspace) is ("/" in program)


def test_a_secret_is_told_by_what_stands_around_it(root):
    arguments = json.dumps({"db_password": "S3cr3t/pa55/w0rd", "path": "src/a.py"})
    call = {"id": "c", "function": {"name": "run", "arguments": arguments}}
    records = json.loads(talk(20))
    records[6] = {"role": "assistant", "content": "", "tool_calls": [call]}
    output = "DB_PASSWORD=\n  hunter2Xy9Zq error failed\nplain error"
    records[7] = {"role": "tool", "tool_call_id": "c", "content": output}
    run(root, json.dumps(records))
    text = (root / "MEMORY.md").read_text()
    assert "hunter2" not in text
    assert "S3cr3t" not in text
    assert "- tool: plain error\n" in text
    assert "Files: src/a.py\n" in text


def test_what_would_only_get_longer_stays_whole(root):
    text = talk(7, m3="x" * 100)
    items = parse(text).items
    whole = sum(estimate_message_tokens(item.messages) for item in items)
    done = run(root, text, limit=whole)
    assert (done.text, done.report["removed"]) == (text, 0)
    assert "so the compacted conversation would exceed the limit" in done.reason


def test_a_command_does_not_start_commands(root):
    inner = Delegate("summarizer", "cat", {"PATH": "/usr/bin:/bin", "MEMTOOL_IN_SUMMARIZER": "1"}, str(root))
    with pytest.raises(DelegateFailed, match="was called by a command that memtool itself had started"):
        inner.run("x")


def has_ended(process: int) -> bool:
    """Whether a process ends within ten seconds.

    A killed one exists until its new parent has waited for it.
    """
    for _ in range(1000):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def test_a_command_ends_with_the_memtool_that_started_it(root, tmp_path):
    (tmp_path / "chat.json").write_text(talk(20))
    begun = tmp_path / "begun"
    script = f"echo $$ > {begun}.new; mv {begun}.new {begun}; sleep 60"
    arguments = ["--root", str(root), "--layout", "native", "compact", "--force", "--summarizer", script]
    child = subprocess.Popen(
        [sys.executable, "-m", "memtool", *arguments, str(tmp_path / "chat.json")],
        env=clean_environment(tmp_path),
        stdout=subprocess.DEVNULL,
    )
    while not (begun.exists() and begun.read_text()):
        assert child.poll() is None
        time.sleep(0.01)
    child.terminate()
    assert child.wait(10) == 128 + 15
    assert has_ended(int(begun.read_text()))


def test_a_command_that_is_starting_ends_with_the_memtool_that_starts_it(root, tmp_path):
    (tmp_path / "chat.json").write_text(talk(20))
    begun = tmp_path / "begun"
    script = f"echo $$ > {begun}; kill -TERM $PPID; sleep 60"
    arguments = ["--root", str(root), "--layout", "native", "compact", "--force", "--summarizer", script]
    ran = memtool(*arguments, str(tmp_path / "chat.json"), home=tmp_path)
    assert ran.returncode == 128 + 15
    assert has_ended(int(begun.read_text()))


def test_a_report_overwrites_no_memory(root, tmp_path):
    make(root, {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "# Memory\n"})
    before = contents(root)
    (tmp_path / "chat.json").write_text(talk(20))
    source = str(tmp_path / "chat.json")
    for name in ("MEMORY.md", "memtool.toml", ".memtool/x", "memory/2025-01-01.md", source, str(tmp_path)):
        ran = memtool("compact", "--force", "--report", name, source, home=tmp_path, cwd=root)
        assert ran.returncode == 2, name
        assert "--report" in ran.stderr
    assert contents(root) == before
    ran = memtool("compact", "--force", "--report", str(tmp_path / "r.json"), source, home=tmp_path, cwd=root)
    assert ran.returncode == 0
    assert json.loads((tmp_path / "r.json").read_text())["removed"] == 14
    assert (tmp_path / "r.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("where", ["> /dev/full", ">&-"])
def test_an_output_that_cannot_be_written_is_an_error_and_nothing_is_lost(root, tmp_path, where):
    (tmp_path / "chat.json").write_text(talk(20, m4="Let's go with PostgreSQL 16."))
    command = (
        f"{sys.executable} -m memtool --root {root} --layout native compact --force {tmp_path}/chat.json"
    )
    ran = subprocess.run(
        ["/bin/sh", "-c", f"{command} {where}"],
        env=clean_environment(tmp_path),
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 19
    assert b"cannot write the output" in ran.stderr
    assert b"Traceback" not in ran.stderr
    assert "PostgreSQL" in (root / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("given", "why"), [("nonsense", "is not JSON"), ("", "is empty"), ("[1]", "not an object")]
)
def test_what_is_no_conversation_is_an_error_and_nothing_is_written(root, given, why):
    with pytest.raises(BadUsage, match=why):
        run(root, given)
    assert contents(root) == {}


def test_a_reader_that_is_gone_loses_nothing(root, tmp_path):
    text = talk(2000, m40="Let's go with PostgreSQL 16.", m1999="x" * 3_000_000)
    (tmp_path / "chat.json").write_text(text)
    arguments = f"{sys.executable} -m memtool --root {root} --layout native compact --force"
    script = f"{arguments} < {tmp_path}/chat.json | head -c 10 > /dev/null; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(
        ["/bin/bash", "-c", script],
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "0\n"
    assert "Traceback" not in ran.stderr
    assert "PostgreSQL 16" in (root / "MEMORY.md").read_text()


def test_incognito_keeps_the_summary_in_the_conversation_alone(root, tmp_path):
    (root / "memtool.toml").write_text('layout = "native"\n')
    before = contents(root)
    text = talk(20, m4="Let's go with PostgreSQL 16.")
    ran = memtool("compact", "--force", "--incognito", "--gap", "marker", home=tmp_path, cwd=root, stdin=text)
    assert ran.returncode == 0
    assert "PostgreSQL 16" in json.loads(ran.stdout)[2]["content"]
    assert contents(root) == before


def test_an_overflow_compacts_and_teaches_the_window_and_the_density(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    chat = [{"role": role, "content": "word " * 100} for role in ("user", "assistant") * 6]
    run = functools.partial(memtool, "compact", "--json", home=tmp_path, cwd=root, stdin=json.dumps(chat))
    assert run().returncode == 1
    full = run("--overflow", "prompt is too long: 3000 tokens > 2000 maximum")
    assert (full.returncode, json.loads(full.stdout)["limit"]) == (0, 2000)
    report = json.loads(run().stdout)
    assert (report["limit"], report["stage"]) == (2000, "compact")
    assert 2900 < report["tokens_before"] < 3100
    assert run("--window", "200000").returncode == 1


def test_a_context_of_which_80_percent_is_used_is_warned_of(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    given = ("buffer", "--user-text", "hello", "--window", "1000", "--used")
    for used, warns in ((790, False), (800, True)):
        said = memtool(*given, str(used), home=tmp_path, cwd=root).stderr
        assert ("warning: 80% of the context window is used" in said) == warns
