"""Real servers: an app on a socket of its own, in this process."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
import uvicorn
from fastapi import FastAPI

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
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
            server.should_exit = True
            thread.join()

    return serving
