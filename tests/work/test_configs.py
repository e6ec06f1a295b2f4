import pytest

from emberkeep import InvalidInput, Memory

KEY = "nginx.workers"


@pytest.fixture
def changed(memory: Memory) -> Memory:
    memory.configs.record(KEY, 4, 8, who="ops", why="more load", occurred_at="2026-05-02T00:00:00Z")
    memory.configs.record(KEY, None, 4, who="ops", occurred_at="2026-05-01T00:00:00Z")  # told later
    memory.configs.record(KEY, 8, None, occurred_at="2026-05-03T00:00:00Z")
    memory.configs.record("db.url", None, {"host": "db-1"})
    return memory


def test_the_history_of_a_key_is_in_order(changed: Memory) -> None:
    assert [one.new for one in changed.configs.history(KEY)] == [4, 8, None]
    assert [one.new for one in changed.configs.history(KEY, limit=2)] == [8, None]
    assert [one.key for one in changed.configs.list(who="ops")] == [KEY, KEY]
    assert changed.configs.history("nothing") == []


@pytest.mark.parametrize(("as_of", "value"), [("2026-05-01T12:00:00Z", 4), ("2026-05-02T00:00:00Z", 8), (None, None)])
def test_what_a_key_had_at_a_time(changed: Memory, as_of: str | None, value: int | None) -> None:
    found = changed.configs.current(KEY, as_of=as_of)
    assert found is not None
    assert found.new == value


def test_before_the_first_change_nothing_is_known(changed: Memory) -> None:
    assert changed.configs.current(KEY, as_of="2026-04-30T00:00:00Z") is None
    assert changed.configs.current("nothing") is None


def test_changes_are_found_by_what_they_say(changed: Memory) -> None:
    texts = {item.text for item in changed.get_all(kinds=["config"])}
    assert texts == {
        f"{KEY} was changed from 4 to 8 by ops, because more load.",
        f"{KEY} was set to 4 by ops.",
        f"{KEY} was removed, it was 8.",
        'db.url was set to {"host": "db-1"}.',
    }
    (found,) = changed.semantic_search("which machine is the database on?", ["configs"], 1)
    assert (found.collection, found.metadata["key"]) == ("configs", "db.url")


def test_values_come_back_as_they_were(changed: Memory) -> None:
    found = changed.configs.current("db.url")
    assert found is not None
    assert (found.old, found.new) == (None, {"host": "db-1"})
    assert changed.configs.get(found.id) == found
    assert changed.configs.delete(found.id).rows["config_changes"] == 1
    assert changed.configs.current("db.url") is None


def test_what_makes_no_sense_is_refused(memory: Memory) -> None:
    for key in (" ", None, "x" * 300):
        with pytest.raises(InvalidInput, match="key"):
            memory.configs.record(key, 1, 2)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="over 100,000 characters"):
        memory.configs.record(KEY, "x" * 100_001, 2)
    memory.configs.record(KEY, 1, 2, id="c1")
    with pytest.raises(InvalidInput, match="recorded already"):
        memory.configs.record(KEY, 2, 3, id="c1")
