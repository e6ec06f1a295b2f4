"""A request that is sent again is not done again."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import func, select

import emberkeep
from emberkeep.access.idempotency import KEPT, LEASE_S, Answer, Ticket, fingerprint
from emberkeep.access.principal import Principal
from emberkeep.storage.schema import idempotency
from emberkeep.testing import FixedClock

Open = Callable[..., emberkeep.Memory]
BOT = Principal("default", "write", None, "bot")
BODY = fingerprint("POST", "/memories", b'{"text": "tea"}')

BEGIN = """
import sys
import emberkeep
from emberkeep.access.principal import Principal
from emberkeep.testing import FixedClock, WordEmbedder

with emberkeep.open(sys.argv[1], embedder=WordEmbedder(), clock=FixedClock()) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for n in range(20):
        try:
            memory.idempotency.begin(Principal("default", "write", None, "bot"), f"key {n}", b"same")
            print(n, flush=True)
        except emberkeep.Conflict:
            pass
"""


def begun(memory: emberkeep.Memory, key: str = "k", who: Principal = BOT, user_id: str | None = None) -> Ticket:
    ticket = memory.idempotency.begin(who, key, BODY, user_id=user_id)
    assert isinstance(ticket, Ticket)
    return ticket


def count(memory: emberkeep.Memory) -> int:
    with memory._parts.database.read() as connection:
        return connection.execute(select(func.count()).select_from(idempotency)).scalar_one()


def test_sent_again_it_gets_the_same_answer(plain: emberkeep.Memory, clock: FixedClock) -> None:
    ticket = begun(plain)
    assert plain.idempotency.finish(ticket, 201, '{"id": "ünï", "nul": "\\u0000"}')
    clock.move(hours=23)
    for _ in range(2):
        assert plain.idempotency.begin(BOT, "k", BODY) == Answer(201, '{"id": "ünï", "nul": "\\u0000"}')
    assert not plain.idempotency.finish(ticket, 500, "twice")
    assert plain.idempotency.begin(BOT, "k", BODY) == Answer(201, '{"id": "ünï", "nul": "\\u0000"}')


def test_while_it_is_under_way_nobody_else_begins_it(plain: emberkeep.Memory, clock: FixedClock) -> None:
    ticket = begun(plain)
    clock.move(seconds=LEASE_S - 1)
    with pytest.raises(emberkeep.UnderWay, match="under way"):
        plain.idempotency.begin(BOT, "k", BODY)
    assert plain.idempotency.finish(ticket, 200, "{}")


def test_a_lease_that_ran_out_is_taken_over(plain: emberkeep.Memory, clock: FixedClock) -> None:
    dead = begun(plain)
    clock.move(seconds=LEASE_S)
    alive = begun(plain)
    assert not plain.idempotency.finish(dead, 200, '"dead"')
    plain.idempotency.abandon(dead)
    with pytest.raises(emberkeep.Conflict):
        plain.idempotency.begin(BOT, "k", BODY)
    assert plain.idempotency.finish(alive, 200, '"alive"')
    assert plain.idempotency.begin(BOT, "k", BODY) == Answer(200, '"alive"')


def test_a_lease_of_a_clock_that_was_ahead_is_taken_over(plain: emberkeep.Memory, clock: FixedClock) -> None:
    clock.move(days=3_650)
    begun(plain)
    clock.move(days=-3_650)
    assert plain.idempotency.finish(begun(plain), 200, "{}")


def test_a_key_is_for_one_request(plain: emberkeep.Memory, clock: FixedClock) -> None:
    ticket = begun(plain)
    other = fingerprint("POST", "/memories", b'{"text": "coffee"}')
    for state in ("pending", "run out", "done"):
        with pytest.raises(emberkeep.InvalidInput, match="choose a new one"):
            plain.idempotency.begin(BOT, "k", other)
        if state == "pending":
            clock.move(seconds=LEASE_S)
        elif state == "run out":
            plain.idempotency.finish(ticket, 200, "{}")
    assert plain.idempotency.begin(BOT, "k", BODY) == Answer(200, "{}")


def test_what_came_to_nothing_may_be_tried_again(plain: emberkeep.Memory) -> None:
    plain.idempotency.abandon(begun(plain))
    plain.idempotency.finish(begun(plain), 200, "{}")
    plain.idempotency.abandon(Ticket(begun(plain, "another").request, "not the holder"))
    assert count(plain) == 2


def test_senders_and_tenants_do_not_share_keys(plain: emberkeep.Memory) -> None:
    senders = [
        BOT,
        Principal("default", "write", None, "other"),
        Principal("acme", "write", None, "bot"),
        Principal.local("default"),
    ]
    for number, sender in enumerate(senders):
        plain.idempotency.finish(begun(plain, who=sender), 200, str(number))
    answers = [plain.idempotency.begin(sender, "k", BODY) for sender in senders]
    assert answers == [Answer(200, str(number)) for number in range(len(senders))]


def test_a_key_of_one_user_begins_nothing_for_another(opened: Open) -> None:
    memory = opened()
    alexs = Principal("default", "write", "alex", "k")
    with pytest.raises(emberkeep.AccessDenied):
        memory.idempotency.begin(alexs, "k", BODY, user_id="sam")
    begun(memory, who=alexs)
    with memory._parts.database.read() as connection:
        assert connection.execute(select(idempotency.c.user_id)).scalars().all() == ["alex"]


@pytest.mark.parametrize("round_", range(3))
def test_of_twenty_threads_one_goes_on(plain: emberkeep.Memory, round_: int) -> None:
    start = Barrier(20)

    def send(_: int) -> str:
        start.wait()
        try:
            got = plain.idempotency.begin(BOT, f"round {round_}", BODY)
        except emberkeep.Conflict:
            return "conflict"
        if isinstance(got, Answer):
            return got.body
        assert plain.idempotency.finish(got, 200, "answer")
        return "did it"

    with ThreadPoolExecutor(20) as pool:
        outcomes = Counter(pool.map(send, range(20)))
    assert outcomes["did it"] == 1
    assert outcomes["conflict"] + outcomes["answer"] == 19


@pytest.mark.slow
def test_of_two_processes_one_goes_on(durable_target: str, opened: Open) -> None:
    opened(durable_target)
    command = [sys.executable, "-c", BEGIN, durable_target]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    both = [subprocess.Popen(command, **pipes) for _ in range(2)]  # type: ignore[call-overload]
    try:
        for one in both:
            assert one.stdout.readline() == "ready\n"
        for one in both:
            one.stdin.write("go\n")
            one.stdin.flush()
        said = [one.communicate(timeout=60)[0].split() for one in both]
    finally:
        for one in both:
            one.kill()
            one.communicate()
    assert sorted(map(int, [*said[0], *said[1]])) == list(range(20))


def test_after_a_day_it_is_forgotten(plain: emberkeep.Memory, clock: FixedClock) -> None:
    plain.idempotency.finish(begun(plain, "old"), 200, "{}")
    begun(plain, "left behind")
    begun(plain, who=Principal("acme", "write", None, "bot"))
    clock.move(hours=1)
    plain.idempotency.finish(begun(plain, "new"), 200, "{}")
    clock.move(seconds=KEPT.total_seconds() - 3_600)
    plain.upkeep()
    assert count(plain) == 4
    begun(plain, "old")  # forgotten, whether or not it has been dropped
    clock.move(seconds=1)
    plain.upkeep()
    assert count(plain) == 3  # upkeep is a tenant's, and a worker's is everyone's
    plain.worker().once()
    assert count(plain) == 2
    assert isinstance(plain.idempotency.begin(BOT, "new", BODY), Answer)


@pytest.mark.parametrize("key", ["", " ", "x" * 257, "a\x00b", "\ud800", None, 7])
def test_a_key_must_be_one(opened: Open, key: object) -> None:
    memory = opened()
    with pytest.raises(emberkeep.InvalidInput, match="idempotency key"):
        memory.idempotency.begin(BOT, key, BODY)  # type: ignore[arg-type]
    assert count(memory) == 0


def test_an_answer_that_cannot_be_kept_is_refused_and_the_request_stays_under_way(opened: Open) -> None:
    memory = opened()
    ticket = begun(memory)
    with pytest.raises(emberkeep.InvalidInput, match="surrogate"):
        memory.idempotency.finish(ticket, 200, "\ud800")
    assert memory.idempotency.finish(ticket, 200, "{}")


def test_where_parts_of_a_request_end_counts() -> None:
    assert fingerprint("ab", "c") != fingerprint("a", "bc") != fingerprint("abc")
    assert fingerprint("é", b"\x00") == fingerprint("é".encode(), "\x00")
    assert len({fingerprint(), fingerprint(""), fingerprint("", ""), fingerprint("\ud800")}) == 4
