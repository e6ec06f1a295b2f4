"""Reranks on this machine: a cross-encoder of the BERT family, as an ONNX model, reads the question with each text."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.language.characters import is_latin
from emberkeep.providers import model_folder
from emberkeep.providers.base import Vectors
from emberkeep.providers.onnx_network import HeldOnce, inputs_of, open_session, run
from emberkeep.providers.wordpiece import WordPiece

_MOST_OF_QUESTION = 64  # tokens; the rest is for the text
_FEWEST_TOKENS = 8


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a cross-encoder, the most tokens it reads, and the number of its threads."""

    model: Path
    sha256: str
    vocabulary: Path
    max_tokens: int
    threads: int


class LocalReranker:
    """A `Reranker` that runs a local model; loaded when first used, safe to share between threads.

    One pair at a time: in a dynamic int8 network, a pair's score would depend on the other pairs of its batch.
    """

    def __init__(self, folder: Path, *, threads: int = 2, only_latin: bool = False) -> None:
        model = model_folder.required(folder, "model.onnx", "onnx/model.onnx")
        self.name, usage = model_folder.described(folder)
        if usage.max_tokens < _FEWEST_TOKENS:
            raise ConfigError(f"max_tokens of {folder} is {usage.max_tokens}: a pair needs {_FEWEST_TOKENS} at least")
        digest = model_folder.file_digest(model)
        self._files = _Files(model, digest, model_folder.vocabulary_in(folder), usage.max_tokens, threads)
        self._only_latin = only_latin
        self._loaded: _CrossEncoder | None = None

    def reads(self, text: str) -> bool:
        """Whether the model was made for questions like this; the catalogue's model knows only Latin script."""
        return not self._only_latin or is_latin(text)

    def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """How well each text answers the question; raises `ModelUnavailable` when the deadline passes."""
        if self._loaded is None or self._loaded.process != os.getpid():
            self._loaded = _cross_encoders.get(self._files)
        found = np.empty(len(texts), np.float32)
        for place, text in enumerate(texts):
            if deadline is not None and deadline.passed:
                raise ModelUnavailable(f"{self.name} read {place} of {len(texts)} texts in time")
            found[place] = self._loaded.relevance(question, text)
        return found


class _CrossEncoder:
    """A loaded network with its tokenizer, bound to the process that loaded it: a fork does not inherit its threads."""

    def __init__(self, files: _Files) -> None:
        self.process = os.getpid()
        self._tokenizer = WordPiece.from_file(files.vocabulary)
        self._max_tokens = files.max_tokens
        # Scores are not stored, so they may be computed in whichever way is fastest on this machine.
        self._session = open_session(files.model, files.sha256, files.threads, optimised=True)
        self._inputs = inputs_of(files.model, self._session)
        outputs = [tensor.name for tensor in self._session.get_outputs() if tensor.shape[1:] == [1]]
        if not outputs:
            raise ConfigError(f"{files.model} has no output with one number a pair: it is no cross-encoder")
        self._output = outputs[0]

    def relevance(self, question: str, text: str) -> float:
        asked = self._tokenizer.encode(question, min(_MOST_OF_QUESTION, self._max_tokens // 2))
        said = self._tokenizer.encode(text, self._max_tokens - len(asked) + 1)[1:]
        tokens = np.array([[*asked, *said]], np.int64)
        kinds = np.array([[0] * len(asked) + [1] * len(said)], np.int64)
        feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": kinds}
        typed = {name: feed[name].astype(kind, copy=False) for name, kind in self._inputs.items()}
        try:
            return float(run(self._session, [self._output], typed)[0][0, 0])
        except ModelUnavailable:
            raise
        except Exception as error:  # onnxruntime's errors have no common base class
            raise ModelUnavailable(f"the model failed on a pair of {tokens.size} tokens: {error}") from error


_cross_encoders = HeldOnce(_CrossEncoder)
