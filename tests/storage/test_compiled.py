"""Statements are compiled once for all databases of a kind."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.sql.compiler import SQLCompiler

import emberkeep
from emberkeep.storage import items
from emberkeep.storage.sqlite import SqliteDialect
from emberkeep.testing import WordEmbedder


def live(target: str, user_id: str) -> None:
    with emberkeep.open(target, embedder=WordEmbedder()) as memory:
        added = memory.add("I moved to Lisbon, and I like tea.", user_id=user_id)
        memory.search("Lisbon", user_id=user_id)
        memory.update(added.items[0].id, text="I moved to Porto")
        memory.context("Where to?", user_id=user_id)
        memory.delete(added.items[0].id)


def test_whoever_opens_another_memory_does_not_wait_for_it_again(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for user_id in ("alex", "sam"):
        live(target, user_id)
    compiled: list[str] = []
    compile_ = SQLCompiler.__init__

    def told(self: SQLCompiler, *args: Any, **options: Any) -> None:
        compile_(self, *args, **options)
        compiled.append(self.string)

    monkeypatch.setattr(SQLCompiler, "__init__", told)
    live(target, "kim")
    assert compiled == []


def test_only_those_of_the_same_version_are_alike() -> None:
    one, other = SqliteDialect(), SqliteDialect()
    one.server_version_info = other.server_version_info = (3, 45, 0)
    assert one == other
    assert hash(one) == hash(other)
    other.server_version_info = (3, 50, 0)
    assert one != other
    assert one != "sqlite"


def test_a_column_that_is_none_is_an_error_and_not_left_out(opened: Callable[..., emberkeep.Memory]) -> None:
    memory = opened(":memory:")
    (item,) = memory.add("tea", learn=False).items
    with pytest.raises(KeyError, match="sacret"):
        memory._parts.database.write(
            lambda connection: items.change(connection, "default", item.id, {"sacred": True, "sacret": True})
        )
    assert not memory.get(item.id).sacred
