"""Full-text search of Markdown files in few lines: `plain_fts5.py --index FOLDER`, `plain_fts5.py TEXT`."""

import sqlite3
import sys
from pathlib import Path


def index(folder: Path) -> None:
    """Put each Markdown file below a folder into `fts5.db`."""
    with sqlite3.connect("fts5.db") as database:
        database.execute("create virtual table t using fts5(path unindexed, x, tokenize='porter unicode61')")
        rows = ((str(path), path.read_text(encoding="utf-8")) for path in folder.rglob("*.md"))
        database.executemany("insert into t values(?, ?)", rows)


def search(text: str) -> list[tuple[str, str]]:
    """Paths and excerpts of the ten best files with any of the words."""
    query = " OR ".join(f'"{word}"' for word in text.split())
    sql = "select path, snippet(t, 1, '', '', '…', 20) from t where t match ? order by bm25(t) limit 10"
    with sqlite3.connect("fts5.db") as database:
        return database.execute(sql, (query,)).fetchall()


if __name__ == "__main__":
    if sys.argv[1] == "--index":
        index(Path(sys.argv[2]))
    else:
        for path, excerpt in search(sys.argv[1]):
            print(f"{path}: {excerpt}")
