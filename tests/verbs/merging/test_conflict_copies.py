"""merge --conflicts: the copies of programs that synchronise folders, merged into their originals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from memtool.core.text import passage_versions
from tests.trees import clean_environment, contents, make, memtool, opened

COPY = "{}.sync-conflict-20250115-103000-ABCDEFG{}"
FACTS = "# Facts\n\n- [place] Osh is in the south ^m-1\n- [tool] The kiln is old ^m-2\n"
NATIVE = {"memtool.toml": 'layout = "native"\n'}


def copy_of(path: str, pattern: str = COPY) -> str:
    stem, dot, ending = path.rpartition(".")
    return pattern.format(stem, dot + ending)


def merge(root, *more: str, **environment: str):
    return memtool("merge", "--conflicts", *more, home=root.parent, cwd=root, environment=environment)


@pytest.mark.parametrize(
    ("layout", "path", "text", "first", "second"),
    [
        ("native", "memory/semantic/facts.md", FACTS, "- [tool] A wheel ^m-3", "- [place] Khiva ^m-4"),
        ("qanot", "MEMORY.md", "# Memory\n\n- **place**: Osh\n", "- **name**: Odil", "- **name**: Aiko"),
        (
            "openclaw",
            "memory/2025-01-15.md",
            "# 2025-01-15\n\n## [10:00:00]\n**User:** a\n",
            "\n## [10:30:00]\n**User:** b",
            "\n## [10:20:00]\n**User:** c",
        ),
        (
            "obsidian",
            "memtool/SESSION-STATE.md",
            "# Session\n\n- [2025-01-15T10:00:00+00:00] **decision**: cone 6\n",
            "- [2025-01-15T10:02:00+00:00] **decision**: cone 8",
            "- [2025-01-15T10:01:00+00:00] **decision**: cone 10",
        ),
    ],
)
@pytest.mark.parametrize(
    "pattern", [COPY, "{} (Ann's conflicted copy 2025-01-15){}", "{} 2{}", "{}-DESK-1{}"]
)
def test_every_layout_and_program(tmp_path, layout, path, text, first, second, pattern):
    files = {"memtool.toml": f'layout = "{layout}"\n', path: f"{text}{first}\n"}
    root = make(tmp_path / "w", files | {copy_of(path, pattern): f"{text}{second}\n"})
    before = contents(root)
    planned = merge(root, "--dry-run")
    assert (planned.returncode, contents(root)) == (0, before)
    assert copy_of(path, pattern) in planned.stdout
    assert merge(root).returncode == 0
    lines = (root / path).read_text().splitlines()
    for line in f"{text}{first}\n{second}".splitlines():
        assert lines.count(line) == 1 or not line, line
    assert {*contents(root)} == {*files}
    again = merge(root)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "memtool: no conflict copies\n")
    assert memtool("undo", home=tmp_path, cwd=root).returncode == 0
    assert contents(root) == before


def test_free_text_has_what_either_version_says_and_json_stays(tmp_path):
    text = "# Kiln\n\nIt is old.\n\nIt is hot.\n"
    left = {
        "memory/history/turns/2025/01/15/00000000000000000001.json": ('{"a": 1}\n', '{"a": 2}\n'),
        "README.md": ("One\n", "Two\n"),
    }
    merged = {
        "memory/notes/zettel/kiln.md": (text, text.replace("hot.\n", "hot.\n\nIt is red.\n")),
        "memory/notes/zettel/wheel.md": (text.replace("old", "new"), text.replace("old", "very old")),
    }
    files = {path: own for path, (own, _) in (left | merged).items()}
    copies = {copy_of(path): other for path, (_, other) in (left | merged).items()}
    root = make(tmp_path / "w", NATIVE | files | copies | {copy_of("memory/core/USER.md"): "Lost.\n"})
    result = merge(root, "--json")
    assert result.returncode == 1
    assert result.stdout.count('"outcome": "left"') == 3
    assert "the original memory/core/USER.md does not exist" in result.stdout
    found = contents(root)
    for path, (own, other) in left.items():
        assert found[path].decode() == own
        assert found[copy_of(path)].decode() == other
    assert found["memory/notes/zettel/kiln.md"].decode() == merged["memory/notes/zettel/kiln.md"][1]
    wheel = passage_versions.render(("It is new.", "It is very old."))
    assert found["memory/notes/zettel/wheel.md"].decode() == text.replace("It is old.", wheel)
    assert not [path for path in found if path in map(copy_of, merged)]


def test_a_file_that_a_person_may_have_named_is_never_taken_for_a_copy(tmp_path):
    other = "# Facts\n\n- [place] Quite different\n- [tool] Also\n- [tool] And this\n"
    files = {
        "memory/semantic/facts.md": FACTS,
        "memory/semantic/facts 2.md": other,
        "memory/semantic/facts-TODO.md": other,
        "memory/semantic/facts 3.md": "# Facts\n\n- [tool] One more\n",
        "memory/notes/zettel/plan.md": "# Plan\n\nAs agreed.\n\nThe first part.\n",
        "memory/notes/zettel/plan 2.md": "# Plan\n\nAs agreed.\n\nThe second part.\n",
        "memory/notes/zettel/plan (1).md": "# Plan\n\nAs agreed.\n\nThe third part.\n",
        "memory/notes/zettel/plan 3.md": "# Plan\n\nThe fourth part.\n",
    }
    root = make(tmp_path / "w", NATIVE | files)
    before = contents(root)
    result = merge(root)
    assert contents(root) == before
    assert "facts" not in result.stdout
    assert result.stdout.count("the name alone does not prove that the file is a conflict copy") == 2


def test_copies_of_copies_and_several_copies_end_in_the_original(tmp_path):
    path = "memory/semantic/facts.md"
    names = [copy_of(path), copy_of(copy_of(path)), copy_of(copy_of(path, "{} (conflicted copy){}"))]
    files = {name: f"{FACTS}- [tool] Number {number}\n" for number, name in enumerate(names)}
    root = make(tmp_path / "w", NATIVE | files | {path: FACTS})
    assert merge(root).returncode == 0
    assert (root / path).read_text() == FACTS + "".join(f"- [tool] Number {number}\n" for number in range(3))
    assert {*contents(root)} == {"memtool.toml", path}


def test_what_memtool_deleted_here_does_not_come_back_but_what_is_unknown_does(tmp_path):
    root = make(tmp_path / "w", NATIVE | {"memory/semantic/facts.md": FACTS})
    file = root / "memory/semantic/facts.md"
    assert memtool("save", "The wheel is broken", home=tmp_path, cwd=root).returncode == 0
    saved = file.read_text()
    assert memtool("undo", home=tmp_path, cwd=root).returncode == 0
    file.with_name(copy_of("facts.md")).write_text(saved + "- [tool] A bucket ^m-3\n")
    assert merge(root).returncode == 0
    assert file.read_text() == FACTS + "- [tool] A bucket ^m-3\n"
    file.with_name(copy_of("facts.md")).write_text(FACTS.replace("- [tool] The kiln is old ^m-2\n", ""))
    assert merge(root).returncode == 0
    assert "The kiln is old" in file.read_text()  # the other machine may never have had it


def test_forgotten_text_does_not_come_back(tmp_path):
    root = make(tmp_path / "w", NATIVE | {"memory/semantic/facts.md": FACTS})
    file = root / "memory/semantic/facts.md"
    forget = memtool("forget", "--match", "Osh is in the south", "--yes", home=tmp_path, cwd=root)
    assert forget.returncode == 0, forget.stderr
    file.with_name(copy_of("facts.md")).write_text(FACTS + "- [tool] A wheel ^m-3\n")
    assert merge(root).returncode == 0
    assert "Osh" not in "".join(text.decode() for text in contents(root).values())
    assert "A wheel" in file.read_text()


def test_hostile_copies_are_left_and_named(tmp_path):
    make(tmp_path, {"secret.md": "- [tool] SECRET\n"})
    facts = "memory/semantic/facts.md"
    root = make(
        tmp_path / "w",
        NATIVE
        | {facts: FACTS, "MEMORY.md": "# M\n", copy_of("MEMORY.md"): b"\0\1\2", "SESSION-STATE.md": "# S\n"},
    )
    (root / copy_of(facts)).symlink_to(tmp_path / "secret.md")
    os.mkfifo(root / copy_of("SESSION-STATE.md"))
    os.link(tmp_path / "secret.md", root / "MEMORY (conflicted copy 2).md")
    result = merge(root)
    assert result.returncode == 1
    assert result.stdout.count("left\t") == 3
    assert (root / facts).read_text() == FACTS
    assert (tmp_path / "secret.md").read_text() == "- [tool] SECRET\n"


def test_bytes_that_are_no_text_survive_and_names_with_newlines_are_left(tmp_path):
    path, odd = "memory/semantic/facts.md", "memory/semantic/a\nb.md"
    body = FACTS.encode() + b"- [tool] \xff\xfe\n"
    files = {
        name: content for each in (path, odd) for name, content in ((each, body), (copy_of(each), FACTS))
    }
    root = make(tmp_path / "w", NATIVE | files | {copy_of(path): body + b"- [tool] A wheel\n"})
    result = merge(root)
    assert (result.returncode, len(result.stdout.splitlines())) == (1, 2)
    assert (root / path).read_bytes().startswith(body)
    assert b"A wheel" in (root / path).read_bytes()
    assert (root / odd).read_bytes() == body


def test_long_files_merge(tmp_path):
    lines = [f"- [tool] Tool {number} {'of the studio ' * 30} ^m-{number}\n" for number in range(10_000)]
    other = [*lines[:5_000], "- [place] Khiva\n", *lines[5_000:]]
    facts = "memory/semantic/facts.md"
    files = {facts: "".join([*lines, "- [place] Osh\n"]), copy_of(facts): "".join(other)}
    assert len(files[facts]) > 4_000_000
    root = make(tmp_path / "w", NATIVE | files)
    result = merge(root)
    assert result.returncode == 0, result.stderr
    merged = (root / facts).read_text().splitlines()
    assert sorted(merged) == sorted({*files[facts].splitlines(), "- [place] Khiva"})


@pytest.mark.parametrize("mode", ["--dry-run", "--incognito"])
def test_nothing_is_written_without_leave(tmp_path, mode):
    root = make(tmp_path / "w", NATIVE | {"MEMORY.md": "# M\n", copy_of("MEMORY.md"): "# M\n\n- Osh\n"})
    before = contents(root)
    assert merge(root, mode).returncode == 0
    assert contents(root) == before
    assert not (root / ".memtool").exists()


def test_who_acts_for_a_group_may_not(tmp_path):
    root = make(
        tmp_path / "w",
        NATIVE
        | {"groups/work/MEMORY.md": "# M\n", "MEMORY.md": "# M\n", copy_of("MEMORY.md"): "# M\n\n- Osh\n"},
    )
    result = merge(root, MEMTOOL_GROUP="work")
    assert result.returncode == 13
    assert (root / copy_of("MEMORY.md")).exists()


def test_a_killed_run_is_finished_by_the_next(tmp_path):
    count, facts = 40, "memory/semantic/facts.md"
    names = [
        f"memory/semantic/facts.sync-conflict-20250115-1030{number:02}-ABCDEFG.md" for number in range(count)
    ]
    copies = {name: f"{FACTS}- [tool] Number {number}\n" for number, name in enumerate(names)}
    killed = 0
    for attempt in range(6):
        root = make(tmp_path / str(attempt), NATIVE | copies | {facts: FACTS})
        command = [sys.executable, "-m", "memtool", "merge", "--conflicts"]
        process = subprocess.Popen(
            command,
            cwd=root,
            env=clean_environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and sum((root / name).exists() for name in names) > count - 1 - attempt:
            time.sleep(0)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
        killed += process.returncode == -signal.SIGKILL
        opened(root)  # takes an unfinished commit back
        text = (root / facts).read_text()
        for number, name in enumerate(names):
            assert (root / name).exists() or f"- [tool] Number {number}\n" in text
        assert merge(root).returncode == 0
        lines = (root / facts).read_text().splitlines()
        assert sorted(lines) == sorted([*FACTS.splitlines(), *(f"- [tool] Number {n}" for n in range(count))])
        assert {*contents(root)} == {"memtool.toml", facts}
    assert killed


def test_copies_of_turns_become_turns_of_their_own(tmp_path):
    roots = [
        make(tmp_path / name / "w", NATIVE | {"memory/core/USER.md": "Ann\n"}) for name in ("desk", "laptop")
    ]
    for minute, root in enumerate(roots):
        given = ("--user-text", f"from {root.parent.name}", "--agent-text", "noted")
        now = {"MEMTOOL_NOW": f"2025-01-15T10:3{minute}:00Z"}
        assert memtool("append-turn", *given, home=tmp_path, cwd=root, environment=now).returncode == 0
    root, copies = roots[0], contents(roots[1])
    history = [path for path in copies if path.endswith(".json")]
    make(root, {copy_of(path): copies[path] for path in history})
    result = merge(root)
    assert result.returncode == 0, result.stderr
    replayed = memtool("replay", home=tmp_path, cwd=root).stdout
    assert [replayed.count(f"from {name}") for name in ("desk", "laptop")] == [1, 1]
    turns = [path for path in contents(root) if "/turns/" in path]
    assert len(turns) == 2
    assert not [path for path in turns if "sync-conflict" in path]


def test_copies_whose_originals_are_elsewhere_missing_or_no_files_change_nothing(tmp_path):
    make(tmp_path, {"secret.md": "- [tool] SECRET\n"})
    folder = "memory/semantic"
    copies = [
        copy_of(f"{folder}/{name}.md")
        for name in (
            "..",
            "...",
            "..\\..\\..\\secret",
            "never",
            "a\x1b[31m",
            "b\u202e",
            "c\nd",
            "folder",
            "link",
        )
    ]
    copies += [f"{folder}/.. (conflicted copy)", ".. (conflicted copy).md", copy_of("memtool.toml")]
    root = make(
        tmp_path / "w", NATIVE | dict.fromkeys(copies, "- [tool] A wheel\n") | {f"{folder}/facts.md": FACTS}
    )
    (root / folder / "folder.md").mkdir()
    (root / folder / "link.md").symlink_to(tmp_path / "secret.md")
    make(root / folder / copy_of("facts.md"), {"inner.md": "- [tool] A bucket\n"})
    before = contents(root)
    result = merge(root)
    assert result.returncode == 1
    assert (contents(root), (tmp_path / "secret.md").read_text()) == (before, "- [tool] SECRET\n")
    assert not {"\x1b", "\u202e"} & {*result.stdout, *result.stderr}
    assert all(len(line.split("\t")) == 4 for line in result.stdout.splitlines())
    for name in ("never", "folder", "link", "memtool"):
        assert f"{name}.sync-conflict" in result.stdout


def test_status_and_doctor_count_the_copies_that_wait(tmp_path):
    files = {
        "MEMORY.md": "# Memory\n\nOsh\n",
        "memory/semantic/facts.md": FACTS,
        "memory/notes/plan.md": "One\n",
    }
    copies = {
        copy_of("MEMORY.md"): "# Memory\n\nKhiva\n",
        copy_of("memory/semantic/facts.md", "{} 2{}"): f"{FACTS}- [place] Khiva ^m-3\n",
        copy_of("memory/semantic/facts.md", "{} (1){}"): "# Other\n",
        copy_of("memory/notes/plan.md", "{} 2{}"): "One\nTwo\n",
    }
    root = make(tmp_path / "w", NATIVE | files | copies)
    shown = memtool("status", home=tmp_path, cwd=root).stdout
    assert "sync" in shown
    assert "2 conflict copies, including MEMORY.sync-conflict" in shown
    assert "2 conflict copies" in memtool("doctor", home=tmp_path, cwd=root).stdout
    (tmp_path / "outside").write_text("a")
    (root / ".memignore").symlink_to(tmp_path / "outside")
    status = memtool("status", home=tmp_path, cwd=root)
    assert (status.returncode, ".memignore" in status.stdout) == (0, True)
    (root / ".memignore").unlink()
    assert merge(root).returncode == 1  # the note may be the user's own
    assert "conflict cop" not in memtool("status", home=tmp_path, cwd=root).stdout
