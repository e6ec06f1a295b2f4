"""A proxy on a loopback port that passes everything on, until it cuts connections in the middle of what they carry."""

import random
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_CHUNK = 65_536
_LOOK_EVERY_S = 0.1
_AT_ONCE = (
    b"\x01\x00\x00\x00\x00\x00\x00\x00"  # of SO_LINGER: both sides hear of it by a reset, as of a cable that broke
)


class Proxy:
    """Passes on what comes, from many threads."""

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
        """Cut some connections, at least one if there is one; how many."""
        with self._lock:
            some = chance.sample(self._open, chance.randint(1, len(self._open))) if self._open else []
            for pair in some:
                self._close(pair)
        return len(some)

    def stop(self) -> None:
        """Cut all of them, and take no more."""
        self._stop.set()
        self._thread.join()
        self._listener.close()
        with self._lock:
            for pair in list(self._open):
                self._close(pair)

    def _accept(self) -> None:
        while not self._stop.is_set():
            with suppress(OSError):  # nobody came; or the server is away, and whoever came hears that
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
        with suppress(OSError, ValueError):  # it was cut
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
    """A proxy to a port for the length of a block."""
    between = Proxy(port)
    try:
        yield between
    finally:
        between.stop()
