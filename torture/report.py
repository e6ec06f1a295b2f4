"""The table of results that is printed at the end."""

from collections.abc import Mapping

from torture.run import Tally

_HEADS = (
    "scenario",
    "cycles",
    "kills",
    "acknowledged",
    "found",
    "verdicts",
    "lost",
    "invented",
    "half",
    "disagree",
    "seconds",
)
MOST_FAULTS = 20


def table(tallies: Mapping[str, Tally]) -> str:
    """A table with a row for each scenario and one for the total, followed by notes and faults."""
    rows = [_HEADS, *(_row(name, one) for name, one in tallies.items())]
    done = [one for one in tallies.values() if not one.skipped]
    whole = Tally()
    for one in done:
        whole += one
    rows.append(_row("all", whole))
    widths = [max(len(row[place]) for row in rows) for place in range(len(_HEADS))]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    return "\n".join([*lines, *_remarks(tallies)])


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    if tally.skipped:
        return (name, *("-" for _ in _HEADS[1:]))
    verdict = tally.verdict
    counts = (tally.cycles, tally.kills, verdict.acknowledged, verdict.found, tally.verdicts)
    faults = (verdict.count("lost"), verdict.count("invented"), verdict.count("half"), verdict.count("disagreement"))
    return (name, *(f"{count:,}" for count in (*counts, *faults)), f"{tally.seconds:.0f}")


def _remarks(tallies: Mapping[str, Tally]) -> list[str]:
    said = [f"{name}: not tried here: {one.skipped}" for name, one in tallies.items() if one.skipped]
    said += [f"{name}: {note}" for name, one in tallies.items() for note in one.notes]
    for name, one in tallies.items():
        said += [f"{name}: {fault}: {what}" for fault, what in one.verdict.faults[:MOST_FAULTS]]
        if (more := len(one.verdict.faults) - MOST_FAULTS) > 0:
            said.append(f"{name}: and {more} more")
    return said
