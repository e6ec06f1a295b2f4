"""The same random work on SQLite and on PostgreSQL: the same answers."""

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import emberkeep
from emberkeep.model.work import STATUSES
from emberkeep.testing import FixedClock, WordEmbedder

_fresh = itertools.count()
ids = st.sampled_from(["a", "B", "ü:1", "x/#"])
texts = st.lists(st.sampled_from(["tea", "Tea.", "green", "5", "日本語", "the", "not"]), min_size=1, max_size=3).map(
    " ".join
)
users = st.sampled_from([None, "alex", "sam"])
everyone = st.sampled_from([None, "alex", "sam", "*"])
agents = st.sampled_from([None, "x", "*"])
statuses = st.sampled_from(STATUSES)
values = st.sampled_from([None, 0, "dark", [1, "ü"], {"b": 1, "a": None}, 1.5, 2**70, True])
scope = {"user_id": users, "agent_id": agents}


def call(verb: str, *arguments: Any, **options: Any) -> st.SearchStrategy[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    return st.tuples(st.just(verb), st.tuples(*arguments), st.fixed_dictionaries(options))


steps = st.one_of(
    call("goals.save", texts, id=ids, parent_id=st.none() | ids, status=statuses, **scope),
    call("goals.update", ids, status=st.none() | statuses, parent_id=st.none() | ids),
    call("goals.delete", ids),
    call("goals.active", user_id=everyone),
    call("goals.list", parent_id=st.none() | ids, user_id=everyone),
    call("tasks.save", ids, texts, goal_id=st.none() | ids, status=statuses, summary=texts, **scope),
    call("tasks.update", ids, status=st.none() | statuses, summary=st.none() | texts),
    call("tasks.finish", ids, success=st.booleans()),
    call("tasks.step", ids, texts, parameters=values, output=values, success=st.booleans()),
    call("tasks.steps", ids),
    call("tasks.list", status=st.none() | statuses, user_id=everyone),
    call("tasks.recent_summaries", user_id=everyone, max_tokens=st.sampled_from([1, 5, 2_000])),
    call("tasks.relevant", texts, user_id=everyone),
    call("tasks.delete", ids),
    call("decisions.log", texts, id=ids, task_id=st.none() | ids, why=texts, **scope),
    call("decisions.set_outcome", ids, texts, success=st.none() | st.booleans()),
    call("decisions.similar", texts, user_id=everyone),
    call("decisions.list", user_id=everyone),
    call("patterns.store", texts, texts, id=ids, **scope),
    call("patterns.used", ids, success=st.booleans()),
    call("patterns.find", texts, user_id=everyone),
    call("preferences.set", ids, values, **scope),
    call("preferences.all", **scope),
    call("preferences.delete", ids, **scope),
    call("persona.set", ids, values, **scope),
    call("persona.all", **scope),
    call("agents.save", ids, texts),
    call("agents.list"),
    call("delete_all", user_id=everyone, agent_id=agents),
)


def _do(memory: emberkeep.Memory, verb: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    function: Any = memory
    for name in verb.split("."):
        function = getattr(function, name)
    try:
        result = function(*arguments, **options)
    except emberkeep.EmberkeepError as error:
        return type(error).__name__, str(error)
    if verb in {"tasks.relevant", "decisions.similar"}:  # those that are equally good may come in any order
        return sorted((round(found.relevance, 4), repr(found.record)) for found in result)
    if isinstance(result, emberkeep.Receipt):
        return dict(result.rows)
    return [result] if not isinstance(result, list) else result


@pytest.mark.slow
@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(life=st.lists(steps, min_size=5, max_size=30))
def test_both_databases_answer_alike(postgres_url: str, tmp_path: Any, life: list[Any]) -> None:
    tenant = f"example {next(_fresh)}"
    lives = []
    for target in (str(tmp_path / "agent.db"), postgres_url):
        clock = FixedClock()
        lives.append((emberkeep.open(target, tenant=tenant, clock=clock, embedder=WordEmbedder(dimension=16)), clock))
    try:
        for step in life:
            one, other = (_do(memory, *step) for memory, _ in lives)
            assert one == other, step
            for _, clock in lives:
                clock.move(seconds=1)
        one, other = (memory.stats().items_by_kind for memory, _ in lives)
        assert one == other
    finally:
        for memory, _ in lives:
            memory.close()
