"""Why a search with a path found nothing: no file matches the path."""

from __future__ import annotations

from pathlib import PurePosixPath

from memtool.core.text.globs import glob_regex
from memtool.store.workspace import Workspace


def unmatched_path(workspace: Workspace, pattern: str) -> str:
    """A notice that no file matches a pattern, with the folder that is probably meant; "" if one does."""
    matches = glob_regex(pattern).match
    listing = workspace.listing()
    if any(map(matches, listing.files)):
        return ""
    folders = {str(folder) for path in listing.files for folder in PurePosixPath(path).parents}
    tail = pattern.strip("./").casefold()
    near = sorted(path for path in folders if path.casefold() == tail or path.casefold().endswith(f"/{tail}"))
    from difflib import get_close_matches

    near = near or get_close_matches(tail, folders, n=1, cutoff=0.8)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"no file matches the path {pattern!r}{hint}"
