"""Plain-text transcripts of shell sessions: runs them and compares their output, or records it.

A transcript consists of lines `$ command`, each followed by its output: stdout unchanged, stderr with the
prefix `2> `, and an exit code other than 0 as `[code]`; `#: ` starts a comment. A line `…` matches any
output. Each file runs in a copy of the sample workspace with a fixed clock, a private home, and the `memtool`
of this Python on the path. The home contains the files that README and help topics show: a
block that starts with ```sh agent.sh is the file ~/agent.sh.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests import forked
from tests.trees import CACHE

README = Path(__file__).parent.parent / "README.md"
TOPICS = sorted((README.parent / "memtool/cli/documentation/topics").glob("*.md"))
SAMPLE = Path(__file__).parent.parent / "sample-workspace"
COMMENT = "#: "
NOW = "2025-01-15T10:30:00+00:00"
NEEDS_NO_SHELL = r"""memtool(?: (?:[\w./:,@%+=-]|'[^']*'|"[^"$`\\!]*")+)*"""
"""A call of memtool in which a shell would do nothing but remove quotes; not to start one halves its time."""


@dataclass(frozen=True)
class Step:
    """One command of a transcript, and its expected output."""

    line: int
    command: str
    expected: tuple[str, ...]


def steps(text: str) -> list[Step]:
    """The commands of a transcript; a backslash at the end of a line continues a command."""
    transcript_steps: list[Step] = []
    command, start, output = "", 0, []
    for number, line in enumerate(text.split("\n"), 1):
        if command.endswith("\\"):
            command += "\n" + line.removeprefix("> ")
        elif line.startswith("$ "):
            if command:
                transcript_steps.append(Step(start, command, trimmed(output)))
            command, start, output = line[2:], number, []
        elif command and not line.startswith(COMMENT):
            output.append(line)
    if command:
        transcript_steps.append(Step(start, command, trimmed(output)))
    return transcript_steps


def console_blocks(markdown: str) -> str:
    """The `console` blocks of a Markdown page as one transcript, at the same line numbers."""
    lines, inside = [], False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            inside = line == "```console"
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join(lines)


def recipes(markdown: str) -> dict[str, str]:
    """The files that a Markdown page shows, by their names."""
    return dict(re.findall(r"(?ms)^```\w+ (\S+)\n(.*?)^```$", markdown))


def trimmed(lines: list[str]) -> tuple[str, ...]:
    return tuple("\n".join(lines).strip("\n").split("\n")) if any(lines) else ()


class Place:
    """A copy of the sample workspace, and a home, in which the commands of one transcript run."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "sample-workspace"
        shutil.copytree(SAMPLE, self.workspace)
        shims = folder / "bin"
        shims.mkdir()
        forked.write_command(shims / "memtool")
        (folder / "home").mkdir()
        for page in (README, *TOPICS):
            for name, text in recipes(page.read_text(encoding="utf-8")).items():
                (folder / "home" / name).write_text(text, encoding="utf-8")
        self.environment = {
            "PATH": f"{shims}:{os.environ['PATH']}",
            "HOME": str(folder / "home"),
            "XDG_CACHE_HOME": CACHE.name,  # compiled patterns, else each compiles them
            "MEMTOOL_NOW": NOW,
            **{f"GIT_{role}_NAME": "Juniper" for role in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{role}_EMAIL": "juniper@example.org" for role in ("AUTHOR", "COMMITTER")},
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(Path(__file__).parent.parent),
        }

    def run(self, command: str) -> tuple[str, ...]:
        """Run a command and return its output in the format of a transcript."""
        if re.fullmatch(NEEDS_NO_SHELL, command):
            result = forked.run(shlex.split(command)[1:], b"", self.workspace, self.environment)
        else:
            result = subprocess.run(
                ["sh", "-c", command],
                cwd=self.workspace,
                env=self.environment,
                capture_output=True,
                timeout=170,
                check=False,
            )
        text = result.stdout.decode("utf-8", "replace")
        text += "".join(f"2> {line}\n" for line in result.stderr.decode("utf-8", "replace").splitlines())
        text = text.replace(str(self.workspace.parent), "~")
        lines = text.removesuffix("\n").split("\n") if text else []
        return (*lines, f"[{result.returncode}]") if result.returncode else tuple(lines)


def matches(printed: tuple[str, ...], expected: tuple[str, ...]) -> bool:
    """Whether output is as expected; `…` alone on a line matches any lines, within a line any text."""
    pattern = ""
    for line in expected:
        pattern += "(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n"
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


def differences(text: str, folder: Path) -> Iterator[str]:
    """A message for each step whose output differs."""
    place = Place(folder)
    for step in steps(text):
        printed = place.run(step.command)
        expected = tuple(line.rstrip() for line in step.expected)
        if not matches(printed, expected):
            report = [
                f"line {step.line}: $ {step.command}",
                "  expected:",
                *(f"    {line}" for line in expected),
            ]
            yield "\n".join([*report, "  printed:", *(f"    {line}" for line in printed)])


def recorded(text: str, place: Place) -> str:
    """The transcript with the commands' current output; comments, and `…` that still matches, stay."""
    rows = text.rstrip("\n").split("\n")
    pending = steps(text)
    if not pending:
        return text
    output = rows[: pending[0].line - 1]
    for step, following in zip(pending, [*pending[1:], None], strict=True):
        first = step.line - 1
        last = first + step.command.count("\n") + 1
        end = following.line - 1 if following else len(rows)
        printed = place.run(step.command)
        output += rows[first:last]
        output += step.expected if matches(printed, step.expected) else printed
        if following:
            output += ["", *(line for line in rows[last:end] if line.startswith(COMMENT))]
    return "\n".join(output).rstrip("\n") + "\n"


def recorded_page(page: str, place: Place) -> str:
    """A Markdown page with its `console` blocks recorded, one after another in the same copy."""
    return re.sub(
        r"(?ms)^(```console\n)(.*?)^(```)$",
        lambda block: block[1] + recorded(block[2], place) + block[3],
        page,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="run transcripts, or record them anew")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    for file in arguments.files:
        with tempfile.TemporaryDirectory() as folder:
            text = file.read_text(encoding="utf-8")
            is_page = file.suffix == ".md"
            if arguments.record:
                record = recorded_page if is_page else recorded
                file.write_text(record(text, Place(Path(folder))), encoding="utf-8")
            else:
                text = console_blocks(text) if is_page else text
                sys.stdout.writelines(
                    f"{file}: {difference}\n" for difference in differences(text, Path(folder))
                )


if __name__ == "__main__":
    main()
