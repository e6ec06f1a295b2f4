"""LlamaIndex's real `Memory`, flushing into a block of ours."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
from llama_index.core.memory import Memory
from llama_index.core.storage.chat_store.base_db import MessageStatus
from sqlalchemy.ext.asyncio import create_async_engine

import emberkeep
from emberkeep.errors import Closed, InvalidInput
from emberkeep.integrations.llama_index import EmberkeepMemoryBlock
from emberkeep.testing import WordEmbedder

Opened = Callable[..., emberkeep.Memory]


def words(text: str) -> list[str]:
    return text.split()


@asynccontextmanager
async def chat(block: EmberkeepMemoryBlock, session_id: str = "s-1", *, token_limit: int = 60) -> AsyncIterator[Memory]:
    """A conversation whose queue soon overflows."""
    engine = create_async_engine("sqlite+aiosqlite:///:memory:")
    yield Memory.from_defaults(
        session_id=session_id,
        token_limit=token_limit,
        token_flush_size=5,
        chat_history_token_ratio=0.4,
        memory_blocks=[block],
        tokenizer_fn=words,
        async_engine=engine,
    )
    await engine.dispose()


def user(said: str) -> ChatMessage:
    return ChatMessage(role="user", content=said)


def assistant(said: str = "I see, thank you very much for telling me.") -> ChatMessage:
    return ChatMessage(role="assistant", content=said)


TOLD = ["I moved to Lisbon in May.", "The weather was nice.", "We had fish for dinner.", "The boat was late."]


def test_what_leaves_the_queue_is_kept_and_comes_back(memory: emberkeep.Memory) -> None:
    block = EmberkeepMemoryBlock(memory=memory, user_id="alex", agent_id="voxa", max_tokens=200)

    async def use() -> list[ChatMessage]:
        async with chat(block) as talk:
            for said in TOLD:
                await talk.aput_messages([user(said), assistant()])
            assert TOLD[0] not in [message.content for message in await talk.aget_all(MessageStatus.ACTIVE)]
        async with chat(block, "s-2", token_limit=1_000) as talk:
            await talk.aput_messages([user("Where did I move to?"), assistant("Let me see.")])
            return await talk.aget()

    messages = asyncio.run(use())
    assert [message.role.value for message in messages] == ["system", "user", "assistant"]
    assert "moved to Lisbon" in str(messages[0].content)
    assert "<long_term_memory>" in str(messages[0].content)
    kept = memory.get_all(user_id="alex")
    assert {item.session_id for item in kept if item.kind == "episode"} == {"s-1"}
    assert {item.agent_id for item in kept} == {"voxa"}
    assert "The user moved to Lisbon in May" in " ".join(item.text for item in kept)


def test_others_do_not_see_it(opened: Opened) -> None:
    memory = opened()
    memory.remember("Alex moved to Lisbon", user_id="alex")

    async def use() -> list[ChatMessage]:
        async with chat(EmberkeepMemoryBlock(memory=memory, user_id="sam")) as talk:
            return await talk.aget(input="Where did Alex move to?")

    assert asyncio.run(use()) == []


def test_without_a_question_there_is_nothing(opened: Opened) -> None:
    memory = opened()
    memory.remember("Alex moved to Lisbon", user_id="alex")
    block = EmberkeepMemoryBlock(memory=memory, user_id="alex")
    assert asyncio.run(block.aget()) == ""
    assert asyncio.run(block.aget([ChatMessage(role="user", content=" ")])) == ""


def test_messages_without_words_make_no_memory(opened: Opened) -> None:
    memory = opened()
    block = EmberkeepMemoryBlock(memory=memory, learn=False)
    picture = ChatMessage(role="user", blocks=[ImageBlock(url="http://127.0.0.1/a.png")])
    both = ChatMessage(role="chatbot", blocks=[TextBlock(text="A boat"), ImageBlock(url="http://127.0.0.1/a.png")])
    asyncio.run(block.aput([picture, both]))
    asyncio.run(block.aput([picture]))
    (kept,) = memory.get_all()
    assert (kept.text, kept.sources[0].role) == ("A boat", "assistant")


def test_no_message_holds_up_the_queue(opened: Opened) -> None:
    memory = opened()
    block = EmberkeepMemoryBlock(memory=memory)
    odd = user("I moved to \x00Lisbon.")
    asyncio.run(block.aput([odd]))
    assert any("Lisbon" in hit.text for hit in memory.search("Lisbon"))
    assert "Lisbon" in asyncio.run(block.aget([odd]))


def test_messages_of_several_sessions_stay_apart(opened: Opened) -> None:
    memory = opened()
    block = EmberkeepMemoryBlock(memory=memory)
    asyncio.run(block.aput([ChatMessage(role="user", content="said in one")], session_id="one"))
    asyncio.run(block.aput([ChatMessage(role="user", content="said in two")], session_id="two"))
    assert {item.text: item.session_id for item in memory.get_all()} == {"said in one": "one", "said in two": "two"}


def test_a_block_that_is_too_long_is_chosen_anew(opened: Opened) -> None:
    memory = opened()
    for number in range(30):
        memory.remember(f"The harbour has berth {number} for boats", user_id="alex")
    block = EmberkeepMemoryBlock(memory=memory, user_id="alex", max_tokens=600, tokenizer_fn=words)
    whole = asyncio.run(block.aget([ChatMessage(role="user", content="Which berth is in the harbour?")]))
    less = asyncio.run(block.atruncate(whole, 150))
    assert less is not None
    assert len(words(less)) <= len(words(whole)) - 150
    assert 0 < less.count("berth") < whole.count("berth")
    assert less.splitlines()[-1] == whole.splitlines()[-1]  # the fence is closed
    assert asyncio.run(block.atruncate(less, 10_000)) is None
    assert asyncio.run(block.atruncate("something else", 10)) is None

    async def use() -> list[ChatMessage]:
        async with chat(block, token_limit=200) as talk:
            return await talk.aget(input="Which berth is in the harbour?")

    (system,) = asyncio.run(use())
    assert 0 < str(system.content).count("berth") < whole.count("berth")


def test_an_awaited_memory_will_do() -> None:
    async def use() -> None:
        async with emberkeep.open_async(":memory:", embedder=WordEmbedder()) as memory:
            block = EmberkeepMemoryBlock(memory=memory)
            await block.aput([ChatMessage(role="user", content="I moved to Lisbon.")])
            assert "Lisbon" in await block.aget([ChatMessage(role="user", content="Where did I move?")])

    asyncio.run(use())


def test_a_memory_that_is_closed_says_so_and_the_messages_stay(opened: Opened) -> None:
    memory = opened()
    memory.close()

    async def use() -> list[str | None]:
        async with chat(EmberkeepMemoryBlock(memory=memory)) as talk:
            turns = [one for said in TOLD for one in (user(said), assistant())]
            with pytest.raises(Closed):
                await talk.aput_messages(turns)
            return [message.content for message in await talk.aget_all()]

    assert set(TOLD) <= set(asyncio.run(use()))


def test_what_is_not_a_memory_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"emberkeep\.open"):
        EmberkeepMemoryBlock(memory="agent.db")


def test_the_memory_is_not_written_down_with_the_block(opened: Opened) -> None:
    assert "memory" not in EmberkeepMemoryBlock(memory=opened()).model_dump()
