"""What goes wrong with the models beside a store: a clear error each time, and nothing that was told is lost."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.learning.rules import RuleLearner
from emberkeep.providers.base import Vectors
from emberkeep.testing import WordEmbedder

pytestmark = pytest.mark.slow

Open = Callable[..., emberkeep.Memory]


class Odd(WordEmbedder):
    """Answers what it should not."""

    def __init__(self, answer: Callable[[Vectors], Vectors]) -> None:
        super().__init__()
        self.answer = answer
        self.odd = True

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        made = super().embed(texts, deadline=deadline)
        return self.answer(made) if self.odd else made


def test_vectors_of_a_wrong_length_are_refused(durable_target: str, opened: Open) -> None:
    embedder = Odd(lambda made: made[:, :10])
    memory = opened(durable_target, embedder=embedder)
    calls: list[Callable[[], Any]] = [lambda: memory.remember("x"), lambda: memory.search("x"), lambda: memory.add("y")]
    for call in calls:
        with pytest.raises(emberkeep.EmbedderMismatch, match="correct the embedder"):
            call()
    embedder.odd = False
    memory.learn()
    assert memory.search("y")[0].similarity == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize(
    "answer",
    [
        lambda made: None,
        lambda made: made.astype(str),
        lambda made: made.astype(complex),
        lambda made: made.astype(object),
        lambda made: [[1.0], [1.0, 2.0]],
    ],
    ids=["nothing", "words", "complex", "objects", "ragged"],
)
def test_what_is_no_vectors_counts_as_a_model_that_is_down(opened: Open, answer: Callable[[Vectors], Any]) -> None:
    embedder = Odd(answer)
    memory = opened(":memory:", embedder=embedder)
    added = memory.add(["kept all the same", "and this"])
    assert "something else than vectors" in added.reasons[0]
    embedder.odd = False
    assert memory.learn().embedded == 2


def test_vectors_may_be_lists(opened: Open) -> None:
    memory = opened(":memory:", embedder=Odd(lambda made: made.tolist()))
    assert memory.add("kept").errors == 0
    assert memory.search("kept")[0].similarity == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize("given", [object(), WordEmbedder, WordEmbedder("")])
def test_what_is_no_embedder_is_refused_at_once(given: Any) -> None:
    with pytest.raises(emberkeep.ConfigError, match="is no embedder"):
        emberkeep.open(":memory:", embedder=given)


@pytest.mark.parametrize(
    ("given", "what"),
    [({"learner": 5}, "learner"), ({"learner": object()}, "learner"), ({"learner": RuleLearner}, "learner"),
     ({"clock": 5}, "clock"), ({"clock": "noon"}, "clock")],
)  # fmt: skip
def test_what_is_no_learner_or_clock_is_refused_at_once(given: Any, what: str) -> None:
    with pytest.raises(emberkeep.ConfigError, match=f"is no {what}: pass an object with a"):
        emberkeep.open(":memory:", **given)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_vectors_that_are_not_numbers_count_as_a_model_that_is_down(
    durable_target: str, opened: Open, value: float
) -> None:
    embedder = Odd(lambda made: np.full_like(made, value))
    memory = opened(durable_target, embedder=embedder)
    assert memory.add("kept all the same").errors == 1
    hits = memory.search("kept")
    assert [hit.text for hit in hits] == ["kept all the same"]
    assert hits.degraded
    with pytest.raises(emberkeep.ModelUnavailable, match="not numbers"):
        memory.learn()
    embedder.odd = False
    assert memory.learn().embedded == 1


def test_a_model_that_is_down_loses_nothing(
    durable_target: str, opened: Open, check_whole: Callable[[str], None]
) -> None:
    embedder = WordEmbedder()
    embedder.down = True
    memory = opened(durable_target, embedder=embedder)
    added = memory.add(["the kettle is blue", "the cup is green"], user_id="alex")
    assert (added.new, added.errors) == (2, 2)
    assert "down" in added.reasons[0]
    told = memory.remember("the lamp is red", user_id="alex")
    assert (told.new, told.errors) == (1, 1)
    memory.update(told.id, "the lamp is yellow")
    assert memory.remember("the lamp is yellow", user_id="alex").updated == 1
    memory.add("the door is white", user_id="alex", learn="later")
    hits = memory.search("lamp yellow", user_id="alex")
    assert [hit.text for hit in hits] == ["the lamp is yellow"]
    assert "down" in hits.degraded[0]
    with pytest.raises(emberkeep.ModelUnavailable):
        memory.learn()
    assert memory.stats().waiting == 5  # four items, and the text that the update left behind
    check_whole(durable_target)
    embedder.down = False
    report = memory.learn()
    assert (report.embedded, report.waiting) == (5, 0)
    assert all(hit.similarity is not None for hit in memory.search("the", user_id="alex"))
    check_whole(durable_target)


def test_a_model_of_the_same_name_with_longer_vectors_is_refused_and_spoils_nothing(durable_target: str) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder("m", 8)) as memory:
        memory.remember("The kettle is new")
    with emberkeep.open(durable_target, embedder=WordEmbedder("m", 16)) as memory:
        with pytest.raises(emberkeep.EmbedderMismatch, match="8 numbers"):
            memory.remember("The stove is old")
        with pytest.raises(emberkeep.EmbedderMismatch, match="8 numbers"):
            memory.search("kettle")
    with emberkeep.open(durable_target, embedder=WordEmbedder("m", 8)) as memory:
        assert [hit.text for hit in memory.search("kettle")] == ["The kettle is new"]
