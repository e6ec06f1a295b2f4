"""Give items their vectors, in the space that the store uses."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike
from sqlalchemy import Connection

from emberkeep.clock import Clock, Deadline
from emberkeep.errors import ConfigError, EmbedderMismatch, EmberkeepError, ModelUnavailable, UnusableReply
from emberkeep.learning.in_time import in_time
from emberkeep.model.report import CacheUse
from emberkeep.providers.base import (
    Embedder,
    Shared,
    Tally,
    Vectors,
    WordVectors,
    embed_query_words,
    embed_words,
    has_words,
)
from emberkeep.spans import span
from emberkeep.storage import shelves, spaces, vectors, word_vectors
from emberkeep.storage.database import Database
from emberkeep.storage.spaces import Space
from emberkeep.storage.vectors import Embedded, Unembedded
from emberkeep.storage.word_vectors import AskedWords

T = TypeVar("T")
BATCH = 1_024
NOT_UNIT = 1e-3  # by how much the length of a unit vector may differ from 1
Progress = Callable[[int], None]


def silent(_done: int) -> None:
    """Ignore the progress."""


class Embedding:
    """The embedder together with the store's space for its vectors."""

    def __init__(self, database: Database, embedder: Embedder, clock: Clock, tally: Tally | None = None) -> None:
        self.embedder = embedder
        self.tally = tally or Tally()
        self._database = database
        self._clock = clock

    def of(self, database: Database) -> "Embedding":
        """Return the same embedder and tally on another view of the store."""
        return Embedding(database, self.embedder, self._clock, self.tally)

    def check(self, space: Space | None) -> None:
        """Refuse a space whose vectors another model made."""
        if space is not None and space.embedder != self.embedder.name:
            raise EmbedderMismatch(
                f"{self._database.url} holds vectors of {space.embedder!r} ({space.dimension} numbers each), but the "
                f"embedder is {self.embedder.name!r}. Open it with that embedder, or run "
                "`emberkeep rebuild --embedder ...` to embed everything again with the new one"
            )

    def check_length(self, length: int, space: Space) -> None:
        """Refuse vectors that are not as long as the store's."""
        if length != space.dimension:
            raise EmbedderMismatch(
                f"{self._database.url} holds vectors of {space.dimension} numbers, but {self.embedder.name!r} gives "
                f"{length}. Correct the embedder, or run `emberkeep rebuild --embedder ...`"
            )

    def space(self) -> Space:
        """Return the space in use; the first caller creates it."""
        with self._database.read() as connection:
            space = spaces.active_space(connection)
        return self._checked_space(space)

    def query(self, text: str, deadline: Deadline | None) -> tuple[Vectors, AskedWords | None]:
        """Return the vector of a question, and those of its words if the embedder gives any."""
        made, words = self._asked(lambda: in_time(lambda: embed_query_words(self.embedder, text, deadline), deadline))
        vector: Vectors = self._checked([made], 1)[0]
        return vector, None if words is None else word_vectors.asked(words.terms, self._checked_words(words))

    def of_texts(self, texts: Sequence[str]) -> Vectors:
        """Embed texts without the store: no vectors are looked up or written."""
        return self._checked(self._asked(lambda: self.embedder.embed(texts)), len(texts))

    def anew(self, texts: Sequence[str]) -> list[Embedded]:
        """Embed texts and their words, in the form the store keeps, without looking up known vectors."""
        return list(self._made(texts, None))

    def texts(self, tenant: str, texts: Sequence[str], space: Space | None = None) -> tuple[Space, list[Embedded]]:
        """Return the vectors of texts in a space, by default the one in use; the store's known vectors are reused."""
        hashes = [vectors.embedded_hash(text) for text in texts]
        with self._database.read() as connection:
            found = spaces.active_space(connection) if space is None else space
            known = vectors.cached(connection, tenant, found, list(dict.fromkeys(hashes))) if found else {}
        space = self._checked_space(found) if space is None else space
        if has_words(self.embedder):  # vectors of an older version lack those of words
            known = {digest: one for digest, one in known.items() if one.words is not None}
        self.tally.count(len(known), len(set(hashes)) - len(known))
        fresh = {digest: text for digest, text in zip(hashes, texts, strict=True) if digest not in known}
        known |= dict(zip(fresh, self._made(list(fresh.values()), space), strict=True))
        return space, [known[digest] for digest in hashes]

    def matrix(self, tenant: str, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts as rows of one matrix, in the space in use."""
        return np.stack([one.vector for one in self.texts(tenant, texts)[1]])

    def use(self) -> dict[str, CacheUse]:
        """Return how much the caches helped: the store's own vectors, and the cache that processes share."""
        shared: object = self.embedder
        tallies = {"store": self.tally} | ({"shared": shared.tally} if isinstance(shared, Shared) else {})
        return {name: _use(tally) for name, tally in tallies.items()}

    def precompute(self, texts: Sequence[str], progress: Progress, *, queries: bool) -> tuple[int, int]:
        """Put vectors into the cache that processes share; return how many were there, and how many were made."""
        cache: object = self.embedder
        if not isinstance(cache, Shared):
            raise ConfigError("vectors are made ahead for a shared cache only: set embedding_cache_url")
        hits, misses = cache.tally.hits, cache.tally.misses
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            if queries:
                for text in batch:
                    self._asked(partial(self.embedder.embed_query, text))
            else:
                self._asked(partial(self.embedder.embed, batch))
            progress(len(batch))
        return cache.tally.hits - hits, cache.tally.misses - misses

    def items(self, tenant: str, wanting: Sequence[Unembedded], space: Space | None = None) -> int:
        """Embed items in a space, by default the one in use, and write their vectors in batches; return how many."""
        written = 0
        for start in range(0, len(wanting), BATCH):
            batch = wanting[start : start + BATCH]
            into, made = self.texts(tenant, [one.text for one in batch], space)
            written += self._database.write(partial(vectors.put, tenant=tenant, space=into, embedded=batch, made=made))
        return written

    def catch_up(self, space: Space, tenant: str | None, progress: Progress, *, flagged: bool = True) -> int:
        """Embed the items that lack a vector in a space, of one tenant or of all; return how many.

        With `flagged`, only items flagged as lacking one in the space in use are read; without it, all items are
        checked.
        """
        written, after = 0, ("", "")
        database = self._database.of_everyone() if tenant is None else self._database
        while True:
            with database.read() as connection:
                found = vectors.unembedded(connection, space, tenant, after=after, limit=BATCH, flagged=flagged)
            if not found:
                return written
            after = found[-1][0], found[-1][1].item_id
            for owner in dict.fromkeys(name for name, _ in found):
                mine = self.of(database.of_tenant(owner))
                written += mine.items(owner, [one for name, one in found if name == owner], space)
            progress(len(found))

    def count_wordless(self, tenant: str) -> int:
        """Return how many items have a vector but none of their words, though the embedder gives those."""
        with self._database.read() as connection:
            space = spaces.active_space(connection) if has_words(self.embedder) else None
            return 0 if space is None else vectors.count_wordless(connection, space, tenant)

    def catch_up_words(self, space: Space, tenant: str, progress: Progress) -> int:
        """Add the vectors of words to items that an older version embedded without them; return how many.

        Each text is embedded once more for that. Does nothing if the embedder gives no vectors of words.
        """
        written = 0
        for count in self.words_by_and_by(space, tenant, BATCH):
            written += count
            progress(count)
        return written

    def words_by_and_by(self, space: Space, tenant: str, most: int) -> Iterator[int]:
        """Add the missing vectors of words in batches of at most `most` items, yielding the count of each batch."""
        after = ""
        while has_words(self.embedder):
            with self._database.read() as connection:
                found = vectors.wordless(connection, space, tenant, after=after, limit=most)
            if not found:
                break
            after = found[-1].item_id
            made = list(self._made([one.text for one in found], space))
            yield self._database.write(
                partial(vectors.add_words, tenant=tenant, space=space, embedded=found, made=made)
            )

    def renew(self, progress: Progress) -> tuple[int, list[Space]]:
        """Embed everything again with the present embedder, then switch to its space in one step.

        Readers go on with the old vectors meanwhile, and an interrupted run continues where it stopped. Returns how
        many items were embedded, and the spaces that were dropped.
        """
        name, dimension, now = self.embedder.name, self._dimension(), self._clock.now()
        space = self._database.write(lambda c: spaces.next_space(c, name, dimension, now))
        written, dropped = 0, None
        while dropped is None:
            written += self.catch_up(space, None, progress, flagged=False)
            dropped = self._database.of_everyone().write(lambda c: _switch(c, space))
        # A write that was under way during the switch left vectors of the old space only.
        written += self.catch_up(space, None, progress, flagged=False)
        return written, dropped

    def _made(self, texts: Sequence[str], space: Space | None) -> Iterator[Embedded]:
        """Embed texts and their words; refuse a vector length that the space does not have."""
        given, words = self._asked(lambda: embed_words(self.embedder, texts))
        made = self._checked(given, len(texts))
        if space is not None:
            self.check_length(made.shape[1], space)
        none = b"" if has_words(self.embedder) else None
        for vector, own_words in zip(made, words, strict=True):
            yield Embedded(vector, none if own_words is None else word_vectors.pack(self._checked_words(own_words)))

    def _checked_words(self, words: WordVectors) -> Vectors:
        """Return the vectors of words, refused unless there is one finite vector for each word."""
        if len(words.vectors) != len(words.terms) or words.vectors.ndim != 2 or not words.vectors.shape[1]:  # noqa: PLR2004
            raise EmbedderMismatch(
                f"{self.embedder.name!r} gave vectors of shape {words.vectors.shape} for {len(words.terms)} words: "
                "correct the embedder"
            )
        if not np.isfinite(words.vectors).all():
            raise ModelUnavailable(f"{self.embedder.name!r} gave vectors of words that are not numbers")
        return words.vectors

    def _checked_space(self, found: Space | None) -> Space:
        """Return the space in use, created if there is none and refused if it belongs to another model."""
        if found is None:
            name, dimension, now = self.embedder.name, self._dimension(), self._clock.now()
            found = self._database.write(lambda c: spaces.first_space(c, name, dimension, now))
        self.check(found)
        return found

    def _dimension(self) -> int:
        dimension: object = self._asked(lambda: self.embedder.dimension)
        if not isinstance(dimension, int) or dimension < 1:
            raise ConfigError(f"{self.embedder.name!r} says that its dimension is {dimension!r}: correct the embedder")
        return dimension

    def _asked(self, ask: Callable[[], T]) -> T:
        """Call the embedder, which may be third-party code.

        Any error but Emberkeep's own becomes `ModelUnavailable` (an `OSError`) or `UnusableReply` (all others).
        """
        try:
            with span("embed"):
                return ask()
        except EmberkeepError:
            raise
        except Exception as error:
            kind = ModelUnavailable if isinstance(error, OSError) else UnusableReply
            raise kind(f"{self.embedder.name!r} failed: {type(error).__name__}: {error}") from error

    def _checked(self, given: ArrayLike, count: int) -> Vectors:
        """Return the vectors scaled to unit length, as search compares them; zero vectors stay zero."""
        try:
            made = np.asarray(given)
        except ValueError:  # rows of different lengths
            made = np.asarray(None)
        if made.dtype.kind not in "fiu":
            raise ModelUnavailable(f"{self.embedder.name!r} gave something else than vectors of numbers")
        if made.shape != (count, self._dimension()):
            raise EmbedderMismatch(
                f"{self.embedder.name!r} gave vectors of shape {made.shape} for {count} texts, "
                f"but says that its dimension is {self.embedder.dimension}: correct the embedder"
            )
        if not np.isfinite(made).all():
            raise ModelUnavailable(f"{self.embedder.name!r} gave vectors that are not numbers")
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        if (np.abs(lengths - 1) > NOT_UNIT).any():
            made = made / np.where(lengths > 0, lengths, 1)
        return made.astype(np.float32, copy=False)


def _use(tally: Tally) -> CacheUse:
    asked = tally.hits + tally.misses
    return CacheUse(tally.hits, tally.misses, round(tally.hits / asked, 4) if asked else None)


def _switch(connection: Connection, space: Space) -> list[Space] | None:
    """Activate the new space and drop the others; None, and no change, while an item still lacks a vector in it."""
    if vectors.unembedded(connection, space, None, after=("", ""), limit=1, flagged=False):
        return None
    spaces.activate_space(connection, space)
    vectors.unflag_all(connection)
    shelves.start_all_epochs(connection)
    return spaces.drop_other_spaces(connection, space)
