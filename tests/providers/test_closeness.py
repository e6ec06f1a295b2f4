"""Thresholds mean the same to a model that puts all texts close together."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.providers.base import UNRELATED, Vectors, closeness, unrelated_to
from emberkeep.providers.local_embedder import LocalEmbedder, LocalModel
from emberkeep.providers.padding import PaddedEmbedder
from emberkeep.providers.wordpiece import BERT_UNCASED

SHARED = 0.75  # how much of each vector all texts have in common


class ClosePacked:
    """The bundled model's vectors with a part that is the same for all texts: its cosines are 0.75 and more."""

    name = "close-packed"
    dimension = 385

    def __init__(self, inner: LocalEmbedder) -> None:
        self._inner = inner

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        own = self._inner.embed(texts, deadline=deadline) * np.sqrt(1 - SHARED)
        return np.hstack([own, np.full((len(texts), 1), np.sqrt(SHARED))]).astype(np.float32)

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        vector: Vectors = self.embed([text])[0]
        return vector


class ClosePackedAndSaysSo(ClosePacked):
    unrelated = SHARED + (1 - SHARED) * UNRELATED


def test_a_cosine_becomes_the_one_of_the_bundled_model(embedder: LocalEmbedder) -> None:
    packed = ClosePackedAndSaysSo(embedder)
    one, other = "The user is vegetarian", "The user is vegan"

    plain, close = (float(np.dot(*each.embed([one, other]))) for each in (embedder, packed))

    assert plain < 0.95 < close
    assert closeness(close, packed) == pytest.approx(plain, abs=1e-6)
    assert closeness(close, PaddedEmbedder(packed, 512)) == closeness(close, packed)
    assert closeness(plain, embedder) == plain
    assert closeness(close, ClosePacked(embedder)) == close
    assert unrelated_to(PaddedEmbedder(ClosePacked(embedder), 512)) == unrelated_to(embedder) == UNRELATED


def test_what_is_not_the_same_is_not_taken_for_it(embedder: LocalEmbedder) -> None:
    with emberkeep.open(":memory:", embedder=ClosePackedAndSaysSo(embedder)) as memory:
        memory.remember("The cat sleeps on the sofa")
        assert memory.remember("The cat sleeps on the bed").new == 1
        memory.remember("Tomorrow the kettle will be repaired")
        assert memory.remember("The kettle will be repaired tomorrow").updated == 1

    with emberkeep.open(":memory:", embedder=ClosePacked(embedder)) as memory:
        memory.remember("The cat sleeps on the sofa")
        assert memory.remember("The cat sleeps on the bed").new == 0


def test_a_folder_may_say_it(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").symlink_to(LocalModel.bundled().model)
    (tmp_path / "vocab.txt").symlink_to(BERT_UNCASED)
    silent = LocalEmbedder.from_folder(tmp_path)
    (tmp_path / "emberkeep.json").write_text('{"unrelated": 0.8}')
    said = LocalEmbedder.from_folder(tmp_path)

    assert (silent.unrelated, said.unrelated) == (UNRELATED, 0.8)
    assert said.name == silent.name  # it changes no vector
