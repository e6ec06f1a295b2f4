"""Every test that the threat model names is there, and every threat names one or says that there is none."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "threats.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and line.count(" | ") == 3
]


def test_the_tests_that_it_names_exist() -> None:
    named = re.findall(r"`(tests/[\w/.]+\.py)`", PAGE)
    assert len(set(named)) > 20
    assert [name for name in named if not (ROOT / name).is_file()] == []
    assert [name for name in named if "def test_" not in (ROOT / name).read_text(encoding="utf-8")] == []


def test_every_threat_has_a_proof_or_says_that_it_has_none() -> None:
    threats = [row for row in ROWS if row[0] != "threat"]
    assert len(threats) > 20
    assert [row[0] for row in threats if row[2] != "–" and "`tests/" not in row[2]] == []
