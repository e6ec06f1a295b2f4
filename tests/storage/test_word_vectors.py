"""Packed vectors of words: near enough to the real ones, and the same whoever else is compared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from emberkeep.storage.word_vectors import NOTHING, WITHOUT_THREADS, asked, best_matches, pack

Floats = NDArray[np.float32]


def words(count: int, seed: int, *, dimension: int = 64) -> Floats:
    made: Floats = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


@given(st.lists(st.integers(0, 30), min_size=1, max_size=8), st.integers(1, 7), st.sampled_from([1, 3, 48, 64]))
def test_each_word_of_a_question_gets_its_nearest_in_each_text(sizes: list[int], count: int, dimension: int) -> None:
    texts = [words(size, number + 1, dimension=dimension) for number, size in enumerate(sizes)]
    question = words(count, 0, dimension=dimension)
    given_words = asked(tuple(range(count)), question)
    assert given_words is not None
    found = best_matches(given_words, [pack(text) for text in texts])
    right = [(text @ question.T).max(axis=0) if len(text) else np.full(count, NOTHING) for text in texts]
    assert found == pytest.approx(np.array(right), abs=0.12)


def test_the_same_word_is_next_to_certain_and_takes_half_a_byte_a_number() -> None:
    said = words(5, 1)
    question = asked((7,), said[2:3])
    assert question is not None
    assert len(pack(said)) == 5 * 32
    assert best_matches(question, [pack(said)])[0, 0] > 0.99


def test_nobody_is_measured_differently_for_the_company() -> None:
    texts = [pack(words(size, size)) for size in range(1, 90)]
    assert sum(len(text) // 32 for text in texts) * 64 * 3 > 3 * WITHOUT_THREADS  # so it is done in pieces
    question = asked((1, 2, 3), words(3, 99))
    assert question is not None
    alone = np.concatenate([best_matches(question, [text]) for text in texts])
    assert np.array_equal(best_matches(question, texts), alone)
    assert np.array_equal(best_matches(question, texts[::-1])[::-1], alone)


def test_what_is_no_word_of_this_embedder_is_near_to_nothing() -> None:
    question = asked((1,), words(1, 1))
    assert question is not None
    none = [b"", b"x" * 31, pack(words(0, 1)), pack(words(2, 1, dimension=48))[:33]]
    assert best_matches(question, none).tolist() == [[NOTHING]] * 4
    assert best_matches(question, []).shape == (0, 1)


def test_a_question_without_words_has_nothing_to_compare() -> None:
    assert asked((), words(0, 1)) is None


def test_a_word_of_zeros_is_near_to_nothing() -> None:
    question = asked((1,), words(1, 1))
    assert question is not None
    assert best_matches(question, [pack(np.zeros((1, 64), np.float32))])[0, 0] == 0.0
