"""Items that lack a vector, or those of their words, are found by their index, not by looking at every item."""

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import event

import emberkeep
from emberkeep.storage import vectors
from emberkeep.storage.spaces import Space

WANTED = ("items_unembedded", "items_unembedded", "vectors_without_words")


def test_sqlite_finds_them_by_their_index(tmp_path: Path, opened: Callable[..., emberkeep.Memory]) -> None:
    asked: list[tuple[str, object]] = []
    memory = opened(str(tmp_path / "agent.db"))
    memory.add([f"note {number}" for number in range(300)], user_id="alex", learn=False)
    memory.upkeep()  # which tells SQLite how many there are
    with memory._parts.database.read() as connection:
        event.listen(connection, "before_cursor_execute", lambda *of: asked.append((of[2], of[3])))
        assert vectors.count_unembedded(connection, "default") == 0
        assert not vectors.unembedded(connection, Space(1, "x", 4), "default", after=("", ""), limit=5, flagged=True)
        assert not vectors.wordless(connection, Space(1, "x", 4), "default", after="", limit=5)
        assert len(asked) == 3
        for (statement, values), index in zip(list(asked), WANTED, strict=True):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()  # type: ignore[arg-type]
            assert index in plan[0][-1], statement
