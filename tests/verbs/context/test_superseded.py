"""What something newer replaced stands in no prompt, though the session state still has it."""

from __future__ import annotations

import json

import pytest

from memtool.verbs.memory_files.superseded import mark_superseded, superseded_in
from tests.trees import make, opened
from tests.trees import memtool as run_memtool

HEAD = 'layout = "native"\n'
CORRECTION = "Actually, I live in Kiel, not Bremen"


def memtool(root, *arguments, stdin=""):
    return run_memtool("--root", str(root), *arguments, home=root.parent, stdin=stdin)


def said(tmp_path, *messages):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})
    for message in messages:
        memtool(root, "scan", "-m", message)
    return memtool(root, "context", "--prompt", "hello").stdout


def test_a_rule_that_a_newer_one_replaced_stands_in_no_prompt(tmp_path):
    text = said(tmp_path, "Always use tabs.", "From now on use spaces.")
    assert "use spaces" in text
    assert "use tabs" not in text


def test_the_prompt_that_brings_a_newer_rule_marks_the_older_one(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})

    def hooked(session, prompt):
        event = {"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": prompt}
        return memtool(root, "hook", stdin=json.dumps(event)).stdout

    hooked("s1", "From now on, always answer in English.")
    shown = hooked("s2", "From now on, answer in German instead.")
    assert (
        "- [superseded] From now on, always answer in English."
        in json.loads(shown)["hookSpecificOutput"]["additionalContext"]
    )


def test_the_prompt_that_corrects_a_statement_shows_the_new_one_and_marks_older_corrections(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})

    def hooked(session, prompt):
        event = {"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": prompt}
        said = memtool(root, "hook", stdin=json.dumps(event)).stdout
        return json.loads(said)["hookSpecificOutput"]["additionalContext"] if said else ""

    beginning = "I am Herbert and my grandson Malte starts school in"
    hooked("s1", f"{beginning} August.")
    shown = hooked("s2", "Actually, Malte starts school in September, not August.")
    assert f"{beginning} September." in shown
    assert "August" not in shown
    shown = hooked("s3", "Actually, Malte starts school in October, not September.")
    assert f"{beginning} October." in shown
    assert shown.count("[superseded] Actually, Malte starts school in September") == 1
    assert shown.count("September") == 1


def test_a_correction_whose_fact_was_edited_since_is_no_passage_of_a_prompt(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})
    memtool(root, "scan", "-m", "My grandson Malte starts school in August.")
    memtool(root, "scan", "-m", "Actually, Malte starts school in September, not August.")
    name = memtool(root, "facts", "list").stdout.split("\t")[0]
    memtool(root, "facts", "edit", name, "My grandson Malte starts school in October.")
    shown = memtool(root, "context", "--prompt", "When does Malte start school?").stdout
    assert "October" in shown
    assert "September" not in shown


def test_a_message_is_marked_of_which_a_part_was_superseded(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})
    message = "I live in Szeged with my husband Bence."
    memtool(root, "scan", "-m", message)
    memtool(root, "append-turn", "--user-text", message, "--agent-text", "Noted.")
    memtool(root, "scan", "-m", "Actually, I live in Budapest now, not in Szeged.")
    shown = memtool(root, "context", "--prompt", "What is my address in Szeged?").stdout
    assert shown.count(f"[superseded] {message}") == shown.count(message) > 0
    assert "\n- my husband Bence." in shown


def test_a_rule_that_is_stated_again_stands_in_the_prompt(tmp_path):
    text = said(tmp_path, "Always use tabs.", "From now on use spaces.", "Always use tabs.")
    assert "use tabs" in text
    assert "use spaces" not in text


def test_a_name_that_was_corrected_stands_in_no_prompt(tmp_path):
    text = said(tmp_path, "My name is Alice.", "My name isn't Alice, it's Alicia.")
    assert "Alicia" in text
    assert "My name is Alice." not in text


def test_a_fact_that_changed_stands_in_no_prompt(tmp_path):
    text = said(tmp_path, "I live in Berlin.", "I moved to Paris.")
    assert "Paris" in text
    assert "Berlin" not in text


def test_corrections_that_were_corrected_again_stand_in_no_prompt(tmp_path):
    text = said(
        tmp_path,
        "Remember that the cleaner comes on Tuesday",
        "Actually, the cleaner comes on Wednesday, not Tuesday",
        "No, the cleaner now comes on Thursday",
        "The cleaner comes on Friday now",
    )
    assert "Friday" in text
    assert not any(day in text for day in ("Tuesday", "Wednesday", "Thursday"))


def test_the_words_of_a_forgotten_fact_stand_in_no_prompt(tmp_path):
    text = said(tmp_path, "We moved to Ghent in May", "Actually, not Ghent but Bruges")
    assert "Bruges" in text
    root = tmp_path / "w"
    state = (root / "SESSION-STATE.md").read_bytes()
    name = memtool(root, "facts", "list").stdout.split("\t")[0]
    memtool(root, "facts", "forget", name)
    assert "Bruges" not in memtool(root, "context", "--prompt", "hello").stdout
    assert (root / "SESSION-STATE.md").read_bytes() == state


def test_a_correction_that_superseded_nothing_stands_in_the_prompt(tmp_path):
    assert "Mondays" in said(tmp_path, "No, she works on Mondays, not Fridays")


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Hi! I live in  Ghent, by the river.", "Hi! [superseded] I live in  Ghent, by the river."),
        ("I LIVE IN GHENT", "[superseded] I LIVE IN GHENT"),
        ("I live in Ghentbrugge", "I live in Ghentbrugge"),
        ("I live in Ghent with two cats", "I live in Ghent with two cats"),
        ("I live in Ghent-Sint-Pieters", "I live in Ghent-Sint-Pieters"),
        ("I live in Ghent and I work there", "[superseded] I live in Ghent and I work there"),
        ("I live in Ghent with my two cats", "[superseded] I live in Ghent with my two cats"),
        (
            "I live in Ghent while my wife is in Bruges",
            "[superseded] I live in Ghent while my wife is in Bruges",
        ),
        ("[superseded] I live in Ghent", "[superseded] I live in Ghent"),
        ("Nothing of it", "Nothing of it"),
        (
            "I live in Ghent, by the sea. I live in Ghent",
            "I live in Ghent, by the sea. [superseded] I live in Ghent",
        ),
    ],
)
def test_a_statement_is_marked_in_other_texts_as_a_whole(text, marked):
    assert mark_superseded(text, {"i live in ghent": ["i live in ghent, by the sea"]}) == marked


def test_a_fact_that_begins_as_the_one_that_it_replaced_is_not_marked(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})
    for fact in ("The launch party is on 12 May", "The launch party is on 12 May at noon"):
        memtool(root, "save", "--key", "launch", fact)
    shown = memtool(root, "context", "--retrieved", "--prompt", "When was the launch party before?").stdout
    assert "The launch party is on 12 May at noon" in shown
    assert "[superseded] The launch party is on 12 May\n" in shown  # in the daily note


def test_the_reply_that_repeats_a_superseded_statement_is_marked_once_in_prompts_and_hooks(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})

    def run(day, *arguments, stdin=""):
        at = {"MEMTOOL_NOW": f"2025-01-{day}T10:00:00Z"}
        return run_memtool("--root", str(root), *arguments, home=tmp_path, stdin=stdin, environment=at).stdout

    closed = "The shop is closed on Mondays"
    run(10, "scan", "-m", closed)
    run(10, "append-turn", "--user-text", closed, "--agent-text", f"Understood: {closed}; and on 24 May")
    corrected = "Actually, the shop is closed on Tuesdays, not Mondays"
    run(11, "scan", "-m", corrected)
    run(11, "append-turn", "--user-text", corrected, "--agent-text", "Understood")
    marked = f"- [superseded] {closed}\n  assistant: Understood: [superseded] {closed}; and on 24 May\n"
    assert marked in run(12, "context", "--retrieved", "--prompt", "When is the shop closed?")
    prompt = "Actually, the shop is closed on Sundays, not Tuesdays"
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s2", "prompt": prompt}
    reply = json.loads(run(12, "hook", stdin=json.dumps(event)))
    assert marked in reply["hookSpecificOutput"]["additionalContext"]


@pytest.fixture
def corrected(tmp_path):
    """A function that runs commands after a session in which a statement was corrected."""
    root = make(tmp_path / "w", {"memtool.toml": HEAD})

    def run(*arguments, stdin=""):
        return run_memtool("--root", str(root), *arguments, home=tmp_path, stdin=stdin).stdout

    for message, reply in (
        ("I live in Bremen and work at a bakery.", "Noted."),
        ("What can I bake with spelt flour?", "Spelt rolls."),
        (CORRECTION, f"So: {CORRECTION}."),
        ("How long should the loaf prove?", "Twelve hours."),
    ):
        run("--session", "s1", "scan", "-m", message)
        run("--session", "s1", "append-turn", "--user-text", message, "--agent-text", reply)
        run("--session", "s1", "append-daily", "--user-text", message, "--agent-text", reply)
    run("--session", "s1", "session-end")
    return run


def started(run, session, source):
    event = {"hook_event_name": "SessionStart", "session_id": session, "source": source}
    return json.loads(run("hook", stdin=json.dumps(event)))["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize(("session", "source"), [("s2", "startup"), ("s1", "compact")])
def test_a_superseded_statement_is_marked_at_a_sessions_start(corrected, session, source):
    shown = started(corrected, session, source)
    assert "[superseded] I live in Bremen and work at a bakery." in shown
    assert shown.count("I live in Bremen") == shown.count("[superseded]")


def test_an_undo_marks_nothing(corrected):
    row = next(row for row in corrected("log").splitlines() if "\tscan" in row and "superseded" in row)
    corrected("undo", row.partition("\t")[0])
    shown = corrected("context", "--prompt", "Where do I live, in Kiel?")
    shown += started(corrected, "s2", "startup")
    assert "- I live in Bremen and work at a bakery." in shown
    assert CORRECTION in shown
    assert "[superseded]" not in shown


def test_an_undo_marks_neither_what_another_user_said_nor_what_is_said_later(tmp_path):
    root, said = make(tmp_path / "w", {"memtool.toml": HEAD}), "The vault code is 4711 at home."

    def run(*arguments):
        return run_memtool("--root", str(root), *arguments, home=tmp_path)

    run("--user", "bob", "append-daily", "--user-text", said, "--agent-text", "Noted.")
    run("--user", "alice", "save", said)
    undone = run("--user", "alice", "undo")
    assert "still contain" not in undone.stderr  # the note is bob's
    run("append-turn", "--user-text", f"We settled it at last. {said}")
    for user in ("bob", "alice"):
        shown = run("--user", user, "context", "--prompt", "What is the vault code?").stdout
        assert said in shown
        assert "[superseded]" not in shown


def test_a_hook_marks_nothing_of_one_user_that_another_has_corrected(tmp_path):
    root, said = make(tmp_path / "w", {"memtool.toml": HEAD}), "I live in Bremen"

    def run(user, *arguments, stdin=""):
        chosen = ("--root", str(root), "--user", user)
        return run_memtool(*chosen, *arguments, home=tmp_path, stdin=stdin).stdout

    for message in (said, CORRECTION):
        run("alice", "scan", "-m", message)
    run("bob", "append-daily", "--user-text", said, "--agent-text", "Noted.")
    run("bob", "scan", "-m", "My bike is red.")
    prompt = "Actually, my bike is blue, not red. Where do I live, in Bremen?"
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s2", "prompt": prompt}
    shown = json.loads(run("bob", "hook", stdin=json.dumps(event)))["hookSpecificOutput"]["additionalContext"]
    assert "My bike is red" not in shown
    assert "- My bike is blue" in shown
    assert f"user: {said}" in shown


def test_a_number_that_goes_on_is_another_value():
    statements = {"the launch is on 12 may": [], "der zug nach gießen fährt um 9": []}
    text = "The launch is on 12 May 2027. Der Zug nach Gießen fährt um 9.30. The launch is on 12 May."
    assert mark_superseded(text, statements) == text.replace("30. The", "30. [superseded] The")
    assert mark_superseded("Der Zug nach Gießen fährt um 9", statements).startswith("[superseded] Der")


@pytest.mark.parametrize("are_reversed", [False, True])
def test_a_statement_within_another_superseded_one_has_no_mark_of_its_own(are_reversed):
    gone = ["by the way, i work at vooruit", "i work at vooruit"]
    statements = dict.fromkeys(reversed(gone) if are_reversed else gone, ())
    marked = mark_superseded("By the way, I work at Vooruit. I work at Vooruit.", statements)
    assert marked == "[superseded] By the way, I work at Vooruit. [superseded] I work at Vooruit."


def test_a_rule_that_made_room_for_others_is_not_marked(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})
    line = "- [2025-01-0{}T10:00:00Z] {} (archived 2025-01-09: {}) ^r-{}\n"
    archive = line.format(1, "Answer in formal German", "eviction", "1111") + line.format(
        2, "Use tabs in every file", "r-3333", "2222"
    )
    make(root, {"memory/procedural/archive.md": archive})
    gone = superseded_in(["Answer in formal German", "use tabs in every file"], opened(root), None)
    assert [*gone] == ["use tabs in every file"]


@pytest.mark.parametrize(
    ("reply", "prompt", "is_shown"),
    [
        ("Noted.", "Can I tow a boat with a Skoda?", False),
        ("Noted, a Skoda!", "Can I tow a boat with a Skoda?", False),
        ("It tows 1,500 kg.", "Can I tow a boat with a Skoda?", True),
        ("Noted.", "What did I drive before the Volvo, a Skoda? I mean before.", True),
        ("Noted.", "Was it a Skoda that I drove?", False),
    ],
)
def test_a_message_that_says_only_what_was_superseded_answers_only_about_the_past(
    tmp_path, reply, prompt, is_shown
):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})
    memtool(root, "scan", "-m", "I drive a Skoda.")
    memtool(root, "append-turn", "--user-text", "I drive a Skoda.", "--agent-text", reply)
    memtool(root, "scan", "-m", "Actually I drive a Volvo now, not a Skoda.")
    shown = memtool(root, "context", "--prompt", prompt).stdout
    assert ("[superseded] I drive a Skoda." in shown) == is_shown
    assert "I drive a Volvo" in shown


def test_a_superseded_message_answers_a_prompt_in_the_past_tense_if_nothing_current_does(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})
    memtool(root, "scan", "-m", "My dentist is Dr Okonjo.")
    memtool(root, "append-turn", "--user-text", "My dentist is Dr Okonjo.", "--agent-text", "Noted.")
    memtool(root, "scan", "-m", "Actually, my dentist is Dr Peeters")
    shown = "[superseded] My dentist is Dr Okonjo."
    assert shown in memtool(root, "context", "--prompt", "Did I see Okonjo on Monday?").stdout
    assert shown not in memtool(root, "context", "--prompt", "Does Okonjo work on Monday?").stdout


@pytest.mark.parametrize(
    ("old", "new", "is_marked"),
    [
        ('Graz — "My sister lives in Graz."', 'Linz — "My sister lives in Linz."', True),
        ("LIVES_IN Graz", "LIVES_IN Linz", True),
        ('"My sister lives in Graz."', '"My dear sister lives in Graz."', False),
        ("[relationship]", "[family]", False),
        ('"My sister lives in Graz."', '"My sister moved to Wien."', True),
        ("# Facts", "# My facts", False),
    ],
)
def test_the_words_of_a_fact_that_was_edited_by_hand_are_marked(tmp_path, old, new, is_marked):
    root = make(tmp_path / "w", {"memtool.toml": HEAD})
    message = "My sister lives in Graz."
    memtool(root, "scan", "-m", message)
    memtool(root, "append-turn", "--user-text", f"{message} She has a big dog there.", "--agent-text", "Nice")
    facts = root / "memory/semantic/facts.md"
    facts.write_text(facts.read_text().replace(old, new))
    shown = memtool(root, "context", "--prompt", "Does my sister live in Graz with her dog?").stdout
    assert (f"[superseded] {message}" in shown) == is_marked
    assert not is_marked or (f"\n- {message}" not in shown and f"**: {message}" not in shown)
