"""Train the models of statements and of health: `python -m tests.training.train [--check]`.

Logistic regression for each class, by gradient descent with momentum from zero weights: the same sentences
give the same file. A feature counts for more, the more its share differs between the class and the rest, as
in NB-SVM (Wang and Manning 2012, "Baselines and Bigrams", with their interpolation). `--check` trains on all
sets but those of a fold, and prints how well the model knows the sentences of authors that it has not seen.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from memtool.core.capture import statement_model
from memtool.core.capture.statement_model import CLASSES, FACT
from memtool.core.text import health_words

SENTENCES = Path(__file__).parent / "sentences"
HEALTH_SENTENCES = Path(__file__).parent / "health"
"""Statements for the model of health alone."""
_CORE = Path(__file__).parents[2] / "memtool/core"
MODEL = _CORE / "capture/statement_model.bin"
HEALTH_MODEL = _CORE / "text/health_words.bin"
HEALTH = "health"
_STEPS, _RATE, _MOMENTUM, _PENALTY = 400, 40.0, 0.9, 1e-5
_PRECISIONS = (0.95, 0.9, 0.85, 0.8)
_FOLDS = 5
_INTERPOLATION = 0.5
"""The part of a feature's value that depends on its share in the class."""
_INTERCEPT_RATE = 0.05
"""The rate of the intercept, as a part of that of the weights."""


class Labelled(NamedTuple):
    """A sentence, its label (a class, or `none`), its language, its set, and whether a statement is about the
    health or diet of somebody."""

    text: str
    label: str
    language: str
    source: str
    is_of_health: bool = False


class Features(NamedTuple):
    """The features of a sentence, as numbers below `buckets`."""

    of: Callable[[str], list[int]]
    buckets: int


STATEMENT_FEATURES = Features(statement_model.features, statement_model.BUCKETS)
HEALTH_FEATURES = Features(health_words.features, health_words.BUCKETS)


class Weights(NamedTuple):
    """The weights of a class and its intercept."""

    values: Any
    intercept: float


def read_sentences(folder: Path = SENTENCES) -> list[Labelled]:
    """All labelled sentences, in the order of their files."""
    return [
        Labelled(row["text"], row["label"], row["lang"], path.stem, row.get("health", False))
        for path in sorted(folder.glob("*.jsonl"))
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    ]


def health_rows() -> list[Labelled]:
    """All statements, each once, labelled as those about health and the others."""
    rows = read_sentences() + read_sentences(HEALTH_SENTENCES)
    statements = {row.text: row for row in rows if row.label == FACT}
    return [row._replace(label=HEALTH if row.is_of_health else FACT) for row in statements.values()]


def train(rows: Sequence[Labelled], label: str, features: Features = STATEMENT_FEATURES) -> Weights:
    """Weights that tell sentences with the label from all others, which count alike in sum."""
    buckets = features.buckets
    numbered = [features.of(row.text) for row in rows]
    lengths = np.array([len(numbers) for numbers in numbered])
    columns = np.concatenate([np.array(numbers, dtype=np.int64) for numbers in numbered])
    lines = np.repeat(np.arange(len(rows)), lengths)
    values = 1 / np.sqrt(np.repeat(lengths, lengths))
    truth = np.array([float(row.label == label) for row in rows])
    importance = np.where(truth > 0, 0.5 / truth.sum(), 0.5 / (1 - truth).sum())
    factors = _factors(columns, truth[lines], buckets)
    values *= factors[columns]
    weights, speed = np.zeros(buckets), np.zeros(buckets)
    intercept = intercept_speed = 0.0
    for step in range(_STEPS):
        sums = np.bincount(lines, weights[columns] * values, minlength=len(rows)) + intercept
        error = (1 / (1 + np.exp(-sums)) - truth) * importance
        gradient = np.bincount(columns, error[lines] * values, minlength=buckets) + _PENALTY * weights
        rate = _RATE * (1 - step / _STEPS)
        speed = _MOMENTUM * speed - rate * gradient
        intercept_speed = _MOMENTUM * intercept_speed - rate * _INTERCEPT_RATE * float(error.sum())
        weights = weights + speed
        intercept += intercept_speed
    return Weights(weights * factors, intercept)


def _factors(columns: Any, truth: Any, buckets: int) -> Any:
    """The value of each feature: the log ratio of its shares in the class and in the rest, without sign.

    It is smoothed by one occurrence, interpolated with the mean, and 1 in the mean square of occurrences.
    """
    inside = np.bincount(columns, truth, minlength=buckets) + 1
    outside = np.bincount(columns, 1 - truth, minlength=buckets) + 1
    ratio = np.abs(np.log(inside / inside.sum() * outside.sum() / outside))
    factors = _INTERPOLATION * ratio + (1 - _INTERPOLATION) * ratio.mean()
    return factors / np.sqrt((factors[columns] ** 2).mean())


def score(weights: Weights, text: str, features: Features = STATEMENT_FEATURES) -> float:
    """The log odds that a sentence is of the class."""
    numbers = features.of(text)
    return float(weights.values[numbers].sum() / max(1, len(numbers)) ** 0.5 + weights.intercept)


def write_model(trained: Sequence[Weights], path: Path) -> None:
    """Write the weights as signed bytes after their scales and intercepts."""
    scales = [float(np.abs(weights.values).max()) / 127 for weights in trained]
    head = " ".join(f"{number:.6g}" for number in (*scales, *(weights.intercept for weights in trained)))
    body = b"".join(
        np.round(weights.values / scale).astype(np.int8).tobytes()
        for weights, scale in zip(trained, scales, strict=True)
    )
    path.write_bytes(head.encode() + b"\n" + body)


def check(
    rows: Sequence[Labelled], labels: Sequence[str], features: Features = STATEMENT_FEATURES
) -> Iterator[str]:
    """How well models of four fifths of the sets know the sentences of the others, by set and in all.

    For each precision: the recall, and the log odds from which a sentence counts as one of the class.
    """
    for label in labels:
        scored: list[tuple[float, bool]] = []
        sources = sorted({row.source for row in rows})
        for fold in (sources[start::_FOLDS] for start in range(_FOLDS)):
            weights = train([row for row in rows if row.source not in fold], label, features)
            for source in fold:
                own = [
                    (score(weights, row.text, features), row.label == label)
                    for row in rows
                    if row.source == source
                ]
                if any(is_right for _, is_right in own):
                    yield f"{label:5} {source:20} {_figures(own)}"
                scored += own
        yield f"{label:5} {'all':20} {_figures(scored)}"


def _figures(scored: Sequence[tuple[float, bool]]) -> str:
    total = sum(is_right for _, is_right in scored)
    shown: list[str] = []
    for precision in _PRECISIONS:
        right, recall, least = 0, 0.0, 0.0
        for count, (value, is_right) in enumerate(sorted(scored, reverse=True), 1):
            right += is_right
            if right / count >= precision:
                recall, least = right / total, value
        shown.append(f"{precision:.0%}: {recall:.2f} from {least:.2f}")
    return f"{total} of {len(scored)}; recall at a precision of " + ", ".join(shown)


def main() -> None:
    """Train on all sentences and write the models, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    rows = read_sentences()
    if parser.parse_args().check:
        for line in (
            *check(health_rows(), [HEALTH], HEALTH_FEATURES),
            *check(rows, CLASSES),
        ):
            sys.stdout.write(line + "\n")
    else:
        write_model([train(health_rows(), HEALTH, HEALTH_FEATURES)], HEALTH_MODEL)
        write_model([train(rows, label) for label in CLASSES], MODEL)


if __name__ == "__main__":
    main()
