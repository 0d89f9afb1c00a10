"""Install the real clients from the npm registry, each into a folder of its own, for the tests to find.

`python -m tests.clients.install FOLDER`. No package's install script is run: which npm runs them differs from
version to version, and one of them needs it, which is then run here by name. What cannot be installed is
said, and its tests are skipped; the exit code is 0 all the same.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.clients.agents import PROGRAMS

_ARCHITECTURES = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_PLATFORM = f"{sys.platform}-{_ARCHITECTURES.get(platform.machine(), platform.machine())}"


@dataclass(frozen=True)
class Package:
    """A package of the registry with the program that the tests run; `script` makes it, run by node."""

    program: str
    name: str
    version: str
    script: str = ""


PACKAGES = (
    Package(
        "node", f"node-{_PLATFORM}", "22.23.3"
    ),  # OpenClaw and the inspector ask for 22; the machine's may be older
    Package("claude", "@anthropic-ai/claude-code", "2.1.330", script="install.cjs"),
    Package("codex", "@openai/codex", "0.169.0"),
    Package("inspector", "@modelcontextprotocol/inspector", "2.12.0"),
    Package("openclaw", "openclaw", "2026.9.2"),
    Package("opencode", "opencode-ai", "1.18.33", script="postinstall.mjs"),
    Package("pi", "@earendil-works/pi-coding-agent", "1.5.2"),  # of 1.6.0 npm lacks a package that it needs
    Package("gemini", "@google/gemini-cli", "0.61.0"),
    Package("qwen", "@qwen-code/qwen-code", "0.24.4"),
    Package(
        "cline", f"@cline/cli-{_PLATFORM}", "3.0.65"
    ),  # the program of `cline`, which depends on much more
)


def install(package: Package, folder: Path, npm: str) -> str:
    """Install one package where it is not there in this version yet; what to say of it."""
    program = folder / PROGRAMS[package.program]
    home = folder / PROGRAMS[package.program].partition("/")[0]
    stamp = home / "installed"
    wanted = f"{package.name}@{package.version}"
    if stamp.exists() and stamp.read_text() == wanted and program.exists():
        return f"{wanted} is there"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    started = time.monotonic()
    options = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel", "error"]
    options += ["--fetch-timeout", "60000", "--fetch-retries", "1"]
    steps = [[npm, "install", *options, "--prefix", str(home), wanted]]
    if package.script:
        steps.append(["node", str(home / "node_modules" / package.name / package.script)])
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True, timeout=300, check=False, cwd=home)
        except (OSError, subprocess.TimeoutExpired) as error:
            return _lacking(wanted, str(error))
        if done.returncode != 0:
            return _lacking(wanted, (done.stderr or done.stdout).strip()[-400:])
    if not program.exists():
        return _lacking(wanted, f"it brought no {program.name}")
    stamp.write_text(wanted)
    return f"{wanted} installed in {time.monotonic() - started:.0f} s"


def _lacking(wanted: str, why: str) -> str:
    return f"*** {wanted} COULD NOT BE INSTALLED; the tests that need it are skipped: {why}"


def main() -> None:
    folder = Path(sys.argv[1]).absolute()
    npm = shutil.which("npm")
    if npm is None:
        sys.stdout.write("*** THERE IS NO npm; the tests that need real clients are skipped\n")
        return
    with ThreadPoolExecutor(2) as pool:
        for said in pool.map(lambda one: install(one, folder, npm), PACKAGES):
            sys.stdout.write(f"{said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
