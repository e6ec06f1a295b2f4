"""The whole command on a small data set, with the real embedder."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import create_engine, inspect, make_url, text
from typer.testing import Result

import emberkeep
from emberkeep.bench.own import variants
from emberkeep.bench.peers import chroma, mem0
from emberkeep.errors import InvalidInput
from emberkeep.model.recall import Plan
from emberkeep.providers.local_embedder import LocalEmbedder

from .conftest import ANNA_AND_BEN, QUESTIONS_TO_THEM, a_dataset, a_store

pytestmark = pytest.mark.slow

Run = Callable[..., Result]
TINY_QUESTIONS = 5  # with gold
INTERRUPTED = 130


def document(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refusal(result: Result) -> str:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# What it measures.


@pytest.mark.parametrize("learner", ["rules", "none"])
def test_recall_of_a_small_data_set(run: Run, data: Path, learner: str) -> None:
    found = document(run("--data", data, "--learner", learner, "--json"))
    assert found["setup"] == {
        "version": emberkeep.__version__,
        "database": "sqlite",
        "plan": "balanced",
        "channels": found["setup"]["channels"],
        "kinds": "episode",
        "learner": learner,
        "embedder": "all-MiniLM-L6-v2-int8",
        "reranker": None,
    }
    (tiny,) = found["sets"]
    counts = [tiny[name] for name in ("name", "stores", "messages", "questions", "without_gold")]
    assert counts == ["tiny", 2, 10, TINY_QUESTIONS, 1]
    (system,) = tiny["systems"]
    overall = system["overall"]
    assert overall["messages"]["frac@10"] == {"mean": 1.0, "low": 1.0, "high": 1.0}  # there are six messages at most
    assert overall["messages"]["mrr"]["mean"] > 0.8
    assert overall["messages"]["mrr"]["low"] <= overall["messages"]["mrr"]["mean"]
    assert overall["sessions"]["any@5"]["mean"] == 1.0
    assert {group["name"]: group["questions"] for group in system["categories"]} == {
        "assistant": 1,
        "yak-category": 2,
        "zebra-category": 2,
    }
    assert [bool(group["sessions"]) for group in system["categories"]] == [True, False, False]
    assert [group["session_questions"] for group in system["categories"]] == [1, 0, 0]
    assert 0 < overall["latency"]["p50_ms"] <= overall["latency"]["p95_ms"]
    assert system["keeping_per_embedding"] == pytest.approx(system["keeping_s"] / system["embedding_s"])
    ratio = overall["latency"]["p50_ms"] / overall["latency"]["embedding_p50_ms"]
    assert overall["latency"]["per_embedding"] == pytest.approx(ratio)
    assert 0 < overall["tokens"]["tokens@5"]["mean"] <= overall["tokens"]["tokens@25"]["mean"]
    assert system["difference"] == {}


def test_people_read_it(run: Run, data: Path) -> None:
    result = run("--data", data)
    assert result.exit_code == 0, result.output
    assert "tiny: 2 stores, 10 messages, 5 questions, 1 without gold left out" in result.stdout
    for word in ("zebra-category", "frac@10", "ndcg@10", "mrr", "tokens@5", "p95 ms", "embedding alone"):
        assert word in result.stdout
    assert "compared" not in result.stdout
    assert max(len(line.rstrip()) for line in result.stdout.splitlines()[1:]) <= 80
    assert "…" not in result.stdout


def test_each_answer_is_a_line(run: Run, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    run("--data", data, "--out", out)
    answers = lines(out)
    assert [(one["set"], one["system"], one["store"], one["question"]) for one in answers] == [
        *(("tiny", "emberkeep", "anna", f"q{number}") for number in range(1, 5)),
        ("tiny", "emberkeep", "assistant", "q1"),
    ]
    first = answers[0]
    assert (first["category"], first["gold"]) == ("zebra-category", ["m1"])
    assert first["ranked"][0] == "m1"
    assert set(first["ranked"]) <= {one for one, *_ in ANNA_AND_BEN}
    assert len(first["scores"]) == len(first["ranked"])
    assert first["latency_ms"] > 0
    assert first["embedding_ms"] > 0
    assert answers[4]["ranked_sessions"][0] == "b"


def test_a_file_after_the_first_needs_no_option(run: Run, data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(a_dataset(a_store(), name="other")))
    found = document(run("--data", data, other, "--limit", "1", "--json"))
    assert [(one["name"], one["questions"]) for one in found["sets"]] == [("tiny", 1), ("other", 1)]


def test_what_was_learned_counts_for_the_messages_it_came_from(run: Run, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    found = document(run("--data", data, "--kinds", "all", "--out", out, "--json"))
    assert found["sets"][0]["systems"][0]["overall"]["messages"]["frac@10"]["mean"] == 1.0
    for answer in lines(out):
        assert len(answer["ranked"]) == len(set(answer["ranked"]))


def test_what_each_channel_brings(run: Run, data: Path) -> None:
    found = document(run("--data", data, "--ablate", "--json"))
    whole, *others = found["sets"][0]["systems"]
    channels = found["setup"]["channels"]
    assert [one["name"] for one in others] == [f"without {channel}" for channel in channels]
    for one in others:
        more = one["overall"]["messages"]["mrr"]["mean"] - whole["overall"]["messages"]["mrr"]["mean"]
        assert one["difference"]["mrr"]["mean"] == pytest.approx(more)
        assert one["keeping_s"] == whole["keeping_s"]
    shown = run("--data", data, "--ablate").stdout
    assert "compared" in shown
    assert f"without {channels[0]}" in shown


def test_of_one_channel_nothing_can_be_left_out() -> None:
    with pytest.raises(InvalidInput, match="one channel only"):
        variants(Plan("words", channels=("lexical",)), ablate=True)


# Where it measures.


def test_only_what_was_said_is_indexed(run: Run, data: Path, tmp_path: Path) -> None:
    db = tmp_path / "kept.db"
    assert run("--data", data, "--db", db, "--learner", "rules").exit_code == 0
    with emberkeep.open(db) as memory:
        kept = list(memory.get_all(user_id="*", limit=1_000))
    episodes = {item.spoken for item in kept if item.kind == "episode"}
    assert {f"{speaker}: {said}" for _, _, speaker, said in ANNA_AND_BEN} <= episodes
    assert len(episodes) == 10
    labels = [*(one for one, *_ in ANNA_AND_BEN), *(question["id"] for question in QUESTIONS_TO_THEM)]
    labels += ["category", "gold", "s1", "s2", "tiny"]
    for item in kept:
        indexed = f" {item.spoken} {item.tags} {item.metadata} ".lower()
        assert not [label for label in labels if f" {label} " in indexed or (len(label) > 2 and label in indexed)]
    said = {f"{speaker}: {said}" for _, _, speaker, said in ANNA_AND_BEN}
    assert {item.occurred_at.isoformat() for item in kept if item.spoken in said} == {"2023-05-08T13:56:00+00:00"}
    assert all((item.user_id or "").isdigit() for item in kept)


def test_a_file_that_is_there_is_left_alone(run: Run, data: Path, tmp_path: Path) -> None:
    db = tmp_path / "agent.db"
    db.write_bytes(b"precious")
    assert "exists already" in refusal(run("--data", data, "--db", db))
    assert db.read_bytes() == b"precious"


def test_temporary_files_are_removed(
    run: Run, data: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    assert run("--data", data).exit_code == 0
    assert list(scratch.iterdir()) == []
    assert not home.exists()


def test_on_postgresql_it_erases_its_own_and_touches_nothing_else(
    run: Run, data: Path, postgres_url: str, embedder: LocalEmbedder
) -> None:
    with emberkeep.open(postgres_url, embedder=embedder) as memory:
        memory.add("I live in Lisbon.", user_id="alex")
    before = rows_by_table(postgres_url)
    found = document(run("--data", data, "--db", postgres_url, "--ablate", "--json"))
    assert found["setup"]["database"] == "postgresql"
    assert found["sets"][0]["systems"][0]["overall"]["messages"]["frac@10"]["mean"] == 1.0
    assert rows_by_table(postgres_url) == before


def test_both_databases_rank_alike(run: Run, data: Path, postgres_url: str, tmp_path: Path) -> None:
    run("--data", data, "--out", tmp_path / "one.jsonl")
    run("--data", data, "--out", tmp_path / "two.jsonl", "--db", postgres_url)
    one, two = ([line["ranked"] for line in lines(tmp_path / name)] for name in ("one.jsonl", "two.jsonl"))
    assert one == two


def test_an_error_on_postgresql_leaves_nothing_behind(
    run: Run, data: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("--data", data, "--db", postgres_url, "--limit", "1")  # which makes the space for vectors
    before = rows_by_table(postgres_url)

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(emberkeep.Memory, "search", stop)
    assert run("--data", data, "--db", postgres_url).exit_code == INTERRUPTED
    assert rows_by_table(postgres_url) == before


def rows_by_table(url: str) -> dict[str, int]:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    with engine.connect() as connection:
        names = inspect(connection).get_table_names()
        counted = {name: connection.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one() for name in names}
    engine.dispose()
    return counted


@pytest.mark.slow
@pytest.mark.parametrize("signalled", [signal.SIGINT, signal.SIGTERM])
def test_broken_off_it_leaves_no_files(tmp_path: Path, signalled: signal.Signals) -> None:
    many = [{**QUESTIONS_TO_THEM[0], "id": f"q{number}"} for number in range(5_000)]
    data, out, scratch = tmp_path / "many.json", tmp_path / "answers.jsonl", tmp_path / "scratch"
    data.write_text(json.dumps(a_dataset(a_store(questions=many))))
    scratch.mkdir()
    command = [sys.executable, "-m", "emberkeep", "bench", "recall", "--data", str(data), "--out", str(out)]
    with subprocess.Popen(command, env={**os.environ, "TMPDIR": str(scratch)}, stderr=subprocess.PIPE) as process:
        began = time.monotonic()
        while not (out.exists() and out.read_text()) and time.monotonic() - began < 60:
            time.sleep(0.05)
        assert list(scratch.iterdir())
        process.send_signal(signalled)
        assert process.wait(timeout=30) == INTERRUPTED
    assert list(scratch.iterdir()) == []


# What it refuses.


def test_wrong_options(run: Run, data: Path, tmp_path: Path) -> None:
    assert "--data" in refusal(run())
    assert "unknown plan 'best'" in refusal(run("--data", data, "--plan", "best"))
    assert "'some' is not one of" in refusal(run("--data", data, "--kinds", "some"))
    assert "'llm' is not one of" in refusal(run("--data", data, "--learner", "llm"))
    assert "unknown embedder 'best'" in refusal(run("--data", data, "--embedder", "best"))
    assert "unknown peer 'nobody'" in refusal(run("--data", data, "--compare", "mem0,nobody"))
    assert "holds the data" in refusal(run("--data", data, "--out", data))
    assert "cannot be written" in refusal(run("--data", data, "--out", tmp_path))
    assert "cannot be read" in refusal(run("--data", tmp_path / "nowhere.json"))
    late = tmp_path / "late.json"
    late.write_text(json.dumps(a_dataset(a_store(questions=QUESTIONS_TO_THEM[4:]), a_store(id="other"))))
    assert "no question with gold in the first 1" in refusal(run("--data", late, "--limit", "1"))


@pytest.mark.parametrize(("module", "name"), [(mem0, "mem0"), (chroma, "chroma")])
def test_a_peer_that_is_not_installed(
    run: Run, data: Path, module: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    assert "pip install 'emberkeep[bench]'" in refusal(run("--data", data, "--compare", name))


def test_help(run: Run) -> None:
    shown = run("--help").stdout
    assert "Example: emberkeep bench recall" in shown
    assert "--json" in shown


# Whom it is compared with.


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Qdrant leaves a file open
@pytest.mark.skipif(find_spec("mem0") is None, reason="Mem0 is an extra: pip install 'emberkeep[bench]'")
def test_mem0_beside_it(run: Run, data: Path, tmp_path: Path, home: Path, embedder: LocalEmbedder) -> None:
    check_peer(run, data, tmp_path, "mem0", embedder)
    assert not home.exists()


@pytest.mark.slow
def test_chroma_beside_it(run: Run, data: Path, tmp_path: Path, home: Path, embedder: LocalEmbedder) -> None:
    pytest.importorskip("chromadb")
    check_peer(run, data, tmp_path, "chroma", embedder)
    assert not home.exists()


def check_peer(run: Run, data: Path, tmp_path: Path, name: str, embedder: LocalEmbedder) -> None:
    """A peer with our embedder finds what our vectors find."""
    out = tmp_path / "answers.jsonl"
    found = document(run("--data", data, "--compare", name, "--out", out, "--json"))
    own, peer = found["sets"][0]["systems"]
    assert (own["name"], peer["name"]) == ("emberkeep", name)
    assert peer["overall"]["messages"]["frac@10"]["mean"] == 1.0
    assert peer["keeping_s"] > 0
    assert "mrr" in peer["difference"]
    ranked = [one["ranked"] for one in lines(out) if one["system"] == name]
    vectors = embedder.embed([f"{speaker}: {said}" for _, _, speaker, said in ANNA_AND_BEN])
    for question, ids in zip(QUESTIONS_TO_THEM[:4], ranked, strict=False):
        nearest = np.argsort(-(vectors @ embedder.embed_query(question["text"])))
        assert len(ids) >= 3  # Mem0 leaves out what lies in the opposite direction
        assert ids == [ANNA_AND_BEN[at][0] for at in nearest[: len(ids)]]
