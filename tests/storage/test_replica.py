"""A real replica beside a real primary: what is read where, and that nobody misses what they wrote."""

import logging
import time
from collections.abc import Callable
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import Connection, text

import emberkeep
from emberkeep.entrypoints.doctor.examine import examine
from emberkeep.entrypoints.http.metrics import Metrics
from emberkeep.errors import ConfigError, InvalidInput
from emberkeep.storage import postgres_replica
from emberkeep.storage.database import Database
from emberkeep.testing import WordEmbedder

from .replicas import Pair, new_pair

Open = Callable[..., emberkeep.Memory]
pytestmark = pytest.mark.slow
WHERE = text("SELECT pg_is_in_recovery()")


@pytest.fixture(autouse=True)
def _rest_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_replica, "FIRST_REST_S", 0.1)
    monkeypatch.setattr(postgres_replica, "LONGEST_REST_S", 0.2)


@pytest.fixture
def memory(pair: Pair, opened: Open) -> emberkeep.Memory:
    """A new tenant's, which reads from the replica."""
    return opened(pair.primary, read_db=pair.replica, tenant=f"tenant {uuid4().hex}")


@pytest.fixture
def elsewhere(pair: Pair, opened: Open, memory: emberkeep.Memory) -> emberkeep.Memory:
    """The same tenant's in another process, for all that the first one knows of it."""
    return opened(pair.primary, read_db=pair.replica, tenant=memory.config.tenant)


def found(memory: emberkeep.Memory, query: str = "lamp") -> list[str]:
    return sorted(hit.text for hit in memory.search(query, user_id="alex"))


def is_on_replica(database: Database) -> bool:
    return database.look(lambda connection: bool(connection.execute(WHERE).scalar()))


def wait_until(true: Callable[[], bool]) -> None:
    for _ in range(500):
        if true():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come to that")


def test_searches_and_lists_are_read_from_the_replica(
    memory: emberkeep.Memory, elsewhere: emberkeep.Memory, pair: Pair
) -> None:
    elsewhere.add("the lamp is red", user_id="alex")
    pair.catch_up()
    pair.pause()
    later = elsewhere.remember("the lamp is tall", user_id="alex").id
    assert found(memory) == ["the lamp is red"]
    assert [item.text for item in memory.get_all(user_id="alex")] == ["the lamp is red"]
    assert len(memory.capture.recent()) == 1
    assert memory.database.looks()["primary"] == 0
    assert memory.get(later).text == "the lamp is tall", "what has an id is looked up where it is written"
    pair.resume()
    assert found(memory) == ["the lamp is red", "the lamp is tall"]
    assert memory.database.looks()["primary"] == 0


def test_what_one_wrote_oneself_is_there_at_once(memory: emberkeep.Memory, pair: Pair) -> None:
    other = memory.of_tenant(f"other {uuid4().hex}")
    pair.pause()
    first = memory.add("the lamp is red", user_id="alex").items[0].id
    assert found(memory) == ["the lamp is red"]
    memory.update(first, "the lamp is blue")
    assert found(memory) == ["the lamp is blue"]
    assert [item.text for item in memory.get_all(user_id="alex")] == ["the lamp is blue"]
    assert not is_on_replica(memory.database)
    assert is_on_replica(other.database), "who wrote nothing need not wait"
    memory.delete(first)
    assert found(memory) == []
    memory.remember("the lamp is green", user_id="alex")
    assert found(memory) == ["the lamp is green"]
    pair.resume()
    wait_until(lambda: is_on_replica(memory.database))
    assert found(memory) == ["the lamp is green"]
    pair.pause()
    memory.context("the lamp", user_id="alex")
    assert is_on_replica(memory.database), "that a context was handed out is nothing to wait for"


def test_an_index_that_is_ahead_of_the_replica_does_no_harm(
    memory: emberkeep.Memory, elsewhere: emberkeep.Memory, pair: Pair
) -> None:
    kept = elsewhere.add("the lamp is red", user_id="alex").items[0].id
    pair.catch_up()
    assert found(memory) == ["the lamp is red"]
    pair.pause()
    elsewhere.delete(kept)
    elsewhere.add("the lamp is blue", user_id="alex")
    token = elsewhere.database.seen()
    assert token is not None
    memory.database.expect(token)
    assert found(memory) == ["the lamp is blue"]
    memory.database._replica.marks = postgres_replica.Marks()  # type: ignore[attr-defined]
    assert is_on_replica(memory.database)
    assert found(memory) == [], "the index is ahead, the rows are behind: what is in both is told"
    pair.resume()
    assert found(memory) == ["the lamp is blue"]


def test_a_token_carries_over_what_was_seen(memory: emberkeep.Memory, elsewhere: emberkeep.Memory, pair: Pair) -> None:
    pair.pause()
    elsewhere.add("the lamp is red", user_id="alex")
    assert found(memory) == []
    token = elsewhere.database.seen()
    assert token is not None
    memory.database.expect(token)
    assert found(memory) == ["the lamp is red"]
    pair.resume()
    wait_until(lambda: is_on_replica(memory.database))
    with pytest.raises(InvalidInput, match="send back"):
        memory.database.expect("yesterday")


def test_a_token_from_the_future_means_the_primary_and_then_the_present(memory: emberkeep.Memory, pair: Pair) -> None:
    memory.database.expect("FFFFFFFF/FFFFFFFF")
    assert not is_on_replica(memory.database)
    pair.catch_up()
    wait_until(lambda: is_on_replica(memory.database))


def test_a_database_without_a_replica_takes_tokens_and_gives_none(database: Callable[[str], Database]) -> None:
    alone = database(":memory:")
    alone.expect("16/B374D848")
    assert (alone.seen(), alone.following(), alone.looks()) == (None, None, {})
    with pytest.raises(InvalidInput, match="send back"):
        alone.expect("yesterday")


def test_the_primary_answers_while_the_replica_is_down(
    memory: emberkeep.Memory, pair: Pair, opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    memory.add("the lamp is red", user_id="alex")
    pair.catch_up()
    wait_until(lambda: is_on_replica(memory.database))
    with caplog.at_level(logging.INFO, "emberkeep.storage"):
        pair.kill("replica")
        try:
            for _ in range(5):
                assert found(memory) == ["the lamp is red"]
            second = opened(pair.primary, read_db=pair.replica, tenant=memory.config.tenant)
            assert found(second) == ["the lamp is red"]
            following = second.database.following()
            assert following is not None
            assert following.problem is not None
        finally:
            pair.start_one("replica", 5433)
        pair.catch_up()
        wait_until(lambda: is_on_replica(memory.database))
        wait_until(lambda: is_on_replica(second.database))
    said = [one.getMessage() for one in caplog.records if "the replica" in one.getMessage()]
    assert len([one for one in said if "the primary answers" in one]) == 2, "once for each of the two memories"
    assert len([one for one in said if "answers again" in one]) == 2
    assert ":***@" in said[0]
    assert found(memory) == ["the lamp is red"]


def test_what_breaks_off_on_the_replica_is_asked_of_the_primary(memory: emberkeep.Memory, pair: Pair) -> None:
    asked: list[bool] = []

    def job(connection: Connection) -> str:
        asked.append(bool(connection.execute(WHERE).scalar()))
        if asked[-1]:
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        return "done"

    assert memory.database.look(job) == "done"
    assert asked == [True, False]
    wait_until(lambda: is_on_replica(memory.database))

    def cancelled(connection: Connection) -> str:
        asked.append(bool(connection.execute(WHERE).scalar()))
        if asked[-1]:
            connection.execute(text("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$"))
        return "done"

    assert memory.database.look(cancelled) == "done"
    assert asked[-2:] == [True, False]
    assert is_on_replica(memory.database), "that it was cancelled once says nothing of the next"


def test_large_shelves_are_searched_there_too(pair: Pair, opened: Open) -> None:
    tenant = f"tenant {uuid4().hex}"
    memory = opened(pair.primary, read_db=pair.replica, tenant=tenant, large_from=5)
    memory.add([f"lamp number {n}" for n in range(10)], user_id="alex")
    assert memory.upkeep().indexes_built == 1
    pair.catch_up()
    assert not is_on_replica(memory.database), "the first after a write finds out how far there is to go"
    pair.catch_up()
    wait_until(lambda: is_on_replica(memory.database))
    hits = memory.search("lamp number 3", user_id="alex", limit=20)
    assert len(hits) == 10
    assert all(hit.similarity is not None for hit in hits)
    replica = memory.database._replica  # type: ignore[attr-defined]
    assert replica.vectors.pool.checkedin() == 1
    pair.pause()
    memory.add("lamp number 77", user_id="alex")
    assert memory.search("lamp number 77", user_id="alex")[0].text == "lamp number 77"


def test_a_rebuild_is_seen_though_the_replica_is_behind(pair: Pair, opened: Open) -> None:
    tenant = f"tenant {uuid4().hex}"
    memory = opened(pair.primary, read_db=pair.replica, tenant=tenant, learner="rules")
    memory.add("I live in Lisbon.", user_id="alex")
    pair.pause()
    memory.rebuild()
    assert memory.search("Lisbon", user_id="alex")[0].similarity is not None
    other = memory.of_tenant(f"other {uuid4().hex}")
    assert found(other) == []


def test_what_is_no_replica_of_it_is_refused(pair: Pair, postgres_url: str) -> None:
    pair.ask(pair.primary, "CREATE DATABASE another")
    pair.catch_up()
    for read_db in (postgres_url, pair.url(5433, "another")):
        with pytest.raises(ConfigError, match="no replica of this database"):
            emberkeep.open(pair.primary, read_db=read_db, embedder=WordEmbedder())
    with pytest.raises(ConfigError, match="not a database URL"):
        emberkeep.open(pair.primary, read_db="postgresql://host:port/name", embedder=WordEmbedder())


def test_a_file_has_no_replica(pair: Pair) -> None:
    with pytest.raises(ConfigError, match="read_db names a replica of a PostgreSQL"):
        emberkeep.open(":memory:", read_db=pair.replica)


def test_any_role_can_tell_a_replica(pair: Pair) -> None:
    pair.ask(pair.primary, "CREATE ROLE plain LOGIN")
    pair.catch_up()
    known = set()
    for url in (pair.primary, pair.replica):
        with psycopg.connect(url.replace("postgres:@", "plain:@")) as connection:
            known.add(postgres_replica.identity_of(connection))
    assert len(known) == 1


def test_doctor_says_how_far_it_is_behind(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_READ_DB", pair.replica)
    (check,) = [one for one in examine(pair.primary, None).checks if one.name == "read_db"]
    assert (check.state, check.detail.endswith("bytes of the log behind")) == ("ok", True)
    monkeypatch.setenv("EMBERKEEP_READ_DB", pair.url(5999))
    (check,) = [one for one in examine(pair.primary, None).checks if one.name == "read_db"]
    assert (check.state, check.detail.endswith("the primary answers meanwhile")) == ("warn", True)


def test_metrics_say_who_was_asked(memory: emberkeep.Memory, pair: Pair) -> None:
    metrics = Metrics(memory)
    pair.pause()
    found(memory)
    memory.add("the lamp is red", user_id="alex")
    found(memory)
    page = metrics.page("")[0].decode()
    looks = memory.database.looks()
    assert min(looks.values()) > 0
    for where, number in looks.items():
        assert f'emberkeep_looks_total{{where="{where}"}} {float(number)}' in page
    assert metrics.page("")[0].decode().count(f"}} {float(looks['replica'])}") > 0


def test_a_replica_that_was_promoted_is_asked_no_more(opened: Open) -> None:
    pair = new_pair()
    try:
        memory = opened(pair.primary, read_db=pair.replica)
        memory.add("the lamp is red", user_id="alex")
        pair.catch_up()
        assert found(memory) == ["the lamp is red"]
        pair.promote()
        memory.add("the lamp is blue", user_id="alex")
        assert found(memory) == ["the lamp is blue", "the lamp is red"]
        before = memory.database.looks()["replica"]
        for _ in range(3):
            time.sleep(0.15)
            assert found(memory) == ["the lamp is blue", "the lamp is red"]
        assert memory.database.looks()["replica"] == before
        memory.close()
        following = None
        again = opened(pair.primary, read_db=pair.replica)
        following = again.database.following()
        assert following is not None
        assert following.problem == "it is no replica, or no longer"
        assert found(again) == ["the lamp is blue", "the lamp is red"]
        again.close()
    finally:
        pair.stop()
