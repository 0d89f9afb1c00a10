"""What one machine forgot stays forgotten after merges with machines that still have it, with real git."""

from __future__ import annotations

import shutil

import pytest

from memtool.core.forgetting.tombstones import Digester, ForgetReceipt, Tombstones, key_name
from memtool.formats import forget_receipt
from tests.trees import contents, memtool
from tests.verbs.merging import test_git_driver as driver
from tests.verbs.merging.test_git_driver import clones, run

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
assert clones  # the fixture


def files_with(folder, words):
    """The files of a workspace, `.memtool` included, that contain words."""
    return [path for path, content in contents(folder).items() if words.encode() in content]


def commit(folder):
    driver.commit(folder.parent)


def pull(folder, other):
    driver.pull(folder.parent, other)


def save(folder, home, *texts):
    for text in texts:
        run(folder, home, "save", text)
    commit(folder)


def sync(folder, other, home):
    pull(folder, other)
    run(folder, home, "save", f"The {folder.parent.name} works")
    commit(folder)


def test_what_one_machine_forgets_goes_from_records_that_another_changed_moved_or_added(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    save(laptop, tmp_path, "Project Lark starts in May", "The kiln is old")
    pull(desk, laptop.parent)
    run(laptop, tmp_path, "forget", "--match", "Project Lark", "--yes")
    commit(laptop)
    facts = next(path for path in desk.glob("memory/semantic/*.md") if "Lark" in path.read_text())
    facts.write_text(facts.read_text().replace("starts in May", "starts in June"))
    (desk / "memory" / "notes").mkdir(exist_ok=True)
    (desk / "memory" / "notes" / "plans.md").write_text("# Plans\n\nBuy clay.\n\nProject Lark needs tongs.\n")
    run(desk, tmp_path, "append-daily", "--user-text", "How is Project Lark?", "--agent-text", "Fine")
    save(desk, tmp_path, "The wheel is new")
    sync(desk, laptop.parent, tmp_path)
    assert files_with(desk, "Lark") == []
    assert (desk / "memory" / "notes" / "plans.md").read_text().rstrip() == "# Plans\n\nBuy clay."
    sync(laptop, desk.parent, tmp_path)
    assert files_with(laptop, "Lark") == []
    assert files_with(laptop, "The wheel is new")
    assert files_with(laptop, "The kiln is old")


def test_what_was_forgotten_does_not_come_back_to_the_machine_that_forgot_it(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    save(laptop, tmp_path, "Project Lark starts in May", "The kiln is old")
    pull(desk, laptop.parent)
    run(laptop, tmp_path, "forget", "--match", "Project Lark", "--yes")
    save(laptop, tmp_path, "The wheel is new")
    facts = next(path for path in desk.glob("memory/semantic/*.md") if "Lark" in path.read_text())
    facts.write_text(
        facts.read_text().replace("starts in May", "starts in June") + "- [context] Clay is here\n"
    )
    commit(desk)
    pull(laptop, desk.parent)
    assert files_with(laptop, "Lark") == []
    assert files_with(laptop, "Clay is here")


def test_what_somebody_states_again_after_forgetting_it_stays(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    save(laptop, tmp_path, "Project Lark starts in May")
    pull(desk, laptop.parent)
    run(laptop, tmp_path, "forget", "--match", "Project Lark", "--yes")
    commit(laptop)
    sync(desk, laptop.parent, tmp_path)
    for folder in (desk, laptop):
        (folder / "memory" / "notes").mkdir(exist_ok=True)
        (folder / "memory" / "notes" / f"{folder.parent.name}.md").write_text("Project Lark is back.\n")
        save(folder, tmp_path, f"The kiln of {folder.parent.name} is old")
    sync(laptop, desk.parent, tmp_path)
    sync(desk, laptop.parent, tmp_path)
    for folder in (desk, laptop):
        notes = [path for path in files_with(folder, "Lark is back") if path.startswith("memory/notes/")]
        assert notes == ["memory/notes/desk.md", "memory/notes/laptop.md"]


def test_a_forgotten_user_goes_from_turns_that_another_machine_recorded(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    turn = '{"messages": [{"role": "user", "content": "My shed is blue today"}], "user": "ann"}\n'
    run(laptop, tmp_path, "append-turn", "--user", "ann", stdin=turn)
    commit(laptop)
    pull(desk, laptop.parent)
    run(laptop, tmp_path, "forget", "--user", "ann", "--yes")
    commit(laptop)
    run(desk, tmp_path, "append-turn", "--user", "ann", stdin=turn.replace("shed", "boat"))
    save(desk, tmp_path, "The wheel is new")
    sync(desk, laptop.parent, tmp_path)
    assert files_with(desk, "is blue today") == []
    sync(laptop, desk.parent, tmp_path)
    assert files_with(laptop, "is blue today") == []


def test_two_machines_that_forgot_without_each_other_forget_both(clones, tmp_path):
    laptop, desk, phone = (folder / "agent" for folder in clones)
    save(laptop, tmp_path, "Project Lark starts in May", "The old kiln leaks", "The wheel is new")
    pull(desk, laptop.parent)
    pull(phone, laptop.parent)
    for folder, text in ((laptop, "Project Lark"), (desk, "old kiln")):
        run(folder, tmp_path, "forget", "--match", text, "--yes")
        commit(folder)
    (phone / "memory" / "plans.md").write_text("The old kiln waits.\n\nProject Lark, too.\n\nBuy clay.\n")
    commit(phone)
    sync(laptop, desk.parent, tmp_path)
    sync(phone, laptop.parent, tmp_path)
    assert len((phone / "memory" / "cognition" / "digest.keys").read_text().split()) == 2
    for words in ("Lark", "old kiln"):
        assert files_with(phone, words) == []
    assert files_with(phone, "Buy clay")
    assert files_with(phone, "The wheel is new")


def plant(folder, *words):
    """Commit receipts that no forget command wrote, one for each word, which recognises its lines."""
    key = b"k" * 32
    cognition = folder / "memory" / "cognition"
    cognition.mkdir(parents=True, exist_ok=True)
    with (cognition / "forgotten.jsonl").open("a") as file:
        for word in words:
            tombstones = Tombstones(phrases={1: (Digester(key).phrase([word]),)})
            receipt = ForgetReceipt("2026-11-24T00:00:00Z", "match", key_name(key), {}, tombstones)
            file.write(forget_receipt.render_line(receipt))
    (cognition / "digest.keys").write_text(forget_receipt.render_key(key))
    commit(folder)


def plans(folder, count):
    """A note of `count` lines that git does not have yet."""
    lines = "".join(f"- the wheel {number} turns\n" for number in range(count))
    (folder / "memory" / "plans.md").write_text(f"# Plans\n\n{lines}")


def count_of(folder):
    path = folder / "memory" / "plans.md"
    return path.read_text().count("the wheel") if path.exists() else 0


def test_a_receipt_that_would_remove_many_lines_removes_none_until_a_person_confirms_it(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    plant(laptop, "the")
    pull(desk, laptop.parent)
    plans(desk, 60)
    message = run(desk, tmp_path, "save", "Kiln 4 needs repairs").stderr
    assert "would permanently remove" in message
    assert "memtool forget --arrived --dry-run" in message
    assert count_of(desk) == 60
    run(desk, tmp_path, "save", "Send invoices on the first Monday")  # a held receipt keeps nothing out
    assert "memtool forget --arrived" in memtool("doctor", home=tmp_path, cwd=desk).stdout
    shown = run(desk, tmp_path, "forget", "--arrived", "--dry-run").stdout
    assert shown.count("the wheel") == 60
    assert count_of(desk) == 60
    run(desk, tmp_path, "forget", "--arrived", "--yes")
    assert files_with(desk, "the wheel") == []
    assert files_with(desk, "the first Monday") == []
    assert memtool("forget", "--arrived", "--yes", home=tmp_path, cwd=desk).returncode == 1


def test_own_forget_commands_do_not_confirm_a_receipt_that_is_held(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    plant(laptop, "the")
    pull(desk, laptop.parent)
    plans(desk, 60)
    run(desk, tmp_path, "save", "Kiln 4 needs repairs")
    run(desk, tmp_path, "forget", "--match", "Kiln 4", "--yes")
    assert count_of(desk) == 60
    assert run(desk, tmp_path, "forget", "--arrived", "--dry-run").stdout.count("the wheel") == 60


def test_a_receipt_that_is_held_is_withdrawn_by_reverting_its_commit(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    plant(laptop, "the")
    pull(desk, laptop.parent)
    plans(desk, 60)
    run(desk, tmp_path, "save", "Kiln 4 needs repairs")
    driver.git(desk.parent, "stash", "-u")
    driver.git(desk.parent, "revert", "--no-edit", "HEAD")
    driver.git(desk.parent, "stash", "pop")
    run(desk, tmp_path, "save", "Kiln 5 needs repairs")
    assert count_of(desk) == 60
    assert "--arrived" not in memtool("doctor", home=tmp_path, cwd=desk).stdout


def test_a_receipt_is_applied_again_until_every_file_could_be_searched(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    plant(laptop, "the")
    pull(desk, laptop.parent)
    plans(desk, 2)
    path = desk / "memory" / "plans.md"
    text = path.read_text()
    with path.open("r+") as file:
        file.truncate(300_000_000)  # a sparse file, too large to be read
    message = run(desk, tmp_path, "save", "Kiln 4 needs repairs").stderr
    assert "memory/plans.md was not searched and may still contain the text" in message
    path.write_text(text)
    assert "removed 3 lines" in run(desk, tmp_path, "save", "Kiln 5 needs repairs").stderr
    assert count_of(desk) == 0


def test_a_receipt_of_a_merge_that_is_aborted_removes_nothing(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    plant(desk, "the")
    driver.conflicting(clones, tmp_path)
    assert (laptop / "memory/cognition/forgotten.jsonl").exists()
    plans(laptop, 3)
    run(laptop, tmp_path, "rules", "add", "Answer briefly")
    assert count_of(laptop) == 3
    driver.git(laptop.parent, "merge", "--abort")
    run(laptop, tmp_path, "save", "Kiln 4 needs repairs")
    assert count_of(laptop) == 3


@pytest.mark.parametrize("at_once", [True, False])
def test_a_receipt_that_is_held_holds_no_other_back_and_stays_named(clones, tmp_path, at_once):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    save(desk, tmp_path, "Lark starts in May", "Heron starts in June")
    plans(desk, 60)
    for words in (["the", "lark"],) if at_once else (["the"], ["lark"]):
        plant(laptop, *words)
        pull(desk, laptop.parent)
        number = {"the": 4, "lark": 5}[words[-1]]
        message = run(desk, tmp_path, "save", f"Kiln {number} needs repairs").stderr
        assert ("1 forget command from another copy" in message) == ("the" in words)
    assert "removed" in message
    assert files_with(desk, "Lark") == []
    assert files_with(desk, "Heron")
    assert count_of(desk) == 60
    assert "1 forget command from another copy" in memtool("doctor", home=tmp_path, cwd=desk).stdout
    plant(laptop, "heron")
    pull(desk, laptop.parent)
    run(desk, tmp_path, "rules", "add", "Answer briefly")
    assert files_with(desk, "Heron") == []
    run(desk, tmp_path, "forget", "--arrived", "--yes")
    assert count_of(desk) == 0


def test_receipts_that_remove_too_much_together_are_held_from_the_largest_on(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    words = {"oak": 10, "elm": 30, "ash": 20, "fir": 45}
    lines = [f"- {word} {number}\n" for word, count in words.items() for number in range(count)]
    (desk / "memory" / "plans.md").write_text("# Plans\n\n" + "".join(lines))
    plant(laptop, *words)
    pull(desk, laptop.parent)
    assert "2 forget commands" in run(desk, tmp_path, "rules", "add", "Answer briefly").stderr
    text = (desk / "memory" / "plans.md").read_text()
    assert {word: text.count(f"- {word}") for word in words} == {"oak": 0, "elm": 30, "ash": 0, "fir": 45}


def test_many_receipts_that_remove_too_much_together_are_all_held(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    words = [f"word{number}" for number in range(60)]
    (desk / "memory" / "plans.md").write_text("".join(f"- {word}\n" for word in words))
    plant(laptop, *words)
    pull(desk, laptop.parent)
    assert "60 forget commands" in run(desk, tmp_path, "rules", "add", "Answer briefly").stderr
    assert (desk / "memory" / "plans.md").read_text().count("word") == 60


def test_a_receipt_that_went_and_came_back_with_a_checkout_is_not_applied_again(clones, tmp_path):
    laptop, desk, _ = (folder / "agent" for folder in clones)
    save(desk, tmp_path, "Lark starts in May")
    plant(laptop, "lark")
    sync(desk, laptop.parent, tmp_path)
    assert files_with(desk, "Lark") == []
    (desk / "memory" / "plans.md").write_text("# Plans\n\nLark is back.\n")
    for commit_ in ("HEAD~2", "main"):
        driver.git(desk.parent, "checkout", "-q", "-f", commit_)
        run(desk, tmp_path, "save", f"Kiln {commit_} needs repairs")
    assert files_with(desk, "Lark is back") == ["memory/plans.md"]
