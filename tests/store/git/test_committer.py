"""Git: what memtool changes is committed, and nothing that a repository names is ever run or touched."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from memtool.core.records.document import etag_of
from memtool.core.records.plan import Append, Create, Move, Remove, Replace
from tests.trees import clean_environment, make, memtool, opened

FIXED = {"MEMTOOL_GIT": "true", "MEMTOOL_NOW": "2025-01-15T10:30:00Z"}
USER = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Marta"), ("EMAIL", "m@example.com"))
}
FILES = {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "# Memory\n", "other.txt": "1\n"}
QUIET = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat")
COMMANDS = """
    core.fsmonitor core.editor core.pager core.sshCommand core.gitProxy core.askPass core.alternateRefsCommand
    diff.external gpg.program gpg.ssh.program sequence.editor credential.helper uploadpack.packObjectsHook
    remote.origin.uploadpack remote.origin.vcs filter.evil.clean filter.evil.smudge filter.evil.process
    diff.evil.textconv diff.evil.command merge.evil.driver trailer.x.command trailer.x.cmd pager.log
    interactive.diffFilter browser.x.cmd alias.rev-parse alias.commit-tree commit.template
"""
HOOKS = """
    pre-commit prepare-commit-msg commit-msg post-commit post-index-change reference-transaction update
    pre-auto-gc post-rewrite fsmonitor-watchman post-checkout
"""


def git(where, *words, check=True):
    environment = {**clean_environment(where.parent), **USER}
    done = subprocess.run(
        ["git", *words], cwd=where, env=environment, capture_output=True, text=True, check=False
    )
    assert not check or done.returncode == 0, done.stderr
    return done.stdout.strip()


def scan(root, said="I prefer tea", **more):
    done = memtool("--root", str(root), "scan", "-m", said, home=root.parent, environment={**FIXED, **more})
    assert done.returncode == 0, done.stderr
    return done.stderr


def last(where, form="%s"):
    return git(where, "log", f"--format={form}", "-1")


def files(where, tree="HEAD"):
    return git(where, "ls-tree", "-r", "--name-only", tree).split("\n")


def commit(root, *plan):
    workspace = opened(root, HOME=str(root.parent), PATH=os.environ["PATH"], **FIXED)
    said = []
    workspace.say = said.append
    with workspace.lock():
        workspace.commit(plan)
    return said


@pytest.fixture
def root(tmp_path):
    root = make(tmp_path / "w", FILES)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def test_a_command_is_a_commit_of_the_files_it_changed(root):
    assert scan(root) == ""
    assert last(root) == "memtool scan: 3 lines in SESSION-STATE.md, 4 lines in MEMORY.md"
    assert git(root, "log", "--format=%b", "-1") == "SESSION-STATE.md +3 -0\nMEMORY.md +4 -0"
    assert (
        git(root, "log", "--format=%an <%ae> %aI", "-1")
        == "memtool <memtool@localhost> 2025-01-15T10:30:00+00:00"
    )
    assert git(root, "show", "--format=", "--name-only", "HEAD").split() == ["MEMORY.md", "SESSION-STATE.md"]
    assert git(root, "status", "--porcelain") == ""
    assert not (root / ".memtool" / "git-index").exists()


def test_what_the_user_has_staged_stays_staged_and_out_of_it(root):
    (root / "other.txt").write_text("2\n")
    (root / "new.txt").write_text("new\n")
    git(root, "add", "-A")
    (root / "other.txt").write_text("3\n")
    scan(root)
    assert git(root, "status", "--porcelain").split("\n") == ["A  new.txt", "MM other.txt"]
    assert git(root, "show", "HEAD:other.txt") == "1"


def test_a_file_with_something_staged_waits_for_the_users_own_commit(root):
    (root / "MEMORY.md").write_text("# Memory\n\nstaged\n")
    git(root, "add", "MEMORY.md")
    staged = git(root, "ls-files", "-s", "MEMORY.md")
    assert "MEMORY.md was not committed to git: what is staged of it waits for a commit of yours" in scan(
        root
    )
    assert git(root, "ls-files", "-s", "MEMORY.md") == staged
    assert git(root, "show", "--format=", "--name-only", "HEAD") == "SESSION-STATE.md"
    git(root, "commit", "-qm", "mine")
    assert git(root, "show", "HEAD:MEMORY.md") == "# Memory\n\nstaged"
    scan(root, "I prefer cocoa")
    assert "tea" in git(root, "show", "HEAD:MEMORY.md")
    assert git(root, "status", "--porcelain") == ""


def test_an_index_that_is_locked_for_a_moment_is_waited_for(root):
    """Whoever holds the lock lets go of it right after git has failed on it, before anybody can look."""
    lock, folder = root / ".git/index.lock", root.parent / "bin"
    lock.touch()
    let_go = f'case "$*" in *update-index*) rm -f "{lock}" ;; esac'
    script = f'#!/bin/sh\n"{shutil.which("git")}" "$@" || {{ code=$?; {let_go}; exit $code; }}\n'
    make(folder, {"git": script})
    folder.joinpath("git").chmod(0o755)
    assert scan(root, PATH=f"{folder}:{os.environ['PATH']}") == ""
    assert not lock.exists()
    assert git(root, "status", "--porcelain") == ""


def test_an_index_that_stays_locked_is_told_of(root):
    (root / ".git/index.lock").touch()
    assert "git's index was not brought in line with the commit; git reset does it" in scan(root)
    assert "tea" in git(root, "show", "HEAD:MEMORY.md")


def test_moves_and_removals_are_committed(root):
    commit(root, Create(Path("memory/a.md"), "a\n"), Create(Path("memory/b.md"), "b\n"))
    commit(
        root,
        Move(Path("memory/a.md"), Path("memory/c.md"), etag_of(b"a\n")),
        Remove(Path("memory/b.md"), etag_of(b"b\n")),
    )
    assert files(root) == [
        "MEMORY.md",
        "memory/c.md",
        "memtool.toml",
        "other.txt",
    ]
    assert git(root, "status", "--porcelain") == ""
    assert last(root) == "memtool: memory/a.md -> memory/c.md, 1 line out of memory/b.md"


def test_a_move_to_another_layout_says_where_each_file_went_and_not_where_it_waited(root):
    asked = ("--root", str(root), "migrate", "--to", "openclaw")
    make(root, {"memory/core/SOUL.md": "Warm.\n", "memory/core/USER.md": "Aziz.\n"})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    done = memtool(*asked, home=root.parent, environment=FIXED)
    assert done.returncode == 0, done.stderr
    assert last(root, "%s%n%n%b").strip().split("\n") == [
        "memtool migrate: 3 files",
        "",
        "memory/core/SOUL.md -> SOUL.md",
        "memory/core/USER.md -> USER.md",
        "memtool.toml +1 -1",
    ]


def test_undo_is_a_commit_too(root):
    scan(root)
    done = memtool("--root", str(root), "undo", home=root.parent, environment=FIXED)
    assert done.returncode == 0, done.stderr
    assert last(root).startswith("memtool undo: 4 lines out of ")
    assert git(root, "diff", "--stat", "HEAD~2", "HEAD") == ""


def test_the_users_name_and_the_first_commit_of_all(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    git(root, "init", "-q")
    git(root, "config", "user.name", "Marta")
    git(root, "config", "user.email", "marta@example.com")
    assert scan(root) == ""
    assert git(root, "log", "--format=%an %ae") == "Marta marta@example.com"


def test_a_detached_head_moves_and_no_branch_does(root):
    git(root, "checkout", "-q", "--detach")
    scan(root)
    assert last(root).startswith("memtool scan")
    assert git(root, "log", "--format=%s", "-1", "main") == "first"


def test_a_workspace_within_a_repository_commits_its_own_files(tmp_path):
    top = make(tmp_path / "top", {"readme": "x\n", "mem/memtool.toml": 'layout = "native"\n'})
    git(top, "init", "-q")
    scan(top / "mem")
    assert files(top) == [
        "mem/MEMORY.md",
        "mem/SESSION-STATE.md",
    ]


def test_a_linked_work_tree_and_a_submodule_are_committed_to(root, tmp_path):
    git(root, "worktree", "add", "-q", str(tmp_path / "linked"))
    scan(tmp_path / "linked")
    assert git(tmp_path / "linked", "log", "--format=%s", "-1").startswith("memtool scan")
    assert last(root) == "first"
    top = make(tmp_path / "super", {"x": "x\n"})
    git(top, "init", "-q")
    git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "sub")
    scan(top / "sub")
    assert git(top / "sub", "log", "--format=%s", "-1").startswith("memtool scan")


def test_what_git_ignores_or_another_repository_holds_is_not_committed(root):
    (root / ".gitignore").write_text("SESSION-STATE.md\n")
    make(root, {"groups/family/MEMORY.md": "# Memory\n"})
    git(root / "groups/family", "init", "-q")
    assert scan(root) == ""
    assert git(root, "show", "--format=", "--name-only", "HEAD") == "MEMORY.md"
    commit(root, Append(Path("groups/family/MEMORY.md"), "x\n"))
    assert last(root).startswith("memtool scan")


def test_a_tracked_file_is_committed_though_it_is_ignored(root):
    (root / ".gitignore").write_text("*.md\n")
    scan(root)
    assert git(root, "show", "--format=", "--name-only", "HEAD") == "MEMORY.md"


@pytest.mark.parametrize(
    ("prepare", "why"),
    [
        (lambda root: subprocess.run(["rm", "-rf", root / ".git"], check=True), "lies in no git repository"),
        (lambda root: git(root, "config", "core.bare", "true"), "this operation must be run in a work tree"),
        (lambda root: (root / ".git/MERGE_HEAD").write_text(""), "in the middle of a merge"),
        (lambda root: (root / ".git/index.lock").write_text(""), "index was not brought in line"),
        (
            lambda root: (root / ".git/config").write_text("[nonsense"),
            "nothing was committed to git: git rev-parse",
        ),
    ],
)
def test_a_repository_that_takes_no_commit_stops_no_command(root, prepare, why):
    prepare(root)
    assert why in scan(root)
    assert "tea" in (root / "MEMORY.md").read_text()


def test_a_machine_without_git_is_told_so(root, tmp_path):
    workspace = opened(root, PATH=f".:{root}:{tmp_path}", **FIXED)
    (root / "git").write_text("#!/bin/sh\ntouch owned\n")
    (root / "git").chmod(0o755)
    said = []
    workspace.say = said.append
    with workspace.lock():
        workspace.commit((Append(Path("MEMORY.md"), "x\n"),))
    assert said == ["nothing was committed to git: there is no git on the PATH"]
    assert not (root / "owned").exists()


def hostile(root, owned):
    """Everything in a repository that can name a command, naming one."""
    evil = root / ".git/evil"
    evil.write_text(f"#!/bin/sh\ntouch '{owned}'\ncat\n")
    evil.chmod(0o755)
    for name in COMMANDS.split():
        git(root, "config", name, str(evil))
    for name, value in {
        "core.hooksPath": str(root / ".git/hooks"),
        "commit.gpgSign": "true",
        "filter.evil.required": "true",
        "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::{evil}",
        "remote.origin.promisor": "true",
        "protocol.allow": "always",
        "core.worktree": str(root),
    }.items():
        git(root, "config", name, value)
    hooks = root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in HOOKS.split():
        (hooks / name).write_bytes(evil.read_bytes())
        (hooks / name).chmod(0o755)


def test_nothing_that_a_repository_names_is_run(root, tmp_path):
    owned = tmp_path / "owned"
    hostile(root, owned)
    assert scan(root) == ""
    assert git(
        root, "-c", "core.fsmonitor=false", "-c", "core.pager=cat", "log", "--format=%s", "-1"
    ).startswith("memtool")
    owned.unlink(missing_ok=True)
    (root / ".gitattributes").write_text("*.md filter=evil diff=evil merge=evil\n")
    assert "MEMORY.md was not committed to git: .gitattributes gives it a filter" in scan(
        root, "I prefer plov"
    )
    blob = git(
        root, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "rev-parse", "HEAD^{tree}"
    )
    owned.unlink(missing_ok=True)
    (root / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()  # a missing object, for the promisor to bring
    assert "nothing was committed" in scan(root, "I prefer somsa")
    assert not owned.exists()


def test_the_traps_do_go_off_where_git_is_used_as_usual(root, tmp_path):
    owned = tmp_path / "owned"
    hostile(root, owned)
    git(root, "status", check=False)
    assert owned.exists()


@pytest.mark.parametrize("way", ["link", "file", "worktree file", "commondir", "submodule"])
def test_a_tree_from_elsewhere_leads_into_no_repository_of_the_users(root, tmp_path, way):
    victim, guest = root, make(tmp_path / "guest", {"memtool.toml": 'layout = "native"\n'})
    before = git(victim, "rev-parse", "HEAD")
    if way == "link":
        (guest / ".git").symlink_to(victim / ".git")
    elif way == "file":
        (guest / ".git").write_text(f"gitdir: {victim}/.git\n")
    elif way == "commondir":
        git(guest, "init", "-q", "-b", "main")
        (guest / ".git/commondir").write_text(f"{victim}/.git\n")
    else:
        inner = make(
            guest / "inner",
            {"HEAD": "ref: refs/heads/main\n", "commondir": f"{victim}/.git\n", "gitdir": f"{guest}/.git\n"},
        )
        (guest / ".git").write_text(f"gitdir: {inner}\n")
        if way == "submodule":
            (inner / "config").write_text(f"[core]\n\tworktree = {guest}\n")
    assert "nothing was committed to git" in scan(guest)
    assert git(victim, "rev-parse", "HEAD") == before


@pytest.mark.parametrize("name", ["logs/HEAD", "logs/refs/heads/main", "refs/heads/main", "HEAD", "objects"])
def test_a_link_inside_the_repository_is_not_written_through(root, tmp_path, name):
    place = root / ".git" / name
    target = tmp_path / "target"
    place.rename(target)
    place.symlink_to(target)
    before = target.read_bytes() if target.is_file() else sorted(target.rglob("*"))
    assert "nothing was committed to git" in scan(root)
    assert before == (target.read_bytes() if target.is_file() else sorted(target.rglob("*")))


def test_odd_names_are_committed_as_they_are(root):
    names = [
        'memory/"quoted".md',
        "memory/a b\tc.md",
        "memory/*.md",
        "memory/-x.md",
        "memory/é😀.md",
        ":(top)x.md",
    ]
    commit(root, *(Create(Path(name), "x\n") for name in names))
    made = git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")
    assert {*names} <= {*made}
    assert git(root, "status", "--porcelain") == ""


def test_executables_and_crlf_stay_what_they_are(root):
    git(root, "config", "core.autocrlf", "true")
    page = root / "MEMORY.md"
    page.write_bytes(b"# Memory\r\n")
    page.chmod(0o755)
    commit(root, Replace(Path("MEMORY.md"), "# Memory\r\nx\r\n", etag_of(b"# Memory\r\n")))
    assert git(root, "ls-tree", "HEAD", "MEMORY.md").startswith("100755")
    raw = subprocess.run(
        ["git", "cat-file", "blob", "HEAD:MEMORY.md"], cwd=root, capture_output=True, check=True
    )
    assert raw.stdout == b"# Memory\r\nx\r\n"


def test_many_changes_in_a_row_are_few_commits_and_none_is_left_out(root):
    said = "\n".join(f"I prefer recipe number {number}x{number}" for number in range(30))
    done = memtool("--root", str(root), "scan", "--lines", home=root.parent, stdin=said, environment=FIXED)
    assert done.returncode == 0, done.stderr
    assert git(root, "status", "--porcelain") == ""
    assert int(git(root, "rev-list", "--count", "HEAD")) < 10


def test_a_purge_says_what_git_still_knows(root):
    scan(root)
    memtool("--root", str(root), "save", "The cat is grey", home=root.parent, environment=FIXED)
    listed = memtool("--root", str(root), "facts", "list", home=root.parent).stdout
    name = listed.split("\t")[0]
    done = memtool(
        "--root", str(root), "facts", "forget", "--purge", name, home=root.parent, environment=FIXED
    )
    assert "what is in git's history already stays there" in done.stderr


def test_a_workspace_does_not_turn_git_on(root):
    (root / "memtool.toml").write_text('layout = "native"\ngit = true\n')
    done = memtool("--root", str(root), "scan", "-m", "I prefer tea", home=root.parent)
    assert "memtool.toml may not set git" in done.stderr
    assert git(root, "log", "--format=%s") == "first"


def test_the_users_own_configuration_does(root, tmp_path):
    make(tmp_path, {".config/memtool/config.toml": "git = true\n"})
    memtool("--root", str(root), "scan", "-m", "I prefer tea", home=root.parent)
    assert last(root).startswith("memtool scan")


@pytest.mark.parametrize("more", ["--incognito", "--dry-run"])
def test_nothing_is_committed_where_nothing_is_written(root, more):
    memtool("--root", str(root), more, "scan", "-m", "I prefer tea", home=root.parent, environment=FIXED)
    assert git(root, "log", "--format=%s") == "first"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="git reaches its index by path here")
def test_a_link_in_place_of_the_private_folder_gets_no_index(root, tmp_path):
    """Git, begun in mid-command by a program that swaps the folder first."""
    scan(root)
    outside = make(tmp_path / "outside", {})
    swap = f"mv '{root}/.memtool' '{tmp_path}/away' && ln -s '{outside}' '{root}/.memtool'"
    trace = f'[ -z "$GIT_INDEX_FILE" ] || [ -L "{root}/.memtool" ] || {{ {swap}; }}'
    look = f"code=$?; ls -A '{outside}' >> '{tmp_path}/seen'; exit $code"
    folder = make(tmp_path / "bin", {"git": f'#!/bin/sh\n{trace}\n"{shutil.which("git")}" "$@"\n{look}\n'})
    (folder / "git").chmod(0o755)
    assert scan(root, "I prefer coffee", PATH=f"{folder}:{os.environ['PATH']}") == ""
    assert (root / ".memtool").is_symlink()
    assert (tmp_path / "seen").read_text() == ""
