"""Writers that wait for each other on one shelf of a server."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, text

import emberkeep
from emberkeep.storage import schema
from emberkeep.storage.database import Database
from emberkeep.testing import WordEmbedder

Line = Callable[[Callable[[], Any]], "Future[Any]"]


@pytest.fixture
def memory(postgres_url: str, opened: Callable[..., emberkeep.Memory]) -> emberkeep.Memory:
    return opened(postgres_url)


@pytest.fixture
def in_line(postgres_url: str, database: Callable[[str], Database]) -> Callable[[], Any]:
    """While the block runs, calls wait for the shelf; after it they go on, the first of them first."""
    engine = database(postgres_url).engine.execution_options(isolation_level="READ COMMITTED")

    @contextmanager
    def block() -> Iterator[Line]:
        with ThreadPoolExecutor(4) as pool, engine.begin() as holder:
            holder.execute(select(schema.shelves).with_for_update())
            calls: list[Future[Any]] = []

            def call(work: Callable[[], Any]) -> "Future[Any]":
                calls.append(pool.submit(work))
                _wait_for_waiters(engine.connect(), len(calls))
                return calls[-1]

            yield call

    return block


def _wait_for_waiters(connection: Connection, count: int) -> None:
    until = time.monotonic() + 10
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    with connection.execution_options(isolation_level="AUTOCOMMIT"):
        while connection.execute(waiting).scalar_one() < count:
            assert time.monotonic() < until
            time.sleep(0.01)


def _rows(database: Database, word: str) -> int:
    with database.read() as connection:
        found = select(func.count()).select_from(schema.items).where(schema.items.c.text.contains(word))
        return connection.execute(found).scalar_one()


def test_a_deletion_takes_the_version_that_an_update_before_it_left(
    memory: emberkeep.Memory,
    in_line: Callable[[], Any],
    postgres_url: str,
    database: Callable[[str], Database],
    check_whole: Callable[[str], None],
) -> None:
    item_id = memory.remember("a secret", user_id="alex").id
    with in_line() as call:
        call(lambda: memory.update(item_id, "no longer there"))
        deleted = call(lambda: memory.delete(item_id))
    assert deleted.result().rows["items"] == 2
    assert _rows(database(postgres_url), "secret") == 0
    check_whole(postgres_url)


def test_two_updates_leave_both_former_texts(
    memory: emberkeep.Memory, in_line: Callable[[], Any], postgres_url: str, check_whole: Callable[[str], None]
) -> None:
    item_id = memory.remember("first", user_id="alex").id
    with in_line() as call:
        call(lambda: memory.update(item_id, "second"))
        call(lambda: memory.update(item_id, "third"))
    assert [change.text for change in memory.history(item_id)] == ["first", "second", "third"]
    check_whole(postgres_url)


@pytest.mark.parametrize("verb", ["update", "delete"])
def test_what_was_deleted_meanwhile_is_not_found(
    memory: emberkeep.Memory,
    in_line: Callable[[], Any],
    postgres_url: str,
    check_whole: Callable[[str], None],
    verb: str,
) -> None:
    one = memory.remember("a secret", user_id="alex").id
    other = memory.remember("another", user_id="alex").id
    late = {"update": lambda key: memory.update(key, "new"), "delete": memory.delete}[verb]
    with in_line() as call:
        call(lambda: memory.delete(one))
        after_delete = call(lambda: late(one))
    with in_line() as call:
        call(lambda: memory.delete_all(user_id="alex"))
        after_all = call(lambda: late(other))
    for lost in (after_delete, after_all):
        with pytest.raises(emberkeep.NotFound):
            lost.result()
    assert memory.stats().items == 0
    check_whole(postgres_url)


def test_a_touch_does_not_undo_what_was_made_sacred_meanwhile(
    memory: emberkeep.Memory, in_line: Callable[[], Any]
) -> None:
    item_id = memory.remember("the vow", user_id="alex").id
    with in_line() as call:
        call(lambda: memory.update(item_id, sacred=True))
        call(lambda: memory.search("vow", user_id="alex", touch=True))
        call(lambda: memory.search("vow", user_id="alex", touch=True))
    assert memory.get(item_id).sacred
    assert memory.get(item_id).access_count == 2


def test_an_item_is_embedded_once_by_all_who_try(
    memory: emberkeep.Memory,
    opened: Callable[..., emberkeep.Memory],
    in_line: Callable[[], Any],
    postgres_url: str,
    check_whole: Callable[[str], None],
) -> None:
    memory.remember("here before", user_id="alex")
    embedder = WordEmbedder()
    embedder.down = True
    changed, deleted, kept = (
        opened(postgres_url, embedder=embedder).remember(text, user_id="alex").id
        for text in ("to be changed", "to be deleted", "to be kept")
    )
    with in_line() as call:
        call(lambda: memory.update(changed, "changed"))
        call(lambda: memory.delete(deleted))
        learned = [call(memory.learn) for _ in range(2)]
    assert sum(one.result().embedded for one in learned) >= 1
    memory.learn()
    assert memory.stats().waiting == 0
    assert memory.search("to be kept", user_id="alex", limit=1)[0].id == kept
    check_whole(postgres_url)


def test_many_threads_on_one_item_leave_it_whole(
    durable_target: str, opened: Callable[..., emberkeep.Memory], check_whole: Callable[[str], None]
) -> None:
    memory = opened(durable_target)
    ids = [memory.add(f"thing {n}", user_id="alex").id for n in range(6)]
    barrier = threading.Barrier(6)

    def work(thread: int) -> None:
        barrier.wait()
        for item_id in ids:
            try:
                if thread % 3 == 0:
                    memory.update(item_id, f"thing of {thread}")
                elif thread % 3 == 1:
                    memory.search("thing", user_id="alex", touch=True)
                else:
                    memory.delete(item_id)
            except emberkeep.NotFound:
                continue

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    memory.learn()
    assert memory.stats().items == len(memory.get_all(user_id="alex")) == 0
    check_whole(durable_target)
