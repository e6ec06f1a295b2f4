"""The items that records are found by: they change with their record, and with nothing else."""

from collections.abc import Callable
from typing import Any

import pytest

import emberkeep
from emberkeep.opening import open_to_rebuild
from emberkeep.testing import FixedClock, WordEmbedder

Open = Callable[..., emberkeep.Memory]
SAID = "We use PostgreSQL for the archive"
STATEMENTS = ("fact", "preference", "decision")


def records(memory: emberkeep.Memory) -> None:
    memory.tasks.start("Move the archive", id="t", user_id="alex")
    memory.decisions.log(SAID, id="d", user_id="alex")
    memory.decisions.log(f"{SAID}, too", id="e", user_id="alex")
    memory.preferences.set("editor", "vim", user_id="alex")
    memory.preferences.set("editor", "emacs", user_id="alex")
    memory.patterns.store("the archive is full", "grow it", id="p", user_id="alex")


def items(memory: emberkeep.Memory) -> list[emberkeep.Item]:
    page = memory.get_all(user_id="*", limit=1_000)
    return sorted((item for item in page if item.record is not None), key=lambda item: item.id)


def test_they_are_refused_to_the_verbs_of_memories(plain: emberkeep.Memory, clock: FixedClock) -> None:
    plain.preferences.set("editor", "vi", user_id="alex")
    begun = clock.now()
    clock.move(days=1)
    records(plain)
    plain.preferences.set("shell", "fish", user_id="alex", agent_id="a")
    before = items(plain)
    assert len(before) == 6
    for item in before:
        noun, _, name = str(item.record).partition(":")
        said = f"this memory stands for {noun} '{item.metadata.get('key', name)}': change or delete that instead"
        for refused in (
            lambda item=item: plain.update(item.id, "Something else"),
            lambda item=item: plain.update(item.id, sacred=True),
            lambda item=item: plain.delete(item.id),
        ):
            with pytest.raises(emberkeep.InvalidInput, match=said):
                refused()
    assert items(plain) == before
    (former,) = plain.get_all(user_id="alex", as_of=begun)
    assert (former.text, former.record) == ("editor: vi", "preference:editor")
    with pytest.raises(emberkeep.InvalidInput):
        plain.delete(former.id)
    with pytest.raises(emberkeep.InvalidInput):
        plain.update(former.id, "x")


@pytest.mark.parametrize("kind", ["decision", "preference", "fact", "execution", "pattern"])
def test_telling_the_same_makes_a_memory_beside_them(plain: emberkeep.Memory, kind: Any, clock: FixedClock) -> None:
    records(plain)
    plain.decisions.set_outcome("d", "fine")
    before = items(plain)
    clock.move(days=1)
    for item in before:
        told = plain.remember(item.text, kind=kind, user_id="alex", tags=["told"], metadata={"told": True})
        assert plain.get(told.id).record is None
        assert plain.update(told.id, f"{item.text}, they say").record is None
    plain.seed("\n".join(item.text for item in before), kind=kind, user_id="alex", sacred=True)
    assert [(item.id, item.text, item.tags, item.metadata, item.valid_to) for item in items(plain)] == [
        (item.id, item.text, item.tags, item.metadata, item.valid_to) for item in before
    ]
    assert all(item.access_count == 0 for item in items(plain))


def test_what_is_told_first_is_not_taken_over_by_a_record(plain: emberkeep.Memory) -> None:
    told = plain.remember(SAID, kind="decision", user_id="alex")
    plain.decisions.log(SAID, id="d", user_id="alex")
    assert len(plain.get_all(user_id="alex")) == 2
    plain.decisions.delete("d")
    assert [item.id for item in plain.get_all(user_id="alex")] == [told.id]


def test_deriving_everything_again_leaves_them_alone(target: str, clock: FixedClock, opened: Open) -> None:
    memory = opened(target)
    memory.add("I live in Lisbon. I prefer tea.", user_id="alex")
    records(memory)
    clock.move(days=1)
    memory.add("I live in Porto. I decided to sell the boat.", user_id="alex")
    memory.decisions.set_outcome("d", "fine")
    memory.tasks.finish("t", success=True, summary="Moved")
    before, history = items(memory), [memory.history(item.id) for item in items(memory)]
    examined = memory.audit(user_id="alex").examined
    assert examined == len([i for i in memory.get_all(user_id="alex") if i.kind in STATEMENTS and not i.record])
    report = memory.rebuild()
    assert report.learned is not None
    assert (report.learned.added, report.learned.lost, report.learned.changed) == (0, 0, 0)
    assert items(memory) == before
    memory.undo_rebuild()
    assert items(memory) == before
    assert [memory.history(item.id) for item in items(memory)] == history
    assert memory.tasks.get("t") in [found.record for found in memory.tasks.relevant("archive", user_id="alex")]


def test_work_that_goes_on_does_not_hold_up_a_rebuild(target: str, clock: FixedClock, opened: Open) -> None:
    memory = opened(target)
    memory.add("I live in Lisbon.", user_id="alex")
    saved: list[emberkeep.Task] = []

    def work(_: int) -> None:
        if len(saved) < 20:
            saved.append(memory.tasks.start(f"task {len(saved)}", user_id="alex"))

    assert memory.rebuild(progress=work).learned is not None
    assert saved
    assert len(items(memory)) == len(saved)


def test_another_embedder_embeds_them_too(durable_target: str, opened: Open) -> None:
    memory = opened(durable_target)
    records(memory)
    memory.close()
    with open_to_rebuild(durable_target, embedder=WordEmbedder("others", 32)) as other:
        other.rebuild()
        assert other.tasks.relevant("move the archive", user_id="alex")[0].similarity is not None
        assert other.stats().waiting == 0


def test_a_search_finds_them_by_kind_and_tells_what_they_stand_for(memory: emberkeep.Memory) -> None:
    records(memory)
    kinds = {item.record: item.kind for item in items(memory)}
    assert kinds == {
        "task:t": "execution",
        "decision:d": "decision",
        "decision:e": "decision",
        "preference:editor": "preference",
        "cached pattern:p": "pattern",
    }
    for record, kind in kinds.items():
        assert record in [hit.item.record for hit in memory.search("the archive editor", user_id="alex", kinds=[kind])]
    found = memory.search("the archive", user_id="alex", filters={"task_id": "t"})
    assert [hit.item.record for hit in found] == ["task:t"]
    assert "PostgreSQL" in memory.context("Where is the archive?", user_id="alex").text


def test_touching_warms_them(plain: emberkeep.Memory) -> None:
    records(plain)
    (hit,) = plain.search("move", user_id="alex", kinds=["execution"], touch=True, plan="fast", limit=1)
    assert plain.get(hit.id).access_count == 1
    assert plain.tasks.finish("t", success=True, summary="Moved").summary == "Moved"
    assert plain.get(hit.id).text == "Move the archive: Moved"


def test_secrets_are_cut_out_of_every_text(target: str, opened: Open) -> None:
    memory = opened(target, redact=True)
    key = "sk-proj-" + "Ab3" * 20
    said = f"the key is {key}"
    about: dict[str, Any] = {"metadata": {"token": key, "deep": [said]}, "user_id": "alex"}
    memory.goals.save(said, id="g", summary=said, **about)
    memory.goals.update("g", description=said, summary=said, metadata=about["metadata"])
    memory.tasks.save("t", said, summary=said, **about)
    memory.tasks.update("t", description=said, summary=said, metadata=about["metadata"])
    memory.tasks.step("t", said, parameters={"api_key": key, "list": [said]}, output={"said": said})
    memory.decisions.log(said, id="d", who=said, why=said, context=said, alternatives=[said], outcome=said, **about)
    memory.decisions.set_outcome("d", said)
    memory.patterns.store(said, said, **about)
    for drawer in (memory.preferences, memory.persona):
        drawer.set("password", "hunter2hunter", user_id="alex")
        drawer.set("note", {"said": said, "api_key": key}, user_id="alex")
    memory.agents.save("a", said, {"token": key})
    known = [
        memory.goals.list(), memory.tasks.list(), memory.tasks.steps("t"), memory.decisions.list(),
        memory.patterns.list_cached(), memory.agents.list(), items(memory),
        [drawer.all(user_id="alex") for drawer in (memory.preferences, memory.persona)],
    ]  # fmt: skip
    assert "Ab3" not in repr(known)
    assert "hunter2" not in repr(known)
    assert repr(known).count("[redacted: ") > 20
