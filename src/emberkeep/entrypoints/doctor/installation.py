"""Checks of what is installed, and of the environment variables."""

import difflib
import platform
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec

from emberkeep import __version__
from emberkeep.config import PREFIX, Config
from emberkeep.entrypoints.doctor.check import Check

OLDEST_SQLITE = (3, 35)  # the first with RETURNING
_EXTRAS = {"postgres": "psycopg", "redis": "redis", "server": "fastapi"}
_NOT_SETTINGS = ("HOME", "CONFIG", "SERVER", "COMPLETE")


def checks() -> Iterator[Check]:
    """Check Emberkeep, Python, SQLite, usearch, the extras and the inspector."""
    yield Check("emberkeep", "ok", __version__)
    yield Check("python", "ok", platform.python_version())
    recent = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    advice = "" if recent else ": too old, use a Python with SQLite 3.35 or later"
    yield Check("sqlite", "ok" if recent else "fail", sqlite3.sqlite_version + advice)
    if find_spec("usearch"):
        yield Check("usearch", "ok", version("usearch"))
    else:
        yield Check("usearch", "fail", "not installed; large memories need it: pip install usearch")
    for extra, package in _EXTRAS.items():
        if find_spec(package):
            yield Check(f"extra {extra}", "ok", f"{package} {version(package)}")
        else:
            advice = f"{package} is not installed; if you need it: pip install 'emberkeep[{extra}]'"
            yield Check(f"extra {extra}", "warn", advice)
    yield _inspector()


def variables(environ: Mapping[str, str]) -> Iterator[Check]:
    """Warn of environment variables that look like settings but are none."""
    known = {PREFIX + setting.name.upper() for setting in fields(Config)}
    known |= {PREFIX + name for name in _NOT_SETTINGS}
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            advice = f"did you mean {near[0]}?" if near else "unset it"
            yield Check("environment", "warn", f"{name} is not a setting: {advice}")


def _inspector() -> Check:
    page = files("emberkeep.entrypoints.http") / "static" / "index.html"
    if page.is_file():
        return Check("inspector", "ok", "built; the service has it at /")
    return Check("inspector", "warn", "not built; the service works without it: run `make web` in a checkout")
