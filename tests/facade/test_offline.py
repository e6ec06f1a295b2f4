"""Nothing leaves the machine, and nothing is written outside the data folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROOFS = 3  # attempts that the journey makes to see that it is watched


def alone() -> list[str]:
    """What runs a command where there is no network at all, if this system and user can; else nothing."""
    command = ["unshare", "--net", "--"]
    if shutil.which("unshare") is None:
        return []
    return command if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0 else []


@pytest.fixture
def run_alone(tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    """The journey in processes without a network, whose home and working folder are empty."""
    for name in ("user", "work", "scratch", "guard"):
        (tmp_path / name).mkdir()
    shutil.copy(HERE / "no_network.py", tmp_path / "guard" / "sitecustomize.py")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("EMBERKEEP_", "XDG_"))}
    environ |= {"HOME": str(tmp_path / "user"), "TMPDIR": str(tmp_path / "scratch")}
    environ |= {"EMBERKEEP_HOME": str(tmp_path / "data"), "PYTHONDONTWRITEBYTECODE": "1"}
    environ |= {"ATTEMPTS": str(tmp_path / "guard" / "attempts")}
    environ["PYTHONPATH"] = os.pathsep.join([str(tmp_path / "guard"), *filter(None, [environ.get("PYTHONPATH")])])
    away = alone()
    command = [*away, sys.executable, str(HERE / "journey_offline.py"), "alone" if away else "watched"]
    return subprocess.run(
        command, cwd=tmp_path / "work", env=environ, capture_output=True, text=True, timeout=180, check=False
    )


@pytest.mark.slow
def test_everything_works_without_a_network(run_alone: "subprocess.CompletedProcess[str]", tmp_path: Path) -> None:
    assert run_alone.returncode == 0, run_alone.stderr
    assert "The user moved to Lisbon in May" in run_alone.stdout
    attempts = (tmp_path / "guard" / "attempts").read_text(encoding="utf-8").splitlines()
    assert attempts[PROOFS:] == []
    assert [attempt.split()[1] for attempt in attempts] == ["192.0.2.1", "example.org", "192.0.2.2"]
    written = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {"data", "work", "guard"}
    assert {path.name for path in (tmp_path / "work").iterdir()} == {"all.jsonl", "all.backup"}
    assert "memory.db" in {path.name for path in (tmp_path / "data").iterdir()}
