"""Several server processes on one socket: restarted when they die, and stopped together by one signal.

The first process has to start serving before the others are started. It also runs the worker, and holds the live state
(`memory.operational`), which the others request from it.
"""

import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from emberkeep.config import Config
from emberkeep.errors import ConfigError
from emberkeep.lifecycle.live_state import Holder, Place, new_place
from emberkeep.memory import Memory
from emberkeep.opening import open as opened
from emberkeep.opening import open_beside
from emberkeep.wiring import database_target

# ruff: noqa: PLC0415 - prometheus_client comes with the extra `server`

_logger = logging.getLogger(__name__)
LOOK_EVERY_S = 0.1  # to see whether a process died
STOP_WITHIN_S = 20.0  # what runs longer after SIGTERM is killed
QUICK_S = 5.0  # a process that ends sooner is restarted after a pause, longer each time
LONGEST_PAUSE_S = 30.0
# What tells a process where the live state is, the secret for it, and the id of the process that started it.
_PLACE, _WORD, _PARENT = "EMBERKEEP_LIVE_AT", "EMBERKEEP_LIVE_WORD", "EMBERKEEP_PARENT"
_COUNTS = "PROMETHEUS_MULTIPROC_DIR"  # by which prometheus_client finds the folder with the counts of all processes


def require_shared(config: Config) -> None:
    """Raise `ConfigError` if several processes cannot share the memory."""
    if database_target(config) == ":memory:":
        raise ConfigError(
            "a memory in :memory: belongs to one process: pass --db a file or postgresql://…, or --workers 1"
        )
    if os.name != "posix":
        raise ConfigError("several server processes on one socket need Linux, macOS or another Unix: pass --workers 1")


def serve_together(
    command: Sequence[str], count: int, listener: socket.socket, announce: Callable[[bytes], None]
) -> int:
    """Run a server command in `count` processes on one socket, until SIGTERM or SIGINT; return an exit code.

    `announce` gets the line that the first process prints once it serves.
    """
    stop = threading.Event()
    for stopping in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stopping, lambda *_: stop.set())
    with _shared_folder() as environ:
        crew = _Crew(command, listener.fileno(), environ)
        try:
            line_or_code = crew.begin()
            if isinstance(line_or_code, int):
                return line_or_code
            announce(line_or_code)
            for number in range(1, count):
                crew.start(number)
            while not stop.wait(LOOK_EVERY_S):
                crew.look_after()
        finally:
            crew.end()
    return 0


@contextmanager
def _shared_folder() -> Iterator[Mapping[str, str]]:
    """Make a temporary folder for what the processes share; yield their environment, which tells them of it."""
    with tempfile.TemporaryDirectory(prefix="emberkeep-serve-") as folder:
        place, counts = new_place(folder), Path(folder) / "counts"
        counts.mkdir()
        yield {
            **os.environ,
            _PLACE: place.path,
            _WORD: place.word.hex(),
            _PARENT: str(os.getpid()),
            _COUNTS: str(counts),
        }


class _Crew:
    """The server processes, by number."""

    def __init__(self, command: Sequence[str], socket_number: int, environ: Mapping[str, str]) -> None:
        self._command = command
        self._socket = socket_number
        self._environ = environ
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._began: dict[int, float] = {}
        self._failed: dict[int, int] = {}
        self._due: dict[int, float] = {}

    def begin(self) -> bytes | int:
        """Start the first process; return the line that it prints once it serves, or its exit code if it fails."""
        first = self.start(0, stdout=subprocess.PIPE)
        assert first.stdout is not None  # noqa: S101 - it is a pipe
        with first.stdout as output:
            return output.readline() or first.wait()

    def start(self, number: int, stdout: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
        """Start the process of this number."""
        process = subprocess.Popen(  # noqa: S603 - this program
            [sys.executable, "-m", "emberkeep", *self._command, "--socket", f"{self._socket}", "--number", f"{number}"],
            stdout=stdout,
            env=self._environ,
            pass_fds=[self._socket],
        )
        self._running[number], self._began[number] = process, time.monotonic()
        return process

    def look_after(self) -> None:
        """Restart the processes that died, at once or after a pause."""
        now = time.monotonic()
        for number, process in list(self._running.items()):
            if process.poll() is not None:
                del self._running[number]
                self._bury(process)
                quick = now - self._began[number] < QUICK_S
                self._failed[number] = failed = self._failed.get(number, 0) + 1 if quick else 0
                pause = min(LONGEST_PAUSE_S, 2.0**failed / 4) if quick else 0.0
                self._due[number] = now + pause
                _logger.warning(
                    "server process %d ended with code %d: starting it again in %.1f s",
                    number,
                    process.returncode,
                    pause,
                )
        for number in [number for number, due in self._due.items() if due <= now]:
            del self._due[number]
            self.start(number)

    def end(self) -> None:
        """Stop all processes, and kill those that take too long."""
        for process in self._running.values():
            process.terminate()
        until = time.monotonic() + STOP_WITHIN_S
        for process in self._running.values():
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _bury(self, process: "subprocess.Popen[bytes]") -> None:
        """Take a dead process out of the metrics of what is under way."""
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(process.pid, self._environ[_COUNTS])  # type: ignore[no-untyped-call]


@contextmanager
def one_of_several(socket_number: int, number: int, config: Config) -> Iterator[tuple[socket.socket, Memory]]:
    """Yield the socket and the memory of one of several processes; number 0 holds the live state for all."""
    _end_with_parent()
    place = Place(os.environ[_PLACE], bytes.fromhex(os.environ[_WORD]))
    with socket.socket(fileno=socket_number) as listener:
        if number:
            with open_beside(place, config) as memory:
                yield listener, memory
        else:
            with opened(config=config) as memory, _holding(memory, place):
                yield listener, memory


@contextmanager
def _holding(memory: Memory, place: Place) -> Iterator[None]:
    """Serve the live state of a memory to the other processes during the block."""
    holder = Holder(place, lambda tenant: memory.of_tenant(tenant).operational)
    try:
        yield
    finally:
        holder.close()


def _end_with_parent() -> None:
    """Stop serving once the process that started this one has ended."""
    parent = int(os.environ[_PARENT])

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="emberkeep-parent", daemon=True).start()
