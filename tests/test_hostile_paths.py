"""No name, link or program leads to where one may not look, write or run; thousands of hostile ones try."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.compaction.tokens import estimate_tokens
from memtool.core.records.scope import ROOT
from memtool.errors import DelegateFailed, MemtoolError, OutsideWorkspace
from memtool.verbs.access.get import get
from memtool.verbs.access.scope import decide_scope
from memtool.verbs.compaction.compact import CompactRequest, compact
from memtool.verbs.compaction.condense import CondenseCommands
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.memories.memories import MemoryToolOptions, answer_command
from tests.examples import examples
from tests.trees import NOW, contents, make, opened, scope_of

STEPS = [
    "..", ".", "", "...", "....", "~", "~root", "%2e%2e", "%252e%252e", "%2E.", "．．", "‥", "..\u200b",
    "\0", "..\0", "a\nb", "groups", "memory", "MEMORY.md", "memory.md", "SOUL.md", "family", "work",
    "global", "FAMILY", "family ", " family", "out", "outdir", "loop", "peer", "peerdir", "rootlink",
    "etc", "passwd", "secret.md", ".git", ".memtool", "C:", "\\\\host", "2025-01-14.md", "x" * 256, "é",
    "e\u0301", "\u202e", "con", "*", "?", "$HOME", "`id`", ";id", "|id", "-", "--", "$(id)",
]  # fmt: skip
NAMES = st.builds(
    lambda first, steps, glue: first + glue.join(steps),
    st.sampled_from(["", "", "", "/", "//", "./", "../", "\\", "~/", "file://"]),
    st.lists(st.sampled_from(STEPS) | st.text(max_size=3), min_size=1, max_size=6),
    st.sampled_from(["/", "/", "/", "//", "\\", "/./", "%2f", "／"]),
)
OFTEN = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    database=None,
)
TALK = '[{"role": "user", "content": "Let\'s go with the blue tiles."}]'


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A host of groups, in which links lead everywhere that they should not."""
    base = tmp_path_factory.mktemp("paths")
    make(base, {"secret.md": "SECRET outside\n", "outside/memory/a.md": "SECRET outside\n"})
    root = make(
        base / "w",
        {
            "MEMORY.md": "of the root\n",
            "memory/2025-01-14.md": "of the root\n",
            "groups/family/MEMORY.md": "of family\n",
            "groups/family/memory/2025-01-14.md": "of family\n",
            "groups/work/MEMORY.md": "of work\n",
            "groups/work/memory/plan.md": "of work\n",
            "groups/global/MEMORY.md": "of all\n",
            "memtool.toml": 'layout = "nano"\n',
            "bin/helper": "#!/bin/sh\ntouch pwned\necho pwned\n",
        },
    )
    (root / "bin/helper").chmod(0o755)
    for place in (root, root / "groups/family", root / "groups/family/memory", root / "memory"):
        for name, target in {
            "out.md": base / "secret.md",
            "out": base / "secret.md",
            "outdir": base / "outside",
            "loop": "loop",
            "peer.md": root / "groups/work/MEMORY.md",
            "peerdir": root / "groups/work",
            "rootlink.md": root / "MEMORY.md",
        }.items():
            (place / name).symlink_to(target)
    (root / "groups/evil").symlink_to(root / "groups/work")
    (root / "groups/etc").symlink_to("/etc")
    return root


@given(st.lists(NAMES, min_size=10, max_size=10), st.sampled_from([None, "family", ROOT]))
@settings(OFTEN, max_examples=examples(200))
def test_nothing_is_read_that_may_not_be(root, names, group):
    allowed = {None: "of", "family": ("of family", "of all"), ROOT: ("of the root", "of all")}[group]
    workspace = opened(root, "nano")
    scope = scope_of(workspace, group)
    for name in names:
        try:
            got = get(workspace, name, scope)
        except MemtoolError:
            continue
        assert got is None or (got.text.startswith(allowed) and "SECRET" not in got.text), name


@pytest.mark.parametrize(
    "name",
    [
        "peer.md",
        "memory/peer.md",
        "rootlink.md",
        "groups/family/memory/peer.md",
        "groups/work/MEMORY.md",
        "out.md",
    ],
)
def test_links_and_paths_out_of_a_group_are_refused_with_a_reason(root, name):
    workspace = opened(root, "nano")
    scope = scope_of(workspace, "family")
    with pytest.raises(OutsideWorkspace) as refused:
        get(workspace, name, scope)
    assert len(str(refused.value)) > 20
    assert "\n" not in str(refused.value)


@given(
    st.lists(NAMES | st.sampled_from(STEPS), min_size=10, max_size=10),
    st.sampled_from([None, "family", "main"]),
    st.booleans(),
)
@settings(OFTEN, max_examples=examples(200))
def test_no_name_makes_somebody_another_group(root, names, actor, writes):
    workspace = opened(root, "nano")
    before = os.listdir(root / "groups")
    for name in names:
        try:
            target = decide_scope(workspace, name, actor, writes=writes).group
        except MemtoolError:
            continue
        finally:
            assert os.listdir(root / "groups") == before
        assert target in {"family", "work", "global", ROOT}, name
        if actor == "family":
            assert target == "family" or (target == "global" and not writes), name


@pytest.mark.parametrize("asked", ["work", "global", "nobody", "main", "../work", "evil", "family/../work"])
def test_a_group_writes_its_own_memory_alone(root, asked):
    with pytest.raises(OutsideWorkspace):
        decide_scope(opened(root, "nano"), asked, "family", writes=True)


@given(NAMES | st.sampled_from(STEPS))
@settings(OFTEN, max_examples=examples(300))
def test_nothing_is_written_where_it_may_not_be(root, name):
    before = contents(root.parent)
    asked = CompactRequest(now=NOW, today=NOW.date(), limit=1000, fresh=True)
    try:
        group = decide_scope(opened(root, "nano"), name, "family", writes=True).group
        compact(
            opened(root, "nano"),
            TALK,
            replace(asked, group=group),
            triggers=DEFAULT_TRIGGERS,
            count=estimate_tokens,
            commands=CondenseCommands(),
        )
    except MemtoolError:
        pass
    after = contents(root.parent)
    changed = {path for path in after.keys() | before.keys() if after.get(path) != before.get(path)}
    assert all(path.startswith("w/groups/family/") for path in changed)


def test_a_link_inside_a_group_is_not_written_through(tmp_path):
    root = make(tmp_path / "w", {"groups/a/x.md": "x", "groups/b/MEMORY.md": "of b\n"})
    (root / "groups/a/MEMORY.md").symlink_to("../b/MEMORY.md")
    asked = CompactRequest(now=NOW, today=NOW.date(), limit=1000, fresh=True, group="a")
    with pytest.raises(OutsideWorkspace, match="points outside groups/a"):
        compact(
            opened(root, "nano"),
            TALK,
            asked,
            triggers=DEFAULT_TRIGGERS,
            count=estimate_tokens,
            commands=CondenseCommands(),
        )
    assert (root / "groups/b/MEMORY.md").read_text() == "of b\n"


MEMORY_COMMANDS = st.one_of(
    st.builds(lambda path: {"command": "view", "path": path}, NAMES),
    st.builds(lambda path: {"command": "create", "path": path, "file_text": "new\n"}, NAMES),
    st.builds(lambda path: {"command": "str_replace", "path": path, "old_str": "of", "new_str": "OF"}, NAMES),
    st.builds(
        lambda path: {"command": "insert", "path": path, "insert_line": 0, "insert_text": "new"}, NAMES
    ),
    st.builds(lambda path: {"command": "delete", "path": path}, NAMES),
    st.builds(lambda old, new: {"command": "rename", "old_path": old, "new_path": new}, NAMES, NAMES),
)


@given(
    MEMORY_COMMANDS,
    st.sampled_from(["/memories/", "/memories/", "/memories", "/memories/outdir/", "/memories/peerdir/", ""]),
    st.sampled_from([None, "family"]),
)
@settings(OFTEN, max_examples=examples(300))
def test_the_memory_tool_stays_where_it_is(root, command, start, group):
    memory = root / ("memories" if group is None else f"groups/{group}/memories")
    for name, target in {
        "outdir": root.parent / "outside",
        "peerdir": root / "groups/work",
        "out.md": root.parent / "secret.md",
        "loop": "loop",
        "up": "..",
    }.items():
        memory.mkdir(exist_ok=True)
        if not (memory / name).is_symlink():
            (memory / name).symlink_to(target)
    before = contents(root.parent)
    asked = {key: start + text if key.endswith("path") else text for key, text in command.items()}
    reply = answer_command(opened(root, "nano"), asked, MemoryToolOptions(group=group)).reply
    after = contents(root.parent)
    changed = {path for path in after.keys() | before.keys() if after.get(path) != before.get(path)}
    inside = str(memory.relative_to(root.parent)) + "/"
    assert all(path.startswith(inside) for path in changed)
    assert not any(word in reply.content for word in ("SECRET", "of work", "of the root", "of family"))
    assert "Traceback" not in reply.content


PROGRAMS = st.builds(
    lambda start, steps, end: start + "/".join(steps) + end,
    st.sampled_from(["", "", "./", "../w/", "bin/", "X=1 ", "X=1 ./", "groups/../"]),
    st.lists(st.sampled_from(["bin", "helper", "..", ".", "w", "", "outdir"]), min_size=1, max_size=4),
    st.sampled_from(["", "", " --help", " | cat", "; true"]),
)


@given(
    PROGRAMS,
    st.booleans(),
    st.sampled_from(["{w}/bin", "bin", ".", "", ":{w}/bin:", "{w}/bin:/usr/bin:/bin"]),
)
@settings(OFTEN, max_examples=examples(150))
def test_no_program_of_the_workspace_is_run(root, program, as_line, path):
    environment = {"PATH": path.format(w=root)}
    delegate = Delegate(
        "summarizer", program if as_line else (program,), environment, str(root), seconds=5, max_bytes=1000
    )
    here = Path.cwd()
    os.chdir(root)
    try:
        delegate.run("x")
    except (DelegateFailed, MemtoolError):
        pass
    finally:
        os.chdir(here)
    assert not (root / "pwned").exists()
