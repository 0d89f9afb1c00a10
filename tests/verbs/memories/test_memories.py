"""The memory tool on a tree: what each command replies, to the letter, and what it leaves on disk."""

from __future__ import annotations

import itertools
import os
import re
import stat
from pathlib import Path

import pytest

from memtool.core.records.entries import Owner
from memtool.errors import OutsideWorkspace
from memtool.layouts.load import LAYOUT_NAMES
from memtool.store.commit.retry import ATTEMPTS
from memtool.store.lock import hold
from memtool.verbs.memories.memories import MemoryToolOptions, answer_command, clear_memories
from tests.trees import contents, make, opened

SDK, DOCS = MemoryToolOptions(), MemoryToolOptions(style="docs")
HEAD = "Here're the files and directories up to 2 levels deep in {}, excluding hidden items:"


@pytest.fixture
def root(tmp_path):
    return make(
        tmp_path / "w",
        {
            "MEMORY.md": "# Memory\n",
            "memories/a.md": "one\ntwo\n",
            "memories/d/b.md": "x" * 1536,
            "memories/d/e/deep.md": "three down\n",
            "memories/.hidden/c.md": "hidden\n",
            "memories/node_modules/m.js": "//\n",
            "memories/é.md": "",
        },
    )


@pytest.fixture
def ask(root):
    """Asks the tool one command: its words behind `! ` for an error, without what folders weigh."""

    def ask(command, how=SDK, **fields):
        reply = answer_command(opened(root, "native"), {"command": command, **fields}, how).reply
        words = re.sub(r"(?m)^\S+(?=\t\S*(/|/memories)$)", "SIZE", reply.content)
        return f"! {words}" if reply.is_error else words

    return ask


def test_a_folder_is_listed_two_levels_deep(ask):
    assert ask("view", path="/memories").split("\n") == [
        HEAD.format("/memories"),
        "SIZE\t/memories",
        "8B\t/memories/a.md",
        "SIZE\t/memories/d/",
        "1.5K\t/memories/d/b.md",
        "SIZE\t/memories/d/e/",
        "SIZE\t/memories/node_modules/",
        "3B\t/memories/node_modules/m.js",
        "0B\t/memories/é.md",
    ]


def test_the_documentation_lists_no_node_modules(ask):
    listed = ask("view", DOCS, path="/memories")
    assert listed.startswith(HEAD.format("/memories").removesuffix(":") + " and node_modules:\n")
    assert "m.js" not in listed


def test_a_listing_names_things_as_they_were_asked_for(ask):
    assert ask("view", path="/memories/").split("\n")[1:3] == ["SIZE\t/memories/", "8B\t/memories//a.md"]
    assert ask("view", path="/memories/d/../d//e").split("\n")[2] == "11B\t/memories/d/../d//e/deep.md"


def test_what_is_hidden_can_be_seen_by_its_name(ask):
    assert "7B\t/memories/.hidden/c.md" in ask("view", path="/memories/.hidden")


def test_a_memory_that_is_not_there_yet_is_empty(tmp_path):
    workspace = opened(tmp_path, "native")
    reply = answer_command(workspace, {"command": "view", "path": "/memories"}).reply
    assert not reply.is_error
    assert reply.content.count("\n") == 1
    assert stat.S_IMODE((tmp_path / "memories").stat().st_mode) == 0o700
    assert [path.name for path in tmp_path.iterdir()] == ["memories"]


def test_where_nothing_may_be_written_it_is_empty_all_the_same(tmp_path):
    workspace = opened(tmp_path, "native")
    workspace.writes = False
    reply = answer_command(workspace, {"command": "view", "path": "/memories"}).reply
    assert reply.content == f"{HEAD.format('/memories')}\n0B\t/memories"
    created = answer_command(workspace, {"command": "create", "path": "/memories/a", "file_text": "x"})
    assert created.reply.content == "File created successfully at: /memories/a"
    assert created.plan
    assert list(tmp_path.iterdir()) == []


ERRORS = [  # the command, the SDK's words, the documentation's where they are others
    (
        {"command": "view", "path": "/memories/x"},
        "The path /memories/x does not exist. Please provide a valid path.",
        None,
    ),
    (
        {"command": "view", "path": "/memories/a.md/x"},
        "The path /memories/a.md/x does not exist. Please provide a valid path.",
        None,
    ),
    (
        {"command": "create", "path": "/memories/a.md", "file_text": ""},
        "File /memories/a.md already exists",
        "Error: File /memories/a.md already exists",
    ),
    (
        {"command": "create", "path": "/memories/d/", "file_text": ""},
        "File /memories/d/ already exists",
        "Error: File /memories/d/ already exists",
    ),
    (
        {"command": "create", "path": "/memories/a.md/x", "file_text": ""},
        "The path /memories/a.md/x cannot be created: one of its parent directories is a file.",
        None,
    ),
    (
        {"command": "str_replace", "path": "/memories/x", "old_str": "a", "new_str": "b"},
        "The path /memories/x does not exist. Please provide a valid path.",
        "Error: The path /memories/x does not exist. Please provide a valid path.",
    ),
    (
        {"command": "str_replace", "path": "/memories/d", "old_str": "a", "new_str": "b"},
        "The path /memories/d is not a file.",
        "Error: The path /memories/d does not exist. Please provide a valid path.",
    ),
    (
        {"command": "str_replace", "path": "/memories/a.md", "old_str": "One", "new_str": "b"},
        "No replacement was performed, old_str `One` did not appear verbatim in /memories/a.md.",
        None,
    ),
    (
        {"command": "str_replace", "path": "/memories/a.md", "old_str": "o", "new_str": "b"},
        (
            "No replacement was performed. Multiple occurrences of old_str `o` in lines: 1, 2. "
            "Please ensure it is unique"
        ),
        None,
    ),
    (
        {"command": "insert", "path": "/memories/x", "insert_line": 0, "insert_text": "b"},
        "The path /memories/x does not exist. Please provide a valid path.",
        "Error: The path /memories/x does not exist",
    ),
    (
        {"command": "insert", "path": "/memories/d", "insert_line": 0, "insert_text": "b"},
        "The path /memories/d is not a file.",
        "Error: The path /memories/d does not exist",
    ),
    (
        {"command": "insert", "path": "/memories/a.md", "insert_line": 3, "insert_text": "b"},
        "Invalid `insert_line` parameter: 3. It should be within the range [0, 2].",
        (
            "Error: Invalid `insert_line` parameter: 3. "
            "It should be within the range of lines of the file: [0, 2]"
        ),
    ),
    (
        {"command": "delete", "path": "/memories/x"},
        "The path /memories/x does not exist",
        "Error: The path /memories/x does not exist",
    ),
    ({"command": "delete", "path": "/memories"}, "Cannot delete the /memories directory itself", None),
    ({"command": "delete", "path": "/memories/"}, "Cannot delete the /memories directory itself", None),
    ({"command": "delete", "path": "/memories/./"}, "Cannot delete the /memories directory itself", None),
    (
        {"command": "delete", "path": "/memories/d/.."},
        "Cannot delete the /memories directory itself",
        "Path /memories/d/.. would escape /memories directory",
    ),
    (
        {"command": "rename", "old_path": "/memories/x", "new_path": "/memories/y/z"},
        "The path /memories/x does not exist",
        "Error: The path /memories/x does not exist",
    ),
    (
        {"command": "rename", "old_path": "/memories/x", "new_path": "/memories/a.md"},
        "The destination /memories/a.md already exists",
        "Error: The destination /memories/a.md already exists",
    ),
    (
        {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/d"},
        "The destination /memories/d already exists",
        "Error: The destination /memories/d already exists",
    ),
    (
        {"command": "rename", "old_path": "/memories/", "new_path": "/memories/d/y"},
        "Cannot rename the /memories directory itself",
        None,
    ),
    (
        {"command": "rename", "old_path": "/memories/d", "new_path": "/memories/d/e/f"},
        "Cannot rename /memories/d to /memories/d/e/f: the destination is inside the source",
        None,
    ),
    (
        {"command": "rename", "old_path": "/memories/d", "new_path": "/memories/a.md/d"},
        "The path /memories/a.md/d cannot be created: one of its parent directories is a file.",
        None,
    ),
    (
        {"command": "rename", "old_path": "/memories/a.md", "new_path": "/etc/a.md"},
        "Path must start with /memories, got: /etc/a.md",
        None,
    ),
    (
        {"command": "view", "path": "/memories/../MEMORY.md"},
        "Path /memories/../MEMORY.md would escape /memories directory",
        None,
    ),
    (
        {"command": "delete", "path": "/memories/.."},
        "Path /memories/.. would escape /memories directory",
        None,
    ),
    ({"command": "view", "path": "/memoriesX"}, "Path must start with /memories, got: /memoriesX", None),
]


@pytest.mark.parametrize(("command", "sdk", "docs"), ERRORS)
def test_what_cannot_be_done_is_said_and_leaves_everything(root, ask, command, sdk, docs):
    before = contents(root)
    assert ask(**command) == f"! {sdk}"
    assert ask(how=DOCS, **command) == f"! {docs or sdk}"
    assert contents(root) == before
    assert not (root / "memories" / "y").exists()


def test_a_new_file_is_private_and_holds_just_the_bytes(root, ask):
    text = "\ufeffa\r\nb\x0c\u2028\0🙂 no end"
    assert ask("create", path="/memories/p/q/new.md", file_text=text) == (
        "File created successfully at: /memories/p/q/new.md"
    )
    made = root / "memories/p/q/new.md"
    assert made.read_bytes() == text.encode()
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.parent.parent.stat().st_mode) == 0o700
    assert ask("view", path="/memories/p/q/new.md") == (
        "Here's the content of /memories/p/q/new.md with line numbers:\n     1\ta\r\n     2\tb  🙂 no end"
    )


def test_no_name_may_hold_a_secret(root, ask):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    refused = ask("create", path=f"/memories/{secret}.md", file_text="a")
    assert "[REDACTED:github-token]" in refused
    assert secret not in refused
    ask("create", path="/memories/a2.md", file_text="a")
    assert "[REDACTED:github-token]" in ask(
        "rename", old_path="/memories/a2.md", new_path=f"/memories/{secret}"
    )


def test_an_edit_keeps_the_mode_and_the_ends_of_lines(root, ask):
    path = root / "memories/a.md"
    path.write_bytes(b"one\r\ntwo\r\n")
    path.chmod(0o640)
    assert ask("str_replace", path="/memories/a.md", old_str="two", new_str="2") == (
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        "     1\tone\r\n     2\t2\r\n     3\t"
    )
    assert ask("insert", path="/memories/a.md", insert_line=1, insert_text="1.5\n") == (
        "The file /memories/a.md has been edited."
    )
    assert path.read_bytes() == b"one\r\n1.5\n2\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_folder_is_renamed_and_deleted_with_all_it_holds(root, ask):
    assert ask("rename", old_path="/memories/d/", new_path="/memories/new/place") == (
        "Successfully renamed /memories/d/ to /memories/new/place"
    )
    assert (root / "memories/new/place/e/deep.md").read_text() == "three down\n"
    assert ask("delete", path="/memories/new/place") == "Successfully deleted /memories/new/place"
    assert list((root / "memories/new").iterdir()) == []
    assert not [path for path in (root / ".memtool").iterdir() if path.name.endswith(".memtool-removed")]


def test_a_file_that_is_no_text_is_not_shown_and_not_edited(root, ask):
    make(root, {"memories/latin": b"caf\xe9\n"})
    words = (
        "! The file /memories/latin is not UTF-8 text; it can be renamed or deleted, but not shown or edited."
    )
    assert ask("view", path="/memories/latin") == words
    assert ask("insert", path="/memories/latin", insert_line=0, insert_text="x") == words
    assert ask("rename", old_path="/memories/latin", new_path="/memories/l") == (
        "Successfully renamed /memories/latin to /memories/l"
    )
    assert (root / "memories/l").read_bytes() == b"caf\xe9\n"


@pytest.fixture
def linked(root):
    """Links of every kind: to a file and a folder beside, up, out, to nothing, and in a loop."""
    make(root.parent, {"outside/secret.md": "SECRET\n"})
    memories = root / "memories"
    for name, target in {
        "link.md": "d/b.md",
        "linkdir": "d",
        "d/up": "..",
        "far": str(memories / "d/e"),
        "out.md": "../../outside/secret.md",
        "outdir": "../../outside",
        "sibling.md": "../MEMORY.md",
        "dangling": "d/nothing.md",
        "loop": "loop",
    }.items():
        (memories / name).symlink_to(target)
    os.mkfifo(memories / "pipe")
    return memories


def test_links_are_followed_inside_and_never_out(linked, ask):
    names = [row.split("\t")[1] for row in ask("view", path="/memories").split("\n")[2:]]
    assert [name.removeprefix("/memories/") for name in names] == [
        "a.md", "d/", "d/b.md", "d/e/", "d/up/", "far/", "far/deep.md", "link.md", "linkdir/", "linkdir/b.md",
        "linkdir/e/", "linkdir/up/", "node_modules/", "node_modules/m.js", "é.md",
    ]  # fmt: skip
    for path in ("out.md", "outdir", "outdir/secret.md", "sibling.md", "d/up/../MEMORY.md"):
        assert (
            ask("view", path=f"/memories/{path}")
            == f"! Path /memories/{path} would escape /memories directory"
        )
        assert "escape" in ask("delete", path=f"/memories/{path}")
        assert "escape" in ask("rename", old_path="/memories/a.md", new_path=f"/memories/{path}/x")
    assert ask("create", path="/memories/linkdir/new.md", file_text="x").startswith("File created")
    assert (linked / "d/new.md").read_text() == "x"
    assert ask("insert", path="/memories/d/up/a.md", insert_line=0, insert_text="zero").startswith("The file")
    assert (linked / "a.md").read_text() == "zero\none\ntwo\n"
    assert (linked / "out.md").resolve().read_text() == "SECRET\n"


def test_what_leads_nowhere_is_not_there(linked, ask):
    for name in ("dangling", "loop"):
        assert "does not exist" in ask("view", path=f"/memories/{name}")
        assert "does not exist" in ask("delete", path=f"/memories/{name}")
    assert ask("view", path="/memories/pipe") == "! Unsupported file type for /memories/pipe"
    assert ask("str_replace", path="/memories/pipe", old_str="a", new_str="b") == (
        "! The path /memories/pipe is not a file."
    )
    assert ask("delete", path="/memories/pipe") == "! The path /memories/pipe does not exist"


def test_a_link_is_deleted_and_renamed_itself(linked, ask):
    assert ask("delete", path="/memories/linkdir") == "Successfully deleted /memories/linkdir"
    assert not (linked / "linkdir").is_symlink()
    assert ask("rename", old_path="/memories/link.md", new_path="/memories/deep/er/link.md") == (
        "Successfully renamed /memories/link.md to /memories/deep/er/link.md"
    )
    assert os.readlink(linked / "deep/er/link.md") == "../../d/b.md"
    assert ask("rename", old_path="/memories/far", new_path="/memories/deep/far").startswith("Successfully")
    assert (linked / "deep/far/deep.md").read_text() == "three down\n"
    assert (linked / "d/b.md").read_text() == "x" * 1536


def test_a_folder_with_links_out_goes_without_what_they_lead_to(root, linked, ask):
    (linked / "d/out").symlink_to(root.parent / "outside")
    (linked / "d/memory").symlink_to("../../MEMORY.md")
    ask("delete", path="/memories/d")
    assert (root.parent / "outside/secret.md").read_text() == "SECRET\n"
    assert (root / "MEMORY.md").read_text() == "# Memory\n"


def test_names_that_would_forge_a_listing_are_not_in_it(root, ask):
    make(root, {"memories/x\n9K\t/memories/forged": "", "memories/y\r": ""})
    assert "forged" not in ask("view", path="/memories")
    assert "y" not in ask("view", path="/memories").split("\t")[-1]


def test_a_memory_that_is_a_link_stays_in_the_workspace(tmp_path):
    root = make(tmp_path / "w", {"kept/a.md": "a\n", "groups/x/b.md": ""})
    (root / "memories").symlink_to("kept")
    view = {"command": "view", "path": "/memories/a.md"}
    assert answer_command(opened(root, "native"), view).reply.content.endswith("     1\ta\n     2\t")
    delete = {"command": "delete", "path": "/memories"}
    assert answer_command(opened(root, "native"), delete).reply.is_error
    (root / "memories").unlink()
    (root / "memories").symlink_to(tmp_path)
    reply = answer_command(opened(root, "native"), {"command": "view", "path": "/memories"}).reply
    assert reply.is_error
    assert reply.content == "memories leads outside the workspace through a symbolic link"
    with pytest.raises(OutsideWorkspace):
        clear_memories(opened(root, "native"))


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_every_layout_has_a_place_for_it(layout, tmp_path):
    create = {"command": "create", "path": "/memories/a/b.txt", "file_text": "The zebra kiln.\n"}
    workspace = opened(tmp_path, layout)
    assert not answer_command(workspace, create).reply.is_error
    (path,) = contents(tmp_path)
    located = workspace.role_of(path)
    assert located.role == "memories"
    assert located.place.indexed
    assert located.place.inject == "on-demand"


@pytest.mark.parametrize("layout", ["native", "nano"])
def test_a_group_has_a_memory_of_its_own(layout, tmp_path):
    make(tmp_path, {"groups/family/MEMORY.md": "", "memories/mine.md": "mine\n"})
    workspace = opened(tmp_path, layout)
    create = {"command": "create", "path": "/memories/a.md", "file_text": "x"}
    answer_command(workspace, create, MemoryToolOptions(group="family"))
    assert (tmp_path / "groups/family/memories/a.md").read_text() == "x"
    assert workspace.role_of("groups/family/memories/a.md").group == "family"
    listed = answer_command(
        workspace, {"command": "view", "path": "/memories"}, MemoryToolOptions(group="family")
    ).reply.content
    assert "mine.md" not in listed
    (tmp_path / "groups/family/memories/peer").symlink_to("../../../memories")
    view = {"command": "view", "path": "/memories/peer/mine.md"}
    assert "escape" in answer_command(workspace, view, MemoryToolOptions(group="family")).reply.content


def test_a_file_that_changes_meanwhile_stops_the_edit(root):
    workspace = opened(root, "native")
    read = workspace.disk.read
    edits = itertools.count()

    def read_and_edit(path):
        document = read(path)
        (root / "memories/a.md").write_text(f"by hand {next(edits)}\n")
        return document

    workspace.disk.read = read_and_edit
    insert = {"command": "insert", "path": "/memories/a.md", "insert_line": 0, "insert_text": "x"}
    reply = answer_command(workspace, insert).reply
    assert reply.is_error
    assert reply.content == (
        "The file /memories/a.md has changed since it was read. Nothing was written. "
        "Please view the file and try again."
    )
    assert (root / "memories/a.md").read_text() == f"by hand {ATTEMPTS - 1}\n"


def test_a_lock_that_is_held_is_a_reply_too(root):
    workspace = opened(root, "native", MEMTOOL_LOCK_TIMEOUT="0.05")
    with hold(workspace.root, 1.0):
        reply = answer_command(workspace, {"command": "delete", "path": "/memories/a.md"}).reply
        viewed = answer_command(workspace, {"command": "view", "path": "/memories/a.md"}).reply
    assert reply.is_error
    assert reply.content.startswith(".memtool/lock was locked by another memtool process for longer than ")
    assert not viewed.is_error
    assert (root / "memories/a.md").exists()


def test_all_of_it_can_be_cleared(root):
    answered = clear_memories(opened(root, "native"))
    assert answered.reply.content == "All memory cleared"
    assert list((root / "memories").iterdir()) == []
    assert Path(root / "MEMORY.md").exists()


def test_a_name_that_another_user_has_is_not_available_and_is_not_said_to_exist(root):
    make(root, {"memories/ann/deep/x.md": "---\nowner: user:ann\n---\nx\n"})
    make(root, {"memories/mine.md": "---\nowner: user:bob\n---\nx\n"})
    bob = MemoryToolOptions(owner=Owner("user", "bob"))

    def ask(command, **fields):
        return answer_command(opened(root, "native"), {"command": command, **fields}, bob).reply.content

    for name in ("ann", "ann/deep", "ann/deep/x.md", "ann/deep/x.md/y"):
        path = f"/memories/{name}"
        refusal = f"The path {path} is not available. Please choose another name."
        assert ask("create", path=path, file_text="x") == refusal
        assert ask("rename", old_path="/memories/mine.md", new_path=path) == refusal
        assert ask("view", path=path) == f"The path {path} does not exist. Please provide a valid path."
        assert ask("delete", path=path) == f"The path {path} does not exist"
    assert "ann" not in ask("view", path="/memories")
    assert ask("create", path="/memories/mine.md", file_text="x") == "File /memories/mine.md already exists"
    ask("create", path="/memories/ann/own.md", file_text="x")
    assert "/memories/ann/own.md" in ask("view", path="/memories")
    assert "/deep" not in ask("view", path="/memories/ann")
