"""The notebook among the examples: run from top to bottom, and kept without what it printed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "recall_and_temperature.ipynb"
# In a process of its own: what the packages around a kernel warn of is not ours to mend.
RUN = """
import sys
import nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
folder = {"metadata": {"path": sys.argv[2]}}
nbclient.NotebookClient(notebook, timeout=240, kernel_name="python3", resources=folder).execute()
print(nbformat.writes(notebook))
"""


def cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_it_is_kept_without_outputs() -> None:
    found = cells(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
    assert found
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in found)


@pytest.mark.slow
def test_it_runs_and_plots(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUN, str(NOTEBOOK), str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    outputs = [one for cell in cells(json.loads(ran.stdout)) for one in cell["outputs"]]
    assert sum("image/png" in one.get("data", {}) for one in outputs) == 2
    assert not [one for one in outputs if one["output_type"] == "error" or one.get("name") == "stderr"]
    assert list(tmp_path.iterdir()) == []
