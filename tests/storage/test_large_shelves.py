"""Shelves that are too large to compare a question with every vector."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import text

import emberkeep
from emberkeep.storage import index_files, sqlite_search
from emberkeep.storage.database import Database
from emberkeep.storage.graph import Graph
from emberkeep.storage.postgres_search import hnsw_parameters
from emberkeep.storage.sqlite_search import UsearchShelf
from emberkeep.testing import WordEmbedder

pytestmark = pytest.mark.slow

DENSE = emberkeep.Plan("dense", channels=("dense",), candidates=10)
BALANCED = emberkeep.Plan("balanced")
EXACT = emberkeep.Plan("exact", channels=("dense",), candidates=10, exact=True)
WORDS = [f"word{n}" for n in range(400)]
TEXTS = [" ".join(random.Random(n).sample(WORDS, 7)) for n in range(600)]

Open = Callable[..., emberkeep.Memory]


@pytest.fixture
def grown(durable_target: str, opened: Open) -> emberkeep.Memory:
    """A memory whose one shelf is large, with its index built."""
    memory = opened(durable_target, large_from=200)
    memory.add(TEXTS, user_id="alex")
    assert memory.upkeep().indexes_built == 1
    return memory


def test_an_index_is_built_once_and_its_owners_alone(grown: emberkeep.Memory, durable_target: str) -> None:
    assert grown.upkeep().indexes_built == 0
    folder = Path(durable_target + "-vectors")
    assert not folder.exists() or folder.stat().st_mode & 0o777 == 0o700  # PostgreSQL has its own


def large(memory: emberkeep.Memory) -> Any:
    return memory._parts.residents._shelves["default", "alex"].index.large


def found(memory: emberkeep.Memory, query: str, plan: emberkeep.Plan = DENSE, **where: Any) -> list[str]:
    return [hit.text for hit in memory.search(query, user_id="alex", plan=plan, **where)]


def files(target: str) -> list[Path]:
    """The saved indexes, each of several files."""
    return sorted(Path(target + "-vectors").glob("*"))


def graph(target: str) -> Path:
    """The one with the graph in it."""
    (found,) = (path for path in files(target) if path.suffix == ".usearch")
    return found


def names(target: str) -> list[str]:
    return [path.suffix for path in files(target)]


ALL = [".halves", ".shelf", ".sum", ".usearch"]


def server_indexes(database: Database) -> list[str]:
    with database.read() as connection:
        names = text("SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%USING hnsw%' ORDER BY indexname")
        return list(connection.execute(names).scalars())


def overlap(memory: emberkeep.Memory) -> float:
    shares = [
        len(set(found(memory, query)) & set(found(memory, query, EXACT))) / 10 for query in TEXTS[::40] + WORDS[:15]
    ]
    return float(np.mean(shares))


def test_upkeep_builds_an_index_that_finds_almost_what_an_exact_search_does(
    durable_target: str, grown: emberkeep.Memory, database: Callable[[str], Database]
) -> None:
    if "://" in durable_target:
        assert len(server_indexes(database(durable_target))) == 1
    else:
        assert names(durable_target) == ALL
    assert large(grown) is not None
    assert overlap(grown) >= 0.95
    exact = {hit.id: hit.similarity for hit in grown.search(TEXTS[7], user_id="alex", plan=EXACT)}
    for hit in grown.search(TEXTS[7], user_id="alex", plan=DENSE):
        assert hit.similarity == pytest.approx(exact.get(hit.id, hit.similarity), abs=2e-3)


def test_a_small_graph_loses_nothing_and_is_the_same_each_time() -> None:
    vectors = np.array(WordEmbedder().embed(TEXTS), np.float32)
    graphs = [Graph(vectors.shape[1]) for _ in range(8)]
    for graph in graphs:
        graph.add(np.arange(len(vectors)), vectors)
    for place in range(0, len(vectors), 10):
        first, *others = [graph.nearest(vectors[place], 10)[0].tolist() for graph in graphs]
        assert first[0] == place
        assert others == [first] * len(others)


def test_the_default_plan_finds_almost_what_it_would_by_comparing_with_every_vector(grown: emberkeep.Memory) -> None:
    exact = emberkeep.Plan("exact", exact=True)
    queries = [f"{one} {other}" for one, other in zip(WORDS[:20], WORDS[20:40], strict=True)]
    shares = [len({*found(grown, query, BALANCED)} & {*found(grown, query, exact)}) / 10 for query in queries]
    assert float(np.mean(shares)) >= 0.97


def test_what_a_large_shelf_takes_in_this_process_is_counted(durable_target: str, grown: emberkeep.Memory) -> None:
    vectors = 2 * len(TEXTS) * WordEmbedder().dimension
    assert large(grown).memory() >= 2 * vectors if "://" not in durable_target else large(grown).memory() == 0


def test_the_server_can_answer_by_its_index(
    postgres_url: str, opened: Open, database: Callable[[str], Database]
) -> None:
    memory = opened(postgres_url, large_from=200)
    memory.add(TEXTS, user_id="alex")
    memory.upkeep()
    found(memory, TEXTS[3])
    with database(postgres_url).read() as connection:
        key = large(memory)._key
        connection.execute(text("SET LOCAL enable_sort = off"))  # at this size the server would rather sort
        plan = connection.execute(
            text(
                f"EXPLAIN SELECT revision FROM vectors WHERE tenant = 'default' AND space = {key.space} "
                f"AND shelf = {key.shelf} ORDER BY embedding::halfvec(64) <=> CAST(:query AS halfvec(64)) LIMIT 10"
            ),
            {"query": str([1.0] * 64)},
        ).scalars()
        assert server_indexes(database(postgres_url))[0] in "\n".join(plan)


def test_the_index_is_made_for_the_size_of_the_shelf(
    postgres_url: str, opened: Open, database: Callable[[str], Database]
) -> None:
    assert [hnsw_parameters(size) for size in (10_000, 1_000_000, 1_000_001, 10**8)] == [
        (16, 64), (16, 64), (24, 128), (32, 200),
    ]  # fmt: skip
    memory = opened(postgres_url, large_from=200)
    memory.add(TEXTS[:150], user_id="bo")
    memory.add(TEXTS, user_id="alex")
    memory.upkeep()
    (name,) = server_indexes(database(postgres_url))  # none for the small one
    with database(postgres_url).read() as connection:
        options = connection.execute(text(f"SELECT reloptions FROM pg_class WHERE relname = '{name}'")).scalar_one()
    assert set(options) == {"m=16", "ef_construction=64"}


def test_what_comes_changes_and_goes_afterwards_is_followed(grown: emberkeep.Memory) -> None:
    added = grown.remember("zebra crossing lights", user_id="alex")
    assert found(grown, "zebra crossing lights")[0] == "zebra crossing lights"
    grown.update(added.id, "penguin parade hats")
    assert found(grown, "penguin parade hats")[0] == "penguin parade hats"
    assert "zebra crossing lights" not in found(grown, "zebra crossing lights")
    grown.delete(added.id)
    assert "penguin parade hats" not in found(grown, "penguin parade hats")
    assert len(found(grown, "penguin parade hats")) == 10
    grown.delete_all(user_id="alex")
    assert found(grown, TEXTS[0]) == []
    grown.add(TEXTS[:3], user_id="alex")
    assert found(grown, TEXTS[1])[0] == TEXTS[1]


def test_two_processes_stay_in_step(
    durable_target: str, grown: emberkeep.Memory, another_process: Callable[..., Any]
) -> None:
    there = another_process(durable_target, large_from=200)
    one = there.ask("memory.remember('zebra crossing lights', user_id='alex').id")
    assert found(grown, "zebra crossing lights")[0] == "zebra crossing lights"
    assert there.ask("memory.search('zebra crossing lights', user_id='alex')[0].text") == "'zebra crossing lights'"
    there.ask(f"memory.delete({one})")
    assert "zebra crossing lights" not in found(grown, "zebra crossing lights")
    grown.remember("penguin parade hats", user_id="alex")
    assert there.ask("memory.search('penguin parade hats', user_id='alex')[0].text") == "'penguin parade hats'"
    assert there.ask("memory._parts.residents._shelves['default', 'alex'].index.large is None") == "False"


def test_reopening_loads_the_index_without_building_it(
    durable_target: str, grown: emberkeep.Memory, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = type(large(grown))
    grown.close()
    monkeypatch.setattr(kind, "build", lambda *_: pytest.fail("it was built"))
    again = opened(durable_target, large_from=200)
    assert found(again, TEXTS[5])[0] == TEXTS[5]
    assert large(again) is not None
    assert again.upkeep().indexes_built == 0
    assert overlap(again) >= 0.95


@pytest.mark.parametrize("damage", ["deleted", "empty", "garbage", "cut short", "holes", "of another dimension"])
def test_a_damaged_index_file_is_made_anew(tmp_path: Path, opened: Open, damage: str) -> None:
    target = str(tmp_path / "agent.db")
    with opened(target, large_from=200) as memory:
        memory.add(TEXTS, user_id="alex")
        memory.upkeep()
        key = large(memory)._key
    path = graph(target)
    whole = path.read_bytes()
    if damage == "deleted":
        path.unlink()
    elif damage == "of another dimension":
        other = UsearchShelf(type(key)(key.tenant, key.shelf, key.space, 8), path.parent)
        other.put(np.arange(3), np.eye(3, 8, dtype=np.float32))
        assert other.save(np.arange(3), tidy=False)
    else:
        middle = len(whole) // 2
        holes = whole[: middle - 2_048] + bytes(4_096) + whole[middle + 2_048 :]
        damaged = {"empty": b"", "garbage": b"\xff" * 5_000, "cut short": whole[:middle], "holes": holes}
        path.write_bytes(damaged[damage])
    again = opened(target, large_from=200)
    assert found(again, TEXTS[5])[0] == TEXTS[5]
    again.upkeep()
    assert overlap(again) >= 0.95
    assert path.stat().st_size == pytest.approx(len(whole), rel=0.05)


@pytest.fixture
def kept(tmp_path: Path, opened: Open) -> str:
    """A store whose one shelf is large, and kept."""
    target = str(tmp_path / "agent.db")
    with opened(target, large_from=200) as memory:
        memory.add(TEXTS, user_id="alex", session_id="harbour", agent_id="pilot")
        memory.upkeep()
    assert names(target) == ALL
    return target


def rows_read(memory: emberkeep.Memory) -> int:
    return memory._parts.residents._shelves["default", "alex"].unkept


def test_the_next_process_reads_only_what_came_since(kept: str, opened: Open) -> None:
    memory = opened(kept, large_from=200)
    assert found(memory, TEXTS[5])[0] == TEXTS[5]
    assert rows_read(memory) == 0
    with opened(kept, large_from=200) as other:
        other.remember("zebra crossing lights", user_id="alex")
    assert found(memory, "zebra crossing lights", BALANCED)[0] == "zebra crossing lights"
    assert found(memory, TEXTS[9], BALANCED)[0] == TEXTS[9]
    assert rows_read(memory) == 1
    assert overlap(memory) >= 0.95


@pytest.mark.parametrize("exact_up_to", [10_000, 50])
def test_what_came_since_is_saved_with_the_rest(
    kept: str, opened: Open, monkeypatch: pytest.MonkeyPatch, exact_up_to: int
) -> None:
    monkeypatch.setattr(sqlite_search, "EXACT_UP_TO", exact_up_to)
    with opened(kept, large_from=200) as memory:
        memory.add([f"{text} more" for text in TEXTS[:100]], user_id="alex", session_id="harbour")
        assert found(memory, f"{TEXTS[50]} more")[0] == f"{TEXTS[50]} more"
        memory.remember("zebra crossing lights", user_id="alex")
        assert found(memory, "zebra crossing lights")[0] == "zebra crossing lights"
        assert [bool(len(graph._index)) for graph in large(memory)._graphs] == [True, exact_up_to == 50]
    again = opened(kept, large_from=200)
    assert found(again, f"{TEXTS[50]} more")[0] == f"{TEXTS[50]} more"
    assert rows_read(again) == 0
    assert len(large(again)._graphs) == 1
    assert overlap(again) >= 0.95


@pytest.mark.parametrize(
    ("suffix", "damage"),
    [
        (".halves", "missing"),
        (".halves", "cut short"),
        (".shelf", "missing"),
        (".shelf", "garbage"),
        (".sum", "missing"),
    ],
)
def test_without_one_of_its_files_an_index_is_read_from_the_store(
    kept: str, opened: Open, suffix: str, damage: str
) -> None:
    path = graph(kept).with_suffix(suffix)
    whole = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(b"\xff" * 3_000 if damage == "garbage" else whole[: len(whole) // 2])
    memory = opened(kept, large_from=200)
    assert found(memory, TEXTS[5])[0] == TEXTS[5]
    memory.upkeep()
    assert overlap(memory) >= 0.95


def test_an_index_that_is_ahead_of_its_store_is_not_used(kept: str, opened: Open) -> None:
    """As when an older copy of the database file was put back."""
    with opened(kept, large_from=200) as memory:
        memory.upkeep()
    older = Path(kept).read_bytes()
    with opened(kept, large_from=200) as memory:
        memory.add([f"{text} undone" for text in TEXTS[:100]], user_id="alex")
        memory.upkeep()
    Path(kept).write_bytes(older)
    with opened(kept, large_from=200) as memory:
        memory.add([f"{text} anew" for text in TEXTS[:150]], user_id="alex")
        hits = memory.search(f"{TEXTS[3]} undone", user_id="alex", plan=BALANCED)
        assert [hit.text for hit in hits if "undone" in hit.text] == []
        assert found(memory, f"{TEXTS[3]} anew", BALANCED)[0] == f"{TEXTS[3]} anew"


def test_no_file_holds_a_name_of_what_was_deleted(kept: str, opened: Open) -> None:
    memory = opened(kept, large_from=200)
    memory.add("zebra crossing lights", user_id="alex", session_id="waterfront")
    memory.add([f"{text} more" for text in TEXTS[:100]], user_id="alex", session_id="harbour")
    found(memory, TEXTS[0])
    memory.close()
    assert any(b"waterfront" in path.read_bytes() for path in files(kept))
    memory = opened(kept, large_from=200)
    found(memory, TEXTS[0])
    memory.delete_all(user_id="alex", session_id="waterfront")
    assert files(kept) == []
    found(memory, TEXTS[0])
    memory.upkeep()
    assert names(kept) == ALL
    assert not any(b"waterfront" in path.read_bytes() for path in files(kept))
    memory.close()
    again = opened(kept, large_from=200)
    assert found(again, TEXTS[5])[0] == TEXTS[5]
    assert rows_read(again) == 0


def test_an_index_file_that_another_process_discards_meanwhile_is_made_anew(
    kept: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = index_files.sum_if_whole

    def discarded_then(file: Path) -> bytes | None:
        answer = whole(file)
        index_files.remove(file.parent, file.stem)  # as whoever deletes a memory does
        return answer

    monkeypatch.setattr(index_files, "sum_if_whole", discarded_then)
    assert found(opened(kept, large_from=200), TEXTS[3])[0] == TEXTS[3]


def test_an_index_whose_building_was_broken_off_is_built_again(
    postgres_url: str, opened: Open, database: Callable[[str], Database]
) -> None:
    with opened(postgres_url, large_from=200) as memory:
        memory.add(TEXTS, user_id="alex")
        memory.upkeep()
    bare = database(postgres_url)
    name = server_indexes(bare)[0]
    bare.write(
        lambda c: c.execute(text(f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{name}'::regclass"))
    )
    again = opened(postgres_url, large_from=200)
    assert found(again, TEXTS[5])[0] == TEXTS[5]
    assert again.upkeep().indexes_built == 1
    assert large(again).load()


def test_more_searches_at_once_than_connections(postgres_url: str, opened: Open) -> None:
    memory = opened(postgres_url, large_from=200, pool_size=1, busy_timeout_s=5)
    memory.add(TEXTS, user_id="alex")
    memory.upkeep()
    with ThreadPoolExecutor(8) as pool:
        first = list(pool.map(lambda query: found(memory, query)[0], TEXTS[:40]))
    assert first == TEXTS[:40]


def test_a_narrow_filter_gets_an_exact_answer(grown: emberkeep.Memory) -> None:
    grown.add([f"{text} rare" for text in TEXTS[:20]], user_id="alex", tags=["rare"])
    for query in TEXTS[:10]:
        narrow = found(grown, query, tags=["rare"])
        assert len(narrow) == 10
        assert narrow == found(grown, query, EXACT, tags=["rare"])


def test_a_wide_filter_leaves_ten(grown: emberkeep.Memory) -> None:
    grown.add([f"{text} half" for text in TEXTS[:300]], user_id="alex", tags=["half"])
    for query in TEXTS[:10]:
        wide = found(grown, query, tags=["half"])
        assert len(wide) == 10
        assert all(text.endswith("half") for text in wide)


def test_items_without_a_vector_are_found_by_their_words(durable_target: str, opened: Open) -> None:
    embedder = WordEmbedder()
    memory = opened(durable_target, large_from=200, embedder=embedder)
    memory.add(TEXTS, user_id="alex")
    memory.upkeep()
    embedder.down = True
    memory.add("zebra crossing lights", user_id="alex")
    embedder.down = False
    hit = memory.search("zebra", user_id="alex", limit=1)[0]
    assert (hit.text, hit.similarity) == ("zebra crossing lights", None)
    memory.learn()
    assert memory.search("zebra", user_id="alex", limit=1)[0].similarity is not None


def test_the_file_holds_no_vector_of_a_deleted_item(tmp_path: Path, opened: Open) -> None:
    target = str(tmp_path / "agent.db")
    memory = opened(target, large_from=200)
    other = opened(target, large_from=200)
    secret = WordEmbedder().embed(["zebra crossing lights"])[0].astype(np.float16).tobytes()
    item_id = memory.remember("zebra crossing lights", user_id="alex").id
    memory.add(TEXTS, user_id="alex")
    memory.upkeep()
    other.upkeep()
    assert any(secret in path.read_bytes() for path in files(target))
    memory.delete(item_id)
    assert files(target) == []
    other.add([f"{text} more" for text in TEXTS[:100]], user_id="alex")
    found(other, TEXTS[0])
    other.close()
    assert not any(secret in path.read_bytes() for path in files(target))
    memory.upkeep()
    assert names(target) == ALL
    assert not any(secret in path.read_bytes() for path in files(target))
    assert overlap(memory) >= 0.95


def test_a_process_that_has_not_seen_the_deletion_does_not_bring_the_vector_back(tmp_path: Path, opened: Open) -> None:
    target = str(tmp_path / "agent.db")
    memory = opened(target, large_from=200)
    secret = WordEmbedder().embed(["zebra crossing lights"])[0].astype(np.float16).tobytes()
    item_id = memory.remember("zebra crossing lights", user_id="alex").id
    memory.add(TEXTS, user_id="alex")
    other = opened(target, large_from=200)
    found(other, TEXTS[0])
    other._parts.residents._shelves["default", "alex"].building.join()  # type: ignore[union-attr]
    memory.delete(item_id)
    other.close()
    assert not any(secret in path.read_bytes() for path in files(target))


def test_a_shelf_in_memory_grows_large_too(opened: Open) -> None:
    memory = opened(":memory:", large_from=200)
    memory.add(TEXTS, user_id="alex")
    assert memory.upkeep().indexes_built == 1
    assert overlap(memory) >= 0.95
