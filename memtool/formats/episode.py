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
    messages; `ended` is the time at which the session ended, as written in the file.
    """

    session: str
    owner: str
    themes: tuple[str, ...]
    extractive: bool
    transcript: str = ""
    ended: str = ""

    @property
    def identity(self) -> tuple[str, str, str]:
        """The identity of the episode: its session, owner and transcript."""
        return self.session, self.owner, self.transcript


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


def metadata(episode: MarkdownFile) -> EpisodeMetadata:
    """The metadata of an episode; missing fields are empty."""
    keys = frontmatter.keys_or_empty(episode.meta)
    themes = keys.get("primary_themes")
    return EpisodeMetadata(
        str(keys.get("session_id") or ""),
        str(keys.get("owner") or ""),
        tuple(map(str, themes)) if isinstance(themes, list) else (),
        keys.get("extractive") is True,
        str(keys.get("transcript") or ""),
        str(keys.get("ended_at") or ""),
    )


def record(episode: MarkdownFile) -> dict[str, Any]:
    """The record of `episode.schema.json`: the frontmatter, and the summary."""
    meta = frontmatter.load_keys(episode.meta)
    if not isinstance(meta, dict):
        return {"broken": {"line": meta.line, "message": meta.message}}
    return {"meta": meta, "summary": episode.body.strip()}
