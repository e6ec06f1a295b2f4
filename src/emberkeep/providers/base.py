"""The protocols that a model has to implement. Implementations live in the files beside this one."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emberkeep.clock import Deadline
from emberkeep.model.finding import Doubt, Exchange, Gist, Judgement, Lesson

Vectors = NDArray[np.float32]
End = Literal["stop", "length", "refused"]


class Tally:
    """Counts the hits and misses of a cache."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.hits = 0
        self.misses = 0

    def count(self, hits: int, misses: int) -> None:
        """Add the hits and misses of one look-up."""
        with self._lock:
            self.hits += hits
            self.misses += misses


UNRELATED = 0.11  # the bundled model's median cosine of two statements that have nothing to do with each other


class Embedder(Protocol):
    """Turns texts into unit vectors.

    `name` identifies the vector space: two embedders with the same name must give the same vector for the same text,
    because a store remembers the name and refuses any other.
    """

    @property
    def name(self) -> str:
        """Identifies the vector space; recorded with the data."""
        ...

    @property
    def dimension(self) -> int:
        """How long each vector is."""
        ...

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """One unit vector per text, in order, as rows of a matrix; raises `ModelUnavailable`."""
        ...

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question (some models want a prefix); raises `ModelUnavailable`."""
        ...


@dataclass(frozen=True, slots=True)
class WordVectors:
    """The contextual vectors of a text's words: for each word piece, the term of its word and a unit vector.

    Stop words and words unknown to the model have none. A term is the number of a word's stem
    (`language.terms.term_in`).
    """

    terms: tuple[int, ...]
    vectors: Vectors


@runtime_checkable
class ByWord(Protocol):
    """An embedder that can also give a vector for each word of a text: its meaning in that context.

    The embedder chooses the length of word vectors, and computes them in the same run as the vectors of the texts.
    They are only compared with word vectors of the same embedder, so its name identifies their space too.
    """

    @property
    def has_words(self) -> bool:
        """Whether the embedder gives word vectors; a wrapper does only if the embedder inside does."""
        ...

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        """The result of `embed`, and the vectors of each text's words."""
        ...

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> tuple[Vectors, WordVectors | None]:
        """The result of `embed_query`, and the vectors of the question's words."""
        ...


def has_words(embedder: Embedder) -> TypeGuard[ByWord]:
    """Whether an embedder gives word vectors."""
    return isinstance(embedder, ByWord) and embedder.has_words


def embed_words(
    embedder: Embedder, texts: Sequence[str], deadline: Deadline | None = None
) -> tuple[Vectors, Sequence[WordVectors | None]]:
    """The vectors of texts, and of their words if the embedder gives word vectors."""
    if has_words(embedder):
        return embedder.embed_words(texts, deadline=deadline)
    return embedder.embed(texts, deadline=deadline), [None] * len(texts)


def embed_query_words(
    embedder: Embedder, text: str, deadline: Deadline | None = None
) -> tuple[Vectors, WordVectors | None]:
    """The vector of a question, and of its words if the embedder gives word vectors."""
    if has_words(embedder):
        return embedder.embed_query_words(text, deadline=deadline)
    return embedder.embed_query(text, deadline=deadline), None


@runtime_checkable
class Literate(Protocol):
    """An embedder or reranker that knows which texts it was made for."""

    def reads(self, text: str) -> bool:
        """Whether the model's output for a text like this is meaningful."""
        ...


def reads(model: object, text: str) -> bool:
    """Whether a model's output for a text is meaningful; assumed so of a model that is not `Literate`."""
    return not isinstance(model, Literate) or model.reads(text)


@runtime_checkable
class Shared(Protocol):
    """An embedder that looks vectors up in a cache shared by several processes."""

    @property
    def tally(self) -> Tally:
        """The cache's hits and misses."""
        ...


@runtime_checkable
class Crowded(Protocol):
    """An embedder that states how close to each other it puts texts that have nothing in common."""

    @property
    def unrelated(self) -> float:
        """The median cosine of two unrelated statements."""
        ...


def unrelated_to(embedder: object) -> float:
    """The median cosine of two unrelated statements; the bundled model's if the embedder is not `Crowded`."""
    return embedder.unrelated if isinstance(embedder, Crowded) else UNRELATED


def closeness(cosine: float, embedder: object) -> float:
    """Convert an embedder's cosine to the bundled model's scale, for which all thresholds are set.

    Some models put all texts close together: one gives 0.97 for "vegetarian" and "vegan". The bundled model gives
    0.87, and on its scale 0.95 means that two texts say the same.
    """
    return 1.0 - (1.0 - cosine) * stretch(embedder)


def cosine_of(near: float, embedder: object) -> float:
    """Convert a cosine on the bundled model's scale to an embedder's own: the inverse of `closeness`."""
    return 1.0 - (1.0 - near) / stretch(embedder)


def stretch(embedder: object) -> float:
    """The factor by which the bundled model puts texts farther apart than this embedder."""
    unrelated = unrelated_to(embedder)
    return 1.0 if unrelated == UNRELATED else (1.0 - UNRELATED) / (1.0 - unrelated)


class Reranker(Protocol):
    """Reads a question and a text together: more accurate than comparing their vectors, and slower.

    The score of a text must not depend on the other texts of the call. A reranker may be `Literate`, as an embedder
    may.
    """

    @property
    def name(self) -> str:
        """Which model this is; named in the error when it fails."""
        ...

    def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """How well each text answers the question, the higher the better; raises `ModelUnavailable`.

        On the scale of cross-encoders: about 10 for an answer, about -10 for an unrelated text; values beyond are
        clipped by the caller.
        """
        ...


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model wrote, the tokens it took, and why it ended: done, cut at the length limit, or refused."""

    text: str
    tokens_in: int
    tokens_out: int
    end: End = "stop"


class LanguageModel(Protocol):
    """Answers a prompt."""

    @property
    def name(self) -> str:
        """Which model this is; recorded with what was learned through it, and in the ledger."""
        ...

    def complete(
        self, system: str, user: str, *, schema: Mapping[str, Any] | None = None, deadline: Deadline | None = None
    ) -> Completion:
        """The answer; with a schema, a JSON text that should follow it (servers differ in how well they hold to it).

        Raises `ModelUnavailable` when the model is down, too slow, or its server answers nonsense.
        """
        ...


class Learner(Protocol):
    """Finds what is worth keeping in an exchange."""

    @property
    def name(self) -> str:
        """Identifies the learner and its version; recorded with what it learned."""
        ...

    def learn(self, exchange: Exchange, *, deadline: Deadline | None = None) -> Lesson:
        """The findings, in the order in which they were said.

        Raises `ModelUnavailable` when a model cannot be asked now, `UnusableReply` when its answer is no use.
        """
        ...


@runtime_checkable
class Judge(Protocol):
    """Compares statements where the rules are in doubt. A learner may be one too."""

    def judge(self, doubts: Sequence[Doubt], *, deadline: Deadline | None = None) -> Judgement:
        """The relation of each statement to each known one; raises `ModelUnavailable`, as a learner does."""
        ...


@runtime_checkable
class Summarizer(Protocol):
    """Sums up an account of work in a few sentences. A learner may be one too."""

    def summarize(self, account: str, *, deadline: Deadline | None = None) -> Gist:
        """The gist; raises `ModelUnavailable`, and `UnusableReply` if the answer has nothing to do with the account."""
        ...
