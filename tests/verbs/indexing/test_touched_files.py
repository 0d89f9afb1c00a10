"""Files with new time stamps and the same bytes are not indexed again."""

from __future__ import annotations

import os

from memtool.verbs.indexing.documents import DocumentSync
from tests.trees import make, opened

KEY = b"k" * 32
NOTES = {f"memory/notes/inbox/{name}.md": f"the {name}\n" for name in ("anchor", "bilge", "cleat")}


def synchronised(root, **limits):
    indexes = DocumentSync(opened(root, "native"), KEY, wait=5.0, **limits)
    try:
        return indexes.sync()
    finally:
        indexes.close()


def segments(root):
    return sorted(path.name for path in (root / ".memtool").rglob("*.seg"))


def test_a_file_that_was_only_touched_is_not_indexed_again(tmp_path):
    make(tmp_path, NOTES)
    synchronised(tmp_path)
    before = segments(tmp_path)
    for path in NOTES:
        os.utime(tmp_path / path, (1_700_000_000, 1_700_000_000))
    view = synchronised(tmp_path, most=0)  # more than no byte to index would raise IndexBehind
    assert before
    assert segments(tmp_path) == before
    for path in NOTES:
        assert view.stamps[path].mtime_ns == 1_700_000_000 * 10**9


def test_of_touched_files_only_the_changed_one_is_indexed(tmp_path):
    make(tmp_path, NOTES)
    synchronised(tmp_path)
    changed = "memory/notes/inbox/bilge.md"
    make(tmp_path, {changed: "the davit\n"})
    for path in NOTES:
        os.utime(tmp_path / path)
    view = synchronised(tmp_path, most=len("the davit\n"))
    assert view.stamps[changed].etag == opened(tmp_path, "native").etag(changed)
