"""The commands of the help topic and of the README, as they are written, on a real server."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from memtool.cli.topics import topic_page
from memtool.fleet.dev_server import DevServer
from tests.fleet.fleets import Fleet, server_folder
from tests.fleet.test_jobs import until
from tests.transcript import README
from tests.trees import clean_environment


def test_the_commands_to_try_it_do_what_the_topic_says(server, tmp_path):
    (commands,) = re.findall(r"```sh try\n(.*?)```", topic_page("fleets"), re.DOTALL)
    folder = server_folder()  # the usual one may be in use
    script = f'memtool() {{ {sys.executable} -m memtool "$@"; }}\nset -e\n'
    script += commands.replace("fleet dev", f"fleet dev --dir {folder}")
    try:
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=tmp_path,
            env=clean_environment(tmp_path / "home"),
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        DevServer(folder, server.programs, server.account).delete()
        shutil.rmtree(folder, ignore_errors=True)
    line = len(Path(tmp_path / "desk/MEMORY.md").read_text().splitlines())
    assert re.search(
        rf"^desk:MEMORY\.md:{line}: - The kiln is free on Thursday  \(as of [0-9T:+-]+\)$",
        done.stdout,
        re.MULTILINE,
    )
    assert re.search(r"^desk\t\d+ documents\t\d+ chunks\tpushed .*\tno worker$", done.stdout, re.MULTILINE)
    assert "desk\tqueued\t-\t\nlaptop\tqueued\t-\t\n" in done.stdout
    assert re.search(r"^memtool: job \d+: lint --severity error: exit code 0$", done.stderr, re.MULTILINE)
    laptop = r"^laptop\t0 documents\t0 chunks\tnever pushed\tno worker(, 1 job waiting)?"
    assert re.search(rf"{laptop}\tthis workspace, \d+ files to push$", done.stdout, re.MULTILINE)


def test_the_commands_of_the_readme_do_in_two_terminals_what_their_comments_say(server, tmp_path):
    (block,) = re.findall(r"```sh fleet\n(.*?)```", README.read_text(), re.DOTALL)
    folder = server_folder()
    first, second = block.replace("fleet dev", f"fleet dev --dir {folder}").split("\n\n")
    second, last = second.rstrip("\n").rsplit("\n", 1)
    assert "after Ctrl-C in terminal 1" in last
    trial = DevServer(folder, server.programs, server.account)
    terminal = _terminal(first, tmp_path)
    try:
        for line in terminal.stdout:
            if line.startswith("pushed\t"):
                break
        workers = "SELECT FROM memtool_jobs.procrastinate_workers"
        until(lambda: Fleet(trial.dsn, tmp_path).rows(workers))
        other = _terminal(second, tmp_path)
        shown, said = other.communicate()
        os.killpg(terminal.pid, signal.SIGINT)
        assert "job 1: doctor: exit code 0" in terminal.communicate()[1]
    finally:
        terminal.kill()
        terminal.communicate()
        done = _terminal(last, tmp_path).communicate()
    assert other.returncode == 0, said
    assert re.search(
        r"^desk:memory/semantic/.*The kiln is free on Thursday.*\(as of [0-9T:+-]+\)$", shown, re.M
    )
    assert re.search(r"^desk\t.*\tpushed .*\tworker running$", shown, re.M)
    assert re.search(r"^laptop\t.*\tnever pushed\tno worker", shown, re.M)
    assert re.search(r"^desk\tsucceeded\t0\t", shown, re.M)
    assert done == ("", f"memtool: deleted {folder}\n")
    assert not Path(folder).exists()


def _terminal(commands: str, folder: Path) -> subprocess.Popen[str]:
    """A shell that runs commands, each after the one before has succeeded."""
    return subprocess.Popen(
        ["bash", "-c", f'memtool() {{ {sys.executable} -m memtool "$@"; }}\nset -e\n{commands}'],
        cwd=folder,
        env=clean_environment(folder / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
