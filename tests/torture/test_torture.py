"""Every scenario of `make torture`, with a few cycles each: nothing that was acknowledged is lost."""

import pytest
from torture.__main__ import SCENARIOS
from torture.report import table
from torture.run import run

CYCLES = {"embedded kills": 3, "embedded steps": 8, "broken disk": 1, "full disk": 1}  # 2 of all others

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_that_was_acknowledged_is_lost(name: str) -> None:
    scenario, _ = SCENARIOS[name]
    tally = run(scenario, f"short {name}", CYCLES.get(name, 2))
    if tally.skipped:
        pytest.skip(tally.skipped)
    assert tally.verdict.faults == [], table({name: tally})
    assert tally.verdict.found == tally.verdict.acknowledged > 0
