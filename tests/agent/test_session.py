"""A session is a task with a goal, steps, decisions and an end, whatever happens inside it."""

import asyncio
from collections.abc import Iterator

import pytest

import emberkeep
from emberkeep.agent import Session
from emberkeep.errors import Conflict, InvalidInput, NotFound
from emberkeep.testing import WordEmbedder


@pytest.fixture(params=["memory", "postgres"])
def memory(request: pytest.FixtureRequest) -> Iterator[emberkeep.Memory]:
    target = ":memory:" if request.param == "memory" else request.getfixturevalue("postgres_url")
    with emberkeep.open(target, embedder=WordEmbedder()) as opened:
        yield opened


def test_a_block_is_a_task_that_succeeds_when_it_ends(memory: emberkeep.Memory) -> None:
    with Session(memory, "Renew the certificate", goal="Keep the site up", agent_id="ops", user_id="alex") as session:
        assert memory.tasks.get(session.task.id).status == "running"
        with session.tool("shell", {"command": "certbot renew"}) as call:
            call.output = "renewed"
        decision = session.decide("Restart nginx", why="it reads certificates at start", confidence=0.9)
    task = memory.tasks.get(session.task.id)
    assert (task.status, task.user_id, task.agent_id) == ("succeeded", "alex", "ops")
    (step,) = memory.tasks.steps(task.id)
    assert (step.tool, step.parameters, step.output, step.success) == (
        "shell", {"command": "certbot renew"}, "renewed", True,
    )  # fmt: skip
    assert step.duration_ms is not None
    assert (decision.who, decision.task_id, decision.goal_id) == ("ops", task.id, task.goal_id)
    assert memory.goals.get(str(task.goal_id)).status == "running"


def test_an_error_fails_the_task_and_goes_on(memory: emberkeep.Memory) -> None:
    session = Session(memory, "Divide")
    with pytest.raises(ZeroDivisionError), session, session.tool("python", "1 / 0") as call:
        call.output = 1 / 0
    task = memory.tasks.get(session.task.id)
    assert (task.status, task.summary) == ("failed", "ZeroDivisionError: division by zero")
    (step,) = memory.tasks.steps(task.id)
    assert (step.success, step.output) == (False, "ZeroDivisionError: division by zero")


def test_an_interrupt_cancels_the_task(memory: emberkeep.Memory) -> None:
    session = Session(memory, "Wait")
    with pytest.raises(KeyboardInterrupt), session:
        raise KeyboardInterrupt
    assert memory.tasks.get(session.task.id).status == "cancelled"


def test_what_was_finished_inside_stays_so(memory: emberkeep.Memory) -> None:
    with Session(memory, "Try", goal="Know") as session:
        session.finish("It cannot be done", success=False, goal_reached=True)
    assert memory.tasks.get(session.task.id).summary == "It cannot be done"
    assert session.goal is not None
    assert memory.goals.get(session.goal.id).status == "succeeded"


def test_an_open_goal_with_the_same_words_is_taken_up(memory: emberkeep.Memory) -> None:
    with (
        Session(memory, "One", goal="Keep the site up") as first,
        Session(memory, "Two", goal="Keep the site up") as two,
    ):
        assert first.task.goal_id == two.task.goal_id
    with Session(memory, "Three", goal="Keep the site up", user_id="alex") as other:
        assert other.task.goal_id != first.task.goal_id
    with Session(memory, "Four", goal_id=first.task.goal_id) as four:
        assert four.task.goal_id == first.task.goal_id


def test_the_model_gets_the_context_before_the_prompt(memory: emberkeep.Memory) -> None:
    asked: list[list[dict[str, str]]] = []

    def model(messages: list[dict[str, str]]) -> str:
        asked.append(messages)
        return "Use certbot."

    memory.remember("The certificate is renewed with certbot", user_id="alex")
    with Session(memory, "Renew the certificate", user_id="alex", max_tokens=300) as session:
        assert session.ask(model, "How is the certificate renewed?") == "Use certbot."
    assert "renewed with certbot" in str(asked[0][:-1])
    assert asked[0][-1] == {"role": "user", "content": "How is the certificate renewed?"}
    assert all(context.total_tokens <= 300 for context in session.contexts)
    (step,) = memory.tasks.steps(session.task.id)
    assert (step.tool, step.output) == ("model", "Use certbot.")


def test_a_cached_pattern_is_found(memory: emberkeep.Memory) -> None:
    stored = memory.patterns.store("the disk is full", "rotate the logs")
    with Session(memory, "Look after the server") as session:
        found = session.known_action("The disk is full.")
    assert found is not None
    assert found.id == stored.id


def test_a_function_becomes_a_task_each_time(memory: emberkeep.Memory) -> None:
    @Session(memory, "Add two numbers", goal="Count")
    def add(session: Session, one: int, two: int) -> str:
        session.step("add", {"one": one, "two": two}, one + two)
        return f"It makes {one + two}"

    assert add(1, 2) == "It makes 3"
    assert add(3, two=4) == "It makes 7"
    tasks = memory.tasks.list(status="succeeded")
    assert {task.summary for task in tasks} == {"It makes 3", "It makes 7"}
    assert len({task.goal_id for task in tasks}) == 1


def test_so_does_one_that_is_awaited(memory: emberkeep.Memory) -> None:
    @Session(memory, "Fetch")
    async def fetch(session: Session, *, fails: bool) -> str:
        await asyncio.sleep(0)
        session.step("fetch")
        if fails:
            raise ConnectionError("no route")
        return "fetched"

    assert asyncio.run(fetch(fails=False)) == "fetched"
    with pytest.raises(ConnectionError):
        asyncio.run(fetch(fails=True))
    assert {(task.status, task.summary) for task in memory.tasks.list()} == {
        ("succeeded", "fetched"),
        ("failed", "ConnectionError: no route"),
    }


def test_what_is_wrong_is_said(memory: emberkeep.Memory) -> None:
    session = Session(memory, "Once")
    with pytest.raises(Conflict, match="has not begun"):
        session.step("x")
    with session:
        pass
    with pytest.raises(Conflict, match="one task"), session:
        pass
    with pytest.raises(NotFound, match="no goal"), Session(memory, "x", goal_id="nowhere"):
        pass
    with pytest.raises(InvalidInput, match="description is empty"), Session(memory, "  "):
        pass
