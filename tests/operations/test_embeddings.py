"""The OpenAI-compatible embeddings, asked by OpenAI's own client and by Mem0, over a real socket."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import openai
import pytest
from fastapi import FastAPI

import emberkeep
from emberkeep.entrypoints.http.app import create_app
from emberkeep.providers.base import Embedder

Serve = Callable[[FastAPI], AbstractContextManager[str]]
TEXTS = ["Alex moved to Lisbon.", "The cat sleeps."]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder, serve: Serve) -> Iterator[str]:
    path = tmp_path_factory.mktemp("embeddings") / "agent.db"
    config = emberkeep.Config(db=str(path), max_text_chars=1_000)
    with emberkeep.open(config=config, embedder=embedder) as memory, serve(create_app(memory)) as url:
        yield url


@pytest.fixture
def client(url: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0) as client:
        yield client


def test_the_official_client_gets_the_vectors_of_the_embedder(client: openai.OpenAI, embedder: Embedder) -> None:
    expected = embedder.embed(TEXTS)
    usual = client.embeddings.create(input=TEXTS, model="text-embedding-3-small")
    plain = client.embeddings.create(input=TEXTS, model="local", encoding_format="float", dimensions=384)
    for answer in (usual, plain):
        assert [one.index for one in answer.data] == [0, 1]
        assert np.allclose([one.embedding for one in answer.data], expected, atol=1e-6)
    assert usual.model == "text-embedding-3-small"
    assert usual.usage.prompt_tokens == usual.usage.total_tokens == 9


def test_one_text_and_the_model(client: openai.OpenAI, embedder: Embedder) -> None:
    answer = client.embeddings.create(input=TEXTS[0], model="local", user="someone")
    assert np.allclose(answer.data[0].embedding, embedder.embed(TEXTS[:1])[0], atol=1e-6)
    assert [one.id for one in client.models.list()] == [embedder.name]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"input": [1, 2, 3]}, "tokens"),
        ({"input": [[1, 2], [3]]}, "tokens"),
        ({"input": []}, "no text"),
        ({"input": {"text": "Hi"}}, "no text"),
        ({"input": None}, "no text"),
        ({"input": ["Hi", ""]}, "input[1] is empty"),
        ({"input": ["Hi"] * 2_049}, "several requests"),
        ({"input": "x" * 1_001}, "the limit is 1,000"),
        ({"input": "Hi\x00"}, "NUL"),
        ({"input": "Hi", "dimensions": 256}, "384"),
        ({"input": "Hi", "encoding_format": "hex"}, "base64"),
        ({"input": "Hi", "model": ""}, "model"),
        ({"input": "Hi", "task": "query"}, "task"),
        ({}, "input"),
    ],
)
def test_what_is_wrong_is_said_in_the_shape_of_all_errors(url: str, wanted: dict[str, Any], said: str) -> None:
    answer = httpx.post(f"{url}/v1/embeddings", json={"model": "local", **wanted})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "invalid_input"
    assert said in answer.json()["error"]["message"]


def test_the_official_client_shows_our_message(client: openai.OpenAI) -> None:
    with pytest.raises(openai.UnprocessableEntityError, match="pass that, or leave it out"):
        client.embeddings.create(input="Hi", model="local", dimensions=1_536)


_MEM0 = """
import json, socket, sys
reached = []
connect = socket.socket.connect
def watched(self, address):
    reached.append(str(address[0]))
    return connect(self, address)
socket.socket.connect = watched
from mem0 import Memory
memory = Memory.from_config(json.loads(sys.argv[1]))
memory.add("Alex moved to Lisbon.", user_id="alex", infer=False)
memory.add("The cat sleeps.", user_id="alex", infer=False)
found = memory.search("Where does Alex live?", filters={"user_id": "alex"})["results"]
print(json.dumps([found[0]["memory"], sorted(set(reached))]))
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mem0") is None, reason="Mem0 is an extra: pip install 'emberkeep[mem0]'")
def test_mem0_embeds_with_it_and_reaches_nobody_else(url: str, tmp_path: Path) -> None:
    base = {"openai_base_url": f"{url}/v1", "api_key": "none"}
    config = {
        "embedder": {"provider": "openai", "config": {**base, "model": "local", "embedding_dims": 384}},
        "llm": {"provider": "openai", "config": {**base, "model": "none"}},
        "vector_store": {
            "provider": "qdrant",
            "config": {"path": str(tmp_path / "qdrant"), "embedding_model_dims": 384, "collection_name": "agent"},
        },
        "history_db_path": str(tmp_path / "history.db"),
    }
    environ = {**os.environ, "HOME": str(tmp_path), "MEM0_TELEMETRY": "False", "MEM0_DIR": str(tmp_path / "mem0")}
    ended = subprocess.run(
        [sys.executable, "-c", _MEM0, json.dumps(config)],
        check=False,
        capture_output=True,
        text=True,
        env=environ,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    best, reached = json.loads(ended.stdout.splitlines()[-1])
    assert best == "Alex moved to Lisbon."
    assert reached == ["127.0.0.1"]
