"""Kills, fills, slows and cuts off whatever Emberkeep stands on, and says what was lost.

python -m torture [--cycles 1.0] [--seed N] [--only NAME ...] [--minutes M] [--folder PATH]

The exit code is 1 if anything was lost, invented or half-written, or if searches or events say otherwise.
"""

import argparse
import os
import secrets
import sys
from pathlib import Path

from torture.report import table
from torture.run import Scenario, Tally, run
from torture.scenarios import clocks, disks, embedded, events, models, postgres

SCENARIOS: dict[str, tuple[Scenario, int]] = {
    "embedded kills": (embedded.kills, 200),
    "embedded steps": (embedded.steps, 120),
    "slow disk": (disks.slow, 20),
    "broken disk": (disks.broken, 20),
    "full disk": (disks.full, 10),
    "clock jumps": (clocks.jumps, 40),
    "servers": (postgres.servers, 40),
    "workers": (postgres.workers, 40),
    "database": (postgres.database, 30),
    "cut connections": (postgres.cuts, 45),
    "Valkey": (events.restarts, 30),
    "hanging model": (models.moods, 30),
}


def main() -> int:
    """Run the scenarios and print a table of their results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=float, default=1.0, help="how many of the usual cycles, such as 0.1 or 10")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="chance to begin with; as a run printed it")
    parser.add_argument("--only", action="append", choices=SCENARIOS, metavar="NAME", help=", ".join(SCENARIOS))
    parser.add_argument("--minutes", type=float, help="begin no further cycle of a scenario after its share of these")
    parser.add_argument("--folder", type=Path, help="where to put the stores; in memory if it is left out")
    options = parser.parse_args()
    chosen = {name: SCENARIOS[name] for name in options.only or SCENARIOS}
    for name in [name for name in os.environ if name.startswith("EMBERKEEP_")]:
        del os.environ[name]
    tallies: dict[str, Tally] = {}
    seconds = None if options.minutes is None else 60 * options.minutes / len(chosen)
    print(f"seed {options.seed}", flush=True)
    for name, (scenario, usual) in chosen.items():
        print(f"{name} ...", file=sys.stderr, flush=True)
        cycles = max(1, round(usual * options.cycles))
        tallies[name] = run(scenario, f"{options.seed} {name}", cycles, folder=options.folder, seconds=seconds)
    print(table(tallies))
    clean = all(one.verdict.is_clean for one in tallies.values())
    print(f"seed {options.seed}: {'nothing was lost' if clean else 'FAILED'}")
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
