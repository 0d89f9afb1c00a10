"""A tree of turns of every age and in every state: one run gives each its due, a second changes nothing."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from datetime import timedelta
from pathlib import Path, PurePosixPath

import pytest

from memtool.errors import BadUsage, OutsideWorkspace, PartlyApplied, UnreadableFile
from memtool.formats import turn as turn_format
from memtool.verbs.history import quarantine
from memtool.verbs.history.eager_upgrade import upgrade_outdated
from memtool.verbs.history.upgrade_history import upgrade_history
from memtool.verbs.turns.append_turn import TurnDraft, append_turns, parse_turn_input
from memtool.verbs.turns.replay import replay
from tests.trees import NOW, contents, make, opened

TURNS = "memory/history/turns"
KEPT = "memory/history/quarantine"
HEAD = "memory/history/state/head.json"


def name(seq: int) -> str:
    return f"{seq:020}.json"


def record(seq: int, *messages: dict, **more: object) -> bytes:
    top = {"id": f"turn-{seq}", "seq": seq, "created_at": "2025-01-15T10:30:00Z", "messages": list(messages)}
    return json.dumps(top | more).encode()


SAYS = {"role": "user", "content": "hello"}
CURRENT = record(1, {"role": "user", "parts": [{"type": "text", "text": "hi"}]}, schema_version=2)

TREE: dict[str, bytes] = {
    f"2025/01/15/{name(1)}": CURRENT,
    f"2025/01/15/{name(2)}": record(2, SAYS),
    f"2025/01/15/{name(3)}": record(3, {"Role": "user", "Content": "hello"}),
    f"2025/01/15/{name(4)}": record(
        4, {"role": "user", "parts": [{"type": "text", "text": ""}]}, schema_version=2
    ),
    f"2025/01/15/{name(5)}": record(5, schema_version=3),
    f"2025/01/15/{name(6)}": b"",
    f"2025/01/15/{name(7)}": record(7, SAYS)[:50],
    f"2025/01/15/{name(8)}": b"\x00\xff\x80binary",
    f"2025/01/15/{name(9)}": b"null",
    f"2025/01/15/{name(10)}": b"[1]",
    f"2025/01/15/{name(11)}": record(11, {"role": "user", "content": 5}),
    f"2025/01/15/{name(12)}": record(12, SAYS) + b" trailing",
    f"2025/01/15/{name(13)}": record(13, SAYS, schema_version=1),
    f"2025/01/15/{name(14)}": record(99, SAYS),  # its name says 14
    f"2020/02/02/{name(14)}": record(14, SAYS),  # the same number, in a wrong day's folder
    "2025/01/15/from-elsewhere.JSON": record(20, SAYS),
    "2025/01/15/.0000.json": b"temporary",
    f"2025/01/15/{name(1)}.bak": b"backup",
    "2025/01/15/notes.txt": b"other",
    f"flat-{name(1)}": record(3, SAYS),
}
UPGRADED = [2, 3, 4]
QUARANTINED = {
    6: "is empty", 7: "is truncated", 8: "is not UTF-8", 9: "is null", 10: "is a list",
    11: "has a field 'content' that is a number", 12: "has text after the end",
    13: "has an unknown schema_version",
}  # fmt: skip


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {f"{TURNS}/{path}": content for path, content in TREE.items()})


def run(root: Path):
    found: list = []
    done = upgrade_history(opened(root, "native"), NOW, report=found.append)
    return done, {
        (str(one.path.relative_to(TURNS)) if one.result != "head" else "head"): one for one in found
    }


def test_each_file_gets_what_it_needs(root):
    before = contents(root)
    done, found = run(root)
    after = contents(root)
    assert (done.current, done.upgraded, done.quarantined, done.newer) == (1, 7, 8, 1)
    for seq in (1, 5):
        assert after[f"{TURNS}/2025/01/15/{name(seq)}"] == before[f"{TURNS}/2025/01/15/{name(seq)}"]
    for path in ("2025/01/15/.0000.json", f"2025/01/15/{name(1)}.bak", "2025/01/15/notes.txt"):
        assert after[f"{TURNS}/{path}"] == TREE[path]
    for path in (*(f"2025/01/15/{name(seq)}" for seq in UPGRADED), "2025/01/15/from-elsewhere.JSON"):
        assert turn_format.invalid_reason(json.loads(after[f"{TURNS}/{path}"])) is None
        assert found[path].result == "upgraded"
    for seq, why in QUARANTINED.items():
        path = f"2025/01/15/{name(seq)}"
        assert f"{TURNS}/{path}" not in after
        assert after[f"{KEPT}/{path}"] == TREE[path]
        said = json.loads(after[f"{KEPT}/{path}.reason.json"])
        assert why in said["reason"]
        assert said["sha256"] == hashlib.sha256(TREE[path]).hexdigest()
        assert (said["size"], said["from"], said["at"]) == (
            len(TREE[path]),
            f"{TURNS}/{path}",
            "2025-01-15T10:30:00Z",
        )
    assert json.loads(after[HEAD])["last_seq"] == 20


def test_a_second_run_changes_nothing(root):
    run(root)
    before = contents(root)
    done, found = run(root)
    assert contents(root) == before
    assert {one.result for one in found.values()} == {"newer"}
    assert done.current == 8


def test_a_dry_run_says_the_same_and_writes_nothing(root):
    before = contents(root)
    workspace = opened(root, "native")
    workspace.writes = False
    found: list = []
    done = upgrade_history(workspace, NOW, report=found.append)
    assert contents(root) == before
    assert (done.upgraded, done.quarantined) == (7, 8)
    assert all(one.plan for one in found if one.result != "newer")


def test_the_head_is_never_lowered_and_rebuilt_when_it_is_broken(root):
    make(root, {HEAD: b'{"last_seq": 500, "updated_at": "2025-01-01T00:00:00Z", "mine": 1}'})
    run(root)
    assert json.loads((root / HEAD).read_bytes())["last_seq"] == 500
    make(root, {HEAD: b"{"})
    run(root)
    assert json.loads((root / HEAD).read_bytes())["last_seq"] == 20


def test_a_head_that_cannot_be_written_after_turns_were_upgraded_is_told_as_a_part(root):
    (root / HEAD).unlink(missing_ok=True)
    make(root, {f"{HEAD}/in-the-way": ""})
    with pytest.raises(PartlyApplied, match=r"turns upgraded and \d+ quarantined\), because .*head\.json"):
        upgrade_history(opened(root, "native"), NOW, report=lambda _: None)
    assert (root / KEPT).is_dir()


def test_quarantine_never_overwrites(root):
    run(root)
    for content in (b"other", b"third"):
        make(root, {f"{TURNS}/2025/01/15/{name(6)}": content})
        run(root)
    found = {path.name for path in (root / KEPT / "2025/01/15").iterdir()} - {name(s) for s in QUARANTINED}
    stem = f"{6:020}-20250115T103000Z"
    assert {f"{stem}.json", f"{stem}-2.json"} <= found
    assert (root / KEPT / "2025/01/15" / name(6)).read_bytes() == b""


def test_what_cannot_be_listed_keeps_a_lost_head_from_being_guessed(root):
    folder = root / TURNS / "2020/02"
    moved = root / "elsewhere"
    folder.rename(moved)
    folder.symlink_to(moved)
    (root / HEAD).unlink(missing_ok=True)
    done, _ = run(root)  # a link is neither entered nor taken for a folder
    assert not done.unread
    assert done.examined == len(TREE) - 4


def test_mended_files_are_restored_and_others_are_not(root):
    run(root)
    workspace = opened(root, "native")
    path = PurePosixPath(f"{KEPT}/2025/01/15/{name(7)}")
    with pytest.raises(UnreadableFile, match="is truncated"):
        quarantine.restore_from_quarantine(workspace, path, NOW)
    make(root, {str(path): record(700, SAYS)})
    moved = quarantine.restore_from_quarantine(workspace, path, NOW)
    assert str(moved.target) == f"{TURNS}/2025/01/15/{name(7)}"
    assert (root / moved.target).read_bytes() == record(700, SAYS)
    assert not list((root / KEPT).rglob(f"{name(7)}*"))
    with pytest.raises(BadUsage, match=r"no file named .* in quarantine"):
        quarantine.find_quarantined(workspace, f"2025/01/15/{name(7)}")
    make(root, {f"{KEPT}/2025/01/15/{name(6)}": record(6, SAYS), f"{TURNS}/2025/01/15/{name(6)}": b"{}"})
    with pytest.raises(BadUsage, match=r"cannot be restored: .* already contains another turn"):
        quarantine.restore_from_quarantine(workspace, PurePosixPath(f"{KEPT}/2025/01/15/{name(6)}"), NOW)


def test_only_turns_go_into_quarantine_and_only_what_is_in_it_comes_out(root):
    run(root)
    workspace = opened(root, "native")
    make(root, {"MEMORY.md": "x\n"})
    with pytest.raises(BadUsage):
        quarantine.add_to_quarantine(workspace, "MEMORY.md", "why", NOW)
    with pytest.raises(OutsideWorkspace):
        quarantine.find_quarantined(workspace, "MEMORY.md")
    with pytest.raises(OutsideWorkspace):
        quarantine.find_quarantined(workspace, "../../etc/passwd")
    moved = quarantine.add_to_quarantine(workspace, f"{TURNS}/2025/01/15/{name(1)}", "not mine", NOW)
    assert (root / moved.target).read_bytes() == CURRENT
    assert moved.target in [one.path for one in quarantine.list_quarantine(workspace, [])]
    assert quarantine.quarantined_before(workspace, [], 1, NOW) == []
    assert len(quarantine.quarantined_before(workspace, [], 1, NOW + timedelta(days=2))) == 9
    forged = json.dumps(
        {**json.loads((root / f"{moved.target}.reason.json").read_bytes()), "from": "MEMORY.md"}
    )
    make(root, {f"{moved.target}.reason.json": forged})
    with pytest.raises(OutsideWorkspace, match="is not in the folder of turn files"):
        quarantine.restore_from_quarantine(workspace, moved.target, NOW)
    quarantine.purge_quarantined(workspace, moved.target)
    assert not list((root / KEPT).rglob(f"{name(1)}*"))


def test_no_number_is_given_twice(root):
    run(root)
    workspace = opened(root, "native")

    def append() -> int:
        draft = TurnDraft(NOW, parse_turn_input('{"role": "user", "content": "x"}').messages, {})
        return append_turns(workspace, [draft], NOW).turns[0][1].seq

    assert append() == 21
    (root / HEAD).unlink()
    assert append() == 22
    (root / HEAD).write_text("broken")
    (root / TURNS / "2025/01/15" / name(22)).unlink()
    make(root, {f"{KEPT}/2025/01/15/{name(40)}": b"broken"})
    assert append() == 41
    make(root, {f"{TURNS}/2024/12/31/{name(60)}": record(60, SAYS)})  # by a writer that died before the head
    assert append() == 61


def test_replay_takes_the_last_by_number_and_names_what_it_passes_by(root):
    notices: list[str] = []
    found = [
        (turn.seq, str(path)[len(TURNS) + 1 :]) for path, turn in replay(opened(root, "native"), 4, notices)
    ]
    assert found == [
        (4, f"2025/01/15/{name(4)}"),
        (14, f"2020/02/02/{name(14)}"),
        (99, f"2025/01/15/{name(14)}"),  # its name wins for the order
        (20, "2025/01/15/from-elsewhere.JSON"),
    ]
    assert len(notices) == 9
    assert any(f"{name(13)} has an unknown schema_version" in notice for notice in notices)
    assert [turn.seq for _, turn in replay(opened(root, "native"), None, [], since=1, until=3)] == [2, 3, 3]


def test_a_name_that_cannot_be_quarantined_stays_and_is_named(root):
    odd = "2025/01/15/line\nbreak.json"
    long = f"2025/01/15/{'x' * 245}.json"
    make(root, {f"{TURNS}/{odd}": b"broken", f"{TURNS}/{long}": b"broken"})
    done, _ = run(root)
    assert len(done.unread) == 2
    assert json.loads((root / HEAD).read_bytes())["last_seq"] == 20
    assert (root / TURNS / odd).read_bytes() == b"broken"
    assert (root / TURNS / long).read_bytes() == b"broken"
    assert done.quarantined == 8  # and the others got what they needed


def test_a_file_of_gigabytes_is_named_and_not_read(root):
    path = root / TURNS / "2025/01/15" / name(30)
    with path.open("wb") as file:
        file.truncate(3 << 30)  # all of it a hole
    done, _ = run(root)
    assert len(done.unread) == 1
    assert "too large" in done.unread[0]
    assert json.loads((root / HEAD).read_bytes())["last_seq"] == 30  # its number is taken


def later() -> int:
    """A time at which the folders of this test are old."""
    return time.time_ns() + 10**10


def test_an_eager_upgrade_does_what_upgrade_history_does(root, tmp_path):
    copy = Path(shutil.copytree(root, tmp_path / "copy"))
    run(copy)
    for _ in range(3):
        upgrade_outdated(opened(root, "native"), NOW, seconds=60, clock=later)
        assert contents(root) == contents(copy)


def test_an_eager_upgrade_examines_only_folders_that_have_changed(tmp_path):
    old, current = (f"{TURNS}/2025/01/{day}/{name(seq)}" for day, seq in ((14, 2), (15, 1)))
    root = make(tmp_path / "w", {old: record(2, SAYS), current: CURRENT})
    workspace = opened(root, "native")

    def examined(clock=later):
        (report,) = upgrade_outdated(workspace, NOW, seconds=60, clock=clock)
        return report.examined, report.upgraded

    assert examined(lambda: 0) == (2, 1)  # a folder that changed just now is examined again
    assert examined() == (2, 0)
    assert examined() == (0, 0)
    (root / old).with_name(name(3)).write_bytes(record(3, SAYS))
    assert examined() == (2, 1)
    (root / HEAD).unlink()
    assert examined()[0] == 3
    assert json.loads((root / HEAD).read_text())["last_seq"] == 3


def test_an_eager_upgrade_stops_in_time_and_continues(tmp_path):
    paths = [f"{TURNS}/2025/01/{day}/{name(day)}" for day in (14, 15)]
    root = make(tmp_path / "w", {path: record(day, SAYS) for path, day in zip(paths, (14, 15), strict=True)})
    workspace = opened(root, "native")
    (report,) = upgrade_outdated(workspace, NOW, seconds=0)
    assert not report.is_whole
    (report,) = upgrade_outdated(workspace, NOW, seconds=60)
    assert (report.is_whole, report.upgraded) == (True, 2)


def test_an_eager_upgrade_writes_nothing_incognito(root):
    before = contents(root)
    assert upgrade_outdated(opened(root, "native").read_only(), NOW, seconds=60) == []
    assert contents(root) == before
