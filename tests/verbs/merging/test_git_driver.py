"""memtool as git's merge driver, with real git: clones that were offline end with the same memory."""

from __future__ import annotations

import json
import random
import shutil
import subprocess

import pytest

from tests.trees import contents, memtool

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
CONFIG = (
    "[user]\nname = a\nemail = a@example.org\n[init]\ndefaultBranch = main\n[merge]\nconflictStyle = merge\n"
)
PATH = "/usr/bin:/bin"
"""What git and memtool have as PATH: a memtool elsewhere on the caller's is not what the driver runs."""


def git(folder, *arguments, ok=True):
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"HOME": str(folder.parent), "PATH": PATH, "GIT_CONFIG_NOSYSTEM": "1"},
        check=False,
    )
    assert not ok or done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def commit(folder):
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "memory", "--allow-empty")


@pytest.fixture
def clones(tmp_path):
    """Three clones of a repository with a workspace in the folder `agent`; the driver is set in each."""
    (tmp_path / ".gitconfig").write_text(CONFIG)
    folders = [tmp_path / name for name in ("laptop", "desk", "phone")]
    run(tmp_path, tmp_path, "init", "laptop/agent")
    git(folders[0], "init", "-q")
    run(folders[0] / "agent", tmp_path, "merge", "--install")
    commit(folders[0])
    for folder in folders[1:]:
        git(tmp_path, "clone", "-q", "laptop", folder.name)
        run(folder / "agent", tmp_path, "merge", "--install")
    return folders


def run(folder, home, *arguments, stdin=""):
    result = memtool(*arguments, home=home, cwd=folder, stdin=stdin, environment={"PATH": PATH})
    assert result.returncode == 0, result.stderr
    return result


def pull(folder, other):
    git(folder, "pull", "-q", "--no-rebase", "--no-edit", str(other), "main")


def said(root):
    turns = sorted((root / "memory/history/turns").rglob("*.json"))
    return [json.loads(path.read_text())["messages"][0]["parts"][0]["text"] for path in turns]


def test_three_clones_end_with_the_same_memory_in_any_order_of_merges(clones, tmp_path):
    dice = random.Random(0)
    facts, turns = [], []
    for round_ in range(3):
        for folder in clones:
            for number in range(2):
                text = f"{folder.name}-{round_}-{number}"
                message = json.dumps({"role": "user", "content": text})
                run(folder / "agent", tmp_path, "append-turn", stdin=message)
                run(folder / "agent", tmp_path, "save", f"The {text} kiln is in Osh")
                run(folder / "agent", tmp_path, "append-daily", "--user-text", f"Note {text}")
                turns.append(text)
                facts.append(f"The {text} kiln is in Osh")
            commit(folder)
        one, other = dice.sample(clones, 2)
        pull(one, other)
        if dice.random() < 0.5:
            run(one / "agent", tmp_path, "merge", "--finish")
            commit(one)
    for folder in dice.sample(clones, 3) * 2:
        for other in clones:
            if other != folder:
                pull(folder, other)
        run(folder / "agent", tmp_path, "merge", "--finish")
        commit(folder)
    for folder in clones:
        pull(folder, clones[0])
    found = [without_index(contents(folder / "agent")) for folder in clones]
    assert found[0] == found[1] == found[2]
    texts = "\n".join(text.decode() for text in found[0].values())
    assert "<<<<<<<" not in texts
    stated = found[0]["memory/semantic/facts.md"].decode()
    assert [text for text in facts if stated.count(text) != 1] == []
    assert [text for text in turns if texts.count(f"Note {text}") != 1] == []
    assert sorted(said(clones[0] / "agent")) == sorted(turns)
    assert run(clones[1] / "agent", tmp_path, "lint").stdout == ""


def without_index(files):
    return {path: content for path, content in files.items() if not path.endswith(".gitattributes")}


def test_uninstall_leaves_the_user_s_own_lines_and_settings(tmp_path):
    (tmp_path / ".gitconfig").write_text(CONFIG)
    run(tmp_path, tmp_path, "init", "tree")
    root = tmp_path / "tree"
    git(root, "init", "-q")
    git(root, "config", "merge.other.driver", "true")
    own = b"*.png binary\n"
    (root / ".gitattributes").write_bytes(own)
    run(root, tmp_path, "merge", "--install")
    first = contents(root)[".gitattributes"]
    assert first.startswith(own)
    assert b"/memory/** merge=memtool" in first
    run(root, tmp_path, "merge", "--install")
    assert contents(root)[".gitattributes"] == first
    run(root, tmp_path, "merge", "--uninstall")
    assert contents(root)[".gitattributes"] == own
    assert git(root, "config", "--local", "--get-regexp", "^merge") == "merge.other.driver true\n"
    assert "unchanged" in run(root, tmp_path, "merge", "--uninstall").stdout


def test_doctor_names_a_clone_without_the_driver(clones, tmp_path):
    root = clones[1] / "agent"
    git(root, "config", "--remove-section", "merge.memtool")
    result = memtool("doctor", home=tmp_path, cwd=root)
    assert "the merge driver is not configured in this clone" in result.stdout
    run(root, tmp_path, "merge", "--install")
    assert "merge driver" not in memtool("doctor", home=tmp_path, cwd=root).stdout


def test_a_dry_run_sets_nothing_and_a_workspace_without_git_is_told_so(tmp_path):
    (tmp_path / ".gitconfig").write_text(CONFIG)
    run(tmp_path, tmp_path, "init", "tree")
    root = tmp_path / "tree"
    result = memtool("merge", "--install", home=tmp_path, cwd=root)
    assert result.returncode == 2
    assert "git init" in result.stderr
    git(root, "init", "-q")
    before = git(root, "config", "--local", "-l")
    run(root, tmp_path, "--dry-run", "merge", "--install")
    assert not (root / ".gitattributes").exists()
    assert git(root, "config", "--local", "-l") == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no files given; give BASE OURS THEIRS"),
        (("a", "b"), "2 files given instead of 3"),
        (("--install", "--finish"), "--install cannot be used with --finish"),
        (("--finish", "a"), "--finish cannot be used with files"),
    ],
)
def test_wrong_combinations_are_named(tmp_path, arguments, message):
    result = memtool("merge", *arguments, home=tmp_path, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr


def test_a_merge_that_is_killed_leaves_a_file_that_merges_again(clones, tmp_path):
    laptop, desk = clones[:2]
    for folder in (laptop, desk):
        for number in range(4):
            message = json.dumps({"role": "user", "content": f"{folder.name} {number}"})
            run(folder / "agent", tmp_path, "append-turn", stdin=message)
            run(folder / "agent", tmp_path, "save", f"The kiln {folder.name}{number} is in Osh")
        commit(folder)
    git(laptop, "fetch", "-q", str(desk), "main:desk")
    driver = git(laptop, "config", "merge.memtool.driver").strip()
    for calls in range(1, 4):  # the driver kills git and itself in its nth call
        count = tmp_path / "count"
        count.write_text("")
        git(
            laptop,
            "config",
            "merge.memtool.driver",
            f"echo >> {count}; [ $(wc -l < {count}) != {calls} ] || kill -9 $PPID $$; {driver}",
        )
        git(laptop, "merge", "-q", "--no-edit", "desk", ok=False)
        (laptop / ".git/index.lock").unlink(missing_ok=True)
        git(laptop, "reset", "-q", "--hard")
    git(laptop, "config", "merge.memtool.driver", driver)
    git(laptop, "merge", "-q", "--no-edit", "desk")
    run(laptop / "agent", tmp_path, "merge", "--finish")
    assert len(said(laptop / "agent")) == 8
    assert git(laptop, "status", "--porcelain", "--", "agent/memory/semantic") == ""
    facts = (laptop / "agent/memory/semantic/facts.md").read_text()
    assert facts.count("The kiln") == 8


def test_a_link_in_place_of_gitattributes_is_not_followed(tmp_path):
    (tmp_path / ".gitconfig").write_text(CONFIG)
    run(tmp_path, tmp_path, "init", "tree")
    root, outside = tmp_path / "tree", tmp_path / "outside"
    outside.write_text("own\n")
    git(root, "init", "-q")
    (root / ".gitattributes").symlink_to(outside)
    assert memtool("merge", "--install", home=tmp_path, cwd=root).returncode == 13
    assert outside.read_text() == "own\n"
    assert "merge" not in git(root, "config", "--local", "-l")


def conflicting(clones, home):
    """Begin a merge on the laptop in which a JSON file has a conflict and turns share a number."""
    laptop, desk = clones[:2]
    pull(desk, laptop)
    for folder in (laptop, desk):
        message = json.dumps({"role": "user", "content": folder.name})
        run(folder / "agent", home, "append-turn", stdin=message)
        run(folder / "agent", home, "save", f"Kiln {folder.name} is in Osh")
        notes = folder / "agent/memory/notes"
        notes.mkdir(exist_ok=True)
        (notes / "board.canvas").write_text(json.dumps({"nodes": [{"id": folder.name}]}))
        commit(folder)
    git(laptop, "pull", "-q", "--no-rebase", "--no-edit", str(desk), "main", ok=False)
    assert git(laptop, "diff", "--name-only", "--diff-filter=U").endswith("board.canvas\n")
    return laptop


def test_a_conflicted_merge_can_be_aborted_after_commands_that_write_other_files(clones, tmp_path):
    laptop = conflicting(clones, tmp_path)
    before = said(laptop / "agent")
    assert run(laptop / "agent", tmp_path, "rules", "add", "Answer briefly").stderr == ""
    assert "will not be renumbered" in run(laptop / "agent", tmp_path, "maintain").stderr
    assert said(laptop / "agent") == before
    git(laptop, "merge", "--abort")
    assert said(laptop / "agent") == ["laptop"]
    assert "Kiln desk" not in (laptop / "agent/memory/semantic/facts.md").read_text()
    assert "renumbered" not in run(laptop / "agent", tmp_path, "save", "The wheel is new").stderr
    assert said(laptop / "agent") == ["laptop"]


def test_a_conflicted_merge_is_finished_by_the_next_command_once_it_is_committed(clones, tmp_path):
    laptop = conflicting(clones, tmp_path)
    run(laptop / "agent", tmp_path, "append-turn", stdin='{"role": "user", "content": "more"}')
    git(laptop, "checkout", "-q", "--ours", ":/agent/memory/notes/board.canvas")
    commit(laptop)
    assert "renumbered" in run(laptop / "agent", tmp_path, "save", "The wheel is new").stderr
    assert said(laptop / "agent") == ["laptop", "desk", "more"]


def test_lines_of_two_users_on_both_sides_stay_theirs(clones, tmp_path):
    laptop, desk = (folder / "agent" for folder in clones[:2])
    for folder in (laptop, desk):
        for user in ("ann", "bob"):
            text = f"My {folder.parent.name} bag of {user} is blue"
            run(folder, tmp_path, "--user", user, "save", text)
            run(folder, tmp_path, "--user", user, "append-daily", "--user-text", text)
        commit(folder.parent)
    pull(clones[0], clones[1])
    for user, count in (("ann", 2), ("bob", 2), ("eve", 0)):
        shown = memtool("--user", user, "search", "bag", home=tmp_path, cwd=laptop).stdout
        for owner in ("ann", "bob"):
            assert len({name for name in ("laptop", "desk") if f"My {name} bag of {owner}" in shown}) == (
                count if owner == user else 0
            )


def test_line_endings_of_windows_on_one_side_stay_and_make_no_conflict(clones, tmp_path):
    laptop, desk = (folder / "agent" for folder in clones[:2])
    run(laptop, tmp_path, "save", "The kiln is old")
    run(laptop, tmp_path, "append-turn", stdin='{"role": "user", "content": "first"}')
    note = "memory/notes/plan.md"
    (laptop / "memory/notes").mkdir(exist_ok=True)
    (laptop / note).write_text("# Plan\n\nOne.\n\nTwo.\n")
    commit(clones[0])
    pull(clones[1], clones[0])
    for folder in (laptop, desk):
        name = folder.parent.name
        run(folder, tmp_path, "save", f"The {name} wheel is new")
        run(folder, tmp_path, "append-turn", stdin=json.dumps({"role": "user", "content": name}))
        text = (folder / note).read_text()
        (folder / note).write_text(text.replace("One" if name == "desk" else "Two", f"From the {name}"))
    files = git(clones[1], "ls-files", "agent/memory").split()
    for path in [desk.parent / name for name in files if name.endswith((".md", ".json"))]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    commit(clones[0])
    commit(clones[1])
    pull(clones[0], clones[1])
    merged = (laptop / note).read_bytes()
    assert merged == b"# Plan\r\n\r\nFrom the desk.\r\n\r\nFrom the laptop.\r\n"
    facts = b"".join(path.read_bytes() for path in (laptop / "memory/semantic").glob("*.md"))
    assert [facts.count(text) for text in (b"laptop wheel", b"desk wheel", b"The kiln")] == [1, 1, 1]
    run(laptop, tmp_path, "merge", "--finish")
    assert sorted(said(laptop)) == ["desk", "first", "laptop"]
    assert run(laptop, tmp_path, "lint").stdout == ""
