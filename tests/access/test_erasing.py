"""When a user is erased, their keys, what is on record about them, and answers that said something of them go too."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select

import emberkeep
from emberkeep.access.idempotency import Answer, Ticket
from emberkeep.access.principal import Principal
from emberkeep.storage import schema

Open = Callable[..., emberkeep.Memory]
WORD = "Quetzalcoatl"
BOT = Principal("default", "write", None, "bot")

# What stays when all of a tenant is erased: what holds for the whole database, or says nothing of anyone.
STAYS = {"meta", "spaces", "generations", "outbox", "deliveries", "listeners", "api_keys", "audit"}


def answered(memory: emberkeep.Memory, key: str, user_id: str | None = None, body: str = WORD) -> None:
    ticket = memory.idempotency.begin(BOT, key, b"same", user_id=user_id)
    assert isinstance(ticket, Ticket)
    memory.idempotency.finish(ticket, 200, body)


def known(memory: emberkeep.Memory, key: str) -> str:
    """What is known of a request: its answer, that it had one, or nothing."""
    try:
        found = memory.idempotency.begin(BOT, key, b"same")
    except emberkeep.Conflict as error:
        return "erased" if "erased" in str(error) else "under way"
    if isinstance(found, Answer):
        return found.body
    memory.idempotency.abandon(found)
    return "unknown"


def counts(memory: emberkeep.Memory) -> dict[str, int]:
    with memory._parts.database.read() as connection:
        return {
            name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in schema.metadata.tables.items()
        }


def test_a_users_keys_record_and_answers_go_with_them(plain: emberkeep.Memory) -> None:
    alexs, sams, anyones = (plain.keys.create("bot", user_id=user) for user in ("alex", "sam", None))
    plain.audit_log.record("exported", user_id="alex")
    for user in ("alex", "sam", None):
        answered(plain, f"of {user}", user)
    rows = plain.delete_all(user_id="alex").rows
    assert (rows["api_keys"], rows["audit"], rows["idempotency"]) == (1, 2, 2)
    assert {one.id for one in plain.keys.list()} == {sams.key.id, anyones.key.id}
    assert {one.user_id for one in plain.audit_log.list()} == {"sam", None}
    assert [known(plain, f"of {user}") for user in ("alex", "sam", None)] == ["unknown", WORD, "erased"]
    assert alexs.key.id not in str(plain.audit_log.list())


def test_everyones_erasure_leaves_the_keys_that_are_no_ones(plain: emberkeep.Memory) -> None:
    plain.keys.create("bot", user_id="alex")
    admin = plain.keys.create("the admin", role="admin")
    for user in ("alex", None):
        answered(plain, f"of {user}", user)
    plain.delete_all(user_id="*")
    assert [one.id for one in plain.keys.list()] == [admin.key.id]
    assert plain.keys.verify(admin.secret).may("admin")
    assert [one.user_id for one in plain.audit_log.list()] == [None]
    assert counts(plain)["idempotency"] == 0


def test_another_tenant_keeps_all(durable_target: str, opened: Open) -> None:
    acme, globex = (opened(durable_target, tenant=name) for name in ("acme", "globex"))
    for memory in (acme, globex):
        memory.keys.create("bot", user_id="alex")
    acme.delete_all(user_id="alex")
    acme.delete_all(user_id="*")
    assert (len(acme.keys.list()), len(globex.keys.list()), len(globex.audit_log.list())) == (0, 1, 1)


def test_a_session_or_a_memory_takes_what_was_answered_but_not_that_it_was(plain: emberkeep.Memory) -> None:
    made = plain.keys.create("bot", user_id="alex")
    item = plain.remember(f"{WORD} whispers", user_id="alex", session_id="s")
    users = ("alex", "sam", None)
    for of_sam in (WORD, "erased"):  # a session may have been anyone's
        for user in users:
            answered(plain, f"{of_sam} {user}", user)
        if of_sam == WORD:
            plain.delete(item.id)
        else:
            plain.delete_all(session_id="s")
        assert [known(plain, f"{of_sam} {user}") for user in users] == ["erased", of_sam, "erased"]
    assert plain.keys.verify(made.secret).user_id == "alex"


ERASURES: dict[str, Callable[[emberkeep.Memory, str], object]] = {
    "a memory": lambda memory, item: memory.delete(item),
    "a task": lambda memory, _: memory.tasks.delete("t"),
    "a preference": lambda memory, _: memory.preferences.delete("food", user_id="alex"),
    "a session": lambda memory, _: memory.delete_all(session_id="s"),
    "the user": lambda memory, _: memory.delete_all(user_id="alex"),
    "everyone": lambda memory, _: memory.delete_all(user_id="*"),
}


@pytest.mark.parametrize("how", ERASURES)
@pytest.mark.parametrize("user", ["alex", None])
def test_no_file_goes_on_saying_what_was_deleted(tmp_path: Path, opened: Open, how: str, user: str | None) -> None:
    folder = tmp_path / "store"
    memory = opened(str(folder / "agent.db"))
    item = memory.remember("something else", user_id="alex", session_id="s").id
    memory.tasks.save("t", "something to do", user_id="alex")
    memory.preferences.set("food", "noodles", user_id="alex")
    answered(memory, "k", user, WORD * 2_000)

    def traces() -> bool:
        return any(WORD.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())

    assert traces()
    ERASURES[how](memory, item)
    memory.tidy()
    assert not traces()


def test_a_request_that_erases_its_own_user_can_be_finished(plain: emberkeep.Memory) -> None:
    ticket = plain.idempotency.begin(BOT, "erase", b"same", user_id="alex")
    assert isinstance(ticket, Ticket)
    plain.delete_all(user_id="alex")
    assert not plain.idempotency.finish(ticket, 200, "{}")
    assert isinstance(plain.idempotency.begin(BOT, "erase", b"same", user_id="alex"), Ticket)


def test_every_table_is_dealt_with(opened: Open) -> None:
    """A table that is new has to be emptied by erasing everything, or be named above."""
    memory = opened()
    assert set(schema.metadata.tables) >= STAYS
    receipt = memory.delete_all(user_id="*").rows
    cascading = {"steps", "pattern_versions", "pattern_feedback", "deliveries", "shelves", "tombstones"}
    assert set(schema.metadata.tables) - STAYS - cascading <= set(receipt)
