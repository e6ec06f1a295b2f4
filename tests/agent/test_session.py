"""A session is a task with a goal, steps, decisions and an end, whatever happens inside it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

import emberkeep
from emberkeep.agent import AsyncSession, Session
from emberkeep.errors import Conflict, InvalidInput, NotFound
from emberkeep.testing import WordEmbedder


@pytest.fixture
def memory(anywhere: Callable[..., emberkeep.Memory]) -> emberkeep.Memory:
    return anywhere(embedder=WordEmbedder())


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


class Unreadable(Exception):
    """An error that cannot even say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "error",
    [ValueError("a\x00b"), ValueError("a\ud800b"), ValueError("x" * 3_000_000), Unreadable(), ValueError("")],
    ids=["nul", "surrogate", "long", "unreadable", "empty"],
)
def test_the_error_in_flight_goes_on_whatever_it_says(memory: emberkeep.Memory, error: Exception) -> None:
    session = Session(memory, "Read")
    with pytest.raises(type(error)) as raised, session, session.tool("cat"):
        raise error
    assert raised.value is error
    assert memory.tasks.get(session.task.id).status == "failed"
    assert [step.success for step in memory.tasks.steps(session.task.id)] == [False]


def divided(work: Callable[[str], object], task_id: str) -> None:
    work(task_id)
    raise ZeroDivisionError


def interrupted(work: Callable[[str], object], task_id: str) -> None:
    work(task_id)
    raise KeyboardInterrupt


def test_the_error_in_flight_goes_on_whatever_became_of_the_task(memory: emberkeep.Memory) -> None:
    for meanwhile in (
        memory.tasks.delete,
        lambda task_id: memory.tasks.finish(task_id, success=True),
    ):
        session = Session(memory, "Read")
        with pytest.raises(ZeroDivisionError), session, session.tool("python"):
            divided(meanwhile, session.task.id)
        session = Session(memory, "Read")
        with pytest.raises(KeyboardInterrupt), session:
            interrupted(meanwhile, session.task.id)
        with pytest.raises((Conflict, NotFound)), Session(memory, "Read") as last:
            meanwhile(last.task.id)


def test_what_a_function_returned_is_kept_as_it_can_be(memory: emberkeep.Memory) -> None:
    @Session(memory, "Read")
    def read(_: Session, result: object) -> object:
        return result

    for result in ("a\x00b", "a\ud800b", Unreadable(), "x" * 3_000_000, 7):
        assert read(result) is result
    assert {task.status for task in memory.tasks.list()} == {"succeeded"}


def test_a_model_that_does_not_answer_with_text_is_refused(memory: emberkeep.Memory) -> None:
    async def awaited(_: list[dict[str, str]]) -> str:
        return "never awaited"

    with Session(memory, "Ask") as session:
        with pytest.raises(InvalidInput, match=r"coroutine.*AsyncSession"):
            session.ask(awaited, "What now?")  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="the model returned dict"):
            session.ask(lambda _: {"text": "x"}, "What now?")  # type: ignore[arg-type, return-value]
    assert [step.success for step in memory.tasks.steps(session.task.id)] == [False, False]


def test_only_functions_are_decorated(memory: emberkeep.Memory) -> None:
    session = Session(memory, "Count")

    def several(_: Session) -> Iterator[int]:
        yield 1

    async def awaited(_: Session) -> AsyncIterator[int]:
        yield 1

    class Counter:
        def count(self, _: Session) -> int:
            return 1

    for generator in (several, awaited):
        with pytest.raises(InvalidInput, match="cannot decorate a generator"):
            session(generator)
    with pytest.raises(InvalidInput, match="cannot decorate a method"):
        session(Counter.count)  # type: ignore[arg-type]
    for wrong in (staticmethod(several), None, "x"):
        with pytest.raises(InvalidInput, match="decorates functions"):
            session(wrong)  # type: ignore[arg-type]
    assert memory.tasks.list() == []


def test_a_session_takes_an_open_memory(memory: emberkeep.Memory) -> None:
    for wrong in (None, "agent.db", emberkeep.open_async(":memory:")):
        with pytest.raises(InvalidInput, match=r"pass what emberkeep\.open gives"):
            Session(wrong, "x")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"pass the one that emberkeep\.open_async gives"):
        AsyncSession(memory, "x")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="pass its agent_id"):
        Session(memory, "x", own_only=True)


def test_an_agent_reads_what_all_know_or_its_own_only(memory: emberkeep.Memory) -> None:
    memory.remember("The certificate is renewed with certbot", agent_id="ops")
    memory.remember("The certificate is renewed by hand", agent_id="web")
    memory.patterns.store("the certificate ran out", "renew it", agent_id="web")
    with Session(memory, "Renew the certificate", agent_id="ops") as session:
        text = session.context().text
        assert "certbot" in text
        assert "by hand" in text
        assert session.known_action("the certificate ran out") is not None
    with Session(memory, "Renew the certificate", agent_id="ops", own_only=True) as session:
        text = session.context().text
        assert "certbot" in text
        assert "by hand" not in text
        assert session.known_action("the certificate ran out") is None

    @Session(memory, "Renew the certificate", agent_id="ops", own_only=True)
    def renew(session: Session) -> str:
        return session.context().text

    assert "by hand" not in renew()


def test_a_session_may_be_awaited() -> None:
    async def run() -> None:
        async with emberkeep.open_async(":memory:", embedder=WordEmbedder()) as memory:
            asked: list[list[dict[str, str]]] = []

            async def model(messages: list[dict[str, str]]) -> str:
                asked.append(messages)
                return "Use certbot."

            await memory.remember("The certificate is renewed with certbot")
            session = AsyncSession(memory, "Renew the certificate", goal="Keep the site up", agent_id="ops")
            with pytest.raises(Conflict, match="has not begun"):
                await session.finish()
            async with session:
                assert (await memory.tasks.get(session.task.id)).status == "running"
                assert await session.ask(model, "How is the certificate renewed?") == "Use certbot."
                with pytest.raises(InvalidInput, match="the model returned int"):
                    await session.ask(lambda _: 7, "What now?")  # type: ignore[arg-type, return-value]
                async with session.tool("shell", {"command": "certbot renew"}) as call:
                    call.output = "renewed"
                await session.step("curl", output="200", success=True)
                assert (await session.decide("Restart nginx", why="it must read it")).task_id == session.task.id
                assert "certbot" in (await session.context()).text
                assert await session.known_action("x") is None
                await session.finish("Renewed", goal_reached=True)
            assert "renewed with certbot" in str(asked[0])
            steps = await memory.tasks.steps(session.task.id)
            assert [(step.tool, step.success) for step in steps] == [
                ("model", True), ("model", False), ("shell", True), ("curl", True),
            ]  # fmt: skip
            assert session.session.goal is not None
            assert session.session.goal.status == "succeeded"
            with pytest.raises(Conflict, match="one task"):
                await session.__aenter__()
            broken = AsyncSession(memory, "Divide")
            with pytest.raises(ZeroDivisionError):
                async with broken, broken.tool("python"):
                    raise ZeroDivisionError
            assert (await memory.tasks.get(broken.task.id)).status == "failed"

    asyncio.run(run())


def test_a_session_that_is_awaited_may_be_cancelled() -> None:
    async def run() -> None:
        async with emberkeep.open_async(":memory:", embedder=WordEmbedder()) as memory:
            begun = asyncio.Event()

            async def wait() -> None:
                async with AsyncSession(memory, "Wait"):
                    begun.set()
                    await asyncio.sleep(60)

            for before in (0, 0.0005, 0.005, 60):
                begun.clear()
                waiting = asyncio.ensure_future(wait())
                await asyncio.wait([asyncio.ensure_future(begun.wait())], timeout=before)
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
            assert {task.status for task in await memory.tasks.list()} == {"cancelled"}

    asyncio.run(run())
