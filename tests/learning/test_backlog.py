"""The backlog: nothing is lost, nothing is learned twice, and what fails is told, on every store."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Connection

import emberkeep
from emberkeep.errors import InvalidInput, ModelUnavailable, StoreError, StoreUnavailable, UnusableReply
from emberkeep.flows.backlog import Backlog, Worked
from emberkeep.flows.keeping import Weighed
from emberkeep.lifecycle.settle import Settled
from emberkeep.model.finding import Exchange, Lesson
from emberkeep.providers.base import Vectors
from emberkeep.testing import FixedClock, WordEmbedder

from .conftest import Opened, Parrot, repeat


def down(_: Exchange) -> Lesson:
    raise ModelUnavailable("the model is down")


def nonsense(_: Exchange) -> Lesson:
    raise UnusableReply("the model talks nonsense", tokens_in=7, tokens_out=3)


def cannot_bear_poison(exchange: Exchange) -> Lesson:
    if "poison" in exchange.interaction.messages[0].content:
        raise ModelUnavailable("the model fell over")
    return repeat(exchange)


def facts(memory: emberkeep.Memory, user: str = "alex") -> list[str]:
    return sorted(item.text for item in memory.get_all(user_id=user, kinds=["fact"]))


def test_add_learns_at_once(opened: Opened) -> None:
    memory = opened(learner=Parrot())
    added = memory.add("it rains today", user_id="alex")
    assert [item.text for item in added.learned] == ["Somebody said that it rains today"]
    assert (added.extracted, added.new, added.updated, added.errors) == (2, 2, 0, 0)
    assert memory.backlog() == []
    source = added.learned[0].sources[0]
    assert (source.quote, source.interaction_id) == ("it rains today", added.interaction_id)
    assert added.learned[0].metadata == {"learner": "parrot-1"}


def test_later_means_written_down_and_nothing_else(opened: Opened) -> None:
    parrot = Parrot()
    memory = opened(learner=parrot)
    added = memory.add("it rains today", user_id="alex", learn="later")
    assert (added.extracted, parrot.heard) == (0, [])
    (waiting,) = memory.backlog()
    assert (waiting.interaction_id, waiting.state, waiting.attempts) == (added.interaction_id, "waiting", 0)
    report = memory.learn()
    assert (report.derived, report.learned, report.new, report.waiting) == (1, 1, 1, 0)
    assert facts(memory) == ["Somebody said that it rains today"]
    assert memory.search("rains", user_id="alex", kinds=["episode"])


def test_what_is_not_to_be_learned_never_is(opened: Opened) -> None:
    parrot = Parrot()
    memory = opened(learner=parrot)
    memory.add("my secret plan", user_id="alex", learn=False)
    memory.learn()
    memory.rebuild()
    assert parrot.heard == []
    assert facts(memory) == []


def test_a_model_that_is_down_delays_and_loses_nothing(opened: Opened, clock: FixedClock) -> None:
    parrot = Parrot(down)
    memory = opened(learner=parrot)
    added = memory.add("it rains today", user_id="alex")
    assert (added.new, added.errors) == (1, 1)
    assert added.reasons == ("the model is down",)
    for number in range(3):
        memory.add(f"number {number} came by", user_id="alex", learn="later")
    report = memory.learn()
    assert (report.learned, report.waiting, report.failed, report.reasons) == (0, 4, 0, ("the model is down",))
    assert len(parrot.heard) == 4  # the third in a row that finds it down lets the others be
    for _ in range(20):  # however long it is down, that is not the exchange's fault
        clock.move(hours=2)
        memory.learn()
    assert memory.backlog()[0].attempts == 0
    parrot.teach = Parrot().teach
    assert memory.learn().learned == 4
    assert len(facts(memory)) == 4
    assert memory.backlog() == []


def test_nonsense_is_tried_again_with_longer_pauses_then_set_aside(opened: Opened, clock: FixedClock) -> None:
    parrot = Parrot(nonsense)
    memory = opened(learner=parrot, learn_attempts=3)
    memory.add("it rains today", user_id="alex", learn="later")
    pauses = []
    for _ in range(3):
        report = memory.learn(patient=True)
        assert memory.learn(patient=True).reasons == ()  # not due yet
        due_at = memory.backlog()[0].due_at
        assert due_at is not None
        pauses.append(due_at - clock.now())
        clock.move(seconds=pauses[-1].total_seconds())
    assert pauses[1] == 2 * pauses[0]
    assert (report.waiting, report.failed) == (0, 1)
    (waiting,) = memory.backlog()
    assert (waiting.state, waiting.attempts, waiting.reason) == ("failed", 3, "the model talks nonsense")
    assert memory.stats().failed == 1
    clock.move(days=30)
    assert memory.learn().learned == 0
    assert len(parrot.heard) == 3
    parrot.teach = Parrot().teach
    assert memory.learn(retry_failed=True).learned == 1
    assert facts(memory) == ["Somebody said that it rains today"]


def test_whoever_asks_for_it_need_not_be_patient(opened: Opened) -> None:
    parrot = Parrot(nonsense)
    memory = opened(learner=parrot)
    memory.add("it rains today", user_id="alex")
    assert memory.learn(patient=True).learned == 0
    parrot.teach = Parrot().teach
    assert memory.learn().learned == 1


def test_one_bad_exchange_does_not_hold_up_the_others(opened: Opened) -> None:
    def teach(exchange: Exchange) -> Lesson:
        if "poison" in exchange.interaction.messages[0].content:
            raise RuntimeError("a bug in the learner")
        return Parrot().teach(exchange)

    memory = opened(learner=Parrot(teach))
    for text in ("first message", "poison", "third message"):
        memory.add(text, user_id="alex", learn="later")
    report = memory.learn()
    assert (report.learned, report.waiting) == (2, 1)
    assert "RuntimeError: a bug in the learner" in str(memory.backlog()[0].reason)


def test_two_workers_never_learn_the_same(opened: Opened, target: str) -> None:
    if target == ":memory:":
        pytest.skip("a memory of its own")
    one, other = Parrot(), Parrot(name="parrot-2")
    first = opened(learner=one)
    second = opened(learner=other)

    def interrupting(exchange: Exchange) -> Lesson:
        second.learn()
        return Parrot().teach(exchange)

    one.teach = interrupting
    for number in range(50):
        first.add(f"message number {number}", user_id="alex", learn="later")
    first.learn()
    assert sorted([*one.heard, *other.heard]) == sorted(f"message number {number}" for number in range(50))
    assert one.heard
    assert other.heard
    assert len(facts(first)) == 50


def test_what_a_dead_worker_held_is_taken_when_its_lease_runs_out(opened: Opened, clock: FixedClock) -> None:
    def die(_: Exchange) -> Lesson:
        raise KeyboardInterrupt

    memory = opened(learner=Parrot(die), lease_s=60)
    memory.add("it rains today", user_id="alex", learn="later")
    with pytest.raises(KeyboardInterrupt):
        memory.learn()
    later = opened(learner=Parrot()) if memory.stats().database != ":memory:" else memory
    if later is memory:
        memory._parts.learner.teach = Parrot().teach  # type: ignore[union-attr]
    assert later.learn().learned == 0
    clock.move(seconds=61)
    assert later.learn().learned == 1
    assert facts(later) == ["Somebody said that it rains today"]


@pytest.mark.parametrize("text", ["Somebody said that it rains", "The red kettle whistles loudly"])  # a claim, and none
def test_what_is_found_twice_in_one_message_is_learned_once(opened: Opened, text: str) -> None:
    def twice(exchange: Exchange) -> Lesson:
        lesson = repeat(exchange)
        return replace(lesson, findings=tuple(replace(lesson.findings[0], text=text + end) for end in ("", "!", "")))

    memory = opened(learner=Parrot(twice))
    added = memory.add("it rains, and the red kettle whistles loudly", user_id="alex")
    assert (added.errors, memory.backlog()) == (0, [])
    assert facts(memory) == [text]
    assert len(memory.get(added.learned[0].id).sources) == 1


def test_what_cannot_be_kept_is_not_learned(opened: Opened) -> None:
    def spoilt(exchange: Exchange) -> Lesson:
        good = repeat(exchange)
        bad = [replace(good.findings[0], text="Somebody said \x00"), replace(good.findings[0], tags=("\udfff",))]
        return replace(good, findings=(*bad, *good.findings))

    memory = opened(learner=Parrot(spoilt))
    assert memory.add("it rains today", user_id="alex").errors == 0
    assert facts(memory) == ["Somebody said that it rains today"]


@pytest.mark.parametrize("error", [StoreError("not what the column holds"), InvalidInput("an empty text")])
def test_what_was_found_but_cannot_be_written_holds_up_nobody_else(
    opened: Opened, clock: FixedClock, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    memory = opened(learner=Parrot())
    keeper = memory._backlog._keeper
    settle = keeper.settle

    def fail(connection: Connection, weighed: Weighed, now: datetime) -> list[Settled]:
        if any("rains" in draft.text for draft in weighed.drafts):
            raise error
        return settle(connection, weighed, now)

    monkeypatch.setattr(type(keeper), "settle", lambda _, *given: fail(*given))
    memory.add("it rains today", user_id="alex", learn="later")
    memory.add("it snows today", user_id="kim", learn="later")
    report = memory.learn()
    assert (report.learned, report.waiting) == (1, 1)
    assert facts(memory, "kim") == ["Somebody said that it snows today"]
    (waiting,) = memory.backlog()
    assert waiting.attempts == 1
    assert str(error) in (waiting.reason or "")
    assert sum(one.spent.calls for one in memory.spending()) == 2  # the model was asked, whatever came of it
    for _ in range(4):
        clock.move(days=1)
        memory.learn()
    assert [one.state for one in memory.backlog()] == ["failed"]


def test_a_store_that_is_down_is_nobodys_fault(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = opened(learner=Parrot())
    memory.add("it rains today", user_id="alex", learn="later")

    def down(*_: object) -> None:
        raise StoreUnavailable("the server is gone")

    with monkeypatch.context() as patch:
        patch.setattr(type(memory._backlog._keeper), "settle", down)
        with pytest.raises(StoreUnavailable):
            memory.learn()
    assert memory.backlog()[0].attempts == 0


def test_who_took_too_long_writes_nothing(opened: Opened, clock: FixedClock) -> None:
    inner = Parrot()
    slow = Parrot()
    memory = opened(learner=slow, lease_s=60)

    def sleep(exchange: Exchange) -> Lesson:
        clock.move(seconds=61)
        slow.teach = inner.teach
        memory.learn()  # another worker, meanwhile
        return Lesson(())

    slow.teach = sleep
    added = memory.add("it rains today", user_id="alex")
    assert "took longer than its lease" in added.reasons[0]
    assert facts(memory) == ["Somebody said that it rains today"]
    assert memory.backlog() == []


def test_the_ledger_counts_also_what_was_of_no_use(opened: Opened) -> None:
    parrot = Parrot()
    memory = opened(learner=parrot)
    memory.add("it rains today", user_id="alex")
    memory.add("it snows today", user_id="sam")
    parrot.teach = nonsense
    memory.add("it hails today", user_id="alex")
    found = {(entry.user_id, entry.model): entry.spent for entry in memory.spending()}
    assert (found["alex", "parrot-1"].tokens_in, found["alex", "parrot-1"].calls) == (17, 2)
    assert found["sam", "parrot-1"].tokens_out == 5


def test_over_the_cap_it_captures_only_and_catches_up_the_next_day(opened: Opened, clock: FixedClock) -> None:
    parrot = Parrot()
    memory = opened(learner=parrot, spend_hard_tokens=20)
    for number in range(5):
        added = memory.add(f"message number {number}", user_id="alex")
    assert len(parrot.heard) == 2
    assert (added.new, added.errors) == (1, 1)
    assert "the cap is 20" in added.reasons[0]
    assert memory.search("number 4", user_id="alex")[0].text == "message number 4"
    assert memory.learn(patient=True).learned == 0
    clock.move(days=1)
    assert memory.learn(patient=True).learned == 2
    clock.move(days=1)
    assert memory.learn(patient=True).waiting == 0
    assert len(facts(memory)) == 5


def test_one_users_cap_is_not_anothers(opened: Opened) -> None:
    memory = opened(learner=Parrot(), spend_user_tokens=15)
    for user in ("alex", "sam", "alex", "sam"):
        memory.add(f"{user} says something new {len(memory.backlog())}", user_id=user)
    assert {entry.user_id: entry.spent.calls for entry in memory.spending()} == {"alex": 1, "sam": 1}


def test_the_soft_cap_only_warns(opened: Opened, caplog: pytest.LogCaptureFixture) -> None:
    memory = opened(learner=Parrot(), spend_soft_tokens=10)
    memory.add("message number 1", user_id="alex")
    assert memory.add("message number 2", user_id="alex").errors == 0
    assert "spend_soft_tokens" in caplog.text


def test_a_clock_that_goes_backwards_loses_nothing(opened: Opened, clock: FixedClock) -> None:
    memory = opened(learner=Parrot())
    memory.add("it rains today", user_id="alex", learn="later")
    clock.move(days=-400)
    memory.add("it snows today", user_id="alex", learn="later")
    assert memory.learn().learned == 2
    assert len(facts(memory)) == 2


def test_a_worker_learns_in_the_background(opened: Opened) -> None:
    memory = opened(learner=Parrot())
    worker = memory.worker(every_s=0.01)
    worker.start()
    try:
        memory.add("it rains today", user_id="alex", learn="later")
        for _ in range(500):
            if not memory.backlog():
                break
            worker._stop.wait(0.01)
    finally:
        worker.stop()
    assert facts(memory) == ["Somebody said that it rains today"]
    assert worker._thread is not None
    assert not worker._thread.is_alive()


def test_a_user_over_their_cap_does_not_hold_up_others(opened: Opened) -> None:
    memory = opened(learner=Parrot(), spend_user_tokens=15)
    memory.add("alex says the first", user_id="alex")
    for number in range(30):
        memory.add(f"alex says number {number}", user_id="alex", learn="later")
    memory.add("sam says something", user_id="sam", learn="later")
    report = memory.learn()
    assert report.learned == 1
    assert facts(memory, "sam") == ["Somebody said that sam says something"]


def test_upkeep_says_why_nothing_was_learned(opened: Opened) -> None:
    memory = opened(learner=Parrot(down))
    memory.add("it rains today", user_id="alex")
    report = memory.upkeep()
    assert (report.learned, report.waiting, report.reasons) == (0, 1, ("the model is down",))


def test_one_exchange_that_the_model_cannot_bear_is_set_aside(opened: Opened, clock: FixedClock) -> None:
    memory = opened(learner=Parrot(cannot_bear_poison), learn_attempts=3)
    memory.add("poison", user_id="alex", learn="later")
    for number in range(5):
        for part in range(3):
            memory.add(f"message number {number} {part}", user_id="alex", learn="later")
        memory.learn(patient=True)
        clock.move(days=1)
    assert len(facts(memory)) == 15
    (waiting,) = memory.backlog()
    assert (waiting.state, waiting.reason) == ("failed", "the model fell over")


def test_what_is_set_aside_for_being_the_trouble_is_told(opened: Opened, clock: FixedClock) -> None:
    memory = opened(learner=Parrot(cannot_bear_poison), learn_attempts=2)
    told: list[str] = []
    memory.events.subscribe("memory.learning.failed", lambda event: told.append(event.payload["interaction_id"]))
    poison = memory.add("poison", user_id="alex", learn="later").interaction_id
    for number in range(3):
        memory.add(f"message number {number}", user_id="alex", learn="later")
        memory.learn(patient=True)
        clock.move(days=1)
    assert told == [poison]


def test_without_capture_a_failed_call_is_booked_too(opened: Opened) -> None:
    memory = opened(learner=Parrot(nonsense), capture=False)
    with pytest.raises(ModelUnavailable):
        memory.add("it hails today", user_id="alex")
    (entry,) = memory.spending()
    assert (entry.user_id, entry.spent.calls) == ("alex", 1)


def test_an_embedder_that_fails_in_its_own_way_keeps_nothing_from_being_learned(opened: Opened) -> None:
    embedder = WordEmbedder()
    embed = embedder.embed

    def refuse(*_: object, **__: object) -> Vectors:
        raise ConnectionError("refused")

    memory = opened(learner=Parrot(), embedder=embedder)
    embedder.embed = embedder.embed_query = refuse  # type: ignore[method-assign]
    added = memory.add("it rains today", user_id="alex")
    assert added.errors
    assert "refused" in added.reasons[0]
    hits = memory.search("rains", user_id="alex")
    assert hits
    assert "refused" in hits.degraded[0]
    embedder.embed = embed  # type: ignore[method-assign]
    memory.learn()
    assert facts(memory) == ["Somebody said that it rains today"]


def test_whoever_is_interrupted_leaves_nothing_leased(opened: Opened) -> None:
    def interrupt(_: Exchange) -> Lesson:
        raise KeyboardInterrupt

    parrot = Parrot(interrupt)
    memory = opened(learner=parrot)
    with pytest.raises(KeyboardInterrupt):
        memory.add("it rains today", user_id="alex")
    parrot.teach = repeat
    assert memory.learn().learned == 1


def test_a_worker_goes_on_with_others_if_one_tenant_is_in_the_way(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    memory = opened(learner=Parrot())
    for tenant in ("a", "b"):
        memory.of_tenant(tenant).add("it rains today", user_id="alex", learn="later")
    work = Backlog.work

    def fail(self: Backlog, tenant: str, *args: Any, **options: Any) -> Worked:
        if tenant == "a":
            raise RuntimeError("something is in the way")
        return work(self, tenant, *args, **options)

    monkeypatch.setattr(Backlog, "work", fail)
    assert not memory.worker().once()
    assert "tenant a" in caplog.text
    assert facts(memory.of_tenant("b")) == ["Somebody said that it rains today"]


def test_what_was_deleted_is_not_learned_from_what_was_said_before(opened: Opened, clock: FixedClock) -> None:
    memory = opened(learner=Parrot())
    fact = memory.add("it rains today", user_id="alex").learned[0]
    memory.add("it rains today", user_id="alex", learn="later")
    clock.move(seconds=1)
    memory.delete(fact.id)
    memory.learn()
    assert facts(memory) == []
    clock.move(seconds=1)
    memory.add("it rains today", user_id="alex")
    assert facts(memory) == ["Somebody said that it rains today"]


def test_a_lease_of_a_clock_that_was_years_ahead_is_not_waited_for(opened: Opened, clock: FixedClock) -> None:
    def killed(_: Exchange) -> Lesson:
        raise KeyboardInterrupt

    clock.move(days=3_650)
    parrot = Parrot(killed)
    memory = opened(learner=parrot)
    with pytest.raises(KeyboardInterrupt):
        memory.add("it rains today", user_id="alex")
    clock.move(days=-3_650)
    parrot.teach = repeat
    assert memory.learn(patient=True).learned == 1
    assert memory.backlog() == []


def test_what_a_clock_that_was_ahead_put_off_is_not_put_off_for_years(opened: Opened, clock: FixedClock) -> None:
    parrot = Parrot(down)
    memory = opened(learner=parrot)
    clock.move(days=3_650)
    memory.add("it rains today", user_id="alex")
    clock.move(days=-3_650)
    parrot.teach = repeat
    assert memory.worker().once()
    assert facts(memory) == ["Somebody said that it rains today"]
