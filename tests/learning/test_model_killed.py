"""A model server that is killed again and again while two hundred exchanges come in."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import emberkeep
from emberkeep.learning.llm import ModelLearner
from emberkeep.providers.breaker import Guarded
from emberkeep.providers.openai_chat import OpenAIChat
from emberkeep.testing import WordEmbedder

SERVER = """
import json, re, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = re.findall(r"I own item number \\d+", str(asked["messages"][-1]["content"]))[-1]
        text = said.replace("I own", "Alex owns")
        fact = {"text": text, "kind": "fact", "message": 1, "quote": said, "when": None, "type": "state"}
        content = json.dumps({"facts": [fact]})
        reply = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}],
                 "usage": {"prompt_tokens": 10, "completion_tokens": 5}}
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
ADDS = 200
THREADS = 4


class Server:
    """A model server in a process of its own, always on the same port."""

    def __init__(self) -> None:
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(self.port)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def kill(self) -> None:
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    made.start()
    yield made
    made.kill()


@pytest.mark.slow
def test_nothing_is_lost_and_the_backlog_drains_when_it_returns(tmp_path: Path, server: Server) -> None:
    chat = OpenAIChat(f"http://127.0.0.1:{server.port}/v1", "tiny", timeout_s=2, max_retries=0)
    learner = ModelLearner(Guarded(chat, failures=3, pause_s=0.2))
    chance = random.Random(7)
    done = threading.Event()
    kills = 0

    def torment() -> None:
        nonlocal kills
        while not done.wait(chance.uniform(0.05, 0.4)):
            server.kill()
            kills += 1
            done.wait(chance.uniform(0.05, 0.3))
            server.start()

    with emberkeep.open(tmp_path / "agent.db", embedder=WordEmbedder(), learner=learner) as memory:

        def add(first: int) -> None:
            for number in range(first, ADDS, THREADS):
                added = memory.add(f"I own item number {number}", user_id="alex", learn=True)
                assert added.items[0].kind == "episode"

        killer = threading.Thread(target=torment)
        workers = [threading.Thread(target=add, args=(first,)) for first in range(THREADS)]
        killer.start()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        done.set()
        killer.join()
        assert kills > 0
        assert memory.stats().interactions == ADDS
        httpx.get(f"http://127.0.0.1:{server.port}/", timeout=5)
        for _ in range(50):
            if memory.learn(retry_failed=True).waiting == 0:
                break
            time.sleep(0.1)
        assert memory.backlog() == []
        learned = Counter(item.text for item in memory.get_all(user_id="alex", kinds=["fact"], limit=1_000))
        assert learned == Counter(f"Alex owns item number {number}" for number in range(ADDS))
        assert sum(entry.spent.calls for entry in memory.spending()) >= ADDS
