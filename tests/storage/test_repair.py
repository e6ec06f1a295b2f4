"""Whatever is derived can be damaged: it is found, told of, and made again; what was said stays."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Connection, delete, select, text, update
from typer.testing import CliRunner

import emberkeep
from emberkeep.entrypoints.cli import app
from emberkeep.model.moment import to_micros
from emberkeep.storage import schema
from emberkeep.storage.dump import TABLES, Digest, rows
from emberkeep.testing import FixedClock, WordEmbedder

pytestmark = pytest.mark.slow
Open = Callable[..., emberkeep.Memory]
Harm = Callable[[Connection], object]
items, vectors, shelves, interactions = schema.items, schema.vectors, schema.shelves, schema.interactions
FAR = to_micros(FixedClock().now() + timedelta(days=900))


def live(memory: emberkeep.Memory) -> None:
    for number in range(3):
        memory.add(
            [
                {"role": "user", "content": f"I moved to town {number} in May.", "name": "Alex"},
                {"role": "assistant", "content": f"Noted, town {number}."},
            ],
            user_id="alex", tags=["home"], metadata={"day": number}, occurred_at="2026-05-01T10:00:00Z",
        )  # fmt: skip
    memory.remember("Mia prefers an aisle seat", kind="preference", user_id="sam")
    memory.add("For later.", user_id="sam", learn="later")
    for number in range(4):
        memory.tasks.start(f"Deploy part {number}", id=f"t{number}", user_id="alex")
        memory.tasks.step(f"t{number}", "kubectl" if number % 2 else "ssh", output="ok")
        memory.tasks.finish(f"t{number}", success=bool(number % 2))
    pattern = memory.patterns.extract(user_id="alex", min_samples=2)[0]
    memory.patterns.feedback(pattern.id, helpful=True)
    memory.of_tenant("acme").remember("Acme's boat is blue", user_id="alex")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store to be copied, since to live takes longer than to repair."""
    path = tmp_path_factory.mktemp("lived") / "agent.db"
    with emberkeep.open(path, embedder=WordEmbedder(), clock=FixedClock(), learner="rules") as memory:
        live(memory)
    return path


@pytest.fixture
def path(lived: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(lived, tmp_path / "agent.db"))


@pytest.fixture
def memory(path: Path, opened: Open) -> emberkeep.Memory:
    return opened(str(path), clock=FixedClock(), learner="rules")


def state(memory: emberkeep.Memory) -> dict[str, str]:
    """A digest of each table."""
    found = {}
    with memory.database.of_everyone().read() as connection:
        for name in TABLES:
            digest = Digest()
            for row in rows(connection, name):
                digest.add(row)
            found[name] = str(digest)
    return found


def said(memory: emberkeep.Memory) -> dict[str, list[str]]:
    """All that is verbatim, by tenant."""
    found = {}
    for tenant in ("default", "acme"):
        mine = memory.of_tenant(tenant)
        texts = [item.text for item in mine.get_all(user_id="*", limit=1000)]
        texts += [one.content for each in mine.capture.recent(100) for one in each.messages]
        found[tenant] = sorted(texts)
    return found


def test_nothing_is_found_in_a_sound_store_and_nothing_is_changed(durable_target: str, opened: Open) -> None:
    memory = opened(durable_target, clock=FixedClock(), learner="rules")
    live(memory)
    before = state(memory)
    assert memory.repair(thorough=True) == emberkeep.RepairReport(sound=True)
    assert state(memory) == before


HARMS: dict[str, tuple[Harm, str]] = {
    "terms": (lambda c: c.execute(update(items).values(terms=b"")), "texts"),
    "traits": (lambda c: c.execute(update(items).values(traits=None, about_from=5)), "texts"),
    "hashes": (lambda c: c.execute(update(items).values(content_hash=b"x")), "texts"),
    "attributes": (lambda c: c.execute(delete(schema.attributes)), "texts"),
    "no vectors": (lambda c: c.execute(delete(vectors)), "vectors"),
    "short vectors": (lambda c: c.execute(update(vectors).values(embedding=np.ones(3, np.float16))), "vectors"),
    "empty vectors": (lambda c: c.execute(update(vectors).values(embedding=np.zeros(64, np.float16))), "vectors"),
    "other vectors": (lambda c: c.execute(update(vectors).values(embedded_hash=b"x")), "vectors"),
    "flags": (lambda c: c.execute(update(items).values(unembedded=True)), "vectors"),
    "no shelves": (lambda c: c.execute(delete(shelves)), "shelves"),
    "shelves behind": (lambda c: c.execute(update(shelves).values(revision=1)), "shelves"),
    "revisions": (lambda c: c.execute(update(items).values(revision=1)), "shelves"),
    "misplaced": (lambda c: c.execute(update(vectors).values(shelf=1)), "shelves"),
    "episodes": (lambda c: c.execute(delete(items).where(items.c.kind == "episode")), "episodes"),
    "forgotten": (lambda c: c.execute(update(interactions).values(episodes=False, backlog=None)), "forgotten"),
    "leases": (
        lambda c: c.execute(
            update(interactions).where(interactions.c.backlog == "waiting").values(lease="x", due_at=FAR)
        ),
        "leases",
    ),
    "claims": (lambda c: c.execute(delete(schema.claims)), "claims"),
    "stems": (lambda c: c.execute(update(schema.claims).values(stems="x")), "claims"),
    "mentions": (lambda c: c.execute(delete(schema.mentions)), "claims"),
    "patterns": (lambda c: c.execute(update(schema.patterns).values(helpful=9)), "patterns"),
}


def check_mended(memory: emberkeep.Memory, before: dict[str, list[str]]) -> None:
    assert memory.repair(dry_run=True) == emberkeep.RepairReport(sound=True, dry_run=True)
    memory.learn()
    kept = said(memory)
    assert all(set(texts) <= set(kept[tenant]) for tenant, texts in before.items())
    best = memory.search("moved to town 2", user_id="alex", kinds=["episode"], limit=1)[0]
    assert best.text == "I moved to town 2 in May."
    assert best.similarity is not None
    assert memory.search("town", user_id="alex", tags=["home"], filters={"day": 1})
    assert memory.of_tenant("acme").search("boat", user_id="alex")[0].similarity is not None
    before_adding = len(memory.get_all(user_id="sam", limit=1000).items)
    assert memory.remember("Mia prefers an aisle seat", kind="preference", user_id="sam").new == 0
    assert len(memory.get_all(user_id="sam", limit=1000).items) == before_adding


@pytest.mark.parametrize("name", HARMS)
def test_each_harm_is_found_told_of_and_mended(memory: emberkeep.Memory, name: str) -> None:
    harm, what = HARMS[name]
    before = said(memory)
    memory.search("town", user_id="alex")  # so that there is an index in this process
    memory.database.of_everyone().write(harm)
    damaged = state(memory)
    found = memory.repair(dry_run=True)
    assert what in {one.what for one in found.found}
    assert not found.sound
    assert not any(one.repaired for one in found.found)
    assert state(memory) == damaged
    done = memory.repair()
    assert done.sound
    assert what in {one.what for one in done.found}
    check_mended(memory, before)


def test_all_harms_at_once_on_either_database(durable_target: str, opened: Open) -> None:
    memory = opened(durable_target, clock=FixedClock(), learner="rules")
    live(memory)
    before = said(memory)
    for name in ("terms", "attributes", "short vectors", "leases", "episodes", "claims", "patterns", "no shelves"):
        memory.database.of_everyone().write(HARMS[name][0])
    found = {(one.what, one.tenant) for one in memory.repair(dry_run=True).found}
    expected = {"texts", "vectors", "leases", "episodes", "claims", "patterns", "shelves"}
    assert {what for what, _ in found} >= expected
    assert ("shelves", "acme") in found
    assert memory.repair().sound
    check_mended(memory, before)


def test_a_tenants_view_mends_that_tenant_alone(memory: emberkeep.Memory) -> None:
    memory.database.of_everyone().write(HARMS["terms"][0])
    done = memory.of_tenant("acme").repair()
    assert {one.tenant for one in done.found} == {"acme"}
    assert {one.tenant for one in memory.repair().found} == {"default"}


def test_vectors_that_are_not_their_texts_are_found_by_a_thorough_run(memory: emberkeep.Memory) -> None:
    other = np.random.default_rng(3).normal(size=64).astype(np.float16)
    memory.database.of_everyone().write(lambda c: c.execute(update(vectors).values(embedding=other)))
    assert memory.repair().sound
    done = memory.repair(thorough=True)
    assert {one.what for one in done.found} == {"vectors"}
    assert done.sound
    assert memory.repair(thorough=True).found == ()


def test_without_the_embedder_the_rest_is_mended_and_vectors_come_later(path: Path, opened: Open) -> None:
    embedder = WordEmbedder()
    memory = opened(str(path), clock=FixedClock(), learner="rules", embedder=embedder)
    memory.database.of_everyone().write(HARMS["terms"][0])
    memory.database.of_everyone().write(HARMS["short vectors"][0])
    embedder.down = True
    done = {(one.what, one.tenant): one for one in memory.repair().found}
    assert done["texts", "default"].repaired
    assert not done["vectors", "default"].repaired
    assert "is down" in str(done["vectors", "default"].advice)
    assert memory.search("town 2", user_id="alex").degraded
    assert memory.search("town 2", user_id="alex")
    embedder.down = False
    memory.learn()
    memory.of_tenant("acme").learn()
    assert memory.repair(dry_run=True).sound


def test_what_somebody_said_is_never_removed_only_told_of(memory: emberkeep.Memory) -> None:
    learned = select(schema.sources.c.item_id).where(schema.sources.c.quote.is_not(None))
    sources = update(schema.sources).where(schema.sources.c.item_id.in_(learned)).values(quote="never said so")
    memory.database.of_everyone().write(lambda c: c.execute(sources))
    before = state(memory)
    done = memory.repair()
    assert [one.what for one in done.found] == ["sources"]
    assert not done.sound
    assert "restore a backup" in str(done.found[0].advice)
    assert state(memory) == before


def test_deliveries_that_a_wrong_clock_put_off_are_sent(opened: Open) -> None:
    clock = FixedClock()
    memory = opened(":memory:", clock=clock)
    memory.events.add_webhook("https://example.org/hook")
    memory.remember("Tell them", user_id="alex")
    late = update(schema.deliveries).values(due_at=clock.now() + timedelta(days=800), holder="x")
    memory.database.write(lambda c: c.execute(late))
    assert [one.what for one in memory.repair().found] == ["deliveries"]
    with memory.database.read() as connection:
        assert set(connection.execute(select(schema.deliveries.c.due_at)).scalars()) == {clock.now()}


# Files.


def raw(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_rows_that_belong_to_nothing_go_if_they_are_derived(path: Path, opened: Open) -> None:
    raw(path, "DELETE FROM items WHERE kind = 'episode' AND tenant = 'default'", "DELETE FROM tasks WHERE id = 't1'")
    with opened(str(path), clock=FixedClock(), learner="rules") as memory:
        done = {one.what: one for one in memory.repair().found}
        assert {"orphaned attributes", "orphaned sources", "orphaned vectors", "episodes"} <= done.keys()
        assert done["episodes"].repaired
        assert not done["orphaned steps"].repaired  # what was done is no more to be had elsewhere
        left = memory.repair()
        assert [(one.what, one.count) for one in left.found] == [("orphaned steps", 1)]
        best = memory.search("moved to town 2", user_id="alex", kinds=["episode"])[0]
        assert best.text == "I moved to town 2 in May."


def test_an_index_of_the_database_that_does_not_fit_its_table_is_made_anew(path: Path, opened: Open) -> None:
    raw(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'occurred_at', 'recorded_at') WHERE name = 'items_by_time'",
    )
    with opened(str(path), clock=FixedClock()) as memory:
        found = memory.repair(dry_run=True).found[0]
        assert (found.what, found.repaired) == ("database", False)
        assert "items_by_time" in " ".join(found.examples)
        assert memory.repair().sound
        assert memory.repair() == emberkeep.RepairReport(sound=True)


def test_a_damaged_page_is_told_of_with_what_to_do(path: Path, opened: Open) -> None:
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    with opened(str(path), clock=FixedClock()) as memory:
        done = memory.repair()
        assert [(one.what, one.repaired) for one in done.found] == [("database", False)]
        assert "restore a backup" in str(done.found[0].advice)
        assert memory.search("town 2", user_id="alex")


LARGE: dict[str, Any] = {"large_from": 20, "clock": FixedClock()}


@pytest.fixture
def large(durable_target: str, opened: Open) -> str:
    with opened(durable_target, **LARGE) as memory:
        memory.add([f"line {n} about topic {n % 7}" for n in range(60)], user_id="alex")
        assert memory.upkeep().indexes_built == 1
    return durable_target


@pytest.mark.slow
@pytest.mark.parametrize("durable_target", ["file"], indirect=True)
@pytest.mark.parametrize("harm", ["cut", "no sum", "draft", "of another store", "a table"])
def test_index_files_that_are_of_no_use_are_made_anew(large: str, opened: Open, harm: str) -> None:
    folder = Path(f"{large}-vectors")
    (file,) = folder.glob("*.usearch")
    whole = file.read_bytes()
    match harm:
        case "cut":
            file.write_bytes(whole[: len(whole) // 2])
        case "no sum":
            file.with_suffix(".sum").unlink()
        case "draft":
            file.with_suffix(".123.tmp").write_bytes(b"half")
        case "of another store":
            (folder / "12-34.usearch").write_bytes(whole)
        case _:
            table = next(folder.glob("*.halves"))
            table.write_bytes(table.read_bytes()[:-9])
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    with opened(large, **LARGE) as memory:
        assert [one.what for one in memory.repair(dry_run=True).found] == ["indexes"]
        assert {one.name: one.read_bytes() for one in folder.iterdir()} == before
        assert memory.repair().sound
        assert memory.repair() == emberkeep.RepairReport(sound=True)
        assert memory.search("line 3 about topic 3", user_id="alex", limit=1)[0].text == "line 3 about topic 3"
    assert [one.stem for one in folder.glob("*.usearch")] == [file.stem]


@pytest.mark.slow
@pytest.mark.parametrize("durable_target", ["file"], indirect=True)
def test_an_index_that_is_gone_is_built(large: str, opened: Open) -> None:
    shutil.rmtree(f"{large}-vectors")
    with opened(large, **LARGE) as memory:
        assert memory.repair() == emberkeep.RepairReport(sound=True)
    assert list(Path(f"{large}-vectors").glob("*.usearch"))


@pytest.mark.slow
@pytest.mark.parametrize("durable_target", ["postgres"], indirect=True)
def test_an_index_of_the_server_that_is_not_valid_is_built_again(large: str, opened: Open) -> None:
    with opened(large, **LARGE) as memory:
        broken = "UPDATE pg_index SET indisvalid = false WHERE indexrelid::regclass::text LIKE 'vectors_hnsw_%'"
        memory.database.of_everyone().write(lambda c: c.execute(text(broken)))
        found = memory.repair(dry_run=True).found
        assert [(one.what, one.count) for one in found] == [("indexes", 1)]
        assert "broken off" in found[0].examples[0]
        assert memory.repair().sound
        assert memory.repair() == emberkeep.RepairReport(sound=True)
        plain = "UPDATE pg_index SET indisvalid = false WHERE indexrelid::regclass::text = 'api_keys_by_id'"
        memory.database.of_everyone().write(lambda c: c.execute(text(plain)))
        assert [one.what for one in memory.repair().found] == ["database"]
        assert memory.repair() == emberkeep.RepairReport(sound=True)


# The command.


def doctor(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["doctor", *map(str, arguments)])


def test_the_command_says_what_it_found_and_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_LEARNER", "rules")
    path = tmp_path / "agent.db"
    with emberkeep.open(path) as memory:
        memory.remember("Likes plums", user_id="alex")
    assert "all is as it should be" in doctor("--repair", "--db", path).stdout
    raw(path, "UPDATE items SET terms = x''", "DELETE FROM vectors")
    found = doctor("--repair", "--dry-run", "--json", "--db", path)
    assert found.exit_code == 1
    assert {one["what"] for one in json.loads(found.stdout)["found"]} == {"texts", "vectors"}
    done = doctor("--repair", "--db", path)
    assert done.exit_code == 0
    assert "repaired       1 texts of default" in done.stdout
    assert json.loads(doctor("--repair", "--thorough", "--json", "--db", path).stdout)["found"] == []
    assert doctor("--dry-run", "--db", path).exit_code == 2
    assert doctor("--repair", "--db", tmp_path / "none.db").exit_code == 1
    assert not (tmp_path / "none.db").exists()
    refused = doctor("--repair", "--db", "http://127.0.0.1:1")
    assert refused.exit_code == 2
