"""`memtool eval`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import EMBEDDER_OPTION, MODE_OPTION, MemtoolCommand, check_separate
from memtool.cli.parse.input_file import InputFile
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session, pass_session
from memtool.core.text.json_fault import json_fault
from memtool.errors import BadUsage

if TYPE_CHECKING:
    from memtool.core.records.hit import Hit


@click.command(
    "eval",
    cls=MemtoolCommand,
    epilog="""
memtool eval questions.jsonl                           print Recall@k, MRR and nDCG
memtool eval --json questions.jsonl > baseline.json    save the metrics
memtool eval questions.jsonl --against baseline.json   exit 1 if a metric fell
memtool eval --mode hybrid questions.jsonl
""",
)
@click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
@MODE_OPTION
@EMBEDDER_OPTION
@click.option(
    "--against",
    metavar="FILE",
    type=InputFile(),
    help="Compare the metrics with the saved output of memtool eval --json [default: none]",
)
@click.option(
    "--tolerance",
    metavar="X",
    type=click.FloatRange(0, 1),
    help="With --against, how far a metric may fall before eval exits 1 [default: 0]",
)
@click.option(
    "--role",
    "roles",
    metavar="ROLE",
    multiple=True,
    help="Search only files of this role, such as note; repeatable [default: all]",
)
@pass_session
def command(session: Session, /, source: BinaryIO | None, **options: Any) -> int:
    """Measure search quality with your own questions

    Each line of FILE or stdin is a JSON object with two keys: query, and relevant (a list whose items are
    paths or have the form path:line). Prints the mean Recall@1/5/10/20, hit rate, MRR and nDCG@10, and the
    time per question. With --against, exits 1 when a metric has fallen by more than the value of --tolerance.
    """
    import time

    from memtool.cli.searching import search_here
    from memtool.core.records.search import SearchArguments
    from memtool.core.search.evaluation import find_regressions
    from memtool.verbs.search.evaluate import evaluate, parse_queries, unfindable_places

    check_separate(options["roles"], "--role")
    if options["tolerance"] is not None and options["against"] is None:
        raise click.UsageError("--tolerance requires --against FILE")

    queries = parse_queries(whole_text(source, None))
    before = None if options["against"] is None else _baseline_figures(options["against"].read())
    session.group(None)
    for notice in unfindable_places(session.workspace, queries):
        session.notice(notice)
    given = {name: options[name] for name in ("roles", "mode", "embedder")}
    indexes = session.search_indexes()

    def search(query: str, limit: int) -> Sequence[Hit]:
        response = search_here(session, lambda: indexes, SearchArguments(query, limit=limit, **given))
        for notice in response.notices:
            session.detail(notice)
        return response.hits

    result = evaluate(queries, search, time.perf_counter)
    record = result.record()
    if session.json:
        output.put_json(record)
    else:
        for name, figure in record.items():
            output.put(f"{name:<12}  {figure:>8}")
    for query in result.missed:
        session.detail(f"no relevant hit for {query!r}")
    regressions = (
        {} if before is None else find_regressions(result.figures, before, options["tolerance"] or 0.0)
    )
    for name, difference in regressions.items():
        session.notice(f"{name} fell by {difference:.4f}, to {result.figures[name]:.4f}")
    return 1 if regressions else 0


def _baseline_figures(content: bytes) -> dict[str, float]:
    """The means that an earlier run printed with --json. Raises BadUsage."""
    from memtool.core.search.evaluation import question_measures

    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadUsage(
            f"--against: the file {json_fault(error)}; give the saved output of memtool eval --json"
        ) from error
    numbers = (
        {name: float(number) for name, number in value.items() if _is_number(number)}
        if isinstance(value, dict)
        else {}
    )
    measured = {*question_measures([], 1), "questions", "ms", "ms_p95"}
    if unmeasured := sorted({*value} - measured if isinstance(value, dict) else ()):
        raise BadUsage(
            f"--against: unknown metric {unmeasured[0]!r}; give the saved output of memtool eval --json"
        )
    means = {name: number for name, number in numbers.items() if name not in {"questions", "ms", "ms_p95"}}
    if not means:
        raise BadUsage(
            "--against: the file contains no metrics; give the saved output of memtool eval --json"
        )
    return means


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
