"""Prints the results of `emberkeep bench compare --json` as the tables of docs/benchmarks.md.

emberkeep bench compare --data locomo-dev.json.gz --items 10000 --json > compare.json
python -m benchmarks.side_by_side compare.json
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

NAMES = {
    "emberkeep": "Emberkeep, SQLite",
    "emberkeep-postgres": "Emberkeep, PostgreSQL",
    "mem0": "Mem0, Qdrant in a folder",
    "chroma": "Chroma, in a folder",
    "pgvector": "pgvector, a table with HNSW",
}
Found = Mapping[str, Any]


def main() -> None:
    print("\n".join(tables(json.loads(Path(sys.argv[1]).read_text()))))


def tables(report: Found) -> Iterator[str]:
    """Yield a table of speed and size, and one of the records lost by killed writers and with two writers at once."""
    standings = report["standings"]
    yield "| store | add/s | in batches | search p50 / p99, ms | frac@10 | disk, MB | peak RSS, MB | cold start, s |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for one in standings:
        yield f"| {_name(one)} | {' | '.join(_speed(one['speed']))} |"
    yield ""
    rounds = report["setup"]["rounds"]
    yield f"| store | acknowledged, killed {rounds} times | lost | acknowledged, two writers | lost | errors |"
    yield "|---|--:|--:|--:|--:|--:|"
    for one in standings:
        cells = [*_losses(one["killed"]), *_losses(one["together"]), _errors(one)]
        yield f"| {_name(one)} | {' | '.join(cells)} |"


def _name(one: Found) -> str:
    name = str(NAMES.get(one["name"], one["name"]))
    return name if one["speed"] is None else f"{name} ({one['speed']['version']})"


def _speed(speed: Found | None) -> list[str]:
    if speed is None:
        return ["–"] * 7
    return [
        f"{speed['add_per_s']:,.0f}",
        f"{speed['batch_per_s']:,.0f}",
        f"{speed['p50_ms']:.1f} / {speed['p99_ms']:.1f}",
        "–" if speed["recall"] is None else f"{speed['recall'] * 100:.1f}",
        f"{speed['disk_bytes'] / 1e6:,.1f}",
        "–" if speed["rss_mb"] is None else f"{speed['rss_mb']:,.0f}",
        f"{speed['cold_start_s']:.2f}",
    ]


def _losses(one: Found | None) -> list[str]:
    return ["–", "–"] if one is None else [f"{one['acknowledged']:,}", f"{one['lost']:,}"]


def _errors(one: Found) -> str:
    return f"{sum(survival['errors'] for survival in (one['killed'], one['together']) if survival):,}"


if __name__ == "__main__":
    main()
