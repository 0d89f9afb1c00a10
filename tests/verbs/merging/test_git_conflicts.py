"""A clone without the merge driver: what is said of it, and the conflicts that git leaves there."""

from __future__ import annotations

import json
import shlex
import shutil

import pytest

from tests.trees import contents, memtool
from tests.verbs.merging.test_git_driver import CONFIG, PATH, commit, git, run, said

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
FACTS = "memory/semantic/facts.md"
MARKS = (b"<<<<<<<", b"=======", b">>>>>>>")


@pytest.fixture
def fresh(tmp_path):
    """A clone with the driver, and a fresh one without it; the base has two facts."""
    (tmp_path / ".gitconfig").write_text(CONFIG)
    run(tmp_path, tmp_path, "init", "laptop")
    laptop, desk = tmp_path / "laptop", tmp_path / "desk"
    git(laptop, "init", "-q")
    run(laptop, tmp_path, "merge", "--install")
    for text in ("The first kiln is in Osh", "The last kiln is in Osh"):
        run(laptop, tmp_path, "save", text)
    commit(laptop)
    git(tmp_path, "clone", "-q", "laptop", "desk")
    return laptop, desk


def write(folder, home):
    """Record a fact, a line of memory and a turn, as a machine that is offline."""
    run(folder, home, "save", f"The {folder.name} wheel is new")
    run(folder, home, "scan", "-m", f"Remember that the {folder.name} glaze is red.")
    run(folder, home, "append-turn", stdin=json.dumps({"role": "user", "content": folder.name}))


def conflict(laptop, desk, *how):
    """Have both clones write, and the one without the driver bring in the other's commit."""
    for folder in (laptop, desk):
        write(folder, folder.parent)
        commit(folder)
    git(desk, "pull", "-q", "--no-edit", *how, str(laptop), "main", ok=False)
    assert "MEMORY.md" in git(desk, "diff", "--name-only", "--diff-filter=U")
    return desk


def files(folder):
    return {path: text for path, text in contents(folder).items() if not path.startswith(".git/")}


def marked(folder):
    return [path for path, text in contents(folder).items() if any(mark in text for mark in MARKS)]


def test_the_next_commands_and_status_name_a_clone_without_the_driver(fresh, tmp_path):
    laptop, desk = fresh
    assert "merge --install" not in run(laptop, tmp_path, "save", "The shop is closed").stderr
    assert "git merges line by line; run memtool merge --install" in run(desk, tmp_path, "status").stdout
    first = run(desk, tmp_path, "save", "The shop is open")
    assert "git merges line by line; run memtool merge --install" in first.stderr
    assert run(desk, tmp_path, "save", "The shop is old").stderr == ""
    commit(desk)
    assert "merge --install" in run(desk, tmp_path, "save", "The shop is new").stderr
    run(desk, tmp_path, "merge", "--install")
    commit(desk)
    assert run(desk, tmp_path, "save", "The shop is red").stderr == ""


def test_a_driver_of_which_the_program_is_gone_is_named(fresh, tmp_path):
    laptop, _ = fresh
    git(laptop, "config", "merge.memtool.driver", "/gone/memtool merge %O %A %B --path=%P")
    assert "because /gone/memtool does not exist" in run(laptop, tmp_path, "status").stdout


@pytest.mark.parametrize("how", ["--no-rebase", "--rebase"])
def test_conflicts_of_a_clone_without_the_driver_are_merged_by_record(fresh, tmp_path, how):
    laptop, desk = fresh
    conflict(laptop, desk, how)
    said_since = "The tongs are in the drawer"
    assert "run memtool merge --conflicts" in run(desk, tmp_path, "save", said_since).stderr
    before = contents(desk)
    planned = run(desk, tmp_path, "--dry-run", "merge", "--conflicts").stdout
    assert "merged\tMEMORY.md\n" in planned
    assert contents(desk) == before
    done = run(desk, tmp_path, "merge", "--conflicts")
    assert "git add" in done.stderr
    assert marked(desk) == []
    facts = (desk / FACTS).read_text() + (desk / "MEMORY.md").read_text()
    for text in (
        said_since,
        "first kiln",
        "last kiln",
        *(f"{name} {what}" for name in ("desk", "laptop") for what in ("wheel", "glaze")),
    ):
        assert facts.count(text) == 1, text
    assert sorted(said(desk)) == ["desk", "laptop"]
    assert run(desk, tmp_path, "lint").stdout == ""
    again = run(desk, tmp_path, "merge", "--conflicts")
    assert (again.stdout, again.stderr) == ("", "memtool: no conflict copies\n")


def test_a_record_that_one_side_deleted_beside_a_conflict_stays_deleted(fresh, tmp_path):
    laptop, desk = fresh
    facts = (laptop / FACTS).read_text().split("\n")
    (laptop / FACTS).write_text("\n".join(line for line in facts if "last kiln" not in line))
    conflict(laptop, desk, "--no-rebase")
    assert "last kiln" in (desk / FACTS).read_text()  # between the markers
    run(desk, tmp_path, "merge", "--conflicts")
    merged = (desk / FACTS).read_text()
    assert ("last kiln" in merged, "first kiln" in merged, "laptop wheel" in merged) == (False, True, True)


def test_what_nobody_edited_since_becomes_what_the_driver_would_have_written(fresh, tmp_path):
    laptop, desk = fresh
    conflict(laptop, desk, "--no-rebase")
    run(desk, tmp_path, "merge", "--conflicts")
    merged = files(desk)
    git(desk, "merge", "--abort")
    git(desk, "clean", "-qfd", "memory")
    run(desk, tmp_path, "merge", "--install")
    git(desk, "pull", "-q", "--no-rebase", "--no-edit", str(laptop), "main")
    run(desk, tmp_path, "merge", "--finish")
    assert merged == files(desk)


def test_a_file_of_which_git_lacks_a_version_is_left_and_nothing_is_fetched(fresh, tmp_path):
    """Git would run what the repository's settings name, to fetch the version."""
    desk = conflict(*fresh, "--no-rebase")
    blob = git(desk, "rev-parse", ":3:MEMORY.md").strip()
    (desk / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    pwned = tmp_path / "pwned"
    for name, value in {
        "remote.evil.url": str(desk),
        "remote.evil.promisor": "true",
        "remote.evil.uploadpack": f"touch {pwned};",
        "protocol.allow": "always",
        "extensions.partialClone": "evil",
        "core.repositoryFormatVersion": "1",
    }.items():
        git(desk, "config", name, value)
    before = (desk / "MEMORY.md").read_bytes()
    run(desk, tmp_path, "status")
    result = memtool("merge", "--conflicts", home=tmp_path, cwd=desk, environment={"PATH": PATH})
    assert result.returncode == 1
    assert "git cannot read version" in result.stdout
    assert (desk / "MEMORY.md").read_bytes() == before
    assert not pwned.exists()
    git(desk, "cat-file", "blob", blob, ok=False)
    assert pwned.exists()


def test_a_line_that_was_removed_by_hand_since_does_not_come_back(fresh, tmp_path):
    laptop, desk = fresh
    conflict(laptop, desk, "--no-rebase")
    lines = (desk / FACTS).read_text().splitlines(keepends=True)
    (desk / FACTS).write_text("".join(line for line in lines if "first kiln" not in line))
    run(desk, tmp_path, "merge", "--conflicts")
    merged = (desk / FACTS).read_text()
    assert ("first kiln" in merged, "laptop wheel" in merged, "desk wheel" in merged) == (False, True, True)


def test_markers_that_were_committed_are_merged_where_the_file_is_named(fresh, tmp_path):
    laptop, desk = fresh
    conflict(laptop, desk, "--no-rebase")
    commit(desk)
    before = contents(desk)
    left = memtool("merge", "--conflicts", home=tmp_path, cwd=desk, environment={"PATH": PATH})
    command = f"memtool merge --conflicts --path {FACTS}"
    assert (left.returncode, command in left.stdout, contents(desk) == before) == (1, True, True)
    assert command in memtool("lint", home=tmp_path, cwd=desk).stdout
    assert f"merged\t{FACTS}\n" in run(desk, tmp_path, *command.split()[1:]).stdout
    merged = (desk / FACTS).read_text()
    assert [merged.count(f"The {name} wheel") for name in ("desk", "laptop")] == [1, 1]
    assert "<<<<<<<" not in merged
    after = contents(desk)
    assert {path for path in before if before[path] != after.get(path)} - {FACTS} == set()


EXAMPLE = "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n"
OWN_TEXT = f"\n## How git shows it\n\nIn code:\n\n```\n{EXAMPLE}```\n\nAs text:\n\n{EXAMPLE}\nThe end.\n"


def test_an_example_of_markers_that_git_lists_nowhere_stays_as_it_is(fresh, tmp_path):
    _, desk = fresh
    for path in ("MEMORY.md", "memory/core/USER.md"):
        with (desk / path).open("a") as file:
            file.write(OWN_TEXT)
    commit(desk)
    before = contents(desk)
    memtool("merge", "--conflicts", home=tmp_path, cwd=desk, environment={"PATH": PATH})
    assert contents(desk) == before


def test_an_example_of_markers_in_an_unmerged_file_stays_as_it_is(fresh, tmp_path):
    laptop, desk = fresh
    with (laptop / "MEMORY.md").open("a") as file:
        file.write(OWN_TEXT)
    commit(laptop)
    git(desk, "pull", "-q", "--no-rebase", str(laptop), "main")
    conflict(laptop, desk, "--no-rebase")
    assert (desk / "MEMORY.md").read_text().count("<<<<<<<") == 3
    run(desk, tmp_path, "merge", "--conflicts")
    merged = (desk / "MEMORY.md").read_text()
    assert OWN_TEXT in merged
    assert merged.count("<<<<<<<") == 2
    assert [merged.count(f"the {name} glaze") for name in ("desk", "laptop")] == [1, 1]


def test_a_note_with_markers_is_merged_by_the_command_that_lint_names(fresh, tmp_path):
    _, desk = fresh
    note = desk / "memory/notes/zettel/plan one.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(
        "# Plan\n\n```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n\n"
        "<<<<<<< HEAD\nFire the kiln on Monday.\n=======\nFire the kiln on Friday.\n>>>>>>> other\n"
    )
    problem = memtool("lint", "--select", "M112", home=tmp_path, cwd=desk).stdout
    command = problem.split("run memtool ")[1].split(", or")[0]
    assert shlex.split(command) == ["merge", "--conflicts", "--path", "memory/notes/zettel/plan one.md"]
    run(note.parent, tmp_path, *shlex.split(command))
    text = note.read_text()
    assert text.startswith("# Plan\n\n```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n\n")
    assert text.count("<<<<<<<") == 1
    assert [text.count(f"Fire the kiln on {day}.") for day in ("Monday", "Friday")] == [1, 1]
    assert "M113" in memtool("lint", home=tmp_path, cwd=desk).stdout
    again = run(desk, tmp_path, *shlex.split(command))
    assert again.stderr == "memtool: memory/notes/zettel/plan one.md: no conflicts to resolve\n"


def test_a_path_that_is_no_memory_file_is_refused(fresh, tmp_path):
    _, desk = fresh
    (desk / "tool.py").write_text(EXAMPLE)
    refused = memtool("merge", "--conflicts", "--path", "tool.py", home=tmp_path, cwd=desk)
    assert (refused.returncode, "tool.py is not a memory file" in refused.stderr) == (2, True)


def test_the_next_command_names_the_conflicts_of_a_stash(fresh, tmp_path):
    _, desk = fresh
    write(desk, tmp_path)
    git(desk, "stash", "-q", "-u")
    run(desk, tmp_path, "save", "The desk stool is old")
    run(desk, tmp_path, "scan", "-m", "Remember that the desk lamp is red.")
    commit(desk)
    git(desk, "stash", "pop", "-q", ok=False)
    assert "run memtool merge --conflicts" in run(desk, tmp_path, "save", "The tongs are new").stderr
    run(desk, tmp_path, "merge", "--conflicts")
    assert marked(desk) == []
    facts = (desk / FACTS).read_text() + (desk / "MEMORY.md").read_text()
    assert [facts.count(f"desk {thing} is") for thing in ("wheel", "stool", "glaze", "lamp")] == [1] * 4


def test_a_file_that_one_side_deleted_and_code_that_is_no_memory_are_left(fresh, tmp_path):
    laptop, desk = fresh
    for folder in (laptop, desk):
        (folder / "tool.py").write_text(f"print('{folder.name}')\n")
        commit(folder)
    core = "memory/core/USER.md"
    git(laptop, "rm", "-q", core)
    (desk / core).write_text("# User\n\nA potter.\n")
    conflict(laptop, desk, "--no-rebase")
    before = contents(desk)
    done = memtool("merge", "--conflicts", home=tmp_path, cwd=desk, environment={"PATH": PATH})
    after = contents(desk)
    assert done.returncode == 1
    assert f"left\t{core}\tone side deleted this file, and the other changed it" in done.stdout
    assert {path: after[path] for path in (core, "tool.py")} == {
        path: before[path] for path in (core, "tool.py")
    }
    assert b"<<<<<<<" in after["tool.py"]


def test_a_prompt_has_both_versions_of_a_conflict_without_markers(fresh, tmp_path):
    laptop, desk = fresh
    conflict(laptop, desk, "--no-rebase")
    prompt = memtool("context", home=tmp_path, cwd=desk, environment={"PATH": PATH})
    assert not any(mark.decode() in prompt.stdout for mark in MARKS)
    assert [prompt.stdout.count(f"the {name} glaze is red") for name in ("desk", "laptop")] == [1, 1]
    command = "memtool merge --conflicts --path MEMORY.md"
    assert f"conflict markers in MEMORY.md; run {command}" in prompt.stderr
