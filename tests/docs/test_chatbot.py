"""The chatbot among the examples, with the official client, against a scripted server on loopback."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import emberkeep

pytestmark = pytest.mark.slow
EXAMPLE = Path(__file__).parents[2] / "examples" / "chatbot.py"
Chat = Callable[..., "subprocess.CompletedProcess[str]"]


class Model:
    """Answers with the next line of its script, and remembers what it was asked."""

    def __init__(self, *script: str) -> None:
        self.script = list(script)
        self.asked: list[list[dict[str, str]]] = []
        handler = type("Bound", (_Handler,), {"model": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    model: Model

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.model.asked.append(request["messages"])
        said = {"role": "assistant", "content": self.model.script.pop(0)} if self.model.script else None
        choices = [{"index": 0, "message": said, "finish_reason": "stop"}]
        answer: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 0, "model": request["model"]}
        body = json.dumps({**answer, "choices": choices} if said else {"error": {"message": "out of lines"}}).encode()
        self.send_response(200 if said else 400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def model() -> Iterator[Model]:
    running = Model("Lovely city!", "You live in Lisbon, and peanuts are out.")
    yield running
    running.stop()


@pytest.fixture
def chat(model: Model, tmp_path: Path) -> Chat:
    def run(*args: str, **options: Any) -> "subprocess.CompletedProcess[str]":
        environ = {**os.environ, "OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "sk-nobodys"}
        command = [sys.executable, "-W", "error::ResourceWarning", str(EXAMPLE), *args]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=120, check=True, cwd=tmp_path, env=environ, **options
        )

    return run


def test_what_was_said_in_one_run_is_before_the_model_in_the_next(chat: Chat, model: Model, tmp_path: Path) -> None:
    first = chat("--say", "I moved to Lisbon and I'm allergic to peanuts.", stdin=subprocess.DEVNULL)
    assert "bot: Lovely city!" in first.stdout
    assert "(remembered: Alex is allergic to peanuts)" in first.stdout
    second = chat(input="Where do I live, and what should I not eat?\n\n")
    assert "bot: You live in Lisbon, and peanuts are out." in second.stdout
    system, asked = model.asked[1]
    assert system["role"] == "system"
    assert "allergic to peanuts" in system["content"]
    assert "<memory>" in system["content"]
    assert asked["content"] == "Where do I live, and what should I not eat?"
    with emberkeep.open(tmp_path / "chatbot.db") as memory:
        assert memory.stats().interactions == 2


def test_what_was_said_is_kept_though_the_model_is_out_of_order(chat: Chat, model: Model, tmp_path: Path) -> None:
    model.script.clear()
    run = chat("--say", "My dentist is Dr. Weber.", stdin=subprocess.DEVNULL)
    assert "(no answer: " in run.stderr
    with emberkeep.open(tmp_path / "chatbot.db") as memory:
        assert "Weber" in memory.search("Who is Alex's dentist?", user_id="alex", limit=1)[0].text
