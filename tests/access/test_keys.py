"""Keys: made once, verified often, revoked for good; whoever presents anything else is nobody."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, select, text

import emberkeep
from emberkeep.access.keys import NOTED_EVERY, REVOKED_WITHIN
from emberkeep.access.principal import Principal
from emberkeep.model.access import ROLES, Role
from emberkeep.storage.schema import api_keys, audit
from emberkeep.testing import FixedClock, WordEmbedder

Open = Callable[..., emberkeep.Memory]

VERIFY = """
import sys
import emberkeep
from emberkeep.testing import WordEmbedder

with emberkeep.open(sys.argv[1], embedder=WordEmbedder(), tenant="another") as memory:
    for line in sys.stdin:
        try:
            print(memory.keys.verify(line.rstrip("\\n")), flush=True)
        except emberkeep.Unauthenticated as error:
            print(error, flush=True)
"""


def test_a_key_says_who_presents_it(plain: emberkeep.Memory) -> None:
    made = plain.keys.create("the bot", role="read", user_id="alex")
    assert made.secret.startswith(f"ek_{made.key.id}_")
    assert plain.keys.verify(made.secret) == Principal("default", "read", "alex", made.key.id)
    (listed,) = plain.keys.list()
    assert (listed.id, listed.name, listed.role, listed.user_id) == (made.key.id, "the bot", "read", "alex")
    assert made.secret not in repr(made)
    assert made.secret not in repr(plain.keys.list())


def test_a_key_is_found_whichever_tenant_asks(durable_target: str, opened: Open) -> None:
    acme, globex = (opened(durable_target, tenant=name) for name in ("acme", "globex"))
    made = acme.keys.create("the bot")
    assert globex.keys.verify(made.secret).tenant == "acme"
    assert globex.keys.list() == []
    with pytest.raises(emberkeep.NotFound, match="keys list"):
        globex.keys.revoke(made.key.id)
    assert (acme.stats().keys, globex.stats().keys) == (1, 0)


def test_each_secret_is_its_own(plain: emberkeep.Memory) -> None:
    made = [plain.keys.create("same name") for _ in range(20)]
    assert len({one.secret for one in made}) == len({one.key.id for one in made}) == 20
    first, second = made[:2]
    swapped = f"ek_{first.key.id}_{second.secret.rpartition('_')[2]}"
    with pytest.raises(emberkeep.Unauthenticated, match="not known"):
        plain.keys.verify(swapped)


WRONG: dict[str, Callable[[str], object]] = {
    "none": lambda _: None,
    "empty": lambda _: "",
    "blank": lambda _: " ",
    "truncated": lambda key: key[:-1],
    "half": lambda key: key[: len(key) // 2],
    "longer": lambda key: key + "0",
    "a line more": lambda key: key + "\n",
    "a space before": lambda key: " " + key,
    "upper case": str.upper,
    "its last digit": lambda key: key[:-1] + ("0" if key[-1] != "0" else "1"),
    "its id": lambda key: "ek_" + "0" * 16 + key[19:],
    "the id alone": lambda key: key.split("_")[1],
    "no prefix": lambda key: key.removeprefix("ek_"),
    "digits of another script": lambda key: key[:-1] + "٣",
    "a surrogate": lambda key: key[:-1] + "\ud800",
    "a NUL": lambda key: key[:-1] + "\x00",
    "huge": lambda key: key * 100_000,
    "bytes": lambda key: key.encode(),
    "a number": lambda _: 7,
    "SQL": lambda key: f"ek_' OR 1=1 --_{key[20:]}",
}


@pytest.mark.parametrize("how", WRONG)
def test_what_is_no_key_opens_nothing(plain: emberkeep.Memory, how: str) -> None:
    key = plain.keys.create("the bot").secret
    for _ in range(2):  # before and after the right one is held
        with pytest.raises(emberkeep.Unauthenticated) as refused:
            plain.keys.verify(WRONG[how](key))  # type: ignore[arg-type]
        assert key not in str(refused.value)
        assert len(str(refused.value)) < 200
        plain.keys.verify(key)


@pytest.mark.slow
def test_nothing_that_anyone_makes_up_opens_anything(opened: Open) -> None:
    memory = opened()
    key = memory.keys.create("the bot").secret
    anything = st.one_of(
        st.text(max_size=200),
        st.from_regex(r"ek_[0-9a-f]{16}_[0-9a-f]{64}", fullmatch=True),
        st.integers(0, len(key) - 1).map(lambda at: key[:at] + "g" + key[at + 1 :]),
        st.integers(0, len(key) - 1).map(lambda at: key[:at] + key[at + 1 :]),
    )

    @given(anything)
    def refused(presented: str) -> None:
        with pytest.raises(emberkeep.Unauthenticated):
            memory.keys.verify(presented)

    refused()
    memory.keys.verify(key)


def test_a_key_expires_on_the_moment_also_while_it_is_held(plain: emberkeep.Memory, clock: FixedClock) -> None:
    made = plain.keys.create("for a minute", expires_at=clock.now() + timedelta(minutes=1))
    clock.move(seconds=58)
    plain.keys.verify(made.secret)
    clock.move(seconds=1.999999)
    plain.keys.verify(made.secret)
    assert plain.stats().keys == 1
    clock.move(seconds=0.000001)
    for _ in range(2):
        with pytest.raises(emberkeep.Unauthenticated, match="expired"):
            plain.keys.verify(made.secret)
    assert plain.keys.list()[0].state_at(clock.now()) == "expired"
    assert plain.stats().keys == 0


def test_revoking_ends_a_key_at_once_and_for_good(plain: emberkeep.Memory, clock: FixedClock) -> None:
    made, other = plain.keys.create("old"), plain.keys.create("new")
    plain.keys.verify(made.secret)
    plain.keys.verify(other.secret)
    revoked = plain.keys.revoke(made.key.id)
    assert revoked.revoked_at == clock.now()
    for _ in range(2):
        with pytest.raises(emberkeep.Unauthenticated, match="revoked"):
            plain.keys.verify(made.secret)
    clock.move(days=1)
    assert plain.keys.revoke(made.key.id).revoked_at == revoked.revoked_at
    assert [one.action for one in plain.audit_log.list()] == ["key.revoked", "key.created", "key.created"]
    assert plain.keys.verify(other.secret).key_id == other.key.id
    assert plain.stats().keys == 1


def test_whoever_has_the_key_itself_may_revoke_by_it(plain: emberkeep.Memory) -> None:
    made = plain.keys.create("leaked")
    assert plain.keys.revoke(made.secret).id == made.key.id
    with pytest.raises(emberkeep.NotFound) as refused:
        plain.keys.revoke(f"ek_{'0' * 16}_{made.secret[20:-5]}")
    assert made.secret[20:30] not in str(refused.value)
    with pytest.raises(emberkeep.NotFound):
        plain.keys.revoke("nothing")


def test_revoked_elsewhere_it_lives_for_five_seconds_at_most(
    durable_target: str, opened: Open, clock: FixedClock
) -> None:
    here, there = opened(durable_target), opened(durable_target)
    made = here.keys.create("the bot")
    there.keys.verify(made.secret)
    here.keys.revoke(made.key.id)
    assert there.keys.verify(made.secret).key_id == made.key.id
    clock.move(seconds=REVOKED_WITHIN.total_seconds())
    assert REVOKED_WITHIN.total_seconds() <= 5
    with pytest.raises(emberkeep.Unauthenticated, match="revoked"):
        there.keys.verify(made.secret)


def test_a_clock_that_is_set_back_does_not_hold_a_key_for_longer(
    durable_target: str, opened: Open, clock: FixedClock
) -> None:
    here, there = opened(durable_target), opened(durable_target)
    made = here.keys.create("the bot")
    there.keys.verify(made.secret)
    here.keys.revoke(made.key.id)
    clock.move(hours=-1)
    with pytest.raises(emberkeep.Unauthenticated, match="revoked"):
        there.keys.verify(made.secret)


def test_a_held_key_is_not_looked_up_and_a_wrong_one_always_is(opened: Open, clock: FixedClock) -> None:
    memory = opened()
    made = memory.keys.create("the bot")
    memory.keys.verify(made.secret)
    lookups: list[str] = []
    engine = memory._parts.database._writer_engine  # type: ignore[attr-defined]
    event.listen(engine, "before_cursor_execute", lambda _c, _cursor, sql, *_: lookups.append(sql))
    for _ in range(10):
        memory.keys.verify(made.secret)
    assert lookups == []
    absent = f"ek_{'0' * 16}_{'0' * 64}"
    seen = []
    for wrong in (made.secret[:-4] + "0000", absent):  # a key that there is, and one that there is not
        lookups.clear()
        with pytest.raises(emberkeep.Unauthenticated, match="not known"):
            memory.keys.verify(wrong)
        seen.append(list(lookups))
    assert seen[0] == seen[1] != []
    clock.move(seconds=5)
    lookups.clear()
    memory.keys.verify(made.secret)
    assert len(lookups) == 1


def test_the_last_use_is_noted_once_a_minute(plain: emberkeep.Memory, clock: FixedClock) -> None:
    made = plain.keys.create("the bot")
    noted = set()
    began = clock.now()
    for _ in range(40):
        plain.keys.verify(made.secret)
        noted.add(plain.keys.list()[0].last_used_at)
        clock.move(seconds=7)
    assert min(noted) == began  # type: ignore[type-var]
    times = sorted(one for one in noted if one)
    assert len(times) == 5
    assert all(later - earlier >= NOTED_EVERY for earlier, later in pairwise(times))


def test_several_processes_note_it_once_between_them(durable_target: str, opened: Open, clock: FixedClock) -> None:
    here, there = opened(durable_target), opened(durable_target)
    made = here.keys.create("the bot")
    here.keys.verify(made.secret)
    first = clock.now()
    clock.move(seconds=30)
    there.keys.verify(made.secret)
    assert here.keys.list()[0].last_used_at == first


def test_a_store_that_cannot_be_written_to_still_lets_keys_in(
    tmp_path: Path, opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    target = str(tmp_path / "agent.db")
    made = opened(target).keys.create("the bot")
    with emberkeep.open(target, embedder=WordEmbedder(), busy_timeout_s=0.05) as memory:
        other = opened(target)._parts.database

        def verified(_connection: object) -> Principal:
            return memory.keys.verify(made.secret)  # while the other one writes

        assert other.write(verified).key_id == made.key.id
    assert "was not noted" in caplog.text
    assert made.secret not in caplog.text


def test_many_threads_verify_at_once(plain: emberkeep.Memory) -> None:
    made = [plain.keys.create(f"bot {n}", user_id=f"user {n}") for n in range(5)]
    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(lambda n: plain.keys.verify(made[n % 5].secret).user_id, range(200)))
    assert found == [f"user {n % 5}" for n in range(200)]


@pytest.mark.slow
def test_another_process_knows_the_key_and_that_it_was_revoked(durable_target: str, opened: Open) -> None:
    memory = opened(durable_target)
    made = memory.keys.create("the bot", role="admin")
    command = [sys.executable, "-c", VERIFY, durable_target]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as there:
        assert there.stdin
        assert there.stdout
        try:
            there.stdin.write(made.secret[:-1] + "\n")
            there.stdin.flush()
            assert "no API key" in there.stdout.readline()
            memory.keys.revoke(made.key.id)
            there.stdin.write(made.secret + "\n")
            there.stdin.flush()
            assert "revoked" in there.stdout.readline()
            other = memory.keys.create("another", role="admin")
            there.stdin.write(other.secret + "\n")
            there.stdin.flush()
            assert other.key.id in there.stdout.readline()
            there.stdin.close()
            assert there.wait(30) == 0
        finally:
            there.kill()


def test_no_file_ever_holds_a_secret(tmp_path: Path, opened: Open) -> None:
    folder = tmp_path / "store"
    memory = opened(str(folder / "agent.db"))
    made = [memory.keys.create(f"bot {n}") for n in range(3)]
    for one in made:
        memory.keys.verify(one.secret)
    memory.keys.revoke(made[0].secret)
    for _ in range(2):  # open, with its write-ahead log, and closed
        content = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        assert made[1].key.id.encode() in content
        for one in made:
            secret = one.secret.rpartition("_")[2]
            assert secret.encode() not in content
            assert bytes.fromhex(secret) not in content
        memory.close()


def test_no_row_ever_holds_a_secret(postgres_url: str, opened: Open) -> None:
    memory = opened(postgres_url)
    made = memory.keys.create("the bot")
    memory.keys.verify(made.secret)
    with memory._parts.database.read() as connection:
        rows = [str(row) for table in (api_keys, audit) for row in connection.execute(select(table))]
        dump = connection.execute(text("SELECT string_agg(k::text, ' ') FROM api_keys k")).scalar_one()
    secret = made.secret.rpartition("_")[2]
    assert made.key.id in dump
    assert all(secret not in one and bytes.fromhex(secret).hex() not in one for one in (*rows, dump))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": ""}, "name is blank"),
        ({"name": None}, "name is missing"),
        ({"name": "x" * 257}, "limit is 256"),
        ({"name": "a\x00b"}, "NUL"),
        ({"role": "root"}, "use one of read, write, admin"),
        ({"role": None}, "use one of read, write, admin"),
        ({"user_id": "*"}, "means everyone"),
        ({"user_id": " "}, "blank"),
        ({"role": "admin", "user_id": "alex"}, "leave the user out"),
        ({"expires_at": "2026-06-01T12:00:00Z"}, "pass a later time"),
        ({"expires_at": "tomorrow"}, "ISO 8601"),
        ({"expires_at": "2027-01-01T00:00:00"}, "time zone"),
        ({"who": ""}, "who is blank"),
    ],
)
def test_wrong_wishes_make_no_key(opened: Open, given: dict[str, object], said: str) -> None:
    memory = opened()
    with pytest.raises(emberkeep.InvalidInput, match=said):
        memory.keys.create(**{"name": "the bot", **given})  # type: ignore[arg-type]
    assert memory.keys.list() == []
    assert memory.audit_log.list() == []


def test_keys_are_awaited_too() -> None:
    async def journey() -> None:
        async with emberkeep.open_async(":memory:", embedder=WordEmbedder()) as memory:
            made = await memory.keys.create("the bot")
            assert (await memory.keys.verify(made.secret)).key_id == made.key.id
            await memory.keys.revoke(made.key.id)
            with pytest.raises(emberkeep.Unauthenticated):
                await memory.keys.verify(made.secret)
            assert len(await memory.audit_log.list()) == 2

    asyncio.run(journey())


# What a key's holder may do.


@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_what_those_before_it_may(role: Role) -> None:
    principal = Principal("default", role, key_id="k")
    allowed = [wanted for wanted in ROLES if principal.may(wanted)]
    assert allowed == list(ROLES[: ROLES.index(role) + 1])
    for wanted in ROLES:
        if wanted in allowed:
            principal.require(wanted)
        else:
            with pytest.raises(emberkeep.AccessDenied, match=f'takes the role "{wanted}"'):
                principal.require(wanted)


def test_a_key_of_one_user_opens_no_other_memory() -> None:
    alexs, anyones = Principal("default", "write", "alex", "k"), Principal("default", "write", None, "k")
    assert alexs.user(None) == alexs.user("alex") == "alex"
    for other in ("sam", "*", "Alex", ""):
        with pytest.raises(emberkeep.AccessDenied, match="'alex' alone"):
            alexs.user(other)
    assert [anyones.user(asked) for asked in (None, "sam", "*")] == [None, "sam", "*"]


def test_whoever_has_the_database_needs_no_key() -> None:
    local = Principal.local("acme")
    assert (local.tenant, local.who, local.may("admin")) == ("acme", "local", True)
    assert Principal("acme", "read", key_id="k").who == "k"
