"""Who did what to look after a store."""

from collections.abc import Callable

import pytest

import emberkeep
from emberkeep.testing import FixedClock

Open = Callable[..., emberkeep.Memory]


def test_making_and_revoking_keys_is_on_record(plain: emberkeep.Memory, clock: FixedClock) -> None:
    made = plain.keys.create("the bot", role="read", user_id="alex", who="an admin's key")
    clock.move(seconds=1)
    plain.keys.revoke(made.key.id)
    revoked, created = plain.audit_log.list()
    assert (created.action, created.who, created.user_id) == ("key.created", "an admin's key", "alex")
    assert created.what == revoked.what == {"id": made.key.id, "name": "the bot", "role": "read"}
    assert (revoked.action, revoked.who, revoked.at) == ("key.revoked", "local", clock.now())


def test_the_log_is_narrowed_by_action_and_time(plain: emberkeep.Memory, clock: FixedClock) -> None:
    for number in range(5):
        plain.audit_log.record(f"act.{number % 2}", {"number": number}, who="k")
        clock.move(minutes=1)
    assert [one.what["number"] for one in plain.audit_log.list()] == [4, 3, 2, 1, 0]
    assert [one.what["number"] for one in plain.audit_log.list(2)] == [4, 3]
    assert [one.what["number"] for one in plain.audit_log.list(action="act.1")] == [3, 1]
    assert [one.what["number"] for one in plain.audit_log.list(since="2026-06-01T12:03:00Z")] == [4, 3]


def test_tenants_have_logs_of_their_own(durable_target: str, opened: Open) -> None:
    acme, globex = (opened(durable_target, tenant=name) for name in ("acme", "globex"))
    acme.audit_log.record("acted")
    assert (len(acme.audit_log.list()), globex.audit_log.list()) == (1, [])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"action": ""}, "action is blank"),
        ({"action": None}, "action is missing"),
        ({"who": None}, "who is missing"),
        ({"what": {"bad": object()}}, "JSON"),
        ({"what": {"text": "x" * 100_000}}, "limit"),
        ({"user_id": "*"}, "everyone"),
    ],
)
def test_what_says_nothing_is_refused(opened: Open, given: dict[str, object], said: str) -> None:
    memory = opened()
    with pytest.raises(emberkeep.InvalidInput, match=said):
        memory.audit_log.record(**{"action": "acted", **given})  # type: ignore[arg-type]
    assert memory.audit_log.list() == []
