"""The output of `emberkeep bench recall`: recall in percent, each figure with its confidence interval."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from emberkeep.bench.measures import Estimate
from emberkeep.bench.report import Report, SetReport, System

_SHOWN = ("frac@5", "frac@10", "frac@25", "any@10", "all@10", "ndcg@10", "mrr")
_SHOWN_OF_SESSIONS = ("any@5", "all@5", "any@10", "all@10", "frac@5", "ndcg@10", "mrr")
_COMPARED = ("frac@10", "ndcg@10")


def recall_view(report: Report) -> Iterator[RenderableType]:
    """For each dataset: recall by category, what it cost, and how the systems differ."""
    setup = report.setup
    yield Text(
        f"Emberkeep {setup.version} on {setup.database}, plan {setup.plan} ({', '.join(setup.channels)}), "
        f"kinds {setup.kinds}, learner {setup.learner}, embedder {setup.embedder}, reranker {setup.reranker or 'none'}"
    )
    for found in report.sets:
        yield from _set(found)


def _set(found: SetReport) -> Iterator[RenderableType]:
    left_out = f", {found.without_gold:,} without gold left out" if found.without_gold else ""
    counts = f"{found.stores:,} stores, {found.messages:,} messages, {found.questions:,} questions{left_out}"
    yield Text.assemble("\n", (found.name, "bold"), f": {counts}")
    for system in found.systems:
        if not system.ablated:
            yield from _qualities(system)
    yield from _apart(_cost(found))
    if len(found.systems) > 1:
        yield from _apart(_differences(found.systems))


def _apart(table: Table) -> Iterator[RenderableType]:
    yield Text()
    yield table


def _qualities(system: System) -> Iterator[RenderableType]:
    groups = [system.overall, *system.categories]
    rows = [(group.name, group.questions, group.messages) for group in groups]
    yield from _apart(_quality(f"{system.name}, %", rows, _SHOWN))
    rows = [(group.name, group.session_questions, group.sessions) for group in groups if group.sessions]
    if rows:
        yield from _apart(_quality(f"{system.name}, sessions, %", rows, _SHOWN_OF_SESSIONS))


def _quality(title: str, rows: Iterable[tuple[str, int, Mapping[str, Estimate]]], shown: Sequence[str]) -> Table:
    table = _table(title, "n", *shown)
    for name, count, measured in rows:
        table.add_row(Text(name), f"{count:,}", *(_percent(measured[one]) for one in shown))
    return table


def _cost(found: SetReport) -> Table:
    table = _table("what it took", "tokens@5", "@10", "@25", "p50 ms", "p95 ms", "×embed", "keep s", "×embed")
    for system in found.systems:
        overall = system.overall
        table.add_row(
            Text(system.name),
            *(f"{one.mean:,.0f}" for one in overall.tokens.values()),
            f"{overall.latency.p50_ms:.1f}",
            f"{overall.latency.p95_ms:.1f}",
            f"{overall.latency.per_embedding:.2f}",
            f"{system.keeping_s:.1f}",
            f"{system.keeping_per_embedding:.2f}",
        )
    first = found.systems[0]
    alone = f"{first.overall.latency.embedding_p50_ms:.1f}", "", "", f"{first.embedding_s:.1f}"
    table.add_row("embedding alone", "", "", "", *alone)
    return table


def _differences(systems: Iterable[System]) -> Table:
    table = _table("compared, %", *(column for name in _COMPARED for column in (name, "difference")))
    for system in systems:
        cells = ((system.overall.messages[name], system.difference.get(name)) for name in _COMPARED)
        table.add_row(Text(system.name), *(text for mean, more in cells for text in (_number(mean), _more(more))))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column(title, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _number(one: Estimate) -> str:
    return f"{one.mean * 100:.1f}"


def _percent(one: Estimate) -> Text:
    return Text.assemble(_number(one), "\n", (f"{one.low * 100:.0f}–{one.high * 100:.0f}", "dim"))


def _more(one: Estimate | None) -> str:
    return "" if one is None else f"{one.mean * 100:+.1f} ({one.low * 100:+.1f} to {one.high * 100:+.1f})"
