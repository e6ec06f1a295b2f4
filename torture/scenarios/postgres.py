"""PostgreSQL and the processes that use it: servers, workers and the database itself, killed while clients write."""

import time
from contextlib import ExitStack
from dataclasses import replace

import httpx

from torture import serving
from torture.crowd import Crowd, crowd
from torture.postgres import Postgres, free_port, running
from torture.program import program
from torture.proxy import proxy
from torture.run import Run
from torture.writer import LEASE_S, Place

A_STORE = 30
A_VERDICT = 10
PATIENCE_S = 30.0
_END_SOME = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'emberkeep' AND random() < 0.5
"""


def servers(run: Run) -> None:
    """Clients write over HTTP through a server that is killed again and again."""
    chance = run.chance
    with running() as postgres:
        cycles = run.goes_on()
        for number in range(-(-run.cycles // A_STORE)):
            place, port = _store(run, postgres, number), free_port()
            clients = replace(place, target=f"http://127.0.0.1:{port}", settings={"remote_timeout_s": 10.0})
            with program(serving.serve, place, port) as server:
                _wait_for(f"{clients.target}/healthz")
                with crowd(clients, f"{run.seed} {number}", writers=3) as writers:
                    for _ in zip(range(A_STORE), cycles, strict=False):
                        writers.get_on(chance)
                        server.again()
                        run.tally.kills += 1
                    run.tally.kills += writers.kill_all()
            postgres.settle()
            run.judge(place)


def workers(run: Run) -> None:
    """Two workers learn from what clients write; each cycle kills a worker, or sometimes a writer."""
    chance = run.chance
    with running() as postgres:
        cycles = run.goes_on()
        for number in range(-(-run.cycles // A_STORE)):
            place = _store(run, postgres, number)
            with ExitStack() as stack:
                all_workers = [stack.enter_context(program(serving.work, place)) for _ in range(2)]
                writers = stack.enter_context(crowd(place, f"{run.seed} {number}", writers=2))
                for _ in zip(range(A_STORE), cycles, strict=False):
                    writers.get_on(chance)
                    if chance.random() < 0.2:  # noqa: PLR2004 - every fifth time
                        writers.kill_one(chance)
                        writers.gather()
                    else:
                        chance.choice(all_workers).again()
                    run.tally.kills += 1
                run.tally.kills += writers.kill_all()
            postgres.settle()
            run.judge(place)


def database(run: Run) -> None:
    """PostgreSQL itself is killed: its postmaster, all of its processes at once, or a backend that serves a client."""
    chance = run.chance
    with running() as postgres:
        place = _store(run, postgres, 0)
        with crowd(place, run.seed, writers=3, readers=1, patient=True) as writers:
            for cycle in run.goes_on():
                writers.get_on(chance)
                _kill(postgres, chance.choice(["first", "all", "backend"]), chance.randrange(60))
                run.tally.kills += 1
                run.tally.verdict.faults += writers.ended()
                if cycle % A_VERDICT == A_VERDICT - 1:
                    run.tally.kills += _stop(writers, postgres)
                    run.look(place)
                    writers.gather()
            _stop(writers, postgres)
        run.judge(place)


def cuts(run: Run) -> None:
    """Connections are cut in the middle of transactions, by a proxy and by the server; restarts in between."""
    chance = run.chance
    with running() as postgres, proxy(postgres.port) as between:
        place = _store(run, postgres, 0)
        through = replace(place, target=place.target.replace(f":{postgres.port}/", f":{between.port}/"))
        cut = 0
        with crowd(through, run.seed, writers=3, readers=1, patient=True) as writers:
            for cycle in run.goes_on():
                writers.get_on(chance, most=4)
                if cycle % 3:
                    cut += between.cut(chance)
                else:
                    cut += len(postgres.ask(_END_SOME))
                if cycle % A_VERDICT == A_VERDICT - 1:
                    postgres.restart()
                run.tally.verdict.faults += writers.ended()
            _stop(writers, postgres)
        run.judge(place)
        run.tally.notes.append(f"{cut} connections were cut")


def _kill(postgres: Postgres, which: str, nth: int) -> None:
    if which == "backend":
        postgres.kill_backend(nth)
    else:
        postgres.kill(everyone=which == "all")
        postgres.start()


def _stop(writers: Crowd, postgres: Postgres) -> int:
    killed = writers.kill_all()
    postgres.settle()
    return killed


def _store(run: Run, postgres: Postgres, number: int) -> Place:
    place = run.place(f"store{number}", postgres.url(postgres.new_database()), lease_s=LEASE_S, busy_timeout_s=10.0)
    place.open().close()  # creates the tables before the clients start
    return place


def _wait_for(url: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        try:
            if httpx.get(url, timeout=1.0, trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.02)
    raise RuntimeError(f"{url} does not answer")
