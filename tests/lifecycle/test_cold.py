"""What has grown cold leaves the index, and is still there for whoever asks for it."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import emberkeep
from emberkeep.lifecycle.temperature import Thermal
from emberkeep.testing import FixedClock, WordEmbedder

Opened = Callable[..., emberkeep.Memory]
LONG = 250  # days; after 187 a message that nobody came back to is below 1.0


@pytest.fixture
def cooled(opened: Opened, clock: FixedClock) -> emberkeep.Memory:
    """One message is old and cold, another is new."""
    memory = opened()
    memory.add("the blue kettle is on the stove", user_id="alex")
    clock.move(days=LONG)
    memory.add("the green kettle is in the garden", user_id="alex")
    assert memory.upkeep().demoted == 1
    return memory


def texts(memory: emberkeep.Memory, query: str = "kettle", **options: Any) -> list[str]:
    return sorted(hit.text for hit in memory.search(query, user_id="alex", **options))


OLD, NEW = "the blue kettle is on the stove", "the green kettle is in the garden"


def test_what_is_cold_is_found_when_asked_for(cooled: emberkeep.Memory) -> None:
    assert texts(cooled) == [NEW]
    assert texts(cooled, include_cold=True) == [OLD, NEW]
    (hit,) = [hit for hit in cooled.search("blue stove", user_id="alex", include_cold=True) if hit.text == OLD]
    assert hit.similarity is not None
    assert hit.temperature < 1.0
    assert [session.hits[0].text for session in cooled.search("blue", user_id="alex", group="session")] != [OLD]
    assert {item.text for item in cooled.get_all(user_id="alex")} == {OLD, NEW}
    assert cooled.get(hit.id).text == OLD
    assert cooled.upkeep().demoted == 0


def test_the_past_is_found_as_it_was(cooled: emberkeep.Memory, clock: FixedClock) -> None:
    clock.move(days=1)
    assert texts(cooled, as_of="2026-07-01T00:00:00Z") == [OLD]
    (item,) = [item for item in cooled.get_all(user_id="alex") if item.text == OLD]
    assert [change.action for change in cooled.history(item.id)] == ["added"]


def told_again(memory: emberkeep.Memory) -> None:
    memory.add(OLD, user_id="alex")


def touched(memory: emberkeep.Memory) -> None:
    memory.search("blue", user_id="alex", include_cold=True, touch=True)


def updated(memory: emberkeep.Memory) -> None:
    memory.update(cold_id(memory), tags=["kitchen"])


def made_sacred(memory: emberkeep.Memory) -> None:
    memory.update(cold_id(memory), sacred=True)


def cold_id(memory: emberkeep.Memory) -> str:
    return next(item.id for item in memory.get_all(user_id="alex") if item.text == OLD)


@pytest.mark.parametrize("warm", [told_again, touched, updated, made_sacred])
def test_whatever_warms_it_brings_it_back(
    cooled: emberkeep.Memory, opened: Opened, target: str, warm: Callable[[emberkeep.Memory], None]
) -> None:
    others = [] if target == ":memory:" else [opened()]
    for memory in others:  # an index that is there before
        assert texts(memory) == [NEW]
        assert texts(memory, include_cold=True) == [OLD, NEW]
    warm(cooled)
    for memory in [cooled, *others]:
        assert texts(memory) == [OLD, NEW]
        assert texts(memory, include_cold=True) == [OLD, NEW]
        assert all(hit.similarity is not None for hit in memory.search("kettle", user_id="alex"))


def test_a_new_text_for_a_cold_item_is_in_the_index(cooled: emberkeep.Memory) -> None:
    cooled.update(cold_id(cooled), "the red kettle is on the table")
    assert texts(cooled) == [NEW, "the red kettle is on the table"]
    assert texts(cooled, as_of="2026-07-01T00:00:00Z") == [OLD]


def test_what_is_known_never_goes(opened: Opened, clock: FixedClock) -> None:
    memory = opened()
    for kind in ("fact", "preference", "decision", "knowledge", "procedure", "incident"):
        memory.remember(f"a kettle of the kind {kind}", kind=kind, user_id="alex")
    sacred = memory.add("the sacred kettle", user_id="alex").id
    memory.update(sacred, sacred=True)
    memory.preferences.set("kettle", "blue", user_id="alex")
    memory.tasks.start("Descale the kettle", id="t-1", user_id="alex")
    memory.patterns.store("the kettle whistles", "turn it off", user_id="alex")
    clock.move(days=4_000)
    assert memory.upkeep(dry_run=True).demoted == memory.upkeep().demoted == 0


def test_archived_work_goes_and_its_summary_stays(opened: Opened, clock: FixedClock) -> None:
    memory = opened()
    memory.tasks.start("Descale the kettle", id="t-1", user_id="alex")
    memory.tasks.cancel("t-1")
    done = memory.tasks.start("Paint the fence", user_id="bo")  # how it ended is experience, which stays
    memory.tasks.finish(done.id, success=True)
    clock.move(days=LONG)
    report = memory.upkeep()
    assert (report.archived["tasks"], report.demoted) == (2, 1)
    assert sorted(hit.kind for hit in memory.search("fence", user_id="bo")) == ["execution", "summary"]
    assert [hit.kind for hit in memory.search("kettle", user_id="alex")] == ["summary"]
    kinds = sorted(hit.kind for hit in memory.search("kettle", user_id="alex", include_cold=True))
    assert kinds == ["execution", "summary"]
    memory.tasks.save("t-1", "Descale the kettle", status="running", user_id="alex")
    assert sorted(hit.kind for hit in memory.search("kettle", user_id="alex")) == ["execution", "summary"]
    clock.move(days=LONG)
    assert memory.upkeep().demoted == 0


def test_what_no_longer_holds_goes_and_comes_back_if_it_holds_again(opened: Opened, clock: FixedClock) -> None:
    memory = opened()
    memory.remember("Alex lives in Porto", user_id="alex")
    clock.move(days=1)
    lisbon = memory.remember("Alex lives in Lisbon", user_id="alex")
    assert texts(memory, "where does Alex live") == ["Alex lives in Lisbon"]
    clock.move(days=LONG)
    assert memory.upkeep().demoted == 1
    assert texts(memory, "where does Alex live", as_of="2026-06-01T18:00:00Z") == ["Alex lives in Porto"]
    memory.delete(lisbon.id)
    assert texts(memory, "where does Alex live") == ["Alex lives in Porto"]


def test_a_setting_says_how_cold_is_cold(opened: Opened, clock: FixedClock) -> None:
    memory = opened(cold_below=0)
    memory.add(OLD, user_id="alex")
    clock.move(days=10_000)
    assert memory.upkeep().demoted == 0
    memory.close()


def test_what_is_used_often_cools_slower(opened: Opened, clock: FixedClock) -> None:
    memory = opened()
    memory.add(OLD, user_id="alex")
    memory.search("kettle", user_id="alex", touch=True)
    clock.move(days=LONG)
    assert memory.upkeep(dry_run=True).demoted == memory.upkeep().demoted == 0
    clock.move(days=LONG)
    assert memory.upkeep(dry_run=True).demoted == memory.upkeep().demoted == 1


def test_a_clock_that_goes_backwards_demotes_nothing(opened: Opened, clock: FixedClock) -> None:
    memory = opened()
    memory.add(OLD, user_id="alex")
    clock.move(days=-LONG)
    assert memory.upkeep().demoted == 0


def test_without_a_vector_it_waits(opened: Opened, clock: FixedClock) -> None:
    embedder = WordEmbedder()
    memory = opened(embedder=embedder)
    embedder.down = True
    memory.add(OLD, user_id="alex")
    clock.move(days=LONG)
    with pytest.raises(emberkeep.ModelUnavailable):
        memory.upkeep()
    embedder.down = False
    assert (memory.upkeep().demoted, memory.upkeep().demoted) == (0, 1)


def test_deleting_what_is_cold(cooled: emberkeep.Memory) -> None:
    assert texts(cooled, include_cold=True) == [OLD, NEW]
    cooled.delete(cold_id(cooled))
    assert texts(cooled, include_cold=True) == [NEW]
    assert cooled.delete_all(user_id="alex").rows["items"] == 1
    assert texts(cooled, include_cold=True) == []


def test_a_rebuild_keeps_what_is_cold_cold(cooled: emberkeep.Memory, clock: FixedClock, target: str) -> None:
    cooled.rebuild()
    assert texts(cooled) == [NEW]
    assert all(hit.similarity is not None for hit in cooled.search("kettle", user_id="alex", include_cold=True))
    assert texts(cooled, include_cold=True) == [OLD, NEW]


def test_nothing_changes_for_searches_while_nothing_is_cold(opened: Opened) -> None:
    memory = opened()
    for number in range(30):
        memory.add(f"kettle number {number} of the house {number % 4}", user_id="alex", session_id=f"s{number % 3}")
    plain = memory.search("kettle of house 3", user_id="alex", limit=30)
    assert memory.search("kettle of house 3", user_id="alex", limit=30, include_cold=True) == plain


def test_large_shelves_have_large_cold_ones(opened: Opened, clock: FixedClock, target: str) -> None:
    memory = opened(large_from=20, half_life_days=1)
    for number in range(60):
        memory.add(f"old kettle number {number}", user_id="alex")
    clock.move(days=30)
    for number in range(60):
        memory.add(f"new kettle number {number}", user_id="alex")
    assert memory.upkeep().demoted == 60
    for _ in range(2):
        hits = memory.search("kettle number 7", user_id="alex", limit=100)
        assert {hit.text.split()[0] for hit in hits} == {"new"}
        both = memory.search("kettle number 7", user_id="alex", limit=4, include_cold=True)
        assert {"old kettle number 7", "new kettle number 7"} <= {hit.text for hit in both}
        cold = memory._parts.residents._shelves["default", "alex"].beside()
        if cold.building is not None:
            cold.building.join(30)
    assert cold.index.large is not None
    memory.delete_all(user_id="alex")
    assert len(memory.search("kettle", user_id="alex", include_cold=True)) == 0


def test_demoting_while_others_warm_and_search(durable_target: str, clock: FixedClock) -> None:
    settings: dict[str, Any] = {"embedder": WordEmbedder(), "clock": clock, "learner": "none"}
    with emberkeep.open(durable_target, **settings) as one, emberkeep.open(durable_target, **settings) as other:
        for number in range(20):
            one.add(f"old kettle number {number}", user_id="alex")
        clock.move(days=LONG)
        barrier = threading.Barrier(3)

        def demote(memory: emberkeep.Memory) -> int:
            barrier.wait(10)
            return memory.upkeep().demoted

        def warm() -> int:
            barrier.wait(10)
            for number in range(0, 20, 2):
                other.add(f"old kettle number {number}", user_id="alex")
                other.search("kettle", user_id="alex", include_cold=True)
            return 0

        with ThreadPoolExecutor(3) as pool:
            working = [pool.submit(demote, one), pool.submit(demote, other), pool.submit(warm)]
            demoted = sum(work.result(60) for work in working)
        assert 10 <= demoted <= 20
        for memory in (one, other):
            found = [hit.text for hit in memory.search("kettle number", user_id="alex", limit=50)]
            assert sorted(found) == sorted(f"old kettle number {number}" for number in range(0, 20, 2))
            every = memory.search("kettle number", user_id="alex", limit=50, include_cold=True)
            assert len({hit.id for hit in every}) == len(every) == 20


@given(
    temperature=st.floats(0, 100),
    days=st.floats(0, 4_000),
    uses=st.integers(0, 50),
    below=st.floats(0.01, 100),
    half_life=st.floats(0.1, 1e6),
)
def test_the_bands_leave_out_nothing_that_is_cold(
    temperature: float, days: float, uses: int, below: float, half_life: float
) -> None:
    thermal, clock = Thermal(half_life_days=half_life), FixedClock()
    heated_at = clock.now()
    clock.move(days=days)
    below = round(below, 2)
    if thermal.cooled_from(temperature, heated_at, uses, clock.now()) < below - 0.01:
        assert any(
            least <= temperature < most and heated_at <= before
            for least, most, before in thermal.bands(below, clock.now())
        )
