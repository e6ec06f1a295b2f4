"""docs/reference says what the code says, so every setting, error and command is documented."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES: dict[str, str] = runpy.run_path(str(ROOT / "scripts" / "write_reference.py"))["pages"]()


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name: str) -> None:
    written = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert written == PAGES[name], "run `make reference`"
