"""Processes that share a file and are killed, at random times and at each step of a write."""

import signal

from torture import disk, processes, writer
from torture.crowd import crowd
from torture.run import NotHere, Run
from torture.writer import Trouble

A_STORE = 40  # cycles per store; then a new one is begun, since judging a store takes longer as it grows
A_VERDICT = 10
LARGE_FROM = 60  # memories of a user: so low that HNSW graphs are built and saved, and kills hit that too
MOST_STEPS = 400  # writes and syncs before a writer is killed, at most
STEPS_A_STORE = 20


def kills(run: Run) -> None:
    """Three writers and two readers; each cycle kills one of them, or all before a verdict."""
    chance = run.chance
    cycles = run.goes_on()
    for number in range(-(-run.cycles // A_STORE)):
        place = run.place(f"store{number}", large_from=LARGE_FROM)
        with crowd(place, f"{run.seed} {number}", writers=3, readers=2) as all_of_them:
            for nth, _ in zip(range(1, A_STORE + 1), cycles, strict=False):
                all_of_them.get_on(chance)
                run.tally.verdict.faults += all_of_them.ended()
                all_of_them.gather()
                if nth % A_VERDICT:
                    all_of_them.kill_one(chance)
                    run.tally.kills += 1
                else:
                    run.tally.kills += all_of_them.kill_all()
                    run.look(place)
                all_of_them.gather()
            run.tally.kills += all_of_them.kill_all()
        run.judge(place)


def steps(run: Run) -> None:
    """One writer at a time, killed at its n-th write or sync, in a third of the cycles counted from opening."""
    if disk.library() is None:
        raise NotHere("there is no C compiler to make a disk with that fails on demand")
    chance = run.chance
    cycles = run.goes_on()
    for number in range(-(-run.cycles // STEPS_A_STORE)):
        place = run.place(f"steps{number}", large_from=LARGE_FROM)
        for nth, _ in zip(range(STEPS_A_STORE), cycles, strict=False):
            trouble = Trouble(end_in=chance.randrange(MOST_STEPS), from_the_start=nth % 3 == 0)
            process = processes.start(writer.write, place, f"w{nth}", f"{run.seed} {number} {nth}", trouble)
            process.join()
            run.tally.kills += 1
            if process.exitcode != -signal.SIGKILL:
                run.tally.verdict.faults.append(("disagreement", f"a writer ended by itself, with {process.exitcode}"))
        run.judge(place)
