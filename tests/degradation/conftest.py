"""Servers of models that can be stopped, left hanging, and started again where they were."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import pytest

from emberkeep.testing import WordEmbedder

Mood = Literal["well", "hanging", "talking nonsense"]
_words = WordEmbedder(dimension=32)


class ModelServer:
    """An embedder and a language model, as OpenAI's are asked, on a port that stays the same."""

    def __init__(self) -> None:
        self.port = 0
        self.mood: Mood = "well"
        self._stopping = threading.Event()
        self._http: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> None:
        self._stopping.clear()
        self._http = ThreadingHTTPServer(("127.0.0.1", self.port), self._handler())
        self.port = self._http.server_port
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def stop(self) -> None:
        if self._http is not None and self._thread is not None:
            self._stopping.set()
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()
            self._http = None

    def answer(self, path: str, asked: dict[str, Any]) -> bytes:
        if self.mood == "talking nonsense":
            return b'{"what": "ever'
        if path.endswith("/embeddings"):
            made = _words.embed(asked["input"]).tolist()
            data = [{"index": place, "embedding": vector} for place, vector in enumerate(made)]
            return json.dumps({"object": "list", "data": data}).encode()
        said = str(asked["messages"][-1]["content"])
        place = said.rfind("I own ")
        quote = said[place:].partition(".")[0]
        fact = {"text": quote.replace("I own", "Alex owns"), "kind": "fact", "message": 1, "quote": quote}
        content = json.dumps({"facts": [{**fact, "when": None, "type": "state"}]})
        choices = [{"message": {"content": content}, "finish_reason": "stop"}]
        return json.dumps({"choices": choices, "usage": {"prompt_tokens": 1, "completion_tokens": 1}}).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if server.mood == "hanging":
                    server._stopping.wait(5)
                    self.close_connection = True
                    return
                self.reply(server.answer(self.path, asked))

            def do_GET(self) -> None:
                self.reply(b'{"data": []}')

            def reply(self, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setattr("emberkeep.providers.openai_http._FIRST_PAUSE_S", 0.01)
    server = ModelServer()
    server.start()
    yield server
    server.stop()


def wait_until(true: Callable[[], object], within_s: float = 60.0) -> None:
    """Wait for something that comes by itself."""
    deadline = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.05)
