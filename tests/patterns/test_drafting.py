"""How a group of tasks is put as a pattern."""

from datetime import UTC, datetime

from emberkeep.model.experience import Execution
from emberkeep.patterns.drafting import Group, whole

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def _ended(number: int, description: str, *, success: bool) -> Execution:
    of = ("migration", description, "")
    return Execution(f"e{number}", None, None, None, f"t{number}", *of, success, (), (), None, 0, {}, NOW, NOW)


def test_what_the_others_lack_tells_of_a_group_before_what_all_have() -> None:
    well = [_ended(n, "Ran the migration after taking a snapshot", success=True) for n in range(6)]
    badly = [_ended(n, "Ran the migration at noon", success=False) for n in range(6, 10)]
    sketch = whole(Group("k", "migration", "Migrations", (*well, *badly)), found=[])
    assert sketch.success_indicators[:2] == ("word:taking", "word:snapshot")
    assert sketch.success_indicators[2:] == ("word:ran", "word:migration")
    assert (sketch.hits, sketch.support) == (6, 10)


def test_where_all_ended_alike_the_commonest_words_tell_of_it() -> None:
    members = tuple(_ended(n, "Ran the migration", success=True) for n in range(5))
    sketch = whole(Group("k", "migration", "Migrations", members), found=[])
    assert sketch.success_indicators == ("word:ran", "word:migration")
