"""`memtool note`."""

from __future__ import annotations

from memtool.cli.actions import ActionGroup
from memtool.cli.commands.note_edit import mv, new, show
from memtool.cli.commands.note_links import backlinks, broken, graph, links, orphans, tags

command = ActionGroup(
    "note",
    [new, show, mv, links, backlinks, orphans, broken, tags, graph],
    help="""Create, show and move notes, and query the links between them

Links are read as Obsidian reads them: [[wikilinks]] by file name, path, id, title or alias, with headings and
blocks, embeds, and Markdown links, but not in code. A link that matches several files leads to the nearest.
orphans and broken exit 1 if they find something other than a link to a note that is not written yet, the
other actions if they find nothing.""",
    epilog="""
memtool note new "Crawling glaze" --tag glaze
memtool note show "Kiln schedule"
memtool note mv celadon zettel/glazes/
memtool note backlinks celadon
memtool note graph --format html > graph.html
""",
)
