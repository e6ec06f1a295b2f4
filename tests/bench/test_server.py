"""A PostgreSQL of its own starts whoever else has started one on the machine."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from emberkeep.bench import server

CODE = "from emberkeep.bench.server import server, size_of\nwith server(None) as own: print(size_of(own.url))"


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder for temporary files that everyone can reach; pytest's own is closed."""
    folder = Path(tempfile.mkdtemp(prefix="emberkeep-server-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.skipif(not server.is_available(None), reason="there is no PostgreSQL that can be started")
@pytest.mark.parametrize("runtime", [None, "/nowhere"])
def test_it_starts_where_the_lock_of_its_package_is_anothers(shared_folder: Path, runtime: str | None) -> None:
    (shared_folder / ".lockfile").mkdir()  # which nobody can open as a file
    variables = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
    variables |= {"TMPDIR": str(shared_folder)} | ({"XDG_RUNTIME_DIR": runtime} if runtime else {})
    done = subprocess.run([sys.executable, "-c", CODE], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0
