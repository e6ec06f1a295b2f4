"""Stores side by side: the whole command, small, with real stores in real processes; and its parts."""

import gc
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.side_by_side import tables
from sqlalchemy import create_engine, make_url, text
from typer.testing import CliRunner, Result

from emberkeep import wiring
from emberkeep.bench import server
from emberkeep.bench.compare import entrants, material, trial, trials
from emberkeep.bench.compare.comparing import rehearse
from emberkeep.bench.compare.entrant import SURVIVORS, Note
from emberkeep.bench.compare.entrants import ENTRANTS, chosen, why_left_out
from emberkeep.bench.compare.material import Material
from emberkeep.bench.compare.standing import Report, Setup, Speed, Standing, Survival
from emberkeep.bench.compare.trial import Task
from emberkeep.bench.compare.trials import Trials
from emberkeep.bench.compare.vectors import Known, Recorder
from emberkeep.bench.dataset import Question, read_dataset
from emberkeep.bench.process import peak_mb
from emberkeep.config import Config
from emberkeep.entrypoints.cli import app
from emberkeep.entrypoints.compare_view import compare_view
from emberkeep.entrypoints.printing import console
from emberkeep.errors import InvalidInput
from emberkeep.providers.base import Embedder, has_words
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.testing import WordEmbedder

Compare = Callable[..., Result]


@pytest.fixture
def compare(embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch) -> Compare:
    """Run `emberkeep bench compare` with the embedder that is loaded already, and with few notes to write and lose."""
    make = wiring.make_embedder

    def share(config: Config, given: Embedder | None = None) -> Embedder:
        return make(config, given or (embedder if config.embedder == "local" else None))

    monkeypatch.setattr(wiring, "make_embedder", share)
    monkeypatch.setattr(trials, "STARTED", 1)
    monkeypatch.setattr(trials, "WRITTEN", 25)
    monkeypatch.setattr(trials, "KILLED_AFTER", (3, 9))

    def run(*args: object) -> Result:
        given = ["bench", "compare", *(str(arg) for arg in args)]
        return CliRunner().invoke(app, given, prog_name="emberkeep", catch_exceptions=False)

    return run


def document(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def databases(url: str) -> int:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    with engine.connect() as connection:
        counted = connection.execute(text("SELECT count(*) FROM pg_database WHERE datname LIKE 'emberkeep_bench_%'"))
        found = int(counted.scalar_one())
    engine.dispose()
    return found


# The whole.


@pytest.mark.slow
def test_emberkeep_and_pgvector_on_a_small_data_set(
    compare: Compare, data: Path, postgres_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    monkeypatch.setattr(entrants, "find_spec", lambda name: None if name == "chromadb" else find_spec(name))
    options = ["--db", postgres_server, "--only", "emberkeep,pgvector,chroma", "--rounds", 1, "--json"]
    result = compare("--data", data, "--items", 30, *options)
    found = document(result)
    assert found["setup"]["items"] == 30
    assert found["setup"]["questions"] == 5
    assert found["setup"]["embedder"] == "all-MiniLM-L6-v2-int8"
    assert found["setup"]["embedded_per_s"] > 0
    assert [one["name"] for one in found["standings"]] == ["emberkeep", "pgvector"]
    for one in found["standings"]:
        assert one["failed"] == []
        assert one["speed"]["recall"] == 1.0  # a user has six messages at most
        assert 0 < one["speed"]["p50_ms"] <= one["speed"]["p99_ms"]
        numbers = [value for name, value in one["speed"].items() if name != "version"]
        assert all(value > 0 for value in numbers)
        assert 3 <= one["killed"]["acknowledged"] <= 25
        assert (one["killed"]["lost"], one["killed"]["errors"]) == (0, 0)
        assert one["together"] == {"acknowledged": 50, "lost": 0, "errors": 0, "reason": None}
    assert found["left_out"] == {"chroma": "chromadb is not installed: pip install 'emberkeep[bench]'"}
    assert list(scratch.iterdir()) == []
    assert databases(postgres_server) == 0


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mem0") is None, reason="Mem0 is an extra: pip install 'emberkeep[bench]'")
@pytest.mark.filterwarnings("ignore:.*(lock|sqlite3|database):pytest.PytestUnraisableExceptionWarning")  # of Qdrant
def test_mem0_keeps_and_finds_and_is_for_one_process_at_a_time(data: Path, tmp_path: Path, home: Path) -> None:
    material.write(material.of_datasets([read_dataset(data)], 30), tmp_path / "notes.json")
    task = Task("fill", "mem0", str(tmp_path), str(tmp_path / "notes.json"), str(tmp_path / "answer.json"))
    filled = trial.fill(task)
    assert filled["version"].startswith("2.")
    assert filled["recall"] > 0.5
    kept = task.opened()
    try:
        assert kept.held() == set()  # nothing of the user whose notes are counted
        kept.add([replace(material.of_nothing(1).notes[0], user=SURVIVORS)])
        assert len(kept.held()) == 1
        with pytest.raises(RuntimeError, match="already accessed by another instance"):
            task.opened()
    finally:
        kept.close()
    gc.collect()
    assert not home.exists()


@pytest.mark.slow
def test_chroma(compare: Compare, data: Path) -> None:
    pytest.importorskip("chromadb")
    (found,) = document(compare("--data", data, "--only", "chroma", "--rounds", 1, "--json"))["standings"]
    assert found["speed"]["recall"] == 1.0
    assert found["failed"] == []


# What is refused.


def test_wrong_options(compare: Compare, data: Path) -> None:
    for options, said in (
        (["--only", "oracle"], "unknown store 'oracle'"),
        (["--data", data.with_name("none.json")], "cannot be read"),
        (["--items", 3], "--items"),
        (["--items", 10, "--only", "pgvector", "--db", "agent.db"], "is no PostgreSQL"),
    ):
        result = compare(*options)
        assert result.exit_code == 2
        assert said in result.stderr


def test_a_server_that_is_not_there(compare: Compare) -> None:
    result = compare("--items", 10, "--only", "pgvector", "--db", "postgresql://nobody@127.0.0.1:1/none")
    assert result.exit_code == 1
    assert "does not answer" in result.stderr


def test_less_than_the_data_holds(data: Path) -> None:
    dataset = read_dataset(data)
    with pytest.raises(InvalidInput, match="holds 10 messages"):
        material.of_datasets([dataset], 9)


def test_who_is_compared_and_who_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.name for one in chosen(())] == list(ENTRANTS)
    assert [one.name for one in chosen(("pgvector", "emberkeep", "pgvector"))] == ["pgvector", "emberkeep"]
    assert "name one in --db" in (why_left_out(ENTRANTS["pgvector"], has_server=False) or "")
    assert why_left_out(ENTRANTS["emberkeep"], has_server=False) is None
    monkeypatch.setattr(server, "find_spec", lambda _: None)
    assert not server.is_available("postgresql://somewhere")


# What is given to all.


def test_material_is_the_same_when_it_is_read_again(data: Path, tmp_path: Path) -> None:
    given = material.of_datasets([read_dataset(data)], 25)
    assert len(given.notes) == 25
    assert given.has_gold
    users = {note.user for note in given.notes if not note.message.id.startswith("made-up")}
    assert users == {user for user, _ in given.questions} == {"0", "1"}
    material.write(given, tmp_path / "notes.json")
    assert material.read(tmp_path / "notes.json") == given


def test_made_up_notes_are_all_different_and_go_in_by_session() -> None:
    given = material.of_nothing(1_250)
    assert len({note.message.text for note in given.notes}) == 1_250
    assert {note.user for note in given.notes} == {"0", "1"}
    assert not given.has_gold
    some = list(material.batches(given.notes, most=40))
    assert [note for batch in some for note in batch] == list(given.notes)
    assert all(len(batch) <= 40 for batch in some)
    assert all(len({(note.user, note.message.session) for note in batch}) == 1 for batch in some)


def test_vectors_are_made_once_and_looked_up_by_all(tmp_path: Path) -> None:
    real = WordEmbedder()
    recorder = Recorder(real)
    given = material.of_nothing(20)
    rehearse(Material(given.notes, given.questions[:5]), recorder)
    made = len(real.embedded)
    assert made == len(set(real.embedded))
    recorder.write(tmp_path / "all.npy")
    recorder.write(tmp_path / "questions.npy", texts=False)
    known, questions = Known(tmp_path / "all.npy"), Known(tmp_path / "questions.npy")
    said = [note.message.spoken for note in given.notes]
    np.testing.assert_array_equal(known.embed(said), recorder.embed(said))
    asked = given.questions[0][1].text
    np.testing.assert_array_equal(questions.embed_query(asked), real.embed_query(asked))
    assert (known.name, known.dimension) == (real.name, real.dimension)
    recorder.embed_query(f"{asked} ")
    recorder.write(tmp_path / "spaced.npy", texts=False)
    np.testing.assert_array_equal(Known(tmp_path / "spaced.npy").embed_query(asked), real.embed_query(asked))
    with pytest.raises(InvalidInput, match="no vector was made ahead for 'unheard of'"):
        questions.embed(["unheard of"])


def test_vectors_of_words_are_made_once_too(tmp_path: Path, embedder: LocalEmbedder) -> None:
    recorder = Recorder(embedder)
    texts = ["I ride a bicycle", "", "and so on"]
    recorder.embed(texts)
    recorder.embed_query("bicycle?")
    recorder.write(tmp_path / "all.npy")
    known = Known(tmp_path / "all.npy")
    assert has_words(known)
    pairs = [*zip(known.embed_words(texts)[1], embedder.embed_words(texts)[1], strict=True)]
    pairs.append((known.embed_query_words("bicycle?")[1], embedder.embed_query_words("bicycle?")[1]))
    for one, other in pairs:
        assert one is not None
        assert other is not None
        assert one.terms == other.terms
        np.testing.assert_array_equal(one.vectors, other.vectors)


def test_peak_memory_is_this_process_own() -> None:
    peak = peak_mb()
    assert peak is None or 10 < peak < 100_000


# What is counted.


@pytest.mark.slow
def test_what_was_acknowledged_and_is_gone_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "WRITTEN", 10)
    held = Trials._held

    def all_but_one(self: Trials, place: str, notes: tuple[Note, ...], reasons: list[str]) -> set[str]:
        return held(self, place, notes, reasons) - {notes[0].message.text}

    monkeypatch.setattr(Trials, "_held", all_but_one)
    assert Trials(ENTRANTS["emberkeep"], tmp_path, None).together() == Survival(20, 1, 0)


def test_what_a_store_raises_is_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a-file"
    place.write_text("this is no folder")
    task = Task("count", "emberkeep", str(place), "", str(tmp_path / "answer.json"))
    (tmp_path / "task.json").write_text(json.dumps(asdict(task)))
    monkeypatch.setattr("sys.argv", ["trial", str(tmp_path / "task.json")])
    trial.main()
    answer = json.loads((tmp_path / "answer.json").read_text())
    assert list(answer) == ["failed"]
    assert "StoreUnavailable" in answer["failed"]


def test_a_note_is_said_to_be_kept_when_it_is(tmp_path: Path) -> None:
    notes = [replace(note, user="survivors") for note in material.made_up(4)]

    class Forgetful:
        version = "1"

        def __init__(self) -> None:
            self.kept: list[str] = []

        def add(self, some: Any) -> None:
            if some[0] is notes[1]:
                raise OSError("the disk\nis full")
            self.kept.append(some[0].message.text)

        def find(self, user: str, question: Question) -> list[str]:
            return []

        def held(self) -> set[str]:
            return set(self.kept)

        def close(self) -> None: ...

    reasons = trial._acknowledged(Forgetful(), notes, tmp_path / "told")
    assert reasons == ["OSError: the disk is full"]
    assert (tmp_path / "told").read_text() == "0\n2\n3\n"


# What people read.


def test_what_could_not_be_measured_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    setup = Setup("1.0", "words", 10, 5, 100.0, 1.0, 3)
    failed = Standing("chroma", None, Survival(90, 4, 0), Survival(50, 0, 1, "it is locked"), ("fill: it broke",))
    report = Report(setup, (failed,), {"mem0": "mem0 is not installed"})
    out = console()
    for part in compare_view(report):
        out.print(part)
    shown = capsys.readouterr().out
    for words in ("chroma failed at fill: it broke", "chroma with two writers: it is locked", "mem0 is left out"):
        assert words in shown
    assert "90" in shown


def test_help(compare: Compare) -> None:
    shown = compare("--help").stdout
    assert "Example: emberkeep bench compare" in shown
    assert "--json" in shown


def test_times_are_whole_when_they_are_read_again() -> None:
    first = next(iter(material.made_up(1)))
    assert first.message.time == datetime(2026, 1, 5, 8, tzinfo=UTC)


def test_the_tables_of_the_documentation() -> None:
    speed = Speed("0.1.0", 500.0, 4_000.0, 2.34, 9.87, 0.857, 12_300_000, 110.4, 0.51)
    own = Standing("emberkeep", speed, Survival(400, 0, 0), Survival(400, 0, 0))
    other = Standing("chroma", None, None, Survival(200, 3, 1, "it is locked"), ("fill: it broke",))
    report = Report(Setup("0.1.0", "words", 10, 5, 100.0, 1.0, 5), (own, other), {})
    shown = list(tables(json.loads(json.dumps(asdict(report)))))
    assert shown[2] == "| Emberkeep, SQLite (0.1.0) | 500 | 4,000 | 2.3 / 9.9 | 85.7 | 12.3 | 110 | 0.51 |"
    assert shown[3] == "| Chroma, in a folder | – | – | – | – | – | – | – |"
    assert shown[-2:] == [
        "| Emberkeep, SQLite (0.1.0) | 400 | 0 | 400 | 0 | 0 |",
        "| Chroma, in a folder | – | – | 200 | 3 | 1 |",
    ]
