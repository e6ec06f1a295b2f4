"""Many threads' writes in few transactions, each with its own outcome."""

import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

import emberkeep
from emberkeep.storage.group_commit import MAX_BATCH, GroupCommit, Job
from emberkeep.storage.sqlite import SqliteDatabase

pytestmark = pytest.mark.slow

THREADS, EACH = 16, 40


def _slowly(batches: list[int]) -> Callable[[Sequence[Job[Any]]], None]:
    def commit(batch: Sequence[Job[Any]]) -> None:
        batches.append(len(batch))
        time.sleep(0.001)
        for job in batch:
            try:
                job.result = job.work(None)
            except ValueError as error:
                job.error = error

    return commit


def test_each_caller_gets_its_own_result_or_error() -> None:
    batches: list[int] = []
    commits = GroupCommit(_slowly(batches))

    def fail(number: int) -> int:
        raise ValueError(number)

    def work(thread: int) -> None:
        for n in range(EACH):
            number = thread * EACH + n
            if number % 7 == 0:
                with pytest.raises(ValueError, match=f"^{number}$"):
                    commits.run(lambda _, number=number: fail(number))  # type: ignore[misc]
            else:
                assert commits.run(lambda _, number=number: number) == number  # type: ignore[misc]

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
    assert sum(batches) == THREADS * EACH
    assert len(batches) < THREADS * EACH / 3


def test_a_lone_caller_runs_its_job_in_its_own_thread() -> None:
    threads: list[int] = []
    commits = GroupCommit(_slowly([]))
    commits.run(lambda _: threads.append(threading.get_ident()))
    assert threads == [threading.get_ident()]


def test_a_batch_has_a_limit() -> None:
    batches: list[int] = []
    held = threading.Event()
    commits = GroupCommit(_slowly(batches))
    with ThreadPoolExecutor(MAX_BATCH + 20) as pool:
        pool.submit(commits.run, lambda _: held.wait(10))
        while not batches:
            time.sleep(0.001)
        rest = [pool.submit(commits.run, lambda _: None) for _ in range(MAX_BATCH + 10)]
        while len(commits._queue) < MAX_BATCH + 10:
            time.sleep(0.001)
        held.set()
        for one in rest:
            one.result(10)
    assert batches == [1, MAX_BATCH, 10]


def test_a_leader_that_is_interrupted_leaves_the_others_with_one() -> None:
    interrupted = threading.Event()

    def commit(batch: Sequence[Job[Any]]) -> None:
        if not interrupted.is_set():
            while len(commits._queue) < 3:
                time.sleep(0.001)
            interrupted.set()
            raise KeyboardInterrupt
        for job in batch:
            job.result = job.work(None)

    commits = GroupCommit(commit)
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(commits.run, lambda _: "first")
        others = [pool.submit(commits.run, lambda _, n=n: n) for n in range(3)]
        assert sorted(one.result(10) for one in others) == [0, 1, 2]
        with pytest.raises(KeyboardInterrupt):
            first.result(10)
    assert commits.run(lambda _: "next") == "next"


def _count_commits(database: SqliteDatabase) -> list[str]:
    statements: list[str] = []
    database._driver.set_trace_callback(lambda sql: statements.append(sql) if sql == "COMMIT" else None)
    return statements


def test_many_writers_share_transactions_and_all_is_kept(
    tmp_path: Path, opened: Callable[..., emberkeep.Memory], check_whole: Callable[[str], None]
) -> None:
    target = str(tmp_path / "agent.db")
    memory = opened(target)
    memory.add("the first, which makes the space")
    database = memory._parts.database
    assert isinstance(database, SqliteDatabase)
    commits = _count_commits(database)

    def work(thread: int) -> None:
        for n in range(EACH):
            added = memory.add(f"thread {thread} note {n}", user_id="alex", learn="later")
            assert added.interaction_id is not None

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
    assert len(commits) < THREADS * EACH / 2
    assert memory.learn().derived == THREADS * EACH
    check_whole(target)


def test_a_job_that_fails_in_a_shared_transaction_fails_alone(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "agent.db", busy_timeout_s=5)
    database.write(lambda c: c.execute(text("CREATE TABLE things (name TEXT PRIMARY KEY)")))
    gate = threading.Barrier(9)

    def insert(number: int) -> Callable[[Connection], int]:
        def job(connection: Connection) -> int:
            connection.execute(text("INSERT INTO things VALUES (:name)"), {"name": f"thing {number}"})
            if number == 3:
                raise RuntimeError("no third thing")
            if number == 5:
                connection.execute(text("INSERT INTO things VALUES ('thing 5')"))
            return number

        return job

    def work(number: int) -> int:
        gate.wait(10)
        return database.write(insert(number))

    with ThreadPoolExecutor(9) as pool:
        results = [pool.submit(work, number) for number in range(8)]
        with database._exclusive:  # so that all of them queue up
            gate.wait(10)
            while len(database._commits._queue) < 7:
                time.sleep(0.001)
    assert [one.result() for n, one in enumerate(results) if n not in {3, 5}] == [0, 1, 2, 4, 6, 7]
    with pytest.raises(RuntimeError, match="third"):
        results[3].result()
    with pytest.raises(emberkeep.StoreError, match="UNIQUE"):
        results[5].result()
    with database.read() as connection:
        kept = connection.execute(text("SELECT name FROM things ORDER BY name")).scalars().all()
    database.close()
    assert kept == [f"thing {n}" for n in (0, 1, 2, 4, 6, 7)]


def test_what_was_rolled_back_with_others_is_no_result_if_their_leader_is_interrupted(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "agent.db", busy_timeout_s=5)
    database.write(lambda c: c.execute(text("CREATE TABLE things (name TEXT)")))
    runs: list[str] = []

    def insert(name: str) -> Callable[[Connection], str]:
        def job(connection: Connection) -> str:
            runs.append(name)
            connection.execute(text("INSERT INTO things VALUES (:name)"), {"name": name})
            if name == "last":
                raise RuntimeError("no last thing")
            if name == "first" and runs.count("first") > 1:  # when each is run by itself
                raise KeyboardInterrupt
            return name

        return job

    with ThreadPoolExecutor(4) as pool:
        results = {}
        with database._exclusive:  # held by this thread, so that all of them queue up behind a first one
            held = pool.submit(database.write, lambda _: None)
            while not database._commits._led or database._commits._queue:
                time.sleep(0.001)
            for place, name in enumerate(("first", "second", "last")):
                results[name] = pool.submit(database.write, insert(name))
                while len(database._commits._queue) <= place:
                    time.sleep(0.001)
        held.result(10)
        with pytest.raises(KeyboardInterrupt):
            results["first"].result(10)
        for name in ("second", "last"):
            with pytest.raises(emberkeep.StoreError, match="nothing was written"):
                results[name].result(10)
    with database.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM things")).scalar() == 0
    assert database.write(insert("again")) == "again"
    database.close()


def test_writers_behind_a_busy_database_fail_together_not_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    database = SqliteDatabase(path, busy_timeout_s=0.3)
    database.write(lambda c: c.execute(text("CREATE TABLE things (name TEXT)")))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    def work(_: int) -> None:
        with pytest.raises(emberkeep.StoreBusy):
            database.write(lambda c: c.execute(text("INSERT INTO things VALUES ('x')")))

    begun = time.monotonic()
    with ThreadPoolExecutor(10) as pool:
        list(pool.map(work, range(10)))
    assert time.monotonic() - begun < 1.5
    other.execute("ROLLBACK")
    other.close()
    database.write(lambda c: c.execute(text("INSERT INTO things VALUES ('x')")))
    database.close()
