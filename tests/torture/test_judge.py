"""A judge that never complains proves nothing: stores that were spoiled by hand, each of which it has to see."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from torture.judge import Fault, Verdict, judge
from torture.ledger import Ledger, read
from torture.writer import Place, Writer

pytestmark = pytest.mark.slow

Spoiled = Callable[..., Verdict]
AN_ITEM = "(SELECT min(id) FROM items WHERE kind = 'fact' AND version_of IS NULL AND record IS NULL)"
A_BATCH = "(SELECT interaction_id FROM sources GROUP BY interaction_id HAVING count(*) > 1 LIMIT 1)"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A store and its ledger, of a writer that nobody disturbed."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "ledger").mkdir()
    place = Place(str(folder / "agent.db"), folder / "ledger")
    ledger = Ledger(place.ledger, "w1")
    with place.open() as memory:
        writer = Writer(memory, ledger, random.Random(3))
        for verb in (
            writer.add,
            writer.passing,
            writer.task,
            writer.remember,
            writer.update,
            writer.delete,
            writer.seed,
            writer.finish,
        ):
            verb()
        for _ in range(40):
            writer.step()
    ledger.close()
    return place


@pytest.fixture
def spoiled(written: Place, tmp_path: Path) -> Spoiled:
    """What the judge says of a copy on which statements were run that are in nobody's ledger."""

    def verdict(*statements: str, ledger: Path = written.ledger) -> Verdict:
        copy = tmp_path / "agent.db"
        with closing(sqlite3.connect(written.target)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            for statement in statements:
                assert target.execute(statement).rowcount > 0
            target.commit()
        return judge(Place(str(copy), ledger))

    return verdict


def test_what_is_as_it_was_written_is_clean(spoiled: Spoiled) -> None:
    verdict = spoiled()
    assert verdict.faults == []
    assert verdict.acknowledged == verdict.found > 40


@pytest.mark.parametrize(
    ("fault", "statement"),
    [
        ("lost", f"DELETE FROM items WHERE id = {AN_ITEM}"),
        ("lost", f"UPDATE items SET text = 'something else' WHERE id = {AN_ITEM}"),
        ("lost", "DELETE FROM history WHERE action = 'updated'"),
        ("lost", "DELETE FROM tasks"),
        ("lost", "UPDATE entries SET value = '\"another\"'"),
        ("lost", f"DELETE FROM interactions WHERE id = {A_BATCH}"),
        ("lost", "DELETE FROM outbox WHERE type = 'memory.captured'"),
        ("half", f"DELETE FROM vectors WHERE item_id = {AN_ITEM}"),
        ("half", f"UPDATE vectors SET embedded_hash = x'00' WHERE item_id = {AN_ITEM}"),
        ("half", f"UPDATE items SET terms = x'' WHERE id = {AN_ITEM}"),
        ("half", f"DELETE FROM sources WHERE position = 0 AND interaction_id = {A_BATCH}"),
        ("half", "DELETE FROM items WHERE version_of IS NOT NULL"),
        ("half", "UPDATE shelves SET revision = 1"),
        ("half", "DELETE FROM attributes WHERE rowid = (SELECT min(rowid) FROM attributes)"),
        ("invented", f"UPDATE items SET text = 'nobody said n0' WHERE id = {AN_ITEM}"),
        ("invented", "UPDATE tasks SET id = 'another' WHERE id = (SELECT min(id) FROM tasks)"),
        ("disagreement", "DELETE FROM outbox WHERE type = 'memory.added'"),
        ("disagreement", "UPDATE outbox SET payload = json_set(payload, '$.id', 'x') WHERE type = 'memory.added'"),
    ],
)
def test_what_was_spoiled_is_seen(spoiled: Spoiled, fault: Fault, statement: str) -> None:
    verdict = spoiled(statement)
    assert verdict.count(fault) > 0, verdict


def test_half_of_what_nobody_acknowledged_is_seen(written: Place, tmp_path: Path, spoiled: Spoiled) -> None:
    deed = next(one for one in read(written.ledger).deeds if one.verb == "seed")
    lines = (written.ledger / "w1.jsonl").read_text().splitlines(keepends=True)
    doubtful = [line for line in lines if not line.startswith(f'{{"n": {deed.number}, "done"')]
    (tmp_path / "w1.jsonl").write_text("".join(doubtful))
    assert judge(Place(written.target, tmp_path)).faults == []
    assert spoiled(f"DELETE FROM items WHERE text = '{deed.texts[0]}'", ledger=tmp_path).count("half") > 0


def test_what_was_refused_and_is_there_is_invented(written: Place, tmp_path: Path) -> None:
    deed = next(one for one in read(written.ledger).deeds if one.verb == "seed")
    said = (written.ledger / "w1.jsonl").read_text()
    refused = f'{{"n": {deed.number}, "error": "StoreFull", "certainly": true}}\n'
    (tmp_path / "w1.jsonl").write_text(said + refused)
    assert judge(Place(written.target, tmp_path)).count("invented") > 0


def test_a_line_that_a_kill_cut_short_was_never_said(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "w1")
    ledger.acknowledged(ledger.about("remember", texts=["one"]), ids=["1"])
    ledger.about("remember", texts=["two"])
    ledger.close()
    with (tmp_path / "w1.jsonl").open("ab") as file:
        file.write(b'{"n": 2, "done": {"id')
    told = [(deed.texts, deed.state) for deed in read(tmp_path).deeds]
    assert told == [(["one"], "acknowledged"), (["two"], "in doubt")]
