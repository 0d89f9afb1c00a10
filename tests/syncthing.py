"""Syncthing itself (Debian's package): instances on loopback that know each other and nobody else."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

_FOLDER = "memory"
_KEY = "loopback"
_CONFIG = """\
<configuration version="35">
  <folder id="{folder}" path="{path}" type="sendreceive" fsWatcherEnabled="false" rescanIntervalS="0">
    {shared}
    <minDiskFree unit="">0</minDiskFree><maxConflicts>10</maxConflicts>
  </folder>
  {devices}
  <gui enabled="true" tls="false"><address>127.0.0.1:{gui}</address><apikey>{key}</apikey></gui>
  <options>
    <listenAddress>tcp://127.0.0.1:{port}</listenAddress>
    <globalAnnounceEnabled>false</globalAnnounceEnabled>
    <localAnnounceEnabled>false</localAnnounceEnabled>
    <relaysEnabled>false</relaysEnabled>
    <natEnabled>false</natEnabled>
    <stunKeepaliveStartS>0</stunKeepaliveStartS>
    <reconnectionIntervalS>1</reconnectionIntervalS>
    <startBrowser>false</startBrowser>
    <urAccepted>-1</urAccepted>
    <crashReportingEnabled>false</crashReportingEnabled>
    <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
  </options>
</configuration>
"""
_SECONDS = 15
"""After so long without the event that is waited for, something is broken."""


class Instance:
    """One machine: a home of Syncthing, and the folder that it shares with the others."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
        self.port, self.gui = _free_port(), _free_port()
        self._run("generate", "--no-default-folder", "--skip-port-probing")
        self.id = self._run("--device-id").strip()
        self.log: list[bytes] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None

    def _run(self, *arguments: str) -> str:
        command = ["syncthing", *arguments, "--home", str(self.home)]
        done = subprocess.run(
            command, env=self._environment, capture_output=True, check=True, timeout=_SECONDS
        )
        return done.stdout.decode()

    @property
    def _environment(self) -> dict[str, str]:
        return {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "STMONITORED": "1", "STNOUPGRADE": "1"}

    def introduce(self, others: list[Instance]) -> None:
        """Write the configuration, in which every instance shares the folder."""
        devices = "".join(
            f'<device id="{one.id}" name="{one.home.name}"><address>tcp://127.0.0.1:{one.port}</address></device>'
            for one in others
        )
        shared = "".join(f'<device id="{one.id}"/>' for one in others)
        (self.home / "config.xml").write_text(
            _CONFIG.format(
                folder=_FOLDER,
                path=self.folder,
                shared=shared,
                devices=devices,
                gui=self.gui,
                key=_KEY,
                port=self.port,
            )
        )

    def __enter__(self) -> Self:
        """Start it, and wait until it answers."""
        command = ["syncthing", "serve", "--no-browser", "--no-restart", "--home", str(self.home)]
        self._process = process = subprocess.Popen(
            command, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        is_ready = threading.Event()

        def read() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                self.log.append(line)
                if b"GUI and API listening" in line:
                    is_ready.set()
            is_ready.set()

        self._reader = threading.Thread(target=read)
        self._reader.start()
        assert is_ready.wait(_SECONDS), self.log
        assert process.poll() is None, self.log
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it, and wait for its end."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(_SECONDS)
        assert self._reader is not None
        self._reader.join(_SECONDS)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def scan(self) -> None:
        """Have it read its folder now."""
        self._ask("POST", f"db/scan?folder={_FOLDER}")

    def is_idle(self) -> bool:
        """Whether it has nothing to scan and nothing to fetch that it knows of."""
        status = self._ask("GET", f"db/status?folder={_FOLDER}")
        return status["state"] == "idle" and status["needTotalItems"] == 0

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait for a condition, which is asked for after each event of the instance."""
        last, deadline = 0, time.monotonic() + _SECONDS
        while not is_so():
            events = self._ask("GET", f"events?since={last}&timeout=1")
            last = events[-1]["id"] if events else last
            assert time.monotonic() < deadline, b"".join(self.log).decode()

    def _ask(self, method: str, path: str) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.gui}/rest/{path}", headers={"X-API-Key": _KEY}, method=method
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=_SECONDS) as answer:
            content = answer.read()
        return json.loads(content) if content else None


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
