"""What the page knows of the verbs is what the table says, and a part of it is styled in one place."""

import re
import runpy
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "scripts" / "write_web.py"
SHEETS = ROOT / "web" / "src"


def test_the_types_are_those_of_the_verbs() -> None:
    assert list(runpy.run_path(str(SCRIPT))["stale"]()) == [], "run `make reference`"


def test_a_class_is_styled_in_one_sheet() -> None:
    """All sheets are on every page, so a class of the same name on another page would get both looks."""
    sheets = defaultdict(set)
    for sheet in SHEETS.rglob("*.css"):
        for name in re.findall(r"^\s*\.([\w-]+)(?= \{|,$)", sheet.read_text(), re.MULTILINE):
            sheets[name].add(sheet.name)
    assert len(sheets) > 50
    assert {name: found for name, found in sheets.items() if len(found) > 1} == {}
