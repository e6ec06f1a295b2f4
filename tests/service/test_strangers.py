"""Every verb, called by someone who tries to reach what is another's: by name, by id, and by being found near it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import emberkeep
from emberkeep.access.principal import Principal
from emberkeep.errors import AccessDenied, EmberkeepError, NotFound
from emberkeep.memory import Memory
from emberkeep.service.calls import call
from emberkeep.service.verbs import VERBS
from emberkeep.testing import WordEmbedder

from .strangers import ABOUT, ME, OTHER, SECRET, lived, rows, sent_to_all

READER = Principal("default", "read")
MINE = Principal("default", "write", ME)
# What a reader leaves behind: what was handed out, and to how many.
COUNTED = ("contexts: ", "outbox: ", "executions: ", "patterns: ", "api_keys: ")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), keep_events=True) as memory:
        yield memory


def told(memory: Memory, verb: str, sent: dict[str, Any], principal: Principal) -> str:
    """What the caller is told, be it an answer or an error; anything but an error of ours is a bug."""
    try:
        return repr(call(memory, VERBS[verb], sent, principal))
    except EmberkeepError as error:
        return str(error)


@pytest.mark.slow
def test_a_key_of_one_user_reaches_nothing_of_another(memory: Memory) -> None:
    ids = lived(memory)
    before = rows(memory, OTHER)
    for verb, sent in sent_to_all(ids):
        assert SECRET not in told(memory, verb, sent, MINE), (verb, sent)
    assert rows(memory, OTHER) == before
    assert memory.get_all(user_id=ME).items  # it was not refused everything


@pytest.mark.slow
def test_an_admin_of_a_tenant_reaches_nothing_of_another(memory: Memory) -> None:
    ids = lived(memory)
    globex = memory.of_tenant("globex")
    before = rows(memory, "('default'")
    for verb, sent in sent_to_all(ids):
        assert SECRET not in told(globex, verb, sent, Principal("globex", "admin")), (verb, sent)
    assert rows(memory, "('default'") == before


@pytest.mark.slow
def test_a_reader_changes_nothing_that_is_remembered(memory: Memory) -> None:
    ids = lived(memory)

    def kept() -> list[object]:
        executions = [replace(one, reused=0) for one in memory.experience.list(limit=1_000)]
        patterns = [replace(one, usage_count=0) for one in memory.patterns.search(limit=1_000, retired=True)]
        lasting = [line for line in rows(memory, "") if not line.startswith(COUNTED)]
        return [lasting, executions, sorted(patterns, key=lambda one: one.id)]

    before = kept()
    for verb, sent in sent_to_all(ids):
        told(memory, verb, sent, READER)
    assert kept() == before


def test_warming_what_was_found_takes_a_key_that_writes(memory: Memory) -> None:
    memory.remember("Likes tea", user_id=ME)
    warming = {"query": "tea", "user_id": ME, "touch": True}
    with pytest.raises(AccessDenied, match='the role "write"'):
        call(memory, VERBS["search"], warming, READER)
    assert call(memory, VERBS["search"], warming | {"touch": False}, READER)["memories"]
    assert call(memory, VERBS["search"], warming, MINE)["memories"]


@pytest.mark.parametrize(
    "text", [f'{{"text": "Planted", "user_id": "{OTHER}"}}', f'["Mine", {{"memory": "Planted", "user_id": "{OTHER}"}}]']
)
def test_lines_of_a_seed_name_nobody_else(memory: Memory, text: str) -> None:
    with pytest.raises(AccessDenied, match="user 'alex' alone"):
        call(memory, VERBS["seed"], {"text": text}, MINE)
    assert not memory.get_all(user_id="*").items
    call(memory, VERBS["seed"], {"text": f'{{"text": "Mine", "user_id": "{ME}"}}'}, MINE)
    assert [item.text for item in memory.get_all(user_id=ME)] == ["Mine"]


def test_what_is_going_on_is_not_for_one_user(memory: Memory) -> None:
    memory.operational.push_event("vault", f"{SECRET} {ABOUT}", severity="critical")
    memory.goals.save("See Zanzibar", user_id=ME)
    asked: dict[str, Any] = {"task": f"Open {ABOUT}"}
    assert SECRET in told(memory, "context", asked, READER)
    made = call(memory, VERBS["context"], asked, MINE)
    assert SECRET not in made["text"]
    assert "See Zanzibar" in made["text"]
    with pytest.raises(AccessDenied, match="the tier operational is about everyone"):
        call(memory, VERBS["context"], asked | {"tiers": ["operational"]}, MINE)


def test_a_context_with_others_memories_is_not_assembled_again_for_one_user(memory: Memory) -> None:
    memory.remember(f"{SECRET} {ABOUT}", user_id=OTHER)
    handed = memory.context(f"Open {ABOUT}", user_id=ME, shared=[OTHER])
    assert SECRET in memory.replay_context(str(handed.id)).text
    with pytest.raises(NotFound):
        call(memory, VERBS["replay_context"], {"id": handed.id}, MINE)
    own = memory.context(f"Open {ABOUT}", user_id=ME)
    assert call(memory, VERBS["replay_context"], {"id": own.id}, MINE)["text"] == own.text


@pytest.mark.parametrize(
    ("verb", "name", "there"),
    [
        ("history", "id", "get deleted"),
        ("links", "id", "get"),
        ("learned_from", "interaction_id", "capture.get"),
        ("goals.list", "parent_id", "goals.get"),
        ("tasks.list", "goal_id", "goals.get"),
        ("decisions.list", "task_id", "tasks.get"),
        ("experience.list", "task_id", "tasks.get"),
        ("experience.used", "memory_ids", "experience.get"),
    ],
)
def test_what_is_anothers_is_told_like_what_was_never_there(memory: Memory, verb: str, name: str, there: str) -> None:
    ids = lived(memory)
    several = name.endswith("s")
    said = [told(memory, verb, {name: [one] if several else one}, MINE) for one in (ids[there], "nobodys")]
    assert said[0] == said[1]


@pytest.mark.parametrize("named", [OTHER, [OTHER], {}, 1, True])
def test_an_interaction_is_logged_for_nobody_else(memory: Memory, named: object) -> None:
    record = {"timestamp": "2026-05-20T10:00:00Z", "user_transcript": "Hi", "assistant_response": "Hi"}
    with pytest.raises(AccessDenied):
        call(memory, VERBS["capture.log"], {"record": record | {"user_id": named}}, MINE)
    assert not memory.capture.recent()


def test_a_tenant_rebuilds_what_is_its_own(memory: Memory) -> None:
    memory.remember("Likes tea", user_id=ME)
    globex = memory.of_tenant("globex")
    globex.add("I live in Lisbon.", user_id=ME)
    before = rows(memory, "('default'")
    assert globex.rebuild().embedded == 0
    assert rows(memory, "('default'") == before
    assert memory.rebuild().embedded > 0
