"""The benchmark of growth, at sizes that take no time, so that it is there when somebody needs it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from benchmarks import plot_growth
from benchmarks.exponents import exponent, last_exponent
from benchmarks.plot_growth import drawn, table
from benchmarks.texts import SummedEmbedder

ROOT = Path(__file__).parents[2]


def run(module: str, *args: object) -> str:
    command = [sys.executable, "-m", f"benchmarks.{module}", *(str(arg) for arg in args)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=600)
    return done.stdout


# The exponent.


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0, -1.0])
def test_the_exponent_of_a_power_law_is_its_power(power: float) -> None:
    curve = [(size, 3.0 * size**power) for size in (1_000.0, 10_000.0, 100_000.0)]
    assert exponent(curve) == pytest.approx(power)
    assert last_exponent(curve) == pytest.approx(power)


def test_noise_around_a_power_law_does_not_move_it_far() -> None:
    chance = np.random.default_rng(7)
    curve = [(float(size), float(size * chance.normal(1, 0.05))) for size in np.logspace(3, 6, 12)]
    assert exponent(curve) == pytest.approx(1.0, abs=0.05)


def test_a_fixed_cost_hides_growth_but_not_in_the_last_step() -> None:
    curve = [(size, 100.0 + size / 100) for size in (1_000.0, 1_000_000.0, 10_000.0, 100_000.0)]
    overall, last = exponent(curve), last_exponent(curve)
    assert overall is not None
    assert last is not None
    assert overall < 0.7 < last < 1.0


@pytest.mark.parametrize("curve", [[], [(1.0, 2.0)], [(5.0, 1.0), (5.0, 2.0)], [(1.0, 0.0), (2.0, 1.0)]])
def test_without_two_sizes_there_is_no_exponent(curve: list[tuple[float, float]]) -> None:
    assert exponent(curve) is None


# The embedder.


def test_cheap_vectors_are_the_same_whatever_came_before() -> None:
    first, second = SummedEmbedder(), SummedEmbedder()
    second.embed([f"word-{number}" for number in range(3_000)])
    texts = ["Anna moved to Lisbon", "the telescope broke"]
    np.testing.assert_array_equal(first.embed(texts), second.embed(texts))
    assert first.embed([]).shape == (0, 384)
    assert np.linalg.norm(first.embed_query("Lisbon")) == pytest.approx(1.0)
    assert first.embed_query("Lisbon") @ first.embed(texts)[0] > first.embed_query("Lisbon") @ first.embed(texts)[1]


# What is printed and drawn.


def points(series: str, **curves: list[float | None]) -> list[dict[str, Any]]:
    sizes = [1_000, 10_000, 100_000]
    rows = [{name: values[at] for name, values in curves.items()} for at in range(len(sizes))]
    return [
        {"engine": "sqlite", "series": series, "items": size, "users": size // 100, **row}
        for size, row in zip(sizes, rows, strict=True)
    ]


def test_a_table_has_a_row_a_measure_with_its_exponents() -> None:
    measured = points("items", fast_p50_ms=[2.0, 2.0, 2.0], open_s=[0.1, 1.0, 10.0], first_search_ms=[None, None, None])
    assert list(table("items", measured)) == [
        "| memories | 1,000 | 10,000 | 100,000 | exponent | last step |",
        "|---|--:|--:|--:|--:|--:|",
        "| `search`, `fast`, p50, ms | 2.00 | 2.00 | 2.00 | 0.00 | 0.00 |",
        "| opening, to the first answer, s | 0.10 | 1.00 | 10.0 | 1.00 | 1.00 |",
    ]
    assert next(table("users", measured)) == "| users | 10 | 100 | 1,000 | exponent | last step |"


def test_a_picture_depends_on_the_figures_alone() -> None:
    pytest.importorskip("matplotlib")
    measured = points("one", add_p50_ms=[2.0, 3.0, 4.0], rss_mb=[100.0, 150.0, 700.0])
    first = drawn("one", measured)
    assert first == drawn("one", measured)
    root = ET.fromstring(first)  # noqa: S314 - ours
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Growth: memories, all of one user"
    assert "SQLite, n^0.15" in first


# The whole.


@pytest.mark.slow
def test_a_small_run_on_both_engines(
    postgres_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "growth.json"
    options = ["--opens", "1", "--questions", "10", "--series", "users", "--users", "2"]
    options += ["--db", postgres_server, "--out", str(out), "--folder", str(tmp_path)]
    run("growth", "--engines", "sqlite,postgres", *options)
    assert run("growth", "--engines", "sqlite", *options) == ""  # it is there
    found = json.loads(out.read_text())["points"]
    assert [(one["engine"], one["items"], one["users"]) for one in found] == [
        ("sqlite", 200, 2),
        ("postgres", 200, 2),
    ]
    for one in found:
        assert all(value > 0 for value in one.values() if not isinstance(value, str)), one
    assert sorted(tmp_path.iterdir()) == [out]
    monkeypatch.setattr("sys.argv", ["plot_growth", str(out), "--images", str(tmp_path)])
    plot_growth.main()
    assert capsys.readouterr().out.count("| exponent |") == 2
    assert (tmp_path / "growth-users.svg").exists()
