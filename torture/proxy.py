"""A TCP proxy on a loopback port that can cut connections in the middle of a transfer."""

import random
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_CHUNK = 65_536
_LOOK_EVERY_S = 0.1
_AT_ONCE = b"\x01\x00\x00\x00\x00\x00\x00\x00"  # SO_LINGER on with a timeout of 0: closing sends a reset to both sides


class Proxy:
    """Passes bytes on in both directions, with a thread for each connection."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(_LOOK_EVERY_S)
        self.port = int(self._listener.getsockname()[1])
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._open: list[tuple[socket.socket, socket.socket]] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def cut(self, chance: random.Random) -> int:
        """Cut a random sample of the connections, at least one if there is any; returns how many."""
        with self._lock:
            victims = chance.sample(self._open, chance.randint(1, len(self._open))) if self._open else []
            for pair in victims:
                self._close(pair)
        return len(victims)

    def stop(self) -> None:
        """Cut all connections, and accept no more."""
        self._stop.set()
        self._thread.join()
        self._listener.close()
        with self._lock:
            for pair in list(self._open):
                self._close(pair)

    def _accept(self) -> None:
        while not self._stop.is_set():
            with suppress(OSError):  # no client yet; or the server is down, and the client's connection was closed
                came, _ = self._listener.accept()
                try:
                    onward = socket.create_connection(("127.0.0.1", self._to), timeout=5.0)
                except OSError:
                    came.close()
                    raise
                onward.settimeout(None)
                came.settimeout(None)
                with self._lock:
                    self._open.append((came, onward))
                threading.Thread(target=self._pass_on, args=(came, onward), daemon=True).start()

    def _pass_on(self, came: socket.socket, onward: socket.socket) -> None:
        other = {came: onward, onward: came}
        with suppress(OSError, ValueError):  # the connection was cut
            while not self._stop.is_set():
                ready, _, _ = select.select([came, onward], [], [], _LOOK_EVERY_S)
                for one in ready:
                    got = one.recv(_CHUNK)
                    if not got:
                        raise OSError("the other side ended it")
                    other[one].sendall(got)
        with self._lock:
            self._close((came, onward))

    def _close(self, pair: tuple[socket.socket, socket.socket]) -> None:
        if pair in self._open:
            self._open.remove(pair)
            for one in pair:
                with suppress(OSError):
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()


@contextmanager
def proxy(port: int) -> Iterator[Proxy]:
    """A proxy to a port that runs for the length of a block."""
    between = Proxy(port)
    try:
        yield between
    finally:
        between.stop()
