"""Hostile texts, kept in every place that takes one, come back as texts wherever they are read."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from mcp import Client
from mcp_types import TextContent

import emberkeep
from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.mcp.caller import Caller
from emberkeep.entrypoints.mcp.server import create_server
from emberkeep.integrations.toolbox import Toolbox
from emberkeep.language.characters import visible
from emberkeep.learning.gate import without_echoes
from emberkeep.memory import Memory
from emberkeep.model.context import Trust
from emberkeep.testing import WordEmbedder
from emberkeep.transfer.exporting import write_export
from emberkeep.transfer.importing import import_from

from ..context import hostile
from .poisoning import TEXTS, UNSAFE, poison

pytestmark = pytest.mark.slow
LINE = re.compile(r"- \[\d{4}-\d\d-\d\d\] \((?P<head>[^()\n]*)\) [^<>\n]*")


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        assert len(poison(memory)) > len(TEXTS) - 20
        yield memory


def records(text: str) -> list[str]:
    """The records of an answer to a model: all that was stored is in them, in one fence, a line each."""
    before, fence, inside = text.partition("<memory>\n")
    assert fence
    _note, *lines = inside.partition("</memory>")[0].splitlines()
    after = inside.partition("</memory>")[2]
    assert "<" not in before + after
    assert len((before + after).strip().splitlines()) <= 1
    found = [LINE.fullmatch(line) for line in lines]
    assert all(found), lines
    assert all(one["head"].split(", ")[1] in get_args(Trust) for one in found if one)
    assert not UNSAFE.search(text.replace("\n", ""))
    assert not without_echoes(f"<memory>\n{inside.partition('</memory>')[0]}</memory>").strip()
    return lines


def test_the_tools_of_frameworks_quote(memory: Memory) -> None:
    box = Toolbox(memory, "alex")

    async def answers() -> list[str]:
        context = await box.context("tea", 20_000)
        again = await box.remember(f"tea {hostile.TERMINAL[0]} {hostile.FENCES[1]}", "fact")
        return [await box.search("tea", 100), await box.warn("brew tea"), context.text, again]

    found = [len(records(text)) for text in asyncio.run(answers())]
    assert found[0] == 100
    assert min(found) > 0
    assert found[2] > 50


def test_the_tools_and_the_prompt_of_the_mcp_server_quote(memory: Memory) -> None:
    asked: dict[str, dict[str, Any]] = {
        "search": {"query": "tea", "limit": 50},
        "context": {"task": "tea", "max_tokens": 20_000},
        "task_start": {"description": "brew tea"},
        "warn": {"action": "brew tea"},
    }

    async def answers() -> list[str]:
        async with Client(create_server(lambda _: Caller(memory))) as client:
            told = [await client.call_tool(name, {**given, "user_id": "alex"}) for name, given in asked.items()]
            prompt = await client.get_prompt("recall", {"task": "tea", "max_tokens": "20000"})
            assert [one.role for one in prompt.messages] == ["user"]
            contents = [content for result in told for content in result.content]
            return [content.text for content in contents if isinstance(content, TextContent)]

    for text in asyncio.run(answers()):
        assert records(text)


def test_http_gives_each_text_as_it_was_kept(memory: Memory) -> None:
    async def page() -> httpx.Response:
        transport = httpx.ASGITransport(create_app(memory))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/api/v1/memories", params={"user_id": "alex", "limit": 1_000, "kinds": ["fact"]})

    answer = asyncio.run(page())
    assert answer.headers["content-type"] == "application/json"
    assert not re.search(rb"[\x00-\x1f]", answer.content)
    texts = {one["text"] for one in answer.json()["memories"]}
    assert texts == {item.text for item in memory.get_all(user_id="alex", limit=1_000, kinds=["fact"])}
    assert len(texts) > 100


def test_an_export_is_a_line_for_each_and_comes_back(memory: Memory, tmp_path: Path) -> None:
    report = write_export(memory, tmp_path / "all.jsonl")
    lines = (tmp_path / "all.jsonl").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    assert len(lines) == report.memories + report.exchanges
    facts = {one["text"] for one in map(json.loads, lines) if "text" in one}
    assert facts == {
        item.text for item in memory.get_all(user_id="*", limit=2_000) if item.record is None and item.kind != "episode"
    }
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none") as other:
        import_from(other, tmp_path / "all.jsonl", "emberkeep")
        back = {item.text for item in other.get_all(user_id="*", limit=2_000, kinds=["fact"])}
    assert {visible(text) for text in back} == {visible(text) for text in facts}


def test_markdown_is_a_line_for_each_and_steers_no_terminal(memory: Memory, tmp_path: Path) -> None:
    report = write_export(memory, tmp_path / "all.md", "markdown")
    text = (tmp_path / "all.md").read_text(encoding="utf-8")
    assert not UNSAFE.search(text)
    lines = [line for line in text.split("\n") if line]
    assert len([line for line in lines if re.match(r"- \d{4}-\d\d-\d\d: ", line)]) == report.memories
    assert {line for line in lines if not line.startswith("- ")} <= {
        "# alex",
        "# Of no user",
        "## fact",
        "## preference",
        "## decision",
    }
