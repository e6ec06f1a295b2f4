"""What the documentation shows is run: Python and `$ emberkeep` lines in order, and every program of examples/.

A block whose fence says `no-run` is left out. Any PostgreSQL or Redis URL stands for the test server's, and
https://memory.example for a server of ours.
"""

import ast
import asyncio
import inspect
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import emberkeep
from emberkeep.entrypoints.cli import app

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = [
    path
    for path in (
        ROOT / "README.md",
        ROOT / "ARCHITECTURE.md",
        ROOT / "examples" / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    )
    if path.exists()
]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LANGUAGES = {"python", "console", "sh"}
_BLOCK = re.compile(r"^( *)```(\w+)([^\n]*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_POSTGRES = re.compile(r"postgresql://[^\s\"'`]+")
_OURS = "https://memory.example"
_REDIS = re.compile(r"redis://[^\s\"'`/]+")


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    code: str


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        indent, language, rest, code = match.groups()
        if language in LANGUAGES and "no-run" not in rest:
            yield Block(page, text.count("\n", 0, match.start()) + 1, language, re.sub(f"(?m)^{indent}", "", code))


def commands(code: str) -> Iterator[str]:
    for line in code.replace("\\\n", " ").splitlines():
        if line.startswith("$ emberkeep "):
            yield line.removeprefix("$ emberkeep ")


RUNNABLE = {page: found for page in PAGES if (found := list(blocks(page)))}


def _named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.fixture
def with_server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Puts the test servers in the place of URLs, and starts one only if there is one."""
    keys: list[str] = []

    def replace(code: str) -> str:
        if _OURS in code:
            if not keys:  # the blocks of a page go on with one memory
                keys.append(request.getfixturevalue("over_http")().keys.create("the page", role="admin").secret)
                monkeypatch.setenv("EMBERKEEP_API_KEY", keys[0])
            code = code.replace(_OURS, request.getfixturevalue("server").url).replace("ek_...", keys[0])
        code = _REDIS.sub(lambda _: request.getfixturevalue("valkey").url.removesuffix("/0"), code)
        return _POSTGRES.sub(lambda _: request.getfixturevalue("postgres_url"), code)

    return replace


@pytest.mark.parametrize("page", RUNNABLE, ids=_named)
def test_what_the_page_shows_works(
    page: Path,
    with_server: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    if page.name == "demo.md":
        request.getfixturevalue("copied_month")  # as demo.db: other tests load it, which takes a while
    names: dict[str, Any] = {"__name__": "__main__"}
    with ExitStack() as left_open:  # as a program's end closes what it leaves open
        for block in RUNNABLE[page]:
            code = with_server(block.code)
            if block.language == "python":
                run_python(block, code, names)
                for memory in [value for value in names.values() if isinstance(value, emberkeep.Memory)]:
                    left_open.callback(memory.close)
            else:
                for command in commands(code):
                    run_command(block, command)


@pytest.mark.parametrize("example", EXAMPLES, ids=_named)
def test_the_example_works(example: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, example], stdin=subprocess.DEVNULL, cwd=tmp_path, check=True, timeout=120)


def test_every_example_is_in_the_list_of_examples() -> None:
    listed = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES if f"]({path.name})" not in listed] == []


def test_blocks_are_found_with_their_line_and_without_those_not_to_run(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# T\n\n```python\na = 1\n```\n\n```python no-run\nb\n```\n"
        "- x\n\n  ```console\n  $ emberkeep \\\n  stats\n  ok\n  ```\n"
    )
    assert list(blocks(page)) == [
        Block(page, 3, "python", "a = 1\n"),
        Block(page, 12, "console", "$ emberkeep \\\nstats\nok\n"),
    ]
    assert [shlex.split(one) for one in commands("$ emberkeep \\\nstats --json\nok\n$ ls\n")] == [["stats", "--json"]]


def run_python(block: Block, code: str, names: dict[str, Any]) -> None:
    """With `await` at the top level, as in a notebook; a traceback shows the line of the page."""
    lines = "\n" * block.line + code
    compiled = compile(lines, block.page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    result = eval(compiled, names)  # noqa: S307 - the documentation is ours
    if inspect.iscoroutine(result):
        asyncio.run(result)


def run_command(block: Block, command: str) -> None:
    args = shlex.split(command.split(" | ", maxsplit=1)[0], comments=True)
    if args[0] == "serve":
        serve(args)
        return
    result = CliRunner().invoke(app, args, prog_name="emberkeep", catch_exceptions=False)
    assert result.exit_code == 0, f"{_named(block.page)}:{block.line}: emberkeep {command}\n{result.output}"


def serve(args: list[str]) -> None:
    """Until it says where it serves; on a free port."""
    command = [sys.executable, "-m", "emberkeep", *args, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert "http://" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
