"""Draws the results of `benchmarks.growth`, and prints them as the tables of docs/benchmarks.md.

python -m benchmarks.plot_growth growth.json [--images docs/images]

The pictures depend only on the figures: the same file gives the same bytes.
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.exponents import exponent, last_exponent

Points = Sequence[Mapping[str, Any]]
IMAGES = Path(__file__).parent.parent / "docs" / "images"
ENGINES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
SERIES = {
    "items": "memories of users who have 1,000 each",
    "one": "memories, all of one user",
    "users": "users who have 100 memories each",
}
COLOURS = ("#c2410c", "#1d4ed8", "#15803d", "#7e22ce", "#0e7490", "#a16207")


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: its name in the file, its label in a table, and the unit in which it is shown."""

    key: str
    label: str
    unit: str
    factor: float = 1.0


MEASURES = (
    Measure("add_p50_ms", "`add` of one message, p50", "ms"),
    Measure("add_cpu_ms", "… its processor time", "ms"),
    Measure("bulk_add_per_s", "`add` of 1,000 at a time (or 100, if a user has no more)", "messages/s"),
    Measure("bulk_add_per_cpu_s", "… in a second of processor time", "messages"),
    Measure("fast_p50_ms", "`search`, `fast`, p50", "ms"),
    Measure("fast_p95_ms", "… p95", "ms"),
    Measure("fast_cpu_ms", "… its processor time", "ms"),
    Measure("balanced_p50_ms", "`search`, `balanced`, p50", "ms"),
    Measure("balanced_p95_ms", "… p95", "ms"),
    Measure("balanced_cpu_ms", "… its processor time", "ms"),
    Measure("search_after_add_ms", "`search` right after an `add`, p50", "ms"),
    Measure("first_search_ms", "first `search` in a user's memory", "ms"),
    Measure("context_p50_ms", "`context`, p50", "ms"),
    Measure("context_cpu_ms", "… its processor time", "ms"),
    Measure("first_upkeep_s", "`upkeep` after loading, indexes built", "s"),
    Measure("first_upkeep_cpu_s", "… its processor time", "s"),
    Measure("upkeep_s", "`upkeep` with nothing to do", "s"),
    Measure("open_s", "opening, to the first answer", "s"),
    Measure("open_cpu_s", "… its processor time", "s"),
    Measure("start_s", "from the start of the process to the first answer", "s"),
    Measure("open_rss_mb", "peak memory of that process", "MB"),
    Measure("rss_mb", "peak memory, up to 21 users searched", "MB"),
    Measure("disk_bytes_per_item", "disk for each memory", "kB", 1e-3),
)
DRAWN = ("add_p50_ms", "balanced_p50_ms", "context_p50_ms", "open_s", "first_upkeep_s", "rss_mb")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="what `benchmarks.growth` wrote")
    parser.add_argument("--images", type=Path, default=IMAGES, help="where growth-*.svg go")
    options = parser.parse_args()
    points: Points = json.loads(options.file.read_text())["points"]
    for series, meaning in SERIES.items():
        mine = [one for one in points if one["series"] == series]
        if mine:
            (options.images / f"growth-{series}.svg").write_text(drawn(series, mine), encoding="utf-8")
            for engine, name in ENGINES.items():
                of_engine = [one for one in mine if one["engine"] == engine]
                if of_engine:
                    print(f"{name}, {meaning}:\n")
                    print("\n".join(table(series, of_engine)), end="\n\n")


def table(series: str, points: Points) -> Iterator[str]:
    """Yield a Markdown table: a row per measure, a column per size, the exponents over all sizes and the last two."""
    ordered = sorted(points, key=lambda one: size_of(series, one))
    sizes = [f"{size_of(series, one):,}" for one in ordered]
    yield f"| {'users' if series == 'users' else 'memories'} | {' | '.join(sizes)} | exponent | last step |"
    yield f"|---|{'--:|' * (len(sizes) + 2)}"
    for measure in MEASURES:
        curve = curve_of(series, ordered, measure.key)
        if curve:
            cells = [_shown(one.get(measure.key), measure.factor) for one in ordered]
            slopes = [_slope(exponent(curve)), _slope(last_exponent(curve))]
            yield f"| {measure.label}, {measure.unit} | {' | '.join(cells + slopes)} |"


def curve_of(series: str, points: Points, key: str) -> list[tuple[float, float]]:
    """Return the points of a curve: each size with the value measured there."""
    return [(size_of(series, one), one[key]) for one in points if one.get(key) is not None]


def size_of(series: str, point: Mapping[str, Any]) -> int:
    """Return the size of a point: the users or the memories, whichever grow in its series."""
    return int(point["users"] if series == "users" else point["items"])


def drawn(series: str, points: Points) -> str:
    """Draw a series as SVG: a chart with logarithmic axes for each measure, with a line for each engine."""
    import matplotlib as mpl  # noqa: PLC0415 - not needed for the tables
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.ticker import LogLocator, StrMethodFormatter  # noqa: PLC0415

    chosen = [one for one in MEASURES if one.key in DRAWN and curve_of(series, points, one.key)]
    columns = 3
    rows = -(-len(chosen) // columns)
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "emberkeep", "font.size": 9}):
        figure = Figure(figsize=(10, 2.9 * rows), layout="constrained")
        for place, measure in enumerate(chosen, 1):
            axes = figure.add_subplot(rows, columns, place)
            for colour, (engine, name) in zip(COLOURS, ENGINES.items(), strict=False):
                mine = sorted(curve_of(series, [one for one in points if one["engine"] == engine], measure.key))
                if mine:
                    slope = exponent(mine)
                    label = name if slope is None else f"{name}, n^{slope:.2f}"
                    axes.plot(*zip(*mine, strict=True), marker="o", markersize=3, color=colour, label=label)
            axes.set(xscale="log", yscale="log")
            axes.set_title(f"{measure.label.replace('`', '')}, {measure.unit}", fontsize=9)
            axes.minorticks_off()
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
            low, high = axes.get_ylim()
            axes.set_ylim(low / 2, high * 2)  # else the noise of a flat line would fill the chart
            axes.grid(alpha=0.3)
            axes.legend(frameon=False, fontsize=8)
        figure.supxlabel(SERIES[series], fontsize=9)
        return _tidy(_svg(figure), series)


def _svg(figure: Any) -> str:
    from io import StringIO  # noqa: PLC0415

    out = StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return out.getvalue()


def _tidy(svg: str, series: str) -> str:
    """Remove references to other documents; add a title and description for screen readers, and a dark mode."""
    svg = re.sub(r"<\?xml.*?\?>\s*|<!DOCTYPE.*?>\s*|\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = svg.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "").replace("xlink:href", "href")
    said = (
        f"\n <title>Growth: {SERIES[series]}</title>\n <desc>Each measure against the size, on logarithmic axes, with "
        "the exponent of the curve. The figures are in the tables of docs/benchmarks.md.</desc>\n <style>@media "
        "(prefers-color-scheme: dark) { svg { filter: invert(0.9) hue-rotate(180deg); } }</style>"
    )
    head = re.search(r"<svg[^>]*>", svg)
    assert head is not None
    text = svg[: head.end()] + said + svg[head.end() :]
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def _shown(value: float | None, factor: float) -> str:
    if value is None:
        return "–"
    scaled = value * factor
    return f"{scaled:,.0f}" if scaled >= 100 else f"{scaled:.1f}" if scaled >= 10 else f"{scaled:.2f}"


def _slope(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    main()
