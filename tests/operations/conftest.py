"""Real servers: an app on a socket of its own, in this process."""

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from io import StringIO
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

from emberkeep.entrypoints.logs import JsonLines

Serve = Callable[[FastAPI], AbstractContextManager[str]]


@pytest.fixture(scope="session")
def serve() -> Serve:
    """Serve an app for the length of a block, which gets its address."""

    @contextmanager
    def serving(app: FastAPI) -> Iterator[str]:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=5))
        with socket.create_server(("127.0.0.1", 0)) as listener:
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            try:
                yield f"http://127.0.0.1:{listener.getsockname()[1]}"
            finally:
                server.should_exit = True
                thread.join()

    return serving


class Log:
    """What was logged, in the format of a server that nobody watches."""

    def __init__(self, *, texts: bool = False) -> None:
        self.stream = StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(JsonLines(texts=texts))

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture(params=[False])
def log(request: pytest.FixtureRequest) -> Iterator[Log]:
    written, logger = Log(texts=request.param), logging.getLogger("emberkeep")
    logger.addHandler(written.handler)
    logger.setLevel(logging.DEBUG)
    yield written
    logger.removeHandler(written.handler)
    logger.setLevel(logging.NOTSET)
