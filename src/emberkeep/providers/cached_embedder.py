"""An embedder whose vectors processes share, so that no two of them make the same one."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol
from urllib.parse import quote

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.providers.base import Embedder, Tally, Vectors, unrelated_to

AS_IT_IS = 1e-3  # how far the length of a unit vector may be from one
_NUMBER = np.dtype("<f4")


class Shelf(Protocol):
    """Where vectors are kept, as bytes."""

    def get(self, keys: Sequence[str]) -> list[bytes | None]:
        """What is there under each key; nothing if it cannot be asked."""
        ...

    def put(self, values: Mapping[str, bytes]) -> None:
        """Keep values, or not."""
        ...


class CachedEmbedder:
    """Another embedder's vectors, looked up first. Texts are known there by their hash, and by the embedder's name."""

    def __init__(self, inner: Embedder, shelf: Shelf) -> None:
        self._inner = inner
        self._shelf = shelf
        self.tally = Tally()

    @property
    def name(self) -> str:
        """Identifies the vector space: the inner one's."""
        return self._inner.name

    @property
    def dimension(self) -> int:
        """How long each vector is."""
        return self._inner.dimension

    @property
    def unrelated(self) -> float:
        """The median cosine of two unrelated statements: the inner one's."""
        return unrelated_to(self._inner)

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector a text, in order."""
        keys = {text: self._key("text", text) for text in texts}
        known = self._known(keys)
        fresh = [text for text in keys if text not in known]
        if fresh or not texts:
            made = self._inner.embed(fresh, deadline=deadline)
            if made.shape != (len(fresh), self.dimension) or not texts:
                return made  # whoever asked sees what is wrong with it
            self._keep({keys[text]: vector for text, vector in zip(fresh, made, strict=True)})
            known |= dict(zip(fresh, made, strict=True))
        return np.stack([known[text] for text in texts])

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question."""
        keys = {text: self._key("query", text)}
        known = self._known(keys)
        if text in known:
            return known[text]
        made = self._inner.embed_query(text, deadline=deadline)
        self._keep({keys[text]: made})
        return made

    def _known(self, keys: Mapping[str, str]) -> dict[str, Vectors]:
        found = zip(keys, self._shelf.get([*keys.values()]), strict=True)
        known = {text: vector for text, value in found if (vector := self._parsed(value)) is not None}
        self.tally.count(len(known), len(keys) - len(known))
        return known

    def _keep(self, made: Mapping[str, Vectors]) -> None:
        self._shelf.put({key: vector.astype(_NUMBER).tobytes() for key, vector in made.items()})

    def _parsed(self, value: bytes | None) -> Vectors | None:
        """The vector, unless what is there is none of this embedder's."""
        if value is None or len(value) != self.dimension * _NUMBER.itemsize:
            return None
        vector: Vectors = np.frombuffer(value, dtype=_NUMBER).astype(np.float32)
        with np.errstate(all="ignore"):
            length = float(np.sqrt(np.square(vector, dtype=np.float64).sum()))
        return vector if abs(length - 1.0) < AS_IT_IS else None

    def _key(self, role: Literal["text", "query"], text: str) -> str:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"emberkeep:vector:{quote(self.name, safe='')}:{self.dimension}:{role}:{digest}"
