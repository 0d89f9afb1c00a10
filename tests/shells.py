"""Real shells on terminals: types a line, presses a key, and reads the resulting line."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

SEEN = re.compile(rb"<<<(.*?)>>>", re.DOTALL)
READY = b"ready-to-type"

SETUP = {
    "bash": r"""
PS1='$ '; HISTFILE=; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'
bind 'set show-all-if-ambiguous on'; bind 'set completion-query-items 0'; bind 'set page-completions off'
bind -x '"\C-g": printf "<<<%s>>>\n" "$READLINE_LINE"; READLINE_LINE=; READLINE_POINT=0'
""",
    "zsh": r"""
PS1='$ '; unsetopt beep prompt_cr prompt_sp; LISTMAX=0
shown() { print -rn -- $'\n<<<'"$BUFFER"'>>>'; zle -I; BUFFER= }
zle -N shown; bindkey -e; bindkey '^G' shown
""",
    "fish": r"""
function fish_prompt; echo '$ '; end; function fish_right_prompt; end; set -g fish_greeting
set -g fish_autosuggestion_enabled 0
function shown; printf '\n<<<%s>>>\n' (commandline | string collect); commandline ''; end
bind \cg shown
""",
}
"""Commands that make a shell quiet, and make it print its line when Ctrl-G is pressed."""
TAUGHT = {
    "bash": "source <(memtool completion bash)",
    "zsh": "autoload -Uz compinit && compinit -u -D\nsource <(memtool completion zsh)",
    "fish": "memtool completion fish | source",
}
"""Commands that enable completion in a shell, as in the help."""
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}


class Terminal:
    """One interactive shell that has run its setup and the commands `taught`."""

    def __init__(
        self, shell: str, folder: Path, environment: Mapping[str, str], taught: str, start: Sequence[str] = ()
    ) -> None:
        self.shell = shell
        self.ours, theirs = pty.openpty()
        setup = Path(environment["HOME"]) / f"setup.{shell}"
        setup.write_text(f"{SETUP[shell]}{taught}\necho {READY.decode()[:5]}'{READY.decode()[5:]}'\n")
        self.process = subprocess.Popen(
            [*start] or START[shell], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder,
            env={"TERM": "xterm", **environment}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  job control wants one
        )  # fmt: skip
        os.close(theirs)
        self.written = b""
        self.send(f" source {setup}\r")
        self.wait_for(READY)

    def send(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def wait_for(self, what: bytes | re.Pattern[bytes], seconds: float = 60.0) -> bytes:
        """The output up to and including `what`. Raises AssertionError if it does not come in time."""
        pattern = what if isinstance(what, re.Pattern) else re.compile(re.escape(what))
        end = time.monotonic() + seconds
        while not (match := pattern.search(self.written)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.ours], [], [], left)[0]:
                raise AssertionError(f"{pattern.pattern!r} did not come; there was {self.written!r}")
            self.written += os.read(self.ours, 1 << 16)
        seen, self.written = self.written[: match.end()], self.written[match.end() :]
        return seen

    def completed(self, line: str, keys: str = "\t") -> tuple[str, str]:
        """The line after pressing keys at the end of `line`, and the output meanwhile."""
        self.send(line + keys + "\x07")
        seen = self.wait_for(SEEN)
        match = SEEN.search(seen)
        assert match
        return match[1].decode(), seen.decode("utf-8", "replace")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
