"""pydantic-ai's real agent; only the model is faked."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart, UnexpectedModelBehavior
from pydantic_ai.messages import ImageUrl, ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.run import AgentRunResult

import emberkeep
from emberkeep.errors import InvalidInput
from emberkeep.integrations.pydantic_ai import MemoryCapability, MemoryToolset
from emberkeep.testing import WordEmbedder

Opened = Callable[..., emberkeep.Memory]


@dataclass
class Deps:
    user: str


class Scripted:
    """A model that says what it is told to, turn by turn, and remembers what it was asked."""

    def __init__(self, *turns: str | tuple[str, dict[str, Any]]) -> None:
        self._turns = list(turns)
        self.instructions: list[str] = []
        self.tools: list[str] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.instructions.append(info.instructions or "")
        self.tools = sorted(tool.name for tool in info.function_tools)
        turn = self._turns.pop(0)
        if isinstance(turn, str):
            return ModelResponse(parts=[TextPart(turn)])
        return ModelResponse(parts=[ToolCallPart(turn[0], turn[1])])


def run(agent: Agent[Any, str], said: Any, **options: Any) -> AgentRunResult[str]:
    return asyncio.run(agent.run(said, **options))


def ask(memory: Any, user: str, name: str, **arguments: Any) -> ToolReturnPart:
    """What the agent is told when its model calls a tool."""
    toolset: MemoryToolset[Deps] = MemoryToolset(memory, user_id=lambda run: run.deps.user, agent_id="voxa")
    agent = Agent(FunctionModel(Scripted((name, arguments), "Done.")), deps_type=Deps, toolsets=[toolset])
    result = run(agent, "Go on.", deps=Deps(user))
    request = result.all_messages()[-2]
    assert isinstance(request, ModelRequest)
    part = request.parts[0]
    assert isinstance(part, ToolReturnPart)
    return part


def test_an_agent_uses_its_memory_by_itself(memory: emberkeep.Memory) -> None:
    assert str(ask(memory, "alex", "remember", text="Prefers a window seat", kind="preference").content)[:5] == "Kept."
    assert ask(memory, "sam", "search_memory", query="window seat").content == "Nothing was found."
    found = str(ask(memory, "alex", "search_memory", query="window seat", limit=3).content)
    (kept,) = memory.get_all(user_id="alex")
    assert (kept.agent_id, kept.kind) == ("voxa", "preference")
    assert kept.id in found
    assert "Prefers a window seat" in found
    refused = ask(memory, "sam", "forget", memory_id=kept.id)
    assert (refused.outcome, refused.content) == ("retried", f"no memory {kept.id!r}")
    assert ask(memory, "alex", "forget", memory_id=kept.id).content == "Forgotten for good."
    assert len(memory.get_all(user_id="alex")) == 0


def test_an_agent_is_warned(opened: Opened) -> None:
    memory = opened()
    task = memory.tasks.start("Deploy the web shop", user_id="alex")
    memory.tasks.finish(task.id, success=False, summary="The deploy stopped: the disk was full")
    said = str(ask(memory, "alex", "warn", action="Deploy the web shop").content)
    assert "failed 1 of 1 times" in said
    assert "the disk was full" in said
    assert "Nothing like this" in str(ask(memory, "sam", "warn", action="Deploy the web shop").content)


def test_every_tool_can_be_called_by_its_schema(opened: Opened) -> None:
    memory = opened()
    tools: MemoryToolset[None] = MemoryToolset(memory, user_id="alex")
    agent = Agent(TestModel(call_tools=["search_memory", "remember", "warn"]), toolsets=[tools])
    run(agent, "Go on.")
    assert len(memory.get_all(user_id="alex")) == 1


def test_what_the_model_can_put_right_it_is_asked_to(opened: Opened) -> None:
    memory = opened()
    part = ask(memory, "alex", "search_memory", query="tea", limit=0)
    assert (part.outcome, part.content) == ("retried", "limit is 0: pass 1 to 1,000")
    tools: MemoryToolset[None] = MemoryToolset(memory)
    stubborn = Scripted(*[("remember", {"text": " "})] * 5)
    with pytest.raises(UnexpectedModelBehavior):
        run(Agent(FunctionModel(stubborn), toolsets=[tools]), "Go on.")


def test_of_what_it_cannot_put_right_it_is_told(opened: Opened) -> None:
    memory = opened()
    memory.close()
    part = ask(memory, "alex", "search_memory", query="tea")
    assert part.outcome == "failed"
    assert "the memory cannot do this now" in str(part.content)


def test_what_is_relevant_is_in_the_instructions(memory: emberkeep.Memory) -> None:
    memory.remember("Alex drinks green tea", user_id="alex")
    memory.remember("Sam drinks coffee", user_id="sam")
    model = Scripted(("search_memory", {"query": "tea"}), "Green tea.")
    remembering: MemoryCapability[Deps] = MemoryCapability(
        memory, user_id=lambda run: run.deps.user, session_id="s-1", max_tokens=200
    )
    agent = Agent(FunctionModel(model), deps_type=Deps, instructions="Be brief.", capabilities=[remembering])
    assert run(agent, "What does Alex drink?", deps=Deps("alex")).output == "Green tea."
    assert model.tools == ["forget", "remember", "search_memory", "warn"]
    first, second = model.instructions
    assert "Be brief." in first
    assert "Alex drinks green tea" in first
    assert "coffee" not in first
    assert first == second  # looked up once, for all of the run


def test_what_was_said_is_kept_and_learned_from(opened: Opened) -> None:
    memory = opened()
    remembering: MemoryCapability[Deps] = MemoryCapability(memory, user_id=lambda run: run.deps.user, session_id="s-1")
    agent = Agent(
        FunctionModel(Scripted(("search_memory", {"query": "city"}), "Nice!", "Lisbon.")),
        deps_type=Deps,
        capabilities=[remembering],
    )
    run(agent, ["I moved to Lisbon.", ImageUrl("http://127.0.0.1/a.png")], deps=Deps("alex"))
    texts = {item.text for item in memory.get_all(user_id="alex")}
    assert texts == {"I moved to Lisbon.", "Nice!", "The user moved to Lisbon"}
    run(agent, "Where do I live?", deps=Deps("sam"))
    assert "The user moved to Lisbon" not in {item.text for item in memory.get_all(user_id="sam")}


def test_a_stream_is_a_run(opened: Opened) -> None:
    memory = opened()
    memory.remember("Alex lives in a harbour town", user_id="alex")
    seen: list[str] = []

    async def model(_: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        seen.append(info.instructions or "")
        yield "Ni"
        yield "ce!"

    async def use() -> None:
        remembering: MemoryCapability[None] = MemoryCapability(memory, user_id="alex")
        agent = Agent(FunctionModel(stream_function=model), capabilities=[remembering])
        async with agent.run_stream("I moved to Lisbon, a harbour town.") as streamed:
            assert [text async for text in streamed.stream_text()][-1] == "Nice!"

    asyncio.run(use())
    assert "harbour town" in seen[0]
    assert {"I moved to Lisbon, a harbour town.", "Nice!"} <= {item.text for item in memory.get_all(user_id="alex")}


def test_no_run_fails_over_what_was_said(opened: Opened) -> None:
    memory = opened()
    agent = Agent(FunctionModel(Scripted("Nice!")), capabilities=[MemoryCapability[None](memory)])
    run(agent, "I moved to \x00Lisbon.")
    assert any("Lisbon" in hit.text for hit in memory.search("Lisbon"))


def test_learning_can_be_left_out(opened: Opened) -> None:
    memory = opened()
    remembering: MemoryCapability[None] = MemoryCapability(memory, learn=False)
    run(Agent(FunctionModel(Scripted("Nice!")), capabilities=[remembering]), "I moved to Lisbon.")
    assert memory.stats().items == 0


def test_runs_at_once_see_their_own_user_only() -> None:
    seen: dict[str, str] = {}

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen[str(getattr(messages[0].parts[0], "content", ""))] = info.instructions or ""
        return ModelResponse(parts=[TextPart("Done.")])

    async def use() -> None:
        async with emberkeep.open_async(":memory:", embedder=WordEmbedder()) as memory:
            for user in ("alex", "sam", "kim"):
                await memory.remember(f"drinks the tea of {user}", user_id=user)
            remembering: MemoryCapability[Deps] = MemoryCapability(memory, user_id=lambda run: run.deps.user)
            agent = Agent(FunctionModel(model), deps_type=Deps, capabilities=[remembering])
            await asyncio.gather(*(agent.run(f"tea for {user}", deps=Deps(user)) for user in ("alex", "sam", "kim")))

    asyncio.run(use())
    for user in ("alex", "sam", "kim"):
        assert [name for name in ("alex", "sam", "kim") if f"tea of {name}" in seen[f"tea for {user}"]] == [user]


def test_what_is_not_a_memory_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"emberkeep\.open"):
        MemoryToolset("agent.db")  # type: ignore[arg-type]
