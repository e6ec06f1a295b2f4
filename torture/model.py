"""A fake language model server on a loopback port, which answers, hangs, talks nonsense or hangs up, as it is set."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

Mood = Literal["answers", "hangs", "talks nonsense", "hangs up"]
MOODS: tuple[Mood, ...] = ("answers", "hangs", "talks nonsense", "hangs up")
HANG_S = 60.0  # far longer than anybody waits


class ModelServer:
    """A server whose answers hold no facts to learn; only whether and how it answers matters here."""

    def __init__(self) -> None:
        self.mood: Mood = "answers"
        self._gone = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                mood = outer.mood
                if mood == "hangs":
                    outer._gone.wait(HANG_S)
                if mood in {"hangs", "hangs up"}:
                    self.close_connection = True
                    return
                said = json.dumps({"facts": []}) if mood == "answers" else "As a model I would rather not {"
                choice = {"message": {"content": said}, "finish_reason": "stop"}
                usage = {"prompt_tokens": 10, "completion_tokens": 5}
                body = json.dumps({"choices": [choice], "usage": usage}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the base class
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Stop the server, and release the requests that hang."""
        self._gone.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def running() -> Iterator[ModelServer]:
    """A server that runs for the length of a block."""
    server = ModelServer()
    try:
        yield server
    finally:
        server.stop()
