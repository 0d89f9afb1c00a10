"""What a user or a tree does wrong gets one sentence and an exit code; the rest of the tree still works."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import click
import pytest

from memtool.cli.wrong_usage import usage_sentence
from tests.trees import clean_environment, contents, interruptible, make, memtool

NOTE = "memory/notes/inbox/blue.md"


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "w"
    assert memtool("init", str(root), "--layout", "native", home=tmp_path).returncode == 0
    return make(root, {NOTE: "# Blue\n\nThe key hangs behind the blue door.\n"})


@pytest.fixture
def run(root, tmp_path):
    def run(*arguments, stdin="", **environment):
        return memtool("--root", str(root), *arguments, home=tmp_path, stdin=stdin, environment=environment)

    return run


@pytest.fixture
def bound(root, tmp_path):
    """Runs the command as somebody whom file modes bind, even where the tests run as root."""
    prefix = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("file modes do not bind root, and there is no setpriv to become somebody else")
        prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]

    def run(*arguments):
        return subprocess.run(
            [*prefix, sys.executable, "-m", "memtool", "--root", str(root), *arguments],
            env=clean_environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    return run


def assert_sentence(result, code, pattern):
    assert result.returncode == code, result.stderr
    assert result.stdout == ""
    assert re.fullmatch(rf"memtool: [^\n]*{pattern}[^\n]*\n", result.stderr), result.stderr


def finds_the_rest(result):
    assert f"{NOTE}:3: The key hangs behind the blue door." in result.stdout
    assert result.returncode == 0
    assert "Traceback" not in result.stderr


def test_no_workspace(tmp_path):
    result = memtool("status", home=tmp_path, cwd=tmp_path)
    steps = (
        "change to the folder of a workspace, specify one with --root DIR, or create one here with "
        "memtool init"
    )
    assert_sentence(result, 10, steps)


def test_a_folder_of_notes_needs_no_init(tmp_path):
    (tmp_path / "a.md").write_text("tea\n")
    refused = memtool("lint", home=tmp_path, cwd=tmp_path)
    assert_sentence(refused, 10, "use the notes in this folder as they are, add --layout obsidian")
    linted = memtool("--layout", "obsidian", "lint", "--ignore", "M5", home=tmp_path, cwd=tmp_path)
    assert (linted.returncode, linted.stdout) == (0, "")


@pytest.mark.parametrize(("named", "near"), [("assist.bakk", "assist.bak"), ("asist.bak/", "assist.bak")])
def test_a_workspace_with_a_similar_name_is_named_first(tmp_path, named, near):
    assert memtool("init", near, home=tmp_path, cwd=tmp_path).returncode == 0
    (tmp_path / "assist.bal").mkdir()
    for option, variables in ((["--root", named], {}), ([], {"MEMTOOL_ROOT": named})):
        result = memtool(*option, "search", "x", home=tmp_path, cwd=tmp_path, environment=variables)
        assert_sentence(result, 10, f"no such folder; did you mean {near}\\? Otherwise, create a workspace")


def test_a_root_that_is_not_there(tmp_path):
    assert_sentence(
        memtool("--root", str(tmp_path / "no"), "status", home=tmp_path),
        10,
        "no such folder; create a workspace",
    )


def test_an_unknown_layout(run):
    assert_sentence(run("--layout", "nope", "status"), 2, "the layouts are .*native")


def test_settings_that_are_not_toml(run, root):
    (root / "memtool.toml").write_text("layout = \n")
    assert_sentence(run("scan", "-m", "x"), 2, "memtool.toml is not valid TOML")


def test_settings_nested_without_end(run, root):
    (root / "memtool.toml").write_text("x = " + "[" * 20_000)
    assert_sentence(run("scan", "-m", "x"), 2, "nested too deeply")


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "soon"])
def test_times_off_the_calendar(run, time):
    assert_sentence(run("scan", "-m", "I prefer tea", MEMTOOL_NOW=time), 2, "MEMTOOL_NOW")
    assert_sentence(run("append-daily", "--user-text", "x", "--at", time), 2, "--at")


def test_half_a_surrogate_pair(run, root):
    assert run("scan", "--jsonl", "--json", stdin='{"text": "I prefer \\ud800 tea"}').returncode == 0
    assert "I prefer \ufffd tea" in (root / "MEMORY.md").read_text()


def test_a_query_without_a_word(run):
    for query in ("", "  ", "()"):
        assert_sentence(run("search", query), 1, "nothing to search for")


def test_a_setting_of_the_wrong_kind(run):
    assert_sentence(run("status", MEMTOOL_LOCK_TIMEOUT="soon"), 2, "MEMTOOL_LOCK_TIMEOUT")


def test_a_workspace_may_not_name_commands(run, root):
    marker = root.parent / "ran"
    (root / "memtool.toml").write_text(f'layout = "native"\nsummarizer = "touch {marker}"\n')
    result = run("append-daily", "--user-text", "x" * 2000)
    assert result.returncode == 0
    assert "cannot be set in a workspace" in result.stderr
    assert not marker.exists()


def test_a_file_that_is_not_utf8_is_searched_and_kept_as_it_is(run, root):
    content = "caf\xe9 au lait near the teapot\n".encode("latin-1")
    make(root, {"memory/notes/inbox/latin.md": content, "MEMORY.md": b"# Memory \xff\n\n## Auto-captured\n"})
    assert "latin.md:1:" in run("search", "teapot").stdout
    assert run("scan", "-m", "I prefer tea").returncode == 0
    assert (root / "MEMORY.md").read_bytes().startswith(b"# Memory \xff\n")
    assert (root / "memory/notes/inbox/latin.md").read_bytes() == content


def test_a_binary_file_where_text_is_edited(run, root):
    make(root, {"MEMORY.md": b"\0\1\2"})
    before = contents(root)
    assert_sentence(run("scan", "-m", "I prefer tea"), 14, "MEMORY.md is not a text file")
    log = "SESSION-STATE.md"
    assert contents(root) == {**before, log: (root / log).read_bytes()}
    assert b"I prefer tea" in (root / log).read_bytes()
    finds_the_rest(run("search", "blue door"))


def test_a_folder_where_a_file_should_be(run, root):
    (root / "MEMORY.md").unlink()
    (root / "MEMORY.md").mkdir()
    assert_sentence(run("scan", "-m", "I prefer tea"), 14, "MEMORY.md is a folder, not a file")
    finds_the_rest(run("search", "blue door"))


def test_a_pipe_in_the_tree(run, root):
    os.mkfifo(root / "memory" / "2025-01-15.md")
    finds_the_rest(run("search", "blue door"))
    result = run("append-daily", "--user-text", "x", MEMTOOL_NOW="2025-01-15T10:30:00Z")
    assert_sentence(result, 14, "is a pipe, not a file")
    assert_sentence(run("get", "memory/2025-01-15.md"), 14, "not a file")


def test_a_link_out_of_the_tree(run, root):
    secret = make(root.parent / "outside", {"secret.md": "blue secret"}) / "secret.md"
    (root / "memory" / "notes" / "inbox" / "out.md").symlink_to(secret)
    (root / "memory" / "notes" / "far").symlink_to(secret.parent)
    for name in ("memory/notes/inbox/out.md", "memory/notes/far/secret.md"):
        assert_sentence(run("get", name), 13, "leads outside the workspace")
    found = run("search", "blue secret")
    assert "secret" not in found.stdout
    finds_the_rest(run("search", "blue door"))


def test_a_file_too_large_for_the_index(run, root):
    make(
        root,
        {"memory/notes/inbox/big.md": "filler words of no use\n" * 2000 + "the needle in a blue haystack\n"},
    )
    result = run("search", "needle haystack", MEMTOOL_SEARCH_MAX_FILE_BYTES="10000")
    assert result.stdout.startswith("memory/notes/inbox/big.md:2001: the needle in a blue haystack")
    assert "too large for the index" in result.stderr
    finds_the_rest(run("search", "blue door", MEMTOOL_SEARCH_MAX_FILE_BYTES="10000"))


@pytest.mark.parametrize("message", ["", "\n", "  \t "])
def test_an_empty_message(run, message):
    assert_sentence(run("scan", stdin=message), 1, "the message is empty")
    assert_sentence(run("append-daily", stdin=message), 1, "the text is empty")


def test_a_closed_pipe_ends_quietly(root, tmp_path):
    make(root, {f"memory/notes/zettel/{i}.md": f"blue number {i} " * 40 for i in range(400)})
    shell = f'"{sys.executable}" -m memtool --root "{root}" search blue -n 400 --json; echo "code $?" >&2'
    result = subprocess.run(
        ["sh", "-c", f"({shell}) | head -c 10"],
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == '{"path": "'
    assert result.stderr == "code 0\n"


def test_a_tree_that_nobody_may_write(run, bound, root):
    finds_the_rest(run("search", "blue door"))
    before = contents(root)
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for path in root.rglob("*"):
        if path.is_file():
            path.chmod(0o400)
    for folder in folders:
        folder.chmod(0o500)
    try:
        result = bound("scan", "-m", "I prefer tea")
        assert_sentence(result, 19, "permission denied")
        finds_the_rest(bound("search", "blue door"))
        shutil_removed = root / ".memtool"
        assert shutil_removed.exists()
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert contents(root) == before


def test_a_tree_that_nobody_may_write_and_has_no_index(bound, root):
    shutil.rmtree(root / ".memtool")
    root.chmod(0o500)
    try:
        finds_the_rest(bound("search", "blue door"))
    finally:
        root.chmod(0o700)


def test_an_unreadable_file_is_named_and_never_empties_the_index(run, bound, root):
    finds_the_rest(run("search", "blue door"))
    (root / NOTE).chmod(0)
    unreadable = bound("search", "blue door")
    assert unreadable.returncode == 3
    assert "permission denied" in unreadable.stderr
    (root / NOTE).chmod(0o600)
    finds_the_rest(bound("search", "blue door"))


def test_an_unreadable_folder_is_not_an_empty_one(run, bound, root):
    finds_the_rest(run("search", "blue door"))
    (root / "memory" / "notes").chmod(0)
    unreadable = bound("search", "blue door")
    status = bound("status", "--json")
    (root / "memory" / "notes").chmod(0o700)
    assert unreadable.returncode == 3
    assert "memory/notes cannot be listed: permission denied" in unreadable.stderr
    assert status.returncode == 3
    assert json.loads(status.stdout)["index"]["documents"] > 5
    finds_the_rest(bound("search", "blue door"))


@pytest.mark.parametrize("named", [("--match", "blue door"), ("--before", "2030-01-01")])
def test_forget_reports_a_file_that_it_could_not_search(run, bound, root, named):
    (root / NOTE).chmod(0)
    result = bound("forget", *named, "--yes")
    (root / NOTE).chmod(0o600)
    assert result.returncode == 3
    assert (
        f"{NOTE} was not searched and may still contain the text; make the file or folder readable"
        in result.stderr
    )
    assert run("forget", "--match", "blue door", "--yes").returncode == 0


def test_forget_that_removed_only_some_of_the_text_is_not_complete(run, bound, root):
    make(root, {"memory/notes/inbox/other.md": "# Other\n\nA blue door.\n"})
    (root / NOTE).chmod(0)
    planned = bound("forget", "--match", "blue door", "--dry-run")
    result = bound("-q", "forget", "--match", "blue door", "--yes")
    (root / NOTE).chmod(0o600)
    assert planned.returncode == 3
    assert_sentence(result, 20, "was not searched and may still contain the text")
    assert "memory/notes/inbox/other.md" not in contents(root)
    assert run("forget", "--match", "blue door", "--yes").returncode == 0


def test_links_to_notes_in_a_folder_that_cannot_be_listed_are_not_broken(run, bound, root):
    make(root, {"memory/notes/zettel/kiln.md": "# Kiln\n", "memory/2025-01-15.md": "See [[kiln]].\n"})
    assert run("note", "broken").returncode == 0
    (root / "memory/notes/zettel").chmod(0)
    result = bound("note", "broken")
    (root / "memory/notes/zettel").chmod(0o700)
    assert (result.returncode, result.stdout) == (3, "")
    assert "1 link was not checked: the linked note may be in memory/notes/zettel" in result.stderr


@pytest.fixture
def closed(root):
    """A file in a folder that only root may enter, outside the workspace."""
    folder = make(root.parent / "closed", {"x.json": "[]"})
    folder.chmod(0)
    yield str(folder / "x.json")
    folder.chmod(0o700)


def test_a_transcript_in_a_folder_without_permission_is_unreadable_not_missing(bound, closed):
    assert_sentence(bound("import", closed), 14, "x.json cannot be read: permission denied")


@pytest.mark.parametrize("command", ["scan", "append-turn", "append-daily", "compact", "recover"])
def test_an_input_file_that_cannot_be_read_is_no_wrong_usage(bound, closed, command):
    assert_sentence(bound(command, closed), 14, "x.json' cannot be read: permission denied")


def test_lint_counts_and_names_an_unreadable_file_once(bound, root):
    (root / NOTE).chmod(0)
    result = bound("lint", str(root / NOTE))
    (root / NOTE).chmod(0o600)
    assert result.stdout == f"{NOTE}:1:1: M100 cannot be read: permission denied [error]\n"
    assert result.stderr == "memtool: 1 error in 1 file\n"


def test_settings_that_cannot_be_read_are_named_by_their_full_path(bound, root):
    (root / "memtool.toml").chmod(0)
    result = bound("search", "blue door")
    (root / "memtool.toml").chmod(0o600)
    assert_sentence(result, 14, f"{root}/memtool.toml cannot be read: permission denied")


def test_what_the_memory_tool_cannot_read_or_write_is_a_reply(bound, root):
    make(root, {"memories/open/a.md": "a\n", "memories/shut/b.md": "b\n", "memories/c.md": "c\n"})
    before = contents(root)
    shut, memories = root / "memories/shut", root / "memories"
    shut.chmod(0)
    listed = bound("memories", "view", "/memories")
    inside = bound("memories", "view", "/memories/shut")
    under = bound("memories", "view", "/memories/shut/b.md")
    memories.chmod(0o500)
    written = bound("memories", "delete", "/memories/open")
    memories.chmod(0o700)
    shut.chmod(0o700)
    assert listed.returncode == 0
    assert listed.stdout.endswith("/memories/shut/\n/memories/shut is not listed because it cannot be read\n")
    assert inside.returncode == 1
    assert inside.stdout == "memories/shut cannot be listed: permission denied\n"
    assert under.stdout == "memories/shut/b.md cannot be read: permission denied\n"
    assert written.stdout == ("memories/open cannot be removed: permission denied; it was not changed\n")
    assert contents(root) == before
    root.chmod(0o500)
    shutil.rmtree(root / ".memtool")
    assert bound("memories", "view", "/memories/c.md").stdout.endswith("     1\tc\n     2\t\n")
    assert bound("memories", "create", "/memories/d.md", "--file-text", "d").returncode == 19
    root.chmod(0o700)


def test_a_reader_of_replies_that_has_seen_enough(root, tmp_path):
    shell = (
        f'yes \'{{"command": "view", "path": "/memories"}}\' | "{sys.executable}" -m memtool --root "{root}"'
    )
    result = subprocess.run(
        ["sh", "-c", f'({shell} memories --jsonl; echo "code $?" >&2) | head -n 1'],
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert result.stderr == "code 0\n"


def test_names_that_are_not_utf8_or_hold_control_characters(run, root):
    inbox = root / "memory" / "notes" / "inbox"
    (inbox / os.fsdecode(b"caf\xe9.md")).write_text("blue latin name\n")
    (inbox / "bell\a.md").write_text("blue bell name\n")
    found = run("search", "blue", "name", "-n", "2")
    assert found.returncode == 0
    assert "\a" not in found.stdout
    for line in run("search", "blue", "name", "--json").stdout.splitlines():
        assert json.loads(line)["path"].startswith("memory/")


def test_a_json_line_that_is_none_costs_that_line(run, root):
    lines = [
        "{",
        "[]",
        '{"no": 1}',
        '{"text": 5}',
        '{"text": "I prefer tea", "at": "never"}',
        '{"text": "I prefer tea"}',
    ]
    result = run("scan", "--jsonl", stdin="\n".join(lines))
    assert result.returncode == 20
    assert result.stdout == "preference\tI prefer tea\n"
    *skipped, how_to_go_on = result.stderr.splitlines()
    assert [line[:15] for line in skipped] == [f"memtool: line {n}" for n in range(1, 6)]
    assert how_to_go_on.startswith("memtool: all other lines")


def test_a_hostile_private_folder_is_refused(run, root):
    shutil.rmtree(root / ".memtool")
    outside = make(root.parent / "outside", {"precious.txt": "precious"})
    (root / ".memtool").symlink_to(outside)
    assert_sentence(run("search", "blue"), 13, "is not a folder")
    assert_sentence(run("scan", "-m", "I prefer tea"), 13, "is not a folder")
    assert contents(outside) == {"precious.txt": b"precious"}


def test_an_interrupt_is_no_traceback(root, tmp_path):
    import signal

    with interruptible():
        process = subprocess.Popen(
            [sys.executable, "-m", "memtool", "--root", str(root), "scan", "--lines"],
            env=clean_environment(tmp_path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    process.stdin.write(b"I prefer tea\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"preference\tI prefer tea\n"
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    assert stderr.strip() == b"memtool: interrupted"


def run_with_streams(root, home, line):
    """The command of a shell line, with the streams that it closes."""
    return subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m memtool {line}'],
        cwd=root,
        env=clean_environment(home),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("lint", 1),
        ("doctor", 1),
        ("stats", 0),
        ("migrate --list", 0),
        ("note orphans", 1),
        ("nosuch", 2),
        ("help", 0),
    ],
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_no_traceback(root, tmp_path, line, code, closed):
    make(root, {"memory/notes/mark.md": "\ufeff# Mark [[nowhere]]\n"})
    result = run_with_streams(root, tmp_path, f"{line} {closed}")
    assert "Traceback" not in result.stderr
    assert result.returncode == (19 if ">&-" in closed.replace("2>&-", "") and code != 2 else code)


@pytest.mark.parametrize("line", ["scan -", "import -", "session-end --session s --transcript -"])
def test_a_stdin_that_is_named_and_closed_is_wrong_usage(root, tmp_path, line):
    result = run_with_streams(root, tmp_path, f"{line} <&-")
    assert_sentence(result, 2, "stdin is closed; give a file")


@pytest.mark.parametrize("line", ["--help", "search --help", "--version", "help search"])
def test_a_page_of_help_is_printed_as_data_is(root, tmp_path, line):
    for sink, code in (("| head -c 0", 0), ("> /dev/full", 19)):
        result = subprocess.run(
            ["bash", "-c", f'"{sys.executable}" -m memtool {line} {sink}; exit ${{PIPESTATUS[0]}}'],
            cwd=root,
            env=clean_environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (result.returncode, "Traceback" in result.stderr) == (code, False)


def test_no_command_at_all_shows_the_page_as_it_is(tmp_path):
    result = memtool(home=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == memtool("--help", home=tmp_path).stdout


def test_what_comes_near_is_named(run):
    assert_sentence(
        run("serach", "kiln"), 2, r"no such command 'serach' \(did you mean 'memtool search'\?\); see memtool"
    )
    assert_sentence(run("zzz"), 2, "no such command 'zzz'; see memtool --help")
    asked = click.UsageError("No such option '--nope'. (Did you mean one of: '--group', '--lines'?)")
    assert usage_sentence(asked) == "no such option '--nope' (did you mean '--group', '--lines'?)"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("facts show nope", 1, "no fact with the id 'nope'; see memtool facts list"),
        (
            "candidates show nope",
            1,
            "no candidate with the id 'nope' is waiting; see memtool candidates list",
        ),
        ("episodes show nope", 1, "no episode of session 'nope'; see memtool episodes list"),
        ("episodes show latest", 1, "no episodes yet; memtool session-end writes one"),
        ("log --role nope", 2, "the native layout has no role 'nope' (did you mean 'note'?)"),
        ("replay --seq 9:7", 2, "the start of '9:7' is after its end"),
        ("search kiln --since 2025-02-01 --until 2025-01-01", 2, "--since '2025-02-01' is after --until"),
        ("recover", 2, "no message given; expected JSON"),
        ("save", 2, "the text is empty; nothing was written"),
    ],
)
def test_what_is_not_there_or_cannot_be_meant_is_said(run, line, code, said):
    assert_sentence(run(*line.split()), code, re.escape(said))


def test_a_file_where_a_folder_is_meant(tmp_path):
    file = make(tmp_path, {"file": "x"}) / "file"
    assert_sentence(
        memtool("--root", str(file), "status", home=tmp_path), 10, "file is not a folder; give the root"
    )
    assert_sentence(
        memtool("init", str(file), home=tmp_path), 2, "file exists but is not a folder; choose another path"
    )


def test_vectors_need_what_reckons_with_them(root, tmp_path):
    """As after an installation without extras."""
    make(tmp_path, {"lacking/sitecustomize.py": "import sys\nsys.modules['numpy'] = None\n"})
    bare = clean_environment(tmp_path)
    bare["PYTHONPATH"] = f"{tmp_path / 'lacking'}{os.pathsep}{bare['PYTHONPATH']}"

    def run(*arguments, **more):
        return memtool("--root", str(root), *arguments, home=tmp_path, environment={**bare, **more})

    for line in (["search", "--mode", "semantic", "key"], ["save", "The kiln is blue"], ["recall", "kiln"]):
        result = run(*line, "--embedder", "cat")
        assert_sentence(result, 18, "--embedder needs numpy; run pip install")
    own = {"MEMTOOL_EMBEDDER": "cat"}
    assert run("save", "The kiln is blue", **own).returncode == 0
    found = run("recall", "kiln", **own)
    assert "The kiln is blue" in found.stdout
    assert "matched by words only" in found.stderr
    assert NOTE in run("search", "--mode", "hybrid", "key", **own).stdout


@pytest.mark.parametrize(
    "line",
    [
        "search -n {} key",
        "search -C {} key",
        "recall -n {} kiln",
        "log -n {}",
        "replay -n {}",
        "facts top -n {}",
        "trace -n {} kiln",
        "episodes list -n {}",
        "note graph --from blue --depth {}",
    ],
)
def test_a_number_beyond_all_counts_means_all(run, line):
    assert run("append-turn", "--user-text", "where is the kiln").returncode == 0
    assert run("save", "The kiln is blue").returncode == 0
    plain, huge = (run(*line.format(number).split()) for number in ("1000", "9" * 30))
    assert (huge.returncode, huge.stdout) == (plain.returncode, plain.stdout)
    assert "Traceback" not in huge.stderr
    assert "cannot be used" not in huge.stderr


def test_nothing_is_older_than_time(run, root):
    assert run("quarantine", "purge", "--older-than", "9" * 30).returncode == 0


def test_two_ways_to_hand_in_the_same_are_refused(run):
    result = run("append-daily", "--jsonl", "--user-text", "x")
    assert_sentence(result, 2, "--jsonl cannot be combined with --user-text or --agent-text")
    assert_sentence(run("scan", "--jsonl", "--lines"), 2, "--lines and --jsonl cannot be combined")


@pytest.mark.parametrize("error", ["RuntimeError", "EOFError"])  # the latter is that of a truncated .pyc file
def test_a_bug_has_an_exit_code_of_its_own_and_one_sentence(run, tmp_path, error):
    broken = make(tmp_path / "broken", {"fasteners/__init__.py": f"raise {error}('secret words')\n"})
    path = os.pathsep.join([str(broken), clean_environment(tmp_path)["PYTHONPATH"]])
    for traceback in ("", "1"):
        result = run("reindex", PYTHONPATH=path, MEMTOOL_TRACEBACK=traceback)
        assert result.returncode == 70
        assert ("Traceback" in result.stderr) == bool(traceback)
        *_, sentence = result.stderr.splitlines()
        assert re.match(
            f"memtool: internal error: {error} at memtool.*report it.*MEMTOOL_TRACEBACK=1", sentence
        )
        assert "secret words" not in sentence


def test_settings_out_of_range_are_refused_by_name(run, root):
    make(root, {"memtool.toml": 'layout = "native"\n[search]\nlimit = 0\n'})
    assert_sentence(
        run("search", "key"), 2, r"memtool.toml: search.limit must be a whole number from 1 to \d+, not 0"
    )
    assert_sentence(run("search", "key", MEMTOOL_SEARCH_LIMIT="9" * 30), 2, "memtool.toml: search.limit")


def test_a_sparse_file_of_gigabytes_is_named_and_not_read(run, root):
    os.truncate(
        make(root, {"memory/notes/inbox/sparse.md": ""}) / "memory/notes/inbox/sparse.md", 3_000_000_000
    )
    found = run("search", "blue door")
    assert (found.returncode, NOTE in found.stdout) == (0, True)
    assert found.stderr.count("sparse.md is too large to read (3000000000 bytes)") == 1
    assert run("search", "no such words").returncode == 3


def test_a_name_that_the_path_guard_refuses_stops_no_move_of_another_note(run, root):
    links = "See [[blue]].\n"
    make(root, {"memory/notes/inbox/%2e%2e%2f.md": links, "memory/notes/inbox/red.md": links})
    moved = run("note", "mv", "blue", "green")
    assert moved.returncode == 0
    assert "%2e%2e%2f.md: percent-encoded dots" in moved.stderr
    assert (root / "memory/notes/inbox/red.md").read_text() == "See [[green]].\n"


@pytest.mark.parametrize("arguments", [("save", "x"), ("scan", "-m", "I like tea"), ("undo",), ("reindex",)])
def test_a_workspace_that_may_not_be_written_is_named(root, bound, arguments):
    assert bound("save", "The key is spare").returncode == 0
    private = root / ".memtool"
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for path in private.iterdir():
        path.chmod(0o500 if path.is_dir() else 0o400)
    for folder in folders:
        folder.chmod(0o500)
    try:
        result = bound(*arguments)
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert result.returncode == 19
    assert result.stderr.startswith("memtool: no permission to write ")
    assert "memtool reindex" not in result.stderr
    assert "rebuilding it" not in result.stderr
