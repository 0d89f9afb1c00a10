"""Calls that go wrong: what was changed is said truly, and a wrong call changes nothing."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from memtool.cli.main import run
from tests.trees import clean_environment, make, memtool


@pytest.mark.parametrize("arguments", [("save", "The lamp is red"), ("search", "lamp")])
def test_a_full_output_is_an_error_that_says_whether_a_change_stays(tmp_path, arguments):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "The lamp is old.\n"})
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memtool", *arguments],
            cwd=root,
            env=clean_environment(tmp_path),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 19
    says_kept = "changes that the command made to files were kept" in done.stderr
    assert says_kept == (arguments[0] == "save")
    if says_kept:
        assert "The lamp is red" in memtool("recall", "lamp", home=tmp_path, cwd=root).stdout


def test_a_layout_that_the_workspace_is_not_in_is_not_converted(tmp_path):
    assert memtool("init", "w", home=tmp_path, cwd=tmp_path).returncode == 0
    root = tmp_path / "w"
    result = memtool("--layout", "openclaw", "migrate", "--to", "native", home=tmp_path, cwd=root)
    assert result.returncode == 2
    assert "the layout setting is native, not openclaw" in result.stderr
    assert (root / "memory/core/SOUL.md").exists()


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ("--root w --root v maintain", "--root"),
        ("--root w maintain --root v", "--root"),
        ("maintain --root w --root=v", "--root"),
        ("--root w facts --user ann list --user bob", "--user"),
        ("--root w --user ann facts list --user bob", "--user"),
    ],
)
def test_two_values_of_an_option_that_says_whose_memory_is_meant_are_refused(tmp_path, arguments, option):
    for name in ("w", "v"):
        memtool("init", name, home=tmp_path, cwd=tmp_path)
    result = memtool(*arguments.split(), home=tmp_path, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"memtool: {option} was given as ")
    assert ("run the command once for each workspace" in result.stderr) == (option == "--root")


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("migrate --restore --only soul", "--restore --only"),
        ("migrate --to q15 --only soul", "--to --only"),
        ("search lamp -l -C 2", "-C -l"),
        ("search lamp --count --context 2", "-C --count"),
        ("search lamp --embedder cat", "--embedder --mode"),
        ("search lamp --mode lexical --embedder cat", "--embedder --mode"),
        ("append-daily --user-text a --full --summarizer cat", "--full --summarizer"),
        ("append-daily -m a --user-text b", "--message --user-text"),
        ("append-daily -m a --jsonl", "--jsonl --message"),
        ("mcp --list --config cursor", "--list --config"),
        ("lint --codes --fix", "--codes --fix"),
        ("lint --explain M101 M102", "--explain paths"),
        ("stats --plot --json", "--plot --json"),
        ("get MEMORY.md:1 --lines 1:2", "MEMORY.md:1 --lines"),
        ("merge --install --path MEMORY.md", "--install --path"),
        ("fleet run dbname=x lint --all --no-wait --timeout 3s", "--no-wait --timeout"),
        ("eval --tolerance 0.1", "--tolerance --against"),
        ("context --retrieved --latest-episode --prompt lamp", "--retrieved --latest-episode"),
        ("undo 1 2", "number ids"),
    ],
)
def test_an_option_that_does_not_apply_is_refused(tmp_path, arguments, options):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "The lamp is old.\n"})
    result = memtool(*arguments.split(), home=tmp_path, cwd=root)
    assert (result.returncode, result.stdout) == (2, "")
    assert all(name in result.stderr for name in options.split())


@pytest.mark.parametrize(
    "arguments",
    ["init ''", "search lamp --path ''", "lint ''", "get ''", "log --since ''", "--root '' status"],
)
def test_an_empty_value_is_refused(tmp_path, arguments):
    result = memtool(*shlex.split(arguments), home=tmp_path, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert " is empty; " in result.stderr
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("option", "hits"), [("--count", 10_000), ("-l", 10_000), ("--count", 10_001)])
def test_more_hits_than_are_counted_are_reported(tmp_path, option, hits):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "The lamp\n" * hits})
    result = memtool("search", "--exact", "lamp", option, home=tmp_path, cwd=root)
    assert result.stdout == ("MEMORY.md:10000\n" if option == "--count" else "MEMORY.md\n")
    assert ("more than 10000 hits" in result.stderr) == (hits > 10_000)


def test_of_other_options_the_last_value_holds(tmp_path):
    memtool("init", "w", home=tmp_path, cwd=tmp_path)
    result = memtool("--root", "w", "log", "-n", "3", "--limit", "1", home=tmp_path, cwd=tmp_path)
    assert result.returncode == 0
    assert len(result.stdout.splitlines()) == 1


def test_an_option_may_be_repeated_with_the_same_value(tmp_path):
    memtool("init", "w", home=tmp_path, cwd=tmp_path)
    result = memtool("--root", "w", "-v", "maintain", "-v", "--root", "w", home=tmp_path, cwd=tmp_path)
    assert result.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ("search --top-k 3 lamp", "'--limit'"),
        ("lint --list-rules", "'--codes'"),
        ("forget -y", "'--yes'"),
        ("migrate --check", "'--dry-run'"),
        ("log -C w", "'--root'"),
        ("rules --add x", "'memtool rules add'"),
        ("facts list --forget x", "'memtool facts forget'"),
        ("--doctor", "'memtool doctor'"),
    ],
)
def test_an_option_of_other_tools_is_answered_with_the_one_here(tmp_path, arguments, meant):
    result = memtool(*arguments.split(), home=tmp_path, cwd=tmp_path)
    assert result.returncode == 2
    assert f"(did you mean {meant}?)" in result.stderr


@pytest.mark.parametrize("action", ["status", "list"])
def test_what_shows_the_hooks_is_named(tmp_path, action):
    result = memtool("hook", action, home=tmp_path, cwd=tmp_path)
    assert "memtool doctor shows whether hooks are installed" in result.stderr


def test_the_help_for_another_agent_is_named(tmp_path):
    result = memtool("hook", "install", "cursor", home=tmp_path, cwd=tmp_path)
    assert result.returncode == 2
    assert "memtool help hooks" in result.stderr


def test_folders_as_arguments_are_taken_for_workspaces(tmp_path):
    for name in ("w", "v"):
        memtool("init", name, home=tmp_path, cwd=tmp_path)
    result = memtool("maintain", "w", "v", home=tmp_path, cwd=tmp_path)
    assert "run the command once for each workspace: memtool --root w maintain" in result.stderr
    result = memtool("maintain", "w", home=tmp_path, cwd=tmp_path)
    assert "to use this workspace, run: memtool --root w maintain" in result.stderr
    assert "--root" not in memtool("maintain", "x", home=tmp_path, cwd=tmp_path).stderr


def test_a_range_is_no_line_of_a_hit(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "a\nb\nc\n"})
    result = memtool("get", "MEMORY.md:3-1", home=tmp_path, cwd=root)
    assert (result.returncode, result.stdout) == (2, "")
    assert "--lines 3:1" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "next_step"),
    [
        # spellings of other programs; an option is not like one that only begins alike
        ("recall lamp --top_k 5", "(did you mean '--limit'?)"),
        ("search lamp --dryRun", "(did you mean '--dry-run'?)"),
        ("save lamp --user-id ann", "(did you mean '--user'?)"),
        ("undo -n 2", "; to undo the last N commands, run memtool undo N;"),
        ("rules list --all", "(did you mean '--archived'?)"),
        ("lint --fail-level error", "(did you mean '--fail-on'?)"),
        ("undo --force", "; memtool undo takes --forget and --group;"),
        ("mcp --port 80", "; memtool mcp takes --read-only, --group, --list and --config;"),
        ("decay --rate 0.1", "; memtool decay takes no options of its own;"),
        # an option without its value
        ("migrate --to", "--to needs a value: memtool migrate --to LAYOUT;"),
        ("search lamp --mode", "--mode needs a value; choose lexical, semantic or hybrid;"),
        ("--root", "--root needs a value: memtool --root DIR;"),
        # a value without its option
        ("note graph svg", "(did you mean --format svg?)"),
        ("reindex verify", "(did you mean --verify?)"),
        ("log 2d", "(did you mean --since 2d?)"),
        ("log 2025-01-15", "(did you mean --since 2025-01-15?)"),
        ("facts top 10", "(did you mean -n 10?)"),
        ("get MEMORY.md 10-20", "(did you mean --lines 10:20?)"),
        ("session start s1", "(did you mean --session s1?)"),
        ("forget MEMORY.md", "(did you mean --source MEMORY.md?)"),
        ("migrate opnclaw", "(did you mean --to openclaw?)"),
        ("hook install codex gemini", "; usage: memtool hook install"),
        ("status memory", "; usage: memtool status"),
        # a value without its action, or before it
        (
            "rules 'Answer in German'",
            "give the action before this value: memtool rules add 'Answer in German';",
        ),
        ("facts m-4f1a90", "(did you mean 'memtool facts show m-4f1a90'?);"),
        ("feedback up", "give the action before this value: memtool feedback add up;"),
        ("note celadon show", "give the action before this value: memtool note show celadon;"),
        ("watch daemon", "(did you mean 'memtool watch --daemon'?)"),
        ("config serch.limit 20", "(did you mean 'memtool config set search.limit 20'?)"),
        ("config search.limit=20", "(did you mean 'memtool config set search.limit 20'?)"),
        (
            "config hook.budget=lots",
            "memtool config set hook.budget VALUE: hook.budget must be a whole number",
        ),
        (
            "config hook.budget lots",
            "memtool config set hook.budget VALUE: hook.budget must be a whole number",
        ),
        ("learn 'never use tabs'", "; to add an instruction, run: memtool rules add 'never use tabs';"),
        ("facts restore m-4f1a90", "memtool trace ID prints the journal entry to undo;"),
        ("undo last", "to undo the last command, run memtool undo;"),
        ("undo m-4f1a90", "is the id of a fact, not of a journal entry; memtool trace m-4f1a90 prints"),
        ("undo r-4f1a90", "is the id of a rule, not of a journal entry; memtool trace r-4f1a90 prints"),
        ("help obsidian", "(did you mean 'memtool help layouts obsidian'?)"),
        ("help obsidain", "(did you mean 'memtool help layouts obsidian'?)"),
        ("log --since 'last week'", "; use a form such as 2025-01-15, 30d or yesterday"),
        ("search violin", "no match; to list all facts, preferences and rules, run memtool trace --all"),
        (
            "search role:fact",
            "(did you mean 'semantic'?); memtool help layouts native lists its roles",
        ),
        ("search x --role zzz", "no role 'zzz'; memtool help layouts native lists its roles"),
        ("config search.limit get", "(did you mean 'memtool config get search.limit'?)"),
        # first guesses
        ("sessions", "(did you mean 'memtool episodes'?)"),
        ("layouts", "(did you mean 'memtool help layouts'?)"),
        ("help layout", "(did you mean 'memtool help layouts'?)"),
        ("help all", "(did you mean 'memtool help --all'?)"),
        ("login", "; users need no account: add --user NAME to any command;"),
        ("backup", "; memory is plain files: copy the folder of the workspace, or keep it in git;"),
        ("uesr", "no such command 'uesr'; see memtool --help"),
        ("rules show r-1", "(did you mean 'memtool rules list'?)"),
        ("rules edit", "missing argument ID; memtool rules list prints the ids; usage: memtool rules edit"),
        ("quarantine show", "; memtool quarantine list prints the paths; usage: memtool quarantine show"),
        ("memories list", "(did you mean 'memtool memories view /memories'?)"),
        ("episodes delete s1", "run: memtool forget --source SESSION --dry-run;"),
        ("feedback good", "(did you mean 'memtool feedback add up'?)"),
        ("forget last", "; to undo the last change, run: memtool undo;"),
        ("forget today", "unexpected argument 'today'; usage: memtool forget [OPTIONS]"),
        ("log last", "(did you mean -n 1?)"),
        ("log today", "(did you mean --since today?)"),
        ("replay today", "unexpected argument 'today'; usage: memtool replay [OPTIONS]"),
        ("log --last 3", "(did you mean '--limit'?)"),
        ("undo --last", "; without an ID, memtool undo reverts the last change;"),
        ("lint fix", "'fix' (did you mean --fix?)"),
        # names of other programs, with the rest of the line
        ("upgrade", "; to install a newer version of memtool, see memtool help install;"),
        ("export --json", "for example: memtool facts list --json;"),
        ("show", "(did you mean 'memtool get PATH'?)"),
        ("show MEMORY.md", "(did you mean 'memtool get MEMORY.md'?)"),
        ("show the old lamp", "(did you mean: memtool search 'the old lamp'?)"),
        ("show m-4f1a90", "(did you mean 'memtool facts show m-4f1a90'?)"),
        ("show r-4f1a90", "(did you mean 'memtool rules list'?)"),
        ("get", "; to print a fact, run memtool facts show ID; to search for text,"),
        ("get the old lamp", "; to search for text, run: memtool search 'the old lamp';"),
        ("hooks install claude-code", "(did you mean 'memtool hook install claude-code'?)"),
        ("fact list --all", "(did you mean 'memtool facts list --all'?)"),
        ("list goals", "(did you mean 'memtool facts list'?)"),
        ("rm MEMORY.md", "(did you mean 'memtool forget --source MEMORY.md'?)"),
        ("rm MEMORY.md:1", "(did you mean 'memtool facts forget MEMORY.md:1'?)"),
        ("rm the old lamp", "(did you mean: memtool forget --match 'the old lamp'?)"),
        ("add I like tea", "(did you mean: memtool save 'I like tea'?)"),
        ("add --key x tea", "(did you mean 'memtool save --key x tea'?)"),
        ("restore r-4f1a90", "(did you mean 'memtool undo'?)"),
        ("append-turn hi hello", "memtool append-turn --user-text hi --agent-text hello;"),
        ("hook test", "; to try a hook, pipe an event to memtool hook -v;"),
        ("tag", "; memtool note tags lists the tags of notes;"),
        ("lint --fix --yes", "; lint --fix does not ask for confirmation; omit this option;"),
        ("redo", "; nothing has been undone, so nothing can be redone;"),
        # names that are nearly right, and what no shell expanded
        ("scan MEMROY.md", "(did you mean 'MEMORY.md'?)"),
        ("lint MEMROY.md", "(did you mean 'MEMORY.md'?)"),
        ("truncate 'the lamp'", "pipe it to memtool truncate;"),
        ("config set timezone Berlin", "(did you mean Europe/Berlin?)"),
        ("quarantine purge --older-than 30d", "; write 30;"),
        ("--root '~/w' status", "~/w contains a '~' or a variable that the shell did not expand; use /"),
        ("init '$HOME/w'", "$HOME/w contains a '~' or a variable that the shell did not expand; use /"),
        # without a text, on a terminal
        ("save", "no text given; run memtool save TEXT, or pipe the text to the command"),
        ("scan", "run memtool scan --message TEXT or memtool scan FILE, or pipe the text to the command"),
        ("facts edit m-000000", "no fact with the id 'm-000000'"),
    ],
)
def test_a_wrong_call_is_answered_with_what_to_type(tmp_path, monkeypatch, capsys, arguments, next_step):
    root = make(
        tmp_path / "w",
        {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "a\n", "memory/MEMORY.md": "b\n"},
    )
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert run(shlex.split(arguments)) in {1, 2, 10}
    printed = capsys.readouterr()
    assert printed.out == ""
    assert next_step in printed.err
    assert len(printed.err.splitlines()) == 1


@pytest.mark.parametrize(("word", "meant"), [("claude-code", "claude-code"), ("gemini", "gemini")])
def test_an_agent_after_hook_is_answered_with_the_installation(tmp_path, word, meant):
    result = memtool("hook", word, home=tmp_path, cwd=tmp_path)
    assert f"(did you mean 'memtool hook install {meant}'?)" in result.stderr


def test_a_fact_that_is_named_by_its_words_is_found_for_the_message(tmp_path):
    memtool("init", "w", home=tmp_path, cwd=tmp_path)
    memtool("save", "I drive an old Skoda Octavia, 2011", home=tmp_path, cwd=tmp_path / "w")
    result = memtool("facts", "edit", "I drive a Skoda", "I drive a Kia", home=tmp_path, cwd=tmp_path / "w")
    assert result.returncode == 1
    assert '"I drive an old Skoda Octavia, 2011"?)' in result.stderr


@pytest.mark.parametrize("option", ["--role=note", "--path=MEMORY.md", "--exact", "--since=30d", "--count"])
def test_a_restricted_search_without_a_match_does_not_name_recall(tmp_path, option):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "a\n"})
    result = memtool("search", "violin", option, home=tmp_path, cwd=root)
    assert (result.returncode, result.stderr) == (1, "memtool: no match\n")


def test_a_recall_without_a_match_names_no_file_with_its_title_alone(tmp_path):
    files = {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "a\n"}
    note = "memory/notes/zettel/violin.md"
    root = make(tmp_path / "w", {**files, note: "# Violin\n\nRosin is in the case.\n"})
    result = memtool("recall", "violin", home=tmp_path, cwd=root)
    assert (result.returncode, note in result.stderr) == (1, False)
    (root / note).write_text("# Strings\n\nThe violin has new ones.\n", "utf-8")
    assert note in memtool("recall", "violin", home=tmp_path, cwd=root).stderr


def test_a_recall_that_only_a_rule_matches_names_the_command_that_lists_rules(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    memtool("scan", "-m", "Please always answer me in British English.", home=tmp_path, cwd=root)
    result = memtool("recall", "British English", home=tmp_path, cwd=root)
    assert "a rule does; to list the rules, run memtool rules list" in result.stderr
    assert "a rule" not in memtool("recall", "British tea", home=tmp_path, cwd=root).stderr


@pytest.mark.parametrize("agent", ["claude-code", "codex", "openclaw", "opencode"])
def test_hooks_for_a_missing_folder_are_refused_and_the_installed_ones_stay(tmp_path, agent):
    memtool("init", "w", home=tmp_path, cwd=tmp_path)
    assert memtool("hook", "install", agent, "--root", "w", home=tmp_path, cwd=tmp_path).returncode == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    result = memtool("hook", "install", agent, "--root", "nowhere", home=tmp_path, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (10, "")
    assert "nowhere: no such folder; create a workspace with memtool init nowhere" in result.stderr
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert (
        memtool("hook", "uninstall", agent, "--root", "nowhere", home=tmp_path, cwd=tmp_path).returncode == 0
    )


@pytest.mark.parametrize("options", [["--budget"], ["--tokens"], ["--retrieved", "--budget"]])
def test_a_budget_into_which_nothing_fits_is_answered_with_one_that_is_enough(tmp_path, options):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "- The lamp is old.\n"})
    call = ["context", "--prompt", "how old is the lamp?", *options]
    result = memtool(*call, "1", home=tmp_path, cwd=root)
    assert (result.returncode, result.stdout) == (1, "")
    fitting = re.search(r"(?m)^memtool: nothing fits in 1 \w+; at least (\d+) are needed$", result.stderr)
    assert fitting is not None
    least = int(fitting[1])
    assert "lamp" in memtool(*call, str(least), home=tmp_path, cwd=root).stdout
    assert memtool(*call, str(least - 1), home=tmp_path, cwd=root).stdout == ""


def test_without_memory_no_budget_is_named(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    result = memtool("context", "--budget", "9", "--prompt", "lamp", home=tmp_path, cwd=root)
    assert (result.returncode, result.stderr) == (1, "memtool: nothing to inject\n")


def test_the_workspace_itself_is_no_file_also_by_its_absolute_path(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    for path in (".", str(root), f"{root}/", f"{root}/memory/.."):
        result = memtool("get", path, home=tmp_path, cwd=root)
        assert result.returncode == 13
        assert "is the workspace's root, which is a folder; give the path of a file" in result.stderr


def test_what_quarantine_add_prints_shows_and_restores_the_file(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    set_up = {"home": tmp_path, "cwd": root}
    memtool("append-turn", "--user-text", "the lamp is red", **set_up)
    [turn] = root.glob("memory/history/turns/**/*.json")
    before = turn.read_bytes()
    done = memtool("quarantine", "add", str(turn.relative_to(root)), **set_up)
    shown, restored = re.findall(r"(?:run |back, )memtool ([^;\n]+)", done.stderr)
    assert not turn.exists()
    assert "the lamp is red" in memtool(*shlex.split(shown), **set_up).stdout
    assert memtool(*shlex.split(restored), **set_up).returncode == 0
    assert turn.read_bytes() == before
    dry = memtool("--dry-run", "quarantine", "add", str(turn.relative_to(root)), **set_up)
    assert "quarantine show" not in dry.stderr


@pytest.mark.parametrize(
    "command", ["facts list", "recall lamp", "episodes", "rules list", "trace --all", "log"]
)
def test_a_session_that_a_command_does_not_choose_by_is_said_to_have_no_effect(tmp_path, command):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    set_up = {"home": tmp_path, "cwd": root}
    named = memtool("--session", "nobody", *shlex.split(command), **set_up)
    assert "--session has no effect on " in named.stderr
    inherited = memtool(*shlex.split(command), **set_up, environment={"MEMTOOL_SESSION": "nobody"})
    assert "has no effect" not in inherited.stderr
    assert (named.returncode, named.stdout) == (inherited.returncode, inherited.stdout)


def test_redo_names_the_last_undo_that_is_not_redone(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})

    def run_command(*arguments):
        return memtool(*arguments, home=tmp_path, cwd=root)

    for text in ("The lamp is red", "The door is open", "The kiln is cold"):
        run_command("save", text)
    undone = run_command("undo", "2")
    (again,) = re.findall(
        r"2 commands were undone; to redo all of them, run: (memtool undo j-\w+);", undone.stderr
    )
    assert undone.stdout.split("\n")[1].split("\t")[0] in undone.stderr  # the oldest of them
    assert f"run: {again};" in run_command("redo").stderr
    run_command(*again.split()[1:])
    assert "The door is open" in (root / "memory/semantic/facts.md").read_text()
    assert "nothing has been undone" in run_command("redo").stderr
