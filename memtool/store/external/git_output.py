"""What git prints of the repository that contains a workspace, which may be another person's."""

from __future__ import annotations

import os
import subprocess


def git_output(root: str, *arguments: str) -> bytes | None:
    """What git prints in a folder; None where it fails or is missing.

    It runs no program that the repository names, neither to list files nor to fetch objects that a partial
    clone lacks.
    """
    command = ["git", "-c", "core.fsmonitor=false", "-C", root, *arguments]
    environment = {**os.environ, "GIT_ALLOW_PROTOCOL": "none"}
    try:
        done = subprocess.run(command, capture_output=True, check=False, env=environment)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
