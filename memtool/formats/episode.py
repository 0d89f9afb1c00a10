"""Episode: the summary of one session, with its metadata in the frontmatter (CoALA's arc)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.frontmatter import MarkdownFile


class EpisodeMetadata(Struct, frozen=True):
    """The metadata of an episode: its session, owner (`kind:id`), themes, and how it was summarised.

    `extractive`: the summary consists of the session's own sentences. `transcript` is equal for equal
    messages; `ended` is the time at which the session ended, as written in the file, `turns` how often the
    user spoke; `earlier` are the transcripts of its earlier ends, which the summary covers too.
    """

    session: str
    owner: str
    themes: tuple[str, ...]
    extractive: bool
    transcript: str = ""
    ended: str = ""
    turns: int = 0
    earlier: tuple[str, ...] = ()

    @property
    def identity(self) -> tuple[str, str]:
        """The identity of the episode: its session and owner."""
        return self.session, self.owner

    def covers(self, transcript: str) -> bool:
        """Whether the summary covers a transcript: the last, or one before the session was resumed."""
        return transcript == self.transcript or transcript in self.earlier


def parse(text: str) -> MarkdownFile:
    """Read any text; `render(parse(text)) == text`."""
    return frontmatter.parse(text)


def render(episode: MarkdownFile) -> str:
    """The file's text; `parse(render(episode)) == episode`."""
    return episode.meta + episode.body


def create(head: Mapping[str, Any], summary: str) -> MarkdownFile:
    """An episode with this metadata and summary."""
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in head.items())
    return MarkdownFile(f"---\n{lines}---\n", f"{summary}\n")


def replaced(episode: MarkdownFile, head: Mapping[str, Any], summary: str) -> MarkdownFile:
    """The episode with this metadata and summary; other keys of its frontmatter are kept."""
    keys = frontmatter.keys_or_empty(episode.meta)
    return create({**{key: value for key, value in keys.items() if key not in head}, **head}, summary)


def metadata(episode: MarkdownFile) -> EpisodeMetadata:
    """The metadata of an episode; missing fields are empty."""
    keys = frontmatter.keys_or_empty(episode.meta)
    themes, earlier = keys.get("primary_themes"), keys.get("earlier")
    return EpisodeMetadata(
        str(keys.get("session_id") or ""),
        str(keys.get("owner") or ""),
        tuple(map(str, themes)) if isinstance(themes, list) else (),
        keys.get("extractive") is True,
        str(keys.get("transcript") or ""),
        str(keys.get("ended_at") or ""),
        turns if isinstance(turns := keys.get("turn_count"), int) else 0,
        tuple(map(str, earlier)) if isinstance(earlier, list) else (),
    )


def record(episode: MarkdownFile) -> dict[str, Any]:
    """The record of `episode.schema.json`: the frontmatter, and the summary."""
    meta = frontmatter.load_keys(episode.meta)
    if not isinstance(meta, dict):
        return {"broken": {"line": meta.line, "message": meta.message}}
    return {"meta": meta, "summary": episode.body.strip()}
