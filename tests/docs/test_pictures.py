"""The pictures of the documentation: each is shown somewhere, says what it shows, and its numbers are the formula's."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from emberkeep.lifecycle.temperature import Thermal

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
PICTURES = sorted((ROOT / "docs" / "images").glob("*.svg"))
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
SHOWN = {
    (page.parent / target).resolve(): text
    for page in (ROOT / "docs").rglob("*.md")
    for text, target in _IMAGE.findall(re.sub(r"`[^`\n]+`", "", page.read_text(encoding="utf-8")))
}


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.name)
def test_it_is_shown_in_words_too_and_asks_for_nothing(picture: Path) -> None:
    root = ET.parse(picture).getroot()  # noqa: S314 - ours
    for part in ("title", "desc"):
        assert (root.findtext(f"{SVG}{part}") or "").strip()
    assert len(SHOWN[picture.resolve()]) > 40
    text = picture.read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in text
    assert set(re.findall(r"https?://[^\"\s]+", text)) == {"http://www.w3.org/2000/svg"}


def test_the_curve_of_temperature_is_the_formula() -> None:
    """A point of the curve that is labelled says what a memory of that day has."""
    root = ET.parse(ROOT / "docs" / "images" / "temperature.svg").getroot()  # noqa: S314 - ours
    labels = {(int(one.attrib["data-day"]), one.text) for one in root.iter(f"{SVG}text") if "data-day" in one.attrib}
    thermal, start = Thermal(), datetime(2026, 6, 1, tzinfo=UTC)

    def after(temperature: float, days: int, uses: int) -> float:
        return thermal.cooled_from(temperature, start, uses, start + timedelta(days=days))

    expected = {(60, after(75.0, 60, 0)), (180, after(75.0, 180, 0))}
    temperature = 75.0
    for uses, day in enumerate((30, 60, 90)):
        cooled = after(temperature, 30, uses)
        temperature = cooled + thermal.reheat_by
        expected |= {(day, cooled), (day, temperature)}
    expected |= {(200, after(temperature, 110, 3))}
    assert labels == {(day, f"{value:g}°") for day, value in expected}
