"""Values are bound, never written into SQL: whatever they are, they come back as they went in and harm nothing."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import emberkeep
from emberkeep.testing import WordEmbedder

PAYLOADS = [
    "'",
    "''",
    '"',
    "`",
    "\\",
    "\\'",
    "';",
    "--",
    "/*",
    "*/",
    "#",
    "%",
    "_",
    "%%%s%s",
    "' OR '1'='1",
    "' OR 1=1 --",
    '" OR ""="',
    "') OR ('1'='1",
    "1; DROP TABLE items",
    "'; DROP TABLE items; --",
    "'; DELETE FROM items WHERE '1'='1",
    "' UNION SELECT tenant, id, text FROM items --",
    "' UNION ALL SELECT NULL,NULL,NULL,NULL--",
    "x' AND (SELECT COUNT(*) FROM items) > 0 --",
    "x'; SELECT pg_sleep(10); --",
    "'||(SELECT version())||'",
    "1 AND 1=CAST((SELECT current_user) AS int)",
    "'; COPY items TO PROGRAM 'id'; --",
    "'; ATTACH DATABASE '/tmp/x' AS x; --",
    "'; PRAGMA writable_schema = 1; --",
    "' AND randomblob(1000000000) --",
    "admin'--",
    "$$; DROP TABLE items; $$",
    "$1",
    ":tenant",
    ":user_id",
    "%(tenant)s",
    "?",
    "?1",
    "{tenant}",
    "x\u02bc OR 1=1",
    "x＇ OR 1=1",
    "x' OR 'x' LIKE '%",
    "NULL",
    "null",
    "true",
    "0x27",
    "CHAR(39)",
    "' || chr(39) || '",
    "{'$ne': null}",
    '{"$gt": ""}',
    "[1, 2]",
    '{"a": 1}',
    "\"}'::jsonb; DROP TABLE items; --",
    "a,b",
    "a\tb",
    "a\nb",
    "*",
    "",
    "é'\u0301",
    "日本'語",
]
IDS = [one for one in PAYLOADS if one.strip() and one != "*"]


@pytest.fixture
def memory(durable_target: str) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(durable_target, embedder=WordEmbedder(), learner="none") as opened:
        opened.remember("The canary is yellow", user_id="canary", tags=["bird"], metadata={"colour": "yellow"})
        yield opened
        (item,) = opened.get_all(user_id="canary")
        assert (item.text, item.tags, item.metadata) == ("The canary is yellow", ("bird",), {"colour": "yellow"})


def test_hostile_values_come_back_as_they_were_and_stay_apart(memory: emberkeep.Memory) -> None:
    for number, one in enumerate(IDS):
        memory.add(
            [{"role": "user", "content": f"{number} {one}", "name": one, "id": one}],
            user_id=f"u{one}",
            agent_id=one,
            session_id=one,
            tags=[one],
            metadata={f"k{one}": one, "plain": one},
        )
    for number, one in enumerate(IDS):
        (item,) = memory.get_all(user_id=f"u{one}")
        assert (item.text, item.speaker, item.agent_id, item.session_id) == (f"{number} {one}", one, one, one)
        assert (item.tags, item.metadata) == ((one,), {f"k{one}": one, "plain": one})
        assert item.sources[0].message_id == one
        assert [other.id for other in memory.get_all(user_id="*", filters={f"k{one}": one})] == [item.id]
        assert [other.id for other in memory.get_all(user_id="*", filters={"plain": one}, tags=[one])] == [item.id]
        found = memory.search(f"{number} {one}", user_id=f"u{one}", agent_id=one, session_id=one, tags=[one])
        assert [hit.id for hit in found] == [item.id]
    assert memory.stats().items == len(IDS) + 1


def test_hostile_questions_tasks_and_ids_find_nothing_of_others(memory: emberkeep.Memory) -> None:
    for one in IDS:
        assert memory.search(one, user_id="nobody").hits == ()
        context = memory.context(one, user_id="nobody")
        assert context.text == ""
        assert context.id
        assert memory.context_record(context.id).task == one
        for call in (memory.get, memory.delete, memory.history, memory.context_record):
            with pytest.raises(emberkeep.NotFound):
                call(one)
        assert memory.search("canary", user_id=one).hits == ()
        assert memory.search("canary", user_id="canary", tags=[one]).hits == ()
        assert memory.search("canary", user_id="canary", filters={"colour": one}).hits == ()
        assert memory.search("canary", user_id="canary", agent_id=one).hits == ()
        assert memory.delete_all(user_id=one).rows["items"] == 0
    assert len(memory.contexts(user_id="nobody", limit=1000)) == len(IDS)


@pytest.mark.parametrize("hostile", ["'; DROP TABLE items; --", "x' OR '1'='1", '"quoted"', "%s :x ? $1"])
def test_a_hostile_tenant_is_a_tenant_like_any_other(durable_target: str, hostile: str) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder(), tenant=hostile) as memory:
        memory.remember("The parrot is green")
        assert memory.stats().items == 1
    with emberkeep.open(durable_target, embedder=WordEmbedder(), tenant="plain") as memory:
        assert memory.search("parrot", user_id="*").hits == ()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text("';\"-%_\\()=*$:?{}[]|OR SELECT items\x00\x1a\ud800é日", min_size=1, max_size=40),
    name=st.text("';\"-%_\\()=:?$ab", min_size=1, max_size=20).filter(str.strip),
)
def test_any_value_is_kept_as_it_is_or_refused(memory: emberkeep.Memory, text: str, name: str) -> None:
    with suppress(emberkeep.InvalidInput):  # NUL, half a surrogate pair, nothing visible
        added = memory.remember(text, user_id=f"u{name}", tags=[name], metadata={name: text}).id
        item = memory.get(added)
        assert (item.text, item.user_id) == (text, f"u{name}")
        assert [one.id for one in memory.get_all(user_id=f"u{name}", tags=[name])] == [added]
        memory.delete(added)
