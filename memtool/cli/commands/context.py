"""`memtool context`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand, output_format
from memtool.cli.parse.inputs import whole_text
from memtool.cli.searching import quick_indexes
from memtool.cli.session import Session, pass_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memtool.core.context.context import PromptSnippet
    from memtool.verbs.context.context import ContextResponse


@click.command(
    "context",
    cls=MemtoolCommand,
    epilog="""
memtool context                                        what is part of every prompt
memtool context --prompt "When is the kiln free?"      the text to put before a prompt
memtool context --explain --prompt "is the kiln free?" why each excerpt is chosen
tail -n 20 chat.log | memtool context --prompt -       memory that matches the end of a chat
memtool context --prompt - --budget 4000 < prompt.txt  in at most 4000 characters
memtool context --prompt - --tokens 1000 --format json < prompt.txt
memtool context --group family --retrieved --prompt "the picnic"   only excerpts of memory
""",
)
@click.option(
    "--prompt",
    metavar="TEXT|-",
    help="Next prompt in the conversation [default: stdin, or no prompt if stdin is a terminal]",
)
@click.option(
    "--budget",
    metavar="N",
    type=click.IntRange(min=1),
    help="Print at most N characters [default: no limit]",
)
@click.option(
    "--tokens",
    metavar="N",
    type=click.IntRange(min=1),
    help="Print at most N tokens; cannot be combined with --budget [default: no limit]",
)
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    help="Print text or one JSON record [default: text]",
)
@click.option(
    "--mode",
    type=click.Choice(["words", "lexical"]),
    help="Rank passages by how many of the prompt's words they contain (words), or as memtool search does "
    "(lexical) [default: the setting context.mode]",
)
@click.option(
    "--group", metavar="GROUP", help="Use the memory of GROUP and of groups/global [default: MEMTOOL_GROUP]"
)
@click.option(
    "--explain",
    is_flag=True,
    help="Print why each file or excerpt is included or left out, instead of the text",
)
@click.option(
    "--retrieved", is_flag=True, help="Print only excerpts, not the files that are part of every prompt"
)
@click.option(
    "--latest-episode",
    is_flag=True,
    help="Also print the latest session summary; use this for a session's first prompt",
)
@pass_session
def command(session: Session, /, **options: Any) -> int:
    """Print the memory to include in the next prompt

    First prints the files that are part of every prompt, each within its limit and its share of the budget.
    Then prints excerpts that match the end of the prompt: passages of documents with their paths, and
    messages of past sessions with their dates and speakers. At least 30% of the budget is reserved for
    excerpts. Apart from excerpts, only three entries may use this reserve: the newest rule, the newest entry
    that gives the user's name, and the newest preference. Leaves out superseded facts and, with --user, the
    memory of other users. --mode lexical ranks passages of documents as memtool search does; --mode words
    ranks them by the share of the prompt's words that they contain. When there is nothing to print, exits 3
    if a file could not be read, and 1 otherwise.

    With --explain, prints a line for each file and each excerpt, with these columns, separated by tabs: the
    outcome (given, cut or left out); the role; the score of an excerpt, or - for a file; the path and, for an
    excerpt, the line; the text of an excerpt, the size of a file and its share of the budget, or the reason
    why the excerpt or file was left out.
    """
    shape = output_format(session, options["shape"], "text")
    scope = session.decide_prompt_scope(options["group"])
    from memtool.core.records.request import ContextRequest
    from memtool.verbs.context.context import context

    workspace = session.workspace
    if options["budget"] and options["tokens"]:
        raise click.UsageError("--budget (characters) and --tokens cannot be combined")
    if options["retrieved"] and options["latest_episode"]:
        raise click.UsageError("--retrieved and --latest-episode cannot be combined")
    cost: Callable[[str], int] = len
    if options["tokens"]:
        from memtool.verbs.compaction.token_counter import token_counter

        cost, lacking = token_counter(workspace.settings)
        if lacking:
            session.notice(lacking)
    prompt = options["prompt"]
    if prompt is None and sys.stdin is not None and sys.stdin.isatty():
        prompt = ""  # nothing is piped in: show what is part of every prompt
    elif prompt in {None, "-"}:
        prompt = whole_text(None, None)
    request = ContextRequest(
        prompt,
        scope,
        session.now.astimezone(session.zone).date(),
        budget=options["budget"] or options["tokens"],
        cost=cost,
        mode=options["mode"],
        standing=not options["retrieved"],
        latest_episode=options["latest_episode"],
        session=session.owner_ids.get("session", ""),
    )
    with quick_indexes(session, request.prompt) as open_indexes:
        response = context(workspace, request, open_indexes)
    if shape == "json":
        record = _record(response, cost(response.text))
        output.put_json({**record, "left_out": [*_left_out(response)]} if options["explain"] else record)
    elif options["explain"]:
        for line in _explanation(response):
            output.put(line)
    else:
        output.put_raw(response.text)
    for notice in response.notices:
        session.notice(notice)
    if not response.text:
        unit = "token" if options["tokens"] else "character"
        session.notice(
            f"nothing fits in {request.budget} {unit}{'s' * (request.budget != 1)}; "
            f"at least {response.least} are needed"
            if response.least
            else "nothing to inject"
        )
        return 3 if response.is_incomplete else 1
    return 0


def _explanation(response: ContextResponse) -> Iterator[str]:
    """A line for each section and piece: what became of it, its role, score, place and the reason."""
    for section in response.sections:
        count = section.left_out
        cut = f", {count} record{'s' if count > 1 else ''} omitted" if count else ""
        share = f"(share '{section.share.name}': {section.share.percent}% of the budget)"
        yield (
            f"{'cut' if cut else 'given'}\t{section.role}\t-\t{section.path}\t"
            f"in every prompt: {len(section.text)} characters {share}{cut}"
        )
    for snippet in response.snippets:
        place = f"{snippet.path}:{snippet.first}"
        text = " ".join(snippet.text.split())
        yield f"given\t{snippet.role}\t{snippet.score:.3f}\t{place}\t{text}"
    for piece in response.left_out:
        ranked = f"{piece.score:.3f}\t{piece.path}:{piece.line}" if piece.line else f"-\t{piece.path}"
        yield f"left out\t{piece.role}\t{ranked}\t{piece.reason}"
    if not (response.snippets or any(piece.line for piece in response.left_out)):
        yield "nothing\t-\t-\t-\tno document or message matches the prompt well enough"


def _left_out(response: ContextResponse) -> Iterator[dict[str, Any]]:
    from msgspec.structs import asdict

    for piece in response.left_out:
        yield {**asdict(piece), "score": round(piece.score, 6)}


def _spoken(snippet: PromptSnippet) -> dict[str, str]:
    """What a snippet of a message has in addition: its speaker, day and reply."""
    if not snippet.speaker:
        return {}
    reply = {"reply": snippet.reply} if snippet.reply else {}
    return {"speaker": snippet.speaker, "day": snippet.shown, **reply}


def _record(response: ContextResponse, cost: int) -> dict[str, Any]:
    return {
        "text": response.text,
        "cost": cost,
        "query": response.query,
        "sections": [
            {
                "path": section.path,
                "role": section.role,
                "text": section.text,
                "first_unseen": section.first_unseen,
            }
            for section in response.sections
        ],
        "snippets": [
            {
                "rank": rank,
                "source": snippet.source,
                "path": snippet.path,
                "role": snippet.role,
                "line": snippet.first,
                "end_line": snippet.last,
                "score": round(snippet.score, 6),
                "text": snippet.text,
                **_spoken(snippet),
            }
            for rank, snippet in enumerate(response.snippets, 1)
        ],
        "notices": list(response.notices),
    }
