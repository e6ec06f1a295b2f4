"""The snippet of the design's contract, as it stands there."""

import asyncio
from pathlib import Path

import pytest

import emberkeep


def test_the_verbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # ruff: noqa: B018, E701 - as the contract is written
    # fmt: off
    with emberkeep.open("agent.db") as memory:
        r = memory.add(
            [{"role": "user", "content": "I moved to Lisbon in May.", "name": "Alex", "id": "m1"},
             {"role": "assistant", "content": "Noted!"}],
            user_id="alex", agent_id="voxa", session_id="s-1",
            occurred_at="2026-05-20T10:00:00Z", metadata={"channel": "voice"}, tags=["home"], learn=True)
        r.extracted, r.new, r.updated, r.errors, r.items
        memory.remember("Prefers a window seat", kind="preference", user_id="alex", sacred=False)
        hits = memory.search("where does Alex live?", user_id="alex", limit=5)
        for h in hits: h.id, h.text, h.kind, h.temperature, h.score, h.similarity, h.why, h.sources, h.metadata
        ctx = memory.context("Plan Alex's weekend", user_id="alex", max_tokens=1500)
        id = hits[0].id  # noqa: A001
        memory.get(id); memory.get_all(user_id="alex"); memory.update(id, "I moved to Porto."); memory.delete(id)  # noqa: E702
        memory.history(id); memory.delete_all(user_id="alex")  # noqa: E702
        memory.learn()
        memory.upkeep()
    # fmt: on
    assert (r.extracted, r.new, r.updated, r.errors, len(r.items)) == (3, 3, 0, 0, 3)
    assert [item.text for item in r.learned] == ["Alex moved to Lisbon in May 2026"]
    assert hits[0].text == "Alex moved to Lisbon in May 2026"
    assert {hit.text for hit in hits[1:]} == {"Prefers a window seat", "Noted!"}
    assert (hits[0].sources[0].message_id, hits[0].sources[0].interaction_id) == ("m1", r.interaction_id)
    assert hits[0].sources[0].quote == "I moved to Lisbon in May."
    assert "Lisbon" in ctx.text
    assert 0 < ctx.total_tokens <= 1500
    assert (tmp_path / "agent.db").is_file()


def test_the_verbs_awaited(postgres_url: str) -> None:
    async def awaited() -> emberkeep.Hits:
        async with emberkeep.open_async(postgres_url) as memory:
            await memory.add("I moved to Lisbon in May.", user_id="alex", occurred_at="2026-05-20T10:00:00Z")
            return await memory.search("where does Alex live?", user_id="alex")

    assert [hit.text for hit in asyncio.run(awaited())] == ["The user moved to Lisbon in May 2026"]
