"""`memtool lint` as editors, shells and workflows call it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from memtool.cli.render.lint_report import github_annotation, sarif_log, text_line
from memtool.core.lint.codes.all_codes import CODES
from memtool.core.lint.problem import Problem
from memtool.store.config import schemas
from tests.cli.test_terminal import on_a_terminal
from tests.trees import clean_environment, contents, make, memtool

FILES = {
    "memtool.toml": 'layout = "native"\n[lint]\nignore = ["M503", "M504"]\n',
    "memory/notes/a.md": "---\na: [\n---\n",
    "memory/notes/b.md": "\ufeffx\n",
    "memory/notes/c.md": "a\u200bb\n",
}


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", FILES)


@pytest.fixture
def run(root, tmp_path):
    def run(*arguments, cwd=root, **more):
        return memtool("lint", *arguments, home=tmp_path, cwd=cwd, **more)

    return run


def test_remarks_alone_are_no_reason_for_exit_code_1(run):
    assert run().returncode == 1
    assert run("memory/notes/c.md").returncode == 0
    assert "M110" in run("memory/notes/c.md").stdout
    assert run("memory/notes/c.md", "--severity", "warning").stdout == ""
    assert run("--severity", "error").stdout.count("\n") == 1
    assert run("--select", "M110").returncode == 0
    assert run("--ignore", "M203", "--ignore", "M102,m110").stdout == ""


@pytest.mark.parametrize("paths", [(), ("empty",)])
def test_a_run_that_checks_no_file_says_so(tmp_path, paths):
    (tmp_path / "w/empty").mkdir(parents=True)
    options = ("--root", ".", "--layout", "obsidian", "lint", "--strict", "--format", "github")
    linted = memtool(*options, *paths, home=tmp_path, cwd=tmp_path / "w")
    assert (linted.returncode, linted.stdout) == (0, "")
    where = paths[0] if paths else tmp_path / "w"
    assert f"nothing was checked: no memory file was found at {where}; check --root" in linted.stderr
    (tmp_path / "w/empty/a.md").write_text("a\n")
    assert "nothing was checked" not in memtool(*options, home=tmp_path, cwd=tmp_path / "w").stderr


def test_fail_on_decides_the_exit_code_and_hides_nothing(run, root):
    every = run().stdout
    for severity in ("error", "warning", "info"):
        shown = run("--fail-on", severity)
        assert (shown.returncode, shown.stdout) == (1, every)
    for name, failing in (("a", {"error", "warning", "info"}), ("b", {"warning", "info"}), ("c", {"info"})):
        path = f"memory/notes/{name}.md"
        codes = {level: run(path, "--fail-on", level).returncode for level in ("error", "warning", "info")}
        assert codes == {level: int(level in failing) for level in codes}
        assert run(path, "--fail-on", "error").stdout == run(path, "--strict").stdout != ""


@pytest.mark.parametrize(
    "options",
    ["--fail-on info --strict", "--fail-on warning --severity error", "--fail-on info --severity warning"],
)
def test_options_on_severity_that_contradict_each_other_are_refused(run, options):
    result = run(*options.split())
    assert (result.returncode, result.stdout) == (2, "")
    assert "--fail-on" in result.stderr


def test_the_summary_counts_what_severity_hides(run, root):
    (root / "memory/notes/a.md").write_text("See [[gone]].\n")
    shown = run("--severity", "error")
    assert (shown.returncode, shown.stdout) == (0, "")
    assert shown.stderr == "memtool: no errors in 4 files; 2 warnings, 1 info hidden by --severity error\n"
    shown = run("memory/notes/c.md", "--severity", "warning")
    assert shown.stderr == "memtool: no errors or warnings in 1 file; 1 info hidden by --severity warning\n"
    assert run("--severity", "warning").stderr.endswith("; 1 info hidden by --severity warning\n")
    run("--baseline", "known.json", "--write-baseline")
    shown = run("--baseline", "known.json", "--severity", "error")
    assert shown.stderr.startswith("memtool: no problems in 4 files\n")


def test_a_line_says_how_severe_a_problem_is_and_whether_it_can_be_fixed(run):
    for line in run().stdout.splitlines():
        kind = {"M203": "error", "M102": "warning, fixable", "M110": "info"}.get(line.split()[1])
        assert kind is None or line.endswith(f" [{kind}]")


def test_paths_are_those_of_the_shell(run, root, tmp_path):
    assert run("a.md", cwd=root / "memory/notes").stdout.startswith("memory/notes/a.md:2:1: M203 ")
    assert run(".", cwd=root / "memory").stdout == run().stdout
    assert run(str(root / "memory/notes/b.md")).stdout.count("\n") == 1
    (tmp_path / "link").symlink_to(root)
    assert run(str(tmp_path / "link/memory/notes/b.md")).stdout.count("\n") == 1
    for path, code in (("nowhere.md", 2), ("..", 13), (str(tmp_path), 13), ("../w2", 13)):
        result = run(path)
        assert (result.returncode, result.stdout) == (code, "")
        assert result.stderr.count("\n") == 1


def test_stdin_stands_for_a_file(run, root):
    for place in ("memory/notes/a.md", str(root / "memory/notes/a.md"), "memory/notes/not/there/yet.md"):
        result = run("-", "--path", place, stdin="---\nid: [1]\n---\n")
        assert result.stdout.endswith(":2:1: M204 `id` is a list; it must be text [warning]\n"), result.stderr
    assert run("-", "--path", "memory/notes/a.md", stdin="fine\n").returncode == 0
    assert run("-", stdin=b"\xff").stdout == "-:1:1: M101 invalid UTF-8: byte 0xff [error]\n"
    assert contents(root)["memory/notes/a.md"] == FILES["memory/notes/a.md"].encode()
    for wrong in (
        ["-", "--fix"],
        ["-", "a.md"],
        ["--path", "x"],
        ["-", "--path", "."],
        ["-", "--path", "/x"],
    ):
        assert run(*wrong, stdin="x").returncode in {2, 13}


def test_a_baseline_may_lie_inside_or_outside(run, root, tmp_path):
    for place in ("known.json", ".github/known.json", str(tmp_path / "known.json")):
        assert run("--baseline", place).returncode == 2
        assert run("--baseline", place, "--write-baseline").returncode == 0
        assert run("--baseline", place).returncode == 0
        assert run("--baseline", place, "--write-baseline").returncode == 0
        assert (root / place).stat().st_mode & 0o777 == 0o600
    (root / "memtool.toml").write_text(FILES["memtool.toml"] + 'baseline = ".github/known.json"\n')
    assert run().returncode == 0
    (root / "memory/notes/d.md").write_text("\ufeffy\n")
    assert run().stdout.count("\n") == 1
    assert run("--write-baseline", "--dry-run").returncode == 0
    assert run().returncode == 1
    assert run("--write-baseline").returncode == 0
    assert run().returncode == 0
    for place in ("memory/notes/a.md", "memtool.toml", "README.md"):
        (root / "README.md").write_text("mine\n")
        before = contents(root)
        assert run("--baseline", place, "--write-baseline").returncode == 2
        assert contents(root) == before


@pytest.mark.parametrize("place", ["../known.json", "/dev/zero", "/dev/stdin"])
def test_a_setting_names_no_baseline_outside_the_workspace(run, root, place):
    settings = FILES["memtool.toml"] + f'baseline = "{place}"\n'
    (root / "memtool.toml").write_text(settings)
    (root.parent / "known.json").write_text("mine\n")
    for options in ([], ["--write-baseline"]):
        result = run(*options)
        assert result.returncode == 2
        assert "outside the workspace" in result.stderr
    assert (root.parent / "known.json").read_text() == "mine\n"


def test_only_a_baseline_outside_is_overwritten(run, tmp_path):
    other = tmp_path / "other"
    other.write_text("mine\n")
    assert run("--baseline", str(other), "--write-baseline").returncode != 0
    assert other.read_text() == "mine\n"


def test_fix_writes_and_says_what_is_left(run, root):
    shown = run("--fix", "--dry-run")
    assert "-\\ufeffx" in shown.stdout
    assert "nothing can be fixed" not in shown.stderr
    assert contents(root)["memory/notes/b.md"] == b"\xef\xbb\xbfx\n"
    rows = [json.loads(row) for row in run("--fix", "--dry-run", "--format", "json").stdout.splitlines()]
    assert ("replace", "memory/notes/b.md") in [(row["change"], row["path"]) for row in rows]
    assert run("--fix", "--dry-run", "--format", "sarif").returncode == 2
    result = run("--fix")
    assert result.returncode == 1
    assert "1 problem fixed" in result.stderr
    assert contents(root)["memory/notes/b.md"] == b"x\n"
    nothing = "nothing can be fixed automatically; to list the problems, run memtool lint\n"
    assert run("--fix", "--dry-run").stderr.endswith(nothing)
    assert run("--fix", "memory/notes/b.md").stderr == "memtool: no problems in 1 file\n"


def test_nothing_is_written_in_incognito(run, root):
    before = sorted(root.rglob("*"))
    assert run("--incognito").returncode == 1
    assert run("--incognito", "--fix").returncode == 1
    assert sorted(root.rglob("*")) == before
    assert contents(root)["memory/notes/b.md"] == b"\xef\xbb\xbfx\n"


def test_who_acts_for_a_group_sees_and_mends_its_own_only(run, root):
    make(root, {"groups/a/MEMORY.md": "\ufeffx\n", "groups/b/MEMORY.md": "\ufeffx\n"})
    acting = {"environment": {"MEMTOOL_GROUP": "a"}}
    assert run(**acting).stdout.startswith("groups/a/MEMORY.md:1:1: M102")
    assert run(**acting).stdout.count("\n") == 1
    assert run("groups/b", **acting).returncode == 13
    assert run("--group", "b", **acting).returncode == 13
    assert run("--fix", **acting).returncode == 0
    assert contents(root)["groups/b/MEMORY.md"] == b"\xef\xbb\xbfx\n"
    assert contents(root)["memory/notes/b.md"] == b"\xef\xbb\xbfx\n"
    assert run("--group", "b").stdout.count("\n") == 1


def test_a_tree_that_cannot_be_written_is_linted_all_the_same(root, tmp_path):
    prefix = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("file modes do not bind root, and there is no setpriv to become somebody else")
        prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    make(root, {"memory/notes/deep/x.md": "x"})
    (root / "memory/notes/a.md").chmod(0)
    (root / "memory/notes/deep").chmod(0)
    root.chmod(0o500)
    try:
        result = subprocess.run(
            [*prefix, sys.executable, "-m", "memtool", "lint"],
            cwd=root,
            env=clean_environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        root.chmod(0o700)
        (root / "memory/notes/deep").chmod(0o700)
    assert [line.split(" ")[1] for line in result.stdout.splitlines()] == ["M100", "M102", "M110", "M100"]
    assert result.returncode == 1
    assert "Traceback" not in result.stderr


def test_a_closed_pipe_ends_quietly(root, tmp_path):
    make(root, {f"memory/notes/{n}.md": "\ufeffx" for n in range(300)})
    command = f"({sys.executable} -m memtool lint -q; echo code $? >&2) | head -n 1"
    result = subprocess.run(
        ["sh", "-c", command], cwd=root, env=clean_environment(tmp_path), capture_output=True, check=False
    )
    assert result.stdout.count(b"\n") == 1
    assert result.stderr == b"code 1\n"  # who looks at the first line alone is not told that all is well


def test_a_terminal_shows_colours_and_no_control_characters(root, tmp_path):
    make(root, {f"memory/notes/{n}.md": "fine\n" for n in range(250)})
    make(root, {"memory/notes/\x1b[31mred.md": "\ufeffx"})
    written = on_a_terminal(root, tmp_path, "lint")
    assert "memory/notes/\\x1b[31mred.md" in written
    assert "\x1b[33mM102\x1b[0m" in written
    plain = on_a_terminal(root, tmp_path, "lint", NO_COLOR="1")
    assert "\x1b[33m" not in plain


def test_many_mend_at_once_and_each_is_whole(root, tmp_path):
    make(root, {f"memory/notes/{n}.md": "\ufeffa\r\nb\n" for n in range(40)})
    command = [sys.executable, "-m", "memtool", "lint", "--fix", "-q"]
    environment = clean_environment(tmp_path)
    running = [
        subprocess.Popen(
            command, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        for _ in range(3)
    ]
    said = [one.communicate(timeout=60)[1] for one in running]
    assert [one.returncode for one in running] == [1, 1, 1], said
    for path, content in contents(root).items():
        if path.startswith("memory/notes/") and path[13].isdigit():
            assert content == b"a\r\nb\r\n"


# reports ----------------------------------------------------------------------------------------------------

ODD = Problem("memory/a b,c:%/ü\n\x1b.md", 3, 7, "M203", "50% of it:\r\nis, wrong\x1b[31m", "abc")
PROBLEMS = [ODD, ODD, Problem(".", 1, 1, "M503", "others"), Problem("memory/\udcff.md", 1, 1, "M110", "x")]

SARIF = {  # what the OASIS schema of SARIF 2.1.0 asks for in what is printed here
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}},
    },
    "additionalProperties": False,
    "$defs": {
        "message": {
            "type": "object",
            "required": ["text"],
            "properties": {"text": {"type": "string", "minLength": 1}},
            "additionalProperties": False,
        },
        "level": {"enum": ["none", "note", "warning", "error"]},
        "rule": {
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": {"type": "string"},
                "name": {"type": "string", "pattern": "^[A-Za-z0-9]+$"},
                "shortDescription": {"$ref": "#/$defs/message"},
                "fullDescription": {"$ref": "#/$defs/message"},
                "help": {"$ref": "#/$defs/message"},
                "defaultConfiguration": {
                    "type": "object",
                    "properties": {"level": {"$ref": "#/$defs/level"}},
                    "additionalProperties": False,
                },
            },
            "additionalProperties": False,
        },
        "run": {
            "type": "object",
            "required": ["tool"],
            "properties": {
                "tool": {
                    "type": "object",
                    "required": ["driver"],
                    "properties": {
                        "driver": {
                            "type": "object",
                            "required": ["name"],
                            "properties": {
                                "name": {"type": "string"},
                                "semanticVersion": {"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
                                "rules": {
                                    "type": "array",
                                    "uniqueItems": True,
                                    "items": {"$ref": "#/$defs/rule"},
                                },
                            },
                            "additionalProperties": False,
                        }
                    },
                    "additionalProperties": False,
                },
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "originalUriBaseIds": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "properties": {
                            "uri": {"type": "string", "pattern": "/$"},
                            "description": {"$ref": "#/$defs/message"},
                        },
                        "additionalProperties": False,
                    },
                },
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            },
            "additionalProperties": False,
        },
        "result": {
            "type": "object",
            "required": ["message"],
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "level": {"$ref": "#/$defs/level"},
                "message": {"$ref": "#/$defs/message"},
                "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
                "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "additionalProperties": False,
        },
        "location": {
            "type": "object",
            "properties": {
                "physicalLocation": {
                    "type": "object",
                    "required": ["artifactLocation"],
                    "properties": {
                        "artifactLocation": {
                            "type": "object",
                            "properties": {
                                "uri": {"type": "string", "pattern": "^[A-Za-z0-9._~/%!$&'()*+,;=:@-]+$"},
                                "uriBaseId": {"type": "string"},
                            },
                            "additionalProperties": False,
                        },
                        "region": {
                            "type": "object",
                            "properties": {
                                "startLine": {"type": "integer", "minimum": 1},
                                "startColumn": {"type": "integer", "minimum": 1},
                            },
                            "additionalProperties": False,
                        },
                    },
                    "additionalProperties": False,
                }
            },
            "additionalProperties": False,
        },
    },
}


def test_sarif_is_what_its_schema_asks_for():
    log = json.loads(json.dumps(sarif_log(PROBLEMS, "deep/w/")))
    assert list(Draft202012Validator(SARIF).iter_errors(log)) == []
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [code.name for code in CODES]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        (base,) = {one["physicalLocation"]["artifactLocation"]["uriBaseId"] for one in result["locations"]}
        assert base in run["originalUriBaseIds"]
    prints = [one["partialFingerprints"]["memtoolLint/v1"] for one in run["results"]]
    assert len(set(prints)) == len(prints)
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "deep/w/memory/a%20b%2Cc%3A%25/%C3%BC%0A%1B.md"


def test_annotations_are_escaped_as_the_runner_reads_them():
    assert github_annotation(ODD, "w/") == (
        "::error file=w/memory/a b%2Cc%3A%25/ü\\x0a\\x1b.md,line=3,col=7,title=M203::"
        "50%25 of it:\\x0d\\x0ais, wrong\\x1b[31m"
    )
    assert github_annotation(PROBLEMS[2], "").startswith("::warning file=.,line=1,col=1,title=M503::")
    assert github_annotation(PROBLEMS[3], "").startswith("::notice ")
    assert text_line(ODD) == (
        "memory/a b,c:%/ü\\x0a\\x1b.md:3:7: M203 50% of it:\\x0d\\x0ais, wrong\\x1b[31m [error]"
    )


def test_reports_name_files_from_where_the_repository_lies(root, tmp_path):
    def run(*arguments, **environment):
        return memtool(
            "lint", "--root", str(root), *arguments, home=tmp_path, cwd=tmp_path, environment=environment
        ).stdout

    assert "file=w/memory/notes/a.md" in run("--format", "github")
    assert "file=memory/notes/a.md" in run("--format", "github", GITHUB_WORKSPACE=str(root))
    log = json.loads(run("--format", "sarif"))
    assert list(Draft202012Validator(SARIF).iter_errors(log)) == []
    assert (
        "the root of the repository" in log["runs"][0]["originalUriBaseIds"]["SRCROOT"]["description"]["text"]
    )
    (tmp_path / "elsewhere").mkdir()
    done = memtool(
        "lint", "--root", str(root), "--format", "sarif", home=tmp_path, cwd=tmp_path / "elsewhere"
    )
    (elsewhere,) = json.loads(done.stdout)["runs"]
    assert elsewhere["originalUriBaseIds"]["SRCROOT"]["description"]["text"] == "the root of the workspace"
    assert run("--format", "json") == run("--json")
    for row in run("--json").splitlines():
        assert list(schemas.violations("out-lint", json.loads(row))) == []


# pre-commit -------------------------------------------------------------------------------------------------

HOOKS = yaml.safe_load((Path(__file__).parents[3] / ".pre-commit-hooks.yaml").read_text())


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_of_pre_commit_runs_as_it_is_defined(hook, tmp_path):
    assert hook.keys() >= {"id", "name", "entry", "language", "files"}
    assert hook["language"] == "python"
    root = make(tmp_path / "w", {**FILES, "memtool.toml": 'layout = "native"\n'})
    program, *arguments = hook["entry"].split()
    assert program == "memtool"
    names = [] if hook["pass_filenames"] is False else ["memory/notes/a.md"]
    result = memtool(*arguments, *names, home=tmp_path, cwd=root)
    assert result.returncode == 1
    assert "memory/notes/a.md:2:1: M203" in result.stdout
    assert ("M102" in result.stdout) == ("--fix" not in arguments)
    assert "M503" not in result.stdout
    (root / "memory/notes/a.md").unlink()
    (root / "memory/notes/b.md").unlink()
    assert memtool(*arguments, home=tmp_path, cwd=root).returncode == 0


def test_lint_leaves_nothing_in_a_folder_that_is_no_workspace(tmp_path):
    vault = make(tmp_path / "vault", {".obsidian/app.json": "{}", "a.md": "# A\n"})
    memtool("lint", home=tmp_path, cwd=vault)
    assert sorted(os.listdir(vault)) == [".obsidian", "a.md"]


def test_lint_keeps_its_results_in_a_workspace(root, run):
    run()
    assert (root / ".memtool" / "lint" / "kept").is_file()
