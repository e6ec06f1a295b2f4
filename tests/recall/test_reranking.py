"""The best are read together with the question, on both databases; and what happens if whoever reads them fails."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError, InvalidInput, ModelUnavailable
from emberkeep.model.recall import PLANS, Plan
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import fitted, totals
from emberkeep.recall.pipeline import losses
from emberkeep.recall.rereading import as_signal, reread_first
from emberkeep.recall.signals import SIGNALS

Opened = Callable[..., emberkeep.Memory]
SAID = ["The tea is green", "The tea is hot and green", "The tea is in the cupboard", "Rain tomorrow"]
ASKED = "where is the tea?"


class Reader:
    """Knows one word that answers, and remembers what it was asked."""

    name = "reader"

    def __init__(self, word: str = "cupboard") -> None:
        self.word = word
        self.read: list[str] = []
        self.questions: list[str] = []

    def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Any:
        self.questions.append(question)
        self.read += texts
        return [9.0 if self.word in text else -9.0 for text in texts]


def told_all(memory: emberkeep.Memory, *texts: str) -> emberkeep.Memory:
    for number, text in enumerate(texts):
        memory.add([{"role": "user", "content": text}], session_id=f"s{number}", learn=False)
    return memory


def worth(hit: emberkeep.Hit) -> float | None:
    return next((one.worth for one in hit.why.evidence if one.channel == "rerank"), None)


def test_what_answers_comes_first_and_the_reason_is_told(target: str, opened: Opened) -> None:
    memory = told_all(opened(target, reranker=Reader()), *SAID)
    before = memory.search(ASKED)[0]
    best, *others = memory.search(ASKED, plan="deep")
    assert before.text != best.text == "The tea is in the cupboard"
    assert worth(best) == pytest.approx(0.9 * fitted("vectors")["reranked"][0], abs=1e-6)
    assert "rerank +" in str(best.why)
    assert all(worth(hit) == pytest.approx(-0.9 * fitted("vectors")["reranked"][0], abs=1e-6) for hit in others)
    assert best.why.plan == "deep"


@pytest.mark.parametrize("plan", ["fast", "balanced"])
def test_plans_without_the_channel_do_not_ask(opened: Opened, plan: str) -> None:
    reader = Reader()
    hits = told_all(opened(reranker=reader), *SAID).search(ASKED, plan=plan)
    assert reader.read == []
    assert not hits.degraded
    assert not any(worth(hit) for hit in hits)


def test_without_a_reranker_the_plan_is_what_it_was_and_nothing_is_degraded(opened: Opened) -> None:
    hits = told_all(opened(), *SAID).search(ASKED, plan="deep")
    assert not hits.degraded
    assert not any(worth(hit) for hit in hits)


def test_only_the_best_are_read_and_go_before_the_others(opened: Opened) -> None:
    reader = Reader("nothing says this")
    longer = [f"The tea is {'very ' * number}green" for number in range(1, 9)]
    memory = told_all(opened(reranker=reader), *longer, *SAID)
    plan = replace(PLANS["deep"], reread=3)
    hits = memory.search("green tea", plan=plan, limit=12)
    assert len(reader.read) == 3
    assert [hit.text for hit in hits[:3]] == sorted(reader.read, key=[hit.text for hit in hits].index)
    assert [worth(hit) is not None for hit in hits] == [True] * 3 + [False] * 9
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("limit", [1, 3, 8])
def test_fewer_hits_are_the_first_of_more(opened: Opened, limit: int) -> None:
    memory = told_all(opened(reranker=Reader()), *(f"{text} {number}" for number in range(6) for text in SAID))
    plan = replace(PLANS["deep"], reread=5)
    more = memory.search(ASKED, plan=plan, limit=20)
    few = memory.search(ASKED, plan=plan, limit=limit)
    assert [(hit.id, hit.score) for hit in few] == [(hit.id, hit.score) for hit in more[:limit]]


def test_the_same_text_is_read_once_with_who_said_it(opened: Opened) -> None:
    reader = Reader()
    memory = opened(reranker=reader)
    for number in range(5):
        said = [{"role": "user", "content": "The tea is gone", "name": "Ana"}]
        memory.add(said, session_id=f"s{number}", learn=False)
    assert len(memory.search(ASKED, plan="deep")) == 5
    assert reader.read == ["Ana: The tea is gone"]
    assert reader.questions == [ASKED]


def test_what_is_learned_is_read_too(opened: Opened) -> None:
    reader = Reader("Lisbon")
    memory = opened(reranker=reader, learner="rules")
    memory.add("I live in Lisbon", user_id="alex")
    assert memory.search("where do I live?", user_id="alex", plan="deep")[0].kind == "fact"
    assert "The user lives in Lisbon" in reader.read


def test_an_event_that_dates_the_question_is_looked_up_without_reading(opened: Opened) -> None:
    reader = Reader()
    memory = told_all(opened(reranker=reader), "I moved to Lisbon", *SAID)
    memory.search("What did I drink before I moved?", plan="deep")
    assert len(reader.questions) == 1


def test_nothing_found_is_nothing_to_read(opened: Opened) -> None:
    reader = Reader()
    assert len(opened(reranker=reader).search(ASKED, plan="deep")) == 0
    assert reader.questions == []


class Down(Reader):
    def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Any:
        raise ModelUnavailable("it is down")


class Broken(Reader):
    def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Any:
        raise KeyError("a bug")


class Answers(Reader):
    def __init__(self, answer: Callable[[int], Any]) -> None:
        super().__init__()
        self.answer = answer

    def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Any:
        return self.answer(len(texts))


class Refusing(Reader):
    def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Any:
        raise InvalidInput("not with us")


class Unreadable(Reader):
    def reads(self, text: str) -> bool:
        raise KeyError("which")


class Choosy(Reader):
    def reads(self, text: str) -> bool:
        return False


@pytest.mark.parametrize(
    ("reader", "reason"),
    [
        (Down(), "it is down"),
        (Broken(), "'reader' failed: KeyError: 'a bug'"),
        (Answers(lambda count: [0.0] * (count + 1)), "'reader' did not give a finite number for each of 4 texts"),
        (Answers(lambda count: [float("nan")] * count), "'reader' did not give a finite number for each of 4 texts"),
        (Answers(lambda count: None), "'reader' did not give a finite number for each of 4 texts"),
        (Refusing(), "not with us"),
        (Unreadable(), "'reader' failed: KeyError: 'which'"),
        (Answers(lambda count: ["good"] * count), "'reader' failed: ValueError"),
        (Choosy(), "reader was not made for texts like the question"),
    ],
    ids=["down", "broken", "more", "nan", "none", "refusing", "unreadable", "words", "choosy"],
)
def test_a_reranker_that_is_no_use_is_left_out_and_that_is_said(opened: Opened, reader: Reader, reason: str) -> None:
    memory = told_all(opened(reranker=reader), *SAID)
    without = told_all(opened(), *SAID)
    hits = memory.search(ASKED, plan="deep")
    (said,) = hits.degraded
    assert said.startswith(f"rerank: left out, {reason}")
    assert [hit.text for hit in hits] == [hit.text for hit in without.search(ASKED, plan="deep")]


def test_a_slow_reranker_is_not_waited_for_beyond_the_deadline(opened: Opened) -> None:
    let_go = threading.Event()

    class Slow(Reader):
        def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Any:
            assert deadline is not None
            assert let_go.wait(60.0)
            return [0.0] * len(texts)

    hits = told_all(opened(reranker=Slow()), *SAID).search(ASKED, plan="deep", deadline_ms=500)
    let_go.set()
    assert hits.degraded == ("rerank: left out, the deadline passed before it had answered",)


def test_nobody_waits_for_the_store_while_it_is_read(opened: Opened) -> None:
    class Asks(Reader):
        def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Any:
            with ThreadPoolExecutor(1) as others:  # on a database in memory there is one connection for all
                memory = cast("emberkeep.Memory", self.memory)
                assert others.submit(memory.search, "rain", plan="fast").result(30.0)
                others.submit(memory.remember, "Told meanwhile").result(30.0)
            return super().relevance(question, texts, deadline=deadline)

        memory: emberkeep.Memory | None = None

    reader = Asks()
    reader.memory = told_all(opened(reranker=reader), *SAID)
    hits = reader.memory.search(ASKED, plan="deep")
    assert hits[0].text == "The tea is in the cupboard"
    assert not hits.degraded


def test_what_is_deleted_while_it_is_read_is_no_hit(opened: Opened) -> None:
    class Deletes(Reader):
        def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Any:
            memory.delete_all(user_id="*")
            return super().relevance(question, texts, deadline=deadline)

    memory = told_all(opened(reranker=Deletes()), *SAID)
    assert len(memory.search(ASKED, plan="deep")) == 0


def test_a_context_says_that_it_was_left_out(opened: Opened) -> None:
    memory = told_all(opened(reranker=Down()), *SAID)
    assert memory.context(ASKED, plan="deep").degraded == ("rerank: left out, it is down",)
    assert memory.context(ASKED).degraded == ()


def test_as_many_different_texts_are_read_as_the_plan_says(opened: Opened) -> None:
    reader = Reader()
    memory = told_all(opened(reranker=reader), *[f"zebra{number} tea" for number in range(60)], *["tea"] * 9)
    plan = Plan("mine", channels=("lexical", "rerank"), reread=5)  # to which most of them are the same
    memory.search("tea", plan=plan)
    assert len(set(reader.read)) == len(reader.read) == 5
    assert "tea" in reader.read


@pytest.mark.parametrize("given", [Reader, object(), 3], ids=["class", "object", "number"])
def test_what_cannot_be_a_reranker_is_refused_at_once(given: Any) -> None:
    with pytest.raises(
        ConfigError, match=r"is no reranker: pass an object with a name that is not empty and the method relevance"
    ):
        emberkeep.open(":memory:", reranker=given)


def test_a_plan_reads_as_many_as_there_can_be(opened: Opened) -> None:
    with pytest.raises(InvalidInput, match="reread of a plan"):
        opened().search(ASKED, plan=replace(PLANS["deep"], reread=0))


@pytest.mark.parametrize("shape", [(-1,), (-1, 1)])
def test_what_it_does_with_the_texts_is_its_own(opened: Opened, shape: tuple[int, ...]) -> None:
    class Cuts(Reader):
        def relevance(self, question: str, texts: Sequence[str], *, deadline: Deadline | None = None) -> Any:
            found = np.array(super().relevance(question, list(texts)), np.float32).reshape(shape)
            cast("list[str]", texts).clear()
            return found

    assert told_all(opened(reranker=Cuts()), *SAID).search(ASKED, plan="deep")[0].text == "The tea is in the cupboard"


def test_a_server_chooses_its_own() -> None:
    with pytest.raises(ConfigError, match="reranker is for whoever runs the server"):
        emberkeep.open("http://127.0.0.1:9", reranker="ms-marco-l12")


def test_what_is_said_is_from_minus_one_to_one() -> None:
    assert as_signal(np.array([-11.5, -10.0, 0.0, 4.0, 30.0])).tolist() == [-1.0, -1.0, 0.0, 0.4, 1.0]


@pytest.mark.parametrize("behind", [0.0, 3.0])
def test_those_that_were_read_go_before_the_others_which_stay_as_they_were(behind: float) -> None:
    signals = np.zeros((4, len(SIGNALS)))
    signals[:, 0] = [3.0, 9.0, 2.0, 8.0]
    no = np.zeros(4, np.bool_)
    candidates = Candidates(
        ["a", "b", "c", "d"], signals, (), np.zeros((4, 0), np.bool_), no, no, np.arange(4),
        behind=np.array([0.0, 0.0, 0.0, behind]),
    )  # fmt: skip
    weights = np.ones(len(SIGNALS))
    plan = PLANS["deep"]
    put = reread_first(candidates, [2, 0], np.array([1.0, -1.0]), weights, losses(candidates, plan))
    sums = totals(put.signals, weights, losses(put, plan))
    assert np.argsort(-sums).tolist() == [2, 0, 1, 3]
    assert sums[2] - sums[0] == pytest.approx(1.0)  # one less, and two more by what was said
    assert sums[1] - sums[3] == pytest.approx(1.0 + behind)


def test_those_that_are_far_behind_are_not_brought_nearer() -> None:
    signals = np.zeros((3, len(SIGNALS)))
    signals[:, 0] = [9.0, 8.0, 1.0]
    no = np.zeros(3, np.bool_)
    candidates = Candidates(["a", "b", "c"], signals, (), np.zeros((3, 0), np.bool_), no, no, np.arange(3))
    weights, plan = np.ones(len(SIGNALS)), PLANS["deep"]
    put = reread_first(candidates, [0, 1], np.array([0.5, 1.0]), weights, losses(candidates, plan))
    assert losses(put, plan).tolist() == [0.0, 0.0, 0.0]
