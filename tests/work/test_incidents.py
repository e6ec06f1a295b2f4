import pytest

from emberkeep import Conflict, InvalidInput, Memory, NotFound
from emberkeep.testing import FixedClock


def test_an_incident_is_reported_resolved_and_found(memory: Memory, clock: FixedClock) -> None:
    reported = memory.incidents.report(
        "Disk full on db-1", "Writes failed for an hour", severity="high", occurred_at="2026-05-20T10:00:00Z"
    )
    other = memory.incidents.report("Certificate expired", "Browsers refused the site", severity="low")
    assert reported.is_open
    assert [one.id for one in memory.incidents.list(open=True)] == [other.id, reported.id]

    clock.move(hours=1)
    resolved = memory.incidents.resolve(reported.id, "Rotated the logs", cause="A debug log grew")
    assert (resolved.resolved_at, resolved.cause) == (clock.now(), "A debug log grew")
    assert memory.incidents.get(reported.id) == resolved
    assert [one.id for one in memory.incidents.list(open=True)] == [other.id]
    assert [one.id for one in memory.incidents.list(open=False, severity="high")] == [reported.id]

    found = memory.incidents.similar("no space left on the database machine", limit=1)
    assert [one.record for one in found] == [resolved]
    item = memory.search("debug log grew")[0]
    assert item.text == (
        "Disk full on db-1: Writes failed for an hour. Cause: A debug log grew. Resolution: Rotated the logs."
    )
    assert item.metadata == {"incident_id": reported.id, "severity": "high", "open": False}


def test_an_incident_may_be_reported_when_it_is_over(memory: Memory) -> None:
    assert not memory.incidents.report("Power cut", resolution="It came back").is_open


def test_an_incident_is_resolved_once(memory: Memory) -> None:
    reported = memory.incidents.report("Power cut", id="p1")
    memory.incidents.resolve(reported.id, "It came back")
    with pytest.raises(Conflict, match="resolved already"):
        memory.incidents.resolve(reported.id, "Again")
    with pytest.raises(Conflict, match="reported already"):
        memory.incidents.report("Power cut", id="p1")
    with pytest.raises(NotFound):
        memory.incidents.resolve("nowhere", "x")


def test_what_makes_no_sense_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match=r"low.*medium.*high.*critical"):
        memory.incidents.report("Power cut", severity="terrible")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="title is empty"):
        memory.incidents.report(" ")
    with pytest.raises(InvalidInput, match="open is 1"):
        memory.incidents.list(open=1)  # type: ignore[arg-type]
    assert memory.incidents.list() == []


def test_an_incident_is_removed_with_what_it_was_found_by(memory: Memory) -> None:
    reported = memory.incidents.report("Power cut")
    memory.incidents.resolve(reported.id, "It came back")
    assert memory.incidents.delete(reported.id).rows["items"] == 2  # with the version before it was resolved
    assert memory.incidents.list() == []
    assert not memory.search("power cut")
