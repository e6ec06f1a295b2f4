"""Vectors that processes share: found, not found, wrong, or the server is gone."""

import socket
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest
import redis

import emberkeep
from emberkeep.errors import ConfigError, EmbedderMismatch
from emberkeep.language.terms import term_of
from emberkeep.providers.base import Vectors, WordVectors, has_words, unrelated_to
from emberkeep.providers.cached_embedder import CachedEmbedder
from emberkeep.providers.redis_vectors import RedisVectors
from emberkeep.testing import WordEmbedder

if TYPE_CHECKING:
    from tests.conftest import Valkey


class Counting(WordEmbedder):
    """An embedder that counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], **options: object) -> Vectors:
        self.asked += texts
        return super().embed(texts)

    def embed_query(self, text: str, **options: object) -> Vectors:
        self.asked.append(f"? {text}")
        vector: Vectors = super().embed([text])[0]
        return vector


class InMemory:
    """A cache without a server."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}

    def get(self, keys: Sequence[str]) -> list[bytes | None]:
        return [self.values.get(key) for key in keys]

    def put(self, values: Mapping[str, bytes]) -> None:
        self.values.update(values)


def test_what_is_known_is_not_made_again() -> None:
    inner, shelf = Counting(), InMemory()
    cached = CachedEmbedder(inner, shelf)
    first = cached.embed(["tea", "coffee", "tea"])
    assert np.array_equal(first, WordEmbedder().embed(["tea", "coffee", "tea"]))
    second = CachedEmbedder(inner, shelf).embed(["coffee", "water", "tea"])
    assert np.array_equal(second, WordEmbedder().embed(["coffee", "water", "tea"]))
    assert inner.asked == ["tea", "coffee", "water"]
    assert (cached.tally.hits, cached.tally.misses) == (0, 2)
    assert cached.embed([]).shape == (0, inner.dimension)


def test_questions_are_kept_apart_from_texts() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, InMemory())
    cached.embed(["tea"])
    for _ in range(2):
        assert np.array_equal(cached.embed_query("tea"), WordEmbedder().embed(["tea"])[0])
    assert inner.asked == ["tea", "? tea"]


class ByWord(Counting):
    """One that has vectors of words too."""

    has_words = True

    def embed_words(self, texts: Sequence[str], **options: object) -> tuple[Vectors, Sequence[WordVectors | None]]:
        return self.embed(texts), [self.words(text) for text in texts]

    def embed_query_words(self, text: str, **options: object) -> tuple[Vectors, WordVectors | None]:
        return self.embed_query(text), self.words(text)

    @staticmethod
    def words(text: str) -> WordVectors:
        said = text.split()
        numbers = np.eye(len(said), 3, dtype=np.float32)
        return WordVectors(tuple(map(term_of, said)), numbers)


def test_vectors_of_words_are_shared_too_and_nothing_in_them_can_be_read() -> None:
    inner, shelf = ByWord(), InMemory()
    assert has_words(CachedEmbedder(inner, shelf))
    assert not has_words(CachedEmbedder(Counting(), shelf))
    for _ in range(2):
        cached = CachedEmbedder(inner, shelf)
        vectors, words = cached.embed_words(["green tea", "", "green tea"])
        assert np.array_equal(vectors, WordEmbedder().embed(["green tea", "", "green tea"]))
        for text, one in zip(["green tea", "", "green tea"], words, strict=True):
            assert one is not None
            assert one.terms == inner.words(text).terms
            assert np.array_equal(one.vectors, inner.words(text).vectors)
        vector, asked = cached.embed_query_words("green tea")
        assert asked is not None
        assert asked.terms == inner.words("green tea").terms
        assert np.array_equal(cached.embed_query("green tea"), vector)
    assert inner.asked == ["green tea", "", "? green tea"]
    secret = [b"tea", b"green", term_of("tea").to_bytes(8, "little"), term_of("green").to_bytes(8, "little")]
    assert not any(one in value for one in secret for value in shelf.values.values())


def sized(count: int, length: int, rest: bytes = b"") -> bytes:
    return count.to_bytes(4, "little") + length.to_bytes(4, "little") + rest


@pytest.mark.parametrize(
    "tail",
    [
        b"",
        b"x",
        sized(2, 3),
        sized(2**32 - 1, 2**32 - 1, bytes(8)),
        sized(1, 0, bytes(8)),
        sized(1, 2, bytes(8) + np.array([np.nan, 1], "<f2").tobytes()),
        sized(1, 2, bytes(8) + np.array([2, 1], "<f2").tobytes()),
        sized(1, 2, bytes(8) + np.array([1, 0, 0], "<f2").tobytes()),
    ],
)
def test_words_that_are_none_are_made_again(tail: bytes) -> None:
    inner, shelf = ByWord(), InMemory()
    cached = CachedEmbedder(inner, shelf)
    cached.embed(["tea"])
    (key,) = shelf.values
    shelf.values[key] = shelf.values[key][: inner.dimension * 4] + tail
    words = cached.embed_words(["tea"])[1][0]
    assert words is not None
    assert words.terms == (term_of("tea"),)
    assert inner.asked == ["tea", "tea"]


def test_models_do_not_share() -> None:
    shelf = InMemory()
    one, other = Counting(), Counting()
    other.name = "other"
    CachedEmbedder(one, shelf).embed(["tea"])
    CachedEmbedder(other, shelf).embed(["tea"])
    assert one.asked == other.asked == ["tea"]
    assert len(shelf.values) == 2
    assert CachedEmbedder(one, shelf).name == one.name
    assert CachedEmbedder(one, shelf).unrelated == unrelated_to(one)


@pytest.mark.parametrize("garbage", [b"", b"x", b"\0" * 4, "zeros", "huge", "nan"])
def test_garbage_is_passed_over_and_replaced(garbage: bytes | str) -> None:
    inner, shelf = Counting(), InMemory()
    cached = CachedEmbedder(inner, shelf)
    right = cached.embed(["tea"])
    (key,) = shelf.values
    number = {"zeros": 0.0, "huge": 3e38, "nan": np.nan}
    wrong = garbage if isinstance(garbage, bytes) else np.full(inner.dimension, number[garbage], "<f4").tobytes()
    shelf.values[key] = wrong
    assert np.array_equal(cached.embed(["tea"]), right)
    assert inner.asked == ["tea", "tea"]
    assert shelf.values[key] != wrong


def test_an_embedder_that_gives_the_wrong_shape_is_still_found_out() -> None:
    class Wrong(WordEmbedder):
        def embed(self, texts: Sequence[str], **options: object) -> Vectors:
            return super().embed(texts)[:, :3]

    with (
        emberkeep.open(":memory:", embedder=CachedEmbedder(Wrong(), InMemory())) as memory,
        pytest.raises(EmbedderMismatch),
    ):
        memory.remember("Alex likes tea")


@pytest.mark.slow
def test_processes_share_and_stats_say_how_much(valkey: "Valkey") -> None:
    url = valkey.url
    first, second = Counting(), Counting()
    with emberkeep.open(":memory:", embedder=first, embedding_cache_url=url) as memory:
        memory.remember("Alex likes tea")
        memory.search("tea")
        memory.remember("Alex likes tea")
        use = memory.stats().embedding_caches
        assert use["store"].hits > 0
        assert use["shared"].misses >= 2
    with emberkeep.open(":memory:", embedder=second, embedding_cache_url=url) as memory:
        memory.remember("Alex likes tea")
        memory.search("tea")
        assert second.asked == []
        assert memory.stats().embedding_caches["shared"].rate == 1.0
    with redis.Redis.from_url(url) as client:
        keys = [key.decode() for key in client.keys("*")]
        assert all(key.startswith("emberkeep:embedded:") and "Alex" not in key for key in keys)
        assert all(0 < client.ttl(key) <= 7 * 86_400 for key in keys)


def test_vectors_are_made_ahead(valkey: "Valkey") -> None:
    url = valkey.url
    with emberkeep.open(":memory:", embedder=Counting(), embedding_cache_url=url) as memory:
        done = memory.precompute(["tea", "coffee", "tea"])
        assert (done.texts, done.known, done.made) == (2, 0, 2)
        done = memory.precompute(["tea", "water"])
        assert (done.texts, done.known, done.made) == (2, 1, 1)
        assert memory.precompute(["tea?"], queries=True).made == 1
    inner = Counting()
    with emberkeep.open(":memory:", embedder=inner, embedding_cache_url=url) as memory:
        memory.remember("tea")
        memory.search("tea?")
        assert inner.asked == []


@pytest.mark.parametrize("texts", ["tea", [7], [""], ["a\0b"]])
def test_what_cannot_be_embedded_ahead_is_refused(texts: object) -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory, pytest.raises(emberkeep.InvalidInput):
        memory.precompute(texts)  # type: ignore[arg-type]


def test_without_a_shared_cache_there_is_nothing_to_fill() -> None:
    with (
        emberkeep.open(":memory:", embedder=WordEmbedder()) as memory,
        pytest.raises(ConfigError, match="embedding_cache_url"),
    ):
        memory.precompute(["tea"])


def test_a_server_that_dies_is_left_alone_and_nobody_notices(valkey: "Valkey") -> None:
    url = valkey.url
    inner = Counting()
    with emberkeep.open(":memory:", embedder=inner, embedding_cache_url=url) as memory:
        memory.remember("Alex likes tea")
        valkey.kill()
        kept = memory.remember("Bo likes coffee")
        assert memory.search("coffee")[0].id == kept.id
        assert "Bo likes coffee" in inner.asked


def test_a_server_that_never_answers_is_asked_once_in_a_while() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        vectors = RedisVectors(f"redis://127.0.0.1:{deaf.getsockname()[1]}/0", keep_s=60)
        begin = time.monotonic()
        for _ in range(100):
            assert vectors.get(["a", "b"]) == [None, None]
            vectors.put({"a": b"x"})
        assert time.monotonic() - begin < 0.9


def test_threads_share_one_cache(valkey: "Valkey") -> None:
    url = valkey.url
    cached = CachedEmbedder(WordEmbedder(), RedisVectors(url, keep_s=60))
    threads = [threading.Thread(target=cached.embed, args=([f"word{n % 7}" for n in range(50)],)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cached.tally.hits + cached.tally.misses == 8 * 7


def test_a_url_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="embedding_cache_url"):
        emberkeep.open(":memory:", embedder=WordEmbedder(), embedding_cache_url="memcached://127.0.0.1")
