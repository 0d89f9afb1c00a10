"""Evaluation: measures of information retrieval for ranked hits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

DEPTHS = (1, 5, 10, 20)
"""The depths at which recall is measured."""
_GAIN_DEPTH = 10


def question_measures(ranks: Sequence[int], relevant: int) -> dict[str, float]:
    """The measures of one question whose `relevant` items were found at `ranks` (from 1).

    Recall at a depth is the share of relevant items among so many hits; the hit rate is 1 if any is among
    ten; MRR is 1/rank of the first; nDCG@10 is the discounted gain over that of the best order (Järvelin and
    Kekäläinen 2002, with gains of 0 and 1). All are 0 to 1.
    """
    measures = {f"recall@{depth}": sum(rank <= depth for rank in ranks) / relevant for depth in DEPTHS}
    measures["hit_rate@10"] = float(any(rank <= _GAIN_DEPTH for rank in ranks))
    measures["mrr"] = 1 / min(ranks) if ranks else 0.0
    best = sum(_gain(rank) for rank in range(1, min(_GAIN_DEPTH, relevant) + 1))
    measures["ndcg@10"] = sum(_gain(rank) for rank in ranks if rank <= _GAIN_DEPTH) / best
    return measures


def mean_measures(rows: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over all questions; empty for no question."""
    every = list(rows)
    return {name: sum(row[name] for row in every) / len(every) for name in (every[0] if every else ())}


def find_regressions(
    now: Mapping[str, float], before: Mapping[str, float], tolerance: float
) -> dict[str, float]:
    """The measures that fell by more than a tolerance, each with its difference, rounded to four digits.

    Raises KeyError for a measure that is missing in `now`.
    """
    fell = {name: round(round(figure, 4) - round(now[name], 4), 4) for name, figure in before.items()}
    return {name: by for name, by in fell.items() if by > tolerance}


def _gain(rank: int) -> float:
    return 1 / math.log2(rank + 1)
