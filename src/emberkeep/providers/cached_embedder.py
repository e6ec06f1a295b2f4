"""An embedder with a cache of vectors and word vectors that processes share, so that each is computed once."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from emberkeep.clock import Deadline
from emberkeep.providers.base import (
    Embedder,
    Tally,
    Vectors,
    WordVectors,
    embed_query_words,
    embed_words,
    has_words,
    reads,
    unrelated_to,
)

AS_IT_IS = 1e-3  # how far the length of a unit vector may be from 1
_NUMBER = np.dtype("<f4")
_HALF = np.dtype("<f2")
_TERM = np.dtype("<u8")
_SIZE = np.dtype("<u4")


class Shelf(Protocol):
    """The cache: vectors as bytes, by key."""

    def get(self, keys: Sequence[str]) -> list[bytes | None]:
        """The value under each key; None where there is none, or if the cache cannot be reached."""
        ...

    def put(self, values: Mapping[str, bytes]) -> None:
        """Keep values if possible; failing to is no error."""
        ...


class CachedEmbedder:
    """Another embedder's vectors, looked up in a cache first. Keys hold the embedder's name and the text's hash."""

    def __init__(self, inner: Embedder, shelf: Shelf) -> None:
        self._inner = inner
        self._shelf = shelf
        self.tally = Tally()

    @property
    def name(self) -> str:
        """Identifies the vector space: the inner embedder's."""
        return self._inner.name

    @property
    def dimension(self) -> int:
        """How long each vector is."""
        return self._inner.dimension

    @property
    def unrelated(self) -> float:
        """The median cosine of two unrelated statements: the inner embedder's."""
        return unrelated_to(self._inner)

    def reads(self, text: str) -> bool:
        """Whether the inner embedder was made for texts like this."""
        return reads(self._inner, text)

    @property
    def has_words(self) -> bool:
        """Whether the inner embedder gives vectors of words."""
        return has_words(self._inner)

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector per text, in order."""
        return self.embed_words(texts, deadline=deadline)[0]

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question."""
        return self.embed_query_words(text, deadline=deadline)[0]

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        """One unit vector per text, in order, and the vectors of its words if the inner embedder has any."""
        keys = {text: self._key("text", text) for text in texts}
        known = self._known(keys)
        fresh = [text for text in keys if text not in known]
        if fresh or not texts:
            made, words = embed_words(self._inner, fresh, deadline)
            if made.shape != (len(fresh), self.dimension) or not texts:
                return made, words  # a wrong shape is not cached: the caller reports it
            pairs = dict(zip(fresh, zip(made, words, strict=True), strict=True))
            self._shelf.put({keys[text]: _written(text, *pair) for text, pair in pairs.items()})
            known |= pairs
        return np.stack([known[text][0] for text in texts]), [known[text][1] for text in texts]

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> tuple[Vectors, WordVectors | None]:
        """The unit vector of a question, and the vectors of its words if the inner embedder has any."""
        keys = {text: self._key("query", text)}
        known = self._known(keys)
        if text in known:
            return known[text]
        made = embed_query_words(self._inner, text, deadline)
        self._shelf.put({keys[text]: _written(text, *made)})
        return made

    def _known(self, keys: Mapping[str, str]) -> dict[str, tuple[Vectors, WordVectors | None]]:
        found = zip(keys, self._shelf.get([*keys.values()]), strict=True)
        known = {text: parsed for text, value in found if (parsed := self._parsed(text, value)) is not None}
        self.tally.count(len(known), len(keys) - len(known))
        return known

    def _parsed(self, text: str, value: bytes | None) -> tuple[Vectors, WordVectors | None] | None:
        """The vector and the word vectors in a cached value; None if the value does not fit this embedder."""
        size = self.dimension * _NUMBER.itemsize
        if value is None or len(value) < size:
            return None
        vector: Vectors = np.frombuffer(value[:size], dtype=_NUMBER).astype(np.float32)
        with np.errstate(all="ignore"):
            length = float(np.sqrt(np.square(vector, dtype=np.float64).sum()))
        if not abs(length - 1.0) < AS_IT_IS:  # also true for NaN
            return None
        try:
            words = _read_words(text, value[size:])
        except ValueError:
            return None
        return None if words is None and self.has_words else (vector, words)

    def _key(self, role: Literal["text", "query"], text: str) -> str:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"emberkeep:embedded:{quote(self.name, safe='')}:{self.dimension}:{role}:{digest}"


def _written(text: str, vector: Vectors, words: WordVectors | None) -> bytes:
    """Serialise a vector; if there are word vectors, their shape, terms and values in half precision follow.

    Anyone with a dictionary could turn the terms back into words, so they are masked by a XOR with bytes that only
    the text itself yields (`_cover`).
    """
    written = vector.astype(_NUMBER).tobytes()
    if words is None:
        return written
    terms = np.array(words.terms, _TERM) ^ _cover(text, len(words.terms))
    return b"".join(
        [
            written,
            np.array(words.vectors.shape, _SIZE).tobytes(),
            terms.tobytes(),
            words.vectors.astype(_HALF).tobytes(),
        ]
    )


def _read_words(text: str, written: bytes) -> WordVectors | None:
    """Deserialise word vectors; None for no bytes. Raises `ValueError` if they are malformed."""
    if not written:
        return None
    count, length = np.frombuffer(written, _SIZE, 2).tolist()
    start = 2 * _SIZE.itemsize
    if not length or len(written) != start + count * (_TERM.itemsize + length * _HALF.itemsize):
        raise ValueError("cut off")
    terms = np.frombuffer(written, _TERM, count, start) ^ _cover(text, count)
    vectors = np.frombuffer(written, _HALF, offset=start + terms.nbytes).astype(np.float32).reshape(count, length)
    if not (np.abs(np.linalg.norm(vectors, axis=1) - 1.0) < AS_IT_IS).all():
        raise ValueError("not of length one")
    return WordVectors(tuple(terms.tolist()), vectors)


def _cover(text: str, count: int) -> NDArray[np.uint64]:
    digest = hashlib.shake_256(b"terms:" + text.encode("utf-8", "surrogatepass")).digest(count * _TERM.itemsize)
    return np.frombuffer(digest, _TERM)
