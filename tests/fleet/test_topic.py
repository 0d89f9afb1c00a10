"""The commands of the help topic, as they are written, on a real server."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from memtool.cli.topics import topic_page
from memtool.fleet.dev_server import DevServer
from tests.fleet.fleets import server_folder
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
        DevServer(folder, server.programs, server.account).stop()
        shutil.rmtree(folder)
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
