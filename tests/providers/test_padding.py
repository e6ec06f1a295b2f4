import numpy as np
import pytest

from emberkeep.errors import ConfigError
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.providers.padding import PaddedEmbedder


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
