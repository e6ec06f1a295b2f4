import pytest

import emberkeep
from emberkeep import Conflict, InvalidInput, Memory, NotFound
from emberkeep.testing import FixedClock


def test_a_procedure_is_written_down_found_and_removed(memory: Memory) -> None:
    saved = memory.procedures.save(
        "Restart the web server", "After a change of its settings", steps=["Drain traffic", "Run nginx -s reload"]
    )
    memory.procedures.save("Rotate the logs", "When the disk fills up", steps=["Run logrotate"])

    assert memory.procedures.get(saved.id) == saved
    found = memory.procedures.find("how do I restart nginx?", limit=2)
    assert [one.record.name for one in found] == ["Restart the web server", "Rotate the logs"]
    assert found[0].relevance == 1.0 > found[1].relevance
    assert memory.search("restart nginx", user_id=None)[0].text == (
        "Restart the web server: After a change of its settings. Steps: 1. Drain traffic. 2. Run nginx -s reload."
    )
    assert memory.procedures.delete(saved.id).rows["procedures"] == 1
    with pytest.raises(NotFound, match="no procedure"):
        memory.procedures.get(saved.id)
    assert [one.record.name for one in memory.procedures.find("restart nginx")] == ["Rotate the logs"]


def test_saved_again_it_is_replaced_and_keeps_when_it_was_made(memory: Memory, clock: FixedClock) -> None:
    first = memory.procedures.save("Deploy", "By hand", id="deploy", steps=["Copy"])
    clock.move(days=1)
    second = memory.procedures.save("Deploy", "By the pipeline", id="deploy", steps=[{"run": "make deploy"}])

    assert (second.created_at, second.updated_at) == (first.created_at, clock.now())
    assert memory.procedures.get("deploy").steps == ({"run": "make deploy"},)
    assert [one.id for one in memory.procedures.list(name="Deploy")] == ["deploy"]
    assert "make deploy" in memory.search("how is it deployed?")[0].text
    with pytest.raises(Conflict, match="taken by another user"):
        memory.procedures.save("Deploy", id="deploy", user_id="eve")


@pytest.mark.parametrize("steps", ["Copy", {"a": 1}, 3, [" "], ["x"] * 1_001])
def test_what_are_no_steps_is_refused(memory: Memory, steps: object) -> None:
    with pytest.raises(InvalidInput, match="step"):
        memory.procedures.save("Deploy", steps=steps)  # type: ignore[arg-type]
    assert memory.procedures.list() == []


def test_the_memory_of_a_record_goes_with_the_record(memory: emberkeep.Memory) -> None:
    saved = memory.procedures.save("Deploy", "By hand")
    (item,) = memory.get_all()
    for verb in (memory.delete, lambda item_id: memory.update(item_id, "other")):
        with pytest.raises(InvalidInput, match=f"stands for procedure '{saved.id}': change or delete that instead"):
            verb(item.id)
