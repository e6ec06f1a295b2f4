"""Vectors by key, in half precision."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.storage.half_vectors import HalfVectors
from emberkeep.storage.search import Floats

DIMENSION = 24
batches = st.lists(st.lists(st.integers(1, 10_000), max_size=40, unique=True), max_size=6)


def vector_of(key: int) -> Floats:
    made = np.random.default_rng(key).standard_normal(DIMENSION).astype(np.float32)
    unit: Floats = made / np.linalg.norm(made)
    return unit


def held(keys: list[int]) -> HalfVectors:
    vectors = HalfVectors(DIMENSION, room=4)
    put(vectors, keys)
    return vectors


def put(vectors: HalfVectors, keys: list[int]) -> None:
    vectors.put(np.array(keys, np.int64), np.array([vector_of(key) for key in keys]).reshape(-1, DIMENSION))


@given(batches, st.integers(1, 10_000))
def test_each_key_has_its_own_vector_in_whatever_order_they_came(came: list[list[int]], asked: int) -> None:
    vectors, there = held([]), list[int]()
    for batch in came:
        fresh = [key for key in batch if key not in there]
        put(vectors, fresh)
        there += fresh
    assert len(vectors) == len(there)
    assert vectors.keys.tolist() == sorted(there)
    assert vectors.have(np.array([asked, *there])).tolist() == [asked in there, *(True for _ in there)]
    if there:
        expected = np.array([vector_of(key) for key in there])
        assert vectors.take(np.array(there)) == pytest.approx(expected, abs=1e-3)
        query = vector_of(asked)
        assert vectors.similarity(query, np.array(there)) == pytest.approx(expected @ query, abs=2e-3)


def test_one_key_may_be_asked_for_several_times() -> None:
    vectors = held([7, 3])
    assert vectors.take(np.array([3, 7, 3]))[:, 0] == pytest.approx([vector_of(key)[0] for key in (3, 7, 3)], abs=1e-3)


def test_nothing_is_like_nothing() -> None:
    assert held([1]).similarity(vector_of(1), np.array([], np.int64)).shape == (0,)
    assert not held([]).have(np.array([1, 2])).any()
