"""Episode: the arc of one session, its data in the frontmatter and its summary as the text (CoALA)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.frontmatter import Page


class Arc(Struct, frozen=True):
    """Which session an episode is of, whose (`kind:id`), what it was about, and who wrote its summary.

    `extractive`: it was made of the session's own sentences. `transcript` is the same for the same messages;
    `ended` is when the session did, as it is written.
    """

    session: str
    owner: str
    themes: tuple[str, ...]
    extractive: bool
    transcript: str = ""
    ended: str = ""

    @property
    def of(self) -> tuple[str, str, str]:
        """What tells arcs apart: the session, its owner, and what was said in it."""
        return self.session, self.owner, self.transcript


def parse(text: str) -> Page:
    """Read any text; `render(parse(text)) == text`."""
    return frontmatter.page(text)


def render(episode: Page) -> str:
    """The file's text; `parse(render(episode)) == episode`."""
    return episode.meta + episode.body


def made(head: Mapping[str, Any], summary: str) -> Page:
    """An episode with this data and summary."""
    rows = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in head.items())
    return Page(f"---\n{rows}---\n", f"{summary}\n")


def arc(episode: Page) -> Arc:
    """What an episode says of itself; empty where it does not."""
    keys = frontmatter.keys(episode.meta)
    themes = keys.get("primary_themes")
    return Arc(
        str(keys.get("session_id") or ""),
        str(keys.get("owner") or ""),
        tuple(map(str, themes)) if isinstance(themes, list) else (),
        keys.get("extractive") is True,
        str(keys.get("transcript") or ""),
        str(keys.get("ended_at") or ""),
    )


def record(episode: Page) -> dict[str, Any]:
    """What `episode.schema.json` describes: the frontmatter, and the summary."""
    found = frontmatter.read(episode.meta)
    if not isinstance(found, dict):
        return {"broken": {"line": found.line, "message": found.message}}
    return {"meta": found, "summary": episode.body.strip()}
