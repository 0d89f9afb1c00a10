"""Service definitions that keep a watcher running: a systemd user unit and a launchd property list."""

from __future__ import annotations

import re
import sys
from xml.sax.saxutils import escape

_SYSTEMD = """\
# Save as ~/.config/systemd/user/memtool-watch.service, then:
#   systemctl --user enable --now memtool-watch
[Unit]
Description=memtool watcher for {root}

[Service]
ExecStart={program} -m memtool --root {root} watch
Restart=on-failure

[Install]
WantedBy=default.target
"""

_LAUNCHD = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- Save as ~/Library/LaunchAgents/memtool.serve.watch.plist, then:
     launchctl load -w ~/Library/LaunchAgents/memtool.serve.watch.plist -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>memtool.serve.watch</string>
  <key>ProgramArguments</key>
  <array>
    <string>{program}</string><string>-m</string><string>memtool</string>
    <string>--root</string><string>{root}</string><string>watch</string>
  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
</dict>
</plist>
"""


def service_definition(kind: str, root: str) -> str:
    """The definition for `systemd` or `launchd` that watches the workspace at `root` with this Python."""
    if kind == "launchd":
        return _LAUNCHD.format(program=escape(sys.executable), root=escape(root))
    return _SYSTEMD.format(program=_systemd_word(sys.executable), root=_systemd_word(root))


def _systemd_word(text: str) -> str:
    """A word of a systemd command line: percent signs doubled, quoted where it needs to be."""
    word = text.replace("%", "%%").replace("$", "$$")
    return f'"{word}"' if re.search(r"""[\s'";\\]""", word) else word
