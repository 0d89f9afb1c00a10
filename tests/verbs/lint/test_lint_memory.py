"""What lint keeps for the next time: whatever happens to a tree, it tells what it would tell without it."""

from __future__ import annotations

import itertools
import os
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtool.core.lint.codes.all_codes import CODES_BY_NAME
from memtool.verbs.lint.lint import lint
from memtool.verbs.lint.request import LintRequest
from tests.trees import make, opened

KEY = b"k" * 32
NAMES = ("A", "B", "x/A", "x/C", "y/z/D")
TEXTS = (
    "[[A]] [[B#H]] [[x/C]]\n",
    "---\nid: 1234\n---\n[[D]] [[B#^b]]\n",
    "---\naliases: [alias]\nid: 1234\n---\n[m](A.md) [m](x/C.md) [f](x/)\n",
    "---\ntitle: gone\n---\n[e](empty/x.json) [e](assets/x.png) ![[pic.png]]\n",
    "# H\nb ^b\n[[alias]] [[1234]] [[gone]]\n",
    "<!-- memtool: ignore-file M4 -->\n[[nothing]]\n",
    "- [goal] tea with milk ^m-1\n- the kiln is free\n",
    "",
)
IGNORES = ("", "A.md\n", "x/\n", "*.md\n!A.md\n")
OPTIONS = ("", "[lint]\nignore = ['M405']\n", "[lint.per_file]\n'**/A.md' = ['M4']\n", "agent_name = 'Kim'\n")
OTHERS = ("pic.png", "assets/x.png", "empty/x.json", "C.md", "outside/deep/C.md")
FOLDERS = ("empty", "assets", "x", "outside")
STEP = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    st.tuples(st.just("remove"), st.sampled_from(NAMES)),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("other"), st.sampled_from(OTHERS)),
    st.tuples(st.just("folder"), st.sampled_from(FOLDERS)),
    st.tuples(st.just("no folder"), st.sampled_from(FOLDERS)),
    st.tuples(st.just("ignore"), st.sampled_from(IGNORES)),
    st.tuples(st.just("settings"), st.sampled_from(OPTIONS)),
)
number = itertools.count()


def do(root, notes, step):
    what, *named = step
    home = root / notes
    match what:
        case "write":
            write(home / f"{named[0]}.md", named[1])
        case "remove":
            (home / f"{named[0]}.md").unlink(missing_ok=True)
        case "rename" if (home / f"{named[0]}.md").exists():
            (home / f"{named[1]}.md").parent.mkdir(parents=True, exist_ok=True)
            os.replace(home / f"{named[0]}.md", home / f"{named[1]}.md")
        case "other":
            write(root / named[0], "x")
        case "folder":
            (home / named[0]).mkdir(parents=True, exist_ok=True)
            (root / named[0]).mkdir(exist_ok=True)
        case "no folder":
            shutil.rmtree(home / named[0], ignore_errors=True)
            shutil.rmtree(root / named[0], ignore_errors=True)
        case "ignore":
            write(root / ".memignore", named[0])
        case "settings":
            write(root / "memtool.toml", named[0])


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1, 1))  # nothing but the change itself tells of it


def told(root, layout, key):
    return lint(
        opened(root, layout), LintRequest(key=key, codes=frozenset(CODES_BY_NAME) - {"M503", "M504"})
    ).problems


@pytest.mark.parametrize(
    ("layout", "notes"), [("native", "memory/notes"), ("obsidian", ""), ("openclaw", "memory")]
)
@given(steps=st.lists(STEP, max_size=8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_what_was_kept_never_changes_what_is_told(tmp_path, layout, notes, steps):
    root = make(tmp_path / str(next(number)), {"memory/core/AGENT.md": "# Agent\n", "SOUL.md": "# Soul\n"})
    for step in steps:
        do(root, notes, step)
        assert told(root, layout, KEY) == told(root, layout, None)
    shutil.rmtree(root)


def test_who_is_not_passed_over_any_more_is_compared_with_the_others(tmp_path):
    same = "---\nid: 1234\n---\n"
    root = make(
        tmp_path, {".obsidian/app.json": "{}", "a.md": same, "b.md": f"{same}\n", ".memignore": "b.md\n"}
    )
    assert told(root, "obsidian", KEY) == ()
    write(root / ".memignore", "")
    assert [one.code for one in told(root, "obsidian", KEY)] == ["M210"]


def test_a_folder_that_is_gone_takes_its_links_with_it(tmp_path):
    files = {
        "AGENTS.md": "# A\n",
        "SOUL.md": "# S\n",
        "TOOLS.md": "# T\n",
        "memory/a.md": "[x](data/y.json)\n",
    }
    root = make(tmp_path, files)
    (root / "memory/data").mkdir()
    assert [one.code for one in told(root, "openclaw", KEY)] == ["M401"]
    (root / "memory/data").rmdir()
    assert told(root, "openclaw", KEY) == ()
