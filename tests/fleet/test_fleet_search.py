"""search --fleet: the chunks of other trees, ranked as at home; what a tree may read."""

from __future__ import annotations

import json
import random

import pytest

from memtool.fleet.connection import connected
from memtool.fleet.fleet_source import leading_terms
from memtool.index.engine import ChunkHit
from tests.fleet.fleets import Tree
from tests.trees import memtool

NOTES = {
    "MEMORY.md": "# Long-term memory\n\n- The blue glaze runs at cone 6\n- Marta prefers oolong tea\n",
    "memory/2025-01-14.md": "# Daily Notes -- 2025-01-14\n\n## [10:30:00]\n**User:** fire the kiln slowly\n",
    "memory/2025-01-15.md": "# Daily Notes -- 2025-01-15\n\n## [10:30:00]\n"
    "**User:** The kiln cracked a shelf\n",
    "memory/notes/zettel/glaze.md": "---\ntitle: Glaze chemistry\ntags: [ceramics]\n---\n# Recipe\n\n"
    "Feldspar, silica and whiting. The kiln schedule is in [[firing]].\n\n## Colour\n\nCobalt gives blue.\n",
    "memory/notes/zettel/firing.md": "# Firing schedule\n\nRamp the kiln to cone 6, deployment of cones, "
    "e-mail the result. Die Brennöfen brennen.\n",
    "memory/notes/zettel/jp.md": "# 釉薬\n\n青い釉薬は美しい。東京で買った。\n",
    "memory/notes/zettel/th.md": "# แก้ว\n\nภาษาไทยไม่มีช่องว่าง\n",
}
QUERIES = (
    "kiln", "blue glaze", "kiln schedule cone", '"kiln schedule"', "kiln -schedule", "+cobalt glaze",
    "deploy*", "釉薬", "東京", "ภาษา", "e-mail", "role:daily-note kiln", "tag:ceramics kiln",
    "path:*firing* kiln", "date:2025-01-14 kiln", "date:2025-01 kiln", "unheardof kiln", "the kiln",
    "Wo brennen die Brennöfen",
    "where did I buy the glaze for the kiln", "title chemistry", "kiln kilns firing fired",
)  # fmt: skip


def comparable(hits: list[ChunkHit]) -> list[tuple[object, ...]]:
    """Hits without what the fleet adds: the name of the tree before the path."""
    return [
        (hit.path.rpartition(":")[2], hit.first, hit.last, hit.score, hit.text, hit.trail, hit.role, hit.day)
        for hit in hits
    ]


@pytest.mark.parametrize("query", QUERIES)
def test_the_fleet_ranks_as_the_tree_itself_does(ceramics, query):
    reader, desk = ceramics
    expected = comparable(desk.local_hits(query))
    assert comparable(reader.fleet_hits(query)) == expected
    assert expected


@pytest.fixture(scope="module")
def ceramics(module_fleet) -> tuple[Tree, Tree]:
    desk = module_fleet.add_tree("desk", NOTES)
    return module_fleet.add_tree("reader", None, "--reads", "all"), desk


@pytest.mark.parametrize("seed", range(3))
def test_random_trees_are_ranked_as_one_index_of_all(fleet, seed):
    chooser = random.Random(seed)
    words = [f"w{number}" for number in range(40)]
    files = {
        f"memory/notes/zettel/n{number:02}.md": "# " + " ".join(chooser.choices(words, k=3)) + "\n\n"
        + "\n\n".join(" ".join(chooser.choices(words, k=chooser.randrange(1, 60))) for _ in range(4))
        for number in range(30)
    }  # fmt: skip
    whole = fleet.add_tree("whole", files)
    paths = [*files]
    one = fleet.add_tree("one", {path: files[path] for path in paths[::2]})
    fleet.add_tree("two", {path: files[path] for path in paths[1::2]})
    reader = fleet.add_tree("reader", None, "--reads", "one", "--reads", "two")
    for _ in range(12):
        query = " ".join(chooser.choices(words, k=chooser.randrange(1, 6)))
        found = sorted(comparable(reader.fleet_hits(query, 500)))
        assert found == sorted(comparable(whole.local_hits(query, 500)))
    assert one.fleet_hits("w1") == []


def test_of_a_word_that_is_too_common_the_best_chunks_are_found(fleet):
    files = {
        f"memory/notes/zettel/n{number:03}.md": "kiln " * (number % 7 + 1) + "other " * (number % 5)
        for number in range(80)
    }
    desk = fleet.add_tree("desk", files)
    reader = fleet.add_tree("reader", None, "--reads", "desk")
    assert comparable(reader.fleet_hits("kiln", 5, most=30)) == comparable(desk.local_hits("kiln", 5))
    both = reader.fleet_hits("kiln other", 5, most=30)
    assert {hit.score for hit in both} == {hit.score for hit in desk.local_hits("kiln other", 5)}
    with connected(fleet.dsn) as operator:  # a fleet that an older memtool has set up
        operator.execute("ALTER FUNCTION memtool.best_common_postings RENAME TO unknown")
    assert comparable(reader.fleet_hits("kiln other", 5, most=30)) == comparable(both)


def test_a_role_counts_what_it_may_read_whether_or_not_there_is_more(fleet):
    desk = fleet.add_tree("desk", {f"memory/notes/zettel/{name}.md": "kiln\n" for name in "ab"})
    reader = fleet.add_tree("reader", {"memory/notes/zettel/own.md": "kiln\n"}, "--reads", "all")

    def counts(only_others: bool) -> list[tuple[object, ...]]:
        with fleet.connection_of(reader) as connection:
            return connection.execute(
                "SELECT term, chunks FROM memtool.term_counts(NULL, %s, '{0,0}', '{kiln,none}')",
                [only_others],
            ).fetchall()

    assert (counts(True), counts(False)) == ([("kiln", 2)], [("kiln", 3)])
    desk.write({"MEMORY.md": "# Facts\n\n- [user:ann] kiln\n"})
    desk.memtool("fleet", "push")
    assert (counts(True), counts(False)) == ([("kiln", 2)], [("kiln", 3)])


def test_of_several_common_words_the_chunks_with_the_best_sums_are_found(fleet):
    files = {
        f"memory/notes/zettel/n{number:03}.md": "kiln wheel glaze\n\n" + f"{word} " * 12
        for number in range(90)
        for word in [("kiln", "wheel", "glaze")[number % 3]]
    }
    best = {"memory/notes/zettel/best.md": "kiln wheel glaze " * 4}
    fleet.add_tree("desk", files)
    fleet.add_tree("attic", {**files, **best})
    whole = fleet.add_tree(
        "whole", {f"{path}{name}.md": text for name in "ab" for path, text in files.items()} | best
    )
    reader = fleet.add_tree("reader", None, "--reads", "desk", "--reads", "attic")
    (found,) = reader.fleet_hits("kiln wheel glaze", 1, most=40)
    (expected,) = whole.local_hits("kiln wheel glaze", 1)
    assert (found.path, found.score) == (f"attic:{expected.path}", expected.score)


def test_documents_are_read_by_the_words_that_decide_which_are_the_best():
    def leading(most=10_000, is_filtered=False, power=4.0, **counts):
        terms = {("stems", name): count for name, count in counts.items()}
        found = leading_terms(terms, 1_000_000, power, most, is_filtered=is_filtered)
        assert [*found.values()] == sorted(found.values(), reverse=True)
        return [name for _, name in found]

    assert leading(rare=100, common=300_000, other=500_000) == ["rare"]
    assert leading(rare=100, common=300_000, other=500_000, is_filtered=True) == ["rare", "common"]
    assert leading(rare=10, common=300_000, other=500_000) == ["rare", "common"]  # fewer chunks than hits
    assert leading(rare=100, scarce=5_000, common=300_000, power=1.0) == ["rare", "scarce"]
    assert leading(common=300_000, other=400_000, third=350_000) == ["common", "third", "other"]
    assert leading(common=300_000, everywhere=990_000) == ["common"]
    assert leading(common=300_000, everywhere=990_000, most=1 << 30) == ["common", "everywhere"]
    assert leading(**{f"w{number}": 200_000 + number for number in range(9)}) == ["w0", "w1", "w2", "w3"]


def test_a_hit_says_where_it_is_and_as_of_when(fleet):
    desk = fleet.add_tree("desk", NOTES)
    laptop = fleet.add_tree("laptop", {"MEMORY.md": "- a kiln at home\n"}, "--reads", "desk")
    hits = [
        json.loads(line) for line in laptop.memtool("search", "--fleet", "--json", "kiln").stdout.splitlines()
    ]
    of_desk = [hit for hit in hits if hit["tree"] == "desk"]
    (own,) = [hit for hit in hits if hit["tree"] == "laptop"]
    assert own["as_of"] is None
    pushed = json.loads(desk.memtool("fleet", "status", "--json").stdout)["pushed_at"]
    etags = dict(fleet.rows("SELECT path, etag FROM memtool_data.document WHERE tree = 1"))
    assert of_desk
    for hit in of_desk:
        assert (hit["etag"], hit["as_of"]) == (etags[hit["path"]], pushed)
        assert (desk.root / hit["path"]).read_text().split("\n")[hit["line"] - 1]
    lines = laptop.memtool("search", "--fleet", "kiln").stdout.splitlines()
    assert "MEMORY.md:1: - a kiln at home" in lines
    assert f"desk:memory/2025-01-15.md:4: **User:** The kiln cracked a shelf  (as of {pushed})" in lines
    assert "desk:MEMORY.md" in laptop.memtool("search", "--fleet", "-l", "oolong").stdout


def test_files_of_the_tree_are_searched_as_they_are_and_not_as_they_were_pushed(fleet):
    fleet.add_tree("desk", NOTES)
    laptop = fleet.add_tree("laptop", {"MEMORY.md": "- the heron is old\n"}, "--reads", "all")
    laptop.write({"MEMORY.md": "- the heron is new\n"})
    assert laptop.memtool("search", "--fleet", "heron").stdout == "MEMORY.md:1: - the heron is new\n"
    (laptop.root / "MEMORY.md").unlink()
    laptop.memtool("search", "--fleet", "heron", code=1)


def test_a_file_that_was_removed_elsewhere_is_found_no_more_after_the_push(fleet):
    desk = fleet.add_tree("desk", NOTES)
    laptop = fleet.add_tree("laptop", None, "--reads", "all")
    laptop.memtool("search", "--fleet", "oolong")
    (desk.root / "MEMORY.md").unlink()
    desk.memtool("fleet", "push")
    laptop.memtool("search", "--fleet", "oolong", code=1)


def test_a_tree_reads_only_what_it_may(fleet):
    fleet.add_tree("desk", NOTES)
    stranger = fleet.add_tree("stranger", {"MEMORY.md": "- kiln\n"})
    assert stranger.fleet_hits("kiln") == []
    reader = fleet.add_tree("reader", None, "--reads", "stranger")
    assert [hit.path for hit in reader.fleet_hits("kiln")] == ["stranger:MEMORY.md"]


def test_memory_of_a_user_is_read_only_where_the_user_is_named(fleet):
    lines = "".join(f"- [user:{user}] **preference**: I like kilns, says {user}\n" for user in ("ann", "bob"))
    memory = f"# Long-term memory\n\n- kilns are hot\n{lines}"
    fleet.add_tree("desk", {"MEMORY.md": memory})
    shown = {}
    for name, options in {
        "nobody": [],
        "ann": ["--reads-user", "ann"],
        "both": ["--reads-user", "ann", "--reads-user", "bob"],
    }.items():
        tree = fleet.add_tree(name, None, "--reads", "all", *options)
        shown[name] = {hit.text.rpartition(" ")[2] for hit in tree.fleet_hits("kilns")}
        if name == "both":
            assert {
                hit.text.rpartition(" ")[2] for hit in tree.fleet_hits("kilns", owners=["", "user:bob"])
            } == {
                "hot",
                "bob",
            }
            found = tree.memtool("search", "--fleet", "--user", "ann", "kilns").stdout
            assert "ann" in found
            assert "bob" not in found
    assert shown == {"nobody": {"hot"}, "ann": {"hot", "ann"}, "both": {"hot", "ann", "bob"}}


def test_without_the_database_the_tree_is_searched_and_the_exit_code_is_3(fleet):
    laptop = fleet.add_tree("laptop", {"MEMORY.md": "- a kiln\n"}, "--reads", "all")
    (key,) = (laptop.home / ".config/memtool/fleet").iterdir()
    key.write_text(key.read_text().replace("/socket", "/nowhere"))
    done = laptop.memtool("search", "--fleet", "kiln", code=3)
    assert done.stdout == "MEMORY.md:1: - a kiln\n"
    assert "the fleet's database cannot be reached" in done.stderr
    laptop.memtool("search", "--fleet", "nothing", code=3)
    laptop.memtool("search", "kiln")
    laptop.memtool("fleet", "push", code=3)
    laptop.memtool("fleet", "status", code=3)


def test_a_replaced_key_ends_the_old_one(fleet):
    laptop = fleet.add_tree("laptop", {"MEMORY.md": "- a kiln\n"})
    old = laptop.key.dsn
    assert "taken" not in laptop.memtool("fleet", "join", fleet.dsn, "--as", "laptop", code=2).stderr
    laptop.memtool("fleet", "join", fleet.dsn, "--as", "laptop", "--replace")
    assert laptop.key.dsn != old
    assert json.loads(laptop.memtool("fleet", "push", "--json").stdout)["unchanged"] == 1
    (key,) = (laptop.home / ".config/memtool/fleet").iterdir()
    key.write_text(json.dumps({"root": str(laptop.root), "name": "laptop", "dsn": old}))
    laptop.memtool("fleet", "push", code=3)


@pytest.mark.parametrize(
    "arguments", [["--exact"], ["--mode", "semantic"], ["--speaker", "user"], ["--session", "s"]]
)
def test_searches_that_the_fleet_cannot_answer_are_refused(fleet, arguments):
    laptop = fleet.add_tree("laptop", {"MEMORY.md": "- a kiln\n"})
    assert "fleet" in laptop.memtool("search", "--fleet", *arguments, "kiln", code=2).stderr


def test_doctor_says_how_a_tree_is_in_its_fleet(fleet):
    def check() -> tuple[str, str]:
        lines = memtool("doctor", "--json", home=laptop.home, cwd=laptop.root).stdout.splitlines()
        (of_fleet,) = [line for line in map(json.loads, lines) if line["check"] == "fleet"]
        return of_fleet["state"], of_fleet["run"]

    laptop = fleet.add_tree("laptop", {"MEMORY.md": "- a kiln\n"})
    assert check() in {("ok", ""), ("note", "")}  # an old server lacks security fixes
    laptop.write({"MEMORY.md": "- two kilns\n"})
    assert check() == ("note", "memtool fleet push")
    fleet.rows("UPDATE memtool_data.tree SET pushed_at = now() - interval '8 days' RETURNING 1")
    assert check() == ("wrong", "memtool fleet push")
    (key,) = (laptop.home / ".config/memtool/fleet").iterdir()
    key.write_text(key.read_text().replace("/socket", "/nowhere"))
    assert check() == ("unknown", "memtool fleet status")
