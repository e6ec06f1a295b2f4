"""The event stream, while Valkey and relays are killed: each event arrives at least once, and none is invented."""

import time
from collections import Counter
from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from emberkeep.events.redis_streams import RedisStream
from emberkeep.storage import schema
from torture import serving
from torture.crowd import crowd
from torture.program import program
from torture.run import Run
from torture.valkey import Valkey, running
from torture.writer import Place

A_MOMENT_S = 0.3  # for which the server is down, at most


def restarts(run: Run) -> None:
    """Two processes write and one relays; each cycle kills the server, the relay or a writer."""
    chance = run.chance
    with running(run.folder / "valkey") as valkey:
        place = run.place("store", events_url=valkey.url)
        place.open().close()
        with crowd(place, run.seed, writers=2) as writers, program(serving.work, place) as relay:
            for _ in run.goes_on():
                writers.get_on(chance)
                victim = chance.choice(["server", "relay", "writer"])
                run.tally.kills += 1
                if victim == "server":
                    valkey.kill()
                    time.sleep(chance.uniform(0.0, A_MOMENT_S))
                    valkey.start()
                elif victim == "relay":
                    relay.again()
                else:
                    writers.kill_one(chance)
                    writers.gather()
            run.tally.kills += writers.kill_all()
        run.judge(place)
        _compare(run, place, valkey)


class _WhenLeasesHaveEnded:
    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=RedisStream.lease_s + 1)


def _compare(run: Run, place: Place, valkey: Valkey) -> None:
    """Compare the stream with the outbox, once everything owed has been delivered."""
    with place.open_at(_WhenLeasesHaveEnded()) as memory:
        memory.events.deliver()
        with memory._parts.database.of_everyone().read() as connection:
            told = set(connection.execute(select(schema.outbox.c.id)).scalars())
            owed = connection.execute(select(schema.deliveries.c.event_id)).scalars().all()
    arrived = Counter(valkey.events())
    faults = run.tally.verdict.faults
    faults += [("lost", f"event {one} did not arrive") for one in told - arrived.keys()]
    faults += [("invented", f"event {one} arrived, and was never told") for one in arrived.keys() - told]
    faults += [("disagreement", f"event {one} is still owed") for one in owed]
    twice = sum(times > 1 for times in arrived.values())
    run.tally.notes.append(f"{len(told):,} events told, {len(arrived):,} arrived, {twice:,} of them more than once")
