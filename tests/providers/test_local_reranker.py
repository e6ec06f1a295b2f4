"""A cross-encoder that is none: what it says of a pair is the highest number of a piece of the text."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import emberkeep
from emberkeep import wiring
from emberkeep.clock import Deadline
from emberkeep.config import Config
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.providers.local_reranker import LocalReranker

# ReduceMax(Cast(Mul(input_ids, token_type_ids))), of shape [b, 1]
HIGHEST = (
    b'\x08\x08\x12\x00:\xf9\x01\n#\n\tinput_ids\n\x0etoken_type_ids\x12\x01m"\x03Mul\n\x17\n\x01m\x12\x01f"\x04Cast*'
    b'\t\n\x02to\x18\x01\xa0\x01\x02\n4\n\x01f\x12\x06logits"\tReduceMax*\x0b\n\x04axes@\x01\xa0\x01\x07*\x0f\n\x08'
    b"keepdims\x18\x01\xa0\x01\x02\x12\x01gZ\x1d\n\tinput_ids\x12\x10\n\x0e\x08\x07\x12\n\n\x03\x12\x01b\n\x03\x12"
    b'\x01sZ"\n\x0eattention_mask\x12\x10\n\x0e\x08\x07\x12\n\n\x03\x12\x01b\n\x03\x12\x01sZ"\n\x0etoken_type_ids\x12'
    b"\x10\n\x0e\x08\x07\x12\n\n\x03\x12\x01b\n\x03\x12\x01sb\x19\n\x06logits\x12\x0f\n\r\x08\x01\x12\t\n\x03\x12"
    b"\x01b\n\x02\x08\x01B\x04\n\x00\x10\r"
)
PIECES = ["[UNK]", "[CLS]", "[SEP]", "where", "is", "tea", "in", "cupboard"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "highest"
    path.mkdir()
    (path / "model.onnx").write_bytes(HIGHEST)
    (path / "vocab.txt").write_text("\n".join(PIECES))
    return path


def test_each_text_is_read_with_the_question(folder: Path) -> None:
    reader = LocalReranker(folder)
    texts = ["tea", "in the cupboard", "rain", "tea is where"]
    assert reader.name == "highest"
    assert reader.relevance("where is the cupboard?", texts).tolist() == [5.0, 7.0, 2.0, 5.0]  # [SEP] is a piece too
    assert reader.relevance("", ["cupboard"]).tolist() == [7.0]
    assert reader.relevance("tea", []).tolist() == []


def test_a_long_question_and_a_long_text_are_cut(folder: Path) -> None:
    (folder / "emberkeep.json").write_text(json.dumps({"max_tokens": 12}))
    reader = LocalReranker(folder)
    assert reader.relevance("tea " * 500, ["in " * 3 + "cupboard"]).tolist() == [7.0]
    assert reader.relevance("tea " * 500, ["in " * 9 + "cupboard"]).tolist() == [6.0]


def test_it_stops_when_the_deadline_passes(folder: Path) -> None:
    with pytest.raises(ModelUnavailable, match="highest read 0 of 2 texts in time"):
        LocalReranker(folder).relevance("tea", ["a", "b"], deadline=Deadline.after(0.0))


def test_a_folder_is_a_reranker_for_the_plan_deep(folder: Path) -> None:
    reader = wiring.make_reranker(Config(reranker=f"onnx:{folder}"))
    assert reader is not None
    assert reader.relevance("tea", ["cupboard"]).tolist() == [7.0]
    with emberkeep.open(":memory:", reranker=f"onnx:{folder}") as memory:
        memory.remember("the tea is in the cupboard")
        (hit,) = memory.search("where is the tea?", plan="deep")
        assert any(one.channel == "rerank" for one in hit.why.evidence)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a platform that does not fork")
def test_a_fork_loads_a_model_of_its_own_and_can_end(folder: Path) -> None:
    code = f"""
import os, sys
from pathlib import Path
from emberkeep.providers.local_reranker import LocalReranker
reader = LocalReranker(Path({str(folder)!r}))
reader.relevance("tea", ["cupboard"])
former, child = reader._loaded, os.fork()
if child == 0:
    sys.exit(0 if reader.relevance("tea", ["cupboard"])[0] == 7.0 and reader._loaded is not former else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "0\n"


def test_that_of_the_catalogue_reads_latin_script_only(folder: Path) -> None:
    assert not LocalReranker(folder, only_latin=True).reads("茶在哪里?")
    assert LocalReranker(folder, only_latin=True).reads("Where is the tea?")
    assert LocalReranker(folder).reads("茶在哪里?")


def write(name: str, content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(content)


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (write("model.onnx", b"nothing"), "onnxruntime cannot load"),
        (write("model.onnx", HIGHEST.replace(b"b\n\x02\x08\x01", b"b\n\x02\x08\x02")), "it is no cross-encoder"),
        (lambda folder: (folder / "model.onnx").unlink(), r"model.onnx or onnx/model.onnx is missing"),
        (lambda folder: (folder / "vocab.txt").unlink(), r"vocab.txt or tokenizer.json is missing"),
        (write("emberkeep.json", b"{"), "is not JSON"),
        (write("emberkeep.json", b'{"max_tokens": 7}'), "a pair needs 8 at least"),
    ],
    ids=["damaged", "embedder", "no-model", "no-vocabulary", "settings", "short"],
)
def test_a_folder_that_is_not_right_says_why(folder: Path, harm: Callable[[Path], object], message: str) -> None:
    harm(folder)
    with pytest.raises(ConfigError, match=message):
        LocalReranker(folder).relevance("tea", ["cupboard"])


def test_a_model_that_was_changed_since_is_refused(folder: Path) -> None:
    reader = LocalReranker(folder)
    (folder / "model.onnx").write_bytes(HIGHEST + b"\x00")
    with pytest.raises(ConfigError, match="is not the file it should be"):
        reader.relevance("tea", ["cupboard"])


@pytest.mark.parametrize("name", ["", "onnx:", "openai:x", "arctic-s"])
def test_an_unknown_one_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(ConfigError, match=r"unknown reranker .*: use none, ms-marco-l12 or onnx:FOLDER"):
        wiring.make_reranker(Config(reranker=name))
