import json
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from emberkeep.clock import Deadline
from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.providers.base import Vectors
from emberkeep.providers.static_embedder import StaticEmbedder

PIECES = "[PAD] [UNK] [CLS] [SEP] cats sleep ##y here . void".split()
TABLE = np.array(
    [[9, 9], [0, 2], [9, 9], [9, 9], [3, 0], [0, 4], [1, 1], [0, 1], [-1, 0], [0, 0]],
    dtype=np.float32,
)


def safetensors(table: Vectors, kind: str = "F32", **changes: object) -> bytes:
    tensor = {"dtype": kind, "shape": list(table.shape), "data_offsets": [0, table.nbytes], **changes}
    header = json.dumps({"__metadata__": {"format": "pt"}, "embeddings": tensor}).encode()
    return struct.pack("<Q", len(header)) + header + table.tobytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "potion"
    path.mkdir()
    (path / "model.safetensors").write_bytes(safetensors(TABLE))
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    (path / "tokenizer.json").write_text(json.dumps({"model": {"type": "WordPiece", "vocab": vocabulary}}))
    return path


def test_a_text_is_the_mean_of_its_known_pieces(folder: Path) -> None:
    embedder = StaticEmbedder(folder)

    vectors = embedder.embed(["Cats sleep", "sleepy unheard-of cats", "cats"])

    assert embedder.dimension == 2
    assert vectors.dtype == np.float32
    assert embedder.name.startswith("potion-")
    means = np.array([[1.5, 2], [4 / 3, 5 / 3], [3, 0]], dtype=np.float32)
    np.testing.assert_allclose(vectors, means / np.linalg.norm(means, axis=1, keepdims=True), rtol=1e-6)


@pytest.mark.parametrize("text", ["", " ", "我的姐姐", "unheard of"])
def test_a_text_without_a_known_piece_is_the_unknown_one(folder: Path, text: str) -> None:
    assert StaticEmbedder(folder).embed([text]).tolist() == [[0, 1]]


def test_a_text_has_one_vector_alone_in_a_batch_and_in_a_thread(folder: Path) -> None:
    embedder = StaticEmbedder(folder)
    texts = ["cats", "cats sleep here.", "", "sleepy " * 1_000]

    with ThreadPoolExecutor(4) as pool:
        alone = np.stack(list(pool.map(embedder.embed_query, texts)))

    np.testing.assert_array_equal(embedder.embed(texts), alone)
    assert embedder.embed([]).shape == (0, 2)


def test_half_precision_will_do(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(safetensors(TABLE.astype(np.float16), "F16"))
    vectors = StaticEmbedder(folder).embed(["cats sleep"])

    np.testing.assert_allclose(vectors, [[0.6, 0.8]], rtol=1e-6)
    assert vectors.dtype == np.float32


def test_a_folder_says_how_its_model_is_asked(folder: Path) -> None:
    plain = StaticEmbedder(folder)
    settings = {"name": "mine", "query_prefix": "cats ", "document_prefix": "here ", "max_tokens": 4}
    (folder / "emberkeep.json").write_text(json.dumps(settings))
    asked = StaticEmbedder(folder)

    assert asked.name.startswith("mine-")
    assert asked.name.removeprefix("mine") != plain.name.removeprefix("potion")
    np.testing.assert_array_equal(asked.embed_query("sleep"), plain.embed_query("cats sleep"))
    np.testing.assert_array_equal(asked.embed(["sleep cats cats"])[0], plain.embed_query("here sleep"))


def test_stops_at_the_deadline(folder: Path) -> None:
    with pytest.raises(ModelUnavailable, match="embedded 0 of 2 texts in time"):
        StaticEmbedder(folder).embed(["a", "b"], deadline=Deadline.after(0))
    with pytest.raises(ModelUnavailable, match="the deadline has passed"):
        StaticEmbedder(folder).embed_query("a", deadline=Deadline.after(0))


def test_pieces_without_a_direction_are_refused(folder: Path) -> None:
    with pytest.raises(ModelUnavailable, match="come to nothing"):
        StaticEmbedder(folder).embed(["void"])


def table(content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / "model.safetensors").write_bytes(content)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / "model.safetensors").unlink(), "model.safetensors is missing in"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "vocab.txt or tokenizer.json is missing in"),
        (table(b""), "not a safetensors file"),
        (table(b"\xff" * 64), "not a safetensors file"),
        (table(struct.pack("<Q", 2**62) + b"{}"), "does not hold one table"),
        (table(struct.pack("<Q", 2) + b"[]"), "does not hold one table"),
        (table(safetensors(TABLE, "I8")), "does not hold one table"),
        (table(safetensors(TABLE, shape=[5, 2])), "does not hold one table"),
        (table(safetensors(TABLE, shape=[-10, -2])), "does not hold one table"),
        (table(safetensors(TABLE).replace(b"embeddings", b"embeddingx")), "does not hold one table"),
        (table(safetensors(TABLE)[:-1]), "is cut off"),
        (table(safetensors(TABLE, shape=[2**40, 2], data_offsets=[0, 2**43])), "is cut off"),
        (table(safetensors(TABLE, data_offsets=[-80, 0])), "does not hold one table"),
        (table(safetensors(TABLE[:9])), "9 vectors for 10 pieces"),
        (table(safetensors(np.full_like(TABLE, np.inf))), "not finite"),
    ],
)
def test_a_wrong_folder_is_explained(folder: Path, change: Callable[[Path], object], message: str) -> None:
    change(folder)

    with pytest.raises(ConfigError, match=message):
        StaticEmbedder(folder).embed_query("hi")
