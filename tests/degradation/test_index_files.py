"""The files of a large shelf's index gone, damaged, or not to be written: searches go on, and the files come back."""

import logging
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import emberkeep
from emberkeep.testing import WordEmbedder

pytestmark = pytest.mark.slow
LINES = 60
LARGE = 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "agent.db"
    with emberkeep.open(path, embedder=WordEmbedder(), large_from=LARGE, learner="none") as memory:
        memory.add([f"line {n} about topic {n % 7}" for n in range(LINES)], user_id="alex")
        memory.upkeep()
    return path


def found(path: Path) -> list[str]:
    with emberkeep.open(path, embedder=WordEmbedder(), large_from=LARGE, learner="none") as memory:
        hits = memory.search("line 3 about topic 3", user_id="alex", limit=1)
        assert hits.degraded == ()
        memory.upkeep()
        return [hit.text for hit in hits]


@pytest.mark.parametrize("harm", ["deleted", "damaged", "not to be written"])
def test_searches_go_on_and_the_files_come_back(path: Path, harm: str, caplog: pytest.LogCaptureFixture) -> None:
    folder = Path(f"{path}-vectors")
    assert list(folder.glob("*.usearch"))
    if harm == "damaged":
        for file in folder.iterdir():
            file.write_bytes(b"\xff" * 1000)
    else:
        shutil.rmtree(folder)
    if harm == "not to be written":
        folder.write_text("in the way")  # also for root, who may write anywhere
        with caplog.at_level(logging.WARNING, "emberkeep"):
            assert found(path) == ["line 3 about topic 3"]
        assert "could not be saved" in caplog.text
        folder.unlink()
    assert found(path) == ["line 3 about topic 3"]
    assert list(folder.glob("*.usearch"))
    with emberkeep.open(path, embedder=WordEmbedder(), large_from=LARGE, learner="none") as memory:
        assert memory.repair(dry_run=True).sound


FULL = """
import resource, sys
from pathlib import Path
import emberkeep
from emberkeep.testing import WordEmbedder

with emberkeep.open(sys.argv[1], embedder=WordEmbedder(), large_from=20, learner="none") as memory:
    resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))  # less than an index takes
    print(memory.search("line 3 about topic 3", user_id="alex", limit=1)[0].text)
    memory._parts.residents.build_large("default")
"""


def test_a_disk_that_is_full_costs_the_file_and_nothing_else(path: Path) -> None:
    folder = Path(f"{path}-vectors")
    shutil.rmtree(folder)
    ran = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "line 3 about topic 3\n"), ran.stderr
    assert not list(folder.glob("*.usearch"))
    assert found(path) == ["line 3 about topic 3"]
    assert list(folder.glob("*.usearch"))
