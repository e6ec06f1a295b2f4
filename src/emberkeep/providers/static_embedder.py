"""Embeds by table look-up in numpy: a static vector for each word piece, as model2vec makes them."""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.providers import model_folder
from emberkeep.providers.base import Vectors
from emberkeep.providers.wordpiece import WordPiece

_LONGEST_HEADER = 1_048_576
_KINDS: dict[str, np.dtype[np.floating[Any]]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}


class StaticEmbedder:
    """An `Embedder` that takes the mean of the vectors of a text's pieces; a thousand times as fast as a network.

    Loaded when first used, safe to share between threads.
    """

    def __init__(self, folder: Path) -> None:
        """Takes a folder with `model.safetensors` and `tokenizer.json` or `vocab.txt`, perhaps `emberkeep.json`."""
        self._table = model_folder.required(folder, "model.safetensors")
        self._vocabulary = model_folder.vocabulary_in(folder)
        label, usage = model_folder.described(folder)
        self._usage = replace(usage, pooling="mean")
        digests = map(model_folder.file_digest, (self._table, self._vocabulary))
        self._name = model_folder.space_name(label, self._usage, *digests)
        self._loading = threading.Lock()
        self._loaded: _Rows | None = None

    @property
    def name(self) -> str:
        """Identifies the vector space."""
        return self._name

    @property
    def dimension(self) -> int:
        """How long each vector is; loads the model."""
        return int(self._rows().vectors.shape[1])

    @property
    def unrelated(self) -> float:
        """The median cosine of two unrelated statements."""
        return self._usage.unrelated

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector per text, in order; raises `ModelUnavailable` when the deadline passes."""
        rows = self._rows()
        vectors = np.empty((len(texts), rows.vectors.shape[1]), dtype=np.float32)
        for number, text in enumerate(texts):
            if deadline is not None and deadline.passed:
                raise ModelUnavailable(f"{self.name} embedded {number} of {len(texts)} texts in time")
            vectors[number] = rows.mean_of(self._usage.document_prefix + text, self._usage.max_tokens)
        return vectors

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question."""
        if deadline is not None and deadline.passed:
            raise ModelUnavailable(f"{self.name}: the deadline has passed")
        return self._rows().mean_of(self._usage.query_prefix + text, self._usage.max_tokens)

    def _rows(self) -> "_Rows":
        with self._loading:
            if self._loaded is None:
                self._loaded = _Rows.read(self._table, self._vocabulary)
            return self._loaded


@dataclass(frozen=True, slots=True)
class _Rows:
    """The tokenizer and its table: a vector for each word piece."""

    tokenizer: WordPiece
    vectors: Vectors

    @classmethod
    def read(cls, table: Path, vocabulary: Path) -> "_Rows":
        tokenizer, vectors = WordPiece.from_file(vocabulary), _read_table(table)
        if len(vectors) < tokenizer.size:
            raise ConfigError(f"{table} has {len(vectors)} vectors for {tokenizer.size} pieces: it belongs to others")
        if not np.isfinite(vectors).all():
            raise ConfigError(f"{table} has a vector that is not finite")
        return cls(tokenizer, vectors)

    def mean_of(self, text: str, max_tokens: int) -> Vectors:
        """The mean of the pieces' vectors, normalised; the unknown piece's vector if no word is known."""
        unknown = self.tokenizer.unknown
        pieces = [piece for piece in self.tokenizer.encode(text, max_tokens)[1:-1] if piece != unknown]
        mean: Vectors = self.vectors[pieces or [unknown]].mean(axis=0)
        length = np.linalg.norm(mean)
        if not length:
            raise ModelUnavailable("the model's vectors of this text come to nothing")
        unit: Vectors = mean / length
        return unit


def _read_table(path: Path) -> Vectors:
    """Read the only tensor of a safetensors file, which is: the length of the header, the header, then the numbers."""
    try:
        with path.open("rb") as file:
            header = json.loads(file.read(min(int.from_bytes(file.read(8), "little"), _LONGEST_HEADER)))
            start = file.tell()
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not a safetensors file: {error}") from None
    if isinstance(header, dict):
        header.pop("__metadata__", None)
    match header:
        case {
            "embeddings": {
                "dtype": "F32" | "F16" as kind,
                "shape": [int(rows), int(length)],
                "data_offsets": [int(first), int(last)],
            },
            **others,
        } if not others and _fit(rows, length, first, last, _KINDS[kind].itemsize):
            if path.stat().st_size < start + last:
                raise ConfigError(f"{path} is cut off: fetch it again")
            numbers = np.fromfile(path, dtype=_KINDS[kind], count=rows * length, offset=start + first)
            return numbers.reshape(rows, length).astype(np.float32, copy=False)
    raise ConfigError(f"{path} does not hold one table of vectors, named embeddings: export it with model2vec")


def _fit(rows: int, length: int, first: int, last: int, item_size: int) -> bool:
    return min(rows, length) > 0 <= first and last - first == rows * length * item_size
