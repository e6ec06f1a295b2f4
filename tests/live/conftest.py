"""A real language model on loopback, for as long as the tests take."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from emberkeep.providers.openai_chat import OpenAIChat

ROOT = Path(__file__).parents[2]
PATIENCE_S = 180.0


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The base URL of a server with the model; MODEL=file.gguf takes another model."""
    pytest.importorskip("xllamacpp")
    model = ["--file", os.environ["LIVE_MODEL"]] if os.environ.get("LIVE_MODEL") else []
    command = [sys.executable, str(ROOT / "scripts" / "local_model.py"), "--cache", str(ROOT / ".cache" / "models")]
    with subprocess.Popen([*command, *model], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        watchdog = threading.Timer(600.0, process.kill)  # the first time it has to be downloaded
        watchdog.start()
        try:
            assert process.stdout is not None
            ready = next((line for line in process.stdout if line.startswith("ready ")), "")
            assert ready, "the server did not start; run scripts/local_model.py to see why"
            watchdog.cancel()
            yield ready.split()[1]
        finally:
            watchdog.cancel()
            process.terminate()


@pytest.fixture(scope="session")
def chat(server: str) -> Iterator[OpenAIChat]:
    chat = OpenAIChat(server, "local", timeout_s=PATIENCE_S, max_tokens=600)
    yield chat
    chat.close()
