"""The help topics: Markdown pages in `documentation/topics/`, for `memtool help` and the man pages."""

from __future__ import annotations

import os

_FOLDER = os.path.join(os.path.dirname(__file__), "documentation", "topics")


def topic_names() -> list[str]:
    """The name of each topic, sorted."""
    return sorted(name.removesuffix(".md") for name in os.listdir(_FOLDER) if name.endswith(".md"))


def topic_page(name: str) -> str:
    """The Markdown page on a topic; its title is `# name: summary`. Raises KeyError for an unknown name."""
    if name not in topic_names():
        raise KeyError(name)
    with open(os.path.join(_FOLDER, f"{name}.md"), encoding="utf-8") as file:
        return file.read()


def topic_summary(name: str) -> str:
    """What a topic is about, from the title of its page."""
    title, _, _ = topic_page(name).partition("\n")
    return title.partition(": ")[2]
