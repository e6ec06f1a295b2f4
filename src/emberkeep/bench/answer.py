"""The answer to one question: a ranking of messages, with its quality, tokens and latency."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emberkeep.bench.contender import Found
from emberkeep.bench.dataset import Question
from emberkeep.bench.measures import DEPTHS, quality


@dataclass(frozen=True, slots=True)
class Ranked:
    """A message in a ranking, the score of the hit that it came from, and the tokens of all hits up to that one."""

    message_id: str
    score: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Answer:
    """One question, its ranking, the seconds the search took, and the seconds of embedding the question alone."""

    store: str
    question: Question
    ranked: tuple[Ranked, ...]
    ranked_sessions: tuple[str, ...]
    seconds: float
    embedding: float

    @property
    def ranked_ids(self) -> tuple[str, ...]:
        """The messages, best first."""
        return tuple(one.message_id for one in self.ranked)

    @property
    def quality(self) -> dict[str, float]:
        """The quality measures of the ranking of messages."""
        return quality(self.ranked_ids, self.question.gold)

    @property
    def session_quality(self) -> dict[str, float]:
        """The quality measures of the ranking of sessions; none if the data does not name the gold sessions."""
        return quality(self.ranked_sessions, self.question.gold_sessions) if self.question.gold_sessions else {}

    @property
    def tokens(self) -> dict[str, int]:
        """The tokens that the first messages take in a prompt, at each depth."""
        return {f"tokens@{depth}": self._tokens(depth) for depth in DEPTHS}

    def _tokens(self, depth: int) -> int:
        return self.ranked[:depth][-1].tokens if self.ranked else 0


def line(answer: Answer) -> dict[str, Any]:
    """The answer as a JSON object."""
    question = answer.question
    of_sessions = {"gold_sessions": question.gold_sessions, "ranked_sessions": answer.ranked_sessions}
    return {
        "store": answer.store,
        "question": question.id,
        "category": question.category,
        "gold": question.gold,
        "ranked": answer.ranked_ids,
        "scores": [one.score for one in answer.ranked],
        **(of_sessions if question.gold_sessions else {}),
        **answer.tokens,
        "latency_ms": answer.seconds * 1_000,
        "embedding_ms": answer.embedding * 1_000,
    }


def rank_messages(found: Iterable[Found], count_tokens: Callable[[str], int]) -> tuple[Ranked, ...]:
    """The messages that the hits come from, each at its first place."""
    ranked: dict[str, Ranked] = {}
    tokens = 0
    for one in found:
        tokens += count_tokens(one.text)
        for message_id in one.message_ids:
            ranked.setdefault(message_id, Ranked(message_id, one.score, tokens))
    return tuple(ranked.values())


def rank_sessions(ranked: Sequence[Ranked], session_of: Mapping[str, str]) -> tuple[str, ...]:
    """The sessions of a ranking of messages, each at its first place."""
    return tuple(dict.fromkeys(session_of[one.message_id] for one in ranked))
