"""recall --fleet: facts of other trees among those of this one, by the same scorer and within the walls."""

from __future__ import annotations

import json

import pytest

from tests.fleet.fleets import Fleet, Tree

FACTS = "memory/semantic/facts.md"
DESK = """# Facts

- [context] Marta fires the big kiln on Thursdays ^m-111111111111
- [superseded: 2025-01-02 by m-111111111111] [context] Marta fires the big kiln on Mondays ^m-222222222222
- [context] The glaze supplier is called Lindqvist ^m-333333333333
- [context] [user:ann] Ann is allergic to cobalt ^m-444444444444
"""
LAPTOP = "# Facts\n\n- [context] The spare key of the kiln room hangs behind the door ^m-555555555555\n"


@pytest.fixture
def trees(fleet: Fleet) -> tuple[Tree, Tree]:
    desk = fleet.add_tree("desk", {FACTS: DESK})
    return desk, fleet.add_tree("laptop", {FACTS: LAPTOP}, "--reads", "desk")


def recalled(tree: Tree, *arguments: str, code: int = 0) -> list[dict[str, object]]:
    done = tree.memtool("recall", "--fleet", "--json", *arguments, code=code)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_fact_of_another_tree_answers_with_its_place_and_time(trees):
    _, laptop = trees
    (fact,) = recalled(laptop, "Who fires the big kiln?")
    assert (fact["tree"], fact["path"], fact["line"], fact["id"]) == ("desk", FACTS, 3, "m-111111111111")
    assert fact["text"] == "Marta fires the big kiln on Thursdays"
    assert str(fact["as_of"]).endswith("+00:00")
    assert fact["etag"]
    shown = laptop.memtool("recall", "--fleet", "Who fires the big kiln?").stdout
    assert shown == f"desk:{FACTS}:3: {fact['text']}  (as of {fact['as_of']})\n"


def test_own_facts_are_those_of_the_files_as_they_are_now_and_count_as_accessed(trees):
    _, laptop = trees
    laptop.write({FACTS: LAPTOP + "- [context] The kiln room is painted blue ^m-666666666666\n"})
    (fact,) = recalled(laptop, "What colour is the kiln room painted?")
    assert (fact["tree"], fact["as_of"], fact["line"]) == ("laptop", None, 4)
    salience = json.loads((laptop.root / "memory/cognition/salience.json").read_text())
    assert "m-666666666666" in str(salience)
    recalled(laptop, "Who fires the big kiln?")
    assert "m-111111111111" not in (laptop.root / "memory/cognition/salience.json").read_text()


def test_a_fact_that_several_trees_have_is_one_answer(trees):
    _, laptop = trees
    laptop.write({FACTS: LAPTOP + "- [context] Marta fires the big kiln on Thursdays ^m-111111111111\n"})
    assert [fact["tree"] for fact in recalled(laptop, "Who fires the big kiln?")] == ["laptop"]


@pytest.mark.parametrize("question", ["Is Ann allergic to cobalt?", "Who fires on Mondays?"])
def test_memory_of_users_and_superseded_facts_of_other_trees_do_not_answer(trees, question):
    _, laptop = trees
    shown = laptop.memtool("recall", "--fleet", "--json", question, code=1 if "Ann" in question else 0).stdout
    assert "cobalt" not in shown
    assert "Mondays" not in shown


def test_a_tree_that_may_not_read_another_recalls_its_own_alone(trees):
    desk, _ = trees
    assert [fact["tree"] for fact in recalled(desk, "Who fires the big kiln?")] == ["desk"]
    assert recalled(desk, "Where is the spare key?", code=1) == []


def test_without_the_database_this_tree_answers_and_the_exit_code_says_so(trees):
    _, laptop = trees
    (key,) = (laptop.home / ".config/memtool/fleet").iterdir()
    host = next(part for part in laptop.key.dsn.split() if part.startswith("host="))
    key.write_text(key.read_text().replace(host, "host=/nonexistent"))
    done = laptop.memtool("recall", "--fleet", "Where is the spare key?", code=3)
    assert done.stdout == f"laptop:{FACTS}:3: The spare key of the kiln room hangs behind the door\n"
    assert "only this workspace was searched" in done.stderr
    assert laptop.memtool("recall", "Where is the spare key?").stderr == ""


def test_facts_of_several_trees_are_ranked_as_those_of_one(fleet):
    lines = [
        f"- [context] Bowl {n} is {colour} ^m-{n:012}\n" for n, colour in enumerate(["blue", "red"] * 20)
    ]
    whole = fleet.add_tree("whole", {FACTS: "# Facts\n\n" + "".join(lines)})
    fleet.add_tree("half", {FACTS: "# Facts\n\n" + "".join(lines[::2])})
    other = fleet.add_tree("other", {FACTS: "# Facts\n\n" + "".join(lines[1::2])}, "--reads", "half")
    for question in ("Which colour has bowl 17?", "Which colour has bowl 4?"):
        expected = [
            json.loads(row) for row in whole.memtool("recall", "--json", question).stdout.splitlines()
        ]
        found = recalled(other, question)
        assert [fact["id"] for fact in found] == [fact["id"] for fact in expected]
