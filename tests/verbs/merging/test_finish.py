"""Turns that share a number after a merge get numbers of their own."""

from __future__ import annotations

import itertools
import json

import pytest

from memtool.core.records.turn import Message, TextPart, Turn, turn_id
from memtool.errors import UnreadableFile
from memtool.formats import turn as turn_format
from memtool.store.files import derived, merged_paths
from memtool.verbs.merging.finish import finish_merges
from tests.trees import contents, make, memtool, opened

TURNS = "memory/history/turns"
HEAD = "memory/history/state/head.json"


def tree(root, files=()):
    return make(root, {"memtool.toml": 'layout = "native"\n', **dict(files)})


def turn(said, at, seq, **more):
    return Turn(turn_id(seq), seq, at, (Message("user", (TextPart(said),)),), more)


def put(root, *turns, folder=TURNS):
    """Write turns to their files, merging those that share one."""
    for each in turns:
        path = root / folder / each.created_at[:10].replace("-", "/") / f"{each.seq:020}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = turn_format.render(each)
        path.write_text(turn_format.merge("", path.read_text(), text) if path.exists() else text)


def history(root, folder=TURNS):
    """Number and words of each turn, by number."""
    records = [json.loads(path.read_text()) for path in (root / folder).rglob("*.json")]
    for record in records:
        assert record["id"] == turn_id(record["seq"])
        assert "concurrent" not in record
    return {record["seq"]: record["messages"][0]["parts"][0]["text"] for record in records}


MERGED = (
    turn("first", "2026-01-02T08:00:00Z", 1),
    turn("laptop 1", "2026-01-02T09:00:00Z", 2),
    turn("desk 1", "2026-01-02T10:00:00Z", 2),
    turn("laptop 2", "2026-01-02T11:00:00Z", 3),
    turn("desk 2", "2026-01-03T01:00:00Z", 3),
)
NUMBERED = {1: "first", 2: "laptop 1", 3: "desk 1", 4: "laptop 2", 5: "desk 2"}


@pytest.mark.parametrize("order", [*itertools.permutations(MERGED)][::17])
def test_turns_are_numbered_by_time_whatever_was_merged_first(tmp_path, order):
    root = tree(tmp_path)
    put(root, *order)
    (report,) = finish_merges(opened(root))
    assert (report.group, report.first, report.renumbered) == (None, 2, 4)
    assert history(root) == NUMBERED
    assert json.loads((root / HEAD).read_text()) == {"last_seq": 5, "updated_at": "2026-01-03T01:00:00Z"}
    before = contents(root)
    assert finish_merges(opened(root)) == []
    assert contents(root) == before


def test_numbers_before_the_first_shared_one_and_untouched_files_stay(tmp_path):
    root = tree(tmp_path)
    put(root, *MERGED)
    first = root / TURNS / "2026/01/02" / f"{1:020}.json"
    first.write_text(first.read_text() + "\n")  # as another program wrote it
    before = first.read_bytes()
    finish_merges(opened(root))
    assert first.read_bytes() == before


def test_a_turn_that_was_numbered_already_on_another_machine_is_not_doubled(tmp_path):
    root = tree(tmp_path)
    put(root, *MERGED)
    finish_merges(opened(root))
    put(root, turn("desk 1", "2026-01-02T10:00:00Z", 2), turn("phone", "2026-01-02T09:30:00Z", 2))
    finish_merges(opened(root))
    assert history(root) == {1: "first", 2: "laptop 1", 3: "phone", 4: "desk 1", 5: "laptop 2", 6: "desk 2"}


def test_numbers_in_quarantine_are_not_given_again_and_ids_of_other_programs_stay(tmp_path):
    root = tree(tmp_path, {f"{TURNS}/2026/01/02/{3:020}.json": "{"})
    workspace = opened(root)
    with workspace.lock():
        pass
    memtool("--root", str(root), "quarantine", "add", f"{TURNS}/2026/01/02/{3:020}.json", home=tmp_path)
    put(root, turn("a", "2026-01-02T08:00:00Z", 2), turn("b", "2026-01-02T09:00:00Z", 2))
    own = Turn("run-9", 4, "2026-01-02T10:00:00Z", (Message("user", (TextPart("c"),)),))
    put(root, own)
    finish_merges(opened(root))
    records = [json.loads(path.read_text()) for path in sorted((root / TURNS).rglob("*.json"))]
    assert [(record["seq"], record["id"]) for record in records] == [
        (2, turn_id(2)),
        (4, turn_id(4)),
        (5, "run-9"),
    ]


def test_groups_are_numbered_by_themselves(tmp_path):
    root = tree(tmp_path)
    put(root, turn("own", "2026-01-02T08:00:00Z", 1))
    folder = f"groups/family/{TURNS}"
    put(
        root,
        turn("a", "2026-01-02T08:00:00Z", 1),
        turn("b", "2026-01-02T09:00:00Z", 1),
        folder=folder,
    )
    (report,) = finish_merges(opened(root))
    assert report.group == "family"
    assert (history(root), history(root, folder)) == ({1: "own"}, {1: "a", 2: "b"})


def test_a_turn_that_cannot_be_read_stops_it_and_nothing_changes(tmp_path):
    root = tree(tmp_path, {f"{TURNS}/2026/01/03/{4:020}.json": '{"schema_version": 9}'})
    put(root, *MERGED)
    before = contents(root)
    with pytest.raises(UnreadableFile, match="upgrade-history"):
        finish_merges(opened(root))
    assert contents(root) == before
    assert finish_merges(opened(tree(tmp_path / "other"))) == []


TURN = json.loads(turn_format.render(turn("b", "2026-01-02T09:00:00Z", 2)))


@pytest.mark.parametrize(
    "others", ["x", ["x"], [{}], [{**TURN, "concurrent": []}], [{**TURN, "messages": 5}]], ids=str
)
@pytest.mark.parametrize("version", [1, 2])
def test_a_file_whose_merged_turns_are_no_turns_is_damaged_for_every_command(tmp_path, others, version):
    record = {**TURN, "schema_version": version, "concurrent": others}
    if version == 1:
        record["messages"] = [{"role": "user", "content": "a"}]
    path = f"{TURNS}/2026/01/02/{2:020}.json"
    root = tree(tmp_path, {path: json.dumps(record)})
    put(root, turn("c", "2026-01-03T09:00:00Z", 2))

    def run(*arguments):
        return memtool("--root", str(root), *arguments, home=tmp_path)

    before = contents(root)
    for command in (["merge", "--finish"], ["forget", "--match", "c", "--yes"]):
        refused = run(*command)
        assert (refused.returncode, contents(root)) == (UnreadableFile.exit_code, before), refused.stderr
        assert "cannot be renumbered, because it is not a valid turn" in refused.stderr
    assert run("lint").returncode == 1
    assert run("search", "a").returncode in {0, 1, 3}
    assert run("maintain").returncode == 0
    assert (root / path.replace("turns", "quarantine")).is_file()


def test_turns_nested_in_one_another_hundreds_of_times_are_one_damaged_file(tmp_path):
    start = json.dumps(TURN)[:-1] + ', "concurrent": ['
    root = tree(tmp_path, {f"{TURNS}/2026/01/02/{2:020}.json": start * 400 + "]}" * 400})
    codes = {
        name: memtool("--root", str(root), name, home=tmp_path).returncode
        for name in ("lint", "doctor", "maintain")
    }
    assert codes == {"lint": 1, "doctor": 1, "maintain": 0}


def test_the_next_command_that_writes_numbers_what_a_driver_listed(tmp_path):
    root = tree(tmp_path)
    put(root, *MERGED)
    merged_paths.add(str(root), f"{TURNS}/2026/01/02/{2:020}.json")
    merged_paths.add(str(root), HEAD)
    result = memtool(
        "--root", str(root), "append-turn", home=tmp_path, stdin='{"role": "user", "content": "x"}'
    )
    assert (result.stdout, result.returncode) == ("6\n", 0)
    assert "renumbered 4 turns" in result.stderr
    assert history(root) == NUMBERED | {6: "x"}


def test_the_list_stays_for_a_minute_since_git_may_not_have_written_the_files(tmp_path, monkeypatch):
    root = tree(tmp_path)
    merged_paths.add(str(root), f"{TURNS}/2026/01/02/{2:020}.json")
    with opened(root).lock():
        assert derived.exists(str(root), derived.MERGED)
    put(root, *MERGED)
    later = merged_paths.time.time() + 61
    monkeypatch.setattr(merged_paths.time, "time", lambda: later)
    with opened(root).lock():
        assert history(root) == NUMBERED
    assert not derived.exists(str(root), derived.MERGED)


def test_a_failure_is_reported_and_the_command_does_its_work(tmp_path):
    root = tree(tmp_path, {f"{TURNS}/2026/01/03/{4:020}.json": '{"schema_version": 9}'})
    put(root, *MERGED)
    merged_paths.add(str(root), HEAD)
    result = memtool(
        "--root", str(root), "append-turn", home=tmp_path, stdin='{"role": "user", "content": "x"}'
    )
    assert (result.stdout, result.returncode) == ("5\n", 0)
    assert "run memtool merge --finish" in result.stderr


def test_another_user_does_not_see_a_file_of_several_users_turns(tmp_path):
    root = tree(tmp_path)
    put(
        root,
        turn("ann's", "2026-01-02T08:00:00Z", 1, user="ann"),
        turn("bob's", "2026-01-02T09:00:00Z", 1, user="bob"),
    )
    path = f"{TURNS}/2026/01/02/{1:020}.json"
    for user in ("ann", "bob", "eve"):
        shown = memtool("--root", str(root), "--user", user, "get", path, home=tmp_path)
        assert (shown.stdout, shown.returncode) == ("", 13)
    result = memtool("--root", str(root), "forget", "--yes", "--user", "ann", home=tmp_path)
    assert result.returncode == 0, result.stderr
    assert history(root) == {2: "bob's"}


def test_lint_names_a_file_with_several_turns(tmp_path):
    root = tree(tmp_path)
    put(root, *MERGED[:3])
    result = memtool("--root", str(root), "lint", home=tmp_path)
    assert "M218 the file also contains 1 other turn with the number 2" in result.stdout
