"""What hatchling puts beside the package when it is built: the man pages, made from the help of that moment.

It runs where memtool is built, with nothing but click and msgspec, and is no part of the wheel.
"""

from __future__ import annotations

import os
import sys
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManPages(BuildHookInterface[Any]):
    """Each page goes to share/man of whatever the wheel is installed into, in place or not."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the pages and name them to the builder."""
        sys.path.insert(0, self.root)
        from memtool.cli.documentation import man

        self.folder = TemporaryDirectory()
        man.main([self.folder.name])
        for name in man.names():
            place = f"share/man/man{name.rpartition('.')[2]}/{name}"
            build_data["shared_data"][os.path.join(self.folder.name, name)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the pages away again; the wheel holds them."""
        self.folder.cleanup()
