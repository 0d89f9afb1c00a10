"""`memtool compact`."""

from __future__ import annotations

from typing import Any, BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.input_file import InputFile
from memtool.cli.parse.inputs import exact_text
from memtool.cli.render.report_file import report_writer
from memtool.cli.session import Session, pass_session
from memtool.core.compaction.compact import SHARE_AFTER_COMPACTION, CompactionStage
from memtool.core.compaction.context_use import WARNING_SHARES, parse_overflow
from memtool.verbs.compaction.compact import CompactReport, CompactRequest, compact
from memtool.verbs.compaction.condense import CondenseCommands

_MOST_TOKENS = 10**12


@click.command(
    "compact",
    cls=MemtoolCommand,
    epilog="""
memtool compact < messages.json > shorter.json       exit code 1 if not needed yet
memtool compact --force --report report.json chat.jsonl
memtool compact --used 150000 --window 200000 < messages.json
memtool compact --summarizer 'llm -s "Summarise this conversation"' < messages.json
memtool compact --group family < messages.json       store a summary; keep no messages
""",
)
@click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
@click.option(
    "--used",
    metavar="N",
    type=click.IntRange(0, _MOST_TOKENS),
    help="Context tokens in use [default: estimated from the messages]",
)
@click.option(
    "--window",
    "--limit",
    "limit",
    metavar="N",
    type=click.IntRange(1, _MOST_TOKENS),
    help="Size of the context window in tokens [default: the setting context.limit]",
)
@click.option(
    "--overflow",
    metavar="TEXT",
    help="Compact after a provider has rejected the prompt with the error TEXT",
)
@click.option("--force", is_flag=True, help="Compact even if little of the context window is used")
@click.option(
    "--fresh/--no-fresh",
    default=None,
    help="Keep no messages; the next run starts a new conversation [default: only with --group]",
)
@click.option(
    "--group",
    metavar="GROUP",
    help="Store facts and the summary in this group's memory [default: MEMTOOL_GROUP]",
)
@click.option(
    "--gap",
    type=click.Choice(["summary", "marker"]),
    default="summary",
    help="Replace removed messages with a summary or a marker [default: summary]",
)
@click.option(
    "--summarizer",
    metavar="CMD",
    help="Command that summarises messages [default: the setting summarizer]",
)
@click.option(
    "--extractor",
    metavar="CMD",
    help="Command that extracts facts [default: the setting extractor]",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit 17 if a summarizer or extractor fails [default: use the built-in one]",
)
@click.option("--report", metavar="FILE", help="Write a report to FILE as JSON [default: none]")
@pass_session
def command(session: Session, /, source: BinaryIO | None, **options: Any) -> int:
    """Shorten a conversation that nearly fills its context window

    Reads messages as a JSON array or JSON Lines, in the format of the OpenAI API, the Anthropic API or q15,
    and prints them in the same format. If the conversation fills less than 60% of the context window, prints
    the messages unchanged and exits 1. At 60% or more, extracts facts from the conversation and stores them
    in long-term memory. At 70% or more, also replaces all but the first and the newest messages with a
    summary, and stores the summary. A layout, or the settings context.flush and context.compact, can change
    these percentages.
    """
    from memtool.verbs.capture.scan import load_triggers
    from memtool.verbs.compaction.context_window import calibrate_by_conversation, context_window
    from memtool.verbs.compaction.token_counter import token_counter

    group = session.group(options["group"], writes=True)
    workspace = session.workspace
    count, lacking = token_counter(workspace.settings)
    if lacking:
        session.notice(lacking)
    window, overflow = context_window(workspace), None
    if options["overflow"] is not None:
        overflow = parse_overflow(options["overflow"])
        if overflow is None:
            assumed = options["limit"] or window.tokens
            session.notice(
                f"--overflow: no context size found in the error message; assuming {assumed} tokens"
            )
    fresh = options["fresh"] if options["fresh"] is not None else bool(options["group"])
    now = session.now
    request = CompactRequest(
        now=now,
        today=now.astimezone(session.zone).date(),
        limit=options["limit"] or (overflow.window if overflow else window.tokens),
        owner=session.owner,
        used=options["used"] if options["used"] is not None or not overflow else overflow.tokens,
        force=options["force"] or options["overflow"] is not None,
        fresh=fresh,
        gap=options["gap"],
        group=group or None,
    )
    helpers = CondenseCommands(
        session.delegate(options["summarizer"], "summarizer"),
        session.delegate(options["extractor"], "extractor"),
        options["strict"],
    )
    text = exact_text(source)
    report = report_writer(session, options["report"], source)
    triggers = load_triggers(workspace.settings)

    def corrected(part: str) -> int:
        return round(count(part) * window.factor)

    compacted = compact(workspace, text, request, triggers=triggers, count=corrected, commands=helpers)
    if overflow is not None:
        calibrate_by_conversation(workspace, overflow, text, count)
    report(compacted.report)
    share = compacted.report["tokens_kept"] / request.limit
    if compacted.stage is not CompactionStage.COMPACT:
        share = compacted.report["tokens_before"] / request.limit
    if share >= min(WARNING_SHARES):
        session.notice(f"warning: {share:.0%} of the context window is used")
    _show(session, compacted, fresh=fresh)
    return int(compacted.stage is CompactionStage.EASY)


def _show(session: Session, compacted: CompactReport, *, fresh: bool) -> None:
    report = compacted.report
    if session.dry_run and compacted.stage is not CompactionStage.EASY:
        session.show_plan(compacted.plan)
        session.notice(
            "dry run: nothing was written" if compacted.plan else "dry run: nothing would be written"
        )
    elif session.json:
        output.put_json({**report, "messages_kept": list(compacted.messages)})
    elif fresh and compacted.stage is CompactionStage.COMPACT:
        messages = output.plural(report["messages"], "message")
        output.put(f"Compacted {messages} (id {report['request']}): {report['preview']}")
    else:
        output.put_raw(compacted.text)
    for notice in (*compacted.notices, *([compacted.reason] if compacted.reason else [])):
        session.notice(notice)
    if not session.dry_run:
        for line in _summary_sentences(report, stored=session.workspace.writes, fresh=fresh):
            session.notice(line)
        session.show_plan(compacted.plan)


def _summary_sentences(report: dict[str, Any], *, stored: bool, fresh: bool) -> list[str]:
    """The report for people, one sentence per line."""
    if report["stage"] == "easy":
        return []
    facts = output.plural(report["facts"], "new fact")
    where = f"{facts} in {report['facts_path']}" if stored else f"{facts} (not written)"
    if report["stage"] == "flush":
        return [f"{where}; the messages are unchanged"]
    unsaved = "the summary was not saved to a file; it is only in the conversation"
    printed = "the summary was printed" if fresh else unsaved
    summary = f"summary in {report['summary_path']}" if stored else printed
    summary_line = f"compacted {output.plural(report['messages'], 'message')} (id {report['request']})"
    return [
        f"{summary_line}: {report['removed']} removed; {where}; {summary}",
        _outcome(report, fresh=fresh),
        *([] if fresh else [f"preview: {report['preview']}"]),
    ]


def _outcome(report: dict[str, Any], *, fresh: bool) -> str:
    """What follows the compaction: a new conversation, or the old one's size and the value for --used."""
    before = report["tokens_before"]
    if fresh:
        return f"the conversation had about {before} tokens; the next run will start a new one"
    return (
        f"about {before} tokens before and {report['tokens_kept']} after; until the provider reports the "
        f"actual number, run memtool compact with --used {report['tokens_after']} "
        f"({SHARE_AFTER_COMPACTION:.0%} of the context window)"
    )
