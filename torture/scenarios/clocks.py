"""A clock that jumps, by hours and by years, while processes write and are killed."""

from dataclasses import replace
from pathlib import Path

from torture.crowd import crowd
from torture.run import Run

HOUR, DAY, YEAR = 3_600, 86_400, 365 * 86_400
JUMPS = (-10 * YEAR, -YEAR, -DAY, -HOUR, -1, 0, 1, HOUR, DAY, YEAR, 10 * YEAR)  # seconds from the true time
A_STORE = 20


def jumps(run: Run) -> None:
    """The clock jumps back and forth while three processes write; the verdict is by the true time."""
    chance = run.chance
    cycles = run.goes_on()
    for number in range(-(-run.cycles // A_STORE)):
        place = run.place(f"store{number}")
        clock = run.folder / f"clock{number}"
        _set(clock, 0)
        steered = replace(place, clock_file=clock)
        with crowd(steered, f"{run.seed} {number}", writers=3, readers=1) as writers:
            for _ in zip(range(A_STORE), cycles, strict=False):
                writers.get_on(chance, most=6)
                _set(clock, chance.choice(JUMPS))
                if chance.random() < 0.5:  # noqa: PLR2004 - half of the time
                    writers.kill_one(chance)
                    writers.gather()
                    run.tally.kills += 1
            run.tally.kills += writers.kill_all()
        run.judge(place)


def _set(file: Path, seconds: int) -> None:
    draft = file.with_suffix(".draft")
    draft.write_text(str(seconds), encoding="utf-8")
    draft.replace(file)
