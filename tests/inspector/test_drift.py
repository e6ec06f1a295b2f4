"""What the page knows of the verbs is what the table says."""

import runpy
from pathlib import Path

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "write_web.py"


def test_the_types_are_those_of_the_verbs() -> None:
    assert list(runpy.run_path(str(SCRIPT))["stale"]()) == [], "run `make reference`"
