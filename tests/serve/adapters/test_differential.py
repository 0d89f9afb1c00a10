"""memtool against the SDK's own memory tool: the same commands, the same replies, the same bytes on disk.

What differs is in DIFFERENCES, each with its reason, and nothing else may.
"""

from __future__ import annotations

import copy
import itertools
import os
import re
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtool.core.memories.memory_commands import parse_command, path_components
from memtool.core.memories.memory_replies import CommandRefused
from memtool.core.privacy.recalled import lines_for_model
from memtool.verbs.memories.memories import answer_command
from tests.examples import examples
from tests.trees import opened

DIFFERENCES = {
    "error replies": "the SDK raises a Python exception; memtool says what is wrong and changes nothing",
    "path prefix": "the SDK takes /memoriesX for a folder X of the memory; memtool requires /memories/",
    "encoded paths": "%2e, %2f, %5c, %00 and ..\\ in a path are refused, as the documentation requires",
    "line breaks in names": "such a name would forge lines of a listing; it is refused, and not listed",
    "symbolic links": "delete and rename act on a link, not on the file that it leads to",
    "empty old_str": "it matches everywhere and identifies no place; the SDK replaces it in an empty file",
    "file modes": "an edit keeps the mode that a person gave a file; the SDK makes it 0600",
    "failed renames": "a rename that fails leaves no new folders behind",
    "booleans as line numbers": "true is not a line number",
}


LONE = re.compile("[\ud800-\udfff]")


def sdk(tool: Any, command: Any) -> tuple[str, bool] | Exception:
    """The reply of the SDK's tool, as its runner sends it, and whether it is an error; or what it raises."""
    from anthropic.lib.tools import ToolError

    try:
        return LONE.sub("\ufffd", tool.call(copy.deepcopy(command))), False
    except ToolError as error:
        return LONE.sub("\ufffd", error.content), True
    except Exception as error:
        return error


def memtool(root: Path, command: Any) -> tuple[str, bool]:
    reply = answer_command(opened(root, "native"), command).reply
    return reply.content, reply.is_error


def tree(root: Path) -> dict[str, tuple[int, str | bytes]]:
    """Everything below a folder with its mode, and what a file holds or where a link leads."""
    found: dict[str, tuple[int, str | bytes]] = {}
    for folder, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            held: str | bytes = b""
            if stat.S_ISLNK(mode):
                held = os.readlink(path).replace(str(root), "")
            elif stat.S_ISREG(mode):
                held = Path(path).read_bytes()
            found[os.path.relpath(path, root)] = (mode, held)
    return found


def grow(root: Path, found: dict[str, tuple[int, str | bytes]]) -> None:
    """Make a folder hold just this."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(mode=0o700, parents=True)
    for path in sorted(found, key=lambda path: path.count("/")):
        mode, held = found[path]
        place = root / path
        if stat.S_ISDIR(mode):
            place.mkdir()
        elif stat.S_ISLNK(mode):
            place.symlink_to(str(held))
            continue
        elif stat.S_ISFIFO(mode):
            os.mkfifo(place)
        else:
            assert isinstance(held, bytes)
            place.write_bytes(held)
        place.chmod(stat.S_IMODE(mode))


def file(held: bytes, mode: int = 0o600) -> tuple[int, bytes]:
    return stat.S_IFREG | mode, held


FOLDER = (stat.S_IFDIR | 0o700, b"")
START: dict[str, tuple[int, str | bytes]] = {
    "a.md": file(b"one\ntwo\nthree\n"),
    "b.txt": file(b"aaaa\r\nab\xc3\xa9\x0ca\xe2\x80\xa8\r\nno end"),
    "empty": file(b""),
    "latin": file(b"caf\xe9\n"),
    "shared.md": file(b"one\n", 0o644),
    "d": FOLDER,
    "d/a.md": file(b"x" * 1500),
    "d/e": FOLDER,
    "d/e/f": FOLDER,
    "d/e/f/deep.md": file(b"deep\n"),
    ".hidden": file(b"seen by name\n"),
    "node_modules": FOLDER,
    "link.md": (stat.S_IFLNK, "a.md"),
    "linkdir": (stat.S_IFLNK, "d/e"),
    "d/up": (stat.S_IFLNK, ".."),
    "dangling": (stat.S_IFLNK, "nothing/there"),
    "out": (stat.S_IFLNK, "../outside"),
    "out.md": (stat.S_IFLNK, "../outside/secret.md"),
    "pipe": (stat.S_IFIFO | 0o600, b""),
}

PLACES = ["a.md", "b.txt", "d", "d/a.md", "d/e", "d/e/f/deep.md", "new.md", "d/new", "d/e/new.md", "link.md",
          "made/new.md", "linkdir", "linkdir/f", "linkdir/new.md", "d/up/a.md", "shared.md", "empty",
          "d/../b.txt", "d//e/", "./a.md"]  # fmt: skip
STEPS = ["a.md", "b.txt", "d", "e", "new", "é.md", "link.md", "linkdir", "dangling", "..", ".", "", "latin",
         "up", "out", "out.md", "pipe", ".hidden", "node_modules", "a\\b", "..\\x", "%2e%2e", "%252F",
         "100%", "a\nb", "a\0b", "\ud800", "n" * 256, "A.md", "~", "-", "x y"]  # fmt: skip
HEADS = ["/memories/", "/memories/", "/memories", "/memories//", "/etc/", "memories/", "", "/memories/../"]


@st.composite
def paths(draw: st.DrawFn) -> str:
    if draw(st.integers(0, 9)):
        return "/memories/" + draw(st.sampled_from(PLACES))
    rest = "/".join(draw(st.lists(st.sampled_from(STEPS), max_size=3)))
    return draw(st.sampled_from(HEADS)) + rest + draw(st.sampled_from(["", "/"]))


texts = st.text("ab\n\r é\x0c\u2028\t🙂", max_size=12) | st.sampled_from(
    ["one", "two\n", "aa", "\ud83d", "a\0"]
)
there = (
    st.sampled_from(["one", "two\n", "three", "aa", "ab", "a", "é", "\r\n", "no end", "\n", "deep", "x"])
    | texts
)
lines = st.integers(0, 3) | st.integers(-2, 7)
commands = st.one_of(
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": paths()},
        optional={"view_range": st.none() | st.lists(lines, max_size=3) | st.just([True, 2])},
    ),
    st.fixed_dictionaries({"command": st.just("create"), "path": paths(), "file_text": texts}),
    st.fixed_dictionaries(
        {"command": st.just("str_replace"), "path": paths(), "old_str": there, "new_str": texts}
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": paths(), "insert_line": lines, "insert_text": texts}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": paths()}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": paths(), "new_path": paths()}),
)
FIELDS = ["command", "path", "old_path", "file_text", "new_str", "insert_line", "view_range"]
spoilt = st.builds(
    lambda command, field, value: {**command, field: value},
    commands,
    st.sampled_from(FIELDS),
    st.sampled_from([None, 3, 1.5, True, ["x"], {}, "undo_edit"]),
) | st.sampled_from([None, 3, "view", [], {}, {"command": "view"}])
asked = st.integers(0, 14).flatmap(lambda die: commands if die else spoilt)
rounds = st.lists(asked, min_size=1, max_size=8)

counter = itertools.count()


def difference(command: Any, theirs: Any, ours: tuple[str, bool]) -> str | None:
    """The difference that a command may show in its reply, told from the command and what was made of it."""
    if isinstance(theirs, Exception):
        return "error replies" if ours[1] else "symbolic links"
    if command.get("view_range") == [True, 2]:
        return "booleans as line numbers"
    given = [command[key] for key in ("path", "old_path", "new_path") if isinstance(command.get(key), str)]
    for path in given:
        if path.startswith("/memories") and path != "/memories" and path[9] != "/":
            return "path prefix"
        if any(sign in path.lower() for sign in ("%2e", "%252f", "..\\")):
            return "encoded paths"
        if "\n" in path:
            return "line breaks in names"
    try:
        parse_command(command)
        for path in given:
            path_components(path)
    except CommandRefused:
        return "error replies"
    return "empty old_str" if command.get("old_str") == "" else None


@given(rounds)
@settings(
    max_examples=examples(120),
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_commands_are_answered_as_by_the_sdk(tmp_path, sequence):
    from anthropic.tools import BetaLocalFilesystemMemoryTool  # late: each process would collect it for 3 s

    base = tmp_path / str(next(counter))
    sides = base / "sdk", base / "memtool"
    for side in sides:
        (side / "outside").mkdir(parents=True)
        (side / "outside" / "secret.md").write_text("SECRET")
        grow(side / "memories", START)
    tool = BetaLocalFilesystemMemoryTool(str(sides[0]))
    for command in sequence:
        before = tree(sides[1] / "memories")
        theirs, ours = sdk(tool, command), memtool(sides[1], command)
        if not isinstance(theirs, Exception):  # a model is shown no characters that it cannot see
            theirs, ours = (lines_for_model(theirs[0]), theirs[1]), (lines_for_model(ours[0]), ours[1])
        after = tree(sides[1] / "memories")
        known = difference(command, theirs, ours)
        same = theirs == ours and tree(sides[0] / "memories") == after
        if not same:
            why = known or effect(command, theirs, ours, tree(sides[0] / "memories"), before, after)
            assert why in DIFFERENCES, f"{command}\n  sdk:     {theirs}\n  memtool: {ours}"
            if why in {
                "error replies",
                "path prefix",
                "encoded paths",
                "line breaks in names",
                "empty old_str",
                "booleans as line numbers",
            }:
                assert ours[1], ours
                assert "Traceback" not in ours[0]
                assert after == before
            grow(sides[0] / "memories", after)
        for side in sides:
            assert tree(side / "outside") == {"secret.md": (stat.S_IFREG | 0o644, b"SECRET")}
        assert "SECRET" not in ours[0]
    shutil.rmtree(base)


def assert_only_links_moved(before: dict[str, Any], after: dict[str, Any]) -> None:
    """One link is gone, at most one is new, and whatever else there was is as it was."""
    gone, new = before.keys() - after.keys(), after.keys() - before.keys()
    assert len(gone) == 1
    assert all(stat.S_ISLNK(before[path][0]) for path in gone)
    assert all(stat.S_ISLNK(after[path][0]) or stat.S_ISDIR(after[path][0]) for path in new)
    assert all(before[path] == after[path] for path in before.keys() & after.keys())


def effect(
    command: dict[str, Any],
    theirs: Any,
    ours: tuple[str, bool],
    left: dict[str, Any],
    before: dict[str, Any],
    after: dict[str, Any],
) -> str:
    """The difference that shows on disk alone, the replies being the same."""
    if theirs != ours:
        return "another reply"
    name = command["command"]
    if name == "rename" and ours[1] and after == before:
        return (
            "failed renames"
            if all(stat.S_ISDIR(left[path][0]) for path in left.keys() - before)
            else "effects"
        )
    if name in {"delete", "rename"} and not ours[1]:
        return "symbolic links" if before.keys() - after.keys() else "effects"
    if name in {"str_replace", "insert"} and not ours[1]:
        held = {path: one for path, (_, one) in left.items()}
        if held == {path: one for path, (_, one) in after.items()}:
            changed = [path for path in after if after[path] != left[path]]
            return "file modes" if all(before[path][0] == after[path][0] for path in changed) else "effects"
    return "effects"


@pytest.mark.parametrize("name", DIFFERENCES)
def test_every_difference_is_in_the_specification(name):
    page = (Path(__file__).parents[3] / "schemas" / "README.md").read_text(encoding="utf-8")
    assert f"**{name}**" in page
