"""What Emberkeep asks of a model. Implementations live in the files beside this one."""

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
    """Counts what a cache had and what it had not."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.hits = 0
        self.misses = 0

    def count(self, hits: int, misses: int) -> None:
        """Add what one look-up found, and did not find."""
        with self._lock:
            self.hits += hits
            self.misses += misses


UNRELATED = 0.11  # the median cosine of two statements that have nothing to do with each other, to the bundled model


class Embedder(Protocol):
    """Turns texts into unit vectors.

    `name` identifies the vector space: two embedders with one name must give one vector for one text,
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
        """One unit vector a text, in order, as rows of a matrix; raises `ModelUnavailable`."""
        ...

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        """The unit vector of a question (some models want a prefix); raises `ModelUnavailable`."""
        ...


@dataclass(frozen=True, slots=True)
class WordVectors:
    """What a model makes of the words of a text where they stand: for each piece of one, its term and a unit vector.

    Only of words that say something, and that it knows; each by the number of its stem (`language.terms.term_in`).
    """

    terms: tuple[int, ...]
    vectors: Vectors


@runtime_checkable
class ByWord(Protocol):
    """An embedder that can also give a vector for each word of a text: what it means there, not in general.

    They are as long as the embedder likes, and need no more time than the vectors of the texts. Those of one embedder
    are compared with each other only, so its name stands for them too.
    """

    @property
    def has_words(self) -> bool:
        """Whether it can: one that stands for another only if that one can."""
        ...

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        """What `embed` gives, and the vectors of each text's words."""
        ...

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> tuple[Vectors, WordVectors | None]:
        """What `embed_query` gives, and the vectors of the question's words."""
        ...


def has_words(embedder: Embedder) -> TypeGuard[ByWord]:
    """Whether an embedder gives vectors of words."""
    return isinstance(embedder, ByWord) and embedder.has_words


def embed_words(
    embedder: Embedder, texts: Sequence[str], deadline: Deadline | None = None
) -> tuple[Vectors, Sequence[WordVectors | None]]:
    """Vectors of texts and of their words, as far as the embedder has any of words."""
    if has_words(embedder):
        return embedder.embed_words(texts, deadline=deadline)
    return embedder.embed(texts, deadline=deadline), [None] * len(texts)


def embed_query_words(
    embedder: Embedder, text: str, deadline: Deadline | None = None
) -> tuple[Vectors, WordVectors | None]:
    """The vector of a question and those of its words, as far as the embedder has any of words."""
    if has_words(embedder):
        return embedder.embed_query_words(text, deadline=deadline)
    return embedder.embed_query(text, deadline=deadline), None


@runtime_checkable
class Literate(Protocol):
    """An embedder or reranker that knows which texts it was made for."""

    def reads(self, text: str) -> bool:
        """Whether what it makes of a text like this says anything."""
        ...


def reads(model: object, text: str) -> bool:
    """Whether what a model makes of a question says anything; it does if the model does not say."""
    return not isinstance(model, Literate) or model.reads(text)


@runtime_checkable
class Shared(Protocol):
    """An embedder that looks vectors up in a cache that processes share."""

    @property
    def tally(self) -> Tally:
        """What it found there."""
        ...


@runtime_checkable
class Crowded(Protocol):
    """An embedder that says how close to each other it puts texts that have nothing in common."""

    @property
    def unrelated(self) -> float:
        """The median cosine of two unrelated statements."""
        ...


def unrelated_to(embedder: object) -> float:
    """The median cosine of two unrelated statements; that of the bundled model if the embedder does not say."""
    return embedder.unrelated if isinstance(embedder, Crowded) else UNRELATED


def closeness(cosine: float, embedder: object) -> float:
    """A cosine as the bundled model would give it, which is what thresholds are made for.

    Some models put all texts close together: one gives 0.97 for "vegetarian" and "vegan", where the bundled one
    gives 0.87 and 0.95 means the same.
    """
    return 1.0 - (1.0 - cosine) * stretch(embedder)


def cosine_of(near: float, embedder: object) -> float:
    """The cosine that an embedder gives where the bundled model would give this one: `closeness` turned round."""
    return 1.0 - (1.0 - near) / stretch(embedder)


def stretch(embedder: object) -> float:
    """How much farther apart the bundled model would put texts."""
    unrelated = unrelated_to(embedder)
    return 1.0 if unrelated == UNRELATED else (1.0 - UNRELATED) / (1.0 - unrelated)


class Reranker(Protocol):
    """Reads a question and a text together, which says more than comparing what was made of each, and takes longer.

    What it says of one text must not depend on which others it is asked about. It may know what it `reads`, as an
    embedder may.
    """

    @property
    def name(self) -> str:
        """Which one it is, to say so when it fails."""
        ...

    def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        """How well each text answers the question, the higher the better; raises `ModelUnavailable`.

        As cross-encoders do: about 10 if it does, -10 if it has nothing to do with it; what is beyond counts as that.
        """
        ...


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model wrote, what that took, and why it ended: done, cut at the length limit, or refused."""

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
        """What each statement is to those it is compared with; raises `ModelUnavailable`, as a learner does."""
        ...


@runtime_checkable
class Summarizer(Protocol):
    """Says in a few sentences what an account of work comes to. A learner may be one too."""

    def summarize(self, account: str, *, deadline: Deadline | None = None) -> Gist:
        """The gist; raises `ModelUnavailable`, and `UnusableReply` if the answer has nothing to do with the account."""
        ...
