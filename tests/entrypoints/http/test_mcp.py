"""MCP at a path of the service, by the SDK's own client: the same keys, the same tenants."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client as McpClient
from mcp import MCPError
from mcp.client.streamable_http import streamable_http_client

from emberkeep.entrypoints.http.app import create_app
from emberkeep.memory import Memory
from emberkeep.service.door import Door

from .client import Client, error, served

pytestmark = pytest.mark.slow  # waits for a server
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def talk(place: tuple[str, int], key: str | None, what: Callable[[McpClient], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(f"http://127.0.0.1:{place[1]}/mcp", http_client=http)
            async with McpClient(transport, read_timeout_seconds=60) as client:
                return await what(client)

    return asyncio.run(run())


async def _journey(client: McpClient) -> Any:
    assert len((await client.list_tools()).tools) <= 12
    kept = await client.call_tool("remember", {"text": "Prefers a window seat", "user_id": "alex"})
    assert not kept.is_error
    return await client.call_tool("search", {"query": "which seat?", "user_id": "alex"})


def test_without_keys_it_works_on_this_machine_at_once(memory: Memory) -> None:
    with served(create_app(memory)) as place:
        found = talk(place, None, _journey)
    assert "window seat" in found.content[0].text
    assert memory.search("seat", user_id="alex")


def test_a_key_says_whose_memory_it_is(memory: Memory) -> None:
    acme = memory.of_tenant("acme")
    key = acme.keys.create("agent").secret
    with served(create_app(memory)) as place:
        talk(place, key, _journey)
    assert acme.search("seat", user_id="alex")
    assert not memory.search("seat", user_id="alex")


def test_a_key_of_one_user_reaches_that_user_alone(memory: Memory) -> None:
    memory.remember("Kim is allergic to nuts", user_id="kim")
    key = memory.keys.create("agent", user_id="alex").secret

    async def ask(client: McpClient) -> Any:
        await client.call_tool("remember", {"text": "Prefers a window seat"})
        schema = (await client.list_tools()).tools[0].input_schema
        assert "user_id" not in schema["properties"]
        return await client.call_tool("search", {"query": "allergic"})

    with served(create_app(memory)) as place:
        found = talk(place, key, ask)
    assert "nuts" not in found.content[0].text
    assert memory.search("seat", user_id="alex")


def test_a_key_that_may_read_writes_nothing(memory: Memory) -> None:
    key = memory.keys.create("reader", role="read").secret

    async def ask(client: McpClient) -> Any:
        assert not (await client.call_tool("search", {"query": "seat"})).is_error
        return [
            await client.call_tool("remember", {"text": "Prefers a window seat"}),
            await client.call_tool("forget", {"id": "x"}),
        ]

    with served(create_app(memory)) as place:
        refused = talk(place, key, ask)
    assert all(one.is_error and "role write" in one.content[0].text for one in refused)
    assert not memory.get_all()


def test_a_key_of_one_user_is_told_nothing_of_everyone(memory: Memory) -> None:
    memory.operational.push_event("vault", "Kim's alarm rang", severity="critical")
    key = memory.keys.create("agent", user_id="alex").secret

    async def ask(client: McpClient) -> Any:
        counted = await client.call_tool("stats", {})
        assert counted.is_error
        assert "about everyone" in repr(counted.content)
        with pytest.raises(MCPError, match="about everyone"):
            await client.read_resource("emberkeep://stats")
        prompt = await client.get_prompt("recall", {"task": "Kim's alarm"})
        return [await client.call_tool("context", {"task": "Kim's alarm"}), prompt]

    with served(create_app(memory)) as place:
        assert "rang" not in repr(talk(place, key, ask))


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer nonsense"}, {"x-api-key": "ek_"}])
def test_a_wrong_key_is_an_error_of_http(memory: Memory, headers: dict[str, str]) -> None:
    client = Client(create_app(memory, door=Door(memory, keyless=False)))
    assert error(client("POST", "/mcp", json=PING, headers=headers), 401)["code"] == "unauthenticated"


def test_only_post_is_spoken(memory: Memory) -> None:
    with served(create_app(memory)) as (host, port), httpx2.Client() as client:
        assert client.get(f"http://{host}:{port}/mcp").status_code == 405


@pytest.mark.slow
def test_it_is_loaded_for_those_who_speak_it_alone(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys, emberkeep; from emberkeep.entrypoints.http.app import create_app, _lifespan\n"
        "from emberkeep.testing import WordEmbedder\n"
        "async def serve():\n"
        "    with emberkeep.open(':memory:', embedder=WordEmbedder()) as memory:\n"
        "        async with _lifespan(create_app(memory)):\n"
        "            pass\n"
        "asyncio.run(serve()); print('mcp' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "False\n"


def test_whoever_comes_while_it_does_not_run_is_told(memory: Memory) -> None:
    assert "not running" in error(Client(create_app(memory))("POST", "/mcp", json=PING), 503)["message"]
