"""SIGTERM, to a real process: what is under way is finished, streams end, nobody new is let in."""

import json
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from .client import API, MEMORIES


@pytest.mark.slow
def test_a_server_that_is_told_to_stop_finishes_what_it_began(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--db", str(tmp_path / "agent.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stderr is not None
            url = server.stdout.readline().removeprefix("serving: ").strip()
            place = (urlsplit(url).hostname, urlsplit(url).port)
            with (
                httpx.Client(base_url=url, timeout=60) as client,
                client.stream("GET", f"{API}/events/stream") as stream,
                socket.create_connection(place, timeout=60) as under_way,
            ):
                lines = stream.iter_lines()
                assert next(lines).startswith("retry:")
                # A request that has begun: its headers are there, its body comes after the signal.
                body = b'{"text": "Likes tea"}'
                head = f"POST {MEMORIES}/remember HTTP/1.1\r\nHost: {place[0]}\r\nContent-Type: application/json\r\n"
                under_way.sendall(f"{head}Content-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n".encode())
                assert under_way.recv(1_000).startswith(b"HTTP/1.1 100")
                server.send_signal(signal.SIGTERM)
                assert not [line for line in lines if line and not line.startswith(":")]  # it ended
                assert refused(place)
                under_way.sendall(body)
                said = under_way.recv(65_536)
                assert said.startswith(b"HTTP/1.1 201"), said
            assert server.wait(timeout=60) == 0
            assert {json.loads(line)["message"] for line in server.stderr} == {"request"}
        finally:
            server.kill()
    assert not list(tmp_path.glob("*-wal"))  # the memory was closed


def refused(place: tuple[str | None, int | None]) -> bool:
    """Whether nobody new is let in, in the end."""
    for _ in range(100):
        try:
            socket.create_connection(place, timeout=5).close()
        except ConnectionRefusedError:
            return True
        threading.Event().wait(0.05)
    return False
