"""`memtool note`."""

from __future__ import annotations

from memtool.cli.actions import ActionGroup
from memtool.cli.commands.note_edit import mv, new, show
from memtool.cli.commands.note_links import backlinks, broken, graph, links, orphans, tags

command = ActionGroup(
    "note",
    [new, show, mv, links, backlinks, orphans, broken, tags, graph],
    help="""Create, show and move notes, and query the links between them

Links are resolved as in Obsidian: a [[wikilink]] names a note by file name, path or alias, and may point to a
heading or a block in that note. memtool also accepts a note's id or title. Embeds and Markdown links count as
links, too; links in code are ignored. A link that matches several files points to the nearest one. In some
layouts, such as obsidian, a wikilink to a note that has not been written yet does not count as broken.
`orphans` and `broken` exit 1 if they find anything; the other actions exit 1 if they find nothing.""",
    epilog="""
memtool note new "Crawling glaze" --tag glaze
memtool note show "Kiln schedule"
memtool note mv celadon zettel/glazes/
memtool note backlinks celadon
memtool note graph --format html > graph.html
""",
)
