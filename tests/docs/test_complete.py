"""Nothing that users meet goes without a line in docs/reference, whoever wrote that."""

import inspect
import re
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer

from emberkeep import errors
from emberkeep.config import PREFIX, Config
from emberkeep.entrypoints.cli import app
from emberkeep.entrypoints.mcp.tools import TOOLS
from emberkeep.model.events import TYPES
from emberkeep.service.statuses import STATUSES
from emberkeep.service.verbs import VERBS

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def page(name: str) -> str:
    return (REFERENCE / f"{name}.md").read_text(encoding="utf-8")


def commands(group: Any, before: str = "") -> Iterator[str]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}"


def section(of_page: str, title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", page(of_page), re.MULTILINE | re.DOTALL)
    assert found, f"{title} is not in {of_page}.md"
    return found[1]


ROOT: Any = typer.main.get_command(app)


@pytest.mark.parametrize("name", list(commands(ROOT)))
def test_every_command_and_each_of_its_options_is_documented(name: str) -> None:
    command = ROOT
    for word in name.split():
        command = command.commands[word]
    said = section("cli", name)
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    assert [one.opts[0] for one in options if one.opts[0] not in said and one.opts[0] != "--help"] == []


def test_every_setting_is_documented() -> None:
    said = page("settings")
    assert [one.name for one in fields(Config) if f"| `{one.name}` | `{PREFIX}{one.name.upper()}` |" not in said] == []


def test_every_error_is_documented_and_has_a_status() -> None:
    def kinds(root: type[Exception]) -> Iterator[type[Exception]]:
        for kind in root.__subclasses__():
            if inspect.getmodule(kind) is errors:
                yield kind
                yield from kinds(kind)

    every: set[type[Exception]] = {errors.EmberkeepError, *kinds(errors.EmberkeepError)}
    said = page("errors")
    assert [kind.__name__ for kind in every if f"| `{kind.__name__}` |" not in said] == []
    assert every == set(STATUSES)


def test_every_event_is_documented() -> None:
    assert [name for name in TYPES if f"| `{name}` |" not in page("events")] == []


def test_every_endpoint_and_tool_is_documented() -> None:
    http = page("http")
    assert [
        verb.name for verb in VERBS.values() if f"| `{verb.method} {verb.path}` | `{verb.name}` |" not in http
    ] == []
    assert [name for name in TOOLS if not section("mcp", name).strip()] == []


def test_the_map_names_every_folder_and_every_module_beside_them() -> None:
    """So that whoever looks for one finds it, or its folder; the rest is in the index of modules."""
    root = Path(__file__).parents[2]
    named = set(re.findall(r"\w+", (root / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    package = root / "src" / "emberkeep"
    beside = [path.stem for path in package.glob("*.py") if path.stem not in ("__init__", "__main__")]
    folders = [path.parent.name for path in package.glob("*/__init__.py")]
    assert set(beside) | set(folders) <= named


def test_every_file_that_the_map_names_exists() -> None:
    root = Path(__file__).parents[2]
    tracked = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.split()
    known = {f"/{path}/" for file in tracked for path in (file, file.removesuffix(".py"), *Path(file).parents)}
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = [name for name in re.findall(r"`([\w./]+)`", text) if "/" in name or name.endswith(".py")]
    assert [name for name in named if not any(f"/{name.strip('/')}/" in path for path in known)] == []
