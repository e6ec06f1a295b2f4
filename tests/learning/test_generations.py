"""Deriving everything again: compared, switched in one step, and undone, on every store."""

import threading

import pytest
from sqlalchemy import make_url, select

import emberkeep
from emberkeep.errors import InvalidInput, ModelUnavailable
from emberkeep.language.terms import pack
from emberkeep.model.finding import Exchange, Finding, Lesson
from emberkeep.opening import open_to_rebuild
from emberkeep.storage import items as item_rows
from emberkeep.storage.schema import items
from emberkeep.testing import FixedClock, WordEmbedder

from ..databases import run
from .conftest import Opened, Parrot, repeat

pytestmark = pytest.mark.slow


def facts(memory: emberkeep.Memory, **where: object) -> list[str]:
    found = memory.get_all(user_id="alex", kinds=["fact"], limit=1_000, **where)  # type: ignore[arg-type]
    return sorted(item.text for item in found)


def louder(exchange: Exchange) -> Lesson:
    """As the parrot, but it keeps only what has "cat" in it, and one thing more."""
    found = [one for one in repeat(exchange).findings if "cat" in one.text]
    more = [Finding(f"Everybody heard how {one.quote}", "fact", one.position, one.quote) for one in found]
    return Lesson((*found, *more))


@pytest.fixture
def memory(opened: Opened, clock: FixedClock) -> emberkeep.Memory:
    made = opened(learner=Parrot())
    for text in ("the cat sleeps", "the dog barks", "the cat eats"):
        made.add(text, user_id="alex")
        clock.move(days=1)
    made.remember("Alex lives in Lisbon", user_id="alex")
    return made


def change_learner(memory: emberkeep.Memory, teach: object) -> None:
    parrot = memory._parts.learner
    assert isinstance(parrot, Parrot)
    parrot.teach = teach  # type: ignore[assignment]


OLD = [
    "Alex lives in Lisbon",
    "Somebody said that the cat eats",
    "Somebody said that the cat sleeps",
    "Somebody said that the dog barks",
]
NEW = [
    "Alex lives in Lisbon",
    "Everybody heard how the cat eats",
    "Everybody heard how the cat sleeps",
    "Somebody said that the cat eats",
    "Somebody said that the cat sleeps",
]


def test_the_same_learner_changes_nothing(memory: emberkeep.Memory) -> None:
    before = {item.id: (item.text, item.temperature) for item in memory.get_all(user_id="alex")}
    learned = memory.rebuild().learned
    assert learned is not None
    assert (learned.added, learned.lost, learned.changed, learned.switched) == (0, 0, 0, True)
    assert {item.id: (item.text, item.temperature) for item in memory.get_all(user_id="alex")} == before


def test_a_dry_run_only_tells(memory: emberkeep.Memory) -> None:
    change_learner(memory, louder)
    learned = memory.rebuild(dry_run=True).learned
    assert learned is not None
    assert (learned.added, learned.lost, learned.switched) == (2, 1, False)
    assert learned.lost_texts == ("Somebody said that the dog barks",)
    assert facts(memory) == OLD


def test_the_new_takes_the_place_of_the_old_and_what_is_the_same_stays_itself(memory: emberkeep.Memory) -> None:
    kept = next(item for item in memory.get_all(user_id="alex") if item.text == "Somebody said that the cat eats")
    warm = memory.search("cat eats", user_id="alex", kinds=["fact"], limit=1, touch=True)[0]
    change_learner(memory, louder)
    memory.rebuild()
    assert facts(memory) == NEW
    assert memory.get(kept.id).temperature > warm.temperature
    assert memory.search("everybody heard", user_id="alex")[0].similarity is not None
    assert all("dog" not in hit.text for hit in memory.search("dog", user_id="alex", kinds=["fact"]))
    assert memory.audit().faults["unsupported"].count == 0


def test_it_can_be_undone_once(memory: emberkeep.Memory) -> None:
    dog = memory.search("dog barks", user_id="alex", kinds=["fact"])[0].item
    before = memory.history(dog.id)
    change_learner(memory, louder)
    memory.rebuild()
    undone = memory.undo_rebuild()
    assert (undone.added, undone.lost) == (1, 2)
    assert facts(memory) == OLD
    again = memory.search("dog barks", user_id="alex", kinds=["fact"])[0]
    assert (again.id, again.item.sources, again.similarity is not None) == (dog.id, dog.sources, True)
    assert memory.history(dog.id) == before
    with pytest.raises(InvalidInput, match="no rebuild to undo"):
        memory.undo_rebuild()


def test_what_is_learned_after_it_survives_the_undoing(memory: emberkeep.Memory) -> None:
    change_learner(memory, louder)
    memory.rebuild()
    memory.add("the cat purrs", user_id="alex")
    memory.undo_rebuild()
    assert set(facts(memory)) - set(OLD) == {
        "Somebody said that the cat purrs",
        "Everybody heard how the cat purrs",
    }


def test_what_was_told_meanwhile_is_not_there_twice_after_the_undoing(memory: emberkeep.Memory) -> None:
    change_learner(memory, louder)
    memory.rebuild()
    lost = "Somebody said that the dog barks"
    told = memory.remember(lost, user_id="alex")
    memory.undo_rebuild()
    assert facts(memory) == OLD
    assert memory.remember(lost, user_id="alex").id == told.id


def test_a_learner_that_fails_changes_nothing(memory: emberkeep.Memory) -> None:
    def fail(exchange: Exchange) -> Lesson:
        if "eats" in exchange.interaction.messages[0].content:
            raise ModelUnavailable("the model is down")
        return Lesson(())

    change_learner(memory, fail)
    with pytest.raises(ModelUnavailable):
        memory.rebuild()
    assert facts(memory) == OLD


def test_what_was_deleted_does_not_come_back(memory: emberkeep.Memory) -> None:
    memory.delete(memory.search("dog barks", user_id="alex", kinds=["fact"])[0].id)
    memory.rebuild()
    assert "Somebody said that the dog barks" not in facts(memory)
    memory.add("the dog barks", user_id="alex")  # told again, it is news again
    assert "Somebody said that the dog barks" in facts(memory)


def test_what_is_learned_meanwhile_is_replayed_too(opened: Opened) -> None:
    memory = opened(learner=Parrot())
    memory.add("the cat sleeps", user_id="alex")
    meanwhile = ["the cat eats"]

    def interrupted(exchange: Exchange) -> Lesson:
        if meanwhile:
            memory.add(meanwhile.pop(), user_id="alex")
        return louder(exchange)

    change_learner(memory, interrupted)
    memory.rebuild()
    assert facts(memory) == [text for text in NEW if "Lisbon" not in text]


def test_readers_see_the_old_or_the_new_and_nothing_between(opened: Opened) -> None:
    memory = opened(learner=Parrot())
    for number in range(20):
        memory.add(f"cat number {number} sleeps", user_id="alex")
    old = facts(memory)
    change_learner(memory, lambda _: Lesson(()))
    seen: set[tuple[str, ...]] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(tuple(facts(memory)))

    reader = threading.Thread(target=read)
    reader.start()
    memory.rebuild()
    done.set()
    reader.join()
    assert seen <= {tuple(old), ()}


def test_times_that_change_are_told_and_undone(opened: Opened, clock: FixedClock) -> None:
    clock.move(days=365)
    memory = opened()
    parts = memory._parts
    memory.add("I live in Lisbon.", user_id="alex", occurred_at="2026-05-20T10:00:00Z")
    memory.add("I live in Berlin.", user_id="alex", occurred_at="2026-06-20T10:00:00Z")
    assert facts(memory) == ["The user lives in Berlin"]
    deaf = Parrot(
        lambda exchange: Lesson(()) if "Berlin" in exchange.interaction.messages[0].content else rules(exchange)
    )

    def rules(exchange: Exchange) -> Lesson:
        assert parts.learner is not None
        return parts.learner.learn(exchange)

    target = parts.config.db
    if target == ":memory:":
        return
    other = opened(learner=deaf)
    learned = other.rebuild().learned
    assert learned is not None
    assert (learned.added, learned.lost, learned.changed) == (0, 1, 1)
    assert facts(other) == ["The user lives in Lisbon"]
    other.undo_rebuild()
    assert facts(other) == ["The user lives in Berlin"]
    assert facts(other, as_of="2026-06-01T00:00:00Z") == ["The user lives in Lisbon"]


def test_without_a_learner_only_vectors_are_made_again(opened: Opened) -> None:
    memory = opened(learner="none")
    memory.add("the cat sleeps", user_id="alex")
    assert memory.rebuild().learned is None


def test_what_was_erased_does_not_come_back_by_undoing(memory: emberkeep.Memory) -> None:
    change_learner(memory, louder)
    memory.rebuild()
    dog = next(item for item in memory.get_all(user_id="alex", kinds=["episode"]) if "dog" in item.text)
    memory.delete(dog.id)
    memory.undo_rebuild()
    assert not [text for text in facts(memory) if "dog" in text]


def test_nothing_of_an_erased_session_is_kept_for_undoing(opened: Opened) -> None:
    memory = opened(learner=Parrot())
    memory.add("the dog barks", user_id="alex", session_id="s")
    memory.add("the cat eats", user_id="alex", session_id="t")
    change_learner(memory, louder)
    memory.rebuild()
    receipt = memory.delete_all(session_id="s")
    assert receipt.rows["generation_changes"] == 1
    memory.undo_rebuild()
    assert facts(memory) == ["Somebody said that the cat eats"]


def test_a_rebuild_that_changed_nothing_can_be_undone_too(memory: emberkeep.Memory) -> None:
    memory.rebuild()
    assert (memory.undo_rebuild().added, facts(memory)) == (0, OLD)


def test_what_was_told_and_changed_stays_as_it_is(memory: emberkeep.Memory, clock: FixedClock) -> None:
    told = memory.search("lives in Lisbon", user_id="alex", kinds=["fact"])[0].item
    clock.move(days=1)
    memory.update(told.id, "Alex lives in Porto")
    changed = memory.get(told.id)
    learned = memory.rebuild().learned
    assert learned is not None
    assert (learned.added, learned.lost, learned.changed) == (0, 0, 0)
    assert memory.get(told.id).valid_from == changed.valid_from


def test_what_it_takes_is_in_the_ledger_and_under_the_cap(opened: Opened) -> None:
    memory = opened(learner=Parrot(), spend_hard_tokens=40)
    memory.add("the cat eats", user_id="alex")
    memory.rebuild(dry_run=True)
    assert memory.spending()[0].spent.calls == 2
    memory.rebuild()
    with pytest.raises(ModelUnavailable, match="nothing was changed: 45 tokens"):
        memory.rebuild()
    assert facts(memory) == ["Somebody said that the cat eats"]


def test_what_was_learned_while_nothing_was_captured_stays(opened: Opened) -> None:
    memory = opened(learner=Parrot(), capture=False)
    memory.add("the cat eats", user_id="alex")
    learned = memory.rebuild().learned
    assert learned is not None
    assert learned.lost == 0
    assert facts(memory) == ["Somebody said that the cat eats"]
    assert memory.audit().faults["unsupported"].count == 0


def test_a_dry_run_with_another_embedder_only_tells(opened: Opened, target: str) -> None:
    if target == ":memory:":
        pytest.skip("gone with its memory")
    with emberkeep.open(target, embedder=WordEmbedder("one"), learner=Parrot()) as memory:
        memory.add("the cat eats", user_id="alex")
    with open_to_rebuild(target, embedder=WordEmbedder("two")) as memory:
        report = memory.rebuild(dry_run=True)
    assert report.embedder == WordEmbedder("two").name
    with emberkeep.open(target, embedder=WordEmbedder("one"), learner="none") as memory:
        assert memory.search("cat", user_id="alex")


@pytest.mark.parametrize("verb", ["delete_all", "delete fact", "delete message"])
def test_what_is_erased_meanwhile_stays_erased(opened: Opened, clock: FixedClock, verb: str) -> None:
    memory = opened(learner=Parrot())
    for user, text in (("alex", "the dog barks"), ("alex", "the cat eats"), ("sam", "the cow moos")):
        memory.add(text, user_id=user)
    clock.move(seconds=1)
    todo = [verb]

    def interrupted(exchange: Exchange) -> Lesson:
        if todo and exchange.interaction.user_id == "sam":
            if todo.pop() == "delete_all":
                memory.delete_all(user_id="alex")
            else:
                kind = "fact" if verb == "delete fact" else "episode"
                memory.delete(memory.search("dog barks", user_id="alex", kinds=[kind])[0].id)  # type: ignore[list-item]
        return repeat(exchange)

    change_learner(memory, interrupted)
    memory.rebuild()
    assert not [text for text in facts(memory) if "dog" in text]
    assert bool(facts(memory)) == (verb != "delete_all")


def test_what_others_learn_meanwhile_is_kept(opened: Opened, target: str) -> None:
    if target == ":memory:":
        pytest.skip("a memory of its own")
    memory, other = opened(learner=Parrot()), opened(learner=Parrot())
    memory.add("the cat eats", user_id="alex", learn="later")
    memory.add("the dog barks", user_id="alex")
    todo = [other.learn]

    def interrupted(exchange: Exchange) -> Lesson:
        if todo:
            todo.pop()()
        return repeat(exchange)

    change_learner(memory, interrupted)
    memory.rebuild()
    assert facts(memory) == ["Somebody said that the cat eats", "Somebody said that the dog barks"]


def test_what_is_told_meanwhile_is_kept(opened: Opened) -> None:
    memory = opened(learner=Parrot())
    memory.add("the cat eats", user_id="alex")
    memory.remember("Alex lives in Lisbon", user_id="alex")
    todo = ["Alex lives in Faro"]

    def interrupted(exchange: Exchange) -> Lesson:
        if todo:
            memory.remember(todo.pop(), user_id="alex")
        return repeat(exchange)

    change_learner(memory, interrupted)
    memory.rebuild()
    assert facts(memory) == ["Alex lives in Faro", "Somebody said that the cat eats"]


def test_what_was_told_at_once_is_told_again_in_the_same_order(postgres_url: str, clock: FixedClock) -> None:
    """PostgreSQL gives rows as they lie in the table, and one that was changed lies behind the others."""
    no_index = {"options": "-c enable_indexscan=off -c enable_bitmapscan=off"}
    target = make_url(postgres_url).update_query_dict(no_index).render_as_string(hide_password=False)
    with emberkeep.open(target, embedder=WordEmbedder(), clock=clock, learner=Parrot()) as memory:
        memory.remember("Alex lives in Lisbon", user_id="alex")
        memory.remember("Alex lives in Faro", user_id="alex")
        run(postgres_url, "UPDATE items SET access_count = 1 WHERE text = 'Alex lives in Lisbon'")
        memory.rebuild()
        assert facts(memory) == ["Alex lives in Faro"]


def test_a_correction_survives_and_what_it_corrected_stays_away(memory: emberkeep.Memory, clock: FixedClock) -> None:
    dog = memory.search("dog barks", user_id="alex", kinds=["fact"])[0].item
    clock.move(days=1)
    memory.update(dog.id, "Somebody said that the dog sings", tags=["mine"], sacred=True)
    memory.rebuild()
    assert (memory.get(dog.id).text, memory.get(dog.id).sacred) == ("Somebody said that the dog sings", True)
    assert "Somebody said that the dog barks" not in facts(memory)
    memory.delete(dog.id)
    memory.rebuild()
    assert not [text for text in facts(memory) if "dog" in text]


def test_what_was_told_and_also_said_is_still_told(memory: emberkeep.Memory) -> None:
    memory.remember("Somebody said that the cow moos", user_id="alex", sacred=True)
    memory.add("the cow moos", user_id="alex")
    change_learner(memory, lambda _: Lesson(()))
    memory.rebuild()
    assert facts(memory) == ["Alex lives in Lisbon", "Somebody said that the cow moos"]


def test_undoing_leaves_alone_what_changed_since(opened: Opened, clock: FixedClock, target: str) -> None:
    if target == ":memory:":
        pytest.skip("gone with its memory")
    clock.move(days=365)
    memory = opened()
    memory.add("I live in Lisbon.", user_id="alex", occurred_at="2026-05-20T10:00:00Z")
    memory.add("I live in Berlin.", user_id="alex", occurred_at="2026-06-20T10:00:00Z")
    rules = memory._parts.learner
    assert rules is not None
    deaf = Parrot(lambda one: Lesson(()) if "Berlin" in one.interaction.messages[0].content else rules.learn(one))
    other = opened(learner=deaf)
    other.rebuild()
    memory.add("I live in Porto.", user_id="alex", occurred_at="2026-07-20T10:00:00Z")
    other.undo_rebuild()
    assert "The user lives in Porto" in facts(other)
    assert "The user lives in Lisbon" not in facts(other)


def test_what_comes_back_is_indexed_as_this_version_does(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = opened(learner=Parrot())
    with monkeypatch.context() as before:  # an older version kept other terms
        before.setattr(item_rows, "pack", lambda text: pack(text.partition(" ")[0]))
        memory.add("the dog barks", user_id="alex")
    change_learner(memory, lambda exchange: Lesson(()))
    memory.rebuild()
    memory.undo_rebuild()
    (fact,) = memory.get_all(user_id="alex", kinds=["fact"])
    with memory.database.read() as connection:
        terms = connection.execute(select(items.c.terms).where(items.c.id == fact.id)).scalar_one()
    assert bytes(terms) == pack(fact.spoken).tobytes()
