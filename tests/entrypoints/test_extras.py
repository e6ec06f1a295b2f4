"""With the extra `server` and no other, everything else is served."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

WITHOUT = """
import sys
for name in ("grpc", "grpc_health", "grpc_reflection", "mcp", "opentelemetry.sdk", "psycopg", "redis"):
    sys.modules[name] = None
from emberkeep.entrypoints.cli import main
main()
"""


@pytest.mark.slow
def test_the_server_needs_no_other_extra(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, "serve", "--port", "0", "--json", "--db", str(tmp_path / "agent.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ)) as server:
        assert server.stdout is not None
        try:
            address = json.loads(server.stdout.readline())
            with httpx.Client(base_url=address["serving"], timeout=60) as client:
                assert client.get("/healthz").json()["status"] == "ok"
                assert client.post("/api/v1/memories/remember", json={"text": "Likes tea"}).status_code == 201
                assert client.get("/metrics").status_code == 200
                assert client.post("/mcp", json={}).status_code == 404
        finally:
            server.terminate()
    assert (address["grpc"], address["mcp"], server.returncode) == (None, None, 0)
