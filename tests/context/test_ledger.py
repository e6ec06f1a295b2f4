"""Each context is on record: what was chosen and dropped, whether it helped, and how it would be assembled again."""

import re
from datetime import timedelta

import pytest

import emberkeep
from emberkeep.errors import StoreFull
from emberkeep.model.context import Format, Shares
from emberkeep.model.recall import Where
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.storage import contexts
from emberkeep.testing import FixedClock, WordEmbedder


@pytest.fixture
def store(target: str, clock: FixedClock) -> emberkeep.Memory:
    return emberkeep.open(target, clock=clock, embedder=WordEmbedder(), learner="none")


def filled(memory: emberkeep.Memory) -> None:
    memory.add(["tea is green", "tea is served at five", "tea " * 400], user_id="alex", agent_id="voxa", session_id="s")


def test_a_record_says_what_became_of_each_candidate(store: emberkeep.Memory, clock: FixedClock) -> None:
    with store as memory:
        filled(memory)
        context = memory.context("when is tea?", user_id="alex", agent_id="voxa", max_tokens=100)
        assert context.id
        record = memory.context_record(context.id)
        assert (record.task, record.user_id, record.agent_id, record.session_id) == (
            "when is tea?",
            "alex",
            "voxa",
            None,
        )
        assert (record.max_tokens, record.total_tokens) == (100, context.total_tokens)
        assert (record.at, record.helpful, record.note, record.rated_at) == (clock.now(), None, None, None)
        assert record.entries == context.entries
        assert len(record.entries) == len(context.chunks) + context.dropped == 3
        assert {entry.key for entry in record.entries} == {f"item:{item.id}" for item in memory.get_all(user_id="alex")}
        assert record.settings["tiers"] == ["operational", "working", "longterm", "knowledge"]
        assert record.settings["format"] == "markdown"


def test_it_holds_no_memory_text(store: emberkeep.Memory) -> None:
    with store as memory:
        memory.remember("The safe opens with quetzalcoatl", user_id="alex")
        memory.context("how does the safe open?", user_id="alex")
        assert "quetzalcoatl" not in repr(memory.contexts())


def test_feedback_is_kept_with_it_and_can_be_changed(store: emberkeep.Memory, clock: FixedClock) -> None:
    with store as memory:
        filled(memory)
        context = memory.context("tea", user_id="alex")
        assert context.id
        memory.context_feedback(context.id, False, note="the kettle was missing")
        record = memory.context_record(context.id)
        assert (record.helpful, record.note, record.rated_at) == (False, "the kettle was missing", clock.now())
        memory.context_feedback(context.id, True)
        record = memory.context_record(context.id)
        assert (record.helpful, record.note) == (True, None)


def test_the_latest_come_first_of_one_user_of_nobody_or_of_all(store: emberkeep.Memory, clock: FixedClock) -> None:
    with store as memory:
        for number, user in enumerate(["alex", None, "sam", "alex"]):
            memory.context(f"task {number}", user_id=user)
            clock.move(seconds=1)
        assert [one.task for one in memory.contexts()] == ["task 3", "task 2", "task 1", "task 0"]
        assert [one.task for one in memory.contexts(user_id="alex", limit=1)] == ["task 3"]
        assert [one.task for one in memory.contexts(user_id=None)] == ["task 1"]


def test_without_a_record_nothing_is_written(store: emberkeep.Memory) -> None:
    with store as memory:
        filled(memory)
        assert memory.context("tea", user_id="alex", record=False).id is None
        assert memory.contexts() == []


def test_a_replay_gives_what_was_given_then(store: emberkeep.Memory, clock: FixedClock) -> None:
    with store as memory:
        filled(memory)
        old = memory.remember("Tea costs 4 euros", user_id="alex", tags=["price"], metadata={"shop": "Ana"})
        where: Where = {"user_id": "alex", "tags": ["price"], "filters": {"shop": "Ana"}, "kinds": ["fact"]}
        narrow = memory.context(
            "tea costs", format="xml", tiers=["longterm"], plan="deep", shares=Shares(record=0.9), **where
        )
        wide = memory.context(
            "tea costs", user_id="alex", max_tokens=200, plan=emberkeep.Plan("mine", weights={"dense": 2.0})
        )
        clock.move(days=1)
        memory.update(old.id, "Tea costs 5 euros")
        memory.remember("Tea costs too much", user_id="alex", occurred_at=clock.now() - timedelta(days=9))
        clock.move(days=1)
        for context in (narrow, wide):
            assert context.id
            again = memory.replay_context(context.id)
            # Word statistics and temperatures are today's, so the order may differ; what was known may not.
            assert {chunk.content[:9] for chunk in again.chunks} == {chunk.content[:9] for chunk in context.chunks}
            assert (again.id, again.budget) == (None, context.budget)
        assert narrow.id
        assert memory.replay_context(narrow.id).text == narrow.text
        now = memory.replay_context(narrow.id, as_of=clock.now())
        assert "5 euros" in now.text
        assert "4 euros" in narrow.text
        assert len(memory.contexts()) == 2


def test_a_replay_says_that_past_state_is_not_kept(store: emberkeep.Memory) -> None:
    with store as memory:
        context = memory.context("tea")
        assert context.id
        assert memory.replay_context(context.id).degraded == ("operational: left out, past state is not kept",)


@pytest.mark.parametrize("bad", ["no-such-id", "", "'; DROP TABLE contexts; --"])
def test_unknown_ids_are_not_found(store: emberkeep.Memory, bad: str) -> None:
    with store as memory:
        for call in (memory.context_record, memory.replay_context, lambda id_: memory.context_feedback(id_, True)):
            with pytest.raises(emberkeep.NotFound, match="no context"):
                call(bad)


def test_bad_input_says_what_to_do(store: emberkeep.Memory) -> None:
    with store as memory:
        context = memory.context("tea")
        assert context.id
        for call, said in (
            (lambda: memory.context("tea", tiers=["attic"]), "unknown tier 'attic': use some of operational, working"),  # type: ignore[list-item]
            (lambda: memory.context("tea", tiers="working"), "tiers must be a list"),  # type: ignore[arg-type]
            (lambda: memory.context("tea", tiers=[]), "tiers is empty"),
            (lambda: memory.context("tea", format="yaml"), "use one of markdown, xml, json, messages"),  # type: ignore[arg-type]
            (lambda: memory.context("tea", max_tokens=-1), "max_tokens is -1"),
            (lambda: memory.context("tea", max_tokens=10), "at least"),
            (lambda: memory.context("tea", max_tokens=10, format="json"), "at least"),
            (lambda: memory.context("tea", max_tokens=1.5), "max_tokens must be a whole number"),  # type: ignore[arg-type]
            (lambda: memory.context(" "), "task is empty"),
            (lambda: memory.context("tea", record=1), "record is 1"),  # type: ignore[arg-type]
            (lambda: memory.context("tea", shares=Shares(record=0)), "share of a record is 0"),
            (lambda: memory.context("tea", shares=Shares(floors={"attic": 0.1})), "unknown tier 'attic'"),  # type: ignore[dict-item]
            (lambda: memory.context("tea", shares=Shares(floors={"working": 2})), "from 0 to 1"),
            (lambda: memory.context("tea", shares=Shares(most={"working": -1})), "whole number"),
            (lambda: memory.context("tea", shares=Shares(most={"attic": 1})), "unknown tier 'attic'"),  # type: ignore[dict-item]
            (lambda: memory.context("tea", shares=Shares(floors={"working": 0.9})), "above its ceiling"),
            (lambda: memory.context("tea", shares=Shares({"working": 0.6, "longterm": 0.6}, {})), "add up"),
            (lambda: memory.context_feedback(context.id or "", 1), "helpful is 1"),  # type: ignore[arg-type]
            (lambda: memory.context_feedback(context.id or "", True, note=" "), "note is empty"),
            (lambda: memory.contexts(limit=0), "limit is 0"),
            (lambda: memory.replay_context(context.id or "", as_of="then"), "as_of is 'then'"),
        ):
            with pytest.raises(emberkeep.InvalidInput, match=said):
                call()
        assert len(memory.contexts()) == 1


@pytest.mark.parametrize("layout", ["markdown", "xml", "json"])
def test_a_context_in_which_nothing_fits_says_so_and_what_it_takes(store: emberkeep.Memory, layout: Format) -> None:
    with store as memory:
        assert memory.context("tea", format=layout, max_tokens=40).degraded == ()  # nothing is known
        memory.remember("Drinks green tea in the morning, and never with sugar")
        few = {"markdown": 29, "xml": 36, "json": 37}[layout]  # the least that is taken
        context = memory.context("tea", format=layout, max_tokens=few)
        assert not context.chunks
        (said,) = context.degraded
        assert said.startswith(f"budget: nothing fits in {few} tokens, the shortest needs about ")
        enough = int(said.split()[-1])
        assert enough > few
        assert memory.context("tea", format=layout, max_tokens=enough).chunks
        assert memory.context("tea", format=layout, max_tokens=enough).degraded == ()


def test_a_best_record_that_is_cut_is_said_to_be(embedder: LocalEmbedder) -> None:
    with emberkeep.open(":memory:", embedder=embedder, learner="none") as memory:
        memory.remember("The passport number of the user is X1234567 and it expires in 2031.", user_id="alex")
        for few in range(40, 80):
            context = memory.context("what is my passport number?", user_id="alex", max_tokens=few)
            is_cut = bool(context.chunks) and context.chunks[0].trimmed
            assert is_cut == ("the best record is cut" in " ".join(context.degraded))
            assert is_cut or not context.chunks or "X1234567" in context.text
        (said,) = memory.context("what is my passport number?", user_id="alex", max_tokens=50).degraded
        needed = int(re.findall(r"\d+", said)[-1])
        assert "2031" in memory.context("what is my passport number?", user_id="alex", max_tokens=needed).text


def test_tenants_do_not_see_each_others(durable_target: str) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder(), tenant="one") as memory:
        context = memory.context("tea")
    assert context.id
    with emberkeep.open(durable_target, embedder=WordEmbedder(), tenant="two") as memory:
        assert memory.contexts() == []
        with pytest.raises(emberkeep.NotFound):
            memory.context_feedback(context.id, True)


def test_it_goes_with_whom_it_was_for(store: emberkeep.Memory) -> None:
    with store as memory:
        for user, session in (("alex", "s"), ("alex", None), ("sam", "s"), (None, None), ("*", None)):
            memory.context(f"task of {user}", user_id=user, session_id=session)
        assert memory.delete_all(user_id="sam").rows["contexts"] == 1
        assert memory.delete_all(session_id="s").rows["contexts"] == 1
        assert memory.delete_all(user_id="alex").rows["contexts"] == 1
        assert {one.user_id for one in memory.contexts()} == {None, "*"}
        assert memory.delete_all(user_id="*").rows["contexts"] == 2


def test_upkeep_drops_what_is_older_than_it_is_to_be_kept(target: str, clock: FixedClock) -> None:
    with emberkeep.open(target, clock=clock, embedder=WordEmbedder(), context_days=7) as memory:
        memory.context("old")
        clock.move(days=6)
        memory.context("new")
        clock.move(days=2)
        memory.upkeep()
        assert [one.task for one in memory.contexts()] == ["new"]


def test_secrets_are_cut_out_of_what_is_recorded(target: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder(), redact=True) as memory:
        context = memory.context("log in with the password: hunter2hunter2 please")
        assert context.id
        memory.context_feedback(context.id, True, note="password: hunter2hunter2")
        assert "hunter2" not in repr(memory.contexts())


def test_a_context_that_cannot_be_recorded_is_handed_out_all_the_same(
    store: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreFull("the disk is full")

    with store as memory:
        filled(memory)
        monkeypatch.setattr(contexts, "put", full)
        context = memory.context("tea", user_id="alex")
        assert len(context.chunks) > 1
        assert context.id is None
        assert context.degraded == ("record: left out, the disk is full",)
