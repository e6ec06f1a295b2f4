from pathlib import Path

import numpy as np
import pytest

import emberkeep
from emberkeep.errors import ConfigError, EmbedderMismatch
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.providers.padding import PaddedEmbedder, padded_to
from emberkeep.testing import WordEmbedder


@pytest.fixture(scope="module")
def inner() -> LocalEmbedder:
    return LocalEmbedder()


def test_pads_with_zeros(inner: LocalEmbedder) -> None:
    padded = PaddedEmbedder(inner, 512)

    vectors = padded.embed(["a cat", "a dog"])

    assert (padded.name, padded.dimension) == ("all-MiniLM-L6-v2-int8+pad512", 512)
    assert vectors.shape == (2, 512)
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors[:, :384], inner.embed(["a cat", "a dog"]))
    assert not vectors[:, 384:].any()


def test_pads_a_query_and_an_empty_list(inner: LocalEmbedder) -> None:
    padded = PaddedEmbedder(inner, 385)

    assert padded.embed_query("a cat").shape == (385,)
    assert padded.embed([]).shape == (0, 385)


def test_vectors_of_words_are_as_they_were(inner: LocalEmbedder) -> None:
    vectors, words = PaddedEmbedder(inner, 385).embed_words(["a cat"])
    assert vectors.shape == (1, 385)
    vector, asked = PaddedEmbedder(inner, 385).embed_query_words("a cat")
    assert vector.shape == (385,)
    for one in (words[0], asked):
        assert one is not None
        np.testing.assert_array_equal(one.vectors, inner.embed_words(["a cat"])[1][0].vectors)  # type: ignore[union-attr]


def test_refuses_to_cut(inner: LocalEmbedder) -> None:
    with pytest.raises(ConfigError, match="384 dimensions, which do not fit in 256"):
        PaddedEmbedder(inner, 256)


def test_a_store_that_was_padded_opens_without_being_told_so(tmp_path: Path) -> None:
    with emberkeep.open(tmp_path / "a.db", embedder=WordEmbedder(), pad_vectors_to=1536) as memory:
        memory.add("I live in Rome", user_id="alex")
    with emberkeep.open(tmp_path / "a.db", embedder=WordEmbedder()) as memory:
        assert memory.search("Rome", user_id="alex")[0].similarity is not None
        memory.add("I live in Oslo", user_id="alex")
        assert memory._parts.embedding.embedder.dimension == 1536
    with pytest.raises(EmbedderMismatch):
        emberkeep.open(tmp_path / "a.db", embedder=WordEmbedder(), pad_vectors_to=2048)


@pytest.mark.parametrize(
    ("name", "inner", "length"),
    [("m+pad1536", "m", 1536), ("m", "m", 0), ("m+pad", "m", 0), ("m+padx", "m", 0), ("n+pad8", "m", 0), ("", "m", 0)],
)
def test_a_name_says_how_far_it_is_padded(name: str, inner: str, length: int) -> None:
    assert padded_to(name, inner) == length
