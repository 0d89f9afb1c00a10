"""fleet dev: a throw-away server for trying the fleet."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memtool.fleet.dev_server import DevServer, dev_folder, dev_server
from memtool.store.root import user_folder


def find_dev_server(environment: Mapping[str, str], folder: str | None) -> DevServer:
    """The server in a folder, by default in the user's folder for states; raises as `dev_server`."""
    state_folder = user_folder(environment, "XDG_STATE_HOME", ".local/state")
    return dev_server(environment, os.path.abspath(folder) if folder else dev_folder(state_folder))
