"""The output of `emberkeep bench compare`: tables with one line per store."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from emberkeep.bench.compare.standing import Report, Speed, Standing, Survival


def compare_view(report: Report) -> Iterator[RenderableType]:
    """The speed and size of each store, what it survives, why it failed, and which stores were left out."""
    setup = report.setup
    yield Text(
        f"Emberkeep {setup.version}: {setup.items:,} notes, {setup.questions:,} questions, embedder {setup.embedder}, "
        f"whose time is not in these figures ({setup.embedded_per_s:,.0f} texts/s, a question "
        f"{setup.query_embedding_ms:.1f} ms)"
    )
    yield Text()
    yield _speeds(report)
    yield Text()
    yield _survivals(report)
    for standing in report.standings:
        yield from _said(standing)
    for name, reason in report.left_out.items():
        yield Text(f"{name} is left out: {reason}")


def _speeds(report: Report) -> Table:
    table = _table("store", "add/s", "batch/s", "p50 ms", "p99 ms", "frac@10", "disk MB", "RSS MB", "start s")
    for one in report.standings:
        cells = ["–"] * 8 if one.speed is None else _cells(one.speed)
        table.add_row(Text(one.name if one.speed is None else f"{one.name} {one.speed.version}"), *cells)
    return table


def _cells(speed: Speed) -> list[str]:
    return [
        f"{speed.add_per_s:,.0f}",
        f"{speed.batch_per_s:,.0f}",
        f"{speed.p50_ms:.1f}",
        f"{speed.p99_ms:.1f}",
        "–" if speed.recall is None else f"{speed.recall * 100:.1f}",
        f"{speed.disk_bytes / 1e6:,.1f}",
        "–" if speed.rss_mb is None else f"{speed.rss_mb:,.0f}",
        f"{speed.cold_start_s:.2f}",
    ]


def _survivals(report: Report) -> Table:
    table = _table(f"killed {report.setup.rounds} times", "acknowledged", "lost", "two writers", "lost", "errors")
    for one in report.standings:
        table.add_row(Text(one.name), *_losses(one.killed), *_losses(one.together), _errors(one))
    return table


def _losses(one: Survival | None) -> tuple[str, str]:
    return ("–", "–") if one is None else (f"{one.acknowledged:,}", f"{one.lost:,}")


def _errors(one: Standing) -> str:
    return f"{sum(survival.errors for survival in (one.killed, one.together) if survival is not None):,}"


def _said(standing: Standing) -> Iterator[Text]:
    """The reasons that a store gave when it could not go on."""
    survivals = {"after a kill": standing.killed, "with two writers": standing.together}
    for when, one in survivals.items():
        if one is not None and one.reason is not None:
            yield Text(f"{standing.name} {when}: {one.reason}")
    for reason in standing.failed:
        yield Text(f"{standing.name} failed at {reason}")


def _table(title: str, *columns: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column(title, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table
