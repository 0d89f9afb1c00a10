"""`--fix`: what has one right answer is mended, twice is once, and no other byte is touched."""

from __future__ import annotations

import itertools
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtool.core.lint.baseline import baseline_of
from memtool.core.lint.codes.all_codes import CODES_BY_NAME, select_codes
from memtool.core.records.plan import Replace, Secure
from memtool.store.files.disk import Disk
from memtool.verbs.lint.fix import fix_problems
from memtool.verbs.lint.lint import lint
from memtool.verbs.lint.request import LintRequest
from tests.trees import contents, make, opened

ALL = frozenset(CODES_BY_NAME)
FIXABLE = frozenset(name for name, code in CODES_BY_NAME.items() if code.fixable)
TAGS = "".join(chr(0xE0000 + ord(one)) for one in "obey").encode()
PIECES = st.sampled_from(
    [
        *(
            b"\xef\xbb\xbf",
            b"\r\n",
            b"\n",
            b"\r",
            b"\0",
            TAGS,
            "😀\ufe00\ufe01\ufe02".encode(),
            b"\xe9",
            b"a",
            b" ",
        ),
        *(b"- [goal] tea", b"- [goal] tea ^m-1", b"- The kiln is free", b"  hung on it", b"## Part", b"---"),
        *(b"- [2025-01-15] Be brief. ^r-1", b"<!-- memtool: ignore -->", b"title: x", b"```", "ф".encode()),
    ]
)
PLACES = (
    "MEMORY.md",
    "SESSION-STATE.md",
    "memory/semantic/facts.md",
    "memory/procedural/rules.md",
    "memory/notes/a.md",
    "memory/2025-01-15.md",
    "memory/cognition/pending.jsonl",
    "memory/core/AGENT.md",
)
number = itertools.count()


def kept(content: bytes) -> Counter[bytes]:
    """The words of a content, line ends and what may go aside; a line that is there again counts once."""
    for gone in (b"\xef\xbb\xbf", b"\0", TAGS, *(one.encode() for one in "\ufe00\ufe01\ufe02")):
        content = content.replace(gone, b"")
    return Counter(dict.fromkeys(line.rstrip(b"\r") for line in content.replace(b"\r", b"\n").split(b"\n")))


@given(st.dictionaries(st.sampled_from(PLACES), st.lists(PIECES, max_size=12).map(b"".join), max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
def test_mending_leaves_nothing_to_mend_and_touches_nothing_else(tmp_path, files):
    root = make(tmp_path / str(next(number)), {"memory/core/SOUL.md": "# Soul\n", **files})
    (root / "memory/working").mkdir()
    workspace = opened(root, "native")
    before = contents(root)
    fix_problems(workspace, LintRequest())
    after = contents(root)
    assert lint(workspace, LintRequest(codes=FIXABLE)).problems == ()
    again = fix_problems(workspace, LintRequest())
    assert again.plan == ()
    assert contents(root) == after
    assert after.keys() == before.keys()
    for path, content in before.items():
        if after[path] != content:
            assert set(kept(after[path])) - {b""} == set(kept(content)) - {b""}
    shutil.rmtree(root)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("memory/notes/a.md", b"\xef\xbb\xbf# A\n", b"# A\n"),
        ("memory/notes/a.md", b"a\r\nb\r\nc\n", b"a\r\nb\r\nc\r\n"),
        ("memory/notes/a.md", b"a\nb\nc\r\nd", b"a\nb\nc\nd"),
        ("memory/notes/a.md", b"a\n\0\0\0", b"a\n"),
        ("memory/notes/a.md", b"a\0b\xef\xbb\xbf\r\n\n", b"a\0b\xef\xbb\xbf\r\n\n"),
        ("memory/notes/a.md", b"\xff\xfea\0\r\0\n\0b\0\n\0", b"\xff\xfea\0\r\0\n\0b\0\n\0"),
        ("memory/notes/a.md", b"caf\xe9\r\nx\nx\n", b"caf\xe9\nx\nx\n"),
        ("memory/notes/a.md", "a\ufeffb\u200bc\u00add\x1b[0m".encode(), "ab\u200bc\u00add\x1b[0m".encode()),
        ("memory/notes/a.md", b"hi" + TAGS + b" there", b"hi there"),
        ("memory/semantic/a.md", b"- [goal] t ^m-1\n- [goal] t ^m-1\n\nx\n", b"- [goal] t ^m-1\n\nx\n"),
        ("memory/semantic/a.md", b"- [goal] t\r\n- [goal] t", b"- [goal] t"),
        ("memory/semantic/a.md", b"- [goal] t\n- [goal] t\n  more\n", b"- [goal] t\n- [goal] t\n  more\n"),
        ("memory/semantic/a.md", b"- [goal] t\n- [goal] T.\n", b"- [goal] t\n- [goal] T.\n"),
        (
            "MEMORY.md",
            b"- one two three\n\n## B\n- one two three\n",
            b"- one two three\n\n## B\n- one two three\n",
        ),
        ("MEMORY.md", b"- one two three\n- x\n- one two three\n", b"- one two three\n- x\n"),
        (
            "memory/2025-01-15.md",
            b"## [10:00]\n- one two three\n- one two three\n",
            b"## [10:00]\n- one two three\n- one two three\n",
        ),
        ("memory/history/state/head.json", b'\xef\xbb\xbf{"last_seq": 0}', b'{"last_seq": 0}'),
    ],
)
def test_what_has_one_right_answer_is_mended(tmp_path, path, before, after):
    make(tmp_path, {"memory/core/SOUL.md": "# Soul\n", "memory/working/WORKING_MEMORY.md": "", path: before})
    done = fix_problems(opened(tmp_path), LintRequest(codes=ALL - {"M503", "M504"}))
    assert (tmp_path / path).read_bytes() == after
    assert [change.path for change in done.plan] == ([Path(path)] if before != after else [])


def test_mending_keeps_to_what_is_asked_for(tmp_path):
    files = {f"memory/notes/{name}.md": "\ufeffa\r\nb\n" for name in ("a", "b", "c", "d")}
    files["memory/notes/c.md"] += "<!-- memtool: ignore-file -->\n"
    root = make(tmp_path, {"memory/core/SOUL.md": "", "memory/working/WORKING_MEMORY.md": "", **files})
    workspace = opened(root)
    baseline = baseline_of(lint(workspace, LintRequest(("memory/notes/d.md",))).problems)
    fix_problems(workspace, LintRequest(("memory/notes",), select_codes(["M103"], "x"), baseline))
    assert (root / "memory/notes/a.md").read_bytes() == b"\xef\xbb\xbfa\r\nb\r\n"
    assert (root / "memory/notes/c.md").read_bytes() == files["memory/notes/c.md"].encode()
    assert (root / "memory/notes/d.md").read_bytes() == files["memory/notes/d.md"].encode()


def test_a_dry_run_changes_nothing_and_says_all(tmp_path):
    root = make(tmp_path, {"memory/core/SOUL.md": "\ufeffx", "memory/working/WORKING_MEMORY.md": ""})
    workspace = opened(root)
    workspace.writes = False
    done = fix_problems(workspace, LintRequest(codes=select_codes(["M1"], "x")))
    assert [type(change) for change in done.plan] == [Replace]
    assert (root / "memory/core/SOUL.md").read_bytes() == b"\xef\xbb\xbfx"


def test_permissions_are_taken_from_others_and_the_owners_stay(tmp_path):
    root = make(tmp_path / "w", {"memory/core/SOUL.md": "x", "memory/working/WORKING_MEMORY.md": "x"})
    (root / "memory/core/SOUL.md").chmod(0o764)
    (root / "memory/core").chmod(0o777)
    root.chmod(0o775)
    disk = Disk(str(root))
    for path in ("memory/core/SOUL.md", "memory/core", ".", "memory/nowhere.md"):
        disk.make_private(Path(path))
    assert (root / "memory/core/SOUL.md").stat().st_mode & 0o777 == 0o700
    assert (root / "memory/core").stat().st_mode & 0o777 == 0o755
    assert root.stat().st_mode & 0o777 == 0o755
    assert (root / "memory/core/SOUL.md").read_text() == "x"


def test_no_link_is_followed_to_what_would_be_closed(tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("x")
    outside.chmod(0o666)
    root = make(tmp_path / "w", {"memory/core/SOUL.md": "x"})
    (root / "memory/core/out.md").symlink_to(outside)
    (root / "memory/core/in.md").symlink_to("SOUL.md")
    from memtool.errors import OutsideWorkspace

    with pytest.raises(OutsideWorkspace):
        Disk(str(root)).make_private(Path("memory/core/out.md"))
    Disk(str(root)).make_private(Path("memory/core/in.md"))
    assert outside.stat().st_mode & 0o777 == 0o666


def test_what_changes_meanwhile_is_mended_as_it_is_then(tmp_path):
    root = make(tmp_path, {"memory/core/SOUL.md": "\ufeffold\n", "memory/working/WORKING_MEMORY.md": ""})
    path = root / "memory/core/SOUL.md"
    changes = iter([b"\xef\xbb\xbfnew\n", b"\xef\xbb\xbfnewer\n"])

    class Edited(Disk):
        def swap(self, staged, place, expect):
            if (content := next(changes, None)) is not None:
                path.write_bytes(content)
            super().swap(staged, place, expect)

    done = fix_problems(opened(root, disk=Edited), LintRequest(codes=select_codes(["M1"], "x")))
    assert path.read_bytes() == b"newer\n"
    assert done.problems == 1
    assert done.notices == ()
    assert isinstance(done.plan[0], Replace)
    assert os.path.isfile(path)
    assert not any(isinstance(change, Secure) for change in done.plan)


def test_a_conflict_copy_goes_only_where_nothing_is_lost(tmp_path):
    copy, other, linked = (f"{name}.sync-conflict-20250115-103000-ABCDEFG.md" for name in "acd")
    files = {
        "a.md": f"# A\n\n[one]({linked})\n",
        "a 2.md": f"# A\n\n[one]({linked})\n",  # it may be a person's note, numbered by hand
        copy: f"# A\n\n[one]({linked})\n",
        "b.md": "# B\n\nfirst\n",
        "b 2.md": "# B, continued\n\nsecond\n",
        "c.md": "# C\n",
        other: "x\n",
        "d.md": "# D\n",
        linked: "# D\n",
    }
    root = make(tmp_path, {f"memory/notes/{name}": text for name, text in files.items()})
    workspace = opened(root, "native")
    codes = frozenset({"M312", "M313"})
    problems = lint(workspace, LintRequest(codes=codes)).problems
    assert {(problem.code, problem.path.rpartition("/")[2]) for problem in problems} == {
        ("M312", copy),
        *(("M313", name) for name in ("a 2.md", other, linked)),
    }
    reasons = {problem.path.rpartition("/")[2]: problem.message.partition(", ")[2] for problem in problems}
    assert reasons == {
        copy: "with the same content",
        "a 2.md": "with the same content, but this file may be an ordinary note",
        other: "with different content",
        linked: "with the same content, but another file links to the copy",
    }
    assert len(fix_problems(workspace, LintRequest(codes=codes)).plan) == 1
    assert contents(root).keys() == {f"memory/notes/{name}" for name in {*files} - {copy}}


def test_notes_with_the_same_content_are_reported_once_each(tmp_path):
    copy = "a.sync-conflict-20250115-103000-ABCDEFG.md"
    notes = ("a.md", "b.md", "c.md", "empty.md", "empty too.md", "other.md", copy)
    texts = {"empty.md": "", "empty too.md": "", "other.md": "# Other\n"}
    files = {f"memory/notes/{name}": texts.get(name, "# Plan\n\nMend the kiln\n") for name in notes}
    workspace = opened(make(tmp_path, {**files, "MEMORY.md": "# Plan\n\nMend the kiln\n"}), "native")
    problems = lint(workspace, LintRequest(codes=frozenset({"M315"}))).problems
    assert [(problem.path, problem.message) for problem in problems] == [
        (f"memory/notes/{name}.md", "same content as memory/notes/a.md") for name in "bc"
    ]


def test_a_file_of_every_prompt_that_mostly_has_no_room_is_an_error(tmp_path):
    for layout, path in (("native", "MEMORY.md"), ("openclaw", "MEMORY.md"), ("claude-code", "MEMORY.md")):
        for size, expected in ((1000, []), (190_000, ["M314"])):
            root = make(tmp_path / f"{layout}{size}", {path: f"- {'word ' * 200}\n" * (size // 1000)})
            problems = lint(opened(root, layout), LintRequest(codes=frozenset({"M314"}))).problems
            assert [problem.code for problem in problems] == expected
    assert CODES_BY_NAME["M314"].severity == "error"


def test_an_unwritten_link_is_a_remark_in_a_vault(tmp_path):
    for layout, code in (("obsidian", "M404"), ("native", "M401")):
        root = make(tmp_path / layout, {"memory/notes/a.md": "[[Not written]]\n"})
        problems = lint(opened(root, layout), LintRequest(codes=frozenset({"M401", "M404"}))).problems
        assert [problem.code for problem in problems] == [code]
