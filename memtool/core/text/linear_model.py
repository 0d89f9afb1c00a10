"""Linear models of sentences: the weights of hashed features as signed bytes, in a file beside a module.

A model adds the weights of a sentence's words and parts of words, as fastText does (Joulin et al. 2016, "Bag
of Tricks for Efficient Text Classification"). `make model` trains the models on the labelled sentences of
`tests/training`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, cast
from zlib import crc32

from msgspec import Struct

from memtool.core.text.folding import is_continuous
from memtool.core.text.regex import regex

if TYPE_CHECKING:
    from importlib.abc import ResourceLoader
    from importlib.machinery import ModuleSpec

_WORD = r"\d[\d.,:/]*|[^\W_]+(?:'[^\W_]+)*|[^\w\s]"


class LinearModel(Struct, frozen=True):
    """The features of a sentence, the weights of each class in units of `scales`, and the intercepts."""

    features: Callable[[str], list[int]]
    weights: tuple[memoryview, ...]
    scales: tuple[float, ...]
    intercepts: tuple[float, ...]

    def scores(self, sentence: str) -> tuple[float, ...]:
        """The log odds of each class that the sentence is of it."""
        numbers = self.features(sentence)
        norm = max(1, len(numbers)) ** 0.5
        return tuple(
            sum(map(weights.__getitem__, numbers)) * scale / norm + intercept
            for weights, scale, intercept in zip(self.weights, self.scales, self.intercepts, strict=True)
        )


def read_model(spec: ModuleSpec, features: Callable[[str], list[int]]) -> LinearModel:
    """The model in the file `.bin` beside a module: a line of numbers, then the weights of each class.

    Packed modules have it, too.
    """
    loader = cast("ResourceLoader", spec.loader)
    head, _, body = loader.get_data(str(spec.origin).rpartition(".")[0] + ".bin").partition(b"\n")
    numbers = [float(number) for number in head.split()]
    count = len(numbers) // 2
    weights, size = memoryview(body).cast("b"), len(body) // count
    return LinearModel(
        features,
        tuple(weights[place * size : (place + 1) * size] for place in range(count)),
        tuple(numbers[:count]),
        tuple(numbers[count:]),
    )


def hashed(features: Iterable[str], buckets: int) -> list[int]:
    """Features as numbers of buckets, each once, in ascending order."""
    return sorted({crc32(feature.encode("utf-8", "surrogatepass")) % buckets for feature in features})


def model_words(folded: str) -> Iterator[str]:
    """Words without apostrophes, as chats write them, marks, and numbers as `0`; of scripts without spaces
    each character."""
    for match in regex(_WORD).finditer(folded):
        token = match[0]
        if token[0].isdigit():
            yield "0"
        elif is_continuous(token[0]):
            yield from token
        else:
            yield token.replace("'", "")
