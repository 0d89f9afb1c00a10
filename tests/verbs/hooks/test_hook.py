"""Hooks: what each moment of a session does to memory, what an agent is told, and that nothing breaks."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from memtool.cli.deadline import TimeLimit
from memtool.core.hooks.hook_event import AGENTS, agent_length
from memtool.errors import DeadlineExceeded
from memtool.verbs.hooks.hook import handle_event as run_hook
from memtool.verbs.hooks.hook_call import HookOutcome
from memtool.verbs.maintenance.maintain import maintain
from tests.commands import maintenance
from tests.hooks import (
    PAGES,
    claude_log,
    codex_log,
    context_of,
    desk,
    event,
    hook,
    locked_elsewhere,
    log_of,
    prompt,
)
from tests.trees import NOW, contents, make, opened

__all__ = ["hook"]

SECRET = "sk-ant-api03-" + "Ab1" * 31 + "AA"
STANDING = """\
<memory-context>
## memory/core/USER.md

# User

Dilnoza, a potter.

## MEMORY.md

# Long-term memory

- The kiln is fired to 1240 degrees
</memory-context>
"""


@pytest.fixture
def root(tmp_path):
    return tmp_path / "w"


def turns(root: Path) -> list[dict]:
    return [json.loads(path.read_text()) for path in sorted(root.rglob("history/turns/**/*.json"))]


def said(root: Path) -> list[list[str]]:
    """The texts of each turn."""
    return [[part["text"] for one in turn["messages"] for part in one["parts"]] for turn in turns(root)]


# a prompt ----------------------------------------------------------------------------------------------


def test_a_prompt_is_told_what_stands_in_every_prompt_and_what_it_asks_for(hook, root):
    answer = hook(prompt("How much iron oxide does celadon need?"))
    expected = STANDING.replace(
        "</memory-context>",
        "\n## Relevant memory\n\n[1] (memory/notes/zettel/glaze.md) Glaze: "
        "Celadon needs three percent of iron oxide.\n</memory-context>",
    )
    record = {"hookEventName": "UserPromptSubmit", "additionalContext": expected}
    assert answer.decode() == json.dumps({"hookSpecificOutput": record}, separators=(",", ":")) + "\n"
    assert log_of(root) == ""


def test_what_the_prompt_says_is_recorded(hook, root):
    hook(prompt("My name is Aziz and I prefer green tea."))
    assert (
        "**preference**: My name is Aziz and I prefer green tea." in (root / "SESSION-STATE.md").read_text()
    )
    assert "I prefer green tea" in (root / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("before", "now", "old", "new"),
    [
        (
            "The staging server is hydro-stg-02.",
            "Actually the staging server is hydro-stg-03 now.",
            "stg-02",
            "the staging server is hydro-stg-03 now",
        ),
        (
            "I live in Tashkent.",
            "I live in Samarkand now. Which restaurants are near?",
            "Tashkent",
            "I live in Samarkand now.",
        ),
        (
            "I buy my compost from Golden Acres by the pallet.",
            "Actually I buy my compost from Homebase, not Golden Acres.",
            "Golden Acres",
            "I buy my compost from Homebase by the pallet",
        ),
        ("I prefer tea to coffee.", "Actually, I prefer coffee to tea.", "tea to coffee", "coffee to tea"),
    ],
)
def test_what_a_prompt_supersedes_is_replaced_in_its_context(hook, root, before, now, old, new):
    hook(prompt(before))
    assert old in context_of(hook(prompt("hello there", session_id="s2")))
    context = context_of(hook(prompt(now, session_id="s3")))
    assert old not in context
    assert context.count(new) == 1
    assert "- The kiln is fired to 1240 degrees" in context
    assert new.encode() not in hook(prompt("And the rest?", session_id="s3"))
    assert log_of(root) == ""


def test_a_rule_that_a_prompt_withdraws_is_marked_in_its_context(hook, root):
    hook(prompt("Never use emojis."))
    context = context_of(hook(prompt("You can use emojis again.", session_id="s2")))
    assert [row[:14] for row in context.split("\n") if "emojis" in row] == ["- [superseded]"]


def test_a_statement_that_a_prompt_corrects_in_part_has_both_days(hook, root):
    hook(prompt("I buy my compost from Golden Acres by the pallet."))
    context = context_of(
        hook(prompt("Actually I buy my compost from Homebase, not Golden Acres.", session_id="s2"))
    )
    (row,) = [row for row in context.split("\n") if "compost" in row]
    assert "(corrected on " in row


def test_nothing_is_lost_that_still_holds_beside_what_a_prompt_supersedes(hook, root):
    make(root, {"memory/core/USER.md": "# User\n\nThe staging server is hydro-stg-02. Its disk is small.\n"})
    hook(prompt("The staging server is hydro-stg-02."))
    context = context_of(hook(prompt("Actually the staging server is hydro-stg-03 now.", session_id="s2")))
    assert "[superseded] The staging server is hydro-stg-02. Its disk is small" in context
    hook(prompt("I am allergic to nuts and shellfish."))
    assert "shellfish" in context_of(hook(prompt("I am no longer allergic to nuts.", session_id="s3")))
    context = context_of(hook(prompt("What shall I cook?", session_id="s4")))
    assert "- I am allergic to shellfish." in context


def test_a_prompt_with_a_correction_that_is_not_applied_begins_with_a_notice(hook, root):
    with (root / "MEMORY.md").open("a") as file:
        file.write("- The studio is in Graz, by the river.\n")
    context = context_of(hook(prompt("Actually, the studio is in Linz, not in Graz.")))
    title, notice = context.split("\n")[1], context.split("\n")[3]
    assert title == (
        "## Corrections that replaced nothing, and requests to forget that removed nothing"
        " (ask the user what to change)"
    )
    assert "'The studio is in Graz, by the river.') contradicts the sentence" in notice
    assert b"that replaced nothing" not in hook(prompt("How is the river today?"))


def test_the_first_and_the_last_characters_of_a_long_prompt_are_scanned(hook, root):
    pasted = "lorem ipsum dolor sit amet\n" * 8_000
    message = f"I prefer green tea.\n\n{pasted}\n\nMy name is Aziz."
    hook(prompt(message), "--seconds=120")  # a loaded machine takes longer than an agent waits
    state = (root / "SESSION-STATE.md").read_text()
    assert "I prefer green tea" in state
    assert "My name is Aziz" in state


def test_a_conversation_is_told_once(hook, root):
    assert context_of(hook(prompt("hello there"))) == STANDING
    assert hook(prompt("thank you")) == b""
    assert hook(prompt("how many degrees has the kiln?")) == b""
    assert context_of(hook(prompt("hello there", session_id="s2"))) == STANDING
    assert context_of(hook(prompt("hello there", session_id=None))) == STANDING
    assert context_of(hook(prompt("hello there", session_id=None))) == STANDING


def test_what_is_added_while_a_conversation_lasts_is_told_alone(hook, root):
    hook(prompt("hello there"))
    with (root / "MEMORY.md").open("a") as page:
        page.write("- Timur collects the parcels\n")
    told = context_of(hook(prompt("thank you")))
    assert told == "<memory-context>\n## MEMORY.md\n\n- Timur collects the parcels\n</memory-context>\n"


def test_what_a_conversation_said_itself_it_is_not_told(hook, root):
    hook(prompt("I prefer tea without sugar."))
    assert hook(prompt("thank you")) == b""


@pytest.mark.parametrize(
    "said",
    [
        "I live in Leeds and I work as a nurse.",
        "Ich wohne in Köln und arbeite als Lehrer.",
        "Vivo en Sevilla y trabajo como enfermera.",
        "We have two daughters, Elsa and Tuva, and I drive a Volvo.",
    ],
)
def test_what_a_conversation_said_in_one_sentence_it_is_not_told_as_several_facts(hook, root, said):
    hook(prompt("hello there"))
    hook(prompt(said))
    assert (root / "memory/semantic/facts.md").read_text().count("\n- ") > 1
    assert hook(prompt("What about Tuesday?")) == b""
    assert "memory/semantic/" in context_of(hook(prompt("What about Tuesday?", session_id="s2")))


def test_a_setting_that_means_nothing_is_told_to_the_log(hook, root):
    assert hook(prompt("hello there"), MEMTOOL_HOOK_STANDING="never") == b""
    assert "hook.standing must be once or always, not 'never'" in log_of(root)


def test_everything_is_told_at_every_prompt_if_somebody_wants_that(hook, root):
    for _ in range(2):
        assert context_of(hook(prompt("hello there"), MEMTOOL_HOOK_STANDING="always")) == STANDING


def test_a_prompt_that_asks_where_things_stood_is_told(hook, root):
    make(root, {"memory/2025-01-15.md": "# Daily Notes -- 2025-01-15\n\n## [09:00:00]\n**User:** fire it\n"})
    assert "## Today's Notes" in context_of(hook(prompt("Sorry, where were we?")))


def test_no_snippet_is_better_than_one_that_says_nothing_of_the_prompt(hook, root):
    assert "Relevant memory" not in context_of(hook(prompt("zebra?")))


@pytest.mark.parametrize("budget", [600, 2000, 8000])
def test_after_many_entries_a_conversation_is_told_the_newest(hook, root, budget):
    lines = [f"- **preference**: I prefer number {number} of them\n" for number in range(300)]
    state = [f"- [2025-01-15T09:00:00+00:00] **decision**: number {number}\n" for number in range(900)]
    make(root, {"MEMORY.md": "".join(lines), "SESSION-STATE.md": "".join(state)})
    hook(prompt("my name is Zora", session_id="s0"))
    told = context_of(hook(prompt("hello", session_id="s1"), f"--budget={budget}"))
    assert "- **proper_noun**: my name is Zora\n" in told
    assert len(told) <= budget
    started = context_of(hook(event("SessionStart", source="startup", session_id="s2"), f"--budget={budget}"))
    assert "- **proper_noun**: my name is Zora\n" in started


def test_what_was_cut_off_answers_later_and_what_was_whole_is_not_repeated(hook, root):
    state = [f"- [2025-01-15T09:00:00+00:00] **decision**: number {number}\n" for number in range(300)]
    state[7] = "- [2025-01-15T09:00:00+00:00] **decision**: the zebra kiln\n"
    make(root, {"SESSION-STATE.md": "".join(state)})
    assert "zebra" not in context_of(hook(prompt("hello there")))
    assert "the zebra kiln" in context_of(hook(prompt("what about the zebra?")))
    assert hook(prompt("Dilnoza, a potter")) == b""


def test_a_passage_is_given_once_in_a_session_and_again_after_a_compaction(hook, root):
    asked = "How much iron oxide does celadon need?"
    assert "three percent" in context_of(hook(prompt(asked)))
    assert hook(prompt(asked)) == b""
    assert "three percent" in context_of(hook(prompt(asked, session_id="s2")))
    hook(event("SessionStart", source="compact"))
    assert "three percent" in context_of(hook(prompt(asked)))


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_an_agent_that_reads_a_file_by_itself_is_not_told_it(hook, root, tmp_path, agent):
    make(root, {"AGENTS.md": "# Agents\n\nAsk before you post.\n", "sub/x": "", ".git/x": ""})
    (tmp_path / "elsewhere").mkdir()
    for number, folder in enumerate((root, root / "sub", tmp_path / "elsewhere")):
        record = prompt("hello", session_id=f"s{number}", cwd=str(folder))
        told = context_of(hook(record, "--agent", agent, "--root", str(root)))
        assert ("Ask before you post." in told) == (number == 2)


@pytest.mark.parametrize(
    ("agent", "folder", "file", "transcript"),
    [
        ("codex", ".codex", "AGENTS.md", "sessions/2025/rollout-1-s1.jsonl"),
        ("gemini", ".gemini", "GEMINI.md", "tmp/p/chats/session-1.jsonl"),
    ],
)
def test_an_agent_is_not_told_the_instructions_in_its_own_folder(
    hook, tmp_path, agent, folder, file, transcript
):
    own = make(tmp_path / folder, {"memtool.toml": f'layout = "{agent}"\n', file: "Ask before you post.\n"})
    make(own, {"memtool/core/USER.md": "A potter.\n", transcript: ""})
    (tmp_path / "project").mkdir()
    more = {"cwd": str(tmp_path / "project"), "transcript_path": str(own / transcript)}
    record = prompt("hello", **more) if agent == "codex" else event("BeforeAgent", prompt="hello", **more)
    told = context_of(hook(record, "--agent", agent, "--root", str(own)))
    assert "A potter." in told
    assert "Ask before you post." not in told


@pytest.mark.parametrize(
    ("instructions", "told"),
    [
        ("Be brief.\n", {"Ask before you post.", "1240"}),
        ("@AGENTS.md and @MEMORY.md\n", set()),
        ("@./docs/more.md\n", {"Ask before you post."}),
        ("Mail me @AGENTS, `@AGENTS.md`.\n", {"Ask before you post.", "1240"}),
    ],
)
def test_claude_code_is_not_told_what_its_instructions_import(hook, root, instructions, told):
    make(root, {"AGENTS.md": "# Agents\n\nAsk before you post.\n", "CLAUDE.md": instructions})
    make(root, {"docs/more.md": "See @../MEMORY.md.\n"})
    context = context_of(hook(prompt("hello")))
    assert {text for text in ("Ask before you post.", "1240") if text in context} == told


def test_claude_code_is_not_told_the_index_of_its_own_memory(hook, root, tmp_path):
    project = tmp_path / "projects" / "p"
    own = make(project / "memory", {"memtool.toml": 'layout = "claude-code"\n', "MEMORY.md": "- the kiln\n"})
    log = str(project / "s1.jsonl")
    assert hook(prompt("hello", transcript_path=log), "--root", str(own)) == b""
    assert b"the kiln" in hook(prompt("hello", transcript_path="/x/s1.jsonl"), "--root", str(own))


DECISION = "Let's go with cone 6 for the celadon."


def decided(hook, root, tmp_path, session: str) -> Path:
    """A session with a decision, from its start to its end; gives its transcript."""
    log = tmp_path / "t" / f"{session}.jsonl"
    hook(event("SessionStart", source="startup", session_id=session))
    hook(prompt(DECISION, session_id=session))
    claude_log(log, [(DECISION, "Cone 6 it is, I will note that.")], session)
    hook(event("Stop", transcript_path=str(log), session_id=session))
    hook(event("SessionEnd", transcript_path=str(log), session_id=session))
    assert "cone 6" in (root / "SESSION-STATE.archive.md").read_text()
    return log


def test_a_session_that_is_resumed_is_told_nothing_that_it_said(hook, root, tmp_path):
    log = decided(hook, root, tmp_path, "s1")
    assert hook(event("SessionStart", source="resume", transcript_path=str(log))) == b""
    told = hook(prompt("which cone did we choose for the celadon?", transcript_path=str(log)))
    assert b"three percent of iron oxide" in told
    assert b"one 6" not in told
    assert b"cone 6" in hook(prompt("which cone did we choose for the celadon?", session_id="s2"))


@pytest.mark.parametrize("starts", [True, False])
def test_a_session_that_goes_on_under_another_id_is_told_nothing_that_it_said(hook, root, tmp_path, starts):
    log = decided(hook, root, tmp_path, "s1")
    told = {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [STANDING]}}
    fork = log.with_name("s2.jsonl")
    fork.write_text(json.dumps(told) + "\n" + log.read_text().replace('"s1"', '"s2"'))
    of_fork = {"session_id": "s2", "transcript_path": str(fork)}
    if starts:
        assert hook(event("SessionStart", source="resume", **of_fork)) == b""
    told = hook(prompt("which cone did we choose for the celadon?", **of_fork))
    assert b"three percent of iron oxide" in told
    assert b"one 6" not in told
    assert b"Dilnoza" not in told


def test_a_fork_whose_transcript_is_not_there_yet_is_told_nothing_that_its_origin_said(hook, root, tmp_path):
    log = decided(hook, root, tmp_path, "s1")
    claude_log(log.with_name("s0.jsonl"), [("Hello there, what is new?", "Nothing.")], "s0", at="09:0")
    of_fork = {"session_id": "s2", "transcript_path": str(log.with_name("s2.jsonl"))}
    hook(event("SessionStart", source="fork", seconds_since_last_response=2, **of_fork))
    told = hook(prompt("which cone did we choose for the celadon?", **of_fork))
    assert b"three percent of iron oxide" in told
    assert b"one 6" not in told


def test_what_a_compaction_took_away_is_told_again(hook, root, tmp_path):
    log = decided(hook, root, tmp_path, "s1")
    boundary = {"type": "system", "subtype": "compact_boundary"}
    log.write_text(log.read_text() + json.dumps(boundary) + "\n")
    hook(event("SessionStart", source="compact", session_id="s1"))
    told = context_of(hook(prompt("which cone for the celadon?", session_id="s3", transcript_path=str(log))))
    assert "cone 6" in told


def test_codex_is_told_again_after_a_compaction(hook, root):
    for _ in range(2):
        assert "1240" in context_of(hook(prompt("hello there", turn_id="t")))
        assert hook(prompt("thank you", turn_id="t")) == b""
        hook(event("PostCompact", trigger="auto", turn_id="t"))


def test_a_statement_that_stands_in_many_places_is_told_once(hook, root, tmp_path):
    decided(hook, root, tmp_path, "s1")
    make(root, {"memory/notes/cones.md": f"# Cones\n\n- **decision**: {DECISION}\n"})
    make(root, {"memory/episodic/2025-01-14-s0.md": f"---\nsession_id: s0\n---\n\nuser: {DECISION}\n"})
    told = [hook(event("SessionStart", source="startup", session_id="s2")).decode()]
    for asked in ("which cone for the celadon?", "what did we decide on celadon?", "so cone 6 for celadon?"):
        told.append(hook(prompt(asked, session_id="s2")).decode())
    assert "".join(told).count("go with cone 6 for the celadon") == 1


def test_a_statement_that_changed_is_told_again_alone(hook, root):
    make(root, {"MEMORY.md": "- The order goes out on Monday morning\n- The kiln is fired to 1240 degrees\n"})
    hook(prompt("hello there"))
    make(root, {"MEMORY.md": "- The order goes out on Friday morning\n- The kiln is fired to 1240 degrees\n"})
    told = context_of(hook(prompt("thank you")))
    assert "Friday" in told
    assert "1240" not in told


def test_text_that_nobody_filled_in_is_no_snippet(hook, root):
    from memtool.layouts.load import load_layout
    from memtool.layouts.seeds import initial_files

    make(root, {str(path): text for path, text in initial_files(load_layout("native"), day=NOW.date())})
    told = hook(prompt("What may you do without asking, Agent, and what do you never do?")).decode()
    assert "Say here" not in told
    assert "what it reads when it starts" not in told


@pytest.mark.parametrize("script", ["a", "漢", "ж", "😀"])
@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_an_answer_keeps_its_budget_as_the_agent_counts(hook, root, agent, script):
    make(root, {"MEMORY.md": "".join(f"- {number} {script * 30} kiln\n" for number in range(500))})
    make(root, {f"memory/notes/n{n}.md": f"# Kiln {n}\n\nkiln {script * 700}\n" for n in range(9)})
    told = context_of(hook(prompt("the kiln?"), "--agent", agent))
    assert 4000 < agent_length(agent, told) <= 8000
    assert told.endswith("</memory-context>\n")
    assert (
        agent_length(
            agent, context_of(hook(prompt("kiln?", session_id="s2"), f"--agent={agent}", "--budget=900"))
        )
        <= 900
    )


def test_no_secret_and_nothing_invisible_is_told_wherever_it_stands(hook, root):
    page = f"# Long-term memory\n\n- kiln key {SECRET} \x1b[31mred\u202e\x07\n" + f"- {SECRET}\n" * 100
    make(root, {"MEMORY.md": page, "memory/notes/k.md": f"# Kiln\n\nThe kiln password: {SECRET}\n"})
    answer = hook(prompt("what is the kiln password?"))
    assert SECRET[:20].encode() not in answer
    assert b"[REDACTED:" in answer
    assert not {"\x1b", "\u202e", "\x07"} & set(context_of(answer))


def test_what_is_no_utf_8_in_memory_is_told_as_something_that_every_reader_takes(hook, root):
    (root / "MEMORY.md").write_bytes(b"- caf\xe9 and \xed\xa0\x80 kiln\n")
    json.loads(hook(prompt("kiln")).decode("utf-8", "strict"))


def test_what_memory_told_before_is_not_recorded_as_the_users(hook, root):
    hook(prompt("<memory-context>\nMy name is Bogdan.\n</memory-context>\nHello."))
    assert not (root / "SESSION-STATE.md").exists()


# a session ---------------------------------------------------------------------------------------------


def test_a_session_begins_with_what_stands_in_every_prompt(hook, root):
    answer = hook(event("SessionStart", source="startup"))
    record = {"hookEventName": "SessionStart", "additionalContext": STANDING}
    assert json.loads(answer) == {"hookSpecificOutput": record}
    assert hook(prompt("thank you")) == b""


def test_the_start_of_a_session_brings_old_turns_up_to_date(hook, root):
    path = root / "memory/history/turns/2025/01/14/00000000000000000001.json"
    path.parent.mkdir(parents=True)
    old = {"id": "turn-1", "seq": 1, "created_at": "2025-01-14T10:30:00Z"}
    path.write_text(json.dumps({**old, "messages": [{"role": "user", "content": "hello"}]}))
    hook(event("SessionStart", source="startup"))
    assert json.loads(path.read_text())["schema_version"] == 2
    assert log_of(root) == ""


def test_a_session_begins_with_its_latest_arc(hook, root):
    arc = "---\nsession: s0\nended: 2025-01-14T10:00:00Z\n---\n\nuser: The big order is packed.\n"
    make(root, {"memory/episodic/2025-01-14-s0.md": arc})
    assert "The big order is packed." in context_of(hook(event("SessionStart", source="startup")))
    assert "big order" not in context_of(hook(prompt("hello", session_id="s9")))


@pytest.mark.parametrize("source", ["compact", "resume"])
def test_a_session_that_goes_on_is_told_where_it_stood(hook, root, source):
    hook(prompt("hello there"))
    make(root, {"memory/2025-01-15.md": "# Daily Notes -- 2025-01-15\n\n## [09:00:00]\n**User:** fire it\n"})
    make(
        root,
        {"SESSION-STATE.md": "# SESSION-STATE.md\n\n- [2025-01-15T09:00:00+00:00] **decision**: Let's go\n"},
    )
    told = context_of(hook(event("SessionStart", source=source)))
    assert told.index("## Session State") < told.index("## Today's Notes")
    assert ("Dilnoza" in told) == (source == "compact")  # which took away what was told before
    assert "## SESSION-STATE.md" not in told


def test_where_a_session_stood_leaves_room_for_what_it_is(hook, root):
    long = "".join(f"- [2025-01-15T09:00:00+00:00] **decision**: {n} {'x' * 80}\n" for n in range(300))
    make(root, {"SESSION-STATE.md": long, "memory/2025-01-15.md": "# Daily\n" + "y" * 9000})
    told = context_of(hook(event("SessionStart", source="compact")))
    assert len(told) <= 8000
    assert "Dilnoza" in told
    assert "decision**: 299 " in told


def test_a_turn_goes_to_the_history_and_to_the_days_note_once(hook, root, tmp_path):
    log = claude_log(tmp_path / "t" / "s1.jsonl", [("How hot is it?", "It is 1240.")])
    stop = event("Stop", transcript_path=str(log), last_assistant_message="It is 1240.")
    for _ in range(3):
        assert hook(stop) == b""
    assert said(root) == [["How hot is it?", "It is 1240."]]
    assert turns(root)[0]["session"] == "s1"
    note = (root / "memory/2025-01-15.md").read_text()
    assert note.count("**User:** How hot is it?\n**Agent:** It is 1240.") == 1
    assert log_of(root) == ""


def test_each_stop_adds_only_what_is_new(hook, root, tmp_path):
    path, talk = tmp_path / "t" / "s1.jsonl", [(f"question {n}", f"answer {n}") for n in range(4)]
    for count in range(1, 5):
        claude_log(path, talk[:count])
        hook(event("Stop", transcript_path=str(path), last_assistant_message=talk[count - 1][1]))
    hook(event("SessionEnd", transcript_path=str(path), reason="other"))
    assert said(root) == [[*one] for one in talk]
    note = (root / "memory/2025-01-15.md").read_text()
    assert [note.count(f"question {n}\n**Agent:** answer {n}") for n in range(4)] == [1, 1, 1, 1]


def test_an_answer_that_the_transcript_lacks_yet_is_in_the_note_at_once_and_in_the_history_later(
    hook, root, tmp_path
):
    path = claude_log(tmp_path / "t" / "s1.jsonl", [("How hot is it?", "")])
    hook(event("Stop", transcript_path=str(path), last_assistant_message="It is 1240."))
    assert "**Agent:** It is 1240." in (root / "memory/2025-01-15.md").read_text()
    assert said(root) == [["How hot is it?"]]
    claude_log(path, [("How hot is it?", "It is 1240.")])
    hook(event("SessionEnd", transcript_path=str(path)))
    assert said(root) == [["How hot is it?", "It is 1240."]]
    assert (root / "memory/2025-01-15.md").read_text().count("It is 1240.") == 1


def test_a_conversation_of_long_ago_is_history_and_no_news(hook, root, tmp_path):
    old = claude_log(tmp_path / "t" / "s1.jsonl", [("How hot is it?", "It is 1240.")])
    old.write_text(old.read_text().replace("2025-01-15", "2025-01-03"))
    hook(event("Stop", transcript_path=str(old)))
    assert len(turns(root)) == 1
    assert not list(root.glob("memory/2025-*.md"))


def test_secrets_of_a_turn_are_taken_out_on_the_way(hook, root, tmp_path):
    log = claude_log(tmp_path / "t" / "s1.jsonl", [(f"the key is {SECRET}", f"I see {SECRET}")])
    hook(event("Stop", transcript_path=str(log), last_assistant_message=f"I see {SECRET}"))
    assert len(turns(root)) == 1
    assert not [path for path, content in contents(root).items() if SECRET.encode() in content]


def test_a_helpers_turn_is_history_and_no_exchange_with_the_user(hook, root, tmp_path):
    lines = claude_log(tmp_path / "t" / "agent-a.jsonl", [("look for it", "found it")])
    lines.write_text(lines.read_text().replace('"isSidechain": false', '"isSidechain": true, "agentId": "a"'))
    hook(event("SubagentStop", agent_transcript_path=str(lines), last_assistant_message="found it"))
    assert said(root) == [["look for it", "found it"]]
    assert "session" not in turns(root)[0]  # else its prompt, the agent's, would pass for the user's
    assert not list(root.glob("memory/2025-*.md"))


@pytest.mark.parametrize("transcript", ["", "/no/such/file", "unknown"])
def test_a_turn_without_a_readable_transcript_is_what_the_hooks_were_given(hook, root, tmp_path, transcript):
    if transcript == "unknown":
        transcript = str(tmp_path / "unknown.jsonl")
        Path(transcript).write_text('{"kind": "turn", "words": "How hot is it?"}\n')
    hook(prompt(f"How hot is it? The key is {SECRET}", transcript_path=transcript))
    hook(event("Stop", transcript_path=transcript, last_assistant_message="It is 1240."))
    assert said(root) == [["How hot is it? The key is [REDACTED:anthropic-key]", "It is 1240."]]
    assert turns(root)[0]["session"] == "s1"
    assert "**Agent:** It is 1240." in (root / "memory/2025-01-15.md").read_text()
    assert b"How hot" not in (root / ".memtool/prompts.json").read_bytes()
    log = claude_log(tmp_path / "t" / "s1.jsonl", [(f"How hot is it? The key is {SECRET}", "It is 1240.")])
    hook(event("SessionEnd", transcript_path=str(log)))
    assert len(turns(root)) == 1


def test_a_turn_that_was_given_stands_for_one_turn_of_the_transcript(hook, root, tmp_path):
    talk = [("continue", f"step {number}") for number in range(3)]
    path = str(tmp_path / "t" / "s1.jsonl")
    hook(prompt("continue", transcript_path=path))
    hook(event("Stop", transcript_path=path, last_assistant_message="step 1"))
    claude_log(Path(path), talk)
    for _ in range(2):  # a short transcript is read from its beginning
        hook(event("Stop", transcript_path=path, last_assistant_message="step 2"))
        assert sorted(said(root)) == [[*texts] for texts in talk]


def test_a_turn_that_the_transcript_lacks_yet_is_what_the_hooks_were_given(hook, root, tmp_path):
    talk = [("How hot is it?", "It is 1240."), ("Is it done?", "Nearly."), ("And now?", "Yes.")]
    log = tmp_path / "t" / "s1.jsonl"
    for number, (question, answer) in enumerate(talk, 1):
        claude_log(log, talk[: 1 if number == 2 else number])
        hook(prompt(question, transcript_path=str(log)))
        for _ in range(2):  # Claude Code runs this hook again where another one has the agent go on
            hook(event("Stop", transcript_path=str(log), last_assistant_message=answer))
        assert said(root) == [[*texts] for texts in talk[:number]]


def test_prompts_that_were_given_and_are_joined_in_the_transcript_are_one_turn(hook, root, tmp_path):
    first = "Fix the kiln page. Don't remember this: my salary is 7777 euros."
    for text in (first, "And the glaze page."):
        hook(prompt(text))
    hook(event("Stop", last_assistant_message="Both are done."))
    log = claude_log(tmp_path / "t" / "s1.jsonl", [(f"{first}\n\nAnd the glaze page.", "Both are done.")])
    hook(event("Stop", transcript_path=str(log)))
    assert said(root) == [["Fix the kiln page.", "And the glaze page."]]


@pytest.mark.parametrize("before", ["", "Fix the kiln page. "])
def test_the_answer_to_what_is_private_is_not_kept_of_a_turn_that_was_given(hook, root, tmp_path, before):
    text, answer = f"{before}Don't remember this: my salary is 7777 euros.", "A salary of 7777 euros."
    hook(prompt(text))
    for _ in range(2):
        hook(event("Stop", last_assistant_message=answer))
    log = claude_log(tmp_path / "t" / "s1.jsonl", [(text, answer)])
    hook(event("Stop", transcript_path=str(log), last_assistant_message=answer))
    assert not [path for path, content in contents(root).items() if b"7777" in content]
    assert said(root) == ([[before.strip()]] if before else [])
    hook(prompt("How hot is it?"))
    hook(event("Stop", last_assistant_message="It is 1240."))
    assert said(root)[-1] == ["How hot is it?", "It is 1240."]


def test_prompts_wait_for_the_end_of_their_turn_no_longer_than_a_day(hook, root):
    hook(prompt("Where is the cobalt?"))
    hook(prompt("Where is the rutile?", session_id="s2"), MEMTOOL_NOW="2025-01-16T12:00:00+00:00")
    assert b"cobalt" not in (root / ".memtool/prompts.json").read_bytes()


def openclaw(action: str, log: Path, root: Path, **context) -> dict:
    kind, _, name = action.partition(":")
    data = {"workspaceDir": str(root), "sessionId": "s1", "bootstrapFiles": [], **context}
    return {"type": kind, "action": name, "context": data, "transcript": str(log)}


def test_prompts_of_openclaw_are_scanned_when_the_next_one_begins(hook, root, tmp_path):
    from tests.transcripts.test_openclaw import HEAD, entry

    log, rows = tmp_path / ".openclaw" / "s1.jsonl", [HEAD]
    log.parent.mkdir()
    for number, text in enumerate(("I prefer green tea.", "My name is Aziz.", "Thanks.")):
        if number == 1:  # from a chat
            hook(openclaw("message:received", log, root, content=text))
        hook(openclaw("agent:bootstrap", log, root))
        asked = {"role": "user", "content": f"[Wed 10:30] {text}" if number == 1 else text}
        rows.append(entry(f"u{number}", rows[-1].get("id") if number else None, asked))
        rows.append(entry(f"a{number}", f"u{number}", {"role": "assistant", "content": "Noted."}))
        log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    state = (root / "SESSION-STATE.md").read_text()
    assert state.count("I prefer green tea") == 1
    assert state.count("My name is Aziz") == 1
    assert "I prefer green tea" in (root / "MEMORY.md").read_text()
    hook(openclaw("command:new", log, root))
    assert len(turns(root)) == 3
    assert log_of(root) == ""


def openclaw_log(path: Path, texts: Sequence[str], at: Callable[[int], str]) -> Path:
    """Write a session's log as OpenClaw does: the prompts, each with the time that `at` gives its number."""
    from tests.transcripts.test_openclaw import HEAD, entry

    rows = [HEAD]
    for number, text in enumerate(texts):
        for role, content in (("user", text), ("assistant", "Noted.")):
            parent = rows[-1]["id"] if number or role == "assistant" else None
            row = entry(f"{role}{number}", parent, {"role": role, "content": content})
            rows.append({**row, "timestamp": at(number)})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_of_what_was_said_before_the_hook_was_installed_the_last_prompt_is_scanned(hook, root, tmp_path):
    texts = [f"I prefer tea number {number}." for number in range(4)]
    log = openclaw_log(tmp_path / ".openclaw" / "s1.jsonl", texts, lambda n: f"2024-10-1{n}T10:30:00.000Z")
    hook(openclaw("agent:bootstrap", log, root))
    assert len(turns(root)) == 4
    state = (root / "SESSION-STATE.md").read_text()
    assert [text in state for text in texts] == [False, False, False, True]


def test_prompts_of_openclaw_are_scanned_once_where_the_hook_was_ended_before_the_import(
    hook, root, tmp_path
):
    texts = ["I prefer green tea.", "My name is Aziz."]
    log = openclaw_log(tmp_path / ".openclaw" / "s1.jsonl", texts, lambda n: f"2025-01-15T10:2{n}:00.000Z")
    history = root / "memory/history"
    history.write_text("in the way of the turns")
    hook(openclaw("agent:bootstrap", log, root))
    assert "green tea" in (root / "SESSION-STATE.md").read_text()
    history.unlink()
    hook(openclaw("agent:bootstrap", log, root))
    assert len(turns(root)) == 2
    assert (root / "SESSION-STATE.md").read_text().count("green tea") == 1


def test_a_short_prompt_of_a_chat_is_not_taken_for_a_message_that_contains_it(hook, root, tmp_path):
    from tests.transcripts.test_openclaw import HEAD, entry

    log = tmp_path / ".openclaw" / "s1.jsonl"
    log.parent.mkdir()
    asked = {"role": "user", "content": "Yesterday I moved. My name is Aziz, yes? Yes"}
    log.write_text("".join(json.dumps(row) + "\n" for row in (HEAD, entry("u0", None, asked))))
    hook(openclaw("message:received", log, root, content="Yes"))
    hook(openclaw("agent:bootstrap", log, root))
    assert "My name is Aziz" in (root / "SESSION-STATE.md").read_text()
    assert b"Yes" in (root / ".memtool/prompts.json").read_bytes()
    hook(openclaw("command:new", log, root))
    assert b"Yes" not in (root / ".memtool/prompts.json").read_bytes()


def test_the_compactor_has_no_transcript_and_is_no_fault(hook, root, tmp_path):
    hook(event("SubagentStop", agent_transcript_path=str(tmp_path / "none.jsonl"), agent_type=""))
    assert log_of(root) == ""
    assert turns(root) == []


MUCH = 33_000_000
"""Bytes that make a log longer than what a hook reads of it."""


def lengthened(log: Path, line: int) -> Path:
    """A log with many bytes put in before its line of this number, on lines that tell nothing."""
    lines = log.read_text().splitlines(keepends=True)
    filler = json.dumps({"type": "progress", "data": "x" * 1_000_000}) + "\n"
    log.write_text("".join([*lines[:line], filler * (MUCH // len(filler)), *lines[line:]]))
    return log


@pytest.mark.parametrize(("line", "first"), [(10, 6), (11, 7)])
def test_the_end_of_a_log_that_is_too_long_is_read_but_for_its_first_turn(hook, root, tmp_path, line, first):
    """Whether the first turn of that end is whole cannot be known: the next import brings it."""
    talk = [(f"question {n}", f"answer {n}") for n in range(9)]
    log = lengthened(claude_log(tmp_path / "t" / "s1.jsonl", talk), line)
    hook(event("Stop", transcript_path=str(log)))
    assert said(root) == [[*texts] for texts in talk[first:]]


def test_a_log_of_codex_that_is_too_long_is_not_read_and_the_log_says_so(hook, root, tmp_path):
    talk = [(f"question {n}", f"answer {n}") for n in range(9)]
    codex = lengthened(codex_log(tmp_path / "t" / "rollout-1.jsonl", talk), 10)
    hook(event("Stop", transcript_path=str(codex), turn_id="t"))
    assert turns(root) == []
    assert (
        "is too large to be read by a hook; the next hook of this session, or memtool import, "
        "will add the turn to the history" in log_of(root)
    )


def test_codexs_notify_and_its_hooks_tell_the_same_turn(hook, root, tmp_path):
    sessions = tmp_path / "codex" / "sessions" / "2025" / "01" / "15"
    log = codex_log(sessions / "rollout-2025-01-15T10-30-00-t1.jsonl", [("hello", "first answer")])
    notice = {"type": "agent-turn-complete", "thread-id": "t1", "turn-id": "u1", "cwd": str(root)}
    notice |= {"input-messages": ["hello"], "last-assistant-message": "first answer"}
    hook(event("Stop", session_id="t1", turn_id="u1", transcript_path=str(log)))
    hook(notice, CODEX_HOME=str(tmp_path / "codex"))
    assert said(root) == [["hello", "first answer"]]


@pytest.mark.parametrize("form", ["--codex-notify", None])
def test_a_notice_without_a_transcript_is_a_turn_by_itself(hook, root, form):
    record = {"type": "agent-turn-complete", "thread-id": "t9", "turn-id": "u1", "cwd": str(root)}
    text = json.dumps({**record, "input-messages": ["hello"], "last-assistant-message": "hi"})
    from memtool.cli.hooks.fast_path import run_fast

    for _ in range(2):
        assert run_fast(["hook", *([form] if form else []), text]) == 0
    assert said(root) == [["hello", "hi"]]
    assert turns(root)[0]["source"] == {"agent": "codex", "session": "t9", "id": "u1"}


def test_a_sessions_end_puts_down_its_arc_and_what_was_held(hook, root, tmp_path):
    talk = [("The exam of my brother Tom is in May.", "Noted."), ("I am afraid of the exam.", "I see."),
            ("Tom has to study for the exam.", "He will.")]  # fmt: skip
    log = claude_log(tmp_path / "t" / "s1.jsonl", talk)
    hook(event("SessionEnd", transcript_path=str(log), reason="other"))
    [arc] = root.glob("memory/episodic/*.md")
    assert "exam" in arc.read_text()
    before = contents(root)
    hook(event("SessionEnd", transcript_path=str(log), reason="other"))
    assert contents(root) == before


# a compaction ------------------------------------------------------------------------------------------


def test_a_sessions_end_leaves_what_a_running_session_recorded(hook, root, tmp_path):
    hook(prompt("Let's go with cone 6.", session_id="s1"))
    hook(prompt("Let's go with the walnut glaze.", session_id="s2"))
    for session, text in (("s1", "Let's go with cone 6."), ("s2", "Let's go with the walnut glaze.")):
        assert "walnut glaze" in (root / "SESSION-STATE.md").read_text()
        log = claude_log(tmp_path / "t" / f"{session}.jsonl", [(text, "Good.")])
        hook(event("SessionEnd", transcript_path=str(log), session_id=session))
    assert "glaze" not in (root / "SESSION-STATE.md").read_text()


def test_maintain_ends_the_session_of_an_agent_that_reports_no_end(hook, root):
    for text in ("My brother Tom has an exam in May.", "Let's go with cone 6.", "I fire it on Thursday."):
        hook(prompt(text))
        hook(event("Stop", last_assistant_message="Noted."))

    def sweep(hours, owners=frozenset()):
        task = replace(maintenance(opened(root), NOW + timedelta(hours=hours)), owners=owners)
        task = replace(task, idle=timedelta(minutes=30))
        return next(report for report in maintain(task) if report.step == "sweep").counts["ended"]

    assert [sweep(0.9), sweep(1), sweep(1)] == [0, 1, 0]
    [episode] = root.glob("memory/episodic/*.md")
    assert "exam" in episode.read_text()
    assert "cone 6" not in (root / "SESSION-STATE.md").read_text()
    hook(prompt("Let's go with the walnut glaze."), "--user", "bob")
    assert [sweep(2, frozenset({"user:ann"})), sweep(2, frozenset({"user:bob"}))] == [0, 1]


def test_a_sessions_end_archives_what_it_recorded(hook, root, tmp_path):
    log = claude_log(tmp_path / "t" / "s1.jsonl", [("Let's go with cone 6.", "Good.")])
    hook(prompt("Let's go with cone 6."))
    hook(event("Stop", transcript_path=str(log)))
    assert "cone 6" in (root / "SESSION-STATE.md").read_text()
    for _ in range(2):
        hook(event("SessionEnd", transcript_path=str(log)))
    assert "cone 6" not in (root / "SESSION-STATE.md").read_text()
    assert (root / "SESSION-STATE.archive.md").read_text().count("Let's go with cone 6") == 1
    assert "cone 6" not in context_of(hook(prompt("hello there", session_id="s2")))


def test_before_a_compaction_facts_are_flushed_and_the_agent_is_told_what_to_keep(hook, root, tmp_path):
    talk = [("I live in Ghent. Let's use PostgreSQL for the shop.", "Done: see shop/db.py.")]
    make(
        root,
        {"SESSION-STATE.md": "# S\n\n- [2025-01-15T09:00:00+00:00] **decision**: Let's go with cone 6\n"},
    )
    log = claude_log(tmp_path / "t" / "s1.jsonl", talk)
    told = hook(event("PreCompact", transcript_path=str(log), trigger="manual")).decode()
    assert told.startswith("In the summary, keep the exact wording")
    assert "Let's go with cone 6" in told
    assert "PostgreSQL" in told
    assert "User lives in Ghent" in (root / "MEMORY.md").read_text()


def test_codex_takes_no_words_before_a_compaction_and_its_summary_is_in_its_log(hook, root, tmp_path):
    log = codex_log(tmp_path / "t" / "rollout-1.jsonl", [("I live in Ghent.", "Noted.")])
    introduced = (
        "Another language model started to solve this. Here is the summary:\nThe user lives in Ghent."
    )
    with log.open("a") as file:
        file.write(json.dumps({"type": "compacted", "payload": {"message": introduced}}) + "\n")
    assert hook(event("PreCompact", transcript_path=str(log), trigger="auto", turn_id="t")) == b""
    assert "User lives in Ghent" in (root / "MEMORY.md").read_text()
    hook(event("PostCompact", transcript_path=str(log), trigger="auto", turn_id="t"))
    assert "by codex.\n\nThe user lives in Ghent.\n" in (root / "MEMORY.md").read_text()


def test_an_agents_summary_is_kept_once_and_is_in_no_prompt(hook, root):
    for _ in range(2):
        hook(
            event("PostCompact", trigger="auto", compact_summary=f"# We chose cone 6.\n\nThe key is {SECRET}")
        )
    page = (root / "MEMORY.md").read_text()
    assert page.count("## Session Compaction 2025-01-15T10:30:00+00:00") == 1
    assert "We chose cone 6.:" in page
    assert SECRET not in page
    assert context_of(hook(event("SessionStart", source="startup"))) == STANDING
    assert "We chose cone 6" in context_of(hook(prompt("which cone did we choose?")))


# whose it is -------------------------------------------------------------------------------------------


def test_a_named_user_owns_what_he_says_and_is_told_nothing_of_others(hook, root):
    make(
        root, {"MEMORY.md": "- **preference**: [user:bob] I prefer coffee\n- **remember**: The kiln is hot\n"}
    )
    told = context_of(hook(prompt("I prefer tea"), "--user", "ann"))
    assert "The kiln is hot" in told
    assert "coffee" not in told
    assert "- **preference**: [user:ann] I prefer tea" in (root / "MEMORY.md").read_text()


def test_a_session_is_nobodys_name_so_the_next_one_knows_what_this_one_said(hook, root):
    hook(prompt("I prefer tea", session_id="one"))
    assert "I prefer tea" in context_of(hook(prompt("hello", session_id="two")))


@pytest.mark.parametrize("how", ["--incognito", "--dry-run", "MEMTOOL_MODE"])
def test_nothing_is_written_in_incognito_or_to_try_it_out(hook, root, tmp_path, how):
    log = claude_log(tmp_path / "t" / "s1.jsonl", [("I live in Ghent.", "Noted.")])
    options = [how] if how.startswith("--") else []
    environment = {} if options else {how: "incognito"}
    before = {str(path): path.stat().st_mtime_ns for path in root.rglob("*")}
    for record in (
        event("SessionStart", source="startup"),
        prompt("I prefer tea. The kiln?"),
        event("PreCompact", transcript_path=str(log)),
        event("PostCompact", compact_summary="cone 6"),
        event("Stop", transcript_path=str(log), last_assistant_message="Noted."),
        event("Stop", transcript_path="/dev/null"),
        event("SessionEnd", transcript_path=str(log)),
    ):
        told = hook(record, *options, **environment)
        assert record["hook_event_name"] != "UserPromptSubmit" or context_of(told) == STANDING
    assert {str(path): path.stat().st_mtime_ns for path in root.rglob("*")} == before


def test_who_acts_for_a_group_is_told_its_memory_and_writes_it(hook, root, tmp_path):
    make(
        root,
        {"groups/family/MEMORY.md": "- the picnic is at the lake\n", "groups/global/MEMORY.md": "- hi\n"},
    )
    log = claude_log(tmp_path / "t" / "s1.jsonl", [("to the lake?", "yes")])
    before = {path: content for path, content in contents(root).items() if not path.startswith("groups/")}
    told = context_of(hook(prompt("I prefer the lake"), MEMTOOL_GROUP="family"))
    hook(event("Stop", transcript_path=str(log)), MEMTOOL_GROUP="family")
    hook(event("SessionEnd", transcript_path=str(log)), MEMTOOL_GROUP="family")
    assert "the picnic is at the lake" in told
    assert "1240" not in told
    assert "I prefer the lake" in (root / "groups/family/MEMORY.md").read_text()
    assert len(list(root.glob("groups/family/memory/history/turns/**/*.json"))) == 1
    now = {path: content for path, content in contents(root).items() if not path.startswith("groups/")}
    assert now == before


def test_who_acts_for_a_group_has_no_other_groups_file_read_as_a_transcript(hook, root):
    make(root, {"groups/family/MEMORY.md": "- x\n", "groups/b/talk.jsonl": "{}\n"})
    hook(event("Stop", transcript_path=str(root / "groups/b/talk.jsonl")), MEMTOOL_GROUP="family")
    assert "is outside the folder of group 'family'" in log_of(root)


# which workspace ---------------------------------------------------------------------------------------


def test_the_workspace_is_the_named_one_else_that_of_the_agents_folder(hook, root, tmp_path):
    other = make(
        tmp_path / "other", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "- the other one\n"}
    )
    (root / "src").mkdir()
    elsewhere = str(tmp_path)
    assert "1240" in context_of(hook(prompt("hi", cwd=str(root / "src"))))
    assert "1240" in context_of(
        hook(prompt("hi", cwd=elsewhere, session_id="2"), CLAUDE_PROJECT_DIR=str(root))
    )
    assert "the other one" in context_of(hook(prompt("hi", session_id="3"), "--root", str(other)))
    assert "the other one" in context_of(hook(prompt("hi", session_id="4"), MEMTOOL_ROOT=str(other)))
    for nowhere in (elsewhere, "relative", "/no/such/folder", "/\0", 3, None):
        assert hook({**prompt("hi", session_id="5"), "cwd": nowhere}) == b""


# nothing breaks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"null",
        b"[]",
        b"{",
        b'"Stop"',
        b"\xff\xfe\x00",
        b"{}",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"1" * 5000,
        b'{"hook_event_name": 1e400}',
        b'{"hook_event_name": "UserPromptSubmit", "prompt": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_hook_is_answered_with_nothing(hook, root, raw):
    before = contents(root)
    assert hook(raw, "--root", str(root)) == b""
    assert contents(root) == before
    is_object = raw.startswith(b"{}") or b"1e400" in raw
    assert log_of(root).endswith(
        "" if is_object else "hook: the input is not a JSON object; nothing was done\n"
    )
    assert is_object == (log_of(root) == "")


@pytest.mark.parametrize(
    "fields",
    [
        {"prompt": ""},
        {"prompt": None},
        {"prompt": {"a": 1}},
        {"prompt": "\0 I prefer tea \x1b[2J"},
        {"prompt": "\ud800 I prefer tea \udfff"},
        {"prompt": "I prefer tea. " * 10_000},
        {"prompt": "[" * 200_000},
        {"prompt": "x", "session_id": "../../etc"},
        {"prompt": "x", "session_id": "\ud800\0"},
        {"prompt": "x", "session_id": ["s"]},
        {"prompt": "x", "session_id": "s" * 10_000},
        {"prompt": "x", "transcript_path": "/\0"},
        {"prompt": "x", "unknown": [[[{}]]]},
    ],
)
def test_a_prompt_that_is_strange_is_answered_like_any_other(hook, root, fields):
    record = {"hook_event_name": "UserPromptSubmit", **fields}
    told = context_of(hook(record, "--seconds", "60"))  # an agent waits less, a loaded machine takes longer
    assert told.startswith(STANDING.removesuffix("</memory-context>\n"))
    assert log_of(root) == ""
    for path, content in contents(root).items():
        assert b"\0" not in content, path
        content.decode()


@pytest.mark.parametrize("name", ["Stop", "SubagentStop", "SessionEnd", "PreCompact", "PostCompact"])
@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("/dev/zero", "is a device, not a file"),
        ("/", "is a folder, not a file"),
        ("fifo", "is a pipe, not a file"),
        ("passwd", "is not in a known transcript format"),
        ("relative.jsonl", ""),
        ("/no/such/file", ""),
        ("/\0", ""),
        ("", ""),
        (7, ""),
        (None, ""),
    ],
)
def test_a_transcript_that_is_none_costs_nothing_but_a_line_in_the_log(
    hook, root, tmp_path, name, where, reason
):
    if where == "fifo":
        where = str(tmp_path / "fifo")
        os.mkfifo(where)
    if where == "passwd":
        where = str(tmp_path / "passwd")
        Path(where).write_text("root:x:0:0\nI prefer tea\n")
    key = "agent_transcript_path" if name == "SubagentStop" else "transcript_path"
    before = contents(root)
    turn = "turn_id" if name == "PostCompact" else "nothing"
    hook({"hook_event_name": name, "session_id": "s1", key: where, turn: "t"})
    assert contents(root) == before
    said = log_of(root)
    if not reason and name == "Stop" and isinstance(where, str) and where:
        reason = "that the agent named does not exist; no turn was stored"
    assert (
        (reason in said) if reason and (name[0] == "S" or "transcript format" not in reason) else said == ""
    )


def test_a_log_of_half_a_gigabyte_is_read_from_its_end(hook, root, tmp_path):
    log = claude_log(tmp_path / "t" / "s1.jsonl", [("one", "1"), ("How hot is it?", "It is 1240.")])
    tail = log.read_bytes()
    with log.open("wb") as file:
        file.truncate(500_000_000)
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + tail)
    hook(event("Stop", transcript_path=str(log)))
    assert said(root) == [["How hot is it?", "It is 1240."]]


def test_a_hook_that_a_summarizer_calls_does_nothing(hook, root):
    assert hook(prompt("I prefer tea"), MEMTOOL_IN_SUMMARIZER="1") == b""
    assert not (root / "SESSION-STATE.md").exists()


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--bogus"], "no such option '--bogus'"),
        (["--agent", "nobody"], f"--agent must be one of {', '.join(AGENTS)}, not 'nobody'"),
        (["--budget", "x"], "--budget must be a whole number above 0, not 'x'"),
        (["--seconds=0"], "--seconds must be a number above 0, not '0'"),
        (["--root"], "--root needs a value"),
        (["--codex-notify"], "--codex-notify needs a value"),
        (["{}", "9"], "unexpected argument '9'"),
    ],
)
def test_wrong_options_of_a_hook_are_reported_and_break_no_turn(options, fault, capsys):
    from memtool.cli.hooks.fast_path import run_fast

    assert run_fast(["hook", *options]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"memtool: {fault}; see memtool hook --help\n"


def test_broken_settings_are_a_line_in_the_log(hook, root):
    (root / "memtool.toml").write_text("layout = native")
    assert hook(prompt("hi")) == b""
    assert log_of(root).endswith(
        "hook claude-code UserPromptSubmit: workspace: memtool.toml is not valid TOML: Invalid value "
        "(at line 1, column 10); nothing was done\n"
    )


def test_a_mistake_of_our_own_is_a_fault_without_anybodys_words(root):
    def broken(*_):
        raise ValueError("I prefer tea and the key is " + SECRET)

    reply = HookOutcome()
    run_hook(desk(opened(make(root, PAGES)), prompt("I prefer tea"), document_index=broken), reply)
    [fault] = reply.errors
    assert fault.startswith("search: ValueError at memtool.verbs.hooks.hook_context:")
    assert fault.endswith("; no search results are added to the prompt")
    assert "tea" not in fault
    assert reply.text == STANDING
    assert "I prefer tea" in (root / "SESSION-STATE.md").read_text()  # one part fails, the other does not


def test_a_hook_ends_in_time_whoever_holds_the_lock(hook, root):
    with locked_elsewhere(root):
        told = hook(prompt("I prefer tea"), "--seconds", "0.5")
    assert context_of(told) == STANDING
    assert "scan: " in log_of(root)
    assert "the event was queued; the next command that writes to the workspace will record" in log_of(root)


def test_a_part_that_takes_too_long_is_ended_and_the_next_is_done(root):
    def endless(*_):
        while True:
            pass

    reply = HookOutcome()
    asked = desk(opened(make(root, PAGES)), prompt("I prefer tea"), document_index=endless)
    with TimeLimit(1.0, 1.0):
        run_hook(asked, reply)
    assert reply.text == STANDING
    assert reply.errors == ["search: timed out; no search results are added to the prompt"]
    assert "I prefer tea" in (root / "SESSION-STATE.md").read_text()


@pytest.mark.parametrize("seconds", ["0.00001", "0.001", "0.01", "0.03", "0.1", "0.3"])
def test_a_prompt_is_recorded_once_however_little_time_its_hook_has(hook, root, seconds):
    hook(prompt("I prefer tea"), "--seconds", seconds)
    with opened(root).lock():
        pass  # the next writer
    assert (root / "SESSION-STATE.md").read_text().count("**: I prefer tea") == 1
    assert (root / "MEMORY.md").read_text().count("I prefer tea") == 1


def test_a_deadline_that_passes_while_a_class_is_created_loses_no_prompt(hook, root, monkeypatch):
    """Python 3.11 wraps what `__set_name__` raises in a RuntimeError."""

    def wrapped(*_: object) -> None:
        raise RuntimeError("Error calling __set_name__") from DeadlineExceeded()

    with monkeypatch.context() as patched:
        patched.setattr("memtool.verbs.hooks.hook._inject", wrapped)
        assert hook(prompt("I prefer tea")) == b""
    with opened(root).lock():
        pass  # the next writer
    assert (root / "MEMORY.md").read_text().count("I prefer tea") == 1
    assert "out of time; the event was queued" in log_of(root)


def test_a_tree_that_nobody_indexed_is_not_indexed_while_a_prompt_waits(hook, root):
    half = "# Kiln\n\n" + "kiln " * 100_000
    make(root, {f"memory/notes/big{number}.md": half for number in range(9)})
    assert context_of(hook(prompt("the kiln?"))) == STANDING
    assert (
        "12 new or changed files are not indexed yet; of these, only the file that contains the most words "
        "of the query" in log_of(root)
    )
    os.waitpid(-1, 0)  # the process that indexes them


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_tree_that_is_read_only_is_read(hook, root):
    for path in [root, *root.rglob("*")]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    assert context_of(hook(prompt("I prefer tea"))) == STANDING
    root.chmod(0o700)


def test_a_link_in_place_of_the_private_folder_is_not_followed(hook, root, tmp_path):
    (tmp_path / "theirs").mkdir()
    (root / ".memtool").symlink_to(tmp_path / "theirs")
    assert hook(prompt("I prefer tea")) == b""
    assert list((tmp_path / "theirs").iterdir()) == []


@pytest.mark.parametrize(
    "layout", ["native", "q15", "qanot", "openclaw", "nano", "openlegion", "claude-code"]
)
def test_every_layout_hears_every_moment(hook, root, tmp_path, layout):
    shutil.rmtree(root)
    make(root, {"memtool.toml": f'layout = "{layout}"\n'})
    log = claude_log(
        tmp_path / "t" / "s1.jsonl", [("I live in Ghent.", "Noted."), ("Let's go.", "Yes."), ("ok", "y")]
    )
    for record in (
        event("SessionStart", source="startup"),
        prompt("I prefer tea. Remember that the kiln is hot."),
        event("PreCompact", transcript_path=str(log)),
        event("PostCompact", compact_summary="cone 6"),
        event("SessionStart", source="compact"),
        event("Stop", transcript_path=str(log), last_assistant_message="y"),
        event("SessionEnd", transcript_path=str(log)),
        prompt("and now?"),
    ):
        hook(record)
    assert log_of(root) == ""
    assert len(turns(root)) == 3
    assert [path for path, content in contents(root).items() if b"I prefer tea" in content]
