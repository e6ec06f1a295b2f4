"""Values by name: preferences, a persona's state, agents' states."""

import random
from typing import Any

import pytest

import emberkeep
from emberkeep.testing import FixedClock

VALUES = [None, "dark", "", 0, 1.5, True, [], [1, {"ü": "🙂"}], {"a": None}, "NUL-free", 2**62]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_any_json_value_may_be_set(plain: emberkeep.Memory, value: Any) -> None:
    for drawer in (plain.preferences, plain.persona):
        drawer.set("k:/#ü", value, user_id="alex", agent_id="a")
        assert drawer.get("k:/#ü", "default", user_id="alex", agent_id="a") == value
        assert drawer.all(user_id="alex", agent_id="a") == {"k:/#ü": value}
        assert drawer.get("k:/#ü", "default", user_id="alex") == "default"
    assert plain.agents.save("a", "busy", {"v": value}).state == {"v": value} == plain.agents.get("a").state


def test_the_last_value_counts_and_the_former_stays_in_history(plain: emberkeep.Memory, clock: FixedClock) -> None:
    before = clock.now()
    plain.preferences.set("theme", "dark", user_id="alex")
    (item,) = plain.get_all(user_id="alex", kinds=["preference"])
    clock.move(days=1)
    entry = plain.preferences.set("theme", "light", user_id="alex")
    assert (entry.value, entry.updated_at) == ("light", clock.now())
    assert [hit.text for hit in plain.search("theme", user_id="alex")] == ["theme: light"]
    assert [hit.text for hit in plain.search("theme", user_id="alex", as_of=before)] == ["theme: dark"]
    assert [change.action for change in plain.history(item.id)] == ["added", "updated"]
    plain.preferences.set("theme", None, user_id="alex")
    assert plain.get(item.id).text == "theme: nothing"


def test_names_are_told_apart_by_every_letter(plain: emberkeep.Memory) -> None:
    for owner in ({"user_id": "alex"}, {"user_id": "alex", "agent_id": "a"}):
        for key in ("Theme", "theme", "theme.", "THEME", " theme"):
            plain.preferences.set(key, f"value of {key!r}", **owner)
        assert len(plain.preferences.all(**owner)) == 5
        assert list(plain.preferences.all(**owner)) == [" theme", "THEME", "Theme", "theme", "theme."]
    assert len(plain.get_all(user_id="alex", kinds=["preference"])) == 10
    plain.preferences.delete("theme", user_id="alex", agent_id="a")
    assert len(plain.get_all(user_id="alex", kinds=["preference"])) == 9
    assert plain.preferences.get("Theme", user_id="alex", agent_id="a") == "value of 'Theme'"


def test_a_persona_and_a_preference_of_one_name_are_two_things(plain: emberkeep.Memory) -> None:
    plain.preferences.set("mood", "calm", user_id="alex")
    plain.persona.set("mood", "wild", user_id="alex")
    assert plain.persona.delete("mood", user_id="alex").rows == {"entries": 1}
    assert plain.preferences.get("mood", user_id="alex") == "calm"
    assert len(plain.search("mood", user_id="alex")) == 1


def test_an_agent_called_like_everyone_is_one_agent(plain: emberkeep.Memory) -> None:
    for agent in ("a", "b", "*"):
        plain.persona.set("mood", agent, agent_id=agent)
        plain.preferences.set("mood", agent, agent_id=agent)
    assert plain.persona.get("mood", agent_id="*") == plain.preferences.get("mood", agent_id="*") == "*"
    plain.persona.delete("mood", agent_id="*")
    plain.preferences.delete("mood", agent_id="*")
    assert plain.persona.get("mood", agent_id="a") == plain.preferences.get("mood", agent_id="a") == "a"
    for verb in (plain.preferences.all, plain.persona.all):
        with pytest.raises(emberkeep.InvalidInput, match="only for reading"):
            verb(user_id="*")


def test_users_are_apart(plain: emberkeep.Memory) -> None:
    plain.preferences.set("theme", "dark", user_id="alex")
    assert plain.preferences.get("theme") is None
    assert plain.preferences.all(user_id="sam") == {}
    with pytest.raises(emberkeep.NotFound, match="no preference 'theme'"):
        plain.preferences.delete("theme", user_id="sam")
    assert plain.preferences.get("theme", user_id="alex") == "dark"


def test_tenants_are_apart(durable_target: str, opened: Any) -> None:
    one, other = opened(durable_target, tenant="one"), opened(durable_target, tenant="other")
    one.preferences.set("theme", "dark")
    one.agents.save("a", "busy")
    assert (other.preferences.all(), other.agents.list()) == ({}, [])
    other.delete_all(user_id="*")
    assert one.agents.get("a").status == "busy"


def test_agents_say_what_they_do(plain: emberkeep.Memory, clock: FixedClock) -> None:
    plain.agents.save("b")
    state = plain.agents.save("a", "busy", {"task": "t1"})
    assert plain.agents.get("a") == state
    assert [agent.agent_id for agent in plain.agents.list()] == ["a", "b"]
    assert [agent.agent_id for agent in plain.agents.list(status="idle")] == ["b"]
    clock.move(hours=1)
    assert plain.agents.save("a").updated_at == clock.now()
    assert plain.agents.get("a").state == {}
    assert plain.agents.delete("a").total == 1
    for call in (plain.agents.get, plain.agents.delete):
        with pytest.raises(emberkeep.NotFound, match="no agent 'a'"):
            call("a")


def test_an_agents_state_goes_with_the_agent(plain: emberkeep.Memory) -> None:
    plain.agents.save("a", "busy", {"note": "secret"})
    plain.agents.save("b", "busy")
    plain.persona.set("mood", "calm", agent_id="a")
    assert plain.delete_all(agent_id="a").rows["entries"] == 2
    assert [agent.agent_id for agent in plain.agents.list()] == ["b"]


@pytest.mark.parametrize("key", ["", " ", None, 5, "x" * 201, "\x00", "\ud800"])
def test_bad_names_are_refused(key: Any) -> None:
    with emberkeep.open(":memory:", embedder="local") as memory:
        for call in (
            lambda: memory.preferences.set(key, 1),
            lambda: memory.preferences.get(key),
            lambda: memory.preferences.delete(key),
            lambda: memory.persona.set(key, 1),
            lambda: memory.agents.save(key),
            lambda: memory.agents.get(key),
        ):
            with pytest.raises(emberkeep.InvalidInput):
                call()
        with pytest.raises(emberkeep.InvalidInput, match="over 100,000 characters"):
            memory.preferences.set("k", "x" * 100_001)
        with pytest.raises(emberkeep.InvalidInput, match="status"):
            memory.agents.save("a", "")
        with pytest.raises(emberkeep.InvalidInput, match="mapping"):
            memory.agents.save("a", "busy", [1])  # type: ignore[arg-type]


def test_what_json_cannot_hold_is_written_down_as_text(plain: emberkeep.Memory) -> None:
    plain.preferences.set("odd", {"set": {1}, "half": "\ud800", "nul": "\x00", "nan": float("nan")})
    assert plain.preferences.get("odd") == {"set": "{1}", "half": "?", "nul": "\ufffd", "nan": "nan"}
    plain.preferences.set("large", 10**30)
    assert plain.preferences.get("large") == str(10**30)


def test_names_are_as_long_as_every_database_can_look_up(plain: emberkeep.Memory) -> None:
    chance = random.Random(5)
    key, user, agent = ("".join(chr(chance.randrange(0x10000, 0x1F000)) for _ in range(n)) for n in (190, 190, 190))
    with pytest.raises(emberkeep.InvalidInput, match="over 2,000 bytes together"):
        plain.preferences.set(key, 1, user_id=user, agent_id=agent)
    plain.preferences.set(key, 1, user_id=user)
    assert plain.preferences.get(key, user_id=user) == 1
