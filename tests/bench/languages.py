"""Languages: whether the first hit of a question of XQuAD-R is the paragraph that answers it.

Each paragraph is a note of its own in a workspace of its language; each `step`-th question is asked by
`search`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.bench.figures import Figures
from tests.bench.fts5 import Fts5
from tests.bench.prepared import Workspaces, progress
from tests.bench.public_sets import ChatMessage, Paragraph, read_xquad

NOTES = "memory/notes"
_DEPTH = 10


def measure_languages(
    repository: Path, languages: Iterable[str], workspaces: Workspaces, step: int, mode: str
) -> Figures:
    """The share of questions whose paragraph is the first hit, and among ten, beside FTS5."""
    table = Figures(f"Languages, {mode}, one question in {step}")
    for language in languages:
        paragraphs = read_xquad(repository, language)
        progress(f"{language}: searching in {len(paragraphs)} paragraphs, {mode}")
        _measure(language, paragraphs, workspaces, step, mode, table)
    return table


def _measure(
    language: str, paragraphs: list[Paragraph], workspaces: Workspaces, step: int, mode: str, table: Figures
) -> None:
    names = [f"{NOTES}/{place:04}.md" for place in range(len(paragraphs))]
    baseline = Fts5(
        [ChatMessage(name, "user", row.text) for name, row in zip(names, paragraphs, strict=True)]
    )
    asked = [(name, text) for name, row in zip(names, paragraphs, strict=True) for text in row.questions]
    with workspaces.empty(f"xquad-{language}") as commands:
        (commands.root / NOTES).mkdir(parents=True, exist_ok=True)
        for name, row in zip(names, paragraphs, strict=True):
            (commands.root / name).write_text(row.text + "\n", encoding="utf-8")
        for name, text in asked[::step]:
            options = ("--limit", str(_DEPTH), "--mode", mode)
            hits = [hit["path"] for hit in commands.records("search", *options, "--", text)]
            first = baseline.ranked(text, 1)
            figures = {"R@1": hits[:1] == [name], "R@10": name in hits, "fts5 R@1": first == [name]}
            table.add(language, language, text, {key: float(value) for key, value in figures.items()})
