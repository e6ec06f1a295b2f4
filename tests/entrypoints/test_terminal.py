"""How the command line looks and helps: colours, progress, tables, completion, suggestions, help."""

import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.console import Console
from typer.testing import Result

import emberkeep
from emberkeep.entrypoints.cli import app
from emberkeep.entrypoints.options import one_of
from emberkeep.entrypoints.panels import ORDER, PANELS
from emberkeep.entrypoints.printing import console, context_view
from emberkeep.model.recall import PLANS
from emberkeep.testing import WordEmbedder

Run = Callable[..., Result]
RED_OR_OTHER = re.compile(r"\x1b\[(?:\d;)?3\dm")


def commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every command and group, by its whole name."""
    for name, command in group.commands.items():
        yield f"{before}{name}", command
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")


ROOT: Any = typer.main.get_command(app)
COMMANDS = dict(commands(ROOT))


# Help.


@pytest.mark.parametrize("name", COMMANDS)
def test_all_that_can_be_given_is_explained(name: str) -> None:
    command = COMMANDS[name]
    assert command.help
    unsaid = [one.name for one in command.params if not getattr(one, "hidden", False) and not one.help]
    assert not unsaid
    assert [one.name for one in command.params if one.help and not one.help.endswith((".", ".)", "…"))] == []


def test_help_lists_every_command_under_a_heading(run: Run) -> None:
    assert list(ROOT.commands) == list(ORDER)
    said = run("--help").stdout
    headings = [said.index(f" {panel} ") for panel in PANELS]
    assert headings == sorted(headings)


@pytest.mark.parametrize("name", [name for name, one in COMMANDS.items() if not hasattr(one, "commands")])
def test_every_command_has_an_example_of_itself(name: str) -> None:
    """Which is one that it would understand."""
    example = COMMANDS[name].epilog.removeprefix("Example: ")
    assert example.startswith(f"emberkeep {name}")
    words = shlex.split(example)[1 + len(name.split()) :]
    command = COMMANDS[name]
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= known


def test_the_whole_of_help_is_told_where_there_are_no_colours(run: Run) -> None:
    assert "\x1b" not in run("--help").stdout
    assert "--no-color" in run("--help").stdout


# Suggestions.


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["serach", "x"], "No such command 'serach'. Did you mean 'search'?"),
        (["keys", "creat", "x"], "No such command 'creat'. Did you mean 'create'?"),
        (["search", "x", "--limti", "3"], "No such option: --limti. Did you mean '--limit'?"),
        (["keys"], "emberkeep keys takes one of create, list, revoke (see emberkeep keys create --help)"),
        (["search", "x", "--zzzz"], "No such option: --zzzz (see emberkeep search --help)"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_mistyped_gets_a_suggestion(run: Run, typed: list[str], said: str) -> None:
    result = run(*typed)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_mistyped_setting_gets_a_suggestion(run: Run, home: Path) -> None:
    home.mkdir()
    (home / "emberkeep.toml").write_text('embeder = "local"\n')
    result = run("stats")
    assert result.exit_code == 2
    assert "embeder; did you mean embedder?" in result.stderr


# What does not fit in, and what does not fit out.


def test_input_that_is_no_text_is_refused_with_what_to_do(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "emberkeep", "add", "--db", str(tmp_path / "agent.db")]
    for settings in ("utf-8", "utf-8:surrogateescape"):  # the latter as with LANG=C
        environ = os.environ | {"PYTHONIOENCODING": settings}
        ran = subprocess.run(command, input=b"na\xefve", env=environ, capture_output=True, timeout=60, check=False)
        assert ran.returncode == 2
        assert b"iconv -f LATIN1 -t utf-8" in ran.stderr
    assert not (tmp_path / "agent.db").exists()


def test_lines_may_end_as_on_windows(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "agent.db"
    run("add", "I live in Rome.\r\nI like tea.\rIndeed.", "--db", db)
    shown = run("list", "--kind", "episode", "--db", db).stdout
    assert "I live in Rome.\nI like tea.\\x0dIndeed." in shown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_an_output_that_is_full_is_an_error_of_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "emberkeep", "--help"]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert ran.returncode == 1
    assert ran.stderr == "error: the output: No space left on device: free some space and try again\n"


# Colours and width.


def emberkeep_process(*args: object, **environ: str) -> "subprocess.CompletedProcess[str]":
    clean = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    command = [sys.executable, "-m", "emberkeep", *map(str, args)]
    return subprocess.run(command, env=clean | environ, capture_output=True, text=True, timeout=60, check=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "environ", "coloured"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--no-color"], {"FORCE_COLOR": "1"}, False),
    ],
    ids=["piped", "forced", "none", "option"],
)
def test_colours_are_where_they_are_wanted(
    tmp_path: Path, options: list[str], environ: dict[str, str], coloured: bool
) -> None:
    db = tmp_path / "agent.db"
    with emberkeep.open(db) as memory:
        memory.remember("likes plums")
    shown = emberkeep_process(*options, "list", "--db", db, **environ)
    assert bool(RED_OR_OTHER.search(shown.stdout)) == coloured
    assert "likes plums" in shown.stdout
    assert shown.stderr == ""


def test_a_run_without_colours_leaves_those_of_the_next(run: Run) -> None:
    run("--no-color", "stats")
    assert console().no_color
    run("stats")
    assert not console().no_color


def test_a_table_that_is_piped_is_whole(run: Run) -> None:
    run("remember", "likes plums more than anything else that grows on trees", "--user", "alex")
    shown = run("context", "what does Alex like?", "--user", "alex", "--explain").stdout
    assert "…" not in shown
    assert re.search(r"item:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12} ", shown)


def test_a_table_in_a_narrow_terminal_loses_nothing() -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        memory.remember("likes plums", kind="preference")
        _, table = context_view(memory.context("what is liked?"), explain=True)
    terminal = Console(file=StringIO(), width=80)
    with terminal.capture() as shown:
        terminal.print(table)
    assert "…" not in shown.get()
    assert max(map(len, shown.get().splitlines())) <= 80


# Progress.


ONE_AFTER_THE_OTHER = """
import json, sys
from emberkeep.entrypoints.cli import app

for args in json.loads(sys.argv[1]):
    try:
        app(args, prog_name="emberkeep")
    except SystemExit as end:
        assert not end.code, args
    for stream in (sys.stdout, sys.stderr):
        print("\\0", end="", file=stream, flush=True)
"""


def at_a_terminal(*commands: list[object]) -> Iterator[tuple[str, str]]:
    """What each command says on stdout, which is a pipe, and on stderr, which is a terminal."""
    ours, theirs = pty.openpty()
    given = json.dumps([[str(arg) for arg in args] for args in commands])
    environ = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80"}
    program = [sys.executable, "-c", ONE_AFTER_THE_OTHER, given]
    terminal = bytearray()

    def read() -> None:
        with suppress(OSError):  # once the other side is closed
            while chunk := os.read(ours, 65_536):
                terminal.extend(chunk)

    reader = threading.Thread(target=read)
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=theirs, env=environ, text=True) as process:
        os.close(theirs)
        reader.start()
        said = process.communicate(timeout=120)[0]
    reader.join()
    os.close(ours)
    assert process.returncode == 0, terminal
    yield from zip(said.split("\0")[:-1], terminal.decode().split("\0")[:-1], strict=True)


@pytest.fixture
def laborious(tmp_path: Path, valkey: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[object]]:
    """Commands that may take long, each on a small case."""
    monkeypatch.setenv("EMBERKEEP_EMBEDDING_CACHE_URL", valkey.url)  # for `precompute`
    db, other = tmp_path / "agent.db", tmp_path / "other.db"
    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"Fact number {number} is worth knowing\n" for number in range(5)))
    document = tmp_path / "handbook.md"
    document.write_text("# Handbook\n\nTea is at five.\n")
    with emberkeep.open(db) as memory:
        memory.add("I moved to Lisbon.", user_id="alex", learn="later")
    return {
        "seed": ["seed", lines, "--db", db],
        "learn": ["learn", "--db", db],
        "precompute": ["precompute", lines, "--db", db],
        "knowledge import": ["knowledge", "import", document, "--db", db],
        "export": ["export", tmp_path / "out.jsonl", "--db", db],
        "import": ["import", tmp_path / "out.jsonl", "--from", "emberkeep", "--db", other],
        "backup": ["backup", tmp_path / "all.backup", "--db", db],
        "restore": ["restore", tmp_path / "all.backup", "--db", tmp_path / "third.db"],
        "rebuild": ["rebuild", "--db", db],
        "upkeep": ["upkeep", "--db", db],
    }


@pytest.mark.slow
def test_long_work_shows_how_far_it_is_at_a_terminal_and_only_there(
    laborious: dict[str, list[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = at_a_terminal(*([*args, "--json"] for args in laborious.values()))
    shown = dict(zip(laborious, told, strict=True))
    assert [name for name, (_, terminal) in shown.items() if not re.search(r"\d+/(\d|\?)", terminal)] == []
    assert all(said.startswith("{") and "\x1b" not in said for said, _ in shown.values())
    monkeypatch.setenv("FORCE_COLOR", "1")  # which makes no terminal of a pipe
    assert emberkeep_process(*laborious["upkeep"], FORCE_COLOR="1").stderr == ""


# Completion.


@pytest.fixture(scope="module")
def on_the_path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH with the command `emberkeep` of this Python."""
    folder = tmp_path_factory.mktemp("bin")
    script = folder / "emberkeep"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m emberkeep "$@"\n')
    script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def in_bash(script: str, path: str, home: Path) -> str:
    environ = os.environ | {"PATH": path, "HOME": str(home)}
    command = ["bash", "--noprofile", "--norc", "-c", script]
    ran = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=True)
    return ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("emberkeep sea", ["search"]),
        ("emberkeep keys ''", ["create", "list", "revoke"]),
        ("emberkeep search x --exp", ["--explain"]),
        ("emberkeep list --kind e", ["episode", "execution"]),
        ("emberkeep import x --from c", ["chatgpt", "claude"]),
    ],
)
def test_bash_completes(on_the_path: str, tmp_path: Path, typed: str, offered: list[str]) -> None:
    script = f"""
        eval "$(emberkeep --show-completion bash)"
        complete -p emberkeep >&2
        COMP_WORDS=({typed}) COMP_CWORD={len(shlex.split(typed)) - 1}
        _emberkeep_completion emberkeep
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    assert in_bash(script, on_the_path, tmp_path).split() == offered


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_shown_and_installed_for_each_shell(on_the_path: str, tmp_path: Path, shell: str) -> None:
    shown = in_bash(f"emberkeep --show-completion {shell}", on_the_path, tmp_path)
    assert f"_EMBERKEEP_COMPLETE=complete_{shell}" in shown  # of the one that is named, whatever this one is
    if tool := shutil.which(shell):  # it is at least a script of that shell
        subprocess.run([tool, "-n"], input=shown, text=True, check=True, timeout=30)
    said = in_bash(f"emberkeep --install-completion {shell}", on_the_path, tmp_path)
    assert f"{shell} completion installed" in said
    installed = [file for file in tmp_path.rglob("*") if file.is_file() and "EMBERKEEP" in file.read_text().upper()]
    assert installed, said


def test_what_completes_is_what_is_accepted() -> None:
    """Whoever picks what the shell offers is not told that it is unknown."""
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        for plan in one_of(PLANS)(""):
            memory.search("x", plan=plan)
    assert one_of(PLANS)("ba") == ["balanced"]
