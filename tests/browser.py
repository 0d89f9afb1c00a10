"""A real browser for tests, driven by the WebDriver protocol; without one, tests are skipped."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_CHROME = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1280,860",
)
_WAIT_FOR_SCHEME = """
const [scheme] = arguments, end = performance.now() + 20000;
const frame = () => new Promise((done) => requestAnimationFrame(done));
return (async () => {
  while (!matchMedia(`(prefers-color-scheme: ${scheme})`).matches && performance.now() < end) await frame();
  await frame(), await frame();
  return matchMedia(`(prefers-color-scheme: ${scheme})`).matches;
})();
"""
_KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "ArrowDown": "\ue015"}


class Browser:
    """One window. Every call is a request to the driver; a failed one raises."""

    def __init__(self, port: int, session: str) -> None:
        self._base = f"http://127.0.0.1:{port}/session/{session}"

    def open(self, page: Path) -> None:
        """Show a file."""
        self._post("url", {"url": page.as_uri()})

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script and return its value."""
        return self._post("execute/sync", {"script": script, "args": arguments})

    def complaints(self) -> list[str]:
        """The warnings and errors that the page wrote to the console since the last call."""
        entries = self._post("se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in {"WARNING", "SEVERE"}]

    def pointer(self, *steps: dict[str, Any]) -> None:
        """Move and press the mouse."""
        actions = [{"type": "pointer", "id": "mouse", "actions": list(steps)}]
        self._post("actions", {"actions": actions})

    def click(self, x: float, y: float) -> None:
        """Click at a point of the window."""
        self.pointer(
            {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        )

    def drag(self, x: float, y: float, dx: float, dy: float) -> None:
        """Press at a point, move, and release."""
        self.pointer(
            {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "duration": 30, "x": round(x + dx / 2), "y": round(y + dy / 2)},
            {"type": "pointerMove", "duration": 30, "x": round(x + dx), "y": round(y + dy)},
            {"type": "pointerUp", "button": 0},
        )

    def wheel(self, x: float, y: float, by: int) -> None:
        """Turn the wheel at a point."""
        scroll = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": by, "duration": 0}
        self._post("actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [scroll]}]})

    def keys(self, *pressed: str) -> None:
        """Type texts, and keys by their names."""
        typed = "".join(_KEYS.get(key_or_text, key_or_text) for key_or_text in pressed)
        steps = [{"type": kind, "value": key} for key in typed for kind in ("keyDown", "keyUp")]
        self._post("actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def dark(self, *, is_dark: bool) -> None:
        """Prefer dark or light colours, and wait until the page applies them."""
        scheme = "dark" if is_dark else "light"
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._post(
            "goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}}
        )
        is_applied = self.run(_WAIT_FOR_SCHEME, scheme)
        assert is_applied, f"the window is not {scheme}"

    def screenshot(self) -> bytes:
        """The window as a PNG."""
        return base64.b64decode(_request(f"{self._base}/screenshot"))

    def _post(self, command: str, body: dict[str, Any]) -> Any:
        return _request(f"{self._base}/{command}", body)


@contextmanager
def browser() -> Iterator[Browser]:
    """A window of a headless Chromium with an empty profile. Skips the test if Chromium is missing."""
    chrome = next((found for name in _CHROME if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if chrome is None or driver is None:
        pytest.skip(
            "NOT TESTED: there is no chromium with chromedriver (apt-get install chromium chromium-driver)"
        )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        running = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            assert running.stdout is not None
            line = next(line for line in running.stdout if "successfully on port " in line)
            port = int(line.rpartition("on port ")[2].strip().rstrip("."))
            options = {"binary": chrome, "args": [*_FLAGS, f"--user-data-dir={profile}"]}
            capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
            session = _request(
                f"http://127.0.0.1:{port}/session", {"capabilities": {"alwaysMatch": capabilities}}
            )
            try:
                yield Browser(port, session["sessionId"])
            finally:
                _request(f"http://127.0.0.1:{port}/session/{session['sessionId']}", method="DELETE")
        finally:
            running.terminate()
            running.wait(10)
            running.stdout.close()


def _request(url: str, body: dict[str, Any] | None = None, method: str | None = None) -> Any:
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, {"Content-Type": "application/json"}, method=method)
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
        return json.load(answer)["value"]
