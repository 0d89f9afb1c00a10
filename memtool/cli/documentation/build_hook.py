"""The build hook for hatchling: adds the man pages, generated from the help, to the wheel.

It runs while memtool is built, with only click and msgspec installed, and is not part of the wheel.
"""

from __future__ import annotations

import os
import sys
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManPageBuildHook(BuildHookInterface[Any]):
    """Installs each page into share/man of the environment, for normal and editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the pages and add them to the wheel's shared data."""
        sys.path.insert(0, self.root)
        from memtool.cli.documentation import man

        self.folder = TemporaryDirectory()
        man.main([self.folder.name])
        for name in man.page_names():
            place = f"share/man/man{name.rpartition('.')[2]}/{name}"
            build_data["shared_data"][os.path.join(self.folder.name, name)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder of pages."""
        self.folder.cleanup()
