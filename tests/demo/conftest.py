"""The month, loaded once by each embedder."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import emberkeep
from emberkeep.config import Config
from emberkeep.demo.loading import Demo, load
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.testing import WordEmbedder

Loaded = tuple[Path, Demo]


@pytest.fixture(scope="session")
def in_words(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """The same by an embedder that is none, for tests that ask nothing of its vectors."""
    path = tmp_path_factory.mktemp("demo") / "words.db"
    return path, load(Config(db=str(path)), embedder=WordEmbedder())


@pytest.fixture
def month(copied_month: Path, embedder: LocalEmbedder) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(config=Config(db=str(copied_month)), embedder=embedder) as memory:
        yield memory


@pytest.fixture
def texts(month: emberkeep.Memory) -> Callable[..., list[str]]:
    """What is known of a user."""

    def known(user_id: str, as_of: str | None = None) -> list[str]:
        page = month.get_all(user_id=user_id, kinds=["fact", "preference", "decision"], limit=1_000, as_of=as_of)
        return [item.text for item in page.items]

    return known
