"""Completion: what the shells themselves make of a line, what is offered, and what it never does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from memtool.cli.table import COMMANDS
from tests import forked
from tests.shells import TAUGHT, Terminal
from tests.trees import NONEXISTENT, SAMPLE, clean_environment, make, memtool

SHELLS = ("bash", "zsh", "fish")
ODD = "memory/notes/odd"
NAMES = (
    "aa b's $(touch planted).md",
    "bb:c=d@e&f;g|h.md",
    "cc\\d*[x]?.md",
    'dd"q`w`~.md',
    "ее кириллица.md",
    "ff{a,b}%#.md",
    "gg^$HOME<x>.md",
    "漢字 字.md",
)


def environment_of(folder: Path) -> dict[str, str]:
    """A home, and the `memtool` of this Python on the path."""
    shims = folder / "bin"
    shims.mkdir(exist_ok=True)
    forked.write_command(shims / "memtool")
    return clean_environment(folder, PATH=f"{shims}:{os.environ['PATH']}", LC_ALL="C.UTF-8")


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} IS NOT INSTALLED: its completion was not tried")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    shutil.copytree(SAMPLE, folder / "w")
    make(folder / "w" / ODD, dict.fromkeys(NAMES, "# Odd\n"))
    state = folder / "w" / "SESSION-STATE.md"
    state.write_text(
        state.read_text() + "- [2025-01-15T10:00:00+00:00] [user:odil@example.org] **decision**: x\n"
    )
    return folder / "w"


@pytest.fixture(scope="module", params=SHELLS)
def terminal(request: pytest.FixtureRequest, root: Path) -> Iterator[Terminal]:
    needs(request.param)
    shell = Terminal(request.param, root, environment_of(root.parent), TAUGHT[request.param])
    yield shell
    shell.close()


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("memtool statu", "memtool status "),
        ("memtool search --exp", "memtool search --explain "),
        ("memtool search --role da", "memtool search --role daily-note "),
        ("memtool search --role=da", "memtool search --role=daily-note "),
        ("memtool search --mode=hy", "memtool search --mode=hybrid "),
        ("memtool search role:da", "memtool search role:daily-note "),
        ('memtool search "role:da', 'memtool search "role:daily-note" '),
        ("memtool scan --group who", "memtool scan --group wholesale "),
        ("memtool --user odil@", "memtool --user odil@example.org "),
        ("memtool facts show m-4", "memtool facts show m-4f1a90 "),
        ("memtool get memory/no", "memtool get memory/notes/"),
        ("memtool get celad", "memtool get memory/notes/zettel/celadon.md "),
        ("memtool help exit", "memtool help exit-codes "),
        ("memtool truncate lea", "memtool truncate learnings/"),
        ("memtool --root learn", "memtool --root learnings/"),
        ("memtool --root=learn", "memtool --root=learnings/"),
        ("memtool --root ~/w/groups/wholesale --layout native get SO", None),
        ("memtool migrate --to obs", "memtool migrate --to obsidian "),
        ("memtool migrate --only dai", "memtool migrate --only daily-notes "),
        ("memtool note sh", "memtool note show "),
        ("memtool note show kiln-s", "memtool note show memory/notes/zettel/kiln-schedule.md "),
        ("memtool trace m-4", "memtool trace m-4f1a90 "),
        ("memtool trace MEM", "memtool trace MEMORY.md:"),
        ("memtool log --role sem", "memtool log --role semantic "),
        ("memtool nothing such", "memtool nothing such"),
        ("memtool recall wor", "memtool recall wor"),
    ],
)
def test_a_line_is_completed_in_each_shell(terminal, typed, line):
    completed, _ = terminal.completed(typed)
    assert completed == (f"{typed}UL.md " if line is None else line)


def test_what_may_be_taken_back_is_offered_by_its_id(terminal, root):
    home = root.parent
    if not (root / ".memtool/journal").exists():
        memtool("--root", str(root), "scan", "-m", "I prefer tea", home=home)
    row = json.loads(memtool("--root", str(root), "--json", "log", "-n", "1", home=home).stdout)
    assert terminal.completed(f"memtool undo {row['id'][:4]}")[0] == f"memtool undo {row['id']} "


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mark", ["", "'", '"'])
def test_a_name_comes_out_as_one_word_whatever_is_in_it(terminal, root, name, mark):
    completed, _ = terminal.completed(f"memtool get {mark}{ODD}/{name[0]}")
    words = completed.removeprefix("memtool ")
    said = subprocess.run([terminal.shell, "-c", f"printf '%s|' {words}"], capture_output=True, check=True)
    assert said.stdout.decode() == f"get|{ODD}/{name}|"
    assert not (root / "planted").exists()


def test_several_are_shown(terminal):
    completed, seen = terminal.completed("memtool search --role work", "\t\t")
    assert completed.startswith("memtool search --role work")
    for role in ("working", "working-memory", "working-buffer", "workspace"):
        assert role in seen


@pytest.mark.parametrize("shell", SHELLS)
def test_an_installed_script_is_found_by_new_shells(shell, tmp_path):
    needs(shell)
    loader = Path("/usr/share/bash-completion/bash_completion")
    if shell == "bash" and not loader.exists():
        pytest.skip("bash-completion IS NOT INSTALLED: a script installed for bash was not looked for")
    environment = environment_of(tmp_path)
    done = subprocess.run(
        ["memtool", "completion", "install", shell],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    path = Path(done.stdout.removeprefix("written\t").strip())
    taught = {
        "bash": f"source {loader}",
        "zsh": f"fpath=({path.parent} $fpath)\nautoload -Uz compinit && compinit -u -D",
        "fish": "",
    }
    terminal = Terminal(
        shell, tmp_path, environment, taught[shell], ["fish", "-i"] if shell == "fish" else []
    )
    assert terminal.completed("memtool statu")[0] == "memtool status "
    terminal.close()


ASK = """
import contextlib, io, json, os, sys
import memtool.cli.completion.shells as shells
from memtool.cli.main import run
shells._TIME_LIMIT = float(sys.argv[1])
exec(sys.argv[2])
answers = []
for line in json.load(sys.stdin):
    os.environ["COMP_LINE"] = line
    said = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        run([])
    answers.append(said.buffer.getvalue().decode().rstrip("\\n").split("\\n")[1::3])
json.dump(answers, sys.stdout)
"""


def answers(
    lines: Sequence[str], root: Path, patience: float = 20.0, before: str = "", **more: str
) -> list[list[str]]:
    """What is offered for each line, by one process that is asked as the script for zsh asks."""
    environment = clean_environment(root.parent, _MEMTOOL_COMPLETE="zsh_complete", **more)
    result = subprocess.run(
        [sys.executable, "-c", ASK, str(patience), before],
        input=json.dumps(lines),
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert result.stderr == ""
    found: list[list[str]] = json.loads(result.stdout)
    return found


def offered(line: str, root: Path, **more: str) -> list[str]:
    """What is offered for one line."""
    return answers([line], root, **more)[0]


LINES = [
    ("memtool se", ["search", "session", "session-end"]),
    ("memtool --use", ["--user"]),
    ("memtool rules ", ["list", "add", "edit", "archive", "restore"]),
    ("memtool rules archive ", ["r-1c9e02", "r-83b5d7"]),
    ("memtool rules edit ", ["r-1c9e02", "r-83b5d7"]),
    ("memtool rules archive r-1c9e02 ", ["r-83b5d7"]),
    ("memtool rules restore r", ["r-40aa6f"]),
    ("memtool rules add ", []),
    ("memtool candidates approve ", ["c-9c881f672c72", "c-f6ddcbe6d2c2"]),
    ("memtool candidates --user nobody approve ", []),
    ("memtool candidates list ", []),
    ("memtool facts list ", []),
    ("memtool facts forget m-7", ["m-77c2d1"]),
    ("memtool episodes show ", ["latest", "s-20250114-1"]),
    ("memtool episodes show memory/", ["memory/episodic/2025-01-14-celadon-at-cone-6.md"]),
    ("memtool quarantine purge ", ["2025/01/15/00000000000000000004.json"]),
    (
        "memtool quarantine show memory/",
        ["memory/history/quarantine/2025/01/15/00000000000000000004.json"],
    ),
    ("memtool quarantine add memory/history/t", ["memory/history/turns/"]),
    ("memtool quarantine list ", []),
    ("memtool save --category pre", ["preference"]),
    ("memtool save --key ", []),
    ("memtool --session s-", ["s-20250114-1"]),
    ("memtool get --role long", ["long-term"]),
    ("memtool get --role daily", []),
    ("memtool get --group wholesale ", ["MEMORY.md", "SOUL.md", "memory/"]),
    ("memtool get celad", ["memory/notes/zettel/celadon.md"]),
    ("memtool get 20241110", ["memory/notes/zettel/cone-6.md"]),
    ("memtool get 2024", []),
    ("memtool get groups/", ["groups/global/", "groups/wholesale/"]),
    ("memtool get ../", []),
    ("memtool get /etc/pass", []),
    ("memtool search --path memory/hist", ["memory/history/"]),
    ("memtool search sp", ["speaker:"]),
    ("memtool search speaker:us", ["speaker:user"]),
    ("memtool --layout q", ["q15", "qanot"]),
    ("memtool --layout qanot get --role s", ["session-state", "session-state-archive"]),
    ("memtool context --mode ", ["words", "lexical"]),
    ("memtool import chat", ["chatgpt"]),
    ("memtool completion f", ["fish"]),
    ("memtool help sea", ["search"]),
    ("memtool help lay", ["layouts"]),
    ("memtool watch s", ["stop", "status"]),
    ("memtool watch --un", ["--unit"]),
    ("memtool watch --unit ", ["systemd", "launchd"]),
    ("memtool --json facts --user ann to", ["top"]),
    ("memtool facts list --p", []),
    ("memtool facts list --cat", ["--category"]),
    ("memtool facts --category goal list --al", ["--all"]),
    ("memtool hook in", ["install"]),
    ("memtool hook install cl", ["claude-code"]),
    ("memtool learn error --to", ["--tool"]),
]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Each of the lines with what is offered for it; nothing was written, and no index made."""
    folder = tmp_path_factory.mktemp("asked")
    shutil.copytree(SAMPLE, folder / "w")
    before = sorted(folder.rglob("*"))
    lines = [line for line, _ in LINES]
    found = dict(zip(lines, answers(lines, folder / "w"), strict=True))
    assert sorted(folder.rglob("*")) == before
    return found


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_what_is_offered(line, expected, asked):
    assert asked[line] == expected


@pytest.mark.parametrize(
    "more",
    [
        {"MEMTOOL_ROOT": NONEXISTENT},
        {"MEMTOOL_LAYOUT": "nonsense"},
        {"MEMTOOL_MODE": "nonsense"},
        {"MEMTOOL_GROUP": "../.."},
        {"MEMTOOL_SEARCH_LIMIT": "many"},
    ],
)
def test_where_a_command_would_fail_nothing_is_offered(more, root):
    lines = ["memtool get ", "memtool facts show ", "memtool --user ", "memtool search --role "]
    assert answers(lines, root, **more) == [[]] * len(lines)


@pytest.mark.parametrize("content", [b"layout = [", b"\xff\xfe\x00", b'layout = "nonsense"'])
def test_a_broken_workspace_completes_to_nothing(content, tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": content, "MEMORY.md": "# Memory\n"})
    paths, commands, files = answers(["memtool get ", "memtool ", "memtool truncate ME"], root)
    assert paths == []
    assert "status" in commands
    assert files == ["ME"]  # a file anywhere: the shell sees to it


def test_broken_files_cost_only_their_names(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    semantic = tmp_path / "w" / "memory" / "semantic"
    (semantic / "facts.md").write_bytes(b"\xff\x00 ^m-broken\n" * 9)
    (semantic / "preferences.md").unlink()
    (semantic / "preferences.md").mkdir()
    (tmp_path / "w" / "memory" / "cognition" / "pending.jsonl").write_bytes(b"[[[[\n{}\nnull\n")
    lines = ["memtool facts show m-", "memtool candidates show "]
    assert answers(lines, tmp_path / "w") == [["m-a1d4f3", "m-e6b97c"], []]


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    os.mkfifo(tmp_path / "w" / "pipe")
    assert offered("memtool scan pipe --jso", tmp_path / "w") == ["--jsonl", "--json"]


def test_who_acts_for_a_group_is_offered_what_it_may_read(tmp_path):
    lines = {
        "memtool search --group ": ["wholesale", "global"],
        "memtool get ": ["MEMORY.md", "SOUL.md", "memory/"],
        "memtool get groups/": ["groups/global/", "groups/wholesale/"],
        "memtool search --path ": ["groups/"],
        "memtool get --group family ": [],
        "memtool facts show ": [],
        "memtool --user ": [],
    }
    shutil.copytree(SAMPLE, tmp_path / "w")
    make(tmp_path / "w" / "groups" / "family", {"MEMORY.md": "# Memory\n"})
    assert answers([*lines], tmp_path / "w", MEMTOOL_GROUP="wholesale") == [*lines.values()]


def test_a_name_that_would_drive_the_terminal_is_not_offered(tmp_path):
    odd = {"memory/a\x1b[31m.md": "", "memory/b\nc.md": "", "memory/d\u202e.md": ""}
    make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **odd})
    assert offered("memtool get memory/", tmp_path / "w") == []


def test_the_line_before_the_cursor_names_the_workspace(root):
    elsewhere = root.parent / "elsewhere"
    elsewhere.mkdir()
    lines = [
        "memtool --root ~/w get --role lo",
        "memtool get --root=$HOME/w --role lo",
        f"memtool get --json --root '{root}' --role=lo",
    ]
    assert answers(lines, elsewhere) == [["long-term"]] * 3


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_clicks_own_way_of_asking_is_answered_too(shell, root):
    script = memtool(home=root.parent, environment={"_MEMTOOL_COMPLETE": f"{shell}_source"})
    assert script.stdout == memtool("completion", shell, home=root.parent).stdout
    words = {"COMP_WORDS": "memtool statu", "COMP_CWORD": "stat" if shell == "fish" else "1"}
    more = {"_MEMTOOL_COMPLETE": f"{shell}_complete", **words}
    assert "status" in memtool(home=root.parent, cwd=root, environment=more).stdout


def test_the_function_for_bash_can_be_called_with_words_alone(root):
    script = """
source <(memtool completion bash)
COMP_WORDS=(memtool search --role da); COMP_CWORD=3
_memtool_completion
printf '%s\\n' "${COMPREPLY[@]}"
"""
    said = subprocess.run(
        ["bash", "-c", script], cwd=root, env=environment_of(root.parent), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert (said.stdout, said.stderr) == ("daily-note\n", "")


def test_a_command_s_name_costs_no_more_than_click(root):
    code = (
        "import sys\nfrom memtool.cli.main import run\n"
        "try:\n    run([])\nexcept SystemExit:\n    pass\n"
        "rooms = ('memtool.verbs', 'memtool.store', 'memtool.formats', 'memtool.cli.commands.search')\n"
        "print([name for name in sys.modules if name.startswith(rooms)], file=sys.stderr)\n"
    )
    for line in ("memtool ", "memtool --", "memtool sea"):
        environment = clean_environment(root.parent, _MEMTOOL_COMPLETE="bash_complete", COMP_LINE=line)
        result = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        assert result.stdout
        assert result.stderr == "[]\n"


def test_every_command_completes_its_options(root):
    for options in answers([f"memtool {name} --" for name in COMMANDS], root):
        assert {"--help", "--root", "--session"} <= {*options}


def test_a_script_of_somebody_else_s_is_left_alone(tmp_path):
    place = tmp_path / ".config" / "fish" / "completions" / "memtool.fish"
    place.parent.mkdir(parents=True)
    place.write_text("# mine\n")
    refused = memtool("completion", "install", "fish", home=tmp_path)
    assert refused.returncode == 2
    assert "was not written by memtool" in refused.stderr
    assert place.read_text() == "# mine\n"


def test_an_older_script_of_ours_is_renewed_where_a_link_leads_to(tmp_path):
    place = tmp_path / ".config" / "fish" / "completions" / "memtool.fish"
    kept = tmp_path / "dotfiles" / "memtool.fish"
    for folder in (place.parent, kept.parent):
        folder.mkdir(parents=True)
    kept.write_text("# as printed by: memtool completion fish\n")
    place.symlink_to(kept)
    for mode, result in (("incognito", "would be written"), ("", "written"), ("", "unchanged")):
        run = memtool("completion", "install", "fish", home=tmp_path, environment={"MEMTOOL_MODE": mode})
        assert run.stdout == f"{result}\t{place}\n"
    assert place.is_symlink()
    assert kept.read_text() == memtool("completion", "fish", home=tmp_path).stdout


def test_what_takes_too_long_is_given_up(root):
    slow = "memtool.cli.completion.shells.ShellComplete.complete = lambda _: time.sleep(60)"
    lines = ["memtool rules archive ", "memtool get "]
    assert answers(
        lines, root, patience=0.2, before=f"import time, memtool.cli.completion.shells; {slow}"
    ) == [[], []]


def test_a_folder_of_many_files_is_cut_and_narrowed_by_a_letter(tmp_path):
    files = {f"memory/notes/{n:05}.md": "" for n in range(1_500)}
    make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **files})
    whole, narrowed = answers(["memtool get memory/notes/", "memtool get memory/notes/014"], tmp_path / "w")
    assert len(whole) == 1_000
    assert len(narrowed) == 100
