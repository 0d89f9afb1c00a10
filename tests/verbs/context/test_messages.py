"""Messages of past sessions in a prompt: whose, of which sessions, and by which profile they are ranked."""

from __future__ import annotations

import json
from datetime import date

import pytest

from memtool.core.records.request import ContextRequest
from memtool.verbs.context.context import context
from memtool.verbs.indexing.indexes import SearchIndexes
from tests.trees import make, opened, prompt_scope_of

TURNS = "memory/history/turns/2025/01/14"


def turn(seq, *messages, **more):
    record = {
        "schema_version": 2,
        "id": f"turn-{seq:020}",
        "seq": seq,
        "created_at": f"2025-01-14T10:{seq:02}:00Z",
        "messages": [{"role": role, "parts": [{"type": "text", "text": text}]} for role, text in messages],
        **more,
    }
    return json.dumps(record, indent=2) + "\n"


def tree(tmp_path, *turns):
    files = {f"{TURNS}/{number:020}.json": text for number, text in enumerate(turns, 1)}
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **files})


def ask(root, prompt, owners=(), **more):
    workspace = opened(root, "native")
    indexes = SearchIndexes(workspace, b"k" * 32, wait=5.0)
    request = ContextRequest(prompt, prompt_scope_of(workspace, None, owners), date(2025, 1, 15), **more)
    try:
        return context(workspace, request, lambda: indexes)
    finally:
        indexes.close()


SMALL_TALK = [("user", "Good morning."), ("assistant", "Good morning to you.")]


def test_a_message_stands_in_the_prompt_under_its_day_with_its_reply(tmp_path):
    exchange = [("user", "My zebra vase cracked in the kiln."), ("assistant", "Dry the vase for longer.")]
    root = tree(tmp_path, turn(1, *SMALL_TALK), turn(2, *exchange))
    snippets = ask(root, "what happened to my zebra vase?").snippets
    (snippet,) = [piece for piece in snippets if "zebra" in piece.text]
    assert (snippet.speaker, snippet.shown) == ("user", "2025-01-14")
    assert snippets[0].heading == "2025-01-14, user:\n"
    assert snippet.line(1).removeprefix("2025-01-14, user:\n") == (
        "- My zebra vase cracked in the kiln.\n  assistant: Dry the vase for longer."
    )
    rows = (root / snippet.path).read_text().split("\n")
    assert "My zebra vase cracked" in rows[snippet.first - 1]


@pytest.mark.parametrize("cost", [len, lambda text: -(-len(text) // 4)])
def test_messages_fill_the_budget(tmp_path, cost):
    text = "The zebra glaze of batch {} ran down the bowl and stuck to the shelf, and so we ground it off."
    root = tree(tmp_path, *[turn(n, ("user", text.format(n))) for n in range(1, 31)])
    for budget in range(400, 480, 7):
        printed = ask(root, "what of the zebra glaze?", budget=budget, cost=cost).text
        assert budget - cost(text) - 6 <= cost(printed) <= budget


def test_a_short_question_about_the_user_gets_its_message_and_praise_gets_nothing(tmp_path):
    root = tree(
        tmp_path, turn(1, *SMALL_TALK), turn(2, ("user", "My dog is called Rex."), ("assistant", "Nice."))
    )
    assert "called Rex" in ask(root, "what is my dog called?").text
    for prompt in ("thanks, looks good", "ok", "go on", "how do I fold a paper crane?"):
        assert ask(root, prompt).snippets == ()


def test_nothing_of_the_running_session_is_repeated(tmp_path):
    said = [("user", "My zebra vase cracked."), ("assistant", "Oh.")]
    root = tree(tmp_path, turn(1, *SMALL_TALK), turn(2, *said, session="s1"))
    assert ask(root, "which zebra vase cracked?", session="s1").snippets == ()
    assert ask(root, "which zebra vase cracked?", session="s2").snippets


@pytest.mark.parametrize(("user", "seen"), [("ann", True), ("bob", False)])
def test_no_turn_of_another_user_is_in_a_prompt(tmp_path, user, seen):
    said = [("user", "My zebra vase cracked."), ("assistant", "Oh.")]
    root = tree(tmp_path, turn(1, *SMALL_TALK), turn(2, *said, user="ann", session="s1"))
    answer = ask(root, "which zebra vase of mine cracked?", {f"user:{user}", "session:s9"})
    assert ("zebra" in answer.text) is seen


def test_a_turn_that_names_no_user_is_everybodys(tmp_path):
    root = tree(tmp_path, turn(1, *SMALL_TALK), turn(2, ("user", "My zebra vase cracked.")))
    assert ask(root, "which zebra vase cracked?", {"user:bob"}).snippets


def test_a_reply_alone_that_has_the_words_brings_the_message_that_it_replies_to(tmp_path):
    exchange = [
        ("user", "Mine cracked again, what shall I do?"),
        ("assistant", "Dry the zebra vase longer, and fire the zebra vase slowly."),
    ]
    root = tree(tmp_path, turn(1, *SMALL_TALK), turn(2, *exchange), turn(3, *SMALL_TALK))
    snippets = ask(root, "what did you advise me about the zebra vase?").snippets
    assert any(snippet.speaker == "user" and "cracked again" in snippet.text for snippet in snippets)
    assert "Dry the zebra vase longer" in ask(root, "what did you advise me about the zebra vase?").text


def test_people_among_themselves_are_named(tmp_path):
    def said(seq, name, text):
        record = json.loads(turn(seq, ("user", text)))
        record["messages"][0]["name"] = name
        return json.dumps(record, indent=2)

    root = tree(tmp_path, said(1, "Ann", "I sold the zebra vase."), said(2, "Bob", "Which vase do you mean?"))
    assert "- Ann: I sold the zebra vase." in ask(root, "who sold the zebra vase?").text


def test_many_messages_of_another_user_leave_room_for_ones_own(tmp_path):
    noise = turn(1, *[("user", f"Lunch number {n} was soup and bread.") for n in range(900)])
    crowd = turn(
        2, *[("user", f"My zebra vase cracked in the kiln, shelf {n}.") for n in range(400)], user="bob"
    )
    own = turn(3, ("user", "The handle of the zebra vase, which cracked" + " and lay there" * 40), user="ann")
    root = tree(tmp_path, noise, crowd, own)
    asked = ask(root, "Why was my zebra vase cracked in the kiln?", ("user:ann",))
    assert "handle" in asked.text
    assert "shelf" not in asked.text


def test_a_prompt_on_something_of_the_user_is_given_what_is_known_of_it(tmp_path):
    told = turn(1, ("user", "My sister is allergic to walnuts."), ("assistant", "Good to know."))
    others = [
        turn(2, ("user", "Bob's sister walks."), ("assistant", "My sister is a robot.")),
        *(turn(3 + number, *SMALL_TALK) for number in range(20)),
    ]
    root = tree(tmp_path, told, *others)
    snippets = ask(root, "What pancakes might I bake for my sister tonight?").snippets
    assert [piece.text for piece in snippets] == ["My sister is allergic to walnuts."]


def test_a_word_that_much_of_memory_has_is_no_reason_to_show_anything_of_the_user(tmp_path):
    turns = [turn(number, ("user", f"My code has bug {number}.")) for number in range(1, 20)]
    assert not ask(tree(tmp_path, *turns), "Why does my code throw exceptions?").snippets


def test_a_courtesy_is_no_message_that_answers(tmp_path):
    exchange = [("user", "Thanks a lot, great help!"), ("assistant", "You are welcome.")]
    root = tree(tmp_path, turn(1, *exchange), *(turn(seq, *SMALL_TALK) for seq in range(2, 30)))
    assert not ask(root, "Thanks for the great tip about help desks").snippets
    replied = [("user", "Thanks a lot, great help!"), ("assistant", "Efua opens the help desks at nine.")]
    other = tree(tmp_path / "other", turn(1, *replied), *(turn(seq, *SMALL_TALK) for seq in range(2, 30)))
    (snippet,) = ask(other, "When do the help desks open?").snippets
    assert (snippet.speaker, snippet.text) == ("assistant", "Efua opens the help desks at nine.")
